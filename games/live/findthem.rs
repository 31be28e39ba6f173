//! `FindThem` against time: points of both colours are shown and go dark, and each side presses its
//! own.
//!
//! Ours: the points are shown for six periods; for a side that runs out of time a random dark point
//! is pressed.

use super::Scene;
use super::common_state::{CommonState, LiveRules};
use super::digest::StateDigest;
use crate::findthem::hunt::{self, Hunt};
use crate::grid::{Press, Square, Squares, Stones};
use crate::kit::Seat;

/// The number of periods during which the points are shown.
const SHOWN: u64 = 6;

/// The percentage of points that the computer remembers, by level.
const REMEMBERS: [usize; 5] = [0, 30, 45, 60, 80];

/// The state of the game.
#[derive(Clone, Debug)]
pub(super) struct FindThem {
    hunt: Hunt,
    /// The ticks until the points go dark.
    left: u64,
    turn: Seat,
    /// The stones that the computer remembers for each seat it plays.
    remembered: [Stones; 2],
    /// Points known to belong to the other side or to nobody, because they stayed dark.
    ruled_out: [Squares; 2],
}

impl FindThem {
    /// Creates the start of a game.
    pub(super) fn start(common: &mut CommonState) -> Self {
        let mode = common.settings.mode;
        let hidden = hunt::pattern(mode, &mut |limit| common.below(limit));
        let remembered = Seat::BOTH.map(|seat| {
            let of_hundred = REMEMBERS[usize::from(common.settings.level_of(seat))];
            let mut recall = |squares: Squares| {
                squares.iter().filter(|_| common.below(100) < of_hundred).collect()
            };
            Stones::new(recall(hidden[Seat(0)]), recall(hidden[Seat(1)]))
        });
        Self {
            hunt: Hunt { hidden, ..Hunt::default() },
            left: SHOWN * common.settings.period(),
            turn: Seat(0),
            remembered,
            ruled_out: [Squares::NONE; 2],
        }
    }

    fn touch(&mut self, common: &mut CommonState, at: Square) {
        let seat = self.turn;
        let was_silent = self.hunt.silent == Some(at);
        let finds = self.hunt.press(seat, at);
        if !finds && !was_silent {
            self.ruled_out[seat.index()].insert(at);
        }
        common.last = Some(at);
        self.turn = seat.other();
        let verdict = self.hunt.verdict(hunt::goal(common.settings.mode));
        match verdict.filter(|_| seat == Seat(1)) {
            Some(outcome) => common.end(outcome),
            None => common.pass_light_to(self.turn),
        }
    }

    /// Returns the points where a side may still find something.
    fn hopes(&self, seat: Seat) -> Squares {
        let dark = self.hunt.dark().without(self.ruled_out[seat.index()]);
        let remembered = &self.remembered[seat.index()];
        let known = remembered[seat] & dark;
        let unknown = dark.without(remembered[seat.other()]);
        if !known.is_empty() {
            known
        } else if unknown.is_empty() {
            dark
        } else {
            unknown
        }
    }
}

impl LiveRules for FindThem {
    fn press(&mut self, common: &mut CommonState, _seat: Seat, press: Press) {
        if let Press::At(at) = press {
            self.touch(common, at);
        }
    }

    fn tick(&mut self, common: &mut CommonState) {
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                common.pass_light_to(self.turn);
            }
            return;
        }
        let seat = self.turn;
        if common.settings.level_of(seat) > 0 && !common.reaches(seat) {
            let among = if common.slips(seat) { self.hunt.dark() } else { self.hopes(seat) };
            if let Some(at) = common.any(among) {
                let ticks = common.reaction(seat);
                common.reach_surely(seat, at, ticks);
            }
        }
        if let Some(at) = common.arrives(seat) {
            self.touch(common, at);
        } else if common.runs_out() {
            let at = common.any(self.hunt.dark());
            let at = at.expect("the game ends before all points are found");
            self.touch(common, at);
        }
    }

    fn scene(&self, common: &CommonState) -> Scene {
        let shows = self.left > 0 || common.is_over();
        let lit = if shows { self.hunt.hidden } else { self.hunt.lit() };
        let mut scene = common.scene(&lit, self.hunt.lit().count(), "finds");
        if self.left > 0 {
            scene.clock = Some(self.left);
            scene.line = Some("remember your points".into());
        } else if let Some(at) = self.hunt.silent {
            scene.line = Some(format!("{at} is silent for one press"));
        }
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        digest.stones(&self.hunt.hidden);
        digest.squares(self.hunt.found);
        digest.maybe(self.hunt.silent.map(|square| square.index() as u64));
        digest.number(self.left);
        digest.number(self.turn.0);
        self.remembered.iter().for_each(|stones| digest.stones(stones));
        self.ruled_out.iter().for_each(|&set| digest.squares(set));
    }
}

