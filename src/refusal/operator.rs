//! Refusals of the operator's repairs.

use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::password::Hashing;
use crate::base::words::Plural;
use std::fmt::{self, Display};
use thiserror::Error;

/// The reason why a repair is not carried out. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "a field is named after its value")]
pub enum OperatorRefusal {
    /// The board does not exist.
    #[error("there is no board {0}")]
    NoBoard(BoardId),
    /// The user does not exist.
    #[error("there is no user {0}")]
    NoUser(UserId),
    /// The tournament does not exist.
    #[error("there is no {0}")]
    NoTournament(TournamentId),
    /// The userid looks like that of another user.
    #[error("{0} looks so much like another userid that people would confuse them")]
    LooksLikeAnother(UserId),
    /// A document that the repair needs is damaged.
    #[error("{file} cannot be read: {why}; repair it first")]
    Damaged {
        /// The file, relative to the home.
        file: String,
        why: String,
    },
    /// The edited text is not a valid board.
    #[error("{}", fault_list(.0))]
    NoGoodBoard(Vec<TextError>),
    /// The edited text has another board's number.
    #[error("this is {is}, not {board}: a board keeps its number")]
    OtherBoard {
        /// The edited board.
        board: BoardId,
        /// The board in the text.
        is: BoardId,
    },
    /// The board changed while the operator edited it.
    #[error("{0} has changed since you began to edit it, so nothing was written: edit it again")]
    ChangedWhileEdited(BoardId),
    /// A player or observer in the edited text does not exist.
    #[error("{user} is named in {board}, but is not a user")]
    UnknownPlayer { board: BoardId, user: UserId },
    /// The board would go on with a player who has left.
    #[error("{board} cannot go on: {user} has left")]
    PlayerHasLeft { board: BoardId, user: UserId },
    /// The board has no decision to take back.
    #[error("there is no decision to take back on {0}")]
    NothingDecided(BoardId),
    /// The board has fewer decisions than should be taken back.
    #[error("you can take back only {n} on {board}", n = Plural(*.decisions, "decision"))]
    TooFew { board: BoardId, decisions: usize },
    /// The userid belongs or belonged to a user, or is reserved.
    #[error("the userid {0} is taken")]
    Taken(UserId),
    /// The user already has the userid.
    #[error("{0} already has that userid")]
    SameName(UserId),
    /// The user was renamed.
    #[error("{old} is {new} now")]
    Renamed {
        /// The given userid.
        old: UserId,
        /// The current userid.
        new: UserId,
    },
    /// The user was erased.
    #[error("{0} has been erased")]
    Erased(UserId),
    /// The user has left, so a password would be of no use.
    #[error("{0} has left; `signup` with the old password brings a user back")]
    UserHasLeft(UserId),
    /// The first line of standard input is not a password.
    #[error("the first line of standard input is not a password: {}", Hashing::RULE)]
    BadPassword,
    /// The editor exited with an error.
    #[error("the editor exited with an error")]
    EditorFailed,
    /// The user was erased before, and no address is named whose traces could be removed.
    #[error(
        "{0} has been erased; if addresses of theirs remain outside the documents, name them: \
         `postboard user erase {0} <address>`"
    )]
    NothingToErase(UserId),
    /// Players have decided something since the operator looked at the board.
    #[error(
        "{board} has {n} now, not {shown}: look at it again",
        n = Plural(*.decisions, "decision")
    )]
    DecidedSince {
        board: BoardId,
        /// The number of decisions that the operator saw.
        shown: usize,
        decisions: usize,
    },
}

/// An error in a text that the operator edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, where it is known and the reason does not name it.
    pub line: Option<usize>,
    /// The error.
    pub why: String,
}

impl TextError {
    /// Builds an error of the whole text.
    pub fn of_all(why: impl Into<String>) -> Self {
        Self { line: None, why: why.into() }
    }
}

impl Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.why)
    }
}

/// Returns one fault as a line, several as a list.
fn fault_list(faults: &[TextError]) -> String {
    if let [fault] = faults {
        return fault.to_string();
    }
    let lines = faults.iter().map(|fault| format!("\n  {fault}"));
    format!("there are {} faults:{}", faults.len(), lines.collect::<String>())
}
