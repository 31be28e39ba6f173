//! Power cuts: each name and each page that was not durable may be present or lost. A test records
//! the steps of a story, a model of the disk chooses what survives, and the store opens a home with
//! the surviving data.

use super::{PAUSE, STORY, expected, home, is_blamed, log, story, told, waiting};
use crate::support::files::folder;
use postboard::store::disk::{Disk, DiskHook, DiskStep};
use postboard::store::{FileStore, Store};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug)]
enum Did {
    Create(PathBuf),
    Write(PathBuf, u64, Vec<u8>),
    Length(PathBuf, u64),
    Sync(PathBuf),
    SyncFolder(PathBuf),
    SyncAll,
    Rename(PathBuf, PathBuf),
    Exchange(PathBuf, PathBuf),
    Remove(PathBuf),
    Folder(PathBuf),
}

fn did(step: DiskStep<'_>) -> Option<Did> {
    let own = Path::to_path_buf;
    Some(match step {
        DiskStep::Create(path) => Did::Create(own(path)),
        DiskStep::Write(path, at, bytes) => Did::Write(own(path), at, bytes.to_vec()),
        DiskStep::Truncate(path, length) => Did::Length(own(path), length),
        DiskStep::Sync(path) => Did::Sync(own(path)),
        DiskStep::SyncFolder(path) => Did::SyncFolder(own(path)),
        DiskStep::SyncAll(_) => Did::SyncAll,
        DiskStep::Rename(from, to) => Did::Rename(own(from), own(to)),
        DiskStep::Exchange(from, to) => Did::Exchange(own(from), own(to)),
        DiskStep::Remove(path) => Did::Remove(own(path)),
        DiskStep::Folder(path) => Did::Folder(own(path)),
        // Reading changes nothing.
        DiskStep::Read(_) => return None,
    })
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    File(usize),
    Folder,
}

#[derive(Clone, Debug)]
enum Edit {
    Write(usize, Vec<u8>),
    Length(usize),
}

