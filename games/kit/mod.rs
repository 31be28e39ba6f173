//! The parts of every game, and functions for any game.
//!
//! A circle: `game`, `making`, `perft` and `playout` need each other, since the trait of a game does
//! some things for games that have no better way of their own, and does them by asking the game.

mod analysis;
mod chance;
mod choices;
mod diagram;
mod dice;
mod drive;
mod entry;
mod erased;
mod game;
pub(crate) mod journey;
#[cfg(test)]
pub(crate) mod laws;
mod making;
pub(crate) mod march;
mod move_error;
mod odds;
mod perft;
mod playout;
mod prospect;
mod seat;
mod spot;
pub(crate) mod text;
mod thrower;
mod tournament;

pub use analysis::{AnalysedDecision, Analysis, DecisionKind, EvaluatedMove};
pub use chance::{Chance, RandomBelow};
pub use choices::{Choices, MANUAL, OptionError, POSITION, Scope, Setting, Switch, Values};
pub use diagram::{
    Corner, Corridor, Cube, Diagram, DiceOnTable, Grid, Match, Pile, Points, Rim, Wall,
};
pub(crate) use dice::Dice;
pub use dice::{Roll, Throw};
pub use drive::{SeatSettings, advance, replay, say};
pub use entry::Entry;
pub use erased::{AnyGame, AnyPosition, GameEntry, perft};
pub use game::{Format, Game, Manner, Next, Outcome, ReadTranscript, Spec, Transcript, View};
pub use making::{Begun, NextStep};
pub(crate) use making::{PartialPlay, first_steps, making, spoken};
pub use move_error::MoveError;
pub(crate) use odds::GammonValue;
pub use odds::Odds;
pub(crate) use perft::by_listing;
#[cfg(test)]
pub(crate) use perft::ways;
pub(crate) use playout::by_chance;
pub use prospect::{Effort, Look, Prospect, Unit};
pub use seat::Seat;
pub use spot::Spot;
pub use text::{ROLL, bare, is_dash};
pub use thrower::{Falls, Scripted, Thrower};
pub use tournament::{Contender, TournamentEvent, TournamentResult, tournament};
