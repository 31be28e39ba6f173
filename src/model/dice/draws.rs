//! The rolls and deals of a board, as they are asked for.

use super::{BoardDice, DiceKeys, lots};
use crate::base::chance::RandomSource;
use crate::base::ids::BoardId;
use crate::base::random_stream::RandomStream;
use crate::base::time::Time;
use crate::base::vrf::SecretKey;
use crate::model::board::Board;
use crate::model::opening::Opening;
use games::{AnyPosition, Roll, Seat, Stones, Throw, Thrower};
use std::collections::VecDeque;
use std::fmt;

/// The chance of a board: first the rolls that were kept, in order and where they fit; then those
/// that follow from its key, or other chance where the board has none. A program that plays always
/// uses other chance.
pub struct BoardRandom<'a> {
    from: Option<(BoardDice, BoardId, Time, &'a SecretKey)>,
    other: &'a mut dyn RandomSource,
    kept: VecDeque<Roll>,
    laid: Option<Stones>,
    /// How many rolls and deals there were before.
    drawn: usize,
    /// The numbers of those that were kept.
    again: Vec<usize>,
}

impl fmt::Debug for BoardRandom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardRandom").field("drawn", &self.drawn).finish_non_exhaustive()
    }
}

impl<'a> BoardRandom<'a> {
    /// The next draws on a board, by those dice of it; none if its key is not among the keys.
    pub fn on(
        board: &Board,
        dice: Option<&BoardDice>,
        keys: &'a DiceKeys,
        other: &'a mut dyn RandomSource,
    ) -> Option<Self> {
        let from = match dice {
            None => None,
            Some(dice) => Some((dice.clone(), board.id, board.started, keys.find(dice.key)?)),
        };
        let kept = board.kept.iter().copied().collect();
        Some(Self { from, other, kept, laid: None, drawn: board.drawn(), again: Vec::new() })
    }

    /// The draws on a board that is about to begin: first an opening that comes again. Its dice are
    /// those of the newest key.
    pub fn to_begin(
        (board, began): (BoardId, Time),
        dice: Option<&BoardDice>,
        keys: &'a DiceKeys,
        again: Option<&Opening>,
        other: &'a mut dyn RandomSource,
    ) -> Self {
        let kept = again.map(Opening::rolls).unwrap_or_default().into();
        let laid = again.and_then(Opening::stones);
        let from = dice.map(|dice| (dice.clone(), board, began, keys.newest()));
        Self { from, other, kept, laid, drawn: 0, again: Vec::new() }
    }

    /// Goes on behind so many rolls and deals.
    #[must_use]
    pub fn behind(mut self, drawn: usize) -> Self {
        self.drawn += drawn;
        self
    }

    /// Whether the player must reveal the value that they committed themselves to with a move that
    /// they make now.
    pub fn is_value_due(&self, seat: Seat) -> bool {
        self.from.as_ref().is_some_and(|(dice, ..)| dice.is_value_due(seat, self.drawn))
    }

    /// Whether the next roll waits for a value of that player.
    pub fn awaits_link(&self, seat: Seat) -> bool {
        let from = self.from.as_ref();
        self.kept.is_empty() && from.is_some_and(|(dice, ..)| dice.awaits_link(seat, self.drawn))
    }

    /// The numbers of the rolls and deals that came again.
    pub fn came_again(self) -> Vec<usize> {
        self.again
    }

    /// The source of the next one, which is counted; nothing where the board has no key.
    fn next(&mut self) -> Option<RandomStream> {
        self.drawn += 1;
        let (dice, board, began, key) = self.from.as_ref()?;
        Some(lots(key, &dice.input(*board, *began, self.drawn)))
    }
}

impl Thrower for BoardRandom<'_> {
    fn awaits(&self, seat: Seat) -> bool {
        self.awaits_link(seat)
    }

    fn throw(&mut self, throw: Throw) -> Roll {
        if self.kept.front().is_some_and(|roll| roll.fits(throw)) {
            self.drawn += 1;
            self.again.push(self.drawn);
            return self.kept.pop_front().expect("there is one");
        }
        match self.next() {
            Some(mut lots) => lots.roll(throw),
            None => self.other.throw(throw),
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.other.below(limit)
    }

    fn deal(&mut self, position: &dyn AnyPosition) -> Stones {
        let fits = |stones: &Stones| position.copy().lay(*stones).is_ok();
        if let Some(stones) = self.laid.take().filter(fits) {
            self.drawn += 1;
            self.again.push(self.drawn);
            return stones;
        }
        match self.next() {
            Some(mut lots) => position.deal(&mut |limit| lots.below(limit)),
            None => self.other.deal(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::chance::ScriptedRandom;
    use games::Scripted;

    #[test]
    fn kept_rolls_come_again_in_order_and_where_they_fit() {
        let mut new = ScriptedRandom::new(Scripted::new([Roll::One(4), Roll::Two(5, 6)]));
        let kept = [Roll::Two(3, 3), Roll::Two(1, 2)].into();
        let (other, laid, again) = (&mut new, None, Vec::new());
        let mut dice = BoardRandom { from: None, other, kept, laid, drawn: 7, again };
        let throws = [Throw::new(1, 4), Throw::new(2, 6), Throw::to_begin(6), Throw::new(2, 6)];
        let rolls = throws.map(|throw| dice.throw(throw).to_string());
        assert_eq!(rolls, ["4", "33", "12", "56"]);
        assert_eq!(dice.came_again(), [9, 10]);
    }

    #[test]
    fn a_key_gives_the_same_for_the_same_number_and_the_program_plays_by_other_chance() {
        let keys = DiceKeys::new(&[3; 32], Vec::new());
        let board = BoardId { game: "malaka", number: 1 };
        let mut new = ScriptedRandom::new(Scripted::default());
        let mut rolls = |drawn: usize, count: usize| -> Vec<Roll> {
            let dice = BoardDice::new(keys.newest().public());
            let began = (board, Time::EPOCH);
            let draws = BoardRandom::to_begin(began, Some(&dice), &keys, None, &mut new);
            let mut draws = draws.behind(drawn);
            draws.below(6);
            (0..count).map(|_| draws.throw(Throw::new(2, 6))).collect()
        };
        let (late, rolls) = (rolls(7, 1), rolls(0, 40));
        assert_eq!(late[0], rolls[7]);
        assert!(rolls.iter().any(|roll| *roll != rolls[0]));
    }
}
