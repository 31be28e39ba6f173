//! Players' words other than plays, and their refusals.

use super::rules::start;
use super::{CubePosition, CubeRace, GameStage};
use crate::kit::{MoveError, Roll, bare};
use crate::points::Play;
use std::fmt::{self, Display};

/// A decision of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BackgammonMove {
    /// A play of the dice.
    Play(Play),
    /// A double.
    Double,
    /// The double is taken.
    Take,
    /// The double is dropped, and the game lost.
    Drop,
    /// The double is taken and redoubled.
    Beaver,
    /// The offer to resign is accepted.
    Accept,
    /// The offer to resign is rejected.
    Reject,
}

impl Display for BackgammonMove {
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

/// A player's word other than a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BackgammonWord {
    Roll,
    Double,
    Take,
    Drop,
    Beaver,
    Accept,
    Reject,
}

impl BackgammonWord {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words = bare(text).to_ascii_lowercase();
        // `I double`, as players say it; `accept` is also a word of the server.
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

const ANSWER_DOUBLE: &str = "answer the double first: `take` or `drop`";
const ANSWER_BEAVER: &str = "answer the beaver first: `take` or `drop`";
const ANSWER_RESIGNATION: &str = "answer the offer to resign first: `accept` or `reject`";

impl<R: CubeRace> CubePosition<R> {
    /// Returns the move that a word means here.
    pub(super) fn said(&self, word: BackgammonWord) -> Result<BackgammonMove, String> {
        let decision = match (self.resigns, self.stage, word) {
            (Some(_), _, BackgammonWord::Accept) => BackgammonMove::Accept,
            (Some(_), _, BackgammonWord::Reject) => BackgammonMove::Reject,
            (Some(_), ..) => return Err(ANSWER_RESIGNATION.into()),
            (
                None,
                GameStage::Doubled | GameStage::Beavered,
                BackgammonWord::Take | BackgammonWord::Accept,
            ) => BackgammonMove::Take,
            (
                None,
                GameStage::Doubled | GameStage::Beavered,
                BackgammonWord::Drop | BackgammonWord::Reject,
            ) => BackgammonMove::Drop,
            (None, GameStage::Doubled, BackgammonWord::Beaver) => {
                self.stakes.may_beaver(self.terms)?;
                BackgammonMove::Beaver
            }
            (None, GameStage::Doubled, _) => return Err(ANSWER_DOUBLE.into()),
            (None, GameStage::Beavered, _) => return Err(ANSWER_BEAVER.into()),
            (None, _, BackgammonWord::Double) => {
                self.may_double()?;
                if let GameStage::Dice(_) = self.stage {
                    return Err(self.too_late().into());
                }
                BackgammonMove::Double
            }
            (None, GameStage::Dice(roll), BackgammonWord::Roll) => {
                return Err(format!("you have already rolled {roll}"));
            }
            (None, _, BackgammonWord::Roll) => return Err("the dice are about to be rolled".into()),
            (None, _, BackgammonWord::Take | BackgammonWord::Drop) => {
                return Err("there is no double to answer".into());
            }
            (None, _, BackgammonWord::Beaver) => {
                return Err("there is no double to beaver".into());
            }
            (None, _, BackgammonWord::Accept | BackgammonWord::Reject) => {
                return Err("there is no double and no offer to resign to answer".into());
            }
        };
        Ok(decision)
    }

    /// Explains why a double comes too late.
    fn too_late(&self) -> &'static str {
        if self.board == start::<R>() {
            "there is no doubling before the first roll of a game"
        } else {
            "the dice are already rolled; with `manual` you are asked before each roll"
        }
    }

    /// Explains why a readable play is illegal now.
    fn no_dice(&self) -> &'static str {
        match (self.resigns, self.stage) {
            (Some(_), _) => ANSWER_RESIGNATION,
            (None, GameStage::Doubled) => ANSWER_DOUBLE,
            (None, GameStage::Beavered) => ANSWER_BEAVER,
            (None, _) => "the dice are not rolled yet: send `roll`",
        }
    }

    /// Returns the words that are legal where there are no dice to play.
    fn expected(&self) -> &'static str {
        match (self.resigns, self.stage) {
            (Some(_), _) => "`accept` or `reject`",
            (None, GameStage::Doubled | GameStage::Beavered) => "`take` or `drop`",
            (None, _) => "`roll` or `double`",
        }
    }

    /// Reads a play of the roll; without a roll there is none.
    pub(super) fn as_play(
        &self,
        roll: Option<Roll>,
        read: Result<Play, MoveError>,
    ) -> Result<BackgammonMove, MoveError> {
        match (roll, read) {
            (Some(_), read) => read.map(BackgammonMove::Play),
            (None, Err(MoveError::Unreadable { at, .. })) => {
                Err(MoveError::Unreadable { at, expected: self.expected() })
            }
            (None, _) => Err(MoveError::Illegal(self.no_dice().into())),
        }
    }
}
