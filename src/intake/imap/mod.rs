//! A mailbox at a provider, read by IMAP (RFC 3501) as soon as mails come (IDLE, RFC 2177).
//!
//! `connection` is the encrypted connection, `client` sends commands and bounds what the server may answer,
//! `session` takes the mails of a mailbox, `progress` remembers how far they are, `secret` gets the password or
//! token, and `intake` connects again and again. The crate `imap-next` parses and writes IMAP.

mod client;
mod connection;
mod intake;
mod progress;
mod secret;
mod session;

#[cfg(test)]
mod tests;

pub use intake::{ImapIntake, ImapOutcome, TakenMail, check_mailbox};

/// Why a session ended.
#[derive(Debug, PartialEq, Eq)]
enum ImapError {
    /// The server refuses the user or the password; its words.
    Refused(String),
    /// The mails cannot be made durable. The caller has reported why.
    NotTaken,
    /// Anything else: the password cannot be read, the connection, or what the server said.
    Failed(String),
}

impl From<std::io::Error> for ImapError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::UnexpectedEof {
            return Self::Failed("the server closes the connection".into());
        }
        Self::Failed(error.to_string())
    }
}
