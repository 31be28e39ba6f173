//! A sheet on which shapes are drawn as SVG. Names of elements and attributes are constants, values are
//! numbers, and text is escaped: nothing else can be written.

use super::Ink;
use super::palette::{LABEL_SIZE, Look, Paint, StyleValue};
use super::text_outlines::{Anchor, Line, Outlines};
use crate::mail::Html;
use std::fmt::{self, Display};

/// A place on the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SheetPoint {
    /// The distance from the left.
    pub(super) x: f32,
    /// The distance from the top.
    pub(super) y: f32,
}

impl SheetPoint {
    /// Returns the place moved to the right and down.
    pub(super) fn by(self, right: f32, down: f32) -> Self {
        Self { x: self.x + right, y: self.y + down }
    }
}

/// A rectangle: its upper left corner, its width and its height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) at: SheetPoint,
    pub(super) width: f32,
    pub(super) height: f32,
}

impl Area {
    /// Builds a rectangle.
    pub(super) const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { at: SheetPoint { x, y }, width, height }
    }

    /// Builds the square around a place.
    pub(super) fn around(at: SheetPoint, side: f32) -> Self {
        Self { at: at.by(-side / 2.0, -side / 2.0), width: side, height: side }
    }

    /// Returns the centre.
    pub(super) fn middle(self) -> SheetPoint {
        self.at.by(self.width / 2.0, self.height / 2.0)
    }

    /// Returns the rectangle reduced by `rim` on each side.
    pub(super) fn within(self, rim: f32) -> Self {
        let at = self.at.by(rim, rim);
        Self { at, width: self.width - 2.0 * rim, height: self.height - 2.0 * rim }
    }
}

/// The gap between two texts on a line.
const GAP: f32 = 10.0;

/// Returns whether a property is about fonts or alignment.
fn is_of_letters(property: &str) -> bool {
    property.starts_with("font-") || property == "text-anchor"
}

/// A number with at most one decimal place.
struct Number(f32);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", rounded(self.0))
    }
}

/// The length of a dash that looks like a dot: some programs draw none without a length.
const DOT: f32 = 0.01;

/// Rounds a number to one decimal place.
pub(super) fn rounded(number: f32) -> f32 {
    let rounded = (number * 10.0).round() / 10.0;
    // No `-0`.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A text with its look and size.
#[derive(Clone, Copy)]
pub(super) struct TextRun<'a> {
    pub(super) paint: Paint,
    pub(super) size: f32,
    pub(super) text: &'a str,
}

/// A sheet with the shapes drawn so far.
pub(super) struct SvgSheet {
    page: Html,
    ink: Ink,
    width: f32,
}

impl SvgSheet {
    /// Builds a sheet for an area. `words` describe it for screen readers; with links its role is a
    /// group, else a picture.
    pub(super) fn new(ink: Ink, area: Area, words: &str, has_links: bool) -> Self {
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
        page.markup(if has_links { "group" } else { "img" });
        page.markup("\" aria-label=\"");
        page.text(words);
        page.markup("\">");
        if let Ink::Mail(_) = ink {
            sheet.rectangle(Paint::Page, area, 0.0);
        }
        sheet
    }

    /// Returns the drawing.
    pub(super) fn into_text(mut self) -> String {
        self.page.markup("</svg>");
        self.page.as_str().to_owned()
    }

    /// Returns the width.
    pub(super) fn width(&self) -> f32 {
        self.width
    }

