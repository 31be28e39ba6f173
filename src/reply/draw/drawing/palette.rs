//! The colours of boards, light and dark, in one table: for the style sheet of pages and for the colours
//! of thumbnails and of the pictures in mails. Players choose the colours of their boards and of their men; each choice changes
//! some tones of the table.
//!
//! The board has a few soft colours, and the sides differ in brightness. Orange marks only the last move,
//! green only what can be done now.

use std::fmt::{self, Display, Write as _};
use std::sync::LazyLock;

/// A set of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The colours of the board itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoardTheme {
    /// Paper and earth.
    #[default]
    Classic,
    /// Wood.
    Wood,
    /// Green cloth.
    Green,
}

/// The colours of the men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MenTheme {
    /// Ivory and blue; lights in green and red.
    #[default]
    Ivory,
    /// White and black, grey on dark pages; a dark green and a bright red light, or the reverse on dark
    /// pages.
    Stone,
}

/// A set of colours with a player's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    /// Light or dark.
    pub theme: Theme,
    /// The colours of the board.
    pub board: BoardTheme,
    /// The colours of the men.
    pub men: MenTheme,
}

impl Look {
    /// Returns all looks.
    pub fn all() -> impl Iterator<Item = Self> {
        let boards = BoardTheme::ALL.into_iter();
        let boards = boards.flat_map(|board| MenTheme::ALL.map(|men| (board, men)));
        boards.flat_map(|(board, men)| {
            [Theme::Light, Theme::Dark].map(|theme| Self { theme, board, men })
        })
    }
}

impl From<Theme> for Look {
    fn from(theme: Theme) -> Self {
        Self { theme, board: BoardTheme::default(), men: MenTheme::default() }
    }
}

/// Names the themes of a kind, the default first.
macro_rules! themes {
    ($kind:ident: $($theme:ident = $name:literal),*) => {
        impl $kind {
            /// All themes, the default first.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$theme),*];

            /// Returns the name, in preferences and style sheets.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$theme => $name,)*
                }
            }

            /// Finds a theme by name.
            pub fn find(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|theme| theme.name() == name)
            }
        }
    };
}

themes!(BoardTheme: Classic = "classic", Wood = "wood", Green = "green");
themes!(MenTheme: Ivory = "ivory", Stone = "stone");

/// A tone with its light and its dark value.
type Change = (Tone, [&'static str; 2]);

impl BoardTheme {
    const fn changes(self) -> &'static [Change] {
        match self {
            Self::Classic => &[],
            Self::Wood => &[
                (Tone::Frame, ["#5b3a21", "#1d130b"]),
                (Tone::Number, ["#f3dfc2", "#c9b496"]),
                (Tone::Felt, ["#f0dcba", "#33261a"]),
                (Tone::Even, ["#d6b27c", "#4f3b27"]),
                (Tone::Odd, ["#c3935a", "#5c4026"]),
                (Tone::Cell, ["#f3e2c4", "#2e2217"]),
                (Tone::Shade, ["#e6cfa6", "#3a2b1d"]),
                (Tone::Line, ["#b48d5a", "#5b4630"]),
                (Tone::Wall, ["#7c2d20", "#e5806b"]),
                (Tone::Hole, ["#d8bd92", "#45341f"]),
            ],
            Self::Green => &[
                (Tone::Frame, ["#2c4234", "#0b120e"]),
                (Tone::Number, ["#d3e3d6", "#a2b3a7"]),
                (Tone::Felt, ["#dfeadb", "#1f2d25"]),
                (Tone::Even, ["#b7cdb3", "#33483b"]),
                (Tone::Odd, ["#98b797", "#3f5240"]),
                (Tone::Cell, ["#e9f1e4", "#1e2b23"]),
                (Tone::Shade, ["#d3e1ce", "#283a2f"]),
                (Tone::Line, ["#93ae92", "#41574a"]),
                (Tone::Wall, ["#8c3a2b", "#e5806b"]),
                (Tone::Hole, ["#bfd2bb", "#2d4035"]),
            ],
        }
    }
}

impl MenTheme {
    const fn changes(self) -> &'static [Change] {
        match self {
            Self::Ivory => &[],
            Self::Stone => &[
                (Tone::O, ["#ffffff", "#f7f7f5"]),
                (Tone::ORim, ["#4d4d4d", "#8b8b88"]),
                (Tone::OInk, ["#1b1b1b", "#1b1b1b"]),
                (Tone::X, ["#262626", "#7a828c"]),
                (Tone::XRim, ["#000000", "#c6ccd3"]),
                (Tone::XInk, ["#ffffff", "#0b0d10"]),
                (Tone::XGoal, ["#a3a3a3", "#8f969e"]),
                (Tone::Green, ["#0d6b45", "#2fbf8a"]),
                (Tone::GreenRim, ["#c9f5e0", "#06301f"]),
                (Tone::Red, ["#c8403a", "#ff9d92"]),
                (Tone::RedRim, ["#ffe1db", "#5a120b"]),
            ],
        }
    }
}

