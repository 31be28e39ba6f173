//! The common parts of all documents: a key, a text, and a cache on which they lie while commands
//! work on them.
//!
//! A new kind of document is its file, with [`Document`] for it, and its line in the table of
//! [`caches`](super::caches). Its file says where it lies, too: the store knows only the shapes of
//! names ([`Key`]).

use crate::base::digest::digest;
use crate::store::{DocumentChange, DocumentVersion, Fault, Key, Store};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// What is wrong with the text of a document, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It cannot be read, or is no text.
    #[error("{0}")]
    Unreadable(String),
    /// It has not the shape of the document.
    #[error("{what}")]
    Shape {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there, with the place.
        what: String,
    },
    /// The same in a document with secrets: what is written there is not shown.
    #[error("line {line} column {column} is not understood")]
    Withheld {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// A newer program wrote it, in that format.
    #[error("format {0} is newer than this program")]
    Newer(u32),
    /// It is another document, which is named.
    #[error("it holds {0}")]
    Other(String),
    /// An entry of the record is not as it should be.
    #[error("record entry {}: {why}", .index + 1)]
    Entry {
        /// Which one, from 0.
        index: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Its contents cannot be true.
    #[error("{0}")]
    Untrue(String),
}

impl Damage {
    /// What is wrong with an entry of the record, counted from 0.
    pub fn of_entry(index: usize, why: impl Into<String>) -> Self {
        Self::Entry { index, why: why.into() }
    }

    /// For `map_err`: what is wrong with it, whatever that is called.
    #[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` asks for")]
    pub fn untrue(why: impl ToString) -> Self {
        Self::Untrue(why.to_string())
    }

    /// For `map_err` of a document without secrets.
    #[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` asks for")]
    pub fn of_json(error: serde_json::Error) -> Self {
        Self::Shape { line: error.line(), column: error.column(), what: error.to_string() }
    }

    /// For `map_err` of a document with secrets.
    #[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` asks for")]
    pub fn of_secrets(error: serde_json::Error) -> Self {
        Self::Withheld { line: error.line(), column: error.column() }
    }

    /// The entry of the record that it is about, counted from 0, if it is about one.
    pub fn entry(&self) -> Option<usize> {
        match self {
            Self::Entry { index, .. } => Some(*index),
            _ => None,
        }
    }
}

/// Checks that a document's format is one that this program knows.
///
/// # Errors
/// It is newer.
pub(super) fn check_format(format: u32, newest: u32) -> Result<(), Damage> {
    if format > newest { Err(Damage::Newer(format)) } else { Ok(()) }
}

/// A document as a value.
pub trait Document: Sized {
    /// Tells one of its kind from another.
    type Id: Clone + Eq + Hash;

    /// Its name for the store.
    fn key(id: &Self::Id) -> Key;

    /// Which one of its kind a key names; none for a key of another kind.
    fn named(key: &Key) -> Option<Self::Id>;

    /// Its name, if a file below the home is one of its kind.
    fn find(file: &str) -> Option<Key>;

    /// Reads the document that is kept under an id.
    ///
    /// # Errors
    /// The text is not of this version, or is another document.
    fn from_text(id: &Self::Id, text: &str) -> Result<Self, Damage>;

    /// Its text.
    fn to_text(&self) -> String;

    /// The value used for a document that does not exist.
    fn absent(_: &Self::Id) -> Option<Self> {
        None
    }

    /// The documents without which this one is not worked on.
    fn needs(&self) -> Vec<Key> {
        Vec::new()
    }
}

/// A document as it was found.
#[derive(Debug)]
struct LoadedDocument<T> {
    version: DocumentVersion,
    content: Result<Option<T>, Damage>,
}

impl<T: Document> LoadedDocument<T> {
    /// The documents that it needs.
    fn needs(&self) -> Vec<Key> {
        self.content.iter().flatten().flat_map(T::needs).collect()
    }
}

/// The documents of one kind that are loaded, and which of them have changed.
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
    /// A document: none if it does not exist.
    ///
    /// # Errors
    /// It is damaged.
    ///
    /// # Panics
    /// It was not loaded first: a command's needs are.
    pub fn content(&self, id: &T::Id) -> Result<Option<&T>, &Damage> {
        let found = self.found.get(id).expect("a command's needs are loaded first");
        found.content.as_ref().map(Option::as_ref)
    }

    /// A document, if it is loaded, exists and can be read.
    pub fn get(&self, id: &T::Id) -> Option<&T> {
        self.found.get(id)?.content.as_ref().ok()?.as_ref()
    }

    /// The same to be changed.
    pub fn get_mut(&mut self, id: &T::Id) -> Option<&mut T> {
        let content = self.found.get_mut(id)?.content.as_mut().ok()?.as_mut()?;
        self.changed.insert(id.clone());
        Some(content)
    }

    /// The same, where a document that does not exist begins with this change. One that is damaged
    /// is for the operator to mend: there is nothing to change.
    ///
    /// # Panics
    /// It was not loaded first.
    pub fn begin(&mut self, id: &T::Id) -> Option<&mut T>
    where
        T: Default,
    {
        let found = self.found.get_mut(id).expect("what an event changes was loaded first");
        let content = found.content.as_mut().ok()?;
        self.changed.insert(id.clone());
        Some(content.get_or_insert_default())
    }

    /// Puts a document in its place, whatever was there.
    pub fn put(&mut self, id: T::Id, document: T) {
        let version = self.found.get(&id).and_then(|found| found.version);
        self.found.insert(id.clone(), LoadedDocument { version, content: Ok(Some(document)) });
        self.changed.insert(id);
    }

    /// Whether it was looked for.
    pub fn is_loaded(&self, id: &T::Id) -> bool {
        self.found.contains_key(id)
    }

    /// Whether it was looked for, and does not exist.
    pub fn is_absent(&self, id: &T::Id) -> bool {
        self.found.get(id).is_some_and(|found| matches!(found.content, Ok(None)))
    }

    /// All that exist and can be read, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.found.values().filter_map(|found| found.content.as_ref().ok()?.as_ref())
    }

    /// Those that have changed, in no order.
    pub fn changed(&self) -> impl Iterator<Item = &T> {
        self.changed.iter().filter_map(|id| self.get(id))
    }

    /// The ids of all that are loaded and can be read, in no order.
    pub fn ids(&self) -> impl Iterator<Item = &T::Id> {
        self.found.keys()
    }
}

