//! Reports why mails cannot be sent: each cause once, however many mails it affects, and again once
//! a day while it lasts.

use super::{DeliveryError, FailureScope, Transport};
use crate::base::time::{DAY, Span, Time, WEEK, hours};
use crate::mail::Address;
use crate::store::outbox::Backlog;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// When a lasting cause is reported again.
const REPORT_AGAIN: Span = DAY;
/// When a rejection for good is reported again for the same address.
const REPORT_REJECTION_AGAIN: Span = WEEK;
/// When a failure counts as over if not seen again. Every letter is tried every four hours.
const OVER_AFTER: Span = hours(5);
/// The most characters reported of another program's message.
const MAX_SAID_CHARS: usize = 400;
/// How many addresses are named.
const MAX_NAMED: usize = 3;

/// A transport that sends by another one and records the results.
pub struct RecordingTransport<'a> {
    transport: &'a mut dyn Transport,
    results: SendResults,
}

impl<'a> RecordingTransport<'a> {
    /// Wraps a transport.
    pub fn new(transport: &'a mut dyn Transport) -> Self {
        Self { transport, results: SendResults::default() }
    }

    /// Returns the results of all mails.
    pub fn into_results(self) -> SendResults {
        self.results
    }
}

impl Transport for RecordingTransport<'_> {
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        let sent = self.transport.send(sender, to, bytes);
        self.results.record(to, sent.as_ref().err());
        sent
    }

    fn report_unprintable(&mut self, to: &Address, why: &DeliveryError) {
        self.results.record(to, Some(why));
    }
}

/// The results of one run of `deliver`.
#[derive(Debug, Default)]
pub struct SendResults {
    /// Whether any mail was sent, so that the transport works.
    has_sent: bool,
    /// Failures, by whether they are rejections, and by the text they have in common.
    causes: BTreeMap<(bool, String), FailureCause>,
}

/// The failures of a run that have a cause in common.
#[derive(Debug)]
struct FailureCause {
    /// The message of the first failure.
    why: String,
    /// Whether it affects every mail.
    is_for_all: bool,
    /// The number of letters.
    letters: usize,
    /// Their recipients.
    to: BTreeSet<String>,
}

impl SendResults {
    fn record(&mut self, to: &Address, undelivered: Option<&DeliveryError>) {
        let Some(DeliveryError { scope, why }) = undelivered else {
            self.has_sent = true;
            return;
        };
        let why = clean(why);
        let is_rejected = *scope == FailureScope::Rejected;
        let is_for_all = *scope == FailureScope::Transport;
        let new = || FailureCause { why: why.clone(), is_for_all, letters: 0, to: BTreeSet::new() };
        let cause = self.causes.entry((is_rejected, common_part(&why, to))).or_insert_with(new);
        cause.letters += 1;
        cause.to.insert(to.as_str().to_owned());
    }
}

/// Returns one line without control characters, cut to [`MAX_SAID_CHARS`].
fn clean(why: &str) -> String {
    let plain: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").chars().take(MAX_SAID_CHARS).collect()
}

/// Returns the part of a message that all messages of one cause have in common: the text without the
/// recipient and without numbers, except SMTP codes.
fn common_part(why: &str, to: &Address) -> String {
    let is_code = |word: &str| {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let three = word.len() == 3 && digits(word) && word.starts_with(['4', '5']);
        three || word.len() <= 7 && word.contains('.') && word.split('.').all(digits)
    };
    let plain = why.replace(to.as_str(), "@");
    let words = plain.split(|c: char| c.is_whitespace() || "<>()[];,".contains(c));
    let same = words.map(|word| {
        let word = word.trim_matches([':', '.']);
        let counts = word.contains(|c: char| c.is_ascii_digit()) && !is_code(word);
        if counts { "#" } else { word }
    });
    same.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Reported troubles with their times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TroubleLog {
    /// Why mails cannot be sent.
    causes: BTreeMap<String, OpenTrouble>,
    /// When each rejection was reported; the key ends with the address.
    refused: BTreeMap<String, Time>,
    /// When late mails were reported, while there are any.
    late: Option<Time>,
    /// Faults of failed runs, and when they were logged.
    faults: BTreeMap<String, Time>,
}

/// A cause of failures that is not over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OpenTrouble {
    why: String,
    /// Whether it affects every mail.
    all: bool,
    /// When it was seen first.
    since: Time,
    /// When it was seen last.
    seen: Time,
    /// When it was reported last.
    told: Option<Time>,
}

