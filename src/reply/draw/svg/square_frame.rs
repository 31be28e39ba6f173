//! The frame of a square board: a rim with its letters and figures, and a player's line above and
//! below it.

use super::DrawOptions;
use super::player_strip;
use super::sheet::{Area, SvgSheet};
use games::Seat;

/// The rim with the letters and figures.
pub(super) const RIM: f32 = 28.0;
/// The rim on the right.
const EDGE: f32 = 8.0;
/// How wide the points are together.
pub(super) const BOARD: f32 = 540.0;
const WIDTH: f32 = RIM + BOARD + EDGE;
/// The upper edge of the points.
pub(super) const TOP: f32 = player_strip::HEIGHT + EDGE;
const HEIGHT: f32 = TOP + BOARD + RIM + player_strip::HEIGHT;

/// A sheet with the frame. `player` draws the line of a seat, with its middle at that height.
pub(super) fn framed(
    look: &DrawOptions,
    words: &str,
    player: impl Fn(&mut SvgSheet, Seat, f32),
) -> SvgSheet {
    let frame = Area::new(0.0, TOP - EDGE, WIDTH, BOARD + RIM + EDGE);
    let has_players = look.ink.has_players();
    let area = if has_players { Area::new(0.0, 0.0, WIDTH, HEIGHT) } else { frame };
    let mut sheet = SvgSheet::new(look.ink, area, words, look.marks.is_pressed());
    if has_players {
        player(&mut sheet, Seat(1), player_strip::HEIGHT / 2.0);
        player(&mut sheet, Seat(0), HEIGHT - player_strip::HEIGHT / 2.0);
    }
    player_strip::frame(&mut sheet, frame);
    sheet
}
