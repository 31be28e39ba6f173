//! Many workers share one home in a database; some are killed, and some are stopped until others
//! take over their mails. Every mail is executed once, the mails of one board in their order of
//! arrival, and every letter is sent under one Message-ID.

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]
#![expect(clippy::disallowed_types, reason = "the output of processes goes into a file")]

use crate::store::many_boards::{add_board, begun_board};
use crate::store::postgres::proxy::numbered;
use crate::store::{letter, printed};
use crate::support::home::{config, seeded, setup};
use crate::support::postgres::PostgresServer;
use crate::support::program::{Mail, mail, names, program_at, run};
use games::Next;
use postboard::base::time::Time;
use postboard::config::Config;
use postboard::mail::Address;
use postboard::model::board::Board;
use postboard::model::document::Document as _;
use postboard::model::finished_boards::{FinishedBoards, FinishedPart};
use postboard::model::token::{Generation, TokenKey};
use postboard::model::user;
use postboard::model::user_index::MOST_AUTO_INDEXED;
use postboard::model::world::count_key;
use postboard::post::{DeliveryError, OutboxReport, Transport, flush};
use postboard::server::{Server, shell_request};
use postboard::store::outbox::Backlog;
use postboard::store::postgres::PostgresHome;
use postboard::store::{DocumentChange, FileStore, Home as _, Key, Letter, Store, Transaction};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use rustix::process::{Pid, Signal, kill_process};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const KEY: [u8; 32] = [1; 32];

/// The numbers of boards, mails and workers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) boards: u32,
    pub(crate) mails: u32,
    pub(crate) workers: usize,
}

/// A home in its own database.
pub(crate) struct Place {
    dir: tempfile::TempDir,
    pub(crate) engine: PostgresServer,
    pub(crate) database: String,
    /// The board of each mail, in the order of arrival.
    pub(crate) mails: Vec<u32>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let engine = PostgresServer::start();
        let database = engine.database();
        let place = Self { dir, engine, database, mails: Vec::new() };
        FileStore::create_local_folders(&place.home()).unwrap();
        place.reach(&place.engine.url(&place.database));
        assert!(place.store().init(&KEY).unwrap());
        place
    }

    /// Sets the URL of the database in the configuration.
    pub(crate) fn reach(&self, url: &str) {
        let config = format!(
            "address = \"postboard@games.example\"\nplus = true\n[limits]\nmails_a_day = 1000000\n\
             [deliver]\nby = \"folder\"\npath = \"{}\"\n[store]\nurl = \"{url}\"\nlease_seconds = 2\n",
            self.sent().display(),
        );
        fs::write(self.home().join("postboard.toml"), config).unwrap();
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    fn sent(&self) -> PathBuf {
        self.dir.path().join("sent")
    }

    /// Opens the home as the program does.
    pub(crate) fn store(&self) -> PostgresHome {
        let text = fs::read_to_string(self.home().join("postboard.toml")).unwrap();
        let place = Config::read(&text).unwrap().store.unwrap();
        let own = Address::parse("postboard@games.example").unwrap();
        PostgresHome::new(&self.home(), place)
            .with_strands(move |raw| postboard::server::strands(raw, &own))
    }

    pub(crate) fn sql(&self, words: &str) -> String {
        self.engine.sql(&self.database, words)
    }

    /// Fills the home with boards and puts mails about the boards into the spool.
    pub(crate) fn furnish(&mut self, size: Size, chance: &mut ChaCha20Rng) {
        let store = self.store();
        let mails = self.prepare(size, chance);
        for raw in mails {
            store.put(raw.as_bytes(), None).unwrap();
        }
    }

    /// Fills the home with boards and returns mails about the boards.
    pub(crate) fn prepare(&mut self, size: Size, chance: &mut ChaCha20Rng) -> Vec<String> {
        let boards: Vec<Board> =
            (1..=size.boards).map(|number| begun_board(number, size.boards)).collect();
        let mut players = HashMap::new();
        for board in &boards {
            add_board(&mut players, board);
        }
        let change = |key, text| DocumentChange { key, was: None, text };
        let mut changes: Vec<_> = boards
            .iter()
            .map(|board| change(Key::Board("malaka", board.id.number), board.write()))
            .collect();
        changes.push(change(count_key("malaka"), format!("{}\n", size.boards)));
        let finished = FinishedPart::latest("malaka").key();
        changes.push(change(finished, FinishedBoards::default().to_text()));
        let users = players.values();
        changes
            .extend(users.map(|it| change(Key::In(user::COLLECTION, it.id.folded()), it.write())));
        let store = self.store();
        let mut opened = store.open().unwrap();
        opened.commit(Transaction { changes, ..Transaction::default() }).unwrap();
        opened.close().unwrap();
        // With this many players, the home needs the index that `check --repair` builds.
        if players.len() > MOST_AUTO_INDEXED {
            let ran = run(program_at(&self.home()).args(["check", "--repair"]), b"");
            assert_eq!(ran.err, "");
        }
        let key = TokenKey::new(KEY);
        let about_one = |number| {
            let board = &boards[chance.random_range(0..boards.len())];
            let Next::Move(seat) = board.position().next() else { unreachable!("it waits") };
            // The player not to move queues a move for a number that the board never reaches, and
            // gets an answer about this move.
            let player = board.player(seat.other());
            let tag = key.tag(board.id, board.next_move(), None, player, Generation::default());
            let text = format!("queue g9-g8#{}", FIRST + number);
            let to = format!("postboard+{tag}@games.example");
            let raw = mail(number, player.as_str(), &to, "Re: Malaka", &text);
            self.mails.push(board.id.number);
            raw
        };
        (0..size.mails).map(about_one).collect()
    }

    pub(crate) fn start(&self, words: &[&str]) -> Child {
        let path = self.dir.path().join("log");
        let log = fs::File::options().create(true).append(true).open(path).unwrap();
        let mut command = program_at(&self.home());
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().unwrap()
    }

    /// Runs a command of the program and returns its output.
    pub(crate) fn said(&self, words: &str) -> String {
        let output = program_at(&self.home()).arg(words).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text(&output.stdout) + &text(&output.stderr)
    }
}

