//! The cells of a board of hexagons with what they touch, and the chains of stones on them by union-find.

use crate::kit::cell::Cell;
use crate::kit::{HexShape, MAX_FILES, Seat};
use std::sync::OnceLock;

/// The marks of the edges of a board, in the order of the geometry; a hexagon's corners follow its sides.
pub(crate) const TOP: u16 = 1;
pub(crate) const BOTTOM: u16 = 1 << 1;
pub(crate) const LEFT: u16 = 1 << 2;
pub(crate) const RIGHT: u16 = 1 << 3;
/// The three sides of a triangle.
pub(crate) const TRIANGLE: u16 = 0b111;
/// The six sides of a hexagon without its corners, and the six corners.
pub(crate) const SIDES_OF_HEXAGON: u16 = 0b11_1111;
pub(crate) const CORNERS: u16 = SIDES_OF_HEXAGON << 6;

/// The cells of a board.
#[derive(Debug)]
pub(super) struct Geometry {
    /// The cells, each with its place in a list of all cells of its files and ranks.
    pub(super) cells: Vec<(Cell, usize)>,
    /// The neighbours at each place of that list, in a circle.
    neighbours: Vec<[Option<u16>; 6]>,
    /// What the cell at each place touches.
    marks: Vec<u16>,
}

impl Geometry {
    /// Returns the geometry of a board of this size.
    pub(super) fn of(shape: HexShape, files: u8) -> &'static Self {
        const MANY: usize = MAX_FILES as usize + 1;
        static KNOWN: [[OnceLock<Geometry>; MANY]; 3] =
            [const { [const { OnceLock::new() }; MANY] }; 3];
        let number = match shape {
            HexShape::Rhombus => 0,
            HexShape::Triangle => 1,
            HexShape::Hexagon => 2,
        };
        KNOWN[number][usize::from(files)].get_or_init(|| Self::new(shape, files))
    }

    fn new(shape: HexShape, files: u8) -> Self {
        let is_cell = |cell: &Cell| shape.has(files, cell.file, cell.rank);
        let place = |cell: Cell| cell.index(files);
        let cells: Vec<(Cell, usize)> = Cell::all(files)
            .filter(is_cell)
            .filter_map(|cell| Some((cell, place(cell)?)))
            .collect();
        let many = usize::from(files).pow(2);
        let (mut neighbours, mut marks) = (vec![[None; 6]; many], vec![0; many]);
        let mut corners = 0;
        for &(cell, at) in &cells {
            neighbours[at] = shape.neighbours().map(|step| {
                let next = cell.beside(step, files).filter(is_cell).and_then(place);
                next.and_then(|next| u16::try_from(next).ok())
            });
            marks[at] = touched(shape, files, cell);
            if shape == HexShape::Hexagon && marks[at].count_ones() == 2 {
                marks[at] = 1 << (6 + corners);
                corners += 1;
            }
        }
        Self { cells, neighbours, marks }
    }
}

/// Returns the edges that a cell touches.
fn touched(shape: HexShape, files: u8, Cell { file, rank }: Cell) -> u16 {
    let side = files.div_ceil(2);
    let edges = match shape {
        HexShape::Rhombus => [rank == 1, rank == files, file == 1, file == files, false, false],
        HexShape::Triangle => [rank == 1, file == 1, file + rank == files + 1, false, false, false],
        HexShape::Hexagon => [
            rank == 1,
            rank == files,
            file == 1,
            file == files,
            file + 1 == rank + side,
            rank + 1 == file + side,
        ],
    };
    (0..).zip(edges).map(|(number, touches)| u16::from(touches) << number).sum()
}

/// What a stone has made of its chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    /// The marks of all cells of the chain.
    pub(crate) marks: u16,
    /// Whether the stone has closed a ring around at least one cell.
    pub(crate) has_ring: bool,
}

/// The chains of the stones of both sides.
pub(super) struct Chains<'a> {
    geometry: &'a Geometry,
    /// For each stone another one of its chain, or itself.
    parents: Vec<u16>,
    /// For each stone that is its own parent, the marks of its chain.
    marks: Vec<u16>,
}

impl<'a> Chains<'a> {
    /// Creates the chains of a board without stones.
    pub(super) fn new(geometry: &'a Geometry) -> Self {
        let many = u16::try_from(geometry.marks.len()).unwrap_or(u16::MAX);
        Self { geometry, parents: (0..many).collect(), marks: geometry.marks.clone() }
    }

    /// Returns the chains of some stones.
    pub(super) fn of(geometry: &'a Geometry, stones: &[Option<Seat>]) -> Self {
        let mut chains = Self::new(geometry);
        for &(_, at) in &geometry.cells {
            let Some(seat) = stones[at] else { continue };
            for next in geometry.neighbours[at].into_iter().flatten() {
                if usize::from(next) < at && stones[usize::from(next)] == Some(seat) {
                    chains.join(at, usize::from(next));
                }
            }
        }
        chains
    }

    /// Returns the root of a stone's chain and halves the path to it.
    fn root(&mut self, mut at: usize) -> usize {
        while usize::from(self.parents[at]) != at {
            let next = self.parents[usize::from(self.parents[at])];
            self.parents[at] = next;
            at = usize::from(next);
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if one != other {
            // Indices of a board of 26 files are below 2^16.
            self.parents[one] = u16::try_from(other).unwrap_or(u16::MAX);
            self.marks[other] |= self.marks[one];
        }
    }

    /// Adds a stone that is already in the list, and says what its chain touches now.
    ///
    /// A ring goes through two neighbours of the stone that closes it. If these do not touch around the
    /// stone, they were in one chain before it, and the cells between them on one side are inside. If they
    /// do, there is a cell inside whose neighbours are all of that side.
    pub(super) fn add(&mut self, stones: &[Option<Seat>], at: usize) -> Touched {
        let is_own = |place: Option<u16>| {
            place.is_some_and(|place| stones[usize::from(place)] == stones[at])
        };
        let around = self.geometry.neighbours[at];
        let begins = |index: &usize| is_own(around[*index]) && !is_own(around[(*index + 5) % 6]);
        let mut arcs = [None; 3];
        for (arc, index) in arcs.iter_mut().zip((0..6).filter(begins)) {
            *arc = around[index].map(|next| self.root(usize::from(next)));
        }
        let [one, two, three] = arcs;
        let is_closed = two.is_some() && (one == two || two == three || one == three);
        let is_inside = |place: u16| {
            self.geometry.neighbours[usize::from(place)].iter().all(|next| is_own(*next))
        };
        let has_ring = is_closed
            || around.into_iter().flatten().any(|next| is_own(Some(next)) && is_inside(next));
        for next in around.into_iter().flatten() {
            if is_own(Some(next)) {
                self.join(at, usize::from(next));
            }
        }
        let root = self.root(at);
        Touched { marks: self.marks[root], has_ring }
    }
}
