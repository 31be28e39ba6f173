//! Dice and rolls.

use std::fmt::{self, Display};
use std::str::FromStr;

/// The dice of the next roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throw {
    /// The number of dice: one or two.
    pub dice: u8,
    /// The number of faces.
    pub faces: u8,
    /// Whether the roll decides who begins: each seat rolls one die, seat 0's first, and equal dice
    /// are rolled again.
    pub is_opening: bool,
}

impl Throw {
    /// Returns an ordinary throw of one or two dice.
    pub const fn new(dice: u8, faces: u8) -> Self {
        Self { dice, faces, is_opening: false }
    }

    /// Returns the opening throw: one die for each seat.
    pub const fn to_begin(faces: u8) -> Self {
        Self { dice: 2, faces, is_opening: true }
    }

    /// Returns every possible roll. Ordinary rolls that differ only in order are listed once, the
    /// smaller die first.
    pub fn rolls(self) -> impl Iterator<Item = Roll> {
        let faces = self.faces;
        let rolls_from = move |a| match self.dice {
            1 => vec![Roll::One(a)],
            _ if self.is_opening => {
                (1..=faces).filter(|&b| b != a).map(|b| Roll::Two(a, b)).collect()
            }
            _ => (a..=faces).map(|b| Roll::Two(a, b)).collect(),
        };
        (1..=faces).flat_map(rolls_from)
    }
}

/// The rolled numbers, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Roll {
    /// A single die.
    One(u8),
    /// Two dice.
    Two(u8, u8),
}

impl Roll {
    /// Returns the roll with the higher die first, as players write it.
    #[must_use]
    pub fn higher_first(self) -> Self {
        match self {
            Self::One(die) => Self::One(die),
            Self::Two(a, b) => Self::Two(a.max(b), a.min(b)),
        }
    }

    /// Returns the roll with the lower die first.
    #[must_use]
    pub(crate) fn lower_first(self) -> Self {
        match self {
            Self::One(die) => Self::One(die),
            Self::Two(a, b) => Self::Two(a.min(b), a.max(b)),
        }
    }

    /// Returns whether `throw` can give this roll.
    pub fn fits(self, throw: Throw) -> bool {
        let face = |die: u8| (1..=throw.faces).contains(&die);
        match self {
            Self::One(die) => throw.dice == 1 && face(die),
            Self::Two(a, b) => {
                throw.dice == 2 && face(a) && face(b) && !(throw.is_opening && a == b)
            }
        }
    }
}

impl Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(die) => write!(f, "{die}"),
            Self::Two(a, b) => write!(f, "{a}{b}"),
        }
    }
}

impl FromStr for Roll {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let die = |c: u8| match c {
            b'1'..=b'9' => Ok(c - b'0'),
            _ => Err("dice such as 3 or 31"),
        };
        match *text.as_bytes() {
            [a] => Ok(Self::One(die(a)?)),
            [a, b] => Ok(Self::Two(die(a)?, die(b)?)),
            _ => Err("dice such as 3 or 31"),
        }
    }
}

/// The dice left to play. A double counts four times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dice {
    shown: [u8; 2],
    left: [u8; 2],
}

impl Dice {
    /// Returns all dice of a roll, in its order.
    pub(crate) fn new(roll: Roll) -> Self {
        match roll {
            Roll::One(die) => Self { shown: [die, 0], left: [1, 0] },
            Roll::Two(a, b) if a == b => Self { shown: [a, 0], left: [4, 0] },
            Roll::Two(a, b) => Self { shown: [a, b], left: [1, 1] },
        }
    }

    /// Returns the different numbers left, in the order of the roll.
    pub(crate) fn numbers(self) -> impl Iterator<Item = u8> {
        (0..2).filter(move |&i| self.left[i] > 0).map(move |i| self.shown[i])
    }

    /// Returns the number left if there is only one.
    pub(crate) fn only_number(self) -> Option<u8> {
        match self.left.map(|left| left > 0) {
            [true, false] => Some(self.shown[0]),
            [false, true] => Some(self.shown[1]),
            _ => None,
        }
    }

    pub(crate) fn has(self, die: u8) -> bool {
        self.numbers().any(|number| number == die)
    }

    /// Returns the dice left after `die` is played.
    #[must_use]
    pub(crate) fn without(mut self, die: u8) -> Self {
        let played = usize::from(self.shown[0] != die);
        self.left[played] -= 1;
        self
    }

    /// Returns how often each die of the roll `whole` has been played, in its order.
    pub(crate) fn used_of(self, whole: Self) -> [u8; 2] {
        [0, 1].map(|i| whole.left[i] - self.left[i])
    }

    /// Returns the number of steps left.
    pub(crate) fn count(self) -> u8 {
        self.left[0] + self.left[1]
    }

    /// Returns the pips left.
    pub(crate) fn pips(self) -> u8 {
        self.left[0] * self.shown[0] + self.left[1] * self.shown[1]
    }

    /// Returns whether two or more of the dice left add up to `pips`.
    pub(crate) fn adds_up(self, pips: u8) -> bool {
        match self.numbers().collect::<Vec<_>>()[..] {
            [one] => pips.is_multiple_of(one) && (2..=self.count()).contains(&(pips / one)),
            [one, other] => pips == one + other,
            _ => false,
        }
    }

    /// Explains why no die with this number is left.
    pub(crate) fn lacks(self, pips: u8) -> String {
        if self.has(pips) {
            format!("the {pips} is used already")
        } else {
            format!("no die shows {pips}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rolls_of_a_throw_are_counted_once() {
        let rolls = |throw: Throw| {
            let words: Vec<String> = throw.rolls().map(|roll| roll.to_string()).collect();
            words.join(" ")
        };
        assert_eq!(rolls(Throw::new(1, 4)), "1 2 3 4");
        assert_eq!(rolls(Throw::new(2, 3)), "11 12 13 22 23 33");
        assert_eq!(rolls(Throw::to_begin(3)), "12 13 21 23 31 32");
        assert_eq!(Throw::new(2, 6).rolls().count(), 21);
        assert!(
            !Roll::Two(4, 4).fits(Throw::to_begin(6)) && Roll::Two(4, 4).fits(Throw::new(2, 6))
        );
    }
}
