//! The free space of a disk.

use crate::store::Fault;
use rustix::fs::statvfs;
use std::path::Path;

/// The free space of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// Free bytes.
    pub bytes: u64,
    /// Free inodes.
    pub files: u64,
}

/// Returns the free space of the disk that holds a path.
///
/// # Errors
/// The file system does not answer.
pub fn free_space(path: &Path) -> Result<DiskSpace, Fault> {
    let disk = statvfs(path).map_err(|error| Fault::at("cannot read", path)(error.into()))?;
    // Some file systems do not count inodes.
    let files = if disk.f_files == 0 { u64::MAX } else { disk.f_favail };
    Ok(DiskSpace { bytes: disk.f_bavail.saturating_mul(disk.f_frsize), files })
}
