//! A whole home in memory, for tests: all that a home in files keeps, without a disk. Opening it
//! never waits; tests open it one after the other.

use super::Letter;
use super::aside::Bounds;
use super::changes::{Listening, Tell};
use super::envelope::pause;
use super::outbox::{Backlog, Claimed, Report, Undelivered, Unsent};
use super::spool::Name;
use super::{
    Document, Documents, Executed, Fault, Home, Indexes, Key, Letters, Listed, MailKey, Marker,
    Memory, Opened, Reading, Receipts, Shift, Store, Transaction, Tray, Wakeups,
};
use crate::base::time::{Span, Time};
use std::collections::{BTreeMap, HashSet};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A home in memory. Its clones are the same home.
#[derive(Clone, Debug, Default)]
pub struct MemoryHome(Arc<Mutex<Kept>>);

/// What it keeps.
#[derive(Debug, Default)]
struct Kept {
    store: Memory,
    /// The mails that wait.
    mails: BTreeMap<Name, Vec<u8>>,
    /// How many mails ever came.
    came: u64,
    is_marked: bool,
    /// What a run over the boards is at.
    running: String,
    outbox: Vec<Waiting>,
    /// How many letters were ever written.
    written: u64,
    is_sending: bool,
    /// What was put aside, each with the reason.
    aside: Vec<(String, String)>,
    log: Vec<String>,
    /// The keys of dice that were made later.
    dice_keys: Vec<[u8; 32]>,
    /// Who hears of changes.
    listeners: Vec<Weak<Heard>>,
}

/// Somebody who hears of changes.
struct Heard(Tell);

impl Debug for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Heard")
    }
}

/// Keeps somebody listening.
#[derive(Debug)]
struct Hearing(#[expect(dead_code, reason = "it is held")] Arc<Heard>);

impl Listening for Hearing {}

/// A letter that waits.
#[derive(Debug)]
struct Waiting {
    number: u64,
    letter: Letter,
    at: Time,
    tries: u32,
    not_before: Time,
}

impl MemoryHome {
    /// An empty home.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was put aside, each with the reason.
    pub fn aside(&self) -> Vec<(String, String)> {
        self.kept().aside.clone()
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Home for MemoryHome {
    fn open(&self) -> Result<Box<dyn Opened>, Fault> {
        Ok(Box::new(self.clone()))
    }

    fn read(&self) -> Result<Reading, Fault> {
        Ok(Reading(self.open()?))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        let mut kept = self.kept();
        kept.came += 1;
        let mark = mark.map_or_else(String::new, |mark| format!(".{mark}"));
        let name = Name { name: format!("{:012}{mark}", kept.came), begun: None };
        kept.mails.insert(name, mail.to_vec());
        Ok(())
    }

    fn waiting(&self) -> Result<Vec<String>, Fault> {
        Ok(self.kept().mails.keys().map(|name| name.name.clone()).collect())
    }

    fn marks(&self) -> Result<HashSet<String>, Fault> {
        let kept = self.kept();
        let mark = |name: &Name| Some(name.name.split_once('.')?.1.to_owned());
        Ok(kept.mails.keys().filter_map(mark).collect())
    }

    fn shift(&self) -> Option<Box<dyn Shift>> {
        Some(Box::new(Alone))
    }

    fn listen(&self, tell: Tell) -> Result<Box<dyn Listening>, Fault> {
        let heard = Arc::new(Heard(tell));
        self.kept().listeners.push(Arc::downgrade(&heard));
        Ok(Box::new(Hearing(heard)))
    }

    fn is_awaited(&self) -> bool {
        false
    }

    fn collecting(&self) -> Option<Box<dyn Debug>> {
        Some(Box::new(Alone))
    }

    fn letters(&self) -> Result<Option<Box<dyn Letters>>, Fault> {
        let is_sending = std::mem::replace(&mut self.kept().is_sending, true);
        let sending = || Sending { home: self.clone(), report: Report::default() };
        Ok((!is_sending).then(|| Box::new(sending()) as Box<dyn Letters>))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        let kept = self.kept();
        let failed = || kept.outbox.iter().filter(|waiting| waiting.tries > 0);
        let oldest = failed().map(|waiting| waiting.at).min();
        Ok(Backlog { letters: failed().count(), oldest })
    }

    fn unsent(&self) -> Result<Vec<Unsent>, Fault> {
        let unsent = |waiting: &Waiting| Unsent {
            letter: waiting.letter.clone(),
            at: waiting.at,
            tries: waiting.tries,
            not_before: waiting.not_before,
            is_given_up: false,
        };
        let mut unsent: Vec<Unsent> = self.kept().outbox.iter().map(unsent).collect();
        unsent
            .sort_by(|one, other| (one.at, &one.letter.name).cmp(&(other.at, &other.letter.name)));
        Ok(unsent)
    }

    fn expire(&self, _: Time) -> Result<(), Fault> {
        Ok(())
    }

    fn clear_aside(&self, _: Time, _: Span) -> Result<usize, Fault> {
        Ok(0)
    }
}

/// Nobody else is there.
#[derive(Debug)]
struct Alone;

impl Shift for Alone {
    fn is_awaited(&self) -> bool {
        false
    }
}

impl Documents for MemoryHome {
    fn load(&self, key: &Key) -> Result<Document, Fault> {
        self.kept().store.load(key)
    }

    fn keys(&self, kind: Listed) -> Result<Vec<Key>, Fault> {
        self.kept().store.keys(kind)
    }
}

impl Receipts for MemoryHome {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<Executed, Fault> {
        self.kept().store.receipt(mail, now)
    }
}

impl Indexes for MemoryHome {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.kept().store.wakeups(game)
    }

    fn rated(&self, game: &'static str) -> Result<Vec<String>, Fault> {
        self.kept().store.rated(game)
    }

    fn sent(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.kept().store.sent(mailbox, now)
    }
}

impl Store for MemoryHome {
    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        let mut kept = self.kept();
        let at = transaction.at;
        let names = transaction.names();
        kept.store.commit(transaction)?;
        for letter in kept.store.take_letters() {
            kept.written += 1;
            let number = kept.written;
            kept.outbox.push(Waiting { number, letter, at, tries: 0, not_before: Time::EPOCH });
        }
        kept.listeners.retain(|listener| listener.strong_count() > 0);
        let listeners: Vec<_> = kept.listeners.iter().filter_map(Weak::upgrade).collect();
        drop(kept);
        if !names.is_empty() {
            for listener in listeners {
                (listener.0)(&names);
            }
        }
        Ok(())
    }
}

impl Opened for MemoryHome {
    fn key(&self) -> Result<[u8; 32], Fault> {
        Ok([7; 32])
    }

    fn dice_keys(&self) -> Result<Vec<[u8; 32]>, Fault> {
        Ok(self.kept().dice_keys.clone())
    }

    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault> {
        self.kept().dice_keys.push(*key);
        Ok(())
    }

    fn tray(&self) -> Box<dyn Tray> {
        Box::new(self.clone())
    }

    fn marker(&self) -> Box<dyn Marker> {
        Box::new(self.clone())
    }

    fn log(&self, lines: &[&str]) -> Result<(), Fault> {
        self.kept().log.extend(lines.iter().map(ToString::to_string));
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), Fault> {
        Ok(())
    }
}

impl Marker for MemoryHome {
    fn read(&self) -> String {
        self.kept().running.clone()
    }

    fn write(&self, text: &str) -> Result<(), Fault> {
        text.clone_into(&mut self.kept().running);
        Ok(())
    }

    fn clear(&self) -> Result<(), Fault> {
        self.kept().running.clear();
        Ok(())
    }
}

impl Tray for MemoryHome {
    fn fresh(&self) -> Result<Vec<String>, Fault> {
        let kept = self.kept();
        let fresh = kept.mails.keys().filter(|name| name.begun.is_none());
        Ok(fresh.map(|name| name.name.clone()).collect())
    }

    fn begun(&self) -> Result<Vec<Name>, Fault> {
        let kept = self.kept();
        Ok(kept.mails.keys().filter(|name| name.begun.is_some()).cloned().collect())
    }

    fn read(&self, name: &Name) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.kept().mails.get(name).cloned())
    }

    fn rename(&self, from: &Name, to: &Name) -> Result<(), Fault> {
        let mut kept = self.kept();
        if let Some(mail) = kept.mails.remove(from) {
            kept.mails.insert(to.clone(), mail);
        }
        Ok(())
    }

    fn remove(&self, name: &Name) -> Result<(), Fault> {
        self.kept().mails.remove(name);
        Ok(())
    }

    fn put_aside(
        &self,
        name: &Name,
        aside: &str,
        _: Bounds,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let mut kept = self.kept();
        kept.mails.remove(name);
        kept.aside.push((aside.to_owned(), why.to_owned()));
        Ok(None)
    }

    fn is_marked(&self) -> bool {
        self.kept().is_marked
    }

    fn mark(&self) -> Result<(), Fault> {
        self.kept().is_marked = true;
        Ok(())
    }

    fn unmark(&self) -> Result<(), Fault> {
        self.kept().is_marked = false;
        Ok(())
    }
}

