//! How often something is tried in which others were in the way.

use std::thread;
use std::time::Duration;

/// How often something is tried, and how long it pauses between.
#[derive(Clone, Debug)]
pub struct Backoff {
    left: u32,
    pause: Duration,
}

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(2);

impl Backoff {
    /// So that ten seconds pass before it is given up: the time in which a database is started again.
    pub fn new() -> Self {
        Self { left: 11, pause: Duration::from_millis(5) }
    }

    /// How long to wait before the next try; none if it was tried often enough.
    fn next(&mut self) -> Option<Duration> {
        self.left = self.left.checked_sub(1)?;
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST);
        Some(pause)
    }

    /// Waits before the next try; returns at once, and false, where it was tried often enough.
    pub fn wait(&mut self) -> bool {
        let pause = self.next();
        if let Some(pause) = pause {
            // Two that meet do not meet again: no two processes begin at the same time.
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