/// A move number that no board reaches.
const FIRST: u32 = 1_000;

/// The maximum number of letters that are sent.
const LETTERS: usize = 1_000;

/// The number of disturbances of the workers.
#[derive(Debug, Default)]
struct Done {
    killed: usize,
    stopped: usize,
}

fn signal(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, signal).unwrap();
}

/// The commands of the workers, and a query for the remaining work.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    /// The arguments of workers that wait for more work.
    stay: &'static [&'static str],
    /// The arguments of workers that end when no work is left.
    pub(crate) end: &'static [&'static str],
    pub(crate) left: &'static str,
}

pub(crate) const PROCESS: Work =
    Work { stay: &["process", "--watch"], end: &["process"], left: "SELECT count(*) FROM mails" };

pub(crate) const DELIVER: Work =
    Work { stay: &["deliver"], end: &["deliver"], left: "SELECT count(*) FROM letters" };

/// Runs workers until all work is done. Kills a third of the workers, and stops five until others
/// have taken over their mails.
fn work(place: &Place, work: Work, workers: usize, chance: &mut ChaCha20Rng) -> Done {
    let mut running: Vec<Child> = (0..workers).map(|_| place.start(work.stay)).collect();
    let mut asleep: Vec<(Instant, Child)> = Vec::new();
    let mut done = Done::default();
    while place.sql(work.left) != "0" {
        std::thread::sleep(Duration::from_millis(chance.random_range(5..60)));
        for child in &mut running {
            if child.try_wait().unwrap().is_some() {
                *child = place.start(work.stay);
            }
        }
        // Disturbs kills and stops in turn, because a fast machine finishes soon.
        if done.killed < workers.div_ceil(3).min(done.stopped + 2) {
            running[chance.random_range(0..workers)].kill().unwrap();
            done.killed += 1;
        } else if done.stopped < 5 {
            let child = place.start(work.end);
            std::thread::sleep(Duration::from_millis(chance.random_range(20..120)));
            signal(&child, Signal::STOP);
            asleep.push((Instant::now(), child));
            done.stopped += 1;
        }
        // The lease is two seconds, so others have taken over after four.
        let is_over = |(since, _): &mut (Instant, Child)| since.elapsed() > Duration::from_secs(4);
        for (_, mut child) in asleep.extract_if(.., is_over) {
            signal(&child, Signal::CONT);
            child.wait().unwrap();
        }
    }
    for (_, mut child) in asleep {
        signal(&child, Signal::CONT);
        child.wait().unwrap();
    }
    for mut child in running {
        let _ = child.kill();
        child.wait().unwrap();
    }
    done
}

