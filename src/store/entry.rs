//! The entries of the log: lines, and the outcomes of commands.

use std::time::Duration;

/// A line of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogEntry {
    /// What happened, in words without secrets.
    pub text: String,
    /// The number of the mail or command that it belongs to.
    pub number: Option<String>,
    /// The end of a command.
    pub carried: Option<LogOutcome>,
}

/// The outcome of a mail, or of a command that came in another way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogOutcome {
    /// `carried out`, `refused` ...
    pub outcome: &'static str,
    /// How long it took.
    pub took: Duration,
    /// The boards that it is about.
    pub boards: Vec<String>,
    /// The names of its letters, as the outbox has them.
    pub letters: Vec<String>,
}

impl<S: Into<String>> From<S> for LogEntry {
    fn from(text: S) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}
