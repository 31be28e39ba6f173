//! Drawings as PNG pictures, for mails.

use super::drawing::{Drawing, Ink, PaintCache, Theme};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tiny_skia::Pixmap;

/// The colours of pictures in mails: mails are light, and mail programs with a dark mode do not change
/// pictures.
pub const INK: Ink = Ink::Mail(Theme::Light);

/// Paints a drawing for a mail as a PNG. Returns nothing if it is too large.
pub fn png(drawing: &Drawing, cache: &mut PaintCache) -> Option<Vec<u8>> {
    encode(&drawing.painted(cache)?)
}

/// Encodes an opaque picture with a palette: a board has few colours, and some shades of them at edges.
pub fn encode(sheet: &Pixmap) -> Option<Vec<u8>> {
    let [width, height] = [sheet.width(), sheet.height()].map(usize::try_from);
    let (width, height) = (width.ok()?, height.ok()?);
    let (mut shades, runs) = shades(sheet, width);
    let palette = palette(&mut shades);
    let mut pixels = vec![0; width.div_ceil(2) * height];
    let mut runs = runs.into_iter();
    for row in pixels.chunks_exact_mut(width.div_ceil(2)) {
        let mut from = 0;
        while from < width {
            let run = runs.next()?;
            fill(row, from..from + run.pixels, shades[run.shade].nearest);
            from += run.pixels;
        }
    }
    let mut bytes = Vec::with_capacity(32 * 1024);
    let mut encoder = png::Encoder::new(&mut bytes, sheet.width(), sheet.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Four);
    encoder.set_palette(palette.concat());
    encoder.set_deflate_compression(COMPRESSION);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header().ok()?.write_image_data(&pixels).ok()?;
    Some(bytes)
}

/// Gives some pixels of a row of zeros a colour of the palette. A byte is two pixels, the left one in its
/// upper half.
fn fill(row: &mut [u8], pixels: Range<usize>, colour: u8) {
    let Range { start, end } = pixels;
    row[start.div_ceil(2)..(end / 2).max(start.div_ceil(2))].fill(colour << 4 | colour);
    if !start.is_multiple_of(2) {
        row[start / 2] |= colour;
    }
    if !end.is_multiple_of(2) {
        row[end / 2] |= colour << 4;
    }
}

/// Red, green and blue.
type Rgb = [u8; 3];

/// The colours of a palette: as many as four bits can tell apart, and enough that merged shades are hardly
/// visible. With twice as many, a file is a third larger and takes twice the time.
const MAX_COLOURS: u8 = 16;

/// A level that takes half the time of the usual one, for files that are a fifth larger.
const COMPRESSION: png::DeflateCompression = png::DeflateCompression::Level(2);

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

/// Pixels of one colour side by side.
struct Run {
    /// The index of the colour.
    shade: usize,
    pixels: usize,
}

/// Returns the colours of an opaque picture, and the runs of pixels of each row.
fn shades(sheet: &Pixmap, width: usize) -> (Vec<Shade>, Vec<Run>) {
    let (pixels, _) = sheet.data().as_chunks::<4>();
    let mut shades = Vec::new();
    // Growing would copy the runs again and again.
    let mut runs = Vec::with_capacity(pixels.len() / 8);
    let mut indexes: FxHashMap<u32, usize> = FxHashMap::default();
    for row in pixels.chunks(width) {
        for run in row.chunk_by(PartialEq::eq) {
            let [red, green, blue, _] = run[0];
            let shade = *indexes.entry(u32::from_ne_bytes(run[0])).or_insert_with(|| {
                let colour = [red, green, blue];
                shades.push(Shade { colour, pixels: 0, nearest: 0, distance: u64::from(u32::MAX) });
                shades.len() - 1
            });
            shades[shade].pixels += run.len() as u64;
            runs.push(Run { shade, pixels: run.len() });
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::Color;

    /// Each pixel is read back as it was, with even and odd widths and runs that go on in the next row.
    #[test]
    fn a_picture_of_few_colours_is_kept() {
        for width in [1, 2, 5, 8] {
            for seed in 1..40_usize {
                let mut sheet = Pixmap::new(width, 7).unwrap();
                sheet.fill(Color::BLACK);
                let colours: Vec<Rgb> = (0..7 * width as usize)
                    .map(|at| [0, 255, 80, 90].map(|it| [it, it / 2, 255 - it])[at * at / seed % 4])
                    .collect();
                for (pixel, [red, green, blue]) in sheet.pixels_mut().iter_mut().zip(&colours) {
                    *pixel =
                        Color::from_rgba8(*red, *green, *blue, 255).premultiply().to_color_u8();
                }
                let bytes = encode(&sheet).unwrap();
                let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
                decoder.set_transformations(png::Transformations::EXPAND);
                let mut reader = decoder.read_info().unwrap();
                let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
                reader.next_frame(&mut pixels).unwrap();
                assert_eq!(pixels, colours.concat(), "{width} {seed}");
            }
        }
    }
}
