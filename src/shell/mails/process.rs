//! `process`: executes the mails of the spool, a Maildir or an mbox.

use crate::base::password::Hashing;
use crate::base::time::Time;
use crate::server::{given_up, key_of};
use crate::shell::health::unreadable;
use crate::shell::home::{self, locate, open};
use crate::shell::mails::batch::MailBatch;
use crate::shell::mails::{MAX_GROUP_BYTES, MAX_GROUP_MAILS, SHARED_TURN};
use crate::shell::output::remedy::with_remedy;
use crate::shell::settings;
use crate::shell::{CommandError, Machine};
use crate::store::spool;
use crate::store::{
    Backoff, Fault, MailKey, ReceiptStatus, Transaction, executed, log_all, maildir, mbox,
};

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait for a mail before looking anyway.
const WATCH: Duration = Duration::from_secs(10);

/// The source of mails.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MailSource<'a> {
    Spool,
    Maildir(&'a PathBuf),
    Mbox(&'a PathBuf),
}

impl<'a> MailSource<'a> {
    /// Returns the requested source; by default the spool.
    pub(crate) fn from_options(maildir: Option<&'a PathBuf>, mbox: Option<&'a PathBuf>) -> Self {
        match (maildir, mbox) {
            (Some(path), _) => Self::Maildir(path),
            (_, Some(path)) => Self::Mbox(path),
            _ => Self::Spool,
        }
    }
}

/// Executes mails once, or for ever if `watches`.
pub(crate) fn run_job(
    home: &Path,
    source: MailSource,
    watches: bool,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    if watches {
        watch(home, source, machine);
    }
    run(home, source, machine)
}

/// Executes the waiting mails. Mails of a mailbox go through the spool, so that there is one way to
/// execute and give up a mail. If another process is about to execute the spool, leaves it to that
/// process.
pub(crate) fn run(
    home: &Path,
    source: MailSource,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    run_while(home, source, &|| true, machine)
}

/// As [`run`], while `goes_on` says so; it is asked after each second and each group of mails.
pub(crate) fn run_while(
    home: &Path,
    source: MailSource,
    goes_on: &dyn Fn() -> bool,
    machine: &mut Machine,
) -> Result<(), CommandError> {
    match source {
        MailSource::Spool => {}
        MailSource::Maildir(path) => from_maildir(home, path)?,
        MailSource::Mbox(path) => from_mbox(home, path, machine.clock)?,
    }
    settings::load(home)?;
    let Some(spool_lock) = locate(home)?.spool_lock() else { return Ok(()) };
    let located = locate(home)?;
    let is_awaited = || !goes_on() || spool_lock.is_awaited() || located.is_awaited();
    let (mut group, mut tries, mut alone) = (MAX_GROUP_MAILS, Backoff::new(), 0);
    let mut unread = None;
    loop {
        let how = if alone > MAX_CONFLICTS_ALONE {
            Grouping::IsolatingConflicts
        } else {
            Grouping::Of(group)
        };
        match run_group(home, how, &is_awaited, &mut unread, machine) {
            Ok(more) if !more || !goes_on() || spool_lock.is_awaited() => {
                return unread.map_or(Ok(()), |fault: Fault| Err(fault.into()));
            }
            Ok(_) => (group, tries, alone) = ((group * 2).min(MAX_GROUP_MAILS), Backoff::new(), 0),
            // Smaller groups conflict less with others; a single mail may be the cause itself.
            Err(fault) if fault.is_conflict() && tries.wait() => {
                alone += u32::from(group == 1);
                group = (group / 4).max(1);
            }
            Err(fault) => return Err(fault.into()),
        }
    }
}

/// How many commits of a single mail may conflict before conflicting mails are put off one by one.
const MAX_CONFLICTS_ALONE: u32 = 3;

/// How mails are committed.
#[derive(Clone, Copy, Debug)]
enum Grouping {
    /// In groups of at most this size.
    Of(usize),
    /// One by one, putting off those that conflict.
    IsolatingConflicts,
}

/// Executes some of the waiting mails. Returns whether there are more. `unread` gets the first file
/// that a mail needed and that cannot be read.
fn run_group(
    home: &Path,
    how: Grouping,
    is_awaited: &dyn Fn() -> bool,
    unread: &mut Option<Fault>,
    machine: &mut Machine,
) -> Result<bool, Fault> {
    let (mut files, setup) = open(home, Hashing::default())?;
    let batch = MailBatch::new(&setup, &mut machine.chance, machine.clock, machine.warn);
    let mut batch = match how {
        Grouping::Of(group) => batch.with_group_size(group),
        Grouping::IsolatingConflicts => batch.isolating_conflicts(),
    };
    let more = batch.execute_spool(&mut *files, is_awaited)?;
    *unread = unread.take().or(batch.take_unread());
    let met = batch.take_unreadable();
    files.close()?;
    unreadable::note(home, met, (machine.clock)());
    Ok(more)
}

/// Puts the new mails of a Maildir into the spool.
fn from_maildir(home: &Path, path: &Path) -> Result<(), Fault> {
    settings::load(home)?;
    // Two processes that collect at the same time would mix up the order of the mails.
    let Some(_collecting) = locate(home)?.collect_lock() else { return Ok(()) };
    let located = locate(home)?;
    let mut folder = maildir::Maildir::open(path)?;
    let mut collect = || {
        while let Some(mail) = folder.claim()? {
            located.put(&mail.bytes, None)?;
            folder.done(&mail)?;
        }
        Ok(())
    };
    let collected = collect();
    log_all(home, &folder.take_notes())?;
    collected
}

/// Puts those mails of an mbox into the spool that were neither executed nor wait there. The file
/// is only read. The home is locked only briefly at a time, so that a large mbox does not keep
/// others waiting.
fn from_mbox(home: &Path, path: &Path, clock: &dyn Fn() -> Time) -> Result<(), Fault> {
    let own = settings::load(home)?.identity().address;
    let Some(_collecting) = locate(home)?.collect_lock() else { return Ok(()) };
    let mut mails = mbox::Mbox::open(path)?.peekable();
    let mut waiting = locate(home)?.waiting_marks()?;
    while mails.peek().is_some() {
        let now = clock();
        let mut renewed = Transaction { at: now, ..Transaction::default() };
        let mut fresh: Vec<(Vec<u8>, MailKey)> = Vec::new();
        let files = home::read(home)?;
        for mail in mails.by_ref() {
            let mail = mail.map_err(Fault::at("cannot read", path))?;
            let key = key_of(&mail, &own);
            match executed(&key, |key| files.receipt(key, now))? {
                ReceiptStatus::Never | ReceiptStatus::Reused
                    if files.receipt(&given_up(&key), now)? != ReceiptStatus::Never => {}
                ReceiptStatus::Never | ReceiptStatus::Reused => fresh.push((mail, key)),
                ReceiptStatus::Executed => {}
                // The receipt would expire, but the mail is still here.
                ReceiptStatus::Expiring => renewed.add_receipts(key),
            }
            let bytes: usize = fresh.iter().map(|(mail, _)| mail.len()).sum();
            if fresh.len() >= MAX_GROUP_MAILS
                || bytes >= MAX_GROUP_BYTES
                || clock() > now + SHARED_TURN
            {
                break;
            }
        }
        drop(files);
        for (mail, key) in &fresh {
            let mark = spool::mark(&[key.id, key.content].concat());
            if waiting.insert(mark.clone()) {
                locate(home)?.put(mail, Some(&mark))?;
            }
        }
        if !renewed.receipts.is_empty() {
            let mut files = locate(home)?.open()?;
            files.commit(renewed)?;
            files.close()?;
        }
    }
    Ok(())
}

/// Executes waiting mails again and again. A failure is reported when it is new.
fn watch(home: &Path, source: MailSource, machine: &mut Machine) -> ! {
    let mut last: Option<String> = None;
    loop {
        let failed = run(home, source, machine).err().map(|trouble| with_remedy(&trouble, home));
        if let Some(line) = failed.as_ref().filter(|line| last.as_ref() != Some(line)) {
            (machine.warn)(line);
        }
        last = failed;
        // A mail that failed is not tried again at once.
        if last.is_some() || !locate(home).is_ok_and(|home| home.wait_for_mail(WATCH)) {
            (machine.pause)();
        }
    }
}
