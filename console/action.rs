//! What somebody wants of the console.

use super::button::Button;
use games::Square;

/// A block of keys that moves a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorKeys {
    /// `w a s d` and the space bar.
    Left,
    /// The arrows and Enter.
    Right,
}

/// An action of the player at the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A cursor goes so many lines down and columns to the right.
    Move(CursorKeys, i8, i8),
    /// The point under a cursor is pressed.
    Strike(CursorKeys),
    /// The name of a point begins.
    Slash,
    /// A column, from 0.
    Column(u8),
    /// A line, from 1 at the bottom.
    Line(u8),
    /// A point is clicked on.
    Click(Square),
    /// No point is pressed.
    Pass,
    /// A button is pressed; `true` goes back.
    Button(Button, bool),
    /// Another game.
    New,
    /// Yes to the question that was asked.
    Yes,
    /// The keys are shown, or no longer.
    Keys,
    /// Life begins with more points, or with `true` with fewer.
    StartUp(bool),
    /// Keys are as fast as a mouse in the next game, or no longer.
    FastKeys,
    /// Leaving must be asked about in the middle of a game.
    Quit,
    /// Gives up the command that was begun, else leaves the console.
    Escape,
    /// The console is left.
    Leave,
    /// A replay stops, or goes on.
    Pause,
    /// A replay goes faster, or slower.
    Pace(bool),
    /// The terminal has so many columns and lines now.
    Resize(u16, u16),
}
