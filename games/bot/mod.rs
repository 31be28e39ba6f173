//! Programs for dice games, trained by self-play.
//!
//! A [`Situation`] is a position before a roll from the point of view of the side to roll. A net
//! turns its [`Inputs`] into [`Odds`](crate::kit::Odds). [`GameNets`] holds the nets of a game,
//! trained by `trainer/` with the commands in `docs/strength.md`.
//!
//! This module knows no game. Each game or family implements [`TaughtSituation`] and keeps its
//! weights in its folder.
//!
//! Results are identical to the bit on every machine: sums have a fixed order or are of whole
//! numbers, multiply-adds are not fused, and the exponential is our own.

mod brain;
mod file;
mod inputs;
mod level;
mod net;
mod search;
mod sigmoid;
mod situation;
mod taught;
mod thought;
mod whole;

pub use brain::{GameNets, NetWorkspace};
pub(crate) use inputs::few;
pub use inputs::{InputScales, InputWriter, Inputs};
pub(crate) use level::{LEVELS, choose};
pub use net::Net;
pub use situation::Situation;
pub(crate) use taught::{TaughtSituation, built_in_nets};
pub(crate) use thought::{evaluate, knows, luck, odds, odds_after_rolls};
