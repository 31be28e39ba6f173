//! The operator's commands about dice, run by the program itself.

use crate::support::program::Home;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// Returns the path of a file beside the home.
fn beside(home: &Home, name: &str) -> String {
    home.base().join(name).display().to_string()
}

#[test]
fn verify_tells_right_dice_from_wrong_ones() {
    let home = Home::with_board();
    let sheet = home.done("malaka proof 1");
    let file = beside(&home, "sheet");
    fs::write(&file, &sheet).unwrap();
    let right = home.run(&["verify", &file], b"");
    assert_eq!(right.code, Some(0), "{}{}", right.out, right.err);
    assert!(right.out.contains("malaka 1, begun ") && right.out.contains("1 proved, 0 not"));
    let began = sheet.split(", begun ").nth(1).unwrap().split('\n').next().unwrap();
    let forged = sheet.replace(&format!("begun {began}"), &format!("begun {began}1"));
    let wrong = home.run(&["verify", "-"], forged.as_bytes());
    assert_eq!(wrong.code, Some(65), "{}", wrong.out);
    assert!(wrong.out.contains("WRONG: its proof does not hold"), "{}", wrong.out);
    let nothing = home.run(&["verify", "-"], b"no dice");
    assert!(nothing.code == Some(65) && nothing.out.contains("no sheet of dice found"));
}

#[test]
fn a_new_key_is_for_new_boards_and_a_restored_home_gives_the_same_proofs() {
    let home = Home::with_board();
    let (keys, proof) = (home.done("dice-key"), home.done("malaka proof 1"));
    let old = keys.split(' ').next().unwrap();
    assert!(keys.ends_with(" of new boards\n") && proof.contains(&format!("key {old}\n")));
    let renewed = home.run(&["dice-key", "--rotate"], b"").out;
    assert!(renewed.starts_with(&format!("{old} of earlier boards\n")), "{renewed}");
    let new = renewed.lines().nth(1).unwrap().split(' ').next().unwrap();
    let mode = fs::metadata(home.path().join("dice")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    home.done("--as-operator malaka challenge alice bob");
    assert_eq!(home.done("malaka proof 1"), proof, "it keeps its key");
    let second = home.done("malaka proof 2");
    assert!(second.contains(&format!("key {new}\n")), "{second}");
    let backup = beside(&home, "backup.tar.gz");
    assert_eq!(home.run(&["backup", &backup], b"").err, "");
    fs::remove_dir_all(home.path()).unwrap();
    assert_eq!(home.run(&["restore", &backup], b"").code, Some(0));
    assert_eq!([home.done("malaka proof 1"), home.done("malaka proof 2")], [proof, second]);
    assert_eq!(home.done("dice-key"), renewed);
}

#[test]
fn a_board_whose_key_is_lost_waits_for_it() {
    let home = Home::with_board();
    home.run(&["dice-key", "--rotate"], b"");
    home.done("--as-operator malaka challenge alice bob");
    let key = home.path().join("dice");
    let kept = fs::read(&key).unwrap();
    fs::remove_file(&key).unwrap();
    let board = fs::read_to_string(home.path().join("boards/malaka/0/2.json")).unwrap();
    let asked = home.run(&["malaka", "proof", "2"], b"");
    assert!(asked.out.contains("the server has lost"), "{}", asked.out);
    for to in 2..=5 {
        let play = format!("a1-a{to}");
        home.run(&["--as-operator", "malaka", "move", "2", "alice", &play], b"");
    }
    assert_eq!(fs::read_to_string(home.path().join("boards/malaka/0/2.json")).unwrap(), board);
    fs::write(&key, kept).unwrap();
    assert!(home.done("malaka proof 2").contains("dice end 1-1 of 1"));
}

#[test]
fn a_report_counts_what_was_rolled() {
    let home = Home::with_board();
    let report = home.done("dice-report");
    assert!(report.contains("Dice with 4 faces: 1 on 1 boards"), "{report}");
    assert!(home.done("dice-report plakoto").contains("Nothing was rolled."));
    assert!(home.done("dice-report malaka --player bob").contains("Nothing was rolled."));
    let page = beside(&home, "dice.html");
    home.done(&format!("dice-report malaka --player alice --html {page}"));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg") && page.contains("Dice of malaka") && page.ends_with("</html>"));
    assert_eq!(home.run(&["dice-report", "ludo"], b"").code, Some(64));
}
