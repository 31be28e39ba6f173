//! Lines of Action: a man moves as far as there are men on its line, and a side wins by joining all its
//! men.
//!
//! Source: C. Soucie in S. Sackson, *A Gamut of Games*, 2nd edition (rules; a move that joins both sides
//! wins for the mover); the Mind Sports Olympiad and Richard's play-by-mail server (such a move is a draw); D. Dyer,
//! *SGF for Lines of Action* (notation). Ours: the board of six by six, to learn on.

mod board;
mod player;
mod record;
#[cfg(test)]
mod tests;

use crate::kit::history::PositionHistory;
use crate::kit::text::{TextCursor, parse_move};
use crate::kit::tile::Tile;
use crate::kit::tiled_line::{TiledLine, line_of};
use crate::kit::{
    Choices, Diagram, Game, Manner, MenKind, MoveError, Next, Outcome, Piece, RandomBelow, Seat,
    Spec, Spot, Switch, TiledBoard, View, minimax, sgf,
};
use board::{Board, Way, groups};
use player::SearchedBoard;
use std::fmt::{self, Display};

/// The sizes of a board, the usual one first.
const SIZES: &[&str] = &["8", "6"];

/// The sides, first mover first.
const SIDES: [&str; 2] = ["Black", "White"];

/// The option that makes a move that joins the men of both sides a draw.
const DRAW: &str = "draw";

const PASS: &str = "pass";

/// A position of Lines of Action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Whether a move that joins the men of both sides is a draw, not a win of its side.
    both_draw: bool,
    board: Board,
    /// The start and the end of the last man's move.
    last: Option<[Square; 2]>,
    /// The positions since men were taken last, once a man has moved on; this one is the last of them.
    past: PositionHistory,
    end: Option<End>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The side that moved last has joined its men, this side, or both at once.
    Joined(Seat),
    /// The side that moved last has joined its enemy's men by taking one.
    JoinedEnemy(Seat),
    /// Both sides were joined by a move of this side.
    JoinedBoth(Seat),
    /// The position came for the third time.
    Repeated,
}

/// A square of the largest board.
pub(crate) type Square = Tile<8>;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoaMove {
    /// A man's move.
    Man {
        /// Its start.
        from: Square,
        /// Its end.
        to: Square,
        /// Whether it takes a man.
        takes: bool,
    },
    /// No man can move.
    Pass,
}

impl Display for LoaMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Man { from, to, takes } => {
                write!(f, "{from}{}{to}", if *takes { 'x' } else { '-' })
            }
            Self::Pass => f.write_str(PASS),
        }
    }
}

impl End {
    /// Returns the result.
    const fn outcome(self, both_draw: bool) -> Outcome {
        let (by, reason) = match self {
            Self::Joined(by) => (by, "by joining all men into one group"),
            Self::JoinedEnemy(by) => {
                (by, "because the man taken was the only one outside the group")
            }
            Self::JoinedBoth(_) if both_draw => {
                return Outcome::Drawn { reason: "the last move has joined the men of both sides" };
            }
            Self::JoinedBoth(by) => (by, "by a move that has joined the men of both sides"),
            Self::Repeated => {
                return Outcome::Drawn { reason: "the position has come for the third time" };
            }
        };
        Outcome::Won { by, points: 1, reason }
    }
}

impl Position {
    /// Returns how the game has ended after the other side's move.
    fn ending(&self) -> Option<End> {
        self.board.ending().or_else(|| self.past.repeats().then_some(End::Repeated))
    }

    /// Returns a move as it is here: whether it takes a man follows from the board.
    fn settled(&self, m: LoaMove) -> LoaMove {
        match m {
            LoaMove::Man { from, to, .. } => {
                LoaMove::Man { from, to, takes: to.is_in(self.board.own_and_other()[1]) }
            }
            LoaMove::Pass => m,
        }
    }

