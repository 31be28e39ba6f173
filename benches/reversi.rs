//! The speed of counting move sequences of Reversi on eight lines, compared with the crate
//! `ai-othello`, which has its own bitboards.
//!
//! Its perft plays every last move. For a fair comparison it is also measured with the last moves
//! only counted, as ours does.

use ai_othello::{MoveError, Position};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use games::{AnyPosition, Choices, Next};

/// The number of sequences of ten moves. 228 games end with the ninth; neither program counts
/// those.
const TEN: u64 = 24_571_056;
/// The number of sequences of seven moves.
const SEVEN: u64 = 55_092;

fn main() {
    divan::main();
}

fn eight_lines() -> Choices {
    let spec = games::find("reversi").expect("Reversi is a game").spec();
    Choices::parse(spec.options, spec.exclusive, ["-size=8"]).expect("it has eight lines")
}

/// Counts as `postboard perft reversi 10 -size=8` does.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten_moves(bencher: Bencher) {
    let game = games::find("reversi").expect("Reversi is a game");
    let options = eight_lines();
    bencher
        .counter(ItemsCount::new(TEN))
        .bench(|| assert_eq!(game.perft(black_box(&options), 10), TEN));
}

/// Counts with the crate's own function.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten_moves_ai_othello(bencher: Bencher) {
    bencher.counter(ItemsCount::new(TEN)).bench(|| {
        assert_eq!(ai_othello::perft(black_box(&mut Position::default()), 10), TEN);
    });
}

/// Counts with the crate's moves, the last ones only listed.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn ten_moves_ai_othello_listed(bencher: Bencher) {
    fn ways(position: &mut Position, depth: u32) -> Result<u64, MoveError> {
        let moves = position.legal_moves();
        let moves = moves.as_slice();
        if depth == 1 {
            return Ok(moves.len() as u64);
        }
        let mut sum = 0;
        for &each in moves {
            let undo = position.make_move(each)?;
            sum += ways(position, depth - 1)?;
            position.unmake_move(undo);
        }
        Ok(sum)
    }
    bencher.counter(ItemsCount::new(TEN)).bench(|| {
        assert_eq!(ways(black_box(&mut Position::default()), 10).expect("they are legal"), TEN);
    });
}

/// Counts through the interface of all games, with moves as text.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn seven_moves_as_texts(bencher: Bencher) {
    fn ways(position: &dyn AnyPosition, depth: u32) -> u64 {
        match position.next() {
            Next::Move(_) if depth == 1 => position.count() as u64,
            Next::Move(_) => {
                position.successors().iter().map(|(_, after)| ways(&**after, depth - 1)).sum()
            }
            _ => 0,
        }
    }
    let game = games::find("reversi").expect("Reversi is a game");
    let options = eight_lines();
    bencher
        .counter(ItemsCount::new(SEVEN))
        .bench(|| assert_eq!(ways(&*game.setup(black_box(&options)), 7), SEVEN));
}
