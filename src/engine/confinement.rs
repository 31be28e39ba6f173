//! Keeps an engine from the files of others and from the network, as far as the kernel can (Landlock).

#![expect(clippy::disallowed_types, reason = "engines are programs")]

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;

/// What every engine may read and run: programs, libraries, and what these look up.
const READABLE: [&str; 14] = [
    "/usr",
    "/opt",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/passwd",
    "/sys/devices/system",
    "/var/lib/gnubg",
    "/dev/urandom",
    "/dev/zero",
];

/// What every engine may also write.
const WRITABLE: &str = "/dev/null";

/// The kernel's features that are asked for: files, devices, TCP, signals and abstract sockets.
const FEATURES: ABI = ABI::V6;

/// What an engine is kept from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// Files, TCP and other processes.
    Whole,
    /// Files, and of the rest what an older kernel can forbid.
    Partial,
    /// Nothing: the kernel has no Landlock, or the unit of the service does not allow it.
    Nothing,
}

/// Starts a program that may read the system and the absolute paths in its command line `words`, and may write
/// in its folder only.
pub(super) fn spawn(
    mut command: Command,
    words: &[String],
    folder: &Path,
) -> io::Result<(Child, Confinement)> {
    // Landlock confines a thread and the processes that it starts, for good: so a thread of its own starts it.
    thread::scope(|scope| {
        let confined = thread::Builder::new().name("engine-start".into());
        let confined = confined.spawn_scoped(scope, move || {
            let confinement = confine(words, folder).map_err(io::Error::other)?;
            Ok((command.spawn()?, confinement))
        })?;
        confined.join().unwrap_or_else(|_| Err(io::Error::other("its start panicked")))
    })
}

/// Confines this thread.
fn confine(words: &[String], folder: &Path) -> Result<Confinement, RulesetError> {
    let (read, all) = (AccessFs::from_read(FEATURES), AccessFs::from_all(FEATURES));
    let named = words.iter().filter(|word| Path::new(word).is_absolute());
    let status = Ruleset::default()
        .handle_access(all)?
        .handle_access(AccessNet::from_all(FEATURES))?
        .scope(Scope::from_all(FEATURES))?
        .create()?
        .add_rules(path_beneath_rules(READABLE, read))?
        .add_rules(path_beneath_rules(named, read))?
        .add_rules(path_beneath_rules([Path::new(WRITABLE), folder], all))?
        .restrict_self()?;
    Ok(match status.ruleset {
        RulesetStatus::FullyEnforced => Confinement::Whole,
        RulesetStatus::PartiallyEnforced => Confinement::Partial,
        RulesetStatus::NotEnforced => Confinement::Nothing,
    })
}
