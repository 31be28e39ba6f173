//! Backups: a home as one compressed tar archive, and a home restored from one.
//!
//! | file | contains |
//! |---|---|
//! | `contents` | which files of a home belong into a backup |
//! | `archive` | writing a backup |
//! | `bucket` | sending it to an S3-compatible store |
//! | `backup_owner` | the mark of the home to which a folder or bucket of backups belongs |
//! | `manifest` | what the last whole backup contains, so that later ones contain only changes |
//! | `nightly_name` | the names of nightly backups, which tell which belong together |
//! | `encryption` | encrypting it to the operator's public keys |
//! | `unpack` | reading one, which may be forged |
//! | [`restore`] | a new home beside the old one, and the swap of both |
//!
//! The first entry names the format, the last one counts the files, so that a truncated backup is
//! noticed. A backup of changes also names its whole backup, with a digest, and the files that are gone. A
//! backup shows one moment of the home, read under its shared lock; a mail that arrives meanwhile may or may
//! not be in it. A restore changes nothing of the home until one rename replaces all of it.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

mod archive;
mod backup_owner;
mod bucket;
pub(super) mod contents;
mod encryption;
mod manifest;
mod nightly_name;
pub mod restore;
mod unpack;

pub use archive::{BackupSummary, save, save_changes, save_listed, send};
pub use backup_owner::BackupOwner;
pub use bucket::{BackupBucket, BucketAddress, StoredBackup};
pub use encryption::{BackupKey, decrypted};
pub use manifest::{Manifest, WholeBackup};
pub use nightly_name::NightlyName;