/// Defines an enum with a row of constants for each variant.
macro_rules! table {
    ($(#[$about:meta])* $name:ident: $row:ty { $($entry:ident = $value:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name { $($entry,)* }

        impl $name {
            /// All variants, in order.
            pub(super) const ALL: &[Self] = &[$(Self::$entry,)*];

            const fn row(self) -> $row {
                match self {
                    $(Self::$entry => {
                        const ROW: $row = $value;
                        ROW
                    })*
                }
            }
        }
    };
}

table! {
    /// A colour by its purpose: its name in the style sheet, its light and its dark value.
    Tone: [&'static str; 3] {
        Page = ["page", "#f7f4ee", "#17191d"],
        Frame = ["frame", "#463830", "#0c0e11"],
        Number = ["number", "#dccdb8", "#a3abb5"],
        Felt = ["felt", "#e6dac6", "#272c33"],
        Even = ["even", "#d0bd9f", "#3b434d"],
        Odd = ["odd", "#c4a682", "#544840"],
        Cell = ["cell", "#efe6d6", "#23282e"],
        Shade = ["shade", "#e2d4bc", "#2c333b"],
        Line = ["line", "#bda98c", "#424b55"],
        Wall = ["wall", "#8c3a2b", "#d9735d"],
        Ink = ["ink", "#2b2420", "#ece7df"],
        Soft = ["soft", "#635548", "#a3abb5"],
        Shadow = ["shadow", "#000000", "#000000"],
        O = ["o", "#fbf7ee", "#ede6d9"],
        ORim = ["o-rim", "#57472a", "#8e8370"],
        OInk = ["o-ink", "#3b2f2a", "#2b2420"],
        X = ["x", "#2c3d5a", "#5783c8"],
        XRim = ["x-rim", "#131c2d", "#a9c4f2"],
        OGoal = ["o-goal", "#fbf7ee", "#ede6d9"],
        XGoal = ["x-goal", "#7f9bcb", "#5783c8"],
        XInk = ["x-ink", "#f4efe6", "#0b1320"],
        Die = ["die", "#fffdf8", "#ece5d8"],
        DieRim = ["die-rim", "#a3906f", "#8e8370"],
        Pip = ["pip", "#2b2420", "#22201d"],
        Mark = ["mark", "#c25400", "#f2a24a"],
        Legal = ["legal", "#166a4e", "#5ccaa5"],
        Hole = ["hole", "#d3c3a8", "#333a43"],
        Green = ["green", "#1d8a5b", "#3fb883"],
        GreenRim = ["green-rim", "#d9f6e8", "#0d3b27"],
        Red = ["red", "#d8473f", "#e4685c"],
        RedRim = ["red-rim", "#ffe1db", "#4a1009"],
        Lamp = ["lamp", "#f0dfae", "#d9c48c"],
        LampInk = ["lamp-ink", "#33270d", "#2b210b"],
    }
}

impl Tone {
    pub(super) fn colour(self, look: Look) -> &'static str {
        let mut changes = look.men.changes().iter().chain(look.board.changes());
        let changed = changes.find(|(tone, _)| *tone == self).map(|(_, values)| *values);
        let [_, light, dark] = self.row();
        let [light, dark] = changed.unwrap_or([light, dark]);
        match look.theme {
            Theme::Light => light,
            Theme::Dark => dark,
        }
    }

    /// Returns the red, green and blue of the colour in a look.
    pub(super) fn rgb(self, look: Look) -> [u8; 3] {
        let number = u32::from_str_radix(&self.colour(look)[1..], 16).unwrap_or_default();
        let [_, rgb @ ..] = number.to_be_bytes();
        rgb
    }

    /// Returns the name of its variable in the style sheet, after `--board-`.
    pub(super) const fn name(self) -> &'static str {
        self.row()[0]
    }
}

