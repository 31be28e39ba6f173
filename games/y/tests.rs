//! Tests of Y.

use super::*;
use crate::connection::tests::{
    Flood, STEPS, cell, full_boards_have_the_winner_of_a_flood, winners_are_those_of_a_flood,
    with_stones, won,
};
use crate::kit::fixtures::{begun, options, place, sequences};
use crate::kit::laws::strength_tests;
use crate::kit::sgf::tests::{of_moves, only_game};
use crate::kit::{Game, Next};

fn after(moves: &str) -> Position {
    begun(&["size=5"], moves)
}

/// Finds the winner by a flood from each stone: the slow reference.
fn flooded(position: &Position) -> Option<(Seat, usize)> {
    let size = i16::from(position.files());
    let has_joined = |seat: &Seat| {
        let chains = Flood::of(position, *seat, STEPS).chains();
        chains.iter().any(|chain| {
            chain.iter().any(|(file, _)| *file == 1)
                && chain.iter().any(|(_, rank)| *rank == 1)
                && chain.iter().any(|(file, rank)| file + rank == size + 1)
        })
    };
    let winners: Vec<Seat> = Seat::BOTH.into_iter().filter(has_joined).collect();
    assert!(winners.len() < 2, "{position:?}");
    winners.first().map(|seat| (*seat, 0))
}

#[test]
fn a_flood_finds_the_same_winner_in_two_thousand_random_games() {
    let boards: [&[&str]; 6] =
        [&["size=5"], &["size=13"], &["size=5"], &["size=14"], &["size=5"], &[]];
    let [one, other, drawn] = winners_are_those_of_a_flood::<Y>(&boards, 2_000, 40, flooded);
    assert!(one > 800 && other > 800 && drawn == 0, "{one} {other} {drawn}");
}

/// On a full board exactly one side has joined the edges, so there is no draw.
#[test]
fn a_full_board_has_one_winner() {
    full_boards_have_the_winner_of_a_flood::<Y>(flooded);
}

#[test]
fn a_chain_wins_that_touches_the_three_edges() {
    let by_joining = Some((Seat(0), Y::REASONS[0]));
    let joined = |own: &str| won(&with_stones::<Y>(&["size=5"], own, ""));
    assert_eq!(joined("b1 b2 a2 c2 c3"), by_joining);
    assert_eq!(joined("b1 b2 a2 c2"), None);
    // A corner belongs to both of its edges: an edge of the board wins.
    assert_eq!(joined("a1 b1 c1 d1 e1"), by_joining);
    assert_eq!(joined("a1 a2 a3 a4 a5"), by_joining);
    assert_eq!(joined("a5 b4 c3 d2 e1"), by_joining);
    assert_eq!(joined("b1 c1 d1 e1"), None);
    // b2 and c3 do not touch.
    assert_eq!(joined("a2 b2 b1 c3"), None);
}

#[test]
fn a_swap_gives_the_first_stone_to_the_second_player_where_it_is() {
    let position = after("b2 swap");
    assert_eq!((position.at(cell("b2")), position.next()), (Some(Seat(1)), Next::Move(Seat(0))));
    assert_eq!(position.notation(), "O ./../.../.X../..... last=b2");
    let refused = |moves: &str| after(moves).read("swap").unwrap_err().to_string();
    let late = "only the second player may swap, as the answer to the first stone";
    assert_eq!((refused(""), refused("b2 swap a1")), (late.to_owned(), late.to_owned()));
}

#[test]
fn a_cell_is_refused_with_the_reason() {
    let refused = |text: &str| after("b2").read(text).unwrap_err().to_string();
    assert_eq!(refused("b2"), "there is already a stone on b2");
    for outside in ["e2", "f1", "a6", "c4"] {
        let error =
            format!("there is no cell {outside}: the corners of this board are a1, e1 and a5");
        assert_eq!(refused(outside), error);
    }
    assert_eq!(refused("a0"), "there is no cell a0");
    assert_eq!(refused("hello"), "expected a cell such as c3, or `swap` at column 1");
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    for (line, reason) in [
        ("O ..../../.../..../.....", "the board has 5 rows of 1, 2, 3, 4, 5 cells"),
        ("O ./../.../....", "the board has 5 rows of 1, 2, 3, 4, 5 cells"),
        ("G ./../.../..../.....", "a position is the side to move"),
        ("X ./../.../..../.....", "the numbers of stones do not fit"),
        ("X ./../.../..../O.... last=b1", "there is no stone of the last move on b1"),
    ] {
        let error = place::<Position>(&["size=5"], line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
}

#[test]
fn sequences_of_moves_are_counted() {
    let count = sequences::<Position>;
    assert_eq!([1, 2].map(|depth| count(&["size=5", "noswap"], depth)), [15, 15 * 14]);
    assert_eq!([1, 2].map(|depth| count(&[], depth)), [153, 153 * 153]);
}

strength_tests!(Position, 20 games on [&["size=5"]], many on &[&[], &["size=13"]]);

#[test]
fn records_are_written_with_the_name_of_the_game() {
    let written =
        sgf::write::<Position>(&of_moves(options::<Position>(&[]), "i5 swap c3")).unwrap();
    let expected =
        "(;FF[4]GAME[y]CA[UTF-8]AP[Postboard]SZ[17]\nPB[ann]\nPW[ben]\n;B[i5];W[swap];B[c3])\n";
    assert_eq!(written, expected);
    assert_eq!(only_game::<Position>(&written), Ok((String::new(), "i5 swap c3".into())));
    let refused = only_game::<Position>("(;SZ[5];B[e5])").unwrap_err();
    assert!(refused.starts_with("line 1: move 1: there is no cell e5"), "{refused}");
}
