//! When each task of `run` is due: a pure function of the time, the bell and the outcomes so far.

use std::time::Duration;

/// A task of the main thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Executes the mails of the spool.
    Spool,
    /// Executes the new mails of the configured Maildir.
    Maildir,
    /// Executes the mails of the configured mbox.
    Mbox,
    /// Acts on clocks.
    Clocks,
    /// Mails the operator what waits too long.
    Alerts,
}

/// All tasks, in the order in which they are done when several are due.
const TASKS: [Task; 5] = [Task::Spool, Task::Maildir, Task::Mbox, Task::Clocks, Task::Alerts];

const MINUTE: Duration = Duration::from_mins(1);

impl Task {
    /// Returns how often the task is done without a reason.
    fn interval(self) -> Duration {
        match self {
            // A mail that failed is tried again, and another machine's lease may have ended.
            Self::Spool => Duration::from_secs(10),
            Self::Maildir | Self::Mbox | Self::Clocks | Self::Alerts => MINUTE,
        }
    }

    /// Returns whether the bell may mean this task.
    fn is_rung(self) -> bool {
        matches!(self, Self::Spool | Self::Maildir)
    }

    /// Returns whether the task takes mails, which must be executed before clocks count.
    fn takes_mails(self) -> bool {
        matches!(self, Self::Spool | Self::Maildir | Self::Mbox)
    }
}

/// The times at which tasks are due. Times are since the start of the process.
#[derive(Debug)]
pub(super) struct Agenda([Entry; TASKS.len()]);

#[derive(Debug)]
struct Entry {
    task: Task,
    next: Duration,
    /// How often in a row the task has failed.
    failures: u32,
}

impl Agenda {
    /// Returns an agenda in which everything is due.
    pub(super) fn new() -> Self {
        Self(TASKS.map(|task| Entry { task, next: Duration::ZERO, failures: 0 }))
    }

    /// Notes that a mail may have come. A task that fails keeps its pause.
    pub(super) fn ring(&mut self, now: Duration) {
        for entry in self.0.iter_mut().filter(|it| it.task.is_rung() && it.failures == 0) {
            entry.next = now;
        }
    }

    /// Returns the first task that is due.
    pub(super) fn due(&self, now: Duration) -> Option<Task> {
        self.0.iter().find(|entry| entry.next <= now).map(|entry| entry.task)
    }

    /// Returns how long nothing is due.
    pub(super) fn pause(&self, now: Duration) -> Duration {
        let next = self.0.iter().map(|entry| entry.next).min().unwrap_or(now);
        next.saturating_sub(now)
    }

    /// Notes the outcome of a task that ended just now.
    pub(super) fn note(&mut self, task: Task, is_done: bool, now: Duration) {
        for entry in self.0.iter_mut().filter(|entry| entry.task == task) {
            entry.failures = if is_done { 0 } else { entry.failures + 1 };
            let pause = if is_done { task.interval() } else { pause_after(entry.failures) };
            entry.next = now + pause;
        }
    }

    /// Returns whether mails may wait because they could not be taken.
    pub(super) fn may_lack_mails(&self) -> bool {
        self.0.iter().any(|entry| entry.task.takes_mails() && entry.failures > 0)
    }
}

/// Returns the pause after so many failures in a row: a second, doubled each time up to a minute.
fn pause_after(failures: u32) -> Duration {
    Duration::from_secs(1 << failures.clamp(1, 7).saturating_sub(1)).min(MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Does all tasks that are due; those of `failing` fail. Returns them.
    fn done(agenda: &mut Agenda, now: Duration, failing: &[Task]) -> Vec<Task> {
        std::iter::from_fn(|| {
            let task = agenda.due(now)?;
            agenda.note(task, !failing.contains(&task), now);
            Some(task)
        })
        .collect()
    }

    #[test]
    fn everything_is_due_at_first_then_each_task_at_its_interval() {
        let mut agenda = Agenda::new();
        assert_eq!(done(&mut agenda, at(5), &[]), TASKS);
        assert_eq!(done(&mut agenda, at(14), &[]), []);
        assert_eq!(agenda.pause(at(14)), at(1));
        assert_eq!(done(&mut agenda, at(15), &[]), [Task::Spool]);
        assert_eq!(done(&mut agenda, at(65), &[]), TASKS);
    }

    #[test]
    fn the_bell_makes_mails_due_at_once() {
        let mut agenda = Agenda::new();
        done(&mut agenda, at(0), &[]);
        agenda.ring(at(3));
        assert_eq!(agenda.pause(at(3)), at(0));
        assert_eq!(done(&mut agenda, at(3), &[]), [Task::Spool, Task::Maildir]);
        assert_eq!(agenda.pause(at(3)), at(10));
    }

    #[test]
    fn a_failing_task_pauses_longer_and_longer_and_the_others_go_on() {
        let mut agenda = Agenda::new();
        let failing = [Task::Maildir];
        assert_eq!(done(&mut agenda, at(0), &failing), TASKS);
        assert!(agenda.may_lack_mails());
        let mut tried = Vec::new();
        for second in 1..=250 {
            // Mails keep coming into the spool.
            agenda.ring(at(second));
            let tasks = done(&mut agenda, at(second), &failing);
            assert_eq!(tasks[0], Task::Spool, "{second}");
            if tasks.contains(&Task::Maildir) {
                tried.push(second);
            }
        }
        assert_eq!(tried, [1, 3, 7, 15, 31, 63, 123, 183, 243]);
        assert_eq!(done(&mut agenda, at(303), &[])[1], Task::Maildir);
        assert!(!agenda.may_lack_mails());
        agenda.ring(at(304));
        assert_eq!(done(&mut agenda, at(304), &[]), [Task::Spool, Task::Maildir]);
    }

    #[test]
    fn clocks_do_not_depend_on_alerts() {
        let mut agenda = Agenda::new();
        done(&mut agenda, at(0), &[Task::Alerts, Task::Clocks]);
        assert!(!agenda.may_lack_mails());
    }
}
