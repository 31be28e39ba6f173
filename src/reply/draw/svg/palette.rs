//! The colours of boards, light and dark, in one table: for the style sheet of pages and for the colours
//! written into pictures.
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
        ORim = ["o-rim", "#9c8a6c", "#8e8370"],
        OInk = ["o-ink", "#3b2f2a", "#2b2420"],
        X = ["x", "#2c3d5a", "#5783c8"],
        XRim = ["x-rim", "#131c2d", "#24416a"],
        OGoal = ["o-goal", "#fbf7ee", "#ede6d9"],
        XGoal = ["x-goal", "#7f9bcb", "#5783c8"],
        XInk = ["x-ink", "#f4efe6", "#0b1320"],
        Die = ["die", "#fffdf8", "#ece5d8"],
        DieRim = ["die-rim", "#a3906f", "#8e8370"],
        Pip = ["pip", "#2b2420", "#22201d"],
        Mark = ["mark", "#c25400", "#f2a24a"],
        Legal = ["legal", "#166a4e", "#5ccaa5"],
        Hole = ["hole", "#d3c3a8", "#333a43"],
        Green = ["green", "#35a974", "#3fb883"],
        GreenRim = ["green-rim", "#d9f6e8", "#0d3b27"],
        Red = ["red", "#d8473f", "#e4685c"],
        RedRim = ["red-rim", "#ffe1db", "#4a1009"],
        Lamp = ["lamp", "#f0dfae", "#d9c48c"],
        LampInk = ["lamp-ink", "#33270d", "#2b210b"],
    }
}

impl Tone {
    /// Returns the colour of a theme.
    pub(super) const fn colour(self, theme: Theme) -> &'static str {
        let [_, light, dark] = self.row();
        match theme {
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
        Wall = ("wall", &[NONE, stroke(Tone::Wall), width("8"), ROUND]),
        Name = ("name", &[fill(Tone::Ink), BOLD]),
        Turn = ("turn", &[fill(Tone::Legal), BOLD]),
        Beside = ("beside", &[fill(Tone::Soft), ("font-weight", Is("400"))]),
        Soft = ("soft", &[fill(Tone::Soft)]),
        Words = ("words", &[fill(Tone::Ink)]),
        Shadow = ("shadow", &[fill(Tone::Shadow), ("fill-opacity", Is(".22"))]),
        O = ("o", &[fill(Tone::O), stroke(Tone::ORim), width("1.6")]),
        X = ("x", &[fill(Tone::X), stroke(Tone::XRim), width("1.6")]),
        ORing = ("o-ring", &[NONE, stroke(Tone::ORim), width("1.2"), ("stroke-opacity", Is(".7"))]),
        XRing = ("x-ring", &[NONE, stroke(Tone::XRim), width("1.2"), ("stroke-opacity", Is(".7"))]),
        OInk = ("o-ink", &[fill(Tone::OInk), BOLD, MIDDLE]),
        XInk = ("x-ink", &[fill(Tone::XInk), BOLD, MIDDLE]),
        OGoal = ("o-goal", &[NONE, stroke(Tone::OGoal), width("6")]),
        XGoal = ("x-goal", &[NONE, stroke(Tone::XGoal), width("6")]),
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
/// preference or the page's `data-theme`, and a class for each paint. Print is light.
pub fn style() -> &'static str {
    static SHEET: LazyLock<String> = LazyLock::new(sheet);
    &SHEET
}

fn sheet() -> String {
    let light = variables(Theme::Light);
    let dark = variables(Theme::Dark);
    let mut sheet = format!(
        ":root{{{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n\
         @media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
    );
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

fn variables(theme: Theme) -> String {
    let one = |tone: &Tone| format!("--board-{}:{}", tone.name(), tone.colour(theme));
    Tone::ALL.iter().map(one).collect::<Vec<_>>().join(";")
}
