//! The questions to an engine about a game, and the reading of its answers. Nothing here runs an engine.

/// The protocol that a program speaks on its standard input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineProtocol {
    /// The Universal Chess Interface: Stockfish and other programs of Chess.
    Uci,
    /// The Go Text Protocol, version 2: GNU Go, Pachi.
    Gtp,
    /// The command line of GNU Backgammon, as `gnubg -t -q -r` reads it.
    Gnubg,
}

/// A question for the best move of the side to decide.
#[derive(Clone, Debug)]
pub struct EngineQuestion {
    /// The commands that set up the position, one in each line.
    pub setup: Vec<String>,
    /// The command whose answer is the move. In UCI the search limit follows it.
    pub ask: String,
    /// Returns the move in an answer: what follows `bestmove` in UCI, what follows `=` in GTP, all lines of
    /// GNU Backgammon. `None` if the answer has no move.
    pub read: fn(&str) -> Option<EngineMove>,
}

/// The decision of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMove {
    /// A move as the program writes it, which may be illegal.
    Move(String),
    /// The program resigns.
    Resign,
}
