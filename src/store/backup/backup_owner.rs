//! The mark of the home to which the nightly backups of a folder or bucket belong. Nothing else tells the backups of two
//! homes apart, since their names have only dates, and encrypted ones cannot be read.

use super::bucket::BackupBucket;
use crate::base::digest::Digest;
use crate::store::{Fault, operator_files};
use std::io;
use std::path::Path;

/// How the name of every mark begins.
const PREFIX: &str = "postboard-home-";

/// The home that makes backups, known by its key: machines that share a home in a database are one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupOwner {
    /// The name of its mark, an empty file. Only the name counts, so that a key that may list a bucket is enough.
    mark: String,
}

impl BackupOwner {
    /// Returns the home with this key. Its digest gives nothing of the key away.
    pub fn of_key(key: &[u8; 32]) -> Self {
        let digest = Digest::of_all([b"the backups of the home with the key ", &key[..]]);
        Self { mark: format!("{PREFIX}{}", digest.short()) }
    }

    /// Marks the folder, unless it is marked.
    ///
    /// # Errors
    /// It belongs to another home, or cannot be read or written.
    pub fn claim_folder(&self, folder: &Path) -> Result<(), Fault> {
        if self.has(&operator_files::names(folder)?, folder)? {
            return Ok(());
        }
        operator_files::write(&folder.join(&self.mark), "")
    }

    /// Marks the bucket, unless it is marked, with the mark of the folder, which is marked already.
    ///
    /// # Errors
    /// It belongs to another home, or the store does not answer, or refuses.
    pub fn claim_bucket(&self, bucket: &BackupBucket, folder: &Path) -> Result<(), Fault> {
        if self.has(&bucket.names()?, bucket.shown())? {
            return Ok(());
        }
        bucket.put(&folder.join(&self.mark), &self.mark)
    }

    /// Returns whether this mark is among the files of a place.
    ///
    /// # Errors
    /// The mark of another home is there.
    fn has(&self, names: &[String], place: &Path) -> Result<bool, Fault> {
        let mut marks = names.iter().filter(|name| name.starts_with(PREFIX));
        let Some(other) = marks.find(|mark| **mark != self.mark) else {
            return Ok(names.contains(&self.mark));
        };
        let why = format!(
            "{other} there says that its backups are another home's: name a `folder` or `bucket` of its own \
             under `[backup]` in postboard.toml; or remove that file, if the key of this home was replaced"
        );
        Err(Fault::because("cannot back up to", place, io::ErrorKind::AlreadyExists, &why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_belongs_to_the_home_that_marked_it_first() {
        let dir = tempfile::tempdir().unwrap();
        let [one, same, other] = [[7; 32], [7; 32], [8; 32]].map(|key| BackupOwner::of_key(&key));
        for owner in [&one, &same] {
            owner.claim_folder(dir.path()).unwrap();
        }
        let marks = operator_files::names(dir.path()).unwrap();
        assert_eq!(marks, std::slice::from_ref(&one.mark));
        let refused = other.claim_folder(dir.path()).unwrap_err().to_string();
        for word in
            [&*one.mark, "another home's", "a `folder` or `bucket` of its own", "remove that file"]
        {
            assert!(refused.contains(word) && !refused.contains('\n'), "{word}: {refused}");
        }
        assert_eq!(operator_files::names(dir.path()).unwrap(), marks);
        operator_files::remove(&dir.path().join(&one.mark)).unwrap();
        other.claim_folder(dir.path()).unwrap();
        assert!(one.claim_folder(dir.path()).is_err());
    }
}
