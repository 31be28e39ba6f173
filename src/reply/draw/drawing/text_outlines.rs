//! Text as outlines, so that rendering a picture needs no fonts.

use super::palette::LABEL_SIZE;
use super::shapes::{Anchor, SheetPoint, StyledText, rounded};
use crate::mail::is_hidden;
use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font of pictures in mails (`font/README.md`). System fonts are never used.
static REGULAR: LazyLock<Option<Face>> =
    LazyLock::new(|| Face::parse(include_bytes!("../font/regular.ttf"), 0).ok());
static BOLD: LazyLock<Option<Face>> =
    LazyLock::new(|| Face::parse(include_bytes!("../font/bold.ttf"), 0).ok());

/// A line of text with its font and place.
pub(super) struct Line<'a> {
    words: &'a str,
    is_bold: bool,
    /// The font size.
    size: f32,
    anchor: Anchor,
    /// The place of the anchor, on the baseline.
    at: SheetPoint,
}

/// The outlines of a line of text.
pub(super) struct Outlines {
    /// The path around the letters. None if there is nothing to see.
    pub(super) path: Option<Path>,
    /// The x coordinate of the end.
    pub(super) end: f32,
}

impl<'a> Line<'a> {
    /// Builds a line of text whose anchor is at a place.
    pub(super) fn new(text: &'a StyledText, at: SheetPoint, anchor: Anchor) -> Self {
        let StyledText { paint, size, words } = text;
        Self { words, is_bold: paint.is_bold(), size: size.unwrap_or(LABEL_SIZE), anchor, at }
    }

    /// Returns the outlines of the letters, without kerning. A letter that is not in the font is an
    /// empty box; invisible characters are left out.
    pub(super) fn outlines(&self) -> Outlines {
        let face = if self.is_bold { &*BOLD } else { &*REGULAR };
        let Some(face) = face else { return Outlines { path: None, end: self.at.x } };
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
        let mut pen = Pen { path: PathBuilder::new(), x: start, y, scale };
        for glyph in glyphs() {
            face.outline_glyph(glyph, &mut pen);
            pen.x += advance(glyph);
        }
        Outlines { path: pen.path.finish(), end: start + width }
    }
}

/// Draws outlines in the units of the sheet, whose y axis points down; a font's points up.
struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, self.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let [(x1, y1), (x2, y2)] = [self.place(x1, y1), self.place(x2, y2)];
        let (x, y) = self.place(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
