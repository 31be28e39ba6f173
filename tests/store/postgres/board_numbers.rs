//! Workers begin boards of the same game at the same moment: they do not conflict, no number is given
//! twice, and a home in which numbers have no boards is in order.

use crate::store::postgres::workers::{PROCESS, Place, end_leases, said_by};
use crate::support::home::{config, lift_limits, seeded, setup};
use crate::support::program::{Ran, mail, program_at, run};
use postboard::base::ids::UserId;
use postboard::base::time::Time;
use postboard::mail::Address;
use postboard::model::document::Document as _;
use postboard::model::recent_players::{PlayersActive, RecentPlayers, recent_players_key};
use postboard::model::user::User;
use postboard::model::world::{count_key, user_key};
use postboard::server::{MailDisposition, Server, Setup};
use postboard::store::{
    DocumentChange, DocumentKind, Home as _, Key, OpenHome, Store, Transaction,
};
use std::process::Child;

const NOW: Time = Time::from_unix(1_795_238_400);

/// The number of pairs of players who challenge each other.
const PAIRS: u32 = 100;

/// A home with players, and the setup of the workers in this process.
struct Town {
    place: Place,
    setup: Setup,
    challenges: u32,
}

impl Town {
    /// Returns a home whose list of recent players is full, of others than those who challenge.
    fn new() -> Self {
        let mut setup = setup(config());
        lift_limits(&mut setup);
        let town = Self { place: Place::new(), setup, challenges: 0 };
        let users = (0..2 * PAIRS).map(|number| {
            let address = Address::parse(&format!("player{number}@pbm.test")).unwrap();
            let id = UserId::parse(&format!("player{number}")).unwrap();
            User::new(id, "none".into(), vec![address], Time::EPOCH)
        });
        let change = |key, text| DocumentChange { key, was: None, text };
        let mut changes: Vec<_> =
            users.map(|user| change(user_key(&user.id), user.write())).collect();
        let mut recent = RecentPlayers::default();
        let users = (0..200).map(|number| UserId::parse(&format!("other{number}")).unwrap());
        recent.apply(&PlayersActive { users: users.collect(), at: NOW });
        changes.push(change(recent_players_key("reversi"), recent.to_text()));
        let mut store = town.open();
        store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
        // The first mail makes the index of users.
        let help =
            town.execute(&mail(0, "player1", "postboard@games.example", "help", ""), &*store);
        store.commit(help).unwrap();
        town
    }

    /// Returns a home with two boards.
    fn with_boards() -> Self {
        let mut town = Self::new();
        assert_eq!([town.begin(), town.begin()], [1, 2]);
        town
    }

    fn ran(&self, words: &str) -> Ran {
        run(program_at(&self.place.home()).args(words.split(' ')), b"")
    }

    /// Runs a command that must succeed, and returns its output.
    fn done(&self, words: &str) -> String {
        let ran = self.ran(words);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{words}: {ran:?}");
        ran.out
    }

    fn open(&self) -> Box<dyn OpenHome> {
        self.place.store().open().unwrap()
    }

    /// Returns a mail by which a player challenges another one to Reversi, which has no dice.
    fn challenge(&mut self) -> String {
        let number = self.challenges;
        self.challenges += 1;
        let [by, to] = [0, 1].map(|seat| format!("player{}", number % PAIRS * 2 + seat));
        let words = format!("reversi challenge {by} {to}");
        mail(number, &by, "postboard@games.example", &words, "")
    }

    /// Executes a mail, without its commit.
    fn execute(&self, raw: &str, store: &dyn Store) -> Transaction {
        let mut chance = seeded(u64::from(self.challenges));
        let mut server = Server::new(&self.setup, &mut chance);
        let disposition = server.execute_mail(raw.as_bytes(), store, NOW).unwrap();
        assert_eq!(disposition, MailDisposition::Executed);
        server.take_transaction()
    }

    /// Executes a challenge, without its commit.
    fn decide(&mut self, store: &dyn Store) -> Transaction {
        let raw = self.challenge();
        self.execute(&raw, store)
    }

    /// Begins a board by a worker that ends, and returns its number.
    fn begin(&mut self) -> u32 {
        let mut store = self.open();
        let transaction = self.decide(&*store);
        let number = number(&transaction);
        store.commit(transaction).unwrap();
        number
    }

    /// Returns the numbers of all boards.
    fn numbers(&self) -> Vec<u32> {
        let keys =
            self.place.store().read().unwrap().keys(DocumentKind::Boards("reversi")).unwrap();
        let number = |key: &Key| match key {
            Key::Board(_, number) => Some(*number),
            _ => None,
        };
        keys.iter().filter_map(number).collect()
    }

    fn refuse_rows_of(&self, table: &str) {
        self.place.sql(&format!(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
             RAISE EXCEPTION 'no luck'; END $$; \
             CREATE TRIGGER fail BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION fail()"
        ));
    }

    fn accept_rows_of(&self, table: &str) {
        self.place.sql(&format!("DROP TRIGGER fail ON {table}"));
    }

