//! Paints a drawing as pixels, for pictures in mails.

use super::Ink;
use super::palette::{Look, Paint, Property, Tone};
use super::shapes::{Anchor, Area, Drawing, GAP, PathStep, Shape, SheetPoint, rounded};
use super::text_outlines::Line;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, PixmapPaint,
    PremultipliedColorU8, Rect, Stroke, StrokeDash, Transform,
};

/// The most pixels of a picture's width or height. A picture has one pixel for each unit of the drawing:
/// enough for a phone. Since men are whole units apart, their pixels repeat, so the file is small.
const MAX_SIDE: f32 = 900.0;

/// The room around the shapes of a stamp, for half of their widest line and a shift of less than a pixel.
const STAMP_MARGIN: f32 = 6.0;

/// The most backgrounds in a cache, of a megabyte each.
const MAX_BACKGROUNDS: usize = 8;
/// The most stamps in a cache, of up to 20 KB each.
const MAX_STAMPS: usize = 64;

/// The distance of the control points of a curve from the ends of the quarter of a circle that it draws,
/// in radii.
const CONTROL: f32 = 0.552_284_8;

impl Drawing {
    /// Paints the drawing on the colour of a page. Returns nothing if it is too large, or not for a mail.
    pub(in crate::reply::draw) fn painted(&self, cache: &mut PaintCache) -> Option<Pixmap> {
        let Ink::Mail(theme) = self.ink else { return None };
        let look = theme.into();
        let (area, shapes) = (self.area, &self.shapes);
        if area.width.max(area.height) > MAX_SIDE {
            return None;
        }
        let pixels = cache.background(look, area, &shapes[self.background.clone()])?;
        let mut painter = Painter { pixels, look, corner: area.at, stamps: &mut cache.stamps };
        painter.shapes(&shapes[..self.background.start]);
        painter.shapes(&shapes[self.background.end..]);
        Some(painter.pixels)
    }
}

/// What was painted for earlier drawings: boards of one game differ in a few men.
#[derive(Debug, Default)]
pub struct PaintCache {
    /// The backgrounds, the one used last at the end.
    backgrounds: Vec<Background>,
    stamps: Vec<Stamp>,
}

/// A board without men on the colour of a page.
#[derive(Debug)]
struct Background {
    look: Look,
    area: Area,
    shapes: Vec<Shape>,
    pixels: Pixmap,
}

impl PaintCache {
    /// Returns a copy of a background, which is painted if it is not in the cache.
    fn background(&mut self, look: Look, area: Area, shapes: &[Shape]) -> Option<Pixmap> {
        let is_same = |it: &Background| it.look == look && it.area == area && it.shapes == shapes;
        let background = if let Some(known) = self.backgrounds.iter().position(is_same) {
            self.backgrounds.remove(known)
        } else {
            let mut painter = Painter::new(look, area, &mut self.stamps)?;
            painter.pixels.fill(colour(Tone::Page, look));
            painter.shapes(shapes);
            let Painter { pixels, .. } = painter;
            if self.backgrounds.len() >= MAX_BACKGROUNDS {
                self.backgrounds.remove(0);
            }
            Background { look, area, shapes: shapes.to_vec(), pixels }
        };
        let pixels = background.pixels.clone();
        self.backgrounds.push(background);
        Some(pixels)
    }
}

/// How a shape is painted.
#[derive(Default)]
struct Style {
    fill: Option<Color>,
    stroke: Option<Color>,
    line: Stroke,
    opacity: f32,
}

impl Style {
    fn of(paint: Paint, look: Look) -> Self {
        let mut style = Self { opacity: 1.0, ..Self::default() };
        let (mut fill_opacity, mut stroke_opacity) = (1.0, 1.0);
        for property in paint.properties() {
            match *property {
                Property::Fill(tone) => style.fill = Some(colour(tone, look)),
                Property::Stroke(tone) => style.stroke = Some(colour(tone, look)),
                Property::FillOpacity(opacity) => fill_opacity = opacity,
                Property::StrokeOpacity(opacity) => stroke_opacity = opacity,
                Property::StrokeWidth(width) => style.line.width = width,
                Property::RoundCaps => style.line.line_cap = LineCap::Round,
                Property::RoundJoins => style.line.line_join = LineJoin::Round,
                Property::Dashes(dashes) => style.dash(dashes),
                Property::Opacity(opacity) => style.opacity = opacity,
                Property::NoFill
                | Property::Bold
                | Property::NotBold
                | Property::Centred
                | Property::FontSize(_) => {}
            }
        }
        for (colour, opacity) in
            [(&mut style.fill, fill_opacity), (&mut style.stroke, stroke_opacity)]
        {
            if let Some(colour) = colour {
                colour.set_alpha(opacity);
            }
        }
        style
    }

