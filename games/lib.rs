//! The rules of Postboard's games: values and pure functions.
//!
//! A game is a type that implements [`Game`]: its value is a position. One blanket implementation
//! erases it to text moves, and [`GAMES`] lists them all. Nothing here reads a file, a mail or a
//! clock, and nothing draws: [`Diagram`] says what is where.
//!
//! The program plays Backgammon against itself, and the record is replayed:
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
//! The main items:
//!
//! * [`GAMES`] and [`find`]: every game of the server as an [`AnyGame`], with its declaration in a
//!   [`Spec`]; it creates an [`AnyPosition`] from options or from notation.
//! * [`play_text`], [`advance`] and [`replay`]: play a player's text, continue to the next decision,
//!   and replay a record of [`Entry`]s.
//! * [`Analysis`]: a program's evaluation of every decision in a record.
//! * [`GameNets`]: the nets of a dice game, which evaluate a [`Situation`] before a roll;
//!   [`AnySituation`]: a situation of any such game.
//! * [`Thrower`]: a source of dice and stones. [`Chance`] follows from a seed, [`Scripted`] returns
//!   given results.
//! * [`Choices`]: the options of a board or the settings of a player, as a [`Switch`] or a
//!   [`Setting`] allows them.
//! * [`Stones`], [`Squares`] and [`Square`]: the nine-by-nine board; [`Press`]: a move there.
//! * [`AnyGame::perft`] and [`tournament`]: counts of move sequences, and games between programs.
//! * [`CONSOLE`] and [`console()`]: the real-time games, each a [`GameInProgress`] that shows
//!   [`Scene`]s and is replayed from its [`Tape`].

mod amazons;
mod backgammon;
mod bot;
mod checkers;
mod chess;
mod connect6;
mod connection;
mod corridor;
mod countlines;
mod dots;
mod draughts;
mod fevga;
mod fillit;
mod findthem;
mod go;
mod gomoku;
mod grid;
mod havannah;
mod hex;
mod hypergammon;
mod kit;
mod life;
mod live;
mod loa;
mod malaka;
mod moloko;
mod moultezim;
mod nackgammon;
mod nardy;
mod plakoto;
mod points;
mod portes;
mod programs;
mod reversi;
mod rows;
mod speedgo;
mod symmetry;
mod tavli;
mod twixt;
mod visiput;
mod y;

#[cfg(test)]
mod blank;

pub use bot::{GameNets, InputScales, InputWriter, Inputs, Net, NetWorkspace, Situation};
pub use grid::{Press, SIDES, SIZE, Square, Squares, Stones};
pub use kit::{
    AnalysedDecision, AnalysedMove, Analysis, AnyGame, AnyPosition, Chance, Choices, Contender,
    Corner, Corridor, Cube, Deal, DecisionKind, Diagram, DiceOnTable, Ending, EngineMove,
    EngineProtocol, EngineQuestion, Entry, EvaluatedMove, Evaluation, EvaluationBudget,
    EvaluationUnit, Falls, Format, Game, GameEntry, HexShape, MANUAL, MAX_FILES, ManKind, Manner,
    Match, MenKind, MoveError, Next, NextStep, Odds, Opinion, OptionError, Outcome, POSITION,
    PartialMove, Piece, Pile, Points, ROLL, RandomBelow, ReadTranscripts, ReplayError, Rim, Roll,
    Scope, Scripted, SearchDepth, Seat, SeatSettings, Setting, Spec, Spot, Switch, Throw, Thrower,
    TiledBoard, Tiling, TournamentEvent, TournamentResult, Transcript, Values, View, Wall, advance,
    bare, is_dash, play_text, replay, tournament,
};
pub use live::{
    CONSOLE, GameInProgress, GameSettings, Light, LiveGame, START_POINTS, Scene, TICKS, Tape,
    TapeError, console,
};
pub use programs::{AnyPlayKey, AnySituation};

/// Games that resemble each other, under one title in lists.
#[derive(Clone, Copy)]
pub struct Family {
    /// What the games have in common: `Connection`.
    pub title: &'static str,
    /// The games, the best known first.
    pub games: &'static [&'static dyn AnyGame],
}

/// Every game of the server, by families, in the order of lists.
pub const FAMILIES: &[Family] = &[
    Family {
        title: "Dice and walls",
        games: &[&GameEntry::<malaka::Position>::NEW, &GameEntry::<moloko::Position>::NEW],
    },
    Family {
        title: "Backgammon and tavli",
        games: &[
            &GameEntry::<backgammon::Position>::NEW,
            &GameEntry::<nackgammon::Position>::NEW,
            &GameEntry::<hypergammon::Position>::NEW,
            &GameEntry::<portes::Position>::NEW,
            &GameEntry::<plakoto::Position>::NEW,
            &GameEntry::<fevga::Position>::NEW,
            &GameEntry::<moultezim::Position>::NEW,
            &GameEntry::<nardy::Position>::NEW,
            &GameEntry::<tavli::Position>::NEW,
        ],
    },
    Family {
        title: "Chess and draughts",
        games: &[
            &GameEntry::<chess::Position>::NEW,
            &GameEntry::<checkers::Position>::NEW,
            &GameEntry::<draughts::Position<draughts::International>>::NEW,
        ],
    },
    Family {
        title: "Connection",
        games: &[
            &GameEntry::<hex::Position>::NEW,
            &GameEntry::<y::Position>::NEW,
            &GameEntry::<havannah::Position>::NEW,
            &GameEntry::<twixt::Position>::NEW,
            &GameEntry::<loa::Position>::NEW,
        ],
    },
    Family {
        title: "Stones in a row",
        games: &[&GameEntry::<gomoku::Position>::NEW, &GameEntry::<connect6::Position>::NEW],
    },
    Family {
        title: "Territory",
        games: &[
            &GameEntry::<go::Position>::NEW,
            &GameEntry::<amazons::Position>::NEW,
            &GameEntry::<dots::Position>::NEW,
        ],
    },
    Family {
        title: "The Maldoo board",
        games: &[
            &GameEntry::<reversi::Position>::NEW,
            &GameEntry::<life::Position>::NEW,
            &GameEntry::<symmetry::Position>::NEW,
            &GameEntry::<findthem::Position>::NEW,
            &GameEntry::<countlines::Position>::NEW,
            &GameEntry::<fillit::Position>::NEW,
            &GameEntry::<visiput::Position>::NEW,
            &GameEntry::<speedgo::Position>::NEW,
        ],
    },
];

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].games.len();
        family += 1;
    }
    count
};

/// Every game of the server, family by family.
pub static GAMES: &[&dyn AnyGame] = &{
    let mut games = [FAMILIES[0].games[0]; COUNT];
    let (mut at, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut index = 0;
        while index < FAMILIES[family].games.len() {
            games[at] = FAMILIES[family].games[index];
            at += 1;
            index += 1;
        }
        family += 1;
    }
    games
};

/// Returns the other games of a game's family.
pub fn relatives(name: &str) -> impl Iterator<Item = &'static dyn AnyGame> {
    let is_it = move |game: &&'static dyn AnyGame| game.spec().name == name;
    let family = FAMILIES.iter().find(|family| family.games.iter().any(&is_it));
    let games = family.map_or(&[] as &[_], |family| family.games);
    games.iter().copied().filter(move |game| !is_it(game))
}

/// Returns the names of all games.
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.spec().name)
}

/// Returns the title of a game, or the name of a game that there is not.
pub fn title(name: &str) -> &str {
    find(name).map_or(name, |game| game.spec().title)
}

/// Finds a game by name, case ignored.
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.spec().name.eq_ignore_ascii_case(name))
}
