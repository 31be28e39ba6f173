//! A home in files as a stream of values.

use super::{CopySource, HomePart, Item, ItemBatch, ItemBatches};
use crate::base::digest::Digest;
use crate::base::escape;
use crate::base::key::DOCUMENT_FOLDERS;
use crate::base::time::{Month, Time};
use crate::store::backup::contents::{folders, is_home_file};
use crate::store::files::disk::Disk;
use crate::store::files::layout::{self, StoredReceipt};
use crate::store::files::{indexes, init};
use crate::store::outbox::letter_file::{self, StoredLetter};
use crate::store::paths::{beside, is_folder, names, read_file, read_or_empty};
use crate::store::spool::{SpoolName, arrival_time, file_spool};
use crate::store::transaction::{DUE, UNPROVED};
use crate::store::{Fault, MailKey, SentRecord};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::vec;

/// The number of values from which a batch takes no more.
const BATCH_VALUES: usize = 1000;
/// The size in bytes from which a batch takes no more.
const BATCH_BYTES: usize = 4 << 20;
/// The values of a long file that are read at once.
const PIECE: usize = 4096;
/// The files of indexes, in the folder of a game.
const LOOKS: &str = "looks";
const RATED: &str = "rated";
/// The register in the top folder.
const STOPPED: &str = "stopped";

/// The files of a home.
#[derive(Debug)]
pub(in crate::store) struct FilesSource<'a> {
    home: &'a Path,
    /// Whether mails that were never begun are included. They arrive while the rest does not change.
    with_fresh_mails: bool,
}

/// The result of reading a file, or a part of it.
type ReadUnit = Result<NamedItems, Fault>;

/// The values of a file or of a part of it, and the name behind which a copy continues.
struct NamedItems {
    items: Vec<Item>,
    name: String,
}

impl NamedItems {
    fn new(items: Vec<Item>, name: String) -> Self {
        Self { items, name }
    }
}

impl<'a> FilesSource<'a> {
    /// Reads everything but mails that were never begun.
    pub(in crate::store) fn new(home: &'a Path) -> Self {
        Self { home, with_fresh_mails: false }
    }

    /// Reads everything.
    pub(in crate::store) fn with_fresh_mails(home: &'a Path) -> Self {
        Self { home, with_fresh_mails: true }
    }

    fn text(&self, name: &str) -> Result<String, Fault> {
        let path = self.home.join(name);
        fs::read_to_string(&path).map_err(Fault::reading_document(path))
    }

    /// Returns when a file was last written, or [`Time::EPOCH`] if unknown.
    fn changed(&self, name: &str) -> Time {
        let meta = fs::metadata(self.home.join(name));
        meta.map_or(Time::EPOCH, |it| Time::from_unix(it.mtime()))
    }

    fn keys(&self) -> ReadUnit {
        let keys = std::iter::once(init::key(self.home)?).chain(init::dice_keys(self.home)?);
        let keys = keys.zip(0..).map(|(key, number)| Item::Key { number, key });
        Ok(NamedItems::new(keys.collect(), "all".into()))
    }

    fn documents(&self) -> impl Iterator<Item = ReadUnit> {
        let folders = DOCUMENT_FOLDERS.into_iter();
        let walk = folders.flat_map(|(folder, depth)| FolderWalk::new(self.home, folder, depth));
        walk.filter(|name| name.as_ref().map_or(true, |name| is_document(name))).map(|name| {
            let name = name?;
            let (text, changed) = (self.text(&name)?, self.changed(&name));
            Ok(NamedItems::new(vec![Item::Document { name: name.clone(), text, changed }], name))
        })
    }

    /// Returns the receipts by the first three digits of their IDs, those of all months together,
    /// so that duplicates are merged.
    fn receipts(&self) -> Result<impl Iterator<Item = ReadUnit>, Fault> {
        let mut months = names(&self.home.join("seen"))?;
        months.retain(|name| Month::parse(name).is_some());
        let mut early: HashMap<usize, Vec<StoredReceipt>> = HashMap::new();
        Ok((0..1_usize << 12).map(move |bucket| {
            let digits = format!("{bucket:03x}");
            if bucket % 256 == 0 {
                early.clear();
                for month in &months {
                    for receipt in self.receipts_in(&format!("seen/{month}/{}", &digits[..1]))? {
                        early.entry(bucket_of(&receipt.mail.id)).or_default().push(receipt);
                    }
                }
            }
            let mut all = early.remove(&bucket).unwrap_or_default();
            for month in &months {
                let file = format!("seen/{month}/{}/{}", &digits[..2], &digits[2..]);
                all.extend(self.receipts_in(&file)?);
            }
            let mut latest: BTreeMap<(Digest, Digest), Time> = BTreeMap::new();
            for StoredReceipt { mail: MailKey { id, content }, at } in all {
                let known = latest.entry((id, content)).or_insert(at);
                *known = at.max(*known);
            }
            let item = |((id, content), at)| Item::Receipt { id, content, at };
            Ok(NamedItems::new(latest.into_iter().map(item).collect(), digits))
        }))
    }

