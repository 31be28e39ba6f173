//! The parts that all documents share: the trait [`Document`], and caches for the documents that
//! commands work on.
//!
//! A new kind of document is a file that implements [`Document`], and a line in the table of
//! [`caches`](super::caches). The trait has the duties of a kind, none of them with a default: where
//! the documents are (backups, moves), how they are read (`check`), their format (`upgrade`), and how
//! a user is renamed, erased and exported. The store knows only the shapes of keys ([`Key`]).

use crate::base::digest::Digest;
use crate::base::ids::UserId;
use crate::base::key::Place;
use crate::base::time::Time;
use crate::model::export::{DataSubject, Export};
use crate::model::user::{Departure, User};
use crate::store::{DocumentChange, DocumentVersion, Documents, Fault, Key, Store};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::marker::PhantomData;

/// The damage in the text of a document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The file cannot be read, or is not UTF-8.
    #[error("{0}")]
    Unreadable(String),
    /// The text does not have the shape of the document.
    #[error("{what}")]
    Shape {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The error, with its place.
        what: String,
    },
    /// A shape error in a document with secrets, whose text must not be shown.
    #[error("line {line} column {column} is not understood")]
    Withheld {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A newer program wrote it, in this format.
    #[error("format {0} is newer than this program")]
    Newer(u32),
    /// The text is another document, which is named.
    #[error("it is the document of {0}")]
    OtherDocument(String),
    /// An entry of the record is invalid.
    #[error("record entry {}: {why}", .index + 1)]
    Entry {
        /// The index of the entry, from 0.
        index: usize,
        /// The error.
        why: String,
    },
    /// The contents contradict each other or the rules.
    #[error("{0}")]
    Invalid(String),
}

impl Damage {
    /// Builds the damage of a record entry, counted from 0.
    pub fn in_entry(index: usize, why: impl Into<String>) -> Self {
        Self::Entry { index, why: why.into() }
    }

    /// Converts any error to damage, for `map_err`.
    #[expect(clippy::needless_pass_by_value, reason = "`map_err` requires this signature")]
    pub fn invalid(why: impl ToString) -> Self {
        Self::Invalid(why.to_string())
    }

    /// Converts a JSON error of a document without secrets, for `map_err`.
    #[expect(clippy::needless_pass_by_value, reason = "`map_err` requires this signature")]
    pub fn from_json(error: serde_json::Error) -> Self {
        Self::Shape { line: error.line(), column: error.column(), what: error.to_string() }
    }

    /// Converts a JSON error of a document with secrets, for `map_err`.
    #[expect(clippy::needless_pass_by_value, reason = "`map_err` requires this signature")]
    pub fn from_secret_json(error: serde_json::Error) -> Self {
        Self::Withheld { line: error.line(), column: error.column() }
    }

    /// Returns the index of the damaged record entry, counted from 0, if the damage is in one.
    pub fn entry(&self) -> Option<usize> {
        match self {
            Self::Entry { index, .. } => Some(*index),
            _ => None,
        }
    }
}

/// The format of a document; the newest that this program knows for a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct DocumentFormat<const NEWEST: u32>(u32);

impl<const NEWEST: u32> Default for DocumentFormat<NEWEST> {
    fn default() -> Self {
        Self(NEWEST)
    }
}

impl<const NEWEST: u32> DocumentFormat<NEWEST> {
    /// Checks that this program knows the format.
    ///
    /// # Errors
    /// The format is newer.
    pub(super) fn check(self) -> Result<(), Damage> {
        if self.0 > NEWEST { Err(Damage::Newer(self.0)) } else { Ok(()) }
    }
}

/// Returns whether a value is the default of its type, which documents leave out.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Returns a document as JSON with indented lines, each of which ends in a line feed.
///
/// # Panics
/// A map in it has keys that are no text, which JSON cannot write.
pub(super) fn pretty_json(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("the keys of maps are text") + "\n"
}

