//! Files with the games of other programs: `import` and `export`.

use crate::support::program::{Home, Ran};

/// A file of four games: one that was given up, one whose third move is illegal, one between people who are
/// no users, and one that goes on.
const FILE: &str = r#"[Event "Club"]
[White "alice"]
[Black "bob"]
[Result "0-1"]
[Termination "Time forfeit"]

1. e4 e5 2. Ke2 {a comment} Nc6 0-1

[Event "Club"]
[White "bob"]
[Black "alice"]
[Result "1-0"]

1. e4 e5 2. Ra4 1-0

[Event "Club"]
[White "Novák, Jan"]
[Black "alice"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Event "Club"]
[White "alice"]
[Black "bob"]
[Result "*"]

1. c4 {a comment without an end
"#;

/// Returns a home with the users alice and bob.
fn home() -> Home {
    let home = Home::new();
    for user in ["alice", "bob"] {
        let ran = home.run(&["user", "add", user, &format!("{user}@pbm.test")], b"secret\n");
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    home.delivered();
    home
}

fn import(home: &Home, words: &[&str], file: &str) -> Ran {
    home.run(&[&["import", "chess"], words].concat(), file.as_bytes())
}

#[test]
fn a_file_of_many_games_is_imported_and_each_game_is_reported() {
    let home = home();
    let dry = import(&home, &["--dry-run"], FILE);
    let report = "\
game 1: chess 1  alice, bob  bob won Chess board 1: alice ran out of time.
game 2 refused: line 14: Ra4: none of your rooks can go to a4
game 3 refused: `Nov\u{e1}k, Jan` is not a userid: say who it is with `--as \"Nov\u{e1}k, Jan=USERID\"`
game 4 refused: line 28: a comment has no end
1 board set up, 3 games refused
";
    assert_eq!((dry.code, &*dry.out, &*dry.err), (Some(65), report, ""));
    assert_eq!(home.done("board list"), "", "nothing was set up");

    let done = import(&home, &["--as", "nov\u{e1}k, jan=bob"], FILE);
    assert!(
        done.out.contains("\ngame 3: chess 2  bob, alice  Chess board 2 is a draw"),
        "{done:?}"
    );
    assert!(done.out.ends_with("\n2 boards set up, 2 games refused\n"), "{done:?}");
    // The games are over, so nobody has to be told.
    assert!(home.delivered().is_empty());
    home.done("check");

    let player = home.done("export chess --player ALICE --pgn");
    assert!(player.contains("1. e4 e5 2. Ke2 Nc6 0-1\n\n[Event"), "{player}");
    assert!(player.contains("[Termination \"time forfeit\"]\n"), "{player}");
    assert!(player.ends_with("[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n"), "{player}");
    // What is written is read again as the same games.
    let again = import(&home, &["--dry-run"], &player);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.out.ends_with("\n2 boards set up, 0 games refused\n"), "{again:?}");
}

#[test]
fn games_that_go_on_are_played_on_and_their_players_are_told() {
    let home = home();
    let file = "[White \"bob\"]\n[Black \"alice\"]\n\n1. e4 *\n";
    let ran = import(&home, &[], file);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(home.delivered().len(), 2);
    assert!(home.done("board list --in-play").starts_with("chess 1  bob, alice  "));
    home.done("chess move 1 alice secret e5");
    let two = import(&home, &["--dry-run"], &file.repeat(2));
    let report = "\
game 1: It is alice's turn (Black) on Chess board 2, move 2.
game 2: It is alice's turn (Black) on Chess board 3, move 2.
2 boards set up, 0 games refused
";
    assert_eq!(two.out, report, "a line for each board");
}

#[test]
fn the_games_of_a_tournament_are_exported_as_one_file() {
    let home = home();
    home.done("chess tournament create alice secret --players=2 --format=round-robin");
    home.done("chess tournament join 1 alice secret");
    home.done("chess tournament join 1 bob secret");
    let boards = home.done("board list");
    let count = boards.lines().count();
    assert!(count > 0, "{boards}");
    let is_alice = boards.starts_with("chess 1  alice");
    let [white, black] = if is_alice { ["alice", "bob"] } else { ["bob", "alice"] };
    home.done(&format!("chess move 1 {white} secret e4"));
    home.done(&format!("chess move 1 {black} secret e5"));
    home.done(&format!("chess resign 1 {white} secret"));
    let file = home.done("export chess --tournament 1 pgn");
    assert_eq!(file.matches("[White ").count(), count, "{file}");
    assert!(file.contains("[Result \"0-1\"]\n\n1. e4 e5 0-1\n"), "{file}");

    let ran = home.run(&["export", "chess", "--tournament", "2"], b"");
    assert_eq!(
        (ran.code, &*ran.err),
        (Some(65), "postboard: there is no chess tournament 2\n"),
        "{ran:?}"
    );
    let ran = home.run(&["export", "malaka", "--player", "alice"], b"");
    assert_eq!(ran.code, Some(64), "{ran:?}");
}

#[test]
fn matches_in_one_file_are_read_with_the_lines_of_the_file() {
    let home = home();
    let game = " Game 1\n alice : 0                      bob : 0\n  1) 31: 8/5 6/5                 52: 13/8 13/11\n";
    let file = format!(
        " 3 point match\n\n{game}\n 5 point match\n\n{game}  2) 66: 1/2\n\n 1 point match\n\n{game}"
    );
    let ran = home.run(&["import", "backgammon"], file.as_bytes());
    assert_eq!(ran.code, Some(65), "{ran:?}");
    assert!(ran.out.contains("\ngame 2 refused: in line 12, column 10, dice such as"), "{ran:?}");
    assert!(ran.out.ends_with("\n2 boards set up, 1 game refused\n"), "{ran:?}");
    let matches = home.done("export backgammon --player alice");
    let headings = matches.lines().filter(|line| line.ends_with(" point match"));
    assert_eq!(headings.collect::<Vec<_>>(), [" 3 point match", " 1 point match"], "{matches}");
    let again = home.run(&["import", "backgammon", "--dry-run"], matches.as_bytes());
    assert!(again.out.ends_with("\n2 boards set up, 0 games refused\n"), "{again:?}");
}
