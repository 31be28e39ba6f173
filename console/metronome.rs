//! From time to ticks.

use std::time::Duration;

/// The length of a tick where the clock runs at its own pace.
const TICK: Duration = Duration::from_millis(10);

/// The most that is made up for: after a longer stop, time goes on as if there had been none.
const MOST_LATE: Duration = Duration::from_secs(1);

/// The slowest and the fastest, in quarters of the clock's own pace.
const QUARTERS: std::ops::RangeInclusive<u32> = 1..=400;

/// Says how many ticks have come due. It loses none, however seldom it is asked.
#[derive(Clone, Copy, Debug)]
pub struct Metronome {
    /// Ticks, in quarters of the clock's own.
    quarters: u32,
    /// When it was asked last.
    asked: Duration,
    /// The remainder then, in quarters of a nanosecond of ticks.
    rest: u128,
}

impl Metronome {
    /// One that starts at that time, and runs so many times as fast as the clock.
    pub fn new(now: Duration, pace: u32) -> Self {
        let quarters = pace.saturating_mul(4).clamp(*QUARTERS.start(), *QUARTERS.end());
        Self { quarters, asked: now, rest: 0 }
    }

    /// The ticks that have come due since it was asked last.
    pub fn due(&mut self, now: Duration) -> u64 {
        let gone = now.saturating_sub(self.asked).min(MOST_LATE);
        self.asked = now;
        self.rest += gone.as_nanos() * u128::from(self.quarters);
        let tick = TICK.as_nanos() * 4;
        let due = self.rest / tick;
        self.rest %= tick;
        u64::try_from(due).expect("a second has few ticks")
    }

    /// Twice as fast, or half as fast.
    pub fn change(&mut self, faster: bool) {
        let quarters = if faster { self.quarters * 2 } else { self.quarters / 2 };
        self.quarters = quarters.clamp(*QUARTERS.start(), *QUARTERS.end());
    }

    /// How fast it runs: `x 2`, `x 1/4`.
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
        // A clock that goes back, which monotonic ones do not.
        assert_eq!(metronome.due(ms(0)), 0);
    }

    #[test]
    fn it_runs_faster_and_slower_within_bounds() {
        let mut metronome = Metronome::new(ms(0), 1);
        let mut paces = vec![metronome.pace()];
        for faster in [false, false, false, true, true, true] {
            metronome.change(faster);
            paces.push(metronome.pace());
        }
        assert_eq!(paces, ["x 1", "x 1/2", "x 1/4", "x 1/4", "x 1/2", "x 1", "x 2"]);
        (0..20).for_each(|_| metronome.change(true));
        assert_eq!((metronome.pace().as_str(), metronome.due(ms(100))), ("x 100", 1000));
    }
}