/// Returns a document as JSON in one line, which ends in a line feed.
///
/// # Panics
/// A map in it has keys that are no text, which JSON cannot write.
pub(super) fn compact_json(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("the keys of maps are text") + "\n"
}

/// Replaces a userid in some places. Returns whether it was there.
pub(super) fn rename_in<'a>(
    named: impl IntoIterator<Item = &'a mut UserId>,
    old: &UserId,
    new: &UserId,
) -> bool {
    let mut is_named = false;
    for user in named.into_iter().filter(|user| *user == old) {
        user.clone_from(new);
        is_named = true;
    }
    is_named
}

/// What is removed from the documents when a user leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Entries that would act for the user, such as open challenges.
    SignedOff,
    /// Also what the user wrote.
    Erased,
}

impl Removal {
    /// Returns what is removed at a departure.
    pub fn of(left: Departure) -> Self {
        if left.erased { Self::Erased } else { Self::SignedOff }
    }
}

/// A document as a value.
pub trait Document: Sized {
    /// The identity of a document among those of its kind.
    type Id: Clone + Eq + Hash;

    /// The name of the kind for the operator.
    const KIND: &'static str;

    /// Where the documents are.
    const PLACE: Place;

    /// The newest format that this program reads and writes; `None` for a document without a
    /// format, such as a number.
    const FORMAT: Option<u32>;

    /// Returns the key of a document.
    fn key(id: &Self::Id) -> Key;

    /// Returns the id in a key; `None` for a key of another kind.
    fn id_of(key: &Key) -> Option<Self::Id>;

    /// Reads the document with this id.
    ///
    /// # Errors
    /// The text is damaged, of a newer format, or another document.
    fn from_text(id: &Self::Id, text: &str) -> Result<Self, Damage>;

    /// Returns the text of the document.
    fn to_text(&self) -> String;

    /// Returns when reactions must act on the document next, even if nobody changes it. Boards have an
    /// index of their own.
    fn wakeup(&self) -> Option<Time> {
        None
    }

    /// Returns the keys of the documents with data of a user, in the order of their export. They
    /// are found from the user's own document, without a search.
    fn keys_of(user: &User) -> Vec<Key>;

    /// Replaces a userid wherever it is named, except in the own document of that user. Returns
    /// whether it was.
    fn rename(&mut self, id: &Self::Id, old: &UserId, new: &UserId) -> bool;

    /// Removes what `removal` says of a user who leaves. Returns whether anything was removed. The
    /// user's own document and the index of users follow from
    /// [`UserEvent::Left`](super::user::UserEvent::Left) itself.
    fn remove_user(&mut self, id: &Self::Id, subject: &DataSubject, removal: Removal) -> bool;

    /// Adds the data of a user to their export.
    fn export(&self, id: &Self::Id, subject: &DataSubject, export: &mut Export);

    /// Returns the value of a document that does not exist, if there is a default.
    fn absent(_: &Self::Id) -> Option<Self> {
        None
    }

    /// Returns the keys of documents that must be loaded together with this one.
    fn needs(&self) -> Vec<Key> {
        Vec::new()
    }
}

/// Writes the duties of a document that names no users: nothing is renamed, removed or exported.
macro_rules! names_no_users {
    () => {
        fn keys_of(_: &$crate::model::user::User) -> Vec<$crate::store::Key> {
            Vec::new()
        }

        fn rename(
            &mut self,
            _: &Self::Id,
            _: &$crate::base::ids::UserId,
            _: &$crate::base::ids::UserId,
        ) -> bool {
            false
        }

        fn remove_user(
            &mut self,
            _: &Self::Id,
            _: &$crate::model::export::DataSubject,
            _: $crate::model::document::Removal,
        ) -> bool {
            false
        }

        fn export(
            &self,
            _: &Self::Id,
            _: &$crate::model::export::DataSubject,
            _: &mut $crate::model::export::Export,
        ) {
        }
    };
}
pub(super) use names_no_users;

/// A change that was not kept, because this document is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Unwritten(pub Key);

