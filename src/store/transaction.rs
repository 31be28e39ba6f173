//! Transactions: changes that become durable together.

use super::{Key, Letter, MailKey};
use crate::base::digest::Digest;
use crate::base::ids::BoardId;
use crate::base::key::DocumentKind;
use crate::base::time::{Day, Time, TimeSlot};
use std::collections::HashSet;

/// The version of a document: the SHA-256 of its text, or `None` if it does not exist.
pub type DocumentVersion = Option<Digest>;

/// A document as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// Its text, if it exists.
    pub text: Option<String>,
    /// The version that a commit names as its base.
    pub version: DocumentVersion,
}

/// The new text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
    /// The document.
    pub key: Key,
    /// The version that the change was made from.
    pub was: DocumentVersion,
    /// The whole new text.
    pub text: String,
}

/// A record that a mail was written to a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SentRecord {
    /// The first bytes of the digest of the mailbox's address.
    pub mailbox: [u8; 8],
    /// The first bytes of the digest of the mail: equal mails count once.
    pub letter: [u8; 8],
}

/// The name that subscribers get when a commit writes letters; no document has it.
pub const OUTBOX: &str = "outbox";

/// Returns the name that subscribers get when a commit sets wakeups, the earliest at `at`: `due/001093003200`.
/// No document has it.
fn wakeup_name(at: Time) -> String {
    format!("{DUE}/{}", at.digits())
}

/// Returns the time in a name that subscribers get for wakeups.
pub fn named_wakeup(name: &str) -> Option<Time> {
    Time::from_digits(name.strip_prefix(DUE)?.strip_prefix('/')?)
}

/// Changes that become durable together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    /// New texts of documents, each document at most once.
    pub changes: Vec<DocumentChange>,
    /// Other documents that were read for it, with their versions. A store with several writers
    /// refuses the transaction if one of them has changed.
    pub reads: Vec<(Key, DocumentVersion)>,
    /// Changed documents of which subscribers are not told, because nobody but the player who
    /// caused the change may learn of it.
    pub unannounced: Vec<Key>,
    /// Letters for the outbox.
    pub letters: Vec<Letter>,
    /// The mails that it executes.
    pub receipts: Vec<MailKey>,
    /// The [swapped](MailKey::swapped) keys of those with a Message-ID. A power cut may lose a few.
    pub swapped_receipts: Vec<MailKey>,
    /// The mails written to mailboxes, for the daily limits.
    pub sent: Vec<SentRecord>,
    /// Its time: decides the month of the receipts and the day of the sent records.
    pub at: Time,
    /// Its updates of the indexes.
    pub index_updates: IndexUpdates,
}

impl Transaction {
    /// Returns the names that subscribers get: the changed documents that are announced, [`OUTBOX`]
    /// if there are letters, and the time of the earliest wakeup.
    pub(super) fn names(&self) -> Vec<String> {
        let told = self.changes.iter().filter(|change| !self.unannounced.contains(&change.key));
        let documents = told.filter_map(|change| change.key.file());
        let outbox = (!self.letters.is_empty()).then(|| OUTBOX.to_owned());
        documents.chain(outbox).chain(self.index_updates.earliest().map(wakeup_name)).collect()
    }

    /// Returns roughly the bytes that it writes to disk.
    pub fn bytes(&self) -> usize {
        let changes: usize = self.changes.iter().map(|change| change.text.len()).sum();
        let letters: usize = self.letters.iter().map(|letter| letter.bytes.len()).sum();
        changes + letters
    }

    /// Returns whether both transactions execute a mail with the same Message-ID or content.
    pub fn shares_mail_with(&self, other: &Self) -> bool {
        let names = |of: &Self| {
            of.receipts.iter().chain(&of.swapped_receipts).map(|mail| mail.id).collect()
        };
        let (ours, theirs): (HashSet<Digest>, HashSet<Digest>) = (names(self), names(other));
        !ours.is_disjoint(&theirs)
    }

    /// Merges a later transaction, which changes other documents, into this one.
    #[must_use]
    pub fn merged_with(mut self, later: Self) -> Self {
        let Self {
            changes,
            reads,
            unannounced,
            letters,
            receipts,
            swapped_receipts,
            sent,
            at,
            index_updates,
        } = later;
        let IndexUpdates { wakeups, scans, registered } = index_updates;
        self.changes.extend(changes);
        self.reads.extend(reads);
        self.unannounced.extend(unannounced);
        self.letters.extend(letters);
        self.receipts.extend(receipts);
        self.swapped_receipts.extend(swapped_receipts);
        self.sent.extend(sent);
        self.at = self.at.max(at);
        self.index_updates.wakeups.extend(wakeups);
        self.index_updates.scans.extend(scans);
        self.index_updates.registered.extend(registered);
        self
    }

    /// Adds the receipts of an executed mail.
    pub fn add_receipts(&mut self, mail: MailKey) {
        self.receipts.push(mail);
        self.swapped_receipts.extend(mail.is_named().then(|| mail.swapped()));
    }
}

