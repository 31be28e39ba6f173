//! The evaluation of a position of Visiput.

use super::Position;
use crate::grid::search::{Budget, Searchable, key};
use crate::kit::Seat;

impl Searchable for Position {
    const EFFORTS: [Budget; 4] = [
        Budget { depth: 1, nodes: 1_000, careless: 60 },
        Budget { depth: 1, nodes: 1_000, careless: 20 },
        Budget { depth: 3, nodes: 8_000, careless: 8 },
        Budget { depth: 64, nodes: 100_000, careless: 0 },
    ];

    /// Lit points, and points that only this side may press: they are future moves, or count for it
    /// at the end.
    fn value(&self, seat: Seat) -> i32 {
        let lit =
            self.stones[seat].len().cast_signed() - self.stones[seat.other()].len().cast_signed();
        let open = self.open();
        let (own, enemy) = (open[seat.index()], open[seat.other().index()]);
        let alone = own.without(enemy).len().cast_signed() - enemy.without(own).len().cast_signed();
        2 * lit + 2 * alone
    }

    fn margin(&self, seat: Seat) -> i32 {
        let score = self.score();
        score[seat.index()].cast_signed() - score[seat.other().index()].cast_signed()
    }

    fn key(&self) -> Option<u64> {
        Some(key(&self.stones, self.turn.unwrap_or(Seat(0)), 0))
    }
}