/// A document as it was loaded.
#[derive(Debug)]
struct LoadedDocument<T> {
    version: DocumentVersion,
    content: Result<Option<T>, Damage>,
    /// The wakeup that the index knows.
    wakeup: Option<Time>,
}

impl<T: Document> LoadedDocument<T> {
    /// Returns the keys of documents that must be loaded together with this one.
    fn needs(&self) -> Vec<Key> {
        self.content.iter().flatten().flat_map(T::needs).collect()
    }
}

/// The loaded documents of one kind, with a list of the changed ones.
#[derive(Debug)]
pub struct DocumentCache<T: Document> {
    found: HashMap<T::Id, LoadedDocument<T>>,
    changed: HashSet<T::Id>,
}

impl<T: Document> Default for DocumentCache<T> {
    fn default() -> Self {
        Self { found: HashMap::new(), changed: HashSet::new() }
    }
}

impl<T: Document> DocumentCache<T> {
    /// Returns a document, or `None` if it does not exist.
    ///
    /// # Errors
    /// The document is damaged.
    ///
    /// # Panics
    /// The document was not loaded. The needs of a command are loaded before its decision.
    pub fn content(&self, id: &T::Id) -> Result<Option<&T>, &Damage> {
        let found = self.found.get(id);
        let found = found.unwrap_or_else(|| panic!("{} is loaded before a decision", T::key(id)));
        found.content.as_ref().map(Option::as_ref)
    }

    /// Returns a document if it is loaded, exists and is not damaged.
    pub fn get(&self, id: &T::Id) -> Option<&T> {
        self.found.get(id)?.content.as_ref().ok()?.as_ref()
    }

    /// Like [`Self::get`], but mutable; marks the document as changed.
    pub fn get_mut(&mut self, id: &T::Id) -> Option<&mut T> {
        let content = self.found.get_mut(id)?.content.as_mut().ok()?.as_mut()?;
        self.changed.insert(id.clone());
        Some(content)
    }

    /// Returns a document to change, creating it if it does not exist.
    ///
    /// # Errors
    /// The document is damaged and stays as it is.
    ///
    /// # Panics
    /// The document was not loaded.
    pub fn get_or_create(&mut self, id: &T::Id) -> Result<&mut T, Unwritten>
    where
        T: Default,
    {
        let found = self.found.get_mut(id);
        let found = found.unwrap_or_else(|| panic!("{} of an event is loaded", T::key(id)));
        let Ok(content) = &mut found.content else { return Err(Unwritten(T::key(id))) };
        self.changed.insert(id.clone());
        Ok(content.get_or_insert_default())
    }

    /// Replaces or creates a document.
    pub fn put(&mut self, id: T::Id, document: T) {
        let known = self.found.get(&id);
        let version = known.and_then(|found| found.version);
        let wakeup = known.and_then(|found| found.wakeup);
        let content = Ok(Some(document));
        self.found.insert(id.clone(), LoadedDocument { version, content, wakeup });
        self.changed.insert(id);
    }

    /// Returns whether the document was looked up, even if it does not exist.
    pub fn is_loaded(&self, id: &T::Id) -> bool {
        self.found.contains_key(id)
    }

    /// Returns whether the document was looked up and does not exist.
    pub fn is_absent(&self, id: &T::Id) -> bool {
        self.found.get(id).is_some_and(|found| matches!(found.content, Ok(None)))
    }

    /// Returns all loaded, undamaged documents in no order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.found.values().filter_map(|found| found.content.as_ref().ok()?.as_ref())
    }

    /// Returns the changed documents in no order.
    pub fn changed(&self) -> impl Iterator<Item = &T> {
        self.changed.iter().filter_map(|id| self.get(id))
    }

    /// Returns the ids of all loaded documents in no order.
    pub fn ids(&self) -> impl Iterator<Item = &T::Id> {
        self.found.keys()
    }
}

