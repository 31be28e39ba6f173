//! The contract of every kind of home: the same tests run on each.

use super::{NOW, STORY, expected, home, letter, printed, story, told};
use postboard::base::time::{DAY, MINUTE, Time, TimeSlot, seconds};
use postboard::config::DomainLimits;
use postboard::mail::Address;
use postboard::model::user;
use postboard::model::world::seeks_key;
use postboard::post::{
    DeliveryError, Domains, DomainsInRun, FailureScope, OutboxReport, Transport, flush,
    flush_within,
};
use postboard::store::Letter;
use postboard::store::outbox::Backlog;
use postboard::store::spool::{RetryDecision, Spool, mark};
use postboard::store::{FileHome, Home, Key, MemoryHome, OUTBOX, Register, Transaction};
use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;
use std::sync::mpsc;
use std::time::Duration;

/// Runs a test on the homes that only one process may open at a time.
fn of_one_process(story: impl Fn(&dyn Home)) {
    let dir = home();
    story(&FileHome::new(dir.path()));
    story(&MemoryHome::new());
}

/// Declares tests that run on every kind of home.
macro_rules! stories {
    ($($story:ident)*) => {
        mod of_one_process {
            $(#[test]
            fn $story() {
                super::of_one_process(super::$story);
            })*
        }

        mod of_postgres {
            $(#[test]
            #[ignore = "starts PostgreSQL"]
            fn $story() {
                crate::support::postgres::home(super::$story);
            })*
        }
    };
}

stories! {
    committed_documents_are_there_when_the_home_is_opened_again
    a_commit_is_visible_at_once_and_a_stale_change_is_refused
    mails_come_in_order_once_and_those_of_a_strand_wait
    a_mail_that_kills_is_put_aside_by_the_fourth_run
    letters_come_back_with_growing_pauses_and_newer_ones_take_their_place
    letters_to_a_domain_that_waits_are_put_off_and_others_leave
    letters_of_a_commit_leave_in_their_order
    a_marker_names_the_mail_at_which_a_run_died
    listeners_hear_which_documents_a_commit_has_changed
    documents_are_listed_under_the_ten_minutes_of_their_wakeups
}

#[test]
fn one_process_sends_at_a_time() {
    of_one_process(only_one_sends);
}

fn commit(home: &dyn Home, at: Time, letters: Vec<Letter>) {
    let mut opened = home.open().unwrap();
    opened.commit(Transaction { letters, at, ..Transaction::default() }).unwrap();
    opened.close().unwrap();
}

/// A transport that refuses the named letters, permanently if the flag is set, and takes all
/// others.
#[derive(Default)]
struct Refusing {
    refused: HashMap<&'static str, bool>,
    taken: Vec<String>,
}

impl Transport for Refusing {
    fn send(
        &mut self,
        _: Option<&Address>,
        _: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let name = text.split(['<', '>']).nth(1).unwrap().to_owned();
        if let Some(is_rejected) = self.refused.get(&*name) {
            let scope =
                if *is_rejected { FailureScope::Rejected } else { FailureScope::ThisLetter };
            return Err(DeliveryError { scope, why: "no".into() });
        }
        self.taken.push(name);
        Ok(())
    }
}

