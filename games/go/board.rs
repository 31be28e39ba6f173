//! The stones on a board: chains, their liberties, and the area that each side holds.

use crate::kit::tile::hash_of;
use crate::kit::{MoveError, Seat, Spot};
use std::fmt::{self, Debug, Display};

/// The files and ranks of the largest board.
pub(super) const MAX_SIZE: u8 = 19;

/// The distance of two ranks: one column of border lies between them, and one rank at each end.
const STRIDE: usize = MAX_SIZE as usize + 1;
const CELLS: usize = STRIDE * (MAX_SIZE as usize + 2) + 1;

/// A point: its rank from 1, times the distance of two ranks, plus its column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point(u16);

impl Point {
    /// Returns the point of a column and a rank, each from 1.
    pub(super) fn at(column: u8, rank: u8) -> Self {
        Self(u16::from(rank) * (u16::from(MAX_SIZE) + 1) + u16::from(column))
    }

    const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns its column and its rank, each from 1.
    pub(super) fn place(self) -> [u8; 2] {
        let of = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        [of(self.index() % STRIDE), of(self.index() / STRIDE)]
    }

    /// Parses the name of a point of the largest board.
    ///
    /// # Errors
    /// No board has it.
    pub(super) fn named(name: &str) -> Result<Self, MoveError> {
        let place = name.parse().ok().and_then(Spot::column_without_i);
        match place {
            Some([column, rank]) if column <= MAX_SIZE && (1..=MAX_SIZE).contains(&rank) => {
                Ok(Self::at(column, rank))
            }
            None if name.starts_with('i') => {
                Err(MoveError::Illegal(format!("there is no point {name}: the files leave out i")))
            }
            _ => Err(MoveError::Illegal(format!("there is no point {name}"))),
        }
    }

    /// Returns the four neighbours, some of which may be border.
    fn beside(self) -> [Self; 4] {
        let at = self.0;
        let stride = u16::from(MAX_SIZE) + 1;
        [at - stride, at - 1, at + 1, at + stride].map(Self)
    }

    /// Returns the four diagonal neighbours, some of which may be border.
    fn diagonal(self) -> [Self; 4] {
        let at = self.0;
        let stride = u16::from(MAX_SIZE) + 1;
        [at - stride - 1, at - stride + 1, at + stride - 1, at + stride + 1].map(Self)
    }
}

impl From<Point> for Spot {
    fn from(point: Point) -> Self {
        let [column, rank] = point.place();
        Self::without_i(column, rank)
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&Spot::from(*self), f)
    }
}

/// A set of points.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PointSet([u64; CELLS.div_ceil(64)]);

impl PointSet {
    /// Adds a point and returns whether it is new.
    fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() / 64, 1 << (point.index() % 64));
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    pub(super) const fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] & 1 << (point.index() % 64) != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; CELLS.div_ceil(64)]
    }

    /// Returns the points that are in one of two sets only.
    pub(super) fn differing(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }

    /// Returns the points of both sets.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(Self::default(), |mut set, point| {
            set.insert(point);
            set
        })
    }
}

impl Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x?}", self.0)
    }
}

/// What is on a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Stone(Seat),
    /// Beside the board.
    Border,
}

/// The stones on a board. Each chain has a liberty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    size: u8,
    cells: [Cell; CELLS],
    hash: u64,
}

impl Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stones = self.points().filter_map(|point| Some((point, self.at(point)?.0)));
        f.debug_map().entries(stones.map(|(point, seat)| (point.0, seat))).finish()
    }
}

/// Returns the part of a board's hash that a stone adds.
fn key(seat: Seat, point: Point) -> u64 {
    hash_of(&[u128::from(point.0)], u64::from(seat.0) + 1)
}

impl Board {
    /// Creates an empty board.
    pub(super) fn new(size: u8) -> Self {
        let mut cells = [Cell::Border; CELLS];
        for rank in 1..=size {
            for column in 1..=size {
                cells[Point::at(column, rank).index()] = Cell::Empty;
            }
        }
        Self { size, cells, hash: 0 }
    }

    /// Returns the number of files, equal to the number of ranks.
    pub(super) const fn size(&self) -> u8 {
        self.size
    }

