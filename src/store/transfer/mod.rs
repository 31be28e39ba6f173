//! Copying a whole home: from one way of keeping it to another, and into and out of backups.
//!
//! The contents of a home are a stream of `Item`s. A `CopySource` returns them part by part, a
//! `CopyTarget` takes them in batches, each with the position so far, so that an interrupted copy
//! continues. Files and a database are both; `compare` compares the contents of two sources.
//!
//! | file | contains |
//! |---|---|
//! | `item` | the values, and checksums over them |
//! | `files_source`, `files_target` | a home in files, read and written |
//! | `move_home`, `move_note` | moving a home, step by step |
//! | `database_backup` | backups of a home in a database |
//!
//! A copy leaves out what only one store needs (spare files, workers, the log), and what stays in
//! the folder of a home wherever it is kept: drafts, and mails that have just arrived.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

mod database_backup;
mod files_source;
mod files_target;
mod item;
mod move_home;
pub(super) mod move_note;

pub use database_backup::{copy_for_backup, restore_into_database};
pub(super) use item::Item;
use item::PartChecksum;
pub use move_home::{CopyProgress, HomeMove, HomeStorage, MoveRoute};
pub use move_note::MoveNote;

use super::Fault;
use std::io;
use std::path::Path;

/// The contents of a home by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HomePart {
    Keys,
    Documents,
    Receipts,
    Sent,
    Wakeups,
    Registers,
    Mails,
    Parked,
    Letters,
}

/// The parts in the order of copying.
pub(super) const PARTS: [HomePart; 9] = [
    HomePart::Keys,
    HomePart::Documents,
    HomePart::Receipts,
    HomePart::Sent,
    HomePart::Wakeups,
    HomePart::Registers,
    HomePart::Mails,
    HomePart::Parked,
    HomePart::Letters,
];

impl HomePart {
    /// Returns its name for the operator.
    fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Documents => "documents",
            Self::Receipts => "receipts",
            Self::Sent => "counts of mails sent",
            Self::Wakeups => "times of boards",
            Self::Registers => "entries of registers",
            Self::Mails => "waiting mails",
            Self::Parked => "mails put aside",
            Self::Letters => "letters",
        }
    }
}

/// The position of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CopyPosition {
    /// The index in [`PARTS`].
    pub(super) part: usize,
    /// The name that the source gives to the last copied value of the part; empty at its start.
    pub(super) after: String,
}

impl CopyPosition {
    /// Writes the position as text.
    pub(super) fn text(&self) -> String {
        format!("{} {}", self.part, self.after)
    }

    /// Parses a [`text`](Self::text); an empty text is the start.
    pub(super) fn parse(text: &str) -> Self {
        let (part, after) = text.split_once(' ').unwrap_or_default();
        part.parse().map_or_else(|_| Self::default(), |part| Self { part, after: after.to_owned() })
    }
}

/// Some values of a part.
#[derive(Debug, Default)]
pub(super) struct ItemBatch {
    pub(super) items: Vec<Item>,
    /// The name that the source gives to the last of them.
    pub(super) after: String,
}

/// The batches of a part, in the order of their source.
pub(super) type ItemBatches<'a> = Box<dyn Iterator<Item = Result<ItemBatch, Fault>> + 'a>;

/// A home to copy from. Nobody changes it meanwhile.
pub(super) trait CopySource {
    /// Returns the values of a part behind the last copied one.
    fn walk(&self, part: HomePart, after: &str) -> Result<ItemBatches<'_>, Fault>;

    /// Returns roughly the number of values.
    fn count(&self) -> Result<u64, Fault>;
}

/// A home to copy into.
pub(super) trait CopyTarget {
    /// Returns the position of an interrupted copy.
    fn position(&self) -> Result<CopyPosition, Fault>;

    /// Stores values of a part, and the position behind them. It may have some of them already.
    fn take(
        &mut self,
        part: HomePart,
        items: &[Item],
        position: &CopyPosition,
    ) -> Result<(), Fault>;
}

/// Copies what is not copied yet. `progress` receives the number of values of each batch.
pub(super) fn copy(
    from: &dyn CopySource,
    to: &mut dyn CopyTarget,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Fault> {
    let begin = to.position()?;
    for (at, part) in PARTS.into_iter().enumerate().skip(begin.part) {
        let after = if at == begin.part { &*begin.after } else { "" };
        for batch in from.walk(part, after)? {
            let ItemBatch { items, after } = batch?;
            to.take(part, &items, &CopyPosition { part: at, after })?;
            progress(items.len() as u64);
        }
    }
    Ok(())
}

/// Refuses two homes with different contents. `progress` receives the number of values compared.
pub(super) fn compare(
    one: &dyn CopySource,
    other: &dyn CopySource,
    place: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Fault> {
    let mut different = Vec::new();
    for part in PARTS {
        let here = checksum(one, part, progress)?;
        let there = checksum(other, part, &mut |_| ())?;
        if here != there {
            let name = part.name();
            different.push(if here.count == there.count {
                format!("some of {} {name}", here.count)
            } else {
                format!("{} {name}, {} there", here.count, there.count)
            });
        }
    }
    if different.is_empty() {
        return Ok(());
    }
    let why = format!("it differs from what was copied: {}", different.join("; "));
    Err(Fault::because("cannot use", place, io::ErrorKind::Other, &why))
}

fn checksum(
    of: &dyn CopySource,
    part: HomePart,
    progress: &mut dyn FnMut(u64),
) -> Result<PartChecksum, Fault> {
    let mut checksum = PartChecksum::default();
    for batch in of.walk(part, "")? {
        let batch = batch?;
        batch.items.iter().for_each(|item| checksum.add(item));
        progress(batch.items.len() as u64);
    }
    Ok(checksum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_back() {
        for after in ["", "boards/malaka/0/17.json", "malaka 17"] {
            let position = CopyPosition { part: 4, after: after.to_owned() };
            assert_eq!(CopyPosition::parse(&position.text()), position);
        }
        assert_eq!(CopyPosition::parse(""), CopyPosition::default());
    }
}
