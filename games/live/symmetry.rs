//! Symmetry against time: the player presses the partners of a pattern's points.
//!
//! Ours: three periods for each point; the game is won when all partners are found in time; the
//! score is right presses minus wrong ones.

use super::common_state::{CommonState, LiveRules};
use super::digest::StateDigest;
use super::{Light, Scene};
use crate::grid::{Press, Squares, Stones};
use crate::kit::{Outcome, Seat};
use crate::symmetry::target;

/// The number of periods for a point.
const PERIODS: u64 = 3;

/// The state of the game.
#[derive(Clone, Debug)]
pub(super) struct Symmetry {
    pattern: Squares,
    targets: Squares,
    /// The pressed points: right ones green, wrong ones red.
    pressed: Stones,
}

impl Symmetry {
    /// Creates the start of a game.
    pub(super) fn start(common: &mut CommonState) -> Self {
        let mode = common.settings.mode;
        let pattern = target::pattern(mode, &mut |limit| common.below(limit));
        common.lights = [true, false];
        common.clock = Some(u64::from(pattern.len()) * PERIODS * common.settings.period());
        let targets = target::targets(mode, pattern);
        Self { pattern, targets, pressed: Stones::default() }
    }
}

impl LiveRules for Symmetry {
    fn press(&mut self, common: &mut CommonState, _seat: Seat, press: Press) {
        let Press::At(at) = press else { return };
        if target::shown().contains(at) || self.pressed.lit().contains(at) {
            return;
        }
        common.last = Some(at);
        self.pressed[Seat(u8::from(!self.targets.contains(at)))].insert(at);
        if self.pressed[Seat(0)] == self.targets {
            common.end(Outcome::Won { by: Seat(0), points: 1, reason: "by finding all points" });
        }
    }

    fn tick(&mut self, common: &mut CommonState) {
        if common.runs_out() {
            common.end(Outcome::Won { by: Seat(1), points: 1, reason: "because time is over" });
        }
    }

    /// Green's score is right presses minus wrong ones, red's the number of missing points.
    fn scene(&self, common: &CommonState) -> Scene {
        let [right, wrong] = self.pressed.count();
        let missing = self.targets.len() - right;
        let mut scene = common.scene(&self.pressed, [right, missing], "points");
        scene.score[0] -= i32::try_from(wrong).expect("there are 81 points");
        scene.light(self.pattern, Light::Amber);
        scene.line = match missing {
            0 => Some(format!("all points are found, {wrong} presses were wrong")),
            _ => Some(format!("{right} right, {wrong} wrong, {missing} still to find")),
        };
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        digest.squares(self.pattern);
        digest.squares(self.targets);
        digest.stones(&self.pressed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::common_state::RunningGame;
    use super::super::{GameInProgress, GameSettings};
    use super::*;

    fn game(mode: u8, speed: u8) -> RunningGame<Symmetry> {
        let settings = GameSettings { mode, speed, seed: 8, ..GameSettings::default() };
        RunningGame::new(&settings, Symmetry::start)
    }

    #[test]
    fn there_are_three_periods_for_each_point() {
        for (mode, speed, ticks) in [(0, 5, 12 * 3 * 70), (3, 9, 12 * 3 * 29), (7, 5, 16 * 3 * 70)]
        {
            let mut game = game(mode, speed);
            for tick in 0..ticks {
                assert_eq!((game.over(), game.scene().clock), (None, Some(ticks - tick)));
                game.step(&[]);
            }
            let lost = Outcome::Won { by: Seat(1), points: 1, reason: "because time is over" };
            assert_eq!(game.over(), Some(lost));
        }
    }

    #[test]
    fn right_presses_are_green_and_wrong_ones_red() {
        for mode in 0..8 {
            let mut game = game(mode, 5);
            let targets = game.rules.targets;
            let press = |at| [(Seat(0), Press::At(at))];
            let wrong = (!(target::shown() | targets)).iter().next().unwrap();
            for at in target::shown().iter().chain([wrong, wrong]) {
                game.step(&press(at));
            }
            assert_eq!((game.scene().at(wrong), game.scene().score[0]), (Light::Red, -1));
            assert_eq!(game.rules.pressed.count(), [0, 1], "lines 5 to 9 are not pressed");
            for (found, at) in (0..).zip(targets.iter()) {
                assert_eq!((game.over(), game.scene().score[0]), (None, found - 1));
                game.step(&press(at));
                assert_eq!(game.scene().at(at), Light::Green);
            }
            let won = Outcome::Won { by: Seat(0), points: 1, reason: "by finding all points" };
            assert_eq!(game.over(), Some(won), "mode {mode}");
        }
    }
}
