//! The output for scripts: `--json` of the operator's commands.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_methods, reason = "the test damages documents")]

use crate::support::program::{Home, Ran};
use crate::support::script::as_typed;
use postboard::base::time::Time;
use postboard::model::board::BoardStatus;
use serde_json::{Value, json};
use std::fs;

/// Runs a command with `--json`; returns the JSON and the exit code.
fn told(home: &Home, words: &str) -> (Value, i32) {
    let words: Vec<&str> = words.split(' ').chain(["--json"]).collect();
    let Ran { code, out, err } = home.run(&words, b"");
    let told = serde_json::from_str(&out);
    (told.unwrap_or_else(|why| panic!("{words:?}: {why}: {out}{err}")), code.unwrap())
}

/// Returns the values of a field.
fn each<'t>(told: &'t Value, field: &str) -> Vec<&'t Value> {
    told.as_array().unwrap().iter().map(|one| &one[field]).collect()
}

/// Makes a home with malaka 1 (in play), reversi 1 (in play) and reversi 2 (bob has resigned).
fn home() -> Home {
    let home = Home::with_board();
    home.done("reversi challenge alice bob");
    home.done("reversi challenge alice bob");
    play(&home, "reversi", 2, 2);
    home.done("reversi resign 2 bob secret");
    home
}

/// Makes a number of moves on a board.
fn play(home: &Home, game: &str, number: u32, moves: usize) {
    for _ in 0..moves {
        let board = home.board(game, number);
        let BoardStatus::ToMove(seat) = board.status() else { panic!("{game} {number} is over") };
        let text = as_typed(&board, board.position().nth_move(0).unwrap());
        home.done(&format!("{game} move {number} {} secret {text}", board.player(seat)));
    }
}

#[test]
fn boards_are_listed_and_chosen() {
    let home = home();
    home.done("signup carol secret carol@pbm.test");
    home.done("reversi challenge carol alice");
    let listed = |words: &str| {
        let (told, code) = told(&home, words);
        assert_eq!(code, 0, "{words}");
        let lines = home.run(&words.split(' ').collect::<Vec<_>>(), b"").out;
        let name = |one: &Value| format!("{} {}", one["game"].as_str().unwrap(), one["board"]);
        let names: Vec<String> = told.as_array().unwrap().iter().map(name).collect();
        assert_eq!(lines.lines().count(), names.len(), "{lines}");
        for (line, name) in lines.lines().zip(&names) {
            assert!(line.starts_with(&format!("{name}  ")), "{line}");
        }
        names
    };
    assert_eq!(listed("board list"), ["malaka 1", "reversi 1", "reversi 2", "reversi 3"]);
    assert_eq!(listed("board list --in-play"), ["malaka 1", "reversi 1", "reversi 3"]);
    assert_eq!(listed("board list reversi"), ["reversi 1", "reversi 2", "reversi 3"]);
    assert_eq!(listed("board list --player bob"), ["malaka 1", "reversi 1", "reversi 2"]);
    assert_eq!(listed("board list reversi --player BOB --in-play"), ["reversi 1"]);
    assert_eq!(listed("board list backgammon"), [""; 0]);

    let (all, _) = told(&home, "board list");
    assert_eq!(all[2]["players"], json!(["alice", "bob"]));
    assert_eq!(all[2]["over"], json!({ "winner": "alice", "reason": "closed" }));
    assert!(
        all[2]["turn"].is_null() && all[2]["ended"].is_u64() && all[2]["waits_since"].is_null()
    );
    assert!(all[1]["over"].is_null() && all[1]["ended"].is_null() && all[1]["started"].is_u64());
    assert!(all[1]["turn"] == "alice" && all[1]["waits_since"].is_u64());
    let ran = home.run(&["board", "list", "--player", "dave"], b"");
    assert_eq!((ran.code, &*ran.err), (Some(65), "postboard: there is no user dave\n"));

    // An unreadable board is listed with the others.
    fs::write(home.path().join("boards/reversi/0/1.json"), "{").unwrap();
    let (all, code) = told(&home, "board list");
    assert_eq!((all.as_array().unwrap().len(), code), (4, 65));
    assert!(all[1]["damaged"].as_str().unwrap().starts_with("EOF "), "{all}");
    let ran = home.run(&["board", "list", "reversi", "--in-play"], b"");
    assert_eq!(ran.code, Some(65));
    assert!(
        ran.out.starts_with("reversi 1  boards/reversi/0/1.json cannot be read: EOF "),
        "{ran:?}"
    );
}

