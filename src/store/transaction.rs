//! Changes that become durable together.

use super::Letter;
use super::{Key, MailKey};
use crate::base::digest::Digest;
use crate::base::ids::BoardId;
use crate::base::time::{Day, Time};
use std::collections::HashSet;

/// The content that a document had when it was read: SHA-256, or none if it did not exist.
pub type DocumentVersion = Option<Digest>;

/// A document as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// Its content, if it exists.
    pub text: Option<String>,
    /// The version that a later commit names for it.
    pub version: DocumentVersion,
}

/// A document's new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
    /// Which document.
    pub key: Key,
    /// The version that the change was made from.
    pub was: DocumentVersion,
    /// The whole new content.
    pub text: String,
}

/// That a mail was written to a mailbox: the beginnings of the digests of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SentRecord {
    /// The mailbox, by a digest of its address.
    pub mailbox: [u8; 8],
    /// The mail: the same mail counts once.
    pub letter: [u8; 8],
}

/// The name that listeners hear when a commit leaves letters; no document has it.
pub const OUTBOX: &str = "outbox";

/// Changes that become durable together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transaction {
    /// Documents with their new content, each key at most once.
    pub changes: Vec<DocumentChange>,
    /// Other documents that were read for it, with their versions. A store that several processes
    /// change at a time refuses the transaction if one has changed.
    pub reads: Vec<(Key, DocumentVersion)>,
    /// Mails for the outbox.
    pub letters: Vec<Letter>,
    /// The mails executed by it.
    pub receipts: Vec<MailKey>,
    /// The same mails, [swapped](MailKey::swapped), where they have a Message-ID. After a power cut
    /// a few may be missing.
    pub turned: Vec<MailKey>,
    /// To which mailboxes mails were written.
    pub sent: Vec<SentRecord>,
    /// When: the month of the receipts, the day of the mails sent.
    pub at: Time,
    /// Its changes for the indexes.
    pub index_updates: IndexUpdates,
}

impl Transaction {
    /// The names of what it changes, for those who listen: of its documents, and [`OUTBOX`] where it
    /// leaves letters.
    pub(super) fn names(&self) -> Vec<String> {
        let documents = self.changes.iter().filter_map(|change| change.key.file());
        let outbox = (!self.letters.is_empty()).then(|| OUTBOX.to_owned());
        documents.chain(outbox).collect()
    }

    /// About how many bytes it puts on the disk.
    pub fn bytes(&self) -> usize {
        let changes: usize = self.changes.iter().map(|change| change.text.len()).sum();
        let letters: usize = self.letters.iter().map(|letter| letter.bytes.len()).sum();
        changes + letters
    }
}

/// The changes of a transaction for the indexes beside the documents. They are not part of it: each
/// is kept so that anything a crash leaves of it leads to nothing worse than a look too many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexUpdates {
    /// When boards have to be looked at again. The index may say earlier, never
    /// later.
    pub wakeups: Vec<(BoardId, Time)>,
    /// When all boards of a game were last walked through, by the game's name.
    pub walks: Vec<(&'static str, Time)>,
    /// The users who enter a register, by the folded userid. It may name others, too.
    pub registered: Vec<(Register, String)>,
}

/// A list of users to which names are only added, so that nobody has to read all of them to find a few.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Register {
    /// The users who were ever rated in the game of that name.
    Rated(&'static str),
    /// The users to whom mails were stopped at an address, since they came back.
    Stopped,
    /// The users who signed up on that day without showing that they read their mails. The register
    /// is removed once their time is over.
    Unproved(Day),
}

/// When the boards of a game have to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wakeups {
    /// When all of them were last walked through; [`Time::EPOCH`] if never.
    pub walked: Time,
    /// By their numbers, from 1; [`Time::EPOCH`] where it is not known. Never later than what
    /// [`IndexUpdates::wakeups`] said.
    pub boards: Vec<Time>,
}

impl Wakeups {
    /// When a board has to be looked at, if anything is known of it.
    pub fn board(&self, number: u32) -> Option<Time> {
        self.boards.get((number as usize).checked_sub(1)?).copied()
    }
}

impl Transaction {
    /// Whether a mail that it executes has the Message-ID, or the content, of one of another
    /// transaction.
    pub fn names_a_mail_of(&self, other: &Self) -> bool {
        let names = |of: &Self| of.receipts.iter().chain(&of.turned).map(|mail| mail.id).collect();
        let (ours, theirs): (HashSet<Digest>, HashSet<Digest>) = (names(self), names(other));
        !ours.is_disjoint(&theirs)
    }

    /// This transaction and a later one that changes other documents, as one.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        let Self { changes, reads, letters, receipts, turned, sent, at, index_updates } = later;
        let IndexUpdates { wakeups, walks, registered } = index_updates;
        self.changes.extend(changes);
        self.reads.extend(reads);
        self.letters.extend(letters);
        self.receipts.extend(receipts);
        self.turned.extend(turned);
        self.sent.extend(sent);
        self.at = self.at.max(at);
        self.index_updates.wakeups.extend(wakeups);
        self.index_updates.walks.extend(walks);
        self.index_updates.registered.extend(registered);
        self
    }

    /// Notes a mail as executed by it.
    pub fn executes(&mut self, mail: MailKey) {
        self.receipts.push(mail);
        self.turned.extend(mail.is_named().then(|| mail.swapped()));
    }
}