/// A property of a shape: in style sheets, in the attributes of SVG, and in painted pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Property {
    /// The colour of the area.
    Fill(Tone),
    /// No area is filled.
    NoFill,
    /// How opaque the area is, from 0 to 1.
    FillOpacity(f32),
    /// The colour of the line.
    Stroke(Tone),
    /// How opaque the line is, from 0 to 1.
    StrokeOpacity(f32),
    /// The width of the line.
    StrokeWidth(f32),
    /// The ends of the line are round.
    RoundCaps,
    /// The corners of the line are round.
    RoundJoins,
    /// The line is dashed: the length of a dash, and of a gap.
    Dashes([f32; 2]),
    /// How opaque the whole shape is, from 0 to 1.
    Opacity(f32),
    /// The text is bold.
    Bold,
    /// The text is not bold, though the page may make it so.
    NotBold,
    /// The text is centred at its place.
    Centred,
    /// The size of the text.
    FontSize(f32),
}

use Property::{
    Bold, Centred, Dashes, Fill, FillOpacity, FontSize, NoFill, NotBold, Opacity, RoundCaps,
    RoundJoins, Stroke, StrokeOpacity, StrokeWidth,
};

/// A number without the zero before its point.
struct Short(f32);

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let fraction = digits.strip_prefix('0').filter(|rest| !rest.is_empty());
        f.write_str(fraction.unwrap_or(&digits))
    }
}

impl Property {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Fill(_) | NoFill => "fill",
            FillOpacity(_) => "fill-opacity",
            Stroke(_) => "stroke",
            StrokeOpacity(_) => "stroke-opacity",
            StrokeWidth(_) => "stroke-width",
            RoundCaps => "stroke-linecap",
            RoundJoins => "stroke-linejoin",
            Dashes(_) => "stroke-dasharray",
            Opacity(_) => "opacity",
            Bold | NotBold => "font-weight",
            Centred => "text-anchor",
            FontSize(_) => "font-size",
        }
    }

    /// Prints its value; `colour` prints a tone.
    pub(super) fn value<C: Display>(self, colour: impl FnOnce(Tone) -> C) -> String {
        match self {
            Fill(tone) | Stroke(tone) => colour(tone).to_string(),
            NoFill => "none".into(),
            FillOpacity(number) | StrokeOpacity(number) | StrokeWidth(number) | Opacity(number) => {
                Short(number).to_string()
            }
            RoundCaps | RoundJoins => "round".into(),
            Dashes([dash, gap]) => format!("{dash} {gap}"),
            Bold => "700".into(),
            NotBold => "400".into(),
            Centred => "middle".into(),
            FontSize(size) => format!("{size}px"),
        }
    }
}

/// The size of the numbers beside a board.
pub(super) const LABEL_SIZE: f32 = 17.0;

