//! The trait that every game implements, and its data types.

use super::{
    Choices, Deal, Diagram, EngineProtocol, EngineQuestion, Entry, Evaluation, EvaluationBudget,
    EvaluationUnit, MoveError, NextStep, PartialMove, RandomBelow, Roll, SearchDepth, Seat,
    Setting, Spot, Switch, Throw, path_steps, perft,
};
use std::cmp::Ordering;
use std::fmt::{Debug, Display};

/// What a position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A roll of dice.
    Roll(Throw),
    /// Stones dealt by chance; see [`Game::deal`].
    Deal,
    /// A roll of this seat, which may first make one of the legal moves, such as a double. Players
    /// who roll by hand say `roll`.
    Ready(Seat, Throw),
    /// A move of this seat.
    Move(Seat),
    /// Nothing: the game is over.
    Over(Outcome),
}

impl Next {
    /// Returns the seat that has a decision to make.
    pub fn decider(self) -> Option<Seat> {
        match self {
            Self::Move(seat) | Self::Ready(seat, _) => Some(seat),
            Self::Roll(_) | Self::Deal | Self::Over(_) => None,
        }
    }

    /// Returns whether this seat has a decision to make.
    pub fn asks(self, seat: Seat) -> bool {
        self.decider() == Some(seat)
    }
}

/// The result of a game and the rule that decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One seat won.
    Won {
        /// The winner.
        by: Seat,
        /// The points won: 2 for a gammon.
        points: u32,
        /// The rule, as it follows "alice wins": `by connecting all her men`.
        reason: &'static str,
    },
    /// The game is a draw.
    Drawn {
        /// The rule, as it follows "the game is a draw:".
        reason: &'static str,
    },
}

impl Outcome {
    /// Returns the result of two scores: the higher one wins.
    pub(crate) fn of_scores<T: Copy + Ord>(
        scores: [T; 2],
        more: &'static str,
        equal: &'static str,
    ) -> Self {
        match scores[0].cmp(&scores[1]) {
            Ordering::Equal => Self::Drawn { reason: equal },
            order => Self::Won { by: Seat(u8::from(order.is_lt())), points: 1, reason: more },
        }
    }
}

/// A game's declaration: data, no code.
#[derive(Debug)]
pub struct Spec {
    /// The name that players type, in lower case ASCII.
    pub name: &'static str,
    /// The name in headings.
    pub title: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The names of the two sides, first mover first: `O` and `X`.
    pub sides: [&'static str; 2],
    /// The help page mailed to players, in Markdown.
    pub help: &'static str,
    /// Moves that may be used as verbs without a board's words around them: `roll`, `double`.
    pub verbs: &'static [&'static str],
    /// The options of a challenge. They are fixed for the life of the board.
    pub options: &'static [Switch],
    /// Groups of options that exclude each other.
    pub exclusive: &'static [&'static [&'static str]],
    /// The settings that each player may choose.
    pub settings: &'static [Setting],
    /// The stakes that a player can resign, the cheapest first: `single`, `gammon`. Empty where
    /// resigning just ends the board.
    pub stakes: &'static [&'static str],
    /// Other programs' formats for records and positions.
    pub formats: &'static [Format],
    /// How the game is played.
    pub manner: Manner,
}

impl Spec {
    /// A game without a name, verbs, options, settings, stakes or formats.
    pub const PLAIN: Self = Self {
        name: "",
        title: "",
        about: "",
        sides: [""; 2],
        help: "",
        verbs: &[],
        options: &[],
        exclusive: &[],
        settings: &[],
        stakes: &[],
        formats: &[],
        manner: Manner::PLAIN,
    };
}

