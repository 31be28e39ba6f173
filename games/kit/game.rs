//! The one trait a game implements, and the words it speaks in.

use super::{Choices, Diagram, Roll, Setting, Switch, Throw};
use std::fmt::{self, Debug, Display};

/// A place at the board, counted from 0: seat 0 moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    /// The two seats of a board, first mover first.
    pub const BOTH: [Self; 2] = [Self(0), Self(1)];

    /// The seat across the board.
    #[must_use]
    pub const fn other(self) -> Self {
        Self(1 - self.0)
    }

    /// The seat as an index into what exists once a seat.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a position waits for: chance, a player, or nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Dice are to be thrown.
    Roll(Throw),
    /// That seat is to move.
    Move(Seat),
    /// The game has ended.
    Over(Outcome),
}

/// How a game ended, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One seat won.
    Won {
        /// The winner.
        by: Seat,
        /// What the win is worth: a gammon is worth 2.
        points: u8,
        /// The rule, as it follows "alice wins": `by connecting all her men`.
        reason: &'static str,
    },
    /// Nobody won.
    Drawn {
        /// The rule, as it follows "the game is a draw:".
        reason: &'static str,
    },
}

/// Why some words are not a move of a position; every variant leaves the position as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The words have no meaning in the game's notation.
    Unreadable {
        /// Byte offset of the first word that could not be read.
        at: usize,
        /// What could stand there: "a point such as c3".
        expected: &'static str,
    },
    /// The words mean a move, but a rule forbids it; the text says which step and why.
    Illegal(String),
    /// The words fit several moves with different results: their full spellings.
    Ambiguous(Vec<String>),
    /// The position waits for dice or the game has ended.
    NothingToMove,
}

impl Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { at, expected } => {
                write!(f, "expected {expected} at column {}", at + 1)
            }
            Self::Illegal(why) => f.write_str(why),
            Self::Ambiguous(readings) => {
                write!(f, "it can be read in several ways: {}", readings.join(" or "))
            }
            Self::NothingToMove => f.write_str("there is nothing to move now"),
        }
    }
}

impl std::error::Error for MoveError {}

/// What a game declares of itself: data, no code.
#[derive(Debug)]
pub struct Spec {
    /// The word players type: lower case ASCII.
    pub name: &'static str,
    /// The name as a heading.
    pub title: &'static str,
    /// What the two sides are called, first mover first: `O` and `X`.
    pub sides: [&'static str; 2],
    /// The help page mailed to players, in Markdown.
    pub help: &'static str,
    /// Words that are moves of this game and may stand as verbs: `roll`, `double`.
    pub verbs: &'static [&'static str],
    /// What a challenge may choose; fixed for the life of the board.
    pub options: &'static [Switch],
    /// Names of options that may not be taken together.
    pub exclusive: &'static [&'static [&'static str]],
    /// What each player may choose for himself.
    pub settings: &'static [Setting],
}

/// Who looks at a position, and how they like it shown.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The seat of the viewer; nobody's for an observer.
    pub seat: Option<Seat>,
    /// The viewer's settings.
    pub settings: Choices,
}

/// The rules of one game. A value is a position.
///
/// [`crate::AnyPosition`] is what a server uses; it is implemented once, over this.
pub trait Game: Clone + Eq + Debug + Send + 'static {
    /// One whole turn: all the steps of a roll. Its `Display` is the canonical notation.
    type Move: Clone + Eq + Debug + Display + Send;

    /// The game's declaration.
    const SPEC: Spec;

    /// The start of a game played with these options.
    fn setup(options: &Choices) -> Self;

    /// The position that a line of notation describes, as [`Game::notation`] writes it.
    ///
    /// Dice on that line mean that the game goes on and they are to be played; without dice the
    /// position is judged as after a complete move of the side not named.
    ///
    /// # Errors
    /// What is wrong with the text, as a sentence without a full stop.
    fn place(options: &Choices, notation: &str) -> Result<Self, String>;

    /// The position as one line of text: `O 23 a8=OO e3=X`.
    fn notation(&self) -> String;

    /// What the position waits for.
    fn next(&self) -> Next;

    /// The legal moves, each result once, in a fixed order; empty unless a player is to move.
    /// A player who can do nothing has one move: to pass.
    fn moves(&self) -> Vec<Self::Move>;

    /// The one of the `legal` moves that these words mean. Spelling is judged first: whether the
    /// words are [`MoveError::Unreadable`] does not depend on what is legal.
    ///
    /// # Errors
    /// The words cannot be read, mean no legal move, or several.
    fn read(&self, text: &str, legal: &[Self::Move]) -> Result<Self::Move, MoveError>;

    /// The move that the record wrote as `text`, without listing the legal ones.
    ///
    /// # Errors
    /// The words are not what [`Game::Move`] displays, or cannot be carried out here.
    fn recall(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Carries out a move that [`Game::read`] or [`Game::recall`] gave for this position.
    fn play(&mut self, m: &Self::Move);

    /// Takes the dice that [`Game::next`] asked for.
    fn roll(&mut self, roll: Roll);

    /// What stands where, as that viewer sees it.
    fn diagram(&self, view: &View) -> Diagram;

    /// The move that is played for a player with these settings: by default the only one. A game
    /// that can tell without listing all moves does so: this is asked after every move.
    fn auto(&self, _settings: &Choices) -> Option<Self::Move> {
        match &self.moves()[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}
