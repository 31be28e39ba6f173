//! Moving a home from files into a database, back, or from one database to another.
//!
//! A [`MoveNote`] (`moving`) is in the folder of the home from the first step to the last. While it
//! is there nobody works at the home, even if the move was interrupted. The process that continues
//! the move reads there which steps are left. Each step can be repeated.

use super::files_source::FilesSource;
use super::files_target::FilesTarget;
use super::move_note::{MoveNote, NEW, NOTE, TRANSIENT, content};
use super::{CopySource, compare, copy};
use crate::store::files::disk::Disk;
use crate::store::files::init::lock_path_of_moving;
use crate::store::files::lock::Lock;
use crate::store::paths::{is_folder, is_there, names, removed};
use crate::store::postgres::PostgresHome;
use crate::store::{Fault, FileHome, FileStore, Home as _};
use std::fmt::{self, Debug};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Receives the number of values that were copied or compared since the last call.
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
    /// Returns where it is, for the operator.
    fn location(&self) -> Result<String, Fault> {
        match self {
            Self::InFiles(folder) => Ok(folder.location()),
            Self::InDatabase(database) => database.shown_location(),
        }
    }
}

/// Where a home is moved from, and where to.
#[derive(Clone, Debug)]
pub struct MoveRoute {
    /// Where it is now.
    pub from: HomeStorage,
    /// Where it will be.
    pub to: HomeStorage,
}

/// The files of a home that nobody else may open.
struct HomeLock {
    _files: FileStore,
    _letters: Lock,
}

impl HomeLock {
    fn acquire(folder: &FileHome) -> Result<Self, Fault> {
        let path = lock_path_of_moving(&folder.path)?.with_file_name("outbox/lock");
        let letters = Lock::exclusive(&path)?;
        Ok(Self { _files: FileStore::open_to_move(folder)?, _letters: letters })
    }
}

/// A home that is being moved. Nobody else works at it, even after this is dropped.
pub struct HomeMove {
    home: PathBuf,
    disk: Disk,
    note: MoveNote,
    route: MoveRoute,
    /// Keeps other processes from moving it.
    _lock: Lock,
}

impl Debug for HomeMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HomeMove").field("to", &self.note.place).finish_non_exhaustive()
    }
}

impl HomeMove {
    /// Begins to move the home of a folder, or continues. From then on nobody works at it.
    ///
    /// # Errors
    /// The machine failed, another process is moving it, or something is at its new place.
    pub fn begin(home: &Path, route: MoveRoute, token: &str, disk: &Disk) -> Result<Self, Fault> {
        let lock = lock_move(home)?;
        let note = match MoveNote::read(home)? {
            Some(note) => note,
            None => begin_move(home, &route, token, disk)?,
        };
        let it = Self { home: home.to_owned(), disk: disk.clone(), note, route, _lock: lock };
        if let (HomeStorage::InDatabase(from), false) = (&it.route.from, it.note.is_copied) {
            from.freeze(&it.note.token, &it.note.place)?;
        }
        Ok(it)
    }

    /// Copies what is not copied yet, and compares everything. `on_stage` is called with the name of
    /// each stage and the number of its values.
    ///
    /// # Errors
    /// The machine failed, or the copy differs.
    pub fn copy(
        &mut self,
        on_stage: &mut dyn FnMut(&'static str, u64),
        progress: CopyProgress,
    ) -> Result<(), Fault> {
        if self.note.is_copied {
            return Ok(());
        }
        let LockedSource { lock, source } = open_source(&self.route.from, &self.home)?;
        let place = PathBuf::from(&self.note.place);
        on_stage("copying", source.count()?);
        match &self.route.to {
            HomeStorage::InFiles(_) => {
                let new = self.home.join(NEW);
                let mut target = FilesTarget::create(&new, &self.disk)?;
                copy(&*source, &mut target, progress)?;
                on_stage("comparing", source.count()?);
                compare(&*source, &FilesSource::with_fresh_mails(&new), &place, progress)?;
            }
            HomeStorage::InDatabase(to) => {
                let from = self.route.from.location()?;
                let mut target = to.begin_import(&self.note.token, &from, false)?;
                copy(&*source, &mut target, progress)?;
                on_stage("comparing", source.count()?);
                compare(&*source, &to.snapshot()?, &place, progress)?;
                target.seal()?;
            }
        }
        drop((source, lock));
        self.note.is_copied = true;
        self.note.write(&self.disk, &self.home)
    }

    /// Makes the copy the home: completes it, lets `switch` change the configuration, and leaves the
    /// old home. Returns where the old files are now, if there were any.
    ///
    /// # Errors
    /// The machine failed; another try continues.
    pub fn finish(self, switch: &dyn Fn() -> Result<(), Fault>) -> Result<Option<PathBuf>, Fault> {
        match &self.route.to {
            HomeStorage::InFiles(_) => put_in_place(&self.disk, &self.home)?,
            HomeStorage::InDatabase(to) if !to.is_imported(&self.note.token)? => {
                let from = self.route.from.location()?;
                to.begin_import(&self.note.token, &from, false)?.finish()?;
            }
            HomeStorage::InDatabase(_) => {}
        }
        switch()?;
        let left = match &self.route.from {
            HomeStorage::InFiles(_) => Some(self.note.put_files_aside(&self.disk, &self.home)?),
            HomeStorage::InDatabase(from) => {
                from.mark_moved(&self.note.token)?;
                None
            }
        };
        self.disk.remove(&self.home.join(NOTE))?;
        self.disk.sync_folder(&self.home)?;
        Ok(left)
    }

    /// Cancels the move: removes what was copied, and the home stays where it is.
    ///
    /// # Errors
    /// The machine failed, or everything is copied already.
    pub fn cancel(self) -> Result<(), Fault> {
        if self.note.is_copied {
            let why =
                "everything is copied already: run the same `postboard move-home` again to finish";
            let kind = io::ErrorKind::Other;
            return Err(Fault::because("cannot cancel the move of", &self.home, kind, why));
        }
        match &self.route.to {
            HomeStorage::InFiles(_) => {
                let new = self.home.join(NEW);
                removed(fs::remove_dir_all(&new), &new)?;
            }
            HomeStorage::InDatabase(to) => to.cancel_import(&self.note.token)?,
        }
        if let HomeStorage::InDatabase(from) = &self.route.from {
            from.unfreeze(&self.note.token)?;
        }
        self.disk.remove(&self.home.join(NOTE))?;
        self.disk.sync_folder(&self.home)
    }
}

/// The source of a copy, with the lock that keeps others away from it.
struct LockedSource<'k> {
    lock: Option<HomeLock>,
    source: Box<dyn CopySource + 'k>,
}

