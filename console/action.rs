//! Actions of players at the console.

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

/// The direction in which a value changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next value.
    Next,
    /// Back to the previous value.
    Previous,
}

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves a cursor some lines down and columns to the right.
    Move(CursorKeys, i8, i8),
    /// Presses the point under a cursor.
    Strike(CursorKeys),
    /// Begins the name of a point.
    Slash,
    /// A column, from 0.
    Column(u8),
    /// A line, from 1 at the bottom.
    Line(u8),
    /// Presses the point that was clicked.
    Click(Square),
    /// Passes.
    Pass,
    /// Presses a button.
    Button(Button, Step),
    /// Sets up another game.
    New,
    /// Answers a question with yes.
    Yes,
    /// Shows or hides the list of keys.
    Keys,
    /// Increases the number of points at the start of Life, or decreases it.
    StartUp(Step),
    /// Makes keys count as fast as a mouse in the next game, or no longer.
    FastKeys,
    /// Leaves the console; in the middle of a game after a question.
    Quit,
    /// Cancels the command in progress, otherwise leaves the console.
    Escape,
    /// Leaves the console.
    Leave,
    /// Pauses or continues a replay.
    Pause,
    /// Takes the next, faster pace of a replay, or the previous, slower one.
    Pace(Step),
    /// Sets the columns and lines of the terminal.
    Resize(u16, u16),
}
