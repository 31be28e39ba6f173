//! Where a command came from, and so where its answer goes.

use crate::mail::Address;
use std::fmt::{self, Display};

/// Where a command came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A mail from that address.
    Mail(Address),
    /// A mail that says so, while our mail server, which is asked here, does not.
    Doubted(Address),
    /// The operator's shell.
    Shell,
}

impl Origin {
    /// The address that a mail bears as its sender's. It proves nothing.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Mail(address) | Self::Doubted(address) => Some(address),
            Self::Shell => None,
        }
    }
}

/// As the log has it.
impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mail(address) => f.write_str(address.as_str()),
            Self::Doubted(address) => write!(f, "{address}, doubted"),
            Self::Shell => f.write_str("shell"),
        }
    }
}
