//! Indexes of users: the users at an address, and those whose userids look alike.
//!
//! An entry is a hint: its reader looks into the user's own document, which is the truth. So a name
//! too many does no harm. The document of an address is known by a digest, as that of a mailbox is:
//! its name does not say whose it is.

use crate::base::ids::{UserId, look};
use crate::base::key::Collection;
use crate::mail::Address;
use crate::model::correspondent::Correspondent;
use crate::model::document::{Damage, Document, check_format};
use crate::model::user::User;
use crate::store::Key;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The newest format this program writes and reads.
pub const FORMAT: u32 = 1;

/// Where the index lies: behind `at-` or `id-`.
pub const DRAWER: Collection = Collection::new("names").after(3);

/// Users of a home of an older program whose index is made as soon as it is needed.
pub const MOST_UNASKED: usize = 2_000;

/// Users that an address or a look leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameIndex {
    format: u32,
    users: Vec<UserId>,
}

impl Default for NameIndex {
    fn default() -> Self {
        Self { format: FORMAT, users: Vec::new() }
    }
}

impl NameIndex {
    /// The users, in the order in which they came.
    pub fn users(&self) -> &[UserId] {
        &self.users
    }

    /// Adds a user, who may be there already under another spelling.
    pub fn add(&mut self, user: &UserId) {
        self.remove(user);
        self.users.push(user.clone());
    }

    /// Takes a user out.
    pub fn remove(&mut self, user: &UserId) {
        self.users.retain(|known| known != user);
    }

    /// Reads an entry.
    ///
    /// # Errors
    /// The text is not of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let names: Self = serde_json::from_str(text).map_err(Damage::of_json)?;
        check_format(names.format, FORMAT)?;
        Ok(names)
    }

    /// The entry as the file has it.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("an entry has only plain values") + "\n"
    }
}

impl Document for NameIndex {
    type Id = String;

    fn key(entry: &String) -> Key {
        Key::In(DRAWER, entry.clone())
    }

    fn named(key: &Key) -> Option<String> {
        match key {
            Key::In(DRAWER, entry) => Some(entry.clone()),
            _ => None,
        }
    }

    fn find(file: &str) -> Option<Key> {
        DRAWER.find(file)
    }

    fn from_text(_: &String, text: &str) -> Result<Self, Damage> {
        Self::read(text)
    }

    fn to_text(&self) -> String {
        self.write()
    }
}

/// The entry of the users at a mailbox.
pub fn at_mailbox(address: &Address) -> Key {
    Key::In(DRAWER, format!("at-{}", Correspondent::name(address)))
}

/// The entry of the userids that look like this one.
pub fn alike(user: &UserId) -> Key {
    Key::In(DRAWER, format!("id-{}", look(user)))
}

/// The entry that is there once every user of the home is in the index.
pub fn whole() -> Key {
    Key::In(DRAWER, "whole".into())
}

/// Every entry that has a user in it.
pub fn index_keys(user: &User) -> Vec<Key> {
    let mut keys = vec![alike(&user.id)];
    for address in &user.addresses {
        let key = at_mailbox(address);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// The whole index of these users.
pub fn all<'a>(users: impl Iterator<Item = &'a User>) -> BTreeMap<Key, NameIndex> {
    let mut index: BTreeMap<Key, NameIndex> = BTreeMap::new();
    for user in users {
        for key in index_keys(user) {
            index.entry(key).or_default().add(&user.id);
        }
    }
    index.insert(whole(), NameIndex::default());
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Time;

    #[test]
    fn a_user_stands_under_each_mailbox_once_and_under_the_look_of_the_userid() {
        let address = |text: &str| Address::parse(text).unwrap();
        let addresses =
            vec![address("ann@host.org"), address("Ann+tag@HOST.org"), address("b@host.org")];
        let ann = User::new(UserId::parse("Ann").unwrap(), String::new(), addresses, Time::EPOCH);
        assert_eq!(index_keys(&ann).len(), 3);
        let index = all([&ann].into_iter());
        assert_eq!(
            index[&at_mailbox(&address("ANN@host.org"))].users(),
            std::slice::from_ref(&ann.id)
        );
        assert_eq!(
            index[&alike(&UserId::parse("ANN").unwrap())].users(),
            std::slice::from_ref(&ann.id)
        );
        assert!(index.contains_key(&whole()));
        let text = index[&alike(&ann.id)].write();
        assert_eq!(NameIndex::read(&text).unwrap(), index[&alike(&ann.id)]);
        assert!(NameIndex::read("{\"format\":2,\"users\":[]}").is_err());
    }
}
