//! Tests of Connect6.

use super::*;
use crate::kit::fixtures::{begun, options, place, sequences};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::sgf::tests::only_game;
use crate::kit::{Chance, Diagram, Game, Next, Outcome, Scripted, Seat, Spot, View, play_text};
use crate::rows::tests::winners_are_those_of_a_scan;

#[test]
fn a_scan_of_all_lines_finds_the_same_winner_in_two_thousand_random_games() {
    let boards: [&[&str]; 4] = [&["size=9"], &["size=13"], &["size=9"], &[]];
    let [black, white, drawn] = winners_are_those_of_a_scan::<Connect6>(&boards, 2_000);
    assert!(black > 500 && white > 500 && drawn > 20, "{black} {white} {drawn}");
}

#[test]
fn the_first_turn_has_one_stone_and_each_other_two() {
    let mut position = begun::<Position>(&[], "");
    let mut turns = Vec::new();
    for text in ["j10", "k11", "k9", "i9", "i11", "l10"] {
        let Next::Move(seat) = position.next() else { panic!("the game is over") };
        turns.push(seat.index());
        position.play(&position.read(text).unwrap());
    }
    assert_eq!(turns, [0, 1, 1, 0, 0, 1]);
    // Both stones of a turn are marked.
    let last = |moves: &str| match begun::<Position>(&[], moves).diagram(&View::default()) {
        Diagram::Board(board) => board.last.iter().map(Spot::to_string).collect::<Vec<_>>(),
        _ => panic!("it is a board of lines"),
    };
    assert_eq!(last("j10 k11"), ["k11"]);
    assert_eq!(last("j10 k11 k9"), ["k11", "k9"]);
    assert_eq!(last("j10 k11 k9 a1"), ["a1"]);
}

#[test]
fn six_or_more_in_a_row_win_even_with_the_first_stone_of_a_turn() {
    let by = |by: Seat| Next::Over(Outcome::Won { by, points: 1, reason: Connect6::REASON });
    let moves = "a1 a2 i2 b1 c1 c2 d2 d1 e1 e2 j9";
    assert_eq!(begun::<Position>(&[], moves).next(), Next::Move(Seat(0)));
    assert_eq!(begun::<Position>(&[], &format!("{moves} f1")).next(), by(Seat(0)));
    // Seven, of which the first stone of the turn is the middle.
    let moves = "a1 a9 c9 b1 c1 e9 g9 e1 f1 i9 k9 g1 a8 b8 d8 d1";
    assert_eq!(begun::<Position>(&[], moves).next(), by(Seat(0)));
    assert!(begun::<Position>(&[], moves).moves().is_empty());
}

#[test]
fn both_stones_of_a_turn_are_read_in_every_way_of_writing_them() {
    let game = crate::find("connect6").unwrap();
    let said = |text: &str| {
        let mut position = game.setup(&options::<Position>(&[]));
        play_text(&mut *position, Seat(0), "j10", &mut Scripted::default()).unwrap();
        let entries = play_text(&mut *position, Seat(1), text, &mut Scripted::default());
        entries.map(|entries| (entries.len(), position.next()))
    };
    for text in ["k11,k9", "k11 k9", "K11K9", "k11k9", "2. k11 and k9", "k11; k9"] {
        assert_eq!(said(text), Ok((2, Next::Move(Seat(0)))), "{text}");
    }
    // Half a turn waits for the other half.
    assert_eq!(said("k11"), Ok((1, Next::Move(Seat(1)))));
    let error = |text: &str| said(text).unwrap_err().to_string();
    assert_eq!(error("k11 k9 a1"), "your turn has ended before a1");
    assert_eq!(error("k11 k11"), "there is already a stone on k11");
    assert_eq!(error("k11 t1"), "there is no point t1: this board ends at s19");
    assert_eq!(error("k11 swap"), "expected a point such as j10 at column 5");
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    const EMPTY: &str =
        "........./........./........./........./........./........./........./........./";
    let placed =
        |side: &str, row: &str| place::<Position>(&["size=9"], &format!("{side} {EMPTY}{row}"));
    assert_eq!(placed("W", "BW.......").unwrap().next(), Next::Move(Seat(1)));
    assert_eq!(placed("B", "BWW......").unwrap().next(), Next::Move(Seat(0)));
    for (side, row) in
        [("B", "BW......."), ("W", "BWW......"), ("B", "BWB......"), ("W", "BB.......")]
    {
        let error = placed(side, row).unwrap_err();
        assert!(error.starts_with("the numbers of stones do not fit"), "{side} {row}: {error}");
    }
}

#[test]
fn sequences_of_moves_are_counted() {
    let count = sequences::<Position>;
    assert_eq!([1, 2].map(|depth| count(&[], depth)), [361, 361 * 360]);
    assert_eq!(count(&["size=9"], 3), 81 * 80 * 79);
}

/// Returns the two stones of a turn of the program.
fn turn(moves: &str) -> Vec<String> {
    let mut position = begun::<Position>(&[], moves);
    let stone = |number| {
        let mut chance = Chance::new(number);
        let chosen = position.choose(4, &mut |limit| chance.below(limit)).unwrap();
        position.play(&chosen);
        chosen.to_string()
    };
    let mut stones: Vec<String> = (0..2).map(stone).collect();
    stones.sort_unstable();
    stones
}

#[test]
fn the_program_completes_rows_of_four_and_stops_them() {
    assert_eq!(turn("a1 r3 r5 b1 c1 r7 r9 d1 a9 q18 s18"), ["e1", "f1"]);
    // Both rows of six that have the four stones of White have g1, or one of b1 and h1.
    let stones = turn("j10 c1 d1 j11 a1 e1 f1");
    let stops = |names: &[&str]| names.iter().all(|name| stones.iter().any(|stone| stone == name));
    assert!(stops(&["g1"]) || stops(&["b1", "h1"]), "{stones:?}");
}

strength_tests!(Position, 8 games on [&["size=9"]], many on &[&[], &["size=13"]]);

#[test]
fn records_of_little_golem_have_two_stones_in_a_node() {
    let read = |text: &str| only_game::<Position>(text);
    let moves = "j10 j9 l11 k9 l8 k10 i11";
    let golem = "(;FF[4]EV[connect6.ch.26.1.1]PB[ann]PW[ben]SO[http://www.littlegolem.com];B[j10];\
                 W[j9l11];B[k9l8];W[k10i11])";
    assert_eq!(read(golem), Ok((String::new(), moves.into())));
    // Ours has a node for each stone.
    let written =
        sgf::write::<Position>(&all_games(sgf::read::<Position>(golem)).unwrap()[0]).unwrap();
    let nodes = ";B[jj];W[jk];W[li];B[kk];B[ll];W[kj];W[ii])\n";
    let head = "(;FF[4]GAME[connect6]CA[UTF-8]AP[Postboard]SZ[19]\nPB[ann]\nPW[ben]\n";
    assert_eq!(written, format!("{head}{nodes}"));
    assert_eq!(read(&written), Ok((String::new(), moves.into())));
    assert_eq!(read("(;B[jj];W[jkli])"), Ok((String::new(), "j10 j9 l11".into())));
    let refused = read("(;B[jj];W[jkli];W[aa])").unwrap_err();
    assert_eq!(refused, "line 1: move 3: it is Black's turn");
}
