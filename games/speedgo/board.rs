//! The board during a game: chains with their liberties, updated incrementally.

use crate::grid::{SIZE, Square, Squares, Stones};
use crate::kit::Seat;
use crate::kit::chance::{SPLIT_MIX_STEP, split_mix};

/// The number of points.
const POINTS: usize = SIZE as usize * SIZE as usize;

/// The orthogonal and the diagonal neighbours of each point.
const NEAR: [[Squares; 2]; POINTS] = {
    let mut near = [[Squares::NONE; 2]; POINTS];
    let mut line = 0;
    while line < SIZE {
        let mut column = 0;
        while column < SIZE {
            if let Some(square) = Square::at(line, column) {
                let mut point = Squares::NONE;
                point.insert(square);
                let beside = point.beside();
                near[square.index()] = [beside, point.around().without(beside)];
            }
            column += 1;
        }
        line += 1;
    }
    near
};

/// A Zobrist key for each stone on each point; the keys of a position are combined by exclusive or.
/// Notation contains them, so they must never change: they are the stream of `SplitMix64` from 0.
const KEYS: [[u64; POINTS]; 2] = {
    let mut keys = [[0; POINTS]; 2];
    let mut state = 0_u64;
    let mut at = 0;
    while at < 2 * POINTS {
        state = state.wrapping_add(SPLIT_MIX_STEP);
        keys[at / POINTS][at % POINTS] = split_mix(state);
        at += 1;
    }
    keys
};

/// Returns the orthogonal neighbours of a point.
pub(super) const fn beside(square: Square) -> Squares {
    NEAR[square.index()][0]
}

/// Returns the diagonal neighbours of a point.
pub(super) const fn diagonal(square: Square) -> Squares {
    NEAR[square.index()][1]
}

/// Stones, the side to move, and the ko point.
#[derive(Clone)]
pub(super) struct Board {
    stones: Stones,
    turn: Seat,
    ko: Option<Square>,
    /// The exclusive or of the keys of all stones.
    hash: u64,
    /// For each lit point, the head of its chain: one of its points.
    chain: [Square; POINTS],
    /// For each head the stones of its chain, and its liberties.
    body: [Squares; POINTS],
    liberties: [Squares; POINTS],
    /// The dark points in no order, then unused entries; and the index of each dark point.
    dark: [Square; POINTS],
    place: [u8; POINTS],
    count: u8,
}

/// Boards are equal if the same moves are legal: the heads of chains depend on the order of presses
/// and do not matter.
impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        (self.stones, self.turn, self.ko) == (other.stones, other.turn, other.ko)
    }
}

impl Eq for Board {}

impl Board {
    /// Creates a board without a ko. Every chain should have a liberty; see [`Board::stifled`].
    pub(super) fn new(stones: Stones, turn: Seat) -> Self {
        let corner = Square::at(0, 0).expect("it is on the board");
        let mut board = Self {
            stones,
            turn,
            ko: None,
            hash: 0,
            chain: [corner; POINTS],
            body: [Squares::NONE; POINTS],
            liberties: [Squares::NONE; POINTS],
            dark: [corner; POINTS],
            place: [0; POINTS],
            count: 0,
        };
        for square in (!stones.lit()).iter() {
            board.darken(square);
        }
        for seat in Seat::BOTH {
            let mut left = stones[seat];
            while let Some(head) = left.iter().next() {
                let body = reach(head.into(), left);
                for square in body.iter() {
                    board.chain[square.index()] = head;
                    board.hash ^= KEYS[seat.index()][square.index()];
                }
                board.body[head.index()] = body;
                board.liberties[head.index()] = body.beside().without(stones.lit());
                left = left.without(body);
            }
        }
        board
    }

    /// Returns the stones.
    pub(super) const fn stones(&self) -> Stones {
        self.stones
    }

    /// Returns the side to move.
    pub(super) const fn turn(&self) -> Seat {
        self.turn
    }

    /// Returns the ko point, which may not be retaken now.
    pub(super) const fn ko(&self) -> Option<Square> {
        self.ko
    }

    /// Sets the ko point.
    pub(super) const fn forbid(&mut self, ko: Square) {
        self.ko = Some(ko);
    }

    /// Returns a stone of a chain without a liberty, if there is one.
    pub(super) fn stifled(&self) -> Option<Square> {
        self.stones.lit().iter().find(|&square| self.liberties(square).is_empty())
    }

    /// Returns the chain of a lit point.
    pub(super) const fn body(&self, square: Square) -> Squares {
        self.body[self.chain[square.index()].index()]
    }

    /// Returns the liberties of the chain of a lit point.
    pub(super) const fn liberties(&self, square: Square) -> Squares {
        self.liberties[self.chain[square.index()].index()]
    }

    /// Returns the dark points, in no order.
    pub(super) fn dark(&self) -> &[Square] {
        &self.dark[..usize::from(self.count)]
    }

    /// Swaps two entries of the list of dark points.
    pub(super) fn shuffle(&mut self, one: usize, other: usize) {
        self.dark.swap(one, other);
        for at in [one, other] {
            self.place[self.dark[at].index()] = narrow(at);
        }
    }

