//! Tests of Gomoku.

use super::*;
use crate::kit::fixtures::{begun, options, place, sequences};
use crate::kit::laws::strength_tests;
use crate::kit::sgf::tests::only_game;
use crate::kit::{Chance, Game, Next, Outcome, Scripted, Seat, play_text};
use crate::rows::tests::winners_are_those_of_a_scan;

#[test]
fn a_scan_of_all_lines_finds_the_same_winner_in_two_thousand_random_games() {
    let boards: [&[&str]; 5] = [
        &["size=9"],
        &[],
        &["size=9", "freestyle"],
        &["size=13", "plain"],
        &["size=9", "plain", "freestyle"],
    ];
    let [black, white, drawn] = winners_are_those_of_a_scan::<Gomoku>(&boards, 2_000);
    assert!(black > 700 && white > 700 && drawn > 0, "{black} {white} {drawn}");
}

/// Black's stones join two rows to one of six.
#[test]
fn six_in_a_row_win_only_in_freestyle() {
    const SIX: &str = "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 d1";
    let won = |words: &[&str], moves: &str| begun::<Position>(words, moves).next();
    let by = |by: Seat| Next::Over(Outcome::Won { by, points: 1, reason: Gomoku::REASON });
    assert_eq!(won(&["plain"], SIX), Next::Move(Seat(1)));
    assert_eq!(won(&["plain", "freestyle"], SIX), by(Seat(0)));
    // The row of six is no five, but a row of five in another direction is.
    assert_eq!(won(&["plain"], &format!("{SIX} d2")), Next::Move(Seat(0)));
    assert_eq!(won(&["plain"], "a1 a2 b1 b2 c1 c2 d1 d2 e1"), by(Seat(0)));
    for five in [
        "c3 a1 c4 a2 c5 a3 c6 a4 c7",
        "c3 a1 d4 a2 e5 a3 f6 a4 g7",
        "c7 a1 d6 a2 e5 a3 f4 a4 g3",
        "o15 a1 o14 a2 o13 a3 o12 a4 o11",
    ] {
        assert_eq!(won(&["plain"], five), by(Seat(0)), "{five}");
    }
}

#[test]
fn the_second_player_chooses_a_colour_or_places_two_more_stones() {
    let three = begun::<Position>(&[], "h8 i9 j7");
    assert_eq!(three.next(), Next::Move(Seat(1)));
    assert!(three.notation().ends_with(" opening=choice last=h8,i9,j7"), "{}", three.notation());
    assert_eq!(three.moves().len(), 15 * 15 - 3 + 2);
    // White and a stone.
    let white = begun::<Position>(&[], "h8 i9 j7 g7");
    assert_eq!(white.next(), Next::Move(Seat(0)));
    // Black: all stones change their colours, and the other side places the next white stone.
    let black = begun::<Position>(&[], "h8 i9 j7 swap");
    assert_eq!(black.next(), Next::Move(Seat(0)));
    let rows = |position: &Position| position.notation().split(' ').nth(1).unwrap().to_owned();
    assert_eq!(rows(&black), rows(&three).replace('B', "x").replace('W', "B").replace('x', "W"));
    assert_eq!(begun::<Position>(&[], "h8 i9 j7 swap a1").next(), Next::Move(Seat(1)));
    // Two more stones leave the choice to the first player.
    let five = begun::<Position>(&[], "h8 i9 j7 two g7 g8");
    assert_eq!(five.next(), Next::Move(Seat(0)));
    let words: Vec<String> = five.moves().iter().map(ToString::to_string).collect();
    assert_eq!(words, ["swap", "keep"]);
    assert_eq!(begun::<Position>(&[], "h8 i9 j7 two g7 g8 keep").next(), Next::Move(Seat(1)));
    assert_eq!(begun::<Position>(&[], "h8 i9 j7 two g7 g8 swap").next(), Next::Move(Seat(0)));
    assert_eq!(begun::<Position>(&[], "h8 i9 j7 two g7 g8 swap a1").next(), Next::Move(Seat(1)));
}

