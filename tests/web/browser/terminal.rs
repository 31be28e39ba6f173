//! The picture of the console in docs/pictures: the screen of tmux in Chromium.

use super::driver::{Browser, Window};
use super::pictures::{folder, keep_whole};
use crate::games::console::Tmux;
use std::fmt::Write as _;
use std::fs;

/// The palette of a terminal: eight colours and their bright variants.
const COLOURS: [&str; 16] = [
    "#000000", "#c01c28", "#26a269", "#e5b72f", "#12488b", "#a347ba", "#2aa1b3", "#c0bfbc",
    "#5e5c64", "#f66151", "#33d17a", "#e9ad0c", "#2a7bde", "#c061cb", "#33c7de", "#ffffff",
];

/// The colours and the weight of characters.
#[derive(Clone, Copy, Default)]
struct Look {
    front: Option<usize>,
    back: Option<usize>,
    is_bold: bool,
    is_faint: bool,
    is_reversed: bool,
}

impl Look {
    /// Applies a code of Select Graphic Rendition (ECMA-48, 8.3.117).
    fn after(self, code: usize) -> Self {
        match code {
            0 => Self::default(),
            1 => Self { is_bold: true, ..self },
            2 => Self { is_faint: true, ..self },
            7 => Self { is_reversed: true, ..self },
            22 => Self { is_bold: false, is_faint: false, ..self },
            27 => Self { is_reversed: false, ..self },
            30..=37 => Self { front: Some(code - 30), ..self },
            39 => Self { front: None, ..self },
            40..=47 => Self { back: Some(code - 40), ..self },
            49 => Self { back: None, ..self },
            _ => panic!("code {code} is not known here"),
        }
    }

    /// Applies all codes of a sequence; `38;5;2` selects the third colour, like `32`.
    fn after_all(mut self, codes: &str) -> Self {
        let mut codes = codes.split(';').map(|code| code.parse().unwrap_or(0));
        while let Some(code) = codes.next() {
            if matches!(code, 38 | 48) {
                assert_eq!(codes.next(), Some(5), "a colour of the palette");
                let colour = codes.next();
                let of = if code == 38 { &mut self.front } else { &mut self.back };
                *of = colour;
            } else {
                self = self.after(code);
            }
        }
        self
    }

    fn style(self) -> String {
        let front = self.front.map_or("#171421", |colour| COLOURS[colour]);
        let back = self.back.map_or("#ffffff", |colour| COLOURS[colour]);
        let (front, back) = if self.is_reversed { (back, front) } else { (front, back) };
        let weight = if self.is_bold { "bold" } else { "normal" };
        let opacity = if self.is_faint { "0.65" } else { "1" };
        format!("color:{front};background:{back};font-weight:{weight};opacity:{opacity}")
    }
}

/// Renders a screen with its colours as a page.
fn page(screen: &str) -> String {
    let mut page = String::from(
        "<!DOCTYPE html><meta charset=utf-8><style>body { margin: 12px; background: #fff }\
         pre { font: 16px/19px 'DejaVu Sans Mono', monospace; margin: 0 } span { display: inline-block; height: 19px }\
         </style><pre>",
    );
    let mut look = Look::default();
    for (line, piece) in screen.trim_end().lines().flat_map(|line| {
        line.split("\u{1b}[").enumerate().map(move |(index, piece)| (index == 0, piece))
    }) {
        let text = if line {
            page.push('\n');
            piece
        } else {
            let (codes, text) = piece.split_once('m').unwrap();
            look = look.after_all(codes);
            text
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        if !text.is_empty() {
            let _ = write!(page, "<span style=\"{}\">{text}</span>", look.style());
        }
    }
    page + "</pre>"
}

#[test]
#[ignore = "draws docs/pictures where PICTURES names that folder; needs Chromium and tmux"]
fn the_console_is_pictured() {
    let Some(folder) = folder() else { return };
    let tmux = Tmux::new();
    tmux.runs("./postboard console reversi --level 2 --green 2 --pace 20 --seed 5");
    tmux.shows("Press Enter to begin");
    tmux.keys("Enter");
    let lit = |screen: &str| {
        let board = screen.lines().take(20).flat_map(|line| line.chars().take(50));
        board.filter(|light| matches!(light, 'G' | 'R')).count()
    };
    tmux.comes_to("board half full", |screen| lit(screen) > 36);
    let file = tempfile::tempdir().unwrap();
    let file = file.path().join("console.html");
    fs::write(&file, page(&tmux.coloured())).unwrap();
    let browser = Browser::open(Window { width: 830, ..Window::DESK });
    browser.go(&format!("file://{}", file.display()));
    keep_whole(&browser, &folder, "console-830-light", 1.0);
    tmux.keys("q");
}
