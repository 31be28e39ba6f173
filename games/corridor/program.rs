//! The program of Malaka and Moloko: evaluation of a position before a roll.
//!
//! The net inputs of a side, for the side to roll first and then for the other: for each point from
//! that side's point of view, whether it holds it with one man, two or more, the count beyond
//! three, and whether its man is pinned there (as Tesauro does in Backgammon); then its distance to
//! connection, its men, those connected and on the goal edge, and the number it pins. The large
//! board has no net.

use super::{Position, SideFeatures, Variant};
use crate::bot::{GameNets, InputScales, InputWriter, Situation, TrainedSituation, few};
use crate::kit::{Choices, Game, Next, Odds, Outcome, Roll, Seat, Throw};

/// A position of Malaka or Moloko before a roll.
#[derive(Clone, Debug)]
pub(crate) struct CorridorSituation<V: Variant>(Box<Position<V>>);

/// The number of points of the small board.
const POINTS: u16 = 81;

/// The inputs of one side.
const SIDE: u16 = 5 * POINTS + 6;

impl<V: Variant> CorridorSituation<V> {
    pub(crate) fn new(position: Position<V>) -> Self {
        Self(Box::new(position))
    }
}

impl<V: Variant> Situation for CorridorSituation<V> {
    /// A hash of the men of the side that has played.
    type PlayKey = u128;

    fn seat(&self) -> Seat {
        self.0.side()
    }

    fn faces(&self) -> u8 {
        self.0.faces()
    }

    fn ends_as<T>(&self, roll: Roll, of: impl Fn(Self) -> T) -> Vec<T> {
        let mut rolled = (*self.0).clone();
        rolled.roll(roll);
        let after = |play| {
            let mut after = rolled.clone();
            after.play(&play);
            of(Self::new(after))
        };
        rolled.moves().into_iter().map(after).collect()
    }

    fn over(&self) -> Option<Odds> {
        match self.0.next() {
            Next::Over(Outcome::Won { by, .. }) => {
                Some(Odds::certain(if by == self.seat() { 1 } else { -1 }))
            }
            Next::Over(Outcome::Drawn { .. }) => Some(Odds::certain(0)),
            _ => None,
        }
    }

    fn write_inputs(&self, next: &mut impl InputWriter) -> Option<usize> {
        if !self.has_net() {
            return None;
        }
        for seat in [self.seat(), self.seat().other()] {
            write_side(self.0.features(seat), next);
        }
        Some(0)
    }

    /// The large board has no net.
    fn has_net(&self) -> bool {
        self.0.is_small()
    }

    fn play_key(&self) -> u128 {
        self.0.hash_of_men(self.seat().other())
    }

    /// Returns the lead of the side to roll in distance to connection.
    fn lead(&self) -> f32 {
        let [own, other] = [self.seat(), self.seat().other()].map(|seat| self.0.to_go(seat));
        few(other) - few(own)
    }

    fn overlooked(&self) -> &'static [f32] {
        V::OVERLOOKED
    }
}

impl<V: Variant> TrainedSituation for CorridorSituation<V> {
    const SHAPES: &'static [[usize; 2]] = &[[2 * SIDE as usize, 128]];

    fn start(_seat: Seat) -> Self {
        Self::new(Position::setup(&Choices::default()))
    }

    fn opening(&self) -> Throw {
        Throw::new(1, self.faces())
    }

    fn scales() -> Vec<InputScales> {
        let Self(start) = Self::start(Seat(0));
        let mut scales = InputScales::default();
        for seat in Seat::BOTH {
            let everywhere = (0..POINTS).map(|number| (number, 1, false)).collect();
            write_side(SideFeatures { points: everywhere, ..start.features(seat) }, &mut scales);
        }
        vec![scales]
    }

    fn nets() -> &'static GameNets {
        V::nets()
    }
}

/// Writes the inputs of one side.
fn write_side(features: SideFeatures, next: &mut impl InputWriter) {
    let SideFeatures { points, distance, men, connected, arrived, pins } = features;
    let mut at = 0;
    for (number, men, is_pinned) in points {
        if number > at {
            next.skip(5 * (number - at));
        }
        next.men(men.into());
        next.flag(is_pinned);
        at = number + 1;
    }
    if at < POINTS {
        next.skip(5 * (POINTS - at));
    }
    next.share(distance, 100.0);
    next.share(men, 12.0);
    next.share(connected, 12.0);
    next.share(arrived, 12.0);
    next.share(pins, 4.0);
    next.part(few(distance) / (20.0 + few(distance)));
}
