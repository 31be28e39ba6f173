//! The pegs and links of a board, which links cross, and how many pegs a side needs to join its edges.

use crate::kit::Seat;
use crate::kit::cell::Cell;
use std::ops::{BitAnd, BitOr, Not};
use std::sync::LazyLock;

/// The files and ranks of the largest board.
const MOST: usize = 24;

/// The steps of links from their left end: files to the right, and ranks.
const STEPS: [[i8; 2]; 4] = [[1, 2], [2, 1], [2, -1], [1, -2]];

/// A link that crosses one from a hole: the files and ranks from that hole to its left end, and its step.
type Crossing = ([i8; 2], usize);

/// For each step of a link, the links that cross it.
static CROSSINGS: LazyLock<[Vec<Crossing>; 4]> = LazyLock::new(|| STEPS.map(crossings));

/// A link by its left end and its step, an index of [`STEPS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    left: Cell,
    step: usize,
}

/// A set of holes: a bit for each file, rank by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Holes([u32; MOST]);

/// The pegs and links of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The number of files, equal to the number of ranks.
    pub(super) size: u8,
    /// Whether links of one side may cross each other.
    pub(super) own_may_cross: bool,
    /// The holes that each side may use.
    usable: [Holes; 2],
    pegs: [Holes; 2],
    /// The links of each side: for each step the left ends.
    links: [[Holes; STEPS.len()]; 2],
    /// The links that each side may lay as far as other links are concerned: for each step the left ends.
    open: [[Holes; STEPS.len()]; 2],
}

/// The shortest chains of links that would join the edges of a side if the other side passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chains {
    /// How many further pegs they need; `None` if the side cannot join its edges any more.
    pub(super) needs: Option<usize>,
    /// The empty holes in chains that need no peg, one, two and three pegs more.
    pub(super) detours: [Holes; 4],
}

impl BitAnd for Holes {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|row| self.0[row] & other.0[row]))
    }
}

impl BitOr for Holes {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|row| self.0[row] | other.0[row]))
    }
}

impl Not for Holes {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(Not::not))
    }
}

impl FromIterator<Cell> for Holes {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Self {
        let mut holes = Self::default();
        cells.into_iter().for_each(|cell| holes.set(cell, true));
        holes
    }
}

impl Holes {
    pub(super) fn contains(&self, cell: Cell) -> bool {
        let row = self.0.get(usize::from(cell.rank) - 1);
        row.is_some_and(|row| row >> (cell.file - 1) & 1 != 0)
    }

    fn set(&mut self, cell: Cell, is_in: bool) {
        if let Some(row) = self.0.get_mut(usize::from(cell.rank) - 1) {
            let bit = 1 << (cell.file - 1);
            *row = if is_in { *row | bit } else { *row & !bit };
        }
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }

    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns the holes at the other ends of links, which are given for each step by their left ends.
    fn along(&self, links: &[Self; STEPS.len()]) -> Self {
        let mut reached = Self::default();
        if self.is_empty() {
            return reached;
        }
        for (lefts, [right, up]) in links.iter().zip(STEPS) {
            let ranks = usize::from(up.unsigned_abs());
            let (low, high) = (0..MOST - ranks, ranks..MOST);
            let [left, other] = if up > 0 { [low, high] } else { [high, low] };
            let lefts = &lefts.0[left.clone()];
            let to = reached.0[other.clone()].iter_mut().zip(&self.0[left.clone()]).zip(lefts);
            to.for_each(|((to, from), link)| *to |= (from & link) << right);
            let back = reached.0[left].iter_mut().zip(&self.0[other]).zip(lefts);
            back.for_each(|((to, from), link)| *to |= from >> right & link);
        }
        reached
    }
}

/// Returns on which side of a line through two places a third one is: the sign tells.
fn side([from, to]: [[i8; 2]; 2], at: [i8; 2]) -> i16 {
    let less = |one: [i8; 2], other: [i8; 2]| [0, 1].map(|axis| i16::from(one[axis] - other[axis]));
    let (along, beside) = (less(to, from), less(at, from));
    along[0] * beside[1] - along[1] * beside[0]
}

