//! A template for a new game: the player who moves first says `done`, and the game is a draw.
//!
//! It is compiled and tested like every other game, but nobody can play it. Copy this folder to
//! begin a new game.

use crate::kit::text::TextCursor;
use crate::kit::{
    Choices, Diagram, Game, Grid, Manner, MoveError, Next, Outcome, Roll, Seat, Spec, View,
};
use std::fmt::{self, Display};

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    done: bool,
}

/// The only move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlankMove;

impl Display for BlankMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("done")
    }
}

impl Game for Position {
    type Move = BlankMove;

    const SPEC: Spec = Spec {
        name: "blank",
        title: "Blank",
        about: "a game of two words",
        sides: ["First", "Second"],
        help: "# Blank\n",
        verbs: &["done"],
        options: &[],
        exclusive: &[],
        settings: &[],
        stakes: &[],
        formats: &[],
        manner: Manner { draws: true, ..Manner::PLAIN },
    };

    fn setup(_options: &Choices) -> Self {
        Self { done: false }
    }

    fn place(_options: &Choices, notation: &str) -> Result<Self, String> {
        match notation {
            "First -" => Ok(Self { done: false }),
            "Second -" => Ok(Self { done: true }),
            _ => Err("a position of nothing is `First -` or `Second -`".into()),
        }
    }

    fn notation(&self) -> String {
        format!("{} -", Self::SPEC.sides[usize::from(self.done)])
    }

    fn next(&self) -> Next {
        if self.done {
            Next::Over(Outcome::Drawn { reason: "there is nothing to win" })
        } else {
            Next::Move(Seat(0))
        }
    }

    fn moves(&self) -> Vec<BlankMove> {
        if self.done { Vec::new() } else { vec![BlankMove] }
    }

    fn read(&self, text: &str) -> Result<BlankMove, MoveError> {
        let mut reader = TextCursor::new(text);
        if reader.word("done") && reader.is_done() {
            Ok(BlankMove)
        } else {
            Err(reader.expected("done"))
        }
    }

    fn read_recorded(&self, text: &str) -> Result<BlankMove, MoveError> {
        let read = self.read(text)?;
        if read.to_string() == text { Ok(read) } else { Err(MoveError::NothingToMove) }
    }

    fn play(&mut self, _done: &BlankMove) {
        self.done = true;
    }

    /// Does nothing: no dice are ever asked for.
    fn roll(&mut self, _roll: Roll) {}

    fn diagram(&self, _view: &View) -> Diagram {
        Diagram::Grid(Grid { rows: vec![".".to_owned()], ..Grid::default() })
    }
}

/// Facts that the tests of all games do not cover.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_drawn_as_soon_as_it_is_done() {
        let mut position = Position::setup(&Choices::default());
        position.play(&position.read("DONE").unwrap());
        assert!(matches!(position.next(), Next::Over(Outcome::Drawn { .. })));
    }
}