#[test]
fn a_mail_has_the_whole_opening_on_one_line() {
    let game = crate::find("gomoku").unwrap();
    let said = |before: &[&str], text: &str| {
        let mut position = game.setup(&options::<Position>(&[]));
        for text in before {
            let Next::Move(seat) = position.next() else { panic!("the game is over") };
            play_text(&mut *position, seat, text, &mut Scripted::default()).unwrap();
        }
        let Next::Move(seat) = position.next() else { panic!("the game is over") };
        let entries = play_text(&mut *position, seat, text, &mut Scripted::default());
        entries.map(|entries| (entries.len(), position.next()))
    };
    for text in ["h8 i9 j7", "h8,i9,j7", "H8, I9 and J7", "h8i9j7", "1. h8 i9 j7"] {
        assert_eq!(said(&[], text), Ok((3, Next::Move(Seat(1)))), "{text}");
    }
    for text in ["two g7 g8", "two, g7, g8", "Two g7g8", "two g7 and g8"] {
        assert_eq!(said(&["h8 i9 j7"], text), Ok((3, Next::Move(Seat(0)))), "{text}");
    }
    let both = ["h8 i9 j7", "two g7 g8"];
    assert_eq!(said(&both, "swap a1"), Ok((2, Next::Move(Seat(1)))));
    assert_eq!(said(&both, "keep"), Ok((1, Next::Move(Seat(1)))));
    let error = said(&[], "h8 i9 j7 a1").unwrap_err().to_string();
    assert_eq!(error, "your turn has ended before a1");
    let error = said(&[], "h8 i9 h8").unwrap_err().to_string();
    assert_eq!(error, "there is already a stone on h8");
}

