//! All contents of a home, as a stream of values, so that it can be copied from one store to
//! another and both can be compared. Things that only one store needs (spare files, its workers,
//! the log) are not among them; nor are things that stay in the folder of a home wherever it is
//! kept: texts that an operator edits, and mails that have just come.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store owns files")]

mod files_source;
mod files_target;
mod item;
mod move_home;
pub(super) mod move_note;

pub(super) use files_source::FilesSource;
pub(super) use files_target::FilesTarget;
pub(super) use item::{Item, PartChecksum};
pub use move_home::{CopyProgress, HomeMove, HomeStorage, backed_up, restored};
pub use move_note::MoveNote;

use super::Fault;
use std::io;
use std::path::Path;

/// The contents of a home, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HomePart {
    Keys,
    Documents,
    Receipts,
    Sent,
    Looks,
    Registers,
    Mails,
    Aside,
    Letters,
}

/// In the order in which they are copied.
pub(super) const PARTS: [HomePart; 9] = [
    HomePart::Keys,
    HomePart::Documents,
    HomePart::Receipts,
    HomePart::Sent,
    HomePart::Looks,
    HomePart::Registers,
    HomePart::Mails,
    HomePart::Aside,
    HomePart::Letters,
];

impl HomePart {
    /// Its name for the operator.
    fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Documents => "documents",
            Self::Receipts => "receipts",
            Self::Sent => "counts of mails sent",
            Self::Looks => "times of boards",
            Self::Registers => "entries of registers",
            Self::Mails => "waiting mails",
            Self::Aside => "mails put aside",
            Self::Letters => "letters",
        }
    }
}

/// How far a copy has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CopyPosition {
    /// Which of [`PARTS`].
    pub(super) part: usize,
    /// The last value of it that was copied, as its source calls that; empty at its beginning.
    pub(super) after: String,
}

impl CopyPosition {
    /// As it is kept.
    pub(super) fn text(&self) -> String {
        format!("{} {}", self.part, self.after)
    }

    /// Reads a [`text`](Self::text); the beginning if it says nothing.
    pub(super) fn parse(text: &str) -> Self {
        let (part, after) = text.split_once(' ').unwrap_or_default();
        part.parse().map_or_else(|_| Self::default(), |part| Self { part, after: after.to_owned() })
    }
}

/// Some of a part.
#[derive(Debug, Default)]
pub(super) struct ItemBatch {
    pub(super) items: Vec<Item>,
    /// The name of the last of them in its source.
    pub(super) after: String,
}

/// Batches of a part, in the order of their source.
pub(super) type ItemBatches<'a> = Box<dyn Iterator<Item = Result<ItemBatch, Fault>> + 'a>;

/// Where a home is copied from. Nobody changes it meanwhile.
pub(super) trait CopySource {
    /// The values that it has of a part, behind the last one that was copied.
    fn walk(&self, part: HomePart, after: &str) -> Result<ItemBatches<'_>, Fault>;

    /// About how many values it has.
    fn count(&self) -> Result<u64, Fault>;
}

/// Where a home is copied to.
pub(super) trait CopyTarget {
    /// How far a copy has come that was broken off.
    fn position(&self) -> Result<CopyPosition, Fault>;

    /// Keeps some of a part, and how far that is. It may have some of it already.
    fn take(
        &mut self,
        part: HomePart,
        items: &[Item],
        position: &CopyPosition,
    ) -> Result<(), Fault>;
}

/// Copies what is not copied yet. `tell` hears how many values more there are.
pub(super) fn copy(
    from: &dyn CopySource,
    to: &mut dyn CopyTarget,
    tell: &mut dyn FnMut(u64),
) -> Result<(), Fault> {
    let begun = to.position()?;
    for (at, part) in PARTS.into_iter().enumerate().skip(begun.part) {
        let after = if at == begun.part { &*begun.after } else { "" };
        for batch in from.walk(part, after)? {
            let ItemBatch { items, after } = batch?;
            to.take(part, &items, &CopyPosition { part: at, after })?;
            tell(items.len() as u64);
        }
    }
    Ok(())
}

/// Refuses two homes that do not hold the same. `tell` hears how many values more were looked at.
pub(super) fn compare(
    (one, other): (&dyn CopySource, &dyn CopySource),
    place: &Path,
    tell: &mut dyn FnMut(u64),
) -> Result<(), Fault> {
    let mut different = Vec::new();
    for part in PARTS {
        let here = tally(one, part, tell)?;
        let there = tally(other, part, &mut |_| ())?;
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
    let why = format!("it is not what was copied: {}", different.join("; "));
    Err(Fault::because("cannot use", place, io::ErrorKind::Other, &why))
}

fn tally(
    of: &dyn CopySource,
    part: HomePart,
    tell: &mut dyn FnMut(u64),
) -> Result<PartChecksum, Fault> {
    let mut tally = PartChecksum::default();
    for batch in of.walk(part, "")? {
        let batch = batch?;
        batch.items.iter().for_each(|item| tally.add(item));
        tell(batch.items.len() as u64);
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_a_copy_has_come_is_read_back() {
        for after in ["", "boards/malaka/0/17.json", "malaka 17"] {
            let position = CopyPosition { part: 4, after: after.to_owned() };
            assert_eq!(CopyPosition::parse(&position.text()), position);
        }
        assert_eq!(CopyPosition::parse(""), CopyPosition::default());
    }
}
