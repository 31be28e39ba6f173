//! The questions of `setup`: at most five for each door, the question for the door included.

use clap::ValueEnum;

/// How players reach a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Door {
    /// By mail to a mail server of one's own, and in a browser.
    Server,
    /// By mail to a mailbox at a provider, and in a browser.
    Mailbox,
    /// In a browser only.
    Web,
}

impl Door {
    /// All doors, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Server, Self::Mailbox, Self::Web];

    /// The question that the door answers.
    pub const QUESTION: &str = "How do players reach the server";

    /// Returns the door of a word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|door| door.word() == word)
    }

    /// Returns the word for the door.
    pub fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Mailbox => "mailbox",
            Self::Web => "web",
        }
    }

    /// Returns the answer to the question.
    pub fn answer(self) -> &'static str {
        match self {
            Self::Server => "by a mail server of yours",
            Self::Mailbox => "by a mailbox at a provider",
            Self::Web => "by the web only",
        }
    }

    /// Returns the further questions, in their order.
    pub fn questions(self) -> &'static [Question] {
        use Question::{Address, Administrator, Name, OwnAddress, Password, Site};
        match self {
            Self::Server => &[Address, Name, OwnAddress, Administrator],
            Self::Mailbox => &[Address, Password, OwnAddress, Administrator],
            Self::Web => &[Site, Name, Administrator],
        }
    }
}

/// A question whose answer is a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// The address that players write to.
    Address,
    /// The name shown with it.
    Name,
    /// The address of the site.
    Site,
    /// The password of the mailbox.
    Password,
    /// The operator's own address.
    OwnAddress,
    /// The userid of the first administrator.
    Administrator,
}

/// The text behind a question whose empty answer means none.
pub const OR_NONE: &str = " (empty: none)";

impl Question {
    /// Returns the words of the question.
    pub fn words(self, door: Door) -> &'static str {
        match self {
            Self::Address if door == Door::Mailbox => {
                "The address of the mailbox, which players write to"
            }
            Self::Address => "The address that players write to",
            Self::Name => "The name shown with it",
            Self::Site => "The address of the site, as players see it",
            Self::Password => "The password",
            Self::OwnAddress => "Your own address, for alerts and a mail to try it",
            Self::Administrator => "Your userid, as a player and the first administrator",
        }
    }

    /// Returns the answer that an empty one means.
    pub fn usual(self) -> &'static str {
        match self {
            Self::Address => "postboard@localhost",
            Self::Name => "Postboard",
            Self::Site => "http://127.0.0.1:8080",
            Self::Password | Self::OwnAddress | Self::Administrator => "",
        }
    }

    /// Returns whether an empty answer means none.
    pub fn is_optional(self) -> bool {
        matches!(self, Self::OwnAddress | Self::Administrator)
    }

    /// Returns the name of the question: the option of `setup` that answers it, and the field of the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Name => "name",
            Self::Site => "site",
            Self::Password => "password",
            Self::OwnAddress => "own-address",
            Self::Administrator => "administrator",
        }
    }
}
