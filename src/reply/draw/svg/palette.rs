//! The colours of boards, light and dark, in one table: for the style sheet of pages and for the colours
//! written into pictures. Players choose the colours of their boards and of their men; each choice changes
//! some tones of the table.
//!
//! The board has a few soft colours, and the sides differ in brightness. Orange marks only the last move,
//! green only what can be done now.

use std::fmt::Write as _;
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

/// A tone with its light and its dark value.
type Change = (Tone, [&'static str; 2]);

impl BoardTheme {
    /// All themes, the default first.
    pub const ALL: [Self; 3] = [Self::Classic, Self::Wood, Self::Green];

    /// Returns the name, in preferences and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Wood => "wood",
            Self::Green => "green",
        }
    }

    /// Finds a theme by name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

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
    /// All themes, the default first.
    pub const ALL: [Self; 2] = [Self::Ivory, Self::Stone];

    /// Returns the name, in preferences and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ivory => "ivory",
            Self::Stone => "stone",
        }
    }

    /// Finds a theme by name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

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
    /// Returns the colour in a look.
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

    /// Returns the name of its variable in the style sheet, after `--board-`.
    pub(super) const fn name(self) -> &'static str {
        self.row()[0]
    }
}

/// The value of a property.
#[derive(Clone, Copy, Debug)]
pub(super) enum StyleValue {
    /// A tone.
    Of(Tone),
    /// A value that is the same in both themes.
    Is(&'static str),
}

use StyleValue::{Is, Of};

/// A property, with the same name in style sheets and in SVG attributes, and its value.
pub(super) type Property = (&'static str, StyleValue);

const NONE: Property = ("fill", Is("none"));
const BOLD: Property = ("font-weight", Is("700"));
const MIDDLE: Property = ("text-anchor", Is("middle"));
/// The size of the numbers beside a board.
pub(super) const LABEL_SIZE: f32 = 17.0;
const ROUND: Property = ("stroke-linecap", Is("round"));

const fn fill(tone: Tone) -> Property {
    ("fill", Of(tone))
}

const fn stroke(tone: Tone) -> Property {
    ("stroke", Of(tone))
}

const fn width(pixels: &'static str) -> Property {
    ("stroke-width", Is(pixels))
}

table! {
    /// The look of a shape: the name of its class, and its properties.
    Paint: (&'static str, &'static [Property]) {
        Page = ("page", &[fill(Tone::Page)]),
        Frame = ("frame", &[fill(Tone::Frame)]),
        Number = ("number", &[fill(Tone::Number), MIDDLE, ("font-size", Is("17px"))]),
        Felt = ("felt", &[fill(Tone::Felt)]),
        Even = ("even", &[fill(Tone::Even)]),
        Odd = ("odd", &[fill(Tone::Odd)]),
        Cell = ("cell", &[fill(Tone::Cell)]),
        Shade = ("shade", &[fill(Tone::Shade)]),
        Line = ("line", &[NONE, stroke(Tone::Line), width("1")]),
        Cross = ("cross", &[NONE, stroke(Tone::Ink), width("1.2"), ("stroke-opacity", Is(".5"))]),
        Star = ("star", &[NONE, stroke(Tone::Ink), ROUND, ("stroke-opacity", Is(".75"))]),
        Drawn = ("drawn", &[NONE, stroke(Tone::Ink), width("6"), ROUND]),
        Wall = ("wall", &[NONE, stroke(Tone::Wall), width("8"), ROUND]),
        Name = ("name", &[fill(Tone::Ink), BOLD]),
        Turn = ("turn", &[fill(Tone::Legal), BOLD]),
        Beside = ("beside", &[fill(Tone::Soft), ("font-weight", Is("400"))]),
        Soft = ("soft", &[fill(Tone::Soft)]),
        Words = ("words", &[fill(Tone::Ink)]),
        Shadow = ("shadow", &[fill(Tone::Shadow), ("fill-opacity", Is(".22"))]),
        O = ("o", &[fill(Tone::O), stroke(Tone::ORim), width("1.6")]),
        X = ("x", &[fill(Tone::X), stroke(Tone::XRim), width("1.6")]),
        OArea = ("o-area", &[fill(Tone::O), stroke(Tone::ORim), width("1.2")]),
        XArea = ("x-area", &[fill(Tone::X), stroke(Tone::XRim), width("1.2")]),
        ORing = ("o-ring", &[NONE, stroke(Tone::ORim), width("1.2"), ("stroke-opacity", Is(".7"))]),
        XRing = ("x-ring", &[NONE, stroke(Tone::XRim), width("1.2"), ("stroke-opacity", Is(".7"))]),
        OLine = ("o-line", &[NONE, stroke(Tone::ORim), width("1.8"), ROUND]),
        XLine = ("x-line", &[NONE, stroke(Tone::XRim), width("1.8"), ROUND]),
        OCrown = ("o-crown", &[fill(Tone::OInk)]),
        XCrown = ("x-crown", &[fill(Tone::XInk)]),
        SquareNumber = ("square-number", &[fill(Tone::Ink), MIDDLE]),
        Attacked = ("attacked", &[NONE, stroke(Tone::Wall), width("5")]),
        OInk = ("o-ink", &[fill(Tone::OInk), BOLD, MIDDLE]),
        XInk = ("x-ink", &[fill(Tone::XInk), BOLD, MIDDLE]),
        OGoal = ("o-goal", &[NONE, stroke(Tone::OGoal), width("6")]),
        XGoal = ("x-goal", &[NONE, stroke(Tone::XGoal), width("6")]),
        ORail = ("o-rail", &[NONE, stroke(Tone::ORim), width("7.5"), ROUND]),
        XRail = ("x-rail", &[NONE, stroke(Tone::XRim), width("7.5"), ROUND]),
        OLink = ("o-link", &[NONE, stroke(Tone::O), width("4.5"), ROUND]),
        XLink = ("x-link", &[NONE, stroke(Tone::X), width("4.5"), ROUND]),
        Die = ("die", &[fill(Tone::Die), stroke(Tone::DieRim), width("1.6"), ("stroke-linejoin", Is("round"))]),
        Used = ("used", &[("opacity", Is(".35"))]),
        Pip = ("pip", &[fill(Tone::Pip)]),
        OffCount = ("off-count", &[fill(Tone::Soft), BOLD, MIDDLE, ("font-size", Is("17px"))]),
        Cube = ("cube", &[fill(Tone::Pip), BOLD, MIDDLE]),
        Last = ("last", &[NONE, stroke(Tone::Mark), width("3.5")]),
        Way = ("way", &[NONE, stroke(Tone::Mark), width("5"), ROUND, ("stroke-linejoin", Is("round")), ("stroke-opacity", Is(".6"))]),
        Left = ("left", &[NONE, stroke(Tone::Mark), width("2.5")]),
        ArrowRim = ("arrow-rim", &[NONE, stroke(Tone::O), width("9"), ROUND, ("stroke-linejoin", Is("round")), ("stroke-opacity", Is(".85"))]),
        Played = ("played", &[NONE, stroke(Tone::Mark), width("5"), ROUND, ("stroke-linejoin", Is("round"))]),
        PlayedHead = ("played-head", &[fill(Tone::Mark), stroke(Tone::O), width("1.5")]),
        Best = ("best", &[NONE, stroke(Tone::Legal), width("5"), ("stroke-linejoin", Is("round")), ("stroke-dasharray", Is("11 6"))]),
        BestHead = ("best-head", &[fill(Tone::O), stroke(Tone::Legal), width("4"), ("stroke-linejoin", Is("round"))]),
        Can = ("can", &[NONE, stroke(Tone::Legal), width("3.5")]),
        Chosen = ("chosen", &[fill(Tone::Legal), ("fill-opacity", Is(".28")), stroke(Tone::Legal), width("5")]),
        Target = ("target", &[NONE, stroke(Tone::Legal), width("4"), ("stroke-dasharray", Is("7 5"))]),
        Press = ("press", &[("fill-opacity", Is("0"))]),
        Free = ("free", &[NONE, stroke(Tone::Legal), ROUND]),
        Hit = ("hit", &[("fill-opacity", Is("0"))]),
        Hole = ("hole", &[NONE, stroke(Tone::Hole), ROUND]),
        Green = ("green", &[fill(Tone::Green)]),
        GreenRim = ("green-rim", &[fill(Tone::GreenRim)]),
        Red = ("red", &[fill(Tone::Red)]),
        RedRim = ("red-rim", &[NONE, stroke(Tone::RedRim), width("3.5")]),
        GreenLost = ("green-lost", &[NONE, stroke(Tone::Green), width("4")]),
        RedLost = ("red-lost", &[NONE, stroke(Tone::Red), width("4")]),
        Lamp = ("lamp", &[fill(Tone::Lamp), stroke(Tone::ORim), width("1.6")]),
        LampInk = ("lamp-ink", &[fill(Tone::LampInk), BOLD, MIDDLE]),
    }
}

impl Paint {
    /// Returns the name of the class.
    pub(super) const fn class(self) -> &'static str {
        self.row().0
    }

    /// Returns whether its text is bold.
    pub(super) fn is_bold(self) -> bool {
        self.properties().iter().any(|property| matches!(property, ("font-weight", Is("700"))))
    }

    /// Returns the properties.
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
        for (index, (property, value)) in paint.properties().iter().enumerate() {
            let gap = if index > 0 { ";" } else { "" };
            let _ = match value {
                Of(tone) => write!(sheet, "{gap}{property}:var(--board-{})", tone.name()),
                Is(word) => write!(sheet, "{gap}{property}:{word}"),
            };
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
