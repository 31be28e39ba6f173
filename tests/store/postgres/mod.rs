//! A home in `PostgreSQL`, shared by workers over unreliable connections.

mod board_numbers;
mod every_verb;
mod failover;
mod operator;
pub(crate) mod proxy;
pub(crate) mod workers;
