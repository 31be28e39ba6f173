//! A sheet on which shapes are drawn as SVG. Names of elements and attributes are constants, values
//! are numbers, and words are escaped: nothing else can be written on it.

use super::Ink;
use super::palette::{LABEL_SIZE, Paint, StyleValue, Theme};
use super::text_outlines::{Anchor, Line, Outlines};
use crate::mail::Html;
use std::fmt::{self, Display};

/// A place on the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SheetPoint {
    /// From the left.
    pub(super) x: f32,
    /// From the top.
    pub(super) y: f32,
}

impl SheetPoint {
    /// The place so far to the right and down from it.
    pub(super) fn by(self, right: f32, down: f32) -> Self {
        Self { x: self.x + right, y: self.y + down }
    }
}

/// A rectangle: its upper left corner, and how wide and high it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) at: SheetPoint,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    /// The rectangle from this left and top, so wide and high.
    pub(super) const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { at: SheetPoint { x, y }, width, height }
    }

    /// The square around a place.
    pub(super) fn around(at: SheetPoint, side: f32) -> Self {
        Self { at: at.by(-side / 2.0, -side / 2.0), width: side, height: side }
    }

    /// The middle of it.
    pub(super) fn middle(self) -> SheetPoint {
        self.at.by(self.width / 2.0, self.height / 2.0)
    }

    /// The same, smaller by so much on each side.
    pub(super) fn within(self, rim: f32) -> Self {
        let at = self.at.by(rim, rim);
        Self { at, width: self.width - 2.0 * rim, height: self.height - 2.0 * rim }
    }
}

/// The gap between words and those that follow them.
const GAP: f32 = 10.0;

/// Whether a property says how letters are set.
fn is_of_letters(property: &str) -> bool {
    property.starts_with("font-") || property == "text-anchor"
}

/// A number as it is written: one place behind the point, where that is not 0.
struct Number(f32);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", rounded(self.0))
    }
}

