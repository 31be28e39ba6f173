//! Two games of Life: in Life1 each player tries to leave nothing alive, in Life2 two colours
//! fight.
//!
//! Source: S4, *Playing Maldoo*. Its games run by a clock; here a generation waits for the presses.

pub(crate) mod generation;
mod level;
pub(crate) mod one;
pub(crate) mod two;

use crate::grid::{
    Grid, NotationLine, Press, PressGame, SIDES, SIZE, Square, SquareList, Squares, Stones, mode,
};
use crate::kit::{
    Choices, Manner, MoveError, Next, Outcome, RandomBelow, Seat, Spec, Switch, Values, View,
};
use generation::{AgedPoints, Birth, LIFETIME};
use one::Life1Board;
use std::fmt::{self, Display};
use std::str::FromStr;
use two::{Life2Board, QuietTurns};

/// A position of Life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// The seat whose turn light is on; `None` before the start is dealt.
    turn: Option<Seat>,
    /// The number of presses since the last generation.
    presses: u8,
    /// The last presses: since the last generation, or before it if there were none.
    last: Vec<Square>,
    /// The number of points at the start, in all or of each colour.
    points: u32,
    board: Board,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Board {
    One(Life1Board),
    Two(Life2Board),
}

impl Board {
    /// Returns the number of presses before a generation.
    const fn presses(&self) -> u8 {
        match self {
            Self::One(_) => one::PRESSES,
            Self::Two(_) => two::PRESSES,
        }
    }
}

/// A number for each side: `12,9`.
struct SideCounts([u32; 2]);

impl Display for SideCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0[0], self.0[1])
    }
}

impl FromStr for SideCounts {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (green, red) = text.split_once(',').unwrap_or((text, ""));
        Ok(Self([green.parse()?, red.parse()?]))
    }
}

impl Position {
    fn empty(options: &Choices) -> Self {
        let birth = if options.has("atleast") { Birth::TwoOrMore } else { Birth::Two };
        let (board, usual) = match mode(options) {
            0 => (Board::One(Life1Board::new(Squares::NONE)), one::POINTS),
            _ => (Board::Two(Life2Board::new(birth, Stones::default())), two::POINTS),
        };
        let points = options.get("points").and_then(|points| points.parse().ok());
        let points = points.unwrap_or(usual);
        Self { turn: None, presses: 0, last: Vec::new(), points, board }
    }

    /// Returns the result, if the game is over.
    fn outcome(&self) -> Option<Outcome> {
        match &self.board {
            // The game is judged before a new turn of green.
            Board::One(one) if self.turn == Some(Seat(0)) && one.is_turn_over(Seat(1)) => {
                one.outcome()
            }
            Board::One(_) => None,
            Board::Two(two) => two.outcome(),
        }
    }

    /// Runs the generations that follow the presses.
    fn grow(&mut self) {
        let Some(seat) = self.turn else { return };
        let idle = self.presses == 0;
        self.presses = 0;
        match &mut self.board {
            Board::One(one) => {
                if one.grow(seat) {
                    one.hand_over(seat);
                    self.turn = Some(seat.other());
                }
            }
            Board::Two(two) => {
                two.grow(idle);
                self.turn = Some(seat.other());
            }
        }
    }
}

