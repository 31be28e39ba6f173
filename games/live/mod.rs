//! The console: ten games on the board of 81 points, in ticks of ten milliseconds.
//!
//! A game is a [`GameInProgress`] value. It is stepped tick by tick with what was pressed, and says what is
//! to be drawn; it knows no clock and no screen, and all its chance comes from the seed. So a
//! [`Tape`] of what was pressed plays the same game on every machine, at any speed.
//!
//! Source: S4, *Playing Maldoo*. Where it is silent, "ours" says so.

mod digest;
mod findthem;
mod ghost;
mod life;
mod symmetry;
mod table;
mod tape;
#[cfg(test)]
mod tests;
mod timed;
mod touchit;

pub use tape::{Tape, TapeError};

use crate::grid::{Press, SIZE, Square, Squares};
use crate::kit::{Outcome, Seat};
use std::borrow::Cow;
use std::fmt::Debug;
use table::RunningGame;

/// Ticks in a second.
pub const TICKS: u64 = 100;

/// A game under way on the console.
pub trait GameInProgress: Debug + Send {
    /// One tick, with what was pressed in it, in order. A press of a seat whose light is off, or
    /// that the board plays, does nothing; nor does anything once the game is over.
    fn step(&mut self, presses: &[(Seat, Press)]);
    /// What to draw.
    fn scene(&self) -> Scene;
    /// How the game ended, if it has.
    fn over(&self) -> Option<Outcome>;
    /// A number that follows from the whole state, the same on every machine.
    fn digest(&self) -> u64;
    /// The ticks that the game has taken.
    fn ticks(&self) -> u64;
    /// Whether the next step may take as long as a level thinks, up to half a second: the code that
    /// draws may want to run it in another thread.
    fn thinks(&self) -> bool;
    /// Another value of the same state.
    fn copy(&self) -> Box<dyn GameInProgress>;
}

/// What shines at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Light {
    /// Nothing.
    #[default]
    Dark,
    /// The green light.
    Green,
    /// The red light.
    Red,
    /// Both lights at once: what belongs to nobody, such as the ghost.
    Amber,
}

impl Light {
    /// The light of that seat.
    #[must_use]
    pub const fn for_seat(seat: Seat) -> Self {
        if seat.0 == 0 { Self::Green } else { Self::Red }
    }
}

/// All that can be seen at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The lights, in the order of [`Square::index`].
    pub lights: [Light; (SIZE * SIZE) as usize],
    /// How old what shines there is, from 1 to 5, where that matters; else 0.
    pub ages: [u8; (SIZE * SIZE) as usize],
    /// The ticks of a period as it is now.
    pub period: u64,
    /// Points that flash, because they could have been pressed in place of the one that was.
    pub flash: Squares,
    /// The point that was pressed last.
    pub last: Option<Square>,
    /// The turn lights, green's first: the sides that may press. At the end, the winner.
    pub turn: [bool; 2],
    /// The score of each side, green's first.
    pub score: [i32; 2],
    /// The unit of the score: `points`.
    pub counts: Cow<'static, str>,
    /// The ticks that are left, where there is a limit.
    pub clock: Option<u64>,
    /// The message, a sentence without a full stop.
    pub line: Option<String>,
    /// How often the bell has rung so far.
    pub bell: u32,
}

impl Scene {
    /// Lights these points.
    pub fn light(&mut self, squares: Squares, light: Light) {
        for square in squares.iter() {
            self.lights[square.index()] = light;
        }
    }

    /// What shines at a point.
    #[must_use]
    pub fn at(&self, square: Square) -> Light {
        self.lights[square.index()]
    }
}

/// How one sits down to a game: what the buttons of the console say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSettings {
    /// The mode, below [`LiveGame::modes`].
    pub mode: u8,
    /// The speed, 0 to 9.
    pub speed: u8,
    /// The level at which the board plays red, 1 to 4; 0 where two people play.
    pub level: u8,
    /// The level at which the board plays green, too; 0 where a person does.
    pub green: u8,
    /// The time for a move, 0 to 9: see [`GameSettings::limit`].
    pub time: u8,
    /// Where all chance comes from.
    pub seed: u64,
    /// How points are pressed: 1 with a mouse or fast keys, 2 with keys. All that goes by speed takes
    /// so many times as long.
    pub aim: u8,
    /// How many points Life begins with, each colour of mode 1; 0 for as many as it has by itself.
    pub points: u8,
}

/// How many points Life can begin with: as by mail.
pub const START_POINTS: std::ops::RangeInclusive<u8> = 6..=40;

impl Default for GameSettings {
    fn default() -> Self {
        Self { mode: 0, speed: 5, level: 0, green: 0, time: 5, seed: 0, aim: 1, points: 0 }
    }
}

/// Seconds for a move, by [`GameSettings::time`] (ours).
const SECONDS: [u64; 10] = [5, 10, 15, 20, 25, 30, 45, 60, 90, 120];

/// Ticks of a period, by [`GameSettings::speed`]: 700 ms at speed 5, a quarter more for each speed less
/// (ours).
const PERIODS: [u64; 10] = [214, 171, 137, 109, 88, 70, 56, 45, 36, 29];

impl GameSettings {
    /// The ticks of one period of what goes by speed.
    #[must_use]
    pub fn period(&self) -> u64 {
        PERIODS[usize::from(self.speed.min(9))] * u64::from(self.aim)
    }

    /// The ticks that a player has for a move.
    #[must_use]
    pub fn limit(&self) -> u64 {
        SECONDS[usize::from(self.time.min(9))] * TICKS
    }

    /// The level at which the board plays that seat; 0 where a person does.
    #[must_use]
    pub const fn level_of(&self, seat: Seat) -> u8 {
        if seat.0 == 0 { self.green } else { self.level }
    }

    /// Why nobody can sit down to that game like this, as a sentence without a full stop.
    ///
    /// # Errors
    /// A setting has a value that it does not take.
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
    /// The word for it: lower case ASCII.
    pub name: &'static str,
    /// The name as a heading.
    pub title: &'static str,
    /// How many modes it has, counted from 0.
    pub modes: u8,
    /// Whether the Speed button says something to it.
    pub is_timed_by_speed: bool,
    /// Whether the Time button does: whether there is a time for each move.
    pub uses_time: bool,
    /// Whether the Level button does; else one plays alone.
    pub uses_level: bool,
    /// The game in a line.
    pub about: &'static str,
    /// Starts a game; the sitting has passed [`GameSettings::check`].
    pub set_up: fn(&GameSettings) -> Box<dyn GameInProgress>,
}

/// The games of the console in the order of their numbers.
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
        set_up: |sitting| timed::start("reversi", sitting),
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
        set_up: |sitting| RunningGame::start(sitting, ghost::Ghost::start),
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
        set_up: |sitting| RunningGame::start(sitting, touchit::TouchIt::start),
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
        set_up: |sitting| RunningGame::start(sitting, symmetry::Symmetry::start),
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
        set_up: |sitting| timed::start("countlines", sitting),
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
        set_up: |sitting| timed::start("fillit", sitting),
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
        set_up: |sitting| RunningGame::start(sitting, findthem::FindThem::start),
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
        set_up: |sitting| timed::start("visiput", sitting),
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
        set_up: |sitting| timed::start("speedgo", sitting),
    },
];

/// The game of the console with that name, case ignored, or that number.
pub fn console(name: &str) -> Option<&'static LiveGame> {
    let named =
        |game: &&LiveGame| game.name.eq_ignore_ascii_case(name) || game.number.to_string() == name;
    CONSOLE.iter().find(named)
}
