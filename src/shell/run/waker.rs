//! The bell that wakes the main thread of `run`.

use crate::base::time::Time;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Wakes the main thread, and says why.
#[derive(Clone, Debug)]
pub(super) struct Bell {
    sender: SyncSender<()>,
    calls: Arc<Mutex<Calls>>,
}

/// Why the bell was rung since the main thread has looked.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// A mail may have come.
    pub(super) mail: bool,
    /// The earliest wakeup that somebody has set.
    pub(super) wakeup: Option<Time>,
    /// The configuration is to be read again.
    pub(super) reload: bool,
    /// The process is to end.
    pub(super) end: bool,
}

impl Bell {
    /// Creates a bell and the receiver on which the main thread waits.
    pub(super) fn new() -> (Self, Receiver<()>) {
        // Rings during work count as one, which is heard after it.
        let (sender, rung) = mpsc::sync_channel(1);
        (Self { sender, calls: Arc::default() }, rung)
    }

    /// Says that a mail may have come.
    pub(super) fn mail(&self) {
        self.ring(|calls| calls.mail = true);
    }

    /// Says that a wakeup was set.
    pub(super) fn wakeup(&self, at: Time) {
        self.ring(|calls| calls.wakeup = Some(calls.wakeup.map_or(at, |known| known.min(at))));
    }

    /// Says that the configuration is to be read again.
    pub(super) fn reload(&self) {
        self.ring(|calls| calls.reload = true);
    }

    /// Says that the process is to end.
    pub(super) fn end(&self) {
        self.ring(|calls| calls.end = true);
    }

    fn ring(&self, call: impl FnOnce(&mut Calls)) {
        call(&mut self.calls());
        let _ = self.sender.try_send(());
    }

    /// Takes the calls since the last `take`. Once set, `end` stays set.
    pub(super) fn take(&self) -> Calls {
        let mut calls = self.calls();
        let end = calls.end;
        std::mem::replace(&mut *calls, Calls { end, ..Calls::default() })
    }

    /// Returns whether the main thread must interrupt its work, for a reload or the end of the process.
    pub(super) fn interrupts(&self) -> bool {
        let calls = self.calls();
        calls.end || calls.reload
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_heard_once_and_the_end_for_ever() {
        let (bell, rung) = Bell::new();
        for at in [7, 5, 9] {
            bell.wakeup(Time::from_unix(at));
        }
        bell.mail();
        assert!(rung.try_recv().is_ok() && rung.try_recv().is_err(), "one ring for all");
        let calls = bell.take();
        assert_eq!((calls.mail, calls.wakeup), (true, Some(Time::from_unix(5))));
        assert!(!bell.interrupts());
        bell.reload();
        assert!(bell.interrupts() && bell.take().reload && !bell.interrupts());
        bell.end();
        for _ in 0..2 {
            let calls = bell.take();
            assert!(calls.end && bell.interrupts());
            assert_eq!((calls.mail, calls.wakeup, calls.reload), (false, None, false));
        }
    }
}