/// The operations on a cache of any kind.
pub(super) trait AnyDocumentCache {
    /// Loads the document of a key unless it is loaded already. Returns the keys to load with it.
    /// Adds a line to `damaged` if the document is damaged.
    ///
    /// # Errors
    /// The store failed.
    fn load(
        &mut self,
        key: &Key,
        store: &dyn Store,
        damaged: &mut Vec<String>,
    ) -> Result<Vec<Key>, Fault>;

    /// Returns the keys of the changed documents.
    fn changed(&self) -> Vec<Key>;

    /// Takes the wakeups that changes have set. Call it before [`Self::take_changes`].
    fn take_wakeups(&mut self) -> Vec<(Key, Time)>;

    /// Returns the wakeup of a loaded document of this kind.
    fn wakeup(&self, key: &Key) -> Option<Time>;

    /// Takes the changes since the documents were loaded.
    fn take_changes(&mut self) -> Vec<DocumentChange>;

    /// Returns the version of a loaded document of this kind.
    fn version(&self, key: &Key) -> Option<DocumentVersion>;

    /// Drops a document of this kind, because another process has changed it.
    fn forget(&mut self, key: &Key);

    /// Returns the number of loaded documents.
    fn len(&self) -> usize;

    /// Returns whether a loaded document of this kind is damaged.
    fn is_damaged(&self, key: &Key) -> bool;

    /// Removes a user who leaves from all loaded documents of this kind.
    fn remove_user(&mut self, subject: &DataSubject, removal: Removal);

    /// Adds the data of a user to their export, from the loaded documents of this kind.
    fn export(&self, subject: &DataSubject, export: &mut Export);
}

impl<T: Document> AnyDocumentCache for DocumentCache<T> {
    fn load(
        &mut self,
        key: &Key,
        store: &dyn Store,
        damaged: &mut Vec<String>,
    ) -> Result<Vec<Key>, Fault> {
        let Some(id) = T::id_of(key) else { return Ok(Vec::new()) };
        if let Some(found) = self.found.get(&id) {
            return Ok(found.needs());
        }
        let (version, content) = match store.load(key) {
            Ok(found) => {
                let read = found.text.as_deref().map(|text| T::from_text(&id, text)).transpose();
                (found.version, read.map(|content| content.or_else(|| T::absent(&id))))
            }
            Err(fault) if fault.is_damage() => {
                (None, Err(Damage::Unreadable(fault.source.to_string())))
            }
            Err(fault) => return Err(fault),
        };
        if let Err(damage) = &content {
            damaged.push(format!("{key} cannot be read: {damage}"));
        }
        let wakeup = content.as_ref().ok().and_then(Option::as_ref).and_then(T::wakeup);
        let found = LoadedDocument { version, content, wakeup };
        let needs = found.needs();
        self.found.insert(id, found);
        Ok(needs)
    }

    fn changed(&self) -> Vec<Key> {
        self.changed.iter().map(T::key).collect()
    }

    fn take_wakeups(&mut self) -> Vec<(Key, Time)> {
        let mut set = Vec::new();
        for id in &self.changed {
            let Some(found) = self.found.get_mut(id) else { continue };
            let wakeup = found.content.as_ref().ok().and_then(Option::as_ref).and_then(T::wakeup);
            if std::mem::replace(&mut found.wakeup, wakeup) != wakeup {
                set.extend(wakeup.map(|at| (T::key(id), at)));
            }
        }
        set
    }

    fn wakeup(&self, key: &Key) -> Option<Time> {
        self.get(&T::id_of(key)?)?.wakeup()
    }

    fn take_changes(&mut self) -> Vec<DocumentChange> {
        let changed = std::mem::take(&mut self.changed);
        let change = |id: T::Id| {
            let found = self.found.get_mut(&id)?;
            let text = found.content.as_ref().ok()?.as_ref()?.to_text();
            let was = found.version.replace(Digest::of(text.as_bytes()));
            Some(DocumentChange { key: T::key(&id), was, text })
        };
        changed.into_iter().filter_map(change).collect()
    }

