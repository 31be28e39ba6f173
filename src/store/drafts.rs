//! Texts that an operator is editing, in `drafts/` of the home. A refused text stays there, so that
//! no work is lost.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

use crate::store::Fault;
use crate::store::paths::{beside, found, free_name, read_file};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Writes a text under this name, or the first free one like it, readable for its owner alone.
pub fn put(home: &Path, name: &str, text: &[u8]) -> Result<PathBuf, Fault> {
    let folder = home.join("drafts");
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(Fault::at("cannot make", folder)(error));
        }
        _ => {}
    }
    let path = free_name(&folder, name)?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)
        .and_then(|mut file| file.write_all(text))
        .map_err(Fault::at("cannot write", &path))?;
    Ok(path)
}

/// Writes beside a draft the text that it was made from, so that it does not overwrite another
/// version later.
pub fn save_base(draft: &Path, base: &[u8]) -> Result<(), Fault> {
    let path = beside(draft, "was");
    fs::write(&path, base).map_err(Fault::at("cannot write", path))
}

/// Returns the text that a draft of this home was made from, if it is known.
pub fn base_of(home: &Path, draft: &Path) -> Result<Option<Vec<u8>>, Fault> {
    let place = |path: &Path| found(path.canonicalize(), path);
    let (draft_place, drafts) = (place(draft)?, place(&home.join("drafts"))?);
    let is_of_home =
        draft_place.zip(drafts).is_some_and(|(draft, drafts)| draft.starts_with(drafts));
    if is_of_home { read_file(&beside(draft, "was")) } else { Ok(None) }
}
