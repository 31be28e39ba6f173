//! Boards edited as text, and boards shown.

use super::{ONE, RepairHome, id, userid, watched};
use postboard::server::Server;
use postboard::server::check::check;
use postboard::server::repair::{self, show_user};
use postboard::store::{Documents as _, Key, MemoryStore, Store as _};

#[test]
fn an_edited_board_is_taken_whole_or_not_at_all() {
    let mut town = watched();
    for _ in 0..3 {
        town.play(ONE);
    }
    let text = town.board_text(ONE);
    let lines: Vec<&str> = text.lines().collect();
    let entry = |n: usize| lines[n].trim_end_matches(',');
    let refusals: Vec<(String, String)> = vec![
        (String::new(), "EOF while parsing a value at line 1 column 0".into()),
        (
            text.replace("malaka 1", "malaka 2"),
            "this is malaka 2, not malaka 1: a board keeps its number".into(),
        ),
        (
            text.replace("\"bob\"", "\"mallory\""),
            "mallory is named in malaka 1, but is not a user".into(),
        ),
        (
            text.replace("\"carol\"", "\"mallory\""),
            "mallory is named in malaka 1, but is not a user".into(),
        ),
        (text.replace("\"bob\"", "\"ALICE\""), "both players are the same".into()),
        (
            text.replace("\"format\":1", "\"format\":7"),
            "format 7 is newer than this program".into(),
        ),
    ];
    for (edited, why) in refusals {
        assert_ne!(edited, text);
        assert_eq!(town.edit(ONE, &edited).unwrap_err(), why);
        assert_eq!(town.board_text(ONE), text);
    }
    // Errors name their lines; a possible move is not enough, the move must be legal.
    let bad_roll = text.replace(entry(1), "{\"at\":1,\"roll\":\"9\"}");
    assert!(town.edit(ONE, &bad_roll).unwrap_err().starts_with("line 2: record entry 1: "));
    let early = text.replace(lines[3], "");
    assert!(town.edit(ONE, &early).unwrap_err().starts_with("line 5: record entry 3: "), "{early}");
    let passed = text.replace("\"seat\":1,\"move\":\"", "\"seat\":1,\"auto\":true,\"move\":\"");
    assert_ne!(passed, text);
    let why = town.edit(ONE, &passed).unwrap_err();
    assert!(
        why.starts_with("line 5: record entry 4: ") && why.ends_with("was not forced"),
        "{why}"
    );
    town.letters();
    // An edit that changes only blanks has no effect.
    assert_eq!(town.edit(ONE, &text.replace(",\n", ", \n")).unwrap(), "malaka 1: unchanged\n");
    assert_eq!((town.board_text(ONE) == text, town.letters().len()), (true, 0));
    assert_eq!(town.edit(id("malaka", 9), &text).unwrap_err(), "there is no board malaka 9");
    // The server does not tell players about changes that they cannot see.
    let said =
        town.edit(ONE, &text.replace("\"started\":", "\"kept\":[\"44\"],\"started\":")).unwrap();
    assert_eq!((said.as_str(), town.letters().len()), ("malaka 1: edited\n", 0));
    town.assert_sound();
    // Another player, in all lists.
    let said =
        town.edit(ONE, &text.replace("\"bob\"", "\"Carol\"").replace("[\"carol\"]", "[]")).unwrap();
    assert!(said.contains("Both players are told"), "{said}");
    let letters = town.letters();
    assert_eq!(letters.len(), 2);
    assert!(
        letters[1].0.starts_with("carol") && letters[1].1.contains("has corrected this board"),
        "{letters:?}"
    );
    assert_eq!((town.user("bob").active, town.user("carol").active), (vec![], vec![ONE]));
    town.assert_sound();
}

/// Returns the text of a board with the steps of one play in reverse order.
pub(super) fn with_reversed_steps(text: &str) -> String {
    let plays = text.lines().filter_map(|line| line.split("\"move\":\"").nth(1)?.split('"').next());
    let turned = |play: &str| {
        let steps: Vec<&str> = play.split(',').rev().collect();
        text.replace(&format!("\"{play}\""), &format!("\"{}\"", steps.join(",")))
    };
    let mut others = plays.map(turned).filter(|other| other != text);
    others.next().expect("a play has two steps")
}

#[test]
fn a_legal_play_may_be_written_in_any_order() {
    let mut town = watched();
    for _ in 0..4 {
        town.play(ONE);
    }
    let text = town.board_text(ONE);
    let turned = with_reversed_steps(&text);
    assert_eq!(town.edit(ONE, &turned).unwrap(), "malaka 1: unchanged\n");
    let private = |text: &str| text.replace("\"terms\":", "\"private\":true,\"terms\":");
    assert!(town.edit(ONE, &private(&turned)).unwrap().starts_with("malaka 1: edited\n"));
    assert_eq!(town.board_text(ONE), private(&text), "it is stored as the rules write it");
    town.assert_sound();
    // The same order in a file that was edited by hand.
    town.overwrite(Key::Board("malaka", 1), &private(&turned));
    let report = check(&town.store, town.now).unwrap();
    assert_eq!((report.wrong, report.mended.len()), (Vec::<String>::new(), 1));
    assert!(report.mended[0].starts_with("malaka 1: record entry "), "{:?}", report.mended);
    assert!(report.mended[0].contains(" should be written "), "{:?}", report.mended);
    town.store.commit(report.repair).unwrap();
    assert_eq!(town.board_text(ONE), private(&text));
    town.assert_sound();
}

