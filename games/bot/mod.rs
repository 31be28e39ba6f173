//! Programs for dice games, trained by self-play.
//!
//! A [`Situation`] is a position before a roll from the point of view of the side to roll. A net
//! turns its [`Inputs`] into [`Odds`](crate::kit::Odds). [`GameNets`] holds the nets of a game,
//! trained by `trainer/` with the commands in `docs/strength.md`.
//!
//! This module knows no game. Each game or family implements [`TrainedSituation`] and keeps its
//! weights in its folder.
//!
//! Results are identical to the bit on every machine: sums have a fixed order or are of whole
//! numbers, multiply-adds are not fused, and the exponential is our own.

mod evaluation;
mod file;
mod game_nets;
mod inputs;
mod integer_layer;
mod level;
mod net;
mod search;
mod sigmoid;
mod situation;
mod trained;

pub(crate) use evaluation::{can_judge, evaluate, luck, odds, odds_after_rolls};
pub use game_nets::{GameNets, NetWorkspace};
pub(crate) use inputs::few;
pub use inputs::{InputScales, InputWriter, Inputs};
pub(crate) use level::{LEVELS, choose};
pub use net::Net;
pub use situation::Situation;
pub(crate) use trained::{TrainedSituation, built_in_nets};
