//! What is painted is what was drawn.

use super::super::palette::{Paint, Property, Tone};
use super::super::shapes::{Anchor, Area, Drawing, PathStep, Shape, SheetPoint};
use super::super::sheet::{Sheet, width_of};
use super::samples::{Sample, samples};
use super::{Ink, LIGHT, PaintCache, Theme};
use tiny_skia::Pixmap;

const MAIL: Ink = Ink::Mail(Theme::Light);

/// Red, green and blue, each from 0 to 255.
type Rgb = [f32; 3];

fn rgb(tone: Tone) -> Rgb {
    tone.rgb(LIGHT).map(f32::from)
}

/// Returns a colour with an opacity on another.
fn on(colour: Rgb, opacity: f32, ground: Rgb) -> Rgb {
    [0, 1, 2].map(|part| colour[part] * opacity + ground[part] * (1.0 - opacity))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is on the sheet")]
fn pixel(picture: &Pixmap, area: Area, at: SheetPoint) -> Rgb {
    let (x, y) = ((at.x - area.at.x) as u32, (at.y - area.at.y) as u32);
    let pixel = picture.pixel(x, y).unwrap();
    [pixel.red(), pixel.green(), pixel.blue()].map(f32::from)
}

/// Returns the largest difference of the parts of two colours.
fn difference(one: Rgb, other: Rgb) -> f32 {
    one.into_iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

/// Returns whether two colours differ by roundings at most.
fn alike(one: Rgb, other: Rgb) -> bool {
    difference(one, other) <= 2.0
}

/// Paints a drawing as if it were the first.
fn painted(drawing: &Drawing) -> Pixmap {
    drawing.painted(&mut PaintCache::default()).unwrap()
}

fn is_filled(paint: Paint) -> bool {
    paint.properties().iter().any(|it| matches!(it, Property::Fill(_)))
}

/// Returns the colour that fills a shape, if it is opaque.
fn opaque_fill(paint: Paint) -> Option<Rgb> {
    let properties = paint.properties();
    let is_opaque = !properties.iter().any(|it| matches!(it, Property::FillOpacity(_)));
    let mut tones = properties.iter().filter_map(|it| match it {
        Property::Fill(tone) => Some(rgb(*tone)),
        _ => None,
    });
    tones.next().filter(|_| is_opaque)
}

/// Returns shapes with the shapes of stamps at their places. A stamp and its shapes are rounded apart.
fn without_stamps(shapes: &[Shape]) -> Vec<Shape> {
    let moved = |shape: &Shape, to: SheetPoint| {
        let (mut shape, to) = (shape.clone(), to.rounded());
        let move_place = |at: &mut SheetPoint| *at = at.rounded().by(to.x, to.y);
        match &mut shape {
            Shape::Circle { at, .. } => move_place(at),
            Shape::Rectangle { area, .. } => move_place(&mut area.at),
            Shape::Path { steps, .. } => {
                for step in steps {
                    if let PathStep::Move(at) | PathStep::Line(at) = step {
                        move_place(at);
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

/// Returns rectangles that a shape does not leave, with its lines.
fn around(shape: &Shape) -> Vec<Area> {
    match shape {
        Shape::Circle { at, radius, .. } => vec![Area::around(*at, 2.0 * radius).within(-6.0)],
        Shape::Rectangle { area, .. } => vec![area.within(-6.0)],
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
        Shape::Text { at, anchor, text, then } => {
            let size = text.size.unwrap_or(17.0);
            let words = [Some(text), then.as_ref()].into_iter().flatten();
            let width = words.map(|it| width_of(&it.words, size) + 10.0).sum::<f32>();
            let left = match anchor {
                Anchor::Start => at.x - 3.0,
                Anchor::Middle => at.x - width / 2.0,
                Anchor::End => at.x - width,
            };
            vec![Area::new(left, at.y - size, width + 3.0, 1.4 * size)]
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

/// Returns whether a shape may have painted a place.
fn covers(shape: &Shape, at: SheetPoint) -> bool {
    match shape {
        Shape::Circle { paint, at: middle, radius } => {
            let distance = (at.x - middle.x).hypot(at.y - middle.y);
            distance < radius + 6.0 && (is_filled(*paint) || distance > radius - 6.0)
        }
        shape => around(shape).iter().any(|area| holds(area, at)),
    }
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

/// Each disc and each rectangle has its colour wherever nothing was drawn on it later.
#[test]
fn each_shape_is_painted_at_its_place_in_its_colour() {
    let (mut men, mut discs, mut rectangles) = (0, 0, 0);
    for sample in samples() {
        let drawing = sample.drawing(MAIL);
        let picture = painted(&drawing);
        assert!(
            picture.data().iter().skip(3).step_by(4).all(|alpha| *alpha == u8::MAX),
            "{}",
            sample.name
        );
        let shapes = without_stamps(&drawing.shapes);
        for (index, shape) in shapes.iter().enumerate() {
            let (paint, count) = match shape {
                Shape::Circle { paint: paint @ (Paint::O | Paint::X), .. } => (*paint, &mut men),
                Shape::Circle { paint, .. } => (*paint, &mut discs),
                Shape::Rectangle { paint, .. } => (*paint, &mut rectangles),
                _ => continue,
            };
            let Some(colour) = opaque_fill(paint) else { continue };
            for at in inside(shape) {
                if !shapes[index + 1..].iter().any(|later| covers(later, at)) {
                    *count += 1;
                    let found = pixel(&picture, drawing.area, at);
                    assert!(alike(found, colour), "{} {paint:?} {at:?} {found:?}", sample.name);
                }
            }
        }
    }
    assert!(men > 500 && discs > 500 && rectangles > 300, "{men} {discs} {rectangles}");
}

/// A man that is copied looks as if it had been painted at its place, but for the pixels at its edges, which
/// are mixed in another order.
#[test]
fn copied_men_are_painted_men() {
    let mut stamps = 0;
    for sample in samples() {
        let drawing = sample.drawing(MAIL);
        stamps += drawing.shapes.iter().filter(|it| matches!(it, Shape::Stamp { .. })).count();
        let picture = painted(&drawing);
        let plain =
            Drawing { shapes: without_stamps(&drawing.shapes), background: 0..0, ..drawing };
        let plain = painted(&plain);
        for (one, other) in picture.data().iter().zip(plain.data()) {
            assert!(one.abs_diff(*other) <= 64, "{}: {one} {other}", sample.name);
        }
    }
    assert!(stamps > 1_000, "{stamps}");
}

/// What a cache has of other drawings changes no pixel; a board with other men needs no new background.
#[test]
fn drawings_from_a_cache_are_the_same() {
    let samples = samples();
    let mut cache = PaintCache::default();
    let mut backgrounds = Vec::new();
    for sample in &samples {
        let drawing = sample.drawing(MAIL);
        let cached = drawing.painted(&mut cache).unwrap();
        assert!(cached == painted(&drawing), "{}", sample.name);
        let background = (drawing.area, drawing.shapes[drawing.background].to_vec());
        assert!(matches!(background.1[0], Shape::Rectangle { paint: Paint::Frame, .. }));
        if !backgrounds.contains(&background) {
            backgrounds.push(background);
        }
    }
    assert!(backgrounds.len() * 2 < samples.len(), "{} of {}", backgrounds.len(), samples.len());
}

/// Returns the places at which two pictures of a sheet differ.
fn changed(one: &Pixmap, other: &Pixmap, area: Area) -> Vec<SheetPoint> {
    let rows = one.height();
    let places = (0..rows).flat_map(|y| (0..one.width()).map(move |x| (x, y)));
    places
        .filter(|(x, y)| one.pixel(*x, *y) != other.pixel(*x, *y))
        .map(|(x, y)| [x, y].map(|it| f32::from(u16::try_from(it).unwrap())))
        .map(|[x, y]| SheetPoint { x, y }.by(area.at.x, area.at.y))
        .collect()
}

/// Every text leaves ink of its colour where it stands, and nowhere else.
#[test]
fn words_are_painted_at_their_places_in_their_colours() {
    let named = |sample: &Sample| {
        let names = ["malaka-play", "backgammon-crawford", "chess-9", "findthem-9"];
        names.contains(&&*sample.name)
    };
    let (mut texts, mut followers) = (0, 0);
    for sample in samples().into_iter().filter(named) {
        let whole = sample.drawing(MAIL);
        let picture = painted(&whole);
        for index in 0..whole.shapes.len() {
            let Shape::Text { text, then, .. } = &whole.shapes[index] else { continue };
            let mut cut = Drawing { background: 0..0, ..sample.drawing(MAIL) };
            let paint = if let (Shape::Text { then: cut, .. }, Some(then)) =
                (&mut cut.shapes[index], then)
            {
                *cut = None;
                followers += 1;
                then.paint
            } else {
                cut.shapes.remove(index);
                text.paint
            };
            let ink = changed(&picture, &painted(&cut), whole.area);
            let area = around(&whole.shapes[index]).remove(0);
            assert!(ink.iter().all(|at| holds(&area, *at)), "{} {}", sample.name, text.words);
            let colour = opaque_fill(paint).unwrap();
            let nearest = ink.iter().map(|at| difference(pixel(&picture, whole.area, *at), colour));
            // The strokes of a small letter may be narrower than a pixel.
            assert!(nearest.fold(255.0, f32::min) < 40.0, "{} {}", sample.name, text.words);
            texts += 1;
        }
    }
    assert!(texts > 50 && followers > 3, "{texts} {followers}");
}

/// Returns a sheet of 100 by 100 units.
fn small_sheet() -> Sheet {
    Sheet::new(MAIL, Area::new(0.0, 0.0, 100.0, 100.0), "", false)
}

/// Each paint fills an area and draws a line with its colours, opacities, width and dashes.
#[test]
fn paints_look_as_their_properties_say() {
    let page = rgb(Tone::Page);
    for paint in Paint::ALL {
        let (mut fill, mut stroke) = (None, None);
        let (mut fill_opacity, mut stroke_opacity, mut width, mut dashes) = (1.0, 1.0, 1.0, None);
        for property in paint.properties() {
            match *property {
                Property::Fill(tone) => fill = Some(rgb(tone)),
                Property::Stroke(tone) => stroke = Some(rgb(tone)),
                Property::FillOpacity(opacity) => fill_opacity = opacity,
                Property::StrokeOpacity(opacity) => stroke_opacity = opacity,
                Property::StrokeWidth(wide) => width = wide,
                Property::Dashes(lengths) => dashes = Some(lengths),
                _ => {}
            }
        }
        let mut sheet = small_sheet();
        sheet.rectangle(*paint, Area::new(10.0, 60.0, 80.0, 30.0), 0.0);
        // A line in the middle of a row of pixels.
        sheet.line(*paint, &[20.0, 80.0].map(|x| SheetPoint { x, y: 30.5 }));
        let drawing = sheet.into_drawing();
        let picture = painted(&drawing);
        let at = |x, y| pixel(&picture, drawing.area, SheetPoint { x, y });
        let expected = fill.map_or(page, |fill| on(fill, fill_opacity, page));
        assert!(alike(at(50.0, 75.0), expected), "{paint:?} {:?}", at(50.0, 75.0));
        let expected = stroke.map_or(page, |stroke| on(stroke, stroke_opacity, page));
        assert!(alike(at(23.0, 30.0), expected), "{paint:?} {:?}", at(23.0, 30.0));
        if stroke.is_none() {
            continue;
        }
        let rows = (0..50_u8).filter(|y| !alike(at(23.0, f32::from(*y)), page)).count();
        // A row at each side may be covered in part.
        let rows = f32::from(u8::try_from(rows).unwrap());
        assert!((rows - width).abs() <= 2.0, "{paint:?} {rows}");
        if let Some([dash, _]) = dashes {
            assert!(alike(at(20.0 + dash + 2.0, 30.0), page), "{paint:?}");
        }
    }
}

#[test]
fn dots_and_polygons_are_painted() {
    let [page, odd] = [Tone::Page, Tone::Odd].map(rgb);
    let dot = on(rgb(Tone::Ink), 0.75, page);
    let place = |x, y| SheetPoint { x, y };
    let mut sheet = small_sheet();
    sheet.discs(Paint::Star, &[place(10.5, 10.5), place(50.5, 10.5)], 6.0);
    sheet.dotted_lines(Paint::Star, &[[place(20.5, 40.5), place(80.5, 40.5)]], 20.0, 4.0);
    sheet.shapes(Paint::Odd, &[&[place(20.0, 60.0), place(80.0, 60.0), place(50.0, 95.0)]]);
    let drawing = sheet.into_drawing();
    let picture = painted(&drawing);
    for (x, y, colour) in [
        (10.0, 10.0, dot),
        (10.0, 15.0, dot),
        (50.0, 10.0, dot),
        (30.0, 10.0, page),
        (10.0, 18.0, page),
        (20.0, 40.0, dot),
        (40.0, 40.0, dot),
        (60.0, 43.0, dot),
        (80.0, 40.0, dot),
        (30.0, 40.0, page),
        (70.0, 40.0, page),
        (50.0, 65.0, odd),
        (50.0, 90.0, odd),
        (25.0, 62.0, odd),
        (25.0, 90.0, page),
    ] {
        let found = pixel(&picture, drawing.area, place(x, y));
        assert!(alike(found, colour), "{x} {y} {found:?}");
    }
}

/// A used die lets the ground show through.
#[test]
fn used_dice_are_painted_faded() {
    let sample = samples().into_iter().find(|sample| sample.name == "backgammon-play").unwrap();
    let drawing = sample.drawing(MAIL);
    let picture = painted(&drawing);
    let mut faded = 0;
    for shape in &drawing.shapes {
        let Shape::Group { paint: Paint::Used, shapes } = shape else { continue };
        let Some(area) = around(&shapes[0]).pop() else { panic!("a die has a shape") };
        let corner = area.within(6.0 + 5.0).at;
        let found = pixel(&picture, drawing.area, corner);
        assert!(alike(found, on(rgb(Tone::Die), 0.35, rgb(Tone::Felt))), "{found:?}");
        faded += 1;
    }
    assert_eq!(faded, 1);
}

#[test]
fn a_sheet_that_is_too_large_or_for_a_page_is_not_painted() {
    let sheet = |ink, width, height| {
        let sheet = Sheet::new(ink, Area::new(0.0, 0.0, width, height), "", false);
        sheet.into_drawing().painted(&mut PaintCache::default())
    };
    assert!(sheet(MAIL, 900.0, 1.0).is_some());
    assert!(sheet(MAIL, 901.0, 1.0).is_none() && sheet(MAIL, 1.0, 901.0).is_none());
    assert!(sheet(MAIL, f32::NAN, 1.0).is_none() && sheet(MAIL, f32::INFINITY, 1.0).is_none());
    assert!(sheet(Ink::Page, 9.0, 9.0).is_none() && sheet(Ink::Small(LIGHT), 9.0, 9.0).is_none());
}
