//! Notes of erasures under way, in `erasing/` of the home. Once a user's document is erased, only the note has the
//! addresses that are still looked for, so that an interrupted erasure can be finished.

use crate::base::escape;
use crate::base::ids::UserId;
use crate::store::Fault;
use crate::store::files::disk::{Disk, replace_secret};
use crate::store::paths::{names, read_file};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The folder in the home, with a file for each user.
const FOLDER: &str = "erasing";

/// What the erasure of a user removes outside the documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureNote {
    /// The names of letters to the user.
    pub letters: Vec<String>,
    /// The user's addresses.
    pub addresses: Vec<String>,
}

impl ErasureNote {
    /// Reads the note about a user, if their erasure is under way or was interrupted.
    pub fn read(home: &Path, user: &UserId) -> Result<Option<Self>, Fault> {
        let path = path_of(home, user);
        let Some(text) = read_file(&path)? else { return Ok(None) };
        serde_json::from_slice(&text).map(Some).map_err(|_| {
            let why = "it is not a note of an erasure";
            Fault::because("cannot use", path, io::ErrorKind::InvalidData, why)
        })
    }

    /// Writes the note durably, readable for its owner alone.
    pub fn write(&self, home: &Path, user: &UserId) -> Result<(), Fault> {
        let (disk, path) = (Disk::default(), path_of(home, user));
        disk.folder(&home.join(FOLDER), &mut |_| ())?;
        disk.sync_folder(home)?;
        let text = serde_json::to_string(self).expect("text is JSON");
        replace_secret(&disk, &path, &text)
    }

    /// Removes the note about a user.
    pub fn remove(home: &Path, user: &UserId) -> Result<(), Fault> {
        let disk = Disk::default();
        disk.remove(&path_of(home, user))?;
        disk.sync_folder(&home.join(FOLDER))
    }

    /// Returns the users with a note.
    pub fn users(home: &Path) -> Result<Vec<String>, Fault> {
        // A kill may leave a note that was not renamed yet.
        let user = |name: String| escape::named(name.strip_suffix(".tmp").unwrap_or(&name));
        let mut users: Vec<String> =
            names(&home.join(FOLDER))?.into_iter().filter_map(user).collect();
        users.sort();
        users.dedup();
        Ok(users)
    }
}

fn path_of(home: &Path, user: &UserId) -> PathBuf {
    home.join(FOLDER).join(escape::name(&user.folded()))
}
