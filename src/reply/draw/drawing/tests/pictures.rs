//! What is painted is what was drawn.

use super::super::palette::{Paint, Property};
use super::super::shapes::{Area, PathStep, Shape, SheetPoint};
use super::super::sheet::width_of;
use super::samples::samples;
use super::{Ink, LIGHT, Look, Theme};
use tiny_skia::Pixmap;

/// Returns the colour that fills a shape, if it is opaque.
fn opaque_fill(paint: Paint, look: Look) -> Option<[u8; 3]> {
    let properties = paint.properties();
    let is_opaque = !properties.iter().any(|it| matches!(it, Property::FillOpacity(_)));
    let mut tones = properties.iter().filter_map(|it| match it {
        Property::Fill(tone) => Some(tone.rgb(look)),
        _ => None,
    });
    tones.next().filter(|_| is_opaque)
}

/// Returns shapes with the shapes of stamps at their places.
fn without_stamps(shapes: &[Shape]) -> Vec<Shape> {
    let moved = |shape: &Shape, to: SheetPoint| {
        let mut shape = shape.clone();
        match &mut shape {
            Shape::Circle { at, .. } => *at = at.by(to.x, to.y),
            Shape::Rectangle { area, .. } => area.at = area.at.by(to.x, to.y),
            Shape::Path { steps, .. } => {
                for step in steps {
                    if let PathStep::Move(at) | PathStep::Line(at) = step {
                        *at = at.by(to.x, to.y);
                    }
                }
            }
            _ => panic!("a man consists of discs, rectangles and paths"),
        }
        shape
    };
    let parts = |shape: &Shape| match shape {
        Shape::Stamp { at, shapes } => shapes.iter().map(|part| moved(part, *at)).collect(),
        shape => vec![shape.clone()],
    };
    shapes.iter().flat_map(parts).collect()
}

/// Returns a rectangle that a shape does not leave, with its lines.
fn around(shape: &Shape) -> Vec<Area> {
    let wide = |area: Area| area.within(-6.0);
    match shape {
        Shape::Circle { at, radius, .. } => vec![wide(Area::around(*at, 2.0 * radius))],
        Shape::Rectangle { area, .. } => vec![wide(*area)],
        Shape::Path { steps, dots, .. } => {
            let places = steps.iter().filter_map(|step| match step {
                PathStep::Move(at) | PathStep::Line(at) => Some(*at),
                PathStep::Dot | PathStep::Close => None,
            });
            let [mut from, mut to] = [f32::MAX, f32::MIN].map(|it| SheetPoint { x: it, y: it });
            for at in places {
                (from.x, from.y) = (from.x.min(at.x), from.y.min(at.y));
                (to.x, to.y) = (to.x.max(at.x), to.y.max(at.y));
            }
            let rim = -6.0 - dots.map_or(0.0, |dots| dots.width);
            vec![Area { at: from, width: to.x - from.x, height: to.y - from.y }.within(rim)]
        }
        Shape::Text { at, text, then, .. } => {
            let size = text.size.unwrap_or(17.0);
            let words = [Some(text), then.as_ref()].into_iter().flatten();
            let width = words.map(|it| width_of(&it.words, size) + 20.0).sum::<f32>();
            // Where the anchor is does not matter.
            vec![Area::new(at.x - width, at.y - size, 2.0 * width, 1.4 * size)]
        }
        Shape::Group { shapes, .. } | Shape::Link { shapes, .. } | Shape::Stamp { shapes, .. } => {
            shapes.iter().flat_map(around).collect()
        }
    }
}

fn holds(area: &Area, at: SheetPoint) -> bool {
    let (right, down) = (at.x - area.at.x, at.y - area.at.y);
    (0.0..=area.width).contains(&right) && (0.0..=area.height).contains(&down)
}

