//! The base of all other layers: names, times, digests, chance, passwords, grammar.

pub mod chance;
pub mod digest;
pub mod escape;
pub mod ids;
pub mod key;
pub mod meters;
pub mod network;
pub mod password;
pub(crate) mod peer_limit;
pub mod progress;
pub mod random_stream;
pub mod shell_words;
pub mod stopwatch;
pub mod time;
pub mod vrf;
pub mod watchdog;
pub mod web_push;
pub mod zone;

pub use grammar as words;
