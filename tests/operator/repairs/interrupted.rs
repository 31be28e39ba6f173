//! Repairs interrupted at each disk operation.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use super::{ONE, RepairHome, START, dice, id, userid};
use crate::support::faults::{EIO, ENOSPC, Trouble, troubled};
use crate::support::files::{copy, empty_outbox, folder};
use crate::support::home::{KEY, assert_sound, config, setup};
use crate::support::letters::waiting;
use postboard::base::time::{DAY, Time};
use postboard::model::user;
use postboard::server::Server;
use postboard::server::check::check;
use postboard::server::repair::{self, RepairError};
use postboard::store::disk::Disk;
use postboard::store::{
    DocumentKind, Documents as _, Fault, FileStore, Key, Store as _, Transaction,
};
use std::path::Path;
use std::sync::atomic::Ordering;
use tempfile::TempDir;

/// Returns all documents and the number of waiting letters.
fn state(home: &Path) -> (Vec<(String, String)>, usize) {
    let files = FileStore::read(home).unwrap();
    let keys = [
        files.keys(DocumentKind::In(user::COLLECTION)).unwrap(),
        files.keys(DocumentKind::Boards("malaka")).unwrap(),
    ]
    .concat();
    let text = |key: &Key| (key.to_string(), files.load(key).unwrap().text.unwrap());
    (keys.iter().map(text).collect(), waiting(home).len())
}

/// Makes a home with boards in play and finished boards.
fn home() -> TempDir {
    let dir = folder();
    FileStore::init(dir.path(), &KEY).unwrap();
    let mut town =
        RepairHome::with(&["alice", "bob", "carol"], FileStore::open(dir.path()).unwrap());
    for number in 1..=4 {
        let players = ["alice bob", "bob carol", "carol alice", "bob alice"][number as usize - 1];
        town.say(&format!("malaka challenge {players}"));
        town.play(id("malaka", number));
        town.play(id("malaka", number));
    }
    town.say("malaka subscribe 3 bob");
    for line in ["malaka resign 1 bob", "malaka resign 2 bob", "malaka resign 3 carol"] {
        town.now += DAY;
        town.say(line);
    }
    town.store.close().unwrap();
    empty_outbox(dir.path());
    dir
}

type Work<'a> = &'a dyn Fn(&mut Server, &mut FileStore, Time) -> Result<Transaction, RepairError>;

/// Stops the machine at each disk operation of a repair, or lets only this operation fail, and
/// opens the home again. Counts the results that are unsound, or equal to neither the old nor the
/// new state.
fn wrong_states(original: &Path, work: Work) -> usize {
    let now = START + 9 * DAY;
    let run = |home: &Path, disk: Disk| -> Result<(), Fault> {
        let (setup, mut dice) = (setup(config()), dice(0));
        let mut files = FileStore::open_on(home, disk)?;
        let mut server = Server::new(&setup, &mut dice);
        let transaction = match work(&mut server, &mut files, now) {
            Err(RepairError::Fault(fault)) => return Err(fault),
            done => done.unwrap(),
        };
        files.commit(transaction)?;
        files.close()
    };
    let before = state(original);
    let dir = folder();
    copy(original, dir.path());
    run(dir.path(), Disk::default()).unwrap();
    let after = state(dir.path());
    assert_ne!(before, after);
    assert_sound(&*FileStore::read(dir.path()).unwrap(), now);
    let (mut wrong, mut sides) = (0, [0; 2]);
    for trouble in [Trouble::Stop, Trouble::Once(ENOSPC), Trouble::Once(EIO)] {
        for at in 0.. {
            let dir = folder();
            copy(original, dir.path());
            let (disk, count) = troubled(at, trouble);
            let _ = run(dir.path(), disk);
            drop(FileStore::open(dir.path()).unwrap());
            let found = state(dir.path());
            let report = check(&*FileStore::read(dir.path()).unwrap(), now).unwrap();
            let is_whole = found == before || found == after;
            sides[usize::from(found == after)] += 1;
            wrong +=
                usize::from(!is_whole || !report.wrong.is_empty() || !report.mended.is_empty());
            if count.load(Ordering::SeqCst) <= at {
                assert!(at > 15, "{at} steps only: is it watched?");
                break;
            }
        }
    }
    assert!(sides[0] > 3 && sides[1] > 10, "{sides:?}");
    wrong
}

#[test]
fn a_stop_at_any_step_leaves_a_repair_wholly_done_or_not_at_all() {
    let home = home();
    let undo: Work =
        &|server, files, now| Ok(repair::undo(server, files, ONE, 1, false, now)?.transaction);
    assert_eq!(wrong_states(home.path(), undo), 0);
    let (bob, rob) = (userid("bob"), userid("rob"));
    let rename: Work =
        &|server, files, now| Ok(repair::rename_user(server, files, &bob, &rob, now)?.transaction);
    assert_eq!(wrong_states(home.path(), rename), 0);
}

/// The control: a repair in two transactions fails the test.
#[test]
fn a_repair_in_two_halves_would_be_seen() {
    let home = home();
    let halves: Work = &|server, files, now| {
        let mut first = repair::undo(server, files, ONE, 1, false, now)?.transaction;
        let changes = first.changes.split_off(1);
        let second = Transaction {
            changes,
            letters: std::mem::take(&mut first.letters),
            at: now,
            ..Transaction::default()
        };
        files.commit(first)?;
        files.settle()?;
        Ok(second)
    };
    assert!(wrong_states(home.path(), halves) > 5);
}
