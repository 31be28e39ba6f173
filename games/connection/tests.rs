//! The slow reference for games of connection, and tests that they share.

use super::*;
use crate::kit::Chance;
use crate::kit::fixtures::start;
use std::collections::HashSet;

impl<G> Position<G> {
    pub(crate) const fn files(&self) -> u8 {
        self.files
    }

    pub(crate) fn winner(&self) -> Option<Seat> {
        self.won.map(|(seat, _)| seat)
    }
}

pub(crate) fn cell(name: &str) -> Cell {
    Cell::parse(name).unwrap()
}

/// Returns the position in which each side has these stones, without turns.
pub(crate) fn with_stones<G: ConnectionGame>(
    words: &[&str],
    own: &str,
    other: &str,
) -> Position<G> {
    let mut position = start::<Position<G>>(words);
    for (seat, names) in Seat::BOTH.into_iter().zip([own, other]) {
        for name in names.split_whitespace() {
            assert!(position.index(cell(name)).is_some(), "{name}");
            position.put(cell(name), Some(seat));
        }
    }
    position.won = position.find_winner().unwrap();
    position
}

/// Tells who has won and how.
pub(crate) fn won<G: ConnectionGame>(position: &Position<G>) -> Option<(Seat, &'static str)> {
    position.won.map(|(seat, way)| (seat, G::REASONS[way]))
}

/// A cell by its file and rank, which may be beside the board.
type Place = (i16, i16);

/// The stones of one side for the slow reference.
pub(crate) struct Flood {
    pub(crate) cells: HashSet<Place>,
    pub(crate) own: HashSet<Place>,
    steps: [Place; 6],
}

impl Flood {
    /// `steps` lead to the six neighbours of a cell.
    pub(crate) fn of<G: ConnectionGame>(
        position: &Position<G>,
        seat: Seat,
        steps: [Place; 6],
    ) -> Self {
        let place = |cell: Cell| (i16::from(cell.file), i16::from(cell.rank));
        let own = position.cells().filter(|cell| position.at(*cell) == Some(seat));
        Self { cells: position.cells().map(place).collect(), own: own.map(place).collect(), steps }
    }

    pub(crate) fn beside(&self, (file, rank): Place) -> [Place; 6] {
        self.steps.map(|(right, up)| (file + right, rank + up))
    }

    /// Adds what is reached from a place over places that may be entered, and the place itself.
    fn reach(&self, from: Place, may_enter: impl Fn(Place) -> bool, seen: &mut HashSet<Place>) {
        let mut open = vec![from];
        seen.insert(from);
        while let Some(place) = open.pop() {
            for next in self.beside(place) {
                if may_enter(next) && seen.insert(next) {
                    open.push(next);
                }
            }
        }
    }

    /// Returns the chains.
    pub(crate) fn chains(&self) -> Vec<HashSet<Place>> {
        let mut chains: Vec<HashSet<Place>> = Vec::new();
        for from in &self.own {
            if chains.iter().all(|chain| !chain.contains(from)) {
                let mut chain = HashSet::new();
                self.reach(*from, |next| self.own.contains(&next), &mut chain);
                chains.push(chain);
            }
        }
        chains
    }

    /// Returns whether a cell is enclosed: over cells without own stones, nothing beside the board is
    /// reached from it.
    pub(crate) fn has_ring(&self) -> bool {
        let is_beside =
            |place: Place| self.beside(place).iter().any(|next| !self.cells.contains(next));
        let is_open = |place: Place| self.cells.contains(&place) && !self.own.contains(&place);
        let mut outside = HashSet::new();
        for place in self.cells.iter().copied().filter(|place| is_open(*place) && is_beside(*place))
        {
            self.reach(place, is_open, &mut outside);
        }
        let leads_out = |place: Place| self.beside(place).iter().any(|next| outside.contains(next));
        let mut cells = self.cells.iter().copied();
        cells.any(|cell| !outside.contains(&cell) && !is_beside(cell) && !leads_out(cell))
    }
}

/// The neighbours on a rhombus and a triangle.
pub(crate) const STEPS: [Place; 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];

/// Plays random games with each of these options in turn. The winner after each of so many moves on the
/// average, and at the end, is that of the slow reference. Returns how many games each side won, and the
/// draws.
pub(crate) fn winners_are_those_of_a_flood<G: ConnectionGame>(
    boards: &[&[&str]],
    games: usize,
    every: usize,
    flooded: impl Fn(&Position<G>) -> Option<(Seat, usize)>,
) -> [u32; 3] {
    let mut chance = Chance::new(37);
    let mut ends = [0; 3];
    for words in boards.iter().cycle().take(games) {
        let mut position = start::<Position<G>>(words);
        let mut before = position.clone();
        while let Next::Move(_) = position.next() {
            before.clone_from(&position);
            let moves = position.moves();
            // A swap before the end of the board is rare.
            let swap =
                moves.last().copied().filter(|m| *m == CellMove::Swap && chance.below(2) == 0);
            position.play(&swap.unwrap_or_else(|| moves[chance.below(moves.len())]));
            if chance.below(every) == 0 || position.is_over() {
                assert_eq!(position.won, flooded(&position), "{}", position.notation());
                assert_eq!(position.find_winner(), Ok(position.won), "{}", position.notation());
            }
        }
        // The last stone has decided, not one before it.
        assert_eq!(flooded(&before), None, "{}", before.notation());
        ends[position.won.map_or(2, |(seat, _)| seat.index())] += 1;
    }
    ends
}

/// Fills boards of all sizes at random. Each has a winner, that of the slow reference.
pub(crate) fn full_boards_have_the_winner_of_a_flood<G: ConnectionGame>(
    flooded: impl Fn(&Position<G>) -> Option<(Seat, usize)>,
) {
    let mut chance = Chance::new(5);
    for size in G::SIZES.iter().cycle().take(300) {
        let mut position = start::<Position<G>>(&[&format!("size={size}")]);
        let mut free: Vec<Cell> = position.cells().collect();
        let mut seat = Seat(0);
        while !free.is_empty() {
            position.put(free.swap_remove(chance.below(free.len())), Some(seat));
            seat = seat.other();
        }
        let winner = position.find_winner().unwrap();
        assert!(winner.is_some() && winner == flooded(&position), "{}", position.notation());
    }
}
