//! The console: ten games on a board of 81 points, in ticks of ten milliseconds.
//!
//! A game is a [`GameInProgress`]. It is stepped tick by tick with the presses of each tick and
//! returns a [`Scene`] to draw. It uses no clock and no screen, and its random numbers follow from
//! a seed, so a [`Tape`] of presses replays the same game on every machine at any speed.
//!
//! Source: S4, *Playing Maldoo*. Where it is silent, "ours" says so.

mod common_state;
mod digest;
mod findthem;
mod ghost;
mod life;
mod symmetry;
mod tape;
#[cfg(test)]
mod tests;
mod timed;
mod touchit;

pub use tape::{Tape, TapeError};

use crate::grid::{Press, SIZE, Square, Squares};
use crate::kit::{Outcome, Seat};
use common_state::RunningGame;
use std::borrow::Cow;
use std::fmt::Debug;

/// Ticks in a second.
pub const TICKS: u64 = 100;

/// A game in progress on the console.
pub trait GameInProgress: Debug + Send {
    /// Advances the game by one tick with the presses made in it, in order. Presses are ignored
    /// while a seat's light is off, when the computer plays the seat, and after the end.
    fn step(&mut self, presses: &[(Seat, Press)]);
    /// Returns what to draw.
    fn scene(&self) -> Scene;
    /// Returns the result, if the game is over.
    fn over(&self) -> Option<Outcome>;
    /// Returns a digest of the whole state, the same on every machine.
    fn digest(&self) -> u64;
    /// Returns the number of ticks so far.
    fn ticks(&self) -> u64;
    /// Returns whether the next step may take up to half a second of thinking. A program with a
    /// screen may run it in another thread.
    fn thinks(&self) -> bool;
    /// Clones the state.
    fn copy(&self) -> Box<dyn GameInProgress>;
}

/// The light of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Light {
    /// No light.
    #[default]
    Dark,
    /// The green light.
    Green,
    /// The red light.
    Red,
    /// Both lights: points that belong to nobody, such as the ghost.
    Amber,
}

impl Light {
    /// Returns the light of a seat.
    #[must_use]
    pub const fn for_seat(seat: Seat) -> Self {
        if seat.0 == 0 { Self::Green } else { Self::Red }
    }
}

/// Everything visible at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The lights, in the order of [`Square::index`].
    pub lights: [Light; (SIZE * SIZE) as usize],
    /// The age of each lit point, from 1 to 5, or 0 where ages do not matter.
    pub ages: [u8; (SIZE * SIZE) as usize],
    /// The current period in ticks.
    pub period: u64,
    /// Points that flash because they could have been pressed.
    pub flash: Squares,
    /// The point pressed last.
    pub last: Option<Square>,
    /// The turn lights, green first: the sides that may press. At the end, the winner.
    pub turn: [bool; 2],
    /// The score of each side, green first.
    pub score: [i32; 2],
    /// The unit of the score, such as `points`.
    pub counts: Cow<'static, str>,
    /// The ticks left, if there is a limit.
    pub clock: Option<u64>,
    /// The message, without a full stop.
    pub line: Option<String>,
    /// The number of bell signals so far.
    pub bell: u32,
}

impl Scene {
    /// Lights these points.
    pub fn light(&mut self, squares: Squares, light: Light) {
        for square in squares.iter() {
            self.lights[square.index()] = light;
        }
    }

    /// Returns the light of a point.
    #[must_use]
    pub fn at(&self, square: Square) -> Light {
        self.lights[square.index()]
    }
}

/// The settings of a game: the buttons of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSettings {
    /// The mode, below [`LiveGame::modes`].
    pub mode: u8,
    /// The speed, 0 to 9.
    pub speed: u8,
    /// The computer's level for red, 1 to 4; 0 for a human player.
    pub level: u8,
    /// The computer's level for green; 0 for a human player.
    pub green: u8,
    /// The time for a move, 0 to 9; see [`GameSettings::limit`].
    pub time: u8,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The slowdown for the players' input: 1 for a mouse or direct keys, 2 for a cursor. All
    /// speeds are divided by it.
    pub aim: u8,
    /// The number of points at the start of Life, per colour in mode 1; 0 for the default.
    pub points: u8,
}

/// The allowed numbers of points at the start of Life, as by mail.
pub const START_POINTS: std::ops::RangeInclusive<u8> = 6..=40;

impl Default for GameSettings {
    fn default() -> Self {
        Self { mode: 0, speed: 5, level: 0, green: 0, time: 5, seed: 0, aim: 1, points: 0 }
    }
}

/// Seconds for a move, by [`GameSettings::time`] (ours).
const SECONDS: [u64; 10] = [5, 10, 15, 20, 25, 30, 45, 60, 90, 120];

/// Ticks of a period, by [`GameSettings::speed`]: 700 ms at speed 5, 25 % more for each step down
/// (ours).
const PERIODS: [u64; 10] = [214, 171, 137, 109, 88, 70, 56, 45, 36, 29];

impl GameSettings {
    /// Returns the ticks of a period.
    #[must_use]
    pub fn period(&self) -> u64 {
        PERIODS[usize::from(self.speed.min(9))] * u64::from(self.aim)
    }

    /// Returns the ticks for a move.
    #[must_use]
    pub fn limit(&self) -> u64 {
        SECONDS[usize::from(self.time.min(9))] * TICKS
    }