table! {
    /// The look of a shape: the name of its class, and its properties.
    Paint: (&'static str, &'static [Property]) {
        Page = ("page", &[Fill(Tone::Page)]),
        Frame = ("frame", &[Fill(Tone::Frame)]),
        Number = ("number", &[Fill(Tone::Number), Centred, FontSize(LABEL_SIZE)]),
        Felt = ("felt", &[Fill(Tone::Felt)]),
        Even = ("even", &[Fill(Tone::Even)]),
        Odd = ("odd", &[Fill(Tone::Odd)]),
        Cell = ("cell", &[Fill(Tone::Cell)]),
        Shade = ("shade", &[Fill(Tone::Shade)]),
        Line = ("line", &[NoFill, Stroke(Tone::Line), StrokeWidth(1.0)]),
        Cross = ("cross", &[NoFill, Stroke(Tone::Ink), StrokeWidth(1.2), StrokeOpacity(0.5)]),
        Star = ("star", &[NoFill, Stroke(Tone::Ink), RoundCaps, StrokeOpacity(0.75)]),
        Drawn = ("drawn", &[NoFill, Stroke(Tone::Ink), StrokeWidth(6.0), RoundCaps]),
        Wall = ("wall", &[NoFill, Stroke(Tone::Wall), StrokeWidth(8.0), RoundCaps]),
        Name = ("name", &[Fill(Tone::Ink), Bold]),
        Turn = ("turn", &[Fill(Tone::Legal), Bold]),
        Beside = ("beside", &[Fill(Tone::Soft), NotBold]),
        Soft = ("soft", &[Fill(Tone::Soft)]),
        Words = ("words", &[Fill(Tone::Ink)]),
        Shadow = ("shadow", &[Fill(Tone::Shadow), FillOpacity(0.22)]),
        O = ("o", &[Fill(Tone::O), Stroke(Tone::ORim), StrokeWidth(1.6)]),
        X = ("x", &[Fill(Tone::X), Stroke(Tone::XRim), StrokeWidth(1.6)]),
        OArea = ("o-area", &[Fill(Tone::O), Stroke(Tone::ORim), StrokeWidth(1.2)]),
        XArea = ("x-area", &[Fill(Tone::X), Stroke(Tone::XRim), StrokeWidth(1.2)]),
        ORing = ("o-ring", &[NoFill, Stroke(Tone::ORim), StrokeWidth(1.2), StrokeOpacity(0.7)]),
        XRing = ("x-ring", &[NoFill, Stroke(Tone::XRim), StrokeWidth(1.2), StrokeOpacity(0.7)]),
        OLine = ("o-line", &[NoFill, Stroke(Tone::ORim), StrokeWidth(1.8), RoundCaps]),
        XLine = ("x-line", &[NoFill, Stroke(Tone::XRim), StrokeWidth(1.8), RoundCaps]),
        OCrown = ("o-crown", &[Fill(Tone::OInk)]),
        XCrown = ("x-crown", &[Fill(Tone::XInk)]),
        SquareNumber = ("square-number", &[Fill(Tone::Ink), Centred]),
        Attacked = ("attacked", &[NoFill, Stroke(Tone::Wall), StrokeWidth(5.0)]),
        OInk = ("o-ink", &[Fill(Tone::OInk), Bold, Centred]),
        XInk = ("x-ink", &[Fill(Tone::XInk), Bold, Centred]),
        OGoal = ("o-goal", &[NoFill, Stroke(Tone::OGoal), StrokeWidth(6.0)]),
        XGoal = ("x-goal", &[NoFill, Stroke(Tone::XGoal), StrokeWidth(6.0)]),
        ORail = ("o-rail", &[NoFill, Stroke(Tone::ORim), StrokeWidth(7.5), RoundCaps]),
        XRail = ("x-rail", &[NoFill, Stroke(Tone::XRim), StrokeWidth(7.5), RoundCaps]),
        OLink = ("o-link", &[NoFill, Stroke(Tone::O), StrokeWidth(4.5), RoundCaps]),
        XLink = ("x-link", &[NoFill, Stroke(Tone::X), StrokeWidth(4.5), RoundCaps]),
        Die = ("die", &[Fill(Tone::Die), Stroke(Tone::DieRim), StrokeWidth(1.6), RoundJoins]),
        Used = ("used", &[Opacity(0.35)]),
        Pip = ("pip", &[Fill(Tone::Pip)]),
        OffCount = ("off-count", &[Fill(Tone::Soft), Bold, Centred, FontSize(LABEL_SIZE)]),
        Cube = ("cube", &[Fill(Tone::Pip), Bold, Centred]),
        Last = ("last", &[NoFill, Stroke(Tone::Mark), StrokeWidth(3.5)]),
        Way = ("way", &[NoFill, Stroke(Tone::Mark), StrokeWidth(5.0), RoundCaps, RoundJoins, StrokeOpacity(0.6)]),
        Left = ("left", &[NoFill, Stroke(Tone::Mark), StrokeWidth(2.5)]),
        ArrowRim = ("arrow-rim", &[NoFill, Stroke(Tone::O), StrokeWidth(9.0), RoundCaps, RoundJoins, StrokeOpacity(0.85)]),
        Played = ("played", &[NoFill, Stroke(Tone::Mark), StrokeWidth(5.0), RoundCaps, RoundJoins]),
        PlayedHead = ("played-head", &[Fill(Tone::Mark), Stroke(Tone::O), StrokeWidth(1.5)]),
        Best = ("best", &[NoFill, Stroke(Tone::Legal), StrokeWidth(5.0), RoundJoins, Dashes([11.0, 6.0])]),
        BestHead = ("best-head", &[Fill(Tone::O), Stroke(Tone::Legal), StrokeWidth(4.0), RoundJoins]),
        Can = ("can", &[NoFill, Stroke(Tone::Legal), StrokeWidth(3.5)]),
        Chosen = ("chosen", &[Fill(Tone::Legal), FillOpacity(0.28), Stroke(Tone::Legal), StrokeWidth(5.0)]),
        Target = ("target", &[NoFill, Stroke(Tone::Legal), StrokeWidth(4.0), Dashes([7.0, 5.0])]),
        Press = ("press", &[FillOpacity(0.0)]),
        Free = ("free", &[NoFill, Stroke(Tone::Legal), RoundCaps]),
        Hit = ("hit", &[FillOpacity(0.0)]),
        Hole = ("hole", &[NoFill, Stroke(Tone::Hole), RoundCaps]),
        Green = ("green", &[Fill(Tone::Green)]),
        GreenRim = ("green-rim", &[Fill(Tone::GreenRim)]),
        Red = ("red", &[Fill(Tone::Red)]),
        RedRim = ("red-rim", &[NoFill, Stroke(Tone::RedRim), StrokeWidth(3.5)]),
        GreenLost = ("green-lost", &[NoFill, Stroke(Tone::Green), StrokeWidth(4.0)]),
        RedLost = ("red-lost", &[NoFill, Stroke(Tone::Red), StrokeWidth(4.0)]),
        Lamp = ("lamp", &[Fill(Tone::Lamp), Stroke(Tone::ORim), StrokeWidth(1.6)]),
        LampInk = ("lamp-ink", &[Fill(Tone::LampInk), Bold, Centred]),
    }
}

