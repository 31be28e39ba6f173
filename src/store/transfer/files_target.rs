//! A home in files created from a stream of values, in a folder that is not yet a home.

use super::{CopyPosition, CopyTarget, HomePart, Item};
use crate::base::escape;
use crate::base::key::MAILBOXES;
use crate::base::time::Time;
use crate::store::backup::contents::is_home_file;
use crate::store::files::apply::{PendingWrites, apply};
use crate::store::files::disk::{Disk, replace_secret};
use crate::store::files::indexes::{self, SlotBytes};
use crate::store::files::layout;
use crate::store::outbox::letter_file::{OutboxName, single_letter_file, stem};
use crate::store::paths::read_or_empty;
use crate::store::spool::arrival_time;
use crate::store::{DocumentKind, Fault, FileStore, Letter, MailKey, SentRecord};
use data_encoding::HEXLOWER;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The file with the position of the copy.
const POSITION: &str = "position";

/// The files of a home being created.
#[derive(Debug)]
pub(in crate::store) struct FilesTarget {
    folder: PathBuf,
    disk: Disk,
}

/// A file below the home, with its content.
type FileContent = (String, Vec<u8>);

impl FilesTarget {
    /// Creates the folder, or continues with an existing one.
    pub(in crate::store) fn create(folder: &Path, disk: &Disk) -> Result<Self, Fault> {
        FileStore::create_missing(disk, folder)?;
        Ok(Self { folder: folder.to_owned(), disk: disk.clone() })
    }

    /// Removes the position: the copy is complete.
    pub(in crate::store) fn finish(folder: &Path, disk: &Disk) -> Result<(), Fault> {
        disk.remove(&folder.join(POSITION))
    }

    fn keys(&self, items: &[Item]) -> Result<(), Fault> {
        let mut dice = String::new();
        for item in items {
            match item {
                Item::Key { number: 0, key } => self.write_secret("key", key)?,
                Item::Key { key, .. } => dice += &(HEXLOWER.encode(key) + "\n"),
                _ => {}
            }
        }
        if dice.is_empty() { Ok(()) } else { self.write_secret("dice", dice.as_bytes()) }
    }

    fn write_secret(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.folder.join(name);
        self.disk.remove(&path)?;
        let file = self.disk.create_empty(&path, 0o600)?;
        self.disk.write_at(&file, &path, 0, bytes)
    }

    fn documents(&self, items: &[Item]) -> Result<(), Fault> {
        let mut work = PendingWrites::default();
        for item in items {
            if let Item::Document { name, text, .. } = item {
                self.check_name(name)?;
                work.documents.push((name, text.as_bytes()));
            }
        }
        apply(&self.disk, &self.folder, &work)?;
        // Documents about mailboxes expire by the time of their last change.
        let expires = |name: &str| name.starts_with(&DocumentKind::In(MAILBOXES).folder());
        for item in items {
            let Item::Document { name, changed, .. } = item else { continue };
            let since_epoch = Duration::from_secs(u64::try_from(changed.unix()).unwrap_or(0));
            if expires(name) {
                let path = self.folder.join(name);
                let file = File::options().write(true).open(&path);
                let set =
                    file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH + since_epoch));
                set.map_err(Fault::at("cannot write", path))?;
            }
        }
        Ok(())
    }

    fn records(&self, items: &[Item]) -> Result<(), Fault> {
        let mut work = PendingWrites::default();
        for item in items {
            match item {
                Item::Receipt { id, content, at } => {
                    let mail = MailKey { id: *id, content: *content };
                    work.receipts.push(layout::receipt(&mail, *at));
                }
                Item::Sent { mailbox, day, letter } => {
                    let sent = SentRecord { mailbox: *mailbox, letter: *letter };
                    let record = layout::sent_record_on(&sent, day);
                    self.check_name(&record.file)?;
                    work.unsynced.push(record);
                }
                _ => {}
            }
        }
        apply(&self.disk, &self.folder, &work)
    }

    fn wakeups(&self, items: &[Item]) -> Result<(), Fault> {
        let mut games: BTreeMap<&str, Vec<(u32, Time)>> = BTreeMap::new();
        for item in items {
            if let Item::Wakeup { game, number, at } = item {
                games.entry(game).or_default().push((*number, *at));
            }
        }
        for (game, times) in games {
            let name = format!("boards/{}/looks", escape::name(game));
            self.check_name(&name)?;
            let path = self.folder.join(name);
            let file = match Disk::open(&path)? {
                Some(file) => file,
                None => self.disk.put(&path, b"", &mut |_| ())?,
            };
            for (number, at) in times {
                let SlotBytes { offset, bytes } = indexes::slot_bytes(number, at);
                self.disk.write_at(&file, &path, offset, &bytes)?;
            }
        }
        Ok(())
    }

    fn registers(&self, items: &[Item]) -> Result<(), Fault> {
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for item in items {
            if let Item::Registered { register, user } = item {
                lines.entry(register).or_default().extend([user, "\n"]);
            }
        }
        for (register, lines) in lines {
            self.check_name(register)?;
            let path = self.folder.join(register);
            self.remove_torn_line(&path)?;
            self.disk.append(&path, lines.as_bytes(), &mut |_| ())?;
        }
        Ok(())
    }

    /// Removes the part of a line at the end of a register, which a killed copy may have left: it
    /// could be the name of another user.
    fn remove_torn_line(&self, path: &Path) -> Result<(), Fault> {
        let text = read_or_empty(path)?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        match Disk::open(path)? {
            Some(file) if whole < text.len() => self.disk.truncate(&file, path, whole as u64),
            _ => Ok(()),
        }
    }

    fn files(&self, items: &[Item]) -> Result<(), Fault> {
        let files: Vec<FileContent> = items.iter().flat_map(contents).collect();
        let mut work = PendingWrites::default();
        for (name, bytes) in &files {
            self.check_name(name)?;
            work.letters.push((name, bytes));
        }
        apply(&self.disk, &self.folder, &work)
    }

    /// Refuses a name that a home in files would not find again, or that lies elsewhere.
    fn check_name(&self, name: &str) -> Result<(), Fault> {
        if is_home_file(name) {
            return Ok(());
        }
        let why = format!("`{}` is not a file of a home", name.escape_debug());
        Err(Fault::because("cannot write", &self.folder, io::ErrorKind::InvalidData, &why))
    }
}

