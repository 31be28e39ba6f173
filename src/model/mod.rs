//! The documents of a home as values, with what happens to them.

pub mod board;
pub mod clock;
pub mod code;
pub mod correspondent;
pub mod event;
pub mod names;
pub mod opening;
pub mod program;
pub mod rate_limit;
pub mod rating;
pub mod readable;
pub mod seeks;
pub mod token;
pub mod user;
pub mod world;
