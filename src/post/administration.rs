//! What `setup` does as root: it runs itself as the owner of the home, and the commands that it would
//! print for the mail server and for systemd.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "post runs programs")]

use crate::store::Fault;
use crate::store::owner::Owner;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns whether systemd runs this machine.
pub fn has_systemd() -> bool {
    Path::new("/run/systemd/system").is_dir()
}

/// Returns whether systemd runs a unit.
pub fn is_active(unit: &str) -> bool {
    let mut ask = Command::new("systemctl");
    ask.args(["--quiet", "is-active", unit]).stderr(Stdio::null());
    has_systemd() && ask.status().is_ok_and(|status| status.success())
}

/// Runs this program as another user, who keeps no privilege of ours. `input` is its standard input.
/// Returns its exit code.
///
/// # Errors
/// It cannot be started.
pub fn run_as<W: AsRef<OsStr>>(owner: &Owner, words: &[W], input: &str) -> Result<i32, Fault> {
    let program = env::current_exe().unwrap_or_else(|_| "postboard".into());
    let mut command = Command::new(&program);
    command.args(words).uid(owner.uid).gid(owner.gid).current_dir("/").stdin(Stdio::piped());
    let mut run = || {
        let mut child = command.spawn()?;
        if let Some(mut pipe) = child.stdin.take() {
            match pipe.write_all(input.as_bytes()) {
                // It may end without reading.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
                _ => {}
            }
        }
        // A process that a signal ended has no code.
        Ok(child.wait()?.code().unwrap_or(i32::from(u8::MAX)))
    };
    run().map_err(Fault::at("cannot run", program))
}

/// Runs a command in a shell, with our standard output and standard error.
///
/// # Errors
/// It fails.
pub fn run_in_shell(line: &str) -> Result<(), Fault> {
    let ended = Command::new("sh").args(["-euc", line]).stdin(Stdio::null()).status();
    let status = ended.map_err(Fault::at("cannot run", line))?;
    if status.success() {
        return Ok(());
    }
    let why = format!("it ended with {status}: mend that, then run `postboard setup` again");
    Err(Fault::because("cannot carry out", line, io::ErrorKind::Other, &why))
}

/// Makes the folder in which a home will be, for its owner, unless it exists.
///
/// # Errors
/// The machine failed.
pub fn make_folder_for(owner: &Owner, folder: &Path) -> Result<(), Fault> {
    if folder.exists() {
        return Ok(());
    }
    let made = fs::create_dir_all(folder);
    made.and_then(|()| chown(folder, Some(owner.uid), Some(owner.gid)))
        .map_err(Fault::at("cannot create", folder))
}

/// Writes a unit of systemd, unless the machine has one of this name. Returns whether it is new.
///
/// # Errors
/// The machine failed.
pub fn write_unit(name: &str, text: &str) -> Result<bool, Fault> {
    let folders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];
    if folders.iter().any(|folder| Path::new(folder).join(name).exists()) {
        return Ok(false);
    }
    let path = Path::new(folders[0]).join(name);
    fs::write(&path, text).map_err(Fault::at("cannot write", path))?;
    Ok(true)
}