fn edit(content: &mut Vec<u8>, edit: &Edit) {
    match edit {
        Edit::Write(at, bytes) => {
            content.resize(content.len().max(at + bytes.len()), 0);
            content[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        Edit::Length(length) => content.resize(*length, 0),
    }
}

/// A file: its durable bytes and the edits since the last sync.
#[derive(Clone, Debug, Default)]
struct Inode {
    durable: Vec<u8>,
    edits: Vec<Edit>,
}

type Names = BTreeMap<PathBuf, Node>;
/// Names that change atomically.
type Naming = Vec<(PathBuf, Option<Node>)>;

fn rename(names: &mut Names, naming: &Naming) {
    for (path, node) in naming {
        match node {
            Some(node) => names.insert(path.clone(), node.clone()),
            None => names.remove(path),
        };
    }
}

/// Sync steps that the model ignores; the test must detect each kind.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Blind {
    No,
    Files,
    Folders,
    All,
}

/// A model of a disk that knows which of its data are durable.
#[derive(Clone, Debug, Default)]
struct Model {
    files: Vec<Inode>,
    now: Names,
    durable: Names,
    pending: Vec<Naming>,
}

impl Model {
    /// Reads a folder, all of it durable.
    fn of(folder: &Path) -> Self {
        let mut model = Self::default();
        model.add(folder);
        model.now = model.durable.clone();
        model
    }

    fn add(&mut self, path: &Path) {
        let node = if path.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                self.add(&entry.unwrap().path());
            }
            Node::Folder
        } else {
            self.files.push(Inode { durable: fs::read(path).unwrap(), edits: Vec::new() });
            Node::File(self.files.len() - 1)
        };
        self.durable.insert(path.to_owned(), node);
    }

    fn name(&mut self, naming: Naming) {
        rename(&mut self.now, &naming);
        self.pending.push(naming);
    }

    fn file(&mut self, path: &Path) -> Option<&mut Inode> {
        match self.now.get(path) {
            Some(Node::File(number)) => Some(&mut self.files[*number]),
            _ => None,
        }
    }

    fn step(&mut self, did: &Did, blind: Blind) {
        match did {
            Did::Create(path) => {
                if let Some(file) = self.file(path) {
                    file.edits.push(Edit::Length(0));
                } else if path.parent().is_some_and(|folder| self.now.contains_key(folder)) {
                    self.files.push(Inode::default());
                    self.name(vec![(path.clone(), Some(Node::File(self.files.len() - 1)))]);
                }
            }
            Did::Write(path, at, bytes) => {
                // Each page becomes durable independently.
                let mut at = usize::try_from(*at).unwrap();
                let mut rest = &bytes[..];
                while !rest.is_empty() {
                    let (page, behind) = rest.split_at(rest.len().min(4096 - at % 4096));
                    self.file(path).unwrap().edits.push(Edit::Write(at, page.to_vec()));
                    (at, rest) = (at + page.len(), behind);
                }
            }
            Did::Length(path, length) => {
                let length = usize::try_from(*length).unwrap();
                self.file(path).unwrap().edits.push(Edit::Length(length));
            }
            Did::Sync(path) if blind != Blind::Files => self.sync(path),
            Did::SyncFolder(path) if blind != Blind::Folders => self.sync_folder(path),
            Did::SyncAll if blind != Blind::All => {
                let paths: Vec<_> = self.now.keys().cloned().collect();
                for path in &paths {
                    self.sync(path);
                }
                self.pending.clear();
                self.durable = self.now.clone();
            }
            Did::Sync(_) | Did::SyncFolder(_) | Did::SyncAll => {}
            Did::Rename(from, to) => {
                let node = self.now.get(from).cloned();
                self.name(vec![(from.clone(), None), (to.clone(), node)]);
            }
            Did::Exchange(from, to) => {
                if let (Some(a), Some(b)) = (self.now.get(from).cloned(), self.now.get(to).cloned())
                {
                    self.name(vec![(from.clone(), Some(b)), (to.clone(), Some(a))]);
                }
            }
            Did::Remove(path) => self.name(vec![(path.clone(), None)]),
            Did::Folder(path) => {
                let above = path.parent().is_some_and(|above| self.now.contains_key(above));
                if above && !self.now.contains_key(path) {
                    self.name(vec![(path.clone(), Some(Node::Folder))]);
                }
            }
        }
    }

    fn sync(&mut self, path: &Path) {
        if let Some(file) = self.file(path) {
            for done in std::mem::take(&mut file.edits) {
                edit(&mut file.durable, &done);
            }
        }
    }

    /// Makes the renames in this folder durable, and the earlier renames of the same names
    /// elsewhere.
    fn sync_folder(&mut self, folder: &Path) {
        let mut needed = BTreeSet::new();
        let mut late = Vec::new();
        let mut done = Vec::new();
        for naming in std::mem::take(&mut self.pending).into_iter().rev() {
            let due = |(path, _): &(PathBuf, Option<Node>)| {
                path.parent() == Some(folder) || needed.contains(path)
            };
            if naming.iter().any(due) {
                needed.extend(naming.iter().map(|(path, _)| path.clone()));
                done.push(naming);
            } else {
                late.push(naming);
            }
        }
        done.iter().rev().for_each(|naming| rename(&mut self.durable, naming));
        late.reverse();
        self.pending = late;
    }

    /// Writes the surviving home: all durable data, and the other data that `lucky` selects.
    fn leave(&self, from: &Path, to: &Path, lucky: &mut dyn FnMut() -> bool) {
        let mut names = self.durable.clone();
        let mut lost = BTreeSet::new();
        for naming in &self.pending {
            let depends = naming.iter().any(|(path, _)| lost.contains(path));
            if !depends && lucky() {
                rename(&mut names, naming);
            } else {
                lost.extend(naming.iter().map(|(path, _)| path.clone()));
            }
        }
        for (path, node) in &names {
            let path = to.join(path.strip_prefix(from).unwrap());
            if !path.parent().unwrap().is_dir() {
                continue; // The name of the parent folder was lost.
            }
            match node {
                Node::Folder => fs::create_dir_all(path).unwrap(),
                Node::File(number) => {
                    let Inode { durable, edits } = &self.files[*number];
                    let mut content = durable.clone();
                    edits.iter().filter(|_| lucky()).for_each(|one| edit(&mut content, one));
                    fs::write(path, content).unwrap();
                }
            }
        }
    }
}

