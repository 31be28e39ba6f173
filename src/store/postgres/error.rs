//! Errors of a database, and which of them are retried.

use crate::store::Fault;
use crate::store::fault::{Conflict, MoveInProgress};
use ::postgres::error::SqlState;
use std::error::Error as _;
use std::io;
use std::path::PathBuf;

/// An error of a database.
#[derive(Debug)]
pub(super) enum DatabaseError {
    /// An error of the database or the connection.
    Sql(::postgres::Error),
    /// No connection can be made.
    Pool(r2d2::Error),
    /// Another worker has changed documents that this was made from.
    Conflict(&'static str),
    /// The database contains something invalid.
    Damage(&'static str),
    /// The database has no usable home, or one that must not be overwritten.
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

/// Error codes of our own triggers: the home is being moved, or was moved.
const MOVING: &str = "PB001";
const MOVED: &str = "PB002";

/// What to do after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryAction {
    /// Retry: the database could not order two transactions.
    Again,
    /// Retry on another connection; the statement may have been executed.
    Reconnect,
    /// Give up.
    None,
}

impl DatabaseError {
    /// Returns what to do after this error.
    pub(super) fn retry_action(&self) -> RetryAction {
        match self {
            Self::Sql(error) => error.code().map_or_else(|| action_without_code(error), action_for),
            // The pool has tried for as long already.
            Self::Pool(_) | Self::Conflict(_) | Self::Damage(_) | Self::Refused(_) => {
                RetryAction::None
            }
        }
    }

    /// Turns the error into a fault.
    pub(super) fn into_fault(self, doing: &'static str, place: impl Into<PathBuf>) -> Fault {
        let place = place.into();
        let at = |error: io::Error| Fault::at(doing, &place)(error);
        let action = self.retry_action();
        match self {
            Self::Conflict(why) => at(io::Error::new(io::ErrorKind::ResourceBusy, Conflict(why))),
            Self::Damage(why) => at(io::Error::new(io::ErrorKind::InvalidData, why)),
            Self::Refused(why) => at(io::Error::other(why)),
            Self::Pool(error) => at(io::Error::new(io::ErrorKind::NotConnected, error)),
            Self::Sql(error) => {
                let why = match error.as_db_error() {
                    Some(error) if *error.code() == SqlState::UNDEFINED_TABLE => {
                        "it contains no home of this version; create one with `postboard init`"
                            .to_owned()
                    }
                    // The message of our own trigger.
                    Some(error) if [MOVING, MOVED].contains(&error.code().code()) => {
                        error.message().to_owned()
                    }
                    // The details may quote a document.
                    Some(error) => format!("{} ({})", error.message(), error.code().code()),
                    None => error.to_string(),
                };
                let kind = match (action, error.code()) {
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
                    // The database answers and does nothing; mails wait as if it were unreachable.
                    (_, Some(code)) if is_timeout(code) => io::ErrorKind::NotConnected,
                    (_, Some(code)) if *code == SqlState::DISK_FULL => io::ErrorKind::StorageFull,
                    _ => io::ErrorKind::Other,
                };
                at(io::Error::new(kind, why))
            }
        }
    }
}

/// Returns what to do after an error without a code of the database: the connection is lost, or the
/// request was invalid.
fn action_without_code(error: &::postgres::Error) -> RetryAction {
    let is_io = error.source().and_then(|source| source.downcast_ref::<io::Error>()).is_some();
    let message = error.to_string();
    let connect_errors = ["error connecting", "error performing TLS", "timeout"];
    let is_lost = error.is_closed() || is_io;
    if is_lost || connect_errors.iter().any(|start| message.starts_with(start)) {
        RetryAction::Reconnect
    } else {
        RetryAction::None
    }
}

/// Returns whether the database gave up after a timeout of our connections: a table is locked, or a
/// query takes too long. A retry would wait as long again.
fn is_timeout(code: &SqlState) -> bool {
    [SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED].contains(code)
}

fn action_for(code: &SqlState) -> RetryAction {
    let again = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
    let lost = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::CONNECTION_EXCEPTION,
        SqlState::CONNECTION_FAILURE,
        SqlState::CONNECTION_DOES_NOT_EXIST,
        // A standby, before it is promoted.
        SqlState::READ_ONLY_SQL_TRANSACTION,
    ];
    if again.contains(code) {
        RetryAction::Again
    } else if lost.contains(code) {
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
        assert_eq!(action_for(&SqlState::T_R_SERIALIZATION_FAILURE), RetryAction::Again);
        assert_eq!(action_for(&SqlState::ADMIN_SHUTDOWN), RetryAction::Reconnect);
        assert_eq!(action_for(&SqlState::UNIQUE_VIOLATION), RetryAction::None);
        assert_eq!(DatabaseError::Conflict("it was changed").retry_action(), RetryAction::None);
    }
}
