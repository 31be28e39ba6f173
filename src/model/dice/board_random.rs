//! The source of a board's rolls and deals.

use super::{BoardDice, DiceKeys, random_stream};
use crate::base::chance::RandomSource;
use crate::base::ids::BoardId;
use crate::base::random_stream::RandomStream;
use crate::base::time::Time;
use crate::base::vrf::SecretKey;
use crate::model::board::Board;
use crate::model::opening::Opening;
use games::{AnyPosition, Deal, Roll, Seat, Throw, Thrower};
use std::collections::VecDeque;
use std::fmt;

/// The chance of a board: first the kept rolls, in order and where they fit the throw; then the
/// rolls that follow from its key, or those of a source without a key if the board has none.
/// Programs that play always use the source without a key.
pub struct BoardRandom<'a> {
    keyed: Option<KeyedDice<'a>>,
    /// The source without a key.
    unkeyed: &'a mut dyn RandomSource,
    /// The kept rolls that have not come again.
    kept: VecDeque<Roll>,
    /// The kept deal, until it has come again.
    laid: Option<Deal>,
    /// The number of rolls and deals so far.
    drawn: usize,
    /// The numbers of the draws that came from kept ones.
    again: Vec<usize>,
}

/// The dice of a board with its key and the other inputs of its rolls.
struct KeyedDice<'a> {
    dice: BoardDice,
    board: BoardId,
    began: Time,
    key: &'a SecretKey,
}

impl fmt::Debug for BoardRandom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardRandom").field("drawn", &self.drawn).finish_non_exhaustive()
    }
}

impl<'a> BoardRandom<'a> {
    /// Returns the source for a board with these dice; `None` if its key is not among the keys.
    pub fn for_board(
        board: &Board,
        dice: Option<&BoardDice>,
        keys: &'a DiceKeys,
        unkeyed: &'a mut dyn RandomSource,
    ) -> Option<Self> {
        let keyed = match dice {
            None => None,
            Some(dice) => Some(KeyedDice {
                dice: dice.clone(),
                board: board.id,
                began: board.started,
                key: keys.find(dice.key)?,
            }),
        };
        let kept = board.kept.iter().copied().collect();
        Some(Self { keyed, unkeyed, kept, laid: None, drawn: board.drawn(), again: Vec::new() })
    }

    /// Returns the source for a new board with the newest key; a kept opening comes first.
    pub fn for_new_board(
        board: BoardId,
        began: Time,
        dice: Option<&BoardDice>,
        keys: &'a DiceKeys,
        again: Option<&Opening>,
        unkeyed: &'a mut dyn RandomSource,
    ) -> Self {
        let kept = again.map(Opening::rolls).unwrap_or_default().into();
        let laid = again.and_then(Opening::stones);
        let keyed =
            dice.map(|dice| KeyedDice { dice: dice.clone(), board, began, key: keys.newest() });
        Self { keyed, unkeyed, kept, laid, drawn: 0, again: Vec::new() }
    }

    /// Skips `drawn` rolls and deals.
    #[must_use]
    pub fn after_draws(mut self, drawn: usize) -> Self {
        self.drawn += drawn;
        self
    }

    /// Returns whether the player must reveal the value of their commitment with a move now.
    pub fn is_value_due(&self, seat: Seat) -> bool {
        self.keyed.as_ref().is_some_and(|keyed| keyed.dice.is_value_due(seat, self.drawn))
    }

    /// Returns whether the next roll waits for a chain value of the player.
    pub fn awaits_link(&self, seat: Seat) -> bool {
        let keyed = self.keyed.as_ref();
        self.kept.is_empty() && keyed.is_some_and(|keyed| keyed.dice.awaits_link(seat, self.drawn))
    }

    /// Returns the numbers of the draws that came from kept ones.
    pub fn repeated(self) -> Vec<usize> {
        self.again
    }

    /// Counts a draw and returns its random stream; `None` if the board has no key.
    fn next(&mut self) -> Option<RandomStream> {
        self.drawn += 1;
        let KeyedDice { dice, board, began, key } = self.keyed.as_ref()?;
        Some(random_stream(key, &dice.input(*board, *began, self.drawn)))
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
            return self.kept.pop_front().expect("the front was just checked");
        }
        match self.next() {
            Some(mut lots) => lots.roll(throw),
            None => self.unkeyed.throw(throw),
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.unkeyed.below(limit)
    }

    fn deal(&mut self, position: &dyn AnyPosition) -> Deal {
        let fits = |stones: &Deal| position.copy().lay(stones.clone()).is_ok();
        if let Some(stones) = self.laid.take().filter(fits) {
            self.drawn += 1;
            self.again.push(self.drawn);
            return stones;
        }
        match self.next() {
            Some(mut lots) => position.deal(&mut |limit| lots.below(limit)),
            None => self.unkeyed.deal(position),
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
        let (unkeyed, laid, again) = (&mut new, None, Vec::new());
        let mut dice = BoardRandom { keyed: None, unkeyed, kept, laid, drawn: 7, again };
        let throws = [Throw::new(1, 4), Throw::new(2, 6), Throw::to_begin(6), Throw::new(2, 6)];
        let rolls = throws.map(|throw| dice.throw(throw).to_string());
        assert_eq!(rolls, ["4", "33", "12", "56"]);
        assert_eq!(dice.repeated(), [9, 10]);
    }

    #[test]
    fn a_key_repeats_its_rolls_and_the_program_uses_chance_without_it() {
        let keys = DiceKeys::new(&[3; 32], Vec::new());
        let board = BoardId { game: "malaka", number: 1 };
        let mut new = ScriptedRandom::new(Scripted::default());
        let mut rolls = |drawn: usize, count: usize| -> Vec<Roll> {
            let dice = BoardDice::new(keys.newest().public());
            let draws =
                BoardRandom::for_new_board(board, Time::EPOCH, Some(&dice), &keys, None, &mut new);
            let mut draws = draws.after_draws(drawn);
            draws.below(6);
            (0..count).map(|_| draws.throw(Throw::new(2, 6))).collect()
        };
        let (late, rolls) = (rolls(7, 1), rolls(0, 40));
        assert_eq!(late[0], rolls[7]);
        assert!(rolls.iter().any(|roll| *roll != rolls[0]));
    }
}