    /// Returns whether the drawing can have links: a picture in a mail cannot.
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
            Ink::Mail(theme) => self.coloured(paint, theme.into()),
            Ink::Small(look) => self.coloured(paint, look),
        }
    }

    fn coloured(&mut self, paint: Paint, look: Look) {
        for (property, value) in paint.properties() {
            match value {
                // Outlines have these properties in their shape.
                StyleValue::Is(_) if self.has_outlines() && is_of_letters(property) => {}
                StyleValue::Of(tone) => self.attribute(property, tone.colour(look)),
                StyleValue::Is(word) => self.attribute(property, word),
            }
        }
    }

    fn end(&mut self) {
        self.page.markup("/>");
    }

    /// Draws a disc or a ring.
    pub(super) fn circle(&mut self, paint: Paint, at: SheetPoint, radius: f32) {
        self.begin("circle", paint);
        self.attribute("cx", Number(at.x));
        self.attribute("cy", Number(at.y));
        self.attribute("r", Number(radius));
        self.end();
    }

    /// Draws a rectangle with rounded corners.
    pub(super) fn rectangle(&mut self, paint: Paint, area: Area, round: f32) {
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

    /// Draws discs of one size as one path of lines without length and with round ends.
    pub(super) fn discs(&mut self, paint: Paint, places: &[SheetPoint], radius: f32) {
        self.begin("path", paint);
        self.attribute("stroke-width", Number(2.0 * radius));
        self.page.markup(" d=\"");
        for at in places {
            self.path_point("M", *at);
            self.page.markup("h0");
        }
        self.page.markup("\"");
        self.end();
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
        self.begin("path", paint);
        self.attribute("stroke-width", Number(2.0 * radius));
        self.attribute("stroke-dasharray", format_args!("{DOT} {:.3}", distance - DOT));
        self.page.markup(" d=\"");
        for [from, to] in lines {
            self.path_point("M", *from);
            // Places are rounded, and the last dash must begin before the end of its line.
            let [right, down] = [to.x - from.x, to.y - from.y].map(f32::signum);
            let is_across = (to.x - from.x).abs() > (to.y - from.y).abs();
            self.path_point("L", if is_across { to.by(right, 0.0) } else { to.by(0.0, down) });
        }
        self.page.markup("\"");
        self.end();
    }

    /// Draws lines, each between two places, as one path.
    pub(super) fn lines(&mut self, paint: Paint, lines: &[[SheetPoint; 2]]) {
        self.begin("path", paint);
        self.page.markup(" d=\"");
        for [from, to] in lines {
            self.path_point("M", *from);
            self.path_point("L", *to);
        }
        self.page.markup("\"");
        self.end();
    }

    /// Draws a line through places.
    pub(super) fn line(&mut self, paint: Paint, places: &[SheetPoint]) {
        self.shape(paint, &[places], "");
    }

    /// Draws polygons as one path.
    pub(super) fn shapes(&mut self, paint: Paint, shapes: &[&[SheetPoint]]) {
        self.shape(paint, shapes, "Z");
    }

    fn shape(&mut self, paint: Paint, shapes: &[&[SheetPoint]], close: &'static str) {
        self.begin("path", paint);
        self.page.markup(" d=\"");
        for places in shapes {
            for (index, at) in places.iter().enumerate() {
                self.path_point(if index == 0 { "M" } else { "L" }, *at);
            }
            self.page.markup(close);
        }
        self.page.markup("\"");
        self.end();
    }

    fn path_point(&mut self, verb: &'static str, at: SheetPoint) {
        self.page.markup(verb);
        self.page.show(Number(at.x));
        self.page.markup(" ");
        self.page.show(Number(at.y));
    }

    /// Writes text centred at a place; without a size it has the paint's.
    pub(super) fn label(
        &mut self,
        paint: Paint,
        at: SheetPoint,
        size: Option<f32>,
        words: impl Display,
    ) {
        let words = &words.to_string();
        let baseline = match size {
            Some(size) => baseline_for(at, size),
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

    /// Writes text that ends at a place, made smaller and then cut to fit into `room`. Returns its
    /// width.
    pub(super) fn text_ending_at(&mut self, at: SheetPoint, room: f32, run: TextRun) -> f32 {
        let TextRun { paint, size, text } = run;
        if text.is_empty() {
            return 0.0;
        }
        let (size, words) = &fitted(text, size, room);
        let (size, at) = (*size, baseline_for(at, *size));
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
        let (size, words) = &fitted(first.text, first.size, room_of_first);
        let (size, at) = (*size, baseline_for(at, *size));
        let following =
            (rest > 0.0).then(|| fitted(then.text, then.size, room - width_of(words, size) - GAP));
        if self.has_outlines() {
            let anchor = Anchor::Start;
            let end = self.outlined(
                first.paint,
                &Line { words, is_bold: first.paint.is_bold(), size, anchor, at },
            );
            if let Some((size, words)) = &following {
                let at = SheetPoint { x: end + GAP, ..at };
                self.outlined(
                    then.paint,
                    &Line { words, is_bold: then.paint.is_bold(), size: *size, anchor, at },
                );
            }
            return;
        }
        self.begin_words(first.paint, at, Some(size));
        self.page.markup(">");
        self.page.show(words);
        if let Some((size, words)) = following {
            self.begin("tspan", then.paint);
            self.attribute("dx", Number(GAP));
            self.attribute("font-size", Number(size));
            self.page.markup(">");
            self.page.show(&words);
            self.page.markup("</tspan>");
        }
        self.page.markup("</text>");
    }

    /// Returns whether text is drawn as outlines: the renderer of a mail's picture has no fonts.
    fn has_outlines(&self) -> bool {
        matches!(self.ink, Ink::Mail(_))
    }

    /// Draws text as one path. Returns the x coordinate of its end.
    fn outlined(&mut self, paint: Paint, line: &Line) -> f32 {
        let Outlines { path, end } = line.outlines();
        self.begin("path", paint);
        self.attribute("d", path);
        self.end();
        end
    }

    /// Begins text on a baseline; without a size it has the paint's.
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

    /// Draws shapes as a link, or without an address as a labelled group.
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

    /// Draws shapes as a group with a paint.
    pub(super) fn group(&mut self, paint: Paint, inside: impl FnOnce(&mut Self)) {
        self.begin("g", paint);
        self.page.markup(">");
        inside(self);
        self.page.markup("</g>");
    }
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
