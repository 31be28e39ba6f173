//! The domains of recipients: how many letters each gets in a minute, and which wait after failures.
//!
//! The limits apply to one process. The functions take the time as an argument and return when a letter may leave.

use crate::base::time::{HOUR, MINUTE, Span, Time, minutes, seconds};
use crate::config::DomainLimits;
use crate::mail::Address;
use std::collections::{BTreeMap, VecDeque};

/// The longest pause of a domain.
const LONGEST_PAUSE: Span = HOUR;

/// A failure that took so long makes its domain pause at once: each further one would hold up all letters.
const SLOW: Span = seconds(20);

/// What a process knows about the domains of recipients.
#[derive(Debug, Default)]
pub struct Domains {
    limits: DomainLimits,
    states: BTreeMap<String, DomainState>,
    /// When the first letter that was put off in this run may leave.
    next: Option<Time>,
}

/// What is known about a domain.
#[derive(Debug, Default)]
struct DomainState {
    /// When letters left in the last minute.
    departures: VecDeque<Time>,
    /// How many letters of this run the limit of a minute has put off.
    put_off: u32,
    /// The failures since the last success.
    failures: u32,
    /// The pauses since the last success.
    pauses: u32,
    /// The end of the latest pause.
    pause_end: Option<Time>,
}

impl DomainState {
    /// Returns the end of the pause. A pause that ends too late began before the clock was set back.
    fn pauses_until(&self, now: Time) -> Option<Time> {
        self.pause_end.filter(|end| now < *end && *end - now <= LONGEST_PAUSE)
    }

    /// Forgets the letters that left more than a minute ago.
    fn forget_departures(&mut self, now: Time) {
        self.departures.retain(|left| *left <= now && now - *left < MINUTE);
    }
}

impl Domains {
    /// Begins a run with these limits.
    pub fn begin(&mut self, limits: DomainLimits, now: Time) {
        self.limits = limits;
        self.next = None;
        for state in self.states.values_mut() {
            state.forget_departures(now);
            state.put_off = 0;
        }
        self.states.retain(|_, state| !state.departures.is_empty() || state.failures > 0);
    }

    /// Returns the time until which a letter must wait. If it may leave now, counts it towards the
    /// domain's limit and returns `None`.
    pub fn earliest_departure(&mut self, to: &Address, now: Time) -> Option<Time> {
        let limit = self.limits.letters_a_minute.map(u32::from);
        let state = self.states.entry(to.domain().to_ascii_lowercase()).or_default();
        let until = state.pauses_until(now).or_else(|| {
            let limit = limit?;
            state.forget_departures(now);
            let first = *state.departures.front()?;
            if u32::try_from(state.departures.len()).is_ok_and(|count| count < limit) {
                return None;
            }
            // The letters that wait share the next minutes.
            let minute = 1 + i64::from(state.put_off / limit);
            state.put_off += 1;
            Some(first + minutes(minute))
        });
        if until.is_none() && limit.is_some() {
            state.departures.push_back(now);
        }
        self.next = self.next.into_iter().chain(until).min();
        until
    }

    /// Notes the outcome of a try, and how long it took. Failures that say nothing about the recipient's
    /// domain are not noted.
    pub fn note(&mut self, to: &Address, is_sent: bool, took: Span, now: Time) {
        let state = self.states.entry(to.domain().to_ascii_lowercase()).or_default();
        if is_sent {
            (state.failures, state.pauses, state.pause_end) = (0, 0, None);
            return;
        }
        let limit = self.limits.failures.get();
        state.failures = state.failures.saturating_add(1);
        if took >= SLOW {
            state.failures = state.failures.max(limit);
        }
        if state.failures >= limit {
            // After a pause, one more failure is enough for the next.
            state.pause_end = Some(now + minutes(1 << state.pauses.min(16)).min(LONGEST_PAUSE));
            state.pauses = state.pauses.saturating_add(1);
        }
    }