    fn receipts_in(&self, name: &str) -> Result<Vec<StoredReceipt>, Fault> {
        let path = self.home.join(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(layout::receipts_in(&bytes)),
            Err(error) if is_absent(&error) => Ok(Vec::new()),
            Err(error) => Err(Fault::at("cannot read", path)(error)),
        }
    }

    fn sent(&self) -> impl Iterator<Item = ReadUnit> {
        FolderWalk::new(self.home, "sent", 2).map(|name| {
            let name = name?;
            let path = self.home.join(&name);
            let bytes = fs::read(&path).map_err(Fault::at("cannot read", path))?;
            let day = name.split('/').nth(1).unwrap_or_default().to_owned();
            let sent = layout::all_sent_in(&bytes).into_iter();
            let item =
                |SentRecord { mailbox, letter }| Item::Sent { mailbox, day: day.clone(), letter };
            Ok(NamedItems::new(sent.map(item).collect(), name))
        })
    }

    /// Returns the games that have a folder, each with the folder.
    fn games(&self) -> Result<Vec<(String, String)>, Fault> {
        let mut folders = names(&self.home.join("boards"))?;
        folders.sort();
        let game = |folder: String| Some((escape::named(&folder)?, folder));
        Ok(folders.into_iter().filter_map(game).collect())
    }

    fn wakeups(&self) -> Result<impl Iterator<Item = ReadUnit>, Fault> {
        let wakeups = |(game, folder): (String, String)| {
            let path = self.home.join("boards").join(folder).join(LOOKS);
            let mut file = match File::open(&path) {
                Err(error) if is_absent(&error) => None,
                opened => Some(opened.map_err(Fault::at("cannot read", &path))),
            };
            let mut number = 0;
            std::iter::from_fn(move || match file.take()? {
                Ok(mut open) => {
                    let piece = read_wakeups(&mut open, &path, &game, &mut number).transpose()?;
                    file = Some(Ok(open));
                    Some(piece)
                }
                Err(fault) => Some(Err(fault)),
            })
        };
        Ok(self.games()?.into_iter().flat_map(wakeups))
    }

    fn registers(&self) -> Result<impl Iterator<Item = ReadUnit>, Fault> {
        let rated = self.games()?.into_iter().map(|(_, folder)| format!("boards/{folder}/{RATED}"));
        let mut timed = Vec::new();
        for folder in [UNPROVED, DUE] {
            let names = names(&self.home.join(folder))?;
            timed.extend(names.iter().map(|name| format!("{folder}/{name}")));
        }
        let files = rated.chain([STOPPED.to_owned()]).chain(timed);
        let entries = |register: String| {
            let users = indexes::registered_in(self.home, &register);
            let (users, fault) = users.map_or_else(|it| (Vec::new(), Some(it)), |it| (it, None));
            let pieces: Vec<Vec<String>> = users.chunks(PIECE).map(<[String]>::to_vec).collect();
            let pieces = pieces.into_iter().map(move |users| {
                let last =
                    users.last().map_or_else(String::new, |last| format!("{register} {last}"));
                let register = register.clone();
                let item = |user| Item::Registered { register: register.clone(), user };
                Ok(NamedItems::new(users.into_iter().map(item).collect(), last))
            });
            pieces.chain(fault.map(Err))
        };
        Ok(files.flat_map(entries))
    }

