//! When each job ran last, and how that ended: `runs/cron`. What stands there need not outlive a
//! power cut.

#![expect(clippy::disallowed_methods, reason = "the store owns files")]

use super::{Fault, names};
use crate::base::time::Time;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A job's last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The job: `cron`.
    pub job: String,
    /// When it ended.
    pub at: Time,
    /// How long it took, in milliseconds.
    pub took: u64,
    /// Why it did not end well, if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Notes that a job ran.
pub(super) fn note(home: &Path, run: &Run) -> Result<(), Fault> {
    let folder = home.join("runs");
    let path = folder.join(&run.job);
    let text = serde_json::to_vec(run).expect("text and numbers are JSON");
    let new = folder.join(format!("{}.{}", run.job, std::process::id()));
    let write = || fs::write(&new, &text);
    let written = write().or_else(|_| fs::create_dir(&folder).and_then(|()| write()));
    written.and_then(|()| fs::rename(&new, &path)).map_err(|error| {
        let _ = fs::remove_file(&new);
        Fault::at("cannot write", path)(error)
    })
}

/// The last run of each job, by its name. What cannot be read is left out.
pub(super) fn all(home: &Path) -> Result<Vec<Run>, Fault> {
    let folder = home.join("runs");
    let run = |name: String| serde_json::from_slice(&fs::read(folder.join(name)).ok()?).ok();
    let mut runs: Vec<Run> = names(&folder)?.into_iter().filter_map(run).collect();
    runs.sort_by(|one, other| one.job.cmp(&other.job));
    runs.dedup_by(|one, other| one.job == other.job);
    Ok(runs)
}
