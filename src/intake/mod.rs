//! How mails come into a running program: mail servers hand them over by LMTP (RFC 2033), on a Unix socket
//! or a port of this machine, or by SMTP in a private network; from a mailbox at a provider they are fetched
//! by IMAP.
//!
//! `smtp` has both protocols as a state machine from bytes to replies and mails. `listener` owns its sockets.
//! `imap` reads a mailbox. None knows what happens to a mail: the caller passes a function that makes it
//! durable.

mod imap;
mod listener;
mod smtp;

pub use imap::{ImapIntake, ImapOutcome, TakenMail, check_mailbox};
pub use listener::{LmtpAddress, MailConnections, MailIntake, MailLimits, MailSocket, SmtpAddress};
pub use smtp::{Dialect, MAX_COMMANDS, MAX_DATA, MailSession, SessionStep};
use tokio::io::{AsyncRead, AsyncWrite};

/// A connection of any kind.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}
