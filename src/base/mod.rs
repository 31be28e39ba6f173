//! What everything else is built from: names of things, digests, chance, passwords, grammar.

pub mod chance;
pub mod digest;
pub mod ids;
pub mod password;

pub use grammar as words;
