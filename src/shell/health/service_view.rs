//! Records what the process that executes mails finds wrong with the files and programs that mails need. A
//! service of systemd may see less of the machine than the operator does, so `doctor` reports its view, too.

use crate::base::time::Time;
use crate::config::Config;
use crate::post;
use crate::shell::home::locate;
use crate::store::JobRun;
use serde::Serialize;
use std::path::Path;

/// The name under which the view is stored among job runs.
const NAME: &str = "ways";

/// What the service saw last.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ServiceView {
    pub(crate) at: Time,
    /// The first problem that it found.
    pub(crate) wrong: Option<String>,
}

/// Records what this process finds wrong. Failures are ignored, since only `doctor` reads the record.
pub(crate) fn note(home: &Path, config: &Config, now: Time) {
    let why = post::inspect_files(config).into_iter().next();
    let run = JobRun { job: NAME.into(), at: now, took_ms: 0, why };
    let _ = locate(home).and_then(|home| home.record_run(&run));
}

/// Removes the record from the runs of jobs, and returns it.
pub(crate) fn take(runs: &mut Vec<JobRun>) -> Option<ServiceView> {
    let at = runs.iter().position(|run| run.job == NAME)?;
    let JobRun { at, why: wrong, .. } = runs.remove(at);
    Some(ServiceView { at, wrong })
}
