use super::*;
use crate::base::chance::Entropy;
use crate::base::password::Hashing;
use crate::mail::Address;
use crate::shell::home::open;
use crate::shell::mails::batch::fill;
use crate::shell::settings;
use crate::store::{FileStore, spool};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;
use std::sync::atomic::AtomicI64;

fn read(mails: &[(&str, &str)]) -> Vec<Option<IncomingMail>> {
    let own = Address::parse("postboard@games.example").unwrap();
    let read = |(from, line): &(&str, &str)| {
        let raw = format!("From: {from}@example.org\nSubject: {line}\n\n");
        Some(IncomingMail::read(raw.as_bytes(), &own))
    };
    mails.iter().map(read).collect()
}

#[test]
fn mails_of_a_sender_are_one_chain() {
    let mut group = read(&[("ann", "help"), ("bob", "help"), ("Ann", "list"), ("bob", "help")]);
    assert_eq!(chains(&group), [vec![0, 2], vec![1, 3]]);
    // A mail whose parsing panicked fails when it is executed.
    group[1] = None;
    assert_eq!(chains(&group), [vec![1], vec![0, 2], vec![3]]);
    assert_eq!(
        halves(vec![vec![1, 5, 6], vec![0, 2], vec![3], vec![4]]),
        [vec![1, 4, 5, 6], vec![0, 2, 3]]
    );
}

#[test]
fn no_mail_overtakes_one_about_its_board() {
    let group = read(&[
        ("ann", "malaka move 1 ann secret 1 c3-c6"),
        ("bob", "malaka move 2 bob secret 1 c3-c6"),
        ("eve", "malaka move 1 eve secret 2 c3-c6"),
    ]);
    let executed = |indexes: &[usize]| {
        let mail = |&index: &usize| ExecutedMail {
            index,
            disposition: MailDisposition::Executed,
            letters: Vec::new(),
            log: Vec::new(),
        };
        in_order(vec![indexes.iter().map(mail).collect()], group.len())
    };
    let is_fine = |indexes: &[usize]| overtakes_none(&executed(indexes), &group);
    assert!(is_fine(&[]) && is_fine(&[0]) && is_fine(&[1]) && is_fine(&[0, 2]));
    assert!(is_fine(&[2, 1, 0]));
    assert!(!is_fine(&[2]) && !is_fine(&[1, 2]));
}

#[test]
fn answers_are_in_the_order_of_the_mails_also_when_the_time_is_up() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    FileStore::init(&home, &[7; 32]).unwrap();
    settings::write_sample(&home).unwrap();
    let senders: Vec<String> = (0..40).map(|number| format!("ann{number}@example.org")).collect();
    for sender in &senders {
        spool::put(&home, format!("From: {sender}\nSubject: help\n\n").as_bytes()).unwrap();
    }
    let (files, setup) = open(&home, Hashing::quick()).unwrap();
    let mut chance = Entropy(ChaCha20Rng::seed_from_u64(1));
    let mut executor = Executor::new(Server::new(&setup, &mut chance));
    let mut spool = Spool::open(&*files).unwrap();
    let mut mails = Vec::new();
    fill(&mut mails, &mut spool, senders.len()).unwrap();
    let seconds_gone = AtomicI64::new(0);
    let clock = || Time::from_unix(seconds_gone.fetch_add(1, Ordering::Relaxed));
    // A mail of a chain does not overtake earlier mails of other chains.
    let (read, until) = (vec![None, None, None], Time::from_unix(10_000));
    let group = GroupMails { mails: &mails[..3], read, clock: &clock, until, answered: 0.into() };
    let chains = Chains::new(&[vec![0, 2], vec![1]]);
    let executed = executor.first.execute_chains(&chains, &group, &*files).unwrap();
    assert_eq!(executed.iter().map(|mail| mail.index).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(executor.first.execute_chains(&chains, &group, &*files).unwrap().is_empty(), "taken");
    executor.forget();

    let mut answered = 0;
    for until in [11, 31, 10_000] {
        let until = Time::from_unix(until);
        let results = executor.execute_group(&*files, &spool, &mails, &clock, until).unwrap();
        let are_executed: Vec<bool> = results.iter().map(Option::is_some).collect();
        let expected = mails.iter().zip(&are_executed).filter(|(_, is_executed)| **is_executed);
        let expected: Vec<String> = expected.map(|(mail, _)| sender(&mail.bytes)).collect();
        let letters = executor.take().letters;
        let to: Vec<String> = letters.iter().map(|letter| letter.to.to_string()).collect();
        assert!(!to.is_empty() && to == expected, "{to:?} {expected:?}");
        assert_eq!(executor.take_log().len(), 2 * to.len(), "a line about each, and its end");
        answered += to.len();
        let mut left = are_executed.iter().map(|is_executed| !is_executed);
        mails.retain(|_| left.next().unwrap());
    }
    assert_eq!(answered, senders.len());
    spool.close().unwrap();
    files.close().unwrap();
}

fn sender(mail: &[u8]) -> String {
    let line = str::from_utf8(mail).unwrap().lines().next().unwrap();
    line.strip_prefix("From: ").unwrap().to_owned()
}
