//! Why mails do not leave, as it is told to the operator: each cause once, however many mails it
//! holds up, and once a day while it lasts.

use super::{Carrier, Undelivered};
use crate::mail::Address;
use crate::store::outbox::Backlog;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What lasts is told again after a day.
const AGAIN: i64 = 86_400;
/// What an address was refused for is told again after a week.
const REFUSED_AGAIN: i64 = 7 * AGAIN;
/// A failure that was not seen for so long is over: every letter is tried every four hours.
const OVER: i64 = 5 * 3600;
/// What is told of another program's words at most.
const MOST_SAID: usize = 400;
/// So many addresses are named.
const NAMED: usize = 3;

/// A carrier whose failures are noted.
pub struct Noted {
    carrier: Box<dyn Carrier>,
    run: Run,
}

impl Noted {
    /// Around that way out.
    pub fn new(carrier: Box<dyn Carrier>) -> Self {
        Self { carrier, run: Run::default() }
    }

    /// What came of all that was sent.
    pub fn into_run(self) -> Run {
        self.run
    }
}

impl Carrier for Noted {
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), Undelivered> {
        let sent = self.carrier.send(sender, to, bytes);
        self.run.note(to, sent.as_ref().err());
        sent
    }
}

/// What came of one run of `deliver`.
#[derive(Debug, Default)]
pub struct Run {
    /// Whether a mail left, so that the way out is open.
    sent: bool,
    /// By whether it is for good and what is the same of several.
    causes: BTreeMap<(bool, String), Cause>,
}

#[derive(Debug)]
struct Cause {
    /// In the words of the first.
    why: String,
    /// Whether it holds for every mail.
    all: bool,
    letters: usize,
    to: BTreeSet<String>,
}

impl Run {
    fn note(&mut self, to: &Address, undelivered: Option<&Undelivered>) {
        let Some(Undelivered { permanent, all, why }) = undelivered else {
            self.sent = true;
            return;
        };
        let why = clean(why);
        let new = || Cause { why: why.clone(), all: *all, letters: 0, to: BTreeSet::new() };
        let cause = self.causes.entry((*permanent, common(&why, to))).or_insert_with(new);
        cause.letters += 1;
        cause.to.insert(to.as_str().to_owned());
    }
}

/// One line without what a terminal would obey, and not too long.
fn clean(why: &str) -> String {
    let plain: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").chars().take(MOST_SAID).collect()
}

/// What is the same of one cause for several letters: without the recipient, and without numbers
/// that count or name something, other than the codes of SMTP.
fn common(why: &str, to: &Address) -> String {
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

/// What the operator was told, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Troubles {
    /// Why mails do not leave.
    causes: BTreeMap<String, Known>,
    /// When each refusal for good was told; an address stands behind it.
    refused: BTreeMap<String, i64>,
    /// When it was told that mails are late; none while none is.
    late: Option<i64>,
    /// What else was logged of failed runs.
    faults: BTreeMap<String, i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    why: String,
    all: bool,
    since: i64,
    seen: i64,
    told: Option<i64>,
}

/// What is to be told of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What the operator has not heard today.
    pub new: Vec<String>,
    /// All there is to be told.
    pub all: Vec<String>,
    /// What is over.
    pub over: Vec<String>,
    /// Whether something has waited for long and cannot leave.
    pub late: bool,
}

impl Told {
    fn say(&mut self, line: String, is_new: bool) {
        if is_new {
            self.new.push(line.clone());
        }
        self.all.push(line);
    }
}

impl Troubles {
    /// Takes in what came of a run, after which `backlog` waits. What waits longer than `patience`
    /// seconds is late.
    pub fn learn(&mut self, run: &Run, backlog: Backlog, patience: i64, now: i64) -> Told {
        let mut told = Told::default();
        self.forget(run, backlog, now, &mut told);
        for ((permanent, key), cause) in &run.causes {
            if *permanent {
                self.refused(key, cause, now, &mut told);
            } else {
                self.failed(key, cause, now, &mut told);
            }
        }
        self.is_late(backlog, patience, now, &mut told);
        told
    }

