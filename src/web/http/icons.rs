//! The icons of the installed app: PNGs drawn from the icon of the site, for systems that take no SVG.

use super::assets::Asset;
use crate::reply::draw::png;
use std::sync::LazyLock;

/// The icon of the site.
pub(crate) const SVG: &str = include_str!("../assets/icon.svg");

/// The start of the icon, and the start of its background. The rest is the same in all pictures.
const FRAME: &str = "viewBox=\"0 0 32 32\"";
const BACKGROUND: &str = "<rect width=\"32\" height=\"32\" rx=\"6\"";

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
        let picture = png::render(&drawing(side, is_maskable)).unwrap_or_default();
        Icon { asset: Asset::new(name, "png", "image/png", picture), side, is_maskable }
    };
    [icon("icon-192", 192, false), icon("icon-512", 512, false), icon("icon-mask", 512, true)]
});

/// Returns the icons as static files.
pub(crate) fn pictures() -> impl Iterator<Item = &'static Asset> {
    ICONS.iter().map(|icon| &icon.asset)
}

/// Returns the drawing of an icon. Its background fills the square, since systems round corners
/// themselves. In a maskable icon, everything is within a circle of 80 % of the width.
fn drawing(side: u32, is_maskable: bool) -> String {
    let area = if is_maskable { "-3 -3 38 38" } else { "0 0 32 32" };
    let frame = format!("width=\"{side}\" height=\"{side}\" viewBox=\"{area}\"");
    let background = "<rect x=\"-3\" y=\"-3\" width=\"38\" height=\"38\"";
    SVG.replacen(FRAME, &frame, 1).replacen(BACKGROUND, background, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_are_drawn_from_the_icon_of_the_site() {
        assert!(SVG.contains(FRAME) && SVG.contains(BACKGROUND));
        for icon in &*ICONS {
            let decoder = ::png::Decoder::new(std::io::Cursor::new(icon.asset.content()));
            let mut reader = decoder.read_info().unwrap();
            assert_eq!((reader.info().width, reader.info().height), (icon.side, icon.side));
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            let palette = reader.info().palette.clone().unwrap();
            let colour = |index: usize| &palette[3 * usize::from(pixels[index])..][..3];
            let side = usize::try_from(icon.side).unwrap();
            for corner in [0, side - 1, side * (side - 1), side * side - 1] {
                assert_eq!(colour(corner), [0x2a, 0x4d, 0x49], "no corner is transparent");
            }
            let discs = (0..pixels.len()).filter(|index| colour(*index) == [0xd9, 0x8a, 0x3d]);
            assert!(discs.count() > side * side / 20);
        }
    }
}
