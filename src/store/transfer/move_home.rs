//! The ways of a home as a whole: from files into a database and back, out of a backup and into one.
//!
//! A move has a note in the folder of the home (`moving`), from its first step to its last. With it
//! nobody works at the home, also when the move was broken off. The process that goes on with it
//! reads there which steps are left: each step may be done twice.

use super::move_note::{CONTENT, MoveNote, NEW, NOTE, PASSING};
use super::{CopySource, FilesSource, FilesTarget, compare, copy};
use crate::store::backup::restore::RestoreTarget;
use crate::store::files::disk::Disk;
use crate::store::files::init::lock_path_of_moving;
use crate::store::files::lock::Lock;
use crate::store::paths::{is_folder, is_there, names};
use crate::store::postgres::PostgresHome;
use crate::store::{Fault, FileHome, FileStore};
use std::fmt::{self, Debug};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Hears how many values more were copied, or looked at.
pub type CopyProgress<'t> = &'t mut dyn FnMut(u64);

/// How a home is kept.
#[derive(Clone, Debug)]
pub enum HomeStorage {
    /// As files, in its folder.
    InFiles(FileHome),
    /// In a database.
    InDatabase(PostgresHome),
}

impl HomeStorage {
    /// Where it is, for people.
    fn shown(&self) -> Result<String, Fault> {
        match self {
            Self::InFiles(folder) => Ok(format!("files in {}", folder.path.display())),
            Self::InDatabase(database) => database.shown(),
        }
    }
}

/// The files of a home that nobody else opens.
struct HomeLock {
    _files: FileStore,
    _letters: Lock,
}

impl HomeLock {
    fn acquire(folder: &FileHome) -> Result<Self, Fault> {
        let letters =
            Lock::exclusive(&lock_path_of_moving(&folder.path)?.with_file_name("outbox/lock"))?;
        Ok(Self { _files: FileStore::open_to_move(folder)?, _letters: letters })
    }
}

/// A home that is being moved. Nobody else works at it, also when this is dropped.
pub struct HomeMove {
    home: PathBuf,
    disk: Disk,
    note: MoveNote,
    from: HomeStorage,
    to: HomeStorage,
    /// That no other process moves it.
    _turn: Lock,
}

impl Debug for HomeMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HomeMove").field("to", &self.note.place).finish_non_exhaustive()
    }
}

impl HomeMove {
    /// Begins to move the home of a folder, or goes on with that. From then on nobody works at it.
    ///
    /// # Errors
    /// The machine failed, another process is at it, or there is no room at its new place.
    pub fn begin(
        home: &Path,
        (from, to): (HomeStorage, HomeStorage),
        token: &str,
        disk: &Disk,
    ) -> Result<Self, Fault> {
        let turn = turn(home)?;
        let note = match MoveNote::read(home)? {
            Some(note) => note,
            None => first(home, (&from, &to), token, disk)?,
        };
        let it = Self { home: home.to_owned(), disk: disk.clone(), note, from, to, _turn: turn };
        if let (HomeStorage::InDatabase(from), false) = (&it.from, it.note.is_copied) {
            from.freeze(&it.note.token, &it.note.place)?;
        }
        Ok(it)
    }

