//! Wakes the main thread of `run`, and tells it why.

use crate::base::time::Time;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Wakes the main thread, and says why.
#[derive(Clone, Debug)]
pub(super) struct MainThreadWaker {
    sender: SyncSender<()>,
    pending: Arc<Mutex<PendingSignals>>,
}

/// Why the main thread was woken since it last looked.
#[derive(Debug, Default)]
pub(super) struct PendingSignals {
    /// A mail may have come.
    pub(super) mail: bool,
    /// The earliest wakeup that somebody has set.
    pub(super) wakeup: Option<Time>,
    /// The configuration must be read again.
    pub(super) reload: bool,
    /// The process must end.
    pub(super) end: bool,
}

impl MainThreadWaker {
    /// Creates a waker and the receiver on which the main thread waits.
    pub(super) fn new() -> (Self, Receiver<()>) {
        // Wakes during work count as one, which is seen after it.
        let (sender, wakeups) = mpsc::sync_channel(1);
        (Self { sender, pending: Arc::default() }, wakeups)
    }

    /// Says that a mail may have come.
    pub(super) fn mail(&self) {
        self.wake(|pending| pending.mail = true);
    }

    /// Says that a wakeup was set.
    pub(super) fn wakeup(&self, at: Time) {
        self.wake(|pending| {
            pending.wakeup = Some(pending.wakeup.map_or(at, |known| known.min(at)));
        });
    }

    /// Says that the configuration must be read again.
    pub(super) fn reload(&self) {
        self.wake(|pending| pending.reload = true);
    }

    /// Says that the process must end.
    pub(super) fn end(&self) {
        self.wake(|pending| pending.end = true);
    }

    fn wake(&self, signal: impl FnOnce(&mut PendingSignals)) {
        signal(&mut self.pending());
        let _ = self.sender.try_send(());
    }

    /// Takes the signals since the last `take`. Once set, `end` stays set.
    pub(super) fn take(&self) -> PendingSignals {
        let mut pending = self.pending();
        let end = pending.end;
        std::mem::replace(&mut *pending, PendingSignals { end, ..PendingSignals::default() })
    }

    /// Returns whether the main thread must interrupt its work, for a reload or the end of the process.
    pub(super) fn interrupts(&self) -> bool {
        let pending = self.pending();
        pending.end || pending.reload
    }

    fn pending(&self) -> MutexGuard<'_, PendingSignals> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_taken_once_and_the_end_for_ever() {
        let (waker, wakeups) = MainThreadWaker::new();
        for at in [7, 5, 9] {
            waker.wakeup(Time::from_unix(at));
        }
        waker.mail();
        assert!(wakeups.try_recv().is_ok() && wakeups.try_recv().is_err(), "one wake for all");
        let pending = waker.take();
        assert_eq!((pending.mail, pending.wakeup), (true, Some(Time::from_unix(5))));
        assert!(!waker.interrupts());
        waker.reload();
        assert!(waker.interrupts() && waker.take().reload && !waker.interrupts());
        waker.end();
        for _ in 0..2 {
            let pending = waker.take();
            assert!(pending.end && waker.interrupts());
            assert_eq!((pending.mail, pending.wakeup, pending.reload), (false, None, false));
        }
    }
}
