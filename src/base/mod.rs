//! What everything else is built from: names of things, digests, chance, passwords, grammar.

pub mod chance;
pub mod digest;
pub mod escape;
pub mod ids;
pub mod key;
pub mod password;
pub mod watchdog;
pub mod words;