impl Paint {
    /// Returns the name of the class.
    pub(super) const fn class(self) -> &'static str {
        self.row().0
    }

    /// Returns whether its text is bold.
    pub(super) fn is_bold(self) -> bool {
        self.properties().contains(&Bold)
    }

    pub(super) const fn properties(self) -> &'static [Property] {
        self.row().1
    }
}

/// Rules that only a page needs: fonts, hover and keyboard focus.
const PAGE: &str = "\
.board{display:block;width:100%;height:auto;font-family:system-ui,-apple-system,'Segoe UI',Roboto,\
Helvetica,Arial,sans-serif;-webkit-tap-highlight-color:transparent;-webkit-user-select:none;user-select:none}
.board a{cursor:pointer;outline:none}
.board a:hover .can,.board a:hover .target{stroke-width:6}
.board a:hover .press,.board a:focus-visible .press{stroke:var(--board-legal);stroke-width:4}
.board a:focus-visible .hit{fill:none;stroke:var(--board-legal);stroke-width:4;stroke-dasharray:none}
";

/// Returns the style sheet of boards on pages: `--board-` variables in light and dark, by the system's
/// preference or the page's `data-theme`, changed by the page's `data-board` and `data-men`; and a class
/// for each paint. Print is light.
pub fn style() -> &'static str {
    static SHEET: LazyLock<String> = LazyLock::new(sheet);
    &SHEET
}

fn sheet() -> String {
    let tones = Tone::ALL.iter().map(|tone| (*tone, [Theme::Light, Theme::Dark]));
    let tones = tones.map(|(tone, both)| (tone, both.map(|theme| tone.colour(theme.into()))));
    let mut sheet = rules("", tones.collect::<Vec<_>>().as_slice());
    for board in &BoardTheme::ALL[1..] {
        sheet += &rules(&format!("[data-board={}]", board.name()), board.changes());
    }
    for men in &MenTheme::ALL[1..] {
        sheet += &rules(&format!("[data-men={}]", men.name()), men.changes());
    }
    for paint in Paint::ALL {
        let _ = write!(sheet, ".board .{}{{", paint.class());
        for (index, property) in paint.properties().iter().enumerate() {
            let gap = if index > 0 { ";" } else { "" };
            let value = property.value(|tone| format!("var(--board-{})", tone.name()));
            let _ = write!(sheet, "{gap}{}:{value}", property.name());
        }
        sheet.push_str("}\n");
    }
    sheet + PAGE
}

/// Returns the rules that set variables on pages with an attribute, in light and dark.
fn rules(attribute: &str, changes: &[Change]) -> String {
    let variables = |index: usize| {
        let one = |(tone, values): &Change| format!("--board-{}:{}", tone.name(), values[index]);
        changes.iter().map(one).collect::<Vec<_>>().join(";")
    };
    let (light, dark) = (variables(0), variables(1));
    format!(
        ":root{attribute}{{{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{\
         :root{attribute}:not([data-theme=light]){{{dark}}}}}\n\
         @media screen{{:root{attribute}[data-theme=dark]{{{dark}}}}}\n"
    )
}