/// What to report about a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TroubleReport {
    /// Troubles not reported today.
    pub new: Vec<String>,
    /// All troubles.
    pub all: Vec<String>,
    /// Troubles that are over.
    pub over: Vec<String>,
    /// Whether a mail has waited for too long.
    pub is_late: bool,
}

impl TroubleReport {
    /// Adds a trouble.
    fn add(&mut self, line: String, is_new: bool) {
        if is_new {
            self.new.push(line.clone());
        }
        self.all.push(line);
    }
}

impl TroubleLog {
    /// Adds the results of a run, after which `backlog` still waits. A mail that has waited for
    /// `patience` is late.
    pub fn record_run(
        &mut self,
        run: &SendResults,
        backlog: Backlog,
        patience: Span,
        now: Time,
    ) -> TroubleReport {
        let mut told = TroubleReport::default();
        self.forget_past(run, backlog, now, &mut told);
        for ((is_rejected, key), cause) in &run.causes {
            if *is_rejected {
                self.record_rejections(key, cause, now, &mut told);
            } else {
                self.record_failures(key, cause, now, &mut told);
            }
        }
        self.record_late(backlog, patience, now, &mut told);
        told
    }

    /// Returns those faults of a run that were not logged today. All others count as over.
    pub fn take_new_faults<'a>(&mut self, faults: &[&'a str], now: Time) -> Vec<&'a str> {
        self.faults.retain(|fault, _| faults.contains(&&**fault));
        let mut new = Vec::new();
        for fault in faults {
            if is_due(self.faults.get(*fault).copied(), REPORT_AGAIN, now) {
                self.faults.insert((*fault).to_owned(), now);
                new.push(*fault);
            }
        }
        new
    }

    /// Forgets troubles that are over.
    fn forget_past(
        &mut self,
        run: &SendResults,
        backlog: Backlog,
        now: Time,
        told: &mut TroubleReport,
    ) {
        self.refused.retain(|_, at| !is_due(Some(*at), REPORT_REJECTION_AGAIN, now));
        self.causes.retain(|key, known| {
            let lasts = run.causes.contains_key(&(false, key.clone()))
                || backlog.failed > 0
                    && !(run.has_sent && known.all)
                    && (now - known.seen).abs() < OVER_AFTER;
            if !lasts {
                told.over.push(format!("no longer: {}", known.why));
            }
            lasts
        });
    }

    fn record_rejections(
        &mut self,
        key: &str,
        cause: &FailureCause,
        now: Time,
        told: &mut TroubleReport,
    ) {
        let mut is_new = false;
        for to in &cause.to {
            let key = format!("{key} {to}");
            is_new |= is_due(self.refused.get(&key).copied(), REPORT_REJECTION_AGAIN, now);
            self.refused.entry(key).or_insert(now);
        }
        let FailureCause { why, letters, .. } = cause;
        let are = if *letters == 1 { "1 mail was" } else { &format!("{letters} mails were") };
        let line = format!("{are} rejected for good ({}; see outbox/bad): {why}", named(&cause.to));
        told.add(line, is_new);
    }

    fn record_failures(
        &mut self,
        key: &str,
        cause: &FailureCause,
        now: Time,
        told: &mut TroubleReport,
    ) {
        let FailureCause { why, is_for_all, letters, to } = cause;
        let new = || OpenTrouble {
            why: why.clone(),
            all: *is_for_all,
            since: now,
            seen: now,
            told: None,
        };
        let known = self.causes.entry(key.to_owned()).or_insert_with(new);
        known.seen = now;
        let is_new = is_due(known.told, REPORT_AGAIN, now);
        if is_new {
            known.told = Some(now);
        }
        let are = if *letters == 1 {
            "1 mail cannot be sent"
        } else {
            &format!("{letters} mails cannot be sent")
        };
        let line = format!("{are} ({}), and the server will try again: {why}", named(to));
        told.add(line, is_new);
    }

    fn record_late(
        &mut self,
        backlog: Backlog,
        patience: Span,
        now: Time,
        told: &mut TroubleReport,
    ) {
        let since =
            self.causes.values().map(|known| known.since).chain(backlog.oldest_failed).min();
        let waited = since.filter(|_| backlog.failed > 0).map_or(Span::ZERO, |since| now - since);
        told.is_late = waited >= patience;
        if !told.is_late {
            self.late = None;
            return;
        }
        let is_new = is_due(self.late, REPORT_AGAIN, now);
        if is_new {
            self.late = Some(now);
        }
        let Backlog { failed, .. } = backlog;
        let have = if failed == 1 { "1 mail has" } else { &format!("{failed} mails have") };
        // Other causes may have come before; only those of the last run with failures count.
        let last = self.causes.values().map(|known| known.seen).max();
        let seen = self.causes.values().filter(|known| Some(known.seen) == last);
        let whys: BTreeSet<&str> = seen.map(|known| &*known.why).collect();
        let whys: Vec<&str> = whys.into_iter().collect();
        let why = if whys.is_empty() { "they failed before" } else { &whys.join("; ") };
        told.add(format!("{have} waited in the outbox for up to {}: {why}", span(waited)), is_new);
    }
}

