//! `FillIt` (modes 0 and 1) lights the board until no point is dark; `ClearIt` (modes 2 to 4)
//! starts from a lit board and puts points out.
//!
//! Source: S4, *Playing Maldoo*. Ours: the start of mode 0, the number of points at the start of
//! `ClearIt`, and the end of a game in which nothing changes any more.

mod player;
#[cfg(test)]
mod tests;

use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, SIZE, Square, Squares, Stones, leaps, mode,
};
use crate::kit::{
    Choices, Manner, MoveError, Next, Outcome, RandomBelow, Seat, Spec, Switch, View, minimax,
};

/// The points that a press of `FillIt` wins: those exactly two away in the eight directions.
static TWO_AWAY: [Squares; 81] = leaps(&[(0, 2), (2, 2)]);
/// The points that it loses: those next to it.
static BESIDE: [Squares; 81] = leaps(&[(0, 1), (1, 1)]);
/// The enemy points that a press of `ClearIt` puts out: a knight's move away.
static KNIGHT: [Squares; 81] = leaps(&[(1, 2)]);
/// The own points that it puts out: one further in both directions.
static LONG_KNIGHT: [Squares; 81] = leaps(&[(2, 3)]);

/// The number of points of each colour at the start of `ClearIt`.
const EACH: u32 = 20;
/// The number of consecutive moves without a change that ends the game.
const IDLE: u8 = 20;

/// A position of `FillIt` or `ClearIt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    stones: Stones,
    /// The seat whose turn light is on; `None` before the stones of `ClearIt` are dealt.
    turn: Option<Seat>,
    /// The number of consecutive moves without a change; in `FillIt` they are passes.
    idle: u8,
    last: Option<Square>,
}

impl Position {
    fn empty(options: &Choices) -> Self {
        let mode = mode(options);
        Self { mode, stones: Stones::default(), turn: None, idle: 0, last: None }
    }

    const fn is_fillit(&self) -> bool {
        self.mode < 2
    }

    /// Returns the side that presses: green until stones are dealt.
    fn mover(&self) -> Seat {
        self.turn.unwrap_or(Seat(0))
    }

    /// Returns the board after a press. All changes depend on the board before it.
    fn after(&self, square: Square) -> Stones {
        let (own, enemy) = (self.mover(), self.mover().other());
        let mut after = self.stones;
        let pick = |table: &[Squares; 81], of: Squares| table[square.index()] & of;
        if self.is_fillit() {
            // After the opponent's pass a press loses no points.
            let spared = self.idle > 0;
            let lost = if spared { Squares::NONE } else { pick(&BESIDE, self.stones[own]) };
            after.give(TWO_AWAY[square.index()] | square.into(), own);
            after.give(lost, enemy);
            return after;
        }
        let hit = pick(&KNIGHT, self.stones[enemy]);
        let lost = pick(&LONG_KNIGHT, self.stones[own]);
        after.take(hit | lost);
        match self.mode {
            3 => after.give(lost, enemy),
            4 => after.give(hit, own),
            _ => {}
        }
        after
    }

    /// Returns the points that a side may press: in some modes those that put something out.
    fn open_for(&self, seat: Seat) -> Squares {
        let reach = |table: &[Squares; 81], of: Squares| {
            of.iter().fold(Squares::NONE, |all, square| all | table[square.index()])
        };
        match self.mode {
            0 | 1 => !self.stones.lit(),
            2 => Squares::ALL,
            3 => reach(&KNIGHT, self.stones[seat.other()]),
            _ => reach(&LONG_KNIGHT, self.stones[seat]),
        }
    }

    /// Returns the result, if the game is over when it is this side's turn.
    fn outcome(&self, turn: Seat) -> Option<Outcome> {
        let [green, red] = self.stones.count();
        let won = |by, reason| Some(Outcome::Won { by, points: 1, reason });
        let by_points = |even| Some(Outcome::of_scores([green, red], "with more points", even));
        if !self.is_fillit() && turn == Seat(0) {
            match (green, red) {
                (0, 0) => return Some(Outcome::Drawn { reason: "both have lost all points" }),
                (_, 0) => return won(Seat(0), "by putting out all red points"),
                (0, _) => return won(Seat(1), "by putting out all green points"),
                _ => {}
            }
        }
        if self.idle >= IDLE {
            return by_points(
                "20 moves in a row have changed nothing and both have the same number of points",
            );
        }
        let stuck = Seat::BOTH.into_iter().all(|seat| self.open_for(seat).is_empty());
        if stuck { by_points("both have the same number of points") } else { None }
    }

