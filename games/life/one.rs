//! Life1: the player who needs fewer generations to leave nothing alive wins.

use super::generation::AgedPoints;
use crate::grid::{SIZE, Square, Squares, Stones};
use crate::kit::{Chance, Outcome, Seat};

/// The game is over once a player's total is above this.
pub(crate) const LIMIT: u32 = 100;
/// A turn ends when the player's total reaches this, even if something lives (ours): by pressing, a
/// player could keep points alive for ever.
pub(crate) const MOST: u32 = 2 * LIMIT;
/// The number of presses in a generation.
pub(crate) const PRESSES: u8 = 3;
/// The default number of points at the start. Fewer die too fast (ours).
pub(crate) const POINTS: u32 = 28;

/// A board of Life1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Life1Board {
    /// The dealt pattern of the first round.
    pub(crate) first: Squares,
    /// The round, from 1.
    pub(crate) round: u32,
    /// The generations that each side has needed.
    pub(crate) totals: [u32; 2],
    pub(crate) board: AgedPoints,
    /// The total at which a turn ends, even if something lives.
    pub(crate) most: u32,
}

impl Life1Board {
    /// Creates the start of the first round.
    pub(crate) fn new(first: Squares) -> Self {
        Self { first, round: 1, totals: [0; 2], board: AgedPoints::born(first), most: MOST }
    }

    /// Returns the pattern of a round, from which both sides begin.
    ///
    /// Only the first pattern is dealt. The others follow from it and the round number: so a record
    /// has all its chance in its first entry, nobody waits for a deal in mid-game, and both sides
    /// of a round have the same task even if a week lies between their turns.
    pub(crate) fn pattern(&self, round: u32) -> Squares {
        if round <= 1 {
            return self.first;
        }
        let mut chance = Chance::from_text(&format!("{} {round}", rows(self.first)));
        drawn(self.first.len(), &mut |limit| chance.below(limit))
    }

    /// Runs a generation in a side's turn and returns whether the turn is over.
    pub(crate) fn grow(&mut self, seat: Seat) -> bool {
        self.totals[seat.index()] += 1;
        self.board = self.board.next();
        self.is_turn_over(seat)
    }

    /// Returns whether a side's turn ends with this board.
    pub(crate) fn is_turn_over(&self, seat: Seat) -> bool {
        self.board.living().is_empty() || self.totals[seat.index()] >= self.most
    }

    /// Ends a side's turn: the other begins, red from green's pattern.
    pub(crate) fn hand_over(&mut self, seat: Seat) {
        if seat == Seat(1) {
            if self.outcome().is_some() {
                return;
            }
            self.round += 1;
        }
        self.board = AgedPoints::born(self.pattern(self.round));
    }

    /// Returns the result if the game is over after a turn of red.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let [green, red] = self.totals;
        if green.max(red) <= LIMIT {
            return None;
        }
        let equal = "both needed the same number of generations";
        Some(Outcome::of_scores([red, green], "with fewer generations", equal))
    }

    /// Returns the ages of the living points, a digit each in order.
    pub(crate) fn ages(&self) -> String {
        let age = |square| self.board.age(square).unwrap_or_default().to_string();
        self.board.living().iter().map(age).collect()
    }

    /// Returns the board as rows of ages.
    pub(crate) fn rows(&self) -> Vec<String> {
        let mark = |line, column| {
            let age = Square::at(line, column).and_then(|square| self.board.age(square));
            age.map_or('.', |age| ['1', '2', '3', '4', '5'][age - 1])
        };
        (0..SIZE).map(|line| (0..SIZE).map(|column| mark(line, column)).collect()).collect()
    }
}

/// Draws random points.
pub(crate) fn drawn(points: u32, below: crate::RandomBelow) -> Squares {
    let mut pattern = Squares::NONE;
    for _ in 0..points {
        let square = (!pattern).any(below).expect("there are fewer points than the board has");
        pattern.insert(square);
    }
    pattern
}

/// Returns a set of points as rows.
pub(crate) fn rows(points: Squares) -> Stones {
    Stones::new(points, Squares::NONE)
}
