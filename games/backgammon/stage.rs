//! The stages of a game, and its results.

use crate::kit::{Roll, Seat};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameEnd {
    Single,
    Gammon,
    Backgammon,
    Drop,
    Resignation,
}

impl GameEnd {
    pub(super) const ALL: [Self; 5] =
        [Self::Single, Self::Gammon, Self::Backgammon, Self::Drop, Self::Resignation];

    /// Returns the result of bearing off all men.
    pub(super) fn off(win: u8) -> Self {
        match win {
            1 => Self::Single,
            2 => Self::Gammon,
            _ => Self::Backgammon,
        }
    }

    /// Returns the rule, as it follows "alice wins".
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Single => "by bearing off all men",
            Self::Gammon => "with a gammon",
            Self::Backgammon => "with a backgammon",
            Self::Drop => "as the double was dropped",
            Self::Resignation => "by resignation",
        }
    }

    /// Returns the word of the notation.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Gammon => "gammon",
            Self::Backgammon => "backgammon",
            Self::Drop => "drop",
            Self::Resignation => "resignation",
        }
    }
}

/// What a game waits for, apart from an answer to an offer to resign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameStage {
    /// The opening roll.
    Opening,
    /// The first roll of the side that begins, where the opening roll is not played.
    First,
    /// A roll, before which the side on turn may double.
    Ready,
    /// A play of this roll, larger die first.
    Dice(Roll),
    /// The answer to a double of the side on turn.
    Doubled,
    /// The answer of the side on turn to a beaver.
    Beavered,
    /// Nothing: the side has won the board.
    Over(Seat, GameEnd),
}
