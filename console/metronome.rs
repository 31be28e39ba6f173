//! Conversion of time into ticks.

use super::action::Step;
use std::time::Duration;

/// The length of a tick at normal speed.
const TICK: Duration = Duration::from_millis(10);

/// The largest delay that is made up for. After a longer stop the ticks in between are dropped.
const MOST_LATE: Duration = Duration::from_secs(1);

/// The lowest and the highest speed, in quarters of the normal one.
const QUARTERS: std::ops::RangeInclusive<u32> = 1..=400;

/// A counter of due ticks. It loses none between calls.
#[derive(Clone, Copy, Debug)]
pub struct Metronome {
    /// The speed, in quarters of the normal one.
    quarters: u32,
    /// The time of the last call.
    asked: Duration,
    /// The fraction of a tick at that time, in quarters of a nanosecond.
    rest: u128,
}

impl Metronome {
    /// Creates a metronome that starts at a time and runs at a multiple of normal speed.
    pub fn new(now: Duration, pace: u32) -> Self {
        let quarters = pace.saturating_mul(4).clamp(*QUARTERS.start(), *QUARTERS.end());
        Self { quarters, asked: now, rest: 0 }
    }

    /// Returns the ticks due since the last call.
    pub fn due(&mut self, now: Duration) -> u64 {
        let gone = now.saturating_sub(self.asked).min(MOST_LATE);
        self.asked = now;
        self.rest += gone.as_nanos() * u128::from(self.quarters);
        let tick = TICK.as_nanos() * 4;
        let due = self.rest / tick;
        self.rest %= tick;
        u64::try_from(due).expect("a second has few ticks")
    }

    /// Doubles the speed, or halves it with [`Step::Previous`].
    pub fn change(&mut self, step: Step) {
        let quarters = match step {
            Step::Next => self.quarters * 2,
            Step::Previous => self.quarters / 2,
        };
        self.quarters = quarters.clamp(*QUARTERS.start(), *QUARTERS.end());
    }

    /// Returns the speed in words: `x 2`, `x 1/4`.
    pub fn pace(&self) -> String {
        match self.quarters {
            1 => "x 1/4".into(),
            2 => "x 1/2".into(),
            quarters => format!("x {}", quarters / 4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn no_tick_is_lost_however_it_is_asked() {
        for step in [1, 3, 7, 10, 33, 250] {
            for (pace, expected) in [(1, 100), (7, 700), (100, 10_000)] {
                let mut metronome = Metronome::new(ms(5), pace);
                let mut ticks = 0;
                for now in (5..=1005).step_by(step) {
                    ticks += metronome.due(ms(u64::try_from(now).unwrap()));
                }
                ticks += metronome.due(ms(1005));
                assert_eq!(ticks, expected, "every {step} ms, {pace} times as fast");
            }
        }
    }

    #[test]
    fn who_was_stopped_does_not_run_after_the_time() {
        let mut metronome = Metronome::new(ms(0), 1);
        assert_eq!(metronome.due(Duration::from_hours(1)), 100);
        assert_eq!(metronome.due(Duration::from_hours(1) + ms(10)), 1);
        // The clock goes backwards, which monotonic clocks never do.
        assert_eq!(metronome.due(ms(0)), 0);
    }

    #[test]
    fn it_runs_faster_and_slower_within_bounds() {
        let mut metronome = Metronome::new(ms(0), 1);
        let mut paces = vec![metronome.pace()];
        for step in [[Step::Previous; 3], [Step::Next; 3]].concat() {
            metronome.change(step);
            paces.push(metronome.pace());
        }
        assert_eq!(paces, ["x 1", "x 1/2", "x 1/4", "x 1/4", "x 1/2", "x 1", "x 2"]);
        (0..20).for_each(|_| metronome.change(Step::Next));
        assert_eq!((metronome.pace().as_str(), metronome.due(ms(100))), ("x 100", 1000));
    }
}
