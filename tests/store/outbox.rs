//! The outbox: every letter is delivered at least once and in time, and a failure is always
//! reported.

use super::{NOW, contents, home, letter, printed, waiting};
use crate::support::files::folder;
use crate::support::program::DEAD_PORT;
use postboard::base::time::{Time, hours, minutes, seconds};
use postboard::mail::Address;
use postboard::post::{
    DeliveryError, Domains, DomainsInRun, FailureScope, FolderTransport, MaildirTransport,
    OutboxReport, Sendmail, Smtp, Tls, Transport, TriedLetters, flush, flush_within,
};
use postboard::store::Letter;
use postboard::store::outbox::FileOutbox;
use postboard::store::{self, FileStore, Outbox as _, Store, Transaction};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A transport that takes mails or refuses them.
#[derive(Default)]
struct Fake {
    taken: Vec<String>,
    /// Mails with this text fail, permanently if the flag is set.
    refuse: Option<(&'static str, bool)>,
}

impl Transport for Fake {
    fn send(
        &mut self,
        _: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        let text = String::from_utf8_lossy(bytes);
        let name = text.split(['<', '>']).nth(1).unwrap_or(&text).to_owned();
        match self.refuse {
            Some((part, is_rejected)) if name.contains(part) => {
                let scope =
                    if is_rejected { FailureScope::Rejected } else { FailureScope::ThisLetter };
                Err(DeliveryError { scope, why: "550 no\nsuch user".to_owned() })
            }
            _ => {
                assert_eq!(to.as_str(), "alice@example.org");
                self.taken.push(name);
                Ok(())
            }
        }
    }
}

fn commit(home: &Path, at: Time, letters: Vec<Letter>) {
    let mut store = FileStore::open(home).unwrap();
    store.commit(Transaction { letters, at, ..Transaction::default() }).unwrap();
}

fn about(name: &str, thread: &str) -> Letter {
    Letter { thread: Some(thread.to_owned()), ..letter(name) }
}

fn flushed(
    home: &Path,
    refuse: Option<(&'static str, bool)>,
    now: Time,
) -> (Vec<String>, OutboxReport) {
    let mut transport = Fake { refuse, ..Fake::default() };
    let report = flush(&store::FileHome::new(home), &mut transport, &printed, now).unwrap();
    (transport.taken, report)
}

fn outbox(home: &Path) -> Vec<(String, String)> {
    contents(&home.join("outbox")).into_iter().filter(|(name, _)| name != "lock").collect()
}

#[test]
fn all_go_out_in_order_and_once() {
    let dir = home();
    let names: Vec<_> = (0..200).map(|n| format!("n{n:03}")).collect();
    commit(dir.path(), NOW, names[..150].iter().map(|name| letter(name)).collect());
    commit(dir.path(), NOW + seconds(1), vec![letter(&names[150])]);
    commit(dir.path(), NOW + seconds(2), names[151..].iter().map(|name| letter(name)).collect());
    let (taken, report) = flushed(dir.path(), None, NOW);
    assert_eq!(report, OutboxReport { sent: 200, ..OutboxReport::default() });
    assert_eq!(taken, names);
    assert_eq!(outbox(dir.path()), []);
    assert_eq!(flushed(dir.path(), None, NOW).1, OutboxReport::default());
}

#[test]
fn a_mail_goes_out_byte_for_byte_even_with_envelopes_in_it() {
    let dir = home();
    let mut tricky = letter("x");
    tricky.sender = None;
    tricky.bytes = b"a\r\n{\"sent\":1,\"bytes\":3}\n\nb\0\xff".to_vec();
    commit(dir.path(), NOW, vec![tricky.clone(), letter("y")]);
    let mut outbox = FileOutbox::open(&store::FileHome::new(dir.path())).unwrap().unwrap();
    let mut found = Vec::new();
    for name in outbox.claim(NOW).unwrap() {
        let mut send = |letter: &Letter| {
            found.push(letter.clone());
            Ok(())
        };
        outbox.deliver(&name, NOW, &mut send).unwrap();
    }
    assert_eq!(found, [tricky, letter("y")]);
}

#[test]
fn failed_letters_are_retried_with_growing_pauses() {
    let dir = home();
    commit(dir.path(), NOW, vec![letter("a"), letter("b"), letter("c")]);
    let (taken, report) = flushed(dir.path(), Some(("b", false)), NOW);
    assert_eq!(taken, ["a", "c"]);
    assert_eq!(report, OutboxReport { sent: 2, deferred: 1, ..OutboxReport::default() });
    let mut now = NOW;
    for pause in [1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240] {
        let due = now + minutes(pause);
        assert_eq!(
            flushed(dir.path(), None, due - seconds(1)).1,
            OutboxReport::default(),
            "pause {pause}"
        );
        assert_eq!(flushed(dir.path(), Some(("b", false)), due).1.deferred, 1, "pause {pause}");
        now = due;
    }
    assert_eq!(flushed(dir.path(), None, now + hours(4)).0, ["b"]);
    assert_eq!(outbox(dir.path()), []);
}

#[test]
fn letters_refused_for_good_are_put_aside_with_the_reason() {
    let dir = home();
    commit(dir.path(), NOW, vec![letter("a"), letter("b")]);
    commit(dir.path(), NOW, vec![letter("b2")]);
    let (taken, report) = flushed(dir.path(), Some(("b", true)), NOW);
    assert_eq!(taken, ["a"]);
    assert_eq!(report, OutboxReport { sent: 1, given_up: 2, ..OutboxReport::default() });
    let bad = contents(&dir.path().join("outbox/bad"));
    assert_eq!(bad.len(), 4);
    assert!(bad[0].0.ends_with(".b.eml") && bad[0].1.contains("this is <b>"), "{bad:?}");
    assert_eq!(bad[1].1, "550 no such user\n");
    assert_eq!(outbox(dir.path()).len(), 4, "and nothing else is left");
}

#[test]
fn a_newer_mail_about_a_board_replaces_one_that_failed() {
    let dir = home();
    commit(dir.path(), NOW, vec![about("old17", "malaka-17"), about("old18", "malaka-18")]);
    assert_eq!(flushed(dir.path(), Some(("old", false)), NOW).1.deferred, 2);
    commit(dir.path(), NOW + seconds(5), vec![about("new17", "malaka-17"), letter("none")]);
    let (taken, report) = flushed(dir.path(), None, NOW + seconds(5));
    assert_eq!(taken, ["new17", "none"]);
    assert_eq!(report, OutboxReport { sent: 2, replaced: 1, ..OutboxReport::default() });
    assert_eq!(flushed(dir.path(), None, NOW + minutes(10)).0, ["old18"]);
    assert_eq!(outbox(dir.path()), []);
}

#[test]
fn letters_that_never_failed_are_not_replaced() {
    let dir = home();
    for n in 0..3 {
        commit(dir.path(), NOW + seconds(n), vec![about(&format!("n{n}"), "malaka-17")]);
    }
    assert_eq!(flushed(dir.path(), None, NOW + seconds(9)).0, ["n0", "n1", "n2"]);
}

#[test]
fn while_nothing_goes_out_one_mail_a_board_is_kept() {
    let dir = home();
    for n in 0..5 {
        commit(
            dir.path(),
            NOW + seconds(n),
            vec![about(&format!("n{n}"), "malaka-17"), letter(&format!("m{n}"))],
        );
        flushed(dir.path(), Some(("", false)), NOW + seconds(n));
    }
    assert_eq!(outbox(dir.path()).len(), 6);
    let (mut taken, _) = flushed(dir.path(), None, NOW + seconds(10_000));
    taken.sort();
    assert_eq!(taken, ["m0", "m1", "m2", "m3", "m4", "n4"]);
}

#[test]
fn letters_claimed_by_a_dead_deliverer_leave_unless_it_sent_them() {
    let dir = home();
    commit(dir.path(), NOW, ["a", "b", "c"].map(letter).into());
    commit(dir.path(), NOW + seconds(1), vec![letter("d")]);
    let mut out = Vec::new();
    let mut dying = FileOutbox::open(&store::FileHome::new(dir.path())).unwrap().unwrap();
    let claimed = dying.claim(NOW + seconds(1)).unwrap();
    let death = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut send = |letter: &Letter| {
            assert!(letter.name != "b", "the process dies here");
            out.push(letter.name.clone());
            Ok(())
        };
        dying.deliver(&claimed[0], NOW + seconds(1), &mut send)
    }));
    assert!(death.is_err());
    assert_eq!(
        flushed(dir.path(), None, NOW + seconds(1)).0,
        Vec::<String>::new(),
        "it is not robbed"
    );
    drop(dying);
    assert_eq!(out, ["a"]);
    assert_eq!(flushed(dir.path(), None, NOW + seconds(1)).0, ["b", "c", "d"]);
    assert_eq!(outbox(dir.path()), []);
}

