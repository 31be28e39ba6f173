//! Words that are no command.

use crate::reply::words::{Or, quoted};
use games::OptionError;
use thiserror::Error;

/// Words that are no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxRefusal {
    /// There are no words.
    #[error("the mail has no command in its Subject")]
    Nothing,
    /// The first word is neither a game nor a command.
    #[error("there is no command or game {}", quoted(.word))]
    UnknownWord {
        /// The word.
        word: String,
        /// Words that look like it.
        near: Vec<&'static str>,
    },
    /// The word behind a game's name is no command of games.
    #[error("there is no command {} for {game}", quoted(.word))]
    UnknownVerb {
        /// The game's title.
        game: &'static str,
        /// The word.
        word: String,
        /// Words that look like it.
        near: Vec<&'static str>,
    },
    /// Words are missing or do not fit.
    #[error("{what}")]
    Usage {
        /// What is missing or wrong: `the board number is missing`.
        what: String,
        /// How the command is written.
        usage: String,
    },
    /// A challenge names an option that does not exist or does not fit.
    #[error("{error}")]
    Option {
        /// What is wrong.
        error: OptionError,
        /// The options there are.
        known: Vec<String>,
    },
    /// A reply begins with two lines that could each be the move.
    #[error("your reply has two lines that could be the move: {} and {}", quoted(.0), quoted(.1))]
    TwoMoves(String, String),
    /// A reply whose first line is a sentence.
    #[error("your reply begins with words that are no move: {}", quoted(.0))]
    NoMove(String),
    /// A reply that says nothing above the mark.
    #[error("your reply has no move in it")]
    EmptyReply,
    /// The mail is too large or too odd to be read.
    #[error("your mail could not be read: {0}")]
    Mail(String),
}

impl SyntaxRefusal {
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Nothing => "Send `help` as the Subject to learn what can be sent.".into(),
            Self::UnknownWord { near, .. } | Self::UnknownVerb { near, .. } if near.is_empty() => {
                "Send `help commands` for the list of commands.".into()
            }
            Self::UnknownWord { near, .. } | Self::UnknownVerb { near, .. } => {
                format!("Did you mean {}? Send `help commands` for the list of commands.", Or(near))
            }
            Self::Usage { usage, .. } => format!("It is written so:\n\n  {usage}"),
            Self::Option { known, .. } if known.is_empty() => "It has no options.".into(),
            Self::Option { known, .. } => format!("The options are:\n\n  {}", known.join("\n  ")),
            Self::TwoMoves(..) => "Write your move alone on the first line, then your message \
                                   after an empty line."
                .into(),
            Self::NoMove(_) => "Write your move alone on the first line. To say something without \
                                moving, begin with the word `chat`."
                .into(),
            Self::EmptyReply => {
                "Write your move on the first line of your reply, above the mark and above all \
                 quoted text."
                    .into()
            }
            Self::Mail(_) => "Send a short plain-text mail with the command in its Subject.".into(),
        }
    }
}