    /// Returns a key of the position with the side to move, below 2^25.
    pub(super) fn key(&self) -> u32 {
        let turn = u64::from(self.turn.0) * 0x5851_f42d_4c95_7f2d;
        u32::try_from((self.hash ^ turn) >> 39).expect("a number of 25 bits")
    }

    /// Returns whether the side to move may press a dark point.
    pub(super) fn allows(&self, square: Square) -> bool {
        if self.ko == Some(square) {
            return false;
        }
        let near = beside(square);
        if !near.without(self.stones.lit()).is_empty() {
            return true;
        }
        let only = Squares::from(square);
        (near & self.stones[self.turn]).iter().any(|own| self.liberties(own) != only)
            || (near & self.stones[self.turn.other()])
                .iter()
                .any(|enemy| self.liberties(enemy) == only)
    }

    /// Returns the points that the side to move may press.
    pub(super) fn legal(&self) -> Squares {
        let dark = !self.stones.lit();
        let mut legal = dark & dark.beside();
        for shut in dark.without(legal).iter() {
            if self.allows(shut) {
                legal.insert(shut);
            }
        }
        if let Some(ko) = self.ko {
            legal.remove(ko);
        }
        legal
    }

    /// Returns the stones that a press captures.
    pub(super) fn taken_by(&self, square: Square) -> Squares {
        let only = Squares::from(square);
        (beside(square) & self.stones[self.turn.other()])
            .iter()
            .filter(|&enemy| self.liberties(enemy) == only)
            .fold(Squares::NONE, |taken, enemy| taken | self.body(enemy))
    }

    /// Presses a point that [`Board::allows`], and returns the captured stones.
    pub(super) fn press(&mut self, square: Square) -> Squares {
        let (seat, point, near) = (self.turn, Squares::from(square), beside(square));
        self.light(square);
        self.join(square, near & self.stones[seat]);
        self.stones[seat].insert(square);
        self.hash ^= KEYS[seat.index()][square.index()];
        let mut taken = Squares::NONE;
        for enemy in (near & self.stones[seat.other()]).iter() {
            let head = self.chain[enemy.index()].index();
            self.liberties[head] = self.liberties[head].without(point);
            if self.liberties[head].is_empty() {
                taken = taken | self.body[head];
            }
        }
        self.ko = None;
        if !taken.is_empty() {
            self.remove(taken);
            // A recapture would restore the position before this press exactly if one stone
            // captured one stone and has no other liberty.
            let is_ko =
                taken.len() == 1 && self.body(square) == point && self.liberties(square) == taken;
            self.ko = taken.iter().next().filter(|_| is_ko);
        }
        self.turn = seat.other();
        taken
    }

    /// Passes.
    pub(super) const fn pass(&mut self) {
        self.ko = None;
        self.turn = self.turn.other();
    }

    /// Joins a new stone with the own chains beside it.
    fn join(&mut self, square: Square, own: Squares) {
        let point = Squares::from(square);
        let mut body = point;
        let mut liberties = beside(square).without(self.stones.lit());
        // The largest chain keeps its head, so few entries change.
        let mut head = square;
        let mut most = 0;
        for neighbour in own.iter() {
            let other = self.chain[neighbour.index()];
            if !body.contains(other) {
                let stones = self.body[other.index()];
                if stones.len() > most {
                    (head, most) = (other, stones.len());
                }
                body = body | stones;
                liberties = liberties | self.liberties[other.index()];
            }
        }
        let told = if most == 0 { point } else { body.without(self.body[head.index()]) };
        for stone in told.iter() {
            self.chain[stone.index()] = head;
        }
        self.body[head.index()] = body;
        self.liberties[head.index()] = liberties.without(point);
    }

    /// Removes whole chains of the side that is not to move.
    fn remove(&mut self, taken: Squares) {
        let (own, enemy) = (self.turn, self.turn.other());
        self.stones[enemy] = self.stones[enemy].without(taken);
        for square in taken.iter() {
            self.darken(square);
            self.hash ^= KEYS[enemy.index()][square.index()];
            for freed in (beside(square) & self.stones[own]).iter() {
                self.liberties[self.chain[freed.index()].index()].insert(square);
            }
        }
    }

    /// Adds a point to the list of dark points.
    fn darken(&mut self, square: Square) {
        self.dark[usize::from(self.count)] = square;
        self.place[square.index()] = self.count;
        self.count += 1;
    }

    /// Removes a point from the list of dark points.
    fn light(&mut self, square: Square) {
        self.count -= 1;
        let (place, last) = (self.place[square.index()], self.dark[usize::from(self.count)]);
        self.dark[usize::from(place)] = last;
        self.place[last.index()] = place;
    }
}

/// Converts an index of the list of dark points.
fn narrow(place: usize) -> u8 {
    u8::try_from(place).expect("the board has 81 points")
}

/// Returns the points that can be reached from `from` by orthogonal steps within a set.
pub(super) fn reach(from: Squares, within: Squares) -> Squares {
    let mut reached = from;
    loop {
        let more = (reached | reached.beside()) & within;
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Returns each side's area: its stones, and the dark regions that only its stones border.
pub(super) fn area(stones: Stones) -> [u32; 2] {
    let dark = !stones.lit();
    let open = Seat::BOTH.map(|seat| reach(stones[seat].beside() & dark, dark));
    [0, 1].map(|side| stones[Seat::BOTH[side]].len() + open[side].without(open[1 - side]).len())
}
