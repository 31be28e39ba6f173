//! The parts of every game, and functions for any game.

mod analysis;
mod chance;
mod choices;
mod diagram;
mod dice;
mod drive;
mod erased;
mod game;
pub(crate) mod journey;
#[cfg(test)]
pub(crate) mod laws;
mod making;
pub(crate) mod march;
mod perft;
mod playout;
pub(crate) mod text;
mod tournament;

pub use analysis::{Analysis, Decision, Effort, Kind, Look, Prospect, Unit, Weighed};
pub use chance::Chance;
pub use choices::{Choices, OptionError, Scope, Setting, Switch, Values};
pub use diagram::{
    Corner, Corridor, Cube, Diagram, DiceOnTable, Grid, Match, Pile, Points, Rim, Spot, Wall,
};
pub(crate) use dice::Dice;
pub use dice::{Falls, Roll, Scripted, Throw, Thrower};
pub use drive::{Entry, Likes, MANUAL, ROLL, advance, replay, say};
pub use erased::{AnyGame, AnyPosition, Of};
pub use game::{
    Format, Game, Manner, MoveError, Next, Outcome, ReadTranscript, Seat, Spec, Transcript, View,
};
pub use making::{Begun, NextStep};
pub(crate) use making::{Making, first_steps, making, spoken};
pub(crate) use perft::by_listing;
pub use perft::perft;
#[cfg(test)]
pub(crate) use perft::ways;
pub use playout::Below;
pub(crate) use playout::by_chance;
pub use text::{bare, is_dash};
pub use tournament::{Contender, Heard, Tally, tournament};