impl PressGame for Position {
    const SPEC: Spec = Spec {
        name: "life",
        title: "Life",
        about: "make everything die sooner than your opponent",
        sides: SIDES,
        help: include_str!("../../help/life.md"),
        verbs: &["pass"],
        options: &[
            Switch::one_of("mode", &["0", "1"], "0: let everything die; 1: green against red"),
            Switch {
                name: "points",
                values: Values::Number { min: 6, max: 40, default: two::POINTS },
                help: "living points at the start: in mode 0 in all (28 if not said), in mode 1 of \
                       each colour (18)",
            },
            Switch::flag(
                "atleast",
                "mode 1: points are born where the colours differ by two or more",
            ),
        ],
        manner: Manner {
            levels: level::LEVELS,
            has_multi_move_turns: true,
            has_draws: true,
            turns: 12,
            minutes_to_learn: 5,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RULES: u32 = 2;

    fn setup(options: &Choices) -> Self {
        Self::empty(options)
    }

    fn setup_by(options: &Choices, rules: u32) -> Self {
        let mut position = Self::empty(options);
        if let (Board::One(one), 1) = (&mut position.board, rules) {
            one.most = one::LIMIT + 1;
        }
        position
    }

    fn placed(options: &Choices, line: &mut NotationLine) -> Result<Self, String> {
        let empty = Self::empty(options);
        if line.size != SIZE {
            return Err(format!("the board has {SIZE} lines"));
        }
        if line.side.is_none() {
            return Ok(empty);
        }
        let board = match empty.board {
            Board::One(_) => {
                if !line.stones[Seat(1)].is_empty() {
                    return Err("nothing is red in this mode".into());
                }
                let first: Stones = line.take("first")?.ok_or("the first pattern is missing")?;
                let ages: String = line.take("age")?.unwrap_or_default();
                let SideCounts(totals) = line.take("total")?.ok_or("the totals are missing")?;
                let round = line.take("round")?.ok_or("the round is missing")?;
                let most = line.take("most")?.unwrap_or(one::MOST);
                if ![one::MOST, one::LIMIT + 1].contains(&most) {
                    return Err("no turn ends at that total".into());
                }
                // Each turn of a round takes at least one generation.
                if totals.into_iter().any(|total| total > most) || round > one::LIMIT + 1 {
                    return Err("the game was over long ago".into());
                }
                let board = aged(line.stones[Seat(0)], &ages)?;
                Board::One(Life1Board { first: first[Seat(0)], round, totals, board, most })
            }
            Board::Two(two) => {
                let generation = line.take("generation")?.ok_or("the generation is missing")?;
                let turns = line.take("quiet")?.unwrap_or(0);
                let quiet = line.take("from")?.map(|from| QuietTurns { from, turns });
                if quiet.is_some() != (turns > 0) {
                    return Err("`quiet` says for how many turns, `from` since which board".into());
                }
                if generation >= two::LIMIT + two::GENERATIONS || turns > two::LIMIT {
                    return Err("the game was over long ago".into());
                }
                Board::Two(Life2Board { stones: line.stones, generation, quiet, ..two })
            }
        };
        let presses = line.take("presses")?.unwrap_or(0);
        if presses >= board.presses() {
            return Err(format!("there are {} presses before a generation", board.presses()));
        }
        let SquareList(last) = line.take("last")?.unwrap_or_default();
        Ok(Self { turn: line.side, presses, last, board, ..empty })
    }

    fn line(&self) -> NotationLine {
        let line = match &self.board {
            Board::One(one) if self.turn.is_some() => {
                NotationLine::new(self.turn, one::rows(one.board.living()))
                    .with_some("age", Some(one.ages()).filter(|ages| !ages.is_empty()))
                    .with("total", SideCounts(one.totals))
                    .with("round", one.round)
                    .with("first", one::rows(one.first))
                    .with_some("most", (one.most != one::MOST).then_some(one.most))
            }
            Board::Two(two) if self.turn.is_some() => NotationLine::new(self.turn, two.stones)
                .with("generation", two.generation)
                .with_some("quiet", two.quiet.map(|quiet| quiet.turns))
                .with_some("from", two.quiet.map(|quiet| quiet.from)),
            Board::One(_) | Board::Two(_) => NotationLine::new(None, Stones::default()),
        };
        let last = (!self.last.is_empty()).then(|| SquareList(self.last.clone()));
        line.with_some("presses", Some(self.presses).filter(|&presses| presses > 0))
            .with_some("last", last)
    }

    fn next(&self) -> Next {
        match (self.turn, self.outcome()) {
            (None, _) => Next::Deal,
            (Some(_), Some(outcome)) => Next::Over(outcome),
            (Some(seat), None) => Next::Move(seat),
        }
    }

    fn legal(&self) -> Squares {
        Squares::ALL
    }

    fn may_pass(&self) -> bool {
        true
    }

    fn forbids(&self, square: Square) -> String {
        unreachable!("{square} may be pressed, as every point")
    }

    fn press(&mut self, square: Square) {
        let Some(seat) = self.turn else { return };
        if self.presses == 0 {
            self.last.clear();
        }
        self.last.push(square);
        self.presses += 1;
        let done = match &mut self.board {
            Board::One(one) => {
                one.board.toggle(square.into());
                // The current generation counts.
                one.board.living().is_empty()
            }
            Board::Two(two) => {
                two.press(seat, square);
                if two.outcome().is_some() {
                    return;
                }
                false
            }
        };
        if done || self.presses == self.board.presses() {
            self.grow();
        }
    }

    fn pass(&mut self) {
        if self.presses == 0 {
            self.last.clear();
        }
        self.grow();
    }

    fn grid(&self, _view: &View) -> Grid {
        let light = self.turn.filter(|_| self.outcome().is_none());
        let left = self.board.presses() - self.presses;
        let plural = if left == 1 { "" } else { "es" };
        let presses = |before| format!("{left} press{plural} left before {before}");
        let (rows, score, notes) = match &self.board {
            Board::One(one) => (
                one.rows(),
                (one.totals, "generations".into()),
                vec![
                    format!("round {}; a digit is a living point and its age", one.round),
                    presses("the next generation"),
                ],
            ),
            Board::Two(two) => (
                two.stones.rows(SIZE),
                (two.stones.count(), "points".into()),
                vec![
                    format!("generation {} of {}", two.generation, two::LIMIT),
                    presses("the next eight generations"),
                ],
            ),
        };
        let notes = notes.into_iter().take(if light.is_some() { 2 } else { 1 }).collect();
        Grid {
            rows,
            last: self.last.clone(),
            legal: Squares::NONE,
            score: Some(score),
            light,
            notes,
        }
    }

    fn deal(&self, below: RandomBelow) -> Stones {
        match self.board {
            Board::One(_) => one::rows(one::drawn(self.points, below)),
            Board::Two(_) => Stones::drawn(self.points, below),
        }
    }

    fn lay(&mut self, stones: Stones) -> Result<(), MoveError> {
        let fits = match self.board {
            Board::One(_) => stones.count() == [self.points, 0],
            Board::Two(_) => stones.count() == [self.points; 2] && stones.turned() == stones,
        };
        if !fits {
            return Err(MoveError::Illegal("these points are not a start of this game".into()));
        }
        self.turn = Some(Seat(0));
        match &mut self.board {
            Board::One(one) => {
                *one = Life1Board { most: one.most, ..Life1Board::new(stones[Seat(0)]) }
            }
            Board::Two(two) => two.stones = stones,
        }
        Ok(())
    }

    fn finish(&self) -> Option<Press> {
        let begun = self.presses > 0 && matches!(PressGame::next(self), Next::Move(_));
        begun.then_some(Press::Pass)
    }

    fn choose(&self, level: u8, below: RandomBelow) -> Option<Press> {
        let left = self.board.presses() - self.presses;
        let square = match &self.board {
            Board::One(one) => level::choose_life1(&one.board, left, level, below),
            Board::Two(two) => {
                level::choose_life2(two.birth, &two.stones, self.turn?, left, level, below)
            }
        };
        Some(square.map_or(Press::Pass, Press::At))
    }
}

/// Parses points with their ages, a digit each in order.
fn aged(living: Squares, ages: &str) -> Result<AgedPoints, String> {
    let mut aged = AgedPoints::default();
    if ages.len() != living.len() as usize {
        return Err("`age` has a digit for each living point".into());
    }
    for (square, age) in living.iter().zip(ages.bytes()) {
        let age = usize::from(age).checked_sub(usize::from(b'1')).filter(|&age| age < LIFETIME);
        aged.0[age.ok_or("the ages are 1 to 5")?].insert(square);
    }
    Ok(aged)
}

#[cfg(test)]
mod tests;
