//! The board: where men and kings are, and where they may go.

use super::Square;
use crate::kit::Seat;
use crate::kit::tile::{TileSet, TileStep, hash_of};
use std::collections::HashSet;

/// The files of the largest board, which the sets of squares have room for.
pub(super) const SIDE: u8 = 10;

/// The directions of a step: upwards, then downwards.
const UP: [TileStep; 2] = [[-1, 1], [1, 1]];
const DOWN: [TileStep; 2] = [[-1, -1], [1, -1]];
const ALL: [TileStep; 4] = [UP[0], UP[1], DOWN[0], DOWN[1]];

/// Up to this many men can be taken by one path only, if the capture is to end on a given square. To take
/// more there may be several paths: between two men on one line a king may land on several squares.
const TAKEN_BY_ONE_PATH: u32 = 1;

/// What differs between the games of the family.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub(crate) struct Rules {
    /// The number of files and ranks, an even one.
    pub(crate) size: u8,
    /// The squares that are played on: [`dark_squares`] of the size.
    pub(crate) dark: TileSet,
    /// The rows of men that each side begins with.
    pub(crate) rows: u8,
    /// The seat of Black, whose men begin at the upper end and have the lowest numbers.
    pub(crate) black: Seat,
    /// Whether kings move and take over any distance.
    pub(crate) kings_fly: bool,
    /// Whether men take backwards, too.
    pub(crate) men_take_backwards: bool,
    /// Whether a side must take as many men as it can.
    pub(crate) takes_most: bool,
    /// Whether a man that comes to the last row while it takes becomes a king there and stops. Elsewhere
    /// it goes on as a man, and becomes a king only where it ends there.
    pub(crate) crowning_stops: bool,
    /// The draw by moves of kings alone, without a capture.
    pub(crate) quiet: CountedDraw,
    /// The draws of a king alone against few men, a king among them; the most men first.
    pub(crate) endings: &'static [CountedDraw],
}

/// A draw after some moves of each side.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CountedDraw {
    /// The most men and kings of the stronger side, where it matters.
    pub(crate) men: u32,
    /// The moves of each side.
    pub(crate) moves: usize,
    /// The rule, as it follows "the game is a draw:".
    pub(crate) reason: &'static str,
}

/// Returns the dark squares of a board, a1 among them.
pub(crate) const fn dark_squares(size: u8) -> TileSet {
    let (mut index, mut set) = (0, 0);
    while index < SIDE * SIDE {
        let (file, rank) = (index % SIDE, index / SIDE);
        if file < size && rank < size && (file + rank).is_multiple_of(2) {
            set |= 1 << index;
        }
        index += 1;
    }
    set
}

impl Rules {
    /// Returns the number of squares.
    pub(crate) const fn squares(&self) -> u8 {
        self.size * self.size / 2
    }

    /// Returns the men that a side begins with.
    pub(crate) const fn men(&self) -> u32 {
        self.rows as u32 * self.size as u32 / 2
    }

    /// Returns the square with a number; see [`crate::TiledBoard::number`].
    pub(crate) fn square(&self, number: u8) -> Option<Square> {
        if !(1..=self.squares()).contains(&number) {
            return None;
        }
        let half = self.size / 2;
        let (row, column) = ((number - 1) / half, (number - 1) % half);
        Some(Square::at(2 * column + 1 - row % 2, self.size - 1 - row))
    }

    /// Returns the number of a square; `None` for a light one or one beside the board.
    pub(crate) fn number(&self, square: Square) -> Option<u8> {
        square.is_in(self.dark).then(|| {
            let [file, rank] = square.place().map(|part| u8::try_from(part).unwrap_or(0));
            (self.size - 1 - rank) * (self.size / 2) + file / 2 + 1
        })
    }

    /// Returns some ranks, the first counted from 0.
    const fn ranks(&self, first: u8, count: u8) -> TileSet {
        let rows = (1 << (SIDE * count)) - 1;
        rows << (SIDE * first) & self.dark
    }

    /// Returns the squares of the four middle files, without the two outermost ranks of each end.
    pub(super) const fn middle(&self) -> TileSet {
        let files = 0b1111 << ((self.size - 4) / 2);
        let (mut rank, mut set) = (0, 0);
        while rank < SIDE {
            set |= files << (SIDE * rank);
            rank += 1;
        }
        set & self.ranks(2, self.size - 4)
    }