    /// Returns when the first letter that this run put off may leave.
    pub fn next(&self) -> Option<Time> {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    const NOW: Time = Time::from_unix(1_795_000_000);

    fn limits(letters_a_minute: u32, failures: u32) -> DomainLimits {
        let failures = NonZeroU32::new(failures).unwrap();
        DomainLimits { letters_a_minute: NonZeroU32::new(letters_a_minute), failures }
    }

    fn to(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    fn begun(limits: DomainLimits) -> Domains {
        let mut domains = Domains::default();
        domains.begin(limits, NOW);
        domains
    }

    #[test]
    fn a_domain_gets_so_many_letters_a_minute_and_the_rest_share_the_next_minutes() {
        let mut domains = begun(limits(2, 9));
        let later = |after: i64| Some(NOW + minutes(after));
        let mut ask = |name: &str| domains.earliest_departure(&to(name), NOW);
        let asked = ["a@x.org", "b@X.ORG", "c@x.org", "d@x.org", "e@x.org"].map(&mut ask);
        assert_eq!(asked, [None, None, later(1), later(1), later(2)]);
        assert_eq!(ask("a@y.org"), None, "another domain");
        assert_eq!(domains.next(), later(1));
        // The minute of each letter ends by itself.
        domains.begin(limits(2, 9), NOW + seconds(59));
        assert_eq!(domains.next(), None);
        assert_eq!(domains.earliest_departure(&to("c@x.org"), NOW + seconds(59)), later(1));
        let mut at = |after: i64| domains.earliest_departure(&to("c@x.org"), NOW + seconds(after));
        assert_eq!([60, 61, 62].map(&mut at), [None, None, Some(NOW + seconds(120))]);
    }

    #[test]
    fn no_minute_has_more_letters_than_the_limit() {
        let mut domains = begun(limits(3, 9));
        let mut left = Vec::new();
        for second in 0..600 {
            let now = NOW + seconds(second);
            if second % 7 < 3 && domains.earliest_departure(&to("a@x.org"), now).is_none() {
                left.push(now);
            }
        }
        assert!(left.len() >= 30, "{}", left.len());
        assert!(left.windows(4).all(|four| four[3] - four[0] >= MINUTE), "{left:?}");
    }

    #[test]
    fn a_domain_waits_after_failures_in_a_row_longer_each_time() {
        let mut domains = begun(limits(0, 3));
        let alice = to("alice@x.org");
        for _ in 0..2 {
            domains.note(&alice, false, Span::ZERO, NOW);
            assert_eq!(domains.earliest_departure(&alice, NOW), None);
        }
        domains.note(&to("bob@x.org"), false, Span::ZERO, NOW);
        let mut now = NOW;
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            let end = now + minutes(pause);
            assert_eq!(domains.earliest_departure(&alice, end - seconds(1)), Some(end), "{pause}");
            assert_eq!(domains.earliest_departure(&to("alice@y.org"), now), None);
            domains.begin(limits(0, 3), end);
            assert_eq!(domains.earliest_departure(&alice, end), None, "one letter is tried");
            domains.note(&alice, false, Span::ZERO, end);
            now = end;
        }
        domains.note(&alice, true, Span::ZERO, now);
        domains.note(&alice, false, Span::ZERO, now);
        assert_eq!(domains.earliest_departure(&alice, now), None, "a success ends it");
    }

    #[test]
    fn a_domain_that_does_not_answer_waits_at_once() {
        let mut domains = begun(limits(0, 3));
        domains.note(&to("alice@x.org"), false, SLOW, NOW);
        assert_eq!(domains.earliest_departure(&to("bob@x.org"), NOW), Some(NOW + MINUTE));
        domains.note(&to("alice@y.org"), false, SLOW - seconds(1), NOW);
        domains.note(&to("alice@z.org"), true, SLOW, NOW);
        for name in ["bob@y.org", "bob@z.org"] {
            assert_eq!(domains.earliest_departure(&to(name), NOW), None);
        }
    }

    #[test]
    fn a_clock_that_was_set_back_ends_pauses() {
        let mut domains = begun(limits(1, 1));
        assert_eq!(domains.earliest_departure(&to("a@x.org"), NOW), None);
        domains.note(&to("a@x.org"), false, Span::ZERO, NOW);
        assert!(domains.earliest_departure(&to("a@x.org"), NOW).is_some());
        assert_eq!(domains.earliest_departure(&to("a@x.org"), NOW - minutes(100)), None);
    }

    #[test]
    fn domains_without_departures_or_failures_are_forgotten() {
        let mut domains = begun(limits(5, 3));
        for number in 0..100 {
            assert_eq!(domains.earliest_departure(&to(&format!("a@x{number}.org")), NOW), None);
            domains.note(&to(&format!("a@x{number}.org")), number != 7, Span::ZERO, NOW);
        }
        domains.begin(limits(5, 3), NOW + MINUTE);
        assert_eq!(domains.states.keys().collect::<Vec<_>>(), ["x7.org"]);
    }
}
