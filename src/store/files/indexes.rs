//! Indexes beside the documents, outside the journal.
//!
//! **Wakeups** (`boards/<game>/looks`): a file a game, with eight bytes a board: a lower bound of when
//! it is due; 0 or nothing means now. A time that becomes earlier is written and synced before the
//! transaction. A time that becomes later is written when everything is in place, and not synced. So
//! whatever a crash leaves of the file, no board is looked at too late. Boards count from 1; the
//! first eight bytes say when all boards of the game were last scanned.
//!
//! **Registers**: a file each, with an entry a line: a userid, or in `due/` the file of a document
//! that has a wakeup in these ten minutes. An entry is written and synced before the transaction that
//! needs it. So none is missing, and an entry too many does no harm.

use super::disk::{Appended, Disk};
use super::layout;
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::store::paths::read_or_empty;
use crate::store::transaction::DUE;
use crate::store::{Fault, IndexUpdates, Register, Wakeups};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// The bytes of a time in a file of wakeups.
pub(in crate::store) const SLOT: usize = 8;

/// A place in the file of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Slot {
    game: &'static str,
    /// The number of the board, or 0 for the last scan.
    number: u32,
}

impl Slot {
    fn offset(self) -> u64 {
        u64::from(self.number) * SLOT as u64
    }
}

/// Returns the times that a transaction sets.
fn updated_slots(updates: &IndexUpdates) -> Vec<(Slot, Time)> {
    let boards =
        updates.wakeups.iter().map(|(id, at)| (Slot { game: id.game, number: id.number }, *at));
    boards.chain(updates.scans.iter().map(|(game, at)| (Slot { game, number: 0 }, *at))).collect()
}

/// When boards are due: the files, and what is not yet written into them.
#[derive(Debug, Default)]
pub(super) struct WakeupIndex {
    /// Times of committed transactions that are later than those in the files.
    later: BTreeMap<Slot, Time>,
    /// The same, of the transaction that is being committed.
    staged: Vec<(Slot, Time)>,
    /// Open files; `None` if a game has none yet.
    files: HashMap<&'static str, Option<File>>,
}

impl WakeupIndex {
    /// Takes the updates of a transaction that is about to be committed, and writes the earlier times.
    pub(super) fn stage(
        &mut self,
        disk: &Disk,
        home: &Path,
        updates: &IndexUpdates,
    ) -> Result<(), Fault> {
        // Anything left there belongs to a transaction that failed.
        self.staged.clear();
        let mut written: HashMap<&'static str, &File> = HashMap::new();
        let slots = updated_slots(updates);
        for (Slot { game, .. }, _) in &slots {
            if !self.files.contains_key(game) {
                let file = Disk::open(&home.join(layout::wakeups(game)))?;
                self.files.insert(game, file);
            }
        }
        for (slot, at) in slots {
            let game = slot.game;
            let file = self.files.get(game).and_then(Option::as_ref);
            if file.map_or(Time::EPOCH, |file| read_time(file, slot)) <= at {
                self.staged.push((slot, at));
                continue;
            }
            self.later.remove(&slot);
            if let Some(file) = file {
                let path = home.join(layout::wakeups(game));
                disk.write_at(file, &path, slot.offset(), &at.unix().to_le_bytes())?;
                written.insert(game, file);
            }
        }
        for (game, file) in written {
            disk.sync(file, &home.join(layout::wakeups(game)))?;
        }
        Ok(())
    }

    /// Keeps the staged times: their transaction is committed.
    pub(super) fn commit_staged(&mut self) {
        self.later.extend(self.staged.drain(..));
    }

