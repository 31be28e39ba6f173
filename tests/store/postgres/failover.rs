//! A synchronous standby replaces a database that dies while workers use it: acknowledged commits
//! survive, and no mail is executed twice.

#![expect(clippy::print_stdout, reason = "the test prints how many cases it tried")]

use crate::store::postgres::workers::{PROCESS, Place, Size, look, said_by};
use postboard::store::Home as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;
use std::process::Child;
use std::time::Duration;

/// The replication of a standby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Following {
    /// Every acknowledged commit is on the standby.
    Synchronous,
    /// Replication has stopped, and commits do not wait for the standby.
    Behind,
}

/// Kills the database during a batch, promotes its standby, and returns the errors.
fn promote(following: Following, seed: u64) -> Vec<String> {
    const COMING: usize = 150;
    let size = Size { boards: 60, mails: 400, workers: 4 };
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let mut place = Place::new();
    let raws = place.prepare(size, &mut chance);
    let (before, meanwhile) = raws.split_at(raws.len() - COMING);
    for raw in before {
        place.store().put(raw.as_bytes(), None).unwrap();
    }
    let standby = place.engine.standby();
    place.reach(&place.engine.url_or(&standby, &place.database));
    if following == Following::Behind {
        place.engine.leave_behind(&standby);
    }
    let mut running: Vec<Child> = (0..size.workers).map(|_| place.start(PROCESS.end)).collect();
    let at = chance.random_range(COMING / 4..COMING / 2);
    let mut left = 0;
    for (number, raw) in meanwhile.iter().enumerate() {
        if number == at {
            left = place.sql(PROCESS.left).parse().unwrap();
            place.engine.stop();
            standby.promote();
        }
        // `put` returns when the database or the folder has the mail.
        place.store().put(raw.as_bytes(), None).unwrap();
    }
    place.engine = standby;
    while place.sql(PROCESS.left) != "0" {
        for child in &mut running {
            if child.try_wait().unwrap().is_some() {
                *child = place.start(PROCESS.end);
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    for mut child in running {
        child.wait().unwrap();
    }
    // Mails that arrived without a worker wait in the folder.
    assert_eq!(place.said("process"), "");
    assert!(left > 0, "it was no batch any more");
    println!("{following:?}, seed {seed}: promoted when {left} mails waited and {at} had come");
    let mut wrong = look(&place);
    if !wrong.is_empty() {
        println!("{}", said_by(&place));
    }
    let check = place.said("check");
    wrong.extend((!check.is_empty()).then_some(check));
    wrong
}

#[test]
#[ignore = "starts PostgreSQL"]
fn a_synchronous_standby_takes_the_place_of_a_database_that_dies() {
    for seed in 1..=2 {
        assert_eq!(promote(Following::Synchronous, seed), [""; 0]);
    }
}

/// Control: the test detects mails that an asynchronous standby loses.
#[test]
#[ignore = "starts PostgreSQL"]
fn a_standby_that_lags_is_caught() {
    let wrong = promote(Following::Behind, 1);
    println!("a standby that lags: {wrong:?}");
    assert!(wrong.iter().any(|line| line.contains("lost")), "{wrong:?}");
}
