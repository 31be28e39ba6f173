//! Tests of Hex.

use super::*;
use crate::connection::tests::{
    Flood, STEPS, cell, full_boards_have_the_winner_of_a_flood, winners_are_those_of_a_flood,
};
use crate::kit::fixtures::{begun, options, place, sequences, start};
use crate::kit::laws::strength_tests;
use crate::kit::sgf::tests::{of_moves, only_game};
use crate::kit::{Chance, Game, Next};

/// Returns the position after these moves on the board of five.
fn after(moves: &str) -> Position {
    begun(&["size=5"], moves)
}

/// Finds the winner by a flood from each stone: the slow reference.
fn flooded(position: &Position) -> Option<(Seat, usize)> {
    let size = i16::from(position.files());
    let has_joined = |seat: Seat| {
        let chains = Flood::of(position, seat, STEPS).chains();
        chains.iter().any(|chain| {
            let along = |(file, rank): &(i16, i16)| if seat == Seat(0) { *rank } else { *file };
            chain.iter().any(|place| along(place) == 1)
                && chain.iter().any(|place| along(place) == size)
        })
    };
    let winners: Vec<Seat> = Seat::BOTH.into_iter().filter(|seat| has_joined(*seat)).collect();
    assert!(winners.len() < 2, "{position:?}");
    winners.first().map(|seat| (*seat, seat.index()))
}

#[test]
fn a_flood_finds_the_same_winner_in_two_thousand_random_games() {
    let boards: [&[&str]; 6] =
        [&["size=5"], &[], &["size=13"], &["size=5"], &["size=14"], &["size=15"]];
    let [one, other, drawn] = winners_are_those_of_a_flood::<Hex>(&boards, 2_000, 40, flooded);
    assert!(one > 800 && other > 800 && drawn == 0, "{one} {other} {drawn}");
}

/// On a full board exactly one side has joined its edges, so there is no draw.
#[test]
fn a_full_board_has_one_winner() {
    full_boards_have_the_winner_of_a_flood::<Hex>(flooded);
}

#[test]
fn the_six_neighbours_are_those_of_hexagons() {
    // A straight chain, and one along the short diagonal.
    let won = |moves: &str| after(moves).winner();
    assert_eq!(won("c1 a1 c2 a2 c3 a3 c4 a4 c5"), Some(Seat(0)));
    assert_eq!(won("e1 a1 d2 a2 c3 a3 b4 b5 a5"), Some(Seat(0)));
    // The long diagonal joins nothing: b2 and a1 do not touch.
    assert_eq!(won("a1 a2 b2 a3 c3 a4 d4 b5 e5"), None);
    assert_eq!(won("e5 a3 e4 b3 a1 c3 a2 d3 b5 e3"), Some(Seat(1)));
}

#[test]
fn a_swap_mirrors_the_first_stone_and_makes_it_the_other_sides() {
    let position = after("b4 swap");
    assert_eq!((position.at(cell("b4")), position.at(cell("d2"))), (None, Some(Seat(1))));
    assert_eq!(position.next(), Next::Move(Seat(0)));
    assert_eq!(position.notation(), "O ...../...X./...../...../..... last=d2");
    assert_eq!(after("c3 swap").at(cell("c3")), Some(Seat(1)));
    // The stone of the first player lies for the second as it lay for the first.
    let refused = |moves: &str, text: &str| after(moves).read(text).unwrap_err().to_string();
    let late = "only the second player may swap, as the answer to the first stone";
    assert_eq!(refused("", "swap"), late);
    assert_eq!(refused("b4 a1", "swap"), late);
    assert_eq!(refused("b4 a1 a2", "swap"), late);
    assert_eq!(refused("b4 swap a1", "swap"), late);
    let mut plain = start::<Position>(&["size=5", "noswap"]);
    plain.play(&plain.read("b4").unwrap());
    assert_eq!(plain.read("swap").unwrap_err().to_string(), "on this board nobody may swap");
    assert_eq!(plain.moves().len(), 24);
}

