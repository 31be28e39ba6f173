//! A template for a new game: the player who moves first moves the only man from a1 to b1, and the game
//! is a draw.
//!
//! It is compiled and tested like every other game, but nobody can play it. Copy this folder to
//! begin a new game.

use crate::kit::text::TextCursor;
use crate::kit::{
    Choices, Diagram, Game, Manner, MoveError, Next, Outcome, Piece, Seat, Spec, Spot, TiledBoard,
    View,
};
use std::fmt::{self, Display};

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    is_moved: bool,
}

/// The only move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlankMove;

const START: Spot = Spot::Square(1, 1);
const END: Spot = Spot::Square(2, 1);

impl Display for BlankMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{START}-{END}")
    }
}

impl Game for Position {
    type Move = BlankMove;

    const SPEC: Spec = Spec {
        name: "blank",
        title: "Blank",
        about: "a game of one move",
        sides: ["First", "Second"],
        help: "# Blank\n",
        manner: Manner { has_draws: true, ..Manner::PLAIN },
        ..Spec::PLAIN
    };

    fn setup(_options: &Choices) -> Self {
        Self { is_moved: false }
    }

    fn place(_options: &Choices, notation: &str) -> Result<Self, String> {
        match notation {
            "First F." => Ok(Self { is_moved: false }),
            "Second .F" => Ok(Self { is_moved: true }),
            _ => Err("a position is `First F.` or `Second .F`".into()),
        }
    }

    fn notation(&self) -> String {
        if self.is_moved { "Second .F".into() } else { "First F.".into() }
    }

    fn next(&self) -> Next {
        if self.is_moved {
            Next::Over(Outcome::Drawn { reason: "there is nothing to win" })
        } else {
            Next::Move(Seat(0))
        }
    }

    fn moves(&self) -> Vec<BlankMove> {
        if self.is_moved { Vec::new() } else { vec![BlankMove] }
    }

    fn spell(text: &str) -> Result<BlankMove, MoveError> {
        const EXPECTED: &str = "a move such as a1-b1";
        let mut reader = TextCursor::new(text);
        let way = [reader.tile(), reader.connector().then(|| reader.tile()).flatten()];
        match way {
            [Some(from), Some(to)] if reader.is_done() => {
                if (from, to) == (START.to_string(), END.to_string()) {
                    Ok(BlankMove)
                } else {
                    Err(MoveError::Illegal("the only move is a1-b1".into()))
                }
            }
            _ => Err(reader.expected(EXPECTED)),
        }
    }

    fn path(_m: &BlankMove) -> Vec<Spot> {
        vec![START, END]
    }

    fn play(&mut self, _m: &BlankMove) {
        self.is_moved = true;
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut board = TiledBoard::new(Self::SPEC.sides, 2, 1);
        board.put(if self.is_moved { END } else { START }, Piece::Man(Seat(0)));
        if self.is_moved {
            board.last = vec![START, END];
        }
        Diagram::Board(board)
    }
}

/// Facts that the tests of all games do not cover.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_drawn_as_soon_as_the_man_has_moved() {
        let mut position = Position::setup(&Choices::default());
        position.play(&position.read("A1 to B1").unwrap());
        assert!(matches!(position.next(), Next::Over(Outcome::Drawn { .. })));
    }
}