    /// Returns a hash of the stones.
    pub(super) const fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns all points, rank by rank from a1.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size;
        (1..=size).flat_map(move |rank| (1..=size).map(move |column| Point::at(column, rank)))
    }

    pub(super) fn is_on_board(&self, point: Point) -> bool {
        self.cells[point.index()] != Cell::Border
    }

    /// Returns whose stone is on a point.
    pub(super) const fn at(&self, point: Point) -> Option<Seat> {
        if let Cell::Stone(seat) = self.cells[point.index()] { Some(seat) } else { None }
    }

    pub(super) fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == Cell::Empty
    }

    /// Puts a stone on an empty point without taking others.
    pub(super) fn put(&mut self, seat: Seat, point: Point) {
        self.cells[point.index()] = Cell::Stone(seat);
        self.hash ^= key(seat, point);
    }

    /// Takes a stone off the board.
    fn take(&mut self, point: Point) {
        if let Some(seat) = self.at(point) {
            self.hash ^= key(seat, point);
        }
        self.cells[point.index()] = Cell::Empty;
    }

    /// Returns all points that are joined to a point by points with the same on them.
    fn joined(&self, from: Point) -> Joined {
        let what = self.cells[from.index()];
        let mut joined = Joined::default();
        joined.add(from);
        while let Some(point) = joined.next() {
            for beside in point.beside() {
                if self.cells[beside.index()] == what {
                    joined.add(beside);
                }
            }
        }
        joined
    }

    /// Returns the chain of a stone.
    pub(super) fn chain(&self, stone: Point) -> PointSet {
        self.joined(stone).set
    }

    /// Returns the first stone of each chain, from a1 rank by rank.
    pub(super) fn chains(&self) -> Vec<Point> {
        let mut seen = PointSet::default();
        let stones = self.points().filter(|point| self.at(*point).is_some());
        stones
            .filter(|stone| {
                let is_new = !seen.contains(*stone);
                if is_new {
                    seen = seen.with(&self.chain(*stone));
                }
                is_new
            })
            .collect()
    }

    /// Returns the first stone of a chain.
    pub(super) fn first_of_chain(&self, stone: Point) -> Point {
        let joined = self.joined(stone);
        joined.points().min().unwrap_or(stone)
    }

    /// Returns whether the chain of a stone has a liberty besides a point.
    fn has_liberty_besides(&self, stone: Point, besides: Point) -> bool {
        let what = self.cells[stone.index()];
        let mut joined = Joined::default();
        joined.add(stone);
        while let Some(point) = joined.next() {
            for beside in point.beside() {
                match self.cells[beside.index()] {
                    Cell::Empty if beside != besides => return true,
                    cell if cell == what => joined.add(beside),
                    _ => {}
                }
            }
        }
        false
    }

    /// Returns a stone whose chain has no liberty.
    pub(super) fn without_liberty(&self) -> Option<Point> {
        let border = Point(0);
        self.chains().into_iter().find(|stone| !self.has_liberty_besides(*stone, border))
    }

    /// Returns the enemy's chains that a stone on an empty point takes, a stone of each.
    fn taken(&self, seat: Seat, point: Point) -> impl Iterator<Item = Point> + '_ {
        let is_taken = move |beside: &Point| {
            self.at(*beside) == Some(seat.other()) && !self.has_liberty_besides(*beside, point)
        };
        point.beside().into_iter().filter(is_taken)
    }

    /// Returns whether a stone on an empty point has a liberty, or takes enemy stones.
    pub(super) fn can_live(&self, seat: Seat, point: Point) -> bool {
        point.beside().into_iter().any(|beside| match self.cells[beside.index()] {
            Cell::Empty => true,
            Cell::Stone(owner) => (owner == seat) == self.has_liberty_besides(beside, point),
            Cell::Border => false,
        })
    }

    /// Returns the hash of the board after a stone on an empty point.
    pub(super) fn hash_after(&self, seat: Seat, point: Point) -> u64 {
        let mut taken = PointSet::default();
        let mut hash = self.hash ^ key(seat, point);
        for chain in self.taken(seat, point) {
            let chain = self.joined(chain);
            for stone in chain.points().filter(|stone| taken.insert(*stone)) {
                hash ^= key(seat.other(), stone);
            }
        }
        hash
    }

    /// Plays a stone on an empty point where it can live, and adds the stones that it takes to a list.
    pub(super) fn play(&mut self, seat: Seat, point: Point, taken: &mut Vec<Point>) {
        self.put(seat, point);
        for beside in point.beside() {
            // The point has a stone now, so none of its chains has it as a liberty.
            if self.at(beside) == Some(seat.other()) && !self.has_liberty_besides(beside, point) {
                for stone in self.joined(beside).points() {
                    self.take(stone);
                    taken.push(stone);
                }
            }
        }
    }

    /// Returns whether a stone is alone, and has no liberty besides a point.
    pub(super) fn is_alone_beside(&self, stone: Point, liberty: Point) -> bool {
        let own = self.cells[stone.index()];
        let is_closed = |beside: &Point| {
            let cell = self.cells[beside.index()];
            *beside == liberty || cell != Cell::Empty && cell != own
        };
        stone.beside().iter().all(is_closed)
    }

    /// Returns the side of a stone on a point or beside it.
    pub(super) fn owner_near(&self, point: Point) -> Option<Seat> {
        self.at(point).or_else(|| point.beside().into_iter().find_map(|beside| self.at(beside)))
    }

    /// Returns whether an empty point is a side's eye: its stones are all around, and the enemy cannot
    /// cut them apart diagonally.
    pub(super) fn is_eye(&self, seat: Seat, point: Point) -> bool {
        let own = |point: Point| {
            matches!(self.cells[point.index()], Cell::Border) || self.at(point) == Some(seat)
        };
        if !point.beside().into_iter().all(own) {
            return false;
        }
        let (mut borders, mut enemies) = (0, 0);
        for corner in point.diagonal() {
            match self.cells[corner.index()] {
                Cell::Border => borders = 1,
                Cell::Stone(owner) if owner != seat => enemies += 1,
                _ => {}
            }
        }
        enemies + borders < 2
    }

    /// Takes the stones of a set off the board.
    pub(super) fn without(&self, dead: &PointSet) -> Self {
        let mut board = *self;
        for point in self.points().filter(|point| dead.contains(*point)) {
            board.take(point);
        }
        board
    }

    /// Returns the side that holds each empty point: the one whose stones alone border its region.
    pub(super) fn territory(&self) -> Vec<(Point, Seat)> {
        let mut seen = PointSet::default();
        let mut territory = Vec::new();
        for point in self.points().filter(|point| self.is_empty(*point)) {
            if seen.contains(point) {
                continue;
            }
            let region = self.joined(point);
            seen = seen.with(&region.set);
            let beside = region.points().flat_map(Point::beside);
            let mut owners = beside.filter_map(|beside| self.at(beside));
            if let Some(owner) = owners.next()
                && owners.all(|other| other == owner)
            {
                territory.extend(region.points().map(|point| (point, owner)));
            }
        }
        territory
    }

    /// Returns the points that each side holds: those of its stones and its territory.
    pub(super) fn area(&self) -> [u32; 2] {
        let stones = self.points().filter_map(|point| self.at(point));
        let territory = self.territory().into_iter().map(|(_, owner)| owner);
        stones.chain(territory).fold([0; 2], |mut area, owner| {
            area[owner.index()] += 1;
            area
        })
    }
}

/// Points found by a search, in the order in which they were found.
struct Joined {
    set: PointSet,
    found: [Point; MAX_SIZE as usize * MAX_SIZE as usize],
    many: usize,
    /// How many of them were left behind.
    left: usize,
}

impl Default for Joined {
    fn default() -> Self {
        let found = [Point(0); MAX_SIZE as usize * MAX_SIZE as usize];
        Self { set: PointSet::default(), found, many: 0, left: 0 }
    }
}

impl Joined {
    fn add(&mut self, point: Point) {
        if self.set.insert(point) {
            self.found[self.many] = point;
            self.many += 1;
        }
    }

    /// Returns the next point to search from.
    fn next(&mut self) -> Option<Point> {
        let next = (self.left < self.many).then(|| self.found[self.left]);
        self.left += 1;
        next
    }

    fn points(&self) -> impl Iterator<Item = Point> + '_ {
        self.found[..self.many].iter().copied()
    }
}
