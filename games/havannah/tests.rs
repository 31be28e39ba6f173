//! Tests of Havannah.

use super::*;
use crate::connection::tests::{Flood, cell, winners_are_those_of_a_flood, with_stones, won};
use crate::kit::fixtures::{begun, options, place, sequences, start};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::sgf::tests::{of_moves, only_game};
use crate::kit::{Game, Next, Outcome};

fn after(moves: &str) -> Position {
    begun(&["size=4"], moves)
}

/// The neighbours on a hexagon.
const STEPS: [(i16, i16); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];

/// Finds the winner by floods: the slow reference. A cell with three neighbours is a corner, and one with
/// four is on an edge.
fn flooded(position: &Position) -> Option<(Seat, usize)> {
    let way = |seat: Seat| {
        let flood = Flood::of(position, seat, STEPS);
        if flood.has_ring() {
            return Some(0);
        }
        let neighbours = |place: &(i16, i16)| {
            flood.beside(*place).into_iter().filter(|next| flood.cells.contains(next)).count()
        };
        let last = i16::from(position.files());
        let half = last / 2;
        let edge_of = |(file, rank): &(i16, i16)| {
            let edges = [
                *rank == 1,
                *file == last - half + rank - 1,
                *file == last,
                *rank == last,
                *rank == last - half + file - 1,
                *file == 1,
            ];
            edges.iter().position(|is_on| *is_on).unwrap()
        };
        let (mut has_bridge, mut has_fork) = (false, false);
        for chain in flood.chains() {
            let corners = chain.iter().filter(|place| neighbours(place) == 3).count();
            let mut edges: Vec<usize> =
                chain.iter().filter(|place| neighbours(place) == 4).map(edge_of).collect();
            edges.sort_unstable();
            edges.dedup();
            has_bridge |= corners > 1;
            has_fork |= edges.len() > 2;
        }
        if has_bridge { Some(1) } else { has_fork.then_some(2) }
    };
    let ways: Vec<(Seat, usize)> =
        Seat::BOTH.into_iter().filter_map(|seat| Some((seat, way(seat)?))).collect();
    assert!(ways.len() < 2, "{position:?}");
    ways.first().copied()
}

#[test]
fn a_flood_finds_the_same_winner_in_two_thousand_random_games() {
    let boards: [&[&str]; 6] =
        [&["size=4"], &["size=5"], &["size=4"], &["size=6"], &["size=5"], &[]];
    let [one, other, _] = winners_are_those_of_a_flood::<Havannah>(&boards, 2_000, 40, flooded);
    assert!(one > 800 && other > 800, "{one} {other}");
}

/// Returns how a side with these stones alone wins.
fn way(own: &str) -> Option<&'static str> {
    won(&with_stones::<Havannah>(&["size=4"], own, "")).map(|(_, reason)| reason)
}

#[test]
fn a_ring_encloses_an_empty_cell_enemy_stones_or_own_stones() {
    const RING: &str = "d5 d4 e4 f5 f6 e6";
    let ring = Some(Havannah::REASONS[0]);
    assert_eq!(way(RING), ring);
    assert_eq!(way(&format!("{RING} e5")), ring);
    let around = |other: &str| won(&with_stones::<Havannah>(&["size=4"], RING, other));
    assert_eq!(around("e5"), Some((Seat(0), Havannah::REASONS[0])));
    // A larger ring, and one that is thicker in a place.
    assert_eq!(way("c5 c4 d4 e4 f5 f6 e6 d6"), ring);
    assert_eq!(way("c5 c4 d4 e4 f5 f6 e6 d6 d3 c3"), ring);
    // Each of its stones may be the last one.
    let stones: Vec<&str> = RING.split(' ').collect();
    for last in 0..stones.len() {
        let mut order = stones.clone();
        order.remove(last);
        assert_eq!(way(&order.join(" ")), None, "without {}", stones[last]);
        let answers = ["a1", "b1", "a4", "g7", "g6"];
        let moves: Vec<String> =
            order.iter().zip(answers).map(|(own, other)| format!("{own} {other}")).collect();
        let closed = after(&format!("{} {}", moves.join(" "), stones[last]));
        let reason = Havannah::REASONS[0];
        assert_eq!(closed.next(), Next::Over(Outcome::Won { by: Seat(0), points: 1, reason }));
    }
    // The last stone fills a ring that is full of own stones, from its edge.
    assert_eq!(
        after("d5 a1 d4 b1 e4 a4 f5 g7 f6 g6 e5 d7 e6").next(),
        after("d5 a1 d4 b1 e4 a4 f5 g7 f6 g6 e6").next()
    );
    // Stones in a clump without a cell inside, and a loop that the edge of the board closes, are no rings.
    assert_eq!(way("d4 d5 e4 e5 c4"), None);
    assert_eq!(way("a2 b3 b4 a3"), None);
    assert_eq!(way("b1 b2 c3 d3 d2 c1"), ring);
    assert_eq!(way("b1 b2 c3 d3 d2"), None);
}

#[test]
fn a_bridge_joins_two_corners() {
    let bridge = Some(Havannah::REASONS[1]);
    assert_eq!(way("a1 b1 c1 d1"), bridge);
    assert_eq!(way("a4 b5 c6 d7"), bridge);
    assert_eq!(way("a1 b2 c3 d4 e5 f6 g7"), bridge);
    // Two corners that are not joined, and a chain from a corner to an edge.
    assert_eq!(way("a1 b1 d1"), None);
    assert_eq!(way("a1 b1 c1"), None);
}

