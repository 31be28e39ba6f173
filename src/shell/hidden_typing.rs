//! Secrets that an operator types: the terminal does not show them.

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::thread;

/// A terminal that does not show what is typed. It is restored when this is dropped, and by a signal that ends the
/// program.
pub(super) struct HiddenTyping(Arc<SavedTerminal>);

/// A terminal with its modes from before.
struct SavedTerminal {
    terminal: OwnedFd,
    modes: Termios,
}

impl SavedTerminal {
    fn restore(&self) {
        // It fails only if the terminal is gone.
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.modes);
    }
}

impl HiddenTyping {
    /// Hides what is typed from now on, except for the ends of lines.
    pub(super) fn begin(terminal: BorrowedFd<'_>) -> io::Result<Self> {
        let terminal = terminal.try_clone_to_owned()?;
        let modes = tcgetattr(&terminal)?;
        let mut hidden = modes.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        hidden.local_modes.insert(LocalModes::ECHONL);
        let saved = Arc::new(SavedTerminal { terminal, modes });
        restore_at_signals(Arc::clone(&saved))?;
        let hidden_typing = Self(saved);
        tcsetattr(&hidden_typing.0.terminal, OptionalActions::Now, &hidden)?;
        Ok(hidden_typing)
    }
}

impl Drop for HiddenTyping {
    fn drop(&mut self) {
        self.0.restore();
    }
}

/// Restores the terminal at a signal that ends the program, and ends it. Stays until the program ends: without it the
/// signals would have no effect any more.
fn restore_at_signals(saved: Arc<SavedTerminal>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGQUIT, SIGTERM])?;
    thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            saved.restore();
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
