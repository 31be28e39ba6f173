//! Durations for the log. They decide nothing.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// A stopwatch on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Duration);

fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::Monotonic)).unwrap_or_default()
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
