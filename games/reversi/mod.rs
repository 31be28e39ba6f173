//! Reversi on nine by nine points, or eight by eight, in six modes.
//!
//! Source: S4, *Playing Maldoo*.

use crate::grid::search::{self, Weighed};
use crate::grid::{Line, Press, Pressing, SIDES, SIZE, Square, Squares, Stones, mode};
use crate::kit::{Below, Choices, Grid, Manner, Next, Outcome, Seat, Spec, Switch, Values, View};

/// A position of Reversi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    size: u8,
    stones: Stones,
    /// Whose light is on.
    turn: Seat,
    last: Option<Square>,
}

/// The eight directions, as lines down and columns to the right.
const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Position {
    fn empty(options: &Choices) -> Self {
        Self {
            mode: mode(options),
            size: if options.get("size") == Some("8") { 8 } else { SIZE },
            stones: Stones::default(),
            turn: Seat(0),
            last: None,
        }
    }

    /// The enemy stones that a press of that side catches: on each ray the unbroken run next to
    /// the point, if it ends at an own stone, or in odd modes at the rim.
    fn caught(&self, square: Square, seat: Seat) -> Squares {
        let board = Squares::corner(self.size);
        let mut caught = Squares::NONE;
        for (down, right) in DIRECTIONS {
            let mut run = Squares::NONE;
            let mut next = square.moved(down, right);
            while let Some(at) = next.filter(|&at| self.stones[seat.other()].contains(at)) {
                run.insert(at);
                next = at.moved(down, right);
            }
            let ends = match next.filter(|&at| board.contains(at)) {
                Some(end) => self.stones[seat].contains(end),
                None => self.mode % 2 == 1,
            };
            if ends {
                caught = caught | run;
            }
        }
        caught
    }

    fn legal_for(&self, seat: Seat) -> Squares {
        let dark = Squares::corner(self.size).without(self.stones.lit());
        match self.mode {
            0 | 1 => dark.iter().filter(|&at| !self.caught(at, seat).is_empty()).collect(),
            2 | 3 => dark & self.stones.lit().around(),
            _ => dark,
        }
    }
}

impl Pressing for Position {
    const SPEC: Spec = Spec {
        name: "reversi",
        title: "Reversi",
        sides: SIDES,
        help: include_str!("../../help/reversi.md"),
        verbs: &["pass"],
        options: &[
            Switch {
                name: "mode",
                values: Values::OneOf(&["0", "1", "2", "3", "4", "5"]),
                help: "what may be pressed, and whether the rim catches",
            },
            Switch {
                name: "size",
                values: Values::OneOf(&["9", "8"]),
                help: "columns and lines of the board",
            },
        ],
        exclusive: &[],
        settings: &[],
        stakes: &[],
        formats: &[],
        manner: Manner { levels: 4, ..Manner::PLAIN },
    };

    fn setup(options: &Choices) -> Self {
        let mut start = Self::empty(options);
        let top = SIZE - start.size + 3;
        let at =
            |line: u8, column: u8| Square::at(top + line, 3 + column).expect("the centre is on it");
        start.stones[Seat(0)] = [at(0, 1), at(1, 0)].into_iter().collect();
        start.stones[Seat(1)] = [at(0, 0), at(1, 1)].into_iter().collect();
        start
    }

    fn placed(options: &Choices, line: &mut Line) -> Result<Self, String> {
        let empty = Self::empty(options);
        if line.size != empty.size {
            return Err(format!("the board has {} lines", empty.size));
        }
        let turn = line.side.ok_or("it is the turn of G or R")?;
        Ok(Self { stones: line.stones, turn, last: line.take("last")?, ..empty })
    }

    fn line(&self) -> Line {
        Line::new(Some(self.turn), self.stones).sized(self.size).with_some("last", self.last)
    }

    fn next(&self) -> Next {
        let stuck = Seat::BOTH.into_iter().all(|seat| self.legal_for(seat).is_empty());
        if !stuck {
            return Next::Move(self.turn);
        }
        let [green, red] = self.stones.count();
        Next::Over(match green.cmp(&red) {
            std::cmp::Ordering::Equal => Outcome::Drawn { reason: "both have as many points" },
            more => Outcome::Won {
                by: Seat(u8::from(more.is_lt())),
                points: 1,
                reason: "with more points",
            },
        })
    }

    fn legal(&self) -> Squares {
        self.legal_for(self.turn)
    }

    fn forbids(&self, square: Square) -> String {
        if self.stones.lit().contains(square) {
            return format!("{square} is lit");
        }
        match self.mode {
            _ if !Squares::corner(self.size).contains(square) => {
                format!("{square} is not on the board of {0} by {0}", self.size)
            }
            0 | 1 => format!("a press on {square} catches nothing"),
            _ => format!("{square} lies next to no lit point"),
        }
    }

    fn press(&mut self, square: Square) {
        let caught = self.caught(square, self.turn) | square.into();
        self.stones.give(caught, self.turn);
        self.last = Some(square);
        self.turn = self.turn.other();
    }

    fn pass(&mut self) {
        self.last = None;
        self.turn = self.turn.other();
    }

    fn choose(&self, level: u8, below: Below) -> Option<Press> {
        search::choose(self, level, below)
    }

    fn grid(&self, view: &View) -> Grid {
        let on = matches!(Pressing::next(self), Next::Move(_));
        Grid {
            rows: self.stones.rows(self.size),
            last: self.last.into_iter().collect(),
            legal: if view.legal && on { self.legal() } else { Squares::NONE },
            score: Some((self.stones.count(), "points")),
            light: on.then_some(self.turn),
            notes: Vec::new(),
        }
    }
}

impl Weighed for Position {
    fn value(&self, seat: Seat) -> i32 {
        let points = |seat: Seat| i32::try_from(self.stones[seat].len()).unwrap_or(0);
        points(seat) - points(seat.other())
    }

    fn key(&self) -> Option<u64> {
        Some(search::key(&self.stones, self.turn, 0))
    }
}
