//! The sockets of `run`: named on the command line, or passed by the service manager.

use crate::intake::MailSocket;
use crate::shell::CommandError;
use crate::shell::cli::RunJob;
use crate::shell::serve::cannot_listen;
use listenfd::ListenFd;
use std::net::TcpListener;
use std::sync::Arc;

/// Sockets that stay open while the configuration is read again.
pub(super) struct Sockets {
    pub(super) web: Option<TcpListener>,
    pub(super) lmtp: Option<Arc<MailSocket>>,
    pub(super) smtp: Option<Arc<MailSocket>>,
}

impl Sockets {
    /// Takes the sockets that the service manager has opened, and opens those that the command line names.
    ///
    /// # Errors
    /// An address cannot be bound, or there are two sockets for one purpose.
    pub(super) fn open(job: &RunJob) -> Result<Self, CommandError> {
        let mut sockets = Self::passed()?;
        if let Some(address) = &job.listen {
            let bound = TcpListener::bind(address).map_err(cannot_listen(address, "--listen"))?;
            put(&mut sockets.web, bound, "the web")?;
        }
        if let Some(address) = &job.lmtp {
            let bound = MailSocket::bind(address).map_err(cannot_listen(address, "--lmtp"))?;
            put(&mut sockets.lmtp, Arc::new(bound), "LMTP")?;
        }
        if let Some(address) = job.smtp {
            let bound = MailSocket::bind_smtp(address).map_err(cannot_listen(address, "--smtp"))?;
            put(&mut sockets.smtp, Arc::new(bound), "SMTP")?;
        }
        // The threads of tokio wait for many sockets at once.
        if let Some(web) = &sockets.web {
            web.set_nonblocking(true)?;
        }
        Ok(sockets)
    }

    /// Takes the sockets of socket activation: a Unix socket is for LMTP, a port for the web. SMTP has none:
    /// nothing tells its port from that of the web.
    fn passed() -> Result<Self, CommandError> {
        let (mut passed, mut sockets) =
            (ListenFd::from_env(), Self { web: None, lmtp: None, smtp: None });
        for index in 0..passed.len() {
            if let Ok(Some(socket)) = passed.take_unix_listener(index) {
                put(&mut sockets.lmtp, Arc::new(MailSocket::passed(socket)?), "LMTP")?;
            } else if let Ok(Some(socket)) = passed.take_tcp_listener(index) {
                put(&mut sockets.web, socket, "the web")?;
            } else {
                let why =
                    "the service manager passes a socket that is neither a Unix stream nor TCP";
                return Err(CommandError::Usage(why.into()));
            }
        }
        Ok(sockets)
    }
}

/// Puts a socket in its place, which must be free.
fn put<T>(place: &mut Option<T>, socket: T, purpose: &str) -> Result<(), CommandError> {
    if place.replace(socket).is_some() {
        let why = format!(
            "there are two sockets for {purpose}: name it on the command line or in the socket unit, \
             not in both"
        );
        return Err(CommandError::Usage(why));
    }
    Ok(())
}
