//! Opens the transport chosen in the configuration.

#![expect(clippy::disallowed_methods, reason = "the password is read from a file")]

use super::sendmail;
use super::{FolderTransport, Login, MaildirTransport, Sendmail, Smtp, Transport};
use crate::config::Deliver;
use crate::store::Fault;
use std::fs;
use std::path::Path;

/// Describes a transport in a few words.
pub fn describe(deliver: &Deliver) -> String {
    match deliver {
        Deliver::Nothing => "nobody".into(),
        Deliver::Smtp { host, port, .. } => format!("{host}:{port}"),
        Deliver::Sendmail { command } => {
            let command = Path::new(command.as_deref().unwrap_or("sendmail"));
            sendmail::locate(command).display().to_string()
        }
        Deliver::Maildir { path } => format!("the Maildir {path}"),
        Deliver::Folder { path } => format!("the folder {path}"),
    }
}

/// Reads the first line of a file.
pub(super) fn read_password(path: &str) -> Result<String, Fault> {
    let text = fs::read_to_string(path).map_err(Fault::at("cannot read", path))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Opens the configured transport. None if mails stay in the outbox.
///
/// # Errors
/// The password file of the mail server cannot be read.
pub fn open_transport(deliver: &Deliver) -> Result<Option<Box<dyn Transport>>, Fault> {
    Ok(match deliver {
        Deliver::Nothing => None,
        Deliver::Smtp { host, port, tls, user, password_file } => {
            let password = match password_file {
                None => String::new(),
                Some(path) => read_password(path)?,
            };
            let login = user.as_ref().map(|user| Login { user: user.clone(), password });
            Some(Box::new(Smtp::new(host, *port, *tls, login)))
        }
        Deliver::Sendmail { command } => {
            let command = Path::new(command.as_deref().unwrap_or("sendmail"));
            Some(Box::new(Sendmail::new(&sendmail::locate(command))))
        }
        Deliver::Maildir { path } => Some(Box::new(MaildirTransport::new(path))),
        Deliver::Folder { path } => Some(Box::new(FolderTransport::new(Path::new(path)))),
    })
}
