//! The documents that commands work on, as a value. Only [`World::apply`] changes it.

pub mod event;
mod follow;
mod lookup;

pub use crate::model::board::board_key;
pub use crate::model::correspondent::{counted_key, failures_key, mailbox_key};
pub use crate::model::count::count_key;
pub use crate::model::seeks::seeks_key;
pub use crate::model::user::user_key;

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::model::caches::DocumentCaches;
use crate::model::count::BoardCount;
use crate::model::document::{AnyDocumentCache, Damage, Document, DocumentCache};
use crate::model::names;
use crate::model::rating::Standing;
use crate::model::user::{self, User};
use crate::model::world::event::Event;
use crate::store::{
    DocumentChange, DocumentVersion, Fault, IndexUpdates, Key, Register, Store, StoredDocument,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The documents loaded so far and what became of them.
#[derive(Debug, Default)]
pub struct World {
    pub(super) caches: DocumentCaches,
    /// When boards have to be looked at again whose documents did not change.
    wakeups: BTreeMap<BoardId, Time>,
    /// Users who have got their first rating in a game.
    registered: BTreeSet<(Register, String)>,
    /// The standings of the users in a game, as they were last looked up.
    standings: HashMap<&'static str, Vec<(UserId, Standing, usize)>>,
    /// The documents that were asked for since the changes were taken.
    looked_at: ReadSet,
}

/// The documents that commands have asked for.
#[derive(Debug, Default)]
struct ReadSet {
    keys: HashSet<Key>,
    /// Whether one has asked which documents there are.
    is_list: bool,
}

/// Why there is no document to work with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingDocument {
    /// There is no such board.
    NoBoard(BoardId),
    /// The board's document is damaged.
    DamagedBoard(BoardId),
    /// The document of the open challenges to a game is damaged.
    DamagedSeeks(&'static str),
    /// Another document is damaged.
    Damaged,
}

impl World {
    /// Loads documents that are not here yet, and with a board its players.
    /// Returns a line for each document that cannot be understood.
    ///
    /// # Errors
    /// The machine failed.
    pub fn gather(&mut self, keys: &[Key], store: &dyn Store) -> Result<Vec<String>, Fault> {
        let mut damaged = Vec::new();
        self.looked_at.keys.extend(keys.iter().cloned());
        let mut lacking = keys.to_vec();
        lacking.retain(|key| self.caches.all().all(|cache| cache.version(key).is_none()));
        if lacking.len() > 1 {
            store.prefetch(&lacking)?;
        }
        let mut needs = Vec::new();
        for key in keys {
            for cache in self.caches.all() {
                needs.extend(cache.load(key, store, &mut damaged)?);
            }
        }
        if !needs.is_empty() {
            damaged.extend(self.gather(&needs, store)?);
        }
        for game in keys.iter().filter_map(BoardCount::named) {
            damaged.extend(self.gather_next(game, store)?);
        }
        Ok(damaged)
    }

    /// Looks whether the next board of a game exists: a count that was lost or lowered must not
    /// lead to one that does.
    fn gather_next(&mut self, game: &'static str, store: &dyn Store) -> Result<Vec<String>, Fault> {
        let Some(number) = self.number_after(game) else { return Ok(Vec::new()) };
        let id = BoardId { game, number };
        let mut damaged = self.gather(&[board_key(id)], store)?;
        if !self.caches.boards.is_absent(&id) {
            damaged.push(format!("the count of {game} boards is wrong: {id} exists"));
        }
        Ok(damaged)
    }

    /// Looks up the standings of these users in a game, without keeping their documents.
    /// Returns a line for each document that cannot be understood.
    ///
    /// # Errors
    /// The machine failed.
    pub fn look_up(
        &mut self,
        game: &'static str,
        users: Vec<String>,
        store: &dyn Store,
    ) -> Result<Vec<String>, Fault> {
        self.looked_at.is_list = true;
        let mut damaged = Vec::new();
        let mut found = Vec::with_capacity(users.len());
        let loaded = self.caches.users.iter();
        let known: HashMap<String, &User> = loaded.map(|user| (user.id.folded(), user)).collect();
        // A user who just got their first rating is not in the index yet.
        let rated = Register::Rated(game);
        let new = self.registered.iter().filter(|(of, _)| *of == rated);
        let new = new.map(|(_, user)| user.clone());
        for user in users.into_iter().chain(new).collect::<BTreeSet<_>>() {
            let loaded = known.get(&user);
            let key = Key::In(user::DRAWER, user);
            let seen = match loaded {
                Some(user) if user.left.is_some() => continue,
                Some(user) => {
                    let active = user.active.iter().filter(|board| board.game == game).count();
                    Ok((user.id.clone(), user.ratings.get(game).copied(), active))
                }
                None => match store.load(&key) {
                    Ok(StoredDocument { text: Some(text), .. }) => User::glimpse(&text, game),
                    Ok(StoredDocument { text: None, .. }) => continue,
                    Err(fault) if fault.is_damage() => {
                        Err(Damage::Unreadable(fault.source.to_string()))
                    }
                    Err(fault) => return Err(fault),
                },
            };
            match seen {
                Ok((id, Some(standing), active)) => found.push((id, standing, active)),
                Ok((_, None, _)) => {}
                Err(damage) => damaged.push(format!("{key} cannot be read: {damage}")),
            }
        }
        self.standings.insert(game, found);
        Ok(damaged)
    }

    /// How many documents are here.
    pub fn len(&self) -> usize {
        self.caches.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of the index of users that an event may change: to be loaded before it.
    pub fn entries(&self, event: &Event) -> Vec<Key> {
        match event {
            Event::SignedUp { user, .. } => names::index_keys(user),
            Event::User(user, event) => {
                let Some(new) = event.new_addresses() else { return Vec::new() };
                let mut keys =
                    self.caches.users.get(user).map(names::index_keys).unwrap_or_default();
                keys.extend(new.iter().map(names::at_mailbox));
                keys
            }
            _ => Vec::new(),
        }
    }

    /// Says when a board has to be looked at again that does not change.
    pub fn look(&mut self, id: BoardId, at: Time) {
        self.wakeups.insert(id, at);
    }

    /// The changes for the store's indexes; ask before the changes themselves are taken.
    pub fn take_index_updates(&mut self, now: Time) -> IndexUpdates {
        let changed = self.caches.boards.changed();
        let mut wakeups: BTreeMap<BoardId, Time> =
            changed.map(|board| (board.id, self.clock(board, now).wakeup())).collect();
        wakeups.extend(std::mem::take(&mut self.wakeups));
        let registered = std::mem::take(&mut self.registered).into_iter().collect();
        let wakeups = wakeups.into_iter().collect();
        IndexUpdates { wakeups, registered, ..IndexUpdates::default() }
    }

    /// Notes that a command has asked which documents there are.
    pub fn ask_for_list(&mut self) {
        self.looked_at.is_list = true;
    }

    /// The documents that have changed since the changes were taken.
    pub fn changed(&mut self) -> Vec<Key> {
        self.caches.all().flat_map(|cache| cache.changed()).collect()
    }

    /// The files of all documents that were asked for; none if a list of all of a kind was.
    pub fn files_looked_at(&self) -> Option<Vec<String>> {
        let ReadSet { keys, is_list } = &self.looked_at;
        (!is_list).then(|| keys.iter().filter_map(Key::file).collect())
    }

    /// Whether a command has asked for one of those documents since then, or for a list of all.
    pub fn has_looked_at(&self, changed: &[Key]) -> bool {
        let ReadSet { keys, is_list } = &self.looked_at;
        !changed.is_empty() && (*is_list || changed.iter().any(|key| keys.contains(key)))
    }

    /// Forgets all boards if there are more than that. Their changes were taken.
    pub fn keep_boards(&mut self, most: usize) {
        if AnyDocumentCache::len(&self.caches.boards) > most {
            self.caches.boards = DocumentCache::default();
        }
    }

    /// Forgets documents that another process has changed.
    pub fn outdate(&mut self, changes: &[DocumentChange]) {
        for change in changes {
            self.caches.all().for_each(|cache| cache.forget(&change.key));
        }
    }

    /// The documents that were asked for since the changes were taken, as they were loaded; before
    /// those are taken.
    pub fn reads(&mut self) -> Vec<(Key, DocumentVersion)> {
        let Self { caches, looked_at, .. } = self;
        let read = |key: &Key| {
            let version = caches.all().find_map(|cache| cache.version(key))?;
            Some((key.clone(), version))
        };
        looked_at.keys.iter().filter_map(read).collect()
    }

    /// The changes since the documents were loaded; they are then forgotten.
    pub fn take_changes(&mut self) -> Vec<DocumentChange> {
        self.looked_at = ReadSet::default();
        let mut changes: Vec<DocumentChange> =
            self.caches.all().flat_map(AnyDocumentCache::take_changes).collect();
        changes.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        changes
    }
}