    fn dash(&mut self, dashes: [f32; 2]) {
        self.line.dash = StrokeDash::new(dashes.to_vec(), 0.0);
    }
}

fn colour(tone: Tone, look: Look) -> Color {
    let [red, green, blue] = tone.rgb(look);
    Color::from_rgba8(red, green, blue, u8::MAX)
}

/// Pixels with the look of what is painted on them.
struct Painter<'c> {
    pixels: Pixmap,
    look: Look,
    /// The place on the sheet of the left upper corner of the pixels.
    corner: SheetPoint,
    /// The stamps that were made so far.
    stamps: &'c mut Vec<Stamp>,
}

/// Shapes that were painted once, on pixels of their own.
#[derive(Debug)]
struct Stamp {
    look: Look,
    shapes: Vec<Shape>,
    /// The distance of their place from the upper left corner of its pixel, with one decimal place.
    inside: SheetPoint,
    pixels: Pixmap,
    /// The left upper corner, in whole pixels from the pixel of the place.
    corner: [i32; 2],
}

impl<'c> Painter<'c> {
    fn new(look: Look, area: Area, stamps: &'c mut Vec<Stamp>) -> Option<Self> {
        let size = Rect::from_xywh(0.0, 0.0, area.width, area.height)?.round()?;
        let pixels = Pixmap::new(size.width(), size.height())?;
        Some(Self { pixels, look, corner: area.at, stamps })
    }

    fn to_pixels(&self) -> Transform {
        Transform::from_translate(-self.corner.x, -self.corner.y)
    }

    fn shapes(&mut self, shapes: &[Shape]) {
        for shape in shapes {
            self.shape(shape);
        }
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Circle { paint, .. } | Shape::Rectangle { paint, .. } => {
                self.path(outline(shape), &Style::of(*paint, self.look));
            }
            Shape::Path { paint, dots, .. } => {
                let mut style = Style::of(*paint, self.look);
                if let Some(dots) = dots {
                    style.line.width = rounded(dots.width);
                    if let Some(dashes) = dots.dashes() {
                        style.dash(dashes);
                    }
                }
                self.path(outline(shape), &style);
            }
            Shape::Stamp { at, shapes } => {
                self.stamp(*at, shapes);
            }
            Shape::Text { at, anchor, text, then } => {
                let outlines = Line::new(text, *at, *anchor).outlines();
                self.path(outlines.path, &Style::of(text.paint, self.look));
                if let Some(then) = then {
                    let at = SheetPoint { x: outlines.end + GAP, ..*at };
                    let outlines = Line::new(then, at, Anchor::Start).outlines();
                    self.path(outlines.path, &Style::of(then.paint, self.look));
                }
            }
            Shape::Group { paint, shapes } => {
                self.group(Style::of(*paint, self.look).opacity, shapes);
            }
            Shape::Link { shapes, .. } => self.shapes(shapes),
        }
    }

    /// Paints the area and the line of a path.
    fn path(&mut self, path: Option<Path>, style: &Style) {
        let Some(path) = path else { return };
        let brush = |colour| {
            let mut brush = tiny_skia::Paint::default();
            brush.set_color(colour);
            brush
        };
        if let Some(colour) = style.fill {
            let rule = FillRule::Winding;
            self.pixels.fill_path(&path, &brush(colour), rule, self.to_pixels(), None);
        }
        if let Some(colour) = style.stroke {
            self.pixels.stroke_path(&path, &brush(colour), &style.line, self.to_pixels(), None);
        }
    }

    /// Paints shapes around a place.
    fn stamp(&mut self, at: SheetPoint, shapes: &[Shape]) -> Option<()> {
        let (stamp, [left, top]) = self.stamp_of(at, shapes)?;
        overlay(&mut self.pixels, &self.stamps[stamp].pixels, left, top);
        Some(())
    }

    /// Paints shapes together with an opacity.
    fn group(&mut self, opacity: f32, shapes: &[Shape]) -> Option<()> {
        let (stamp, [left, top]) = self.stamp_of(SheetPoint { x: 0.0, y: 0.0 }, shapes)?;
        let above = self.stamps[stamp].pixels.as_ref();
        let faded = PixmapPaint { opacity, ..PixmapPaint::default() };
        self.pixels.draw_pixmap(left, top, above, &faded, Transform::identity(), None);
        Some(())
    }

    /// Returns the index of the stamp for shapes around a place, and its left upper corner among the pixels.
    /// Equal shapes are painted once and then copied, which takes a tenth of the time: a board has up to
    /// thirty equal men.
    fn stamp_of(&mut self, at: SheetPoint, shapes: &[Shape]) -> Option<(usize, [i32; 2])> {
        let at = at.rounded().by(-self.corner.x, -self.corner.y);
        let whole = [at.x, at.y].map(f32::floor);
        let inside = at.by(-whole[0], -whole[1]).rounded();
        let look = self.look;
        let is_equal =
            |stamp: &Stamp| stamp.look == look && stamp.inside == inside && stamp.shapes == shapes;
        let known = self.stamps.iter().position(is_equal);
        if known.is_none() && self.stamps.len() >= MAX_STAMPS {
            self.stamps.clear();
        }
        let index = known.unwrap_or(self.stamps.len());
        if known.is_none() {
            self.stamps.push(Stamp::new(shapes, inside, look)?);
        }
        let [x, y] = whole.map(to_whole);
        let [right, down] = self.stamps[index].corner;
        Some((index, [x + right, y + down]))
    }
}

