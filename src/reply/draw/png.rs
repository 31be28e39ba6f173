//! Drawings as PNG pictures, for mails.

use super::svg::{DrawOptions, Ink, Theme, svg};
use games::Diagram;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::collections::HashMap;

/// The most pixels of a picture's width or height. A picture has one pixel for each unit of the drawing:
/// enough for a phone. Since men are whole units apart, their pixels repeat, so the file is small.
const MAX_SIDE: u32 = 900;

/// The colours of pictures in mails: mails are light, and mail programs with a dark mode do not change
/// pictures.
pub const INK: Ink = Ink::Mail(Theme::Light);

/// Draws a position as a PNG. Returns nothing if it cannot be drawn.
pub fn png(diagram: &Diagram, options: &DrawOptions) -> Option<Vec<u8>> {
    render(&svg(diagram, &DrawOptions { ink: INK, ..*options }))
}

/// Renders a drawing for mails as a PNG. Returns nothing if it cannot be rendered.
pub fn render(drawing: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(drawing, &Options::default()).ok()?;
    let size = tree.size().to_int_size();
    if size.width().max(size.height()) > MAX_SIDE {
        return None;
    }
    let mut sheet = Pixmap::new(size.width(), size.height())?;
    resvg::render(&tree, Transform::identity(), &mut sheet.as_mut());
    encode(&sheet)
}

/// Encodes a picture with a palette. A board has few colours and some shades of them at edges, so the
/// file is a quarter of the size.
fn encode(sheet: &Pixmap) -> Option<Vec<u8>> {
    let (mut shades, runs) = shades(sheet);
    let palette = palette(&mut shades);
    let mut pixels = Vec::with_capacity(sheet.data().len() / 4);
    for run in runs {
        pixels.resize(pixels.len() + run.pixels, shades[run.shade].nearest);
    }
    let mut bytes = Vec::with_capacity(32 * 1024);
    let mut encoder = png::Encoder::new(&mut bytes, sheet.width(), sheet.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header().ok()?.write_image_data(&pixels).ok()?;
    Some(bytes)
}

/// Red, green and blue.
type Rgb = [u8; 3];

/// The colours of a palette: enough that merged shades are not visible.
const MAX_COLOURS: u8 = 32;

/// A colour of a picture.
struct Shade {
    colour: Rgb,
    /// The number of pixels with the colour.
    pixels: u64,
    /// The nearest colour of the palette.
    nearest: u8,
    /// The distance to the nearest colour.
    distance: u64,
}

/// A run of pixels of one colour.
struct Run {
    /// The index of the colour.
    shade: usize,
    pixels: usize,
}

/// Returns the colours of an opaque picture, and its runs of pixels.
fn shades(sheet: &Pixmap) -> (Vec<Shade>, Vec<Run>) {
    let (mut shades, mut runs) = (Vec::new(), Vec::new());
    let mut places: HashMap<Rgb, usize> = HashMap::new();
    let mut rest = sheet.data();
    while let [red, green, blue, _, ..] = *rest {
        let pixel = [red, green, blue, u8::MAX];
        let mut bytes = pixel.len();
        while rest.get(bytes..bytes + pixel.len()) == Some(&pixel[..]) {
            bytes += pixel.len();
        }
        let (colour, length) = ([red, green, blue], bytes / pixel.len());
        let place = *places.entry(colour).or_insert_with(|| {
            shades.push(Shade { colour, pixels: 0, nearest: 0, distance: u64::from(u32::MAX) });
            shades.len() - 1
        });
        shades[place].pixels += length as u64;
        runs.push(Run { shade: place, pixels: length });
        rest = &rest[bytes..];
    }
    (shades, runs)
}

/// Returns the palette. Each colour is the one with the greatest total distance so far: one of many
/// pixels, or one unlike all others, such as the highlight of a single man.
fn palette(shades: &mut [Shade]) -> Vec<Rgb> {
    let mut palette = Vec::new();
    for place in 0..MAX_COLOURS {
        let most = shades.iter().max_by_key(|shade| shade.pixels * shade.distance);
        let Some(&Shade { colour, distance: 1.., .. }) = most else { break };
        palette.push(colour);
        for shade in shades.iter_mut() {
            let distance = distance_of(shade.colour, colour);
            if distance < shade.distance {
                (shade.nearest, shade.distance) = (place, distance);
            }
        }
    }
    palette
}

/// Returns the squared distance of two colours.
fn distance_of(one: Rgb, other: Rgb) -> u64 {
    one.iter().zip(other).map(|(one, other)| u64::from(one.abs_diff(other)).pow(2)).sum()
}
