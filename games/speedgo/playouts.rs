//! Random playouts for the search.

use super::board::{Board, beside, diagonal};
use crate::grid::{Square, Squares, Stones};
use crate::kit::{Chance, RandomBelow, Seat};

/// The maximum length of a playout; nearly all end earlier.
const LONGEST: usize = 243;

/// A fast stream of random numbers.
pub(super) struct FastRandom(Chance);

impl FastRandom {
    /// Creates a stream from one random number.
    pub(super) fn new(below: RandomBelow) -> Self {
        Self(Chance::new(below(1 << 31) as u64))
    }

    /// Returns a random number below a small limit, with a bias of less than 2^-24.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (((self.0.bits() >> 32) * limit as u64) >> 32) as usize
    }
}

/// Returns whether a dark point is an eye of a side, which it should not fill: all neighbours are
/// its own stones, and the enemy has at most one of the diagonal points, at the edge none.
pub(super) fn is_eye(stones: Stones, square: Square, seat: Seat) -> bool {
    let near = beside(square);
    near.without(stones[seat]).is_empty() && {
        let corners = (diagonal(square) & stones[seat.other()]).len();
        corners + u32::from(near.len() < 4) < 2
    }
}

/// Plays a board to its end: stones in atari near the last press are captured or saved, otherwise a
/// random point is pressed that is not an own eye. Returns the points that each side was the first
/// to press.
pub(super) fn play_on(
    board: &mut Board,
    last: Option<Square>,
    mut passes: u8,
    draw: &mut FastRandom,
) -> [Squares; 2] {
    let mut pressed = [Squares::NONE; 2];
    let mut last = last;
    for _ in 0..LONGEST {
        if passes >= 2 {
            break;
        }
        let urgent = last.and_then(|last| urgent(board, last));
        let Some(square) = urgent.or_else(|| any(board, draw)) else {
            board.pass();
            (passes, last) = (passes + 1, None);
            continue;
        };
        if !(pressed[0] | pressed[1]).contains(square) {
            pressed[board.turn().index()].insert(square);
        }
        board.press(square);
        (passes, last) = (0, Some(square));
    }
    pressed
}

/// Returns a point that captures or saves stones near the last press, if there is one.
fn urgent(board: &Board, last: Square) -> Option<Square> {
    let allowed =
        |point: Squares| point.iter().next().filter(|&only| point.len() == 1 && board.allows(only));
    if let Some(only) = allowed(board.liberties(last)) {
        return Some(only);
    }
    let stones = board.stones();
    let own = board.turn();
    for friend in (beside(last) & stones[own]).iter() {
        let liberties = board.liberties(friend);
        if liberties.len() != 1 {
            continue;
        }
        let foes = board.body(friend).beside() & stones[own.other()];
        for foe in foes.iter() {
            if let Some(only) = allowed(board.liberties(foe)) {
                return Some(only);
            }
        }
        // Extension helps only where there is room, or towards friends with liberties.
        if let Some(only) = allowed(liberties) {
            let near = beside(only);
            let room = near.without(stones.lit());
            let helped =
                (near & stones[own]).iter().fold(room, |all, next| all | board.liberties(next));
            if helped.len() > 2 || (helped.len() == 2 && !helped.contains(only)) {
                return Some(only);
            }
        }
    }
    None
}

/// Returns a random legal point that is not an own eye.
fn any(board: &mut Board, draw: &mut FastRandom) -> Option<Square> {
    let (stones, own) = (board.stones(), board.turn());
    for left in (1..=board.dark().len()).rev() {
        let drawn = draw.below(left);
        let square = board.dark()[drawn];
        if board.allows(square) && !is_eye(stones, square, own) {
            return Some(square);
        }
        // Rejected points are moved behind the others.
        board.shuffle(drawn, left - 1);
    }
    None
}
