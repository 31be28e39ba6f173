//! The family of draughts: men move diagonally over dark squares, jump over enemies to take them, and
//! become kings on the last row. A side that cannot move loses.
//!
//! A game of the family is a [`Variant`]: its declaration and its [`Rules`]. International Draughts is
//! one of them. Source: World Draughts Federation (FMJD), *Annex 1: official rules for international
//! draughts*, articles 3 to 6: a side takes as many men as it can, men take backwards, too, kings fly, a
//! man that passes over the last row stays a man, and men taken leave the board when the capture is
//! over. Ours: the draws of article 6 need no claim.

mod board;
mod draws;
mod notation;
mod pdn;
mod player;
mod reader;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use board::{CountedDraw, Rules, dark_squares};
pub(crate) use notation::{start_position, write_fen};
pub(crate) use pdn::{read as read_pdn, write as write_pdn};
pub(crate) use player::LEVELS;

use crate::kit::history::PositionHistory;
use crate::kit::tile::{Tile, TileSet};
use crate::kit::{
    Choices, Deal, Diagram, Format, Game, Manner, MenKind, MoveError, Next, Outcome, POSITION,
    Piece, RandomBelow, Seat, Spec, Spot, Switch, TiledBoard, Values, View,
};
use board::{Board, SIDE, Step};
use std::fmt::{self, Debug, Display};
use std::marker::PhantomData;

/// A square of the largest board.
pub(crate) type Square = Tile<SIDE>;

/// A game of the family.
pub(crate) trait Variant: Clone + Debug + Eq + Send + 'static {
    /// Its declaration.
    const SPEC: Spec;

    /// Its rules.
    const RULES: &'static Rules;

    /// Its type and board, as PDN numbers and describes games.
    const PDN_TYPE: &'static str;

    /// Returns the ballot with which the options begin the game, if they do: drawn already, or still to
    /// be drawn.
    fn ballot(_options: &Choices) -> Option<Ballot> {
        None
    }

    /// Returns the moves of a ballot.
    fn moves_of_ballot(_number: usize) -> Option<&'static str> {
        None
    }

    /// Draws a ballot.
    fn draw_ballot(_below: RandomBelow) -> usize {
        0
    }
}

/// The first moves of a game that no player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ballot {
    /// They are still to be drawn.
    Undrawn,
    /// Those with this number.
    Drawn(usize),
}

/// International Draughts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct International;

impl Variant for International {
    const SPEC: Spec = Spec {
        name: "draughts",
        title: "International Draughts",
        about: "take most, on ten by ten squares; kings fly",
        sides: ["White", "Black"],
        help: include_str!("../../help/draughts.md"),
        options: &[Switch {
            name: POSITION,
            values: Values::Position {
                read: start_position::<Self>,
                format: "FEN",
                takes: "a position in FEN, such as W:W31,32,K50:B1,2,K5",
                example: "W:W28,31,32,K50:B14,19,23,K5",
            },
            help: "the game begins from this position and is not rated",
        }],
        formats: FORMATS_OF_INTERNATIONAL,
        manner: Manner {
            levels: LEVELS,
            has_draws: true,
            turns: 50,
            minutes_to_learn: 5,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RULES: &'static Rules = &Rules {
        size: 10,
        dark: dark_squares(10),
        rows: 4,
        black: Seat(1),
        kings_fly: true,
        men_take_backwards: true,
        takes_most: true,
        crowning_stops: false,
        quiet: CountedDraw {
            men: u32::MAX,
            moves: 25,
            reason: "25 moves of each side by kings alone, without a capture",
        },
        endings: &[
            CountedDraw {
                men: 3,
                moves: 16,
                reason: "16 moves of each side with three men, a king among them, against a king",
            },
            CountedDraw {
                men: 2,
                moves: 5,
                reason: "5 moves of each side with two men at most, a king among them, against a king",
            },
        ],
    };

    const PDN_TYPE: &'static str = "20,W,10,10,N2,0";
}

const FORMATS_OF_INTERNATIONAL: &[Format] = &formats::<International>();

/// Returns the formats of a game.
pub(crate) const fn formats<V: Variant>() -> [Format; 2] {
    [
        Format {
            name: "pdn",
            about: "Portable Draughts Notation, which all draughts programs read",
            write: write_pdn::<V>,
            read: Some(read_pdn::<V>),
        },
        Format {
            name: "fen",
            about: "the position, as PDN writes it",
            write: write_fen::<V>,
            read: None,
        },
    ]
}

/// A position of a game of the family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position<V> {
    board: Board,
    ballot: Option<Ballot>,
    /// The numbers of the squares of the last move.
    last: Vec<u8>,
    /// The positions since a man was moved or taken, once a king has moved; this one is the last of them.
    past: PositionHistory,
    /// For each ending of the rules, the moves of both sides since it began.
    endings: [u8; draws::ENDINGS],
    variant: PhantomData<V>,
}

