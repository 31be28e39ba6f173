//! A whole home in memory, for tests: all that a home in files keeps, without a disk. Opening it
//! never waits; tests open it one after the other.

use super::outbox::MemoryLetters;
use super::{MemoryHome, MemoryListener, MemorySubscription, QuarantinedMail, WaitingLetter};
use crate::base::time::{Day, Span, Time};
use crate::store::letter::{Backlog, UnsentLetter};
use crate::store::quarantine::QuarantineLimits;
use crate::store::spool::name::SpoolName;
use crate::store::{ChangeListener, Subscription};
use crate::store::{
    DocumentKind, DocumentVersion, Documents, Fault, Home, Indexes, JobRun, Key, Letters, MailKey,
    Marker, OpenHome, ParkedMail, ReadOnlyHome, ReceiptStatus, Receipts, Register, Remedy,
    RemedyResult, SpoolLock, SpoolStore, Store, StoredDocument, StuckItem, Traffic, Transaction,
    Wakeups,
};
use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::{Arc, Weak};

impl Home for MemoryHome {
    fn place(&self) -> String {
        "memory".to_owned()
    }

    fn open(&self) -> Result<Box<dyn OpenHome>, Fault> {
        Ok(Box::new(self.clone()))
    }

    fn read(&self) -> Result<ReadOnlyHome, Fault> {
        Ok(ReadOnlyHome(self.open()?))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        let mut kept = self.kept();
        kept.came += 1;
        let mark = mark.map_or_else(String::new, |mark| format!(".{mark}"));
        let name = SpoolName { name: format!("{:012}{mark}", kept.came), begun: None };
        kept.mails.insert(name, mail.to_vec());
        Ok(())
    }

    fn waiting(&self) -> Result<Vec<String>, Fault> {
        Ok(self.kept().mails.keys().map(|name| name.name.clone()).collect())
    }

    fn marks(&self) -> Result<HashSet<String>, Fault> {
        let kept = self.kept();
        let mark = |name: &SpoolName| Some(name.name.split_once('.')?.1.to_owned());
        Ok(kept.mails.keys().filter_map(mark).collect())
    }

    fn shift(&self) -> Option<Box<dyn SpoolLock>> {
        Some(Box::new(MemorySpoolLock))
    }

    fn listen(&self, tell: ChangeListener) -> Result<Box<dyn Subscription>, Fault> {
        let heard = Arc::new(MemoryListener(tell));
        self.kept().listeners.push(Arc::downgrade(&heard));
        Ok(Box::new(MemorySubscription(heard)))
    }

    fn is_awaited(&self) -> bool {
        false
    }

    fn collecting(&self) -> Option<Box<dyn Debug>> {
        Some(Box::new(MemorySpoolLock))
    }

    fn letters(&self) -> Result<Option<Box<dyn Letters>>, Fault> {
        let is_sending = std::mem::replace(&mut self.kept().is_sending, true);
        let sending = || MemoryLetters::new(self);
        Ok((!is_sending).then(|| Box::new(sending()) as Box<dyn Letters>))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        let kept = self.kept();
        let failed = || kept.outbox.iter().filter(|waiting| waiting.tries > 0);
        let oldest = failed().map(|waiting| waiting.at).min();
        Ok(Backlog { letters: failed().count(), oldest })
    }

    fn unsent(&self) -> Result<Vec<UnsentLetter>, Fault> {
        let unsent = |waiting: &WaitingLetter, is_given_up: bool| UnsentLetter {
            letter: waiting.letter.clone(),
            at: waiting.at,
            tries: waiting.tries,
            not_before: waiting.not_before,
            is_given_up,
        };
        let kept = self.kept();
        let waiting = kept.outbox.iter().map(|waiting| unsent(waiting, false));
        let given_up = kept.given_up.iter().map(|(waiting, _)| unsent(waiting, true));
        let mut unsent: Vec<UnsentLetter> = waiting.chain(given_up).collect();
        unsent
            .sort_by(|one, other| (one.at, &one.letter.name).cmp(&(other.at, &other.letter.name)));
        Ok(unsent)
    }

    fn parked(&self) -> Result<Vec<ParkedMail>, Fault> {
        let parked = |aside: &QuarantinedMail| ParkedMail {
            name: aside.name.clone(),
            at: None,
            bytes: aside.bytes.len() as u64,
            why: aside.why.clone(),
        };
        Ok(self.kept().aside.iter().map(parked).collect())
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let kept = self.kept();
        let found = kept.aside.iter().find(|aside| aside.name == name);
        Ok(found.map(|aside| aside.bytes.clone()))
    }