/// The steps of a story, and the step that acknowledged each commit.
struct Record {
    before: Model,
    steps: Vec<Did>,
    acknowledged: Vec<usize>,
    home: PathBuf,
}

fn record(batch: usize) -> Record {
    let dir = home();
    let before = Model::of(dir.path());
    let steps = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&steps);
    let watch: DiskHook = Arc::new(move |step| {
        seen.lock().unwrap().extend(did(step));
        Ok(())
    });
    let mut acknowledged = Vec::new();
    for range in [0..PAUSE, PAUSE..STORY] {
        let mut store = FileStore::open_on(dir.path(), Disk::watched(Arc::clone(&watch))).unwrap();
        store.set_batch_bytes(batch);
        for number in range {
            let next = story(number, &store);
            store.commit(next).unwrap();
            acknowledged.push(steps.lock().unwrap().len());
        }
        store.close().unwrap();
    }
    let steps = steps.lock().unwrap().clone();
    Record { before, steps, acknowledged, home: dir.path().to_owned() }
}

/// Cuts the power after each step `lucks` times; returns the number of cuts and the errors. A model that is
/// blind is only cut until the first error.
fn cuts(batch: usize, blind: Blind, lucks: u32) -> (usize, Vec<String>) {
    let record = record(batch);
    let states = expected();
    let mut wrong = Vec::new();
    let mut model = record.before.clone();
    let mut seed = 1_u64;
    let mut tried = 0;
    for cut in 0..=record.steps.len() {
        if cut > 0 {
            model.step(&record.steps[cut - 1], blind);
        }
        let done = record.acknowledged.iter().filter(|at| **at <= cut).count();
        for luck in 0..lucks {
            let mut lucky = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match luck {
                    0 => false,
                    1 => true,
                    _ => seed >> 33 & 1 == 0,
                }
            };
            tried += 1;
            let dir = folder();
            let home = dir.path().join("home");
            fs::create_dir(&home).unwrap();
            model.leave(&record.home, &home, &mut lucky);
            let found = FileStore::open(&home).ok().map(|store| {
                let state = told(&store, &waiting(&home));
                (states.iter().position(|told| *told == state), state)
            });
            let lost =
                found.as_ref().is_none_or(|(found, _)| found.is_none_or(|found| found < done));
            if lost || is_blamed(&home) {
                let step = format!("{:?}", record.steps.get(cut.saturating_sub(1)));
                let step: String = step.chars().take(80).collect();
                let (found, log) = (found.map(|(found, _)| found), log(&home));
                wrong.push(format!(
                    "cut after {cut} {step:?}, luck {luck}: {done} done, found {found:?}; {log}"
                ));
                if blind != Blind::No {
                    return (tried, wrong);
                }
            }
        }
    }
    (tried, wrong)
}

#[test]
fn acknowledged_commits_survive_a_power_cut_and_others_come_whole_or_not() {
    for batch in [1, 1 << 20] {
        assert_eq!(cuts(batch, Blind::No, 8).1, Vec::<String>::new());
    }
}

#[test]
#[ignore = "takes minutes: `cargo test --test postboard a_hundred_thousand -- --ignored --nocapture`"]
fn a_hundred_thousand_power_cuts_lose_nothing() {
    let mut all = 0;
    for batch in [1, 1 << 20] {
        let (tried, wrong) = cuts(batch, Blind::No, POWER_CUTS);
        assert_eq!(wrong, Vec::<String>::new());
        all += tried;
    }
    println!("{all} states of the disk after a power cut");
    assert!(all >= 100_000, "only {all}");
}

/// The number of random cuts after each step.
const POWER_CUTS: u32 = 400;

/// Control: the test detects a store that omits a sync of a file, a folder or the file system.
#[test]
fn a_store_that_does_not_sync_is_caught() {
    for blind in [Blind::Files, Blind::Folders, Blind::All] {
        assert!(!cuts(1, blind, 8).1.is_empty(), "{blind:?}");
    }
}
