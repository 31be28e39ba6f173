//! Life on the console: Life1, in which one gets rid of a pattern, and Life2, in which one colour
//! gets rid of the other.
//!
//! The rules are those of [`crate::life`]; here a generation comes after each period, whether
//! somebody has pressed or not. Ours: the pause between two turns of Life1; that the presses of
//! Life2 end when the time for a move runs out.

use super::digest::Digest;
use super::table::{Running, Table, Ticking};
use super::{Light, Live, Scene, Sitting};
use crate::grid::{Press, Square, Squares, Stones};
use crate::kit::Seat;
use crate::life::generation::{Birth, pressed};
use crate::life::one::{self, One};
use crate::life::two::{self, Two};

/// Starts Life1 in mode 0 and Life2 in mode 1.
pub(super) fn start(sitting: &Sitting) -> Box<dyn Live> {
    if sitting.mode == 0 {
        Running::start(sitting, Alone::start)
    } else {
        Running::start(sitting, Together::start)
    }
}

/// How many points the board looks at before it presses in Life1, by level.
const LOOKS_ALONE: [usize; 5] = [0, 2, 6, 20, 81];

/// The same in Life2, where one good press may decide: at level 1 it presses anywhere.
const LOOKS_TOGETHER: [usize; 5] = [0, 0, 2, 6, 81];

/// Of so many points, the press that is worth most; none where no press is worth more.
fn best(table: &mut Table, looks: usize, worth: impl Fn(Option<Square>) -> i32) -> Option<Square> {
    let mut unseen = Squares::ALL;
    let mut best = (worth(None), None);
    for _ in 0..looks {
        let Some(at) = table.any(unseen) else { break };
        unseen.remove(at);
        let found = worth(Some(at));
        if found > best.0 {
            best = (found, Some(at));
        }
    }
    best.1
}

/// How many points the game begins with, if nobody has said another number.
fn points(table: &Table, usual: u32) -> u32 {
    match table.sitting.points {
        0 => usual,
        points => points.into(),
    }
}

/// The pause between two turns of Life1, in ticks.
const PAUSE: u64 = 100;

/// The state of Life1.
#[derive(Clone, Debug)]
struct Alone {
    one: One,
    turn: Seat,
    /// The ticks until the next generation.
    left: u64,
    /// The ticks until the next turn begins.
    pause: u64,
    /// Presses since the last generation.
    pressed: u8,
    /// Generations of this turn.
    generations: u32,
    /// The tick at which the board presses next.
    due: u64,
}

impl Alone {
    fn start(table: &mut Table) -> Self {
        let first = one::drawn(points(table, one::POINTS), &mut |limit| table.below(limit));
        let mut game = Self {
            one: One::new(first),
            turn: Seat(0),
            left: 0,
            pause: 0,
            pressed: 0,
            generations: 0,
            due: 0,
        };
        game.begin_turn(table);
        game
    }

    fn begin_turn(&mut self, table: &mut Table) {
        self.left = table.sitting.period();
        self.pressed = 0;
        self.generations = 0;
        self.due = table.ticks + table.reaction(self.turn);
        table.lights = [self.turn == Seat(0), self.turn == Seat(1)];
    }

    fn end_turn(&mut self, table: &mut Table) {
        self.pause = PAUSE;
        table.darken();
        if let Some(outcome) = self.one.outcome().filter(|_| self.turn == Seat(1)) {
            table.end(outcome);
        }
    }

    fn toggle(&mut self, table: &mut Table, at: Square) {
        if self.pressed == one::PRESSES {
            return;
        }
        self.pressed += 1;
        table.last = Some(at);
        self.one.board.toggle(at.into());
        if self.one.board.living().is_empty() {
            // The generation that runs counts.
            self.generate(table);
        }
    }

    /// Lets the board press, if it is time.
    fn play(&mut self, table: &mut Table) {
        let level = table.sitting.level_of(self.turn);
        if level == 0 || table.ticks < self.due || self.pressed == one::PRESSES {
            return;
        }
        let points = self.one.board;
        let worth = |at: Option<Square>| {
            let mut points = points;
            points.toggle(at.map_or(Squares::NONE, Squares::from));
            let next = points.next();
            -next.living().len().cast_signed() * 2 - next.next().living().len().cast_signed()
        };
        let at = best(table, LOOKS_ALONE[usize::from(level)], worth);
        self.due = table.ticks + table.reaction(self.turn) / 2;
        if let Some(at) = at {
            self.toggle(table, at);
        }
    }