/// Returns the move number in an answer.
fn number(text: &str) -> Option<u32> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = text.split("tried as move ").nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Returns the errors of a home that must have executed each of these mails once and in order.
pub(crate) fn look(place: &Place) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut come: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    let moves = place.sql(
        "SELECT substring(convert_from(bytes, 'UTF8') FROM 'move[^0-9]{0,40}([0-9]{4,6})') \
         FROM letters ORDER BY number",
    );
    let mut seen = BTreeMap::new();
    for number in moves.lines() {
        let mail = (number.parse::<u32>().unwrap() - FIRST) as usize;
        *seen.entry(mail).or_insert(0) += 1;
        come.entry(place.mails[mail]).or_default().push(mail);
    }
    let lost = (0..place.mails.len()).filter(|mail| !seen.contains_key(mail)).count();
    let doubled = seen.values().filter(|times| **times > 1).count();
    if lost + doubled > 0 {
        wrong.push(format!("{lost} mails lost, {doubled} doubled"));
    }
    let unordered = come.values().filter(|mails| !mails.is_sorted()).count();
    if unordered > 0 {
        wrong.push(format!("on {unordered} boards mails overtook each other"));
    }
    let aside = place.sql("SELECT count(*) FROM aside");
    if aside != "0" {
        wrong.push(format!("{aside} mails were put aside"));
    }
    wrong
}

/// Returns the errors of the sent letters.
fn look_at_sent(place: &Place, letters: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut ids: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for name in names(&place.sent()) {
        let sent = Mail::read(&fs::read(place.sent().join(name)).unwrap());
        ids.entry(number(&sent.text).unwrap()).or_default().insert(sent.id);
    }
    if ids.len() != letters {
        wrong.push(format!("{} of {letters} letters were sent", ids.len()));
    }
    let several = ids.values().filter(|ids| ids.len() > 1).count();
    if several > 0 {
        wrong.push(format!("{several} letters were sent under several names"));
    }
    wrong
}

fn assert_each_executed_once(size: Size, seed: u64) {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let mut place = Place::new();
    place.furnish(size, &mut chance);
    let began = Instant::now();
    let done = work(&place, PROCESS, size.workers, &mut chance);
    let took = began.elapsed();
    assert_eq!(look(&place), [""; 0], "{}", said_by(&place));
    // Printing letters dominates the time, so only the first letters are sent.
    let letters = place.mails.len().min(LETTERS);
    place.sql(&format!(
        "DELETE FROM letters WHERE number NOT IN \
         (SELECT number FROM letters ORDER BY number LIMIT {letters})"
    ));
    let sent = work(&place, DELIVER, 6, &mut chance);
    assert_eq!(look_at_sent(&place, letters), [""; 0]);
    assert_eq!(place.said("check"), "");
    assert!(done.killed > 0 && done.stopped == 5, "{done:?}");
    println!("{size:?}, seed {seed}: {done:?} in {:.1} s; deliver: {sent:?}", took.as_secs_f32());
}

pub(crate) fn said_by(place: &Place) -> String {
    fs::read_to_string(place.dir.path().join("log")).unwrap_or_default()
}

#[test]
#[ignore = "starts PostgreSQL"]
fn sixteen_workers_execute_every_mail_once() {
    for seed in 1..=3 {
        assert_each_executed_once(Size { boards: 60, mails: 1_200, workers: 16 }, seed);
    }
}

#[test]
#[ignore = "starts PostgreSQL, and takes long: see docs/reliability.md"]
fn sixteen_workers_execute_twenty_thousand_mails_once() {
    for seed in 1..=3 {
        assert_each_executed_once(Size { boards: 5_000, mails: 20_000, workers: 16 }, seed);
    }
}

