//! The holder of the lock that a process waits for, as Linux tells it in `/proc/locks`.

#![expect(clippy::disallowed_methods, reason = "the machine is asked")]

use std::fs;
use std::sync::{Once, OnceLock};

/// What this process does when it waits for a lock for the first time.
static WAITS: OnceLock<fn()> = OnceLock::new();

/// Says what this process does when it waits for a lock for the first time. Most commands never
/// wait.
pub fn when_it_waits(tell: fn()) {
    let _ = WAITS.set(tell);
}

/// This process is about to wait for a lock.
pub(super) fn report_waiting() {
    static ONCE: Once = Once::new();
    if let Some(tell) = WAITS.get() {
        ONCE.call_once(tell);
    }
}

/// The process that holds up the one with that number: `123 (flock)`. None where it does not wait,
/// or the machine does not tell.
pub fn lock_holder(waiting: u32) -> Option<String> {
    let locks = fs::read_to_string("/proc/locks").ok()?;
    named(holder(&locks, waiting)?)
}

/// A process with its name.
pub(super) fn named(process: u32) -> Option<String> {
    let name = fs::read_to_string(format!("/proc/{process}/comm")).ok()?;
    let name: String = name.trim().chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    Some(format!("{process} ({name})"))
}

/// The number of the process before which another one waits. Lines are
/// `7: FLOCK  ADVISORY  WRITE 123 08:02:99 0 EOF`, and of one that waits `7: -> FLOCK ...`.
fn holder(locks: &str, waiting: u32) -> Option<u32> {
    let lines = || locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let number = lines().find_map(|line| match line[..] {
        [number, "->", "FLOCK", _, _, process, ..] if process.parse() == Ok(waiting) => {
            Some(number.to_owned())
        }
        _ => None,
    })?;
    lines().find_map(|line| match line[..] {
        [first, "FLOCK", _, _, process, ..] if first == number => process.parse().ok(),
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
        assert_eq!(holder(locks, 33), Some(22));
        assert_eq!(holder(locks, 44), Some(22));
        assert_eq!(holder(locks, 22), None);
        assert_eq!(holder("", 1), None);
    }
}
