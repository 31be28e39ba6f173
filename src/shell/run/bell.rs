//! The bell that wakes the main thread of `run`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};

/// Wakes the main thread because a mail has come, or because the process is to end.
#[derive(Clone, Debug)]
pub(super) struct Bell {
    sender: SyncSender<()>,
    is_over: Arc<AtomicBool>,
}

impl Bell {
    /// Makes a bell, and what the main thread waits for.
    pub(super) fn new() -> (Self, Receiver<()>) {
        // Rings during work count as one, which is heard after it.
        let (sender, rung) = mpsc::sync_channel(1);
        (Self { sender, is_over: Arc::default() }, rung)
    }

    /// Says that a mail may have come.
    pub(super) fn ring(&self) {
        let _ = self.sender.try_send(());
    }

    /// Says that the process is to end.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.ring();
    }

    /// Returns whether the process is to end.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
