//! Calls of the operating system that exist on Linux only, each with its substitute elsewhere.
//!
//! Linux is the supported system. On another Unix the program builds and runs for developers:
//! everything written is made durable at a greater cost, replaced files are not kept for reuse, and
//! nobody is told which process holds a lock.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the store uses files")]

pub(super) use imp::{exchange_names, kernel_locks, process_name, sync_file_system};

#[cfg(target_os = "linux")]
mod imp {
    use rustix::fs::{CWD, RenameFlags, renameat_with, syncfs};
    use rustix::io::{Errno, retry_on_intr};
    use std::fs::{self, File};
    use std::io;
    use std::path::Path;

    /// Forces everything written to the file system of `folder` to the disk.
    pub(in crate::store) fn sync_file_system(folder: &File) -> io::Result<()> {
        Ok(retry_on_intr(|| syncfs(folder))?)
    }

    /// Swaps the names of two files in one step. Returns `false`, with nothing changed, if there is no
    /// second file or the file system cannot do it.
    pub(in crate::store) fn exchange_names(one: &Path, other: &Path) -> io::Result<bool> {
        match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the table of file locks, `/proc/locks`.
    pub(in crate::store) fn kernel_locks() -> Option<String> {
        fs::read_to_string("/proc/locks").ok()
    }

    /// Returns the command name of a process.
    pub(in crate::store) fn process_name(process: u32) -> Option<String> {
        fs::read_to_string(format!("/proc/{process}/comm")).ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    /// Forces everything written to any file system to the disk.
    pub(in crate::store) fn sync_file_system(_folder: &File) -> io::Result<()> {
        rustix::fs::sync();
        Ok(())
    }

    /// Returns `false`: names are not swapped.
    pub(in crate::store) fn exchange_names(_one: &Path, _other: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Returns `None`: there is no table of file locks.
    pub(in crate::store) fn kernel_locks() -> Option<String> {
        None
    }

    /// Returns `None`: there is no `/proc`.
    pub(in crate::store) fn process_name(_process: u32) -> Option<String> {
        None
    }
}
