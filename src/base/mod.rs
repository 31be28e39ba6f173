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

/// Implements how a type is stored: as the words that its `Display` writes and a function reads.
macro_rules! stored_as_words {
    ($kind:ty, $parse:expr, $wrong:literal) => {
        impl TryFrom<String> for $kind {
            type Error = String;

            fn try_from(words: String) -> Result<Self, String> {
                $parse(&words).ok_or_else(|| format!(concat!("`{}` ", $wrong), words))
            }
        }

        impl From<$kind> for String {
            fn from(value: $kind) -> Self {
                value.to_string()
            }
        }
    };
}
pub(crate) use stored_as_words;