/// How a game is played, where it differs from two players who see everything and make one move a
/// turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the flags are independent")]
pub struct Manner {
    /// The number of levels of the program; higher is stronger.
    pub levels: u8,
    /// Whether a turn may be several moves of one seat, separated by commas.
    pub has_multi_move_turns: bool,
    /// Whether what was dealt is hidden from players until the game is over, except for what
    /// [`Game::visible_notation`] and [`Game::diagram`] show.
    pub is_secret: bool,
    /// Whether only seat 0 plays.
    pub is_solo: bool,
    /// Whether the rules know a draw. Only then may players agree on one.
    pub has_draws: bool,
    /// Whether moves differ in upper and lower case, as in `bxc3` and `Bxc3`.
    pub has_case: bool,
    /// Whether players make every move by themselves. Elsewhere the server makes a move that is the
    /// only legal one.
    pub asks_for_forced: bool,
    /// The option that makes a board a match of several games, in a game in which the longer match
    /// says more about the players.
    pub match_option: Option<&'static str>,
    /// How many turns each player has in a usual game on the usual board.
    pub turns: u16,
    /// How many minutes somebody who knows none of the game's family takes to learn the rules.
    pub minutes_to_learn: u8,
    /// Options of a small board, as a challenge writes them without a dash, for tests that play many
    /// games and list all moves in each of their positions. Empty where every board is small.
    pub small: &'static [&'static str],
}

impl Manner {
    /// Two players who see everything and make one move a turn, and a win for one of them.
    pub const PLAIN: Self = Self {
        levels: 0,
        has_multi_move_turns: false,
        is_secret: false,
        is_solo: false,
        has_draws: false,
        has_case: false,
        asks_for_forced: false,
        match_option: None,
        turns: 0,
        minutes_to_learn: 0,
        small: &[],
    };

    /// Returns whether no player may see the result of a move in advance: in games with hidden
    /// stones, and in puzzles for one player.
    pub const fn is_blind(self) -> bool {
        self.is_secret || self.is_solo
    }
}

/// Another program's format for a record or for the position at its end.
#[derive(Debug)]
pub struct Format {
    /// The name of the format: `mat`.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// Writes the format; every line ends in a line feed.
    pub write: fn(&Transcript) -> Result<String, String>,
    /// Reads whole records, if the format can hold them.
    pub read: Option<ReadTranscripts>,
}

/// A function that reads the games of another program's file: each of them, or why it cannot be read. The
/// reason says where, and has no full stop. There is at least one game or reason.
pub type ReadTranscripts = fn(&str) -> Vec<Result<Transcript, String>>;

/// A game's players, options and record, independent of any server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The names of the players, seat 0 first.
    pub players: [String; 2],
    /// The game's options.
    pub options: Choices,
    /// The record, oldest entry first.
    pub record: Vec<Entry>,
    /// How the game ended, if its last position does not show it.
    pub ending: Option<Ending>,
}

/// An end of a game outside its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This seat resigned.
    Resigned(Seat),
    /// This seat ran out of time.
    OutOfTime(Seat),
    /// The players agreed on a draw.
    Drawn,
}

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameResult {
    /// This seat.
    Won(Seat),
    /// Nobody: it is a draw.
    Drawn,
    /// Nobody yet.
    None,
}

/// The viewer of a position, and how they want to see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The viewer's seat; `None` for an observer.
    pub seat: Option<Seat>,
    /// The viewer's settings.
    pub settings: Choices,
    /// Whether to mark legal presses.
    pub legal: bool,
}

