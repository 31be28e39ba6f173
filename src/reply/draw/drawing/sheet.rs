//! A sheet on which boards are drawn.

use super::Ink;
use super::palette::Paint;
use super::shapes::{Anchor, Area, Dots, Drawing, GAP, PathStep, Shape, SheetPoint, StyledText};
use std::fmt::Display;

/// A text with its look and size.
#[derive(Clone, Copy)]
pub(super) struct TextRun<'a> {
    pub(super) paint: Paint,
    pub(super) size: f32,
    pub(super) text: &'a str,
}

/// A sheet with the shapes drawn so far.
pub(super) struct Sheet(Drawing);

impl Sheet {
    /// Builds a sheet for an area. `words` describe it for screen readers; with links its role is a
    /// group, else a picture.
    pub(super) fn new(ink: Ink, area: Area, words: &str, has_links: bool) -> Self {
        let words = words.to_owned();
        Self(Drawing { ink, area, words, has_links, shapes: Vec::new(), background: 0..0 })
    }

    pub(super) fn into_drawing(self) -> Drawing {
        self.0
    }

    pub(super) fn width(&self) -> f32 {
        self.0.area.width
    }

    /// Returns whether the drawing can have links: a picture in a mail cannot.
    pub(super) fn is_live(&self) -> bool {
        self.0.ink == Ink::Page
    }

    fn add(&mut self, shape: Shape) {
        self.0.shapes.push(shape);
    }

    /// Draws a disc or a ring.
    pub(super) fn circle(&mut self, paint: Paint, at: SheetPoint, radius: f32) {
        self.add(Shape::Circle { paint, at, radius });
    }

    /// Draws a rectangle with rounded corners.
    pub(super) fn rectangle(&mut self, paint: Paint, area: Area, round: f32) {
        self.add(Shape::Rectangle { paint, area, round });
    }

    /// Draws discs of one size as one path of lines without length and with round ends.
    pub(super) fn discs(&mut self, paint: Paint, places: &[SheetPoint], radius: f32) {
        let steps = places.iter().flat_map(|at| [PathStep::Move(*at), PathStep::Dot]).collect();
        let dots = Some(Dots { width: 2.0 * radius, distance: None });
        self.add(Shape::Path { paint, steps, dots });
    }

    /// Draws discs of one size at even distances on lines, from the first place of each to its last one, as one
    /// path. Its dashes have almost no length and round ends.
    pub(super) fn dotted_lines(
        &mut self,
        paint: Paint,
        lines: &[[SheetPoint; 2]],
        distance: f32,
        radius: f32,
    ) {
        let dotted = |[from, to]: &[SheetPoint; 2]| {
            // Places are rounded, and the last dash must begin before the end of its line.
            let [right, down] = [to.x - from.x, to.y - from.y].map(f32::signum);
            let is_across = (to.x - from.x).abs() > (to.y - from.y).abs();
            let end = if is_across { to.by(right, 0.0) } else { to.by(0.0, down) };
            [PathStep::Move(*from), PathStep::Line(end)]
        };
        let steps = lines.iter().flat_map(dotted).collect();
        let dots = Some(Dots { width: 2.0 * radius, distance: Some(distance) });
        self.add(Shape::Path { paint, steps, dots });
    }

    /// Draws lines, each between two places, as one path.
    pub(super) fn lines(&mut self, paint: Paint, lines: &[[SheetPoint; 2]]) {
        let ends = |[from, to]: &[SheetPoint; 2]| [PathStep::Move(*from), PathStep::Line(*to)];
        let steps = lines.iter().flat_map(ends).collect();
        self.add(Shape::Path { paint, steps, dots: None });
    }

    /// Draws a line through places.
    pub(super) fn line(&mut self, paint: Paint, places: &[SheetPoint]) {
        self.add(Shape::Path { paint, steps: through(places).collect(), dots: None });
    }

    /// Draws polygons as one path.
    pub(super) fn shapes(&mut self, paint: Paint, shapes: &[&[SheetPoint]]) {
        let closed = |places| through(places).chain([PathStep::Close]);
        let steps = shapes.iter().copied().flat_map(closed).collect();
        self.add(Shape::Path { paint, steps, dots: None });
    }

    /// Writes text centred at a place; without a size it has the paint's.
    pub(super) fn label(
        &mut self,
        paint: Paint,
        at: SheetPoint,
        size: Option<f32>,
        words: impl Display,
    ) {
        let at = match size {
            Some(size) => baseline_for(at, size),
            None => at.by(0.0, 6.0),
        };
        let text = StyledText { paint, size, words: words.to_string() };
        self.add(Shape::Text { at, anchor: Anchor::Middle, text, then: None });
    }

