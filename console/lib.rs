//! The console: ten games on a board of 81 points, in a terminal.
//!
//! [`ConsoleState`] is the whole state. It changes by an [`Action`] or by a tick of the clock, and
//! [`draw`] renders it; both are pure. Only [`terminal`] does input and output: it turns terminal
//! events into actions, and time into ticks.

mod action;
mod button;
mod draw;
mod keys;
mod metronome;
mod panel;
mod state;
mod taped_game;
pub mod terminal;
#[cfg(test)]
mod tests;
mod typed_point;
mod words;

pub use action::{Action, CursorKeys, Step};
pub use button::Button;
pub use draw::{ClickTarget, draw};
pub use metronome::Metronome;
pub use panel::{ControlPanel, PanelError, PanelOptions};
pub use state::{ConsoleState, HEIGHT, WIDTH};
pub use taped_game::SlowTick;