    /// Copies what is not copied yet, and compares all of it. `begin` hears what is done next, and of
    /// how many values; `tell` each of them.
    ///
    /// # Errors
    /// The machine failed, or what is there is not the same.
    pub fn copy(
        &mut self,
        begin: &mut dyn FnMut(&'static str, u64),
        tell: CopyProgress,
    ) -> Result<(), Fault> {
        if self.note.is_copied {
            return Ok(());
        }
        let (held, from) = source(&self.from, &self.home)?;
        let place = PathBuf::from(&self.note.place);
        begin("copying", from.count()?);
        match &self.to {
            HomeStorage::InFiles(_) => {
                let new = self.home.join(NEW);
                let mut tree = FilesTarget::at(&new, &self.disk)?;
                copy(&*from, &mut tree, tell)?;
                begin("comparing", from.count()?);
                compare((&*from, &FilesSource::whole(&new)), &place, tell)?;
            }
            HomeStorage::InDatabase(to) => {
                let mut coming = to.begin_to_come(&self.note.token, &self.from.shown()?, false)?;
                copy(&*from, &mut coming, tell)?;
                begin("comparing", from.count()?);
                compare((&*from, &to.snapshot()?), &place, tell)?;
                coming.seal()?;
            }
        }
        drop((from, held));
        self.note.is_copied = true;
        self.note.write(&self.disk, &self.home)
    }

    /// Makes a home of what was copied, has its folder say so by `switch`, and leaves the old one. Returns
    /// where its files are now, if there were any.
    ///
    /// # Errors
    /// The machine failed: what is left to be done is done by another try.
    pub fn finish(self, switch: &dyn Fn() -> Result<(), Fault>) -> Result<Option<PathBuf>, Fault> {
        match &self.to {
            HomeStorage::InFiles(_) => put_in_place(&self.disk, &self.home)?,
            HomeStorage::InDatabase(to) if !to.has_come(&self.note.token)? => {
                to.begin_to_come(&self.note.token, &self.from.shown()?, false)?.end()?;
            }
            HomeStorage::InDatabase(_) => {}
        }
        switch()?;
        let left = match &self.from {
            HomeStorage::InFiles(_) => Some(self.note.put_aside(&self.disk, &self.home)?),
            HomeStorage::InDatabase(from) => {
                from.leave(&self.note.token)?;
                None
            }
        };
        self.disk.remove(&self.home.join(NOTE))?;
        self.disk.sync_folder(&self.home)?;
        Ok(left)
    }

    /// Gives it up: what was copied goes away, and the home stays where it is.
    ///
    /// # Errors
    /// The machine failed, or the home is elsewhere already.
    pub fn cancel(self) -> Result<(), Fault> {
        if self.note.is_copied {
            let why = "all is copied; the same `postboard move-home` once more ends it";
            let kind = io::ErrorKind::Other;
            return Err(Fault::because("cannot give up the move of", &self.home, kind, why));
        }
        match &self.to {
            HomeStorage::InFiles(_) => {
                let new = self.home.join(NEW);
                match fs::remove_dir_all(&new) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(Fault::at("cannot remove", new)(error));
                    }
                    _ => {}
                }
            }
            HomeStorage::InDatabase(to) => to.drop_coming(&self.note.token)?,
        }
        if let HomeStorage::InDatabase(from) = &self.from {
            from.stay(&self.note.token)?;
        }
        self.disk.remove(&self.home.join(NOTE))?;
        self.disk.sync_folder(&self.home)
    }
}

/// The source of the copy, and the lock that keeps others away from it meanwhile.
fn source<'k>(
    from: &'k HomeStorage,
    home: &'k Path,
) -> Result<(Option<HomeLock>, Box<dyn CopySource + 'k>), Fault> {
    Ok(match from {
        HomeStorage::InFiles(folder) => {
            (Some(HomeLock::acquire(folder)?), Box::new(FilesSource::at(home)))
        }
        HomeStorage::InDatabase(database) => (None, Box::new(database.snapshot()?)),
    })
}

/// That no other process moves the home of a folder.
fn turn(home: &Path) -> Result<Lock, Fault> {
    let path = home.join("moving.lock");
    Lock::try_exclusive(&path)?.ok_or_else(|| {
        let why = "another process is moving it";
        Fault::because("cannot move", home, io::ErrorKind::WouldBlock, why)
    })
}

/// Has a move begin: with its note nobody works at the files any more.
fn first(
    home: &Path,
    (from, to): (&HomeStorage, &HomeStorage),
    token: &str,
    disk: &Disk,
) -> Result<MoveNote, Fault> {
    let place = |kept: &HomeStorage| match kept {
        HomeStorage::InFiles(_) => None,
        HomeStorage::InDatabase(database) => Some(database.place().clone()),
    };
    let note = MoveNote::new(home, token, (place(from), place(to)), to.shown()?)?;
    match to {
        HomeStorage::InFiles(_) => {
            for name in CONTENT {
                if !is_there(&home.join(name))? {
                    continue;
                }
                let why = format!("{name} is in the way: move it elsewhere first");
                let kind = io::ErrorKind::AlreadyExists;
                return Err(Fault::because("cannot move a home into", home, kind, &why));
            }
        }
        // Where it cannot come nothing else begins.
        HomeStorage::InDatabase(to) => drop(to.begin_to_come(token, &from.shown()?, false)?),
    }
    let written = match from {
        // A process that waits for the home finds the note.
        HomeStorage::InFiles(folder) => {
            HomeLock::acquire(folder).and_then(|_held| note.write(disk, home))
        }
        HomeStorage::InDatabase(_) => note.write(disk, home),
    };
    if let (Err(_), HomeStorage::InDatabase(to)) = (&written, to) {
        let _ = to.drop_coming(token);
    }
    written.map(|()| note)
}

