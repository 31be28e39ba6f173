//! Failures of a database, and whether it is asked again.

use crate::store::Fault;
use crate::store::fault::{Conflict, MoveInProgress};
use ::postgres::error::SqlState;
use std::error::Error as _;
use std::io;
use std::path::PathBuf;

/// A failure of a database.
#[derive(Debug)]
pub(super) enum DatabaseError {
    /// It said so, or the connection is gone.
    Sql(::postgres::Error),
    /// There is no connection to be had.
    Pool(r2d2::Error),
    /// Another worker has changed the documents from which this was made.
    Conflict(&'static str),
    /// It holds what it should not.
    Damage(&'static str),
    /// It holds no home that can be worked at, or one that must not be overwritten.
    Refused(String),
}

impl From<::postgres::Error> for DatabaseError {
    fn from(error: ::postgres::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<r2d2::Error> for DatabaseError {
    fn from(error: r2d2::Error) -> Self {
        Self::Pool(error)
    }
}

/// Codes of our own: the home is being moved to another place, or was.
const MOVING: &str = "PB001";
const MOVED: &str = "PB002";

/// The reaction to a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryAction {
    /// The same once more: the engine could not put two transactions one behind the other.
    Again,
    /// The same once more on another connection; what was asked for may have been done.
    Reconnect,
    /// Nothing that this program could do.
    None,
}

impl DatabaseError {
    /// The reaction to it.
    pub(super) fn cure(&self) -> RetryAction {
        match self {
            Self::Sql(error) => error.code().map_or_else(|| cure_of_other(error), cure_of),
            // The pool has tried for as long.
            Self::Pool(_) | Self::Conflict(_) | Self::Damage(_) | Self::Refused(_) => {
                RetryAction::None
            }
        }
    }

    /// The fault that the rest of the program sees.
    pub(super) fn into_fault(self, doing: &'static str, place: impl Into<PathBuf>) -> Fault {
        let place = place.into();
        let at = |error: io::Error| Fault::at(doing, &place)(error);
        let cure = self.cure();
        match self {
            Self::Conflict(why) => at(io::Error::new(io::ErrorKind::ResourceBusy, Conflict(why))),
            Self::Damage(why) => at(io::Error::new(io::ErrorKind::InvalidData, why)),
            Self::Refused(why) => at(io::Error::other(why)),
            Self::Pool(error) => at(io::Error::new(io::ErrorKind::NotConnected, error)),
            Self::Sql(error) => {
                let why = match error.as_db_error() {
                    Some(error) if *error.code() == SqlState::UNDEFINED_TABLE => {
                        "it holds no home of this version; `postboard init` makes one".to_owned()
                    }
                    // This program has said so.
                    Some(error) if [MOVING, MOVED].contains(&error.code().code()) => {
                        error.message().to_owned()
                    }
                    // Its details may quote a document.
                    Some(error) => format!("{} ({})", error.message(), error.code().code()),
                    None => error.to_string(),
                };
                let kind = match (cure, error.code()) {
                    (RetryAction::Reconnect, _) => io::ErrorKind::NotConnected,
                    (RetryAction::Again, _) => {
                        return Self::Conflict("others changed it").into_fault(doing, &place);
                    }
                    (_, Some(code)) if code.code() == MOVING => {
                        return at(io::Error::new(
                            io::ErrorKind::NotConnected,
                            MoveInProgress(why),
                        ));
                    }
                    // It answers, and does nothing now: mails wait as if it were away.
                    (_, Some(code)) if is_waiting_too_long(code) => io::ErrorKind::NotConnected,
                    (_, Some(code)) if *code == SqlState::DISK_FULL => io::ErrorKind::StorageFull,
                    _ => io::ErrorKind::Other,
                };
                at(io::Error::new(kind, why))
            }
        }
    }
}

/// The same where the engine has said nothing: the connection is lost, or it was asked nonsense.
fn cure_of_other(error: &::postgres::Error) -> RetryAction {
    let is_io = error.source().and_then(|source| source.downcast_ref::<io::Error>()).is_some();
    let words = error.to_string();
    let is_of_connecting = ["error connecting", "error performing TLS", "timeout"];
    let is_lost = error.is_closed() || is_io;
    if is_lost || is_of_connecting.iter().any(|begins| words.starts_with(begins)) {
        RetryAction::Reconnect
    } else {
        RetryAction::None
    }
}

/// Whether the engine gave up after the time that each of our connections sets: a table is locked,
/// or an answer takes too long. Asked again at once it would wait as long again.
fn is_waiting_too_long(code: &SqlState) -> bool {
    [SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED].contains(code)
}

fn cure_of(code: &SqlState) -> RetryAction {
    let again = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
    let gone = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::CONNECTION_EXCEPTION,
        SqlState::CONNECTION_FAILURE,
        SqlState::CONNECTION_DOES_NOT_EXIST,
        // A standby that is promoted a little later.
        SqlState::READ_ONLY_SQL_TRANSACTION,
    ];
    if again.contains(code) {
        RetryAction::Again
    } else if gone.contains(code) {
        RetryAction::Reconnect
    } else {
        RetryAction::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_tried_again() {
        assert_eq!(cure_of(&SqlState::T_R_SERIALIZATION_FAILURE), RetryAction::Again);
        assert_eq!(cure_of(&SqlState::ADMIN_SHUTDOWN), RetryAction::Reconnect);
        assert_eq!(cure_of(&SqlState::UNIQUE_VIOLATION), RetryAction::None);
        assert_eq!(DatabaseError::Conflict("it was changed").cure(), RetryAction::None);
    }
}
