//! Programs that play the dice games, taught by nobody but themselves.
//!
//! A [`Situation`] is a position before a roll, as the side to roll sees it. A net reads its
//! [`Inputs`] and gives [`Odds`]. A [`GameNets`] is the nets of a game: the weights
//! in `nets/` come from the trainer (`trainer/`), by the commands in `docs/strength.md`.
//!
//! Everything is the same to the bit on every machine: sums have a fixed order or are of whole numbers,
//! products are not fused with them, and the exponential is our own.

mod bearoff;
mod brain;
mod file;
mod inputs;
mod level;
mod mark;
mod net;
mod race;
mod search;
mod shots;
mod sigmoid;
mod situation;
mod thought;
mod walled;
mod whole;

#[cfg(test)]
mod tests;

pub use brain::{GameNets, NetWorkspace};
pub use inputs::Inputs;
pub(crate) use level::{LEVELS, choose};
pub use net::Net;
pub(crate) use race::{NetRace, RaceSituation};
pub use situation::Situation;
pub(crate) use situation::SituationKind;
pub(crate) use thought::Evaluator;
pub(crate) use walled::CorridorSituation;
