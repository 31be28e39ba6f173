//! The icons of the installed app: PNGs that show the icon of the site, for systems that take no SVG.

use super::assets::Asset;
use crate::reply::draw::png;
use std::sync::LazyLock;
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Transform};

/// The width and height of the icon's drawing.
const SIDE: f32 = 32.0;
/// The colour of the background.
const BACKGROUND: Rgb = [0x2a, 0x4d, 0x49];
/// The discs of the icon, the lowest first.
const DISCS: [Disc; 2] = [
    Disc { x: 12.0, y: 20.0, colour: [0xf4, 0xef, 0xe4] },
    Disc { x: 21.0, y: 12.0, colour: [0xd9, 0x8a, 0x3d] },
];
/// The radius of a disc.
const RADIUS: f32 = 7.0;

/// Red, green and blue.
type Rgb = [u8; 3];

/// A disc of the icon.
struct Disc {
    x: f32,
    y: f32,
    colour: Rgb,
}

/// An icon as a PNG.
#[derive(Debug)]
pub(crate) struct Icon {
    pub(crate) asset: Asset,
    /// The width and height in pixels.
    pub(crate) side: u32,
    /// Whether the system may cut the icon to a shape of its own.
    pub(crate) is_maskable: bool,
}

/// The icons as PNGs.
pub(crate) static ICONS: LazyLock<[Icon; 3]> = LazyLock::new(|| {
    let icon = |name: &str, side, is_maskable| {
        let picture = paint(side, is_maskable).unwrap_or_default();
        Icon { asset: Asset::new(name, "png", "image/png", picture), side, is_maskable }
    };
    [icon("icon-192", 192, false), icon("icon-512", 512, false), icon("icon-mask", 512, true)]
});

/// Returns the icons as static files.
pub(crate) fn pictures() -> impl Iterator<Item = &'static Asset> {
    ICONS.iter().map(|icon| &icon.asset)
}

/// Paints an icon as a PNG. Its background fills the square, since systems round corners themselves. In a maskable
/// icon, everything is within a circle of 80 % of the width.
fn paint(side: u32, is_maskable: bool) -> Option<Vec<u8>> {
    let colour = |[red, green, blue]: Rgb| Color::from_rgba8(red, green, blue, u8::MAX);
    let mut icon = Pixmap::new(side, side)?;
    icon.fill(colour(BACKGROUND));
    let margin = if is_maskable { 3.0 } else { 0.0 };
    #[expect(clippy::cast_precision_loss, reason = "an icon has a few hundred pixels")]
    let scale = side as f32 / (SIDE + 2.0 * margin);
    let to_pixels = Transform::from_translate(margin, margin).post_scale(scale, scale);
    for Disc { x, y, colour: rgb } in DISCS {
        let mut brush = Paint::default();
        brush.set_color(colour(rgb));
        let disc = PathBuilder::from_circle(x, y, RADIUS)?;
        icon.fill_path(&disc, &brush, FillRule::Winding, to_pixels, None);
    }
    png::encode(&icon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn icons_show_the_icon_of_the_site() {
        let mut drawing = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\">\
             <rect width=\"32\" height=\"32\" rx=\"6\" fill=\"#2a4d49\"/>",
        );
        for Disc { x, y, colour: [red, green, blue] } in DISCS {
            let colour = format!("#{red:02x}{green:02x}{blue:02x}");
            let _ =
                write!(drawing, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{colour}\"/>");
        }
        assert_eq!(include_str!("../assets/icon.svg").trim_end(), drawing + "</svg>");
        for icon in &*ICONS {
            let mut decoder = ::png::Decoder::new(std::io::Cursor::new(icon.asset.content()));
            decoder.set_transformations(::png::Transformations::EXPAND);
            let mut reader = decoder.read_info().unwrap();
            assert_eq!((reader.info().width, reader.info().height), (icon.side, icon.side));
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            let colour = |index: usize| &pixels[3 * index..][..3];
            let side = usize::try_from(icon.side).unwrap();
            for corner in [0, side - 1, side * (side - 1), side * side - 1] {
                assert_eq!(colour(corner), BACKGROUND, "no corner is transparent");
            }
            let discs = (0..side * side).filter(|index| colour(*index) == [0xd9, 0x8a, 0x3d]);
            assert!(discs.count() > side * side / 20);
        }
    }
}
