//! Go: two sides surround points with their stones, and the larger area wins.
//!
//! Source: J. Tromp and B. Taylor, *The Logical Rules of Go* (area scoring, positional superko); the rules
//! of the Chinese Weiqi Association (no suicide, komi, handicap). After two passes both sides agree on the
//! dead stones, as on the Dragon Go Server and KGS; ours: the server proposes them first, a game has one
//! such phase, and whatever is on the board counts when both pass again.

mod board;
mod gtp;
mod notation;
mod player;
mod record;
mod scoring;
#[cfg(test)]
mod tests;

use crate::kit::text::{TextCursor, parse_move};
use crate::kit::{
    Choices, Diagram, EngineProtocol, EngineQuestion, Game, Manner, MenKind, MoveError, Next,
    NextStep, Outcome, PartialMove, Piece, RandomBelow, Seat, Spec, Spot, Switch, TiledBoard,
    Tiling, Transcript, Values, View, path_steps, sgf,
};
use board::{Board, Point, PointSet};
use scoring::Scoring;
use std::fmt::{self, Display};

/// The sizes of a board, the usual one first.
const SIZES: &[&str] = &["19", "13", "9", "7", "5"];

/// The sides. Seat 0 moves first in a game without a handicap.
const SIDES: [&str; 2] = ["Black", "White"];

/// White's komi in half points: in an even game, and with a handicap.
const KOMI: u32 = 15;
const HANDICAP_KOMI: u32 = 1;

/// The highest komi in half points.
const MAX_KOMI: u32 = 100;

/// The most stones of a handicap.
const MAX_HANDICAP: u32 = 9;

const PASS: &str = "pass";
const AGREE: &str = "agree";
const CONTINUE: &str = "continue";
const DEAD: &str = "dead";
const ALIVE: &str = "alive";

/// A position of Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// White's komi in half points.
    komi: u32,
    /// The board and the side to move at the start, and whether they are not those of the options.
    start: (Board, Seat),
    is_placed: bool,
    /// The moves since the start.
    moves: Vec<GoMove>,
    board: Board,
    turn: Seat,
    /// The boards that have been, by their hashes; this one is the last of them.
    past: Vec<u64>,
    /// The passes in a row.
    passes: u8,
    /// The agreement on dead stones, once both sides have passed.
    scoring: Option<Scoring>,
    /// Whether the agreement has failed: now all stones count when both sides pass.
    all_count: bool,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoMove {
    /// A stone on a point.
    Stone(Point),
    /// No stone.
    Pass,
    /// The proposal that the chain of a stone is dead, or that it is alive.
    Mark {
        /// A stone of the chain: the first one in lists and in records.
        stone: Point,
        /// Whether it is dead.
        is_dead: bool,
    },
    /// Agreement with the dead stones as they are marked.
    Agree,
    /// The wish to play on.
    Continue,
}

impl Display for GoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(point) => point.fmt(f),
            Self::Pass => f.write_str(PASS),
            Self::Mark { stone, is_dead } => {
                write!(f, "{} {stone}", if *is_dead { DEAD } else { ALIVE })
            }
            Self::Agree => f.write_str(AGREE),
            Self::Continue => f.write_str(CONTINUE),
        }
    }
}

