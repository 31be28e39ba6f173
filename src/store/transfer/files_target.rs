//! A home in files made of a stream of what it holds, in a folder that is no home yet.

use super::{CopyPosition, CopyTarget, HomePart, Item};
use crate::base::escape;
use crate::base::key::MAILBOXES;
use crate::base::time::Time;
use crate::store::backup::contents::is_home_file;
use crate::store::files::apply::{PendingWrites, apply};
use crate::store::files::disk::{Disk, save};
use crate::store::files::{indexes, layout};
use crate::store::outbox::letter_file::{OutboxName, envelope, stem};
use crate::store::{DocumentKind, Fault, FileStore, Letter, MailKey, SentRecord};
use data_encoding::HEXLOWER;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How far the copy has come.
const POSITION: &str = "position";

/// The files of a home that is being made.
#[derive(Debug)]
pub(in crate::store) struct FilesTarget {
    folder: PathBuf,
    disk: Disk,
}

/// A file with what it holds.
type FileContent = (String, Vec<u8>);

impl FilesTarget {
    /// Makes the folder, or goes on with one that is there.
    pub(in crate::store) fn at(folder: &Path, disk: &Disk) -> Result<Self, Fault> {
        FileStore::create_missing(disk, folder)?;
        Ok(Self { folder: folder.to_owned(), disk: disk.clone() })
    }

    /// Forgets how far the copy has come: it is complete.
    pub(in crate::store) fn end(folder: &Path, disk: &Disk) -> Result<(), Fault> {
        disk.remove(&folder.join(POSITION))
    }

    fn keys(&self, items: &[Item]) -> Result<(), Fault> {
        let mut dice = String::new();
        for item in items {
            match item {
                Item::Key { number: 0, key } => self.secret("key", key)?,
                Item::Key { key, .. } => dice += &(HEXLOWER.encode(key) + "\n"),
                _ => {}
            }
        }
        if dice.is_empty() { Ok(()) } else { self.secret("dice", dice.as_bytes()) }
    }

    fn secret(&self, name: &str, bytes: &[u8]) -> Result<(), Fault> {
        let path = self.folder.join(name);
        self.disk.remove(&path)?;
        let file = self.disk.make(&path, 0o600)?;
        self.disk.write_at(&file, &path, 0, bytes)
    }

    fn documents(&self, items: &[Item]) -> Result<(), Fault> {
        let mut work = PendingWrites::default();
        for item in items {
            if let Item::Document { name, text, .. } = item {
                self.is_home_file(name)?;
                work.documents.push((name, text.as_bytes()));
            }
        }
        apply(&self.disk, &self.folder, &work)?;
        // Facts about mailboxes are forgotten by their age.
        let is_aging = |name: &str| name.starts_with(&DocumentKind::In(MAILBOXES).folder());
        for item in items {
            let Item::Document { name, changed, .. } = item else { continue };
            let age = Duration::from_secs(u64::try_from(changed.unix()).unwrap_or(0));
            if is_aging(name) {
                let path = self.folder.join(name);
                let file = File::options().write(true).open(&path);
                let set = file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH + age));
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
                    let (file, record) = layout::sent_on(&sent, day);
                    self.is_home_file(&file)?;
                    work.unsynced.push((file, record));
                }
                _ => {}
            }
        }
        apply(&self.disk, &self.folder, &work)
    }

    fn looks(&self, items: &[Item]) -> Result<(), Fault> {
        let mut games: BTreeMap<&str, Vec<(u32, Time)>> = BTreeMap::new();
        for item in items {
            if let Item::Look { game, number, at } = item {
                games.entry(game).or_default().push((*number, *at));
            }
        }
        for (game, looks) in games {
            let name = format!("boards/{}/looks", escape::name(game));
            self.is_home_file(&name)?;
            let path = self.folder.join(name);
            let file = match Disk::open(&path)? {
                Some(file) => file,
                None => self.disk.put(&path, b"", &mut |_| ())?,
            };
            for (number, at) in looks {
                let (offset, slot) = indexes::slot(number, at);
                self.disk.write_at(&file, &path, offset, &slot)?;
            }
        }
        Ok(())
    }

    fn registers(&self, items: &[Item]) -> Result<(), Fault> {
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        for item in items {
            if let Item::Registered { register, user } = item {
                lines.entry(register).or_default().extend(["\n", user]);
            }
        }
        for (register, lines) in lines {
            self.is_home_file(register)?;
            self.disk.append(&self.folder.join(register), lines.as_bytes(), &mut |_| ())?;
        }
        Ok(())
    }

    fn files(&self, items: &[Item]) -> Result<(), Fault> {
        let files: Vec<FileContent> = items.iter().flat_map(contents).collect();
        let mut work = PendingWrites::default();
        for (name, bytes) in &files {
            self.is_home_file(name)?;
            work.letters.push((name, bytes));
        }
        apply(&self.disk, &self.folder, &work)
    }

    /// Refuses a name that would not be found again, or lies elsewhere.
    fn is_home_file(&self, name: &str) -> Result<(), Fault> {
        if is_home_file(name) {
            return Ok(());
        }
        let why = format!("`{}` is no file of a home", name.escape_debug());
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
            HomePart::Looks => self.looks(items)?,
            HomePart::Registers => self.registers(items)?,
            HomePart::Mails | HomePart::Aside | HomePart::Letters => self.files(items)?,
        }
        self.disk.sync_all(&self.folder)?;
        save(&self.disk, &self.folder.join(POSITION), &position.text())
    }
}

/// The files of a mail or a letter.
fn contents(item: &Item) -> Vec<FileContent> {
    match item {
        Item::Mail { name, begun: 0, bytes, .. } => {
            vec![(format!("spool/new/{name}"), bytes.clone())]
        }
        Item::Mail { name, begun, bytes, .. } => {
            vec![(format!("spool/cur/{name},{begun}"), bytes.clone())]
        }
        Item::Aside { name, at, why, bytes } => {
            // Names of files begin with when the mail came.
            let is_known = name.split('.').next().and_then(Time::from_digits) == Some(*at);
            let name = if is_known { name.clone() } else { format!("{}.{name}", at.digits()) };
            let file = format!("spool/bad/{name}");
            vec![(format!("{file}.why"), format!("{why}\n").into_bytes()), (file, bytes.clone())]
        }
        Item::Letter { letter, at, tries, not_before, why } => {
            of_letter(letter, (*at, *tries, *not_before), why.as_deref())
        }
        _ => Vec::new(),
    }
}

fn of_letter(
    letter: &Letter,
    (at, tries, not_before): (Time, u32, Time),
    why: Option<&str>,
) -> Vec<FileContent> {
    let mut bytes = envelope(letter, at);
    bytes.extend_from_slice(&letter.bytes);
    bytes.push(b'\n');
    let stem = stem(std::slice::from_ref(letter), at);
    let name = OutboxName { tries, not_before, stem, journal: false };
    let folder = if why.is_some() { "bad" } else { "new" };
    let file = format!("outbox/{folder}/{}", name.file());
    let reason = why.map(|why| (format!("{file}.why"), format!("{why}\n").into_bytes()));
    reason.into_iter().chain([(file, bytes)]).collect()
}
