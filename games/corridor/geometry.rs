//! The walled board: its points, its walls and the possible hops.

use crate::kit::{Seat, Wall};
use std::fmt::{self, Debug, Display};
use std::sync::LazyLock;

/// The largest number of files and ranks; the stride of a file in tables.
const LONGEST: u8 = 12;

/// The number of points in tables.
pub(crate) const POINTS: usize = 144;

/// The largest number on a die.
const LARGEST_DIE: u8 = 6;

/// A point of the board, ordered by file, then by rank.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Point(u8);

impl Point {
    /// Returns the point on a file and rank, both counted from 0.
    pub(crate) const fn new(file: u8, rank: u8) -> Self {
        Self(file * LONGEST + rank)
    }

    pub(crate) const fn file(self) -> u8 {
        self.0 / LONGEST
    }

    pub(crate) const fn rank(self) -> u8 {
        self.0 % LONGEST
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the distance of two points on one file or rank.
    pub(crate) const fn apart(self, other: Self) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PointSet([u64; 3]);

impl PointSet {
    /// No points.
    pub(crate) const NONE: Self = Self([0; 3]);

    pub(crate) fn contains(self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, point: Point) {
        self.0[point.index() / 64] |= 1 << (point.index() % 64);
    }

    pub(crate) fn remove(&mut self, point: Point) {
        self.0[point.index() / 64] &= !(1 << (point.index() % 64));
    }

    pub(crate) fn without(self, others: Self) -> Self {
        let mut rest = self;
        rest.0.iter_mut().zip(others.0).for_each(|(points, other)| *points &= !other);
        rest
    }

    /// Returns the points of either set.
    pub(crate) fn union(self, others: Self) -> Self {
        let mut all = self;
        all.0.iter_mut().zip(others.0).for_each(|(points, other)| *points |= other);
        all
    }

    /// Returns the points in both sets.
    pub(crate) fn intersection(self, others: Self) -> Self {
        let mut both = self;
        both.0.iter_mut().zip(others.0).for_each(|(points, other)| *points &= other);
        both
    }

    /// Returns the points in ascending order.
    pub(crate) fn iter(mut self) -> impl Iterator<Item = Point> {
        std::iter::from_fn(move || {
            let word = self.0.iter().position(|&word| word != 0)?;
            let bit = self.0[word].trailing_zeros();
            self.0[word] &= self.0[word] - 1;
            u8::try_from(word * 64 + bit as usize).ok().map(Point)
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::default();
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

/// A direction along the lines of the board, as it is drawn: file a is on the left, rank 1 below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To higher ranks.
    Up,
    /// To lower ranks.
    Down,
    /// To later files.
    Right,
    /// To earlier files.
    Left,
}

impl Direction {
    pub(crate) const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Right, Self::Left];

    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Right => Self::Left,
            Self::Left => Self::Right,
        }
    }
}

impl Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Right => "to the right",
            Self::Left => "to the left",
        })
    }
}

/// The forward direction in each of the nine subareas, the top row first, for O and for X (S0).
const FORWARD: [[&[u8; 3]; 3]; 2] = [
    [
        b">v^", //
        b"^v^", //
        b"^>^",
    ],
    [
        b"v<v", //
        b"v^v", //
        b"v^<",
    ],
];

/// The direction in which a side jumps over walls: "never backwards" (S0).
pub(crate) const JUMPS: [Direction; 2] = [Direction::Right, Direction::Left];

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardSize {
    /// Nine files and ranks: subareas of 3 x 3 points.
    Nine,
    /// Twelve files and ranks: subareas of 4 x 4 points.
    Twelve,
}

impl BoardSize {
    /// Returns the board of this size.
    pub(crate) fn geometry(self) -> &'static Geometry {
        static NINE: LazyLock<Geometry> = LazyLock::new(|| Geometry::new(3));
        static TWELVE: LazyLock<Geometry> = LazyLock::new(|| Geometry::new(4));
        match self {
            Self::Nine => &NINE,
            Self::Twelve => &TWELVE,
        }
    }
}