#[test]
fn a_cell_is_refused_with_the_reason() {
    let refused = |text: &str| after("b4").read(text).unwrap_err().to_string();
    assert_eq!(refused("b4"), "there is already a stone on b4");
    assert_eq!(refused("f1"), "there is no cell f1: this board ends at e5");
    assert_eq!(refused("a6"), "there is no cell a6: this board ends at e5");
    assert_eq!(refused("a0"), "there is no cell a0");
    assert_eq!(refused("a1000"), "there is no cell a1000");
    assert_eq!(refused("hello"), "expected a cell such as c3, or `swap` at column 1");
    assert_eq!(refused("c3 d4"), "expected nothing more at column 4");
    let over = after("c1 a1 c2 a2 c3 a3 c4 a4 c5");
    assert!(over.moves().is_empty() && over.read("e5").is_err());
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    for (line, reason) in [
        ("", "a position is the side to move"),
        ("O", "a position is the side to move"),
        ("G ...../...../...../...../.....", "a position is the side to move"),
        ("O ...../...../...../.....", "the board has 5 rows of 5 cells"),
        ("O ...../...../...../...../......", "the board has 5 rows of 5 cells"),
        ("O ...../...../..é./...../.....", "a position is the side to move"),
        ("X ...../...../...../...../.....", "the numbers of stones do not fit"),
        ("O O..../...../...../...../.....", "the numbers of stones do not fit"),
        ("X O..../...../...../...../..... last=b1", "there is no stone of the last move on b1"),
        ("X O..../...../...../...../..... b1", "a position is the side to move"),
        ("X O..../...../...../...../..... last=a1 x", "a position is the side to move"),
    ] {
        let error = place::<Position>(&["size=5"], line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
    // A swap makes another balance of stones possible.
    let swapped = "O X..../...../...../...../.....";
    assert!(place::<Position>(&["size=5"], swapped).is_ok());
    place::<Position>(&["size=5", "noswap"], swapped).unwrap_err();
}

/// Each cell, then each other cell or a swap: no game ends so early.
#[test]
fn sequences_of_moves_are_counted() {
    let counts = sequences::<Position>;
    assert_eq!([1, 2, 3].map(|depth| counts(&["size=5", "noswap"], depth)), [25, 600, 13_800]);
    assert_eq!([1, 2].map(|depth| counts(&["size=5"], depth)), [25, 625]);
    assert_eq!(counts(&["size=19"], 2), 361 * 361);
    assert_eq!(counts(&[], 2), 121 * 121);
}

strength_tests!(Position, 20 games on [&["size=5"]], many on &[&[], &["size=13"]]);

/// A stone that wins at once is found by every level but the lowest.
#[test]
fn the_program_joins_its_edges_where_one_stone_does_it() {
    let position = after("c1 a1 c2 a2 c3 a3 c4 a4");
    for level in 2..=4 {
        let mut chance = Chance::new(u64::from(level));
        let chosen = position.choose(level, &mut |limit| chance.below(limit)).unwrap();
        let mut played = position.clone();
        played.play(&chosen);
        assert_eq!(played.winner(), Some(Seat(0)), "{level}: {chosen}");
    }
}

#[test]
fn a_record_is_written_as_hexgui_writes_it() {
    let of = |words: &[&str], moves| {
        sgf::write::<Position>(&of_moves(options::<Position>(words), moves)).unwrap()
    };
    let head = "(;FF[4]GM[11]CA[UTF-8]AP[Postboard]";
    let names = "\nPB[ann]\nPW[ben]\n";
    assert_eq!(
        of(&[], "a10 swap k11"),
        format!("{head}SZ[11]{names};B[a10];W[swap-pieces];B[k11])\n")
    );
    let won = "a1 b1 a2 b2 a3 b3 a4 b4 a5";
    let written = of(&["size=5", "noswap"], won);
    assert!(written.starts_with(&format!("{head}RU[no swap]SZ[5]{names}RE[B+]\n;B[a1];W[b1]")));
    let expected = ("-size=5 -noswap".to_owned(), won.to_owned());
    assert_eq!(only_game::<Position>(&written), Ok(expected));
}

#[test]
fn records_of_other_programs_are_read() {
    for (text, words, moves) in [
        (
            "(;AP[HexGui:0.9.GIT]FF[4]GM[11]SZ[13]\n;B[A10]\n;W[swap-pieces];B[G7]C[a (;\\]];W[f9]\n)",
            "-size=13",
            "a10 swap g7 f9",
        ),
        // The second side takes over the first stone where it lies, and plays from top to bottom.
        ("(;FF[4]GM[11]SZ[11];B[b4];W[swap-sides];W[e4];B[f9])", "", "b4 swap d5 i6"),
        ("(;GM[11];B[c2](;W[swap];B[d1])(;W[a1]))", "", "c2 swap d1"),
        (
            "(;FF[4]EV[hex.mc]PB[ann]PW[ben]SZ[13]RE[B]GC[game #1]SO[https://www.littlegolem.net]\
             ;W[am];B[ii];W[de];B[resign])",
            "-size=13",
            "a13 i9 d5",
        ),
        ("(;FF[4]PB[ann]PW[ben]SZ[13];W[am];B[swap];W[aa])", "-size=13", "a13 swap a1"),
    ] {
        let expected = (words.to_owned(), moves.to_owned());
        assert_eq!(only_game::<Position>(text), Ok(expected), "{text}");
    }
}

#[test]
fn a_file_that_is_no_game_is_refused_with_the_reason() {
    for (text, reason) in [
        ("(;GM[11]SZ[12])", "line 1: option `-size` takes one of 11, 13, 14, 15, 19, 5"),
        ("(;GM[11]SZ[11:9])", "line 1: the board is 11 by 9, not a square"),
        ("(;GM[11];W[a1])", "line 1: move 1: it is O's turn"),
        ("(;GM[11];B[a1];B[a2])", "line 1: move 2: it is X's turn"),
        ("(;GM[11];B[a1];W[a1])", "line 1: move 2: there is already a stone on a1"),
        ("(;GM[11];B[a1];W[b1];B[swap-pieces])", "line 1: move 3: only the second player may swap"),
        ("(;GM[11]RU[no swap];B[a1];W[swap-pieces])", "line 1: move 2: on this board nobody may"),
        ("(;GM[11];B[l1])", "line 1: move 1: there is no cell l1"),
        ("(;GM[11];B[resign];W[a1])", "line 1: move 2: the game is over before it"),
        ("(;GM[11];B[hello])", "line 1: move 1: expected a cell such as c3"),
        ("(;GM[11]AB[a1];W[b1])", "line 1: the board does not begin as the options say"),
        ("(;GM[11];B[a1];AW[b1])", "line 1: men are put on the board or taken off by hand"),
    ] {
        let error = only_game::<Position>(text).unwrap_err();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
}
