//! Visiput: a side may light a dark point that sees enough of its own points.
//!
//! Source: S4, *Playing Maldoo*. Ours: the starts, and that both sides can move in a random one.

mod player;
mod sight;
#[cfg(test)]
mod tests;

use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, SIZE, Square, Squares, Stones, mode, search,
};
use crate::kit::{
    Choices, Manner, MoveError, Next, Outcome, RandomBelow, Seat, Spec, Switch, View,
};
use sight::SightBalance;

/// The number of points of each colour at the start of an odd mode.
const EACH: u32 = 6;

/// A position of Visiput.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    stones: Stones,
    /// The seat whose turn light is on; `None` before the stones of an odd mode are dealt.
    turn: Option<Seat>,
    last: Option<Square>,
}

impl Position {
    fn empty(options: &Choices) -> Self {
        Self { mode: mode(options), stones: Stones::default(), turn: None, last: None }
    }

    /// Returns whether stones are dealt.
    const fn is_drawn(&self) -> bool {
        self.mode % 2 == 1
    }

    /// Returns how many more own points than enemy points a pressed point must see.
    const fn threshold(&self) -> i8 {
        match self.mode / 2 {
            0 => 0,
            1 => 1,
            2 => 2,
            _ => -1,
        }
    }

    /// Returns whether the dark points that only one side may press count for it, and the game ends
    /// when there are no others.
    const fn shares_out(&self) -> bool {
        self.threshold() < 1
    }

    /// Returns the points that each side could press if it were to move.
    fn open(&self) -> [Squares; 2] {
        SightBalance::from_stones(&self.stones).legal(self.threshold())
    }

    /// Returns the score of each side, including dark points that count for it.
    fn score(&self) -> [u32; 2] {
        let [green, red] = self.stones.count();
        let [by_green, by_red] = self.open();
        if self.shares_out() {
            [green + by_green.without(by_red).len(), red + by_red.without(by_green).len()]
        } else {
            [green, red]
        }
    }

    fn is_over(&self) -> bool {
        let [by_green, by_red] = self.open();
        if self.shares_out() {
            (by_green & by_red).is_empty()
        } else {
            (by_green | by_red).is_empty()
        }
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "visiput",
        title: "Visiput",
        about: "light a point where you see enough of yours",
        sides: SIDES,
        help: include_str!("../../help/visiput.md"),
        verbs: &["pass"],
        options: &[Switch::one_of(
            "mode",
            &["0", "1", "2", "3", "4", "5", "6", "7"],
            "how much more you must be seen than the other; odd: from a drawn start",
        )],
        manner: Manner {
            levels: 4,
            has_draws: true,
            turns: 28,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        let empty = Self::empty(options);
        if empty.is_drawn() {
            return empty;
        }
        Self { stones: Stones::eight(), turn: Some(Seat(0)), ..empty }
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        let empty = Self::empty(options);
        if line.size != SIZE {
            return Err("the board has nine lines".into());
        }
        if line.side.is_none() && (!empty.is_drawn() || line.stones != Stones::default()) {
            return Err("the side to move must be G or R".into());
        }
        Ok(Self { stones: line.stones, turn: line.side, last: line.take("last")?, ..empty })
    }

    fn line(&self) -> NotationLine {
        NotationLine::new(self.turn, self.stones).with_some("last", self.last)
    }

    fn next(&self) -> Next {
        let Some(turn) = self.turn else { return Next::Deal };
        if !self.is_over() {
            return Next::Move(turn);
        }
        let equal = "both have the same number of points";
        Next::Over(Outcome::of_scores(self.score(), "with more points", equal))
    }

    /// Starts from which nobody could move are dealt again. A half turn exchanges the colours, so
    /// both can move or neither; and the centre sees as many points of both, so it is open to both
    /// where that suffices.
    fn deal(&self, below: RandomBelow) -> Stones {
        loop {
            let stones = Stones::drawn(EACH, below);
            if !(Self { stones, ..self.clone() }).is_over() {
                return stones;
            }
        }
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        let laid = Self { stones, turn: Some(Seat(0)), ..self.clone() };
        if !stones.are_fair(EACH) || laid.is_over() {
            return Err(MoveError::Illegal(format!(
                "Visiput begins with {EACH} points of each colour, opposite each other"
            )));
        }
        *self = laid;
        Ok(())
    }

    fn legal(&self) -> Squares {
        self.turn.map_or(Squares::NONE, |turn| self.open()[turn.index()])
    }

    fn forbids(&self, square: Square) -> String {
        if self.stones.lit().contains(square) {
            return format!("{square} is lit");
        }
        let turn = self.turn.unwrap_or(Seat(0));
        let [own, enemy] =
            [turn, turn.other()].map(|seat| sight::seen_from(square, &self.stones, seat));
        let asked = match self.threshold() {
            0 => "you need as many as the other side",
            1 => "you need one more than the other side",
            2 => "you need two more than the other side",
            _ => "you need at most one less than the other side",
        };
        let enemies = SIDES[turn.other().index()];
        format!("{square} sees {own} of your points and {enemy} of {enemies}'s, and {asked}")
    }

    fn press(&mut self, square: Square) {
        if let Some(turn) = self.turn {
            self.stones[turn].insert(square);
            self.turn = Some(turn.other());
        }
        self.last = Some(square);
    }

    fn pass(&mut self) {
        self.turn = self.turn.map(Seat::other);
        self.last = None;
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        search::choose(self, level, below)
    }

    fn grid(&self, view: &View) -> Grid {
        let on = matches!(PressGame::next(self), Next::Move(_));
        let score = self.score();
        let [green, red] = self.stones.count();
        let shared = [score[0] - green, score[1] - red];
        let note = (shared != [0, 0]).then(|| {
            format!("Counted as theirs: {} dark points for Green, {} for Red", shared[0], shared[1])
        });
        Grid {
            rows: self.stones.rows(SIZE),
            last: self.last.into_iter().collect(),
            legal: if view.legal && on { self.legal() } else { Squares::NONE },
            score: Some((score, "points".into())),
            light: self.turn.filter(|_| on),
            notes: note.into_iter().collect(),
        }
    }
}
