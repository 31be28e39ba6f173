//! Durations for the log. They decide nothing.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// A stopwatch on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Duration);

fn now() -> Duration {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Self {
        Self(now())
    }

    /// Returns the time since the start.
    pub fn took(self) -> Duration {
        now().saturating_sub(self.0)
    }
}
