//! Who owns files: for hints about missing rights, and to trust only files that no other user can
//! change.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use crate::base::shell_words::quoted;
use crate::store::Fault;
use crate::store::paths::{found, names};
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The file of the machine's users.
const PASSWD: &str = "/etc/passwd";

/// A user of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The user ID.
    pub uid: u32,
    /// The ID of the user's group.
    pub gid: u32,
    /// The name, or `uid 998` if it has none.
    pub name: String,
}

impl Owner {
    fn with_ids(uid: u32, gid: u32) -> Self {
        let name = name_of(Path::new(PASSWD), uid);
        Self { uid, gid, name: name.unwrap_or_else(|| format!("uid {uid}")) }
    }

    /// Returns the user who runs this program.
    pub fn current() -> Self {
        let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
        Self::with_ids(uid.as_raw(), gid.as_raw())
    }

    /// Returns the user of this name, if the machine has one.
    pub fn named(name: &str) -> Option<Self> {
        users_in(Path::new(PASSWD))?.find(|user| user.name == name)
    }

    /// Returns the owner of a path, or else of the nearest folder above it that exists, with that
    /// path.
    pub fn nearest(path: &Path) -> Option<(PathBuf, Self)> {
        path.ancestors().find_map(|place| {
            let meta = fs::metadata(place).ok()?;
            Some((place.to_owned(), Self::with_ids(meta.uid(), meta.gid())))
        })
    }
}

/// Refuses a path that another user could replace: the path, or a folder above it, belongs to them
/// or is writable for them. Trusts root, and the group that this program runs as.
///
/// # Errors
/// Another user could replace it, or it cannot be looked at.
pub fn refuse_untrusted(path: &Path) -> Result<(), Fault> {
    let me = Identity {
        user: rustix::process::geteuid().as_raw(),
        group: rustix::process::getegid().as_raw(),
    };
    let real = path.canonicalize().map_err(Fault::at("cannot read", path))?;
    for place in real.ancestors() {
        let meta = fs::symlink_metadata(place).map_err(Fault::at("cannot read", place))?;
        let Some(reason) = distrust(&meta, me, place == real) else { continue };
        let name = Owner::current().name;
        let shown = place.display();
        let (user, word) = (quoted(&name), quoted(&shown.to_string()));
        let why = match reason {
            Distrust::Owner => format!(
                "{shown} belongs to {}, who could have programs run as {name}: run it as that user, or \
                 `chown {user} {word}`",
                Owner::with_ids(meta.uid(), meta.gid()).name
            ),
            Distrust::Rights => format!(
                "other users may write to {shown}, and could have programs run as {name}: \
                 `chmod go-w {word}`"
            ),
        };
        return Err(Fault::because("cannot run programs for", path, io::ErrorKind::Other, &why));
    }
    Ok(())
}

/// The user and group that a program runs as.
#[derive(Clone, Copy)]
struct Identity {
    user: u32,
    group: u32,
}

/// Why a path is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distrust {
    /// It belongs to another user.
    Owner,
    /// Other users may write to it.
    Rights,
}

/// Returns why a program does not trust a path, if it does not. In a sticky folder such as `/tmp`
/// nobody replaces files of others.
fn distrust(meta: &fs::Metadata, me: Identity, is_last: bool) -> Option<Distrust> {
    const STICKY: u32 = 0o1000;
    let is_foreign_group = meta.mode() & 0o020 != 0 && ![0, me.group].contains(&meta.gid());
    let is_writable = meta.mode() & 0o002 != 0 || is_foreign_group;
    let is_sticky_folder = meta.mode() & STICKY != 0 && !is_last;
    match () {
        () if ![0, me.user].contains(&meta.uid()) => Some(Distrust::Owner),
        () if is_writable && !is_sticky_folder => Some(Distrust::Rights),
        () => None,
    }
}

/// Returns the name of a user in a file such as `/etc/passwd`.
fn name_of(file: &Path, uid: u32) -> Option<String> {
    users_in(file)?.find(|user| user.uid == uid && !user.name.is_empty()).map(|user| user.name)
}

/// Returns the users in a file such as `/etc/passwd`, without lines that are malformed; `None` if it
/// cannot be opened.
fn users_in(file: &Path) -> Option<impl Iterator<Item = Owner> + use<>> {
    let lines = BufReader::new(fs::File::open(file).ok()?).lines().map_while(Result::ok);
    Some(lines.filter_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Owner { uid, gid, name })
    }))
}

/// Returns the files of a home's top folder and mail folders that its owner does not own. Skips
/// boards and users, of which there may be a million.
///
/// # Errors
/// A folder cannot be listed.
pub fn foreign_files_nearby(home: &Path) -> Result<Vec<PathBuf>, Fault> {
    let owner = fs::metadata(home).map_err(Fault::at("cannot read", home))?.uid();
    let folders = ["", "spool", "spool/new", "outbox", "outbox/new", "journal", "log", "runs"];
    let mut foreign = Vec::new();
    for folder in folders.map(|folder| home.join(folder)) {
        for name in names(&folder)? {
            let path = folder.join(name);
            let meta = found(path.symlink_metadata(), &path)?;
            foreign.extend(meta.filter(|meta| meta.uid() != owner).map(|_| path));
        }
    }
    Ok(foreign)
}

/// Returns how many files of a home its owner does not own, and one of them.
///
/// # Errors
/// A folder cannot be listed.
pub fn foreign_files(home: &Path) -> Result<Option<(usize, PathBuf)>, Fault> {
    let owner = fs::metadata(home).map_err(Fault::at("cannot read", home))?.uid();
    let mut folders = vec![home.to_owned()];
    let mut foreign: Option<(usize, PathBuf)> = None;
    while let Some(folder) = folders.pop() {
        for name in names(&folder)? {
            let path = folder.join(name);
            // A file may go away while the home is in use.
            let Some(meta) = found(path.symlink_metadata(), &path)? else { continue };
            if meta.uid() != owner {
                let (count, _) = foreign.get_or_insert_with(|| (0, path.clone()));
                *count += 1;
            }
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(foreign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_path_that_others_may_change_is_not_trusted() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("home");
        fs::create_dir(&place).unwrap();
        let found = |mode: u32, is_last: bool, other: bool| {
            fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
            let meta = fs::metadata(&place).unwrap();
            let me = Identity { user: meta.uid() + u32::from(other), group: meta.gid() };
            distrust(&meta, me, is_last)
        };
        assert_eq!(found(0o755, true, false), None);
        assert_eq!(found(0o770, true, false), None, "the program's own group");
        assert_eq!(found(0o757, true, false), Some(Distrust::Rights));
        assert_eq!(found(0o1777, true, false), Some(Distrust::Rights));
        assert_eq!(found(0o1777, false, false), None);
        let is_root = fs::metadata(&place).unwrap().uid() == 0;
        assert_eq!(found(0o755, true, true), (!is_root).then_some(Distrust::Owner));
    }

    #[test]
    fn a_name_is_read_from_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("passwd");
        fs::write(&file, "root:x:0:0:root:/root:/bin/sh\nodd\npostboard:x:998:997::/v:/s\n")
            .unwrap();
        assert_eq!(name_of(&file, 998).as_deref(), Some("postboard"));
        assert_eq!(name_of(&file, 0).as_deref(), Some("root"));
        assert_eq!(name_of(&file, 997), None);
        assert_eq!(name_of(&dir.path().join("none"), 0), None);
    }
}
