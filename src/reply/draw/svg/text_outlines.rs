//! Text as outlines, so that rendering a picture needs no fonts.

use super::sheet::{SheetPoint, rounded};
use crate::mail::is_hidden;
use std::sync::LazyLock;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font of pictures in mails (`font/README.md`). System fonts are never used.
static REGULAR: LazyLock<Option<Face>> =
    LazyLock::new(|| Face::parse(include_bytes!("../font/regular.ttf"), 0).ok());
static BOLD: LazyLock<Option<Face>> =
    LazyLock::new(|| Face::parse(include_bytes!("../font/bold.ttf"), 0).ok());

/// The part of a line of text that is at its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text with its font and place.
pub(super) struct Line<'a> {
    pub(super) words: &'a str,
    pub(super) is_bold: bool,
    /// The font size.
    pub(super) size: f32,
    pub(super) anchor: Anchor,
    /// The place of the anchor, on the baseline.
    pub(super) at: SheetPoint,
}

/// The outlines of a line of text.
pub(super) struct Outlines {
    /// The attribute `d` of a path.
    pub(super) path: String,
    /// The x coordinate of the end.
    pub(super) end: f32,
}

impl Line<'_> {
    /// Returns the outlines of the letters, without kerning. A letter that is not in the font is an
    /// empty box; invisible characters are left out.
    pub(super) fn outlines(&self) -> Outlines {
        let face = if self.is_bold { &*BOLD } else { &*REGULAR };
        let Some(face) = face else { return Outlines { path: String::new(), end: self.at.x } };
        let scale = rounded(self.size) / f32::from(face.units_per_em());
        let letters =
            || self.words.chars().filter(|letter| !letter.is_control() && !is_hidden(*letter));
        let glyphs = || letters().map(|letter| face.glyph_index(letter).unwrap_or_default());
        let advance =
            |glyph: GlyphId| f32::from(face.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
        let width: f32 = glyphs().map(advance).sum();
        let (x, y) = (rounded(self.at.x), rounded(self.at.y));
        let start = match self.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let mut pen = Pen { path: String::new(), x: start, y, scale };
        for glyph in glyphs() {
            face.outline_glyph(glyph, &mut pen);
            pen.x += advance(glyph);
        }
        Outlines { path: pen.path, end: start + width }
    }
}

/// Writes outlines in the units of the sheet, whose y axis points down; a font's points up.
struct Pen {
    path: String,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn verb(&mut self, verb: char, places: &[(f32, f32)]) {
        use std::fmt::Write as _;
        self.path.push(verb);
        for (index, (x, y)) in places.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            let (x, y) = (self.x + x * self.scale, self.y - y * self.scale);
            let _ = write!(self.path, "{gap}{x:.2} {y:.2}");
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.verb('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.verb('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.verb('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.verb('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.path.push('Z');
    }
}
