//! Life on the console: Life1, in which one gets rid of a pattern, and Life2, in which one colour
//! gets rid of the other.
//!
//! Ours: the start patterns and their sizes, the pause between two turns of Life1; that a turn of
//! Life2 has two presses, or fewer by passing or when its time runs out, and then eight
//! generations; that Life2 is a draw after 1,000 generations, or when a position comes again while
//! nobody presses.

use super::digest::Digest;
use super::table::{Running, Table, Ticking};
use super::{Light, Live, Scene, Sitting};
use crate::grid::{Press, Square, Squares, Stones};
use crate::kit::{Outcome, Seat};
use crate::life::generation::{Aged, Birth};

/// Starts Life1 in mode 0 and Life2 in mode 1.
pub(super) fn start(sitting: &Sitting) -> Box<dyn Live> {
    if sitting.mode == 0 {
        Running::start(sitting, Alone::start)
    } else {
        Running::start(sitting, Together::start)
    }
}

/// How many points the board looks at before it presses, by level.
const LOOKS: [usize; 5] = [0, 2, 6, 20, 81];

/// The press that the board likes best of those it looks at; none where it would rather not.
fn best(table: &mut Table, level: u8, worth: impl Fn(Option<Square>) -> i32) -> Option<Square> {
    let looks = LOOKS[usize::from(level)];
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

/// Points of Life1's patterns.
const PATTERN: u32 = 28;

/// Presses of Life1 between two generations.
const PRESSES: u32 = 3;

/// The total of generations that ends Life1 when it is passed.
const TOTAL: u32 = 100;

/// The pause between two turns of Life1, in ticks.
const PAUSE: u64 = 100;

/// The state of Life1.
#[derive(Clone, Debug)]
struct Alone {
    /// The pattern of this round, the same for both.
    pattern: Squares,
    points: Aged,
    turn: Seat,
    /// The ticks until the next generation.
    left: u64,
    /// The ticks until the next turn begins.
    pause: u64,
    /// Presses since the last generation.
    pressed: u32,
    /// Generations of this turn.
    generations: u32,
    /// Generations of each side's turns before.
    totals: [u32; 2],
    /// The tick at which the board presses next.
    due: u64,
}

impl Alone {
    fn start(table: &mut Table) -> Self {
        let mut game = Self {
            pattern: Squares::NONE,
            points: Aged::default(),
            turn: Seat(0),
            left: 0,
            pause: 0,
            pressed: 0,
            generations: 0,
            totals: [0; 2],
            due: 0,
        };
        game.begin_turn(table);
        game
    }

    fn begin_turn(&mut self, table: &mut Table) {
        if self.turn == Seat(0) {
            self.pattern = Squares::NONE;
            while self.pattern.len() < PATTERN {
                let free = !self.pattern;
                self.pattern = self.pattern | table.any(free).expect("it has room").into();
            }
        }
        self.points = Aged::born(self.pattern);
        self.left = table.sitting.period();
        self.pressed = 0;
        self.generations = 0;
        self.due = table.ticks + table.reaction(self.turn);
        table.lights = [self.turn == Seat(0), self.turn == Seat(1)];
    }

    /// What a side has with its turn, if that is under way.
    fn total(&self, seat: Seat) -> u32 {
        let running = if seat == self.turn && self.pause == 0 { self.generations } else { 0 };
        self.totals[seat.index()] + running
    }

    fn end_turn(&mut self, table: &mut Table) {
        self.totals[self.turn.index()] = self.total(self.turn);
        self.pause = PAUSE;
        table.darken();
        if self.turn == Seat(1) && self.totals.iter().any(|&total| total > TOTAL) {
            let [green, red] = self.totals;
            let few = "with fewer generations";
            table.end_by([red, green], few, "both have taken as many generations");
        }
    }

    fn toggle(&mut self, table: &mut Table, at: Square) {
        if self.pressed == PRESSES {
            return;
        }
        self.pressed += 1;
        table.last = Some(at);
        self.points.toggle(at.into());
        if self.points.living().is_empty() {
            self.generations += 1;
            self.end_turn(table);
        }
    }

    /// Lets the board press, if it is time.
    fn play(&mut self, table: &mut Table) {
        let level = table.sitting.level_of(self.turn);
        if level == 0 || table.ticks < self.due || self.pressed == PRESSES {
            return;
        }
        let points = self.points;
        let worth = |at: Option<Square>| {
            let mut points = points;
            points.toggle(at.map_or(Squares::NONE, Squares::from));
            let next = points.next();
            -next.living().len().cast_signed() * 2 - next.next().living().len().cast_signed()
        };
        let at = best(table, level, worth);
        self.due = table.ticks + table.reaction(self.turn) / 2;
        if let Some(at) = at {
            self.toggle(table, at);
        }
    }

    fn generate(&mut self, table: &mut Table) {
        self.points = self.points.next();
        self.generations += 1;
        self.pressed = 0;
        self.left = table.sitting.period();
        if self.points.living().is_empty() || self.total(self.turn) > TOTAL {
            self.end_turn(table);
        }
    }
}

impl Ticking for Alone {
    fn press(&mut self, table: &mut Table, _seat: Seat, press: Press) {
        if let Press::At(at) = press {
            self.toggle(table, at);
        }
    }

    fn tick(&mut self, table: &mut Table) {
        if self.pause > 0 {
            self.pause -= 1;
            if self.pause == 0 {
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
        let totals = Seat::BOTH.map(|seat| self.total(seat));
        let mut scene = table.scene(&Stones::default(), totals, "generations");
        scene.light(self.points.living(), Light::of(self.turn));
        if self.pause == 0 {
            scene.clock = Some(self.left);
            let left = PRESSES - self.pressed;
            scene.line = Some(format!("{left} presses are left before the next generation"));
        } else {
            scene.line = Some(format!("it took {} generations", self.generations));
        }
        scene
    }

    fn write(&self, digest: &mut Digest) {
        digest.squares(self.pattern);
        self.points.0.iter().for_each(|&of_age| digest.squares(of_age));
        digest.number(self.turn.0);
        [self.left, self.pause, self.due].iter().for_each(|&ticks| digest.number(ticks));
        digest.number(self.pressed);
        digest.number(self.generations);
        self.totals.iter().for_each(|&total| digest.number(total));
    }
}

/// Points of each colour at the start of Life2.
const EACH: u32 = 18;

/// Presses of a turn of Life2.
const TURN_PRESSES: u32 = 2;

/// Generations after the presses of a turn of Life2.
const TURN_GENERATIONS: u32 = 8;

/// The generations after which Life2 is a draw.
const MOST_GENERATIONS: u32 = 1_000;

/// The state of Life2.
#[derive(Clone, Debug)]
struct Together {
    stones: Stones,
    turn: Seat,
    /// Presses of this turn.
    pressed: u32,
    /// Generations that are still to come before the light changes; none while it is on.
    running: u32,
    /// The ticks until the next generation.
    left: u64,
    generations: u32,
    /// Turns in a row in which nobody has pressed.
    idle: u32,
    /// A position since the last press, the generation in which it stood, and the generation in
    /// which another one takes its place.
    mark: Stones,
    marked_until: u32,
    /// The tick at which the board presses next.
    due: u64,
}

impl Together {
    fn start(table: &mut Table) -> Self {
        let stones = Stones::drawn(EACH, &mut |limit| table.below(limit));
        let mut game = Self {
            stones,
            turn: Seat(0),
            pressed: 0,
            running: 0,
            left: 0,
            generations: 0,
            idle: 0,
            mark: stones,
            marked_until: 1,
            due: 0,
        };
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
        self.idle = if self.pressed == 0 { self.idle + 1 } else { 0 };
        self.running = TURN_GENERATIONS;
        self.left = table.sitting.period();
        table.darken();
    }

    /// Ends the game if a colour is gone; whether it has ended.
    fn is_decided(&self, table: &mut Table) -> bool {
        match self.stones.count() {
            [0, 0] => table.end(Outcome::Drawn { reason: "both colours are gone" }),
            [0, _] => table.end(won(Seat(1))),
            [_, 0] => table.end(won(Seat(0))),
            _ => {}
        }
        table.is_over()
    }

    fn pressed_on(stones: &Stones, seat: Seat, at: Square) -> Stones {
        let mut stones = *stones;
        if stones.lit().contains(at) {
            stones.take(at.into());
        } else {
            stones.give(at.into(), seat);
        }
        stones
    }

    fn touch(&mut self, table: &mut Table, at: Square) {
        self.stones = Self::pressed_on(&self.stones, self.turn, at);
        self.pressed += 1;
        table.last = Some(at);
        self.mark = self.stones;
        self.marked_until = self.generations + 1;
        if !self.is_decided(table) && self.pressed == TURN_PRESSES {
            self.run(table);
        }
    }

    /// Lets the board press, if it is time.
    fn play(&mut self, table: &mut Table) {
        let (seat, stones) = (self.turn, self.stones);
        let worth = |at: Option<Square>| {
            let mut stones = at.map_or(stones, |at| Self::pressed_on(&stones, seat, at));
            for _ in 0..TURN_GENERATIONS {
                stones = Birth::Two.next(&stones);
            }
            let [own, other] = [seat, seat.other()].map(|seat| stones[seat].len().cast_signed());
            own - other + 100 * (i32::from(other == 0) - i32::from(own == 0))
        };
        let at = best(table, table.sitting.level_of(seat), worth);
        self.due = table.ticks + table.reaction(seat) / 2;
        match at {
            Some(at) => self.touch(table, at),
            None => self.run(table),
        }
    }

    fn generate(&mut self, table: &mut Table) {
        self.stones = Birth::Two.next(&self.stones);
        self.generations += 1;
        self.running -= 1;
        self.left = table.sitting.period();
        if self.is_decided(table) {
            return;
        }
        if self.idle >= 2 && self.stones == self.mark {
            let reason = "the position has come again while nobody pressed";
            return table.end(Outcome::Drawn { reason });
        }
        if self.generations == MOST_GENERATIONS {
            return table.end(Outcome::Drawn { reason: "there were 1,000 generations" });
        }
        if self.generations >= self.marked_until {
            self.mark = self.stones;
            self.marked_until = self.generations * 2;
        }
        if self.running == 0 {
            self.turn = self.turn.other();
            self.begin_turn(table);
        }
    }
}

const fn won(by: Seat) -> Outcome {
    Outcome::Won { by, points: 1, reason: "because the other colour is gone" }
}

impl Ticking for Together {
    fn press(&mut self, table: &mut Table, _seat: Seat, press: Press) {
        match press {
            Press::At(at) => self.touch(table, at),
            Press::Pass => self.run(table),
        }
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
        let mut scene = table.scene(&self.stones, self.stones.count(), "points");
        scene.line = match (self.running, TURN_PRESSES - self.pressed) {
            _ if table.is_over() => None,
            (0, 1) => Some("one press is left, or pass".into()),
            (0, left) => Some(format!("{left} presses are left, or pass")),
            (1, _) => Some("one generation is to come".into()),
            (running, _) => Some(format!("{running} generations are to come")),
        };
        scene
    }

    fn write(&self, digest: &mut Digest) {
        digest.stones(&self.stones);
        digest.number(self.turn.0);
        for number in [self.pressed, self.running, self.generations, self.idle, self.marked_until] {
            digest.number(number);
        }
        digest.number(self.left);
        digest.number(self.due);
        digest.stones(&self.mark);
    }
}
