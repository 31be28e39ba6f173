//! When each task of `run` is due: a pure function of the times, the wakes and the outcomes so far.

use super::alarm::Alarm;
use crate::base::time::Time;
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
    /// Mails the operator what waits too long, and records what each task does.
    Alerts,
    /// Makes the nightly backup.
    Backup,
}

/// The present: since the start of the process, and by the machine's clock, which may jump.
#[derive(Clone, Copy, Debug)]
pub(super) struct Now {
    pub(super) running: Duration,
    pub(super) clock: Time,
}

/// All tasks, in the order in which they are done when several are due.
const TASKS: [Task; 6] =
    [Task::Spool, Task::Maildir, Task::Mbox, Task::Clocks, Task::Alerts, Task::Backup];

const MINUTE: Duration = Duration::from_mins(1);

impl Task {
    /// Returns the name under which its health is known.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Spool => "spool",
            Self::Maildir => "maildir",
            Self::Mbox => "mbox",
            Self::Clocks => "clocks",
            Self::Alerts => "alerts",
            Self::Backup => "backup",
        }
    }

    /// Returns the pause between two runs without a wakeup. Clocks have their alarm.
    fn interval(self) -> Duration {
        match self {
            // A mail that failed is tried again, and another machine's lease may have ended.
            Self::Spool => Duration::from_secs(10),
            Self::Maildir | Self::Mbox | Self::Alerts | Self::Backup => MINUTE,
            Self::Clocks => Duration::ZERO,
        }
    }

    /// Returns whether a mail that has come may be for this task.
    fn is_woken(self) -> bool {
        matches!(self, Self::Spool | Self::Maildir)
    }

    /// Returns whether the task takes mails, which must be executed before clocks count.
    fn takes_mails(self) -> bool {
        matches!(self, Self::Spool | Self::Maildir | Self::Mbox)
    }
}

/// The times at which tasks are due.
#[derive(Debug)]
pub(super) struct Schedule {
    entries: [Entry; TASKS.len()],
    /// When clocks are due.
    pub(super) alarm: Alarm,
}

#[derive(Debug)]
struct Entry {
    task: Task,
    /// Since the start of the process.
    next: Duration,
    /// How often in a row the task has failed.
    failures: u32,
}

impl Schedule {
    /// Returns a schedule in which everything is due.
    pub(super) fn new() -> Self {
        let entries = TASKS.map(|task| Entry { task, next: Duration::ZERO, failures: 0 });
        Self { entries, alarm: Alarm::new() }
    }

    /// Notes that a mail may have come. A task that fails keeps its pause.
    pub(super) fn wake(&mut self, now: Duration) {
        for entry in self.entries.iter_mut().filter(|it| it.task.is_woken() && it.failures == 0) {
            entry.next = now;
        }
    }

    /// Returns the first task that is due.
    pub(super) fn due(&self, now: Now) -> Option<Task> {
        self.entries.iter().find(|entry| self.pause_of(entry, now).is_zero()).map(|it| it.task)
    }

    /// Returns how long nothing is due.
    pub(super) fn pause(&self, now: Now) -> Duration {
        self.entries.iter().map(|entry| self.pause_of(entry, now)).min().unwrap_or_default()
    }

    fn pause_of(&self, entry: &Entry, now: Now) -> Duration {
        let pause = entry.next.saturating_sub(now.running);
        if entry.task != Task::Clocks {
            return pause;
        }
        let alarm = u64::try_from(self.alarm.pause(now.clock).seconds()).unwrap_or(0);
        pause.max(Duration::from_secs(alarm))
    }

    /// Notes the outcome of a task that ended just now.
    pub(super) fn note(&mut self, task: Task, is_done: bool, now: Duration) {
        for entry in self.entries.iter_mut().filter(|entry| entry.task == task) {
            entry.failures = if is_done { 0 } else { entry.failures + 1 };
            let pause = if is_done { task.interval() } else { pause_after(entry.failures) };
            entry.next = now + pause;
        }
    }

    /// Returns whether mails may wait because they could not be taken.
    pub(super) fn may_lack_mails(&self) -> bool {
        self.entries.iter().any(|entry| entry.task.takes_mails() && entry.failures > 0)
    }
}