/// The database is killed and restarted repeatedly while mails arrive and are executed: nothing
/// acknowledged is lost, and nothing is executed twice. Mails wait in the folder while the database
/// is down.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_database_that_dies_loses_nothing() {
    let size = Size { boards: 60, mails: 1_200, workers: 4 };
    let mut place = Place::new();
    place.furnish(size, &mut ChaCha20Rng::seed_from_u64(7));
    let waiting = |place: &Place| place.sql(PROCESS.left).parse::<u32>().unwrap();
    let mut running: Vec<Child> = (0..size.workers).map(|_| place.start(PROCESS.end)).collect();
    let mut deaths = 0;
    loop {
        let waiting = waiting(&place);
        if waiting == 0 {
            break;
        }
        if deaths < 4 && waiting <= size.mails - 200 * (deaths + 1) {
            place.engine.kill_and_start();
            deaths += 1;
        }
        for child in &mut running {
            if child.try_wait().unwrap().is_some() {
                *child = place.start(PROCESS.end);
            }
        }
    }
    for mut child in running {
        child.wait().unwrap();
    }
    assert_eq!(look(&place), [""; 0], "{}", said_by(&place));
    assert_eq!((place.said("check"), deaths), (String::new(), 4));
}

#[test]
#[ignore = "starts PostgreSQL"]
fn a_mail_waits_in_the_folder_while_the_database_is_away() {
    let place = Place::new();
    let raw = mail(1, "alice", "postboard@games.example", "list", "");
    place.engine.stop();
    let ran = run(program_at(&place.home()).arg("receive"), raw.as_bytes());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert_eq!(names(&place.home().join("spool/new")).len(), 1);
    let ran = run(program_at(&place.home()).arg("process"), b"");
    assert_eq!(ran.code, Some(75), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert_eq!(names(&place.home().join("spool/new")).len(), 1, "it still waits");
    place.engine.start_again();
    assert_eq!(place.said("process"), "");
    assert_eq!(names(&place.home().join("spool/new")), [""; 0]);
    assert_eq!((place.sql(PROCESS.left), place.sql(DELIVER.left)), ("0".into(), "1".into()));
}

/// An operator changed a document by SQL but not its version, so each mail about the document is a
/// conflict: these mails are parked, and the others are executed.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_row_without_its_version_holds_up_no_other_mail() {
    let place = Place::new();
    let receive_of = |user: &str, number: u32, subject: &str| {
        let raw = mail(number, user, "postboard@games.example", subject, "");
        let ran = run(program_at(&place.home()).arg("receive"), raw.as_bytes());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    };
    let receive = |number: u32, subject: &str| receive_of("alice", number, subject);
    receive(1, "signup alice1 secret1");
    assert_eq!(place.said("process"), "");
    place.sql("UPDATE documents SET text = text || ' ' WHERE name LIKE 'users/%alice1%'");
    receive(2, "set alice1 secret1 html off");
    // A list reads its sender, whose games stand first.
    receive_of("bob", 3, "list");
    receive(4, "help");
    let before: u32 = place.sql(DELIVER.left).parse().unwrap();
    assert_eq!(place.said("process"), "");
    assert_eq!(place.sql(PROCESS.left), "0");
    let after: u32 = place.sql(DELIVER.left).parse().unwrap();
    assert!(after >= before + 2, "the others are answered: {before} {after}");
    assert_eq!(place.sql("SELECT count(*) FROM aside"), "1", "the mail is parked");
    let said = |words: &[&str]| run(program_at(&place.home()).args(words), b"");
    let doctor = said(&["doctor"]);
    let mends =
        "its version is not that of its text, so that nobody can change it: `postboard check";
    assert!(doctor.out.contains(mends), "{}", doctor.out);
    let repaired = said(&["check", "--repair"]);
    assert!(repaired.out.contains("mended: users/"), "{} {}", repaired.out, repaired.err);
    receive(5, "set alice1 secret1 html off");
    assert_eq!(place.said("process"), "");
    assert_eq!(place.sql("SELECT count(*) FROM aside"), "1");
    assert!(!said(&["doctor"]).out.contains(mends));
}

