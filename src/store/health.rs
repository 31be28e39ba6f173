//! The state of a home's machine, for the operator: room on its disk, the holder of its lock, and
//! leftovers of a restore.

#![expect(clippy::disallowed_methods, reason = "the machine is asked")]

use super::{Fault, beside};
use rustix::fs::statvfs;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The room on a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    /// Bytes.
    pub bytes: u64,
    /// Files.
    pub files: u64,
}

/// The room on the disk of a home.
///
/// # Errors
/// The machine does not tell.
pub fn room(home: &Path) -> Result<DiskSpace, Fault> {
    let disk = statvfs(home).map_err(|error| Fault::at("cannot read", home)(error.into()))?;
    // Some kinds of disk do not count files.
    let files = if disk.f_files == 0 { u64::MAX } else { disk.f_favail };
    Ok(DiskSpace { bytes: disk.f_bavail.saturating_mul(disk.f_frsize), files })
}

/// The process that has locked a home for itself, if one has now: `123 (postboard)`.
pub fn holder(home: &Path) -> Option<String> {
    let file = fs::metadata(home.join("lock")).ok()?.ino();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    super::holdup::named(writer(&locks, file)?)
}

/// The process that has a file locked for itself. Lines are `7: FLOCK  ADVISORY  WRITE 123
/// 08:02:99 0 EOF`, with the number of the file after the second colon.
fn writer(locks: &str, file: u64) -> Option<u32> {
    locks.lines().find_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [_, "FLOCK", _, "WRITE", process, place, ..] => {
            let (_, number) = place.rsplit_once(':')?;
            (number.parse() == Ok(file)).then(|| process.parse().ok())?
        }
        _ => None,
    })
}

/// The leftovers of a broken-off restore beside a home.
pub fn half_restored(home: &Path) -> Option<PathBuf> {
    let place = beside(&fs::canonicalize(home).unwrap_or_else(|_| home.to_owned()), "restoring");
    place.symlink_metadata().is_ok().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_file_locked_for_itself_is_read_from_the_list() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 08:02:99 0 EOF\n\
                     2: FLOCK  ADVISORY  READ  22 08:02:98 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 33 08:02:99 0 EOF\n\
                     3: -> FLOCK  ADVISORY  WRITE 44 08:02:97 0 EOF\n";
        assert_eq!([99, 98, 97].map(|file| writer(locks, file)), [Some(33), None, None]);
    }
}