fn open_source<'k>(from: &'k HomeStorage, home: &'k Path) -> Result<LockedSource<'k>, Fault> {
    Ok(match from {
        HomeStorage::InFiles(folder) => LockedSource {
            lock: Some(HomeLock::acquire(folder)?),
            source: Box::new(FilesSource::new(home)),
        },
        HomeStorage::InDatabase(database) => {
            LockedSource { lock: None, source: Box::new(database.snapshot()?) }
        }
    })
}

/// Takes the lock that keeps other processes from moving the home.
fn lock_move(home: &Path) -> Result<Lock, Fault> {
    let path = home.join("moving.lock");
    Lock::try_exclusive(&path)?.ok_or_else(|| {
        let why = "another process is moving it";
        Fault::because("cannot move", home, io::ErrorKind::WouldBlock, why)
    })
}

/// Checks the new place and writes the note, after which nobody works at the files.
fn begin_move(home: &Path, route: &MoveRoute, token: &str, disk: &Disk) -> Result<MoveNote, Fault> {
    let MoveRoute { from, to } = route;
    let config = |storage: &HomeStorage| match storage {
        HomeStorage::InFiles(_) => None,
        HomeStorage::InDatabase(database) => Some(database.config().clone()),
    };
    let note = MoveNote::new(home, token, config(from), config(to), to.location()?)?;
    match to {
        HomeStorage::InFiles(_) => {
            for name in content() {
                if !is_there(&home.join(name))? {
                    continue;
                }
                let why = format!("{name} is in the way: move it elsewhere first");
                let kind = io::ErrorKind::AlreadyExists;
                return Err(Fault::because("cannot move a home into", home, kind, &why));
            }
        }
        // Fails before the note is written if the database has a home.
        HomeStorage::InDatabase(to) => drop(to.begin_import(token, &from.location()?, false)?),
    }
    let written = match from {
        // A process that waits for the lock finds the note.
        HomeStorage::InFiles(folder) => {
            HomeLock::acquire(folder).and_then(|_held| note.write(disk, home))
        }
        HomeStorage::InDatabase(_) => note.write(disk, home),
    };
    if let (Err(_), HomeStorage::InDatabase(to)) = (&written, to) {
        let _ = to.cancel_import(token);
    }
    written.map(|()| note)
}

/// Moves the copied files from their folder to their places in the home.
fn put_in_place(disk: &Disk, home: &Path) -> Result<(), Fault> {
    let new = home.join(NEW);
    if !is_folder(&new)? {
        return Ok(());
    }
    FilesTarget::finish(&new, disk)?;
    for folder in ["spool/cur", "spool/new", "spool/bad"] {
        disk.folder(&home.join(folder), &mut |_| ())?;
        for name in names(&new.join(folder))? {
            let name = format!("{folder}/{name}");
            disk.rename(&new.join(&name), &home.join(&name))?;
        }
        disk.sync_folder(&home.join(folder))?;
    }
    for name in TRANSIENT.into_iter().chain(content()) {
        let (from, to) = (new.join(name), home.join(name));
        // An interrupted try may have moved it already.
        let is_done = is_there(&to)?;
        if is_there(&from)? && !is_done {
            disk.rename(&from, &to)?;
        }
    }
    disk.sync_folder(home)?;
    fs::remove_dir_all(&new).map_err(Fault::at("cannot remove", new))
}
