//! A position as one line of text: `O 23 a8=OO e3=X e5=OO h5=X`.

use super::board::Stack;
use super::geometry::{Geometry, Point};
use super::{CorridorTable, Phase, Position, Variant};
use crate::kit::{Choices, Roll, Seat, Throw};
use std::marker::PhantomData;

/// The largest number of a side's men in any game of the family.
const MOST_MEN: u32 = 24;

impl<V: Variant> Position<V> {
    pub(super) fn to_notation(&self) -> String {
        let roll = self.roll_to_play().map_or_else(|| "-".to_owned(), |roll| roll.to_string());
        let place = |point| {
            let stack = self.table.board.stack(point);
            let holder = stack.holder()?;
            let pinned = if stack.pins() { letter(holder.other()) } else { "" };
            let men = letter(holder).repeat(usize::from(stack.men()));
            Some(format!("{point}={pinned}{men}"))
        };
        let head = [letter(self.seat).to_owned(), roll];
        let places = self.table.geometry().points().filter_map(place);
        head.into_iter().chain(places).collect::<Vec<_>>().join(" ")
    }

    /// Parses a line. With dice, they must be played next; without dice, the other side has just
    /// made a complete play, or the game begins.
    pub(super) fn from_notation(options: &Choices, line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let seat = side(words.next().unwrap_or_default())?;
        let mut table = CorridorTable::empty(options);
        let roll = dice(words.next().unwrap_or_default(), table.faces)?;
        for word in words {
            let (point, stack) = place(table.geometry(), word)?;
            if !table.board.stack(point).is_empty() {
                return Err(format!("{point} is named twice"));
            }
            table.board.put(point, stack);
        }
        for side in Seat::BOTH {
            if table.board.men(side) > MOST_MEN {
                return Err(format!("{} has more than {MOST_MEN} men", letter(side)));
            }
        }
        let waits_for = |phase| Self { table: table.clone(), seat, phase, variant: PhantomData };
        let start = CorridorTable::set_up(options);
        Ok(match roll {
            Some(roll) => waits_for(Phase::Play(roll.lower_first())),
            None if seat == Seat(0) && table == start => waits_for(Phase::Throw(1)),
            None => Self::after_play(table, seat.other()),
        })
    }
}

fn letter(seat: Seat) -> &'static str {
    ["O", "X"][seat.index()]
}

fn side(word: &str) -> Result<Seat, String> {
    Seat::BOTH
        .into_iter()
        .find(|&seat| word.eq_ignore_ascii_case(letter(seat)))
        .ok_or_else(|| format!("the first word must be the side to move, O or X, not `{word}`"))
}

fn dice(word: &str, faces: u8) -> Result<Option<Roll>, String> {
    if word == "-" {
        return Ok(None);
    }
    word.parse::<Roll>()
        .ok()
        .filter(|roll| [1, 2].into_iter().any(|dice| roll.fits(Throw::new(dice, faces))))
        .map(Some)
        .ok_or_else(|| {
            format!(
                "the second word must be the dice, each from 1 to {faces}, or `-`, not `{word}`"
            )
        })
}

/// Parses one place, the lowest man first: `a8=OO`.
fn place(on: &Geometry, word: &str) -> Result<(Point, Stack), String> {
    let (name, men) =
        word.split_once('=').ok_or_else(|| format!("`{word}` is not a place such as a8=OO"))?;
    let point = named(on, name).ok_or_else(|| format!("there is no point `{name}`"))?;
    let men = men
        .chars()
        .map(|man| side(man.encode_utf8(&mut [0; 4])).ok())
        .collect::<Option<Vec<Seat>>>()
        .filter(|men| !men.is_empty())
        .ok_or_else(|| format!("the stack of `{word}` must be letters O and X"))?;
    let (lowest, holder) = (men[0], men[men.len() - 1]);
    let pins = lowest != holder;
    if men[1..].iter().any(|&man| man != holder) {
        return Err(format!("in `{word}` more than the lowest man is pinned"));
    }
    let count = u8::try_from(men.len() - usize::from(pins))
        .ok()
        .filter(|&count| count <= Stack::ROOM)
        .ok_or_else(|| format!("there are too many men on {point}"))?;
    Ok((point, Stack::new(holder, count, pins)))
}

/// Returns the point of a name such as `c3`.
fn named(on: &Geometry, name: &str) -> Option<Point> {
    on.points().find(|point| name.eq_ignore_ascii_case(&point.to_string()))
}
