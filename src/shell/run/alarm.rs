//! When clocks are looked at: at the next wakeup by the machine's clock, wherever that clock jumps.

use crate::base::time::{Span, Time, minutes};
use crate::server::remind;

/// The pause after a run that could not act, since a mail waits that may be a move.
const PUT_OFF: Span = minutes(1);

/// The time of the next run over clocks.
#[derive(Debug)]
pub(super) struct Alarm {
    /// When the last run began.
    ran: Time,
    next: Time,
}

impl Alarm {
    /// Returns an alarm that goes off at once.
    pub(super) fn new() -> Self {
        Self { ran: Time::EPOCH, next: Time::EPOCH }
    }

    /// Notes a wakeup that somebody has set.
    pub(super) fn wake_at(&mut self, wakeup: Time) {
        self.next = self.next.min(remind::next_look(wakeup, self.ran));
    }

    /// Returns whether a run is due. A clock that went back may have passed over wakeups, or will pass over
    /// them again: the run finds out.
    pub(super) fn is_due(&self, now: Time) -> bool {
        now >= self.next || now < self.ran
    }

    /// Returns how long no run is due, if the clock does not jump.
    pub(super) fn pause(&self, now: Time) -> Span {
        if self.is_due(now) { Span::ZERO } else { self.next - now }
    }

    /// Notes that a run began at `ran`, and that the next one is due at `next`.
    pub(super) fn ran(&mut self, ran: Time, next: Time) {
        (self.ran, self.next) = (ran, next);
    }

    /// Notes that a run at `now` could not act.
    pub(super) fn put_off(&mut self, now: Time) {
        self.ran(now, now + PUT_OFF);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: i64) -> Time {
        Time::from_unix(1_093_003_200 + seconds)
    }

    /// An alarm after a run at 0 that found a wakeup at 1000.
    fn alarm() -> Alarm {
        let mut alarm = Alarm::new();
        assert!(alarm.is_due(at(0)));
        alarm.ran(at(0), at(1000));
        alarm
    }

    #[test]
    fn it_goes_off_at_the_next_wakeup() {
        let mut alarm = alarm();
        assert!(!alarm.is_due(at(999)) && alarm.is_due(at(1000)));
        assert_eq!(alarm.pause(at(990)).seconds(), 10);
        // Later wakeups change nothing, an earlier one does.
        alarm.wake_at(at(2000));
        assert!(!alarm.is_due(at(999)));
        alarm.wake_at(at(500));
        assert!(!alarm.is_due(at(499)) && alarm.is_due(at(500)));
        assert_eq!(alarm.pause(at(500)), Span::ZERO);
    }

    #[test]
    fn what_stays_due_is_looked_at_each_minute() {
        let mut alarm = alarm();
        for past in [at(0), at(-100_000), Time::EPOCH] {
            alarm.wake_at(past);
            assert!(!alarm.is_due(at(59)) && alarm.is_due(at(60)));
        }
    }

    #[test]
    fn a_clock_that_jumps_forward_misses_no_wakeup() {
        assert!(alarm().is_due(at(1_000_000)));
    }

    #[test]
    fn a_clock_that_jumps_back_causes_one_run() {
        let mut alarm = alarm();
        assert!(alarm.is_due(at(-5)));
        assert_eq!(alarm.pause(at(-5)), Span::ZERO);
        alarm.ran(at(-5), at(1000));
        assert!(!alarm.is_due(at(-4)) && !alarm.is_due(at(999)) && alarm.is_due(at(1000)));
    }

    #[test]
    fn a_run_that_could_not_act_is_repeated_after_a_minute() {
        let mut alarm = alarm();
        alarm.put_off(at(1000));
        assert!(!alarm.is_due(at(1059)) && alarm.is_due(at(1060)));
    }
}
