//! How mail servers hand mails over to a running program: LMTP (RFC 2033), on a Unix socket or a port of
//! this machine.
//!
//! `lmtp` is the protocol: a state machine from bytes to replies and mails. `listener` owns the sockets.
//! Neither knows what happens to a mail: the caller passes a function that makes it durable.

mod listener;
mod lmtp;

pub use listener::{LmtpAddress, LmtpIntake, LmtpListener};
pub use lmtp::{LmtpSession, LmtpStep, MAX_DATA};
