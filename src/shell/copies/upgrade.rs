//! `upgrade`: brings a home up to this version, and checks that nothing in it is newer.

use crate::base::progress::Progress;
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::model::caches::DOCUMENT_TYPES;
use crate::server::check::{RatingUpgrade, list_finished, missing_wakeups, upgrade_ratings};
use crate::shell::home::{locate, read, with_retries};
use crate::shell::output::printable::short_text;
use crate::shell::setup::init;
use crate::shell::{CommandError, Exit, Machine, settings};
use crate::store::{
    self, Fault, FileStore, Home, IndexUpdates, Key, OpenHome, StoredDocument, Transaction,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// How many documents of later versions are named.
const NAMED: usize = 20;

/// The beginning of every document.
#[derive(Deserialize)]
struct FormatHeader {
    format: u32,
}

/// The number of documents of each kind and format, and what prevents the upgrade.
#[derive(Default)]
struct FormatCounts {
    formats: BTreeMap<(&'static str, u32), usize>,
    /// Documents without a format.
    damaged: Vec<String>,
    /// Documents of unknown, later formats.
    newer: Vec<String>,
}

/// Brings a home up to this version.
pub(crate) fn run(home: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    let config = settings::load(home)?;
    if config.store.is_some() {
        init::open_database(home, config, machine)?;
    } else {
        // Opening it refuses a later format.
        let opened = locate(home)?.open()?;
        FileStore::write_missing_format(home)?;
        opened.close()?;
        writeln!(machine.out, "home       format {}", store::format(home)?)?;
    }
    let bar = machine.screen.bar("documents");
    let found = FormatCounts::count(&*read(home)?, &bar)?;
    drop(bar);
    for ((kind, format), count) in &found.formats {
        writeln!(machine.out, "{kind:<10} format {format}: {count}")?;
    }
    for name in &found.damaged {
        writeln!(machine.out, "{name} has no format: run `postboard check`")?;
    }
    for name in found.newer.iter().take(NAMED) {
        writeln!(machine.out, "{name} was written by a later version")?;
    }
    if !found.newer.is_empty() {
        let count = Plural(found.newer.len(), "document");
        writeln!(
            machine.out,
            "{count} cannot be used by this version: install the later one again, or restore a backup \
             that is older than it"
        )?;
        return Ok(Exit::Refused);
    }
    if !found.damaged.is_empty() {
        return Ok(Exit::Refused);
    }
    bring_lists_up_to_date(home, machine)?;
    if !bring_ratings_up_to_date(home, machine)? {
        return Ok(Exit::Refused);
    }
    writeln!(machine.out, "all documents are of this version")?;
    Ok(Exit::Done)
}

/// Makes the lists that an earlier version did not have: the wakeups of documents, and the finished
/// boards of games. Returns the number of the boards.
pub(super) fn make_missing_lists(
    home: &dyn Home,
    now: Time,
    progress: &dyn Progress,
) -> Result<usize, Fault> {
    let mut store = home.open()?;
    let index_updates = missing_wakeups(&*store, now)?;
    if index_updates != IndexUpdates::default() {
        store.commit(Transaction { index_updates, at: now, ..Transaction::default() })?;
    }
    let count = list_finished(&mut *store, now, progress)?;
    store.close()?;
    Ok(count)
}

/// Makes the lists that are missing, and tells how many finished boards they have.
fn bring_lists_up_to_date(home: &Path, machine: &mut Machine) -> Result<(), CommandError> {
    let (now, bar) = ((machine.clock)(), machine.screen.bar("boards"));
    let count = with_retries(|| Ok(make_missing_lists(&*locate(home)?, now, &bar)?))?;
    drop(bar);
    if count > 0 {
        writeln!(machine.out, "finished   listed anew: {}", Plural(count, "board"))?;
    }
    Ok(())
}

/// Computes ratings that an earlier version computed by other rules. Returns whether it could.
fn bring_ratings_up_to_date(home: &Path, machine: &mut Machine) -> Result<bool, CommandError> {
    let (now, bar) = ((machine.clock)(), machine.screen.bar("ratings"));
    let RatingUpgrade { boards, users, wrong } = with_retries(|| {
        let mut opened = locate(home)?.open()?;
        let upgrade = upgrade_ratings(&mut *opened, now, &bar)?;
        opened.close()?;
        Ok(upgrade)
    })?;
    drop(bar);
    for line in wrong.iter().take(NAMED) {
        writeln!(machine.out, "{}", short_text(line))?;
    }
    if !wrong.is_empty() {
        writeln!(
            machine.out,
            "the ratings are as they were: repair this first, and run `postboard upgrade` again"
        )?;
        return Ok(false);
    }
    if boards + users > 0 {
        let (boards, users) = (Plural(boards, "board"), Plural(users, "user"));
        writeln!(machine.out, "ratings    computed anew: {boards}, {users}")?;
    }
    Ok(true)
}

impl FormatCounts {
    fn count(
        store: &dyn OpenHome,
        bar: &crate::shell::output::progress::Bar,
    ) -> Result<Self, CommandError> {
        let mut found = Self::default();
        for kind in DOCUMENT_TYPES {
            let Some(known) = kind.format() else { continue };
            let keys = kind.keys(store)?;
            bar.expects(keys.len());
            for key in keys {
                bar.advances(1);
                found.add(kind.name(), known, &key, store)?;
            }
        }
        Ok(found)
    }

    fn add(
        &mut self,
        kind: &'static str,
        known: u32,
        key: &Key,
        store: &dyn OpenHome,
    ) -> Result<(), CommandError> {
        let text = match store.load(key) {
            // Games need not have every document.
            Ok(StoredDocument { text: None, .. }) => return Ok(()),
            Ok(StoredDocument { text: Some(text), .. }) => text,
            Err(fault) if fault.is_damage() => String::new(),
            Err(fault) => return Err(fault.into()),
        };
        match serde_json::from_str::<FormatHeader>(&text) {
            Ok(FormatHeader { format }) => {
                *self.formats.entry((kind, format)).or_default() += 1;
                if format > known {
                    self.newer.push(short_text(&format!("{key} (format {format})")));
                }
            }
            Err(_) => self.damaged.push(short_text(&key.to_string())),
        }
        Ok(())
    }
}
