//! No mail may take long: a process that is at one for ten seconds ends itself.
//!
//! The marker of the spool then shows the next run that one died, and the guilty mail is found out
//! and parked as one that crashes is.

#![expect(clippy::disallowed_methods, reason = "it watches the clock")]

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a mail may take.
const LIMIT: Duration = Duration::from_secs(10);
/// How often the clock is looked at.
const STEP: Duration = Duration::from_millis(500);
/// No mail is being executed.
const IDLE: u64 = u64::MAX;

/// Watches the mails of a process, one at a time.
#[derive(Debug)]
pub struct Watchdog {
    start: Instant,
    /// When the mail was begun, in milliseconds since the start.
    begun: Arc<AtomicU64>,
}

impl Watchdog {
    /// A watchdog with a thread of its own, which ends with it.
    pub fn start() -> Self {
        let start = Instant::now();
        let begun = Arc::new(AtomicU64::new(IDLE));
        let watched = Arc::downgrade(&begun);
        // Without a thread nobody watches, and mails are executed all the same.
        let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            while let Some(begun) = watched.upgrade() {
                if is_late(begun.load(Ordering::Relaxed), millis(start)) {
                    process::abort();
                }
                drop(begun);
                thread::sleep(STEP);
            }
        });
        Self { start, begun }
    }

    /// A mail is begun.
    pub fn begin(&self) {
        self.begun.store(millis(self.start), Ordering::Relaxed);
    }

    /// The mail is done.
    pub fn end(&self) {
        self.begun.store(IDLE, Ordering::Relaxed);
    }
}

fn millis(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_millis()).unwrap_or(0)
}

fn is_late(begun: u64, now: u64) -> bool {
    begun != IDLE && Duration::from_millis(now.saturating_sub(begun)) > LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_late_after_ten_seconds() {
        assert!(!is_late(5, 10_005));
        assert!(is_late(5, 10_006));
        assert!(!is_late(IDLE, u64::MAX));
        assert!(!is_late(20, 10), "a mail begun just now");
    }
}
