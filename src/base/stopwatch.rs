//! How long something takes, for the log: it decides nothing.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Runs from when it was started, even if the clock on the wall is set.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Duration);

fn now() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

impl Stopwatch {
    /// Starts one.
    pub fn start() -> Self {
        Self(now())
    }

    /// How long it has run.
    pub fn took(self) -> Duration {
        now().saturating_sub(self.0)
    }
}
