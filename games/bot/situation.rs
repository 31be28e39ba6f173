//! What a net and a search ask of a position before a roll.

use super::inputs::{InputEncoder, InputWriter, Inputs};
use crate::kit::{Odds, Roll, Seat, Throw};
use std::hash::Hash;

/// A position before a roll, as the side to roll sees it.
pub trait Situation: Clone {
    /// What tells plays of a roll from one another in positions that are alike.
    type PlayKey: Eq + Hash;

    /// The side to roll.
    fn seat(&self) -> Seat;

    /// How many faces the dice have.
    fn faces(&self) -> u8;

    /// The other side's situations after each play of a roll, in the order in which the plays are
    /// listed, each made into something else as it is found.
    fn ends_as<T>(&self, roll: Roll, of: impl Fn(Self) -> T) -> Vec<T>;

    /// The odds where the game has ended: all is certain then.
    fn over(&self) -> Option<Odds>;

    /// The odds that can be counted near the end of a game, which need no net.
    fn counted(&self) -> Option<Odds> {
        None
    }

    /// Tells what a net sees of it; returns which of the game's nets that is, if there is one.
    fn tell(&self, next: &mut impl InputWriter) -> Option<usize>;

    /// Whether there is a net for it.
    fn has_net(&self) -> bool {
        true
    }

    /// The points that are won on average, for the side to roll.
    fn value(&self, odds: Odds) -> f32 {
        odds.equity()
    }

    /// The key of the play that led here.
    fn play_key(&self) -> Self::PlayKey;

    /// How far the side to roll is ahead in what has still to be gone, for those who know
    /// nothing else.
    fn lead(&self) -> f32;

    /// The points by which a play may be worse than the best for levels 1 and 2 to overlook it: so much
    /// that each level wins two of three games from the one below, or some more.
    fn overlooked(&self) -> [f32; 2];

    /// The other side's situations after each play of a roll, in the order in which the plays are
    /// listed.
    fn ends(&self, roll: Roll) -> Vec<Self> {
        self.ends_as(roll, |end| end)
    }

    /// Fills in what a net sees of it; returns which of the game's nets that is, if there is one.
    fn inputs(&self, inputs: &mut Inputs) -> Option<usize> {
        inputs.clear();
        self.tell(&mut InputEncoder::to(inputs))
    }

    /// Every roll of an ordinary turn, and how likely it is.
    fn rolls(&self) -> impl Iterator<Item = (Roll, f32)> + use<Self> {
        let faces = self.faces();
        let once = 1.0 / (f32::from(faces) * f32::from(faces));
        Throw::new(2, faces).rolls().map(move |roll| match roll {
            Roll::Two(a, b) if a != b => (roll, 2.0 * once),
            _ => (roll, once),
        })
    }
}