/// A move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DraughtsMove {
    /// The numbers of the squares where the man starts, lands and ends.
    path: Vec<u8>,
    /// Whether it takes men.
    takes: bool,
    /// Whether all its squares are written, because another capture has its start and its end.
    is_long: bool,
    /// The men taken.
    taken: TileSet,
}

impl DraughtsMove {
    /// Returns the move with all its squares.
    fn in_full(&self) -> String {
        Self { is_long: true, ..self.clone() }.to_string()
    }

    /// Returns the numbers of its start and its end.
    fn ends(&self) -> [Option<&u8>; 2] {
        [self.path.first(), self.path.last()]
    }
}

impl Display for DraughtsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.takes { "x" } else { "-" };
        let ends = self.ends().into_iter().flatten().copied().collect();
        let path = if self.is_long { &self.path } else { &ends };
        let path: Vec<String> = path.iter().map(ToString::to_string).collect();
        f.write_str(&path.join(sign))
    }
}

/// Returns the name of a side, as in "there is no white man".
fn side<V: Variant>(seat: Seat) -> String {
    V::SPEC.sides[seat.index()].to_lowercase()
}

impl<V: Variant> Position<V> {
    fn from_board(board: Board) -> Self {
        Self {
            board,
            ballot: None,
            last: Vec::new(),
            past: PositionHistory::default(),
            endings: [0; draws::ENDINGS],
            variant: PhantomData,
        }
    }

    fn is_undrawn(&self) -> bool {
        self.ballot == Some(Ballot::Undrawn)
    }

    /// Plays the moves of a ballot from the start.
    fn begin_with(&mut self, number: usize) {
        for text in V::moves_of_ballot(number).unwrap_or_default().split_ascii_whitespace() {
            if let Ok(m) = self.read(text) {
                self.play(&m);
            }
        }
        self.ballot = Some(Ballot::Drawn(number));
    }

    /// Returns the number of a square of the board.
    fn number(square: Square) -> u8 {
        V::RULES.number(square).unwrap_or_default()
    }

    /// Returns the step of a move.
    fn step(m: &DraughtsMove) -> Option<Step> {
        let [from, to] = m.ends().map(|end| V::RULES.square(*end?));
        Some(Step { from: from?, to: to?, taken: m.taken })
    }

    /// Lists the legal moves of an unfinished game.
    fn legal_moves(&self) -> Vec<DraughtsMove> {
        let steps = self.board.steps();
        if steps.first().is_some_and(|step| step.taken == 0) {
            let quiet = |step: &Step| DraughtsMove {
                path: [step.from, step.to].map(Self::number).to_vec(),
                takes: false,
                is_long: false,
                taken: 0,
            };
            return steps.iter().map(quiet).collect();
        }
        self.captures_along(&[], &steps)
    }

    /// Lists those of the legal captures `steps` that go along written squares; see [`Board::captures`].
    fn captures_along(&self, written: &[Square], steps: &[Step]) -> Vec<DraughtsMove> {
        let mut moves = Vec::new();
        self.board.captures(written, &mut |path, taken| {
            let [from, .., to] = *path else { return };
            if steps.contains(&Step { from, to, taken }) {
                let same_ends = steps.iter().filter(|step| (step.from, step.to) == (from, to));
                moves.push(DraughtsMove {
                    path: path.iter().copied().map(Self::number).collect(),
                    takes: true,
                    is_long: same_ends.count() > 1,
                    taken,
                });
            }
        });
        moves
    }

    /// Returns what the board says besides its men.
    fn notes(&self) -> Vec<String> {
        let kings = self.board.kings.map(|kings| kings != 0);
        let letters = V::SPEC.sides.iter().zip(kings).filter(|(_, has_kings)| *has_kings);
        let letters: Vec<&str> = letters.map(|(name, _)| &name[..1]).collect();
        let kings = match letters[..] {
            [] => None,
            [only] => Some(format!("{only} is a king")),
            _ => Some(format!("{} are kings", letters.join(" and "))),
        };
        let ballot = match self.ballot {
            Some(Ballot::Drawn(number)) => {
                let moves = V::moves_of_ballot(number).unwrap_or_default();
                Some(format!("The ballot is number {number}: {moves}"))
            }
            _ => None,
        };
        kings.into_iter().chain(self.draw_note()).chain(ballot).collect()
    }
}

