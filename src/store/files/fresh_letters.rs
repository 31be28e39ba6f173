//! Letters that are durable and that nobody can claim yet, offered to a sender in the same process.
//!
//! A commit is durable long before its documents and letters are in place, and a sender need not wait for
//! the latter. It takes letters under the lock of the outbox. They are offered only while this process has
//! the home locked, so nobody has claimed them before, and nobody can until the sender is done.

use crate::store::Letter;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// The most letters and bytes of a commit that are offered. More are read from the outbox.
const MAX_LETTERS: usize = 16;
const MAX_BYTES: usize = 64 * 1024;

/// The offers of a home, since it was locked.
#[derive(Default)]
struct Offers {
    letters: VecDeque<Letter>,
    /// The files in which all letters that were offered will be in the outbox.
    files: Vec<String>,
}

/// An offered letter.
pub(in crate::store) struct FreshLetter {
    pub(in crate::store) letter: Letter,
    /// The files in which this letter, and others that were offered, will be in the outbox. All other files
    /// are older.
    pub(in crate::store) files: Vec<String>,
}

static OFFERS: LazyLock<Mutex<HashMap<PathBuf, Offers>>> = LazyLock::new(Mutex::default);

fn offers() -> MutexGuard<'static, HashMap<PathBuf, Offers>> {
    OFFERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Offers the letters of a commit, which will be in a file of the outbox, if they are few. Returns whether
/// they are.
pub(super) fn offer(home: &Path, letters: &[Letter], file: String) -> bool {
    let bytes: usize = letters.iter().map(|letter| letter.bytes.len()).sum();
    if letters.len() > MAX_LETTERS || bytes > MAX_BYTES {
        return false;
    }
    let mut offers = offers();
    let of_home = offers.entry(home.to_owned()).or_default();
    of_home.letters.extend(letters.iter().cloned());
    of_home.files.push(file);
    true
}

/// Takes the letter that was offered first.
pub(in crate::store) fn take(home: &Path) -> Option<FreshLetter> {
    let mut offers = offers();
    let of_home = offers.get_mut(home)?;
    Some(FreshLetter { letter: of_home.letters.pop_front()?, files: of_home.files.clone() })
}

/// Ends all offers of a home, before others may claim its letters.
pub(super) fn withdraw(home: &Path) {
    offers().remove(home);
}
