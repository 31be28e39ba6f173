//! Where a command came from, and so where its answer goes.

use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::mail::Address;
use crate::model::correspondent::{Correspondent, PasswordSource};
use std::fmt::{self, Display};

/// Where a command came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A mail from that address.
    Mail(Address),
    /// A mail that says so, while our mail server, which is asked here, does not.
    Doubted(Address),
    /// A mail that names no address to which answers can go.
    Unnamed,
    /// A browser, which shows the answer.
    Web(Browser),
    /// The operator's shell.
    Shell,
}

/// A user's browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    /// The user who has signed in there.
    pub user: Option<UserId>,
    /// The user who has signed in there before.
    pub known: Option<UserId>,
    /// Where it is.
    pub network: Network,
    /// Where our pages are, for links in mails.
    pub site: Option<String>,
}

impl Origin {
    /// The address that a mail bears as its sender's. It proves nothing.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Mail(address) | Self::Doubted(address) => Some(address),
            Self::Unnamed | Self::Web(_) | Self::Shell => None,
        }
    }

    /// The browser.
    pub fn browser(&self) -> Option<&Browser> {
        match self {
            Self::Web(browser) => Some(browser),
            Self::Mail(_) | Self::Doubted(_) | Self::Unnamed | Self::Shell => None,
        }
    }

    /// By what it is known where it counts how often something comes from there.
    pub fn counted(&self) -> Option<String> {
        match self {
            Self::Mail(address) | Self::Doubted(address) => Some(Correspondent::name(address)),
            Self::Unnamed => Some(Correspondent::name_of_unnamed()),
            Self::Web(browser) => Some(Correspondent::name_of_network(browser.network)),
            Self::Shell => None,
        }
    }

    /// Where a password comes from, if those from there are counted.
    pub fn password_source(&self, are_counted: bool) -> Option<PasswordSource<'_>> {
        let place = self.counted().filter(|_| are_counted)?;
        let known = self.browser().and_then(|browser| browser.known.as_ref());
        Some(PasswordSource { place, address: self.address(), known })
    }

    /// Whether those who ask read the answer where they asked, and not in a mail.
    pub fn shows_answers(&self) -> bool {
        matches!(self, Self::Web(_) | Self::Shell)
    }
}

/// As the log has it.
impl Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mail(address) => f.write_str(address.as_str()),
            Self::Doubted(address) => write!(f, "{address}, doubted"),
            Self::Unnamed => f.write_str("no usable address"),
            Self::Web(Browser { user: Some(user), .. }) => write!(f, "{user}, web"),
            Self::Web(Browser { user: None, .. }) => f.write_str("web"),
            Self::Shell => f.write_str("shell"),
        }
    }
}
