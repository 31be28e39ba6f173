//! A mail that arrives several times is executed once: copies at the same time, in parallel,
//! through every input, after weeks, after a restore, with and without the Message-ID.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test writes mailbox files")]

use crate::support::home::{KEY, seeded, setup};
use crate::support::postgres::{InDatabase, shared};
use crate::support::program::{Home, Ran, ended, run_at, start};
use postboard::base::time::{DAY, Time};
use postboard::config::{Config, SAMPLE};
use postboard::model::world::count_key;
use postboard::server::Server;
use postboard::store::{FileStore, MemoryStore, Store};
use std::fs;

/// Writes a challenge, which would set up two boards if it were executed twice.
fn challenge(id: Option<&str>) -> String {
    let id = id.map_or_else(String::new, |id| format!("Message-ID: <{id}@pbm.test>\n"));
    format!(
        "From: alice@pbm.test\nTo: postboard@localhost\nSubject: malaka challenge alice bob\n\
         Date: Sat, 21 Nov 2026 12:00:00 +0000\n{id}\nplay?\n"
    )
}

const IDS: [Option<&str>; 2] = [Some("one"), None];

/// Makes a home with alice and bob and no board.
fn home() -> Home {
    let home = Home::new();
    for words in ["signup alice secret alice@pbm.test", "signup bob secret bob@pbm.test"] {
        home.done(words);
    }
    home
}

/// Counts the boards and the mails about them.
fn boards(home: &Home) -> (usize, usize) {
    (home.names("boards/malaka/0").len(), home.delivered().len())
}

fn maildir(home: &Home, name: &str, raw: &str) {
    for part in ["cur", "new", "tmp"] {
        fs::create_dir_all(home.base().join("Maildir").join(part)).unwrap();
    }
    fs::write(home.base().join("Maildir/new").join(name), raw).unwrap();
}

fn mbox(home: &Home, raw: &str) {
    let from = "From alice@pbm.test Sat Nov 21 12:00:00 2026";
    fs::write(home.base().join("mbox"), format!("{from}\n{raw}\n")).unwrap();
}

#[test]
fn a_mail_that_comes_by_all_ways_is_executed_once() {
    // Each input first, then every input that can follow.
    for id in IDS {
        for first in 0..3 {
            let home = home();
            let raw = challenge(id);
            let collect = format!(
                "[collect]\nmaildir = \"{0}/Maildir\"\nmbox = \"{0}/mbox\"",
                home.base().display()
            );
            maildir(&home, "0.nothing", "From: alice@pbm.test\nSubject: list\n\n");
            mbox(&home, "From: alice@pbm.test\nSubject: help\n\n");
            home.configure("[collect]", &collect);
            for way in (first..3).chain(0..first) {
                match way {
                    0 => home.receive(raw.as_bytes()),
                    1 => maildir(&home, &format!("{way}.{first}"), &raw.replace('\n', "\r\n")),
                    _ => mbox(&home, &raw),
                }
                home.done("cron");
            }
            assert_eq!(home.names("boards/malaka/0").len(), 1, "{id:?}, way {first} first");
        }
    }
}

#[test]
fn a_mail_that_comes_in_parallel_is_executed_once() {
    for id in IDS {
        let home = home();
        let raw = challenge(id);
        for round in 0..5 {
            let taken: Vec<_> =
                (0..4).map(|_| start(home.command().arg("receive"), raw.as_bytes())).collect();
            let begun: Vec<_> = (0..4).map(|_| start(home.command().arg("process"), b"")).collect();
            for child in taken.into_iter().chain(begun) {
                assert_eq!(ended(child), Ran::silent(0));
            }
            home.process();
            let mails = if round == 0 { 2 } else { 0 };
            assert_eq!(boards(&home), (1, mails), "{id:?}, round {round}");
        }
        home.assert_tidy();
    }
}

/// Cron runs every week, so that old receipts are dropped.
#[test]
fn a_mail_is_known_after_forty_days_and_forgotten_after_four_months() {
    for id in IDS {
        let home = home();
        let (path, raw) = (home.path(), challenge(id));
        let first = Time::from_unix(1_795_262_400); // the date of the mail
        let mut last = 0;
        for (day, wanted) in [(0, 1), (1, 1), (40, 1), (85, 1), (130, 2)] {
            for week in (last..day).step_by(7) {
                run_at(&path, first + week * DAY, &["cron"], b"");
            }
            last = day;
            run_at(&path, first + day * DAY, &["receive"], raw.as_bytes());
            run_at(&path, first + day * DAY, &["process"], b"");
            assert_eq!(home.names("boards/malaka/0").len(), wanted, "{id:?}, day {day}");
        }
    }
}

