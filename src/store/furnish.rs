//! A new home.

use super::disk::Disk;
use super::own_files::{FORMAT_FILE, SECRET, put_format, put_whole};
use super::{Fault, FileStore, is_there, journal};
use std::io;
use std::path::Path;

impl FileStore {
    /// Makes a new home, with 32 random bytes as its key.
    ///
    /// # Errors
    /// There is a home already, or the machine failed.
    pub fn init(home: &Path, key: &[u8; 32]) -> Result<(), Fault> {
        let key_path = home.join("key");
        if is_there(&key_path)? {
            let why = "there is a home already";
            return Err(Fault::because("cannot make", home, io::ErrorKind::AlreadyExists, why));
        }
        let disk = Disk::default();
        Self::furnish(&disk, home)?;
        // The key comes last: it is what makes a home of a folder.
        put_whole(&disk, home, "key", key, SECRET)
    }

    /// Makes the missing parts of the folder of a home that is kept elsewhere: room for mails that
    /// wait for that, for texts that an operator edits, and for a log.
    ///
    /// # Errors
    /// The machine failed.
    pub fn furnish_folder(home: &Path) -> Result<(), Fault> {
        let folders = ["spool/tmp", "spool/new", "spool/cur", "spool/bad", "log"];
        folders.iter().try_for_each(|name| Disk::default().folder(&home.join(name), &mut |_| ()))
    }

    /// Says in a home that began without saying so which format it has.
    ///
    /// # Errors
    /// The machine failed.
    pub fn mark_format(home: &Path) -> Result<(), Fault> {
        if is_there(&home.join(FORMAT_FILE))? {
            return Ok(());
        }
        put_format(&Disk::default(), home)
    }

    /// Makes all missing parts of a home beside its documents.
    pub(super) fn furnish(disk: &Disk, home: &Path) -> Result<(), Fault> {
        let folders = [
            "boards",
            "users",
            "seen",
            "outbox/new",
            "outbox/cur",
            "outbox/bad",
            "outbox/line",
            "spool/tmp",
            "spool/new",
            "spool/cur",
            "spool/bad",
            "journal/bad",
            "spare",
            "line",
            "log",
        ];
        for folder in folders {
            disk.folder(&home.join(folder), &mut |_| ())?;
        }
        journal::furnish(disk, home)?;
        disk.put(&home.join("lock"), b"", &mut |_| ())?;
        if is_there(&home.join(FORMAT_FILE))? { Ok(()) } else { put_format(disk, home) }
    }
}
