//! `TouchIt`: each colour shows a short path of points, and the side that first presses the newest
//! point of its own path wins the turn.
//!
//! Ours: paths of three points that stay lit until the turn ends, red's path being green's after a
//! half turn; first point and first step are random among paths that fit and do not meet; both
//! sides score if both press in the same tick; the pause.

use super::common_state::{CommonState, LiveRules, ring};
use super::digest::StateDigest;
use super::{Light, Scene};
use crate::grid::{Press, Square, Squares, Stones};
use crate::kit::Seat;

/// The number of turns.
const TURNS: u32 = 40;

/// The pause between two turns, in ticks.
const PAUSE: u64 = 80;

/// The duration of a won turn's pattern and of each of its rings, in ticks.
const PATTERN: u64 = 60;
const RING: u64 = 15;

/// The number of points of a path.
const LENGTH: usize = 3;

/// The eight directions clockwise, as lines down and columns to the right.
const CLOCKWISE: [(i8, i8); 8] =
    [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

/// Green's path; red's is the same after a half turn.
type LightPath = [Square; LENGTH];

/// Returns the path from a point in a direction that then turns clockwise by some eighths, if it
/// fits.
fn path(from: Square, way: usize, turn: usize) -> Option<LightPath> {
    let step = |from: Square, way: usize| {
        let (down, right) = CLOCKWISE[way % 8];
        from.moved(down, right)
    };
    let second = step(from, way)?;
    let path = [from, second, step(second, way + turn)?];
    let squares: Squares = path.into_iter().collect();
    (squares & squares.turned()).is_empty().then_some(path)
}

/// Returns all paths with this turn.
fn paths(turn: usize) -> impl Iterator<Item = LightPath> {
    Square::all().flat_map(move |from| (0..8).filter_map(move |way| path(from, way, turn)))
}

/// The state of the game.
#[derive(Clone, Debug)]
pub(super) struct TouchIt {
    path: LightPath,
    /// The number of path points shown; 0 in the pause.
    shown: usize,
    /// The ticks until the next point is shown, or until the turn or the pause ends.
    left: u64,
    /// The sides that have pressed the newest point in this tick.
    has: [bool; 2],
    /// The points that won the last turn, green first, shown in the next pause.
    won: [Option<Square>; 2],
    /// The number of finished turns.
    turns: u32,
    /// The turns won by each side.
    score: [u32; 2],
}

impl TouchIt {
    /// Creates the start of a game: a pause.
    pub(super) fn start(common: &mut CommonState) -> Self {
        let path = Self::draw(common);
        Self {
            path,
            shown: 0,
            left: PAUSE,
            has: [false; 2],
            won: [None; 2],
            turns: 0,
            score: [0; 2],
        }
    }

    /// Returns a random path for the next turn.
    fn draw(common: &mut CommonState) -> LightPath {
        let turn = match common.settings.mode {
            0 => 0,
            1 => 2,
            2 => 6,
            _ => [0, 2, 6][common.below(3)],
        };
        let nth = common.below(paths(turn).count());
        paths(turn).nth(nth).expect("it is below their number")
    }

    /// Returns the newest point of a side.
    fn newest(&self, seat: Seat) -> Option<Square> {
        let green = self.path[self.shown.checked_sub(1)?];
        Some(if seat == Seat(0) { green } else { green.turned() })
    }

    /// Shows the next point; the computer sees it.
    fn show(&mut self, common: &mut CommonState) {
        self.shown += 1;
        self.won = [None; 2];
        self.left = common.settings.period();
        common.lights = [true; 2];
        for seat in Seat::BOTH {
            if common.settings.level_of(seat) > 0 && !common.reaches(seat) {
                self.look(common, seat);
            }
        }
    }

    /// Schedules the computer's press of the newest point if it can be in time; otherwise, once two
    /// points are shown, of the next one.
    fn look(&self, common: &mut CommonState, seat: Seat) {
        let (ticks, period) = (common.reaction(seat), common.settings.period());
        if let Some(at) = self.newest(seat).filter(|_| ticks < period) {
            return common.reach(seat, at, ticks);
        }
        // Where the path may turn either way, one guess of three is right.
        let guesses = common.settings.mode < 3 || common.below(3) == 0;
        if self.shown == LENGTH - 1 && guesses {
            let next = self.path[self.shown];
            let at = if seat == Seat(0) { next } else { next.turned() };
            common.reach(seat, at, ticks.max(period + 1));
        }
    }

    /// Returns the pattern of a won turn: rings in the winner's colour around the winning point.
    /// Where the rings of both sides cross, both lights are on.
    fn light_pattern(&self, scene: &mut Scene) {
        let gone = PAUSE.saturating_sub(self.left);
        if self.shown > 0 || gone >= PATTERN {
            return;
        }
        let [green, red] =
            self.won.map(|at| at.map_or(Squares::NONE, |at| ring(at.into(), gone / RING)));
        scene.light(green, Light::Green);
        scene.light(red, Light::Red);
        scene.light(green.and(red), Light::Amber);
    }

    /// Ends the turn.
    fn end_turn(&mut self, common: &mut CommonState) {
        self.turns += 1;
        self.shown = 0;
        self.left = PAUSE;
        common.darken();
        if self.turns == TURNS {
            common.end_by(self.score, "with more turns won", "both won the same number of turns");
        } else {
            self.path = Self::draw(common);
        }
    }
}

impl LiveRules for TouchIt {
    fn press(&mut self, common: &mut CommonState, seat: Seat, press: Press) {
        if let Press::At(at) = press {
            common.last = Some(at);
            self.has[seat.index()] |= self.newest(seat) == Some(at);
        }
    }

    fn tick(&mut self, common: &mut CommonState) {
        for seat in Seat::BOTH {
            if let Some(at) = common.arrives(seat) {
                self.press(common, seat, Press::At(at));
            }
        }
        let has = std::mem::take(&mut self.has);
        if has != [false; 2] {
            self.won = Seat::BOTH.map(|seat| self.newest(seat).filter(|_| has[seat.index()]));
            for (score, has) in self.score.iter_mut().zip(has) {
                *score += u32::from(has);
            }
            return self.end_turn(common);
        }
        self.left -= 1;
        match self.left {
            0 if self.shown == LENGTH => self.end_turn(common),
            0 => self.show(common),
            _ => {}
        }
    }

    fn scene(&self, common: &CommonState) -> Scene {
        let mut scene = common.scene(&Stones::default(), self.score, "turns");
        let green: Squares = self.path[..self.shown].iter().copied().collect();
        scene.light(green, Light::Green);
        scene.light(green.turned(), Light::Red);
        if !common.is_over() {
            self.light_pattern(&mut scene);
            scene.line = Some(format!("turn {} of {TURNS}", self.turns + 1));
        }
        scene
    }

    fn write(&self, digest: &mut StateDigest) {
        self.path.iter().for_each(|at| digest.number(at.index() as u64));
        digest.number(self.shown as u64);
        digest.number(self.left);
        digest.bytes(&self.has.map(u8::from));
        digest.number(self.turns);
        self.score.iter().for_each(|&of| digest.number(of));
    }
}

#[cfg(test)]
mod tests {
    use super::super::common_state::RunningGame;
    use super::super::{GameInProgress, GameSettings};
    use super::*;
    use crate::kit::Outcome;

    fn game(mode: u8) -> RunningGame<TouchIt> {
        RunningGame::new(&GameSettings { mode, seed: 4, ..GameSettings::default() }, TouchIt::start)
    }

    /// Returns a game with this many path points shown.
    fn shown(mode: u8, points: usize) -> RunningGame<TouchIt> {
        let mut game = game(mode);
        while game.rules.shown < points {
            game.step(&[]);
        }
        game
    }

    fn step(from: Square, to: Square) -> (i8, i8) {
        let less = |a: u8, b: u8| a.cast_signed() - b.cast_signed();
        (less(to.line(), from.line()), less(to.column(), from.column()))
    }

    #[test]
    fn paths_turn_as_the_mode_says_and_do_not_meet() {
        for mode in 0..4 {
            let mut game = game(mode);
            let mut turns = [0; 3];
            for _ in 0..600 {
                let [first, second, third] = TouchIt::draw(&mut game.common);
                let (down, right) = step(first, second);
                assert!(down.abs().max(right.abs()) == 1, "{first} {second}");
                let ways = [(down, right), (right, -down), (-right, down)];
                let way = ways.iter().position(|&way| way == step(second, third)).unwrap();
                turns[way] += 1;
                let green: Squares = [first, second, third].into_iter().collect();
                assert_eq!((green.len(), green & green.turned()), (3, Squares::NONE));
            }
            match mode {
                0 => assert_eq!(turns, [600, 0, 0]),
                1 => assert_eq!(turns, [0, 600, 0]),
                2 => assert_eq!(turns, [0, 0, 600]),
                _ => assert!(turns.iter().all(|&of| of > 150), "{turns:?}"),
            }
        }
    }

    #[test]
    fn points_come_a_period_apart_and_go_out_together() {
        let mut game = game(0);
        let length = PAUSE + 3 * 70;
        for tick in 1..=40 * length {
            game.step(&[]);
            let shown = match tick % length {
                0..80 => 0,
                80..150 => 1,
                150..220 => 2,
                _ => 3,
            };
            let scene = game.scene();
            let green = scene.lights.iter().filter(|&&light| light == Light::Green).count();
            let red = scene.lights.iter().filter(|&&light| light == Light::Red).count();
            assert_eq!((green, red), (shown, shown), "{tick}");
            assert_eq!(game.over().is_some(), tick == 40 * length, "{tick}");
            if tick < 40 * length {
                assert_eq!(scene.turn, [shown > 0; 2], "{tick}");
            }
        }
        assert_eq!(
            game.over(),
            Some(Outcome::Drawn { reason: "both won the same number of turns" })
        );
    }

    /// Presses after this many points are shown: `n` is green's newest point, `o` the oldest; `N`
    /// and `O` are red's.
    #[test]
    fn the_first_press_on_the_newest_point_takes_the_turn() {
        for (points, presses, score) in [
            (1, &[(0, 'n')][..], [1, 0]),
            (3, &[(0, 'n')], [1, 0]),
            (2, &[(0, 'o')], [0, 0]),
            (2, &[(0, 'N')], [0, 0]),
            (2, &[(1, 'n')], [0, 0]),
            (2, &[(1, 'N')], [0, 1]),
            (3, &[(1, 'O')], [0, 0]),
            (2, &[(1, 'N'), (0, 'n')], [1, 1]),
            (2, &[(0, 'o'), (0, 'n'), (0, 'n')], [1, 0]),
        ] {
            let mut game = shown(3, points);
            let path = game.rules.path;
            let place = |name| match name {
                'n' => path[points - 1],
                'o' => path[0],
                'N' => path[points - 1].turned(),
                _ => path[0].turned(),
            };
            let pressed: Vec<(Seat, Press)> =
                presses.iter().map(|&(seat, name)| (Seat(seat), Press::At(place(name)))).collect();
            game.step(&pressed);
            assert_eq!(game.scene().score, score, "{points} {presses:?}");
            assert_eq!(game.rules.turns, u32::from(score != [0, 0]));
            // The other side is too late.
            let both = [Seat(0), Seat(1)].map(|seat| (seat, Press::At(place('n'))));
            if score != [0, 0] {
                game.step(&both);
                assert_eq!(game.scene().score, score, "{points} {presses:?}");
            }
        }
    }

    /// Before the next turn a pattern is shown in the colour of the turn's winner.
    #[test]
    fn a_won_turn_is_shown_in_its_winners_colour() {
        for winners in [&[0][..], &[1], &[0, 1]] {
            let mut game = shown(0, 2);
            let newest = Seat::BOTH.map(|seat| game.rules.newest(seat).unwrap());
            let pressed: Vec<(Seat, Press)> = winners
                .iter()
                .map(|&seat| (Seat(seat), Press::At(newest[usize::from(seat)])))
                .collect();
            game.step(&pressed);
            let mut pictures = Vec::new();
            for tick in 0..PAUSE {
                let scene = game.scene();
                let count = |light: Light| scene.lights.iter().filter(|of| **of == light).count();
                let [green, red] = [count(Light::Green), count(Light::Red)];
                let is_shown = tick < PATTERN;
                assert_eq!(green > 0, is_shown && winners.contains(&0), "{winners:?} {tick}");
                assert_eq!(red > 0, is_shown && winners.contains(&1), "{winners:?} {tick}");
                pictures.push(scene.lights);
                game.step(&[]);
            }
            pictures.dedup();
            assert_eq!(pictures.len(), 5, "four rings, and nothing: {winners:?}");
        }
    }

    #[test]
    fn more_turns_of_forty_win() {
        let mut game = shown(0, 1);
        game.rules.turns = 39;
        game.rules.score = [7, 7];
        let newest = game.rules.newest(Seat(1)).unwrap();
        game.step(&[(Seat(1), Press::At(newest))]);
        let won = Outcome::Won { by: Seat(1), points: 1, reason: "with more turns won" };
        assert_eq!(game.over(), Some(won));
    }
}
