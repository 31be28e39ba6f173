//! Records documents that a run could not read, so that `doctor` reports them even before the next `check`.

use crate::base::time::Time;
use crate::model::caches::is_readable;
use crate::model::user;
use crate::shell::home::locate;
use crate::store::{JobRun, Key, OpenHome};
use std::path::Path;

/// The name of the record among the runs of jobs.
const NAME: &str = "unreadable";

/// What follows the name of an unreadable document.
const BEHIND: &str = " cannot be read";

/// Returns the board or user that a line is about.
fn about(line: &str) -> Option<(&str, Key)> {
    let (file, _) = line.split_once(BEHIND)?;
    Some((file, Key::find_board(file).or_else(|| user::COLLECTION.find(file))?))
}

/// Records the unreadable document that a run has found, if any, as a line with the reason. Failures are ignored,
/// since only `doctor` reads the record.
pub(crate) fn note(home: &Path, found: Option<String>, now: Time) {
    if let Some(line) = found.filter(|line| about(line).is_some()) {
        let run = JobRun { job: NAME.into(), at: now, took_ms: 0, why: Some(line) };
        let _ = locate(home).and_then(|home| home.record_run(&run));
    }
}

/// Removes the record from the runs of jobs. Returns its line if the document is still unreadable.
pub(crate) fn take(runs: &mut Vec<JobRun>, store: &dyn OpenHome) -> Option<String> {
    let at = runs.iter().position(|run| run.job == NAME)?;
    let line = runs.remove(at).why?;
    let (file, key) = about(&line)?;
    let is_well = match store.load(&key) {
        Ok(document) => document.text.is_none_or(|text| is_readable(file, &text)),
        Err(_) => false,
    };
    (!is_well).then_some(line)
}
