//! `SpeedGo`: Go on nine by nine points, which may begin with random stones and ends automatically
//! as soon as every point is decided.
//!
//! Source: S4, *Playing Maldoo*. Where it is silent, "ours" says so.

mod board;
mod life;
mod playouts;
mod search;

#[cfg(test)]
mod tests;

use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, SIZE, Square, Squares, Stones, mode,
};
use crate::kit::history::PositionHistory;
use crate::kit::{
    Choices, Manner, MoveError, Next, Outcome, RandomBelow, Seat, Spec, Switch, Values, View,
};
use board::Board;

/// The number of stones of each side at the start, by mode.
const LAID: [u32; 3] = [18, 0, 9];

/// A position of `SpeedGo`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Position {
    /// Points of red besides those on the board.
    komi: u32,
    /// The number of stones of each side that are still to be dealt.
    awaited: u32,
    board: Board,
    /// The number of consecutive passes; two end the game.
    passes: u8,
    last: Option<Square>,
    /// The positions just after captures. Between captures stones are only added, so every cycle of a
    /// game contains such a position as often as it repeats: no game can go on for ever.
    past: PositionHistory,
}

/// Prints the notation, which has all that matters for play.
impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} komi={} awaited={}", PressGame::line(self), self.komi, self.awaited)
    }
}

impl Position {
    fn new(options: &Choices, stones: Stones, turn: Seat) -> Self {
        Self {
            komi: options.get("komi").and_then(|komi| komi.parse().ok()).unwrap_or(0),
            awaited: 0,
            board: Board::new(stones, turn),
            passes: 0,
            last: None,
            past: PositionHistory::default(),
        }
    }

    /// Returns the score by area: each side's stones, all of which count as alive, the dark regions
    /// that only it borders, and red's komi. A region that both border counts for nobody.
    fn points(&self) -> [u32; 2] {
        let [green, red] = board::area(self.board.stones());
        [green, red + self.komi]
    }

    /// Returns the result if the game ends now.
    fn outcome(&self) -> Outcome {
        Outcome::of_scores(self.points(), "with more points", "both have the same number of points")
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "speedgo",
        title: "SpeedGo",
        about: "Go on nine lines that begins in the middle",
        sides: SIDES,
        help: include_str!("../../help/speedgo.md"),
        verbs: &["pass"],
        options: &[
            Switch::one_of(
                "mode",
                &["0", "1", "2"],
                "how many points are lit at the start: 36, none, 18",
            ),
            Switch {
                name: "komi",
                values: Values::Number { min: 0, max: 20, default: 0 },
                help: "points that red has besides those on the board",
            },
        ],
        manner: Manner {
            levels: search::LEVELS,
            has_draws: true,
            turns: 20,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let awaited = LAID[usize::from(mode(options))];
        Self { awaited, ..Self::new(options, Stones::default(), Seat(0)) }
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        if line.size != SIZE {
            return Err(format!("the board has {SIZE} lines"));
        }
        let Some(turn) = line.side else {
            let start = Self::setup(options);
            if start.awaited == 0 {
                return Err("the side to move must be G or R".into());
            }
            if line.stones.lit().is_empty() {
                return Ok(start);
            }
            return Err("no point is lit before stones are laid".into());
        };
        let mut placed = Self::new(options, line.stones, turn);
        if let Some(stone) = placed.board.stifled() {
            return Err(format!("the group of {stone} has no liberty"));
        }
        placed.last = line.take("last")?;
        if let Some(ko) = line.take("ko")? {
            // On a ko point a single stone has just been captured.
            if line.stones.at(ko).is_some() || placed.board.taken_by(ko).len() != 1 {
                return Err(format!("nothing can be retaken on {ko}"));
            }
            placed.board.forbid(ko);
        }
        placed.passes = line.take("passes")?.unwrap_or(0);
        if placed.passes > 2 {
            return Err("two passes end the game".into());
        }
        placed.past = line.take("past")?.unwrap_or_default();
        Ok(placed)
    }

    fn line(&self) -> NotationLine {
        let side = (self.awaited == 0).then_some(self.board.turn());
        let line = NotationLine::new(side, self.board.stones())
            .with_some("last", self.last)
            .with_some("ko", self.board.ko())
            .with_some("passes", (self.passes > 0).then_some(self.passes));
        line.with_some("past", (!self.past.is_empty()).then_some(&self.past))
    }

    fn next(&self) -> Next {
        if self.awaited > 0 {
            Next::Deal
        } else if self.past.repeats() {
            Next::Over(Outcome::Drawn { reason: "the same position occurred for the third time" })
        } else if self.passes >= 2 || life::is_settled(self.board.stones()) {
            Next::Over(self.outcome())
        } else {
            Next::Move(self.board.turn())
        }
    }

    fn deal(&self, below: RandomBelow) -> Stones {
        loop {
            let stones = Stones::drawn(self.awaited, below);
            if Board::new(stones, Seat(0)).stifled().is_none() {
                return stones;
            }
        }
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        let refuse = |why: String| Err(MoveError::Illegal(why));
        if stones.count() != [self.awaited; 2] {
            return refuse(format!("each side begins with {} points", self.awaited));
        }
        if stones.turned() != stones {
            return refuse("a half turn of the board does not exchange the colours".into());
        }
        let board = Board::new(stones, Seat(0));
        if let Some(stone) = board.stifled() {
            return refuse(format!("the group of {stone} has no liberty"));
        }
        (self.board, self.awaited) = (board, 0);
        Ok(())
    }

    fn legal(&self) -> Squares {
        self.board.legal()
    }

    /// Ours: S4 has a missed turn, which is the same.
    fn may_pass(&self) -> bool {
        true
    }

    fn forbids(&self, square: Square) -> String {
        if self.board.stones().lit().contains(square) {
            format!("{square} is lit")
        } else if self.board.ko() == Some(square) {
            format!(
                "{square} may not be retaken at once: that would bring back the position before"
            )
        } else {
            format!("a point lit on {square} would have no liberty")
        }
    }

    fn press(&mut self, square: Square) {
        let taken = self.board.press(square);
        if !taken.is_empty() {
            self.past.add(self.board.key());
        }
        (self.passes, self.last) = (0, Some(square));
    }

    fn pass(&mut self) {
        self.board.pass();
        (self.passes, self.last) = (self.passes + 1, None);
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        Some(search::choose(self, level, below))
    }

    fn grid(&self, view: &View) -> Grid {
        let next = PressGame::next(self);
        let on = matches!(next, Next::Move(_));
        let mut notes = Vec::new();
        if let Some(ko) = self.board.ko().filter(|_| on) {
            notes.push(format!("{ko} may not be retaken at once"));
        }
        if self.passes == 1 && on {
            let passed = SIDES[self.board.turn().other().index()];
            notes.push(format!("{passed} has passed; one more pass ends the game"));
        }
        if self.komi > 0 {
            notes.push(format!("{} of red's points are komi", self.komi));
        }
        Grid {
            rows: self.board.stones().rows(SIZE),
            last: self.last.into_iter().collect(),
            legal: if view.legal && on { self.legal() } else { Squares::NONE },
            score: Some((self.points(), "points".into())),
            light: on.then_some(self.board.turn()),
            notes,
        }
    }
}