/// Returns the links that cross one from the origin. A link has no hole between its ends, so links that
/// touch without crossing have a common end.
fn crossings(step: [i8; 2]) -> Vec<([i8; 2], usize)> {
    let one = [[0, 0], step];
    let places = (-2..=2).flat_map(|right| (-4..=4).map(move |up| [right, up]));
    let all = places.flat_map(|left| (0..STEPS.len()).map(move |step| (left, step)));
    all.filter(|(left, step)| {
        let [right, up] = STEPS[*step];
        let other = [*left, [left[0] + right, left[1] + up]];
        let parts = |line, ends: [[i8; 2]; 2]| side(line, ends[0]) * side(line, ends[1]) < 0;
        parts(one, other) && parts(other, one)
    })
    .collect()
}

impl Link {
    /// Returns both ends, the left one first.
    pub(super) fn ends(self, size: u8) -> Option<[Cell; 2]> {
        self.left.beside(STEPS[self.step], size).map(|right| [self.left, right])
    }

    /// Returns the link between two holes a knight's move apart.
    pub(super) fn between(one: Cell, other: Cell, size: u8) -> Option<Self> {
        let links =
            [one, other].into_iter().flat_map(|left| (0..4).map(move |step| Self { left, step }));
        let mut links = links.filter(|link| {
            link.ends(size).is_some_and(|ends| ends == [one, other] || ends == [other, one])
        });
        links.next()
    }
}

impl Board {
    /// Creates a board without pegs.
    pub(super) fn new(size: u8, own_may_cross: bool) -> Self {
        let is_end = |number: u8| number == 1 || number == size;
        // Neither side may use the corners.
        let usable = [0, 1].map(|side| {
            let is_usable = |cell: &Cell| !is_end([cell.file, cell.rank][side]);
            Cell::all(size).filter(is_usable).collect::<Holes>()
        });
        let open = usable.map(|usable| {
            STEPS.map(|step| {
                let has = |cell: Cell| usable.contains(cell);
                let is_open = |left: &Cell| has(*left) && left.beside(step, size).is_some_and(has);
                Cell::all(size).filter(is_open).collect()
            })
        });
        Self {
            size,
            own_may_cross,
            usable,
            pegs: Default::default(),
            links: Default::default(),
            open,
        }
    }

    /// Returns whether a board has a hole there: its corners have none.
    pub(super) fn has(&self, cell: Cell) -> bool {
        self.usable.iter().any(|usable| usable.contains(cell))
    }

    /// Returns whether a side may use a hole: not behind the lines of the other side.
    pub(super) fn may_use(&self, seat: Seat, cell: Cell) -> bool {
        self.usable[seat.index()].contains(cell)
    }

