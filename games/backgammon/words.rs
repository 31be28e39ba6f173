//! The words of a player beside a play, and why they cannot be said now.

use super::rules::start;
use super::{Position, Stage};
use crate::kit::{MoveError, Roll, bare};
use crate::points::Play;
use std::fmt::{self, Display};

/// One decision of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// The dice are played.
    Play(Play),
    /// The player doubles the stakes.
    Double,
    /// The double is taken.
    Take,
    /// The double is refused, and the game lost.
    Drop,
    /// The double is taken and answered by another.
    Beaver,
    /// The offer to resign is accepted.
    Accept,
    /// The offer to resign is refused.
    Reject,
}

impl Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Play(play) => return play.fmt(f),
            Self::Double => "double",
            Self::Take => "take",
            Self::Drop => "drop",
            Self::Beaver => "beaver",
            Self::Accept => "accept",
            Self::Reject => "reject",
        })
    }
}

/// A word of a player beside a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Roll,
    Double,
    Take,
    Drop,
    Beaver,
    Accept,
    Reject,
}

impl Word {
    pub(super) fn of(text: &str) -> Option<Self> {
        let words = bare(text).to_ascii_lowercase();
        // `I double`, as it is said across the table; what can be accepted is not the game's alone.
        let said = words.strip_prefix("i ").map(str::trim_start);
        let said = said.filter(|said| !matches!(*said, "accept" | "reject"));
        let word = match said.unwrap_or(&words) {
            "roll" => Self::Roll,
            "double" | "redouble" => Self::Double,
            "take" => Self::Take,
            "drop" => Self::Drop,
            "beaver" => Self::Beaver,
            "accept" => Self::Accept,
            "reject" => Self::Reject,
            _ => return None,
        };
        Some(word)
    }
}

const ANSWER_DOUBLE: &str = "the double is to be answered first: `take` or `drop`";
const ANSWER_BEAVER: &str = "the beaver is to be answered first: `take` or `drop`";
const ANSWER_RESIGNATION: &str =
    "the offer to resign is to be answered first: `accept` or `reject`";

impl Position {
    /// The move of a player's word here.
    pub(super) fn said(&self, word: Word) -> Result<Move, String> {
        let decision = match (self.resigns, self.stage, word) {
            (Some(_), _, Word::Accept) => Move::Accept,
            (Some(_), _, Word::Reject) => Move::Reject,
            (Some(_), ..) => return Err(ANSWER_RESIGNATION.into()),
            (None, Stage::Doubled | Stage::Beavered, Word::Take | Word::Accept) => Move::Take,
            (None, Stage::Doubled | Stage::Beavered, Word::Drop | Word::Reject) => Move::Drop,
            (None, Stage::Doubled, Word::Beaver) => {
                self.stakes.may_beaver(self.terms)?;
                Move::Beaver
            }
            (None, Stage::Doubled, _) => return Err(ANSWER_DOUBLE.into()),
            (None, Stage::Beavered, _) => return Err(ANSWER_BEAVER.into()),
            (None, _, Word::Double) => {
                self.may_double()?;
                if let Stage::Dice(_) = self.stage {
                    return Err(self.too_late().into());
                }
                Move::Double
            }
            (None, Stage::Dice(roll), Word::Roll) => {
                return Err(format!("you have rolled {roll} already"));
            }
            (None, _, Word::Roll) => return Err("the dice are about to be thrown".into()),
            (None, _, Word::Take | Word::Drop) => return Err("no double is open".into()),
            (None, _, Word::Beaver) => {
                return Err("no double is open that a beaver could answer".into());
            }
            (None, _, Word::Accept | Word::Reject) => {
                return Err("neither a double nor an offer to resign is open".into());
            }
        };
        Ok(decision)
    }

    /// Why a double comes too late for the dice on the table.
    fn too_late(&self) -> &'static str {
        if self.board == start() {
            "nobody can double before the first throw of a game"
        } else {
            "the dice are on the table already; with `manual` you are asked before the throw"
        }
    }

    /// Why a play that is spelled well cannot be made now.
    fn no_dice(&self) -> &'static str {
        match (self.resigns, self.stage) {
            (Some(_), _) => ANSWER_RESIGNATION,
            (None, Stage::Doubled) => ANSWER_DOUBLE,
            (None, Stage::Beavered) => ANSWER_BEAVER,
            (None, _) => "the dice are not rolled yet: say `roll`",
        }
    }

    /// The words that can be said where there are no dice to play.
    fn expected(&self) -> &'static str {
        match (self.resigns, self.stage) {
            (Some(_), _) => "`accept` or `reject`",
            (None, Stage::Doubled | Stage::Beavered) => "`take` or `drop`",
            (None, _) => "`roll` or `double`",
        }
    }

    /// The move of words that are read as a play of those dice; without dice they mean nothing.
    pub(super) fn as_play(
        &self,
        roll: Option<Roll>,
        read: Result<Play, MoveError>,
    ) -> Result<Move, MoveError> {
        match (roll, read) {
            (Some(_), read) => read.map(Move::Play),
            (None, Err(MoveError::Unreadable { at, .. })) => {
                Err(MoveError::Unreadable { at, expected: self.expected() })
            }
            (None, _) => Err(MoveError::Illegal(self.no_dice().into())),
        }
    }
}
