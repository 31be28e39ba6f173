//! Why a repair by the operator is not carried out.

use crate::base::ids::{BoardId, UserId};
use crate::base::password::Hashing;
use crate::base::words::Plural;
use std::fmt::{self, Display};
use thiserror::Error;

/// A repair that is not carried out; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OperatorRefusal {
    /// There is no board of that number.
    #[error("there is no board {0}")]
    NoBoard(BoardId),
    /// There is no user of that userid.
    #[error("there is no user {0}")]
    NoUser(UserId),
    /// A userid that could be taken for that of another user.
    #[error("{0} looks so much like the userid of another user that people would mix them up")]
    Confusable(UserId),
    /// A document that the repair would have to change, or to look at, is damaged.
    #[error("{file} cannot be read: {why}; mend it first")]
    Damaged {
        /// The file, below the home.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The text is no board.
    #[error("{}", told(.0))]
    NoGoodBoard(Vec<TextFault>),
    /// The text is another board.
    #[error("this is {is}, not {board}: a board keeps its number")]
    OtherBoard {
        /// The board edited.
        board: BoardId,
        /// The board written.
        is: BoardId,
    },
    /// The board changed while it was edited.
    #[error("{0} has changed since you began, so nothing was written: edit it as it is now")]
    Meanwhile(BoardId),
    /// A player or observer of the board written does not exist.
    #[error("{user} is named in {board}, but is not a user")]
    Stranger {
        /// The board.
        board: BoardId,
        /// The user.
        user: UserId,
    },
    /// A board would go on with a player who has left.
    #[error("{board} cannot go on: {user} has left")]
    HasLeft {
        /// The board.
        board: BoardId,
        /// The user.
        user: UserId,
    },
    /// Nobody has decided anything on a board.
    #[error("there is no decision on {0} that you could take back")]
    NothingDecided(BoardId),
    /// Less was decided on a board than should be taken back.
    #[error("you can take back only {n} on {board}", n = Plural(*.decisions, "decision"))]
    TooFew {
        /// The board.
        board: BoardId,
        /// How many there are.
        decisions: usize,
    },
    /// The userid belongs to a user, or did, or has a meaning.
    #[error("the userid {0} is taken")]
    Taken(UserId),
    /// The user has that userid already.
    #[error("{0} already has that userid")]
    SameName(UserId),
    /// The user has another userid now.
    #[error("{old} is {new} now")]
    Renamed {
        /// The userid that was given.
        old: UserId,
        /// That of now.
        new: UserId,
    },
    /// The user was erased.
    #[error("{0} has been erased")]
    Erased(UserId),
    /// The user has left: a password would be of no use.
    #[error("{0} has left; `signup` with the old password brings a user back")]
    Away(UserId),
    /// Standard input holds no password.
    #[error("the first line of standard input is not a password: {}", Hashing::RULE)]
    BadPassword,
    /// The editor ended with an error.
    #[error("the editor gave up")]
    EditorFailed,
}

/// A fault of a text that the operator wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// The line, where that is known and the reason does not name it.
    pub line: Option<usize>,
    /// What is wrong with it.
    pub why: String,
}

impl TextFault {
    /// A fault of the whole text.
    pub fn of_all(why: impl Into<String>) -> Self {
        Self { line: None, why: why.into() }
    }
}

impl Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.why)
    }
}

/// The faults of a text: one in a line, several below each other.
fn told(faults: &[TextFault]) -> String {
    if let [fault] = faults {
        return fault.to_string();
    }
    let lines = faults.iter().map(|fault| format!("\n  {fault}"));
    format!("there are {} faults:{}", faults.len(), lines.collect::<String>())
}