    /// Explains why a man cannot move between two squares.
    fn explain_step(&self, from: Square, to: Square) -> String {
        let side = SIDES[self.board.turn.index()].to_lowercase();
        if let Some(outside) = Square::explain_outside(&[from, to], self.board.size) {
            return outside;
        }
        if !from.is_in(self.board.own_and_other()[0]) {
            return format!("there is no {side} man on {from}");
        }
        let Some(step) = from.direction(to) else {
            return format!("{to} is not on a line with {from}");
        };
        let targets: Vec<String> =
            self.board.targets(from).map(|square| square.to_string()).collect();
        let targets = match &targets[..] {
            [] => "and it cannot move now".to_owned(),
            [only] => format!("so it can move to {only}"),
            [others @ .., last] => format!("so it can move to {} and {last}", others.join(", ")),
        };
        match self.board.way(from, step) {
            Way::Own(at) if at == to => return format!("there is a {side} man on {to}, too"),
            Way::Blocked(at, end) if end == to => {
                return format!("the enemy man on {at} is in the way to {to}");
            }
            _ => {}
        }
        format!("the man on {from} moves as many squares as there are men on its line, {targets}")
    }

    /// Returns the board with its men, for the drawing and the notation.
    fn tiles(&self) -> TiledBoard {
        let mut tiles = TiledBoard::of_squares(SIDES, self.board.size);
        for seat in Seat::BOTH {
            for square in Square::all_in(self.board.men[seat.index()]) {
                tiles.put(square.into(), Piece::Man(seat));
            }
        }
        tiles
    }

    fn read_last(&self, text: &str) -> Option<[Square; 2]> {
        let (from, to) = text.split_once('-')?;
        let last = [Square::named(from).ok()?, Square::named(to).ok()?];
        let [own, other] = self.board.own_and_other();
        let is_moved = last[1].is_in(other) && !last[0].is_in(own | other);
        last.into_iter()
            .all(|square| square.is_on(self.board.size))
            .then_some(last)
            .filter(|_| is_moved)
    }
}

impl Game for Position {
    type Move = LoaMove;

