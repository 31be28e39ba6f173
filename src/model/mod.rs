//! The documents of a home as values, with what happens to them.

pub mod board;
pub mod caches;
pub mod clock;
pub mod code;
pub mod correspondent;
pub mod count;
pub mod dice;
pub mod document;
pub mod names;
pub mod opening;
pub mod program;
pub mod rate_limit;
pub mod rating;
pub mod seeks;
pub mod talk;
pub mod token;
pub mod user;
pub mod world;
