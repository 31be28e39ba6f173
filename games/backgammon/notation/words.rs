//! The words of a line after the places of the men.

use crate::backgammon::stage::{GameEnd, GameStage};
use crate::backgammon::stakes::HIGHEST;
use crate::kit::{Roll, Seat};
use crate::points::SIDES;

/// Stores a value unless there is one already.
fn once<T>(said: &mut Option<T>, value: T, word: &str) -> Result<(), String> {
    match said.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{word}` says again what was said before")),
    }
}

/// The words after the places.
#[derive(Debug, Default)]
pub(super) struct NotationWords {
    pub(super) length: Option<u32>,
    pub(super) score: Option<[u32; 2]>,
    pub(super) game: Option<u32>,
    pub(super) cube: Option<(u32, Option<Seat>)>,
    pub(super) last: Option<(Seat, u32)>,
    pub(super) resigns: Option<(Seat, u32)>,
    pub(super) rejected: Option<[bool; 2]>,
    pub(super) won: Option<(Seat, u32)>,
    pub(super) by: Option<GameEnd>,
    /// The stage: `first`, `doubled` or `beavered`.
    pub(super) waits: Option<GameStage>,
    pub(super) crawford: Option<()>,
    pub(super) jacoby: Option<()>,
    pub(super) beavers: Option<()>,
    pub(super) nocube: Option<()>,
}

impl NotationWords {
    pub(super) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut said = Self::default();
        for &word in words {
            let wrong = || format!("`{word}` is not part of a position");
            match word.to_ascii_lowercase().split_once('=') {
                Some((key, value)) => said.set(key, value, word).ok_or_else(wrong)??,
                None => said.flag(&word.to_ascii_lowercase(), word).ok_or_else(wrong)??,
            }
        }
        Ok(said)
    }

    /// Returns `None` if the key or its value is unknown.
    fn set(&mut self, key: &str, value: &str, word: &str) -> Option<Result<(), String>> {
        Some(match key {
            "match" => once(&mut self.length, number(value)?, word),
            "score" => {
                let (o, x) = value.split_once('-')?;
                once(&mut self.score, [number(o)?, number(x)?], word)
            }
            "game" => once(&mut self.game, number(value).filter(|&game| game > 0)?, word),
            "cube" => {
                let bare = value.trim_end_matches(['o', 'x']);
                let owner = match &value[bare.len()..] {
                    "" => None,
                    letter => Some(side(letter)?),
                };
                let value = number(bare).filter(|value| value.is_power_of_two())?;
                once(&mut self.cube, (value, owner), word)
            }
            "last" => once(&mut self.last, side_and_number(value)?, word),
            "resigns" => {
                let known = side_and_number(value).filter(|(_, stake)| (1..=3).contains(stake))?;
                once(&mut self.resigns, known, word)
            }
            "rejected" => {
                let sides = match value {
                    "o" => [true, false],
                    "x" => [false, true],
                    "ox" => [true, true],
                    _ => return None,
                };
                once(&mut self.rejected, sides, word)
            }
            "won" => once(&mut self.won, side_and_number(value)?, word),
            "by" => {
                let end = GameEnd::ALL.into_iter().find(|end| end.word() == value)?;
                once(&mut self.by, end, word)
            }
            _ => return None,
        })
    }

    fn flag(&mut self, name: &str, word: &str) -> Option<Result<(), String>> {
        Some(match name {
            "crawford" => once(&mut self.crawford, (), word),
            "jacoby" => once(&mut self.jacoby, (), word),
            "beavers" => once(&mut self.beavers, (), word),
            "nocube" => once(&mut self.nocube, (), word),
            "first" => once(&mut self.waits, GameStage::First, word),
            "doubled" => once(&mut self.waits, GameStage::Doubled, word),
            "beavered" => once(&mut self.waits, GameStage::Beavered, word),
            _ => return None,
        })
    }

    /// Returns the side on turn and the stage, from the start of the line and its words.
    pub(super) fn stage(
        &self,
        head: Option<(Seat, Option<Roll>)>,
    ) -> Result<(Seat, GameStage), String> {
        Ok(match (head, self.waits, self.won, self.by) {
            (Some((turn, None)), None, Some((by, _)), Some(end)) => {
                (turn, GameStage::Over(by, end))
            }
            (_, _, None, None) => match (head, self.waits) {
                (None, None) => (Seat(0), GameStage::Opening),
                (Some((turn, None)), waits) => (turn, waits.unwrap_or(GameStage::Ready)),
                (Some((turn, Some(roll @ Roll::Two(..)))), None) => {
                    (turn, GameStage::Dice(roll.higher_first()))
                }
                (Some((_, Some(Roll::One(_)))), None) => {
                    return Err("two dice are to be played, not one".into());
                }
                (_, Some(_)) => {
                    return Err(
                        "`first`, `doubled` and `beavered` must follow `O -` or `X -`".into()
                    );
                }
            },
            _ => return Err("`won=` and `by=` must come together, after `O -` or `X -`".into()),
        })
    }
}

/// Parses a number. The upper bound leaves room for the points of one more game.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number <= 2 * HIGHEST)
}

fn side(letter: &str) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| SIDES[seat.index()].eq_ignore_ascii_case(letter))
}

fn side_and_number(text: &str) -> Option<(Seat, u32)> {
    let (letter, rest) = text.split_at_checked(1)?;
    Some((side(letter)?, number(rest)?))
}