    fn mails(&self) -> Result<impl Iterator<Item = ReadUnit>, Fault> {
        let folders =
            if self.with_fresh_mails { &["spool/cur", "spool/new"][..] } else { &["spool/cur"] };
        let mut mails = Vec::new();
        for folder in folders {
            for file in names(&self.home.join(folder))? {
                let name = match *folder {
                    "spool/cur" => SpoolName::parse(&file),
                    _ => SpoolName { name: file.clone(), begun: None },
                };
                mails.push((name, format!("{folder}/{file}")));
            }
        }
        mails.sort();
        Ok(mails.into_iter().map(|(SpoolName { name, begun }, file)| {
            let path = self.home.join(&file);
            let Some(bytes) = file_spool::read(&Disk::default(), &path)
                .map_err(Fault::at("cannot read", &path))?
            else {
                return Ok(NamedItems::new(Vec::new(), file));
            };
            let mark = file_spool::mark_of(&name).map(str::to_owned);
            let (came, begun) = (self.written(&name, &file), begun.unwrap_or(0));
            Ok(NamedItems::new(vec![Item::Mail { name, mark, came, begun, bytes }], file))
        }))
    }

    /// Returns the time with which a name begins, or else when its file was written.
    fn written(&self, name: &str, file: &str) -> Time {
        arrival_time(name).unwrap_or_else(|| self.changed(file))
    }

    /// Returns why a mail or letter is in quarantine.
    fn why(&self, file: &str) -> Result<String, Fault> {
        let why = read_or_empty(&beside(&self.home.join(file), "why"))?;
        Ok(String::from_utf8_lossy(&why).trim_end().to_owned())
    }

    fn parked(&self) -> impl Iterator<Item = ReadUnit> {
        let files = FolderWalk::new(self.home, "spool/bad", 1).filter(is_no_reason_file);
        files.map(|file| {
            let file = file?;
            let path = self.home.join(&file);
            let bytes = fs::read(&path).map_err(Fault::at("cannot read", path))?;
            let name = file.rsplit('/').next().unwrap_or_default().to_owned();
            let (at, why) = (self.written(&name, &file), self.why(&file)?);
            Ok(NamedItems::new(vec![Item::Parked { name, at, why, bytes }], file))
        })
    }

    fn letters(&self) -> impl Iterator<Item = ReadUnit> {
        let folders = ["outbox/cur", "outbox/new", "outbox/bad"].into_iter();
        let files = folders.flat_map(|folder| FolderWalk::new(self.home, folder, 1));
        files.filter(is_no_reason_file).map(|file| {
            let file = file?;
            let name = letter_file::OutboxName::parse(file.rsplit('/').next().unwrap_or_default());
            // Other files are no letters.
            let (Some(name), Some(bytes)) = (name, read_file(&self.home.join(&file))?) else {
                return Ok(NamedItems::new(Vec::new(), file));
            };
            let stored = letter_file::parse_letters(&bytes).unwrap_or_default();
            let why = file.starts_with("outbox/bad/").then(|| self.why(&file)).transpose()?;
            let unsent = stored.into_iter().filter(|letter| !letter.is_sent);
            let not_before = if name.tries == 0 { Time::EPOCH } else { name.not_before };
            let item = |StoredLetter { letter, at, .. }: StoredLetter| Item::Letter {
                letter,
                at,
                tries: name.tries,
                not_before,
                why: why.clone(),
            };
            Ok(NamedItems::new(unsent.map(item).collect(), file))
        })
    }
}

impl CopySource for FilesSource<'_> {
    fn walk(&self, part: HomePart, after: &str) -> Result<ItemBatches<'_>, Fault> {
        let units: Box<dyn Iterator<Item = ReadUnit>> = match part {
            HomePart::Keys => Box::new(std::iter::once_with(|| self.keys())),
            HomePart::Documents => Box::new(self.documents()),
            HomePart::Receipts => Box::new(self.receipts()?),
            HomePart::Sent => Box::new(self.sent()),
            HomePart::Wakeups => Box::new(self.wakeups()?),
            HomePart::Registers => Box::new(self.registers()?),
            HomePart::Mails => Box::new(self.mails()?),
            HomePart::Parked => Box::new(self.parked()),
            HomePart::Letters => Box::new(self.letters()),
        };
        if after.is_empty() {
            return Ok(Box::new(BatchIter(units)));
        }
        // Skips everything up to the name; faults pass.
        let mut found = false;
        let after = after.to_owned();
        Ok(Box::new(BatchIter(units.filter(move |unit| {
            let was_found = found;
            found |= unit.as_ref().is_ok_and(|unit| unit.name == after);
            was_found || unit.is_err()
        }))))
    }

    fn count(&self) -> Result<u64, Fault> {
        let mut count = 0;
        for (folder, depth) in folders() {
            for name in FolderWalk::new(self.home, folder, depth) {
                let path = self.home.join(name?);
                let bytes = || fs::metadata(path).map_or(0, |it| it.len());
                // The approximate number of records.
                count += match folder {
                    "seen" => bytes() / layout::RECEIPT as u64,
                    "sent" => bytes() / layout::SENT as u64,
                    _ => 1,
                };
            }
        }
        Ok(count)
    }
}