    /// Writes text that ends at a place, made smaller and then cut to fit into `room`. Returns its
    /// width.
    pub(super) fn text_ending_at(&mut self, at: SheetPoint, room: f32, run: TextRun) -> f32 {
        let TextRun { paint, size, text } = run;
        if text.is_empty() {
            return 0.0;
        }
        let (size, words) = fitted(text, size, room);
        let (width, at) = (width_of(&words, size), baseline_for(at, size));
        let text = StyledText { paint, size: Some(size), words };
        self.add(Shape::Text { at, anchor: Anchor::End, text, then: None });
        width
    }

    /// Writes text that begins at a place, and another text after it, fitted in the same way.
    pub(super) fn text_starting_at(
        &mut self,
        at: SheetPoint,
        room: f32,
        first: TextRun,
        then: TextRun,
    ) {
        let rest = if then.text.is_empty() { 0.0 } else { GAP + width_of(then.text, then.size) };
        // The second text takes at most a third.
        let room_of_first = room - rest.min(room / 3.0);
        let (size, words) = fitted(first.text, first.size, room_of_first);
        let rest_of_room = room - width_of(&words, size) - GAP;
        let at = baseline_for(at, size);
        let text = StyledText { paint: first.paint, size: Some(size), words };
        let then = (rest > 0.0).then(|| {
            let (size, words) = fitted(then.text, then.size, rest_of_room);
            StyledText { paint: then.paint, size: Some(size), words }
        });
        self.add(Shape::Text { at, anchor: Anchor::Start, text, then });
    }

    /// Draws shapes as a link, or without an address as a labelled group.
    pub(super) fn link(
        &mut self,
        href: Option<&str>,
        spot: impl Display,
        label: &str,
        inside: impl FnOnce(&mut Self),
    ) {
        let (href, spot) = (href.map(str::to_owned), spot.to_string());
        let shapes = self.drawn(inside);
        self.add(Shape::Link { href, spot, label: label.to_owned(), shapes });
    }

    /// Draws shapes around a place, with places relative to it.
    pub(super) fn stamp(&mut self, at: SheetPoint, inside: impl FnOnce(&mut Self)) {
        let shapes = self.drawn(inside);
        self.add(Shape::Stamp { at, shapes });
    }

    /// Draws the board without men, below everything that is drawn.
    pub(super) fn background(&mut self, inside: impl FnOnce(&mut Self)) {
        let start = self.0.shapes.len();
        inside(self);
        self.0.background = start..self.0.shapes.len();
    }

    /// Draws shapes as a group with a paint.
    pub(super) fn group(&mut self, paint: Paint, inside: impl FnOnce(&mut Self)) {
        let shapes = self.drawn(inside);
        self.add(Shape::Group { paint, shapes });
    }

    /// Returns the shapes that `inside` draws.
    fn drawn(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<Shape> {
        let before = self.0.shapes.len();
        inside(self);
        self.0.shapes.split_off(before)
    }
}

fn through(places: &[SheetPoint]) -> impl Iterator<Item = PathStep> {
    let steps = places.iter().enumerate();
    steps.map(|(index, at)| if index == 0 { PathStep::Move(*at) } else { PathStep::Line(*at) })
}

/// Returns the baseline of text centred at a height.
fn baseline_for(middle: SheetPoint, size: f32) -> SheetPoint {
    // Digits and capitals are seven tenths of the font size high.
    middle.by(0.0, size * 0.355)
}

/// Returns an upper estimate of the width of text, without its font.
pub(super) fn width_of(words: &str, size: f32) -> f32 {
    let wide = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | '\'' | '|' | '!' | ' ' | '(' | ')' => 0.34,
        'm' | 'w' | 'M' | 'W' | '@' | '\u{2026}' => 1.1,
        'A'..='Z' => 0.78,
        letter if letter.is_ascii() => 0.66,
        _ => 1.0,
    };
    words.chars().map(wide).sum::<f32>() * size
}

/// Returns text with a size so that it fits into `room`: made smaller, then cut.
fn fitted(words: &str, size: f32, room: f32) -> (f32, String) {
    let size = (size * room / width_of(words, size).max(1.0)).clamp(size * 0.72, size);
    if width_of(words, size) <= room + 1.0 {
        return (size, words.to_owned());
    }
    let mut cut: String = words.to_owned();
    while !cut.is_empty() && width_of(&cut, size) + size > room {
        cut.pop();
    }
    (size, cut + "\u{2026}")
}
