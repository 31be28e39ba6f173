//! The rules of Postboard's games: values and pure functions.
//!
//! A game is a type that implements [`Game`]: its value is a position. One blanket
//! implementation erases it to text moves, and [`GAMES`] lists them all. Nothing here reads a
//! file, a mail or a clock, and nothing draws: [`Diagram`] says what stands where.

mod backgammon;
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
mod reversi;
mod speedgo;
mod symmetry;
mod visiput;

#[cfg(test)]
mod blank;

pub use grid::{Press, SIZE, Square, Squares, Stones};
pub use kit::{
    Again, AnyGame, AnyPosition, Below, Chance, Choices, Contender, Corner, Corridor, Cube,
    Diagram, DiceOnTable, Entry, Format, Game, Grid, Likes, MANUAL, Manner, Match, MoveError, Next,
    Of, OptionError, Outcome, Pile, Points, ROLL, ReadTranscript, Rim, Roll, Scope, Scripted, Seat,
    Setting, Spec, Switch, Tally, Throw, Thrower, Transcript, Values, View, Wall, advance, bare,
    is_dash, perft, replay, say, tournament,
};
pub use live::{
    CONSOLE, Light, Live, LiveGame, START_POINTS, Scene, Sitting, TICKS, Tape, TapeError, console,
};

/// Every game of the server, in the order in which they are listed to people.
pub static GAMES: &[&dyn AnyGame] = &[
    &Of::<malaka::Position>::NEW,
    &Of::<moloko::Position>::NEW,
    &Of::<moultezim::Position>::NEW,
    &Of::<backgammon::Position>::NEW,
    &Of::<plakoto::Position>::NEW,
    &Of::<reversi::Position>::NEW,
    &Of::<life::Position>::NEW,
    &Of::<symmetry::Position>::NEW,
    &Of::<findthem::Position>::NEW,
    &Of::<countlines::Position>::NEW,
    &Of::<fillit::Position>::NEW,
    &Of::<visiput::Position>::NEW,
    &Of::<speedgo::Position>::NEW,
];

/// The game of that name, case ignored.
pub fn find(name: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.spec().name.eq_ignore_ascii_case(name))
}