    fn remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault> {
        let mut kept = self.kept();
        let retried = remedy == Remedy::Retry;
        match stuck {
            StuckItem::Mail(name) => {
                let at = kept.aside.iter().position(|aside| aside.name == name);
                let Some(at) = at else { return Ok(RemedyResult::Gone) };
                let mail = kept.aside.remove(at).bytes;
                drop(kept);
                if retried {
                    self.put(&mail, None)?;
                }
            }
            StuckItem::Letter(_) if kept.is_sending => return Ok(RemedyResult::Busy),
            StuckItem::Letter(name) => {
                let is_it = |waiting: &WaitingLetter| waiting.letter.name == name;
                let waiting = kept.outbox.iter().position(is_it);
                let given_up = kept.given_up.iter().position(|(waiting, _)| is_it(waiting));
                let letter = match (waiting, given_up) {
                    (Some(at), _) => kept.outbox.remove(at),
                    (None, Some(at)) => kept.given_up.remove(at).0,
                    (None, None) => return Ok(RemedyResult::Gone),
                };
                if retried {
                    kept.outbox.push(WaitingLetter { tries: 0, not_before: Time::EPOCH, ..letter });
                }
            }
        }
        Ok(RemedyResult::Done)
    }

    fn note_run(&self, run: &JobRun) -> Result<(), Fault> {
        let mut kept = self.kept();
        kept.runs.retain(|one| one.job != run.job);
        kept.runs.push(run.clone());
        kept.runs.sort_by(|one, other| one.job.cmp(&other.job));
        Ok(())
    }

    fn runs(&self) -> Result<Vec<JobRun>, Fault> {
        Ok(self.kept().runs.clone())
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        Ok(Traffic::new())
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
struct MemorySpoolLock;

impl SpoolLock for MemorySpoolLock {
    fn is_awaited(&self) -> bool {
        false
    }
}

impl Documents for MemoryHome {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.kept().store.load(key)
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        self.kept().store.keys(kind)
    }
}

impl Receipts for MemoryHome {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        self.kept().store.receipt(mail, now)
    }
}

impl Indexes for MemoryHome {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.kept().store.wakeups(game)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        self.kept().store.registered(register)
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        self.kept().store.unproved_days(until)
    }

    fn sent(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.kept().store.sent(mailbox, now)
    }
}

impl Store for MemoryHome {
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault> {
        self.kept().store.remove(documents, register)
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        let mut kept = self.kept();
        let at = transaction.at;
        let names = transaction.names();
        kept.store.commit(transaction)?;
        for letter in kept.store.take_letters() {
            kept.written += 1;
            let number = kept.written;
            kept.outbox.push(WaitingLetter {
                number,
                letter,
                at,
                tries: 0,
                not_before: Time::EPOCH,
            });
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

impl OpenHome for MemoryHome {
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

    fn tray(&self) -> Box<dyn SpoolStore> {
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
    fn read(&self) -> Result<String, Fault> {
        Ok(self.kept().running.clone())
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

impl SpoolStore for MemoryHome {
    fn fresh(&self) -> Result<Vec<String>, Fault> {
        let kept = self.kept();
        let fresh = kept.mails.keys().filter(|name| name.begun.is_none());
        Ok(fresh.map(|name| name.name.clone()).collect())
    }

    fn begun(&self) -> Result<Vec<SpoolName>, Fault> {
        let kept = self.kept();
        Ok(kept.mails.keys().filter(|name| name.begun.is_some()).cloned().collect())
    }

    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.kept().mails.get(name).cloned())
    }

    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        let mut kept = self.kept();
        if let Some(mail) = kept.mails.remove(from) {
            kept.mails.insert(to.clone(), mail);
        }
        Ok(())
    }

    fn remove(&self, name: &SpoolName) -> Result<(), Fault> {
        self.kept().mails.remove(name);
        Ok(())
    }

    fn put_aside(
        &self,
        name: &SpoolName,
        aside: &str,
        _: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let mut kept = self.kept();
        let bytes = kept.mails.remove(name).unwrap_or_default();
        kept.aside.push(QuarantinedMail { name: aside.to_owned(), why: why.to_owned(), bytes });
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
