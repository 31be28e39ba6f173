//! Sources of dice and stones.

use super::{AnyPosition, Chance, Deal, Roll, Seat, Throw};
use std::collections::VecDeque;

/// A source of chance.
pub trait Thrower {
    /// Rolls dice; equal dice of an opening are rolled again.
    fn throw(&mut self, throw: Throw) -> Roll;

    /// Returns a uniform random number below `limit`.
    fn below(&mut self, limit: usize) -> usize;

    /// Returns whether the next roll waits for this player, whose contribution goes into it.
    fn awaits(&self, _seat: Seat) -> bool {
        false
    }

    /// Draws the stones that a position waits for.
    fn deal(&mut self, position: &dyn AnyPosition) -> Deal {
        position.deal(&mut |limit| self.below(limit))
    }
}

/// A rule for dice: the roll for a throw, given the first die of the previous roll.
pub type Falls = fn(Throw, u8) -> Roll;

/// Dice with given results, for tests and examples. Stones may be given, too; other random numbers
/// follow from a seed.
#[derive(Clone, Debug)]
pub struct Scripted {
    rolls: VecDeque<Roll>,
    stones: VecDeque<Deal>,
    /// The source of other numbers; without it they are 0.
    chance: Option<Chance>,
    /// The rule for rolls after the given ones, and the first die of the last roll.
    falls: Option<Falls>,
    last: u8,
}

impl Default for Scripted {
    fn default() -> Self {
        Self::new([])
    }
}

impl Scripted {
    /// Creates dice that show these rolls in order.
    pub fn new(rolls: impl IntoIterator<Item = Roll>) -> Self {
        Self {
            rolls: rolls.into_iter().collect(),
            stones: VecDeque::new(),
            chance: Some(Chance::new(0)),
            falls: None,
            last: 0,
        }
    }

    /// Creates dice that follow a rule, as if the previous roll had shown `last`. Other numbers are
    /// 0.
    pub fn falling(last: u8, falls: Falls) -> Self {
        Self { chance: None, falls: Some(falls), last, ..Self::default() }
    }

    /// Appends rolls.
    pub fn extend(&mut self, rolls: impl IntoIterator<Item = Roll>) {
        self.rolls.extend(rolls);
    }

    /// Appends stones for the next deal.
    pub fn lay(&mut self, stones: Deal) {
        self.stones.push_back(stones);
    }

    /// Returns how many rolls and deals are left.
    pub fn left(&self) -> usize {
        self.rolls.len() + self.stones.len()
    }
}

impl Thrower for Scripted {
    /// # Panics
    /// Panics if no roll is left or the next one does not fit the throw.
    fn throw(&mut self, throw: Throw) -> Roll {
        let given = self.rolls.pop_front().or_else(|| Some(self.falls?(throw, self.last)));
        let roll = given.expect("a script names every roll that its moves ask for");
        assert!(roll.fits(throw), "the script's roll {roll} does not fit {throw:?}");
        let (Roll::One(die) | Roll::Two(die, _)) = roll;
        self.last = die;
        roll
    }

    fn below(&mut self, limit: usize) -> usize {
        self.chance.as_mut().map_or(0, |chance| chance.below(limit))
    }

    fn deal(&mut self, position: &dyn AnyPosition) -> Deal {
        match self.stones.pop_front() {
            Some(stones) => stones,
            None => position.deal(&mut |limit| self.below(limit)),
        }
    }
}

impl Thrower for Chance {
    fn throw(&mut self, throw: Throw) -> Roll {
        self.roll(throw)
    }

    fn below(&mut self, limit: usize) -> usize {
        Self::below(self, limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_fall_by_their_rule_once_the_script_is_over() {
        let mut dice = Scripted::falling(3, |throw, last| match throw.dice {
            1 => Roll::One(last % throw.faces + 1),
            _ => Roll::Two(last, 1),
        });
        let fall = |dice: &mut Scripted, count| dice.throw(Throw::new(count, 4)).to_string();
        assert_eq!([1, 2, 1, 1].map(|count| fall(&mut dice, count)), ["4", "41", "1", "2"]);
        dice.extend([Roll::One(3)]);
        assert_eq!([1, 1].map(|count| fall(&mut dice, count)), ["3", "4"]);
        assert_eq!((dice.below(6), Scripted::default().below(6)), (0, Chance::new(0).below(6)));
    }
}
