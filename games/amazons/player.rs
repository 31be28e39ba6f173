//! The program: it counts the squares that a side's queens reach in fewer moves than the other's.
//!
//! Source: J. Lieberum, *An evaluation function for the game of Amazons* (2005).

use super::Square;
use super::board::Board;
use crate::kit::minimax::{Budget, Searched};
use crate::kit::tile::{TileSet, hash_of};
use crate::kit::{Next, Seat};

/// The number of levels, and the limits of each.
pub(super) const LEVELS: u8 = 4;
const BUDGETS: [Budget; LEVELS as usize] = [
    Budget { depth: 1, nodes: 30, careless: 20 },
    Budget { depth: 1, nodes: 200, careless: 0 },
    Budget { depth: 2, nodes: 3_000, careless: 0 },
    Budget { depth: 64, nodes: 8_000, careless: 0 },
];

/// The worth of a square that a side reaches first, of one that its queens reach in one move, and of the
/// move itself.
const SQUARE: i32 = 100;
const REACH: i32 = 15;
const TURN: i32 = 50;

/// All squares but those of file a, and but those of file j.
const NOT_FIRST: TileSet = !first_file();
const NOT_LAST: TileSet = !(first_file() << 9);

const fn first_file() -> TileSet {
    let (mut file, mut rank) = (0, 0);
    while rank < 12 {
        file |= 1 << (10 * rank);
        rank += 1;
    }
    file
}

pub(super) fn budget(level: u8) -> Budget {
    BUDGETS[usize::from(level.clamp(1, LEVELS) - 1)]
}

/// Returns the free squares that queens on some squares reach in one move.
fn reach(from: TileSet, free: TileSet) -> TileSet {
    let steps: [fn(TileSet) -> TileSet; 8] = [
        |set| set << 1 & NOT_FIRST,
        |set| set << 11 & NOT_FIRST,
        |set| set >> 9 & NOT_FIRST,
        |set| set >> 1 & NOT_LAST,
        |set| set >> 11 & NOT_LAST,
        |set| set << 9 & NOT_LAST,
        |set| set << 10,
        |set| set >> 10,
    ];
    let mut reached = 0;
    for step in steps {
        let mut front = step(from) & free;
        while front != 0 {
            reached |= front;
            front = step(front) & free;
        }
    }
    reached
}

impl Searched for Board {
    type Move = [Square; 3];

    const SLOTS: usize = 100 * 100;

    fn slot([from, to, _]: Self::Move) -> usize {
        from.index() * 100 + to.index()
    }

    fn next(&self) -> Next {
        if self.can_move() { Next::Move(self.turn) } else { self.lost() }
    }

    fn moves(&self) -> Vec<Self::Move> {
        Self::moves(self).collect()
    }

    fn make(&mut self, m: Self::Move) {
        self.play(m);
    }

    fn value(&self, seat: Seat) -> i32 {
        let free = self.squares() & !self.taken();
        let [own, other] = [seat, seat.other()].map(|seat| self.queens[seat.index()]);
        let (mut fronts, mut seen) = ([own, other], [own, other]);
        let mut value = if self.turn == seat { TURN } else { -TURN };
        let count =
            |set: TileSet| i32::try_from(set.count_ones()).expect("a board has 100 squares");
        let mut worth = REACH;
        while fronts != [0; 2] {
            for side in [0, 1] {
                fronts[side] = reach(fronts[side], free) & !seen[side];
                seen[side] |= fronts[side];
            }
            value += worth * (count(fronts[0]) - count(fronts[1]));
            value += SQUARE * (count(fronts[0] & !seen[1]) - count(fronts[1] & !seen[0]));
            worth = 0;
        }
        value
    }

    fn key(&self) -> Option<u64> {
        Some(hash_of(&[self.queens[0], self.queens[1], self.arrows], u64::from(self.turn.0)))
    }
}