/// Returns whether a report is due again. If the clock was set back, it is.
fn is_due(told: Option<Time>, pause: Span, now: Time) -> bool {
    told.is_none_or(|told| (now - told).abs() >= pause)
}

/// Names some of the addresses.
fn named(to: &BTreeSet<String>) -> String {
    let some: Vec<&str> = to.iter().take(MAX_NAMED).map(String::as_str).collect();
    let more = to.len() - some.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("to {}{rest}", some.join(", "))
}

/// Formats a span: `5 minutes`, `3 hours`, `2 days`.
fn span(span: Span) -> String {
    let (number, unit) = match (span.minutes(), span.hours(), span.days()) {
        (minutes, ..2, _) => (minutes, "minute"),
        (_, hours, ..2) => (hours, "hour"),
        (.., days) => (days, "day"),
    };
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::{HOUR, MINUTE, minutes};

    fn run(failures: &[(&str, FailureScope, &str)], has_sent: bool) -> SendResults {
        let mut run = SendResults { has_sent, ..SendResults::default() };
        for (to, scope, why) in failures {
            let to = Address::parse(to).unwrap();
            run.record(&to, Some(&DeliveryError { scope: *scope, why: (*why).to_owned() }));
        }
        run
    }

    fn after(span: Span) -> Time {
        Time::EPOCH + span
    }

    /// Returns a backlog of letters, the oldest since that time.
    fn waiting(failed: usize, oldest: Span) -> Backlog {
        Backlog { failed, oldest_failed: Some(after(oldest)), put_off: 0 }
    }

    const DOWN: &str = "mx:25: Connection refused (os error 111)";

    #[test]
    fn a_cause_is_told_once_whatever_it_holds_up_and_again_after_a_day() {
        let mut troubles = TroubleLog::default();
        let down = run(
            &[
                ("a@x.org", FailureScope::Transport, DOWN),
                ("b@x.org", FailureScope::Transport, DOWN),
            ],
            false,
        );
        let told = troubles.record_run(&down, waiting(2, Span::ZERO), HOUR, Time::EPOCH);
        let line = format!(
            "2 mails cannot be sent (to a@x.org, b@x.org), and the server will try again: {DOWN}"
        );
        assert_eq!((told.new, told.is_late), (vec![line.clone()], false));
        // Nothing was due, and nothing is over.
        let told =
            troubles.record_run(&run(&[], false), waiting(2, Span::ZERO), HOUR, after(MINUTE));
        assert_eq!(told, TroubleReport::default());
        let told = troubles.record_run(&down, waiting(2, Span::ZERO), HOUR, after(minutes(2)));
        assert_eq!((told.new, told.all), (vec![], vec![line]));
        // Late mails are reported once more, even if nothing was tried.
        let told = troubles.record_run(&run(&[], false), waiting(2, Span::ZERO), HOUR, after(HOUR));
        assert!(told.is_late && told.new.len() == 1, "{told:?}");
        assert_eq!(
            told.new[0],
            format!("2 mails have waited in the outbox for up to 60 minutes: {DOWN}")
        );
        let mut heard = 0;
        for hour in 2..=25 {
            let told = troubles.record_run(&down, waiting(2, Span::ZERO), HOUR, after(hours(hour)));
            assert!(told.is_late);
            heard += told.new.len();
        }
        assert_eq!(heard, 2, "each once a day");
        let told = troubles.record_run(&run(&[], true), Backlog::default(), HOUR, after(hours(26)));
        assert_eq!(
            (told.is_late, told.new.len(), told.over),
            (false, 0, vec![format!("no longer: {DOWN}")])
        );
        let told =
            troubles.record_run(&down, waiting(2, hours(26)), HOUR, after(hours(26) + MINUTE));
        assert_eq!(told.new.len(), 1, "it is down again");
    }

    #[test]
    fn a_newer_mail_in_the_place_of_an_older_one_does_not_make_it_early() {
        let mut troubles = TroubleLog::default();
        for minute in 0..=60 {
            let down = run(&[("a@x.org", FailureScope::Transport, DOWN)], false);
            let now = minutes(minute);
            let told = troubles.record_run(&down, waiting(1, now), HOUR, after(now));
            assert_eq!(told.is_late, minute == 60, "{minute}");
        }
    }

    #[test]
    fn one_full_mailbox_is_told_once_though_others_get_their_mails() {
        let mut troubles = TroubleLog::default();
        let full = |seconds: u32| {
            let why = format!(
                "transient error (450): 4.2.2 <a@x.org>: full, wait {seconds} seconds, id q{seconds}"
            );
            run(&[("a@x.org", FailureScope::ThisLetter, &why)], true)
        };
        assert_eq!(
            troubles.record_run(&full(298), waiting(1, Span::ZERO), HOUR, Time::EPOCH).new.len(),
            1
        );
        assert_eq!(
            troubles.record_run(&full(97), waiting(1, Span::ZERO), HOUR, after(MINUTE)).new.len(),
            0
        );
        assert_eq!(
            troubles
                .record_run(&run(&[], true), waiting(1, Span::ZERO), HOUR, after(minutes(2)))
                .new
                .len(),
            0
        );
        assert_eq!(
            troubles
                .record_run(&full(5), waiting(1, Span::ZERO), HOUR, after(minutes(3)))
                .new
                .len(),
            0
        );
        // Another code is another cause, whatever the words.
        for why in [
            "transient error (452): 4.2.2 <a@x.org>: full, wait 5 seconds, id q5",
            "transient error (452): 4.3.1 <a@x.org>: full, wait 5 seconds, id q5",
            "transient error (451): 4.3.0 later",
        ] {
            let other = run(&[("a@x.org", FailureScope::ThisLetter, why)], true);
            let told = troubles.record_run(&other, waiting(1, Span::ZERO), HOUR, after(minutes(4)));
            assert_eq!(told.new.len(), 1, "{why}");
        }
    }

    #[test]
    fn a_refusal_for_good_is_told_once_an_address_and_never_makes_late() {
        let mut troubles = TroubleLog::default();
        let gone =
            |to: &str| run(&[(to, FailureScope::Rejected, &format!("550 <{to}> unknown"))], true);
        let told = troubles.record_run(&gone("a@x.org"), Backlog::default(), HOUR, Time::EPOCH);
        assert_eq!(
            told.new,
            ["1 mail was rejected for good (to a@x.org; see outbox/bad): 550 <a@x.org> unknown"]
        );
        for hour in 1..100 {
            let told =
                troubles.record_run(&gone("a@x.org"), Backlog::default(), HOUR, after(hours(hour)));
            assert!(told.new.is_empty() && !told.is_late, "{told:?}");
        }
        let told =
            troubles.record_run(&gone("b@x.org"), Backlog::default(), HOUR, after(hours(100)));
        assert_eq!(told.new.len(), 1, "another address");
    }

    #[test]
    fn what_another_program_says_is_one_line_of_some_length() {
        let long = format!("a\r\nb\u{1b}[31m {}", "x".repeat(5000));
        let mut troubles = TroubleLog::default();
        let told = troubles.record_run(
            &run(&[("a@x.org", FailureScope::Transport, &long)], false),
            waiting(1, Span::ZERO),
            MINUTE,
            Time::EPOCH,
        );
        assert!(told.new[0].len() < 600 && !told.new[0].contains(char::is_control), "{told:?}");
    }

    #[test]
    fn a_fault_is_logged_once_a_day_while_it_lasts() {
        let mut troubles = TroubleLog::default();
        assert_eq!(troubles.take_new_faults(&["full", "away"], Time::EPOCH), ["full", "away"]);
        assert_eq!(troubles.take_new_faults(&["full"], after(MINUTE)), [""; 0]);
        assert_eq!(troubles.take_new_faults(&["full", "away"], after(minutes(2))), ["away"]);
        assert_eq!(troubles.take_new_faults(&["full", "away"], after(REPORT_AGAIN)), ["full"]);
    }
}
