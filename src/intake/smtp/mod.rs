//! SMTP and its dialect LMTP as a state machine: bytes of the mail server in, replies and mails out.
//!
//! `session` has the commands and their order, `data` reads a mail up to its final dot. The syntax of
//! commands is parsed by the crate `smtp-proto`.

mod data;
mod session;

pub use session::{Dialect, MAX_COMMANDS, MAX_DATA, MailSession, SessionStep};
