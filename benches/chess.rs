//! The speed of counting move sequences of Chess, beside the crate `cozy-chess`, on which the rules are
//! built: what they add to it, and what the interface of all games takes, in which each move is a text.

use cozy_chess::Board;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use games::{AnyPosition, Choices};

/// The number of sequences of five moves, and of four.
const FIVE: u64 = 4_865_609;
const FOUR: u64 = 197_281;

fn main() {
    divan::main();
}

fn start() -> Box<dyn AnyPosition> {
    games::find("chess").expect("Chess is a game").setup(&Choices::default())
}

/// Counts as `postboard perft chess 5` does.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn five_moves(bencher: Bencher) {
    let game = games::find("chess").expect("Chess is a game");
    let count = || assert_eq!(game.perft(black_box(&Choices::default()), 5), FIVE);
    bencher.counter(ItemsCount::new(FIVE)).bench(count);
}

/// Counts as the crate's own benchmark does.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn five_moves_cozy_chess(bencher: Bencher) {
    fn count(board: &Board, depth: u8) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for m in moves {
                    let mut board = board.clone();
                    board.play_unchecked(m);
                    nodes += count(&board, depth - 1);
                }
            }
            false
        });
        nodes
    }
    let five = || assert_eq!(count(black_box(&Board::startpos()), 5), FIVE);
    bencher.counter(ItemsCount::new(FIVE)).bench(five);
}

/// Counts with positions and moves of the interface; the moves of the last ply are listed.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn four_moves_by_the_interface(bencher: Bencher) {
    fn count(position: &dyn AnyPosition, depth: u32) -> u64 {
        if depth == 1 {
            return position.count() as u64;
        }
        position.successors().iter().map(|(_, after)| count(&**after, depth - 1)).sum()
    }
    let four = || assert_eq!(count(&*black_box(start()), 4), FOUR);
    bencher.counter(ItemsCount::new(FOUR)).bench(four);
}