#[test]
fn a_board_is_shown_as_it_is_edited() {
    let home = home();
    let ran = home.run(&["board", "show", "malaka", "1", "--json"], b"");
    assert_eq!((ran.code, &*ran.out), (Some(0), &*home.read("boards/malaka/0/1.json")));
    let (was, new) = (home.base().join("was"), home.base().join("new"));
    fs::write(&was, &ran.out).unwrap();
    let mut board: Value = serde_json::from_str(&ran.out).unwrap();
    board["private"] = json!(true);
    fs::write(&new, board.to_string()).unwrap();
    let edit = |home: &Home| {
        let (was, new) = (was.to_str().unwrap(), new.to_str().unwrap());
        home.run(&["board", "edit", "malaka", "1", "--from", new, "--was", was], b"")
    };
    let ran = edit(&home);
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert_eq!(told(&home, "board show malaka 1").0["private"], true);
    // The board has changed since it was shown.
    fs::write(&new, board.to_string().replace("true", "false")).unwrap();
    assert_eq!(edit(&home).code, Some(65));

    fs::write(home.path().join("boards/malaka/0/1.json"), "{").unwrap();
    let ran = home.run(&["board", "show", "malaka", "1", "--json"], b"");
    assert_eq!((ran.code, &*ran.out), (Some(65), "{"));
    assert!(ran.err.contains("boards/malaka/0/1.json cannot be read: EOF"), "{}", ran.err);
    let ran = home.run(&["board", "show", "malaka", "2", "--json"], b"");
    assert_eq!((ran.code, &*ran.out), (Some(65), ""));
}

#[test]
fn users_are_listed_and_shown_without_secrets() {
    let home = home();
    home.done("signup carol secret carol@pbm.test");
    home.run(&["user", "rename", "carol", "caroline"], b"");
    home.done("signup dave secret dave@pbm.test");
    home.run(&["user", "remove", "dave"], b"");
    let (all, code) = told(&home, "user list");
    assert_eq!(code, 0);
    assert_eq!(each(&all, "user"), ["alice", "bob", "carol", "caroline", "dave"]);
    assert_eq!(all[1]["addresses"], json!(["bob@pbm.test"]));
    assert_eq!((&all[1]["in_play"], &all[1]["over"]), (&json!(2), &json!(1)));
    assert_eq!((&all[2]["renamed"], &all[4]["left"]["erased"]), (&json!("caroline"), &json!(true)));
    let lines = home.run(&["user", "list"], b"").out;
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[1], "bob  bob@pbm.test  2 in play, 1 over");
    assert!(lines[2].ends_with("  is caroline now") && lines[4].contains("0 over  erased 20"));

    let (bob, code) = told(&home, "user show bob");
    assert_eq!(code, 0);
    assert_eq!((&bob["id"], &bob["addresses"]), (&json!("bob"), &json!(["bob@pbm.test"])));
    for words in ["user list", "user show bob"] {
        let words: Vec<&str> = words.split(' ').chain(["--json"]).collect();
        let out = home.run(&words, b"").out;
        assert!(!out.contains("argon2") && !out.contains("password"), "{out}");
    }
    assert_eq!(home.run(&["user", "show", "eve", "--json"], b"").code, Some(65));

    fs::write(home.path().join("users/bo/bob.json"), "{").unwrap();
    let (all, code) = told(&home, "user list");
    assert_eq!((each(&all, "user").len(), code), (5, 65));
    assert!(all[1]["damaged"].as_str().unwrap().contains("line 1"), "{all}");
}

