//! The activity of a home, for the operator: the last run of each job, and executed mails by day.

use crate::base::time::{Day, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The last run of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRun {
    /// The job: `cron`.
    pub job: String,
    /// When it ended.
    pub at: Time,
    /// Its duration in milliseconds.
    #[serde(rename = "took")]
    pub took_ms: u64,
    /// Why it failed, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The number of mails and forms executed on each day.
pub type Traffic = BTreeMap<Day, u64>;

/// Counts receipts by day. A mail with a Message-ID has two receipts, so a receipt counts half.
#[derive(Debug, Default)]
pub(super) struct TrafficCounter {
    halves: BTreeMap<Day, u64>,
}

impl TrafficCounter {
    /// Counts `count` receipts of one day, all of mails with a Message-ID or (`is_unnamed`) without.
    pub(super) fn add(&mut self, at: Time, is_unnamed: bool, count: u64) {
        *self.halves.entry(at.day()).or_default() += if is_unnamed { 2 * count } else { count };
    }

    /// Returns the mails of each day.
    pub(super) fn traffic(self) -> Traffic {
        self.halves.into_iter().map(|(day, count)| (day, count.div_ceil(2))).collect()
    }
}
