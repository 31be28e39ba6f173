//! Which process holds a lock, read from `/proc/locks` of Linux.
//!
//! A line is `7: FLOCK  ADVISORY  WRITE 123 08:02:99 0 EOF`: number, type, mode, process, and
//! device and inode of the file. A waiting process has the number of the lock it waits for:
//! `7: -> FLOCK  ADVISORY  WRITE 124 08:02:99 0 EOF`.

use crate::store::platform::{kernel_locks, process_name};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Once, OnceLock};

/// The callback of [`on_first_wait`].
static ON_WAIT: OnceLock<fn()> = OnceLock::new();

/// Sets what this process does when it waits for a lock for the first time. Most commands never
/// wait.
pub fn on_first_wait(report: fn()) {
    let _ = ON_WAIT.set(report);
}

/// Reports, once per process, that it is about to wait for a lock.
pub(in crate::store) fn report_waiting() {
    static ONCE: Once = Once::new();
    if let Some(report) = ON_WAIT.get() {
        ONCE.call_once(report);
    }
}

/// Returns the process that a waiting process waits for, as `123 (flock)`; `None` if it does not
/// wait, or the system has no `/proc/locks`.
pub fn lock_holder(waiting: u32) -> Option<String> {
    with_name(blocker(&kernel_locks()?, waiting)?)
}

/// Returns the process that has locked a home exclusively, as `123 (postboard)`.
pub fn home_lock_holder(home: &Path) -> Option<String> {
    let inode = fs::metadata(home.join("lock")).ok()?.ino();
    with_name(writer(&kernel_locks()?, inode)?)
}

/// Returns `123 (name)` for a process.
fn with_name(process: u32) -> Option<String> {
    let name = process_name(process)?;
    let name: String = name.trim().chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    Some(format!("{process} ({name})"))
}

fn lines(locks: &str) -> impl Iterator<Item = Vec<&str>> {
    locks.lines().map(|line| line.split_whitespace().collect())
}

/// Finds the process that holds the lock a waiting process waits for.
fn blocker(locks: &str, waiting: u32) -> Option<u32> {
    let number = lines(locks).find_map(|line| match line[..] {
        [number, "->", "FLOCK", _, _, process, ..] if process.parse() == Ok(waiting) => {
            Some(number.to_owned())
        }
        _ => None,
    })?;
    lines(locks).find_map(|line| match line[..] {
        [first, "FLOCK", _, _, process, ..] if first == number => process.parse().ok(),
        _ => None,
    })
}

/// Finds the process that has locked the file with an inode exclusively.
fn writer(locks: &str, inode: u64) -> Option<u32> {
    lines(locks).find_map(|line| match line[..] {
        [_, "FLOCK", _, "WRITE", process, file, ..] => {
            let (_, number) = file.rsplit_once(':')?;
            (number.parse() == Ok(inode)).then(|| process.parse().ok())?
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_the_one_with_the_same_number() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 08:02:99 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 22 08:02:99 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 33 08:02:99 0 EOF\n\
                     2: -> FLOCK  ADVISORY  READ  44 08:02:99 0 EOF\n";
        assert_eq!(blocker(locks, 33), Some(22));
        assert_eq!(blocker(locks, 44), Some(22));
        assert_eq!(blocker(locks, 22), None);
        assert_eq!(blocker("", 1), None);
    }

    #[test]
    fn the_exclusive_holder_of_a_file_is_found_by_its_inode() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 08:02:99 0 EOF\n\
                     2: FLOCK  ADVISORY  READ  22 08:02:98 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 33 08:02:99 0 EOF\n\
                     3: -> FLOCK  ADVISORY  WRITE 44 08:02:97 0 EOF\n";
        assert_eq!([99, 98, 97].map(|inode| writer(locks, inode)), [Some(33), None, None]);
    }
}