/// The index updates of a transaction. They are written beside it, in an order such that a crash
/// costs at most an unnecessary look at a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexUpdates {
    /// When boards are next due. The index may be early, never late.
    pub wakeups: Vec<(BoardId, Time)>,
    /// When all boards of a game were last scanned, by the game's name.
    pub scans: Vec<(&'static str, Time)>,
    /// New entries of registers: users by folded userid, documents by file. A register may have
    /// stale entries.
    pub registered: Vec<(Register, String)>,
}

impl IndexUpdates {
    /// Returns the earliest wakeup, or the start of its slot.
    fn earliest(&self) -> Option<Time> {
        let boards = self.wakeups.iter().map(|(_, at)| *at);
        let slots = self.registered.iter().filter_map(|(register, _)| match register {
            Register::Due(slot) => Some(slot.start()),
            _ => None,
        });
        boards.chain(slots).filter(|at| *at != Time::NEVER).min()
    }

    /// Adds the wakeup of a document. One that is past counts as that of `now`, since registers of
    /// the past may be removed at any moment.
    pub fn add_wakeup(&mut self, key: &Key, at: Time, now: Time) {
        if let Key::Board(game, number) = *key {
            self.wakeups.push((BoardId { game, number }, at));
        } else if let Some(file) = key.file() {
            self.registered.push((Register::Due(TimeSlot::of(at.max(now))), file));
        }
    }
}

/// An append-only list of users or documents, so that finding a few does not mean reading all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// The users who were ever rated in a game, by its name.
    Rated(&'static str),
    /// The users with an address that gets no more mails, because mails came back.
    Stopped,
    /// The users who signed up on a day and have not yet shown that they read their mails. The
    /// register is removed when their time is over.
    Unproved(Day),
    /// The documents with a wakeup in this slot of time, by their files; boards have an index of
    /// their own. The register is removed when the slot is past and its documents were looked at.
    Due(TimeSlot),
}

/// The folder of the registers [`Register::Unproved`].
pub(super) const UNPROVED: &str = "unproved";
/// The folder of the registers [`Register::Due`].
pub(super) const DUE: &str = "due";

impl Register {
    /// Returns its name in the store: a file below the home with one entry a line, or a key of the
    /// table `registers`.
    pub(super) fn name(self) -> String {
        match self {
            Self::Rated(game) => format!("{}/rated", DocumentKind::Boards(game).folder()),
            Self::Stopped => "stopped".into(),
            Self::Unproved(day) => format!("{UNPROVED}/{day}"),
            Self::Due(slot) => format!("{DUE}/{slot}"),
        }
    }
}

/// When the boards of a game are due.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wakeups {
    /// When all boards were last scanned; [`Time::EPOCH`] if never.
    pub scanned: Time,
    /// When each board is due, by board number from 1; [`Time::EPOCH`] if unknown. Never later than
    /// [`IndexUpdates::wakeups`] said.
    pub boards: Vec<Time>,
}

impl Wakeups {
    /// The wakeup of a number that was reserved for a board and has none.
    pub const RESERVED: Time = Time::from_unix(i64::MAX - 1);

    /// Returns the number of boards in play; boards of unknown wakeups count.
    pub fn running(&self) -> usize {
        self.boards.iter().filter(|at| **at < Self::RESERVED).count()
    }

    /// Returns the number of boards up to the latest: not all numbers have one.
    pub fn begun(&self, latest: u32) -> usize {
        let reserved = self.boards.iter().take(latest as usize).filter(|at| **at == Self::RESERVED);
        latest as usize - reserved.count()
    }

    /// Returns when a board is due, if the index knows it.
    pub fn board(&self, number: u32) -> Option<Time> {
        self.boards.get((number as usize).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserved_number_is_no_board() {
        let known = [1_093_003_200, 1_093_009_999].map(Time::from_unix);
        let boards = vec![known[0], Wakeups::RESERVED, Time::NEVER, known[1], Wakeups::RESERVED];
        let wakeups = Wakeups { scanned: Time::EPOCH, boards };
        // The latest board may not be in the index.
        let begun = [0, 1, 2, 4, 5, 6].map(|latest| wakeups.begun(latest));
        assert_eq!((wakeups.running(), begun), (2, [0, 1, 1, 3, 3, 4]));
    }

    #[test]
    fn subscribers_get_the_earliest_wakeup() {
        let mut transaction = Transaction::default();
        assert_eq!(transaction.names(), [""; 0]);
        let (now, board) = (Time::from_unix(1_093_003_200), BoardId { game: "malaka", number: 1 });
        let updates = &mut transaction.index_updates;
        updates.wakeups = vec![(board, Time::NEVER), (board, Time::from_unix(1_093_009_999))];
        updates.registered = vec![(Register::Stopped, "alice".into())];
        let named = |of: &Transaction| of.names().iter().filter_map(|it| named_wakeup(it)).min();
        assert_eq!(named(&transaction), Some(Time::from_unix(1_093_009_999)));
        transaction.index_updates.registered.push((Register::Due(TimeSlot::of(now)), "x".into()));
        assert_eq!(named(&transaction), Some(now));
        for name in ["due", "due/", "boards/1", OUTBOX] {
            assert_eq!(named_wakeup(name), None, "{name}");
        }
    }
}