/// Returns the points of a handicap: corners, then sides and the centre.
fn handicap_points(size: u8, stones: u32) -> Vec<Point> {
    let low = TiledBoard::star_distance(size);
    let (middle, high) = (size.div_ceil(2), size + 1 - low);
    let corners = [(low, low), (high, high), (high, low), (low, high)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    // An odd number above four has the centre.
    let has_centre = stones > 4 && stones % 2 == 1;
    let around = usize::try_from(stones).unwrap_or(0) - usize::from(has_centre);
    let around = corners.into_iter().chain(sides).take(around);
    let points = around.chain(has_centre.then_some((middle, middle)));
    points.map(|(column, rank)| Point::at(column, rank)).collect()
}

impl Position {
    /// Returns a position without moves.
    fn begun(board: &Board, turn: Seat, komi: u32) -> Self {
        Self {
            komi,
            start: (*board, turn),
            is_placed: false,
            moves: Vec::new(),
            board: *board,
            turn,
            past: vec![board.hash()],
            passes: 0,
            scoring: None,
            all_count: false,
        }
    }

    /// Returns whether a game is over.
    fn is_over(&self) -> bool {
        let is_agreed = self.scoring.as_ref().is_some_and(Scoring::is_agreed);
        is_agreed || self.all_count && self.passes == 2
    }

    /// Returns the stones that do not count.
    fn dead(&self) -> PointSet {
        self.scoring.as_ref().map(|scoring| scoring.dead).unwrap_or_default()
    }

    /// Returns the territory of both sides, with the dead stones of the other side.
    fn territory(&self) -> Vec<(Point, Seat)> {
        let dead = self.dead();
        let stones = self.board.points().filter(|point| dead.contains(*point));
        let stones = stones.filter_map(|point| Some((point, self.board.at(point)?.other())));
        let empty = self.board.without(&dead).territory().into_iter();
        empty.filter(|(point, _)| !dead.contains(*point)).chain(stones).collect()
    }

    /// Returns how many half points Black has more than White, if these stones are dead.
    fn lead(&self, dead: &PointSet) -> i64 {
        let [black, white] = self.board.without(dead).area().map(i64::from);
        2 * (black - white) - i64::from(self.komi)
    }

    /// Returns whether a stone on an empty point would repeat a board that has been.
    fn repeats(&self, point: Point) -> bool {
        self.past.contains(&self.board.hash_after(self.turn, point))
    }

    fn can_place(&self, point: Point) -> bool {
        self.board.is_empty(point) && self.board.can_live(self.turn, point) && !self.repeats(point)
    }

    /// Returns a move as the record has it here. While dead stones are marked a point is a mark, such as
    /// the one before it in the same turn, and a chain is named by its first stone.
    fn settled(&self, m: GoMove) -> GoMove {
        let marked = match (m, self.moves.last()) {
            (GoMove::Stone(stone), Some(GoMove::Mark { is_dead, .. }))
                if self.scoring.is_some() =>
            {
                GoMove::Mark { stone, is_dead: *is_dead }
            }
            (GoMove::Stone(point), _) => self.at_point(point),
            _ => m,
        };
        match marked {
            GoMove::Mark { stone, .. } if self.board.at(stone).is_none() => m,
            GoMove::Mark { stone, is_dead } => {
                GoMove::Mark { stone: self.board.first_of_chain(stone), is_dead }
            }
            _ => marked,
        }
    }

    /// Returns the move at a point: a stone, or the other mark of the stone that is there.
    fn at_point(&self, point: Point) -> GoMove {
        match &self.scoring {
            None => GoMove::Stone(point),
            Some(scoring) => GoMove::Mark { stone: point, is_dead: !scoring.dead.contains(point) },
        }
    }

    /// Explains why no stone can be placed.
    fn explain_stone(&self, point: Point) -> String {
        if !self.board.is_on_board(point) {
            let end = Point::at(self.board.size(), self.board.size());
            format!("there is no point {point}: this board ends at {end}")
        } else if self.scoring.is_some() {
            format!("no stone is placed on {point} before one of you says `{CONTINUE}`")
        } else if !self.board.is_empty(point) {
            format!("there is already a stone on {point}")
        } else if self.board.can_live(self.turn, point) {
            format!("a stone on {point} would make a board again that has been before")
        } else {
            format!("a stone on {point} would have no liberty")
        }
    }

    /// Returns the board with its stones, for the drawing and the notation.
    fn tiles(board: &Board) -> TiledBoard {
        let mut tiles = TiledBoard::new(SIDES, board.size(), board.size());
        (tiles.tiling, tiles.men, tiles.dark) = (Tiling::Lines, MenKind::Discs, Seat(0));
        tiles.skips_i = true;
        for point in board.points() {
            if let Some(seat) = board.at(point) {
                tiles.put(point.into(), Piece::Man(seat));
            }
        }
        tiles
    }

    /// Returns what the board says besides its stones.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.all_count && !self.is_over() {
            notes.push("when both pass again, all stones on the board count".to_owned());
        }
        if let Some(scoring) = &self.scoring {
            notes.extend(self.notes_of(scoring));
        }
        if self.scoring.is_some() || self.is_over() {
            let lead = self.lead(&self.dead());
            let by = u32::try_from(lead.unsigned_abs()).unwrap_or(u32::MAX);
            let (side, by) = (SIDES[usize::from(lead < 0)], Values::of_halves(by));
            let komi = Values::of_halves(self.komi);
            let verb = if self.is_over() { "wins" } else { "leads" };
            let result = match lead {
                0 => "both have the same".to_owned(),
                _ => format!("{side} {verb} by {by} points"),
            };
            notes.push(format!("counting White's komi of {komi} points, {result}"));
        }
        notes
    }
}

