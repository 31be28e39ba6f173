//! Checks the configured transport and mail sources for `check` and `doctor`, before they lose a
//! mail.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post uses files")]

use super::configured::read_password;
use super::sendmail;
use crate::config::{Collect, Config, Deliver, Tls};
use crate::store::owner::Owner;
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::fs::{self, File};
use std::io;
use std::net::ToSocketAddrs as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Returns the problems of transport and mail sources, one line each.
pub fn inspect(config: &Config) -> Vec<String> {
    let mut wrong = Vec::new();
    match &config.deliver {
        Deliver::Nothing => {}
        Deliver::Sendmail { command } => {
            let command = Path::new(command.as_deref().unwrap_or("sendmail"));
            wrong.extend(program(&sendmail::locate(command)).map(|why| format!("[deliver] {why}")));
        }
        Deliver::Smtp { host, port, tls, user, password_file } => {
            wrong.extend(server(host, *port));
            wrong.extend(password_file.as_deref().map(secret).into_iter().flatten());
            let is_near = ["localhost", "127.0.0.1", "::1"].contains(&&**host);
            if user.is_some() && *tls == Tls::None && !is_near {
                wrong.push(format!(
                    "[deliver] tls = \"none\": the password goes to {host} as it is, for everybody \
                     on the way; set tls = \"starttls\" or \"tls\""
                ));
            }
        }
        Deliver::Maildir { path } => {
            // If the path contains the recipient, check the part before it.
            let same = path.split('{').next().unwrap_or_default();
            let same = if same.len() == path.len() { same } else { parent_of(same) };
            wrong.extend(folder(Path::new(same)).map(|why| format!("[deliver] path: {why}")));
        }
        Deliver::Folder { path } => {
            wrong.extend(folder(Path::new(path)).map(|why| format!("[deliver] path: {why}")));
        }
    }
    wrong.extend(sources(&config.collect));
    wrong
}

/// Returns a path up to its last slash.
fn parent_of(path: &str) -> &str {
    path.rfind('/').map_or("/", |at| &path[..=at])
}

fn may(path: &Path, access: Access) -> io::Result<()> {
    accessat(CWD, path, access, AtFlags::EACCESS).map_err(io::Error::from)
}

/// Describes an error. If permissions are missing, adds the owner.
fn describe_error(path: &Path, error: &io::Error) -> String {
    let by =
        (error.kind() == io::ErrorKind::PermissionDenied).then(|| Owner::nearest(path)).flatten();
    let by = by.map(|(place, owner)| {
        let me = Owner::current().name;
        format!("; {} belongs to {}, but you are {me}", place.display(), owner.name)
    });
    format!("{}: {error}{}", path.display(), by.unwrap_or_default())
}

fn program(path: &Path) -> Option<String> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => {
            let install = "install it, or name another one";
            return Some(format!("command: {}; {install}", describe_error(path, &error)));
        }
    };
    let is_one = meta.is_file() && meta.permissions().mode() & 0o111 != 0;
    if !is_one {
        return Some(format!("command: {} is not a program that can be run", path.display()));
    }
    let may = may(path, Access::EXEC_OK).err();
    may.map(|error| format!("command: {}", describe_error(path, &error)))
}

fn server(host: &str, port: u16) -> Option<String> {
    let found = (host, port).to_socket_addrs().map(|mut found| found.next().is_some());
    match found {
        Ok(true) => None,
        Ok(false) => Some(format!("[deliver] host = \"{host}\" has no address on the network")),
        Err(error) => Some(format!("[deliver] host = \"{host}\" is not found: {error}")),
    }
}

fn secret(path: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let file = Path::new(path);
    match read_password(path) {
        Err(fault) => wrong.push(describe_error(file, &fault.source)),
        Ok(password) if password.is_empty() => {
            wrong.push(format!("{path}: its first line should be the password, but it is empty"));
        }
        Ok(_) => {}
    }
    if fs::metadata(file).is_ok_and(|meta| meta.permissions().mode() & 0o004 != 0) {
        wrong.push(format!("{path}: everybody may read the password; `chmod 600 {path}`"));
    }
    wrong.iter().map(|why| format!("[deliver] password_file: {why}")).collect()
}

/// Checks a folder to write into. It may be missing if it can be created.
fn folder(path: &Path) -> Option<String> {
    // Drop a slash at the end, so that a file there is found.
    let path: PathBuf = path.components().collect();
    let place = path.ancestors().find(|place| fs::symlink_metadata(place).is_ok())?;
    if !fs::metadata(place).is_ok_and(|meta| meta.is_dir()) {
        return Some(format!("{} is not a folder", place.display()));
    }
    let may = may(place, Access::WRITE_OK | Access::EXEC_OK).err();
    may.map(|error| format!("cannot write to {}", describe_error(place, &error)))
}

/// Checks the places where mails are collected.
fn sources(collect: &Collect) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(maildir) = &collect.maildir {
        for part in ["new", "cur"] {
            let folder = Path::new(maildir).join(part);
            let all = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
            let read = fs::read_dir(&folder).map(|_| ()).and_then(|()| may(&folder, all));
            wrong.extend(
                read.err().map(|error| format!("maildir: {}", describe_error(&folder, &error))),
            );
        }
    }
    if let Some(mbox) = &collect.mbox {
        let file = Path::new(mbox);
        let read = match fs::metadata(file) {
            Ok(meta) if meta.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(_) => File::open(file).map(|_| ()),
            Err(error) => Err(error),
        };
        wrong.extend(read.err().map(|error| format!("mbox: {}", describe_error(file, &error))));
    }
    wrong.iter().map(|why| format!("[collect] {why}")).collect()
}
