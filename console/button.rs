//! The five buttons.

/// A button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// Which game is played.
    Game,
    /// The time for a move.
    Time,
    /// How fast it goes.
    Speed,
    /// How well the board plays.
    Level,
    /// Which rules of the game.
    Mode,
}

impl Button {
    /// All of them, in their order on the board.
    pub const ALL: [Self; 5] = [Self::Game, Self::Time, Self::Speed, Self::Level, Self::Mode];
}
