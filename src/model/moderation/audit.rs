//! The log of all acts of the operator and the administrators. Entries are only appended. Each
//! contains a digest of itself and the entry before, so `check` finds an entry that was changed or
//! is missing. The docket has the digest of the last one.

use crate::base::digest::Digest;
use crate::base::key::{Collection, Place};
use crate::base::time::Time;
use crate::model::document::{Damage, Document, DocumentFormat, names_no_users, pretty_json};
use crate::store::Key;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The collection of pages, named by their numbers, from 0.
const COLLECTION: Collection = Collection::new("audit");

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The most entries of a page.
pub const PAGE: u32 = 100;

/// The digest before the first entry.
pub const NO_CHAIN: &str = "";

/// A kind of act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// A user was muted.
    Mute,
    /// A user was suspended.
    Suspend,
    /// A user, an address, a domain or a network was banned.
    Ban,
    /// A sanction or a ban was lifted.
    Lift,
    /// A report was settled.
    Settle,
    /// A user became an administrator.
    Appoint,
    /// A user is no administrator any more.
    Dismiss,
    /// An administrator entered the administrators' pages.
    Enter,
    /// A parked mail or a letter is tried again.
    Retry,
    /// A parked mail or a letter was deleted.
    Drop,
    /// A user was removed and erased.
    Erase,
    /// Moves were taken back on a board, or it was opened again.
    Undo,
    /// A key of the configuration was changed.
    Configure,
}

impl Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mute => "mute",
            Self::Suspend => "suspend",
            Self::Ban => "ban",
            Self::Lift => "lift",
            Self::Settle => "settle",
            Self::Appoint => "appoint",
            Self::Dismiss => "dismiss",
            Self::Enter => "enter",
            Self::Retry => "retry",
            Self::Drop => "drop",
            Self::Erase => "erase",
            Self::Undo => "undo",
            Self::Configure => "configure",
        })
    }
}

/// An act, before it has its place in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// When.
    pub at: Time,
    /// The author: a userid, or `operator` with the user of the machine.
    pub by: String,
    /// What was done.
    pub act: Act,
    /// The subject: a userid, an address, a domain, a network, `report 3`.
    pub about: String,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Time>,
    /// The reason.
    pub why: String,
}

impl AuditRecord {
    /// Returns a short text for the log of the program.
    pub fn summary(&self) -> String {
        format!("{} {} by {}", self.act, self.about, self.by)
    }

    /// Returns the digest of the entry with this record, after an entry with the digest `before`.
    fn chain(&self, number: u32, before: &str) -> String {
        let text = serde_json::to_string(self).expect("words and numbers are JSON");
        Digest::of(format!("{before}\n{number}\n{text}")).hex()
    }
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its number, from 1.
    pub number: u32,
    /// The act.
    #[serde(flatten)]
    pub record: AuditRecord,
    /// The digest of this entry and all before it.
    pub chain: String,
}

impl AuditEntry {
    /// Builds the entry of a number, after an entry with the digest `before`.
    pub fn new(number: u32, record: AuditRecord, before: &str) -> Self {
        let chain = record.chain(number, before);
        Self { number, record, chain }
    }

    /// Returns whether this is the unchanged entry of a number after an entry with the digest
    /// `before`.
    pub fn follows(&self, number: u32, before: &str) -> bool {
        self.number == number && self.chain == self.record.chain(number, before)
    }
}

/// A page of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditPage {
    format: DocumentFormat<FORMAT>,
    /// The entries, oldest first.
    pub entries: Vec<AuditEntry>,
}

/// Returns the key of a page, by its number.
pub fn audit_key(page: u32) -> Key {
    Key::In(COLLECTION, page.to_string())
}

impl Document for AuditPage {
    type Id = u32;

    const KIND: &'static str = "audit";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(page: &u32) -> Key {
        audit_key(*page)
    }

    fn id_of(key: &Key) -> Option<u32> {
        let Key::In(COLLECTION, name) = key else { return None };
        let page = name.parse().ok()?;
        (audit_key(page) == *key).then_some(page)
    }

    fn from_text(_: &u32, text: &str) -> Result<Self, Damage> {
        let page: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        page.format.check()?;
        Ok(page)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    // Entries are never changed. The document under the old userid names the new one.
    names_no_users!();
}
