//! A watchdog that aborts a process when one mail or board uses the processor for more than a
//! minute. It measures processor time, so a busy, sleeping or stopped machine does not count. A
//! process that waits for ever without using the processor, say on a named pipe, is aborted after
//! ten minutes of checks; stopped processes do not check.
//!
//! The marker file of the mail or board stays behind, so the next run knows where the process died.

use rustix::time::{ClockId, clock_gettime};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// The most processor time for a mail or a group of boards. Fifty answers of the program at its
/// highest level, the longest known mail, take about a fifth of it.
const LIMIT: Duration = Duration::from_mins(1);
/// The interval between two checks.
const STEP: Duration = Duration::from_millis(500);
/// How many checks in a row may find the same mail: ten minutes.
const MOST_LOOKS: u32 = 1_200;

/// A watchdog for the mails or boards of a process, one at a time.
#[derive(Debug)]
pub struct Watchdog {
    /// Counts beginnings and ends of mails; odd while one is under way.
    turns: Arc<AtomicU64>,
}

impl Watchdog {
    /// Starts a watchdog in a thread of its own, which ends with it.
    pub fn start() -> Self {
        Self::with_limit(LIMIT)
    }

    /// Starts a watchdog with another limit of processor time, for tests.
    pub fn with_limit(limit: Duration) -> Self {
        let turns = Arc::new(AtomicU64::new(0));
        let watched = Arc::downgrade(&turns);
        // If no thread can be started, mails are executed without a watchdog.
        let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(move || {
            let mut looks = StallCounter::default();
            while let Some(turns) = watched.upgrade() {
                if looks.is_late(turns.load(Ordering::Relaxed), used(), limit) {
                    process::abort();
                }
                drop(turns);
                thread::sleep(STEP);
            }
        });
        Self { turns }
    }

    /// Marks the beginning of a mail.
    pub fn begin(&self) {
        self.turns.store(self.turns.load(Ordering::Relaxed) | 1, Ordering::Relaxed);
    }

    /// Marks the end of a mail.
    pub fn end(&self) {
        self.turns.store(self.turns.load(Ordering::Relaxed).next_multiple_of(2), Ordering::Relaxed);
    }
}

/// Returns the processor time that the process has used. It includes the threads that write, which
/// is little.
fn used() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// What the watchdog has seen of the mail under way.
#[derive(Debug, Default)]
struct StallCounter {
    turn: u64,
    /// The processor time when the mail was first seen.
    used: Duration,
    /// How often in a row it was seen since.
    looks: u32,
}

impl StallCounter {
    /// Checks once: returns whether the mail has used more than `limit`, or was seen too often.
    fn is_late(&mut self, turn: u64, used: Duration, limit: Duration) -> bool {
        if turn.is_multiple_of(2) || turn != self.turn {
            *self = Self { turn, used, looks: 0 };
            return false;
        }
        self.looks += 1;
        used.saturating_sub(self.used) > limit || self.looks > MOST_LOOKS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_late_after_a_minute_of_the_processor() {
        let mut looks = StallCounter::default();
        let mut is_late = |turn, used| looks.is_late(turn, Duration::from_secs(used), LIMIT);
        assert!(!is_late(1, 5) && !is_late(1, 65));
        assert!(!is_late(3, 66), "a mail begun just now");
        assert!(!is_late(3, 126) && is_late(3, 127));
        assert!(!is_late(4, 300) && !is_late(4, 900), "nothing is under way");
    }

    #[test]
    fn only_looks_at_one_mail_in_a_row_are_counted() {
        let mut looks = StallCounter::default();
        let counts = [7, 7, 7, 9, 9, 10, 10, 11].map(|turn| {
            assert!(!looks.is_late(turn, Duration::ZERO, LIMIT));
            looks.looks
        });
        assert_eq!(counts, [0, 1, 2, 0, 1, 0, 0, 0]);
        let late = (0..=MOST_LOOKS).filter(|_| looks.is_late(11, Duration::ZERO, LIMIT)).count();
        assert_eq!(late, 1);
    }

    #[test]
    fn each_mail_is_another_turn() {
        let watchdog = Watchdog::start();
        let turn = || watchdog.turns.load(Ordering::Relaxed);
        let mut seen = vec![turn()];
        for _ in 0..2 {
            watchdog.begin();
            seen.push(turn());
            watchdog.end();
            seen.push(turn());
        }
        assert_eq!(seen, [0, 1, 2, 3, 4]);
    }
}
