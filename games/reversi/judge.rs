//! The evaluation of a position of Reversi.
//!
//! Where the edge captures nothing, a stone in a corner is stable, so corners and the points next
//! to them weigh most; in the other modes no stone is stable, and only being out of reach counts.
//! In modes where a press must capture, mobility counts too.

use super::Position;
use crate::grid::search::{Budget, Searchable, key};
use crate::kit::Seat;

/// Returns a count as a signed number.
fn count(bits: u128) -> i32 {
    i32::try_from(bits.count_ones()).unwrap_or(0)
}

impl Searchable for Position {
    const EFFORTS: [Budget; 4] = [
        Budget { depth: 1, nodes: 1_000, careless: 25 },
        Budget { depth: 2, nodes: 10_000, careless: 0 },
        Budget { depth: 4, nodes: 60_000, careless: 0 },
        Budget { depth: 64, nodes: 150_000, careless: 0 },
    ];

    fn value(&self, seat: Seat) -> i32 {
        let field = self.field();
        let (own, enemy) = self.sides(seat);
        let dark = field.dark(own, enemy);
        let left = count(dark);
        let stones = count(own) - count(enemy);
        // A stone next to a dark point can be reached.
        let near = field.around(dark);
        let reach = count(enemy & near) - count(own & near);
        let corners = field.corners();
        let held = count(own & corners) - count(enemy & corners);
        // A stone beside a dark corner gives the corner away.
        let giving = field.around(corners & dark);
        let given = count(enemy & giving) - count(own & giving);
        let edges = field.edges() & !corners;
        let rim = count(own & edges) - count(enemy & edges);
        let choice = || count(field.legal(own, enemy)) - count(field.legal(enemy, own));
        let late = i32::from(left < 14);
        match self.mode {
            0 => {
                60 * held
                    + 12 * given
                    + 4 * rim
                    + 8 * choice()
                    + 6 * reach
                    + (10 * late - 1) * stones
            }
            1 => 8 * choice() + 6 * reach + 4 * late * stones,
            2 | 4 => 60 * held + 12 * given + 10 * rim + 4 * reach + 4 * stones,
            _ => 6 * reach + 6 * stones,
        }
    }

    fn margin(&self, seat: Seat) -> i32 {
        let (own, enemy) = self.sides(seat);
        count(own) - count(enemy)
    }

    /// Corners first, points that give them away last.
    fn promise(&self, square: crate::grid::Square) -> i32 {
        let field = self.field();
        let at = crate::grid::Squares::from(square).bits();
        let (own, enemy) = self.sides(self.turn);
        if self.mode % 2 == 1 {
            return 0;
        }
        let giving = field.around(field.corners() & field.dark(own, enemy));
        (i32::from(at & field.corners() != 0) - i32::from(at & giving != 0)) << 22
    }

    fn key(&self) -> Option<u64> {
        Some(key(&self.stones, self.turn, 0))
    }
}
