//! Reads the words of players as plays.

use super::board::{BAR, Board, OFF};
use super::ground::{Ground, spot};
use super::plays::{Play, Stand, settle};
use super::{Landing, Numbers, Race};
use crate::kit::journey::{self, PlaceNames};
use crate::kit::march;
use crate::kit::text::TextCursor;
use crate::kit::{self, MoveError, NextStep, PartialPlay, Roll, Seat, Spot, View, making};
use std::marker::PhantomData;

/// How a side writes points, the bar and off, which are own points here.
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

    // Nobody comes to the bar where nobody is hit.
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
            // Nothing comes from there; but that is told only of what is no English.
            if from.is_some() || ahead.word("-") || ahead.word("/") {
                *reader = behind;
                return Some(Ok(OFF));
            }
            return None;
        }
        let number = reader.number()?;
        Some(match (number, from) {
            // As files of matches have it.
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

/// The legal play that a text means.
pub(crate) fn read<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    read_by::<R>(R::NUMBERS[seat.index()], board, seat, roll, text)
}

/// The same where points are written by those numbers.
pub(crate) fn read_by<R: Race>(
    numbers: Numbers,
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let read = understood::<R>(numbers, board, seat, roll, text);
    let [own, of_board] = [R::NUMBERS[0], R::NUMBERS[seat.index()]];
    let other = if numbers == own { of_board } else { own };
    // Where men are hit, books number the points of either side down to 1.
    if R::LANDING == Landing::Hit
        && numbers != other
        && let Err(MoveError::Illegal(why)) = &read
        && let Ok(play) = understood::<R>(other, board, seat, roll, text)
    {
        let play = play.by(numbers);
        let here = if numbers == own {
            format!(
                "you count the points from your own side, so that is {play} here; with the setting \
                 `numbers board` you write them as O does"
            )
        } else {
            format!(
                "both sides number the points alike, so that is {play} here; with the setting \
                 `numbers mine` you count them from your own side"
            )
        };
        return Err(MoveError::Illegal(format!("{why}; {here}")));
    }
    read.map(|play| play.by(R::NUMBERS[seat.index()]))
}

/// Whether a text spells a play, legal or not: whose points are numbered how makes no difference.
pub(crate) fn spells<R: Race>(seat: Seat, roll: Option<Roll>, text: &str) -> bool {
    let numbers = R::NUMBERS[seat.index()];
    journey::are_spelled(SidePlaceNames::<R> { numbers, race: PhantomData }, text, roll)
}

/// The legal play that a text means by those numbers of points.
fn understood<R: Race>(
    numbers: Numbers,
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let names = SidePlaceNames::<R> { numbers, race: PhantomData };
    journey::read(names, text, roll, |journeys| {
        let ground = Ground::<R>::new(numbers, board, seat, roll.ok_or_else(not_thrown)?);
        march::meant_by(&ground, ground.completed(journeys))
    })
}

/// The play that a record wrote as `text`.
pub(crate) fn recall<R: Race>(
    board: &Board,
    seat: Seat,
    roll: Option<Roll>,
    text: &str,
) -> Result<Play, MoveError> {
    let numbers = R::NUMBERS[seat.index()];
    let journeys = journey::recalled(SidePlaceNames::<R> { numbers, race: PhantomData }, text)?;
    let ground = Ground::<R>::new(numbers, board, seat, roll.ok_or_else(not_thrown)?);
    march::recalled(&ground, ground.completed(journeys), text)
}

/// The play that these steps begin, as that viewer writes them, and the board they come to.
pub(crate) fn begun<R: Race>(
    view: &View,
    board: &Board,
    seat: Seat,
    roll: Roll,
    steps: &[&str],
) -> Result<(Board, PartialPlay<Stand>), MoveError> {
    let making = making(&Ground::<R>::seen(view, board, seat, roll), steps)?;
    let mut after = *board;
    settle::<R>(&mut after, seat, &making.at);
    Ok((after, making))
}

/// The steps with which a play can begin, as that viewer writes them.
pub(crate) fn first_steps<R: Race>(
    view: &View,
    board: &Board,
    seat: Seat,
    roll: Roll,
) -> Vec<NextStep> {
    kit::first_steps(&Ground::<R>::seen(view, board, seat, roll))
}

/// The ways of men that a record wrote as `text`: the number that is written names the place.
pub(crate) fn ways<R: Race>(text: &str) -> Vec<Vec<Spot>> {
    let [numbers, _] = R::NUMBERS;
    let ways = journey::ways(SidePlaceNames::<R> { numbers, race: PhantomData }, text).into_iter();
    ways.map(|way| way.into_iter().map(|place| spot(numbers, place)).collect()).collect()
}

fn not_thrown() -> MoveError {
    MoveError::Illegal("the dice are not rolled yet: say `roll`".into())
}
