//! Ghost: a block of four points wanders over the board and is to be touched.
//!
//! Ours: its shape, how it keeps its direction, that it starts in the centre, and by how much it
//! gets slower; that nobody may press while the pattern of a hit is shown, and that the ghost steps
//! on when that ends; that who lets his time run out has missed his turn.

use super::digest::Digest;
use super::table::{Table, Ticking};
use super::{Light, Scene};
use crate::grid::{Press, SIZE, Square, Squares, Stones};
use crate::kit::Seat;

/// The points that are given in one game.
const POINTS: u32 = 32;

/// How long the pattern of a hit is shown, in ticks.
const PATTERN: u64 = 60;

/// The four ways it can go, as lines down and columns to the right.
const WAYS: [(i8, i8); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The state of the game.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    /// The upper left point of the block.
    at: Square,
    /// The way it went last, an index of [`WAYS`].
    way: usize,
    /// The ticks until it steps on.
    left: u64,
    /// Who was given the last point, and the ticks that the pattern for it is still shown.
    pattern: Option<(Seat, u64)>,
    /// Whose light is on, or will be after the pattern.
    turn: Seat,
    /// The points that stay lit.
    lit: Stones,
    score: [u32; 2],
}

/// The four points of a block.
fn block(at: Square) -> Squares {
    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().filter_map(|(d, r)| at.moved(d, r)).collect()
}

impl Ghost {
    /// Whether a press has to be beside the block, and not on it.
    const fn is_ring(mode: u8) -> bool {
        mode % 2 == 1
    }

    /// The points that count when the block is there.
    fn targets(&self, mode: u8, at: Square) -> Squares {
        let block = block(at);
        let whole = if Self::is_ring(mode) { block.around().without(block) } else { block };
        whole.without(self.lit.lit())
    }

    /// Where the block stands after a step that way, if it can go there.
    fn stepped(&self, way: usize) -> Option<Square> {
        let (down, right) = WAYS[way];
        let to = self.at.moved(down, right)?;
        let fits = to.line() < SIZE - 1 && to.column() < SIZE - 1;
        (fits && (block(to) & self.lit.lit()).is_empty()).then_some(to)
    }

    /// The ticks between two steps.
    fn period(&self, table: &Table) -> u64 {
        table.sitting.period() * (100 + 5 * u64::from(self.lit.lit().len())) / 100
    }

    /// The ghost goes one step: on as before three times of four, else any free way.
    fn step(&mut self, table: &mut Table) {
        let keeps = table.below(4) < 3;
        if !keeps || self.stepped(self.way).is_none() {
            let free = (0..WAYS.len()).filter(|&way| self.stepped(way).is_some()).count();
            let nth = table.below(free);
            let mut ways = (0..WAYS.len()).filter(|&way| self.stepped(way).is_some());
            self.way = ways.nth(nth).expect("a ghost that cannot move has ended the game");
        }
        self.at = self.stepped(self.way).expect("the way is free");
        self.left = self.period(table);
    }

    /// A point is given, and shown for a while.
    fn give(&mut self, table: &mut Table, to: Seat) {
        self.score[to.index()] += 1;
        self.pattern = Some((to, PATTERN));
        table.darken();
        if self.score.iter().sum::<u32>() == POINTS {
            self.end(table);
        }
    }

    fn end(&self, table: &mut Table) {
        table.end_by(self.score, "with more points", "both have as many points");
    }

    fn touch(&mut self, table: &mut Table, seat: Seat, at: Square) {
        if self.lit.lit().contains(at) {
            return;
        }
        let mode = table.sitting.mode;
        table.last = Some(at);
        self.turn = seat.other();
        if self.targets(mode, self.at).contains(at) {
            self.give(table, seat);
        } else if block(self.at).contains(at) {
            self.give(table, seat.other());
        } else {
            if mode < 2 {
                self.lit[seat].insert(at);
            }
            if (0..WAYS.len()).all(|way| self.stepped(way).is_none()) {
                return self.end(table);
            }
            table.pass_light_to(self.turn);
        }
    }

    /// Lets the board look where the ghost is: from level 2 on for a point that will still count
    /// when the ghost goes on as it goes.
    fn look(&self, table: &mut Table, seat: Seat) {
        let level = table.sitting.level_of(seat);
        if level == 0 || table.reaches(seat) {
            return;
        }
        let now = self.targets(table.sitting.mode, self.at);
        let ahead = match self.stepped(self.way) {
            Some(to) if level >= 2 => now & self.targets(table.sitting.mode, to),
            _ => now,
        };
        if let Some(at) = table.any(if ahead.is_empty() { now } else { ahead }) {
            let ticks = table.reaction(seat);
            table.reach(seat, at, ticks);
        }
    }
}

impl Ghost {
    /// The start of a game.
    pub(super) fn start(table: &mut Table) -> Self {
        let at = Square::at(SIZE / 2, SIZE / 2).expect("the centre is on the board");
        let way = table.below(WAYS.len());
        table.pass_light_to(Seat(0));
        Self {
            at,
            way,
            left: table.sitting.period(),
            pattern: None,
            turn: Seat(0),
            lit: Stones::default(),
            score: [0; 2],
        }
    }
}

impl Ticking for Ghost {
    fn press(&mut self, table: &mut Table, seat: Seat, press: Press) {
        if let Press::At(at) = press {
            self.touch(table, seat, at);
        }
    }

    fn tick(&mut self, table: &mut Table) {
        if let Some((to, left)) = self.pattern {
            self.pattern = Some((to, left - 1)).filter(|&(_, left)| left > 0);
            if self.pattern.is_none() {
                table.pass_light_to(self.turn);
                self.step(table);
            }
            return;
        }
        let turn = self.turn;
        self.look(table, turn);
        if let Some(at) = table.arrives(turn) {
            self.touch(table, turn, at);
        } else if table.runs_out() {
            self.turn = turn.other();
            table.pass_light_to(self.turn);
        }
        if self.pattern.is_none() && !table.is_over() {
            self.left -= 1;
            if self.left == 0 {
                self.step(table);
            }
        }
    }

    fn scene(&self, table: &Table) -> Scene {
        let mut scene = table.scene(&self.lit, self.score, "points");
        // A hit blinks in the colour of whom it was given to.
        let blinks = self.pattern.filter(|(_, left)| left / 10 % 2 == 1);
        let light = blinks.map_or(Light::Amber, |(to, _)| Light::of(to));
        scene.light(block(self.at), light);
        scene
    }

    fn write(&self, digest: &mut Digest) {
        digest.number(self.at.index() as u64);
        digest.number(self.way as u64);
        digest.number(self.left);
        digest.maybe(self.pattern.map(|(to, _)| to.0));
        digest.maybe(self.pattern.map(|(_, left)| left));
        digest.number(self.turn.0);
        digest.stones(&self.lit);
        self.score.into_iter().for_each(|of| digest.number(of));
    }
}