    /// Returns the row on which a side's men become kings.
    pub(super) const fn last_row(&self, seat: Seat) -> TileSet {
        self.ranks(if seat.0 == self.black.0 { 0 } else { self.size - 1 }, 1)
    }
}

/// Men and kings, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(super) rules: &'static Rules,
    pub(super) turn: Seat,
    /// The men that are no kings, seat 0's first.
    pub(super) men: [TileSet; 2],
    pub(super) kings: [TileSet; 2],
}

/// A move without the squares between its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The men taken; empty if the move is no capture.
    pub(super) taken: TileSet,
}

/// Returns the squares one step further in a direction, on the board or beside it: a step across the
/// left or right edge comes to a light square.
const fn shifted(set: TileSet, [right, up]: TileStep) -> TileSet {
    let by = right + up * SIDE.cast_signed();
    if by >= 0 { set << by.unsigned_abs() } else { set >> by.unsigned_abs() }
}

impl Board {
    /// Returns the start of a game.
    pub(super) fn start(rules: &'static Rules) -> Self {
        let ends = [rules.ranks(rules.size - rules.rows, rules.rows), rules.ranks(0, rules.rows)];
        let men = Seat::BOTH.map(|seat| ends[usize::from(seat != rules.black)]);
        Self { rules, turn: Seat(0), men, kings: [0; 2] }
    }

    /// Returns a side's men and kings.
    pub(super) const fn all(&self, seat: Seat) -> TileSet {
        self.men[seat.index()] | self.kings[seat.index()]
    }

    const fn free(&self) -> TileSet {
        self.rules.dark & !(self.all(Seat(0)) | self.all(Seat(1)))
    }

    /// Returns the directions in which a side's men move.
    const fn forward(&self, seat: Seat) -> [TileStep; 2] {
        if seat.0 == self.rules.black.0 { DOWN } else { UP }
    }

    /// Returns a hash of the men and of the side to move.
    pub(super) fn hash(&self) -> u64 {
        let [[a, b], [c, d]] = [self.men, self.kings];
        hash_of(&[a, b, c, d], u64::from(self.turn.0))
    }

    /// Returns whether the side to move has a move.
    pub(super) fn can_move(&self) -> bool {
        let free = self.free();
        let moves = |men: TileSet, steps: &[TileStep]| {
            steps.iter().any(|step| shifted(men, *step) & free != 0)
        };
        let seat = self.turn.index();
        moves(self.men[seat], &self.forward(self.turn))
            || moves(self.kings[seat], &ALL)
            || self.must_take()
    }

    /// Returns whether the side to move can take a man, and so must.
    pub(super) fn must_take(&self) -> bool {
        let (free, enemies) = (self.free(), self.all(self.turn.other()));
        let takes = |men: TileSet, steps: &[TileStep]| {
            steps.iter().any(|step| shifted(shifted(men, *step) & enemies, *step) & free != 0)
        };
        let seat = self.turn.index();
        let forward = self.forward(self.turn);
        let directions = if self.rules.men_take_backwards { &ALL[..] } else { &forward[..] };
        if takes(self.men[seat], directions) || takes(self.kings[seat], &ALL) {
            return true;
        }
        self.rules.kings_fly
            && ALL.iter().any(|direction| {
                let mut front = self.kings[seat];
                while front != 0 {
                    front = shifted(front, *direction);
                    if shifted(front & enemies, *direction) & free != 0 {
                        return true;
                    }
                    front &= free;
                }
                false
            })
    }

