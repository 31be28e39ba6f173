//! The traits of a home, for [`MemoryHome`].

use super::outbox::MemoryOutbox;
use super::{MemoryHome, MemoryListener, MemorySubscription, QuarantinedMail, WaitingLetter};
use crate::base::time::{Day, Time, TimeSlot};
use crate::store::letter::{Backlog, UnsentLetter};
use crate::store::spool::SpoolName;
use crate::store::traits::FreeSpoolLock;
use crate::store::{ChangeListener, MailListener, Subscription};
use crate::store::{
    DocumentKind, DocumentVersion, Documents, Fault, Home, Indexes, JobRun, Key, MailKey, OpenHome,
    Outbox, ParkedMail, ReadOnlyHome, ReceiptStatus, Receipts, Register, Remedy, RemedyResult,
    RunMarker, SpoolLock, SpoolStore, Store, StoredDocument, StuckItem, Traffic, Transaction,
    Wakeups,
};
use crate::store::{QuarantineAges, QuarantineLimits};
use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::{Arc, Weak};

impl Home for MemoryHome {
    fn location(&self) -> String {
        "memory".to_owned()
    }

    fn open(&self) -> Result<Box<dyn OpenHome>, Fault> {
        Ok(Box::new(self.clone()))
    }

    fn read(&self) -> Result<ReadOnlyHome, Fault> {
        Ok(ReadOnlyHome(self.open()?))
    }

    fn put(&self, mail: &[u8], mark: Option<&str>) -> Result<(), Fault> {
        let mut state = self.state();
        state.came += 1;
        let mark = mark.map_or_else(String::new, |mark| format!(".{mark}"));
        let name = SpoolName { name: format!("{:012}{mark}", state.came), begun: None };
        state.mails.insert(name, mail.to_vec());
        Ok(())
    }

    fn waiting_mails(&self) -> Result<Vec<String>, Fault> {
        Ok(self.state().mails.keys().map(|name| name.name.clone()).collect())
    }

    fn waiting_marks(&self) -> Result<HashSet<String>, Fault> {
        let state = self.state();
        let mark = |name: &SpoolName| Some(name.name.split_once('.')?.1.to_owned());
        Ok(state.mails.keys().filter_map(mark).collect())
    }

    fn spool_lock(&self) -> Option<Box<dyn SpoolLock>> {
        Some(Box::new(FreeSpoolLock))
    }

    fn subscribe(&self, listener: ChangeListener) -> Result<Box<dyn Subscription>, Fault> {
        let listener = Arc::new(MemoryListener(listener));
        self.state().listeners.push(Arc::downgrade(&listener));
        Ok(Box::new(MemorySubscription(listener)))
    }

    fn subscribe_to_mails(&self, listener: MailListener) -> Result<Box<dyn Subscription>, Fault> {
        // Nothing reports a mail, so the listener is called after each commit.
        self.subscribe(Box::new(move |_| listener()))
    }

    fn is_awaited(&self) -> bool {
        false
    }

    fn collect_lock(&self) -> Option<Box<dyn Debug>> {
        Some(Box::new(FreeSpoolLock))
    }

    fn outbox(&self) -> Result<Option<Box<dyn Outbox>>, Fault> {
        let is_sending = std::mem::replace(&mut self.state().is_sending, true);
        Ok((!is_sending).then(|| Box::new(MemoryOutbox::new(self)) as Box<dyn Outbox>))
    }

    fn backlog(&self) -> Result<Backlog, Fault> {
        let state = self.state();
        let failed = || state.outbox.iter().filter(|waiting| waiting.tries > 0);
        let oldest_failed = failed().map(|waiting| waiting.at).min();
        let is_put_off =
            |waiting: &&WaitingLetter| waiting.tries == 0 && waiting.not_before > Time::EPOCH;
        let put_off = state.outbox.iter().filter(is_put_off).count();
        Ok(Backlog { failed: failed().count(), oldest_failed, put_off })
    }

    fn unsent_letters(&self) -> Result<Vec<UnsentLetter>, Fault> {
        let unsent = |waiting: &WaitingLetter, is_given_up: bool| UnsentLetter {
            letter: waiting.letter.clone(),
            written_at: waiting.at,
            tries: waiting.tries,
            not_before: waiting.not_before,
            is_given_up,
        };
        let state = self.state();
        let waiting = state.outbox.iter().map(|waiting| unsent(waiting, false));
        let given_up = state.given_up.iter().map(|waiting| unsent(waiting, true));
        let mut unsent: Vec<UnsentLetter> = waiting.chain(given_up).collect();
        unsent.sort_by(|one, other| {
            (one.written_at, &one.letter.name).cmp(&(other.written_at, &other.letter.name))
        });
        Ok(unsent)
    }

    fn parked_mails(&self) -> Result<Vec<ParkedMail>, Fault> {
        let parked = |mail: &QuarantinedMail| ParkedMail {
            name: mail.name.clone(),
            at: None,
            bytes: mail.bytes.len() as u64,
            why: mail.why.clone(),
        };
        Ok(self.state().parked.iter().map(parked).collect())
    }

    fn parked_mail(&self, name: &str) -> Result<Option<Vec<u8>>, Fault> {
        let state = self.state();
        let found = state.parked.iter().find(|mail| mail.name == name);
        Ok(found.map(|mail| mail.bytes.clone()))
    }

