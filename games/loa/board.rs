//! The men as sets of bits, their moves, and their groups.

use super::{End, Square};
use crate::kit::Seat;
use crate::kit::tile::{DIRECTIONS, TileSet, TileStep, hash_of};

/// The squares of file a and of the last file of the largest board, and what would lie above it.
const FIRST_FILE: TileSet = TileSet::MAX / 0xff;
const LAST_FILE: TileSet = FIRST_FILE << 7;

/// The squares of a rank of the largest board.
const SIDE: u32 = 8;

/// The men on a board and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The number of files, equal to the number of ranks.
    pub(super) size: u8,
    pub(super) men: [TileSet; 2],
    pub(super) turn: Seat,
}

/// What a man meets in one of its directions.
pub(super) enum Way {
    /// It can move there.
    Open(Square),
    /// The board ends before.
    Outside,
    /// An enemy man on the first square is in the way to the second.
    Blocked(Square, Square),
    /// A man of its own side is there.
    Own(Square),
}

impl Board {
    /// Returns the start: seat 0's men on the first and the last rank, seat 1's on the outer files.
    pub(super) fn start(size: u8) -> Self {
        let mut men = [0; 2];
        for along in 1..size - 1 {
            for edge in [0, size - 1] {
                men[0] |= Square::at(along, edge).bit();
                men[1] |= Square::at(edge, along).bit();
            }
        }
        Self { size, men, turn: Seat(0) }
    }

    /// Returns the men of the side to move and of the other one.
    pub(super) fn own_and_other(&self) -> [TileSet; 2] {
        [self.men[self.turn.index()], self.men[self.turn.other().index()]]
    }

    /// Returns what a man of the side to move meets in a direction: it moves as many squares as there
    /// are men on the line, jumps over men of its side, and takes an enemy man where it ends.
    pub(super) fn way(&self, from: Square, step: TileStep) -> Way {
        let [own, other] = self.own_and_other();
        let back = step.map(|part| -part);
        let behind = from.ray(back, self.size).filter(|at| at.is_in(own | other)).count();
        let ahead = from.ray(step, self.size).filter(|at| at.is_in(own | other)).count();
        let (mut at, mut in_the_way) = (from, None);
        for _ in 0..=behind + ahead {
            if at.is_in(other) {
                in_the_way = in_the_way.or(Some(at));
            }
            match at.beside(step, self.size) {
                Some(next) => at = next,
                None => return Way::Outside,
            }
        }
        match in_the_way {
            Some(enemy) => Way::Blocked(enemy, at),
            None if at.is_in(own) => Way::Own(at),
            None => Way::Open(at),
        }
    }

    /// Returns the squares to which a man of the side to move can move.
    pub(super) fn targets(&self, from: Square) -> impl Iterator<Item = Square> + use<> {
        let board = *self;
        DIRECTIONS.into_iter().filter_map(move |step| match board.way(from, step) {
            Way::Open(to) => Some(to),
            _ => None,
        })
    }

    /// Returns how the game has ended after the other side's move, if not by repetition.
    pub(super) const fn ending(&self) -> Option<End> {
        let mover = self.turn.other();
        let own = are_joined(self.men[mover.index()]);
        match (own, are_joined(self.men[self.turn.index()])) {
            (true, true) => Some(End::JoinedBoth(mover)),
            (true, false) => Some(End::Joined(mover)),
            (false, true) => Some(End::JoinedEnemy(self.turn)),
            (false, false) => None,
        }
    }

    /// Returns a hash of the men and the side to move.
    pub(super) fn hash(&self) -> u64 {
        hash_of(&[self.men[0] | self.men[1] << 64], u64::from(self.turn.0))
    }

    /// Returns the moves of men of the side to move.
    pub(super) fn steps(&self) -> impl Iterator<Item = [Square; 2]> + use<> {
        let board = *self;
        let own = Square::all_in(board.own_and_other()[0]);
        own.flat_map(move |from| board.targets(from).map(move |to| [from, to]))
    }

    /// Moves a man, takes a man of the other side on its target, and gives the turn to the other side.
    pub(super) fn step(&mut self, [from, to]: [Square; 2]) {
        self.men[self.turn.index()] ^= from.bit() | to.bit();
        self.turn = self.turn.other();
        self.men[self.turn.index()] &= !to.bit();
    }
}

/// Returns the squares of a set and those beside them, diagonals included.
const fn grown(set: TileSet) -> TileSet {
    let row = set | (set << 1 & !FIRST_FILE) | (set >> 1 & !LAST_FILE);
    row | row << SIDE | row >> SIDE
}

/// Returns the number of groups of men that touch each other.
pub(super) const fn groups(mut men: TileSet) -> u32 {
    let mut count = 0;
    while men != 0 {
        men &= !group_of(men);
        count += 1;
    }
    count
}

/// Returns whether all men are one group.
pub(super) const fn are_joined(men: TileSet) -> bool {
    group_of(men) == men
}

/// Returns the group of the first man.
const fn group_of(men: TileSet) -> TileSet {
    let mut group = men & men.wrapping_neg();
    loop {
        let next = grown(group) & men;
        if next == group {
            return group;
        }
        group = next;
    }
}