/// The outbox, of the one who sends.
#[derive(Debug)]
struct Sending {
    home: MemoryHome,
    report: Report,
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.home.kept().is_sending = false;
    }
}

impl Letters for Sending {
    fn claim(&mut self, now: Time) -> Result<Vec<Claimed>, Fault> {
        let mut kept = self.home.kept();
        let due = kept.outbox.iter().filter(|waiting| waiting.not_before <= now);
        let mut due: Vec<_> =
            due.map(|waiting| (waiting.tries, waiting.not_before, waiting.number)).collect();
        due.sort_unstable();
        kept.is_sending = !due.is_empty();
        Ok(due.into_iter().map(|(.., number)| Claimed(number.to_string())).collect())
    }

    fn deliver(
        &mut self,
        claimed: &Claimed,
        now: Time,
        send: &mut dyn FnMut(&Letter) -> Result<(), Undelivered>,
    ) -> Result<(), Fault> {
        let mut kept = self.home.kept();
        let is_this = |waiting: &Waiting| waiting.number.to_string() == claimed.0;
        let Some(at) = kept.outbox.iter().position(is_this) else { return Ok(()) };
        let mut this = kept.outbox.remove(at);
        let before = kept.outbox.len();
        kept.outbox.retain(|other| !replaces(&this, other));
        self.report.replaced += before - kept.outbox.len();
        match send(&this.letter) {
            Ok(()) => self.report.sent += 1,
            Err(Undelivered { permanent: true, why, .. }) => {
                self.report.failed += 1;
                kept.aside.push((this.letter.name, why));
            }
            Err(_) => {
                self.report.kept += 1;
                this.not_before = now + pause(this.tries);
                this.tries += 1;
                kept.outbox.push(this);
            }
        }
        Ok(())
    }

    fn report(&self) -> Report {
        self.report
    }
}

/// Whether a letter takes the place of an older one about the same board, which failed.
fn replaces(this: &Waiting, other: &Waiting) -> bool {
    let about = |waiting: &Waiting| (waiting.letter.to.clone(), waiting.letter.thread.clone());
    let is_about_a_board = this.letter.thread.is_some();
    is_about_a_board && other.tries > 0 && other.at < this.at && about(this) == about(other)
}
