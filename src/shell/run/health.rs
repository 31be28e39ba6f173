//! Whether each task of `run` works, for `/readyz`, and as records of jobs for `status`, `doctor` and `metrics`.

use crate::base::time::{Span, Time, minutes};
use crate::store::JobRun;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How long the main thread may be at one task: a mail that takes longer has long been put aside.
const MAX_TASK_TIME: Span = minutes(10);

/// Tasks whose failure does not make the server unready: no player waits for them.
const NOT_NEEDED_FOR_READINESS: [&str; 3] = ["alerts", "backup", "engines"];

/// The health of all tasks, which any thread may report and ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct Health(Arc<Mutex<BTreeMap<&'static str, TaskHealth>>>);

/// The health of a task.
#[derive(Clone, Debug, Default)]
struct TaskHealth {
    /// Why the task fails, if it does.
    failing: Option<String>,
    /// When its last run or its last answer was a success.
    last_success: Option<Time>,
    /// When it failed last.
    last_fault: Option<Time>,
    /// Since when it has been at work, for tasks that must come to an end.
    busy_since: Option<Time>,
}

impl Health {
    /// Adds a task that is about to begin.
    pub(super) fn add(&self, task: &'static str) {
        self.tasks().entry(task).or_default();
    }

    /// Removes a task that the configuration does not ask for any more. What it still reports before it ends
    /// is ignored.
    pub(super) fn remove(&self, task: &'static str) {
        self.tasks().remove(task);
    }

    /// Notes that a task has begun work that must come to an end.
    pub(super) fn begin(&self, task: &'static str, now: Time) {
        self.tasks().entry(task).or_default().busy_since = Some(now);
    }

    /// Notes how work of a task has ended: with the reason if it failed. A task must have been added, or have
    /// begun work.
    pub(super) fn note(&self, task: &'static str, failure: Option<String>, now: Time) {
        let mut tasks = self.tasks();
        let Some(health) = tasks.get_mut(task) else { return };
        let last =
            if failure.is_none() { &mut health.last_success } else { &mut health.last_fault };
        *last = Some(now);
        (health.failing, health.busy_since) = (failure, None);
    }

    /// Returns the tasks for which a server must not be called ready: those that fail or hang.
    pub(super) fn unready(&self, now: Time) -> Vec<&'static str> {
        let hangs =
            |it: &TaskHealth| it.busy_since.is_some_and(|since| now - since > MAX_TASK_TIME);
        let is_bad = |it: &TaskHealth| it.failing.is_some() || hangs(it);
        let tasks = self.tasks();
        let bad = tasks
            .iter()
            .filter(|(name, it)| is_bad(it) && !NOT_NEEDED_FOR_READINESS.contains(name));
        bad.map(|(name, _)| *name).collect()
    }

    /// Returns why the first failing task fails.
    pub(super) fn first_failure(&self) -> Option<String> {
        self.tasks().values().find_map(|it| it.failing.clone())
    }

    /// Returns a record of each task: `run-sender`, with the time of its last success or fault.
    pub(super) fn records(&self) -> Vec<JobRun> {
        let tasks = self.tasks();
        let at = |it: &TaskHealth| it.last_success.max(it.last_fault);
        let record = |(name, it): (&&str, &TaskHealth)| {
            let (job, why) = (format!("{RECORD}{name}"), it.failing.clone());
            Some(JobRun { job, at: at(it)?, took_ms: 0, why })
        };
        tasks.iter().filter_map(record).collect()
    }

    /// Returns records without a failure for former tasks whose last record still reports one.
    pub(super) fn outdated(&self, runs: &[JobRun], now: Time) -> Vec<JobRun> {
        let tasks = self.tasks();
        let is_old = |run: &&JobRun| {
            run.job.strip_prefix(RECORD).is_some_and(|task| !tasks.contains_key(task))
        };
        let failing = runs.iter().filter(is_old).filter(|run| run.why.is_some());
        failing.map(|run| JobRun { at: now, why: None, ..run.clone() }).collect()
    }

    fn tasks(&self) -> MutexGuard<'_, BTreeMap<&'static str, TaskHealth>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The beginning of the name of each record.
const RECORD: &str = "run-";

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: i64) -> Time {
        Time::from_unix(seconds)
    }

    #[test]
    fn a_task_is_unready_while_it_fails_or_hangs() {
        let health = Health::default();
        for task in ["sender", "spool", "web"] {
            health.add(task);
        }
        assert_eq!(health.unready(at(0)), [""; 0]);
        health.begin("spool", at(0));
        assert_eq!(health.unready(at(600)), [""; 0]);
        assert_eq!(health.unready(at(601)), ["spool"]);
        health.note("spool", None, at(602));
        health.note("sender", Some("no server".into()), at(602));
        assert_eq!(health.unready(at(10_000)), ["sender"]);
        assert_eq!(health.first_failure().as_deref(), Some("no server"));
        health.note("sender", None, at(603));
        assert_eq!((health.unready(at(604)), health.first_failure()), (vec![], None));
        // Who plays does not wait for an alert.
        health.add("alerts");
        health.note("alerts", Some("no server".into()), at(605));
        assert_eq!(health.unready(at(606)), [""; 0]);
        assert!(health.first_failure().is_some());
    }

    #[test]
    fn records_tell_the_last_end_and_those_of_former_tasks_are_settled() {
        let health = Health::default();
        health.add("web");
        health.add("imap");
        health.note("imap", None, at(5));
        health.note("imap", Some("closed".into()), at(7));
        let record = |job: &str, at: i64, why: Option<&str>| JobRun {
            job: job.into(),
            at: Time::from_unix(at),
            took_ms: 0,
            why: why.map(Into::into),
        };
        assert_eq!(health.records(), [record("run-imap", 7, Some("closed"))]);
        health.remove("imap");
        // The connection attempt of the old service has failed.
        health.note("imap", Some("no answer".into()), at(8));
        assert_eq!(health.unready(at(8)), [""; 0]);
        let known = [
            record("cron", 1, Some("x")),
            record("run-imap", 7, Some("closed")),
            record("run-lmtp", 7, None),
            record("run-web", 7, Some("y")),
        ];
        assert_eq!(health.outdated(&known, at(9)), [record("run-imap", 9, None)]);
    }
}
