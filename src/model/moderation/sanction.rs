//! Sanctions: what the operator forbids a user.

use crate::base::time::Time;
use serde::{Deserialize, Serialize};

/// A kind of sanction. Each forbids what those before it forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SanctionKind {
    /// The user writes nothing to others.
    Mute,
    /// The user begins no games either. Games in progress go on.
    Suspension,
    /// The user has left, and cannot come back.
    Ban,
}

/// A sanction of a user. They are told the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sanction {
    /// What is forbidden.
    pub kind: SanctionKind,
    /// When it began.
    pub since: Time,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// The reason.
    pub why: String,
}

impl Sanction {
    /// Returns whether it is in force.
    pub fn is_in_force(&self, now: Time) -> bool {
        self.until.is_none_or(|until| now < until)
    }
}
