//! Whose files are whose: what the operator is told where rights are missing.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

use super::{Fault, found, names};
use std::fs;
use std::io::{BufRead as _, BufReader};
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