    fn count(&self) -> Option<String> {
        self.place.store().read().unwrap().load(&count_key("reversi")).unwrap().text
    }
}

/// Returns the number of the only board that a transaction changes.
fn number(transaction: &Transaction) -> u32 {
    let number = |key: &Key| match key {
        Key::Board("reversi", number) => Some(*number),
        _ => None,
    };
    let numbers: Vec<u32> =
        transaction.changes.iter().filter_map(|change| number(&change.key)).collect();
    assert_eq!(numbers.len(), 1, "{:?}", transaction.letters);
    numbers[0]
}

/// Both workers decide before either commits.
#[test]
#[ignore = "starts PostgreSQL"]
fn boards_that_begin_at_the_same_moment_do_not_conflict() {
    let mut town = Town::with_boards();
    let (mut one, mut other) = (town.open(), town.open());
    let mut numbers = vec![1, 2];
    for round in 0..40 {
        let first = town.decide(&*one);
        let second = town.decide(&*other);
        numbers.extend([number(&first), number(&second)]);
        // The lower number is not always committed first.
        if round % 3 == 0 {
            one.commit(first).unwrap();
            other.commit(second).unwrap();
        } else {
            other.commit(second).unwrap();
            one.commit(first).unwrap();
        }
        let latest = numbers.iter().max().unwrap();
        assert_eq!(town.count(), Some(format!("{latest}\n")), "round {round}");
    }
    numbers.sort_unstable();
    assert_eq!(town.numbers(), numbers, "all different, and all begun");
    drop((one, other));
    assert_eq!(town.done("check"), "");
}

#[test]
#[ignore = "starts PostgreSQL"]
fn the_first_boards_of_a_game_begin_in_two_workers() {
    let mut town = Town::new();
    let (mut one, mut other) = (town.open(), town.open());
    let first = town.decide(&*one);
    let second = town.decide(&*other);
    assert_eq!([number(&first), number(&second)], [1, 2]);
    // The later one makes the lists of the game.
    other.commit(second).unwrap();
    assert_eq!(town.done("check"), "");
    assert!(one.commit(first).is_err_and(|fault| fault.is_conflict()), "both made them");
    let again = town.decide(&*one);
    assert_eq!(number(&again), 1, "a number of a conflict is still free");
    one.commit(again).unwrap();
    drop((one, other));
    assert_eq!((town.numbers(), town.count()), (vec![1, 2], Some("2\n".into())));
    assert_eq!(town.done("check"), "");
}

/// A worker dies, and then the database. What follows leaves a gap, which nothing minds.
#[test]
#[ignore = "starts PostgreSQL"]
fn numbers_of_a_dead_worker_are_not_used_again() {
    let mut town = Town::with_boards();
    let dead = town.open();
    let lost = number(&town.decide(&*dead));
    town.place.engine.kill_and_start();
    let next = town.begin();
    assert_eq!((lost, next), (3, 4));
    std::mem::forget(dead);
    end_leases(&town.place);
    assert_eq!(town.begin(), 5);
    assert_eq!((town.numbers(), town.count()), (vec![1, 2, 4, 5], Some("5\n".into())));
    assert_eq!(town.done("check"), "");
    let status = town.done("status");
    assert!(status.contains("reversi: 4 in play of 4"), "{status}");
    town.done("remind");
    let looked_at = "SELECT count(*) FROM looks WHERE game = 'reversi' AND number = 3 \
                     AND at = 9223372036854775806";
    assert_eq!(town.place.sql(looked_at), "1", "`remind` passes over it");
    // A clock that was wrong once makes it look at every board.
    town.place.sql("UPDATE looks SET at = 4102444800 WHERE game = 'reversi' AND number = 0");
    town.done("remind");
    assert_eq!(town.place.sql(looked_at), "1", "it has no board");

    // A move compares both homes.
    town.done("move-home --to files");
    assert_eq!(town.done("check"), "");
    assert!(town.done("status").contains("reversi: 4 in play of 4"));
    town.done("reversi challenge player0 player1");
    let url = town.place.engine.url(&town.place.engine.database());
    town.done(&format!("move-home --to {url}"));
    town.done("reversi challenge player2 player3");
    for number in [1, 2, 4, 5, 6, 7] {
        town.done(&format!("reversi show {number}"));
    }
    assert_eq!(town.ran("reversi show 3").code, Some(65));
    assert_eq!(town.done("check"), "");
}

#[test]
#[ignore = "starts PostgreSQL"]
fn numbers_are_used_up_by_a_commit_that_may_have_happened() {
    let mut town = Town::with_boards();
    let mut store = town.open();
    let transaction = town.decide(&*store);
    assert_eq!(number(&transaction), 3);
    town.refuse_rows_of("letters");
    assert!(store.commit(transaction).is_err_and(|fault| !fault.is_conflict()));
    town.accept_rows_of("letters");
    let again = town.decide(&*store);
    assert_eq!(number(&again), 4);
    store.commit(again).unwrap();
    drop(store);
    assert_eq!((town.numbers(), town.done("check")), (vec![1, 2, 4], String::new()));
}