impl CopyTarget for FilesTarget {
    fn position(&self) -> Result<CopyPosition, Fault> {
        let path = self.folder.join(POSITION);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(CopyPosition::parse(&text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(CopyPosition::default()),
            Err(error) => Err(Fault::at("cannot read", path)(error)),
        }
    }

    fn take(
        &mut self,
        part: HomePart,
        items: &[Item],
        position: &CopyPosition,
    ) -> Result<(), Fault> {
        match part {
            HomePart::Keys => self.keys(items)?,
            HomePart::Documents => self.documents(items)?,
            HomePart::Receipts | HomePart::Sent => self.records(items)?,
            HomePart::Wakeups => self.wakeups(items)?,
            HomePart::Registers => self.registers(items)?,
            HomePart::Mails | HomePart::Parked | HomePart::Letters => self.files(items)?,
        }
        self.disk.sync_all(&self.folder)?;
        replace_secret(&self.disk, &self.folder.join(POSITION), &position.text())
    }
}

/// Returns the files of a mail or a letter.
fn contents(item: &Item) -> Vec<FileContent> {
    match item {
        Item::Mail { name, begun: 0, bytes, .. } => {
            vec![(format!("spool/new/{name}"), bytes.clone())]
        }
        Item::Mail { name, begun, bytes, .. } => {
            vec![(format!("spool/cur/{name},{begun}"), bytes.clone())]
        }
        Item::Parked { name, at, why, bytes } => {
            // Names of parked files begin with the time of arrival.
            let is_dated = arrival_time(name) == Some(*at);
            let name = if is_dated { name.clone() } else { format!("{}.{name}", at.digits()) };
            let file = format!("spool/bad/{name}");
            vec![(format!("{file}.why"), format!("{why}\n").into_bytes()), (file, bytes.clone())]
        }
        Item::Letter { letter, at, tries, not_before, why } => {
            let stem = stem(std::slice::from_ref(letter), *at);
            let (tries, not_before) = (*tries, *not_before);
            let name = OutboxName { tries, not_before, stem, is_journal: false };
            letter_contents(letter, *at, &name, why.as_deref())
        }
        _ => Vec::new(),
    }
}

/// Returns the file of a letter, and the file with the reason if it was given up.
fn letter_contents(
    letter: &Letter,
    at: Time,
    name: &OutboxName,
    why: Option<&str>,
) -> Vec<FileContent> {
    let folder = if why.is_some() { "bad" } else { "new" };
    let file = format!("outbox/{folder}/{}", name.file());
    let reason = why.map(|why| (format!("{file}.why"), format!("{why}\n").into_bytes()));
    reason.into_iter().chain([(file, single_letter_file(letter, at))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::files::indexes::registered_in;

    #[test]
    fn a_register_that_a_kill_has_cut_is_completed() {
        let users = ["alice", "bob", "caroline"];
        let item = |user: &str| Item::Registered { register: "stopped".into(), user: user.into() };
        let items: Vec<Item> = users.into_iter().map(item).collect();
        for length in 0..="alice\nbob\ncaroline\n".len() as u64 {
            let folder = tempfile::tempdir().unwrap();
            let mut target = FilesTarget::create(folder.path(), &Disk::default()).unwrap();
            let position = CopyPosition::default();
            target.take(HomePart::Registers, &items, &position).unwrap();
            let file = File::options().write(true).open(folder.path().join("stopped")).unwrap();
            file.set_len(length).unwrap();
            target.take(HomePart::Registers, &items, &position).unwrap();
            assert_eq!(registered_in(folder.path(), "stopped").unwrap(), users, "{length}");
        }
    }
}