#[cfg(test)]
mod tests {
    use super::super::common_state::RunningGame;
    use super::super::{GameInProgress, GameSettings, Light};
    use super::*;
    use crate::kit::Outcome;

    /// Returns a game after its points were shown.
    fn game(mode: u8) -> RunningGame<FindThem> {
        let settings = GameSettings { mode, speed: 9, time: 0, seed: 6, ..GameSettings::default() };
        let mut game = RunningGame::new(&settings, FindThem::start);
        let first = game.rules.hunt.hidden[Seat(0)].iter().next().unwrap();
        for tick in 0..6 * 29 {
            let scene = game.scene();
            let lit = scene.lights.iter().filter(|&&light| light != Light::Dark).count();
            assert_eq!((lit, scene.turn), (hunt::points(mode) as usize * 2, [false; 2]), "{tick}");
            game.step(&[(Seat(0), Press::At(first))]);
        }
        let scene = game.scene();
        assert_eq!((scene.lights, scene.score), ([Light::Dark; 81], [0, 0]), "it is dark");
        assert_eq!((scene.turn, scene.clock), ([true, false], Some(500)));
        game
    }

    /// Returns the `nth` hidden point of a side.
    fn own(game: &RunningGame<FindThem>, seat: Seat, nth: usize) -> Press {
        Press::At(game.rules.hunt.hidden[seat].iter().nth(nth).unwrap())
    }

    #[test]
    fn a_press_finds_what_is_of_its_colour_alone() {
        let mut game = game(0);
        let (green, red) = (own(&game, Seat(0), 0), own(&game, Seat(1), 0));
        // Green presses red's point, which is then silent for one press of red.
        for (seat, press, score) in [
            (0, red, [0, 0]),
            (1, red, [0, 0]),
            (0, green, [1, 0]),
            (1, red, [1, 1]),
            (0, green, [1, 1]),
        ] {
            game.step(&[(Seat(seat), press)]);
            assert_eq!(game.scene().score, score, "{seat} {press}");
            assert_eq!(game.scene().turn, [seat == 1, seat == 0]);
        }
    }

    #[test]
    fn it_ends_after_red_when_a_side_has_found_enough() {
        for (reds, expected) in [
            (9, Outcome::Drawn { reason: "both have found enough points" }),
            (8, Outcome::Won { by: Seat(0), points: 1, reason: "by finding enough points first" }),
        ] {
            let mut game = game(0);
            for nth in 0..9 {
                let (green, red) = (own(&game, Seat(0), nth), own(&game, Seat(1), nth % reds));
                game.step(&[(Seat(0), green)]);
                assert_eq!(game.over(), None, "red is still to press");
                game.step(&[(Seat(1), red)]);
                assert_eq!(game.over().is_some(), nth == 8, "{nth}");
            }
            assert_eq!(game.over(), Some(expected));
        }
    }

    #[test]
    fn who_has_no_time_left_presses_a_dark_point_by_chance() {
        let mut game = game(3);
        for _ in 0..499 {
            game.step(&[]);
        }
        assert_eq!((game.scene().turn, game.scene().last), ([true, false], None));
        game.step(&[]);
        assert_eq!(game.scene().turn, [false, true]);
        assert!(game.scene().last.is_some());
    }
}