/// The count was raised for a commit that then conflicted.
#[test]
#[ignore = "starts PostgreSQL"]
fn the_number_of_a_conflict_is_not_given_back() {
    let mut town = Town::with_boards();
    let mut store = town.open();
    let transaction = town.decide(&*store);
    assert_eq!(number(&transaction), 3);
    let change = |version: &str| {
        let sql = "UPDATE documents SET version = sha256(VERSION) WHERE name LIKE 'users/%'";
        town.place.sql(&sql.replace("VERSION", version));
    };
    change("'changed'");
    assert!(store.commit(transaction).is_err_and(|fault| fault.is_conflict()));
    change("convert_to(text, 'UTF8')");
    drop(store);
    assert_eq!((town.begin(), town.numbers()), (4, vec![1, 2, 4]));
    let status = town.done("status");
    assert!(status.contains("reversi: 3 in play of 3"), "{status}");
    assert_eq!(town.done("check"), "");
}

/// Ranges grow with use. What is left of the newest is given back.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_worker_that_ends_gives_back_the_newest_numbers() {
    let town = Town::new();
    let reserve = |store: &dyn Store, latest: u32, count: usize| {
        store.reserve_board_numbers("malaka", latest, count).unwrap()
    };
    let reserved = || town.place.sql("SELECT count(*) FROM looks WHERE game = 'malaka'");
    let one = town.open();
    assert_eq!(reserve(&*one, 0, 0), [0; 0]);
    assert_eq!(reserved(), "0");
    assert_eq!(reserve(&*one, 0, 3), [1, 2, 3]);
    assert_eq!(reserve(&*one, 0, 2), [1, 2], "they were not used");
    assert_eq!(reserve(&*one, 0, 4), [1, 2, 3, 4]);
    assert_eq!(reserved(), "9", "the second range is twice as long");
    let other = town.open();
    assert_eq!(reserve(&*other, 0, 2), [10, 11]);
    assert_eq!(reserve(&*other, 20, 3), [10, 11, 21], "the count was higher");
    drop(one);
    assert_eq!(reserve(&*town.open(), 0, 1), [25], "others have later ones");
    drop(other);
    let next = town.open();
    assert_eq!(reserve(&*next, 0, 1), [10]);
    assert_eq!(reserve(&*next, u32::MAX - 1, 3), [10, u32::MAX], "no more are left");
    assert_eq!(reserve(&*town.open(), 0, 1), [0; 0]);
}

/// A count that was lowered by hand leads to no existing board.
#[test]
#[ignore = "starts PostgreSQL"]
fn numbers_of_existing_boards_are_passed_over() {
    let mut town = Town::with_boards();
    town.place.sql(
        "DELETE FROM looks; UPDATE documents SET text = E'0\\n', \
         version = sha256(convert_to(E'0\\n', 'UTF8')) WHERE name = 'boards/reversi/count'",
    );
    assert_eq!(town.begin(), 3);
    assert_eq!((town.numbers(), town.count()), (vec![1, 2, 3], Some("3\n".into())));
}

#[test]
#[ignore = "starts PostgreSQL"]
fn a_mail_waits_while_no_number_can_be_reserved() {
    let mut town = Town::with_boards();
    let raw = town.challenge();
    let ran = run(program_at(&town.place.home()).arg("receive"), raw.as_bytes());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    town.refuse_rows_of("looks");
    let ran = town.ran("process");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(75), 1), "{ran:?}");
    assert!(ran.err.contains("cannot reserve numbers of boards in"), "{}", ran.err);
    assert_eq!(town.place.sql(PROCESS.left), "1");
    town.accept_rows_of("looks");
    town.done("process");
    assert_eq!((town.place.sql(PROCESS.left), town.numbers()), ("0".into(), vec![1, 2, 3]));
}

/// Real workers race, and two of them are killed.
#[test]
#[ignore = "starts PostgreSQL"]
fn workers_that_are_killed_begin_each_board_once() {
    const CHALLENGES: u32 = 200;
    let mut town = Town::new();
    let home = town.place.store();
    for _ in 0..CHALLENGES {
        let raw = town.challenge();
        home.put(raw.as_bytes(), None).unwrap();
    }
    let start = || town.place.start(PROCESS.end);
    let mut running: Vec<Child> = (0..4).map(|_| start()).collect();
    let left = || town.place.sql(PROCESS.left).parse::<u32>().unwrap();
    let mut killed = 0;
    // On a busy machine all may be executed between two looks.
    while left() > 0 || killed < 2 {
        if killed < 2 && left() < CHALLENGES - 20 * (killed + 1) {
            running[killed as usize].kill().unwrap();
            killed += 1;
        }
        for child in &mut running {
            if child.try_wait().unwrap().is_some() {
                *child = start();
            }
        }
    }
    for mut child in running {
        child.wait().unwrap();
    }
    assert_eq!(town.place.sql("SELECT count(*) FROM aside"), "0", "{}", said_by(&town.place));
    assert_eq!(town.numbers().len(), CHALLENGES as usize);
    assert_eq!(town.done("check"), "");
}
