//! A position from one side's point of view, for evaluation.

use super::board::Board;
use super::geometry::{Point, PointSet};
use super::{BoardSize, Phase, Position, Variant};
use crate::kit::{Roll, Seat};

/// The features of a side on the small board.
pub(crate) struct SideFeatures {
    /// The points with its men, in the order and numbering from its own point of view: the number
    /// of men that hold the point, and whether a man is pinned there.
    pub(crate) points: Vec<(u16, u8, bool)>,
    /// The distance to connection.
    pub(crate) distance: u32,
    pub(crate) men: u32,
    /// The number of connected men.
    pub(crate) connected: u32,
    /// The number of men on the goal edge.
    pub(crate) arrived: u32,
    /// The number of enemy men pinned.
    pub(crate) pins: u32,
}

impl<V: Variant> Position<V> {
    /// Returns whether the board has nine files and ranks.
    pub(crate) fn is_small(&self) -> bool {
        self.table.size == BoardSize::Nine
    }

    /// Returns the number of faces of the dice.
    pub(crate) fn faces(&self) -> u8 {
        self.table.faces
    }

    /// Returns the side on turn.
    pub(crate) fn side(&self) -> Seat {
        self.seat
    }

    /// Returns the roll to play, and the position before it.
    pub(crate) fn before_roll(&self) -> Option<(Roll, Self)> {
        let roll = self.roll_to_play()?;
        Some((roll, Self { phase: Phase::Throw(2), ..self.clone() }))
    }

    /// Returns a hash of a side's men.
    pub(crate) fn hash_of_men(&self, seat: Seat) -> u128 {
        self.table.board.hash_of_men(seat)
    }

    /// Returns a side's distance to connection.
    pub(crate) fn to_go(&self, seat: Seat) -> u32 {
        self.table.board.distance(self.table.geometry(), seat)
    }

    /// Returns the features of a side.
    pub(crate) fn features(&self, seat: Seat) -> SideFeatures {
        let (board, on) = (&self.table.board, self.table.geometry());
        let number = |point: Point| {
            let own = if seat == Seat(0) { point } else { on.turned(point) };
            u16::from(own.file()) * u16::from(on.size()) + u16::from(own.rank())
        };
        let told = |point: Point| {
            let stack = board.stack(point);
            let holds = stack.is_held_by(seat);
            (number(point), if holds { stack.men() } else { 0 }, !holds)
        };
        let manned = board.manned(seat);
        let mut points: Vec<_> = manned.iter().map(told).collect();
        if seat == Seat(1) {
            points.reverse();
        }
        let connected = board.connected(on, seat);
        SideFeatures {
            points,
            distance: board.distance_without(on, seat, connected),
            men: men_on(board, seat, manned),
            connected: men_on(board, seat, connected),
            arrived: men_on(board, seat, manned.intersection(on.goal(seat))),
            pins: count(board.pins(seat).iter()),
        }
    }
}

fn men_on(board: &Board, seat: Seat, points: PointSet) -> u32 {
    points.iter().map(|point| u32::from(board.stack(point).men_of(seat))).sum()
}

fn count(points: impl Iterator) -> u32 {
    u32::try_from(points.count()).expect("a board has few points")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Choices, Game};
    use crate::malaka::Malaka;

    #[test]
    fn both_sides_see_the_same_start() {
        let start = Position::<Malaka>::setup(&Choices::default());
        let [o, x] = Seat::BOTH.map(|seat| start.features(seat));
        assert_eq!(o.points, x.points);
        let numbers = [0, 6, 7, 8, 9, 18].map(|number| (number, 2, false));
        assert_eq!((o.points, o.distance, o.men), (numbers.to_vec(), 228, 12));
        assert_eq!((o.connected, o.arrived, o.pins), (0, 0, 0));
    }
}
