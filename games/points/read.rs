//! Parsing of plays in the spellings of players.

use super::board::{BAR, Board, OFF};
use super::plays::{Play, PlayState, settle};
use super::turn_rules::{RaceTurn, spot};
use super::{Landing, Numbers, Race};
use crate::kit::play_search;
use crate::kit::text::TextCursor;
use crate::kit::written_path::{self, PlaceNames};
use crate::kit::{self, MoveError, NextStep, Roll, Seat, Spot, StepsSoFar, View, make_steps};
use std::marker::PhantomData;

/// The names of a side's points, bar and off, as own points.
struct SidePlaceNames<R> {
    numbers: Numbers,
    race: PhantomData<R>,
}

impl<R> Copy for SidePlaceNames<R> {}

impl<R> Clone for SidePlaceNames<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Race> PlaceNames for SidePlaceNames<R> {
    type Place = u8;

    const SOMEWHERE: u8 = 1;

    // Without hits no man comes to the bar.
    const START: &'static str = match R::LANDING {
        Landing::Hit => "a point such as 13, or bar",
        Landing::Pin | Landing::Block => "a point such as 13",
    };
    const TARGET: &'static str = "a point such as 13 to go to, or off";
    const DIE: &'static str = "the number of a die, as in 13:2";
    const TIMES: &'static str = "a number, as in 13/11(2)";
    const REPEATED: &'static str = "x and a point, as in 2x13-11";
    const ARE_NUMBERS: bool = true;

    fn place(self, reader: &mut TextCursor, from: Option<u8>) -> Option<Result<u8, String>> {
        if reader.whole_word("bar") || reader.whole_word("b") {
            return Some(Ok(BAR));
        }
        let mut ahead = reader.clone();
        if ["home", "h", "off"].into_iter().any(|word| ahead.whole_word(word)) {
            let behind = ahead.clone();
            // No path starts there, but that error is only for text that is certainly a move.
            if from.is_some() || ahead.word("-") || ahead.word("/") {
                *reader = behind;
                return Some(Ok(OFF));
            }
            return None;
        }
        let number = reader.number()?;
        Some(match (number, from) {
            // As in match files.
            (25, None) if R::LANDING == Landing::Hit => Ok(BAR),
            (0, Some(_)) => Ok(OFF),
            (1..=24, _) => Ok(self.numbers.own(u8::try_from(number).expect("24 at most"))),
            _ => Err(format!("there is no point {number}")),
        })
    }

    fn may_stand_alone(self, place: u8) -> bool {
        place != BAR && place != OFF
    }
}

/// Finds the legal play that a text means.
#[cfg(test)]
pub(crate) fn read<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    read_by::<R>((R::NUMBERS[seat.index()], true), board, seat, roll, text)
}

/// Finds the legal play that a text means in this numbering, which a player `may_change`.
pub(crate) fn read_by<R: Race>(
    (numbers, may_change): (Numbers, bool),
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let read = understood::<R>(numbers, board, seat, roll, text);
    let [own, of_board] = [R::NUMBERS[0], R::NUMBERS[seat.index()]];
    let other = if numbers == own { of_board } else { own };
    // Where men are hit, books number each side's points down to 1.
    if R::LANDING == Landing::Hit
        && numbers != other
        && let Err(MoveError::Illegal(why)) = &read
        && let Ok(play) = understood::<R>(other, board, seat, roll, text)
    {
        let play = play.by(numbers);
        let (count, setting) = if numbers == own {
            (
                "you count the points from your own side",
                "with the setting `numbers board` you write them as O does",
            )
        } else {
            (
                "both sides number the points alike",
                "with the setting `numbers mine` you count them from your own side",
            )
        };
        let setting = if may_change { format!("; {setting}") } else { String::new() };
        return Err(MoveError::Illegal(format!("{why}; {count}, so that is {play} here{setting}")));
    }
    read.map(|play| play.by(R::NUMBERS[seat.index()]))
}

/// Returns whether a text spells a play, legal or not. The numbering does not matter.
pub(crate) fn can_read<R: Race>(seat: Seat, roll: Option<Roll>, text: &str) -> bool {
    let numbers = R::NUMBERS[seat.index()];
    written_path::are_spelled(SidePlaceNames::<R> { numbers, race: PhantomData }, text, roll)
}

/// Reads a text in this numbering.
fn understood<R: Race>(
    numbers: Numbers,
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let names = SidePlaceNames::<R> { numbers, race: PhantomData };
    written_path::read(names, text, roll, |paths| {
        let rules = RaceTurn::<R>::new(numbers, board, seat, roll.ok_or_else(not_thrown)?);
        play_search::find_play(&rules, rules.completed(paths))
    })
}

/// Parses a recorded play.
pub(crate) fn read_recorded<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let numbers = R::NUMBERS[seat.index()];
    let paths =
        written_path::read_recorded(SidePlaceNames::<R> { numbers, race: PhantomData }, text)?;
    let rules = RaceTurn::<R>::new(numbers, board, seat, roll.ok_or_else(not_thrown)?);
    play_search::read_recorded(&rules, rules.completed(paths), text)
}

/// Makes the steps in a viewer's notation and returns the board after them.
pub(crate) fn partial_move<R: Race>(
    view: &View,
    board: &Board,
    seat: Seat,
    roll: Roll,
    steps: &[&str],
) -> Result<(Board, StepsSoFar<PlayState>), MoveError> {
    let making = make_steps(&RaceTurn::<R>::seen(view, board, seat, roll), steps)?;
    let mut after = *board;
    settle::<R>(&mut after, seat, &making.at);
    Ok((after, making))
}

/// Returns the steps that can begin a play, in a viewer's notation.
pub(crate) fn first_steps<R: Race>(
    view: &View,
    board: &Board,
    seat: Seat,
    roll: Roll,
) -> Vec<NextStep> {
    kit::first_steps(&RaceTurn::<R>::seen(view, board, seat, roll))
}

/// Returns the men's paths in a recorded move, numbered as written.
pub(crate) fn paths<R: Race>(text: &str) -> Vec<Vec<Spot>> {
    let [numbers, _] = R::NUMBERS;
    let ways =
        written_path::paths(SidePlaceNames::<R> { numbers, race: PhantomData }, text).into_iter();
    ways.map(|way| way.into_iter().map(|place| spot(numbers, place)).collect()).collect()
}

fn not_thrown() -> MoveError {
    MoveError::Illegal("the dice are not rolled yet: send `roll`".into())
}