#[test]
fn all_faults_of_an_edited_board_are_told_at_once() {
    let mut town = watched();
    for _ in 0..3 {
        town.play(ONE);
    }
    let text = town.board_text(ONE);
    let lines: Vec<&str> = text.lines().collect();
    // The last of three plays is wrong, and so are a later roll and the head of the file.
    let last = lines.iter().rposition(|line| line.contains("\"seat\"")).unwrap();
    let roll = lines.len() - 2;
    let at = |line: usize| format!("line {}: record entry {line}: ", line + 1);
    let mut bad = text.replace("\"bob\"", "\"mallory\"").replace("\"carol\"", "\"trudy\"");
    bad = bad.replace("\"options\":[]", "\"options\":[\"-huge\"]");
    bad = bad.replace(lines[last], "{\"at\":1,\"seat\":0,\"move\":\"a1-i9\"},");
    bad = bad.replace(lines[roll], "{\"at\":1,\"roll\":\"none\"}");
    let why = town.edit(ONE, &bad).unwrap_err();
    let told: Vec<&str> = why.lines().map(str::trim).collect();
    assert_eq!(told.len(), 6, "{why}");
    assert_eq!(
        told[..2],
        ["there are 5 faults:", "mallory is named in malaka 1, but is not a user"]
    );
    assert_eq!(told[2], "trudy is named in malaka 1, but is not a user");
    assert_eq!(told[3], "there is no option `-huge`");
    assert!(told[4].starts_with(&at(last)) && told[4].contains("a1-i9"), "{why}");
    assert!(told[5].starts_with(&at(roll)), "{why}");
    // Errors in the structure of the text are reported together, too.
    let bad = text.replace("\"started\":", "\"private\":7,\"colour\":1,\"started\":");
    let bad = bad.replace(lines[1], "{\"at\":\"noon\",\"roll\":\"1\"},");
    let bad = bad.replace(lines[roll], "{\"dice\":\"12\"}");
    let why = town.edit(ONE, &bad).unwrap_err();
    let told: Vec<&str> = why.lines().map(str::trim).collect();
    assert_eq!((told.len(), told[0]), (5, "there are 4 faults:"), "{why}");
    assert!(told[1].starts_with("`colour`: unknown field `colour`"), "{why}");
    assert!(told[2].starts_with("`private`: invalid type: integer `7`"), "{why}");
    assert!(told[3].starts_with(&at(1)) && told[4].starts_with(&at(roll)), "{why}");
    assert_eq!(town.board_text(ONE), text);
}

#[test]
fn a_move_made_meanwhile_is_not_written_over() {
    let mut town = watched();
    town.play(ONE);
    let was = town.store.load(&Key::Board("malaka", 1)).unwrap().version;
    let edited = town.board_text(ONE).replace("\"started\":", "\"private\":true,\"started\":");
    town.play(ONE);
    let after = town.board_text(ONE);
    let why = town.repair(|server, store, now| {
        let found = store.load(&Key::Board("malaka", 1)).unwrap();
        repair::edit(server, store, ONE, &found, was, &edited, now)
    });
    assert!(why.unwrap_err().starts_with("malaka 1 has changed since you began to edit it"));
    assert_eq!(town.board_text(ONE), after);
}

#[test]
fn a_damaged_board_may_get_other_players() {
    let mut town = watched();
    let text = town.board_text(ONE);
    town.overwrite(Key::Board("malaka", 1), &text.replace("\"record\"", "\"rec"));
    town.edit(ONE, &text.replace("\"alice\"", "\"carol\"").replace("[\"carol\"]", "[\"bob\"]"))
        .unwrap();
    let active = ["alice", "bob", "carol"].map(|user| town.user(user).active.len());
    assert_eq!(active, [0, 1, 1]);
    town.assert_sound();
}

#[test]
fn a_board_is_shown_with_all_that_is_known_of_it() {
    let mut town = watched();
    town.play(ONE);
    town.say("malaka undo 1 alice");
    town.say("malaka queue 1 alice a1-a2#9");
    let legal = town.board(ONE).position().nth_move(1).unwrap();
    town.say(&format!("malaka submit 1 bob {legal}"));
    let show = |town: &mut RepairHome<MemoryStore>| {
        let mut server = Server::new(&town.setup, &mut town.chance);
        repair::show_board(&mut server, &town.store, ONE, town.now).unwrap()
    };
    let text = show(&mut town);
    for part in [
        "It is bob's turn (X) on Malaka board 1, move 2: they rolled ",
        "File       boards/malaka/0/1.json",
        "Players    O alice, X bob",
        "Terms      --nagtime=2 --forfeittime=4 --totaltime=9",
        "Started    2004-08-20 12:00:00",
        "Time       Clock: alice 0 hours, bob 0 hours of 9 days each; reminder",
        "Offer      alice asks to take back move 1, ",
        &format!("Submitted  bob: {legal}"),
        "Plan       alice: a1-a2 (from move 9)",
        "Observers  carol",
        "    1  2004-08-20 12:00:00        1 rolled",
        "    2  2004-08-20 12:01:00     1. O ",
        "\nPosition: X ",
        " / O  /",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78), "{text}");
    town.play(ONE);
    town.say("malaka resign 1 bob");
    let text = show(&mut town);
    for part in [
        "Closed     resigning by bob",
        "Ended      2004-08-20 12:02:00",
        "Ratings    alice: 1600.00 +/- 350.00, original 1600.00 (won 0, lost 0, tied",
        " to 1600.00 +/- 350.00, original 1800.00 (won 1, lost 0, tied",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    town.undo(ONE, 2).unwrap();
    let text = show(&mut town);
    assert!(text.contains("Kept rolls ") && text.contains("waits again since 2004"), "{text}");
    let shown = show_user(&town.store, &userid("alice")).unwrap();
    assert!(
        shown.contains("Addresses  alice@example.org\n") && shown.contains("Active     malaka 1\n")
    );
    assert!(!shown.contains("argon"), "{shown}");
}
