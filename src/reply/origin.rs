//! The source of a command, which decides where its answer goes.

use crate::base::ids::UserId;
use crate::base::network::Network;
use crate::mail::Address;
use crate::model::correspondent::{Correspondent, PasswordSource};
use std::fmt::{self, Display};

/// The source of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A mail from the address.
    Mail(Address),
    /// A mail that claims to be from the address, which our mail server did not authenticate.
    Doubted(Address),
    /// A mail without an address that can be answered.
    Unnamed,
    /// A browser, which shows the answer.
    Web(Browser),
    /// The operator's shell.
    Shell,
}

/// A user's browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser {
    /// The signed-in user.
    pub user: Option<UserId>,
    /// The user who has signed in there before, in a browser that is not signed in now.
    pub known: Option<UserId>,
    /// Its network.
    pub network: Network,
    /// The address of this server's pages, for links in mails.
    pub site: Option<String>,
}

impl Origin {
    /// Returns the From address of a mail. It proves nothing.
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Mail(address) | Self::Doubted(address) => Some(address),
            Self::Unnamed | Self::Web(_) | Self::Shell => None,
        }
    }

    /// Returns the browser.
    pub fn browser(&self) -> Option<&Browser> {
        match self {
            Self::Web(browser) => Some(browser),
            Self::Mail(_) | Self::Doubted(_) | Self::Unnamed | Self::Shell => None,
        }
    }

    /// Returns the name of the counter of requests from this source; none for the shell.
    pub fn counter_name(&self) -> Option<String> {
        match self {
            Self::Mail(address) | Self::Doubted(address) => {
                Some(Correspondent::mailbox_name(address))
            }
            Self::Unnamed => Some(Correspondent::unnamed_senders_name()),
            Self::Web(browser) => Some(Correspondent::network_name(browser.network)),
            Self::Shell => None,
        }
    }

    /// Returns the source of a password, if passwords are counted.
    pub fn password_source(&self, are_counted: bool) -> Option<PasswordSource<'_>> {
        let place = self.counter_name().filter(|_| are_counted)?;
        let known = self.browser().and_then(|browser| browser.known.as_ref());
        Some(PasswordSource { place, address: self.address(), known })
    }

    /// Returns whether the answer is shown where the command was given, and not mailed.
    pub fn shows_answers(&self) -> bool {
        matches!(self, Self::Web(_) | Self::Shell)
    }
}

/// The source as the log names it.
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
