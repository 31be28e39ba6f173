//! Indexes beside the documents, outside the journal.
//!
//! **Looks**: one file a game, with eight bytes a board: when the board has to be looked at. That
//! is a lower bound, and 0 or nothing means now. A time that becomes earlier is written, durably,
//! before the transaction; one that becomes later is written when all is in place, and need not be
//! durable. So no board is looked at too late, whatever a crash leaves of the file. Boards count
//! from 1: the eight bytes before them tell when the whole file was last walked through.
//!
//! **Registers**: a file each, with one userid a line. A name is written, durably, before the
//! transaction that enters the user. So nobody is missing, and a name too many does no harm.

use super::disk::Disk;
use super::layout;
use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::store::{Fault, IndexUpdates, Register, Wakeups};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Bytes a board.
const SLOT: usize = 8;

/// A place in the file of a game: that of a board, or 0 for when all were walked through.
type Slot = (&'static str, u32);

/// All that a transaction tells this index.
fn entries(updates: &IndexUpdates) -> Vec<(Slot, Time)> {
    let boards = updates.wakeups.iter().map(|(id, at)| ((id.game, id.number), *at));
    boards.chain(updates.walks.iter().map(|(game, at)| ((*game, 0), *at))).collect()
}

/// When boards have to be looked at: what is known besides the files.
#[derive(Debug, Default)]
pub(in crate::store) struct WakeupIndex {
    /// Later times than the files have, of transactions that are committed.
    later: BTreeMap<Slot, Time>,
    /// The same of a transaction that is being committed.
    staged: Vec<(Slot, Time)>,
    /// Files that are open; none where there is none yet.
    files: HashMap<&'static str, Option<File>>,
}

impl WakeupIndex {
    /// Takes in what a transaction says that is about to be committed.
    pub(in crate::store) fn stage(
        &mut self,
        disk: &Disk,
        home: &Path,
        updates: &IndexUpdates,
    ) -> Result<(), Fault> {
        // Anything left there belongs to a transaction that failed.
        self.staged.clear();
        let mut earlier: HashMap<&'static str, &File> = HashMap::new();
        let told = entries(updates);
        for ((game, _), _) in &told {
            if !self.files.contains_key(game) {
                let file = Disk::open(&home.join(layout::wakeups(game)))?;
                self.files.insert(game, file);
            }
        }
        for (slot, at) in told {
            let game = slot.0;
            let file = self.files.get(game).and_then(Option::as_ref);
            if file.map_or(Time::EPOCH, |file| known(file, slot)) <= at {
                self.staged.push((slot, at));
                continue;
            }
            self.later.remove(&slot);
            if let Some(file) = file {
                let path = home.join(layout::wakeups(game));
                disk.write_at(file, &path, offset(slot), &at.unix().to_le_bytes())?;
                earlier.insert(game, file);
            }
        }
        for (game, file) in earlier {
            disk.sync(file, &home.join(layout::wakeups(game)))?;
        }
        Ok(())
    }

    /// The last notes are committed.
    pub(in crate::store) fn commit_staged(&mut self) {
        self.later.extend(self.staged.drain(..));
    }

    /// Writes the later times; all of their transactions are durable. Where that fails, the earlier
    /// ones stay, which costs a look.
    pub(in crate::store) fn write(&mut self, disk: &Disk, home: &Path) {
        let later = std::mem::take(&mut self.later);
        for (slot, at) in later {
            let path = home.join(layout::wakeups(slot.0));
            let file = self.files.entry(slot.0).or_default();
            if file.is_none() {
                let made = disk.put(&path, &[], &mut |_| ());
                *file = made.and_then(|_| Disk::open(&path)).ok().flatten();
            }
            if let Some(file) = file {
                let _ = disk.write_at(file, &path, offset(slot), &at.unix().to_le_bytes());
            }
        }
    }

    /// All that is known of a game.
    pub(in crate::store) fn wakeups(
        &self,
        home: &Path,
        game: &'static str,
    ) -> Result<Wakeups, Fault> {
        let bytes = read(&home.join(layout::wakeups(game)))?;
        let slots = bytes.chunks_exact(SLOT);
        let mut times: Vec<Time> =
            slots.map(|slot| in_slot(slot.try_into().expect("chunks have that length"))).collect();
        let later = self.later.iter().map(|(slot, at)| (*slot, *at));
        let later = later.chain(self.staged.iter().copied());
        for ((_, number), at) in later.filter(|((of, _), _)| *of == game) {
            let number = number as usize;
            if times.len() <= number {
                times.resize(number + 1, Time::EPOCH);
            }
            times[number] = at;
        }
        let mut times = times.into_iter();
        let walked = times.next().unwrap_or_default();
        Ok(Wakeups { walked, boards: times.collect() })
    }
}

fn offset((_, number): Slot) -> u64 {
    u64::from(number) * SLOT as u64
}

/// Where the file of a game says when a board has to be looked at, and how.
pub(in crate::store) fn slot(number: u32, at: Time) -> (u64, [u8; SLOT]) {
    (u64::from(number) * SLOT as u64, at.unix().to_le_bytes())
}

/// The time that a slot says.
fn in_slot(bytes: [u8; SLOT]) -> Time {
    Time::from_unix(i64::from_le_bytes(bytes))
}

/// The time in a file for a board; unknown if it cannot be read.
fn known(file: &File, slot: Slot) -> Time {
    let mut bytes = [0; SLOT];
    match file.read_exact_at(&mut bytes, offset(slot)) {
        Ok(()) => in_slot(bytes),
        Err(_) => Time::EPOCH,
    }
}

/// Writes names into registers, durably.
pub(in crate::store) fn name(
    disk: &Disk,
    home: &Path,
    registered: &[(Register, String)],
) -> Result<(), Fault> {
    let mut lines: BTreeMap<Register, String> = BTreeMap::new();
    for (register, user) in registered {
        // After a newline, so that a name that a crash cut off spoils none after it.
        lines.entry(*register).or_default().extend(["\n", user]);
    }
    for (register, text) in lines {
        let path = home.join(register.name());
        let (file, is_new) = disk.append(&path, text.as_bytes(), &mut |_| ())?;
        disk.sync(&file, &path)?;
        if let Some(folder) = path.parent().filter(|_| is_new) {
            disk.sync_folder(folder)?;
        }
    }
    Ok(())
}

/// The users that a register names, ascending.
pub(in crate::store) fn named(home: &Path, register: Register) -> Result<Vec<String>, Fault> {
    named_in(&home.join(register.name()))
}

/// The users that the file of a register names, ascending.
pub(in crate::store) fn named_in(file: &Path) -> Result<Vec<String>, Fault> {
    let bytes = read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let users = text.lines().filter_map(UserId::parse);
    let mut users: Vec<String> = users.map(|user| user.folded()).collect();
    users.sort();
    users.dedup();
    Ok(users)
}

/// The contents of a file; nothing if there is none.
fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}