/// A forgotten session holds a lock on a table.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_locked_table_is_not_waited_for_without_end() {
    let place = Place::new();
    let said = |words: &[&str], input: &[u8]| {
        let begun = Instant::now();
        let ran = run(program_at(&place.home()).args(words), input);
        assert!(begun.elapsed() < Duration::from_secs(10), "{words:?}: {:?}", begun.elapsed());
        ran
    };
    for table in ["mails", "documents"] {
        let lock = format!("BEGIN; LOCK TABLE {table}; SELECT pg_sleep(120)");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut psql = std::process::Command::new("psql");
                psql.args(["-XAtq", "-U", "postboard", "-d", &place.database, "-h"]);
                let _ = psql.arg(place.engine.folder()).args(["-c", &lock]).output();
            });
            let is_locked = format!(
                "SELECT count(*) FROM pg_locks WHERE relation = '{table}'::regclass \
                 AND mode = 'AccessExclusiveLock' AND granted"
            );
            while place.sql(&is_locked) == "0" {
                std::thread::yield_now();
            }
            let raw = mail(7, "alice", "postboard@games.example", "list", table);
            let ran = said(&["receive"], raw.as_bytes());
            assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{table}");
            if table == "mails" {
                assert_eq!(names(&place.home().join("spool/new")).len(), 1, "it waits in files");
            }
            let all = ["process", "deliver", "status", "remind", "board show malaka 1"];
            for line in all {
                let words: Vec<&str> = line.split(' ').collect();
                let ran = said(&words, b"");
                assert!([Some(0), Some(65), Some(75)].contains(&ran.code), "{line}: {}", ran.err);
            }
            place.sql(&is_locked.replace("count(*)", "pg_terminate_backend(pid)"));
        });
    }
    assert_eq!(place.said("process"), "");
    assert_eq!(place.sql(PROCESS.left), "0");
    assert_eq!(names(&place.home().join("spool/new")), [""; 0]);
}

/// Lets a worker with an expired lease prepare a letter, while another worker takes over and writes
/// the same letter. Returns the number of letters.
fn harm(place: &Place) -> usize {
    let letter = Letter {
        name: "reminder".into(),
        sender: None,
        to: Address::parse("player1@pbm.test").unwrap(),
        thread: None,
        bytes: b"it is your turn".to_vec(),
    };
    let transaction = || Transaction { letters: vec![letter.clone()], ..Transaction::default() };
    let store = place.store();
    let mut stopped = store.open().unwrap();
    end_leases(place);
    let mut other = store.open().unwrap();
    other.commit(transaction()).unwrap();
    other.close().unwrap();
    let woken = stopped.commit(transaction());
    assert_eq!(woken.is_err_and(|fault| fault.is_conflict()), place.sql(DELIVER.left) == "1");
    place.sql(DELIVER.left).parse().unwrap()
}

#[test]
#[ignore = "starts PostgreSQL"]
fn a_worker_that_outstays_its_lease_changes_nothing() {
    let place = Place::new();
    assert_eq!(harm(&place), 1);
}

/// Ends the leases of all workers. The next worker removes those whose lease is over.
pub(crate) fn end_leases(place: &Place) {
    place.sql("UPDATE workers SET until = now() - interval '1 second'");
}

/// Fills the outbox with these letters.
fn write_letters(place: &Place, names: &[&str]) {
    let letters = names.iter().map(|name| letter(name)).collect();
    let mut opened = place.store().open().unwrap();
    opened.commit(Transaction { letters, ..Transaction::default() }).unwrap();
    opened.close().unwrap();
}

/// A transport that takes mails. While it takes the first one, the lease of its sender ends.
struct Slow<'p> {
    place: &'p Place,
    taken: Vec<String>,
}

impl Transport for Slow<'_> {
    fn send(
        &mut self,
        _: Option<&Address>,
        _: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError> {
        if self.taken.is_empty() {
            end_leases(self.place);
            self.place.store().open().unwrap().close().unwrap();
        }
        let text = String::from_utf8_lossy(bytes);
        self.taken.push(text.split(['<', '>']).nth(1).unwrap_or(&text).to_owned());
        Ok(())
    }
}

