//! Executes the mails that wait, and those of a Maildir or an mbox.

use super::batch::Batch;
use super::home::open;
use super::remedy::told;
use super::{GROUP, GROUP_BYTES, Machine, SLICE, Trouble};
use crate::base::password::Hashing;
use crate::server::{given_up, key_of};
use crate::store::spool::{self, Collecting, Shift};
use crate::store::{
    Fault, Files, MailKey, Seen, Store, Transaction, executed, log_all, maildir, mbox, settings,
};

use std::path::{Path, PathBuf};

/// Where mails to be executed come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    Spool,
    Maildir(&'a PathBuf),
    Mbox(&'a PathBuf),
}

/// Executes the mails that wait. What a mailbox holds goes through the spool too, so that there
/// is one way for a mail to be executed, and to be given up. Where another process is to do that
/// anyway, it is left to that one.
pub(super) fn run(home: &Path, source: Source, machine: &mut Machine) -> Result<(), Trouble> {
    match source {
        Source::Spool => {}
        Source::Maildir(path) => from_maildir(home, path)?,
        Source::Mbox(path) => from_mbox(home, path, machine.clock)?,
    }
    settings::load(home)?;
    let Some(shift) = Shift::begin(home) else { return Ok(()) };
    loop {
        let (mut files, setup) = open(home, Hashing::default())?;
        let mut batch = Batch::new(&setup, &mut machine.chance, machine.clock, machine.warn);
        let more = batch.spool(&mut files)?;
        files.close()?;
        if !more || shift.is_awaited() {
            return Ok(());
        }
    }
}

/// Puts the new mails of a Maildir into the spool.
pub(super) fn from_maildir(home: &Path, path: &Path) -> Result<(), Fault> {
    settings::load(home)?;
    // Two who collect at once would mix up what came one after the other.
    let Some(_collecting) = Collecting::begin(home) else { return Ok(()) };
    let mut folder = maildir::Maildir::open(path)?;
    let mut collect = || {
        while let Some(mail) = folder.claim()? {
            spool::put(home, &mail.bytes)?;
            folder.done(&mail)?;
        }
        Ok(())
    };
    let collected = collect();
    log_all(home, &folder.take_notes())?;
    collected
}

/// Puts those mails of an mbox into the spool that have not been executed and do not wait there. The
/// file is only read. The home is looked into for a moment at a time, so that a large mbox keeps
/// nobody else from it.
pub(super) fn from_mbox(home: &Path, path: &Path, clock: &dyn Fn() -> i64) -> Result<(), Fault> {
    let own = settings::load(home)?.identity().address;
    let Some(_collecting) = Collecting::begin(home) else { return Ok(()) };
    let mut mails = mbox::Mbox::open(path)?.peekable();
    let mut waiting = spool::marks(home)?;
    while mails.peek().is_some() {
        let now = clock();
        let mut renewed = Transaction { at: now, ..Transaction::default() };
        let mut fresh: Vec<(Vec<u8>, MailKey)> = Vec::new();
        let files = Files::read(home)?;
        for mail in mails.by_ref() {
            let mail = mail.map_err(Fault::at("cannot read", path))?;
            let key = key_of(&mail, &own);
            match executed(&key, |key| files.seen(key, now))? {
                Seen::New | Seen::Reused if files.seen(&given_up(&key), now)? != Seen::New => {}
                Seen::New | Seen::Reused => fresh.push((mail, key)),
                Seen::Before => {}
                // The record is forgotten after a time, and the mail is still here.
                Seen::Fading => renewed.executes(key),
            }
            let bytes: usize = fresh.iter().map(|(mail, _)| mail.len()).sum();
            if fresh.len() >= GROUP || bytes >= GROUP_BYTES || clock() > now + SLICE {
                break;
            }
        }
        drop(files);
        for (mail, key) in &fresh {
            let mark = spool::mark(&[key.id, key.content].concat());
            if waiting.insert(mark.clone()) {
                spool::put_marked(home, mail, &mark)?;
            }
        }
        if !renewed.seen.is_empty() {
            let mut files = Files::open(home)?;
            files.commit_owned(renewed)?;
            files.close()?;
        }
    }
    Ok(())
}

/// Executes what waits, again and again. What fails is told when it is new.
pub(super) fn watch(home: &Path, source: Source, machine: &mut Machine) -> ! {
    let mut last: Option<String> = None;
    loop {
        let failed = run(home, source, machine).err().map(|trouble| told(&trouble, home));
        if let Some(line) = failed.as_ref().filter(|line| last.as_ref() != Some(line)) {
            (machine.warn)(line);
        }
        last = failed;
        (machine.pause)();
    }
}
