//! What `setup` asks, in the terminal and on its page, and the configuration that follows from the answers.

pub(crate) mod answers;
mod providers;
mod questions;

pub use answers::{Answers, DeliverAnswer, WrongAnswer};
pub use providers::{Provider, ProviderServer};
pub use questions::{Door, OR_NONE, Question};