/// What can be done to a cache of any kind.
pub(super) trait AnyDocumentCache {
    /// Loads a document of this kind if it is not here yet, and says what has to be loaded with it.
    /// Says so into `damaged` if it cannot be understood.
    ///
    /// # Errors
    /// The machine failed.
    fn load(
        &mut self,
        key: &Key,
        store: &dyn Store,
        damaged: &mut Vec<String>,
    ) -> Result<Vec<Key>, Fault>;

    /// The names of the documents that have changed.
    fn changed(&self) -> Vec<Key>;

    /// The changes since the documents were loaded; they are then forgotten.
    fn take_changes(&mut self) -> Vec<DocumentChange>;

    /// The version of a document when it was loaded, if it is one of this kind and is here.
    fn version(&self, key: &Key) -> Option<DocumentVersion>;

    /// Forgets a document, if it is one of this kind: another process has changed it.
    fn forget(&mut self, key: &Key);

    /// How many documents are here.
    fn len(&self) -> usize;

    /// Whether a text can be read as the document with that file; none if the file is none of this
    /// kind.
    fn judge(&self, file: &str, text: &str) -> Option<bool>;
}

impl<T: Document> AnyDocumentCache for DocumentCache<T> {
    fn load(
        &mut self,
        key: &Key,
        store: &dyn Store,
        damaged: &mut Vec<String>,
    ) -> Result<Vec<Key>, Fault> {
        let Some(id) = T::named(key) else { return Ok(Vec::new()) };
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
        self.found.get(&T::named(key)?).map(|found| found.version)
    }

    fn forget(&mut self, key: &Key) {
        if let Some(id) = T::named(key) {
            self.found.remove(&id);
        }
    }

    fn len(&self) -> usize {
        self.found.len()
    }

    fn judge(&self, file: &str, text: &str) -> Option<bool> {
        let id = T::named(&T::find(file)?)?;
        Some(T::from_text(&id, text).is_ok())
    }
}