/// A hop that the geometry allows, subject to the men at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PossibleHop {
    pub(crate) to: Point,
    pub(crate) die: u8,
    /// Whether it jumps over a wall; otherwise it is a step.
    pub(crate) jumps: bool,
}

/// The precomputed geometry of a board.
pub(crate) struct Geometry {
    /// The number of files of a subarea, equal to its ranks.
    k: u8,
    walls: [Wall; 2],
    reach: [[Vec<PossibleHop>; POINTS]; 2],
    /// The same hops, by die.
    reach_by: [Vec<[Vec<PossibleHop>; LARGEST_DIE as usize]>; 2],
    neighbours: [PointSet; POINTS],
    distance: [[u8; POINTS]; 2],
    goal: [PointSet; 2],
}

impl Geometry {
    /// Builds the board of nine subareas of `k` x `k` points.
    fn new(k: u8) -> Self {
        // Both walls are two subareas long: the left one begins at the bottom, the right one ends
        // at the top (S0's pictures).
        let walls = [
            Wall { after_file: k, from_rank: 1, to_rank: 2 * k },
            Wall { after_file: 2 * k, from_rank: k + 1, to_rank: 3 * k },
        ];
        let mut board = Self {
            k,
            walls,
            reach: [const { [const { Vec::new() }; POINTS] }; 2],
            reach_by: Seat::BOTH.map(|_| vec![Default::default(); POINTS]),
            neighbours: [PointSet::NONE; POINTS],
            distance: [[0; POINTS]; 2],
            goal: Seat::BOTH.map(|seat| (0..k).map(|file| home(k, seat.other(), file)).collect()),
        };
        let points: Vec<Point> = board.points().collect();
        for &from in &points {
            for seat in Seat::BOTH {
                let all = board.all_from(seat, from);
                for reach in &all {
                    let die = usize::from(reach.die - 1);
                    board.reach_by[seat.index()][from.index()][die].push(*reach);
                }
                board.reach[seat.index()][from.index()] = all;
            }
            let next =
                Direction::ALL.into_iter().filter_map(|direction| board.along(from, direction, 1));
            board.neighbours[from.index()] = next.filter(|&to| board.is_open(from, to)).collect();
        }
        for seat in Seat::BOTH {
            board.distance[seat.index()] = board.distances(board.goal[seat.index()]);
        }
        board
    }

    /// Returns the number of files of the board, equal to its ranks.
    pub(crate) fn size(&self) -> u8 {
        3 * self.k
    }

    /// Returns the number of files of a subarea.
    pub(crate) fn subarea(&self) -> u8 {
        self.k
    }

    pub(crate) fn walls(&self) -> [Wall; 2] {
        self.walls
    }