/// Begins four commits of two letters each, and closes the home.
fn commit_pairs(mut store: FileStore) {
    for n in 0..4 {
        let letters = vec![letter(&format!("a{n}")), letter(&format!("b{n}"))];
        store
            .begin_commit(Transaction { letters, at: NOW + seconds(n), ..Transaction::default() })
            .unwrap();
    }
    store.close().unwrap();
}

#[test]
fn letters_of_a_long_batch_go_out_of_the_journal_file_that_held_them() {
    let dir = home();
    let mut store = FileStore::open(dir.path()).unwrap();
    store.set_batch_bytes(1);
    commit_pairs(store);
    let journals = outbox(dir.path()).iter().filter(|(name, _)| name.contains(".txn")).count();
    assert_eq!(journals, 4);
    let kept = fs::metadata(dir.path().join("journal/0.txn")).unwrap().len();
    assert_eq!(kept, 256 * 1024, "there is a new permanent one");
    let (taken, report) = flushed(dir.path(), Some(("b2", false)), NOW + seconds(9));
    assert_eq!(taken, ["a0", "b0", "a1", "b1", "a2", "a3", "b3"]);
    assert_eq!(report.deferred, 1);
    assert_eq!(outbox(dir.path()).len(), 1);
    assert_eq!(flushed(dir.path(), None, NOW + seconds(99)).0, ["b2"]);
    assert_eq!(outbox(dir.path()), []);
}