/// Gives what was made in a folder of its own the names that it has in a home.
fn put_in_place(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let new = home.join(NEW);
    if !is_folder(&new)? {
        return Ok(());
    }
    FilesTarget::end(&new, disk)?;
    for folder in ["spool/cur", "spool/new", "spool/bad"] {
        disk.folder(&home.join(folder), &mut |_| ())?;
        for name in names(&new.join(folder))? {
            let name = format!("{folder}/{name}");
            disk.rename(&new.join(&name), &home.join(&name))?;
        }
        disk.sync_folder(&home.join(folder))?;
    }
    for name in PASSING.into_iter().chain(CONTENT) {
        let (from, to) = (new.join(name), home.join(name));
        // Made anew where this was broken off.
        let is_over = is_there(&to)?;
        if is_there(&from)? && !is_over {
            disk.rename(&from, &to)?;
        }
    }
    disk.sync_folder(home)?;
    fs::remove_dir_all(&new).map_err(Fault::at("cannot remove", new))
}

/// The contents of a home in a database, as files beside its folder, for a backup; they go away
/// with the answer. The files of the folder itself are among them, with that configuration.
///
/// # Errors
/// The machine failed, or another backup is at work.
pub fn backed_up(
    home: &Path,
    from: &PostgresHome,
    config: &str,
    begin: &mut dyn FnMut(&'static str, u64),
    tell: CopyProgress,
) -> Result<RestoreTarget, Fault> {
    let restoring = RestoreTarget::begin(&home.join("saving"))?;
    let folder = restoring.folder();
    let disk = Disk::default();
    let from = from.home_snapshot()?;
    begin("copying", from.count()?);
    let mut tree = FilesTarget::at(folder, &disk)?;
    copy(&from, &mut tree, tell)?;
    FilesTarget::end(folder, &disk)?;
    for within in ["drafts", "spool/new", "journal/bad"] {
        for name in names(&home.join(within))? {
            let (one, other) = (home.join(within).join(&name), folder.join(within).join(&name));
            disk.folder(&folder.join(within), &mut |_| ())?;
            match fs::copy(&one, other) {
                // It was taken into the database meanwhile.
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Fault::at("cannot copy", one)(error));
                }
                _ => {}
            }
        }
    }
    crate::store::settings::write(folder, config)?;
    Ok(restoring)
}

/// Moves what a backup held, and is unpacked, into a database that has no home. In the folder stays what
/// is in that of such a home.
///
/// # Errors
/// The machine failed, there is a home, or what is there is not the same.
pub fn restored(
    restoring: &RestoreTarget,
    to: &PostgresHome,
    begin: &mut dyn FnMut(&'static str, u64),
    tell: CopyProgress,
) -> Result<(), Fault> {
    // One that was broken off is known by this, whichever backup it was.
    const TOKEN: &str = "restore";
    let (folder, disk) = (restoring.folder(), Disk::default());
    let from = FilesSource::at(folder);
    begin("copying", from.count()?);
    let mut coming = to.begin_to_come(TOKEN, "a backup", true)?;
    copy(&from, &mut coming, tell)?;
    begin("comparing", from.count()?);
    compare((&from, &to.snapshot()?), Path::new(&to.shown()?), tell)?;
    for name in PASSING.into_iter().chain(CONTENT) {
        let path = folder.join(name);
        if is_folder(&path)? {
            fs::remove_dir_all(&path).map_err(Fault::at("cannot remove", path))?;
        } else {
            disk.remove(&path)?;
        }
    }
    for within in ["spool/cur", "spool/bad"].map(|name| folder.join(name)) {
        names(&within)?.iter().try_for_each(|name| disk.remove(&within.join(name)))?;
    }
    disk.sync_all(folder)?;
    coming.end()
}
