//! Tells systemd that `run` is ready, alive or stopping. Does nothing without systemd.

use sd_notify::NotifyState;
use std::time::Duration;

/// The connection to the service manager.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServiceManager {
    /// How often it wants a sign of life, if at all.
    watchdog: Option<Duration>,
}

impl ServiceManager {
    /// Reads from the environment what the service manager wants.
    pub(super) fn begin() -> Self {
        Self { watchdog: sd_notify::watchdog_enabled() }
    }

    /// Gives a sign of life.
    pub(super) fn alive(&self) {
        if self.watchdog.is_some() {
            tell(&NotifyState::Watchdog);
        }
    }

    /// Returns how long to wait at most between two signs of life.
    pub(super) fn longest_wait(&self) -> Duration {
        self.watchdog.map_or(Duration::MAX, |watchdog| watchdog / 2)
    }
}

/// Says that everything listens.
pub(super) fn tell_ready() {
    tell(&NotifyState::Ready);
}

/// Says that the configuration is being read again; [`tell_ready`] ends that.
pub(super) fn tell_reloading() {
    tell(&NotifyState::Reloading);
}

/// Says that the end has begun.
pub(super) fn tell_stopping() {
    tell(&NotifyState::Stopping);
}

fn tell(state: &NotifyState) {
    // A failure is ignored: systemd then ends this process after a time and starts another one.
    let _ = sd_notify::notify(std::slice::from_ref(state));
}