    fn version(&self, key: &Key) -> Option<DocumentVersion> {
        self.found.get(&T::id_of(key)?).map(|found| found.version)
    }

    fn forget(&mut self, key: &Key) {
        if let Some(id) = T::id_of(key) {
            self.found.remove(&id);
        }
    }

    fn len(&self) -> usize {
        self.found.len()
    }

    fn is_damaged(&self, key: &Key) -> bool {
        let found = T::id_of(key).and_then(|id| self.found.get(&id));
        found.is_some_and(|found| found.content.is_err())
    }

    fn remove_user(&mut self, subject: &DataSubject, removal: Removal) {
        for (id, found) in &mut self.found {
            let Ok(Some(document)) = &mut found.content else { continue };
            if document.remove_user(id, subject, removal) {
                self.changed.insert(id.clone());
            }
        }
    }

    fn export(&self, subject: &DataSubject, export: &mut Export) {
        for id in T::keys_of(&subject.user).iter().filter_map(T::id_of) {
            if let Some(document) = self.get(&id) {
                document.export(&id, subject, export);
            }
        }
    }
}

/// A kind of documents, for work on whole homes.
pub trait DocumentType: Sync {
    /// Returns the name of the kind for the operator.
    fn name(&self) -> &'static str;

    /// Returns where the documents are.
    fn place(&self) -> Place;

    /// Returns the newest known format; `None` for documents without a format.
    fn format(&self) -> Option<u32>;

    /// Returns whether the index of wakeups lists the documents. Boards have an index of their own.
    fn has_wakeups(&self) -> bool {
        self.place() != Place::Boards
    }

    /// Checks that a text is readable as the document of a key. Returns its wakeup.
    ///
    /// # Errors
    /// The text is damaged, or the key names no document of this kind.
    fn check(&self, key: &Key, text: &str) -> Result<Option<Time>, Damage>;

    /// Replaces a userid in the text of a document; `None` if it is not named there.
    ///
    /// # Errors
    /// The text is damaged, or the key names no document of this kind.
    fn renamed(
        &self,
        key: &Key,
        text: &str,
        old: &UserId,
        new: &UserId,
    ) -> Result<Option<String>, Damage>;

    /// Returns the keys of the documents with data of a user.
    fn keys_of(&self, user: &User) -> Vec<Key>;
}

impl dyn DocumentType {
    /// Returns the keys of all documents of the kind, also of those that each game may have.
    ///
    /// # Errors
    /// The machine failed.
    pub fn keys(&self, documents: &dyn Documents) -> Result<Vec<Key>, Fault> {
        let mut keys = self.place().fixed_keys();
        for list in self.place().lists() {
            keys.extend(documents.keys(list)?);
        }
        Ok(keys)
    }
}

/// The kind of the documents `T`.
pub(super) struct TypeOf<T>(pub(super) PhantomData<fn() -> T>);

impl<T: Document> DocumentType for TypeOf<T> {
    fn name(&self) -> &'static str {
        T::KIND
    }

    fn place(&self) -> Place {
        T::PLACE
    }

    fn format(&self) -> Option<u32> {
        T::FORMAT
    }

    fn check(&self, key: &Key, text: &str) -> Result<Option<Time>, Damage> {
        T::from_text(&id_in::<T>(key)?, text).map(|document| document.wakeup())
    }

    fn renamed(
        &self,
        key: &Key,
        text: &str,
        old: &UserId,
        new: &UserId,
    ) -> Result<Option<String>, Damage> {
        let id = id_in::<T>(key)?;
        let mut document = T::from_text(&id, text)?;
        Ok(document.rename(&id, old, new).then(|| document.to_text()))
    }

    fn keys_of(&self, user: &User) -> Vec<Key> {
        T::keys_of(user)
    }
}

fn id_in<T: Document>(key: &Key) -> Result<T::Id, Damage> {
    T::id_of(key)
        .ok_or_else(|| Damage::invalid(format!("it is named after nothing in {}", T::KIND)))
}
