//! Checks the configured transport and mail sources for `check` and `doctor`, before they lose a
//! mail, and for `doctor` by the service itself, which may see less of the machine.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post uses files")]

use super::configured::{no_password, read_password};
use super::sendmail;
use crate::base::shell_words::quoted;
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
    let mut wrong = inspect_files(config);
    if let Deliver::Smtp { host, port, .. } = &config.deliver {
        wrong.extend(check_server(host, *port));
    }
    wrong
}

/// Returns the problems that this process has with files and programs, one line each. Asks nothing of
/// the network.
pub fn inspect_files(config: &Config) -> Vec<String> {
    let mut wrong = Vec::new();
    match &config.deliver {
        Deliver::Nothing => {}
        Deliver::Sendmail { command } => {
            let command = sendmail::locate(command.as_deref());
            let why = check_program(&command).or_else(|| check_privileges(&command));
            wrong.extend(why.map(|why| format!("[deliver] {why}")));
        }
        Deliver::Smtp { host, tls, user, password_file, .. } => {
            wrong.extend(password_file.as_deref().map(check_password_file).into_iter().flatten());
            let unnamed = user.as_ref().filter(|_| password_file.is_none());
            wrong.extend(unnamed.map(|user| format!("[deliver] {}", no_password(user))));
            let is_local = ["localhost", "127.0.0.1", "::1"].contains(&&**host);
            if user.is_some() && *tls == Tls::None && !is_local {
                wrong.push(format!(
                    "[deliver] tls = \"none\": the password goes to {host} as it is, for everybody \
                     on the way; set tls = \"starttls\" or \"tls\""
                ));
            }
        }
        Deliver::Maildir { path } => {
            // If the path contains the recipient, check the part before it.
            let fixed = path.split('{').next().unwrap_or_default();
            let fixed = if fixed.len() == path.len() { fixed } else { parent_of(fixed) };
            wrong
                .extend(check_folder(Path::new(fixed)).map(|why| format!("[deliver] path: {why}")));
        }
        Deliver::Folder { path } => {
            wrong.extend(check_folder(Path::new(path)).map(|why| format!("[deliver] path: {why}")));
        }
    }
    wrong.extend(check_sources(&config.collect));
    wrong
}

/// Returns a path up to its last slash.
fn parent_of(path: &str) -> &str {
    path.rfind('/').map_or("/", |at| &path[..=at])
}

/// Checks whether this process has these rights.
fn check_access(path: &Path, access: Access) -> io::Result<()> {
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

/// Returns why a program cannot be run, if it cannot.
fn check_program(path: &Path) -> Option<String> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => {
            let install = "install it, or name another one";
            return Some(format!("command: {}; {install}", describe_error(path, &error)));
        }
    };
    let is_executable = meta.is_file() && meta.permissions().mode() & 0o111 != 0;
    if !is_executable {
        return Some(format!("command: {} is not a program that can be run", path.display()));
    }
    let refused = check_access(path, Access::EXEC_OK).err();
    refused.map(|error| format!("command: {}", describe_error(path, &error)))
}

/// Returns why a mail server's `sendmail` could put no mail into the queue: it needs privileges, which this
/// process, for example a service of ours, may not gain.
fn check_privileges(command: &Path) -> Option<String> {
    let gains =
        |path: &Path| fs::metadata(path).is_ok_and(|it| it.permissions().mode() & 0o6000 != 0);
    // Postfix's `sendmail` has no privileges itself, but runs `postdrop`.
    let needs_privileges = gains(command) || gains(&command.with_file_name("postdrop"));
    let may_gain_none = rustix::thread::no_new_privs().unwrap_or(false);
    (needs_privileges && may_gain_none).then(|| {
        format!(
            "command: {} needs privileges, which a service may not gain (NoNewPrivileges=yes): set by = \
             \"smtp\", which takes the mail server of this machine",
            command.display()
        )
    })
}

/// Returns why a mail server has no address, if it has none.
fn check_server(host: &str, port: u16) -> Option<String> {
    match (host, port).to_socket_addrs().map(|mut found| found.next().is_some()) {
        Ok(true) => None,
        Ok(false) => Some(format!("[deliver] host = \"{host}\" has no address on the network")),
        Err(error) => Some(format!("[deliver] host = \"{host}\" is not found: {error}")),
    }
}

/// Returns the problems of a file with a password.
fn check_password_file(path: &str) -> Vec<String> {
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
        wrong
            .push(format!("{path}: everybody may read the password; `chmod 600 {}`", quoted(path)));
    }
    wrong.iter().map(|why| format!("[deliver] password_file: {why}")).collect()
}

/// Returns why a folder cannot be written into, if it cannot. It may be missing if it can be created.
fn check_folder(path: &Path) -> Option<String> {
    // Drop a slash at the end, so that a file there is found.
    let path: PathBuf = path.components().collect();
    let place = path.ancestors().find(|place| fs::symlink_metadata(place).is_ok())?;
    if !fs::metadata(place).is_ok_and(|meta| meta.is_dir()) {
        return Some(format!("{} is not a folder", place.display()));
    }
    let refused = check_access(place, Access::WRITE_OK | Access::EXEC_OK).err();
    refused.map(|error| format!("cannot write to {}", describe_error(place, &error)))
}

/// Returns the problems of the places where mails are collected.
fn check_sources(collect: &Collect) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Some(maildir) = &collect.maildir {
        for part in ["new", "cur"] {
            let folder = Path::new(maildir).join(part);
            let all = Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK;
            let read = fs::read_dir(&folder).map(|_| ()).and_then(|()| check_access(&folder, all));
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