impl Stamp {
    fn new(shapes: &[Shape], inside: SheetPoint, look: Look) -> Option<Self> {
        let bounds = shapes.iter().filter_map(|shape| Some(outline(shape)?.bounds()));
        let bounds = bounds.reduce(|all, one| all.join(&one).unwrap_or(all))?;
        let area = bounds.outset(STAMP_MARGIN, STAMP_MARGIN)?.round_out()?.to_rect();
        let place =
            Area::new(area.x() - inside.x, area.y() - inside.y, area.width(), area.height());
        let mut inner = Vec::new();
        let mut painter = Painter::new(look, place, &mut inner)?;
        painter.shapes(shapes);
        let corner = [area.x(), area.y()].map(to_whole);
        Some(Self { look, shapes: shapes.to_vec(), inside, pixels: painter.pixels, corner })
    }
}

/// Paints pixels over others, with their left upper corner there. `Pixmap::draw_pixmap` takes several times as
/// long, since it computes each pixel with floating-point numbers.
fn overlay(below: &mut Pixmap, above: &Pixmap, left: i32, top: i32) {
    let Ok(width) = usize::try_from(below.width()) else { return };
    let Ok(width_above) = usize::try_from(above.width()) else { return };
    let start = |at: i32| usize::try_from(at).unwrap_or(0);
    let rows = below.pixels_mut().chunks_exact_mut(width).skip(start(top));
    let rows_above = above.pixels().chunks_exact(width_above).skip(start(-top));
    for (row, row_above) in rows.zip(rows_above) {
        let pixels = row.iter_mut().skip(start(left));
        for (pixel, above) in pixels.zip(row_above.iter().skip(start(-left))) {
            match above.alpha() {
                0 => {}
                u8::MAX => *pixel = *above,
                _ => *pixel = mixed(*pixel, *above),
            }
        }
    }
}

/// Returns a pixel with another over it.
fn mixed(below: PremultipliedColorU8, above: PremultipliedColorU8) -> PremultipliedColorU8 {
    let rest = u16::from(u8::MAX - above.alpha());
    let mix = |below: u8, above: u8| {
        let shown = (u16::from(below) * rest + 127) / 255;
        above.saturating_add(u8::try_from(shown).unwrap_or(u8::MAX))
    };
    let [red, green, blue] = [
        mix(below.red(), above.red()),
        mix(below.green(), above.green()),
        mix(below.blue(), above.blue()),
    ];
    let alpha = mix(below.alpha(), above.alpha());
    PremultipliedColorU8::from_rgba(red, green, blue, alpha).unwrap_or(below)
}

