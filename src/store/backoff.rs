//! Retries with exponential backoff, for work that conflicts with other processes.

use std::thread;
use std::time::Duration;

/// The tries that are left, and the pause before the next one.
#[derive(Clone, Debug)]
pub struct Backoff {
    left: u32,
    pause: Duration,
}

/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(2);

impl Backoff {
    /// Returns a backoff of 11 retries over three to nine seconds, in which a database can
    /// restart.
    pub fn new() -> Self {
        Self { left: 11, pause: Duration::from_millis(5) }
    }

    /// Returns the pause before the next try; `None` after the last one.
    fn next(&mut self) -> Option<Duration> {
        self.left = self.left.checked_sub(1)?;
        let pause = self.pause;
        self.pause = (pause * 2).min(MAX_PAUSE);
        Some(pause)
    }

    /// Pauses before the next try; returns false, at once, after the last one.
    pub fn wait(&mut self) -> bool {
        let pause = self.next();
        if let Some(pause) = pause {
            // Processes that collided differ in their pauses, so they do not collide again.
            let spread = std::process::id() % 8 + 4;
            thread::sleep(pause * spread / 8);
        }
        pause.is_some()
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_with_growing_pauses_up_to_a_limit() {
        let mut tries = Backoff::new();
        let pauses: Vec<_> = std::iter::from_fn(|| tries.next()).collect();
        let milliseconds: Vec<_> = pauses.iter().map(Duration::as_millis).collect();
        assert_eq!(milliseconds, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2000, 2000]);
        assert!(!tries.wait(), "it is given up");
    }
}
