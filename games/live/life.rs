//! Life on the console: in Life1 a player clears a pattern, in Life2 one colour clears the other.
//!
//! The rules are those of [`crate::life`], but a generation follows every period, whether a player
//! has pressed or not. Ours: the pause between two turns of Life1; the presses of Life2 end when
//! the time for a move runs out.

use super::common_state::{CommonState, LiveRules, RunningGame};
use super::digest::StateDigest;
use super::{GameInProgress, GameSettings, Light, Scene};
use crate::grid::{Press, Square, Squares, Stones};
use crate::kit::Seat;
use crate::life::generation::{Birth, pressed};
use crate::life::one::{self, Life1Board};
use crate::life::two::{self, Life2Board};

/// Starts Life1 in mode 0 and Life2 in mode 1.
pub(super) fn start(settings: &GameSettings) -> Box<dyn GameInProgress> {
    if settings.mode == 0 {
        RunningGame::start(settings, Life1Game::start)
    } else {
        RunningGame::start(settings, Life2Game::start)
    }
}

/// The number of points that the computer tries before a press in Life1, by level.
const LOOKS_ALONE: [usize; 5] = [0, 2, 6, 20, 81];

/// The same in Life2, where one good press may decide; at level 1 it presses a random point.
const LOOKS_TOGETHER: [usize; 5] = [0, 0, 2, 6, 81];

/// Returns the best press among some random points; `None` if no press improves the value.
fn best(
    common: &mut CommonState,
    looks: usize,
    worth: impl Fn(Option<Square>) -> i32,
) -> Option<Square> {
    let mut unseen = Squares::ALL;
    let mut best = (worth(None), None);
    for _ in 0..looks {
        let Some(at) = common.any(unseen) else { break };
        unseen.remove(at);
        let found = worth(Some(at));
        if found > best.0 {
            best = (found, Some(at));
        }
    }
    best.1
}

/// Returns the number of points at the start, with its default.
fn points(common: &CommonState, usual: u32) -> u32 {
    match common.settings.points {
        0 => usual,
        points => points.into(),
    }
}

/// The pause between two turns of Life1, in ticks.
const PAUSE: u64 = 100;

/// The state of Life1.
#[derive(Clone, Debug)]
struct Life1Game {
    one: Life1Board,
    turn: Seat,
    /// The ticks until the next generation.
    left: u64,
    /// The ticks until the next turn.
    pause: u64,
    /// Presses since the last generation.
    pressed: u8,
    /// Generations of this turn.
    generations: u32,
    /// The tick of the computer's next press.
    due: u64,
}

impl Life1Game {
    fn start(common: &mut CommonState) -> Self {
        let first = one::drawn(points(common, one::POINTS), &mut |limit| common.below(limit));
        let mut game = Self {
            one: Life1Board { most: one::LIMIT + 1, ..Life1Board::new(first) },
            turn: Seat(0),
            left: 0,
            pause: 0,
            pressed: 0,
            generations: 0,
            due: 0,
        };
        game.begin_turn(common);
        game
    }

    fn begin_turn(&mut self, common: &mut CommonState) {
        self.left = common.settings.period();
        self.pressed = 0;
        self.generations = 0;
        self.due = common.ticks + common.reaction(self.turn);
        common.lights = [self.turn == Seat(0), self.turn == Seat(1)];
    }

    fn end_turn(&mut self, common: &mut CommonState) {
        self.pause = PAUSE;
        common.darken();
        if let Some(outcome) = self.one.outcome().filter(|_| self.turn == Seat(1)) {
            common.end(outcome);
        }
    }

    fn toggle(&mut self, common: &mut CommonState, at: Square) {
        if self.pressed == one::PRESSES {
            return;
        }
        self.pressed += 1;
        common.last = Some(at);
        self.one.board.toggle(at.into());
        if self.one.board.living().is_empty() {
            // The current generation counts.
            self.generate(common);
        }
    }

