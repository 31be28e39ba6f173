//! Writes a drawing as SVG. Names of elements and attributes are constants, values are numbers, and text is
//! escaped: nothing else can be written.

use super::Ink;
use super::palette::Paint;
use super::shapes::{Anchor, Area, Drawing, GAP, Number, PathStep, Shape, SheetPoint, StyledText};
use crate::mail::Html;
use std::fmt::Display;

impl Drawing {
    /// Writes the drawing as SVG.
    pub fn to_svg(&self) -> String {
        let Self { ink, area: Area { at, width, height }, .. } = *self;
        let mut page = Html::default();
        page.markup("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"");
        for (index, number) in [at.x, at.y, width, height].into_iter().enumerate() {
            page.markup(if index == 0 { "" } else { " " });
            page.show(Number(number));
        }
        page.markup(match ink {
            Ink::Page => "\" class=\"board\" role=\"",
            Ink::Mail(_) | Ink::Small(_) => "\" font-family=\"sans-serif\" role=\"",
        });
        page.markup(if self.has_links { "group" } else { "img" });
        page.markup("\" aria-label=\"");
        page.text(&self.words);
        page.markup("\">");
        let mut writer = Writer { page, ink, origin: SheetPoint::default() };
        writer.shapes(&self.shapes);
        writer.page.markup("</svg>");
        writer.page.as_str().to_owned()
    }
}

struct Writer {
    page: Html,
    ink: Ink,
    /// The place to which places are relative.
    origin: SheetPoint,
}

impl Writer {
    fn shapes(&mut self, shapes: &[Shape]) {
        for shape in shapes {
            self.shape(shape);
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Circle { paint, at, radius } => {
                self.begin("circle", *paint);
                self.place(["cx", "cy"], *at);
                self.attribute("r", Number(*radius));
                self.page.markup("/>");
            }
            Shape::Rectangle { paint, area, round } => {
                self.begin("rect", *paint);
                self.place(["x", "y"], area.at);
                self.attribute("width", Number(area.width));
                self.attribute("height", Number(area.height));
                if *round > 0.0 {
                    self.attribute("rx", Number(*round));
                }
                self.page.markup("/>");
            }
            Shape::Path { paint, steps, dots } => {
                self.begin("path", *paint);
                if let Some(dots) = dots {
                    self.attribute("stroke-width", Number(dots.width));
                    if let Some([dash, gap]) = dots.dashes() {
                        self.attribute("stroke-dasharray", format_args!("{dash} {gap:.3}"));
                    }
                }
                self.page.markup(" d=\"");
                for step in steps {
                    self.step(*step);
                }
                self.page.markup("\"/>");
            }
            Shape::Text { at, anchor, text, then } => self.text(*at, *anchor, text, then.as_ref()),
            Shape::Stamp { at, shapes } => {
                let before = self.origin;
                self.origin = before.by(at.x, at.y);
                self.shapes(shapes);
                self.origin = before;
            }
            Shape::Group { paint, shapes } => {
                self.begin("g", *paint);
                self.page.markup(">");
                self.shapes(shapes);
                self.page.markup("</g>");
            }
            Shape::Link { href, spot, label, shapes } => {
                self.page.markup(if href.is_some() { "<a" } else { "<g role=\"img\"" });
                if let Some(href) = href {
                    self.attribute("href", href);
                }
                self.attribute("data-spot", spot);
                self.attribute("aria-label", label);
                self.page.markup(">");
                self.shapes(shapes);
                self.page.markup(if href.is_some() { "</a>" } else { "</g>" });
            }
        }
    }

    fn step(&mut self, step: PathStep) {
        let (verb, at) = match step {
            PathStep::Move(at) => ("M", at),
            PathStep::Line(at) => ("L", at),
            PathStep::Dot => return self.page.markup("h0"),
            PathStep::Close => return self.page.markup("Z"),
        };
        let SheetPoint { x, y } = self.origin.by(at.x, at.y);
        self.page.markup(verb);
        self.page.show(Number(x));
        self.page.markup(" ");
        self.page.show(Number(y));
    }

    fn text(
        &mut self,
        at: SheetPoint,
        anchor: Anchor,
        text: &StyledText,
        then: Option<&StyledText>,
    ) {
        self.begin("text", text.paint);
        self.place(["x", "y"], at);
        if let Some(size) = text.size {
            self.attribute("font-size", Number(size));
        }
        // The paint says that text is centred.
        if anchor == Anchor::End {
            self.attribute("text-anchor", "end");
        }
        self.page.markup(">");
        self.page.show(&text.words);
        if let Some(then) = then {
            self.begin("tspan", then.paint);
            self.attribute("dx", Number(GAP));
            if let Some(size) = then.size {
                self.attribute("font-size", Number(size));
            }
            self.page.markup(">");
            self.page.show(&then.words);
            self.page.markup("</tspan>");
        }
        self.page.markup("</text>");
    }

    /// Begins an element with the properties of its paint.
    fn begin(&mut self, element: &'static str, paint: Paint) {
        self.page.markup("<");
        self.page.markup(element);
        let look = match self.ink {
            Ink::Page => return self.attribute("class", paint.class()),
            Ink::Mail(theme) => theme.into(),
            Ink::Small(look) => look,
        };
        for property in paint.properties() {
            self.attribute(property.name(), property.value(|tone| tone.colour(look)));
        }
    }

    fn place(&mut self, [x, y]: [&'static str; 2], at: SheetPoint) {
        let at = self.origin.by(at.x, at.y);
        self.attribute(x, Number(at.x));
        self.attribute(y, Number(at.y));
    }

    fn attribute(&mut self, name: &'static str, value: impl Display) {
        self.page.markup(" ");
        self.page.markup(name);
        self.page.markup("=\"");
        self.page.show(value);
        self.page.markup("\"");
    }
}