fn flushed(
    home: &dyn Home,
    refused: &[(&'static str, bool)],
    now: Time,
) -> (Vec<String>, OutboxReport) {
    let mut transport =
        Refusing { refused: refused.iter().copied().collect(), ..Refusing::default() };
    let report = flush(home, &mut transport, &printed, now).unwrap();
    (transport.taken, report)
}

fn committed_documents_are_there_when_the_home_is_opened_again(home: &dyn Home) {
    for number in 0..STORY {
        let mut opened = home.open().unwrap();
        opened.commit(story(number, &*opened)).unwrap();
        opened.close().unwrap();
    }
    let written = flushed(home, &[], NOW).0;
    let count = |name: &str| written.iter().filter(|taken| *taken == name).count();
    assert_eq!(told(&*home.read().unwrap(), &count), expected()[STORY]);
    assert_eq!(home.read().unwrap().key().unwrap(), [7; 32]);
}

fn a_commit_is_visible_at_once_and_a_stale_change_is_refused(home: &dyn Home) {
    let mut opened = home.open().unwrap();
    let first = story(0, &*opened);
    opened.begin_commit(first.clone()).unwrap();
    let changed = opened.load(&first.changes[0].key).unwrap().text;
    assert_eq!(changed.as_ref(), Some(&first.changes[0].text));
    opened.finish_commits().unwrap();
    assert!(opened.commit(first).is_err());
}

fn mails_come_in_order_once_and_those_of_a_strand_wait(home: &dyn Home) {
    for text in ["a1", "b1", "a2", "b2"] {
        home.put(text.as_bytes(), None).unwrap();
    }
    home.put(b"c1", Some(&mark(b"c"))).unwrap();
    assert_eq!(home.waiting_marks().unwrap(), [mark(b"c")].into());
    assert_eq!(home.waiting_mails().unwrap().len(), 5);
    let shift = home.spool_lock().unwrap();
    assert!(!shift.is_awaited() && home.collect_lock().is_some());
    let opened = home.open().unwrap();
    let mut spool = Spool::open(&*opened).unwrap();
    spool = spool.with_strands(|mail| BTreeSet::from([char::from(mail[0]).to_string()]));
    let mut order = Vec::new();
    while let Some(mail) = spool.take().unwrap() {
        let text = String::from_utf8(mail.bytes.clone()).unwrap();
        order.push(text.clone());
        if text == "a1" && mail.tries < 3 {
            assert_eq!(spool.failed(mail, "it fails").unwrap(), RetryDecision::Again);
        } else {
            spool.done(mail).unwrap();
        }
    }
    spool.close().unwrap();
    assert_eq!(order, ["a1", "b1", "b2", "c1", "a1", "a1", "a2"]);
    assert_eq!(home.waiting_mails().unwrap(), [""; 0]);
}

fn a_mail_that_kills_is_put_aside_by_the_fourth_run(home: &dyn Home) {
    for text in ["good", "deadly", "late"] {
        home.put(text.as_bytes(), None).unwrap();
    }
    let mut done = Vec::new();
    for run in 1..=4 {
        let opened = home.open().unwrap();
        let mut spool = Spool::open(&*opened).unwrap();
        assert_eq!(spool.is_careful(), run > 1);
        loop {
            let Some(mail) = spool.take().unwrap() else {
                spool.close().unwrap();
                break;
            };
            if mail.bytes == b"deadly" {
                // Skips the destructor, as a kill does.
                std::mem::forget(spool);
                break;
            }
            done.push(mail.bytes.clone());
            spool.done(mail).unwrap();
        }
        opened.close().unwrap();
    }
    assert_eq!(done, [b"good".to_vec(), b"late".to_vec()]);
    assert_eq!(home.waiting_mails().unwrap(), [""; 0]);
}

fn letters_come_back_with_growing_pauses_and_newer_ones_take_their_place(home: &dyn Home) {
    let about = |name: &str| Letter { thread: Some("malaka-1".into()), ..letter(name) };
    commit(home, NOW, vec![letter("a"), about("b"), letter("c")]);
    let (taken, report) = flushed(home, &[("b", false), ("c", true)], NOW);
    assert_eq!(taken, ["a"]);
    assert_eq!(
        report,
        OutboxReport { sent: 1, deferred: 1, given_up: 1, ..OutboxReport::default() }
    );
    let backlog = home.backlog().unwrap();
    assert_eq!((backlog.failed, backlog.oldest_failed), (1, Some(NOW)));
    assert_eq!(flushed(home, &[], NOW + seconds(59)).1, OutboxReport::default());
    assert_eq!(flushed(home, &[("b", false)], NOW + MINUTE).1.deferred, 1);
    assert_eq!(flushed(home, &[], NOW + seconds(179)).1, OutboxReport::default());
    commit(home, NOW + seconds(100), vec![about("d")]);
    let (taken, report) = flushed(home, &[], NOW + seconds(180));
    assert_eq!(taken, ["d"]);
    assert_eq!(report, OutboxReport { sent: 1, replaced: 1, ..OutboxReport::default() });
    assert_eq!(home.backlog().unwrap().failed, 0);
}

fn letters_to_a_domain_that_waits_are_put_off_and_others_leave(home: &dyn Home) {
    let to = |name: &str, domain: &str| {
        let to = Address::parse(&format!("{name}@{domain}")).unwrap();
        Letter { to, ..letter(name) }
    };
    let mut letters: Vec<Letter> = ["a", "b", "c"].map(|name| to(name, "dead.example")).into();
    letters.extend(["d", "e", "f"].map(|name| to(name, "busy.example")));
    letters.push(to("g", "quiet.example"));
    commit(home, NOW, letters);
    let limits = DomainLimits {
        letters_a_minute: NonZeroU32::new(2),
        failures: NonZeroU32::new(1).unwrap(),
    };
    let mut domains = Domains::default();
    let mut run = |refused: &[&'static str], now: Time| {
        let refused = refused.iter().map(|name| (*name, false)).collect();
        let mut transport = Refusing { refused, ..Refusing::default() };
        domains.begin(limits, now);
        let limits = DomainsInRun { domains: &mut domains, clock: &|| now };
        let report = flush_within(home, &mut transport, &printed, limits, None, now).unwrap();
        transport.taken.sort();
        (transport.taken.concat(), report)
    };
    let (taken, report) = run(&["a", "b", "c"], NOW);
    assert_eq!((taken.len(), &taken[2..]), (3, "g"), "two of d, e and f: {taken}");
    assert_eq!(
        report,
        OutboxReport { sent: 3, deferred: 1, put_off: 3, ..OutboxReport::default() }
    );
    let backlog = home.backlog().unwrap();
    assert_eq!((backlog.failed, backlog.put_off, backlog.oldest_failed), (1, 3, Some(NOW)));
    // Nothing is due before its time, and what was put off has not failed.
    assert_eq!(run(&[], NOW + seconds(59)), (String::new(), OutboxReport::default()));
    let unsent = home.unsent_letters().unwrap();
    assert_eq!(unsent.iter().filter(|unsent| unsent.tries == 0).count(), 3);
    assert!(unsent.iter().all(|unsent| unsent.not_before == NOW + MINUTE));
    // One letter is tried, and the domain waits for longer.
    let (taken, report) = run(&["a", "b", "c"], NOW + MINUTE);
    assert_eq!((taken.len(), report.deferred, report.put_off), (1, 1, 2));
    let (taken, report) = run(&[], NOW + 3 * MINUTE);
    assert_eq!((taken.len(), report.sent, report.put_off), (2, 2, 1), "two a minute");
    assert_eq!(run(&[], NOW + 4 * MINUTE).1.sent, 1);
    assert_eq!(home.backlog().unwrap(), Backlog::default());
}

/// More letters than a file holds, and than are claimed at a time in a database.
fn letters_of_a_commit_leave_in_their_order(home: &dyn Home) {
    let names: Vec<String> = (0..321).map(|number| format!("{number:03}")).collect();
    commit(home, NOW, names.iter().map(|name| letter(name)).collect());
    assert_eq!(flushed(home, &[], NOW).0, names);
}

fn only_one_sends(home: &dyn Home) {
    let mut sending = home.outbox().unwrap().unwrap();
    assert!(home.outbox().unwrap().is_none());
    assert_eq!(sending.claim(NOW).unwrap(), []);
    assert!(home.outbox().unwrap().is_some(), "it has seen that there are no more");
}

fn a_marker_names_the_mail_at_which_a_run_died(home: &dyn Home) {
    let opened = home.open().unwrap();
    assert_eq!(opened.run_marker().read().unwrap(), "");
    opened.run_marker().write("board 17").unwrap();
    opened.close().unwrap();
    let opened = home.open().unwrap();
    assert_eq!(opened.run_marker().read().unwrap(), "board 17");
    opened.run_marker().clear().unwrap();
    assert_eq!(opened.run_marker().read().unwrap(), "");
}

fn listeners_hear_which_documents_a_commit_has_changed(home: &dyn Home) {
    let (told, heard) = mpsc::channel();
    let listening = home.subscribe(Box::new(move |names| told.send(names.to_vec()).unwrap()));
    let listening = listening.unwrap();
    let (mut names, mut begun) = (Vec::new(), Vec::new());
    for number in 0..STORY {
        let mut opened = home.open().unwrap();
        let next = story(number, &*opened);
        names.extend(next.changes.iter().filter_map(|change| change.key.file()));
        names.extend((!next.letters.is_empty()).then(|| OUTBOX.to_owned()));
        // Alternates between `commit` and `begin_commit`.
        if number % 2 == 0 {
            opened.commit(next).unwrap();
        } else {
            opened.begin_commit(next).unwrap();
        }
        opened.close().unwrap();
        while begun.len() < names.len() {
            begun.extend(heard.recv_timeout(Duration::from_mins(1)).unwrap());
        }
    }
    assert_eq!(begun, names);
    drop(listening);
    let mut opened = home.open().unwrap();
    let last = story(0, &*opened);
    drop(opened.commit(last));
    opened.close().unwrap();
    assert!(heard.recv_timeout(Duration::from_mins(1)).is_err(), "who left hears no more");
}

/// The register survives a crash of the process; the lists of users beside it stay as they are.
fn documents_are_listed_under_the_ten_minutes_of_their_wakeups(home: &dyn Home) {
    let user = Key::In(user::COLLECTION, "alice".into());
    let due = Register::Due(TimeSlot::of(NOW + DAY));
    let mut opened = home.open().unwrap();
    assert_eq!(opened.due_slots().unwrap(), []);
    let mut set = Transaction { at: NOW, ..Transaction::default() };
    // A wakeup that is past is listed now, since past registers may be gone at any moment.
    for (key, at) in
        [(&seeks_key("malaka"), NOW + DAY), (&user, NOW + DAY), (&seeks_key("moloko"), NOW - DAY)]
    {
        set.index_updates.add_wakeup(key, at, NOW);
    }
    set.index_updates.registered.push((Register::Stopped, "bob".into()));
    opened.commit(set).unwrap();
    drop(opened);
    let mut opened = home.open().unwrap();
    assert_eq!(opened.due_slots().unwrap(), [TimeSlot::of(NOW), TimeSlot::of(NOW + DAY)]);
    let listed = |register| opened.registered(register).unwrap();
    assert_eq!(listed(due), ["boards/malaka/seeks.json", "users/al/alice.json"]);
    assert_eq!(listed(Register::Due(TimeSlot::of(NOW))), ["boards/moloko/seeks.json"]);
    assert_eq!(listed(Register::Stopped), ["bob"]);
    opened.remove(&[], due).unwrap();
    assert_eq!(opened.due_slots().unwrap(), [TimeSlot::of(NOW)]);
    opened.close().unwrap();
}
