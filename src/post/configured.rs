//! Opens the transport chosen in the configuration.

#![expect(clippy::disallowed_methods, reason = "the password is read from a file")]

use super::sendmail;
use super::{FolderTransport, Login, MaildirTransport, Sendmail, Smtp, Transport};
use crate::config::Deliver;
use crate::store::Fault;
use std::fs;
use std::io;
use std::path::Path;

/// Describes a transport in a few words.
pub fn describe(deliver: &Deliver) -> String {
    match deliver {
        Deliver::Nothing => "nobody".into(),
        Deliver::Smtp { host, port, .. } => format!("{host}:{port}"),
        Deliver::Sendmail { command } => sendmail::locate(command.as_deref()).display().to_string(),
        Deliver::Maildir { path } => format!("the Maildir {path}"),
        Deliver::Folder { path } => format!("the folder {path}"),
    }
}

/// Reads a password, which is the first line of a file.
pub(super) fn read_password(path: &str) -> Result<String, Fault> {
    let text = fs::read_to_string(path).map_err(Fault::at("cannot read", path))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Returns the message that a login lacks its password.
pub(super) fn no_password(user: &str) -> String {
    format!(
        "there is no password for user = \"{user}\": name a `password_file`, or let systemd hand it over \
         (LoadCredential=deliver.password_file:FILE)"
    )
}

/// Opens the configured transport; `None` if mails stay in the outbox.
///
/// # Errors
/// The password of the mail server is missing or cannot be read.
pub fn open_transport(deliver: &Deliver) -> Result<Option<Box<dyn Transport>>, Fault> {
    Ok(match deliver {
        Deliver::Nothing => None,
        Deliver::Smtp { host, port, tls, user, password_file } => {
            let login = match (user, password_file) {
                (None, _) => None,
                (Some(user), Some(path)) => {
                    Some(Login { user: user.clone(), password: read_password(path)? })
                }
                (Some(user), None) => {
                    let why = no_password(user);
                    let kind = io::ErrorKind::InvalidInput;
                    return Err(Fault::because("cannot log in at", host, kind, &why));
                }
            };
            Some(Box::new(Smtp::new(host, *port, *tls, login)))
        }
        Deliver::Sendmail { command } => {
            Some(Box::new(Sendmail::new(&sendmail::locate(command.as_deref()))))
        }
        Deliver::Maildir { path } => Some(Box::new(MaildirTransport::new(path))),
        Deliver::Folder { path } => Some(Box::new(FolderTransport::new(Path::new(path)))),
    })
}
