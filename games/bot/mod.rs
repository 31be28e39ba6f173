//! Programs that play games with dice, taught by nobody but themselves.
//!
//! A [`Situation`] is a position before a roll, as the side to roll sees it. A net reads its
//! [`Inputs`] and gives [`Odds`](crate::kit::Odds). A [`GameNets`] is the nets of a game, whose weights come
//! from the trainer (`trainer/`), by the commands in `docs/strength.md`.
//!
//! No game is known here. Each has [`TaughtSituation`]s of its own, or of its family, and keeps its weights
//! in its folder.
//!
//! Everything is the same to the bit on every machine: sums have a fixed order or are of whole numbers,
//! products are not fused with them, and the exponential is our own.

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
pub(crate) use taught::TaughtSituation;
pub(crate) use thought::{knows, luck, odds, outlook, prospects};
