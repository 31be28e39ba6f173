//! A drawing as a PNG, for mails.

use super::svg::{DrawOptions, Ink, Theme, svg};
use games::Diagram;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::collections::HashMap;

/// The most pixels that a picture is wide or high, whatever a drawing asks for. One of ours has a
/// pixel for each of its units: enough for the narrow screen of a phone and for half a desk; and
/// men that are at whole steps from each other are the same pixels again, which makes a small file.
const MOST: u32 = 900;

/// How a mail's pictures are coloured: mails are light, and a program with a dark mode leaves
/// pictures as they are.
pub const INK: Ink = Ink::Mail(Theme::Light);

/// Draws a position as a PNG; nothing where it cannot be drawn.
pub fn png(diagram: &Diagram, look: &DrawOptions) -> Option<Vec<u8>> {
    painted(&svg(diagram, &DrawOptions { ink: INK, ..*look }))
}

/// A drawing that was made for a mail, as a PNG.
pub fn painted(drawing: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(drawing, &Options::default()).ok()?;
    let size = tree.size().to_int_size();
    if size.width().max(size.height()) > MOST {
        return None;
    }
    let mut sheet = Pixmap::new(size.width(), size.height())?;
    resvg::render(&tree, Transform::identity(), &mut sheet.as_mut());
    encoded(&sheet)
}

/// A board has few colours, and shades of them where shapes end: with a palette it is a quarter as
/// large.
fn encoded(sheet: &Pixmap) -> Option<Vec<u8>> {
    let (mut shades, runs) = shades(sheet);
    let palette = palette(&mut shades);
    let mut pixels = Vec::with_capacity(sheet.data().len() / 4);
    for (shade, length) in runs {
        pixels.resize(pixels.len() + length, shades[shade].nearest);
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

/// The most colours of a palette: so many that nobody sees where two are one.
const COLOURS: u8 = 32;

/// A colour that a sheet has.
struct Shade {
    colour: Rgb,
    /// How many pixels have it.
    pixels: u64,
    /// Which colour of the palette is next to it, and how much that differs.
    nearest: u8,
    amiss: u64,
}

/// The colours of a sheet, and its runs of pixels of one colour: which of them, and how many pixels.
/// The sheet has no pixel through which anything could be seen.
fn shades(sheet: &Pixmap) -> (Vec<Shade>, Vec<(usize, usize)>) {
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
            shades.push(Shade { colour, pixels: 0, nearest: 0, amiss: u64::from(u32::MAX) });
            shades.len() - 1
        });
        shades[place].pixels += length as u64;
        runs.push((place, length));
        rest = &rest[bytes..];
    }
    (shades, runs)
}

/// The colours that replace all. Each is the one that was missed most before it came: one that many
/// pixels have, or one like no other, such as the mark of a single man.
fn palette(shades: &mut [Shade]) -> Vec<Rgb> {
    let mut palette = Vec::new();
    for place in 0..COLOURS {
        let most = shades.iter().max_by_key(|shade| shade.pixels * shade.amiss);
        let Some(&Shade { colour, amiss: 1.., .. }) = most else { break };
        palette.push(colour);
        for shade in shades.iter_mut() {
            let apart = apart(shade.colour, colour);
            if apart < shade.amiss {
                (shade.nearest, shade.amiss) = (place, apart);
            }
        }
    }
    palette
}

/// How much two colours differ.
fn apart(one: Rgb, other: Rgb) -> u64 {
    one.iter().zip(other).map(|(one, other)| u64::from(one.abs_diff(other)).pow(2)).sum()
}
