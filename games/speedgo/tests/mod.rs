//! Tests with positions as rows, and a second implementation of the rules in simple loops.

mod naive;
mod oracle;
mod play;
mod rules;

use super::Position;
use super::board::{Board, area};
use crate::grid::{Press, PressGame, SIZE, Square, Squares, Stones};
use crate::kit::fixtures::{deal, place, start};
use crate::kit::laws::levels_differ;
use crate::kit::{Chance, Game, Next, Seat};

use naive::Rows;

fn placed(notation: &str) -> Position {
    place(&["mode=1"], notation).unwrap()
}

fn rows(stones: Stones) -> Rows {
    let mut rows = [[0; 9]; 9];
    for (row, text) in rows.iter_mut().zip(stones.rows(SIZE)) {
        row.copy_from_slice(text.as_bytes());
    }
    rows
}

fn at(square: Square) -> (usize, usize) {
    (square.line().into(), square.column().into())
}

fn naive_squares(at: impl IntoIterator<Item = (usize, usize)>) -> Squares {
    let square = |(line, column): (usize, usize)| {
        Square::at(u8::try_from(line).unwrap(), u8::try_from(column).unwrap()).unwrap()
    };
    at.into_iter().map(square).collect()
}

/// Plays random legal moves to the end of the game and returns them.
pub(super) fn random_game(mut position: Position, chance: &mut Chance) -> Vec<Press> {
    let mut played = Vec::new();
    while let Next::Move(_) = PressGame::next(&position) {
        let moves = position.moves();
        let press = moves[chance.below(moves.len())];
        position.play(&press);
        played.push(press);
    }
    played
}

/// Plays random games in all modes beside the second implementation; `seen` gets every position.
fn followed(seeds: u64, mut seen: impl FnMut(&Position, &naive::NaiveGame)) {
    for seed in 0..seeds {
        let mode = format!("mode={}", seed % 3);
        let mut chance = Chance::new(seed);
        let mut position = deal(start::<Position>(&[&mode]), &mut chance);
        let mut naive = naive::NaiveGame::new(rows(position.board.stones()), b'G');
        for press in random_game(position.clone(), &mut chance) {
            assert!(matches!(PressGame::next(&position), Next::Move(_)));
            seen(&position, &naive);
            match press {
                Press::At(square) => {
                    PressGame::press(&mut position, square);
                    naive.press(at(square));
                }
                Press::Pass => {
                    PressGame::pass(&mut position);
                    naive.pass();
                }
            }
        }
        assert!(matches!(PressGame::next(&position), Next::Over(_)));
        seen(&position, &naive);
    }
}

#[test]
fn random_games_go_as_in_plain_loops() {
    let (mut positions, mut kos, mut thirds) = (0, 0, 0);
    followed(130, |position, naive| {
        let stones = position.board.stones();
        assert_eq!(rows(stones), naive.rows);
        assert_eq!(position.board.turn() == Seat(0), naive.turn == b'G');
        assert_eq!(PressGame::legal(position), naive_squares(naive.legal()));
        assert_eq!(area(stones), naive::area(&naive.rows));
        assert_eq!(position.past.repeats(), naive.is_third_time());
        positions += 1;
        kos += u32::from(position.board.ko().is_some());
        thirds += u32::from(naive.is_third_time());
    });
    assert!(
        positions > 9_000 && kos > 60,
        "{positions} positions, {kos} with a ko, {thirds} draws"
    );
}

/// The incrementally updated board equals one that is set up from scratch.
#[test]
fn a_board_knows_its_chains_at_any_time() {
    followed(30, |position, _| {
        let (board, stones) = (&position.board, position.board.stones());
        let fresh = Board::new(stones, board.turn());
        assert_eq!(board.key(), fresh.key());
        assert_eq!(board.stifled(), None);
        let mut dark: Vec<Square> = board.dark().to_vec();
        dark.sort_unstable();
        assert!(dark.into_iter().eq((!stones.lit()).iter()));
        for stone in stones.lit().iter() {
            assert_eq!(board.body(stone), fresh.body(stone));
            assert_eq!(board.liberties(stone), fresh.liberties(stone));
        }
    });
}

#[test]
#[ignore = "plays 300 games, for minutes"]
fn a_level_wins_two_of_three_games_from_the_one_below() {
    levels_differ::<Position>(&[&[]]);
}
