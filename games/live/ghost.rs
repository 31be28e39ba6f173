//! Ghost: a block of four points moves over the board, and the players must touch it.
//!
//! Ours: its shape, how it keeps its direction, its start in the centre, and how it slows down;
//! nobody may press while the pattern of a hit is shown, and the ghost moves on when that ends; a
//! side that runs out of time misses its turn.

use super::common_state::{CommonState, LiveRules, ring};
use super::digest::StateDigest;
use super::{Light, Scene};
use crate::grid::{Press, SIZE, Square, Squares, Stones};
use crate::kit::Seat;

/// The number of points in one game.
const POINTS: u32 = 32;

/// The duration of a hit's pattern, in ticks.
const PATTERN: u64 = 60;

/// The duration of each ring of the pattern, in ticks.
const RING: u64 = 12;

/// The four directions, as lines down and columns to the right.
const WAYS: [(i8, i8); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The state of the game.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    /// The upper left point of the block.
    at: Square,
    /// The last direction, as an index of [`WAYS`].
    way: usize,
    /// The ticks until the next step.
    left: u64,
    /// The side that scored the last point, and the ticks left of its pattern.
    pattern: Option<(Seat, u64)>,
    /// The seat whose light is on, or will be after the pattern.
    turn: Seat,
    /// The points that stay lit.
    lit: Stones,
    score: [u32; 2],
}

/// Returns the four points of a block.
fn block(at: Square) -> Squares {
    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().filter_map(|(d, r)| at.moved(d, r)).collect()
}

impl Ghost {
    /// Returns whether a press must be beside the block instead of on it.
    const fn is_ring(mode: u8) -> bool {
        mode % 2 == 1
    }

    /// Returns the points that count for a block's place.
    fn targets(&self, mode: u8, at: Square) -> Squares {
        let block = block(at);
        let whole = if Self::is_ring(mode) { block.around().without(block) } else { block };
        whole.without(self.lit.lit())
    }

    /// Returns the block's place after a step, if it is free.
    fn stepped(&self, way: usize) -> Option<Square> {
        let (down, right) = WAYS[way];
        let to = self.at.moved(down, right)?;
        let fits = to.line() < SIZE - 1 && to.column() < SIZE - 1;
        (fits && (block(to) & self.lit.lit()).is_empty()).then_some(to)
    }

    /// Returns the ticks between two steps.
    fn period(&self, common: &CommonState) -> u64 {
        common.settings.period() * (100 + 5 * u64::from(self.lit.lit().len())) / 100
    }

    /// Moves the ghost one step: in its direction three times of four, otherwise in a random free
    /// one.
    fn step(&mut self, common: &mut CommonState) {
        let keeps = common.below(4) < 3;
        if !keeps || self.stepped(self.way).is_none() {
            let free = (0..WAYS.len()).filter(|&way| self.stepped(way).is_some()).count();
            let nth = common.below(free);
            let mut ways = (0..WAYS.len()).filter(|&way| self.stepped(way).is_some());
            self.way = ways.nth(nth).expect("a ghost that cannot move has ended the game");
        }
        self.at = self.stepped(self.way).expect("the way is free");
        self.left = self.period(common);
    }

    /// Scores a point and shows its pattern.
    fn give(&mut self, common: &mut CommonState, to: Seat) {
        self.score[to.index()] += 1;
        self.pattern = Some((to, PATTERN));
        common.darken();
        if self.score.iter().sum::<u32>() == POINTS {
            self.end(common);
        }
    }

    fn end(&self, common: &mut CommonState) {
        common.end_by(self.score, "with more points", "both have the same number of points");
    }

    fn touch(&mut self, common: &mut CommonState, seat: Seat, at: Square) {
        if self.lit.lit().contains(at) {
            return;
        }
        let mode = common.settings.mode;
        common.last = Some(at);
        self.turn = seat.other();
        if self.targets(mode, self.at).contains(at) {
            self.give(common, seat);
        } else if block(self.at).contains(at) {
            self.give(common, seat.other());
        } else {
            if mode < 2 {
                self.lit[seat].insert(at);
            }
            if (0..WAYS.len()).all(|way| self.stepped(way).is_none()) {
                return self.end(common);
            }
            common.pass_light_to(self.turn);
        }
    }

    /// Makes the computer choose a point: from level 2 on one that still counts after the ghost's
    /// next step.
    fn look(&self, common: &mut CommonState, seat: Seat) {
        let level = common.settings.level_of(seat);
        if level == 0 || common.reaches(seat) {
            return;
        }
        let now = self.targets(common.settings.mode, self.at);
        let ahead = match self.stepped(self.way) {
            Some(to) if level >= 2 => now & self.targets(common.settings.mode, to),
            _ => now,
        };
        if let Some(at) = common.any(if ahead.is_empty() { now } else { ahead }) {
            let ticks = common.reaction(seat);
            common.reach(seat, at, ticks);
        }
    }
}

