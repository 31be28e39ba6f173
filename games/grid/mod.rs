//! The square-board family: games of green and red in which a player presses points of a
//! nine-by-nine board.
//!
//! A game defines what differs in [`PressGame`]; spelling, notation and diagram are shared. Source:
//! S4, *Playing Maldoo* by Yehouda Harpaz. Where it is silent, "ours" says so.

mod counts;
mod line;
mod presses;
pub(crate) mod search;
mod squares;
mod stones;

pub(crate) use counts::Counts;
pub(crate) use line::{NotationLine, SquareList};
pub(crate) use squares::leaps;
pub use squares::{SIZE, Square, Squares};
pub use stones::Stones;

use crate::kit::text::{TextCursor, parse_move};
use crate::kit::{
    Choices, Deal, Diagram, Game, MoveError, Next, NextStep, PartialMove, RandomBelow, Seat, Spec,
    Spot, TiledBoard, View,
};
use std::borrow::Cow;
use std::fmt::{self, Debug, Display};

/// The names of the two colours, first mover first.
pub const SIDES: [&str; 2] = ["Green", "Red"];

/// A move of these games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A press of a point.
    At(Square),
    /// A pass.
    Pass,
}

impl Display for Press {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(square) => write!(f, "{square}"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

/// A square board as a game of this family sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The rows from the top, one mark a square: `.` dark, `G` green, `R` red, `g` and `r` points
    /// that nobody has found, or another letter explained in [`Grid::notes`].
    pub(crate) rows: Vec<String>,
    /// The squares pressed last.
    pub(crate) last: Vec<Square>,
    /// The squares to mark as legal presses.
    pub(crate) legal: Squares,
    /// See [`TiledBoard::score`].
    pub(crate) score: Option<([u32; 2], Cow<'static, str>)>,
    /// See [`TiledBoard::light`].
    pub(crate) light: Option<Seat>,
    /// See [`TiledBoard::notes`].
    pub(crate) notes: Vec<String>,
}

impl Grid {
    /// Returns the drawing data for these sides. A smaller board is the lower left part, so its
    /// squares are spots of the same names.
    fn into_board(self, sides: [&'static str; 2]) -> TiledBoard {
        let size = u8::try_from(self.rows.len()).unwrap_or(SIZE);
        let mut board = TiledBoard::new(sides, size, size);
        board.put_rows(&self.rows);
        board.last = self.last.into_iter().map(Spot::from).collect();
        board.legal = self.legal.iter().map(Spot::from).collect();
        (board.score, board.light, board.notes) = (self.score, self.light, self.notes);
        board
    }
}

/// The rules of one game of this family. A value is a position.
pub(crate) trait PressGame: Clone + Eq + Debug + Send + 'static {
    /// The game's declaration.
    const SPEC: Spec;

    /// See [`Game::RULES`].
    const RULES: u32 = 1;

    /// Returns the start of a game with these options.
    fn setup(options: &Choices) -> Self;

    /// See [`Game::setup_by`].
    fn setup_by(options: &Choices, _rules: u32) -> Self {
        Self::setup(options)
    }

    /// Parses a position.
    ///
    /// # Errors
    /// What is wrong, without a full stop.
    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String>;

    /// Returns the position as a line; the inverse of [`PressGame::placed`].
    fn line(&self) -> NotationLine;

    /// Returns what the position waits for, never dice.
    fn next(&self) -> Next;

    /// Returns the points that the side to move may press.
    fn legal(&self) -> Squares;

    /// Returns whether the side to move may pass: by default only where it cannot press.
    fn may_pass(&self) -> bool {
        self.legal().is_empty()
    }

    /// Explains why the side to move may not press a point: "e5 is lit".
    fn forbids(&self, square: Square) -> String;

    /// Presses a legal point.
    fn press(&mut self, square: Square);

    /// Passes where that is legal.
    fn pass(&mut self);

    /// Returns the board as a viewer sees it.
    fn grid(&self, view: &View) -> Grid;

    /// See [`Game::deal`].
    fn deal(&self, _below: RandomBelow) -> Stones {
        Stones::default()
    }

    /// See [`Game::lay`].
    fn lay(&mut self, _stones: Stones) -> Result<(), MoveError> {
        Err(MoveError::NothingToMove)
    }

    /// See [`Game::visible_notation`].
    fn visible_notation(&self, _view: &View) -> String {
        self.line().to_string()
    }

    /// See [`Game::finish`].
    fn finish(&self) -> Option<Press> {
        None
    }

    /// See [`Game::choose`].
    fn choose(&self, _level: u8, _below: RandomBelow) -> Option<Press> {
        None
    }

    /// See [`Game::perft`].
    fn perft(options: &Choices, depth: u32) -> u64 {
        crate::kit::perft_by_listing::<Self>(options, depth)
    }
}

impl<P: PressGame> Game for P {
    type Move = Press;

    const SPEC: Spec = <P as PressGame>::SPEC;

    const RULES: u32 = <P as PressGame>::RULES;

    fn setup(options: &Choices) -> Self {
        <P as PressGame>::setup(options)
    }

    fn setup_by(options: &Choices, rules: u32) -> Self {
        <P as PressGame>::setup_by(options, rules)
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        let mut line = NotationLine::parse(notation)?;
        let position = P::placed(options, &mut line)?;
        line.end()?;
        Ok(position)
    }

    fn notation(&self) -> String {
        self.line().to_string()
    }

    fn next(&self) -> Next {
        PressGame::next(self)
    }

    fn moves(&self) -> Vec<Press> {
        if !matches!(PressGame::next(self), Next::Move(_)) {
            return Vec::new();
        }
        let pass = self.may_pass().then_some(Press::Pass);
        self.legal().iter().map(Press::At).chain(pass).collect()
    }

    fn spell(text: &str) -> Result<Press, MoveError> {
        spelled(text)
    }

    fn is_legal(&self, m: &Press) -> bool {
        match *m {
            Press::At(square) => self.legal().contains(square),
            Press::Pass => self.may_pass(),
        }
    }

    fn explain_illegal(&self, m: &Press) -> String {
        match *m {
            Press::At(square) => self.forbids(square),
            Press::Pass => "you may not pass while you can press a point".into(),
        }
    }

    fn path(m: &Press) -> Vec<Spot> {
        match *m {
            Press::At(square) => vec![square.into()],
            Press::Pass => Vec::new(),
        }
    }

    /// Returns nothing: a press moves no man.
    fn first_steps(&self, _view: &View) -> Vec<NextStep> {
        Vec::new()
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        presses::partial_move(self, view, steps)
    }

    fn play(&mut self, m: &Press) {
        match *m {
            Press::At(square) => self.press(square),
            Press::Pass => self.pass(),
        }
    }

    fn diagram(&self, view: &View) -> Diagram {
        Diagram::Board(self.grid(view).into_board(<P as PressGame>::SPEC.sides))
    }

    fn deal(&self, below: RandomBelow) -> Deal {
        PressGame::deal(self, below).into()
    }

    fn lay(&mut self, deal: &Deal) -> Result<(), MoveError> {
        let stones = deal.to_string().parse();
        let stones =
            stones.map_err(|expected| MoveError::Illegal(format!("expected {expected}")))?;
        PressGame::lay(self, stones)
    }

    fn visible_notation(&self, view: &View) -> String {
        PressGame::visible_notation(self, view)
    }

    fn finish(&self) -> Option<Press> {
        PressGame::finish(self)
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        PressGame::choose(self, level, below)
    }

    fn perft(options: &Choices, depth: u32) -> u64 {
        <P as PressGame>::perft(options, depth)
    }
}

/// Returns the mode that was chosen, of a switch `mode` whose default is 0.
pub(crate) fn mode(options: &Choices) -> u8 {
    options.get("mode").and_then(|mode| mode.parse().ok()).unwrap_or(0)
}

/// Parses a press, legal or not.
fn spelled(text: &str) -> Result<Press, MoveError> {
    parse_move(text, None, |mut reader| {
        let press = if reader.whole_word("pass") {
            Ok(Press::Pass)
        } else {
            match point(&mut reader)? {
                WrittenPoint::OnBoard(square) => Ok(Press::At(square)),
                WrittenPoint::Outside(error) => Err(error),
            }
        };
        if reader.is_done() { press } else { Err(reader.expected("nothing more")) }
    })
}

/// A point as a player writes it.
enum WrittenPoint {
    OnBoard(Square),
    /// A point outside the board is readable, but illegal.
    Outside(MoveError),
}

/// Reads a point.
fn point(reader: &mut TextCursor) -> Result<WrittenPoint, MoveError> {
    const EXPECTED: &str = "a point such as e5, or `pass`";
    let Some(written) = reader.tile() else { return Err(reader.expected(EXPECTED)) };
    Ok(written.parse().map_or_else(
        |_| {
            WrittenPoint::Outside(MoveError::Illegal(format!(
                "there is no point {written}: the columns are a to i, the lines 1 to 9"
            )))
        },
        WrittenPoint::OnBoard,
    ))
}

#[cfg(test)]
mod tests {
    use crate::kit::{Choices, Entry, MoveError, Next, Scripted, play_text};

    /// Returns the entry, or the refusal, of a text at the start of a game.
    fn said(game: &str, text: &str) -> String {
        let mut position = crate::find(game).unwrap().setup(&Choices::default());
        while position.next() == Next::Deal {
            let stones = position.deal(&mut |_| 0);
            position.lay(stones).unwrap();
        }
        let Next::Move(seat) = position.next() else { panic!("somebody is to move") };
        let readable = position.can_read(text);
        let entries = match play_text(&mut *position, seat, text, &mut Scripted::default()) {
            Ok(entries) => entries,
            Err(error) => {
                assert_eq!(readable, !matches!(error, MoveError::Unreadable { .. }), "{text}");
                return error.to_string();
            }
        };
        assert!(readable, "{text}");
        let text =
            |entry: Entry| if let Entry::Moved { text, .. } = entry { text } else { panic!() };
        entries.into_iter().map(text).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn a_press_is_understood_as_people_write_it() {
        for text in [
            "e5", "E5", " e5 ", "e 5", "e5.", "e5!", "e5 !!", "e5,", "e5;", "1. e5", "1) E5",
            "12: e5",
        ] {
            assert_eq!(said("fillit", text), "e5", "{text}");
        }
        for (text, why) in [
            ("e5 e6", "expected nothing more at column 4"),
            ("e5?", "expected nothing more at column 3"),
            ("1.5", "expected a point such as e5, or `pass` at column 1"),
            ("z9", "there is no point z9: the columns are a to i, the lines 1 to 9"),
            ("z9 is fine", "expected nothing more at column 4"),
            ("1. hello", "expected a point such as e5, or `pass` at column 4"),
        ] {
            assert_eq!(said("fillit", text), why, "{text}");
        }
    }

    #[test]
    fn several_presses_are_understood_as_people_write_them() {
        for text in [
            "b2,a4",
            "b2, a4",
            "b2 a4",
            "B2 A4",
            "b2 ,a4",
            "b2; a4.",
            "b2 and a4",
            "b2, then a4!",
            "b2 & a4,",
            "b 2 a 4",
            "b2\u{a0}\u{a0}a4",
            "1. b2 a4",
        ] {
            assert_eq!(said("life", text), "b2,a4,pass", "{text}");
        }
        for (text, why) in [
            ("b2,,a4", "expected a point such as e5, or `pass` at column 4"),
            ("b2 a4 hello", "expected a point such as e5, or `pass` at column 7"),
            ("\u{a0}b2, z", "expected a point such as e5, or `pass` at column 6"),
            ("1. b2 z", "expected a point such as e5, or `pass` at column 7"),
        ] {
            assert_eq!(said("life", text), why, "{text}");
        }
    }
}
