//! How many mails and forms were executed on each day, as far as receipts tell.

use super::{Fault, is_folder, known, layout, names};
use crate::base::time::{Day, Month};
use std::collections::BTreeMap;
use std::path::Path;

/// The number of mails executed on each day.
pub type Traffic = BTreeMap<Day, u64>;

/// The sum of halves of mails.
pub(super) fn halved(halves: BTreeMap<Day, u64>) -> Traffic {
    halves.into_iter().map(|(day, count)| (day, count.div_ceil(2))).collect()
}

/// The traffic that the receipts of a home in files tell.
pub(super) fn count_by_day(home: &Path) -> Result<Traffic, Fault> {
    let mut found = BTreeMap::new();
    let seen = home.join("seen");
    for month in names(&seen)?.into_iter().filter(|name| Month::parse(name).is_some()) {
        let month = seen.join(month);
        for name in names(&month)? {
            let path = month.join(name);
            let files = if is_folder(&path)? {
                names(&path)?.into_iter().map(|name| path.join(name)).collect()
            } else {
                vec![path]
            };
            for file in files {
                count(&known::read(&file)?, &mut found);
            }
        }
    }
    Ok(halved(found))
}

/// How many halves of a mail a receipt is: one under a Message-ID has another one under its content.
pub(super) const fn halves(is_unnamed: bool) -> u64 {
    if is_unnamed { 2 } else { 1 }
}

/// Counts the receipts of a file.
fn count(file: &[u8], found: &mut BTreeMap<Day, u64>) {
    for receipt in file.split(|byte| *byte == b'\n') {
        if let Some((at, is_unnamed)) = layout::executed_at(receipt) {
            *found.entry(at.day()).or_default() += halves(is_unnamed);
        }
    }
}