    /// Whether a fault of a run is to be logged: it was not, today. `faults` are those of the whole
    /// run; others are over.
    pub fn learn_faults<'a>(&mut self, faults: &[&'a str], now: i64) -> Vec<&'a str> {
        self.faults.retain(|fault, _| faults.contains(&&**fault));
        let mut new = Vec::new();
        for fault in faults {
            if is_due(self.faults.get(*fault).copied(), AGAIN, now) {
                self.faults.insert((*fault).to_owned(), now);
                new.push(*fault);
            }
        }
        new
    }

    /// What is over goes away.
    fn forget(&mut self, run: &Run, backlog: Backlog, now: i64, told: &mut Told) {
        self.refused.retain(|_, at| !is_due(Some(*at), REFUSED_AGAIN, now));
        self.causes.retain(|key, known| {
            let lasts = run.causes.contains_key(&(false, key.clone()))
                || backlog.letters > 0
                    && !(run.sent && known.all)
                    && (now - known.seen).abs() < OVER;
            if !lasts {
                told.over.push(format!("no longer: {}", known.why));
            }
            lasts
        });
    }

    fn refused(&mut self, key: &str, cause: &Cause, now: i64, told: &mut Told) {
        let mut is_new = false;
        for to in &cause.to {
            let key = format!("{key} {to}");
            is_new |= is_due(self.refused.get(&key).copied(), REFUSED_AGAIN, now);
            self.refused.entry(key).or_insert(now);
        }
        let Cause { why, letters, .. } = cause;
        let are = if *letters == 1 { "1 mail was" } else { &format!("{letters} mails were") };
        let line = format!("{are} refused for good ({}; see outbox/bad): {why}", named(&cause.to));
        told.say(line, is_new);
    }

    fn failed(&mut self, key: &str, cause: &Cause, now: i64, told: &mut Told) {
        let Cause { why, all, letters, to } = cause;
        let new = || Known { why: why.clone(), all: *all, since: now, seen: now, told: None };
        let known = self.causes.entry(key.to_owned()).or_insert_with(new);
        known.seen = now;
        let is_new = is_due(known.told, AGAIN, now);
        if is_new {
            known.told = Some(now);
        }
        let are = if *letters == 1 {
            "1 mail cannot leave"
        } else {
            &format!("{letters} mails cannot leave")
        };
        let line = format!("{are} ({}), and will be tried again: {why}", named(to));
        told.say(line, is_new);
    }

    fn is_late(&mut self, backlog: Backlog, patience: i64, now: i64, told: &mut Told) {
        let since = self.causes.values().map(|known| known.since).chain(backlog.oldest).min();
        let waited = since.filter(|_| backlog.letters > 0).map_or(0, |since| now - since);
        told.late = waited >= patience;
        if !told.late {
            self.late = None;
            return;
        }
        let is_new = is_due(self.late, AGAIN, now);
        if is_new {
            self.late = Some(now);
        }
        let Backlog { letters, .. } = backlog;
        let have = if letters == 1 { "1 mail has" } else { &format!("{letters} mails have") };
        // Another cause may have been there before, and only the last attempt counts.
        let last = self.causes.values().map(|known| known.seen).max();
        let seen = self.causes.values().filter(|known| Some(known.seen) == last);
        let whys: BTreeSet<&str> = seen.map(|known| &*known.why).collect();
        let whys: Vec<&str> = whys.into_iter().collect();
        let why = if whys.is_empty() { "they failed before" } else { &whys.join("; ") };
        told.say(format!("{have} waited in the outbox for up to {}: {why}", span(waited)), is_new);
    }
}

/// Whether what was told then is to be told again. A clock that was set back makes it due.
fn is_due(told: Option<i64>, pause: i64, now: i64) -> bool {
    told.is_none_or(|told| (now - told).abs() >= pause)
}

/// Some of the addresses.
fn named(to: &BTreeSet<String>) -> String {
    let some: Vec<&str> = to.iter().take(NAMED).map(String::as_str).collect();
    let more = to.len() - some.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("to {}{rest}", some.join(", "))
}

