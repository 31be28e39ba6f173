//! How the files of a folder that is a home are opened.

use super::delivery::Backlog;
use super::outbox::Outbox;
use super::unsent::{UnsentLetter, unsent};
use super::{
    ChangeListener, Fault, FileHome, FileStore, Home, JobRun, Letters, OpenHome, ParkedMail,
    ReadOnlyHome, Remedy, RemedyResult, SpoolLock, StuckItem, Subscription, Traffic, aside,
    changes, expire, lock, outbox, runs, stuck, traffic, tray,
};
use crate::base::time::{Span, Time};
use std::collections::HashSet;
use std::fmt::Debug;

impl Home for FileHome {
    fn place(&self) -> String {
        format!("files in {}", self.path.display())
    }

    fn open(&self) -> Result<Box<dyn OpenHome>, Fault> {
        Ok(Box::new(FileStore::open_in(self)?))
    }

    fn read(&self) -> Result<ReadOnlyHome, Fault> {
        Ok(ReadOnlyHome(Box::new(FileStore::read_in(self)?.0)))
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

    fn shift(&self) -> Option<Box<dyn SpoolLock>> {
        tray::FileSpoolLock::begin(&self.path).map(|shift| Box::new(shift) as Box<dyn SpoolLock>)
    }

    fn listen(&self, tell: ChangeListener) -> Result<Box<dyn Subscription>, Fault> {
        changes::listen(&self.path, tell)
    }

    fn is_awaited(&self) -> bool {
        lock::is_awaited(&self.path.join("lock"))
    }

    fn collecting(&self) -> Option<Box<dyn Debug>> {
        tray::CollectLock::begin(&self.path).map(|it| Box::new(it) as Box<dyn Debug>)
    }

    fn letters(&self) -> Result<Option<Box<dyn Letters>>, Fault> {
        Ok(Outbox::open_in(self)?.map(|outbox| Box::new(outbox) as Box<dyn Letters>))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        outbox::backlog(&self.path)
    }

    fn unsent(&self) -> Result<Vec<UnsentLetter>, Fault> {
        unsent(&self.path)
    }

    fn parked(&self) -> Result<Vec<ParkedMail>, Fault> {
        stuck::parked(&self.path)
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        stuck::parked_mail(&self.path, name)
    }

    fn remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault> {
        stuck::remedy(self, stuck, remedy)
    }

    fn note_run(&self, run: &JobRun) -> Result<(), Fault> {
        runs::record_run(&self.path, run)
    }

    fn runs(&self) -> Result<Vec<JobRun>, Fault> {
        runs::all(&self.path)
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        traffic::count_by_day(&self.path)
    }

    fn expire(&self, now: Time) -> Result<(), Fault> {
        expire(&self.path, now)
    }

    fn clear_aside(&self, now: Time, after: Span) -> Result<usize, Fault> {
        aside::expire(&self.path, now, after)
    }
}