/// Nobody is told when the lease of a dead sender ends.
#[test]
#[ignore = "starts PostgreSQL"]
fn letters_of_a_dead_sender_count_as_waiting_until_others_send_them() {
    let place = Place::new();
    let (store, now) = (place.store(), Time::from_unix(1_795_238_400));
    write_letters(&place, &["a", "b"]);
    let mut dead = store.outbox().unwrap().unwrap();
    assert_eq!(dead.claim(now).unwrap().len(), 2);
    let mut other = store.outbox().unwrap().unwrap();
    assert_eq!(other.claim(now).unwrap(), []);
    assert!(!other.report().may_have_more);
    assert_eq!(store.backlog().unwrap(), Backlog { put_off: 2, ..Backlog::default() });
    end_leases(&place);
    assert_eq!(other.claim(now).unwrap().len(), 2);
    // It was not dead, but asleep.
    assert_eq!(dead.claim(now).unwrap(), []);
    assert!(dead.report().may_have_more, "the other sender may die, too");
}

#[test]
#[ignore = "starts PostgreSQL"]
fn a_letter_that_leaves_after_the_lease_of_its_sender_is_sent_once() {
    let place = Place::new();
    let (store, now) = (place.store(), Time::from_unix(1_795_238_400));
    write_letters(&place, &["a", "b"]);
    let mut transport = Slow { place: &place, taken: Vec::new() };
    let report = flush(&store, &mut transport, &printed, now).unwrap();
    let expected = OutboxReport { sent: 1, may_have_more: true, ..OutboxReport::default() };
    assert_eq!(report, expected, "others may send the second letter");
    assert_eq!(flush(&store, &mut transport, &printed, now).unwrap().sent, 1);
    assert_eq!(transport.taken, ["a", "b"]);
    assert_eq!(place.sql(DELIVER.left), "0");
}

/// A database that dies may lose the row of a worker that was not yet on the disk, and give the
/// worker's number to another worker: the first worker is fenced off, and does not take the other's
/// commits for its own.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_number_that_is_given_twice_fences_off_who_was_forgotten() {
    let place = Place::new();
    let store = place.store();
    let mut forgotten = store.open().unwrap();
    place.sql("DELETE FROM workers; ALTER TABLE workers ALTER number RESTART WITH 1");
    let mut other = store.open().unwrap();
    assert_eq!(place.sql("SELECT string_agg(number::text, ' ') FROM workers"), "1");
    let failed = forgotten.commit(numbered(1));
    assert!(failed.is_err_and(|fault| fault.is_conflict()));
    other.commit(numbered(2)).unwrap();
    assert_eq!(place.sql("SELECT string_agg(name, ' ') FROM letters"), "n2");
    drop(forgotten);
    other.commit(numbered(3)).unwrap();
}

/// Control: the test detects the harm of an expired worker that is not fenced off.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_worker_without_a_fence_is_caught() {
    let place = Place::new();
    place.sql(
        "CREATE FUNCTION spare() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$; \
         CREATE TRIGGER spare BEFORE DELETE ON workers FOR EACH ROW EXECUTE FUNCTION spare()",
    );
    assert_eq!(harm(&place), 2);
}

/// Control: without receipts, the test detects mails that are executed twice.
#[test]
#[ignore = "starts PostgreSQL"]
fn workers_without_receipts_are_caught() {
    let size = Size { boards: 60, mails: 600, workers: 16 };
    let mut chance = ChaCha20Rng::seed_from_u64(1);
    let mut place = Place::new();
    place.furnish(size, &mut chance);
    // A trigger spoils the receipts, and finished mails are received again.
    place.sql(
        "CREATE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         NEW.id = sha256(random()::text::bytea); NEW.content = NEW.id; RETURN NEW; END $$; \
         CREATE TRIGGER forget BEFORE INSERT ON receipts FOR EACH ROW EXECUTE FUNCTION forget(); \
         CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         IF random() < 0.2 THEN RETURN NULL; END IF; RETURN OLD; END $$; \
         CREATE TRIGGER keep BEFORE DELETE ON mails FOR EACH ROW EXECUTE FUNCTION keep()",
    );
    work(&place, PROCESS, size.workers, &mut chance);
    let wrong = look(&place);
    println!("without receipts: {wrong:?}");
    assert!(wrong.iter().any(|line| line.contains("doubled")), "{wrong:?}");
}

/// The marker of a living worker is not the marker of a dead worker.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_marker_tells_only_of_the_dead() {
    let place = Place::new();
    let store = place.store();
    let (one, other) = (store.open().unwrap(), store.open().unwrap());
    one.run_marker().write("board 17").unwrap();
    assert_eq!(other.run_marker().read().unwrap(), "");
    place.sql("UPDATE workers SET until = now() - interval '1 second' WHERE number = 1");
    assert_eq!(other.run_marker().read().unwrap(), "board 17");
}

