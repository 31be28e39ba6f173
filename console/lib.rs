//! The console: ten games on a board of 81 points, in a terminal.
//!
//! [`ConsoleState`] is all that the console knows. It changes by an [`Action`] or by a tick of the clock,
//! and [`draw`] shows it; both are pure. Only [`terminal`] touches the machine: it turns what the
//! terminal reports into actions, and time into ticks.

mod action;
mod address;
mod button;
mod desk;
mod draw;
mod keys;
mod metronome;
mod play;
mod state;
pub mod terminal;
#[cfg(test)]
mod tests;
mod words;

pub use action::{Action, CursorKeys};
pub use button::Button;
pub use desk::{ControlPanel, PanelError, PanelOptions};
pub use draw::{ClickTarget, draw};
pub use metronome::Metronome;
pub use play::SlowTick;
pub use state::{ConsoleState, HEIGHT, WIDTH};
