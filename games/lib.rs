//! The rules of Postboard's games: values and pure functions.
//!
//! A game is a type that implements [`Game`]: its value is a position. One blanket implementation
//! erases it to text moves, and [`GAMES`] lists them all. Nothing here reads a file, a mail or a
//! clock, and nothing draws: [`Diagram`] says what is where.
//!
//! A game of Backgammon that the program plays against itself, and its record played again:
//!
//! ```
//! use games::{Chance, Choices, Next, SeatSettings, advance, find, replay};
//!
//! let backgammon = find("backgammon").expect("it is one of the games");
//! let mut board = backgammon.setup(&Choices::default());
//! let program = |_seat| SeatSettings { settings: Choices::default(), level: Some(1) };
//! let record = advance(&mut *board, &mut Chance::new(2026), &program);
//! assert!(matches!(board.next(), Next::Over(_)));
//!
//! let mut again = backgammon.setup(&Choices::default());
//! replay(&mut *again, &record).expect("a record can be played again");
//! assert_eq!(again.notation(), board.notation());
//! ```
//!
//! The crate offers:
//!
//! * [`GAMES`] and [`find`]: every game of the server, as an [`AnyGame`] that declares itself in a
//!   [`Spec`] and makes an [`AnyPosition`] from options or from a line of notation.
//! * [`say`], [`advance`] and [`replay`]: what a player says, what follows of itself, and what a
//!   record of [`Entry`]s comes to.
//! * [`Analysis`]: what a game's program thinks of a record, and of what could have been done.
//! * [`GameNets`]: the nets of a game with dice, which judge a [`Situation`] before a roll;
//!   [`AnySituation`]: that of any game, by its name.
//! * [`Thrower`]: where dice and stones come from. [`Chance`] follows from a seed, [`Scripted`]
//!   falls as it was told to.
//! * [`Choices`]: the options of a board or the settings of a player, as a [`Switch`] or a
//!   [`Setting`] allows them.
//! * [`Stones`], [`Squares`] and [`Square`]: what is on nine by nine points; [`Press`]: a move
//!   there.
//! * [`perft()`] and [`tournament`]: counting how moves branch, and letting programs play each
//!   other.
//! * [`CONSOLE`] and [`console()`]: the games played in ticks of time, each a [`GameInProgress`] that shows
//!   [`Scene`]s and is played again from its [`Tape`].

mod backgammon;
mod bot;
mod corridor;
mod countlines;
mod fillit;
mod findthem;
mod grid;
mod kit;
mod life;
mod live;
mod malaka;
mod moloko;
mod moultezim;
mod plakoto;
mod points;
mod programs;
mod reversi;
mod speedgo;
mod symmetry;
mod visiput;

#[cfg(test)]
mod blank;

pub use bot::{GameNets, InputScales, InputWriter, Inputs, Net, NetWorkspace, Situation};
pub use grid::{Press, SIZE, Square, Squares, Stones};
pub use kit::{
    AnalysedDecision, Analysis, AnyGame, AnyPosition, Begun, Chance, Choices, Contender, Corner,
    Corridor, Cube, DecisionKind, Diagram, DiceOnTable, Effort, Entry, EvaluatedMove, Falls,
    Format, Game, GameEntry, Grid, Look, MANUAL, Manner, Match, MoveError, Next, NextStep, Odds,
    OptionError, Outcome, POSITION, Pile, Points, Prospect, ROLL, RandomBelow, ReadTranscript, Rim,
    Roll, Scope, Scripted, Seat, SeatSettings, Setting, Spec, Spot, Switch, Throw, Thrower,
    TournamentEvent, TournamentResult, Transcript, Unit, Values, View, Wall, advance, bare,
    is_dash, perft, replay, say, tournament,
};
pub use live::{
    CONSOLE, GameInProgress, GameSettings, Light, LiveGame, START_POINTS, Scene, TICKS, Tape,
    TapeError, console,
};
pub use programs::{AnyPlayKey, AnySituation};

/// Every game of the server, in the order in which they are listed to people.
pub static GAMES: &[&dyn AnyGame] = &[
    &GameEntry::<malaka::Position>::NEW,
    &GameEntry::<moloko::Position>::NEW,
    &GameEntry::<moultezim::Position>::NEW,
    &GameEntry::<backgammon::Position>::NEW,
    &GameEntry::<plakoto::Position>::NEW,
    &GameEntry::<reversi::Position>::NEW,
    &GameEntry::<life::Position>::NEW,
    &GameEntry::<symmetry::Position>::NEW,
    &GameEntry::<findthem::Position>::NEW,
    &GameEntry::<countlines::Position>::NEW,
    &GameEntry::<fillit::Position>::NEW,
    &GameEntry::<visiput::Position>::NEW,
    &GameEntry::<speedgo::Position>::NEW,
];

/// The game of that name, case ignored.
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.spec().name.eq_ignore_ascii_case(name))
}