impl Ghost {
    /// Creates the start of a game.
    pub(super) fn start(common: &mut CommonState) -> Self {
        let at = Square::at(SIZE / 2, SIZE / 2).expect("the centre is on the board");
        let way = common.below(WAYS.len());
        common.pass_light_to(Seat(0));
        Self {
            at,
            way,
            left: common.settings.period(),
            pattern: None,
            turn: Seat(0),
            lit: Stones::default(),
            score: [0; 2],
        }
    }
}

impl LiveRules for Ghost {
    fn press(&mut self, common: &mut CommonState, seat: Seat, press: Press) {
        if let Press::At(at) = press {
            self.touch(common, seat, at);
            // The tick of the press does not count for the pattern.
            if let Some((_, left)) = &mut self.pattern {
                *left += 1;
            }
        }
    }

    fn tick(&mut self, common: &mut CommonState) {
        if let Some((to, left)) = self.pattern {
            self.pattern = Some((to, left - 1)).filter(|&(_, left)| left > 0);
            if self.pattern.is_none() {
                common.pass_light_to(self.turn);
                self.step(common);
            }
            return;
        }
        let turn = self.turn;
        self.look(common, turn);
        if let Some(at) = common.arrives(turn) {
            self.touch(common, turn, at);
        } else if common.runs_out() {
            self.turn = turn.other();
            common.pass_light_to(self.turn);
        }
        if self.pattern.is_none() && !common.is_over() {
            self.left -= 1;
            if self.left == 0 {
                self.step(common);
            }
        }
    }