impl Game for Position {
    type Move = GoMove;

    const SPEC: Spec = Spec {
        name: "go",
        title: "Go",
        about: "surround more points than your opponent",
        sides: SIDES,
        help: include_str!("../../help/go.md"),
        verbs: &[PASS, AGREE, CONTINUE],
        options: &[
            Switch::one_of("size", SIZES, "lines of the board"),
            Switch {
                name: "komi",
                values: Values::Halves { max: MAX_KOMI, default: KOMI },
                help: "points that White has besides those on the board",
            },
            Switch {
                name: "handicap",
                values: Values::Number { min: 0, max: MAX_HANDICAP, default: 0 },
                help: "stones that Black has at the start; komi is then 0.5",
            },
        ],
        formats: &[sgf::format::<Self>("Smart Game Format, which all programs of Go read")],
        manner: Manner {
            levels: player::LEVELS,
            has_multi_move_turns: true,
            has_draws: true,
            small: &["size=5"],
            turns: 130,
            minutes_to_learn: 10,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const ENGINE: Option<EngineProtocol> = Some(EngineProtocol::Gtp);

    fn engine_question(record: &Transcript) -> Option<EngineQuestion> {
        gtp::question(record)
    }

    fn setup(options: &Choices) -> Self {
        let size = options.get("size").unwrap_or(SIZES[0]).parse().expect("sizes are numbers");
        let handicap: u32 = options.get("handicap").and_then(|it| it.parse().ok()).unwrap_or(0);
        let usual = if handicap > 0 { HANDICAP_KOMI } else { KOMI };
        let komi = options.get("komi").and_then(Values::halves_of).unwrap_or(usual);
        let mut board = Board::new(size);
        // A handicap of one is the first move without komi.
        if handicap < 2 {
            return Self::begun(&board, Seat(0), komi);
        }
        for point in handicap_points(size, handicap) {
            board.put(Seat(0), point);
        }
        Self::begun(&board, Seat(1), komi)
    }

    fn place(options: &Choices, line: &str) -> Result<Self, String> {
        notation::place(&Self::setup(options), line)
    }

    fn notation(&self) -> String {
        notation::write(self)
    }

    fn next(&self) -> Next {
        if !self.is_over() {
            return Next::Move(self.turn);
        }
        let lead = self.lead(&self.dead());
        Next::Over(if lead == 0 {
            Outcome::Drawn { reason: "both have the same number of points" }
        } else {
            Outcome::Won { by: Seat(u8::from(lead < 0)), points: 1, reason: "with more points" }
        })
    }

    fn moves(&self) -> Vec<GoMove> {
        if self.is_over() {
            return Vec::new();
        }
        if let Some(scoring) = &self.scoring {
            return scoring.moves(&self.board);
        }
        let points = self.board.points().filter(|point| self.can_place(*point));
        points.map(GoMove::Stone).chain([GoMove::Pass]).collect()
    }

    fn spell(text: &str) -> Result<GoMove, MoveError> {
        parse_move(text, None, |mut reader: TextCursor| {
            let words =
                [(PASS, GoMove::Pass), (AGREE, GoMove::Agree), (CONTINUE, GoMove::Continue)];
            let word = words.into_iter().find(|(word, _)| reader.whole_word(word));
            let mark = [(DEAD, true), (ALIVE, false)];
            let spelled = if let Some((_, m)) = word {
                Ok(m)
            } else {
                let mark = mark.into_iter().find(|(word, _)| reader.whole_word(word));
                let Some(name) = reader.tile() else {
                    return Err(reader.expected(if mark.is_some() {
                        "a stone, as in `dead c3`"
                    } else {
                        "a point such as c3, `pass`, or `agree`"
                    }));
                };
                Point::named(&name).map(|point| match mark {
                    Some((_, is_dead)) => GoMove::Mark { stone: point, is_dead },
                    None => GoMove::Stone(point),
                })
            };
            if reader.is_done() { spelled } else { Err(reader.expected("nothing more")) }
        })
    }

    fn is_legal(&self, m: &GoMove) -> bool {
        match (&self.scoring, *m) {
            _ if self.is_over() => false,
            (None, GoMove::Stone(point)) => self.board.is_on_board(point) && self.can_place(point),
            (None, m) => m == GoMove::Pass,
            (Some(scoring), m) => scoring.forbids(m, &self.board).is_none(),
        }
    }

    fn explain_illegal(&self, m: &GoMove) -> String {
        let both_pass = if self.all_count {
            "all stones on the board count: play goes on until both pass"
        } else {
            "dead stones are marked once both have passed in a row"
        };
        match (&self.scoring, *m) {
            (None | Some(_), GoMove::Stone(point)) => self.explain_stone(point),
            (None, _) => both_pass.to_owned(),
            (Some(scoring), m) => scoring.forbids(m, &self.board).unwrap_or_default(),
        }
    }

    fn path(m: &GoMove) -> Vec<Spot> {
        match *m {
            GoMove::Stone(point) | GoMove::Mark { stone: point, .. } => vec![point.into()],
            GoMove::Pass | GoMove::Agree | GoMove::Continue => Vec::new(),
        }
    }

    fn read(&self, text: &str) -> Result<GoMove, MoveError> {
        let m = self.settled(Self::spell(text)?);
        if self.is_legal(&m) { Ok(m) } else { Err(MoveError::Illegal(self.explain_illegal(&m))) }
    }

    fn play(&mut self, m: &GoMove) {
        self.moves.push(*m);
        let mover = self.turn;
        match *m {
            GoMove::Stone(point) => {
                self.board.play(mover, point, &mut Vec::new());
                self.past.push(self.board.hash());
                self.passes = 0;
            }
            GoMove::Pass => self.passes += 1,
            GoMove::Continue => {
                (self.scoring, self.all_count, self.passes) = (None, true, 0);
            }
            GoMove::Agree | GoMove::Mark { .. } => {}
        }
        self.turn = mover.other();
        match &mut self.scoring {
            Some(scoring) => {
                if let GoMove::Mark { stone, .. } = *m {
                    scoring.mark(&self.board.chain(stone));
                    self.turn = mover;
                } else {
                    scoring.agree(mover);
                }
            }
            None if self.passes == 2 && !self.all_count => {
                self.scoring = Some(Scoring::new(player::dead_stones(&self.board, self.turn)));
            }
            None => {}
        }
    }

    fn finish(&self) -> Option<GoMove> {
        self.scoring.as_ref().filter(|scoring| scoring.is_changed()).map(|_| GoMove::Agree)
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<GoMove> {
        self.program_move(level, below)
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut tiles = Self::tiles(&self.board);
        tiles.last = match self.moves.last() {
            Some(m) => Self::path(m),
            None => Vec::new(),
        };
        if self.scoring.is_some() || self.is_over() {
            let owners = self.territory().into_iter();
            tiles.owners = owners.map(|(point, seat)| (point.into(), seat)).collect();
            tiles.score = Some((self.board.without(&self.dead()).area(), "points".into()));
        }
        tiles.light = (!self.is_over()).then_some(self.turn);
        tiles.notes = self.notes();
        Diagram::Board(tiles)
    }

    fn partial_move(&self, view: &View, steps: &[&str]) -> Result<PartialMove, MoveError> {
        if self.scoring.is_none() || self.is_over() {
            return path_steps::partial_move(self, view, steps);
        }
        self.marking(view, steps)
    }

    fn first_steps(&self, _view: &View) -> Vec<NextStep> {
        Vec::new()
    }
}