    /// Makes the computer press if it is time.
    fn play(&mut self, common: &mut CommonState) {
        let level = common.settings.level_of(self.turn);
        if level == 0 || common.ticks < self.due || self.pressed == one::PRESSES {
            return;
        }
        let points = self.one.board;
        let worth = |at: Option<Square>| {
            let mut points = points;
            points.toggle(at.map_or(Squares::NONE, Squares::from));
            let next = points.next();
            -next.living().len().cast_signed() * 2 - next.next().living().len().cast_signed()
        };
        let at = best(common, LOOKS_ALONE[usize::from(level)], worth);
        self.due = common.ticks + common.reaction(self.turn) / 2;
        if let Some(at) = at {
            self.toggle(common, at);
        }
    }

    fn generate(&mut self, common: &mut CommonState) {
        self.generations += 1;
        self.pressed = 0;
        self.left = common.settings.period();
        if self.one.grow(self.turn) {
            self.end_turn(common);
        }
    }
}

impl LiveRules for Life1Game {
    fn press(&mut self, common: &mut CommonState, _seat: Seat, press: Press) {
        if let Press::At(at) = press {
            self.toggle(common, at);
            // The tick of the press does not count for the pause.
            self.pause += u64::from(self.pause > 0);
        }
    }

    fn tick(&mut self, common: &mut CommonState) {
        if self.pause > 0 {
            self.pause -= 1;
            if self.pause == 0 {
                self.one.hand_over(self.turn);
                self.turn = self.turn.other();
                self.begin_turn(common);
            }
            return;
        }
        self.play(common);
        if self.pause == 0 {
            self.left -= 1;
            if self.left == 0 {
                self.generate(common);
            }
        }
    }

    fn scene(&self, common: &CommonState) -> Scene {
        let mut scene = common.scene(&Stones::default(), self.one.totals, "generations");
        scene.light(self.one.board.living(), Light::for_seat(self.turn));
        for at in self.one.board.living().iter() {
            let age = self.one.board.age(at).unwrap_or_default();
            scene.ages[at.index()] = u8::try_from(age).unwrap_or(u8::MAX);
        }
        if self.pause == 0 {
            scene.clock = Some(self.left);
            scene.line = Some(match one::PRESSES - self.pressed {
                1 => "one press is left before the next generation".into(),
                left => format!("{left} presses are left before the next generation"),
            });
        } else {
            scene.line = Some(format!("it took {} generations", self.generations));
        }
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        digest.squares(self.one.first);
        digest.number(self.one.round);
        self.one.board.0.iter().for_each(|&of_age| digest.squares(of_age));
        self.one.totals.iter().for_each(|&total| digest.number(total));
        digest.number(self.turn.0);
        digest.number(self.left);
        digest.number(self.pause);
        digest.number(self.due);
        digest.number(self.pressed);
        digest.number(self.generations);
    }
}

/// The state of Life2.
#[derive(Clone, Debug)]
struct Life2Game {
    two: Life2Board,
    turn: Seat,
    /// Presses of this turn.
    pressed: u8,
    /// Generations until the turn light changes; 0 while it is on.
    running: u32,
    /// The ticks until the next generation.
    left: u64,
    /// The tick of the computer's next press.
    due: u64,
}

impl Life2Game {
    fn start(common: &mut CommonState) -> Self {
        let stones = Stones::drawn(points(common, two::POINTS), &mut |limit| common.below(limit));
        let two = Life2Board::new(Birth::Two, stones);
        let mut game = Self { two, turn: Seat(0), pressed: 0, running: 0, left: 0, due: 0 };
        game.begin_turn(common);
        game
    }

    fn begin_turn(&mut self, common: &mut CommonState) {
        self.pressed = 0;
        common.pass_light_to(self.turn);
        self.due = common.ticks + common.reaction(self.turn);
    }

    /// Ends the presses of a turn.
    fn run(&mut self, common: &mut CommonState) {
        self.two.end_presses(self.pressed == 0);
        self.running = two::GENERATIONS;
        self.left = common.settings.period();
        common.darken();
    }

