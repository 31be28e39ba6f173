//! The strip of a player, above or below the board.

use super::palette::Paint;
use super::shapes::{Area, SheetPoint};
use super::sheet::{Sheet, TextRun, width_of};
use super::{DrawOptions, dice};
use games::{DiceOnTable, Seat};

/// The height of a strip.
pub(super) const HEIGHT: f32 = 48.0;

/// The font size of names.
const NAME: f32 = 22.0;
/// The font size of other text.
const WORDS: f32 = 18.0;

/// A player's strip.
pub(super) struct Strip<'a> {
    pub(super) seat: Seat,
    /// The player's pips, distance or score.
    pub(super) status: String,
    /// The player's dice.
    pub(super) dice: Option<&'a DiceOnTable>,
}

impl Strip<'_> {
    /// Draws the strip centred at a height; `sign` draws one of the player's men.
    pub(super) fn draw(
        &self,
        sheet: &mut Sheet,
        options: &DrawOptions,
        y: f32,
        sign: impl FnOnce(&mut Sheet, SheetPoint),
    ) {
        let index = self.seat.index();
        let is_on_turn = options.turn == Some(self.seat);
        sign(sheet, SheetPoint { x: 20.0, y });
        let mut right = sheet.width() - 8.0;
        if let Some(thrown) = self.dice {
            let wide = dice::width(thrown);
            dice::row(sheet, SheetPoint { x: right - wide / 2.0, y }, thrown);
            right -= wide + 10.0;
        }
        let status = TextRun { paint: Paint::Words, size: WORDS, text: &self.status };
        right -= sheet.text_ending_at(SheetPoint { x: right, y }, 300.0, status) + 14.0;
        // Where there is no room, the colour of the name says it.
        let (name, to_play) = (options.names[index], "to play");
        let has_room = width_of(name, NAME) + width_of(to_play, WORDS) < right - 42.0;
        let beside = match options.beside[index] {
            "" if is_on_turn && has_room => to_play,
            beside => beside,
        };
        let [ink, soft] = if is_on_turn { [Paint::Turn; 2] } else { [Paint::Name, Paint::Beside] };
        let name = TextRun { paint: ink, size: NAME, text: name };
        let beside = TextRun { paint: soft, size: WORDS - 1.0, text: beside };
        sheet.text_starting_at(SheetPoint { x: 42.0, y }, right - 42.0, name, beside);
    }
}

/// Draws the frame of a board, with its rounded corners.
pub(super) fn frame(sheet: &mut Sheet, area: Area) {
    sheet.rectangle(Paint::Frame, area, 12.0);
}