impl<V: Variant> Game for Position<V> {
    type Move = DraughtsMove;

    const SPEC: Spec = V::SPEC;

    fn setup(options: &Choices) -> Self {
        let mut start = Self::from_board(Board::start(V::RULES));
        if let Some(text) = options.get(POSITION) {
            return Self::place(&Choices::default(), text).unwrap_or(start);
        }
        match V::ballot(options) {
            Some(Ballot::Drawn(number)) => start.begin_with(number),
            other => start.ballot = other,
        }
        start
    }

    fn place(options: &Choices, line: &str) -> Result<Self, String> {
        notation::place(options, line)
    }

    fn notation(&self) -> String {
        notation::write(self)
    }

    fn next(&self) -> Next {
        match self.outcome() {
            _ if self.is_undrawn() => Next::Deal,
            Some(outcome) => Next::Over(outcome),
            None => Next::Move(self.board.turn),
        }
    }

    fn moves(&self) -> Vec<DraughtsMove> {
        let is_on = matches!(self.next(), Next::Move(_));
        if is_on { self.legal_moves() } else { Vec::new() }
    }

    fn spell(text: &str) -> Result<DraughtsMove, MoveError> {
        reader::spell(V::RULES, text)
    }

    fn read(&self, text: &str) -> Result<DraughtsMove, MoveError> {
        self.read_move(text)
    }

    fn path(m: &DraughtsMove) -> Vec<Spot> {
        m.path.iter().filter_map(|number| V::RULES.square(*number)).map(Spot::from).collect()
    }

    fn play(&mut self, m: &DraughtsMove) {
        let Some(step) = Self::step(m) else { return };
        let before = self.board;
        self.board.make(step);
        self.last.clone_from(&m.path);
        self.count(&before, step);
    }

    fn deal(&self, below: RandomBelow) -> Deal {
        V::draw_ballot(below).to_string().parse().unwrap_or_default()
    }

    fn lay(&mut self, ballot: &Deal) -> Result<(), MoveError> {
        let text = ballot.to_string();
        let number = text.parse().ok().filter(|number: &usize| number.to_string() == text);
        let Some(number) = number.filter(|number| V::moves_of_ballot(*number).is_some()) else {
            return Err(MoveError::Illegal(format!("there is no ballot {text}")));
        };
        self.begin_with(number);
        Ok(())
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<DraughtsMove> {
        let Next::Move(_) = self.next() else { return None };
        let step = player::choose(&self.board, &self.past, level, below)?;
        self.legal_moves().into_iter().find(|m| Self::step(m) == Some(step))
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let Rules { size, black, .. } = *V::RULES;
        let mut tiles = TiledBoard::new(V::SPEC.sides, size, size);
        (tiles.men, tiles.dark, tiles.place) = (MenKind::Draughtsmen, black, "square".into());
        for seat in Seat::BOTH {
            for square in Square::all_in(self.board.men[seat.index()]) {
                tiles.put(square.into(), Piece::Man(seat));
            }
            for square in Square::all_in(self.board.kings[seat.index()]) {
                tiles.put(square.into(), Piece::King(seat));
            }
        }
        let spot = |number: &u8| V::RULES.square(*number).map(Spot::from);
        tiles.last = self.last.iter().filter_map(spot).collect();
        tiles.score =
            Some((Seat::BOTH.map(|seat| self.board.all(seat).count_ones()), "pieces".into()));
        if let Next::Move(seat) = self.next() {
            tiles.light = Some(seat);
        }
        tiles.notes = self.notes();
        Diagram::Board(tiles)
    }

    fn perft(options: &Choices, depth: u32) -> u64 {
        Self::setup(options).board.perft(depth)
    }
}

impl<V: Variant> Position<V> {
    /// Returns how the game has ended.
    fn outcome(&self) -> Option<Outcome> {
        if self.board.can_move() {
            return self.drawn().map(|reason| Outcome::Drawn { reason });
        }
        let has_men = self.board.all(self.board.turn) != 0;
        let reason = if has_men { "by blocking all men" } else { "by taking all men" };
        Some(Outcome::Won { by: self.board.turn.other(), points: 1, reason })
    }
}
