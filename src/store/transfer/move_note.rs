//! The note in the folder of a home that is being moved, or was: then nobody works at its files.

use crate::store::Fault;
use crate::store::files::disk::{Disk, save};
use crate::store::paths::{free_name, is_folder, is_there, read_file};
use crate::store::postgres::DatabaseConfig;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// In the folder of a home that is being moved: what is moved where. It may have a password in it.
pub(in crate::store) const NOTE: &str = "moving";
/// Where the files of a home are made that comes from a database.
pub(in crate::store) const NEW: &str = "moving.new";
/// Where the files of a home are that was moved into a database; and in it, where that is.
pub(in crate::store) const OLD: &str = "moved";

/// A move that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveNote {
    /// Which move it is.
    pub token: String,
    /// The database that it is moved from; none from files.
    pub from: Option<DatabaseConfig>,
    /// The database that it is moved to; none to files.
    pub to: Option<DatabaseConfig>,
    /// Where to, for people.
    pub(in crate::store) place: String,
    /// Whether all was copied, and compared.
    pub(in crate::store) is_copied: bool,
    /// Where its files will be when it is elsewhere.
    old: PathBuf,
}

impl MoveNote {
    pub(in crate::store) fn new(
        home: &Path,
        token: &str,
        (from, to): (Option<DatabaseConfig>, Option<DatabaseConfig>),
        place: String,
    ) -> Result<Self, Fault> {
        let old = free_name(home, OLD)?;
        Ok(Self { token: token.to_owned(), from, to, place, is_copied: false, old })
    }

    /// That of the move that has begun in a folder, if one has.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(home: &Path) -> Result<Option<Self>, Fault> {
        let path = home.join(NOTE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(Fault::at("cannot read", &path))?,
        };
        serde_json::from_slice(&text).map(Some).map_err(|_| {
            let why = "it does not say what is moved where";
            Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
        })
    }

    pub(in crate::store) fn write(&self, disk: &Disk, home: &Path) -> Result<(), Fault> {
        let text = serde_json::to_string(self).expect("text is JSON");
        save(disk, &home.join(NOTE), &text)
    }

    /// Moves the files of the home aside, into a folder that says where the home is now. The files
    /// that a home has on every machine stay.
    pub(in crate::store) fn put_aside(&self, disk: &Disk, home: &Path) -> Result<PathBuf, Fault> {
        disk.folder(&self.old, &mut |_| ())?;
        save(disk, &self.old.join(OLD), &self.place)?;
        disk.folder(&self.old.join("spool"), &mut |_| ())?;
        let shared = ["spool/cur", "spool/bad"];
        for name in PASSING.into_iter().chain(shared).chain(CONTENT) {
            let (from, to) = (home.join(name), self.old.join(name));
            if is_there(&from)? && !is_there(&to)? {
                disk.rename(&from, &to)?;
            }
        }
        for name in shared {
            disk.folder(&home.join(name), &mut |_| ())?;
        }
        disk.remove(&home.join("spool/running"))?;
        [&self.old.join("spool"), &self.old, &home.join("spool"), home]
            .into_iter()
            .try_for_each(|folder| disk.sync_folder(folder))?;
        Ok(self.old.clone())
    }
}

/// The files that make a folder a home; a home that is kept elsewhere has none of them. The key is
/// the last.
pub(in crate::store) const CONTENT: [&str; 13] = [
    "boards",
    "users",
    "mailboxes",
    "names",
    "talks",
    "seen",
    "sent",
    "outbox",
    "journal",
    "dice",
    "stopped",
    "unproved",
    "key",
];
/// Other files that are in the one and not in the other.
pub(in crate::store) const PASSING: [&str; 6] =
    ["spare", "runs", "changes", "line", "lock", "format"];

/// Refuses to work at files that are being moved, or were.
pub(in crate::store) fn refuse_moving(home: &Path) -> Result<(), Fault> {
    // A folder of that name holds the files that an earlier move put aside.
    let old = home.join(OLD);
    if !is_folder(&old)?
        && let Some(place) = read_file(&old)?
    {
        let place = String::from_utf8_lossy(&place);
        let why = format!("this home was moved to {place}; these files are what it was then");
        return Err(Fault::because("cannot open", home, io::ErrorKind::Other, &why));
    }
    let Some(note) = MoveNote::read(home)? else { return Ok(()) };
    let why = format!(
        "it is being moved to {}; the same `postboard move-home` once more goes on with that, and \
         `postboard move-home --cancel` gives it up",
        note.place
    );
    Err(Fault::because("cannot open", home, io::ErrorKind::Other, &why))
}