/// A mailbox that nobody empties delivers the mail again and again, which renews its receipt.
#[test]
fn a_mail_in_a_mailbox_is_known_for_ever() {
    for id in IDS {
        let home = home();
        mbox(&home, &challenge(id));
        let file = home.base().join("mbox");
        let (path, file) = (home.path(), file.to_str().unwrap());
        for week in 0..60 {
            let now = Time::from_unix(1_795_262_400) + week * 7 * DAY;
            run_at(&path, now, &["process", "--mbox", file], b"");
            run_at(&path, now, &["cron"], b"");
            assert_eq!(home.names("boards/malaka/0").len(), 1, "{id:?}, week {week}");
        }
    }
}

#[test]
fn a_mail_is_known_after_a_restore() {
    for id in IDS {
        let home = home();
        let raw = challenge(id);
        home.receive(raw.as_bytes());
        home.process();
        assert_eq!(boards(&home), (1, 2));
        let file = home.base().join("a.tgz");
        assert_eq!(home.run(&["backup", file.to_str().unwrap()], b"").code, Some(0));
        // A restore loses later commands and does not repeat earlier commands.
        home.done("malaka challenge bob alice");
        assert_eq!(boards(&home), (2, 2));
        let ran = home.run(&["restore", "--replace", file.to_str().unwrap()], b"");
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        home.receive(raw.as_bytes());
        home.process();
        assert_eq!(boards(&home), (1, 0), "{id:?}");
    }
}

/// Executes mails, all in one transaction or each in its own; returns the number of boards.
fn executed(store: &mut dyn Store, mails: &[String], together: bool) -> u32 {
    let setup = setup(Config::read(SAMPLE).unwrap());
    let mut chance = seeded(1);
    let mut server = Server::new(&setup, &mut chance);
    let sign_up = |user| format!("From: {user}@pbm.test\nSubject: signup {user} secret\n\n");
    let users = ["alice", "bob"].map(sign_up);
    for raw in users.iter().chain(mails) {
        server.execute_mail(raw.as_bytes(), store, Time::from_unix(1_795_262_400)).unwrap();
        if !together {
            store.commit(server.take_transaction()).unwrap();
        }
    }
    store.commit(server.take_transaction()).unwrap();
    let count = store.load(&count_key("malaka")).unwrap().text;
    count.map_or(0, |count| count.trim().parse().unwrap())
}

/// A mail server adds a Message-ID to a mail without a Message-ID, and a copy may also arrive
/// without passing that server.
#[test]
fn a_mail_with_and_without_its_message_id_is_executed_once() {
    for_each_way(|ids, mails, together, wanted| {
        let dir = tempfile::tempdir().unwrap();
        FileStore::init(dir.path(), &KEY).unwrap();
        let mut files = FileStore::open(dir.path()).unwrap();
        assert_eq!(executed(&mut files, mails, together), wanted, "{ids:?} {together}");
        // Commit, and read the home again.
        files.close().unwrap();
        let mut files = FileStore::open(dir.path()).unwrap();
        assert_eq!(executed(&mut files, mails, together), wanted, "{ids:?} again");
        let mut memory = MemoryStore::new();
        assert_eq!(executed(&mut memory, mails, together), wanted, "{ids:?} in memory");
    });
}

#[test]
#[ignore = "starts PostgreSQL"]
fn a_mail_with_and_without_its_message_id_is_executed_once_in_a_database() {
    let _engine = shared();
    for_each_way(|ids, mails, together, wanted| {
        let mut store = InDatabase::new();
        assert_eq!(executed(&mut store, mails, together), wanted, "{ids:?} {together}");
        assert_eq!(executed(&mut store, mails, together), wanted, "{ids:?} again");
    });
}

/// Calls `look` with each combination: Message-IDs, mails, whether one transaction commits all
/// mails, and the expected number of boards.
fn for_each_way(look: impl Fn(&[Option<&str>], &[String], bool, u32)) {
    let (one, two) = (Some("one"), Some("two"));
    let cases: [(&[Option<&str>], u32); 7] = [
        (&[one, None], 1),
        (&[None, one], 1),
        (&[None, None, one, one, None], 1),
        (&[one, None, one, None], 1),
        // Two mails with the same text but different Message-IDs are two mails.
        (&[one, two], 2),
        (&[one, two, None, two, one], 2),
        // The first copy had no Message-ID, so it could be a copy of either mail.
        (&[None, one, two], 1),
    ];
    for (ids, wanted) in cases {
        let mails: Vec<String> = ids.iter().map(|id| challenge(*id)).collect();
        for together in [true, false] {
            look(ids, &mails, together, wanted);
        }
    }
}

/// Mails that only look like copies are executed.
#[test]
fn another_mail_is_executed_whatever_its_message_id() {
    let mail = challenge(Some("one"));
    let others = [
        mail.replace("play?", "play again?"),
        mail.replace("12:00:00", "12:00:01"),
        challenge(None).replace("play?", "again?"),
    ];
    for other in others {
        let mut memory = MemoryStore::new();
        assert_eq!(executed(&mut memory, &[mail.clone(), other.clone()], false), 2, "{other}");
    }
}
