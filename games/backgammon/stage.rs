//! The stages of a game, and its ends.

use crate::kit::{Roll, Seat};

/// How a game came to its end.
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

    /// The end by bearing off all men.
    pub(super) fn off(win: u8) -> Self {
        match win {
            1 => Self::Single,
            2 => Self::Gammon,
            _ => Self::Backgammon,
        }
    }

    /// As it follows "alice wins".
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Single => "by bearing off all men",
            Self::Gammon => "with a gammon",
            Self::Backgammon => "with a backgammon",
            Self::Drop => "as the double was dropped",
            Self::Resignation => "by resignation",
        }
    }

    /// The word for it in a position's line.
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

/// What a game waits for, except an answer to a side that offers to resign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameStage {
    /// The roll that decides who begins.
    Opening,
    /// The first roll of the side that begins, where the opening roll is not played.
    First,
    /// A roll, before which the side on turn may double.
    Ready,
    /// The dice must be played; the larger is named first.
    Dice(Roll),
    /// The double of the side on turn must be answered.
    Doubled,
    /// The double of the side on turn was answered by another, which that side must answer.
    Beavered,
    /// That side has won the board.
    Over(Seat, GameEnd),
}