    fn apply_remedy(&self, stuck: StuckItem, remedy: Remedy) -> Result<RemedyResult, Fault> {
        let mut state = self.state();
        let is_retried = remedy == Remedy::Retry;
        match stuck {
            StuckItem::Mail(name) => {
                let at = state.parked.iter().position(|mail| mail.name == name);
                let Some(at) = at else { return Ok(RemedyResult::Gone) };
                let mail = state.parked.remove(at).bytes;
                drop(state);
                if is_retried {
                    self.put(&mail, None)?;
                }
            }
            StuckItem::Letter(_) if state.is_sending => return Ok(RemedyResult::Busy),
            StuckItem::Letter(name) => {
                let is_it = |waiting: &WaitingLetter| waiting.letter.name == name;
                let waiting = state.outbox.iter().position(is_it);
                let given_up = state.given_up.iter().position(is_it);
                let letter = match (waiting, given_up) {
                    (Some(at), _) => state.outbox.remove(at),
                    (None, Some(at)) => state.given_up.remove(at),
                    (None, None) => return Ok(RemedyResult::Gone),
                };
                if is_retried {
                    state.outbox.push(WaitingLetter {
                        tries: 0,
                        not_before: Time::EPOCH,
                        ..letter
                    });
                }
            }
        }
        Ok(RemedyResult::Done)
    }

    fn record_run(&self, run: &JobRun) -> Result<(), Fault> {
        let mut state = self.state();
        state.runs.retain(|one| one.job != run.job);
        state.runs.push(run.clone());
        state.runs.sort_by(|one, other| one.job.cmp(&other.job));
        Ok(())
    }

    fn last_runs(&self) -> Result<Vec<JobRun>, Fault> {
        Ok(self.state().runs.clone())
    }

    fn traffic(&self) -> Result<Traffic, Fault> {
        Ok(Traffic::new())
    }

    fn expire(&self, _: Time) -> Result<(), Fault> {
        Ok(())
    }

    fn expire_quarantine(&self, _: Time, _: QuarantineAges) -> Result<usize, Fault> {
        Ok(0)
    }
}

impl Documents for MemoryHome {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.state().store.load(key)
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        self.state().store.keys(kind)
    }
}

impl Receipts for MemoryHome {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        self.state().store.receipt(mail, now)
    }
}

impl Indexes for MemoryHome {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.state().store.wakeups(game)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        self.state().store.registered(register)
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        self.state().store.unproved_days(until)
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        self.state().store.due_slots()
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.state().store.sent_count(mailbox, now)
    }
}

impl Store for MemoryHome {
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault> {
        self.state().store.remove(documents, register)
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        let mut state = self.state();
        let at = transaction.at;
        let names = transaction.names();
        state.store.commit(transaction)?;
        for letter in state.store.take_letters() {
            state.written += 1;
            let number = state.written;
            state.outbox.push(WaitingLetter {
                number,
                letter,
                at,
                tries: 0,
                not_before: Time::EPOCH,
            });
        }
        state.listeners.retain(|listener| listener.strong_count() > 0);
        let listeners: Vec<_> = state.listeners.iter().filter_map(Weak::upgrade).collect();
        drop(state);
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
        Ok(self.state().dice_keys.clone())
    }

    fn add_dice_key(&mut self, key: &[u8; 32]) -> Result<(), Fault> {
        self.state().dice_keys.push(*key);
        Ok(())
    }

    fn spool_store(&self) -> Box<dyn SpoolStore> {
        Box::new(self.clone())
    }

    fn run_marker(&self) -> Box<dyn RunMarker> {
        Box::new(self.clone())
    }

    fn log(&self, lines: &[&str]) -> Result<(), Fault> {
        self.state().log.extend(lines.iter().map(ToString::to_string));
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<(), Fault> {
        Ok(())
    }
}

impl RunMarker for MemoryHome {
    fn read(&self) -> Result<String, Fault> {
        Ok(self.state().running.clone())
    }

    fn write(&self, text: &str) -> Result<(), Fault> {
        text.clone_into(&mut self.state().running);
        Ok(())
    }

    fn clear(&self) -> Result<(), Fault> {
        self.state().running.clear();
        Ok(())
    }
}

impl SpoolStore for MemoryHome {
    fn fresh(&self) -> Result<Vec<String>, Fault> {
        let state = self.state();
        let fresh = state.mails.keys().filter(|name| name.begun.is_none());
        Ok(fresh.map(|name| name.name.clone()).collect())
    }

    fn begun(&self) -> Result<Vec<SpoolName>, Fault> {
        let state = self.state();
        Ok(state.mails.keys().filter(|name| name.begun.is_some()).cloned().collect())
    }

    fn read(&self, name: &SpoolName) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.state().mails.get(name).cloned())
    }

    fn rename(&self, from: &SpoolName, to: &SpoolName) -> Result<(), Fault> {
        let mut state = self.state();
        if let Some(mail) = state.mails.remove(from) {
            state.mails.insert(to.clone(), mail);
        }
        Ok(())
    }

    fn remove(&self, name: &SpoolName) -> Result<(), Fault> {
        self.state().mails.remove(name);
        Ok(())
    }

    fn park(
        &self,
        name: &SpoolName,
        parked: &str,
        _: QuarantineLimits,
        why: &str,
    ) -> Result<Option<String>, Fault> {
        let mut state = self.state();
        let bytes = state.mails.remove(name).unwrap_or_default();
        state.parked.push(QuarantinedMail { name: parked.to_owned(), why: why.to_owned(), bytes });
        Ok(None)
    }

    fn is_run_marked(&self) -> Result<bool, Fault> {
        Ok(self.state().is_run_marked)
    }

    fn mark_run(&self) -> Result<(), Fault> {
        self.state().is_run_marked = true;
        Ok(())
    }

    fn unmark_run(&self) -> Result<(), Fault> {
        self.state().is_run_marked = false;
        Ok(())
    }
}