#[test]
fn a_fork_joins_three_edges_without_their_corners() {
    let fork = Some(Havannah::REASONS[2]);
    // The edges are those of b1, e2, g5, f7, b5 and a2.
    assert_eq!(way("b1 b2 a2 c2 d2 e2"), fork);
    assert_eq!(way("b1 b2 a2 c2 d2"), None);
    assert_eq!(way("d4 d3 d2 c1 c4 b4 a3 e5 e6 e7"), fork);
    // A corner belongs to no edge: a1 does not add one.
    assert_eq!(way("a1 a2 b2 c2"), None);
    assert_eq!(way("a1 b1 c1 a2 a3"), None);
    // A ring counts before a bridge, and a bridge before a fork.
    assert_eq!(way("a1 b1 c1 d1 a2 e2"), Some(Havannah::REASONS[1]));
}

#[test]
fn a_swap_gives_the_first_stone_to_the_second_player_where_it_is() {
    let position = after("b2 swap");
    assert_eq!((position.at(cell("b2")), position.next()), (Some(Seat(1)), Next::Move(Seat(0))));
    assert_eq!(position.notation(), "O ..../...../....../......./....../.X.../.... last=b2");
}

/// Rows of both sides that stop each other, with no ring.
#[test]
fn a_full_board_without_a_winner_is_a_draw() {
    let mut drawn = 0;
    let mut chance = crate::kit::Chance::new(8);
    for _ in 0..3_000 {
        let mut position = start::<Position>(&["size=4"]);
        while let Next::Move(_) = position.next() {
            let moves = position.moves();
            position.play(&moves[chance.below(moves.len())]);
        }
        if let Next::Over(Outcome::Drawn { reason }) = position.next() {
            assert_eq!((reason, position.moves().len()), ("the board is full", 0));
            drawn += 1;
        }
    }
    println!("{drawn} of 3000 games were drawn");
}

#[test]
fn a_cell_is_refused_with_the_reason() {
    let refused = |text: &str| after("b2").read(text).unwrap_err().to_string();
    assert_eq!(refused("b2"), "there is already a stone on b2");
    for outside in ["a5", "e1", "h8", "g3"] {
        let error = format!(
            "there is no cell {outside}: the corners of this board are a1, d1, g4, g7, d7 and a4"
        );
        assert_eq!(refused(outside), error);
    }
    assert_eq!(refused("a0"), "there is no cell a0");
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    let placed = |line: &str| place::<Position>(&["size=4"], line);
    let error = placed("O ......./....../...../..../...../....../.......").unwrap_err();
    assert_eq!(error, "the board has 7 rows of 4, 5, 6, 7, 6, 5, 4 cells");
    let both = "O OOOO/...../....../......./....../...../XXXX";
    assert_eq!(placed(both).unwrap_err(), "both sides have won");
}

#[test]
fn sequences_of_moves_are_counted() {
    let count = sequences::<Position>;
    assert_eq!([1, 2].map(|depth| count(&["size=4", "noswap"], depth)), [37, 37 * 36]);
    assert_eq!([1, 2].map(|depth| count(&[], depth)), [169, 169 * 169]);
}

strength_tests!(Position, 20 games on [&["size=4"]], many on &[&[], &["size=5"]]);

#[test]
fn records_are_written_with_the_name_of_the_game_and_those_of_little_golem_are_read() {
    let options = options::<Position>(&["size=4", "noswap"]);
    let written = sgf::write::<Position>(&of_moves(options, "d4 e5 g7")).unwrap();
    let expected = "(;FF[4]GAME[havannah]CA[UTF-8]AP[Postboard]RU[no swap]SZ[4]\nPB[ann]\nPW[ben]\n\
                    ;B[d4];W[e5];B[g7])\n";
    assert_eq!(written, expected);
    let read = |text: &str| only_game::<Position>(text);
    assert_eq!(read(&written), Ok(("-size=4 -noswap".into(), "d4 e5 g7".into())));
    // A whole game of that server, which White won with a fork.
    let golem = "(;FF[4]EV[havannah.in.size4.4]PB[m]PW[k]SZ[4]RU[LG]RE[B]GC[ game #1]\
                 SO[http://www.littlegolem.com];W[E1];B[swap];W[F2];B[D3];W[G1];B[E4];W[G4];B[F3];\
                 W[E5];B[D6];W[D5];B[C2];W[G3];B[G2];W[E6];B[E3];W[D7])";
    let moves = "e2 swap f4 d3 g4 e5 g7 f5 e6 d6 d5 c2 g6 g5 e7 e4 d7";
    assert_eq!(read(golem), Ok(("-size=4".into(), moves.into())));
    let games = all_games(sgf::read::<Position>(golem)).unwrap();
    assert_eq!(games[0].players, ["k", "m"]);
    let refused = |text: &str| read(text).unwrap_err();
    assert_eq!(refused("(;GM[11]SZ[8])"), "line 1: it is of game 11 of SGF, and Havannah has none");
    assert_eq!(refused("(;GAME[y]SZ[8])"), "line 1: it is of y, not of Havannah");
}
