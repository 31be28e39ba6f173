//! The [`Directory`] of a home: built at its first use, and from then on kept up to date by reading the
//! users who have changed. So a list costs the same however many users the home has.

use crate::base::time::{Span, Time, minutes};
use crate::model::directory::Directory;
use crate::model::user::{self, PublicUser, User};
use crate::store::{DocumentKind, Fault, Home, Key, ReadOnlyHome};
use crate::web::html::error_page::{PageError, PageResult};
use std::collections::HashSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of users that are read under one lock of the home.
const BATCH: usize = 500;

/// The limit on changed users that are read one by one. More cause the directory to be built again.
const MAX_CHANGED: usize = 2_000;

/// The shortest time between two builds. Changes may be missed when the list of changes is replaced; the
/// users concerned are a little old until then.
const REBUILD: Span = minutes(10);

/// How long a request waits while another one builds the directory.
const BUILD_TIMEOUT: Duration = Duration::from_secs(2);

/// The directory of a home, and what has changed since it was last read.
#[derive(Default)]
pub(super) struct SharedDirectory {
    state: Mutex<DirectoryState>,
    /// Signals that a build has ended.
    built: Condvar,
    changed: Mutex<ChangedUsers>,
}

#[derive(Default)]
struct DirectoryState {
    /// `None` before the first use.
    directory: Option<Directory>,
    is_building: bool,
    built_at: Time,
}

/// The users who have changed since the directory was last read.
#[derive(Default)]
struct ChangedUsers {
    keys: HashSet<Key>,
    /// Whether there are more than `keys`.
    has_more: bool,
}

/// Ends the build of a directory, also if it fails.
struct BuildGuard<'a>(&'a SharedDirectory);

impl Drop for BuildGuard<'_> {
    fn drop(&mut self) {
        self.0.state().is_building = false;
        self.0.built.notify_all();
    }
}

impl SharedDirectory {
    fn state(&self) -> MutexGuard<'_, DirectoryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> MutexGuard<'_, ChangedUsers> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes changed documents. An empty list means that any document may have changed.
    pub(super) fn note_changes(&self, documents: &[String]) {
        let mut changed = self.changed();
        changed.has_more |= documents.is_empty();
        changed.keys.extend(documents.iter().filter_map(|name| user::COLLECTION.find(name)));
        if changed.keys.len() > MAX_CHANGED {
            changed.keys.clear();
            changed.has_more = true;
        }
    }

    /// Brings the directory up to date and passes it to `read`. The caller must not have the home open.
    pub(super) fn with<T>(
        &self,
        home: &dyn Home,
        now: Time,
        read: impl FnOnce(&Directory) -> T,
    ) -> PageResult<T> {
        let is_building = |state: &mut DirectoryState| state.is_building;
        let (mut state, waited) = self
            .built
            .wait_timeout_while(self.state(), BUILD_TIMEOUT, is_building)
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Err(PageError::Busy);
        }
        let is_due = state.directory.is_none()
            || (now - state.built_at >= REBUILD && self.changed().has_more);
        if is_due {
            state.is_building = true;
            drop(state);
            let guard = BuildGuard(self);
            let directory = self.build(home, now).inspect_err(|_| {
                // The build began by forgetting which users had changed.
                self.changed().has_more = true;
            })?;
            state = self.state();
            (state.directory, state.built_at) = (Some(directory), now);
            drop(state);
            drop(guard);
            state = self.state();
        }
        let directory = state.directory.as_mut().ok_or(PageError::Busy)?;
        self.update(directory, home)?;
        directory.advance(now);
        Ok(read(directory))
    }

    /// Reads all users, without keeping others from writing for long.
    fn build(&self, home: &dyn Home, now: Time) -> Result<Directory, Fault> {
        // What changes from now on is read again.
        *self.changed() = ChangedUsers::default();
        let keys = home.read()?.keys(DocumentKind::In(user::COLLECTION))?;
        let mut users = Vec::with_capacity(keys.len());
        for keys in keys.chunks(BATCH) {
            let store = home.read()?;
            store.prefetch(keys)?;
            for key in keys {
                users.extend(public_user(key, &store)?);
            }
        }
        Ok(Directory::new(users, now))
    }

    /// Reads the users who have changed.
    fn update(&self, directory: &mut Directory, home: &dyn Home) -> Result<(), Fault> {
        let keys = std::mem::take(&mut self.changed().keys);
        if keys.is_empty() {
            return Ok(());
        }
        let keys: Vec<Key> = keys.into_iter().collect();
        let result = read_again(&keys, directory, home);
        if result.is_err() {
            self.changed().keys.extend(keys);
        }
        result
    }
}

