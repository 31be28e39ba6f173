//! The types that all games share, and functions for any game.
//!
//! `game`, `path_steps` and `perft` refer to each other: the trait has default methods that are written
//! in terms of its other methods.

mod analysis;
mod any_game;
pub(crate) mod cell;
pub(crate) mod chance;
mod choices;
mod deal;
mod diagram;
mod dice;
mod engine;
mod evaluation;
#[cfg(test)]
pub(crate) mod fixtures;
mod game;
pub(crate) mod game_text;
pub(crate) mod history;
#[cfg(test)]
pub(crate) mod laws;
pub(crate) mod minimax;
mod move_error;
mod partial_move;
pub(crate) mod path_steps;
mod perft;
pub(crate) mod play_search;
pub(crate) mod playout_search;
mod record;
mod seat;
pub(crate) mod sgf;
mod spot;
pub(crate) mod text;
mod thrower;
pub(crate) mod tile;
mod tiled_board;
pub(crate) mod tiled_line;
mod tournament;
pub(crate) mod written_path;

pub use analysis::{
    AnalysedDecision, AnalysedMove, Analysis, DecisionKind, EvaluatedMove, Opinion,
};
pub use any_game::{AnyGame, AnyPosition, GameEntry};
pub use chance::{Chance, RandomBelow};
pub use choices::{Choices, MANUAL, OptionError, POSITION, Scope, Setting, Switch, Values};
pub use deal::Deal;
pub use diagram::{Corner, Corridor, Cube, Diagram, DiceOnTable, Match, Pile, Points, Rim, Wall};
pub(crate) use dice::Dice;
pub use dice::{Roll, Throw};
pub use engine::{EngineMove, EngineProtocol, EngineQuestion};
pub(crate) use evaluation::GammonValue;
pub use evaluation::{Evaluation, EvaluationBudget, EvaluationUnit, Odds, SearchDepth};
pub(crate) use game::GameResult;
pub use game::{
    Ending, Format, Game, Manner, Next, Outcome, ReadTranscripts, Spec, Transcript, View,
};
pub use move_error::MoveError;
pub use partial_move::{NextStep, PartialMove};
pub(crate) use partial_move::{StepsSoFar, first_steps, make_steps, whole_moves};
#[cfg(test)]
pub(crate) use perft::count_from;
pub(crate) use perft::perft_by_listing;
pub(crate) use record::apply_entry;
pub use record::{Entry, ReplayError, SeatSettings, advance, play_text, replay};
pub use seat::Seat;
pub use spot::{MAX_FILES, Spot};
pub use text::{ROLL, bare, is_dash};
pub use thrower::{Falls, Scripted, Thrower};
pub use tiled_board::{HexShape, ManKind, MenKind, Piece, TiledBoard, Tiling};
pub use tournament::{Contender, TournamentEvent, TournamentResult, tournament};