/// Returns places inside a disc or a rectangle, away from its line and its corners.
fn inside(shape: &Shape) -> Vec<SheetPoint> {
    let (middle, reach) = match shape {
        Shape::Circle { at, radius, .. } => (*at, radius * 0.7 - 2.0),
        Shape::Rectangle { area, .. } => {
            (area.middle(), (area.width.min(area.height) / 2.0) * 0.7 - 2.0)
        }
        _ => return Vec::new(),
    };
    let steps = || [-1.0_f32, -0.8, -0.5, -0.2, 0.0, 0.2, 0.5, 0.8, 1.0].into_iter();
    let places = steps().flat_map(|x| steps().map(move |y| (x, y)));
    let places = places.filter(|(x, y)| reach > 0.0 && x.hypot(*y) < 1.05);
    places.map(|(x, y)| middle.by(x * reach, y * reach)).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is on the sheet")]
fn pixel(picture: &Pixmap, area: Area, at: SheetPoint) -> [u8; 3] {
    let (x, y) = ((at.x - area.at.x) as u32, (at.y - area.at.y) as u32);
    let pixel = picture.pixel(x, y).unwrap();
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// Each disc and each rectangle has its colour wherever nothing was drawn on it later.
#[test]
fn each_shape_is_painted_at_its_place_in_its_colour() {
    let (mut discs, mut rectangles) = (0, 0);
    for sample in samples() {
        for (ink, look) in
            [(Ink::Mail(Theme::Dark), Theme::Dark.into()), (Ink::Small(LIGHT), LIGHT)]
        {
            let drawing = sample.drawing(ink);
            let picture = drawing.painted().unwrap();
            let shapes = without_stamps(&drawing.shapes);
            for (index, shape) in shapes.iter().enumerate() {
                let (paint, count) = match shape {
                    Shape::Circle { paint, .. } => (*paint, &mut discs),
                    Shape::Rectangle { paint, .. } => (*paint, &mut rectangles),
                    _ => continue,
                };
                let Some(colour) = opaque_fill(paint, look) else { continue };
                let later: Vec<Area> = shapes[index + 1..].iter().flat_map(around).collect();
                for at in inside(shape) {
                    if !later.iter().any(|area| holds(area, at)) {
                        *count += 1;
                        let found = pixel(&picture, drawing.area, at);
                        assert_eq!(found, colour, "{} {paint:?} {at:?}", sample.name);
                    }
                }
            }
        }
    }
    assert!(discs > 1_000 && rectangles > 300, "{discs} {rectangles}");
}

/// Every line of text leaves ink of its colour where it stands, and nothing else does.
#[test]
fn words_are_painted() {
    for sample in samples() {
        let ink = Ink::Mail(Theme::Light);
        let drawing = sample.drawing(ink);
        let mut blank = sample.drawing(ink);
        blank.shapes.retain(|shape| !matches!(shape, Shape::Text { .. }));
        let [picture, blank] = [&drawing, &blank].map(|it| it.painted().unwrap());
        let changed: Vec<SheetPoint> = (0..picture.height())
            .flat_map(|y| (0..picture.width()).map(move |x| (x, y)))
            .filter(|(x, y)| picture.pixel(*x, *y) != blank.pixel(*x, *y))
            .map(|(x, y)| [x, y].map(|it| f32::from(u16::try_from(it).unwrap())))
            .map(|[x, y]| SheetPoint { x, y })
            .map(|at| at.by(drawing.area.at.x, drawing.area.at.y))
            .collect();
        let texts = drawing.shapes.iter().filter(|shape| matches!(shape, Shape::Text { .. }));
        let areas: Vec<Area> = texts.flat_map(around).collect();
        for area in &areas {
            let ink = changed.iter().filter(|at| holds(area, **at)).count();
            assert!(ink > 5, "{} {area:?}", sample.name);
        }
        let is_stray = |at: &&SheetPoint| !areas.iter().any(|area| holds(area, **at));
        assert_eq!(changed.iter().find(is_stray), None, "{}", sample.name);
    }
}

/// A used die lets the ground show through.
#[test]
fn used_dice_are_painted_faded() {
    let sample = samples().into_iter().find(|sample| sample.name == "backgammon-play").unwrap();
    let drawing = sample.drawing(Ink::Mail(Theme::Light));
    let picture = drawing.painted().unwrap();
    let mut faded = 0;
    for shape in &drawing.shapes {
        let Shape::Group { paint: Paint::Used, shapes } = shape else { continue };
        let Some(area) = around(&shapes[0]).pop() else { panic!("a die has a shape") };
        let [die, felt] = [Paint::Die, Paint::Felt].map(|it| opaque_fill(it, LIGHT).unwrap());
        let corner = area.within(6.0 + 5.0).at;
        let found = pixel(&picture, drawing.area, corner);
        for ((found, die), felt) in found.into_iter().zip(die).zip(felt) {
            let mixed = f32::from(die) * 0.35 + f32::from(felt) * 0.65;
            assert!((f32::from(found) - mixed).abs() <= 2.0, "{found} {mixed}");
        }
        faded += 1;
    }
    assert_eq!(faded, 1);
}
