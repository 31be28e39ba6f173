//! The index of users: by address, and by the look of a userid.
//!
//! An entry is a hint. Its readers check the user's own document, so a superfluous userid does no
//! harm. The entry of an address is named by a digest, as that of a mailbox is, so its name does
//! not reveal the address.

use crate::base::ids::{UserId, look};
use crate::base::key::{Collection, Place};
use crate::mail::Address;
use crate::model::correspondent::Correspondent;
use crate::model::document::{Damage, Document, DocumentFormat, Removal, compact_json};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The collection of index entries, whose names begin with `at-` or `id-`.
pub const COLLECTION: Collection = Collection::at_top("names").after(3);

/// The beginning of the entries named by a look.
const LOOK: &str = "id-";

/// The most users of an older home whose index is built on demand.
pub const MOST_AUTO_INDEXED: usize = 2_000;

/// The users of an address or a look.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserIndexEntry {
    format: DocumentFormat<FORMAT>,
    users: Vec<UserId>,
}

impl UserIndexEntry {
    /// Returns the users in the order in which they were added.
    pub fn users(&self) -> &[UserId] {
        &self.users
    }

    /// Adds a user, replacing another spelling of the userid.
    pub fn add(&mut self, user: &UserId) {
        self.remove(user);
        self.users.push(user.clone());
    }

    /// Removes a user.
    pub fn remove(&mut self, user: &UserId) {
        self.users.retain(|known| known != user);
    }

    /// Reads an entry.
    ///
    /// # Errors
    /// The text is damaged or of a newer format.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let names: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        names.format.check()?;
        Ok(names)
    }
}

impl Document for UserIndexEntry {
    type Id = String;

    const KIND: &'static str = "names";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key(entry: &String) -> Key {
        Key::In(COLLECTION, entry.clone())
    }

    fn id_of(key: &Key) -> Option<String> {
        match key {
            Key::In(COLLECTION, entry) => Some(entry.clone()),
            _ => None,
        }
    }

    fn from_text(_: &String, text: &str) -> Result<Self, Damage> {
        Self::read(text)
    }

    fn to_text(&self) -> String {
        compact_json(self)
    }

    /// Entries say nothing that the user's own document does not say.
    fn keys_of(_: &User) -> Vec<Key> {
        Vec::new()
    }

    /// Makes an address lead to the new userid. The look of the old userid stays taken.
    fn rename(&mut self, entry: &String, old: &UserId, new: &UserId) -> bool {
        let is_renamed = !entry.starts_with(LOOK) && self.users.contains(old);
        if is_renamed {
            self.remove(old);
            self.add(new);
        }
        is_renamed
    }

    fn remove_user(&mut self, _: &String, _: &DataSubject, _: Removal) -> bool {
        false
    }

    fn export(&self, _: &String, _: &DataSubject, _: &mut Export) {}
}

/// Returns the key of the users at a mailbox.
pub fn mailbox_entry(address: &Address) -> Key {
    Key::In(COLLECTION, format!("at-{}", Correspondent::mailbox_name(address)))
}

/// Returns the key of the userids that look like this one.
pub fn look_entry(user: &UserId) -> Key {
    Key::In(COLLECTION, format!("{LOOK}{}", look(user)))
}

/// Returns the key of the mark that the index contains all users of the home.
pub fn complete_mark() -> Key {
    Key::In(COLLECTION, "whole".into())
}

/// Returns the keys of all entries that contain a user.
pub fn entries_of(user: &User) -> Vec<Key> {
    let mut keys = vec![look_entry(&user.id)];
    for address in &user.addresses {
        let key = mailbox_entry(address);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// Builds the whole index of these users.
pub fn build<'a>(users: impl Iterator<Item = &'a User>) -> BTreeMap<Key, UserIndexEntry> {
    let mut index: BTreeMap<Key, UserIndexEntry> = BTreeMap::new();
    for user in users {
        for key in entries_of(user) {
            index.entry(key).or_default().add(&user.id);
        }
    }
    index.insert(complete_mark(), UserIndexEntry::default());
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Time;

    #[test]
    fn a_user_has_an_entry_for_each_mailbox_and_one_for_the_look() {
        let address = |text: &str| Address::parse(text).unwrap();
        let addresses =
            vec![address("ann@host.org"), address("Ann+tag@HOST.org"), address("b@host.org")];
        let ann = User::new(UserId::parse("Ann").unwrap(), String::new(), addresses, Time::EPOCH);
        assert_eq!(entries_of(&ann).len(), 3);
        let index = build([&ann].into_iter());
        assert_eq!(
            index[&mailbox_entry(&address("ANN@host.org"))].users(),
            std::slice::from_ref(&ann.id)
        );
        assert_eq!(
            index[&look_entry(&UserId::parse("ANN").unwrap())].users(),
            std::slice::from_ref(&ann.id)
        );
        assert!(index.contains_key(&complete_mark()));
        let text = index[&look_entry(&ann.id)].to_text();
        assert_eq!(UserIndexEntry::read(&text).unwrap(), index[&look_entry(&ann.id)]);
        assert!(UserIndexEntry::read("{\"format\":2,\"users\":[]}").is_err());
    }
}