    fn generate(&mut self, table: &mut Table) {
        self.generations += 1;
        self.pressed = 0;
        self.left = table.sitting.period();
        if self.one.grow(self.turn) {
            self.end_turn(table);
        }
    }
}

impl Ticking for Alone {
    fn press(&mut self, table: &mut Table, _seat: Seat, press: Press) {
        if let Press::At(at) = press {
            self.toggle(table, at);
            // The tick of the press itself is not one of the pause.
            self.pause += u64::from(self.pause > 0);
        }
    }

    fn tick(&mut self, table: &mut Table) {
        if self.pause > 0 {
            self.pause -= 1;
            if self.pause == 0 {
                self.one.hand_over(self.turn);
                self.turn = self.turn.other();
                self.begin_turn(table);
            }
            return;
        }
        self.play(table);
        if self.pause == 0 {
            self.left -= 1;
            if self.left == 0 {
                self.generate(table);
            }
        }
    }

    fn scene(&self, table: &Table) -> Scene {
        let mut scene = table.scene(&Stones::default(), self.one.totals, "generations");
        scene.light(self.one.board.living(), Light::of(self.turn));
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

    fn write(&self, digest: &mut Digest) {
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
struct Together {
    two: Two,
    turn: Seat,
    /// Presses of this turn.
    pressed: u8,
    /// Generations that are still to come before the light changes; none while it is on.
    running: u32,
    /// The ticks until the next generation.
    left: u64,
    /// The tick at which the board presses next.
    due: u64,
}

impl Together {
    fn start(table: &mut Table) -> Self {
        let stones = Stones::drawn(points(table, two::POINTS), &mut |limit| table.below(limit));
        let two = Two::new(Birth::Two, stones);
        let mut game = Self { two, turn: Seat(0), pressed: 0, running: 0, left: 0, due: 0 };
        game.begin_turn(table);
        game
    }

    fn begin_turn(&mut self, table: &mut Table) {
        self.pressed = 0;
        table.pass_light_to(self.turn);
        self.due = table.ticks + table.reaction(self.turn);
    }

    /// The presses of a turn are made.
    fn run(&mut self, table: &mut Table) {
        self.two.end_presses(self.pressed == 0);
        self.running = two::GENERATIONS;
        self.left = table.sitting.period();
        table.darken();
    }

    fn touch(&mut self, table: &mut Table, at: Square) {
        self.two.press(self.turn, at);
        self.pressed += 1;
        table.last = Some(at);
        match self.two.outcome() {
            Some(outcome) => table.end(outcome),
            None if self.pressed == two::PRESSES => self.run(table),
            None => {}
        }
    }

    /// What a side may think of those stones, with so many presses left to it.
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

    /// Lets the board press: at level 4 it sees both presses of its turn together.
    fn play(&mut self, table: &mut Table) {
        let (seat, stones) = (self.turn, self.two.stones);
        let level = table.sitting.level_of(seat);
        let ahead = if level == 4 { two::PRESSES - self.pressed - 1 } else { 0 };
        let worth = |at: Option<Square>| match at {
            Some(at) => Self::worth(pressed(stones, seat, at.into()), seat, ahead),
            None => Self::worth(stones, seat, 0),
        };
        let at = match LOOKS_TOGETHER[usize::from(level)] {
            0 => table.any(Squares::ALL),
            looks => best(table, looks, worth),
        };
        self.due = table.ticks + table.reaction(seat) / 2;
        match at {
            Some(at) => self.touch(table, at),
            None => self.run(table),
        }
    }

    fn generate(&mut self, table: &mut Table) {
        let is_decided = self.two.generate();
        self.running -= 1;
        self.left = table.sitting.period();
        // Whether the board repeats itself is judged between two turns only.
        if !is_decided && self.running > 0 {
            return;
        }
        if let Some(outcome) = self.two.outcome() {
            table.end(outcome);
        } else {
            self.turn = self.turn.other();
            self.begin_turn(table);
        }
    }
}

impl Ticking for Together {
    fn press(&mut self, table: &mut Table, _seat: Seat, press: Press) {
        match press {
            Press::At(at) => self.touch(table, at),
            Press::Pass => self.run(table),
        }
        // The tick of the press itself is not one of the period.
        self.left += u64::from(self.running > 0);
    }

    fn tick(&mut self, table: &mut Table) {
        if self.running > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.generate(table);
            }
        } else if table.sitting.level_of(self.turn) > 0 && table.ticks >= self.due {
            self.play(table);
        } else if table.runs_out() {
            self.run(table);
        }
    }

    fn scene(&self, table: &Table) -> Scene {
        let stones = &self.two.stones;
        let mut scene = table.scene(stones, stones.count(), "points");
        scene.line = match (self.running, two::PRESSES - self.pressed) {
            _ if table.is_over() => None,
            (0, 1) => Some("one press is left, or pass".into()),
            (0, left) => Some(format!("{left} presses are left, or pass")),
            (1, _) => Some("one generation is to come".into()),
            (running, _) => Some(format!("{running} generations are to come")),
        };
        scene
    }

    fn write(&self, digest: &mut Digest) {
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
mod tests {
    use super::*;
    use crate::kit::Outcome;
    use crate::life::generation::Aged;

    fn sitting(mode: u8) -> Sitting {
        Sitting { mode, seed: 2, time: 0, ..Sitting::default() }
    }

    fn at(name: &str) -> Press {
        Press::At(name.parse().unwrap())
    }

    fn squares(names: &str) -> Squares {
        names.split_whitespace().map(|name| name.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn a_generation_comes_each_period_and_three_presses_fit_before_it() {
        let mut game = Running::new(&sitting(0), Alone::start);
        assert_eq!(game.rules.one.first.len(), one::POINTS);
        game.rules.one.board = Aged::born(squares("e4 e5 e6 a1"));
        let presses = ["i1", "i9", "a9", "c3"].map(|name| (Seat(0), at(name)));
        game.step(&presses);
        assert_eq!(game.rules.one.board.living(), squares("e4 e5 e6 a1 i1 i9 a9"));
        game.step(&[(Seat(1), at("h1")), (Seat(0), at("a1"))]);
        for tick in 2..70 {
            assert_eq!(game.rules.one.board.living(), squares("e4 e5 e6 a1 i1 i9 a9"), "{tick}");
            assert_eq!((game.scene().score, game.scene().clock), ([0, 0], Some(70 - tick)));
            game.step(&[]);
        }
        assert_eq!(game.rules.one.board.living(), squares("d5 e5 f5"));
        assert_eq!(game.scene().score, [1, 0]);
        // Then one may press again, and the generation that runs counts.
        game.step(&["d5", "e5", "f5"].map(|name| (Seat(0), at(name))));
        let scene = game.scene();
        assert_eq!((scene.score, scene.turn), ([2, 0], [false; 2]));
        for _ in 0..PAUSE {
            assert_eq!(game.scene().turn, [false; 2]);
            game.step(&[]);
        }
        assert_eq!(game.scene().turn, [false, true]);
        assert_eq!(game.rules.one.board, Aged::born(game.rules.one.first), "red has the same");
    }

    #[test]
    fn the_ages_of_life1_are_told_apart() {
        let mut game = Running::new(&sitting(0), Alone::start);
        // A block lives for five generations.
        game.rules.one.board = Aged::born(squares("e4 e5 f4 f5"));
        for age in 1..=5 {
            let scene = game.scene();
            assert_eq!(scene.ages["e4".parse::<Square>().unwrap().index()], age);
            assert_eq!(scene.ages.iter().filter(|&&of| of > 0).count(), 4);
            (0..70).for_each(|_| game.step(&[]));
        }
        assert_eq!(game.scene().ages, [0; 81]);
    }

    #[test]
    fn it_begins_with_as_many_points_as_somebody_wants() {
        for points in [6, 40] {
            let with = |mode| Sitting { points, ..sitting(mode) };
            let one = Running::new(&with(0), Alone::start);
            assert_eq!(one.rules.one.first.len(), u32::from(points));
            let two = Running::new(&with(1), Together::start);
            assert_eq!(two.rules.two.stones.count(), [u32::from(points); 2]);
        }
    }

    #[test]
    fn more_than_a_hundred_generations_end_it_after_red() {
        for (totals, over) in [
            ([101, 90], Some((Seat(1), "with fewer generations"))),
            ([99, 100], Some((Seat(0), "with fewer generations"))),
            ([98, 99], None),
        ] {
            let mut game = Running::new(&sitting(0), Alone::start);
            game.rules.one.totals = totals;
            game.rules.turn = Seat(1);
            game.rules.begin_turn(&mut game.table);
            game.rules.one.board = Aged::born(squares("e5"));
            game.step(&[(Seat(1), at("e5"))]);
            let over = over.map(|(by, reason)| Outcome::Won { by, points: 1, reason });
            assert_eq!(game.over(), over, "{totals:?}");
        }
    }

    #[test]
    fn two_presses_and_eight_generations_are_a_turn_of_life2() {
        for (presses, count) in [(&["a1", "i9"][..], 2), (&["a1", "pass"], 1), (&["pass"], 0)] {
            let mut game = Running::new(&sitting(1), Together::start);
            let start = game.rules.two.stones;
            assert_eq!((start.count(), start.turned()), ([two::POINTS; 2], start));
            let press =
                |&name: &&str| (Seat(0), if name == "pass" { Press::Pass } else { at(name) });
            for press in presses.iter().map(press) {
                assert_eq!(game.scene().turn, [true, false]);
                game.step(&[press]);
            }
            let pressed: Squares = presses.iter().filter_map(|name| name.parse().ok()).collect();
            assert_eq!(pressed.len(), count);
            let mut expected = super::pressed(start, Seat(0), pressed);
            for _ in 0..two::GENERATIONS {
                assert_eq!(game.rules.two.stones, expected);
                expected = Birth::Two.next(&expected);
                for _ in 0..70 {
                    assert_eq!(game.scene().turn, [false; 2], "{presses:?}");
                    game.step(&[(Seat(0), at("e5")), (Seat(1), at("e5"))]);
                }
            }
            assert_eq!(game.rules.two.stones, expected);
            assert_eq!((game.over(), game.scene().turn), (None, [false, true]), "{presses:?}");
        }
    }

    #[test]
    fn a_colour_that_is_gone_has_lost_at_once() {
        for (start, press, expected) in [
            ("e5", "e5", Some(Outcome::Drawn { reason: "nothing lives any more" })),
            ("a1 c1 a3", "a1", None),
        ] {
            let mut game = Running::new(&sitting(1), Together::start);
            let [green, red] = if start == "e5" { ["", "e5"] } else { [start, "i9"] };
            game.rules.two.stones = Stones::new(squares(green), squares(red));
            game.step(&[(Seat(0), at(press))]);
            assert_eq!(game.over(), expected, "{start}");
        }
        let mut game = Running::new(&sitting(1), Together::start);
        game.rules.two.stones = Stones::new(squares("a1 a2 b1 b2"), squares("i9"));
        game.step(&[(Seat(0), Press::Pass)]);
        for _ in 0..70 {
            assert_eq!(game.over(), None);
            game.step(&[]);
        }
        let reason = "as the only colour that lives";
        assert_eq!(game.over(), Some(Outcome::Won { by: Seat(0), points: 1, reason }));
    }

    #[test]
    fn nobody_pressing_comes_to_an_end() {
        let mut game = Running::new(&sitting(1), Together::start);
        let block = squares("a1 a2 b1 b2");
        game.rules.two.stones = Stones::new(block, block.turned());
        let reason = "the board repeats itself and nobody presses";
        let mut ticks = 0;
        while game.over().is_none() {
            game.step(&[]);
            ticks += 1;
        }
        assert_eq!(game.over(), Some(Outcome::Drawn { reason }));
        // Two turns at least, each of five seconds and eight generations.
        assert_eq!((ticks % (500 + 8 * 70), ticks > 1_060), (0, true));
    }
}