/// Reads these users again.
fn read_again(keys: &[Key], directory: &mut Directory, home: &dyn Home) -> Result<(), Fault> {
    let store = home.read()?;
    store.prefetch(keys)?;
    for key in keys {
        let user = public_user(key, &store)?;
        if let Key::In(_, folded) = key {
            directory.update(folded, user);
        }
    }
    Ok(())
}

/// Reads what everybody may know of a user; `None` if they are not listed. `check` reports a damaged
/// document.
fn public_user(key: &Key, store: &ReadOnlyHome) -> Result<Option<PublicUser>, Fault> {
    match store.load(key) {
        Ok(stored) => {
            let user = stored.text.as_deref().map(User::public);
            Ok(user.and_then(Result::ok).flatten())
        }
        Err(fault) if fault.is_damage() => Ok(None),
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::UserId;
    use crate::model::directory::UserSort;
    use crate::model::user::user_key;
    use crate::store::{DocumentChange, FileHome, MemoryHome, Transaction};
    use std::path::Path;

    /// Writes a user who joined at a time; returns the name of the document.
    fn put(home: &MemoryHome, name: &str, joined: i64) -> String {
        let id = UserId::parse(name).unwrap();
        let key = user_key(&id);
        let mut store = home.open().unwrap();
        let was = store.load(&key).unwrap().version;
        let text = User::new(id, String::new(), Vec::new(), Time::from_unix(joined)).write();
        let changes = vec![DocumentChange { key: key.clone(), was, text }];
        store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
        key.file().unwrap()
    }

    /// Returns all users with the time when they joined.
    fn users(directory: &SharedDirectory, home: &MemoryHome, now: Time) -> Vec<(String, i64)> {
        let list = |directory: &Directory| {
            let all = directory.all(UserSort::Name);
            all.part(0, 99).map(|user| (user.id.to_string(), user.joined.unix())).collect()
        };
        directory.with(home, now, list).unwrap()
    }

    #[test]
    fn only_users_who_have_changed_are_read_again() {
        let (home, directory) = (MemoryHome::new(), SharedDirectory::default());
        put(&home, "alice", 1);
        put(&home, "bob", 1);
        let now = Time::from_unix(1_000);
        let seen = |now| users(&directory, &home, now);
        let all = |alice: i64, bob: i64| vec![("alice".to_owned(), alice), ("bob".to_owned(), bob)];
        assert_eq!(seen(now), all(1, 1));
        let alice = put(&home, "alice", 2);
        put(&home, "bob", 2);
        directory.note_changes(&[alice, "boards/malaka/0/1.json".into()]);
        assert_eq!(seen(now), all(2, 1));
        assert_eq!(seen(now + minutes(60)), all(2, 1));
    }

    #[test]
    fn missed_changes_are_read_after_a_while() {
        let (home, directory) = (MemoryHome::new(), SharedDirectory::default());
        put(&home, "alice", 1);
        let now = Time::from_unix(1_000);
        let seen = |now| users(&directory, &home, now)[0].1;
        assert_eq!(seen(now), 1);
        put(&home, "alice", 2);
        directory.note_changes(&[]);
        assert_eq!(seen(now + minutes(9)), 1);
        assert_eq!(seen(now + minutes(10)), 2);
        put(&home, "alice", 3);
        assert_eq!(seen(now + minutes(60)), 2, "nothing was missed since");
        let name = |n: usize| user_key(&UserId::parse(&format!("u{n}")).unwrap()).file().unwrap();
        let many: Vec<String> = (0..=MAX_CHANGED).map(name).collect();
        directory.note_changes(&many);
        assert_eq!(seen(now + minutes(60)), 3, "too many changes to read one by one");
    }

    #[test]
    fn a_build_that_fails_is_made_again() {
        let (home, directory) = (MemoryHome::new(), SharedDirectory::default());
        put(&home, "alice", 1);
        let now = Time::from_unix(1_000);
        assert_eq!(users(&directory, &home, now)[0].1, 1);
        put(&home, "alice", 2);
        directory.note_changes(&[]);
        let later = now + minutes(10);
        let missing = FileHome::new(Path::new("there/is/no/such/home"));
        assert!(directory.with(&missing, later, |_| ()).is_err());
        assert_eq!(users(&directory, &home, later)[0].1, 2);
    }
}
