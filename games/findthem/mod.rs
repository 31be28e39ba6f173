//! `FindThem`: points are shown, and players must find them again in the dark.
//!
//! Source: S4, *Playing Maldoo*. By mail everybody sees the pattern until the first press, on their
//! honour; with an option nobody ever sees it (ours).

pub(crate) mod hunt;
mod memory;

use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, SIZE, Square, SquareList, Squares, Stones, mode,
};
use crate::kit::{
    Choices, Manner, MoveError, Next, Outcome, RandomBelow, Seat, Spec, Switch, View,
};
use hunt::Hunt;

/// A position of `FindThem`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    /// Whether nobody ever sees the pattern.
    blind: bool,
    /// The seat whose turn light is on; `None` before the pattern is dealt.
    turn: Option<Seat>,
    hunt: Hunt,
    /// Points that each side has pressed and knows not to be its own.
    missed: [Squares; 2],
    last: Option<Square>,
}

/// The keys of a line for each side's wrong presses.
const MISSED: [&str; 2] = ["green_missed", "red_missed"];

impl Position {
    fn empty(options: &Choices) -> Self {
        Self {
            mode: mode(options),
            blind: options.has("blind"),
            turn: None,
            hunt: Hunt::default(),
            missed: [Squares::NONE; 2],
            last: None,
        }
    }

    /// Returns the result, if the game is over. It is judged after red's move.
    fn outcome(&self) -> Option<Outcome> {
        self.turn.filter(|&seat| seat == Seat(0))?;
        self.hunt.verdict(hunt::goal(self.mode))
    }

    /// Returns whether the pattern is visible: before the first press, and after the end.
    fn is_open(&self) -> bool {
        (self.last.is_none() && !self.blind) || self.outcome().is_some()
    }

    /// Returns the public part of the position.
    fn public_line(&self) -> NotationLine {
        NotationLine::new(self.turn, self.hunt.lit())
            .with_some("last", self.last)
            .with_some("silent", self.hunt.silent)
    }

    /// Returns the rows of the board: hidden points are shown as lit before the first press, and in
    /// small letters after the end.
    fn rows(&self) -> Vec<String> {
        let lit = self.hunt.lit().rows(SIZE);
        if !self.is_open() {
            return lit;
        }
        let all = self.hunt.hidden.rows(SIZE);
        if self.last.is_none() {
            return all;
        }
        let mark = |(lit, hidden): (char, char)| match lit {
            '.' => hidden.to_ascii_lowercase(),
            lit => lit,
        };
        let row = |(lit, all): (&String, &String)| lit.chars().zip(all.chars()).map(mark).collect();
        lit.iter().zip(&all).map(row).collect()
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "findthem",
        title: "FindThem",
        about: "remember a pattern, find it in the dark",
        sides: SIDES,
        help: include_str!("../../help/findthem.md"),
        options: &[
            Switch::one_of(
                "mode",
                &["0", "1", "2", "3"],
                "how many points are hidden and how many finds win",
            ),
            Switch::flag("blind", "nobody sees the pattern before the end"),
        ],
        manner: Manner {
            levels: memory::LEVELS,
            is_secret: true,
            has_draws: true,
            turns: 20,
            minutes_to_learn: 2,
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
        if line.side.is_none() {
            return Ok(empty);
        }
        let hidden: Stones = line.take("hidden")?.ok_or("the hidden points are missing")?;
        let hunt = Hunt { hidden, found: line.stones.lit(), silent: line.take("silent")? };
        if hunt.lit() != line.stones {
            return Err("a point is lit that is not hidden in its colour".into());
        }
        let mut missed = empty.missed;
        for (missed, key) in missed.iter_mut().zip(MISSED) {
            let SquareList(squares) = line.take(key)?.unwrap_or_default();
            *missed = squares.into_iter().collect();
        }
        Ok(Self { turn: line.side, hunt, missed, last: line.take("last")?, ..empty })
    }

    fn line(&self) -> NotationLine {
        let line = self.public_line();
        if self.turn.is_none() {
            return line;
        }
        let missed = self.missed.map(|missed| {
            let squares: Vec<Square> = missed.iter().collect();
            (!squares.is_empty()).then_some(SquareList(squares))
        });
        let line = line.with("hidden", self.hunt.hidden);
        MISSED.into_iter().zip(missed).fold(line, |line, (key, missed)| line.with_some(key, missed))
    }

    fn visible_notation(&self, _view: &View) -> String {
        if self.is_open() { self.line().to_string() } else { self.public_line().to_string() }
    }

    fn next(&self) -> Next {
        match (self.turn, self.outcome()) {
            (None, _) => Next::Deal,
            (Some(_), Some(outcome)) => Next::Over(outcome),
            (Some(seat), None) => Next::Move(seat),
        }
    }

    /// Presses on lit and silent points are legal, and have no effect.
    fn legal(&self) -> Squares {
        Squares::ALL
    }

    fn forbids(&self, square: Square) -> String {
        unreachable!("{square} may be pressed, as every point")
    }

    fn press(&mut self, square: Square) {
        let Some(seat) = self.turn else { return };
        let finds = self.hunt.press(seat, square);
        if !finds && self.hunt.silent == Some(square) {
            self.missed[seat.index()].insert(square);
        }
        self.last = Some(square);
        self.turn = Some(seat.other());
    }

    /// Nobody must pass, or may.
    fn pass(&mut self) {}

    fn grid(&self, _view: &View) -> Grid {
        let light = self.turn.filter(|_| self.outcome().is_none());
        let goal = hunt::goal(self.mode);
        let mut notes = vec![format!("{goal} finds win")];
        match (light, self.last, self.hunt.silent) {
            (Some(_), None, _) if !self.blind => {
                notes.push("look well: the first press makes the board dark".into());
            }
            (Some(_), _, Some(silent)) => {
                notes.push(format!("{silent} is silent: a press on it has no effect now"));
            }
            (None, Some(_), _) => notes.push("g and r are points that nobody has found".into()),
            _ => {}
        }
        Grid {
            rows: self.rows(),
            last: self.last.into_iter().collect(),
            legal: Squares::NONE,
            score: Some((self.hunt.lit().count(), "finds".into())),
            light,
            notes,
        }
    }

    fn deal(&self, below: RandomBelow) -> Stones {
        hunt::pattern(self.mode, below)
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        if stones.count() != [hunt::points(self.mode); 2] {
            return Err(MoveError::Illegal("these points are not a pattern of this mode".into()));
        }
        self.hunt = Hunt { hidden: stones, ..Hunt::default() };
        self.turn = Some(Seat(0));
        Ok(())
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        Some(Press::At(self.remembered(level, below)))
    }
}

#[cfg(test)]
mod tests;
