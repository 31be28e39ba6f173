//! What was mailed to somebody who may never have asked for it, so that it is little.

use crate::board::Damage;
use crate::message::Address;
use crate::store::digest;
use crate::world::DAY;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

/// The newest format this program writes and reads.
const FORMAT: u32 = 1;

/// When words were mailed to a mailbox, Unix seconds, for a day. Whose it is does not stand here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mailbox {
    format: u32,
    asked: Vec<i64>,
    /// When users signed up from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signups: Vec<i64>,
}

impl Default for Mailbox {
    fn default() -> Self {
        Self { format: FORMAT, asked: Vec::new(), signups: Vec::new() }
    }
}

impl Mailbox {
    /// By what a mailbox is known: one name for `ann@host`, `Ann@host` and `ann+tag@host`.
    pub fn name(address: &Address) -> String {
        let mailbox = format!("{}@{}", address.mailbox(), address.domain()).to_ascii_lowercase();
        HEXLOWER.encode(&digest(mailbox.as_bytes())[..16])
    }

    /// How many words were mailed to it within a day.
    pub fn recent(&self, now: i64) -> usize {
        self.asked.iter().filter(|at| **at > now - DAY).count()
    }

    /// Counts one more.
    pub fn count(&mut self, at: i64) {
        self.asked.retain(|old| *old > at - DAY);
        self.asked.push(at);
    }

    /// How many users signed up from there within a day.
    pub fn signups(&self, now: i64) -> usize {
        self.signups.iter().filter(|at| **at > now - DAY).count()
    }

    /// Counts one more who signed up.
    pub fn count_signup(&mut self, at: i64) {
        self.signups.retain(|old| *old > at - DAY);
        self.signups.push(at);
    }

    /// Reads a count.
    ///
    /// # Errors
    /// The text is none of this version.
    pub fn read(text: &str) -> Result<Self, Damage> {
        let mailbox: Self =
            serde_json::from_str(text).map_err(|error| Damage(error.to_string()))?;
        if mailbox.format > FORMAT {
            return Err(Damage(format!("format {} is newer than this program", mailbox.format)));
        }
        Ok(mailbox)
    }

    /// The count as the file has it.
    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("a count has only numbers") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_capitals_make_no_second_mailbox() {
        let name = |text: &str| Mailbox::name(&Address::parse(text).unwrap());
        assert_eq!(name("ann@host.org"), name("Ann+1@HOST.org"));
        assert_ne!(name("ann@host.org"), name("anne@host.org"));
        assert!(!name("ann@host.org").contains("ann"));
    }

    #[test]
    fn a_day_later_nothing_counts() {
        let mut mailbox = Mailbox::default();
        mailbox.count(1000);
        mailbox.count(1001);
        assert_eq!((mailbox.recent(1001), mailbox.recent(1000 + DAY)), (2, 1));
        mailbox.count(1001 + DAY);
        assert_eq!(Mailbox::read(&mailbox.write()).unwrap().asked, [1001 + DAY]);
        assert_eq!(mailbox.signups(1001 + DAY), 0);
        mailbox.count_signup(1000);
        mailbox.count_signup(1001);
        assert_eq!([1001, 1000 + DAY, 1001 + DAY].map(|now| mailbox.signups(now)), [2, 1, 0]);
        mailbox.count_signup(1001 + DAY);
        assert_eq!(Mailbox::read(&mailbox.write()).unwrap().signups, [1001 + DAY]);
    }
}
