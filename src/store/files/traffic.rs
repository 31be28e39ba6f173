//! Counts executed mails by day, from the receipts in `seen/`.

use super::layout;
use crate::base::time::Month;
use crate::store::activity::TrafficCounter;
use crate::store::paths::{is_folder, names, read_or_empty};
use crate::store::{Fault, Traffic};
use std::path::Path;

/// Returns the number of mails that a home executed on each day.
pub(super) fn count_by_day(home: &Path) -> Result<Traffic, Fault> {
    let mut counter = TrafficCounter::default();
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
                count(&read_or_empty(&file)?, &mut counter);
            }
        }
    }
    Ok(counter.traffic())
}

/// Counts the receipts of a file.
fn count(file: &[u8], counter: &mut TrafficCounter) {
    for receipt in file.split(|byte| *byte == b'\n') {
        if let Some((at, is_unnamed)) = layout::executed_at(receipt) {
            counter.add(at, is_unnamed, 1);
        }
    }
}
