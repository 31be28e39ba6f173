//! The one trait a game implements, and the words it speaks in.

use super::{
    Begun, Choices, Diagram, Effort, Entry, Look, MoveError, NextStep, Prospect, RandomBelow, Roll,
    Seat, Setting, Spot, Switch, Throw, Unit, making, perft, playout,
};
use crate::grid::Stones;
use std::fmt::{Debug, Display};

/// What a position waits for: chance, a player, or nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The dice are rolled next.
    Roll(Throw),
    /// Stones are laid by chance next; see [`Game::deal`].
    Deal,
    /// The dice of that seat are rolled next, and it may act before they are: by one of the moves
    /// listed, if any. Players who like to be asked say `roll`.
    Ready(Seat, Throw),
    /// It is that seat's turn to move.
    Move(Seat),
    /// The game has ended.
    Over(Outcome),
}

impl Next {
    /// Whether that seat is the one to say something.
    pub fn asks(self, seat: Seat) -> bool {
        matches!(self, Self::Move(due) | Self::Ready(due, _) if due == seat)
    }
}

/// How a game ended, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// One seat won.
    Won {
        /// The winner.
        by: Seat,
        /// The value of the win: 2 for a gammon.
        points: u32,
        /// The rule, as it follows "alice wins": `by connecting all her men`.
        reason: &'static str,
    },
    /// Nobody won.
    Drawn {
        /// The rule, as it follows "the game is a draw:".
        reason: &'static str,
    },
}

/// A game's declarations: data, no code.
#[derive(Debug)]
pub struct Spec {
    /// The word players type: lower case ASCII.
    pub name: &'static str,
    /// The name as a heading.
    pub title: &'static str,
    /// The kind of game, in a few words.
    pub about: &'static str,
    /// The names of the two sides, first mover first: `O` and `X`.
    pub sides: [&'static str; 2],
    /// The help page mailed to players, in Markdown.
    pub help: &'static str,
    /// Words that are moves of this game and may be used as verbs: `roll`, `double`.
    pub verbs: &'static [&'static str],
    /// The options of a challenge; fixed for the life of the board.
    pub options: &'static [Switch],
    /// Names of options that may not be taken together.
    pub exclusive: &'static [&'static [&'static str]],
    /// The settings that players may choose, each for themselves.
    pub settings: &'static [Setting],
    /// The stakes that a player can resign for, the cheapest first: `single`, `gammon`. Empty where
    /// giving up simply ends the board.
    pub stakes: &'static [&'static str],
    /// Other programs' ways to write its records and positions.
    pub formats: &'static [Format],
    /// How it is sat down to.
    pub manner: Manner,
}

/// How a game is played, where that is not two people who see everything and make a move each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Manner {
    /// How many levels of play the program has; the higher, the stronger.
    pub levels: u8,
    /// Whether a turn may be several moves of one seat, written with commas between them.
    pub several: bool,
    /// Whether what was dealt must be kept from players until the game is over, but for what
    /// [`Game::seen`] and [`Game::diagram`] show.
    pub secret: bool,
    /// Whether only seat 0 plays.
    pub solo: bool,
    /// Whether the rules know a draw: only then two players may agree on one.
    pub draws: bool,
}

impl Manner {
    /// Two people who see everything and make a move each, until one of them has won.
    pub const PLAIN: Self =
        Self { levels: 0, several: false, secret: false, solo: false, draws: false };

    /// Whether nobody may see what a move comes to before it is made: where something is hidden,
    /// and where the only player has to find it out.
    pub const fn is_blind(self) -> bool {
        self.secret || self.solo
    }
}

/// A way to write a record, or the position it leads to, that other programs read.
#[derive(Debug)]
pub struct Format {
    /// The word for it: `mat`.
    pub name: &'static str,
    /// The game in a line.
    pub about: &'static str,
    /// Writes it; every line ends in `\n`.
    pub write: fn(&Transcript) -> Result<String, String>,
    /// Reads whole records, where the format holds them.
    pub read: Option<ReadTranscript>,
}

/// Reads the boards that another program wrote: at least one. The error is a sentence without a full
/// stop that names the line.
pub type ReadTranscript = fn(&str) -> Result<Vec<Transcript>, String>;

