//! The sender that a mail names.

use std::fmt::{self, Display};

use super::{Address, MalformedReason};

/// The sender of a mail, as its From names them.
///
/// Addresses that are in use and that we send no mail to are `Unusable`: `a..b.@host`, `"a b"@host`,
/// addresses that are not ASCII. What such a From says is not kept: it may hold anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SenderAddress {
    /// One address, to which answers can go.
    Usable(Address),
    /// No address to which answers can go, and why.
    Unusable(MalformedReason),
}

impl SenderAddress {
    /// The address to which answers can go.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Usable(address) => Some(address),
            Self::Unusable(_) => None,
        }
    }
}

impl Display for SenderAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usable(address) => f.write_str(address.as_str()),
            Self::Unusable(_) => f.write_str("no usable address"),
        }
    }
}