    fn touch(&mut self, common: &mut CommonState, at: Square) {
        self.two.press(self.turn, at);
        self.pressed += 1;
        common.last = Some(at);
        match self.two.outcome() {
            Some(outcome) => common.end(outcome),
            None if self.pressed == two::PRESSES => self.run(common),
            None => {}
        }
    }

    /// Returns the value of stones for a side with some presses left.
    fn worth(stones: Stones, seat: Seat, presses: u8) -> i32 {
        if presses > 0 {
            let after = |at: Square| pressed(stones, seat, at.into());
            let with = Square::all().map(|at| Self::worth(after(at), seat, presses - 1));
            return with.fold(Self::worth(stones, seat, 0), i32::max);
        }
        let last = (0..two::GENERATIONS).fold(stones, |stones, _| Birth::Two.next(&stones));
        let [own, other] = [seat, seat.other()].map(|seat| last[seat].len().cast_signed());
        own - other + 100 * (i32::from(other == 0) - i32::from(own == 0))
    }

    /// Makes the computer press: at level 4 it considers both presses of its turn together.
    fn play(&mut self, common: &mut CommonState) {
        let (seat, stones) = (self.turn, self.two.stones);
        let level = common.settings.level_of(seat);
        let ahead = if level == 4 { two::PRESSES - self.pressed - 1 } else { 0 };
        let worth = |at: Option<Square>| match at {
            Some(at) => Self::worth(pressed(stones, seat, at.into()), seat, ahead),
            None => Self::worth(stones, seat, 0),
        };
        let at = match LOOKS_TOGETHER[usize::from(level)] {
            0 => common.any(Squares::ALL),
            looks => best(common, looks, worth),
        };
        self.due = common.ticks + common.reaction(seat) / 2;
        match at {
            Some(at) => self.touch(common, at),
            None => self.run(common),
        }
    }

    fn generate(&mut self, common: &mut CommonState) {
        let is_decided = self.two.generate();
        self.running -= 1;
        self.left = common.settings.period();
        // Repetition is judged only between two turns.
        if !is_decided && self.running > 0 {
            return;
        }
        if let Some(outcome) = self.two.outcome() {
            common.end(outcome);
        } else {
            self.turn = self.turn.other();
            self.begin_turn(common);
        }
    }
}

impl LiveRules for Life2Game {
    fn press(&mut self, common: &mut CommonState, _seat: Seat, press: Press) {
        match press {
            Press::At(at) => self.touch(common, at),
            Press::Pass => self.run(common),
        }
        // The tick of the press does not count for the period.
        self.left += u64::from(self.running > 0);
    }

    fn tick(&mut self, common: &mut CommonState) {
        if self.running > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.generate(common);
            }
        } else if common.settings.level_of(self.turn) > 0 && common.ticks >= self.due {
            self.play(common);
        } else if common.runs_out() {
            self.run(common);
        }
    }

    fn scene(&self, common: &CommonState) -> Scene {
        let stones = &self.two.stones;
        let mut scene = common.scene(stones, stones.count(), "points");
        scene.line = match (self.running, two::PRESSES - self.pressed) {
            _ if common.is_over() => None,
            (0, 1) => Some("one press is left, or pass".into()),
            (0, left) => Some(format!("{left} presses are left, or pass")),
            (1, _) => Some("one generation is to come".into()),
            (running, _) => Some(format!("{running} generations are to come")),
        };
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        digest.stones(&self.two.stones);
        digest.number(self.two.generation);
        digest.maybe(self.two.quiet.map(|quiet| quiet.turns));
        digest.stones(&self.two.quiet.map_or(Stones::default(), |quiet| quiet.from));
        digest.number(self.turn.0);
        digest.number(self.pressed);
        digest.number(self.running);
        digest.number(self.left);
        digest.number(self.due);
    }
}

#[cfg(test)]
mod tests;
