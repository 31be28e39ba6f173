//! Symmetry, a puzzle for one: the player repeats a pattern on the other side of the board.
//!
//! Source: S4, *Playing Maldoo*. Its game runs by a clock; by mail only a few wrong presses are
//! forgiven (ours).

pub(crate) mod target;

use crate::grid::{Grid, NotationLine, PressGame, SIDES, SIZE, Square, Squares, Stones, mode};
use crate::kit::{
    Choices, Manner, MoveError, Next, Outcome, RandomBelow, Seat, Spec, Switch, View,
};
use target::{pattern, points, shown, targets, upper};

/// A position of Symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    /// The pattern to repeat; empty before it is dealt.
    pattern: Squares,
    /// The right and the wrong presses.
    pressed: Stones,
    last: Option<Square>,
}

/// The seats of right and of wrong presses.
const RIGHT: Seat = Seat(0);
const WRONG: Seat = Seat(1);

impl Position {
    fn empty(options: &Choices) -> Self {
        Self { mode: mode(options), pattern: Squares::NONE, pressed: Stones::default(), last: None }
    }

    fn targets(&self) -> Squares {
        targets(self.mode, self.pattern)
    }

    /// Returns the number of wrong presses forgiven: a quarter of the points. So a player who
    /// mistakes the mode loses, and one who slips once or twice does not.
    fn forgiven(&self) -> u32 {
        points(self.mode) / 4
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = |by, reason| Some(Outcome::Won { by, points: 1, reason });
        if self.pressed[RIGHT] == self.targets() {
            return over(RIGHT, "by completing the pattern");
        }
        if self.pressed[WRONG].len() > self.forgiven() {
            return over(WRONG, "after too many wrong presses");
        }
        None
    }

    /// Returns the player's task.
    fn task(&self) -> &'static str {
        match self.mode % 4 {
            0 => "mirror the pattern at line 5",
            1 => "move the pattern down by five lines",
            2 => "turn the pattern by a half turn about e5",
            _ => "move the pattern down by five lines, left and right changed",
        }
    }

    fn rows(&self) -> Vec<String> {
        let missing = match self.outcome() {
            Some(_) => self.targets().without(self.pressed[RIGHT]),
            None => Squares::NONE,
        };
        let green = self.pattern | self.pressed[RIGHT];
        let mark = |line, column| {
            let is_in = |set: Squares| Square::at(line, column).is_some_and(|at| set.contains(at));
            match () {
                () if is_in(green) => 'G',
                () if is_in(self.pressed[WRONG]) => 'R',
                () if is_in(missing) => 'o',
                () => '.',
            }
        };
        (0..SIZE).map(|line| (0..SIZE).map(|column| mark(line, column)).collect()).collect()
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "symmetry",
        title: "Symmetry",
        about: "a puzzle for one: complete the pattern",
        sides: SIDES,
        help: include_str!("../../help/symmetry.md"),
        options: &[Switch::one_of(
            "mode",
            &["0", "1", "2", "3", "4", "5", "6", "7"],
            "where to repeat the pattern; from 4 on it has 16 points, not 12",
        )],
        manner: Manner {
            has_multi_move_turns: true,
            is_solo: true,
            turns: 10,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        Self::empty(options)
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        let empty = Self::empty(options);
        if line.size != SIZE {
            return Err(format!("the board has {SIZE} lines"));
        }
        match line.side {
            None => return Ok(empty),
            Some(Seat(0)) => {}
            Some(_) => return Err("it is always the turn of G".into()),
        }
        let [green, red] = Seat::BOTH.map(|seat| line.stones[seat]);
        let placed = Self {
            pattern: green & upper(),
            pressed: Stones::new(green.without(upper()), red),
            last: line.take("last")?,
            ..empty
        };
        if placed.pattern.len() != points(placed.mode) {
            return Err(format!("the pattern has {} points", points(placed.mode)));
        }
        let targets = placed.targets();
        let right = placed.pressed[RIGHT].without(targets);
        if !right.is_empty() || !(red & (targets | shown())).is_empty() {
            return Err("right presses are green and wrong ones red, below line 5".into());
        }
        Ok(placed)
    }

    fn line(&self) -> NotationLine {
        let side = (!self.pattern.is_empty()).then_some(Seat(0));
        let green = self.pattern | self.pressed[RIGHT];
        NotationLine::new(side, Stones::new(green, self.pressed[WRONG]))
            .with_some("last", self.last)
    }

    fn next(&self) -> Next {
        match self.outcome() {
            _ if self.pattern.is_empty() => Next::Deal,
            Some(outcome) => Next::Over(outcome),
            None => Next::Move(Seat(0)),
        }
    }

    fn legal(&self) -> Squares {
        (!shown()).without(self.pressed.lit())
    }

    fn forbids(&self, square: Square) -> String {
        if self.pressed.lit().contains(square) {
            format!("{square} has been pressed")
        } else {
            format!("{square} is not below line 5, where the pattern is to be repeated")
        }
    }

    fn press(&mut self, square: Square) {
        let seat = if self.targets().contains(square) { RIGHT } else { WRONG };
        self.pressed.give(square.into(), seat);
        self.last = Some(square);
    }

    /// Points are always left to press.
    fn pass(&mut self) {}

    fn grid(&self, view: &View) -> Grid {
        let over = self.outcome().is_some();
        let [right, wrong] = self.pressed.count();
        let mut notes = vec![format!(
            "score {}: {right} right, {wrong} wrong",
            i64::from(right) - i64::from(wrong)
        )];
        if !over {
            notes.insert(0, self.task().into());
            notes.push(format!(
                "{} points are left; {} wrong presses are forgiven",
                points(self.mode) - right,
                self.forgiven() - wrong,
            ));
        } else if right < points(self.mode) {
            notes.push("o is a point that you missed".into());
        }
        Grid {
            rows: self.rows(),
            last: self.last.into_iter().collect(),
            legal: if view.legal && !over { self.legal() } else { Squares::NONE },
            score: None,
            light: None,
            notes,
        }
    }

    fn deal(&self, below: RandomBelow) -> Stones {
        Stones::new(pattern(self.mode, below), Squares::NONE)
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        let [green, red] = Seat::BOTH.map(|seat| stones[seat]);
        if !red.is_empty() || !green.without(upper()).is_empty() || green.len() != points(self.mode)
        {
            return Err(MoveError::Illegal("these points are not a pattern of this mode".into()));
        }
        self.pattern = green;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
