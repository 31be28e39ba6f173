//! A proxy between the program and its database that cuts connections, delays messages, cuts
//! messages in half or blocks one direction: every acknowledged commit is in the database exactly
//! once.

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]

use crate::store::postgres::workers::{PROCESS, Place, Size, look, said_by};
use crate::support::postgres::PostgresServer;
use postboard::mail::Address;
use postboard::store::postgres::{self, PostgresHome};
use postboard::store::{Home as _, Letter, Transaction};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A proxy that disturbs the connections between the program and its database.
pub(crate) struct Proxy {
    folder: tempfile::TempDir,
}

/// The treatment of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The message passes.
    Pass,
    /// The message passes after a delay.
    Late(Duration),
    /// The proxy drops the message and cuts the connection.
    Cut,
    /// Half of the message passes, then the proxy cuts the connection.
    Half,
    /// The proxy blocks this direction, and cuts the connection after this time.
    Deaf(Duration),
}

/// Decides about a message. The arguments are: whether the program sent the message, its bytes, and
/// the program's last message.
type Telling = dyn Fn(bool, &[u8], &[u8]) -> Way + Send + Sync;

const SOCKET: &str = ".s.PGSQL.5432";

impl Proxy {
    pub(crate) fn start(engine: &PostgresServer, telling: Arc<Telling>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(SOCKET)).unwrap();
        let target = engine.folder().join(SOCKET);
        // The thread ends with the test process.
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (client, Ok(server)) = (client.unwrap(), UnixStream::connect(&target)) else {
                    continue;
                };
                let said = Arc::new(Mutex::new(Vec::new()));
                for is_ours in [true, false] {
                    let (mut from, mut to) = (client.try_clone(), server.try_clone());
                    if !is_ours {
                        std::mem::swap(&mut from, &mut to);
                    }
                    let (from, to) = (from.unwrap(), to.unwrap());
                    let (telling, said) = (Arc::clone(&telling), Arc::clone(&said));
                    std::thread::spawn(move || pass(is_ours, from, to, &*telling, &said));
                }
            }
        });
        Self { folder }
    }

    /// Returns the URL of a database through the proxy.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postboard@/{database}?host={}", self.folder.path().display())
    }

    fn home(&self, place: &Place) -> PostgresHome {
        let url = self.url(&place.database);
        PostgresHome::new(
            &place.home(),
            postgres::DatabaseConfig { url, password_file: None, lease: Duration::from_mins(2) },
        )
    }
}

fn pass(
    is_ours: bool,
    mut from: UnixStream,
    mut to: UnixStream,
    telling: &Telling,
    said: &Mutex<Vec<u8>>,
) {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let last = said.lock().unwrap().clone();
        let passing = match telling(is_ours, &bytes[..count], &last) {
            Way::Pass => count,
            Way::Late(time) => {
                std::thread::sleep(time);
                count
            }
            Way::Cut => break,
            Way::Half => count / 2,
            Way::Deaf(time) => {
                std::thread::sleep(time);
                break;
            }
        };
        if is_ours {
            bytes[..count].clone_into(&mut said.lock().unwrap());
        }
        if to.write_all(&bytes[..passing]).is_err() || passing < count {
            break;
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// Returns a transaction with the letter of this number.
pub(crate) fn numbered(number: usize) -> Transaction {
    let letter = Letter {
        name: format!("n{number}"),
        sender: None,
        to: Address::parse("player1@pbm.test").unwrap(),
        thread: None,
        bytes: b"it is your turn".to_vec(),
    };
    Transaction { letters: vec![letter], ..Transaction::default() }
}

/// Returns the number of committed letters and of their distinct names.
fn committed(place: &Place) -> (usize, usize) {
    let counts = place.sql("SELECT count(*) || ' ' || count(DISTINCT name) FROM letters");
    let (all, names) = counts.split_once(' ').unwrap();
    (all.parse().unwrap(), names.parse().unwrap())
}

/// The database commits, but the reply is lost: the program detects the commit and does not repeat
/// it.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_commit_whose_answer_is_lost_is_made_once() {
    let place = Place::new();
    let cuts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&cuts);
    let proxy = Proxy::start(
        &place.engine,
        Arc::new(move |is_ours, _, last| {
            let is_answer = !is_ours && last.ends_with(b"COMMIT\0");
            // Cuts every third reply.
            let is_cut = is_answer && counted.fetch_add(1, Ordering::SeqCst) % 3 == 2;
            if is_cut { Way::Cut } else { Way::Pass }
        }),
    );
    let mut opened = proxy.home(&place).open().unwrap();
    for number in 0..30 {
        opened.commit(numbered(number)).unwrap();
    }
    opened.close().unwrap();
    assert_eq!(committed(&place), (30, 30));
    assert!(cuts.load(Ordering::SeqCst) > 30, "answers were lost");
}

