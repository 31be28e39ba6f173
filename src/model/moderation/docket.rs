//! The docket: one small document with the open reports, the administrators, and the end of the
//! log of acts.

use crate::base::ids::UserId;
use crate::base::key::{Collection, Place};
use crate::model::document::{Damage, Document, DocumentFormat, Removal, pretty_json, rename_in};
use crate::model::export::{DataSubject, Export};
use crate::model::user::User;
use crate::store::Key;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The collection with the docket.
const COLLECTION: Collection = Collection::new("moderation");

/// The name of the only document there.
const NAME: &str = "docket";

/// The newest format that this program reads and writes.
const FORMAT: u32 = 1;

/// The docket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Docket {
    format: DocumentFormat<FORMAT>,
    /// The number of the latest report.
    pub reports: u32,
    /// The numbers of the reports that are not settled, oldest first.
    pub open: Vec<u32>,
    /// The users who may settle reports and impose sanctions on the web.
    pub administrators: Vec<UserId>,
    /// The number of entries in the log of acts.
    pub entries: u32,
    /// The digest in the last entry, [`NO_CHAIN`](super::NO_CHAIN) if there is none.
    pub chain: String,
}

impl Docket {
    /// Makes a user an administrator, or none any more.
    pub fn appoint(&mut self, user: &UserId, wanted: bool) {
        self.administrators.retain(|known| known != user);
        self.administrators.extend(wanted.then(|| user.clone()));
    }

    /// Returns whether a user is an administrator.
    pub fn is_administrator(&self, user: &UserId) -> bool {
        self.administrators.contains(user)
    }
}

/// Returns the key of the docket.
pub fn docket_key() -> Key {
    Key::In(COLLECTION, NAME.to_owned())
}

impl Document for Docket {
    type Id = ();

    const KIND: &'static str = "moderation";
    const PLACE: Place = Place::In(COLLECTION);
    const FORMAT: Option<u32> = Some(FORMAT);

    fn key((): &()) -> Key {
        docket_key()
    }

    fn id_of(key: &Key) -> Option<()> {
        (*key == docket_key()).then_some(())
    }

    fn from_text((): &(), text: &str) -> Result<Self, Damage> {
        let docket: Self = serde_json::from_str(text).map_err(Damage::from_json)?;
        docket.format.check()?;
        if !docket.open.is_sorted() || docket.open.last().is_some_and(|last| *last > docket.reports)
        {
            return Err(Damage::invalid("the open reports are not in order"));
        }
        Ok(docket)
    }

    fn to_text(&self) -> String {
        pretty_json(self)
    }

    fn keys_of(_: &User) -> Vec<Key> {
        vec![docket_key()]
    }

    fn rename(&mut self, (): &(), old: &UserId, new: &UserId) -> bool {
        rename_in(&mut self.administrators, old, new)
    }

    fn remove_user(&mut self, (): &(), subject: &DataSubject, _: Removal) -> bool {
        let before = self.administrators.len();
        self.administrators.retain(|user| *user != subject.user.id);
        self.administrators.len() < before
    }

    fn export(&self, (): &(), subject: &DataSubject, export: &mut Export) {
        if self.is_administrator(&subject.user.id) {
            export.set("administrator", json!(true));
        }
    }

    fn absent((): &()) -> Option<Self> {
        Some(Self::default())
    }
}
