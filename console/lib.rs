//! The console: ten games on a board of 81 points, in a terminal.
//!
//! [`State`] is all that the console knows. It changes by an [`Action`] or by a tick of the clock,
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

pub use action::{Action, Hand};
pub use button::Button;
pub use desk::{Desk, Wish, WrongWish};
pub use draw::{Target, draw};
pub use metronome::Metronome;
pub use play::Thought;
pub use state::{HEIGHT, State, WIDTH};
