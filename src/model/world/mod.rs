//! The documents that commands work on. Only [`World::apply`] changes them.

mod apply;
pub mod event;
mod ladder;
mod new_numbers;
mod queries;

pub use crate::model::board::board_key;
pub use crate::model::board_count::count_key;
pub use crate::model::correspondent::{counted_key, failures_key, mailbox_key};
pub use crate::model::seeks::seeks_key;
pub use crate::model::tournament::{tournament_key, tournament_list_key};
pub use crate::model::user::user_key;
pub use ladder::WorldLadder;
use new_numbers::NewNumbers;

use crate::base::ids::BoardId;
use crate::base::time::Time;
use crate::model::caches::DocumentCaches;
use crate::model::document::{AnyDocumentCache, Damage, DocumentCache};
use crate::model::export::{DataSubject, Export};
use crate::model::user::{self, RatedUser, User};
use crate::model::user_index;
use crate::model::world::event::Event;
use crate::store::{
    DocumentChange, DocumentVersion, Fault, IndexUpdates, Key, Register, Store, StoredDocument,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The loaded documents and their changes.
#[derive(Debug, Default)]
pub struct World {
    pub(super) caches: DocumentCaches,
    /// The wakeups of documents that did not change themselves.
    wakeups: BTreeMap<Key, Time>,
    /// The changed boards, and whether all their changes are secret.
    secret: BTreeMap<BoardId, bool>,
    /// The boards that ended, or were the first of their games, and are not yet listed as such.
    unlisted: Vec<UnlistedBoard>,
    /// The numbers of new boards by game, since the changes were taken.
    new_numbers: HashMap<&'static str, NewNumbers>,
    /// The users to add to registers, such as that of the rated users of a game.
    registered: BTreeSet<(Register, String)>,
    /// The standings of a game, as last loaded.
    standings: HashMap<&'static str, Vec<RatedUser>>,
    /// The documents that commands have read since the changes were taken.
    read_set: ReadSet,
}

/// A board that the list of the finished boards of its game may lack.
#[derive(Clone, Copy, Debug)]
pub struct UnlistedBoard {
    /// The board.
    pub board: BoardId,
    /// Whether it is the first of its game, with which the list begins.
    pub is_first: bool,
}

/// The documents that commands have read.
#[derive(Debug, Default)]
struct ReadSet {
    keys: HashSet<Key>,
    /// Whether a command has listed the documents of a kind.
    is_list: bool,
}

/// The reason why a document is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingDocument {
    /// The board does not exist.
    NoBoard(BoardId),
    /// The board's document is damaged.
    DamagedBoard(BoardId),
    /// The document of a game's open challenges is damaged.
    DamagedSeeks(&'static str),
    /// Another document is damaged.
    Damaged,
}

impl World {
    /// Loads documents that are not loaded yet, and with a board its players. Returns a line for
    /// each damaged document.
    ///
    /// # Errors
    /// The store failed.
    pub fn load(&mut self, keys: &[Key], store: &dyn Store) -> Result<Vec<String>, Fault> {
        let mut damaged = Vec::new();
        self.read_set.keys.extend(keys.iter().cloned());
        let mut lacking = keys.to_vec();
        lacking.retain(|key| self.caches.all().all(|cache| cache.version(key).is_none()));
        if lacking.len() > 1 {
            store.prefetch(&lacking)?;
        }
        let mut needs = Vec::new();
        for key in keys {
            for cache in self.caches.all_mut() {
                needs.extend(cache.load(key, store, &mut damaged)?);
            }
        }
        if !needs.is_empty() {
            damaged.extend(self.load(&needs, store)?);
        }
        Ok(damaged)
    }

    /// Loads the standings of these users in a game without keeping their documents. Returns a line
    /// for each damaged document.
    ///
    /// # Errors
    /// The store failed.
    pub fn load_standings(
        &mut self,
        game: &'static str,
        users: Vec<String>,
        store: &dyn Store,
    ) -> Result<Vec<String>, Fault> {
        self.read_set.is_list = true;
        let mut damaged = Vec::new();
        let mut found = Vec::with_capacity(users.len());
        let loaded = self.caches.users.iter();
        let known: HashMap<String, &User> = loaded.map(|user| (user.id.folded(), user)).collect();
        // Users with a new first rating are not in the register yet.
        let rated = Register::Rated(game);
        let new = self.registered.iter().filter(|(of, _)| *of == rated);
        let new = new.map(|(_, user)| user.clone());
        for user in users.into_iter().chain(new).collect::<BTreeSet<_>>() {
            let loaded = known.get(&user);
            let key = Key::In(user::COLLECTION, user);
            let seen = match loaded {
                Some(user) if user.left.is_some() => continue,
                Some(user) => {
                    let active = user.active.iter().filter(|board| board.game == game).count();
                    let standing = user.ratings.get(game).copied();
                    let id = user.id.clone();
                    Ok(standing.map(|standing| RatedUser { user: id, standing, active }))
                }
                None => match store.load(&key) {
                    Ok(StoredDocument { text: Some(text), .. }) => User::rated(&text, game),
                    Ok(StoredDocument { text: None, .. }) => continue,
                    Err(fault) if fault.is_damage() => {
                        Err(Damage::Unreadable(fault.source.to_string()))
                    }
                    Err(fault) => return Err(fault),
                },
            };
            match seen {
                Ok(rated) => found.extend(rated),
                Err(damage) => damaged.push(format!("{key} cannot be read: {damage}")),
            }
        }
        self.standings.insert(game, found);
        Ok(damaged)
    }

    /// Returns the number of loaded documents.
    pub fn len(&self) -> usize {
        self.caches.len()
    }

    /// Returns whether no document is loaded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the keys of the index entries that an event may change; they must be loaded before
    /// it is applied.
    pub fn index_entries_for(&self, event: &Event) -> Vec<Key> {
        match event {
            Event::SignedUp { user, .. } => user_index::entries_of(user),
            Event::User(user, event) => {
                let Some(new) = event.new_addresses() else { return Vec::new() };
                let mut keys =
                    self.caches.users.get(user).map(user_index::entries_of).unwrap_or_default();
                keys.extend(new.iter().map(user_index::mailbox_entry));
                keys
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether a loaded document is damaged.
    pub fn is_damaged(&self, key: &Key) -> bool {
        self.caches.all().any(|cache| cache.is_damaged(key))
    }

    /// Returns a damaged document without which these events cannot be kept.
    pub fn first_damaged(&self, events: &[Event]) -> Option<Key> {
        events.iter().filter_map(Event::required).find(|key| self.is_damaged(key))
    }

    /// Returns a user as the subject of an export or erasure.
    pub(super) fn subject(&self, user: &User) -> DataSubject {
        let boards = self.caches.boards.iter();
        let seats = boards.filter_map(|board| Some((board.id, board.seat(&user.id)?))).collect();
        DataSubject { user: user.clone(), seats }
    }

    /// Returns all data of a user. All documents with their data must be loaded.
    pub fn export(&self, user: &User) -> Export {
        let (subject, mut export) = (self.subject(user), Export::default());
        self.caches.all().for_each(|cache| cache.export(&subject, &mut export));
        // Even a user without boards has a list of them.
        export.add_documents("boards", None);
        export
    }

    /// Sets the wakeup of a document that does not change itself.
    pub fn set_wakeup(&mut self, key: Key, at: Time) {
        self.wakeups.insert(key, at);
    }

    /// Returns the wakeup of a loaded document; `None` for a board, whose clock says it.
    pub fn wakeup(&self, key: &Key) -> Option<Time> {
        self.caches.all().find_map(|cache| cache.wakeup(key))
    }

    /// Takes the updates for the store's indexes. Call it before [`Self::take_changes`].
    pub fn take_index_updates(&mut self, now: Time) -> IndexUpdates {
        let changed = self.caches.boards.changed();
        let mut wakeups: BTreeMap<Key, Time> =
            changed.map(|board| (board_key(board.id), self.board_wakeup(board, now))).collect();
        wakeups.extend(self.caches.all_mut().flat_map(AnyDocumentCache::take_wakeups));
        wakeups.extend(std::mem::take(&mut self.wakeups));
        let mut updates = IndexUpdates {
            registered: std::mem::take(&mut self.registered).into_iter().collect(),
            ..IndexUpdates::default()
        };
        for (key, at) in wakeups {
            updates.add_wakeup(&key, at, now);
        }
        updates
    }

    /// Records that a command has listed the documents of a kind.
    pub fn record_list_read(&mut self) {
        self.read_set.is_list = true;
    }

    /// Returns the keys of the documents that have changed since the changes were taken.
    pub fn changed(&self) -> Vec<Key> {
        self.caches.all().flat_map(AnyDocumentCache::changed).collect()
    }

    /// Returns the files of all documents read; `None` if a list of documents was read.
    pub fn files_read(&self) -> Option<Vec<String>> {
        let ReadSet { keys, is_list } = &self.read_set;
        (!is_list).then(|| keys.iter().filter_map(Key::file).collect())
    }

    /// Returns whether a command has read one of these documents or a list.
    pub fn has_read(&self, changed: &[Key]) -> bool {
        let ReadSet { keys, is_list } = &self.read_set;
        !changed.is_empty() && (*is_list || changed.iter().any(|key| keys.contains(key)))
    }

    /// Drops all boards if there are more than `most`. Their changes must have been taken.
    pub fn limit_boards(&mut self, most: usize) {
        if AnyDocumentCache::len(&self.caches.boards) > most {
            self.caches.boards = DocumentCache::default();
        }
    }

    /// Drops documents that another process has changed.
    pub fn forget_changed(&mut self, changes: &[DocumentChange]) {
        self.new_numbers.clear();
        for change in changes {
            self.caches.all_mut().for_each(|cache| cache.forget(&change.key));
        }
    }

    /// Returns the documents read since the changes were taken, with the versions as loaded. Call
    /// it before [`Self::take_changes`].
    pub fn read_versions(&self) -> Vec<(Key, DocumentVersion)> {
        let Self { caches, read_set, .. } = self;
        let read = |key: &Key| {
            let version = caches.all().find_map(|cache| cache.version(key))?;
            Some((key.clone(), version))
        };
        read_set.keys.iter().filter_map(read).collect()
    }

    /// Takes the keys of the boards whose changes only their player may learn of. Call it before
    /// [`Self::take_changes`].
    pub fn take_secret_changes(&mut self) -> Vec<Key> {
        let boards = std::mem::take(&mut self.secret).into_iter();
        boards.filter(|(_, is_secret)| *is_secret).map(|(id, _)| board_key(id)).collect()
    }

    /// Notes that a board changes, and whether only its player may learn of it.
    pub(in crate::model) fn note_change(&mut self, id: BoardId, is_secret: bool) {
        let all = self.secret.entry(id).or_insert(is_secret);
        *all = *all && is_secret;
    }

    /// Takes the changes since the documents were loaded.
    pub fn take_changes(&mut self) -> Vec<DocumentChange> {
        self.read_set = ReadSet::default();
        self.new_numbers.clear();
        let mut changes: Vec<DocumentChange> =
            self.caches.all_mut().flat_map(AnyDocumentCache::take_changes).collect();
        changes.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        changes
    }
}