/// Returns the first three hex digits of an ID as a number.
fn bucket_of(id: &Digest) -> usize {
    (usize::from(id[0]) << 4) | usize::from(id[1] >> 4)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory
    )
}

/// Returns whether a file in a folder of documents is a document: beside the boards of a game lie
/// indexes.
fn is_document(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    !matches!(parts[..], ["boards", _, LOOKS | RATED])
}

/// Returns whether a file is not the reason of a quarantined one.
fn is_no_reason_file(name: &Result<String, Fault>) -> bool {
    name.as_ref().map_or(true, |name| Path::new(name).extension().is_none_or(|it| it != "why"))
}

/// Reads the next piece of a file of wakeups.
fn read_wakeups(
    file: &mut File,
    path: &Path,
    game: &str,
    number: &mut u32,
) -> Result<Option<NamedItems>, Fault> {
    let mut bytes = Vec::new();
    let piece = file.take((PIECE * indexes::SLOT) as u64).read_to_end(&mut bytes);
    piece.map_err(Fault::at("cannot read", path))?;
    if bytes.len() < indexes::SLOT {
        return Ok(None);
    }
    let mut items = Vec::new();
    for slot in bytes.chunks_exact(indexes::SLOT) {
        let at = indexes::time_in_slot(slot.try_into().expect("a chunk has that length"));
        // 0 means unknown.
        if at != Time::EPOCH {
            items.push(Item::Wakeup { game: game.to_owned(), number: *number, at });
        }
        *number += 1;
    }
    Ok(Some(NamedItems::new(items, format!("{game} {number}"))))
}

/// A folder with the names that are left in it.
struct OpenFolder {
    path: String,
    names: vec::IntoIter<String>,
    /// How deep files may lie below it.
    depth: usize,
}

/// The files below a folder by name, down to a depth.
struct FolderWalk<'a> {
    home: &'a Path,
    /// The folders from the outermost to the current one.
    folders: Vec<OpenFolder>,
    failed: Option<Fault>,
}

impl<'a> FolderWalk<'a> {
    fn new(home: &'a Path, folder: &str, depth: usize) -> Self {
        let mut walk = Self { home, folders: Vec::new(), failed: None };
        walk.enter(folder.to_owned(), depth);
        walk
    }

    fn enter(&mut self, folder: String, depth: usize) {
        match names(&self.home.join(&folder)) {
            Ok(mut names) => {
                names.sort();
                self.folders.push(OpenFolder { path: folder, names: names.into_iter(), depth });
            }
            Err(fault) => self.failed = Some(fault),
        }
    }
}

impl Iterator for FolderWalk<'_> {
    type Item = Result<String, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(fault) = self.failed.take() {
                return Some(Err(fault));
            }
            let OpenFolder { path: folder, names, depth } = self.folders.last_mut()?;
            let Some(name) = names.next() else {
                self.folders.pop();
                continue;
            };
            let (name, depth) = (format!("{folder}/{name}"), *depth);
            let path: PathBuf = self.home.join(&name);
            let is_folder = match is_folder(&path) {
                Ok(is_folder) => is_folder,
                Err(fault) => return Some(Err(fault)),
            };
            if is_folder {
                if depth > 1 {
                    self.enter(name, depth - 1);
                }
            } else if is_home_file(&name) {
                return Some(Ok(name));
            }
        }
    }
}

/// Joins small units into batches.
struct BatchIter<I>(I);

impl<I: Iterator<Item = ReadUnit>> Iterator for BatchIter<I> {
    type Item = Result<ItemBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut batch = ItemBatch::default();
        let mut bytes = 0;
        while batch.items.len() < BATCH_VALUES && bytes < BATCH_BYTES {
            match self.0.next() {
                Some(Ok(NamedItems { items, name })) => {
                    bytes += items.iter().map(Item::bytes).sum::<usize>();
                    batch.items.extend(items);
                    batch.after = name;
                }
                Some(Err(fault)) => return Some(Err(fault)),
                None => break,
            }
        }
        (!batch.after.is_empty()).then_some(Ok(batch))
    }
}