/// A transport that says what it takes, or refuses everything.
struct Telling(mpsc::Sender<String>, Option<DeliveryError>);

impl Transport for Telling {
    fn send(
        &mut self,
        _: Option<&Address>,
        _: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        self.0.send(String::from_utf8(bytes.to_vec()).unwrap()).unwrap();
        self.1.clone().map_or(Ok(()), Err)
    }
}

#[test]
fn a_letter_is_sent_while_its_commit_is_put_in_place_and_not_again() {
    let refused = DeliveryError { scope: FailureScope::ThisLetter, why: "450 later".to_owned() };
    for error in [None, Some(refused)] {
        let dir = home();
        let mut store = FileStore::open(dir.path()).unwrap();
        let letters = vec![letter("a"), letter("b")];
        store.commit(Transaction { letters, at: NOW, ..Transaction::default() }).unwrap();
        let (telling, told) = mpsc::channel();
        let report = thread::scope(|scope| {
            let (error, home) = (error.clone(), store::FileHome::new(dir.path()));
            let sender = scope.spawn(move || {
                let limits = DomainsInRun { domains: &mut Domains::default(), clock: &|| NOW };
                let (mut transport, mut tried) = (Telling(telling, error), TriedLetters::default());
                flush_within(&home, &mut transport, &printed, limits, Some(&mut tried), NOW)
                    .unwrap()
            });
            let first = told.recv_timeout(Duration::from_mins(1)).unwrap();
            assert!(first.contains("<a>"), "{first}");
            store.close().unwrap();
            sender.join().unwrap()
        });
        assert_eq!(told.iter().count(), 1, "b alone");
        let (sent, deferred) = if error.is_none() { (2, 0) } else { (0, 2) };
        let may_have_more = error.is_none();
        assert_eq!(
            report,
            OutboxReport { sent, deferred, may_have_more, ..OutboxReport::default() }
        );
    }
}

