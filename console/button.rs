//! The five buttons.

/// A button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// The game.
    Game,
    /// The time for a move.
    Time,
    /// The speed.
    Speed,
    /// The level of the computer.
    Level,
    /// The mode, a variant of the game's rules.
    Mode,
}

impl Button {
    /// All buttons, in their order on the board.
    pub const ALL: [Self; 5] = [Self::Game, Self::Time, Self::Speed, Self::Level, Self::Mode];
}
