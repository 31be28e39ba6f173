//! The evaluation of a position of `FillIt` or `ClearIt`.

use super::{BESIDE, KNIGHT, LONG_KNIGHT, Position, TWO_AWAY};
use crate::grid::search::{Budget, Searchable, key};
use crate::grid::{PressGame, Square, Squares};
use crate::kit::Seat;

/// The eight steps to the points two away.
const STEPS: [(i8, i8); 8] = [(-2, -2), (-2, 0), (-2, 2), (0, -2), (0, 2), (2, -2), (2, 0), (2, 2)];

impl Position {
    /// Returns the points that no enemy press can win any more: all points two away are lit.
    fn safe(&self) -> Squares {
        let dark = !self.stones.lit();
        let taken = |all, (down, right)| all | dark.shifted(down, right);
        self.stones.lit().without(STEPS.into_iter().fold(Squares::NONE, taken))
    }

    /// Returns the immediate gain of a press: points won and points not lost.
    fn gain(&self, square: Square, hit: i32, lost: i32) -> i32 {
        let own = self.mover();
        let count = |table: &[Squares; 81], of| (table[square.index()] & of).len().cast_signed();
        hit * count(&KNIGHT, self.stones[own.other()])
            - lost * count(&LONG_KNIGHT, self.stones[own])
    }
}

/// The limits of the lower levels in `FillIt`, where a search of one move plays no better than at
/// random.
const OF_FILLIT: [Budget; 2] = [
    Budget { depth: 2, nodes: 8_000, careless: 75 },
    Budget { depth: 2, nodes: 8_000, careless: 30 },
];

impl Position {
    /// Returns the limits of a level in this mode.
    pub(super) fn effort(&self, level: u8) -> Budget {
        let level = usize::from(level.clamp(1, 4)) - 1;
        let lower = OF_FILLIT.get(level).filter(|_| self.is_fillit());
        *lower.unwrap_or(&Self::EFFORTS[level])
    }
}

impl Searchable for Position {
    const EFFORTS: [Budget; 4] = [
        Budget { depth: 1, nodes: 1_000, careless: 60 },
        Budget { depth: 1, nodes: 1_000, careless: 25 },
        Budget { depth: 3, nodes: 8_000, careless: 8 },
        Budget { depth: 64, nodes: 200_000, careless: 0 },
    ];

    fn value(&self, seat: Seat) -> i32 {
        let of = |of: Squares| of.len().cast_signed();
        let (own, enemy) = (self.stones[seat], self.stones[seat.other()]);
        if self.is_fillit() {
            let safe = self.safe();
            return of(own) - of(enemy) + 2 * (of(own & safe) - of(enemy & safe));
        }
        // With fewer points, each of them matters more.
        (of(own) - of(enemy)) * 4_096 / (of(own) + of(enemy)).max(1)
    }

    fn margin(&self, seat: Seat) -> i32 {
        let of = |seat| self.stones[seat].len().cast_signed();
        of(seat) - of(seat.other())
    }

    fn promise(&self, square: Square) -> i32 {
        let own = self.stones[self.mover()];
        let count = |table: &[Squares; 81], of| (table[square.index()] & of).len().cast_signed();
        match self.mode {
            0 | 1 => {
                let lost = if self.idle > 0 { 0 } else { count(&BESIDE, own) };
                let enemy = self.stones[self.mover().other()];
                count(&TWO_AWAY, !own) + count(&TWO_AWAY, enemy) - 2 * lost
            }
            2 => self.gain(square, 1, 1),
            3 => self.gain(square, 1, 2),
            _ => self.gain(square, 2, 1),
        }
    }

    /// Where everything may be pressed, the presses that hit the enemy, and one that changes
    /// nothing, if there is one.
    fn candidates(&self) -> Squares {
        let legal = self.legal();
        if self.mode != 2 {
            return legal;
        }
        let own = self.mover();
        let reach = |table: &[Squares; 81], of: Squares| {
            of.iter().fold(Squares::NONE, |all, square| all | table[square.index()])
        };
        let hits = reach(&KNIGHT, self.stones[own.other()]);
        let quiet = legal.without(hits | reach(&LONG_KNIGHT, self.stones[own])).iter().next();
        let worth = hits | quiet.map_or(Squares::NONE, Squares::from);
        if worth.is_empty() { legal } else { worth }
    }

    fn key(&self) -> Option<u64> {
        Some(key(&self.stones, self.mover(), u64::from(self.idle)))
    }
}
