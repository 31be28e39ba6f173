//! What everything else builds on: names of things, digests, chance, passwords, grammar.

pub mod chance;
pub mod digest;
pub mod ids;
pub mod password;
pub mod words;
