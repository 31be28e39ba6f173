//! The score of a match, and its words in a position's line.

use super::SIDES;
use crate::kit::{Choices, Seat, Switch, Values};

/// The longest match. Match equity tables, such as GNU Backgammon's, end there.
pub(crate) const LONGEST: u32 = 64;

/// The option that makes a board a match.
pub(crate) const MATCH: Switch = Switch {
    name: "match",
    // Without this option the board is one game.
    values: Values::Number { min: 1, max: LONGEST, default: 0 },
    help: "you play until one of you has this many points",
};

/// The score of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchScore {
    /// The points needed to win; 0 if the board is one game.
    pub(super) length: u32,
    /// The points won. Those beyond the length do not count, but are kept.
    pub(super) points: [u32; 2],
    /// The number of the game, from 1.
    pub(super) game: u32,
    /// The winner and the points of the previous game, if it was not drawn.
    pub(super) last: Option<(Seat, u32)>,
}

impl MatchScore {
    /// Returns the start of a board with these options.
    pub(super) fn new(options: &Choices, switches: &'static [Switch]) -> Self {
        let usual = switches.iter().find(|switch| switch.name == MATCH.name);
        let length = usual.map_or(0, |switch| switch.number(options));
        Self { length, points: [0; 2], game: 1, last: None }
    }

    /// Returns whether the board is a match of several games.
    pub(super) const fn is_match(&self) -> bool {
        self.length > 0
    }

    /// Returns the points that a side still needs.
    pub(super) const fn wanted(&self, seat: Seat) -> u32 {
        self.length.saturating_sub(self.points[seat.index()])
    }

    /// Counts a game. Returns whether its winner has won the match; otherwise the next game begins.
    pub(super) fn count(&mut self, last: Option<(Seat, u32)>) -> bool {
        self.last = last;
        if let Some((by, points)) = last {
            let score = &mut self.points[by.index()];
            *score = score.saturating_add(points);
            if self.wanted(by) == 0 {
                return true;
            }
        }
        self.game = self.game.saturating_add(1);
        false
    }
}

/// The words after the places of a line. Only boards with stakes have any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoreWords {
    pub(super) score: MatchScore,
    /// The side that offers to resign, and the stake.
    pub(super) resigns: Option<(Seat, u8)>,
    /// The sides whose last offer was rejected.
    pub(super) rejected: [bool; 2],
    /// The winner and the points of the last game of a match, or of a game that was resigned.
    pub(super) won: Option<(Seat, u32)>,
}

impl ScoreWords {
    /// Parses words in any order; those that are missing say nothing new.
    ///
    /// # Errors
    /// The first word that is unknown, or says again what was said before.
    pub(super) fn parse(start: MatchScore, words: &[&str]) -> Result<Self, String> {
        let mut said = Self { score: start, resigns: None, rejected: [false; 2], won: None };
        let mut keys: Vec<String> = Vec::new();
        for word in words {
            let unknown = || format!("`{word}` is not a place such as 13=OO or off=OX");
            let lower = word.to_ascii_lowercase();
            let (key, value) = lower.split_once('=').ok_or_else(unknown)?;
            said.set(key, value).ok_or_else(unknown)?;
            if keys.iter().any(|known| known == key) {
                return Err(format!("`{word}` says again what was said before"));
            }
            keys.push(key.to_owned());
        }
        said.score.last = said.won.or(said.score.last).filter(|_| said.score.is_match());
        Ok(said)
    }

    /// Returns `None` if the key or its value is unknown.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let score = &mut self.score;
        match key {
            "match" => {
                score.length = number(value).filter(|length| (1..=LONGEST).contains(length))?;
            }
            "score" => {
                let (o, x) = value.split_once('-')?;
                score.points = [number(o)?, number(x)?];
            }
            "game" => score.game = number(value).filter(|&game| game > 0)?,
            "last" => score.last = Some(side_and_number(value)?),
            "won" => self.won = Some(side_and_number(value)?),
            "resigns" => {
                let (seat, stake) = side_and_number(value)?;
                self.resigns = Some((seat, u8::try_from(stake).ok()?));
            }
            "rejected" => {
                self.rejected = match value {
                    "o" => [true, false],
                    "x" => [false, true],
                    "ox" => [true, true],
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Returns the words that differ from those of a new board.
    pub(super) fn write(&self) -> Vec<String> {
        let Self { score: MatchScore { length, points, game, last }, resigns, rejected, won } =
            *self;
        let letter = |seat: Seat| SIDES[seat.index()];
        let mut words = Vec::new();
        let mut say = |holds: bool, word: String| {
            if holds {
                words.push(word);
            }
        };
        say(length > 0, format!("match={length}"));
        say(points != [0; 2], format!("score={}-{}", points[0], points[1]));
        say(game > 1, format!("game={game}"));
        if let Some((seat, points)) = last.filter(|_| won.is_none()) {
            say(true, format!("last={}{points}", letter(seat)));
        }
        if let Some((seat, points)) = won {
            say(true, format!("won={}{points}", letter(seat)));
        }
        if let Some((seat, stake)) = resigns {
            say(true, format!("resigns={}{stake}", letter(seat)));
        }
        let sides: String =
            Seat::BOTH.into_iter().filter(|seat| rejected[seat.index()]).map(letter).collect();
        say(!sides.is_empty(), format!("rejected={sides}"));
        words
    }
}

/// Parses a number. The upper bound leaves room for the points of more games.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number <= 1_000_000)
}

fn side_and_number(text: &str) -> Option<(Seat, u32)> {
    let (letter, rest) = text.split_at_checked(1)?;
    let seat =
        Seat::BOTH.into_iter().find(|seat| SIDES[seat.index()].eq_ignore_ascii_case(letter))?;
    Some((seat, number(rest)?))
}