#[test]
fn an_empty_home_has_empty_lists() {
    let home = Home::new();
    for words in ["user list", "board list", "mail list", "check", "dice-report"] {
        assert_eq!(told(&home, words), (json!([]), 0), "{words}");
    }
}

#[test]
fn errors_are_answered_with_their_kind() {
    let home = home();
    let boards = home.path().join("boards");
    fs::write(boards.join("malaka/0/1.json"), "{").unwrap();
    fs::remove_file(boards.join("reversi/count")).unwrap();
    let file = home.path().join("users/al/alice.json");
    let mut alice: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    alice["finished"] = json!([]);
    fs::write(&file, format!("{alice:#}\n")).unwrap();

    let (found, code) = told(&home, "check");
    assert_eq!(code, 65);
    let lines = home.run(&["check"], b"").out;
    let texts: Vec<&str> = each(&found, "told").iter().map(|told| told.as_str().unwrap()).collect();
    assert_eq!(lines.lines().collect::<Vec<_>>(), texts);
    let kinds = |found: &Value, what: &str, is_well: bool| {
        let all = found.as_array().unwrap().iter();
        all.filter(|one| one["what"] == what && one["is_well"] == is_well).count()
    };
    assert!(kinds(&found, "home", false) > 0 && kinds(&found, "derived", false) > 0, "{found}");
    let derived = kinds(&found, "derived", false);
    let (mended, code) = told(&home, "check --repair");
    assert_eq!((kinds(&mended, "derived", true), code), (derived, 65), "{mended}");
    assert_eq!(kinds(&told(&home, "check").0, "derived", false), 0);
}

#[test]
fn the_result_of_a_test_mail_is_reported() {
    let home = Home::with_board();
    for command in ["check", "doctor"] {
        let (found, _) = told(&home, &format!("{command} --mail ops@pbm.test"));
        let last = found.as_array().unwrap().last().unwrap();
        assert_eq!((&last["what"], &last["is_well"]), (&json!("mail"), &json!(true)), "{found}");
        assert!(last["told"].as_str().unwrap().starts_with("a mail to ops@pbm.test was accepted"));
    }
    home.configure(&home.by_folder(), "by = \"nothing\"");
    for command in ["check", "doctor"] {
        let (found, code) = told(&home, &format!("{command} --mail ops@pbm.test"));
        let last = found.as_array().unwrap().last().unwrap();
        assert_eq!((&last["what"], &last["is_well"], code), (&json!("mail"), &json!(false), 65));
    }
}

#[test]
fn dice_are_told_as_they_are_printed() {
    let home = Home::new();
    // Dice depend on the key of the home and on the second in which a board begins.
    for words in [
        "signup alice secret alice@pbm.test",
        "signup bob secret bob@pbm.test",
        "malaka challenge alice bob",
        "backgammon challenge alice bob",
    ] {
        home.done_at(Time::from_unix(1_785_000_000), words);
    }
    play(&home, "malaka", 1, 8);
    play(&home, "backgammon", 1, 8);
    let (dice, code) = told(&home, "dice-report");
    assert_eq!(code, 0);
    let lines = home.run(&["dice-report"], b"").out;
    assert!(!dice.as_array().unwrap().is_empty());
    for kind in dice.as_array().unwrap() {
        let number = |field: &str| kind[field].as_u64().unwrap();
        let head = format!(
            "Dice with {} faces: {} on {} boards; {} rolls of two, {} of them doubles",
            number("faces"),
            number("dice"),
            number("boards"),
            number("rolls_of_two"),
            number("doubles")
        );
        assert!(lines.contains(&head), "{head}\n{lines}");
        let sum =
            |values: &Value| values.as_array().unwrap().iter().filter_map(Value::as_u64).sum();
        let faces: u64 = sum(&kind["of_face"]);
        assert_eq!(faces, number("dice"));
        let pairs: u64 = kind["of_pair"].as_array().unwrap().iter().map(sum).sum();
        assert_eq!(pairs, number("rolls_of_two"));
        assert!(number("faces") == 4 || number("rolls_of_two") > number("doubles"), "{kind}");
        assert!(kind["tests"].is_array() && kind["longest_row"].is_u64());
    }
}
