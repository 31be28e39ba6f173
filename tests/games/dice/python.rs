//! The independent checker: `data/check_dice.py`.

#![expect(clippy::disallowed_types, reason = "the checker is a separate program")]

use super::{DiceHome, check, placed, raw, sheets};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns whether the checker accepts all texts.
pub(super) fn agrees(texts: &[String]) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sheets");
    fs::write(&file, texts.concat()).unwrap();
    checker_accepts(&file)
}

/// Returns whether the checker accepts a file of sheets or a mail.
pub(crate) fn checker_accepts(file: &Path) -> bool {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "/usr/bin/python3".into());
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/data/check_dice.py");
    let ran = Command::new(python).arg(checker).arg(file).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!complaint.contains("Traceback"), "{complaint}");
    let is_wrong = said.contains("WRONG") || !complaint.is_empty();
    assert_eq!(ran.status.success(), !is_wrong, "{said}{complaint}");
    assert!(is_wrong || said.contains("roll "), "{said}");
    ran.status.success()
}

#[test]
#[ignore = "needs python3 with PyNaCl"]
fn it_agrees_with_us_on_a_thousand_boards_of_all_games() {
    let sheets: Vec<String> = (0..38).flat_map(|seed| sheets(seed, 3, 14)).collect();
    assert!(sheets.len() >= 1_000, "{}", sheets.len());
    assert!(sheets.iter().all(|sheet| check(sheet)[0].is_right()));
    assert!(agrees(&sheets));
}

#[test]
#[ignore = "needs python3 with PyNaCl"]
fn python_checks_games_that_began_from_positions() {
    for name in ["4HPwATDgc/ABMA:cAkAAAAAAAAA", "-b----E-C---eE---c-e----B-:0:0:-1:D:3:4:0:7:10"] {
        let (town, id) = placed(name, 12);
        let sheet = town.sheet(id);
        assert!(sheet.contains(name) && agrees(&[sheet]), "{name}");
    }
}

#[test]
#[ignore = "needs python3 with PyNaCl"]
fn it_reads_mails_as_they_arrive() {
    let mut town = DiceHome::new(4);
    town.mail("bob", "set bob secret proofs on");
    town.mail("bob", "set bob secret html off");
    let letters = town.mail("alice", "malaka challenge alice bob");
    let to_bob = letters.iter().find(|letter| letter.to.as_str() == "bob@example.org").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mail");
    fs::write(&file, raw(to_bob)).unwrap();
    assert!(checker_accepts(&file));
}

#[test]
fn it_is_short_enough_to_be_read() {
    let text = include_str!("../../../data/check_dice.py");
    assert!(text.lines().count() <= 250, "{}", text.lines().count());
}
