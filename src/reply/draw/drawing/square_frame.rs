//! The frame of a board of ranks and files: a rim with coordinates, and a player's strip above and below it.

use super::DrawOptions;
use super::player_strip;
use super::shapes::Area;
use super::sheet::Sheet;
use games::Seat;

/// The width of the rim with the coordinates.
pub(super) const RIM: f32 = 28.0;
/// The width of the other rims.
const EDGE: f32 = 8.0;
/// The width of all points.
pub(super) const BOARD: f32 = 540.0;
const WIDTH: f32 = RIM + BOARD + EDGE;
/// The upper edge of the points.
pub(super) const TOP: f32 = player_strip::HEIGHT + EDGE;

/// Builds a sheet with the frame of a board whose points have this height together. `player` draws the
/// strip of a seat, centred at a height, and `points` draws the board without men.
pub(super) fn framed(
    options: &DrawOptions,
    words: &str,
    height: f32,
    player: impl Fn(&mut Sheet, Seat, f32),
    points: impl FnOnce(&mut Sheet),
) -> Sheet {
    let frame = Area::new(0.0, TOP - EDGE, WIDTH, height + RIM + EDGE);
    let whole = TOP + height + RIM + player_strip::HEIGHT;
    let has_players = options.ink.has_players();
    let area = if has_players { Area::new(0.0, 0.0, WIDTH, whole) } else { frame };
    let mut sheet = Sheet::new(options.ink, area, words, options.marks.has_links());
    if has_players {
        let bottom = options.orientation.bottom;
        player(&mut sheet, bottom.other(), player_strip::HEIGHT / 2.0);
        player(&mut sheet, bottom, whole - player_strip::HEIGHT / 2.0);
    }
    sheet.background(|sheet| {
        player_strip::frame(sheet, frame);
        points(sheet);
    });
    sheet
}
