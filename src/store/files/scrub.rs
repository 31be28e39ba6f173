//! Removes what earlier changes left in places of a home that are written again and again.

use super::FileHome;
use super::apply::remove_spares;
use super::disk::Disk;
use super::init::lock_path;
use super::journal::record::CLEARED;
use super::journal::recovery::is_due;
use super::lock::Lock;
use super::store::FileStore;
use crate::store::Fault;
use crate::store::paths::{names, read_file};
use crate::store::traces::contains_word;
use std::io;

/// How often the journal is put in place, while others commit at the same time.
const MAX_TRIES: usize = 100;

/// Puts the journal in place and overwrites it, removes the spare files, and removes each commit put aside that contains
/// one of `words`.
///
/// # Errors
/// The machine failed, or others committed after each try.
pub(super) fn scrub(home: &FileHome, words: &[String]) -> Result<(), Fault> {
    let mut tries = 0;
    while !remove_leftovers(home)? {
        tries += 1;
        if tries == MAX_TRIES {
            let why = "others commit again and again; try it later";
            let journal = home.path.join("journal");
            return Err(Fault::because("cannot blank", journal, io::ErrorKind::WouldBlock, why));
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

/// Puts the journal in place, overwrites it and removes the spare files. Returns false if somebody else has committed
/// before it was locked again.
fn remove_leftovers(home: &FileHome) -> Result<bool, Fault> {
    FileStore::open_in(home)?.close()?;
    let _lock = Lock::exclusive(&lock_path(&home.path)?)?;
    if is_due(&home.path)? {
        return Ok(false);
    }
    blank_journal(home)?;
    remove_spares(&home.disk, &home.path)?;
    Ok(true)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::files::disk::DiskStep;
    use crate::store::{DocumentChange, Home as _, Key, Store as _, Transaction};
    use std::fs;
    use std::sync::Arc;

    #[test]
    fn a_journal_that_is_never_empty_is_a_fault() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("home");
        FileStore::init(&path, &[7; 32]).unwrap();
        let mut store = FileStore::open(&path).unwrap();
        let change = DocumentChange { key: Key::Board("malaka", 1), was: None, text: "{}".into() };
        store.commit(Transaction { changes: vec![change], ..Transaction::default() }).unwrap();
        let journal = path.join("journal/0.txn");
        let committed = fs::read(&journal).unwrap();
        store.close().unwrap();
        FileHome::new(&path).scrub(&[]).unwrap();
        fs::write(&journal, &committed).unwrap();
        // As if somebody committed whenever the journal is cleared.
        let hook = move |step: DiskStep<'_>| match step {
            DiskStep::Sync(file) if file.ends_with("journal/0.txn") => fs::write(file, &committed),
            _ => Ok(()),
        };
        let home = FileHome::new(&path).with_disk(Disk::watched(Arc::new(hook)));
        let fault = home.scrub(&[]).unwrap_err().to_string();
        assert!(fault.contains("others commit again and again"), "{fault}");
    }
}
