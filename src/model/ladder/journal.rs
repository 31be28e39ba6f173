//! The journal of a ladder: all that changed its order. It names memberships instead of users, so
//! that renaming and erasing users does not concern it.

use super::file::{FORMAT, LadderPartId};
use super::rung::rules;
use crate::base::time::Time;
use crate::model::document::DocumentFormat;
use serde::{Deserialize, Serialize};

/// The most entries of a journal; then the next one begins.
pub(super) const MOST_ENTRIES: usize = 100;

/// A part of the journal, oldest entry first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderJournal {
    pub(super) format: DocumentFormat<FORMAT>,
    pub(super) journal: LadderPartId,
    /// The entries.
    pub entries: Vec<JournalEntry>,
}

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalEntry {
    /// When.
    pub at: Time,
    /// What.
    pub step: JournalStep,
}

/// What happened. Numbers are memberships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JournalStep {
    /// A player joined.
    Joined(u32),
    /// A player dropped because they were idle.
    Idled(u32),
    /// A player left.
    Left(u32),
    /// A game ended.
    Ended {
        /// The number of the board.
        board: u32,
        /// The players, the challenger first.
        members: [u32; 2],
        /// The index of the winner; `None` if nobody won.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winner: Option<usize>,
        /// Whether the loser ran out of time.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        on_time: bool,
    },
}

impl JournalStep {
    /// Applies the step to the memberships in the order of their places. Returns `None` if a membership
    /// is not there, or a new one is.
    pub fn replay(&self, order: &mut Vec<u32>) -> Option<()> {
        let place = |order: &[u32], member: u32| order.iter().position(|known| *known == member);
        let drop = |order: &mut Vec<u32>, member: u32| {
            let from = place(order, member)?;
            let to = (from + rules::DROP as usize).min(order.len() - 1);
            order[from..=to].rotate_left(1);
            Some(())
        };
        match *self {
            Self::Joined(member) => {
                place(order, member).is_none().then_some(())?;
                order.push(member);
            }
            Self::Idled(member) => drop(order, member)?,
            Self::Left(member) => {
                order.remove(place(order, member)?);
            }
            Self::Ended { members, winner, on_time, .. } => {
                let places = [place(order, members[0])?, place(order, members[1])?];
                let Some(winner) = winner else { return Some(()) };
                let (from, to) = (*places.get(winner)?, places[1 - winner]);
                if from > to {
                    order[to..=from].rotate_right(1);
                }
                if on_time {
                    drop(order, members[1 - winner])?;
                }
            }
        }
        Some(())
    }
}

impl LadderJournal {
    /// Returns whether the next entry belongs into the next journal.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= MOST_ENTRIES
    }
}
