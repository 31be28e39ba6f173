//! The opening of a board: the rolls and stones before a player's first decision.
//!
//! A board can be given up before that without a result. Players must not set up boards until they
//! like the dice, so the opening of a board that a player gives up is kept with the player. It
//! comes again on the player's next boards of the game until the player has played it.

use crate::model::board::{Board, ClosedBy};
use games::{Deal, Entry, POSITION, Roll, Seat};
use serde::{Deserialize, Serialize};

/// The most kept openings of a game for a player.
const MAX_OPENINGS: usize = 20;
/// The most rolls of an opening.
const MOST_ROLLS: usize = 8;

/// The rolls and stones before a player's first decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The player's seat.
    pub seat: u8,
    /// Whether the player set up the board, or made the open challenge for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked: bool,
    /// The rolls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rolls: Vec<String>,
    /// The stones that were dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    laid: Option<String>,
}

impl Opening {
    /// Returns the opening that the player of a seat has seen. `None` for a game without chance
    /// before the first decision, a game from a given position, and a game whose hidden stones were
    /// revealed when it was given up.
    pub fn from_board(board: &Board, seat: Seat) -> Option<Self> {
        let manner = board.game.spec().manner;
        if manner.is_secret || manner.is_solo || board.options.has(POSITION) {
            return None;
        }
        let entries = board.record.iter().map(|line| &line.entry);
        let before = entries.take_while(|entry| !entry.is_decision_of(seat));
        let (mut rolls, mut laid) = (Vec::new(), None);
        for entry in before {
            match entry {
                Entry::Rolled(roll) if rolls.len() < MOST_ROLLS => rolls.push(roll.to_string()),
                Entry::Laid(stones) => laid = Some(stones.to_string()),
                Entry::Rolled(_) | Entry::Moved { .. } | Entry::Resigned { .. } => {}
            }
        }
        let asked = board.challenger.is_none_or(|by| by == seat);
        let is_chance = !rolls.is_empty() || laid.is_some();
        is_chance.then_some(Self { seat: seat.0, asked, rolls, laid })
    }

    /// Returns the rolls, in order.
    pub fn rolls(&self) -> Vec<Roll> {
        self.rolls.iter().map_while(|roll| roll.parse().ok()).collect()
    }

    /// Returns the stones that were dealt.
    pub(super) fn stones(&self) -> Option<Deal> {
        self.laid.as_ref().and_then(|laid| laid.parse().ok())
    }

    /// Returns whether `more` is this opening or continues it.
    fn is_beginning_of(&self, more: &Self) -> bool {
        (self.seat, &self.laid) == (more.seat, &more.laid) && more.rolls.starts_with(&self.rolls)
    }
}

/// Keeps the opening of a board that was given up. It replaces an opening that it continues.
pub fn keep(kept: &mut Vec<Opening>, new: Opening) {
    let place = kept.iter().position(|old| old.is_beginning_of(&new));
    kept.retain(|old| !old.is_beginning_of(&new));
    match place {
        Some(place) => kept.insert(place, new),
        None if kept.len() < MAX_OPENINGS => kept.push(new),
        None => {}
    }
}

/// Removes the opening that was played, or its beginning, or its continuation.
pub fn forget(kept: &mut Vec<Opening>, played: &Opening) {
    let is_played = |old: &Opening| old.is_beginning_of(played) || played.is_beginning_of(old);
    if let Some(place) = kept.iter().position(is_played) {
        kept.remove(place);
    }
}

/// Returns the seats of the players who gave up a finished board without a game.
pub fn seats_that_gave_up(board: &Board) -> Vec<Seat> {
    let Some(closing) = board.closing else { return Vec::new() };
    if Seat::BOTH.into_iter().all(|seat| board.has_moved(seat)) {
        return Vec::new();
    }
    match closing.by {
        by if by.is_draw() || by == ClosedBy::Aborting => Seat::BOTH.to_vec(),
        _ => vec![Seat(closing.seat)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(seat: u8, rolls: &[&str]) -> Opening {
        let rolls = rolls.iter().map(|roll| (*roll).to_owned()).collect();
        Opening { seat, asked: true, rolls, laid: None }
    }

    #[test]
    fn an_opening_goes_on_in_a_longer_one_and_is_forgotten_when_it_was_played() {
        let mut kept = Vec::new();
        keep(&mut kept, opening(1, &["31"]));
        keep(&mut kept, opening(0, &["21"]));
        keep(&mut kept, opening(1, &["31", "66"]));
        assert_eq!(kept, [opening(1, &["31", "66"]), opening(0, &["21"])]);
        forget(&mut kept, &opening(1, &["32"]));
        assert_eq!(kept.len(), 2, "another opening was played");
        forget(&mut kept, &opening(1, &["31", "66", "42"]));
        assert_eq!(kept, [opening(0, &["21"])]);
    }

    #[test]
    fn openings_are_kept_in_a_bounded_number() {
        let mut kept = Vec::new();
        for number in 0..100 {
            keep(&mut kept, opening(0, &[&number.to_string()]));
        }
        assert_eq!(kept.len(), MAX_OPENINGS);
        assert_eq!(kept[0], opening(0, &["0"]));
    }
}
