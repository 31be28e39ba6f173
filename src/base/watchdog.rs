//! No mail and no board may keep the processor for long: a process that has used it for a minute at
//! one of them ends itself. The processor's time counts, not the clock on the wall: a machine that
//! is busy, asleep or stopped makes no mail longer than it is. A process that waits for ever, say
//! for a file that is no file, uses no processor; it ends once the watchdog has looked for ten
//! minutes, of which none pass while the process is stopped.
//!
//! A marker then shows the next run that one died, and what it was at.

use rustix::time::{ClockId, clock_gettime};
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
/// How many looks in a row may find the same mail: ten minutes.
const MOST_LOOKS: u32 = 1_200;
/// No mail is being executed.
const IDLE: u64 = u64::MAX;

/// Watches the mails, or the boards, of a process, one at a time.
#[derive(Debug)]
pub struct Watchdog {
    /// The processor's time that the process had used when the mail was begun, in milliseconds.
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
            let mut looks = StallCounter::default();
            while let Some(begun) = watched.upgrade() {
                let begun_at = begun.load(Ordering::Relaxed);
                if is_late(begun_at, used(), limit) || looks.again(begun_at) > MOST_LOOKS {
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

/// The processor's time that the process has used, in milliseconds. The threads that write beside
/// the one that executes count as well, which is little.
fn used() -> u64 {
    let used = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    u64::try_from(used.as_millis()).unwrap_or(0)
}

/// How often in a row the same mail was found under way.
#[derive(Debug, Default)]
struct StallCounter {
    begun: Option<u64>,
    count: u32,
}

impl StallCounter {
    /// Counts one more look, at the mail that was begun then.
    fn again(&mut self, begun: u64) -> u32 {
        let is_same = begun != IDLE && self.begun == Some(begun);
        self.count = if is_same { self.count + 1 } else { 0 };
        self.begun = Some(begun);
        self.count
    }
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

    #[test]
    fn only_looks_at_one_mail_in_a_row_are_counted() {
        let mut looks = StallCounter::default();
        let counts = [7, 7, 7, 9, 9, IDLE, IDLE, IDLE, 9].map(|begun| looks.again(begun));
        assert_eq!(counts, [0, 1, 2, 0, 1, 0, 0, 0, 0]);
    }
}