    /// Returns the computer's level for a seat; 0 for a human player.
    #[must_use]
    pub const fn level_of(&self, seat: Seat) -> u8 {
        if seat.0 == 0 { self.green } else { self.level }
    }

    /// Checks the settings for a game.
    ///
    /// # Errors
    /// The first setting with a wrong value, without a full stop.
    pub fn check(&self, game: &LiveGame) -> Result<(), String> {
        for (name, value, most) in [
            ("mode", self.mode, game.modes - 1),
            ("speed", self.speed, 9),
            ("level", self.level, if game.uses_level { 4 } else { 0 }),
            ("green", self.green, if game.uses_level { 4 } else { 0 }),
            ("time", self.time, 9),
        ] {
            if value > most {
                return Err(format!("{name} goes from 0 to {most} in {}", game.title));
            }
        }
        if self.points > 0 && game.name != "life" {
            return Err(format!("{} has no number of points to begin with", game.title));
        }
        if self.points > 0 && !START_POINTS.contains(&self.points) {
            return Err(format!(
                "points go from {} to {}",
                START_POINTS.start(),
                START_POINTS.end()
            ));
        }
        if matches!(self.aim, 1 | 2) { Ok(()) } else { Err("aim is 1 or 2".into()) }
    }
}

/// A game of the console.
#[derive(Debug)]
pub struct LiveGame {
    /// The number on the Game button.
    pub number: u8,
    /// The name, in lower case ASCII.
    pub name: &'static str,
    /// The name in headings.
    pub title: &'static str,
    /// The number of modes.
    pub modes: u8,
    /// Whether the Speed button applies.
    pub is_timed_by_speed: bool,
    /// Whether the Time button applies: each move has a time limit.
    pub uses_time: bool,
    /// Whether the Level button applies; otherwise the game is for one player.
    pub uses_level: bool,
    /// A description in one line.
    pub about: &'static str,
    /// Starts a game with settings that passed [`GameSettings::check`].
    pub set_up: fn(&GameSettings) -> Box<dyn GameInProgress>,
}

/// The games of the console, by number.
pub static CONSOLE: &[LiveGame] = &[
    LiveGame {
        number: 0,
        name: "reversi",
        title: "Reversi",
        modes: 6,
        is_timed_by_speed: false,
        uses_time: true,
        uses_level: true,
        about: "catch rows of the other colour between two of yours",
        set_up: |settings| timed::start("reversi", settings),
    },
    LiveGame {
        number: 1,
        name: "ghost",
        title: "Ghost",
        modes: 4,
        is_timed_by_speed: true,
        uses_time: true,
        uses_level: true,
        about: "touch the ghost as it wanders, or the points around it",
        set_up: |settings| RunningGame::start(settings, ghost::Ghost::start),
    },
    LiveGame {
        number: 2,
        name: "life",
        title: "Life",
        modes: 2,
        is_timed_by_speed: true,
        uses_time: true,
        uses_level: true,
        about: "get rid of a living pattern, or of the other colour",
        set_up: life::start,
    },
    LiveGame {
        number: 3,
        name: "touchit",
        title: "TouchIt",
        modes: 4,
        is_timed_by_speed: true,
        uses_time: false,
        uses_level: true,
        about: "be the first to press the newest point of your path",
        set_up: |settings| RunningGame::start(settings, touchit::TouchIt::start),
    },
    LiveGame {
        number: 4,
        name: "symmetry",
        title: "Symmetry",
        modes: 8,
        is_timed_by_speed: true,
        uses_time: false,
        uses_level: false,
        about: "press the mirror image of a pattern before time is over",
        set_up: |settings| RunningGame::start(settings, symmetry::Symmetry::start),
    },
    LiveGame {
        number: 5,
        name: "countlines",
        title: "CountLines",
        modes: 5,
        is_timed_by_speed: false,
        uses_time: true,
        uses_level: true,
        about: "make rows of four",
        set_up: |settings| timed::start("countlines", settings),
    },
    LiveGame {
        number: 6,
        name: "fillit",
        title: "FillIt",
        modes: 5,
        is_timed_by_speed: false,
        uses_time: true,
        uses_level: true,
        about: "fill the board with your colour, or clear it of the other one",
        set_up: |settings| timed::start("fillit", settings),
    },
    LiveGame {
        number: 7,
        name: "findthem",
        title: "FindThem",
        modes: 4,
        is_timed_by_speed: true,
        uses_time: true,
        uses_level: true,
        about: "remember where your points were and find them again",
        set_up: |settings| RunningGame::start(settings, findthem::FindThem::start),
    },
    LiveGame {
        number: 8,
        name: "visiput",
        title: "Visiput",
        modes: 8,
        is_timed_by_speed: false,
        uses_time: true,
        uses_level: true,
        about: "light the points that see more of your colour",
        set_up: |settings| timed::start("visiput", settings),
    },
    LiveGame {
        number: 9,
        name: "speedgo",
        title: "SpeedGo",
        modes: 3,
        is_timed_by_speed: false,
        uses_time: true,
        uses_level: true,
        about: "Go on nine lines, from stones laid by chance",
        set_up: |settings| timed::start("speedgo", settings),
    },
];

/// Finds a console game by name, case ignored, or by number.
pub fn console(name: &str) -> Option<&'static LiveGame> {
    let named =
        |game: &&LiveGame| game.name.eq_ignore_ascii_case(name) || game.number.to_string() == name;
    CONSOLE.iter().find(named)
}
