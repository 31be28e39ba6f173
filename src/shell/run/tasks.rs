//! The work of the main thread of `run`.

use super::health::Health;
use super::nightly::Nightly;
use super::schedule::{Now, Schedule, Task};
use super::service_manager::ServiceManager;
use super::waker::MainThreadWaker;
use crate::post::TroubleLog;
use crate::server::remind::next_run;
use crate::shell::home::{self, locate};
use crate::shell::mails::process::{self, MailSource};
use crate::shell::mails::worker::words_of;
use crate::shell::mails::{alert, cron, remind};
use crate::shell::output::remedy::with_remedy;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::{JobRun, log_all};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Why the main thread has broken off its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interruption {
    /// The configuration must be read again.
    Reload,
    /// The process must end.
    End,
}

/// The tasks of a home.
pub(super) struct Tasks<'a> {
    home: &'a Path,
    waker: &'a MainThreadWaker,
    health: &'a Health,
    manager: &'a ServiceManager,
    schedule: Schedule,
    /// The tasks whose last run failed, with the reasons.
    failing: Vec<(Task, String)>,
    troubles: TroubleLog,
    nightly: Nightly,
}

impl<'a> Tasks<'a> {
    pub(super) fn new(
        home: &'a Path,
        waker: &'a MainThreadWaker,
        health: &'a Health,
        manager: &'a ServiceManager,
    ) -> Self {
        let (schedule, troubles) = (Schedule::new(), TroubleLog::default());
        Self {
            home,
            waker,
            health,
            manager,
            schedule,
            failing: Vec::new(),
            troubles,
            nightly: Nightly::default(),
        }
    }

    /// Does each task when it is due, until a signal interrupts.
    pub(super) fn work(&mut self, wakeups: &Receiver<()>, machine: &mut Machine) -> Interruption {
        loop {
            self.manager.alive();
            let now = Now { running: (machine.stopwatch)(), clock: (machine.clock)() };
            let signals = self.waker.take();
            if signals.end {
                // A process may end before its first minute has.
                self.record(Duration::ZERO, machine);
                return Interruption::End;
            }
            if signals.mail {
                self.schedule.wake(now.running);
            }
            if let Some(wakeup) = signals.wakeup {
                self.schedule.alarm.wake_at(wakeup);
            }
            if signals.reload {
                return Interruption::Reload;
            }
            if let Some(task) = self.schedule.due(now) {
                self.perform(task, machine);
                continue;
            }
            // The spool is looked at every few seconds, so a jump of the clock is seen soon.
            let pause = self.schedule.pause(now).min(self.manager.longest_wait());
            // However the wait ends, the signals say what has happened.
            let _ = wakeups.recv_timeout(pause);
        }
    }

    /// Does a task, and notes its outcome.
    fn perform(&mut self, task: Task, machine: &mut Machine) {
        let began = (machine.stopwatch)();
        self.health.begin(task.name(), (machine.clock)());
        let ended = catch_unwind(AssertUnwindSafe(|| self.run(task, machine)));
        if matches!(&ended, Ok(Err(trouble)) if trouble.is_broken_off()) {
            // A signal interrupts; after a reload the task is still due.
            return;
        }
        let why = match ended {
            Ok(Ok(())) => None,
            Ok(Err(trouble)) => Some(with_remedy(&trouble, self.home)),
            Err(panic) => Some(format!("a bug in this program: {}", words_of(&*panic))),
        };
        let now = (machine.stopwatch)();
        self.schedule.note(task, why.is_none(), now);
        self.health.note(task.name(), why.clone(), (machine.clock)());
        self.failing.retain(|(failing, _)| *failing != task);
        self.failing.extend(why.map(|why| (task, why)));
        self.report(machine);
        if task == Task::Alerts {
            self.record(now.saturating_sub(began), machine);
        }
    }

    fn run(&mut self, task: Task, machine: &mut Machine) -> Result<(), CommandError> {
        let collect = settings::load(self.home)?.collect;
        let (home, manager, waker) = (self.home, self.manager, self.waker);
        let goes_on = || {
            manager.alive();
            !waker.interrupts()
        };
        let maildir = collect.maildir.map(PathBuf::from);
        let mbox = collect.mbox.map(PathBuf::from);
        let mut execute = |source: Option<MailSource>| {
            source.map_or(Ok(()), |it| process::run_while(home, it, &goes_on, machine))
        };
        match task {
            Task::Spool => execute(Some(MailSource::Spool)),
            Task::Maildir => execute(maildir.as_ref().map(MailSource::Maildir)),
            Task::Mbox => execute(mbox.as_ref().map(MailSource::Mbox)),
            Task::Clocks => self.act_on_clocks(&goes_on, machine),
            Task::Alerts => alert::run(home, machine),
            Task::Backup => self.nightly.look(home, &settings::load(home)?.backup, machine.time),
        }
    }

    /// Acts on clocks unless a mail waits, which may be a move, or a signal interrupts the execution of mails.
    fn act_on_clocks(
        &mut self,
        goes_on: &dyn Fn() -> bool,
        machine: &mut Machine,
    ) -> Result<(), CommandError> {
        let began = (machine.clock)();
        if self.schedule.may_lack_mails() || !cron::is_executed(self.home, goes_on, machine)? {
            self.schedule.alarm.put_off(began);
            return Ok(());
        }
        remind::run_while(self.home, goes_on, machine)?;
        let next = next_run(&*home::read(self.home)?, began)?;
        self.schedule.alarm.ran(began, next);
        Ok(())
    }

    /// Prints and logs why tasks fail, each reason once a day.
    fn report(&mut self, machine: &Machine) {
        let faults: Vec<&str> = self.failing.iter().map(|(_, why)| &**why).collect();
        for line in self.troubles.take_new_faults(&faults, (machine.clock)()) {
            (machine.warn)(&line);
            // The disk itself may have failed.
            let _ = log_all(self.home, &[line]);
        }
    }

    /// Records for `status`, `doctor` and `metrics` that this process works, and what fails.
    fn record(&self, took: Duration, machine: &Machine) {
        let now = (machine.clock)();
        let run = JobRun {
            job: "run".into(),
            at: now,
            took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            why: self.health.first_failure(),
        };
        // Records are only shown. What prevents them makes the tasks fail, too.
        let _ = locate(self.home).and_then(|home| {
            let outdated = self.health.outdated(&home.last_runs()?, now);
            let records = [vec![run], self.health.records(), outdated].concat();
            records.iter().try_for_each(|run| home.record_run(run))
        });
    }
}
