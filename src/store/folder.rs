//! A folder that is a home, or will be one: how its files are opened.

use super::disk::Disk;
use super::outbox::{Backlog, Outbox, Unsent};
use super::unsent::unsent;
use super::{
    Fault, Files, Home, Letters, Listening, Opened, Parked, Reading, Remedied, Remedy, Run, Shift,
    Stuck, Tell, Traffic, aside, changes, expire, lock, outbox, runs, stuck, traffic, tray,
};
use crate::base::time::{Span, Time};
use serde::de::IgnoredAny;
use std::collections::HashSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// Whether the file of that name, below the home, may hold that text: what the documents mean is
/// known above the store.
pub type Judge = fn(&str, &str) -> bool;

/// Where a home is, on which disk, and the judge of what others wrote into its files.
#[derive(Clone, Debug)]
pub struct Folder {
    pub(super) path: PathBuf,
    pub(super) disk: Disk,
    pub(super) judge: Judge,
}

impl Folder {
    /// That folder. Any JSON is taken for a document of it.
    pub fn new(path: &Path) -> Self {
        let judge: Judge = |_, text| serde_json::from_str::<IgnoredAny>(text).is_ok();
        Self { path: path.to_owned(), disk: Disk::default(), judge }
    }

    /// The same on a watched disk.
    #[must_use]
    pub fn on(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }

    /// The same, with a judge who understands its documents.
    #[must_use]
    pub fn judged_by(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }
}

impl Home for Folder {
    fn place(&self) -> String {
        format!("files in {}", self.path.display())
    }

    fn open(&self) -> Result<Box<dyn Opened>, Fault> {
        Ok(Box::new(Files::open_in(self)?))
    }

    fn read(&self) -> Result<Reading, Fault> {
        Ok(Reading(Box::new(Files::read_in(self)?.0)))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        match mark {
            Some(mark) => tray::put_marked(&self.path, mail, mark),
            None => tray::put_on(&self.disk, &self.path, mail),
        }
    }

    fn waiting(&self) -> Result<Vec<String>, Fault> {
        tray::waiting_mails(&self.path)
    }

    fn marks(&self) -> Result<HashSet<String>, Fault> {
        tray::marks(&self.path)
    }

    fn shift(&self) -> Option<Box<dyn Shift>> {
        tray::Shift::begin(&self.path).map(|shift| Box::new(shift) as Box<dyn Shift>)
    }

    fn listen(&self, tell: Tell) -> Result<Box<dyn Listening>, Fault> {
        changes::listen(&self.path, tell)
    }

    fn is_awaited(&self) -> bool {
        lock::is_awaited(&self.path.join("lock"))
    }

    fn collecting(&self) -> Option<Box<dyn Debug>> {
        tray::Collecting::begin(&self.path).map(|it| Box::new(it) as Box<dyn Debug>)
    }

    fn letters(&self) -> Result<Option<Box<dyn Letters>>, Fault> {
        Ok(Outbox::open_in(self)?.map(|outbox| Box::new(outbox) as Box<dyn Letters>))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        outbox::backlog(&self.path)
    }

    fn unsent(&self) -> Result<Vec<Unsent>, Fault> {
        unsent(&self.path)
    }

    fn parked(&self) -> Result<Vec<Parked>, Fault> {
        stuck::parked(&self.path)
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        stuck::parked_mail(&self.path, name)
    }

    fn remedy(&self, stuck: Stuck, remedy: Remedy) -> Result<Remedied, Fault> {
        stuck::remedy(self, stuck, remedy)
    }

    fn note_run(&self, run: &Run) -> Result<(), Fault> {
        runs::note(&self.path, run)
    }

    fn runs(&self) -> Result<Vec<Run>, Fault> {
        runs::all(&self.path)
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        traffic::of(&self.path)
    }

    fn expire(&self, now: Time) -> Result<(), Fault> {
        expire(&self.path, now)
    }

    fn clear_aside(&self, now: Time, after: Span) -> Result<usize, Fault> {
        aside::expire(&self.path, now, after)
    }
}
