//! Reads the language of players: words become commands, without a look at any document.
//!
//! [`line`] reads a command line with the grammar of its verb, which takes its words from
//! [`arguments`]. [`phrases`] knows the sentences that people write in replies (`I resign`),
//! [`intents`] the words of other servers and mailing lists (`unsubscribe`), and [`dates`] the days
//! and periods of a vacation.

pub(crate) mod arguments;
pub(crate) mod dates;
pub(crate) mod intents;
pub(crate) mod line;
pub(crate) mod phrases;