/// Many letters are sent in one run, since a claim takes only so many.
#[test]
fn a_sender_that_commits_wake_ends_after_few_letters_and_sends_many_in_one_run() {
    for files in [1, 8, 9, 300] {
        let dir = home();
        let mut store = FileStore::open(dir.path()).unwrap();
        for number in 0..files {
            let (letters, at) = (vec![letter(&number.to_string())], NOW);
            store.commit(Transaction { letters, at, ..Transaction::default() }).unwrap();
        }
        store.close().unwrap();
        let (mut transport, mut tried) = (Fake::default(), TriedLetters::default());
        let mut run = || {
            let limits = DomainsInRun { domains: &mut Domains::default(), clock: &|| NOW };
            let home = store::FileHome::new(dir.path());
            flush_within(&home, &mut transport, &printed, limits, Some(&mut tried), NOW).unwrap()
        };
        let report = run();
        assert_eq!(report.sent, files);
        // How many of 300 are left for the last claim depends on their files.
        assert!(files == 300 || report.may_have_more == (files <= 8), "{files}");
        assert_eq!(run(), OutboxReport::default());
    }
}

/// Returns the letters that are offered to a sender of this process now.
fn offered(home: &Path) -> Vec<String> {
    let mut outbox = FileOutbox::open(&store::FileHome::new(home)).unwrap().unwrap();
    let fresh = std::iter::from_fn(|| outbox.take_fresh().unwrap());
    fresh.map(|letter| letter.name).collect()
}

#[test]
fn letters_are_offered_in_the_order_of_their_commits_until_the_home_is_closed() {
    let of = |names: &[&str]| {
        let letters = names.iter().map(|name| letter(name)).collect();
        Transaction { letters, at: NOW, ..Transaction::default() }
    };
    let dir = home();
    let mut store = FileStore::open(dir.path()).unwrap();
    store.commit(of(&["a", "b"])).unwrap();
    store.commit(of(&["c"])).unwrap();
    assert_eq!(offered(dir.path()), ["a", "b", "c"]);
    store.commit(of(&["d"])).unwrap();
    store.close().unwrap();
    assert_eq!(offered(dir.path()), [""; 0], "others may have claimed it");
    // Older letters wait in the outbox.
    let mut store = FileStore::open(dir.path()).unwrap();
    store.commit(of(&["e"])).unwrap();
    assert_eq!(offered(dir.path()), [""; 0]);
    store.close().unwrap();
    assert_eq!(flushed(dir.path(), None, NOW).1.sent, 5);
    // Earlier letters of the same session were not offered: a group, or too many.
    let many: Vec<String> = (0..17).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for is_group in [true, false] {
        let mut store = FileStore::open(dir.path()).unwrap();
        if is_group {
            store.begin_commit(of(&["f"])).unwrap();
        } else {
            store.commit(of(&many)).unwrap();
        }
        store.commit(of(&["g"])).unwrap();
        assert_eq!(offered(dir.path()), [""; 0]);
        store.close().unwrap();
        flushed(dir.path(), None, NOW);
    }
}

/// A transport that takes a letter, while the home is closed and becomes one of a later version.
struct Breaking(Option<FileStore>, PathBuf);

