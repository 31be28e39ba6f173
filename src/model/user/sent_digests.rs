//! The mails about several boards that a user can answer line by line.

use crate::base::ids::BoardId;
use crate::model::board::Proposal;
use crate::model::document::is_default;
use serde::{Deserialize, Serialize};

/// The most digests that can be answered: the latest ones.
const KEPT: usize = 3;

/// A mail about several boards. A reply names them by their places in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentDigest {
    /// Its number, which its reply address contains.
    pub number: u32,
    /// The boards, in their order in the mail.
    pub boards: Vec<ShownBoard>,
}

/// A board as a digest has shown it. A reply answers this position, and no other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownBoard {
    /// The board.
    pub board: BoardId,
    /// The number of the next move.
    pub next: usize,
    /// The offer to the reader, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<Proposal>,
    /// How often the reader had voided their reply addresses on the board.
    #[serde(default, skip_serializing_if = "is_default")]
    pub voided: u32,
}

impl SentDigest {
    /// Adds a digest, and drops the oldest ones.
    pub(super) fn add(sent: &mut Vec<Self>, new: &Self) {
        sent.push(new.clone());
        sent.drain(..sent.len().saturating_sub(KEPT));
    }
}
