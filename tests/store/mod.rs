//! The home: commits, crashes, power cuts, recovery, spool, outbox, backups, moves and old formats.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests read and write files"
)]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

mod backup;
mod backup_changes;
mod bucket;
mod crash;
mod crowd;
mod duties;
mod erasure;
pub(crate) mod every_verb;
pub(crate) mod faults;
mod files;
mod home;
mod home_moves;
mod many_boards;
mod mbox;
mod outbox;
pub(crate) mod postgres;
mod power;
mod spool;
pub(crate) mod upgrade;

use crate::support::files::{files_below, folder};
use postboard::base::digest::Digest;
use postboard::base::time::{MINUTE, Time};
use postboard::mail::Address;
use postboard::model::user;
use postboard::model::world::count_key;
use postboard::post::{DeliveryError, FailureScope};
use postboard::store::Letter;
use postboard::store::{
    DocumentChange, FileStore, Key, MailKey, MemoryStore, ReceiptStatus, SentRecord, Store,
    Transaction,
};
use std::borrow::Cow;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A time in November 2026.
const NOW: Time = Time::from_unix(1_795_238_400);

fn home() -> TempDir {
    let dir = folder();
    FileStore::init(dir.path(), &[7; 32]).unwrap();
    dir
}

fn mail(id: &str) -> MailKey {
    MailKey { id: Digest::of(id), content: Digest::of(format!("content of {id}")) }
}

fn letter(name: &str) -> Letter {
    Letter {
        name: name.to_owned(),
        sender: Address::parse("bounces@host.example"),
        to: Address::parse("alice@example.org").unwrap(),
        thread: None,
        bytes: format!("Subject: hi\n\nthis is <{name}>\n").into_bytes(),
    }
}

/// Prints a letter whose bytes are a complete mail, as earlier versions stored letters.
fn printed(letter: &Letter) -> Result<Cow<'_, [u8]>, DeliveryError> {
    postboard::reply::print_letter(letter)
        .map_err(|why| DeliveryError { scope: FailureScope::Rejected, why: why.to_string() })
}

/// The recipient of all letters.
const MAILBOX: [u8; 8] = [5; 8];

fn sent(name: &str) -> SentRecord {
    SentRecord { mailbox: MAILBOX, letter: std::array::from_fn(|at| Digest::of(name)[at]) }
}

fn board(number: u32) -> Key {
    Key::Board("malaka", number)
}

/// Builds a transaction that changes these documents.
fn transaction(
    store: &dyn Store,
    texts: &[(Key, &str)],
    letters: &[&str],
    mails: &[&str],
) -> Transaction {
    let change = |(key, text): &(Key, &str)| DocumentChange {
        key: key.clone(),
        was: store.load(key).unwrap().version,
        text: (*text).to_owned(),
    };
    Transaction {
        changes: texts.iter().map(change).collect(),
        letters: letters.iter().map(|name| letter(name)).collect(),
        receipts: mails.iter().map(|id| mail(id)).collect(),
        sent: letters.iter().map(|name| sent(name)).collect(),
        at: NOW,
        ..Transaction::default()
    }
}

/// Returns the names of all files below a folder with their contents.
fn contents(folder: &Path) -> Vec<(String, String)> {
    let read = |path: String| {
        let text = fs::read(folder.join(&path)).unwrap_or_default();
        let name = path.rsplit('/').next().unwrap().to_owned();
        (name, String::from_utf8_lossy(&text).into_owned())
    };
    let mut found: Vec<_> = files_below(folder).into_iter().map(read).collect();
    found.sort();
    found
}

/// Returns whether the log reports a file edited by hand; no story edits files.
fn is_blamed(home: &Path) -> bool {
    log(home).contains("by hand")
}

fn log(home: &Path) -> String {
    fs::read_to_string(home.join("log/postboard.log")).unwrap_or_default()
}

/// The number of transactions in the story; some change the same document, one is a group commit.
const STORY: usize = 5;
/// The number of transactions before the home is closed and opened again.
const PAUSE: usize = 2;

fn story(number: usize, store: &dyn Store) -> Transaction {
    let alice = Key::In(user::COLLECTION, "alice".into());
    // Longer than a page.
    let long = format!("[{}]", vec!["17"; 4000].join(","));
    let mut group: Vec<_> = (100..112).map(|n| (board(n), "{\"group\":1}")).collect();
    match number {
        0 => {
            let texts = [(board(17), "{\"a\":1}"), (board(50), "1")];
            transaction(store, &texts, &["l0a", "l0b"], &["m0"])
        }
        1 => {
            let texts = [(board(17), "{\"a\":22}"), (alice, &*long), (board(50), "2")];
            transaction(store, &texts, &["l1"], &["m1"])
        }
        2 => {
            group.push((board(17), "{\"a\":333}"));
            transaction(store, &group, &["l2a", "l2b", "l2c"], &["m2a", "m2b"])
        }
        3 => transaction(store, &[(board(17), "{\"a\":4}"), (board(103), "{}")], &["l3"], &["m3"]),
        _ => {
            let count = count_key("malaka");
            let texts = [(alice, "{\"x\":\"y\"}"), (count, "3"), (board(17), "{\"a\":5}")];
            transaction(store, &texts, &["l4"], &["m4"])
        }
    }
}

/// The visible state of a home during the story.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    documents: Vec<Option<String>>,
    receipts: Vec<ReceiptStatus>,
    letters: Vec<usize>,
}

fn told(store: &dyn Store, letters: &dyn Fn(&str) -> usize) -> Told {
    let mut keys: Vec<_> = (100..112).map(board).collect();
    keys.extend([
        board(17),
        board(50),
        Key::In(user::COLLECTION, "alice".into()),
        count_key("malaka"),
    ]);
    let names = ["l0a", "l0b", "l1", "l2a", "l2b", "l2c", "l3", "l4"];
    let mails = ["m0", "m1", "m2a", "m2b", "m3", "m4"];
    Told {
        documents: keys.iter().map(|key| store.load(key).unwrap().text).collect(),
        receipts: mails.iter().map(|id| store.receipt(&mail(id), NOW + MINUTE).unwrap()).collect(),
        letters: names.iter().map(|name| letters(name)).collect(),
    }
}

/// Returns the expected state after each number of transactions.
fn expected() -> Vec<Told> {
    let mut memory = MemoryStore::new();
    let mut states = Vec::new();
    for number in 0..=STORY {
        let count = |name: &str| memory.letters().iter().filter(|l| l.name == name).count();
        states.push(told(&memory, &count));
        let next = story(number, &memory);
        if number < STORY {
            memory.commit(next).unwrap();
        }
    }
    states
}

/// Returns a function that counts the copies of a letter in the outbox.
fn waiting(home: &Path) -> impl Fn(&str) -> usize {
    let all: String =
        contents(&home.join("outbox/new")).into_iter().map(|(_, text)| text).collect();
    move |name| all.matches(&format!("<{name}>")).count()
}