    /// Lists the legal moves.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.must_take() {
            self.captures(&[], &mut |path, taken| {
                if let [from, .., to] = *path {
                    steps.push(Step { from, to, taken });
                }
            });
            if self.rules.takes_most {
                let most = steps.iter().map(|step| step.taken.count_ones()).max();
                steps.retain(|step| Some(step.taken.count_ones()) == most);
            }
            return steps;
        }
        let free = self.free();
        for from in Square::all_in(self.all(self.turn)) {
            for to in Square::all_in(self.targets(from, free)) {
                steps.push(Step { from, to, taken: 0 });
            }
        }
        steps
    }

    /// Returns where the man on a square could go without taking.
    pub(super) fn targets_of(&self, from: Square) -> TileSet {
        self.targets(from, self.free())
    }

    fn targets(&self, from: Square, free: TileSet) -> TileSet {
        let is_king = from.is_in(self.kings[self.turn.index()]);
        let forward = self.forward(self.turn);
        let directions = if is_king { &ALL[..] } else { &forward[..] };
        let mut targets = 0;
        for direction in directions {
            let mut to = shifted(from.bit(), *direction) & free;
            targets |= to;
            while is_king && self.rules.kings_fly && to != 0 {
                to = shifted(to, *direction) & free;
                targets |= to;
            }
        }
        targets
    }

    /// Finds the captures of the side to move that go on until nothing more can be taken: the squares
    /// where the man starts and lands, and what it takes. Captures by one man with the same end and the
    /// same men taken are found once. If squares are written, only captures that start at the first and
    /// touch the others in their order are found.
    pub(super) fn captures(&self, written: &[Square], found: &mut dyn FnMut(&[Square], TileSet)) {
        let own = self.all(self.turn);
        for from in Square::all_in(own) {
            if written.first().is_some_and(|first| *first != from) {
                continue;
            }
            let mut search = CaptureSearch {
                board: self,
                is_king: from.is_in(self.kings[self.turn.index()]),
                enemies: self.all(self.turn.other()),
                free: self.free() | from.bit(),
                written,
                path: vec![from],
                seen: HashSet::new(),
                found,
            };
            search.go_on(from, 0, written.len().min(1));
        }
    }

    /// Makes a legal move.
    pub(super) fn make(&mut self, step: Step) {
        let (seat, enemy) = (self.turn.index(), self.turn.other().index());
        for men in [&mut self.men[enemy], &mut self.kings[enemy]] {
            *men &= !step.taken;
        }
        let to = step.to.bit();
        if step.from.is_in(self.kings[seat]) {
            self.kings[seat] = self.kings[seat] & !step.from.bit() | to;
        } else {
            self.men[seat] &= !step.from.bit();
            let is_crowned = to & self.rules.last_row(self.turn) != 0;
            let men = if is_crowned { &mut self.kings } else { &mut self.men };
            men[seat] |= to;
        }
        self.turn = self.turn.other();
    }

    /// Counts the sequences of moves; those of the last ply are not made.
    pub(super) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let steps = self.steps();
        if depth == 1 {
            return steps.len() as u64;
        }
        let after = |step: &Step| {
            let mut next = *self;
            next.make(*step);
            next.perft(depth - 1)
        };
        steps.iter().map(after).sum()
    }
}

/// The captures of one man.
struct CaptureSearch<'a> {
    board: &'a Board,
    is_king: bool,
    enemies: TileSet,
    /// The squares where the man may land, its own start among them.
    free: TileSet,
    written: &'a [Square],
    /// The squares where the man has been.
    path: Vec<Square>,
    /// Where the man has been after what, and how many written squares it had touched.
    seen: HashSet<(usize, TileSet, usize)>,
    found: &'a mut dyn FnMut(&[Square], TileSet),
}

impl CaptureSearch<'_> {
    /// Continues a capture that has come to a square.
    fn go_on(&mut self, at: Square, taken: TileSet, touched: usize) {
        let is_new = taken.count_ones() <= TAKEN_BY_ONE_PATH
            || self.seen.insert((at.index(), taken, touched));
        if !is_new {
            return;
        }
        let rules = self.board.rules;
        let turn = self.board.turn;
        let stops =
            !self.is_king && rules.crowning_stops && taken != 0 && at.is_in(rules.last_row(turn));
        let forward = self.board.forward(turn);
        let directions =
            if self.is_king || rules.men_take_backwards { &ALL[..] } else { &forward[..] };
        let mut is_end = true;
        for direction in directions.iter().filter(|_| !stops) {
            let mut over = shifted(at.bit(), *direction);
            if self.is_king && rules.kings_fly {
                while over & self.free != 0 {
                    over = shifted(over, *direction);
                }
            }
            let victim = over & self.enemies & !taken;
            let mut to = shifted(victim, *direction) & self.free;
            while to != 0 {
                is_end = false;
                for square in Square::all_in(to) {
                    let is_written = self.written.get(touched) == Some(&square);
                    self.path.push(square);
                    self.go_on(square, taken | victim, touched + usize::from(is_written));
                    self.path.pop();
                }
                let goes_far = self.is_king && rules.kings_fly;
                to = if goes_far { shifted(to, *direction) & self.free } else { 0 };
            }
        }
        if is_end && taken != 0 && touched == self.written.len() {
            (self.found)(&self.path, taken);
        }
    }
}
