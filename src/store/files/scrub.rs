//! Removes what earlier changes left in places of a home that are written again and again.

use super::FileHome;
use super::apply::remove_spares;
use super::disk::Disk;
use super::init::lock_path;
use super::journal::record::CLEARED;
use super::journal::recovery::is_due;
use super::lock::Lock;
use super::store::FileStore;
use crate::store::paths::{names, read_file};
use crate::store::traces::contains_word;
use crate::store::{Fault, OpenHome};

/// How often the journal is put in place, while others commit at the same time.
const TRIES: usize = 100;

/// Puts the journal in place and overwrites it, removes the spare files, and removes each commit put aside that contains
/// one of `words`.
pub(super) fn scrub(home: &FileHome, words: &[String]) -> Result<(), Fault> {
    for _ in 0..TRIES {
        Box::new(FileStore::open_in(home)?).close()?;
        let _lock = Lock::exclusive(&lock_path(&home.path)?)?;
        if !is_due(&home.path)? {
            blank_journal(home)?;
            remove_spares(&home.disk, &home.path)?;
            break;
        }
    }
    let folder = home.path.join("journal/bad");
    for name in names(&folder)? {
        let path = folder.join(name);
        if read_file(&path)?.is_some_and(|text| contains_word(&text, words)) {
            home.disk.remove(&path)?;
        }
    }
    Ok(())
}

/// Overwrites what is behind the first word of the permanent file, which says that nothing in it counts.
fn blank_journal(home: &FileHome) -> Result<(), Fault> {
    let path = home.path.join("journal/0.txn");
    let Some(file) = Disk::open(&path)? else { return Ok(()) };
    let length = file.metadata().map_err(Fault::at("cannot read", &path))?.len();
    let length = usize::try_from(length).unwrap_or(usize::MAX).saturating_sub(CLEARED.len());
    home.disk.write_at(&file, &path, CLEARED.len() as u64, &vec![0; length])?;
    home.disk.sync(&file, &path)
}
