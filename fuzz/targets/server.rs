//! A mail through the whole server, in memory. Its writer knows no password or token, so users and
//! boards must not change.

#![no_main]

use games::{Roll, Scripted, Throw};
use libfuzzer_sys::fuzz_target;
use postboard::base::chance::ScriptedRandom;
use postboard::config::{Config, SAMPLE};
use postboard::base::ids::BoardId;
use postboard::base::time::Time;
use postboard::mail::{Address, parse};
use postboard::base::password::Hashing;
use postboard::server::{Server, Setup};
use postboard::store::{Documents as _, Key, MemoryStore, Store as _};
use postboard::model::token::TokenKey;
use postboard::model::user::{self, User};
use std::sync::LazyLock;

/// A password that is in no corpus, compared by its hash.
const PASSWORD: &str = "Zq7-unguessed-9vK";
const NOW: Time = Time::from_unix(1_092_960_000);
const BOARD: BoardId = BoardId { game: "malaka", number: 1 };

/// Dice with constant results.
fn ones() -> ScriptedRandom {
    ScriptedRandom::new(Scripted::falling(0, |throw, _| match throw {
        Throw { dice: 1, .. } => Roll::One(1),
        Throw { is_opening: true, .. } => Roll::Two(2, 1),
        Throw { .. } => Roll::Two(1, 1),
    }))
}

/// A home where alice and bob play.
static HOME: LazyLock<(Setup, MemoryStore)> = LazyLock::new(|| {
    let config = Config::read(SAMPLE).expect("the sample");
    let setup = Setup {
        identity: config.identity(),
        config,
        key: TokenKey::new([0x5A; 32]),
        dice: postboard::model::dice::DiceKeys::new(&[0x5A; 32], Vec::new()),
        hashing: Hashing::quick(),
    };
    let mut store = MemoryStore::new();
    for (user, subject) in [
        ("alice", format!("signup alice {PASSWORD}")),
        ("bob", format!("signup bob {PASSWORD}")),
        ("alice", "malaka challenge alice bob".into()),
    ] {
        let raw = format!("From: {user}@example.org\nSubject: {subject}\n\n");
        execute(&setup, &mut store, raw.as_bytes());
    }
    assert!(store.load(&Key::Board(BOARD.game, BOARD.number)).expect("memory").text.is_some());
    (setup, store)
});

fn execute(setup: &Setup, store: &mut MemoryStore, raw: &[u8]) {
    let mut chance = ones();
    let mut server = Server::new(setup, &mut chance);
    server.execute_mail(raw, store, NOW).expect("memory has no faults");
    let log = server.log.join("\n");
    assert!(!log.contains(PASSWORD), "{log}");
    store.commit(server.take_transaction()).expect("memory has no faults");
}

/// Returns the parts of a user that only the user may change.
fn kept(store: &MemoryStore, user: &str) -> impl PartialEq + std::fmt::Debug {
    let text = store.load(&Key::In(user::COLLECTION, user.into())).expect("memory").text.expect("signed up");
    let user = User::read(&text).expect("as it was written");
    (user.password, user.addresses, user.preferences, user.settings, user.limits, user.vacations)
}

fuzz_target!(|raw: &[u8]| {
    let (setup, home) = &*HOME;
    let mut store = home.clone();
    execute(setup, &mut store, raw);
    for user in ["alice", "bob"] {
        assert_eq!(kept(&store, user), kept(home, user));
    }
    let board = Key::Board(BOARD.game, BOARD.number);
    let text = |store: &MemoryStore| store.load(&board).expect("memory").text;
    assert_eq!(text(&store), text(home));
    let nobody = Address::parse("nobody@elsewhere.example").expect("an address");
    for letter in store.letters().iter().skip(home.letters().len()) {
        assert!(letter.bytes.is_ascii());
        parse(&letter.bytes, &nobody).expect("what we write can be read");
    }
});