/// `5 minutes`, `3 hours`, `2 days`.
fn span(seconds: i64) -> String {
    let (number, unit) = match (seconds / 60, seconds / 3600, seconds / 86_400) {
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

    fn run(failures: &[(&str, bool, bool, &str)], sent: bool) -> Run {
        let mut run = Run { sent, ..Run::default() };
        for (to, permanent, all, why) in failures {
            let to = Address::parse(to).unwrap();
            let (permanent, all, why) = (*permanent, *all, (*why).to_owned());
            run.note(&to, Some(&Undelivered { permanent, all, why }));
        }
        run
    }

    fn waiting(letters: usize, oldest: i64) -> Backlog {
        Backlog { letters, oldest: Some(oldest) }
    }

    const DOWN: &str = "mx:25: Connection refused (os error 111)";

    #[test]
    fn a_cause_is_told_once_whatever_it_holds_up_and_again_after_a_day() {
        let mut troubles = Troubles::default();
        let down = run(&[("a@x.org", false, true, DOWN), ("b@x.org", false, true, DOWN)], false);
        let told = troubles.learn(&down, waiting(2, 0), 3600, 0);
        let line =
            format!("2 mails cannot leave (to a@x.org, b@x.org), and will be tried again: {DOWN}");
        assert_eq!((told.new, told.late), (vec![line.clone()], false));
        // Nothing was due, and nothing is over.
        let told = troubles.learn(&run(&[], false), waiting(2, 0), 3600, 60);
        assert_eq!(told, Told::default());
        let told = troubles.learn(&down, waiting(2, 0), 3600, 120);
        assert_eq!((told.new, told.all), (vec![], vec![line]));
        // Late: said once more, also where nothing is tried.
        let told = troubles.learn(&run(&[], false), waiting(2, 0), 3600, 3600);
        assert!(told.late && told.new.len() == 1, "{told:?}");
        assert_eq!(
            told.new[0],
            format!("2 mails have waited in the outbox for up to 60 minutes: {DOWN}")
        );
        let mut heard = 0;
        for hour in 2..=25 {
            let told = troubles.learn(&down, waiting(2, 0), 3600, hour * 3600);
            assert!(told.late);
            heard += told.new.len();
        }
        assert_eq!(heard, 2, "each once a day");
        let told = troubles.learn(&run(&[], true), Backlog::default(), 3600, 26 * 3600);
        assert_eq!(
            (told.late, told.new.len(), told.over),
            (false, 0, vec![format!("no longer: {DOWN}")])
        );
        let told = troubles.learn(&down, waiting(2, 26 * 3600), 3600, 26 * 3600 + 60);
        assert_eq!(told.new.len(), 1, "it is down again");
    }

    #[test]
    fn a_newer_mail_in_the_place_of_an_older_one_does_not_make_it_early() {
        let mut troubles = Troubles::default();
        for minute in 0..=60 {
            let down = run(&[("a@x.org", false, true, DOWN)], false);
            let now = minute * 60;
            let told = troubles.learn(&down, waiting(1, now), 3600, now);
            assert_eq!(told.late, minute == 60, "{minute}");
        }
    }

    #[test]
    fn one_full_mailbox_is_told_once_though_others_get_their_mails() {
        let mut troubles = Troubles::default();
        let full = |seconds: u32| {
            let why = format!(
                "transient error (450): 4.2.2 <a@x.org>: full, wait {seconds} seconds, id q{seconds}"
            );
            run(&[("a@x.org", false, false, &why)], true)
        };
        assert_eq!(troubles.learn(&full(298), waiting(1, 0), 3600, 0).new.len(), 1);
        assert_eq!(troubles.learn(&full(97), waiting(1, 0), 3600, 60).new.len(), 0);
        assert_eq!(troubles.learn(&run(&[], true), waiting(1, 0), 3600, 120).new.len(), 0);
        assert_eq!(troubles.learn(&full(5), waiting(1, 0), 3600, 180).new.len(), 0);
        // Another code is another cause, in the same words or not.
        for why in [
            "transient error (452): 4.2.2 <a@x.org>: full, wait 5 seconds, id q5",
            "transient error (452): 4.3.1 <a@x.org>: full, wait 5 seconds, id q5",
            "transient error (451): 4.3.0 later",
        ] {
            let other = run(&[("a@x.org", false, false, why)], true);
            let told = troubles.learn(&other, waiting(1, 0), 3600, 240);
            assert_eq!(told.new.len(), 1, "{why}");
        }
    }

    #[test]
    fn a_refusal_for_good_is_told_once_an_address_and_never_makes_late() {
        let mut troubles = Troubles::default();
        let gone = |to: &str| run(&[(to, true, false, &format!("550 <{to}> unknown"))], true);
        let told = troubles.learn(&gone("a@x.org"), Backlog::default(), 3600, 0);
        assert_eq!(
            told.new,
            ["1 mail was refused for good (to a@x.org; see outbox/bad): 550 <a@x.org> unknown"]
        );
        for hour in 1..100 {
            let told = troubles.learn(&gone("a@x.org"), Backlog::default(), 3600, hour * 3600);
            assert!(told.new.is_empty() && !told.late, "{told:?}");
        }
        let told = troubles.learn(&gone("b@x.org"), Backlog::default(), 3600, 360_000);
        assert_eq!(told.new.len(), 1, "another address");
    }

    #[test]
    fn what_another_program_says_is_one_line_of_some_length() {
        let long = format!("a\r\nb\u{1b}[31m {}", "x".repeat(5000));
        let mut troubles = Troubles::default();
        let told =
            troubles.learn(&run(&[("a@x.org", false, true, &long)], false), waiting(1, 0), 60, 0);
        assert!(told.new[0].len() < 600 && !told.new[0].contains(char::is_control), "{told:?}");
    }

    #[test]
    fn a_fault_is_logged_once_a_day_while_it_lasts() {
        let mut troubles = Troubles::default();
        assert_eq!(troubles.learn_faults(&["full", "away"], 0), ["full", "away"]);
        assert_eq!(troubles.learn_faults(&["full"], 60), [""; 0]);
        assert_eq!(troubles.learn_faults(&["full", "away"], 120), ["away"]);
        assert_eq!(troubles.learn_faults(&["full", "away"], AGAIN), ["full"]);
    }
}