/// A number with one place behind the point.
pub(super) fn rounded(number: f32) -> f32 {
    let rounded = (number * 10.0).round() / 10.0;
    // No `-0`.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// The sheet, as far as it is drawn.
pub(super) struct SvgSheet {
    page: Html,
    ink: Ink,
    width: f32,
}

impl SvgSheet {
    /// A sheet for that area. `words` say what it shows; one that can be pressed is a group of
    /// links, any other a picture.
    pub(super) fn new(ink: Ink, area: Area, words: &str, is_pressed: bool) -> Self {
        let Area { at, width, height } = area;
        let mut sheet = Self { page: Html::default(), ink, width };
        let page = &mut sheet.page;
        page.markup("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
        for (index, number) in [at.x, at.y, width, height].into_iter().enumerate() {
            page.markup(if index == 0 { "" } else { " " });
            page.show(Number(number));
        }
        match ink {
            Ink::Page => page.markup("\" class=\"board\" role=\""),
            Ink::Mail(_) => page.markup("\" role=\""),
            Ink::Small(_) => page.markup("\" font-family=\"sans-serif\" role=\""),
        }
        page.markup(if is_pressed { "group" } else { "img" });
        page.markup("\" aria-label=\"");
        page.text(words);
        page.markup("\">");
        if let Ink::Mail(_) = ink {
            sheet.box_of(Paint::Page, area, 0.0);
        }
        sheet
    }

    /// The whole drawing.
    pub(super) fn into_text(mut self) -> String {
        self.page.markup("</svg>");
        self.page.as_str().to_owned()
    }

    /// How wide it is.
    pub(super) fn width(&self) -> f32 {
        self.width
    }

    /// Whether what is drawn can be pressed: a picture in a mail cannot.
    pub(super) fn is_live(&self) -> bool {
        self.ink == Ink::Page
    }

    fn attribute(&mut self, name: &'static str, value: impl Display) {
        self.page.markup(" ");
        self.page.markup(name);
        self.page.markup("=\"");
        self.page.show(value);
        self.page.markup("\"");
    }

    fn begin(&mut self, element: &'static str, paint: Paint) {
        self.page.markup("<");
        self.page.markup(element);
        match self.ink {
            Ink::Page => self.attribute("class", paint.class()),
            Ink::Mail(theme) | Ink::Small(theme) => self.coloured(paint, theme),
        }
    }

    fn coloured(&mut self, paint: Paint, theme: Theme) {
        for (property, value) in paint.properties() {
            match value {
                // The outlines of letters have all of this in their shape.
                StyleValue::Is(_) if self.has_outlines() && is_of_letters(property) => {}
                StyleValue::Of(tone) => self.attribute(property, tone.colour(theme)),
                StyleValue::Is(word) => self.attribute(property, word),
            }
        }
    }

    fn end(&mut self) {
        self.page.markup("/>");
    }

    /// A disc or a ring.
    pub(super) fn circle(&mut self, paint: Paint, at: SheetPoint, radius: f32) {
        self.begin("circle", paint);
        self.attribute("cx", Number(at.x));
        self.attribute("cy", Number(at.y));
        self.attribute("r", Number(radius));
        self.end();
    }

    /// A rectangle with corners of that radius.
    pub(super) fn box_of(&mut self, paint: Paint, area: Area, round: f32) {
        self.begin("rect", paint);
        self.attribute("x", Number(area.at.x));
        self.attribute("y", Number(area.at.y));
        self.attribute("width", Number(area.width));
        self.attribute("height", Number(area.height));
        if round > 0.0 {
            self.attribute("rx", Number(round));
        }
        self.end();
    }

    /// Discs of one size: one path of lines without length, whose ends are round.
    pub(super) fn discs(&mut self, paint: Paint, places: &[SheetPoint], radius: f32) {
        self.begin("path", paint);
        self.attribute("stroke-width", Number(2.0 * radius));
        self.page.markup(" d=\"");
        for at in places {
            self.knot("M", *at);
            self.page.markup("h0");
        }
        self.page.markup("\"");
        self.end();
    }

    /// Lines from each first place to the place behind it: one path.
    pub(super) fn lines(&mut self, paint: Paint, lines: &[[SheetPoint; 2]]) {
        self.begin("path", paint);
        self.page.markup(" d=\"");
        for [from, to] in lines {
            self.knot("M", *from);
            self.knot("L", *to);
        }
        self.page.markup("\"");
        self.end();
    }

    /// A line by way of all these places.
    pub(super) fn line(&mut self, paint: Paint, places: &[SheetPoint]) {
        self.shape(paint, &[places], "");
    }

    /// Shapes with these corners: one path.
    pub(super) fn shapes(&mut self, paint: Paint, shapes: &[&[SheetPoint]]) {
        self.shape(paint, shapes, "Z");
    }

    fn shape(&mut self, paint: Paint, shapes: &[&[SheetPoint]], close: &'static str) {
        self.begin("path", paint);
        self.page.markup(" d=\"");
        for places in shapes {
            for (index, at) in places.iter().enumerate() {
                self.knot(if index == 0 { "M" } else { "L" }, *at);
            }
            self.page.markup(close);
        }
        self.page.markup("\"");
        self.end();
    }

    fn knot(&mut self, verb: &'static str, at: SheetPoint) {
        self.page.markup(verb);
        self.page.show(Number(at.x));
        self.page.markup(" ");
        self.page.show(Number(at.y));
    }

    /// Words in the middle of a place; their size is the paint's, or given.
    pub(super) fn label(
        &mut self,
        paint: Paint,
        at: SheetPoint,
        size: Option<f32>,
        words: impl Display,
    ) {
        let words = &words.to_string();
        let baseline = match size {
            Some(size) => below(at, size),
            None => at.by(0.0, 6.0),
        };
        if self.has_outlines() {
            let size = size.unwrap_or(LABEL_SIZE);
            let anchor = Anchor::Middle;
            self.outlined(
                paint,
                &Line { words, is_bold: paint.is_bold(), size, anchor, at: baseline },
            );
            return;
        }
        self.begin_words(paint, baseline, size);
        self.end_words(words);
    }

    /// Words that end at a place, smaller and at last cut where they need more than that room.
    /// Returns the room that they take.
    pub(super) fn words_to(
        &mut self,
        at: SheetPoint,
        room: f32,
        (paint, size, words): (Paint, f32, &str),
    ) -> f32 {
        if words.is_empty() {
            return 0.0;
        }
        let (size, words) = &fitted(words, size, room);
        let (size, at) = (*size, below(at, *size));
        if self.has_outlines() {
            self.outlined(
                paint,
                &Line { words, is_bold: paint.is_bold(), size, anchor: Anchor::End, at },
            );
        } else {
            self.begin_words(paint, at, Some(size));
            self.attribute("text-anchor", "end");
            self.end_words(words);
        }
        width_of(words, size)
    }

    /// Words that begin at a place, and others that follow them, fitted in the same way.
    pub(super) fn words_from(
        &mut self,
        at: SheetPoint,
        room: f32,
        [first, then]: [(Paint, f32, &str); 2],
    ) {
        let rest = if then.2.is_empty() { 0.0 } else { GAP + width_of(then.2, then.1) };
        // What follows never takes more than a third.
        let room_of_first = room - rest.min(room / 3.0);
        let (size, words) = &fitted(first.2, first.1, room_of_first);
        let (size, at) = (*size, below(at, *size));
        let following =
            (rest > 0.0).then(|| fitted(then.2, then.1, room - width_of(words, size) - GAP));
        if self.has_outlines() {
            let anchor = Anchor::Start;
            let end = self
                .outlined(first.0, &Line { words, is_bold: first.0.is_bold(), size, anchor, at });
            if let Some((size, words)) = &following {
                let at = SheetPoint { x: end + GAP, ..at };
                self.outlined(
                    then.0,
                    &Line { words, is_bold: then.0.is_bold(), size: *size, anchor, at },
                );
            }
            return;
        }
        self.begin_words(first.0, at, Some(size));
        self.page.markup(">");
        self.page.show(words);
        if let Some((size, words)) = following {
            self.begin("tspan", then.0);
            self.attribute("dx", Number(GAP));
            self.attribute("font-size", Number(size));
            self.page.markup(">");
            self.page.show(&words);
            self.page.markup("</tspan>");
        }
        self.page.markup("</text>");
    }

    /// Whether words are drawn as their outlines: what paints a mail's picture has no fonts.
    fn has_outlines(&self) -> bool {
        matches!(self.ink, Ink::Mail(_))
    }

    /// Draws words as one path. Returns where they end.
    fn outlined(&mut self, paint: Paint, line: &Line) -> f32 {
        let Outlines { path, end } = line.outlines();
        self.begin("path", paint);
        self.attribute("d", path);
        self.end();
        end
    }

    /// Begins words that stand on the line through a place; without a size they have the paint's.
    fn begin_words(&mut self, paint: Paint, at: SheetPoint, size: Option<f32>) {
        self.begin("text", paint);
        self.attribute("x", Number(at.x));
        self.attribute("y", Number(at.y));
        if let Some(size) = size {
            self.attribute("font-size", Number(size));
        }
    }

    fn end_words(&mut self, words: &str) {
        self.page.markup(">");
        self.page.show(words);
        self.page.markup("</text>");
    }

    /// What can be pressed, or would be if it led somewhere.
    pub(super) fn link(
        &mut self,
        href: Option<&str>,
        spot: impl Display,
        label: &str,
        inside: impl FnOnce(&mut Self),
    ) {
        self.page.markup(if href.is_some() { "<a" } else { "<g role=\"img\"" });
        if let Some(href) = href {
            self.attribute("href", href);
        }
        self.attribute("data-spot", spot);
        self.attribute("aria-label", label);
        self.page.markup(">");
        inside(self);
        self.page.markup(if href.is_some() { "</a>" } else { "</g>" });
    }

    /// Shapes that are painted together.
    pub(super) fn group(&mut self, paint: Paint, inside: impl FnOnce(&mut Self)) {
        self.begin("g", paint);
        self.page.markup(">");
        inside(self);
        self.page.markup("</g>");
    }
}

/// The line on which words of this size stand whose middle is at that height.
fn below(middle: SheetPoint, size: f32) -> SheetPoint {
    // Figures and capitals are seven tenths as high as their letters are large.
    middle.by(0.0, size * 0.355)
}

/// How wide words are, at most, as near as that can be said without their font.
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
