//! The lists of finished boards after repairs, and in homes of earlier versions.

use super::{RepairHome, id};
use crate::support::program;
use postboard::base::progress::NoProgress;
use postboard::base::time::MINUTE;
use postboard::model::caches::DOCUMENT_TYPES;
use postboard::model::document::Document as _;
use postboard::model::finished_boards::{FinishedBoards, FinishedPart};
use postboard::server::check::{check, find_unlisted_game, list_finished};
use postboard::store::{DocumentChange, Documents as _, MemoryStore, Store, Transaction};
use std::fs;

/// Returns the numbers of the finished boards of Malaka, the latest last, by the parts of their list.
fn listed(store: &dyn Store) -> Vec<Vec<u32>> {
    let read = |part: FinishedPart| {
        let text = store.load(&part.key()).unwrap().text.unwrap();
        FinishedBoards::from_text(&part, &text).unwrap()
    };
    let latest = read(FinishedPart::latest("malaka"));
    let pages = (0..latest.pages()).map(|page| read(FinishedPart::page("malaka", page)));
    let numbers = |part: FinishedBoards| part.boards().iter().map(|board| board.number).collect();
    pages.collect::<Vec<_>>().into_iter().chain([latest]).map(numbers).collect()
}

/// Makes a home whose boards of Malaka have ended in the order of their numbers.
fn with_ended(boards: u32) -> RepairHome<MemoryStore> {
    let mut town = RepairHome::with(&["alice", "bob"], MemoryStore::new());
    for number in 1..=boards {
        town.say("malaka challenge alice bob");
        town.now += MINUTE;
        town.say(&format!("malaka resign {number} bob"));
    }
    town
}

#[test]
fn a_board_that_goes_on_is_taken_off_the_list() {
    let mut town = with_ended(120);
    let numbers = |numbers: std::ops::RangeInclusive<u32>| numbers.collect::<Vec<u32>>();
    assert_eq!(listed(&town.store), [numbers(1..=50), numbers(51..=120)]);
    // One is on the page, and one among the latest.
    for number in [3, 119] {
        town.undo(id("malaka", number), 1).unwrap();
        town.assert_sound();
    }
    assert_eq!(listed(&town.store).concat().len(), 118);
    town.now += MINUTE;
    town.say("malaka resign 3 alice");
    town.assert_sound();
    let listed = listed(&town.store);
    assert_eq!(listed[0][..3], [1, 2, 4]);
    assert_eq!(listed[1][66..], [117, 118, 120, 3]);
}

#[test]
fn a_board_that_is_made_private_is_listed_as_such() {
    let mut town = with_ended(2);
    let board = id("malaka", 1);
    let text = town.board_text(board);
    let private = text.replacen("\"players\"", "\"private\": true,\n  \"players\"", 1);
    assert_ne!(private, text);
    town.edit(board, &private).unwrap();
    town.assert_sound();
    let part = FinishedPart::latest("malaka");
    let latest = FinishedBoards::from_text(&part, &town.text(&part.key())).unwrap();
    let privates: Vec<bool> = latest.boards().iter().map(|board| board.private).collect();
    assert_eq!(privates, [true, false]);
}

#[test]
fn check_finds_a_list_that_differs_and_repairs_it() {
    let mut town = with_ended(120);
    let (right, part) = (listed(&town.store), FinishedPart::page("malaka", 0));
    let mut page = FinishedBoards::from_text(&part, &town.text(&part.key())).unwrap();
    page.remove(17);
    town.overwrite(part.key(), &page.to_text());
    let report = check(&town.store, town.now).unwrap();
    assert_eq!(
        report.mended,
        ["the list of the finished boards of malaka differs from the boards"]
    );
    town.store.commit(report.repair).unwrap();
    town.assert_sound();
    assert_eq!(listed(&town.store), right);
}

/// The latest boards are committed last, so a home whose upgrade was interrupted has some pages and no list.
#[test]
fn an_upgrade_of_lists_goes_on_where_it_was_interrupted() {
    let mut town = with_ended(120);
    let (right, mut store) = (listed(&town.store), MemoryStore::new());
    let latest = FinishedPart::latest("malaka").key();
    let kinds = DOCUMENT_TYPES.iter().flat_map(|kind| kind.keys(&town.store).unwrap());
    let kept = kinds.filter(|key| *key != latest).filter_map(|key| {
        let text = town.store.load(&key).unwrap().text?;
        Some(DocumentChange { key, was: None, text })
    });
    let changes = kept.collect();
    store.commit(Transaction { changes, at: town.now, ..Transaction::default() }).unwrap();
    town.store = store;
    town.say("malaka challenge alice bob");
    town.say("malaka resign 121 bob");
    assert_eq!(town.store.load(&latest).unwrap().text, None, "it would lack boards");
    assert_eq!(find_unlisted_game(&town.store).unwrap(), Some("malaka"));
    assert_eq!(list_finished(&mut town.store, town.now, &NoProgress).unwrap(), 121);
    assert_eq!(find_unlisted_game(&town.store).unwrap(), None);
    assert_eq!(listed(&town.store)[0], right[0]);
    assert_eq!(listed(&town.store)[1].last(), Some(&121));
    town.assert_sound();
    assert_eq!(list_finished(&mut town.store, town.now, &NoProgress).unwrap(), 0);
}

#[test]
fn the_lists_of_an_earlier_home_are_made_by_upgrade_and_by_check() {
    let home = program::Home::with_board();
    home.done("malaka challenge alice bob");
    for number in [2, 1] {
        home.done(&format!("malaka resign {number} alice secret"));
    }
    let folder = home.path().join("documents/finished");
    let file = "documents/finished/ma/malaka.json";
    let (right, mut number) = (home.read(file), 2);
    for command in [&["upgrade"][..], &["check", "--repair"]] {
        fs::remove_dir_all(&folder).unwrap();
        number += 1;
        home.done("malaka challenge alice bob");
        home.done(&format!("malaka resign {number} alice secret"));
        assert!(!folder.exists(), "a list that would lack boards is not begun");
        let ran = home.run(&["check"], b"");
        let lacks = "there is no list of the finished boards of malaka";
        assert!(ran.code == Some(65) && ran.out.contains(lacks), "{ran:?}");
        let doctor = home.run(&["doctor"], b"").out;
        let told = "the finished boards of malaka are not listed: run `postboard upgrade`";
        assert!(doctor.contains(told), "{doctor}");
        let ran = home.run(command, b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(home.run(&["check"], b"").out, "");
    }
    assert!(home.read(file).len() > right.len());
}
