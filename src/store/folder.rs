//! A folder that is a home, or will be one.

use super::disk::Disk;
use serde::de::IgnoredAny;
use std::path::{Path, PathBuf};

/// Whether the file of that name, below the home, may hold that text: what the documents mean is
/// known above the store.
pub type DocumentValidator = fn(&str, &str) -> bool;

/// Where a home is, on which disk, and the judge of what others wrote into its files.
#[derive(Clone, Debug)]
pub struct FileHome {
    pub(super) path: PathBuf,
    pub(super) disk: Disk,
    pub(super) judge: DocumentValidator,
}

impl FileHome {
    /// That folder. Any JSON is taken for a document of it.
    pub fn new(path: &Path) -> Self {
        let judge: DocumentValidator = |_, text| serde_json::from_str::<IgnoredAny>(text).is_ok();
        Self { path: path.to_owned(), disk: Disk::default(), judge }
    }

    /// The same on a watched disk.
    #[must_use]
    pub fn with_disk(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }

    /// The same, with a judge who understands its documents.
    #[must_use]
    pub fn with_validator(mut self, judge: DocumentValidator) -> Self {
        self.judge = judge;
        self
    }
}