/// A game that was played, by which players, under which options: a board without its server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The names of the players, seat 0 first.
    pub players: [String; 2],
    /// The game's options.
    pub options: Choices,
    /// What happened, oldest first.
    pub record: Vec<Entry>,
}

/// The viewer of a position, and how they like it shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The seat of the viewer; nobody's for an observer.
    pub seat: Option<Seat>,
    /// The viewer's settings.
    pub settings: Choices,
    /// Whether the points that may be pressed must be marked.
    pub legal: bool,
}

/// The rules of one game. A value is a position.
///
/// [`crate::AnyPosition`] is what a server uses; it is implemented once, over this.
pub trait Game: Clone + Eq + Debug + Send + 'static {
    /// One whole turn: all the steps of a roll. Its `Display` is the canonical notation.
    type Move: Clone + Eq + Debug + Display + Send;

    /// The game's declaration.
    const SPEC: Spec;

    /// The edition of the rules, counted from 1. It grows when a record of the edition before would
    /// be another game.
    const RULES: u32 = 1;

    /// The start of a game played with these options.
    fn setup(options: &Choices) -> Self;

    /// The start of a game that is played by an earlier edition of the rules.
    fn setup_by(options: &Choices, _rules: u32) -> Self {
        Self::setup(options)
    }

    /// The dice that lie on the table of the position that these options name: they are the first
    /// roll of its game.
    fn first_roll(_options: &Choices) -> Option<Roll> {
        None
    }

    /// The position that a line of notation describes, as [`Game::notation`] writes it.
    ///
    /// Dice on that line mean that the game goes on and they must be played; without dice the
    /// position is judged as after a complete move of the side not named.
    ///
    /// # Errors
    /// What is wrong with the text, as a sentence without a full stop.
    fn place(options: &Choices, notation: &str) -> Result<Self, String>;

    /// The position as one line of text: `O 23 a8=OO e3=X`.
    fn notation(&self) -> String;

    /// What the position waits for.
    fn next(&self) -> Next;

    /// The legal moves, each result once, in a fixed order. Where a player is to move there is at
    /// least one: a side that can do nothing passes. Before a roll there is what may be done then;
    /// else there are none.
    fn moves(&self) -> Vec<Self::Move>;

    /// The first of the legal moves, so many of them at most. A game that can find them without the
    /// others does so.
    fn moves_up_to(&self, most: usize) -> Vec<Self::Move> {
        let mut moves = self.moves();
        moves.truncate(most);
        moves
    }

    /// The legal move that these words mean, found without listing the others where that can be
    /// done. Spelling is judged first: whether the words are [`MoveError::Unreadable`] does not
    /// depend on what is legal.
    ///
    /// # Errors
    /// The words cannot be read, mean no legal move, or several.
    fn read(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Whether words can be read as a move, legal or not: told by their spelling alone where that
    /// is less work.
    fn spells(&self, text: &str) -> bool {
        !matches!(self.read(text), Err(MoveError::Unreadable { .. }))
    }

    /// Like [`Game::read`], for a viewer who may write moves in another way; see [`Game::worded`].
    ///
    /// # Errors
    /// The words cannot be read, mean no legal move, or several.
    fn read_as(&self, _view: &View, text: &str) -> Result<Self::Move, MoveError> {
        self.read(text)
    }

    /// A move of a record, made by that seat, as that viewer writes it: by default, as the record
    /// does.
    fn worded(_view: &View, _mover: Seat, text: String) -> String {
        text
    }

    /// A move of a record with the places of that viewer's diagram: by default, as the record has
    /// them.
    fn located(_view: &View, text: String) -> String {
        text
    }

    /// The move that the record wrote as `text`, without listing the legal ones.
    ///
    /// # Errors
    /// The words are not what [`Game::Move`] displays, or cannot be carried out here.
    fn recall(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Carries out a move that [`Game::read`] or [`Game::recall`] gave for this position.
    fn play(&mut self, m: &Self::Move);

    /// Takes the dice that [`Game::next`] asked for.
    fn roll(&mut self, roll: Roll);

    /// Draws what [`Next::Deal`] asks for. The record keeps what was drawn.
    fn deal(&self, _below: RandomBelow) -> Stones {
        Stones::default()
    }

    /// Takes the stones that [`Game::next`] asked for.
    ///
    /// # Errors
    /// They cannot have been dealt.
    fn lay(&mut self, _stones: Stones) -> Result<(), MoveError> {
        Err(MoveError::NothingToMove)
    }

    /// The position as one line of text for that viewer, who may not be allowed to know all of it.
    fn seen(&self, _view: &View) -> String {
        self.notation()
    }

    /// The move that ends a turn of several moves, if one has begun.
    fn finish(&self) -> Option<Self::Move> {
        None
    }

    /// The move that the program makes at that level, from 1 to the levels of [`Spec::manner`],
    /// where it is a seat's turn; before a roll, what it does in place of rolling, if anything. It
    /// takes no more than a second. Level 0 of a game with dice counts what is still to be gone.
    fn choose(&self, _level: u8, _below: RandomBelow) -> Option<Self::Move> {
        None
    }

    /// For what the program resigns before a roll of its own, as an index into [`Spec::stakes`],
    /// counted from 1: where it can hope for nothing better.
    fn gives_up(&self) -> Option<u8> {
        None
    }

    /// In what the program weighs positions such as this one; nothing where it cannot. Then it says
    /// what it thinks of them by [`Game::prospects`] and [`Game::luck`].
    fn judged_in(&self) -> Option<Unit> {
        None
    }

    /// The prospects of the side that decides after those of [`Game::moves`] that are named by
    /// their places, or after all of them. Before a roll its dice may be rolled at once, too: that
    /// comes behind the moves.
    fn prospects(
        &self,
        _which: Option<&[usize]>,
        _look: Look,
        _effort: &mut Effort,
    ) -> Option<Vec<Prospect>> {
        None
    }

    /// How much more that roll is worth than an average one, and to whom.
    fn luck(&self, _roll: Roll, _effort: &mut Effort) -> Option<(Seat, f32)> {
        None
    }

    /// The position as data for a printer, as that viewer sees it.
    fn diagram(&self, view: &View) -> Diagram;

    /// The move that these steps begin, each written as it was offered before them. By default a
    /// move has no steps.
    ///
    /// # Errors
    /// The first step that was not offered.
    fn begun(&self, view: &View, steps: &[&str]) -> Result<Begun, MoveError> {
        making::spoken(self, view, steps)
    }

    /// The steps by one die with which a legal move can begin, as that viewer writes them: of those
    /// that [`Game::begun`] offers first. By default a move has no steps.
    fn first_steps(&self, _view: &View) -> Vec<NextStep> {
        Vec::new()
    }

    /// The ways of men that a move of a record tells, numbered as it is written; a press is a way
    /// of one place. By default a move touches no place.
    fn ways(_text: &str) -> Vec<Vec<Spot>> {
        Vec::new()
    }

    /// The move that is played for a player with these settings: by default the only one, unless
    /// the player wants to play everything by hand. A game that can tell without listing all moves
    /// does so: this is asked after every move.
    fn auto(&self, settings: &Choices) -> Option<Self::Move> {
        match &self.moves()[..] {
            [only] if !settings.has(super::MANUAL.switch.name) => Some(only.clone()),
            _ => None,
        }
    }

    /// Whether a player who rolls by hand is asked before this roll. A game in which something can
    /// be said there, and in which nothing can be now, rolls at once.
    fn asks_to_roll(&self) -> bool {
        true
    }

    /// What that seat can lose at most as things are, as an index into [`Spec::stakes`], counted
    /// from 1.
    fn stake(&self, _seat: Seat) -> u8 {
        1
    }

    /// A seat gives up for a stake, counted from 1. If that is less than it can lose, the other
    /// side is asked first.
    ///
    /// # Errors
    /// There is nothing to give up now.
    fn resign(&mut self, _seat: Seat, _stake: u8) -> Result<(), MoveError> {
        Err(MoveError::NothingToMove)
    }

    /// Plays on by chance until the game has ended, each legal move as likely as any other; returns
    /// how many moves were made, passes among them. A game with a faster way has its own.
    fn play_out(&mut self, below: RandomBelow) -> usize {
        playout::by_chance(self, below)
    }

    /// See [`perft()`]; a game with a faster way to count has its own.
    fn perft(options: &Choices, depth: u32) -> u64 {
        perft::by_listing::<Self>(options, depth)
    }
}