impl Transport for Breaking {
    fn send(&mut self, _: Option<&Address>, _: &Address, _: &[u8]) -> Result<(), DeliveryError> {
        self.0.take().unwrap().close().unwrap();
        fs::write(&self.1, "99\n").unwrap();
        Ok(())
    }
}

#[test]
fn a_letter_that_has_left_is_not_sent_again_after_a_fault() {
    let dir = home();
    let format = dir.path().join("format");
    let before = fs::read(&format).unwrap();
    let mut store = FileStore::open(dir.path()).unwrap();
    let letters = vec![letter("a")];
    store.commit(Transaction { letters, at: NOW, ..Transaction::default() }).unwrap();
    let (mut tried, mut domains) = (TriedLetters::default(), Domains::default());
    let mut run = |transport: &mut dyn Transport| {
        let limits = DomainsInRun { domains: &mut domains, clock: &|| NOW };
        let home = store::FileHome::new(dir.path());
        flush_within(&home, transport, &printed, limits, Some(&mut tried), NOW)
    };
    assert!(run(&mut Breaking(Some(store), format.clone())).is_err());
    fs::write(&format, before).unwrap();
    let mut transport = Fake::default();
    assert_eq!(run(&mut transport).unwrap().sent, 1);
    assert_eq!(transport.taken, [""; 0]);
}

#[test]
fn a_few_letters_have_a_file_of_their_own() {
    let dir = home();
    commit_pairs(FileStore::open(dir.path()).unwrap());
    assert!(outbox(dir.path()).iter().all(|(name, _)| !name.contains(".txn")));
    assert_eq!(outbox(dir.path()).len(), 4);
}

#[test]
fn foreign_files_are_put_aside() {
    let dir = home();
    fs::write(dir.path().join("outbox/new/x.eml"), "From: me\n\nhello\n").unwrap();
    commit(dir.path(), NOW, vec![letter("a")]);
    let (taken, report) = flushed(dir.path(), None, NOW);
    assert_eq!((taken, report.given_up), (vec!["a".to_owned()], 1));
    assert!(dir.path().join("outbox/bad/x.eml.why").exists());
}

/// The name of a journal file, unlike that of a letter, has no time for the next try.
#[test]
fn a_file_that_cannot_be_read_is_tried_once_in_a_run_and_told_when_the_others_have_left() {
    let (journal, own) = ("001795238400.1.txn", "001795238400.x.eml");
    for (file, is_woken) in [(journal, false), (journal, true), (own, false), (own, true)] {
        let dir = home();
        fs::create_dir(dir.path().join("outbox/new").join(file)).unwrap();
        commit(dir.path(), NOW, vec![letter("a")]);
        let (mut transport, mut tried) = (Fake::default(), TriedLetters::default());
        let mut run = |now| {
            let limits = DomainsInRun { domains: &mut Domains::default(), clock: &|| now };
            let tried = is_woken.then_some(&mut tried);
            let home = store::FileHome::new(dir.path());
            flush_within(&home, &mut transport, &printed, limits, tried, now)
        };
        for now in [NOW, NOW + minutes(1)] {
            let fault = run(now).unwrap_err().to_string();
            assert!(fault.contains("001795238400."), "{file} {is_woken}: {fault}");
        }
        assert_eq!(transport.taken, ["a"], "{file} {is_woken}");
    }
}

#[test]
fn a_deliverer_recovers_the_journal_before_it_reads_the_outbox() {
    let dir = home();
    super::files::stopped(dir.path(), 1);
    assert_eq!(waiting(dir.path())("l0a"), 0, "it stands in the journal only");
    assert_eq!(flushed(dir.path(), None, NOW).1.sent, 2);
}

