//! How a thread waits for the lock of a file: in the system until it has the lock, or with tries, between
//! which it asks whether to go on.
//!
//! The main thread of `run` asks: it must show that it lives, and obey signals, while somebody else
//! has the home locked for as long as a backup takes.

use crate::store::fault::BrokenOff;
use std::cell::RefCell;
use std::fs::{File, TryLockError};
use std::io;
use std::marker::PhantomData;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

/// The pause after the first try; later ones are longer.
const MIN_PAUSE: Duration = Duration::from_millis(1);

/// The longest pause between two tries.
const MAX_PAUSE: Duration = Duration::from_millis(100);

thread_local! {
    /// How this thread waits, if its waits may be broken off.
    static WAIT: RefCell<Option<BreakableWait>> = const { RefCell::new(None) };
}

/// Makes the waits of this thread for locks ask `goes_on` again and again, until the result is
/// dropped. If it says no, the wait ends with a fault ([`Fault::is_broken_off`](crate::store::Fault::is_broken_off)).
pub fn break_off_waits(goes_on: impl Fn() -> bool + 'static) -> BreakableWaits {
    WAIT.set(Some(BreakableWait(Rc::new(goes_on))));
    BreakableWaits(PhantomData)
}

/// The effect of [`break_off_waits`], which ends when this is dropped, on the same thread.
#[derive(Debug)]
#[must_use]
pub struct BreakableWaits(PhantomData<Rc<()>>);

impl Drop for BreakableWaits {
    fn drop(&mut self) {
        WAIT.set(None);
    }
}

/// A wait with tries, which may be broken off.
#[derive(Clone)]
pub(super) struct BreakableWait(Rc<dyn Fn() -> bool>);

impl BreakableWait {
    /// Returns how this thread waits, if its waits may be broken off.
    pub(super) fn of_thread() -> Option<Self> {
        WAIT.with_borrow(Clone::clone)
    }

    /// Tries at most `most` times, with growing pauses. Returns whether a try succeeded.
    ///
    /// # Errors
    /// The wait was broken off, or a try failed.
    pub(super) fn try_up_to(
        &self,
        most: usize,
        attempt: impl Fn() -> io::Result<bool>,
    ) -> io::Result<bool> {
        let mut pause = MIN_PAUSE;
        for _ in 0..most {
            if attempt()? {
                return Ok(true);
            }
            if !(self.0)() {
                return Err(io::Error::other(BrokenOff));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(MAX_PAUSE);
        }
        Ok(false)
    }
}

/// The mode of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LockMode {
    Shared,
    Exclusive,
}

impl LockMode {
    /// Takes the lock of a file without waiting.
    pub(super) fn try_lock(self, file: &File) -> Result<(), TryLockError> {
        match self {
            Self::Shared => file.try_lock_shared(),
            Self::Exclusive => file.try_lock(),
        }
    }

    /// Takes the lock of a file without waiting. Returns whether it was free.
    pub(super) fn obtain(self, file: &File) -> io::Result<bool> {
        match self.try_lock(file) {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {
                Ok(false)
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Waits for the lock of a file.
    ///
    /// # Errors
    /// The wait was broken off, or the file system has no such lock.
    pub(super) fn lock(self, file: &File) -> io::Result<()> {
        if let Some(wait) = BreakableWait::of_thread() {
            return wait.try_up_to(usize::MAX, || self.obtain(file)).map(drop);
        }
        retried(|| match self {
            Self::Shared => file.lock_shared(),
            Self::Exclusive => file.lock(),
        })
    }
}

/// Returns whether an error says that a wait was broken off.
pub(super) fn is_broken_off(error: &io::Error) -> bool {
    error.get_ref().and_then(|source| source.downcast_ref::<BrokenOff>()).is_some()
}

/// Repeats a wait that a signal has interrupted.
pub(super) fn retried(lock: impl Fn() -> io::Result<()>) -> io::Result<()> {
    loop {
        match lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
