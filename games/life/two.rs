//! Life2: two colours fight until one has died out.

use super::generation::{Birth, pressed};
use crate::grid::{Square, Stones};
use crate::kit::{Outcome, Seat};

/// The number of presses in a turn.
pub(crate) const PRESSES: u8 = 2;
/// The number of generations after a turn (ours).
pub(crate) const GENERATIONS: u32 = 8;
/// The number of generations after which the game is a draw (ours).
pub(crate) const LIMIT: u32 = 1_000;
/// The default number of points of each colour at the start (ours).
pub(crate) const POINTS: u32 = 18;

/// A board of Life2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Life2Board {
    pub(crate) birth: Birth,
    pub(crate) stones: Stones,
    /// The number of generations so far.
    pub(crate) generation: u32,
    /// The consecutive turns without a press, up to the last turn.
    pub(crate) quiet: Option<QuietTurns>,
}

/// Consecutive turns without a press.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuietTurns {
    /// The board before them.
    pub(crate) from: Stones,
    /// Their number.
    pub(crate) turns: u32,
}

impl Life2Board {
    /// Creates the start with these stones.
    pub(crate) fn new(birth: Birth, stones: Stones) -> Self {
        Self { birth, stones, generation: 0, quiet: None }
    }

    /// Presses a point for a side.
    pub(crate) fn press(&mut self, seat: Seat, square: Square) {
        self.stones = pressed(self.stones, seat, square.into());
        self.quiet = None;
    }

    /// Runs the generations after a turn, with presses or `idle`; they stop when a colour dies out.
    pub(crate) fn grow(&mut self, idle: bool) {
        self.end_presses(idle);
        for _ in 0..GENERATIONS {
            if self.generate() {
                return;
            }
        }
    }

    /// Ends the presses of a turn; `idle` if there were none.
    pub(crate) fn end_presses(&mut self, idle: bool) {
        if idle {
            let quiet = self.quiet.get_or_insert(QuietTurns { from: self.stones, turns: 0 });
            quiet.turns += 1;
        }
    }

    /// Runs one generation and returns whether a colour has died out.
    pub(crate) fn generate(&mut self) -> bool {
        self.stones = self.birth.next(&self.stones);
        self.generation += 1;
        self.stones.count().contains(&0)
    }

    /// Returns the result, if the game is over.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let won = |by| Outcome::Won { by, points: 1, reason: "as the only colour that lives" };
        let drawn = |reason| Outcome::Drawn { reason };
        match self.stones.count() {
            [0, 0] => Some(drawn("nothing lives any more")),
            [0, _] => Some(won(Seat(1))),
            [_, 0] => Some(won(Seat(0))),
            _ if self.generation >= LIMIT => Some(drawn("a thousand generations have passed")),
            _ => self.repeats().then(|| drawn("the board repeats itself and nobody presses")),
        }
    }

    /// Returns whether the board is as it was before the turns without a press.
    fn repeats(&self) -> bool {
        let Some(quiet) = self.quiet.filter(|quiet| quiet.turns >= 2) else { return false };
        let generations = (quiet.turns * GENERATIONS) as usize;
        std::iter::successors(Some(quiet.from), |stones| Some(self.birth.next(stones)))
            .take(generations)
            .any(|stones| stones == self.stones)
    }
}