    /// Returns the peg in a hole.
    pub(super) fn peg(&self, cell: Cell) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|seat| self.pegs[seat.index()].contains(cell))
    }

    /// Returns all pegs, rank by rank.
    pub(super) fn pegs(&self) -> impl Iterator<Item = (Cell, Seat)> + '_ {
        Cell::all(self.size).filter_map(|cell| self.peg(cell).map(|seat| (cell, seat)))
    }

    pub(super) fn count(&self, seat: Seat) -> usize {
        self.pegs[seat.index()].count()
    }

    /// Returns the empty holes that a side may use.
    fn empty(&self, seat: Seat) -> Holes {
        let [o, x] = self.pegs;
        self.usable[seat.index()] & !(o | x)
    }

    pub(super) fn can_move(&self, seat: Seat) -> bool {
        !self.empty(seat).is_empty()
    }

    /// Returns the empty holes that a side may use, rank by rank.
    pub(super) fn free(&self, seat: Seat) -> impl Iterator<Item = Cell> + use<> {
        let empty = self.empty(seat);
        Cell::all(self.size).filter(move |cell| empty.contains(*cell))
    }

    /// Returns the links that are laid, each with its side.
    pub(super) fn links(&self) -> impl Iterator<Item = (Link, Seat)> + '_ {
        self.pegs().flat_map(|(left, seat)| {
            let links = self.links[seat.index()].iter().enumerate();
            let own = links.filter(move |(_, lefts)| lefts.contains(left));
            own.map(move |(step, _)| (Link { left, step }, seat))
        })
    }

    /// Returns whether a side may lay a link as far as other links are concerned.
    pub(super) fn may_lay(&self, link: Link, seat: Seat) -> bool {
        self.open[seat.index()][link.step].contains(link.left)
    }

    /// Puts a peg into a hole without links, or takes it away.
    pub(super) fn put(&mut self, cell: Cell, peg: Option<Seat>) {
        for seat in Seat::BOTH {
            self.pegs[seat.index()].set(cell, peg == Some(seat));
        }
    }

    /// Lays a link.
    pub(super) fn lay(&mut self, link: Link, seat: Seat) {
        self.links[seat.index()][link.step].set(link.left, true);
        let barred = if self.own_may_cross { &[seat.other()][..] } else { &Seat::BOTH };
        for (place, step) in &CROSSINGS[link.step] {
            if let Some(left) = link.left.beside(*place, self.size) {
                for seat in barred {
                    self.open[seat.index()][*step].set(left, false);
                }
            }
        }
    }

    /// Puts a peg into a hole and links it with all pegs of its side a knight's move away, where no link
    /// is in the way.
    pub(super) fn play(&mut self, cell: Cell, seat: Seat) {
        self.put(cell, Some(seat));
        for (step, [right, up]) in STEPS.into_iter().enumerate() {
            let ahead = cell.beside([right, up], self.size).map(|other| (cell, other));
            let back = cell.beside([-right, -up], self.size).map(|other| (other, other));
            for (left, other) in ahead.into_iter().chain(back) {
                let link = Link { left, step };
                if self.peg(other) == Some(seat) && self.may_lay(link, seat) {
                    self.lay(link, seat);
                }
            }
        }
    }

    /// Returns the holes on an edge of a side, the first one or else the last one.
    fn edge(&self, seat: Seat, first: bool) -> Holes {
        let number = if first { 1 } else { self.size };
        let all = (1..=self.size).map(|along| match seat {
            Seat(0) => Cell { file: along, rank: number },
            _ => Cell { file: number, rank: along },
        });
        all.collect()
    }

    /// Returns the pegs of a side that links join with some of its pegs, those included.
    fn linked(&self, seat: Seat, mut pegs: Holes) -> Holes {
        loop {
            let more = pegs.along(&self.links[seat.index()]) & !pegs;
            if more.is_empty() {
                return pegs;
            }
            pegs = pegs | more;
        }
    }

    /// Returns the holes that chains from an edge of a side reach with no further peg, with one, with two
    /// and so on, the peg in the hole included. The other side is taken to pass.
    fn layers(&self, seat: Seat, edge: Holes) -> Vec<Holes> {
        let (own, empty) = (self.pegs[seat.index()], self.empty(seat));
        let open = &self.open[seat.index()];
        let (mut layers, mut seen) = (Vec::new(), Holes::default());
        let (mut holes, mut reached) = (Holes::default(), edge);
        loop {
            // Links are laid with a peg: two pegs that are not linked will never be.
            let pegs = self.linked(seat, reached & own & !seen);
            layers.push(holes | pegs);
            seen = seen | holes | pegs;
            holes = (reached | pegs.along(open)) & empty & !seen;
            if holes.is_empty() {
                return layers;
            }
            reached = holes.along(open);
        }
    }

    /// Finds the shortest chains of a side.
    pub(super) fn chains(&self, seat: Seat) -> Chains {
        let edges = [true, false].map(|first| self.edge(seat, first));
        let [from, to] = edges.map(|edge| self.layers(seat, edge));
        let Some(needs) = from.iter().position(|layer| !(*layer & edges[1]).is_empty()) else {
            return Chains::default();
        };
        // Both layers of an empty hole count its peg.
        let with = |sum: usize| {
            let pairs = from.iter().enumerate().filter_map(|(before, layer)| {
                let after = to.get(sum.checked_sub(before)?)?;
                Some(*layer & *after)
            });
            pairs.fold(Holes::default(), |all, holes| all | holes) & self.empty(seat)
        };
        Chains { needs: Some(needs), detours: [1, 2, 3, 4].map(|more| with(needs + more)) }
    }
}
