//! The note in the folder of a home that is being moved, or was moved: nobody works at its files.

use crate::base::key::DOCUMENT_FOLDERS;
use crate::store::Fault;
use crate::store::files::disk::{Disk, replace_secret};
use crate::store::paths::{free_name, is_folder, is_there, read_file};
use crate::store::postgres::DatabaseConfig;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The note of a move under way. It may contain a password.
pub(super) const NOTE: &str = "moving";
/// The folder where the files of a home that comes from a database are created.
pub(super) const NEW: &str = "moving.new";
/// The folder with the files of a home that was moved; and the file in it that says where the home is.
const OLD: &str = "moved";

/// The names besides [`DOCUMENT_FOLDERS`] that make a folder a home.
const OTHER_CONTENT: [&str; 9] =
    ["seen", "sent", "outbox", "journal", "dice", "stopped", "unproved", "due", "key"];

/// Returns the names that make a folder a home; the folder of a home in a database has none of them.
/// The key is last.
pub(super) fn content() -> impl Iterator<Item = &'static str> {
    DOCUMENT_FOLDERS.into_iter().map(|(folder, _)| folder).chain(OTHER_CONTENT)
}

/// Other names that only a home in files has.
pub(super) const TRANSIENT: [&str; 6] = ["spare", "runs", "changes", "line", "lock", "format"];

/// A move under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveNote {
    /// The identity of the move.
    pub token: String,
    /// The database that the home is moved from; `None` for files.
    pub from: Option<DatabaseConfig>,
    /// The database that the home is moved to; `None` for files.
    pub to: Option<DatabaseConfig>,
    /// Where it is moved to, for the operator.
    pub(super) place: String,
    /// Whether everything is copied and compared.
    pub(super) is_copied: bool,
    /// Where its files will be afterwards.
    old: PathBuf,
}

impl MoveNote {
    pub(super) fn new(
        home: &Path,
        token: &str,
        from: Option<DatabaseConfig>,
        to: Option<DatabaseConfig>,
        place: String,
    ) -> Result<Self, Fault> {
        let old = free_name(home, OLD)?;
        Ok(Self { token: token.to_owned(), from, to, place, is_copied: false, old })
    }

    /// Reads the note of the move under way in a folder, if there is one.
    pub fn read(home: &Path) -> Result<Option<Self>, Fault> {
        let path = home.join(NOTE);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(Fault::at("cannot read", &path))?,
        };
        serde_json::from_slice(&text).map(Some).map_err(|_| {
            let why = "it is not a note of a move";
            Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
        })
    }

    pub(super) fn write(&self, disk: &Disk, home: &Path) -> Result<(), Fault> {
        let text = serde_json::to_string(self).expect("text is JSON");
        replace_secret(disk, &home.join(NOTE), &text)
    }

    /// Moves the files of the home into a folder that says where the home is now. Files that every
    /// home has on this machine stay.
    pub(super) fn put_files_aside(&self, disk: &Disk, home: &Path) -> Result<PathBuf, Fault> {
        disk.folder(&self.old, &mut |_| ())?;
        replace_secret(disk, &self.old.join(OLD), &self.place)?;
        disk.folder(&self.old.join("spool"), &mut |_| ())?;
        let shared = ["spool/cur", "spool/bad"];
        for name in TRANSIENT.into_iter().chain(shared).chain(content()) {
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

/// Refuses files of a home that is being moved, or was moved.
pub(in crate::store) fn refuse_moving(home: &Path) -> Result<(), Fault> {
    // A file of this name; a folder of this name holds the files of an earlier move.
    let old = home.join(OLD);
    if !is_folder(&old)?
        && let Some(place) = read_file(&old)?
    {
        let place = String::from_utf8_lossy(&place);
        let why = format!("this home was moved to {place}; these are its old files");
        return Err(Fault::because("cannot open", home, io::ErrorKind::Other, &why));
    }
    let Some(note) = MoveNote::read(home)? else { return Ok(()) };
    let why = format!(
        "it is being moved to {}; run the same `postboard move-home` again to continue, or \
         `postboard move-home --cancel` to cancel",
        note.place
    );
    Err(Fault::because("cannot open", home, io::ErrorKind::Other, &why))
}