/// Starts a mail server for one test, which returns the lines of each connection. `answers` maps a
/// part of a line to the reply.
fn server(
    connections: usize,
    answers: &'static [(&'static str, &'static str)],
) -> (u16, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = move || {
        let mut said = Vec::new();
        for _ in 0..connections {
            let (stream, _) = listener.accept().unwrap();
            let mut out = stream.try_clone().unwrap();
            let lines = BufReader::new(stream).lines().map_while(Result::ok);
            out.write_all(b"220 hi\r\n").unwrap();
            said.push("connected".to_owned());
            let mut in_data = false;
            for line in lines {
                said.push(line.clone());
                if in_data {
                    in_data = line != ".";
                    if in_data {
                        continue;
                    }
                }
                let own = answers.iter().find(|(part, _)| line.contains(part));
                let answer = match (own, line.as_str()) {
                    (Some((_, answer)), _) => answer,
                    (None, "DATA") => "354 go on",
                    (None, "QUIT") => "221 bye",
                    _ => "250 ok",
                };
                in_data = answer.starts_with("354");
                if out.write_all(format!("{answer}\r\n").as_bytes()).is_err() || line == "QUIT" {
                    break;
                }
            }
        }
        said
    };
    (port, thread::spawn(serve))
}

fn address(text: &str) -> Address {
    Address::parse(text).unwrap()
}

#[test]
fn smtp_sends_all_over_one_connection() {
    let (port, server) = server(1, &[]);
    let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
    let to = address("alice@example.org");
    transport.send(Some(&address("b+1@host.example")), &to, b"Subject: 1\n\n.dot\nend").unwrap();
    transport.send(None, &to, b"Subject: 2\r\n\r\nx\r\n").unwrap();
    drop(transport);
    let said = server.join().unwrap();
    assert_eq!(said.iter().filter(|line| *line == "connected").count(), 1, "{said:?}");
    let rest: Vec<_> = said.iter().skip(2).map(String::as_str).collect();
    assert_eq!(
        rest,
        [
            "MAIL FROM:<b+1@host.example>",
            "RCPT TO:<alice@example.org>",
            "DATA",
            "Subject: 1",
            "",
            "..dot",
            "end",
            ".",
            "MAIL FROM:<>",
            "RCPT TO:<alice@example.org>",
            "DATA",
            "Subject: 2",
            "",
            "x",
            ".",
            "QUIT",
        ]
    );
}

#[test]
fn smtp_tells_never_from_not_now() {
    let (port, server) = server(1, &[("gone@", "550 no such user"), ("busy@", "451 later")]);
    let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
    let mut send = |to: &str| transport.send(None, &address(to), b"x\n");
    let gone = send("gone@example.org").unwrap_err();
    assert!(gone.scope == FailureScope::Rejected && gone.why.contains("no such user"), "{gone:?}");
    let busy = send("busy@example.org").unwrap_err();
    assert!(busy.scope != FailureScope::Rejected && busy.why.contains("later"), "{busy:?}");
    send("alice@example.org").unwrap();
    drop(transport);
    let said = server.join().unwrap();
    assert_eq!(said.iter().filter(|line| *line == "RSET").count(), 2, "{said:?}");
}

/// A server that closes a connection after each mail, saying so or not.
#[test]
fn a_connection_that_the_server_has_closed_is_opened_again() {
    let to = address("alice@example.org");
    for answer in ["421 4.4.2 idle for too long", ""] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let serve = thread::spawn(move || {
            let mut mails = 0;
            for _ in 0..3 {
                let (mut out, _) = listener.accept().unwrap();
                let mut lines = BufReader::new(out.try_clone().unwrap()).lines();
                out.write_all(b"220 ready\r\n").unwrap();
                let mut taken = false;
                while let Some(Ok(line)) = lines.next() {
                    let reply = match line.as_str() {
                        "DATA" => "354 go on",
                        "." => "250 taken",
                        line if line.starts_with("Subject") || line.is_empty() || line == "x" => {
                            continue;
                        }
                        _ if taken => answer,
                        _ => "250 ok",
                    };
                    taken |= line == ".";
                    mails += i32::from(line == ".");
                    if reply.is_empty() {
                        break;
                    }
                    out.write_all(format!("{reply}\r\n").as_bytes()).unwrap();
                    if reply == answer {
                        break;
                    }
                }
            }
            mails
        });
        let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
        for _ in 0..3 {
            assert_eq!(transport.send(None, &to, b"Subject: x\n\nx\n"), Ok(()), "{answer}");
            assert!(transport.end_run());
        }
        drop(transport);
        assert_eq!(serve.join().unwrap(), 3);
    }
}