/// The rules of one game. A value is a position.
///
/// A game writes its declaration, `setup`, `place` and `notation`, `next`, `moves` and `play`, `spell`
/// and `explain_illegal`, `path`, and `diagram`; the other methods follow from these. Families and games
/// with dice, deals, stakes, programs or notations of viewers write more of them.
///
/// Servers use [`crate::AnyPosition`], which has a blanket implementation over this trait.
pub trait Game: Clone + Eq + Debug + Send + 'static {
    /// One whole turn: all the steps of a roll. Its `Display` is the canonical notation.
    type Move: Clone + Eq + Debug + Display + Send;

    /// The game's declaration.
    const SPEC: Spec;

    /// The protocol in which engines are asked about this game, if they can be.
    const ENGINE: Option<EngineProtocol> = None;

    /// The edition of the rules, counted from 1. It grows when a change of the rules would make an
    /// old record a different game.
    const RULES: u32 = 1;

    /// Returns the start of a game with these options.
    fn setup(options: &Choices) -> Self;

    /// Returns the start of a game under an earlier edition of the rules.
    fn setup_by(options: &Choices, _rules: u32) -> Self {
        Self::setup(options)
    }

    /// Returns the dice of the position that the options name, if it has any: the first roll of the
    /// game.
    fn first_roll(_options: &Choices) -> Option<Roll> {
        None
    }

    /// Parses a position from the notation that [`Game::notation`] writes.
    ///
    /// Dice in the notation must be played next; without dice the position is judged as after a
    /// complete move of the side that is not named.
    ///
    /// # Errors
    /// What is wrong with the text, without a full stop.
    fn place(options: &Choices, notation: &str) -> Result<Self, String>;

    /// Returns the position as one line of text: `O 23 a8=OO e3=X`.
    fn notation(&self) -> String;

    /// Returns what the position waits for.
    fn next(&self) -> Next;

    /// Lists the legal moves in a fixed order, each result once. A player to move has at least one:
    /// without a legal step it is a pass. Before a roll these are the actions allowed then;
    /// otherwise the list is empty.
    fn moves(&self) -> Vec<Self::Move>;

    /// Returns the number of legal moves in games that can tell it without listing them.
    fn move_count(&self) -> Option<usize> {
        None
    }

    /// Lists the first `most` legal moves. Games that need not find the others for that override
    /// it.
    fn moves_up_to(&self, most: usize) -> Vec<Self::Move> {
        let mut moves = self.moves();
        moves.truncate(most);
        moves
    }

    /// Parses a move as people write it, legal or not. Games whose spelling depends on the position
    /// write [`Game::read`] instead.
    ///
    /// # Errors
    /// The text cannot be read, or can be legal nowhere.
    fn spell(_text: &str) -> Result<Self::Move, MoveError> {
        Err(MoveError::NothingToMove)
    }

    /// Returns whether a move can be played here.
    fn is_legal(&self, m: &Self::Move) -> bool {
        self.moves().contains(m)
    }

    /// Explains why a move cannot be played here, without a full stop: "e5 is lit".
    fn explain_illegal(&self, m: &Self::Move) -> String {
        format!("{m} is not a legal move here")
    }

    /// Returns the places that a player clicks to make a move, in order: one for a press, a man's
    /// start and end for its move, and further ones where a move goes on. By default a move has no
    /// places.
    fn path(_m: &Self::Move) -> Vec<Spot> {
        Vec::new()
    }

    /// Finds the legal move that a player's text means, without listing the others where possible.
    /// Spelling is checked first: whether the error is [`MoveError::Unreadable`] does not depend on
    /// what is legal.
    ///
    /// # Errors
    /// The text cannot be read, or means no legal move, or several.
    fn read(&self, text: &str) -> Result<Self::Move, MoveError> {
        let spelled = Self::spell(text)?;
        if self.is_legal(&spelled) {
            Ok(spelled)
        } else {
            Err(MoveError::Illegal(self.explain_illegal(&spelled)))
        }
    }

    /// Returns whether a text can be read as a move, legal or not.
    fn can_read(&self, text: &str) -> bool {
        !matches!(self.read(text), Err(MoveError::Unreadable { .. }))
    }

    /// Reads a text like [`Game::read`], for a viewer who may use another notation; see
    /// [`Game::text_for_viewer`].
    ///
    /// # Errors
    /// The text cannot be read, or means no legal move, or several.
    fn read_as(&self, _view: &View, text: &str) -> Result<Self::Move, MoveError> {
        self.read(text)
    }

    /// Converts a recorded move of `_mover` into the viewer's notation: by default, the record's.
    fn text_for_viewer(_view: &View, _mover: Seat, text: String) -> String {
        text
    }

    /// Converts a recorded move into the numbering of the viewer's diagram: by default, the
    /// record's.
    fn text_for_diagram(_view: &View, text: String) -> String {
        text
    }

    /// Parses a recorded move without listing legal moves.
    ///
    /// # Errors
    /// The text is not the `Display` of a [`Game::Move`], or cannot be played here.
    fn read_recorded(&self, text: &str) -> Result<Self::Move, MoveError> {
        match self.read(text)? {
            m if m.to_string() == text => Ok(m),
            m => Err(MoveError::Illegal(format!("the record would have `{m}`"))),
        }
    }

    /// Plays a move that [`Game::read`] or [`Game::read_recorded`] returned for this position.
    fn play(&mut self, m: &Self::Move);

    /// Plays the roll that [`Game::next`] asked for. A game without dice never asks for one.
    fn roll(&mut self, _roll: Roll) {}

    /// Draws the stones that [`Next::Deal`] asks for; the record keeps them.
    fn deal(&self, _below: RandomBelow) -> Deal {
        Deal::default()
    }

    /// Places the stones that [`Game::next`] asked for.
    ///
    /// # Errors
    /// The rules cannot have dealt these stones.
    fn lay(&mut self, _stones: &Deal) -> Result<(), MoveError> {
        Err(MoveError::NothingToMove)
    }

    /// Returns the position as one line of text without what is hidden from the viewer.
    fn visible_notation(&self, _view: &View) -> String {
        self.notation()
    }

    /// Returns the move that ends the current turn, if one of several moves has begun.
    fn finish(&self) -> Option<Self::Move> {
        None
    }

    /// Returns the program's move at a level from 1 to `levels` of [`Spec::manner`]; before a roll,
    /// its action instead of rolling, if any. Takes at most a second. Level 0 of a dice game
    /// compares pip counts.
    fn choose(&self, _level: u8, _below: RandomBelow) -> Option<Self::Move> {
        None
    }

    /// Returns the stake that the program resigns before its roll, as an index into
    /// [`Spec::stakes`] from 1, if it can hope for nothing better.
    fn resignation(&self) -> Option<u8> {
        None
    }

    /// Returns the question for an engine at the end of a record; `None` where engines have
    /// nothing to decide, and the game's own program does.
    fn engine_question(_record: &Transcript) -> Option<EngineQuestion> {
        None
    }

    /// Returns the unit of [`Game::evaluate`] and [`Game::luck`]; `None` if the program cannot
    /// judge this position.
    fn evaluation_unit(&self) -> Option<EvaluationUnit> {
        None
    }

    /// Evaluates the position after the moves at the indices `_which` of [`Game::moves`], or after
    /// all moves, for the side that decides. Before a roll, the last evaluation is that of rolling
    /// now.
    fn evaluate(
        &self,
        _which: Option<&[usize]>,
        _look: SearchDepth,
        _effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        None
    }

    /// Returns the seat that rolled and how much more this roll is worth than an average one.
    fn luck(&self, _roll: Roll, _effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        None
    }

    /// Returns the position as drawing data for a viewer.
    fn diagram(&self, view: &View) -> Diagram;

    /// Returns the partial move after these steps, each of which was offered after the steps before
    /// it. By default steps go along [`Game::path`].
    ///
    /// # Errors
    /// The first step that was not offered.
    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        path_steps::partial_move(self, view, steps)
    }

    /// Returns the steps of men by one die at most among those that [`Game::partial_move`] offers
    /// first, in the viewer's notation.
    fn first_steps(&self, _view: &View) -> Vec<NextStep> {
        path_steps::first_steps(self)
    }

    /// Returns the paths of men in a move's text, numbered as in the text. A press is a path of one
    /// place.
    fn paths(text: &str) -> Vec<Vec<Spot>> {
        let path = Self::spell(text).map(|m| Self::path(&m)).unwrap_or_default();
        if path.is_empty() { Vec::new() } else { vec![path] }
    }

    /// Returns the move to play automatically for a player with these settings: by default the only
    /// legal move, unless the player or the game wants forced moves made by hand. It is called after
    /// every move, so games that need not list all moves for it override it.
    fn automatic_move(&self, settings: &Choices) -> Option<Self::Move> {
        if Self::SPEC.manner.asks_for_forced {
            return None;
        }
        match &self.moves()[..] {
            [only] if !settings.has(super::MANUAL.switch.name) => Some(only.clone()),
            _ => None,
        }
    }

    /// Returns whether a player who rolls by hand is asked before this roll. Games with actions
    /// before a roll ask only while one is possible.
    fn asks_to_roll(&self) -> bool {
        true
    }

    /// Returns the highest stake that a seat can still lose, as an index into [`Spec::stakes`] from
    /// 1.
    fn max_stake(&self, _seat: Seat) -> u8 {
        1
    }

    /// Resigns a stake, counted from 1. If the seat can lose more, the other side is asked first.
    ///
    /// # Errors
    /// There is nothing to resign now.
    fn resign(&mut self, _seat: Seat, _stake: u8) -> Result<(), MoveError> {
        Err(MoveError::NothingToMove)
    }

    /// Counts positions; see [`crate::AnyGame::perft`]. Games with a faster way to count override it.
    fn perft(options: &Choices, depth: u32) -> u64 {
        perft::perft_by_listing::<Self>(options, depth)
    }
}