    /// Writes the later times, whose transactions are all durable. If that fails the earlier times
    /// stay, which costs an unnecessary look.
    pub(super) fn write(&mut self, disk: &Disk, home: &Path) {
        let later = std::mem::take(&mut self.later);
        for (slot, at) in later {
            let path = home.join(layout::wakeups(slot.game));
            let file = self.files.entry(slot.game).or_default();
            if file.is_none() {
                let created = disk.put(&path, &[], &mut |_| ());
                *file = created.and_then(|_| Disk::open(&path)).ok().flatten();
            }
            if let Some(file) = file {
                let _ = disk.write_at(file, &path, slot.offset(), &at.unix().to_le_bytes());
            }
        }
    }

    /// Returns when the boards of a game are due.
    pub(super) fn wakeups(&self, home: &Path, game: &'static str) -> Result<Wakeups, Fault> {
        let bytes = read_or_empty(&home.join(layout::wakeups(game)))?;
        let slots = bytes.chunks_exact(SLOT);
        let mut times: Vec<Time> = slots
            .map(|slot| time_in_slot(slot.try_into().expect("chunks have that length")))
            .collect();
        let later = self.later.iter().map(|(slot, at)| (*slot, *at));
        let later = later.chain(self.staged.iter().copied());
        for (slot, at) in later.filter(|(slot, _)| slot.game == game) {
            let number = slot.number as usize;
            if times.len() <= number {
                times.resize(number + 1, Time::EPOCH);
            }
            times[number] = at;
        }
        let mut times = times.into_iter();
        let scanned = times.next().unwrap_or_default();
        Ok(Wakeups { scanned, boards: times.collect() })
    }
}

/// A time as bytes at an offset of the file of a game.
pub(in crate::store) struct SlotBytes {
    pub(in crate::store) offset: u64,
    pub(in crate::store) bytes: [u8; SLOT],
}

/// Returns how a board's time is written into the file of its game.
pub(in crate::store) fn slot_bytes(number: u32, at: Time) -> SlotBytes {
    SlotBytes { offset: u64::from(number) * SLOT as u64, bytes: at.unix().to_le_bytes() }
}

/// Returns the time that is written in a slot.
pub(in crate::store) fn time_in_slot(bytes: [u8; SLOT]) -> Time {
    Time::from_unix(i64::from_le_bytes(bytes))
}

/// Reads a time from a file; [`Time::EPOCH`] if it cannot be read.
fn read_time(file: &File, slot: Slot) -> Time {
    let mut bytes = [0; SLOT];
    match file.read_exact_at(&mut bytes, slot.offset()) {
        Ok(()) => time_in_slot(bytes),
        Err(_) => Time::EPOCH,
    }
}

/// Appends users and documents to registers, and syncs them.
pub(super) fn register(
    disk: &Disk,
    home: &Path,
    registered: &[(Register, String)],
) -> Result<(), Fault> {
    let mut lines: BTreeMap<Register, String> = BTreeMap::new();
    for (register, user) in registered {
        // The newline comes first, so that a line that a crash cut off spoils none behind it.
        lines.entry(*register).or_default().extend(["\n", user]);
    }
    for (register, text) in lines {
        let path = home.join(register.name());
        let Appended { file, is_new } = disk.append(&path, text.as_bytes(), &mut |_| ())?;
        disk.sync(&file, &path)?;
        if let Some(folder) = path.parent().filter(|_| is_new) {
            disk.sync_folder(folder)?;
        }
    }
    Ok(())
}

/// Returns the entries of the register of this name, ascending: users, or the files of documents.
pub(in crate::store) fn registered_in(home: &Path, register: &str) -> Result<Vec<String>, Fault> {
    let bytes = read_or_empty(&home.join(register))?;
    let text = String::from_utf8_lossy(&bytes);
    let names_files = register.starts_with(DUE);
    let entry = |line: &str| {
        if names_files {
            return (!line.is_empty()).then(|| line.to_owned());
        }
        UserId::parse(line).map(|user| user.folded())
    };
    let mut entries: Vec<String> = text.lines().filter_map(entry).collect();
    entries.sort();
    entries.dedup();
    Ok(entries)
}
