//! `CountLines`: players light points in turn, and every four of a colour in a line count.
//!
//! Source: S4, *Playing Maldoo*. Modes are read as bits: 1 ends the game with the first line, 2
//! removes the distance rule. S4 lists the modes as "1 and 3" and "2 and 4", which would make two
//! modes equal; so 4 is taken as a misprint for 2.

mod lines;
mod player;
#[cfg(test)]
mod tests;

use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, Square, Squares, Stones, leaps, mode, search,
};
use crate::kit::{Choices, Manner, Next, Outcome, RandomBelow, Seat, Spec, Switch, View};

/// The points less than three away from each: the square of five by five around it, itself
/// included.
static NEAR: [Squares; 81] = leaps(&[(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]);

/// A position of `CountLines`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    mode: u8,
    stones: Stones,
    /// The seat whose turn light is on.
    turn: Seat,
    /// The point that each side pressed last.
    last: [Option<Square>; 2],
}

impl Position {
    fn empty(options: &Choices) -> Self {
        let mode = if mode(options) == 4 { 2 } else { mode(options) };
        Self { mode, stones: Stones::default(), turn: Seat(0), last: [None; 2] }
    }

    /// Returns whether the first line wins.
    const fn ends_with_a_line(&self) -> bool {
        self.mode & 1 != 0
    }

    /// Returns the point that the side to move must keep away from, in modes with that rule.
    fn shunned(&self) -> Option<Square> {
        self.last[self.turn.index()].filter(|_| self.mode & 2 == 0)
    }

    /// Returns the dark points far enough from the side's own last one; if there is none, all dark
    /// points.
    fn open(&self) -> Squares {
        let dark = !self.stones.lit();
        let near = self.shunned().map_or(Squares::NONE, |last| NEAR[last.index()]);
        if dark.without(near).is_empty() { dark } else { dark.without(near) }
    }

    /// Returns the number of lines of each side.
    fn lines(&self) -> [u32; 2] {
        Seat::BOTH.map(|seat| lines::fours(self.stones[seat]))
    }

    /// Returns the result of the game, if it is over.
    fn outcome(&self) -> Option<Outcome> {
        let [green, red] = self.lines();
        let won = |by, reason| Outcome::Won { by, points: 1, reason };
        if self.ends_with_a_line() && green + red > 0 {
            return Some(won(Seat(u8::from(green == 0)), "with four in a line"));
        }
        if self.stones.lit() != Squares::ALL {
            return None;
        }
        Some(if self.ends_with_a_line() {
            Outcome::Drawn { reason: "the board is full and neither side has four in a line" }
        } else {
            let equal = "both have the same number of lines";
            Outcome::of_scores([green, red], "with more lines", equal)
        })
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "countlines",
        title: "CountLines",
        about: "make more fours in a row than the other",
        sides: SIDES,
        help: include_str!("../../help/countlines.md"),
        options: &[Switch::one_of(
            "mode",
            &["0", "1", "2", "3", "4"],
            "1 and 3: the first line wins; 2 and 3: no distance to keep; 4 is 2",
        )],
        manner: Manner {
            levels: 4,
            has_draws: true,
            turns: 40,
            minutes_to_learn: 3,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    fn setup(options: &Choices) -> Self {
        Self::empty(options)
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        if line.size != crate::SIZE {
            return Err("the board has nine lines".into());
        }
        let turn = line.side.ok_or("the side to move must be G or R")?;
        let last = [line.take("green")?, line.take("red")?];
        for (seat, side) in Seat::BOTH.into_iter().zip(["green", "red"]) {
            if let Some(last) = last[seat.index()].filter(|&at| !line.stones[seat].contains(at)) {
                return Err(format!("{last} is not {side}"));
            }
        }
        Ok(Self { stones: line.stones, turn, last, ..Self::empty(options) })
    }

    fn line(&self) -> NotationLine {
        NotationLine::new(Some(self.turn), self.stones)
            .with_some("green", self.last[0])
            .with_some("red", self.last[1])
    }

    fn next(&self) -> Next {
        self.outcome().map_or(Next::Move(self.turn), Next::Over)
    }

    fn legal(&self) -> Squares {
        self.open()
    }

    fn forbids(&self, square: Square) -> String {
        match self.shunned() {
            Some(last) if !self.stones.lit().contains(square) => {
                format!("{square} is less than 3 away from {last}, your last point")
            }
            _ => format!("{square} is lit"),
        }
    }

    fn press(&mut self, square: Square) {
        self.stones[self.turn].insert(square);
        self.last[self.turn.index()] = Some(square);
        self.turn = self.turn.other();
    }

    /// Returns false: any dark point may be pressed.
    fn pass(&mut self) {}

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        search::choose(self, level, below)
    }

    fn grid(&self, view: &View) -> Grid {
        let on = matches!(PressGame::next(self), Next::Move(_));
        let notes = self.shunned().filter(|_| on).map(|last| {
            let side = SIDES[self.turn.index()];
            if (self.open() & NEAR[last.index()]).is_empty() {
                format!("{side} may not press within 3 of {last}")
            } else {
                format!("No dark point is 3 away from {last}: {side} may press any")
            }
        });
        Grid {
            rows: self.stones.rows(crate::SIZE),
            last: self.last[self.turn.other().index()].into_iter().collect(),
            legal: if view.legal && on { self.open() } else { Squares::NONE },
            score: Some((self.lines(), "lines".into())),
            light: on.then_some(self.turn),
            notes: notes.into_iter().collect(),
        }
    }
}
