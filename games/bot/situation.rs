//! The interface between games and nets.

use super::inputs::{InputEncoder, InputWriter, Inputs};
use crate::kit::{Odds, Roll, Seat, Throw};
use std::hash::Hash;

/// A position before a roll, from the point of view of the side to roll.
pub trait Situation: Clone {
    /// A key that identifies the same play in similar positions.
    type PlayKey: Eq + Hash;

    /// Returns the side to roll.
    fn seat(&self) -> Seat;

    /// Returns the number of faces of the dice.
    fn faces(&self) -> u8;

    /// Returns the other side's situations after each play of a roll, in the order of the list,
    /// each mapped as it is found.
    fn ends_as<T>(&self, roll: Roll, of: impl Fn(Self) -> T) -> Vec<T>;

    /// Returns the exact odds if the game is over.
    fn over(&self) -> Option<Odds>;

    /// Returns the odds from tables near the end of a game.
    fn counted(&self) -> Option<Odds> {
        None
    }

    /// Writes the net inputs and returns the index of the net, if there is one.
    fn write_inputs(&self, next: &mut impl InputWriter) -> Option<usize>;

    /// Returns whether there is a net for it.
    fn has_net(&self) -> bool {
        true
    }

    /// Returns the average points won by the side to roll.
    fn value(&self, odds: Odds) -> f32 {
        odds.equity()
    }

    /// Returns the key of the play that led here.
    fn play_key(&self) -> Self::PlayKey;

    /// Returns the lead of the side to roll in the pip count, the evaluation without a net.
    fn lead(&self) -> f32;

    /// The largest losses in points that the levels from 1 on overlook, chosen so that each level
    /// wins at least about two of three games against the level below. Other levels overlook none.
    fn overlooked(&self) -> &'static [f32];

    /// Returns the other side's situations after each play of a roll, in the order of the list.
    fn ends(&self, roll: Roll) -> Vec<Self> {
        self.ends_as(roll, |end| end)
    }

    /// Collects the net inputs and returns the index of the net, if there is one.
    fn inputs(&self, inputs: &mut Inputs) -> Option<usize> {
        inputs.clear();
        self.write_inputs(&mut InputEncoder::to(inputs))
    }

    /// Returns every roll of an ordinary turn and its probability.
    fn rolls(&self) -> impl Iterator<Item = (Roll, f32)> + use<Self> {
        let faces = self.faces();
        let once = 1.0 / (f32::from(faces) * f32::from(faces));
        Throw::new(2, faces).rolls().map(move |roll| match roll {
            Roll::Two(a, b) if a != b => (roll, 2.0 * once),
            _ => (roll, once),
        })
    }
}
