//! Whose files are whose: what the operator is told where rights are missing.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use crate::store::Fault;
use crate::store::paths::{found, names};
use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// A user of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The number.
    pub uid: u32,
    /// The name, or `uid 998` where none is known.
    pub name: String,
}

impl Owner {
    fn numbered(uid: u32) -> Self {
        let name = named(Path::new("/etc/passwd"), uid);
        Self { uid, name: name.unwrap_or_else(|| format!("uid {uid}")) }
    }

    /// The user who runs this program.
    pub fn current() -> Self {
        Self::numbered(rustix::process::geteuid().as_raw())
    }

    /// The owner of a path, or else of the nearest folder above it: that path, and its owner.
    pub fn nearest(path: &Path) -> Option<(PathBuf, Self)> {
        path.ancestors().find_map(|place| {
            let meta = fs::metadata(place).ok()?;
            Some((place.to_owned(), Self::numbered(meta.uid())))
        })
    }
}

/// Refuses a path that another user could put something else in place of: the path itself, or a
/// folder above it, belongs to them or may be written by them. Root is trusted, and so is the group
/// that this program runs as.
///
/// # Errors
/// It is such a path, or cannot be looked at.
pub fn refuse_foreign(path: &Path) -> Result<(), Fault> {
    let me = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let real = path.canonicalize().map_err(Fault::at("cannot read", path))?;
    for place in real.ancestors() {
        let meta = fs::symlink_metadata(place).map_err(Fault::at("cannot read", place))?;
        let Some(what) = strangeness(&meta, me, place == real) else { continue };
        let name = Owner::current().name;
        let shown = place.display();
        let why = match what {
            Strangeness::Owner => format!(
                "{shown} belongs to {}, who could have programs run as {name}: run it as that user, or \
                 `chown {name} {shown}`",
                Owner::numbered(meta.uid()).name
            ),
            Strangeness::Rights => format!(
                "other users may write to {shown}, and could have programs run as {name}: \
                 `chmod go-w {shown}`"
            ),
        };
        return Err(Fault::because("cannot run programs for", path, io::ErrorKind::Other, &why));
    }
    Ok(())
}

/// Why a path is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strangeness {
    Owner,
    Rights,
}

/// Why a user and group do not trust a path, if they do not. In a folder such as `/tmp` nobody
/// replaces what others own.
fn strangeness(
    meta: &fs::Metadata,
    (user, group): (u32, u32),
    is_last: bool,
) -> Option<Strangeness> {
    const STICKY: u32 = 0o1000;
    let is_group_strange = meta.mode() & 0o020 != 0 && ![0, group].contains(&meta.gid());
    let is_open = meta.mode() & 0o002 != 0 || is_group_strange;
    let is_guarded = meta.mode() & STICKY != 0 && !is_last;
    match () {
        () if ![0, user].contains(&meta.uid()) => Some(Strangeness::Owner),
        () if is_open && !is_guarded => Some(Strangeness::Rights),
        () => None,
    }
}

/// The name of a user in a file such as `/etc/passwd`.
fn named(file: &Path, uid: u32) -> Option<String> {
    let lines = BufReader::new(fs::File::open(file).ok()?).lines().map_while(Result::ok);
    let mut of = lines.filter_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?.to_owned(), fields.nth(1)?.parse::<u32>().ok()?);
        (number == uid && !name.is_empty()).then_some(name)
    });
    of.next()
}

/// The files in a home, and in the folders of mails, that are not its owner's: not those of boards and
/// users, of which there may be a million.
///
/// # Errors
/// A folder cannot be listed.
pub fn strange_near(home: &Path) -> Result<Vec<PathBuf>, Fault> {
    let owner = fs::metadata(home).map_err(Fault::at("cannot read", home))?.uid();
    let folders = ["", "spool", "spool/new", "outbox", "outbox/new", "journal", "log", "runs"];
    let mut strange = Vec::new();
    for folder in folders.map(|folder| home.join(folder)) {
        for name in names(&folder)? {
            let path = folder.join(name);
            let meta = found(path.symlink_metadata(), &path)?;
            strange.extend(meta.filter(|meta| meta.uid() != owner).map(|_| path));
        }
    }
    Ok(strange)
}

/// The files below a home that are not its owner's: how many, and one of them.
///
/// # Errors
/// A folder cannot be listed.
pub fn strange_files(home: &Path) -> Result<Option<(usize, PathBuf)>, Fault> {
    let owner = fs::metadata(home).map_err(Fault::at("cannot read", home))?.uid();
    let mut folders = vec![home.to_owned()];
    let mut strange: Option<(usize, PathBuf)> = None;
    while let Some(folder) = folders.pop() {
        for name in names(&folder)? {
            let path = folder.join(name);
            // It may go away while the home is at work.
            let Some(meta) = found(path.symlink_metadata(), &path)? else { continue };
            if meta.uid() != owner {
                let (count, _) = strange.get_or_insert_with(|| (0, path.clone()));
                *count += 1;
            }
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(strange)
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
            let me = (meta.uid() + u32::from(other), meta.gid());
            strangeness(&meta, me, is_last)
        };
        assert_eq!(found(0o755, true, false), None);
        assert_eq!(found(0o770, true, false), None, "the program's own group");
        assert_eq!(found(0o757, true, false), Some(Strangeness::Rights));
        assert_eq!(found(0o1777, true, false), Some(Strangeness::Rights));
        assert_eq!(found(0o1777, false, false), None);
        let is_root = fs::metadata(&place).unwrap().uid() == 0;
        assert_eq!(found(0o755, true, true), (!is_root).then_some(Strangeness::Owner));
    }

    #[test]
    fn a_name_is_read_from_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("passwd");
        fs::write(&file, "root:x:0:0:root:/root:/bin/sh\nodd\npostboard:x:998:997::/v:/s\n")
            .unwrap();
        assert_eq!(named(&file, 998).as_deref(), Some("postboard"));
        assert_eq!(named(&file, 0).as_deref(), Some("root"));
        assert_eq!(named(&file, 997), None);
        assert_eq!(named(&dir.path().join("none"), 0), None);
    }
}
