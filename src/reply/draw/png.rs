//! A drawing as a PNG, for mails.

use super::svg::{Ink, Look, Theme, svg};
use games::Diagram;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The most pixels that a picture is wide or high, whatever a drawing asks for. One of ours has a pixel
/// for each of its units: enough for the narrow screen of a phone and for half a desk; and men that
/// stand at whole steps from each other are the same pixels again, which makes a small file.
const MOST: u32 = 900;

/// How a mail's pictures are coloured: mails are light, and a program with a dark mode leaves
/// pictures as they are.
pub const INK: Ink = Ink::Mail(Theme::Light);

/// Draws a position as a PNG; nothing where it cannot be drawn.
pub fn png(diagram: &Diagram, look: &Look) -> Option<Vec<u8>> {
    painted(&svg(diagram, &Look { ink: INK, ..*look }))
}

/// A drawing that was made for a mail, as a PNG.
pub fn painted(drawing: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(drawing, &OPTIONS).ok()?;
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
    let (colours, pixels) = with_palette(sheet);
    let mut bytes = Vec::with_capacity(32 * 1024);
    let mut encoder = png::Encoder::new(&mut bytes, sheet.width(), sheet.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(colours.concat());
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header().ok()?.write_image_data(&pixels).ok()?;
    Some(bytes)
}

/// Red, green and blue.
type Colour = [u8; 3];

/// The colours of a palette: so many that nobody sees where two are one.
const COLOURS: usize = 64;

/// The commonest colours, and for each pixel which of them is next to its own. The sheet has no pixel
/// through which anything could be seen.
fn with_palette(sheet: &Pixmap) -> (Vec<Colour>, Vec<u8>) {
    let (runs, counts) = runs(sheet);
    let mut commonest: Vec<(usize, Colour)> =
        counts.iter().map(|(colour, count)| (*count, *colour)).collect();
    commonest.sort_unstable_by_key(|(count, colour)| (Reverse(*count), *colour));
    let palette: Vec<Colour> = commonest.iter().take(COLOURS).map(|(_, colour)| *colour).collect();
    let next_to: HashMap<Colour, u8> =
        commonest.iter().map(|(_, colour)| (*colour, nearest(&palette, *colour))).collect();
    let mut pixels = Vec::with_capacity(sheet.data().len() / 4);
    for (colour, length) in runs {
        pixels.resize(pixels.len() + length, next_to[&colour]);
    }
    (palette, pixels)
}

/// The colours of a sheet one behind the other, each with the pixels that have it, and of how many
/// pixels each is.
fn runs(sheet: &Pixmap) -> (Vec<(Colour, usize)>, HashMap<Colour, usize>) {
    let mut runs: Vec<(Colour, usize)> = Vec::new();
    let mut counts: HashMap<Colour, usize> = HashMap::new();
    let mut rest = sheet.data();
    while let [red, green, blue, _, ..] = *rest {
        let of_run = [red, green, blue, u8::MAX];
        // As far as it goes on, many bytes looked at together.
        let mut length = 4;
        while rest.get(length..length + 4) == Some(&of_run[..]) {
            length += 4;
        }
        runs.push(([red, green, blue], length / 4));
        *counts.entry([red, green, blue]).or_default() += length / 4;
        rest = &rest[length..];
    }
    (runs, counts)
}

/// The place of the colour of a palette that differs least from another one.
fn nearest(palette: &[Colour], colour: Colour) -> u8 {
    let apart = |other: &Colour| -> u32 {
        other.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let places = (0..).zip(palette);
    places.min_by_key(|(_, other)| apart(other)).map_or(0, |(place, _)| place)
}

/// The letters of names and figures are ours: those of the machine are never looked for.
static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut letters = fontdb::Database::new();
    letters.load_font_data(include_bytes!("font/regular.ttf").to_vec());
    letters.load_font_data(include_bytes!("font/bold.ttf").to_vec());
    letters.set_sans_serif_family("Inter");
    Options { font_family: "Inter".into(), fontdb: Arc::new(letters), ..Options::default() }
});
