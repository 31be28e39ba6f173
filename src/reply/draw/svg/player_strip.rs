//! The line of a player, above or below the board.

use super::palette::Paint;
use super::sheet::{Area, SheetPoint, SvgSheet, width_of};
use super::{DrawOptions, dice};
use games::{DiceOnTable, Seat};

/// How high such a line is.
pub(super) const HEIGHT: f32 = 48.0;

/// The size of names, and of what is beside them.
const NAME: f32 = 22.0;
const WORDS: f32 = 18.0;

/// A player's line.
pub(super) struct Strip<'a> {
    /// Whose it is.
    pub(super) seat: Seat,
    /// What the board says of the player: pips, distance, score.
    pub(super) says: String,
    /// Dice that lie there.
    pub(super) dice: Option<&'a DiceOnTable>,
}

impl Strip<'_> {
    /// Draws the line with its middle at this height; `sign` is what the player's men look like.
    pub(super) fn draw(
        &self,
        sheet: &mut SvgSheet,
        look: &DrawOptions,
        y: f32,
        sign: impl FnOnce(&mut SvgSheet, SheetPoint),
    ) {
        let index = self.seat.index();
        let is_on_turn = look.turn == Some(self.seat);
        sign(sheet, SheetPoint { x: 20.0, y });
        let mut right = sheet.width() - 8.0;
        if let Some(thrown) = self.dice {
            let wide = dice::width(thrown);
            dice::row(sheet, SheetPoint { x: right - wide / 2.0, y }, thrown);
            right -= wide + 10.0;
        }
        let says = (Paint::Words, WORDS, &*self.says);
        right -= sheet.words_to(SheetPoint { x: right, y }, 300.0, says) + 14.0;
        // Where it would be cut the colour of the name says it.
        let (name, to_play) = (look.names[index], "to play");
        let has_room = width_of(name, NAME) + width_of(to_play, WORDS) < right - 42.0;
        let beside = match look.beside[index] {
            "" if is_on_turn && has_room => to_play,
            beside => beside,
        };
        let [ink, soft] = if is_on_turn { [Paint::Turn; 2] } else { [Paint::Name, Paint::Beside] };
        let words = [(ink, NAME, name), (soft, WORDS - 1.0, beside)];
        sheet.words_from(SheetPoint { x: 42.0, y }, right - 42.0, words);
    }
}

/// Draws the frame of a board, with its rounded corners.
pub(super) fn frame(sheet: &mut SvgSheet, area: Area) {
    sheet.box_of(Paint::Frame, area, 12.0);
}