    const SPEC: Spec = Spec {
        name: "loa",
        title: "Lines of Action",
        about: "join all your men into one group",
        sides: SIDES,
        help: include_str!("../../help/loa.md"),
        options: &[
            Switch::one_of("size", SIZES, "files and ranks of the board"),
            Switch::flag(DRAW, "a move that joins the men of both sides is a draw"),
        ],
        formats: &[sgf::format::<Self>("Smart Game Format")],
        manner: Manner {
            levels: player::LEVELS,
            has_draws: true,
            small: &["size=6"],
            turns: 20,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let size = options.get("size").unwrap_or(SIZES[0]);
        Self {
            both_draw: options.has(DRAW),
            board: Board::start(size.parse().expect("sizes are numbers")),
            last: None,
            past: PositionHistory::default(),
            end: None,
        }
    }

    fn place(options: &Choices, notation: &str) -> Result<Self, String> {
        const EXPECTED: &str = "a position is the side to move, the rows from the top, the last move, and \
                                keys of the positions since men were taken, such as \
                                `W .BBB./W...W/WB..W/W...W/.BB.. last=b1-b3`";
        let mut position = Self::setup(options);
        let most = position.board.men[0].count_ones();
        let empty = TiledBoard::of_squares(SIDES, position.board.size);
        let mut line = TiledLine::read(empty, notation, EXPECTED)?;
        (position.board.turn, position.board.men) = (line.turn, [0; 2]);
        for spot in line.board.rows().concat() {
            match (line.board.at(spot), Square::named(&spot.to_string())) {
                (None, _) => {}
                (Some(Piece::Man(seat)), Ok(square)) => {
                    position.board.men[seat.index()] |= square.bit();
                }
                _ => return Err(line.error()),
            }
        }
        if !position.board.men.iter().all(|men| (1..=most).contains(&men.count_ones())) {
            return Err(format!("each side has 1 to {most} men"));
        }
        if let Some(text) = line.take("last") {
            position.last = Some(position.read_last(text).ok_or_else(|| line.error())?);
        }
        if let Some(text) = line.take("past") {
            position.past = text.parse().map_err(|_| line.error())?;
            if !position.past.ends_with(position.board.hash()) {
                return Err("the last of the earlier positions is not this position".into());
            }
        }
        line.end()?;
        position.end = position.ending();
        Ok(position)
    }

    fn notation(&self) -> String {
        let last = self.last.map(|[from, to]| format!(" last={from}-{to}"));
        let past = (!self.past.is_empty()).then(|| format!(" past={}", self.past));
        let more = last.into_iter().chain(past).collect::<String>();
        line_of(&self.tiles(), self.board.turn) + &more
    }

    fn next(&self) -> Next {
        let over = |end: End| Next::Over(end.outcome(self.both_draw));
        self.end.map_or(Next::Move(self.board.turn), over)
    }

    fn moves(&self) -> Vec<LoaMove> {
        if self.end.is_some() {
            return Vec::new();
        }
        let man = |[from, to]: [Square; 2]| self.settled(LoaMove::Man { from, to, takes: false });
        let moves: Vec<LoaMove> = self.board.steps().map(man).collect();
        if moves.is_empty() { vec![LoaMove::Pass] } else { moves }
    }

    fn spell(text: &str) -> Result<LoaMove, MoveError> {
        parse_move(text, None, |mut reader: TextCursor| {
            if reader.whole_word(PASS) {
                return if reader.is_done() {
                    Ok(LoaMove::Pass)
                } else {
                    Err(reader.expected("nothing more"))
                };
            }
            let Some(from) = reader.tile() else {
                return Err(reader.expected("a move such as b1-b3"));
            };
            let takes = reader.word(":") || reader.cross();
            if !takes {
                reader.connector();
            }
            let Some(to) = reader.tile() else {
                return Err(reader.expected("the square where the man ends, as in b1-b3"));
            };
            if !reader.is_done() {
                return Err(reader.expected("nothing more"));
            }
            Ok(LoaMove::Man { from: Square::named(&from)?, to: Square::named(&to)?, takes })
        })
    }

    fn is_legal(&self, m: &LoaMove) -> bool {
        self.end.is_none()
            && match *m {
                LoaMove::Man { from, to, .. } => {
                    from.is_in(self.board.own_and_other()[0])
                        && self.board.targets(from).any(|target| target == to)
                        && *m == self.settled(*m)
                }
                LoaMove::Pass => self.board.steps().next().is_none(),
            }
    }

    fn explain_illegal(&self, m: &LoaMove) -> String {
        match *m {
            LoaMove::Man { from, to, .. } => self.explain_step(from, to),
            LoaMove::Pass => "you may pass only when none of your men can move".into(),
        }
    }

    fn path(m: &LoaMove) -> Vec<Spot> {
        match *m {
            LoaMove::Man { from, to, .. } => vec![from.into(), to.into()],
            LoaMove::Pass => Vec::new(),
        }
    }

    fn read(&self, text: &str) -> Result<LoaMove, MoveError> {
        let spelled = Self::spell(text)?;
        let meant = self.settled(spelled);
        if !self.is_legal(&meant) {
            return Err(MoveError::Illegal(self.explain_illegal(&meant)));
        }
        match spelled {
            LoaMove::Man { to, takes: true, .. } if spelled != meant => {
                Err(MoveError::Illegal(format!("there is no man to take on {to}")))
            }
            _ => Ok(meant),
        }
    }

    fn play(&mut self, m: &LoaMove) {
        let before = self.board.hash();
        match *m {
            LoaMove::Man { from, to, takes } => {
                self.board.step([from, to]);
                self.last = Some([from, to]);
                if takes {
                    self.past.clear();
                }
            }
            LoaMove::Pass => {
                self.board.turn = self.board.turn.other();
                self.last = None;
            }
        }
        if !matches!(m, LoaMove::Man { takes: true, .. }) {
            if self.past.is_empty() {
                self.past.add_hash(before);
            }
            self.past.add_hash(self.board.hash());
        }
        self.end = self.ending();
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<LoaMove> {
        let searched = SearchedBoard { board: self.board, both_draw: self.both_draw };
        minimax::best(&searched, player::budget(level), below).map(|step| {
            step.map_or(LoaMove::Pass, |[from, to]| {
                self.settled(LoaMove::Man { from, to, takes: false })
            })
        })
    }

    fn diagram(&self, _view: &View) -> Diagram {
        let mut tiles = self.tiles();
        (tiles.men, tiles.dark) = (MenKind::Discs, Seat(0));
        tiles.last = self.last.into_iter().flatten().map(Spot::from).collect();
        tiles.score = Some((self.board.men.map(groups), "groups".into()));
        tiles.light = self.end.is_none().then_some(self.board.turn);
        Diagram::Board(tiles)
    }
}
