//! The parts that all documents share: the trait [`Document`], and caches for the documents that
//! commands work on.
//!
//! A new kind of document is a file that implements [`Document`], and a line in the table of
//! [`caches`](super::caches). The file also defines the document's key; the store knows only the
//! shapes of keys ([`Key`]).

use crate::base::digest::digest;
use crate::store::{DocumentChange, DocumentVersion, Fault, Key, Store};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

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

/// Checks that this program knows the format of a document.
///
/// # Errors
/// The format is newer.
pub(super) fn check_format(format: u32, newest: u32) -> Result<(), Damage> {
    if format > newest { Err(Damage::Newer(format)) } else { Ok(()) }
}

/// A document as a value.
pub trait Document: Sized {
    /// The identity of a document among those of its kind.
    type Id: Clone + Eq + Hash;

    /// Returns the key of a document.
    fn key(id: &Self::Id) -> Key;

    /// Returns the id in a key; `None` for a key of another kind.
    fn id_of(key: &Key) -> Option<Self::Id>;

    /// Returns the key of a file below the home; `None` for a file of another kind.
    fn key_of_file(file: &str) -> Option<Key>;

    /// Reads the document with this id.
    ///
    /// # Errors
    /// The text is damaged, of a newer format, or another document.
    fn from_text(id: &Self::Id, text: &str) -> Result<Self, Damage>;

    /// Returns the text of the document.
    fn to_text(&self) -> String;

    /// Returns the value of a document that does not exist, if there is a default.
    fn absent(_: &Self::Id) -> Option<Self> {
        None
    }

    /// Returns the keys of documents that must be loaded together with this one.
    fn needs(&self) -> Vec<Key> {
        Vec::new()
    }
}

/// A document as it was loaded.
#[derive(Debug)]
struct LoadedDocument<T> {
    version: DocumentVersion,
    content: Result<Option<T>, Damage>,
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
        let found = self.found.get(id).expect("a command's needs are loaded first");
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

    /// Returns a document to change, creating it if it does not exist. `None` if it is damaged.
    ///
    /// # Panics
    /// The document was not loaded.
    pub fn get_or_create(&mut self, id: &T::Id) -> Option<&mut T>
    where
        T: Default,
    {
        let found = self.found.get_mut(id).expect("the document of an event is loaded");
        let content = found.content.as_mut().ok()?;
        self.changed.insert(id.clone());
        Some(content.get_or_insert_default())
    }

    /// Replaces or creates a document.
    pub fn put(&mut self, id: T::Id, document: T) {
        let version = self.found.get(&id).and_then(|found| found.version);
        self.found.insert(id.clone(), LoadedDocument { version, content: Ok(Some(document)) });
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

    /// Takes the changes since the documents were loaded.
    fn take_changes(&mut self) -> Vec<DocumentChange>;

    /// Returns the version of a loaded document of this kind.
    fn version(&self, key: &Key) -> Option<DocumentVersion>;

    /// Drops a document of this kind, because another process has changed it.
    fn forget(&mut self, key: &Key);

    /// Returns the number of loaded documents.
    fn len(&self) -> usize;

    /// Returns whether a text is readable as the document of a file; `None` if the file is of
    /// another kind.
    fn can_read(&self, file: &str, text: &str) -> Option<bool>;
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
        let found = LoadedDocument { version, content };
        let needs = found.needs();
        self.found.insert(id, found);
        Ok(needs)
    }

    fn changed(&self) -> Vec<Key> {
        self.changed.iter().map(T::key).collect()
    }

    fn take_changes(&mut self) -> Vec<DocumentChange> {
        let changed = std::mem::take(&mut self.changed);
        let change = |id: T::Id| {
            let found = self.found.get_mut(&id)?;
            let text = found.content.as_ref().ok()?.as_ref()?.to_text();
            let was = found.version.replace(digest(text.as_bytes()));
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

    fn can_read(&self, file: &str, text: &str) -> Option<bool> {
        let id = T::id_of(&T::key_of_file(file)?)?;
        Some(T::from_text(&id, text).is_ok())
    }
}
