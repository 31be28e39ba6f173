//! Disks that stop or fail at a step.

use postboard::store::disk::{Disk, DiskHook};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

// Error numbers of Linux (errno(3)).
pub(crate) const EINTR: i32 = 4;
pub(crate) const EIO: i32 = 5;
pub(crate) const EMFILE: i32 = 24;
pub(crate) const ENOSPC: i32 = 28;
pub(crate) const EROFS: i32 = 30;
pub(crate) const EDQUOT: i32 = 122;

/// The disturbance of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The process ends: neither this step nor any later step happens.
    Stop,
    /// This step alone fails with this error number.
    Once(i32),
    /// This step and all later steps until the next run fail with this error number.
    From(i32),
}

impl Trouble {
    /// Returns the result of a step if the step `at` is disturbed.
    pub(crate) fn result(self, step: usize, at: usize) -> io::Result<()> {
        match self {
            Self::Stop if step >= at => Err(io::Error::other("the end")),
            Self::Once(error) if step == at => Err(io::Error::from_raw_os_error(error)),
            Self::From(error) if step >= at => Err(io::Error::from_raw_os_error(error)),
            _ => Ok(()),
        }
    }
}

/// Returns a disk that is disturbed at a step, and the counter of its steps.
pub(crate) fn troubled(at: usize, trouble: Trouble) -> (Disk, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let steps = Arc::clone(&count);
    let watch: DiskHook =
        Arc::new(move |_| trouble.result(steps.fetch_add(1, Ordering::SeqCst), at));
    (Disk::watched(watch), count)
}