#[test]
fn a_server_that_is_down_or_shuts_us_out_is_not_the_mails_fault() {
    let mut transport = Smtp::new("127.0.0.1", DEAD_PORT, Tls::None, None);
    let down = transport.send(None, &address("a@b.example"), b"x").unwrap_err();
    assert!(down.scope != FailureScope::Rejected && down.why.contains("refused"), "{down:?}");
    let (port, server) = server(1, &[("EHLO", "550 go away"), ("HELO", "550 go away")]);
    let mut transport = Smtp::new("127.0.0.1", port, Tls::None, None);
    assert_ne!(
        transport.send(None, &address("a@b.example"), b"x").unwrap_err().scope,
        FailureScope::Rejected
    );
    assert_ne!(
        transport.send(None, &address("a@b.example"), b"x").unwrap_err().scope,
        FailureScope::Rejected
    );
    server.join().unwrap();
}

#[test]
fn sendmail_is_given_the_sender_and_its_exit_code_is_read() {
    let dir = folder();
    let program = dir.path().join("sendmail");
    let script = "#!/bin/sh\n{ for a in \"$@\"; do echo \"[$a]\"; done; cat; } > \"$0.got\"\n\
                  case \"$5\" in gone*) echo unknown >&2; exit 67;; busy*) exit 75;; esac\n";
    crate::support::program::script(&program, script);
    let mut transport = Sendmail::new(&program);
    transport.send(None, &address("alice@example.org"), b"Subject: x\r\n\r\ny\r\n").unwrap();
    let got = fs::read_to_string(dir.path().join("sendmail.got")).unwrap();
    assert_eq!(got, "[-i]\n[-f]\n[]\n[--]\n[alice@example.org]\nSubject: x\n\ny\n");
    let gone = transport.send(None, &address("gone@x.example"), b"x").unwrap_err();
    assert!(gone.scope == FailureScope::Rejected && gone.why.contains("unknown"), "{gone:?}");
    assert_ne!(
        transport.send(None, &address("busy@x.example"), b"x").unwrap_err().scope,
        FailureScope::Rejected
    );
    let mut none = Sendmail::new(Path::new("/nowhere/sendmail"));
    assert_ne!(
        none.send(None, &address("a@x.example"), b"x").unwrap_err().scope,
        FailureScope::Rejected
    );
}

#[test]
fn folders_take_a_mail_once_however_often_it_is_sent() {
    let dir = folder();
    let mut eml = FolderTransport::new(&dir.path().join("eml"));
    let mut maildir = MaildirTransport::new(&format!("{}/{{local}}/Maildir", dir.path().display()));
    for _ in 0..2 {
        for to in ["alice@example.org", "x/bob@example.org"] {
            eml.send(None, &address(to), b"Subject: x\r\n\r\ny\r\n").unwrap();
            maildir.send(None, &address(to), b"Subject: x\r\n\r\ny\r\n").unwrap();
        }
    }
    assert_eq!(contents(&dir.path().join("eml")).len(), 2);
    let alice = contents(&dir.path().join("alice/Maildir/new"));
    assert_eq!(alice.len(), 1);
    assert_eq!(alice[0].1, "Subject: x\n\ny\n");
    assert_eq!(contents(&dir.path().join("x%2Fbob/Maildir")).len(), 1);
}