    /// Passes the turn after a move.
    fn hand_over(&mut self, last: Option<Square>, has_changed: bool) {
        self.turn = Some(self.mover().other());
        self.idle = if has_changed { 0 } else { self.idle + 1 };
        self.last = last;
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "fillit",
        title: "FillIt",
        about: "light every point, or put every point out",
        sides: SIDES,
        help: include_str!("../../help/fillit.md"),
        verbs: &["pass"],
        options: &[Switch::one_of(
            "mode",
            &["0", "1", "2", "3", "4"],
            "0 and 1: FillIt from eight points or none; 2, 3 and 4: ClearIt",
        )],
        manner: Manner {
            levels: 4,
            has_draws: true,
            turns: 12,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let empty = Self::empty(options);
        match empty.mode {
            0 => Self { stones: Stones::eight(), turn: Some(Seat(0)), ..empty },
            1 => Self { turn: Some(Seat(0)), ..empty },
            _ => empty,
        }
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        let empty = Self::empty(options);
        if line.size != SIZE {
            return Err("the board has nine lines".into());
        }
        if line.side.is_none() && (empty.is_fillit() || line.stones != Stones::default()) {
            return Err("the side to move must be G or R".into());
        }
        let idle = line.take("idle")?.unwrap_or(0);
        if idle > IDLE {
            return Err(format!("the game ends after {IDLE} moves that change nothing"));
        }
        Ok(Self { stones: line.stones, turn: line.side, idle, last: line.take("last")?, ..empty })
    }

    fn line(&self) -> NotationLine {
        let idle = Some(self.idle).filter(|&idle| idle > 0);
        NotationLine::new(self.turn, self.stones)
            .with_some("idle", idle)
            .with_some("last", self.last)
    }

    fn next(&self) -> Next {
        let Some(turn) = self.turn else { return Next::Deal };
        self.outcome(turn).map_or(Next::Move(turn), Next::Over)
    }

    fn deal(&self, below: RandomBelow) -> Stones {
        Stones::drawn(EACH, below)
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        if !stones.are_fair(EACH) {
            return Err(MoveError::Illegal(format!(
                "ClearIt begins with {EACH} points of each colour, opposite each other"
            )));
        }
        (self.stones, self.turn) = (stones, Some(Seat(0)));
        Ok(())
    }

    fn legal(&self) -> Squares {
        self.open_for(self.mover())
    }

    /// A turn of `FillIt` may be passed at any time.
    fn may_pass(&self) -> bool {
        self.is_fillit() || self.legal().is_empty()
    }

    fn forbids(&self, square: Square) -> String {
        match self.mode {
            3 => format!("a press on {square} puts out no enemy point"),
            4 => format!("a press on {square} puts out no point of yours"),
            _ => format!("{square} is lit"),
        }
    }

    fn press(&mut self, square: Square) {
        let after = self.after(square);
        let has_changed = after != self.stones;
        self.stones = after;
        self.hand_over(Some(square), has_changed);
    }

    fn pass(&mut self) {
        self.hand_over(None, false);
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        minimax::best(self, self.effort(level), below)
    }

    fn grid(&self, view: &View) -> Grid {
        let on = matches!(PressGame::next(self), Next::Move(_));
        let (side, enemy) = (SIDES[self.mover().index()], SIDES[self.mover().other().index()]);
        let note = match self.idle {
            0 => None,
            _ if self.is_fillit() => {
                Some(format!("{enemy} has passed: the next press of {side} costs no point"))
            }
            1 => None,
            idle => {
                Some(format!("{idle} moves in a row have changed nothing; {IDLE} end the game"))
            }
        };
        Grid {
            rows: self.stones.rows(SIZE),
            last: self.last.into_iter().collect(),
            legal: if view.legal && on { self.legal() } else { Squares::NONE },
            score: Some((self.stones.count(), "points".into())),
            light: self.turn.filter(|_| on),
            notes: note.filter(|_| on).into_iter().collect(),
        }
    }
}
