//! No mail and no board may keep the processor for long: a process that has used it for a minute at
//! one of them ends itself. What counts is the processor's time, not the clock on the wall: a machine
//! that is busy, asleep or stopped makes no mail longer than it is.
//!
//! A marker then shows the next run that one died: that of the spool, and the guilty mail is found
//! out and parked as one that crashes is; or the [`Marker`] of `remind`, and the guilty board is
//! found out and put off.

#![expect(clippy::disallowed_methods, reason = "a marker is a file")]

use super::disk::Disk;
use super::{Fault, Files};
use crate::ids::BoardId;
use crate::remind::{Guard, Suspects};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// How long a mail may use the processor, or what is due on a group of boards. The longest that is
/// known, fifty answers of the program at its highest level, is about a fifth of it.
const LIMIT: Duration = Duration::from_mins(1);
/// How often the processor's time is looked at.
const STEP: Duration = Duration::from_millis(500);
/// No mail is being executed.
const IDLE: u64 = u64::MAX;

/// Watches the mails, or the boards, of a process, one at a time.
#[derive(Debug)]
pub struct Watchdog {
    /// What the process had used of the processor when the mail was begun, in milliseconds.
    begun: Arc<AtomicU64>,
}

impl Watchdog {
    /// A watchdog with a thread of its own, which ends with it.
    pub fn start() -> Self {
        Self::lasting(LIMIT)
    }

    /// One that waits no longer than that.
    pub fn lasting(limit: Duration) -> Self {
        let begun = Arc::new(AtomicU64::new(IDLE));
        let watched = Arc::downgrade(&begun);
        // Without a thread nobody watches, and mails are executed all the same.
        let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            while let Some(begun) = watched.upgrade() {
                if is_late(begun.load(Ordering::Relaxed), used(), limit) {
                    process::abort();
                }
                drop(begun);
                thread::sleep(STEP);
            }
        });
        Self { begun }
    }

    /// A mail is begun.
    pub fn begin(&self) {
        self.begun.store(used(), Ordering::Relaxed);
    }

    /// The mail is done.
    pub fn end(&self) {
        self.begun.store(IDLE, Ordering::Relaxed);
    }
}

/// Guards a run of `remind`: while one is under way, a file names the boards that it is at.
#[derive(Debug)]
pub struct Marker {
    path: PathBuf,
    disk: Disk,
    watchdog: Watchdog,
}

impl Marker {
    /// The marker of an open home. The run has to end before the home is closed.
    pub fn new(files: &Files) -> Self {
        let path = files.home().join("boards/running");
        Self { path, disk: files.disk().clone(), watchdog: Watchdog::start() }
    }

    /// The run has come to its end.
    ///
    /// # Errors
    /// The machine failed.
    pub fn clear(self) -> Result<(), Fault> {
        self.disk.remove(&self.path)
    }
}

impl Guard for Marker {
    fn suspects(&mut self) -> Result<Suspects, Fault> {
        // One that cannot be read, or was cut off, is none.
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        let (tries, boards) = serde_json::from_str(&text).unwrap_or_default();
        Ok(Suspects { boards, tries })
    }

    fn begin(&mut self, boards: &[BoardId], tries: u32) -> Result<(), Fault> {
        // It need not outlive a power cut, which is no fault of a board.
        let text = serde_json::to_vec(&(tries, boards)).expect("names and numbers are JSON");
        self.disk.put(&self.path, &text, &mut |_| ())?;
        self.watchdog.begin();
        Ok(())
    }

    fn end(&mut self) {
        self.watchdog.end();
    }
}

/// What the process has used of the processor, in milliseconds. The threads that write beside the
/// one that executes count as well, which is little.
fn used() -> u64 {
    let used = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    u64::try_from(used.as_millis()).unwrap_or(0)
}

fn is_late(begun: u64, now: u64, limit: Duration) -> bool {
    begun != IDLE && Duration::from_millis(now.saturating_sub(begun)) > limit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_late_after_a_minute() {
        let is_late = |begun, now| is_late(begun, now, LIMIT);
        assert!(!is_late(5, 60_005));
        assert!(is_late(5, 60_006));
        assert!(!is_late(IDLE, u64::MAX));
        assert!(!is_late(20, 10), "a mail begun just now");
    }
}