/// Returns the pause after `failures` failures in a row: a second, doubled each time up to a minute.
fn pause_after(failures: u32) -> Duration {
    Duration::from_secs(1 << failures.clamp(1, 7).saturating_sub(1)).min(MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// The present, by a clock that has not jumped.
    fn present(running: Duration) -> Now {
        Now { running, clock: clock(running) }
    }

    fn clock(running: Duration) -> Time {
        Time::from_unix(1_093_003_200 + i64::try_from(running.as_secs()).unwrap())
    }

    /// Does all tasks that are due; those of `failing` fail. Returns them. Clocks are due each 100 seconds.
    fn done(schedule: &mut Schedule, now: Duration, failing: &[Task]) -> Vec<Task> {
        std::iter::from_fn(|| {
            let task = schedule.due(present(now))?;
            let is_done = !failing.contains(&task);
            if task == Task::Clocks && is_done {
                schedule.alarm.ran(clock(now), clock(now + at(100)));
            }
            schedule.note(task, is_done, now);
            Some(task)
        })
        .collect()
    }

    #[test]
    fn everything_is_due_at_first_then_each_task_at_its_time() {
        let mut schedule = Schedule::new();
        assert_eq!(done(&mut schedule, at(5), &[]), TASKS);
        assert_eq!(done(&mut schedule, at(14), &[]), []);
        assert_eq!(schedule.pause(present(at(14))), at(1));
        assert_eq!(done(&mut schedule, at(15), &[]), [Task::Spool]);
        let without_clocks = [Task::Spool, Task::Maildir, Task::Mbox, Task::Alerts, Task::Backup];
        assert_eq!(done(&mut schedule, at(65), &[]), without_clocks);
        done(&mut schedule, at(100), &[]);
        assert_eq!(schedule.pause(present(at(101))), at(4));
        assert_eq!(done(&mut schedule, at(105), &[]), [Task::Clocks]);
    }

    #[test]
    fn a_wakeup_makes_mails_due_at_once() {
        let mut schedule = Schedule::new();
        done(&mut schedule, at(0), &[]);
        schedule.wake(at(3));
        assert_eq!(schedule.pause(present(at(3))), at(0));
        assert_eq!(done(&mut schedule, at(3), &[]), [Task::Spool, Task::Maildir]);
        assert_eq!(schedule.pause(present(at(3))), at(10));
    }

    #[test]
    fn clocks_are_due_when_the_machines_clock_jumps() {
        let mut schedule = Schedule::new();
        done(&mut schedule, at(0), &[]);
        for jump in [-1, 100, 1_000_000] {
            let clock = Time::from_unix(clock(at(0)).unix() + jump);
            let now = Now { running: at(1), clock };
            assert_eq!(
                (schedule.due(now), schedule.pause(now)),
                (Some(Task::Clocks), at(0)),
                "{jump}"
            );
        }
        assert_eq!(schedule.due(present(at(1))), None);
    }

    #[test]
    fn a_failing_task_pauses_longer_and_longer_and_the_others_go_on() {
        let mut schedule = Schedule::new();
        let failing = [Task::Maildir];
        assert_eq!(done(&mut schedule, at(0), &failing), TASKS);
        assert!(schedule.may_lack_mails());
        let mut tried = Vec::new();
        for second in 1..=250 {
            // Mails keep coming into the spool.
            schedule.wake(at(second));
            let tasks = done(&mut schedule, at(second), &failing);
            assert_eq!(tasks[0], Task::Spool, "{second}");
            if tasks.contains(&Task::Maildir) {
                tried.push(second);
            }
        }
        assert_eq!(tried, [1, 3, 7, 15, 31, 63, 123, 183, 243]);
        assert_eq!(done(&mut schedule, at(303), &[])[1], Task::Maildir);
        assert!(!schedule.may_lack_mails());
        schedule.wake(at(304));
        assert_eq!(done(&mut schedule, at(304), &[]), [Task::Spool, Task::Maildir]);
    }

    #[test]
    fn clocks_do_not_depend_on_alerts_and_pause_when_they_fail() {
        let mut schedule = Schedule::new();
        done(&mut schedule, at(0), &[Task::Alerts, Task::Clocks]);
        assert!(!schedule.may_lack_mails());
        // The alarm is still due.
        assert_eq!(schedule.pause(present(at(0))), at(1));
        assert!(done(&mut schedule, at(1), &[]).contains(&Task::Clocks));
    }
}