/// The first claim of the mails that a dead worker had begun fails.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_failed_claim_hides_no_mail_that_was_begun() {
    let place = Place::new();
    let store = place.store();
    let raw = mail(1, "alice", "postboard@games.example", "list", "");
    store.put(raw.as_bytes(), None).unwrap();
    place.sql("UPDATE mails SET begun = 1");
    let opened = store.open().unwrap();
    let spool = opened.spool_store();
    place.sql("ALTER TABLE mails RENAME TO elsewhere");
    assert!(spool.is_run_marked().is_err());
    place.sql("ALTER TABLE elsewhere RENAME TO mails");
    assert!(spool.is_run_marked().unwrap());
    assert!(spool.has_unstarted());
    assert_eq!(spool.begun().unwrap().len(), 1);
}

/// A commit also compares the documents that its decision read, and their absence.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_commit_is_refused_if_a_document_it_read_has_changed() {
    let place = Place::new();
    let store = place.store();
    let key = |number| Key::Board("malaka", number);
    let put = |number, text: &str, reads: &[u32]| {
        let mut opened = store.open().unwrap();
        let version = |number| opened.load(&key(number)).unwrap().version;
        let (was, reads) = (version(number), reads.iter().map(|it| (key(*it), version(*it))));
        let changes = vec![DocumentChange { key: key(number), was, text: text.into() }];
        let reads = reads.collect();
        move || opened.commit(Transaction { changes, reads, ..Transaction::default() })
    };
    put(1, "{}", &[])().unwrap();
    // One document changes, and one is created.
    for (number, read) in [(2, 1), (3, 4)] {
        let slow = put(number, "{\"slow\":1}", &[read]);
        put(read, "{\"quick\":1}", &[])().unwrap();
        assert!(slow().is_err_and(|fault| fault.is_conflict()), "{read}");
        assert_eq!(store.read().unwrap().load(&key(number)).unwrap().text, None);
        put(number, "{\"again\":1}", &[read])().unwrap();
    }
}

/// Two boards of a game end at the same moment in two workers: the second does its work again. An earlier
/// version's database gets its lists by `upgrade`.
#[test]
#[ignore = "starts PostgreSQL"]
fn boards_that_end_at_the_same_moment_are_both_listed() {
    let place = Place::new();
    let ran = |words: &str| {
        let ran = run(program_at(&place.home()).args(words.split(' ')), b"");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        ran.out
    };
    for user in ["alice", "bob", "carol", "dora"] {
        ran(&format!("signup {user} secret {user}@pbm.test"));
    }
    for players in ["alice bob", "carol dora", "alice dora"] {
        ran(&format!("malaka challenge {players}"));
    }
    let (setup, store, now) = (setup(config()), place.store(), Time::from_unix(1_795_238_400));
    let decline = |line: &str, store: &dyn Store| {
        let mut chance = seeded(7);
        let mut server = Server::new(&setup, &mut chance);
        let request = shell_request(line.into(), true, String::new());
        assert!(server.execute_shell_command(&request, store, now).unwrap().is_done);
        server.take_transaction()
    };
    let (mut one, mut other) = (store.open().unwrap(), store.open().unwrap());
    let first = decline("malaka resign 1 bob", &*one);
    let second = decline("malaka resign 2 dora", &*other);
    one.commit(first).unwrap();
    assert!(other.commit(second).is_err_and(|fault| fault.is_conflict()));
    let again = decline("malaka resign 2 dora", &*other);
    other.commit(again).unwrap();
    let history = ran("malaka history");
    assert!(history.contains("alice - bob") && history.contains("carol - dora"), "{history}");
    assert_eq!(ran("check"), "");
    place.sql("DELETE FROM documents WHERE name LIKE 'documents/finished/%'");
    assert_eq!(ran("malaka history").trim(), "0 boards");
    assert!(ran("upgrade").contains("finished   listed anew: 2 boards"));
    assert_eq!(ran("malaka history"), history);
    assert_eq!(ran("check"), "");
}