#[test]
fn a_move_is_refused_with_the_reason() {
    let refused = |words: &[&str], moves: &str, text: &str| {
        begun::<Position>(words, moves).read(text).unwrap_err().to_string()
    };
    let plain = "on this board the opening is not swap2";
    for word in ["swap", "two", "keep"] {
        assert_eq!(refused(&["plain"], "h8", word), plain);
    }
    let late = "only the second player may place two more stones, once there are three";
    assert_eq!(refused(&[], "h8 i9", "two"), late);
    assert_eq!(refused(&[], "h8 i9 j7 a1", "two"), late);
    let keep = "only the first player may keep a colour, once there are five stones";
    assert_eq!(refused(&[], "h8 i9 j7", "keep"), keep);
    assert!(
        refused(&[], "h8", "swap").starts_with("colours are swapped only by the second player")
    );
    assert!(refused(&[], "h8 i9 j7 two a1 a2", "a3").starts_with("first say `keep` or `swap`"));
    assert_eq!(refused(&[], "h8", "p1"), "there is no point p1: this board ends at o15");
    assert_eq!(refused(&[], "h8", "h16"), "there is no point h16: this board ends at o15");
    assert_eq!(refused(&[], "h8", "h0"), "there is no point h0");
    let expected = "expected a point such as h8, `swap`, `two`, or `keep` at column 1";
    assert_eq!(refused(&[], "h8", "hello"), expected);
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    const EMPTY: &str =
        "........./........./........./........./........./........./........./........./";
    let line = |side: &str, row: &str, more: &str| format!("{side} {EMPTY}{row}{more}");
    for (words, line, reason) in [
        (&["size=9"][..], String::new(), "a position is the side to move"),
        (&["size=9"], line("B", "BWB......", ""), "the numbers of stones do not fit"),
        (&["size=9"], line("W", "BW.......", " opening=choice"), "the numbers of stones"),
        (&["size=9"], line("B", "BWB......", " opening=two"), "the numbers of stones"),
        (&["size=9"], line("B", "BWBWB....", " opening=five"), "a position is the side"),
        (&["size=9", "plain"], line("W", "BWB......", " opening=choice"), "a position is the"),
        (&["size=9", "plain"], line("B", "BWB......", ""), "the numbers of stones do not fit"),
        (&["size=9", "plain"], line("W", "BWb......", ""), "a position is the side to move"),
        (&["size=9", "plain"], line("W", "BWB......", " last=d1"), "there is no stone of the"),
        (&["size=9", "plain"], line("W", "BWB......", " more"), "a position is the side to move"),
    ] {
        let error = place::<Position>(words, &line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
    let both = "B ........./........./........./........./........./........./........./WWWWW..../BBBBB....";
    let error = place::<Position>(&["size=9", "plain"], both).unwrap_err();
    assert_eq!(error, "both sides have won");
}

/// Any three stones, then a stone or one of two words.
#[test]
fn sequences_of_moves_are_counted() {
    let count = sequences::<Position>;
    assert_eq!([1, 2].map(|depth| count(&["plain"], depth)), [225, 225 * 224]);
    assert_eq!(count(&["size=9"], 3), 81 * 80 * 79);
    assert_eq!(count(&["size=9"], 4), 81 * 80 * 79 * (78 + 2));
}

/// The program makes its own five, and stops the five of the enemy.
#[test]
fn the_program_sees_fives() {
    for (moves, best) in [
        ("a1 a2 b1 b2 c1 c2 d1 d2", vec!["e1"]),
        ("a1 h8 b1 h9 c1 h10 d1", vec!["e1"]),
        ("h8 a1 i9 a2 j10 a3", vec!["g7", "k11", "f6", "l12"]),
    ] {
        let position = begun::<Position>(&["plain"], moves);
        for level in 3..=4 {
            let mut chance = Chance::new(u64::from(level));
            let chosen = position.choose(level, &mut |limit| chance.below(limit)).unwrap();
            assert!(best.contains(&chosen.to_string().as_str()), "{moves}: {chosen} at {level}");
        }
    }
}

strength_tests!(Position, 8 games on [&["size=9"]], many on &[&[], &["plain"]]);

#[test]
fn records_have_the_colours_of_stones_and_the_words_of_the_opening() {
    let game = crate::find("gomoku").unwrap();
    let written = |words: &[&str], moves: &str| {
        let options = options::<Position>(words);
        let mut position = game.setup(&options);
        let mut record = Vec::new();
        for text in moves.split(' ') {
            let Next::Move(seat) = position.next() else { panic!("the game is over") };
            record.extend(play_text(&mut *position, seat, text, &mut Scripted::default()).unwrap());
        }
        let players = ["ann", "ben"].map(str::to_owned);
        sgf::write::<Position>(&crate::kit::Transcript { players, options, record, ending: None })
            .unwrap()
    };
    let names = "\nPB[ann]\nPW[ben]\n";
    let head = format!("(;FF[4]GM[4]CA[UTF-8]AP[Postboard]RU[swap2]SZ[15]{names}");
    let moves = "h8 i9 j7 two g7 g8 keep a1 o15";
    let nodes = ";B[hh];W[ig];B[ji];W[two];W[gi];B[gh];B[keep];W[ao];B[oa]";
    assert_eq!(written(&[], moves), format!("{head}{nodes})\n"));
    assert_eq!(only_game::<Position>(&written(&[], moves)), Ok((String::new(), moves.into())));
    let swapped = written(&["size=19"], "h8 i9 j7 swap a1");
    assert!(swapped.ends_with(";B[hl];W[ik];B[jm];W[swap];B[as])\n"), "{swapped}");
    let kept = "h8 i9 j7 two g7 g8 keep";
    let read = only_game::<Position>(&written(&["size=19"], kept));
    assert_eq!(read, Ok(("-size=19".into(), kept.into())));
    // Most programs say nothing of an opening.
    let read = |text: &str| only_game::<Position>(text);
    let plain = ("-plain".to_owned(), "h8 i9 g7".to_owned());
    assert_eq!(read("(;FF[4]GM[4]SZ[15];B[hh];W[ig];B[gi])"), Ok(plain.clone()));
    assert_eq!(read("(;FF[4]GM[4]SZ[15];B[h8];W[I9];B[g7])"), Ok(plain));
    let refused = read("(;GM[4];B[hh];B[hi])").unwrap_err();
    assert_eq!(refused, "line 1: move 2: it is White's turn");
}