    /// Returns every point of the board, in order.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.size();
        (0..size).flat_map(move |file| (0..size).map(move |rank| Point::new(file, rank)))
    }

    /// Returns a side's goal edge: the other side's home edge (S0, S1).
    pub(crate) fn goal(&self, seat: Seat) -> PointSet {
        self.goal[seat.index()]
    }

    /// Returns the adjacent points with no wall between (S2 "the corridor").
    pub(crate) fn neighbours(&self, point: Point) -> PointSet {
        self.neighbours[point.index()]
    }

    /// Returns the number of single steps of a side's man to its goal edge.
    pub(crate) fn distance(&self, seat: Seat, point: Point) -> u8 {
        self.distance[seat.index()][point.index()]
    }

    /// Returns every hop of a side's man from a point, ordered by its end.
    pub(crate) fn reach(&self, seat: Seat, from: Point) -> &[PossibleHop] {
        &self.reach[seat.index()][from.index()]
    }

    /// Returns every hop of a side's man from a point by one die, in the same order.
    pub(crate) fn reach_by(&self, die: u8, seat: Seat, from: Point) -> &[PossibleHop] {
        &self.reach_by[seat.index()][from.index()][usize::from(die - 1)]
    }

    /// Returns the forward direction of a side's men on a point.
    pub(crate) fn forward(&self, seat: Seat, point: Point) -> Direction {
        let row = FORWARD[seat.index()][usize::from(2 - point.rank() / self.k)];
        match row[usize::from(point.file() / self.k)] {
            b'^' => Direction::Up,
            b'v' => Direction::Down,
            b'>' => Direction::Right,
            _ => Direction::Left,
        }
    }

    /// Returns the point at a distance; `None` outside the board.
    pub(crate) fn along(&self, from: Point, direction: Direction, by: u8) -> Option<Point> {
        let (file, rank) = (from.file(), from.rank());
        let (file, rank) = match direction {
            Direction::Up => (Some(file), rank.checked_add(by)),
            Direction::Down => (Some(file), rank.checked_sub(by)),
            Direction::Right => (file.checked_add(by), Some(rank)),
            Direction::Left => (file.checked_sub(by), Some(rank)),
        };
        self.point(file?, rank?)
    }

    /// Returns the point on a file and rank, counted from 0; `None` outside the board.
    pub(crate) fn point(&self, file: u8, rank: u8) -> Option<Point> {
        (file < self.size() && rank < self.size()).then(|| Point::new(file, rank))
    }

    /// Returns the walls between two points of one rank.
    pub(crate) fn walls_between(&self, a: Point, b: Point) -> impl Iterator<Item = Wall> {
        let (left, right) = (a.file().min(b.file()), a.file().max(b.file()));
        let rank = a.rank() + 1;
        self.walls.into_iter().filter(move |wall| {
            (wall.from_rank..=wall.to_rank).contains(&rank)
                && (left + 1..=right).contains(&wall.after_file)
        })
    }

    fn is_open(&self, a: Point, b: Point) -> bool {
        self.walls_between(a, b).count() == 0
    }

    fn all_from(&self, seat: Seat, from: Point) -> Vec<PossibleHop> {
        let by = |die| {
            let step =
                self.step_from(seat, from, die).map(|to| PossibleHop { to, die, jumps: false });
            let jump =
                self.jump_from(seat, from, die).map(|to| PossibleHop { to, die, jumps: true });
            step.into_iter().chain(jump)
        };
        let mut all: Vec<PossibleHop> = (1..=LARGEST_DIE).flat_map(by).collect();
        all.sort_unstable();
        all
    }

    /// Returns the step by a die: forward in a straight line with no wall between (S0).
    fn step_from(&self, seat: Seat, from: Point, die: u8) -> Option<Point> {
        self.along(from, self.forward(seat, from), die).filter(|&to| self.is_open(from, to))
    }

    /// Returns the jump by a die: over exactly one wall, whatever the forward direction, but never
    /// back (S0).
    fn jump_from(&self, seat: Seat, from: Point, die: u8) -> Option<Point> {
        self.along(from, JUMPS[seat.index()], die)
            .filter(|&to| self.walls_between(from, to).count() == 1)
    }

    /// Returns the number of single steps from every point to the nearest of `goal`.
    fn distances(&self, to: PointSet) -> [u8; POINTS] {
        let mut distance = [u8::MAX; POINTS];
        let mut reached: Vec<Point> = to.iter().collect();
        for point in &reached {
            distance[point.index()] = 0;
        }
        let mut next = 0;
        while let Some(&point) = reached.get(next) {
            next += 1;
            for neighbour in self.neighbours(point).iter() {
                if distance[neighbour.index()] == u8::MAX {
                    distance[neighbour.index()] = distance[point.index()] + 1;
                    reached.push(neighbour);
                }
            }
        }
        distance
    }

    /// Returns the point after a half turn of the board.
    pub(crate) fn turned(&self, point: Point) -> Point {
        Point::new(self.size() - 1 - point.file(), self.size() - 1 - point.rank())
    }
}

/// Returns a point of a side's home edge: O's is at the lower left, X's at the upper right (S0).
fn home(k: u8, seat: Seat, file: u8) -> Point {
    match seat {
        Seat(0) => Point::new(file, 0),
        Seat(_) => Point::new(2 * k + file, 3 * k - 1),
    }
}
