//! Properties of both games, tested on random games on every board.

use super::super::board::{Board, Stack};
use super::super::geometry::{BoardSize, Point};
use super::super::{Position, Variant};
use super::{PINNED, options};
use crate::kit::Chance;
use crate::kit::fixtures::play_at_random;
use crate::kit::{Game, Outcome, Seat};
use crate::{malaka, moloko};
use std::collections::BTreeSet;

/// Plays a random game: `at` sees each position with dice.
fn play_through<V: Variant>(words: &str, seed: u64, at: impl FnMut(&Position<V>)) -> Outcome {
    play_at_random(Position::<V>::setup(&options(words)), &mut Chance::new(seed), at)
}

const BOARDS: [&str; 5] = ["", "large", "many no_stagger", "d6", "large d4"];

/// Calls `at` for positions of all boards and both games.
fn everywhere(mut at: impl FnMut(&malaka::Position)) {
    for words in BOARDS {
        for seed in 0..4 {
            play_through(words, seed, &mut at);
        }
    }
}

#[test]
fn men_are_lost_by_kills_alone() {
    let mut kills = 0;
    everywhere(|position| {
        let (mover, enemy) = (position.seat, position.seat.other());
        for play in position.moves() {
            let mut after = position.clone();
            after.play(&play);
            let killed = play.hops().iter().filter(|hop| hop.kills).count();
            let men = |position: &malaka::Position, seat| position.table.board.men(seat);
            assert_eq!(men(&after, mover), men(position, mover), "{position:?} {play}");
            assert_eq!(men(&after, enemy) as usize + killed, men(position, enemy) as usize);
            kills += killed;
        }
    });
    assert!(kills > 1_000, "{kills}");
}

#[test]
fn the_board_turned_by_half_has_the_turned_plays() {
    everywhere(|position| {
        let turned = turned(position);
        let ends = |position: &malaka::Position, turn: bool| {
            let mut ends: Vec<String> = position
                .moves()
                .iter()
                .map(|play| {
                    let mut after = position.clone();
                    after.play(play);
                    if turn { self::turned(&after).notation() } else { after.notation() }
                })
                .collect();
            ends.sort();
            ends
        };
        assert_eq!(ends(position, true), ends(&turned, false), "{position:?}");
    });
}

/// Turns the board by half and exchanges the sides.
fn turned(position: &malaka::Position) -> malaka::Position {
    let on = position.table.geometry();
    let mut turned = position.clone();
    turned.seat = position.seat.other();
    turned.table.board = Board::EMPTY;
    for point in on.points() {
        let stack = position.table.board.stack(point);
        if let Some(holder) = stack.holder() {
            let stack = Stack::new(holder.other(), stack.men(), stack.pins());
            turned.table.board.put(on.turned(point), stack);
        }
    }
    turned
}

#[test]
fn a_side_is_connected_exactly_at_distance_0() {
    let mut connected = 0;
    everywhere(|position| {
        for play in position.moves() {
            let mut after = position.clone();
            after.play(&play);
            let on = after.table.geometry();
            for seat in Seat::BOTH {
                let is_connected = after.table.board.is_connected(on, seat);
                assert_eq!(is_connected, after.table.board.distance(on, seat) == 0, "{after:?}");
                connected += usize::from(is_connected);
            }
        }
    });
    assert!(connected > 20, "{connected}");
}

#[test]
fn every_game_ends_and_malaka_is_always_won() {
    let mut pins = 0;
    for seed in 0..200 {
        let end = play_through::<malaka::Malaka>("", seed, |_| ());
        let Outcome::Won { reason, .. } = end else { panic!("{seed}: {end:?}") };
        pins += usize::from(reason == PINNED);
    }
    assert!((4..40).contains(&pins), "{pins} of 200 won by pinning at home");
    for seed in 0..200 {
        play_through::<moloko::Moloko>("", seed, |_| ());
    }
}

#[test]
fn no_man_hops_more_often_than_26_times() {
    // Hops never form a cycle: each round of this loop moves all men one hop on.
    let on = BoardSize::Nine.geometry();
    let mut reached = vec![on.point(0, 0).unwrap()];
    for hops in 0.. {
        let next: BTreeSet<Point> = reached
            .iter()
            .flat_map(|&from| on.reach(Seat(0), from))
            .filter(|hop| hop.die <= 4)
            .map(|hop| hop.to)
            .collect();
        if next.is_empty() {
            assert_eq!(hops, 26);
            return;
        }
        assert!(hops < 26, "men go in circles");
        reached = next.into_iter().collect();
    }
}