/// Cuts connections at random, before or after a message has passed.
#[test]
#[ignore = "starts PostgreSQL"]
fn connections_that_are_cut_at_random_lose_and_double_nothing() {
    let place = Place::new();
    let chance = Mutex::new(ChaCha20Rng::seed_from_u64(3));
    let cuts = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&cuts);
    let proxy = Proxy::start(
        &place.engine,
        Arc::new(move |_, _, _| {
            let is_cut = chance.lock().unwrap().random_bool(0.03);
            counted.fetch_add(usize::from(is_cut), Ordering::SeqCst);
            if is_cut { Way::Cut } else { Way::Pass }
        }),
    );
    let mut opened = proxy.home(&place).open().unwrap();
    for number in 0..300 {
        opened.commit(numbered(number)).unwrap();
    }
    opened.close().unwrap();
    println!("{} cuts", cuts.load(Ordering::SeqCst));
    assert_eq!(committed(&place), (300, 300));
    assert!(cuts.load(Ordering::SeqCst) > 50);
}

/// The number of messages of each treatment other than `Pass`.
#[derive(Debug, Default)]
struct Ways([AtomicUsize; 4]);

impl Ways {
    /// Chooses a treatment at random; 3% of the messages are disturbed.
    fn chosen(&self, chance: &mut ChaCha20Rng) -> Way {
        let time = Duration::from_millis(chance.random_range(1..300));
        let way = match chance.random_range(0..400) {
            0..6 => Way::Late(time),
            6..8 => Way::Cut,
            8..10 => Way::Half,
            10..12 => Way::Deaf(time),
            _ => return Way::Pass,
        };
        let at = [Way::Late(time), Way::Cut, Way::Half, Way::Deaf(time)];
        let at = at.iter().position(|one| *one == way).unwrap();
        self.0[at].fetch_add(1, Ordering::SeqCst);
        way
    }

    fn counted(&self) -> [usize; 4] {
        self.0.each_ref().map(|count| count.load(Ordering::SeqCst))
    }
}

/// Runs workers for at least `least` while connections are disturbed at random; mails arrive over
/// the same proxy.
fn assert_each_executed_once(least: Duration, mails: u32) {
    let size = Size { boards: 60, mails, workers: 4 };
    let mut chance = ChaCha20Rng::seed_from_u64(11);
    let mut place = Place::new();
    let raws = place.prepare(size, &mut chance);
    let ways = Arc::new(Ways::default());
    let (counted, dice) = (Arc::clone(&ways), Mutex::new(ChaCha20Rng::seed_from_u64(12)));
    let telling = move |_: bool, _: &[u8], _: &[u8]| counted.chosen(&mut dice.lock().unwrap());
    let proxy = Proxy::start(&place.engine, Arc::new(telling));
    place.reach(&proxy.url(&place.database));
    let mut running: Vec<Child> = (0..size.workers).map(|_| place.start(PROCESS.end)).collect();
    let (began, mut store, mut coming) = (Instant::now(), place.store(), (1..).zip(&raws));
    loop {
        if let Some((number, raw)) = coming.next() {
            store.put(raw.as_bytes(), None).unwrap();
            store = place.store();
            // Spreads the mails over the whole time.
            std::thread::sleep((least * number / mails).saturating_sub(began.elapsed()));
        } else if place.sql(PROCESS.left) == "0" {
            break;
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
    let ways = ways.counted();
    println!("late, cut, halved, deaf: {ways:?} in {:.1?}", began.elapsed());
    place.reach(&place.engine.url(&place.database));
    assert_eq!(place.said("process"), "", "mails that waited in the folder");
    assert_eq!(look(&place), [""; 0], "{}", said_by(&place));
    assert_eq!(place.said("check"), "");
    assert!(ways.iter().all(|count| *count > 4), "{ways:?}");
}

#[test]
#[ignore = "starts PostgreSQL"]
fn connections_cut_late_and_halved_lose_and_double_nothing() {
    assert_each_executed_once(Duration::ZERO, 400);
}

#[test]
#[ignore = "starts PostgreSQL, and takes five minutes: see docs/reliability.md"]
fn five_minutes_of_connections_cut_late_and_halved() {
    assert_each_executed_once(Duration::from_mins(5), 2_000);
}