    fn scene(&self, common: &CommonState) -> Scene {
        let mut scene = common.scene(&self.lit, self.score, "points");
        // A hit blinks in the colour of the side that scored.
        let blinks = self.pattern.filter(|(_, left)| left / 10 % 2 == 1);
        let light = blinks.map_or(Light::Amber, |(to, _)| Light::for_seat(to));
        scene.light(block(self.at), light);
        // Rings spread from the ghost.
        if let Some((to, left)) = self.pattern {
            let steps = 1 + PATTERN.saturating_sub(left) / RING;
            let ring = ring(block(self.at), steps).without(self.lit.lit());
            scene.light(ring, Light::for_seat(to));
        }
        scene.period = self.period(common);
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
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

#[cfg(test)]
mod tests {
    use super::super::common_state::RunningGame;
    use super::super::tests::at;
    use super::super::{GameInProgress, GameSettings};
    use super::*;
    use crate::kit::Outcome;
    use crate::kit::fixtures::squares;

    fn game(mode: u8) -> RunningGame<Ghost> {
        let settings = GameSettings { mode, seed: 9, time: 0, ..GameSettings::default() };
        RunningGame::new(&settings, Ghost::start)
    }

    /// The block is on e5, f5, e4 and f4.
    #[test]
    fn a_press_counts_as_the_mode_has_it() {
        for (mode, press, score, lit) in [
            (0, "e5", [1, 0], ""),
            (0, "f4", [1, 0], ""),
            (0, "d6", [0, 0], "d6"),
            (0, "a1", [0, 0], "a1"),
            (1, "e5", [0, 1], ""),
            (1, "d6", [1, 0], ""),
            (1, "g3", [1, 0], ""),
            (1, "g5", [1, 0], ""),
            (1, "h3", [0, 0], "h3"),
            (2, "f5", [1, 0], ""),
            (2, "g3", [0, 0], ""),
            (2, "a1", [0, 0], ""),
            (3, "f5", [0, 1], ""),
            (3, "e6", [1, 0], ""),
            (3, "a1", [0, 0], ""),
        ] {
            let mut game = game(mode);
            game.step(&[(Seat(0), at(press))]);
            let scene = game.scene();
            assert_eq!(scene.score, score, "mode {mode} {press}");
            assert_eq!(game.rules.lit, Stones::new(squares(lit), Squares::NONE), "{mode} {press}");
            // A hit is shown first, with all lights off.
            let turn = if score == [0, 0] { [false, true] } else { [false, false] };
            assert_eq!(scene.turn, turn, "mode {mode} {press}");
        }
    }

    #[test]
    fn the_ring_has_twelve_points_and_the_rim_cuts_it() {
        let game = game(1);
        assert_eq!(game.rules.targets(0, game.rules.at), squares("e5 f5 e4 f4"));
        let ring = squares("d6 e6 f6 g6 d5 g5 d4 g4 d3 e3 f3 g3");
        assert_eq!(game.rules.targets(1, game.rules.at), ring);
        assert_eq!(game.rules.targets(3, "a9".parse().unwrap()), squares("c9 c8 a7 b7 c7"));
    }

    #[test]
    fn a_hit_stops_the_ghost_and_all_hands_for_a_while() {
        let mut game = game(0);
        game.step(&[(Seat(0), at("e5")), (Seat(1), at("e4"))]);
        for tick in 0..PATTERN {
            let scene = game.scene();
            assert_eq!((scene.score, scene.turn), ([1, 0], [false; 2]), "{tick}");
            assert_eq!(game.rules.at, "e5".parse().unwrap());
            game.step(&[(Seat(1), at("e4")), (Seat(0), at("e4"))]);
        }
        // Then it is red's turn, and the ghost has moved on.
        let scene = game.scene();
        assert_eq!((scene.score, scene.turn, scene.clock), ([1, 0], [false, true], Some(500)));
        assert_ne!(game.rules.at, "e5".parse().unwrap());
    }

    /// Rings spread from the ghost in the scorer's colour and end with the pattern.
    #[test]
    fn a_hit_draws_a_pattern_that_moves() {
        for (mode, press, light) in [(0, "e5", Light::Green), (1, "e5", Light::Red)] {
            let mut game = game(mode);
            game.step(&[(Seat(0), at(press))]);
            let mut pictures: Vec<Squares> = Vec::new();
            for _ in 0..PATTERN {
                let scene = game.scene();
                let lit = Square::all().filter(|&at| scene.at(at) == light);
                pictures.push(lit.collect::<Squares>().without(block(game.rules.at)));
                game.step(&[]);
            }
            assert_eq!(pictures[0], squares("d6 e6 f6 g6 d5 g5 d4 g4 d3 e3 f3 g3"));
            pictures.dedup();
            assert_eq!(pictures.len(), 5, "{light:?}");
            assert!(pictures.windows(2).all(|two| two[0].and(two[1]).is_empty()));
            let scene = game.scene();
            assert!(Square::all().all(|at| matches!(scene.at(at), Light::Dark | Light::Amber)));
        }
    }

    #[test]
    fn the_period_that_is_shown_is_the_true_one() {
        let mut game = game(0);
        assert_eq!(game.scene().period, 70);
        game.rules.lit = Stones::new(squares("a1 a2 a3 a4"), Squares::NONE);
        assert_eq!(game.scene().period, 84);
    }

    #[test]
    fn a_press_on_a_lit_point_does_nothing() {
        let mut game = game(0);
        game.step(&[(Seat(0), at("a1"))]);
        let clock = game.scene().clock.unwrap();
        game.step(&[(Seat(1), at("a1"))]);
        let scene = game.scene();
        assert_eq!((scene.turn, scene.clock), ([false, true], Some(clock - 1)));
        assert_eq!(scene.at("a1".parse().unwrap()), Light::Green);
    }

    #[test]
    fn it_gets_slower_with_each_lit_point() {
        for (lit, period) in [("", 70), ("a1", 73), ("a1 a2 a3 a4", 84), ("a1 b1 c1 d1 e1", 87)] {
            let mut game = game(0);
            game.rules.lit = Stones::new(squares(lit), Squares::NONE);
            let RunningGame { common, rules } = &mut game;
            rules.step(common);
            let from = rules.at;
            for tick in 1..period {
                game.step(&[]);
                assert_eq!(game.rules.at, from, "{lit} at {tick}");
            }
            game.step(&[]);
            assert_ne!(game.rules.at, from, "{lit}");
        }
    }

    #[test]
    fn who_does_not_press_in_time_misses_the_turn() {
        let mut game = game(0);
        for _ in 0..499 {
            game.step(&[]);
            assert_eq!(game.scene().turn, [true, false]);
        }
        game.step(&[]);
        let scene = game.scene();
        assert_eq!((scene.turn, scene.clock, scene.score), ([false, true], Some(500), [0, 0]));
    }

    #[test]
    fn it_ends_after_32_points_or_when_the_ghost_is_shut_in() {
        let mut over = game(2);
        over.rules.score = [16, 15];
        over.step(&[(Seat(0), at("e5"))]);
        let won = Outcome::Won { by: Seat(0), points: 1, reason: "with more points" };
        assert_eq!((over.over(), over.scene().turn), (Some(won), [true, false]));

        let mut shut = game(0);
        shut.rules.at = "a9".parse().unwrap();
        shut.rules.lit = Stones::new(squares("c9"), Squares::NONE);
        shut.rules.score = [2, 3];
        shut.step(&[(Seat(0), at("c7"))]);
        assert_eq!(shut.over(), None);
        shut.step(&[(Seat(1), at("b7"))]);
        let won = Outcome::Won { by: Seat(1), points: 1, reason: "with more points" };
        assert_eq!(shut.over(), Some(won));
    }

    #[test]
    fn it_keeps_its_way_three_times_of_four_and_leaves_lit_points_alone() {
        let mut game = game(2);
        game.rules.lit = Stones::new(squares("b2 h8 e1"), squares("c7 i3"));
        let lit = game.rules.lit.lit();
        let (mut kept, mut free) = (0, 0);
        let RunningGame { common, rules } = &mut game;
        for _ in 0..8_000 {
            let all_free = (0..4).all(|way| rules.stepped(way).is_some());
            let (from, way) = (rules.at, rules.way);
            rules.step(common);
            let steps =
                from.line().abs_diff(rules.at.line()) + from.column().abs_diff(rules.at.column());
            assert_eq!((steps, block(rules.at).len()), (1, 4));
            assert_eq!(block(rules.at) & lit, Squares::NONE);
            free += u32::from(all_free);
            kept += u32::from(all_free && rules.way == way);
        }
        // Three of four, plus a quarter of the rest.
        assert!((790..835).contains(&(kept * 1000 / free)), "{kept} of {free}");
    }
}