/// Returns the outline of a shape. None if it has none, or consists of others.
fn outline(shape: &Shape) -> Option<Path> {
    match shape {
        Shape::Circle { at, radius, .. } => {
            let at = at.rounded();
            PathBuilder::from_circle(at.x, at.y, rounded(*radius))
        }
        Shape::Rectangle { area, round, .. } => rectangle(*area, rounded(*round)),
        Shape::Path { steps, .. } => path(steps),
        Shape::Text { .. } | Shape::Stamp { .. } | Shape::Group { .. } | Shape::Link { .. } => None,
    }
}

/// Rounds a number of pixels.
#[expect(clippy::cast_possible_truncation, reason = "a picture has a few hundred pixels")]
fn to_whole(pixels: f32) -> i32 {
    pixels.round() as i32
}

/// Returns the path of a pen. None if it draws nothing.
fn path(steps: &[PathStep]) -> Option<Path> {
    let mut pen = PathBuilder::with_capacity(steps.len(), steps.len());
    for step in steps {
        match *step {
            PathStep::Move(at) => pen.move_to(rounded(at.x), rounded(at.y)),
            PathStep::Line(at) => pen.line_to(rounded(at.x), rounded(at.y)),
            PathStep::Dot => {
                let at = pen.last_point()?;
                pen.line_to(at.x, at.y);
            }
            PathStep::Close => pen.close(),
        }
    }
    pen.finish()
}

/// Returns the path around a rectangle with this radius at its corners. None if it has no area.
fn rectangle(area: Area, round: f32) -> Option<Path> {
    let SheetPoint { x: left, y: top } = area.at.rounded();
    let (width, height) = (rounded(area.width), rounded(area.height));
    let rectangle = Rect::from_xywh(left, top, width, height)?;
    let round = round.min(width / 2.0).min(height / 2.0);
    if round <= 0.0 {
        return Some(PathBuilder::from_rect(rectangle));
    }
    let (right, bottom) = (rectangle.right(), rectangle.bottom());
    let rest = round - round * CONTROL;
    let mut pen = PathBuilder::new();
    pen.move_to(left + round, top);
    pen.line_to(right - round, top);
    pen.cubic_to(right - rest, top, right, top + rest, right, top + round);
    pen.line_to(right, bottom - round);
    pen.cubic_to(right, bottom - rest, right - rest, bottom, right - round, bottom);
    pen.line_to(left + round, bottom);
    pen.cubic_to(left + rest, bottom, left, bottom - rest, left, bottom - round);
    pen.line_to(left, top + round);
    pen.cubic_to(left, top + rest, left + rest, top, left + round, top);
    pen.close();
    pen.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also over the edges, and of transparent, translucent and opaque pixels.
    #[test]
    fn pixels_are_painted_over_others_as_the_library_paints_them() {
        let mut state = 7_u32;
        let mut next = move || {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            state.to_be_bytes()
        };
        let mut filled = |width, height, is_opaque: bool| {
            let mut pixels = Pixmap::new(width, height).unwrap();
            for pixel in pixels.pixels_mut() {
                let [red, green, blue, alpha] = next();
                let alpha = [0, alpha, u8::MAX][usize::from(blue % 3)];
                let alpha = if is_opaque { u8::MAX } else { alpha };
                *pixel = tiny_skia::ColorU8::from_rgba(red, green, blue, alpha).premultiply();
            }
            pixels
        };
        let (mut changed, mut unchanged) = (0, 0);
        for (width, height) in [(1, 1), (3, 7), (12, 4), (40, 40)] {
            for is_opaque in [true, false] {
                let (ground, above) = (filled(20, 16, is_opaque), filled(width, height, false));
                for (left, top) in [(0, 0), (5, 3), (-2, -1), (18, 14), (-40, 0), (20, 0), (0, 16)]
                {
                    let (mut ours, mut theirs) = (ground.clone(), ground.clone());
                    overlay(&mut ours, &above, left, top);
                    let (how, unmoved) = (PixmapPaint::default(), Transform::identity());
                    theirs.draw_pixmap(left, top, above.as_ref(), &how, unmoved, None);
                    for (ours, theirs) in ours.data().iter().zip(theirs.data()) {
                        assert!(ours.abs_diff(*theirs) <= 1, "{width} {left} {top}");
                    }
                    *if ours == ground { &mut unchanged } else { &mut changed } += 1;
                }
            }
        }
        assert!(changed > 20 && unchanged > 20, "{changed} {unchanged}");
    }
}
