//! Compares the wakeups of documents with the index of wakeups.

use crate::base::time::{Time, TimeSlot};
use crate::model::caches::DOCUMENT_TYPES;
use crate::store::{Fault, IndexUpdates, Indexes, Key, Register, Store};
use std::collections::HashMap;

/// The first slot of time under which each document is listed, by its file.
pub(super) struct KnownWakeups(HashMap<String, TimeSlot>);

impl KnownWakeups {
    /// Reads the whole index.
    pub(super) fn read(indexes: &dyn Indexes) -> Result<Self, Fault> {
        let mut known = HashMap::new();
        for slot in indexes.due_slots()? {
            for file in indexes.registered(Register::Due(slot))? {
                known.entry(file).or_insert(slot);
            }
        }
        Ok(Self(known))
    }

    /// Returns whether a document would be looked at too late. One that is overdue may be listed up
    /// to now.
    pub(super) fn is_late(&self, key: &Key, wakeup: Time, now: Time) -> bool {
        let slot = key.file().and_then(|file| self.0.get(&file).copied());
        slot.is_none_or(|slot| slot.start() > wakeup.max(now))
    }
}

/// Returns the wakeups that the index lacks, such as those of a home of an earlier version, which
/// listed none. Reads all documents but boards; damaged ones are for `check`.
///
/// # Errors
/// The machine failed.
pub fn missing_wakeups(store: &dyn Store, now: Time) -> Result<IndexUpdates, Fault> {
    let (known, mut missing) = (KnownWakeups::read(store)?, IndexUpdates::default());
    for kind in DOCUMENT_TYPES.iter().filter(|kind| kind.has_wakeups()) {
        for key in kind.keys(store)? {
            let text = store.load_lossy(&key)?.text;
            let wakeup = text.and_then(|text| kind.check(&key, &text).ok()).flatten();
            if let Some(at) = wakeup.filter(|at| known.is_late(&key, *at, now)) {
                missing.add_wakeup(&key, at, now);
            }
        }
    }
    Ok(missing)
}
