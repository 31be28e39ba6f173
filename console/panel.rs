//! The settings of the five buttons.

use super::action::Step;
use super::button::Button;
use super::words;
use games::{CONSOLE, GameSettings, LiveGame, START_POINTS};

/// Settings from the command line.
#[derive(Clone, Debug, Default)]
pub struct PanelOptions {
    /// The game's name or number.
    pub game: Option<String>,
    /// Its mode.
    pub mode: Option<u8>,
    /// Its speed.
    pub speed: Option<u8>,
    /// The computer's level for red.
    pub level: Option<u8>,
    /// The computer's level for green.
    pub green: Option<u8>,
    /// The time for a move.
    pub time: Option<u8>,
    /// The number of points at the start of Life.
    pub points: Option<u8>,
}

/// Why settings are invalid.
#[derive(Debug, thiserror::Error)]
pub enum PanelError {
    /// The console has no game of this name.
    #[error("{}", words::no_game(.0))]
    NoGame(String),
    /// The game does not use the button.
    #[error("{}", words::idle(*.button, .game))]
    Idle {
        /// The button.
        button: Button,
        /// The game.
        game: &'static LiveGame,
    },
    /// The game does not allow the settings, for this reason.
    #[error("{0}")]
    Rules(String),
}

/// The state of the buttons. Speed and mode are kept for each game: a player who returns to a game
/// finds them as they were (S4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPanel {
    game: usize,
    speeds: [u8; 10],
    modes: [u8; 10],
    time: u8,
    level: u8,
    green: u8,
    points: u8,
}

impl Default for ControlPanel {
    fn default() -> Self {
        let GameSettings { mode, speed, level, green, time, points, .. } = GameSettings::default();
        Self { game: 0, speeds: [speed; 10], modes: [mode; 10], time, level, green, points }
    }
}

impl ControlPanel {
    /// Applies settings.
    ///
    /// # Errors
    /// There is no such game, or it does not allow the settings.
    pub fn new(options: &PanelOptions) -> Result<Self, PanelError> {
        let mut panel = Self::default();
        if let Some(name) = &options.game {
            let game = games::console(name).ok_or_else(|| PanelError::NoGame(name.clone()))?;
            panel.game = usize::from(game.number);
        }
        let game = panel.game();
        panel.modes[panel.game] = options.mode.unwrap_or(panel.modes[panel.game]);
        panel.speeds[panel.game] = options.speed.unwrap_or(panel.speeds[panel.game]);
        panel.level = options.level.unwrap_or(panel.level);
        panel.green = options.green.unwrap_or(panel.green);
        panel.time = options.time.unwrap_or(panel.time);
        if let Some(points) = options.points {
            let settings = GameSettings { points: points.max(1), ..GameSettings::default() };
            settings.check(game).map_err(PanelError::Rules)?;
            panel.points = points;
        }
        let asked = [
            (Button::Speed, options.speed.is_some()),
            (Button::Time, options.time.is_some()),
            (Button::Level, options.level.or(options.green).is_some_and(|level| level > 0)),
        ];
        let idle = asked.into_iter().find(|&(button, asked)| asked && !panel.is_used(button));
        if let Some((button, _)) = idle {
            return Err(PanelError::Idle { button, game });
        }
        panel.settings(0, 1).check(game).map_err(PanelError::Rules)?;
        Ok(panel)
    }

    /// Returns the buttons as they were in a recorded game.
    pub(super) fn from_settings(game: &LiveGame, settings: &GameSettings) -> Self {
        let mut panel = Self { game: usize::from(game.number), ..Self::default() };
        panel.modes[panel.game] = settings.mode;
        panel.speeds[panel.game] = settings.speed;
        let GameSettings { time, level, green, points, .. } = *settings;
        Self { time, level, green, points, ..panel }
    }

    /// Returns the game.
    pub fn game(&self) -> &'static LiveGame {
        &CONSOLE[self.game]
    }

    /// Returns the settings of the next game.
    pub fn settings(&self, seed: u64, aim: u8) -> GameSettings {
        let (level, green) = if self.game().uses_level { (self.level, self.green) } else { (0, 0) };
        let (mode, speed) = (self.modes[self.game], self.speeds[self.game]);
        let points = if self.game().name == "life" { self.points } else { 0 };
        GameSettings { mode, speed, level, green, time: self.time, seed, aim, points }
    }

    /// Returns whether the game uses a button.
    pub fn is_used(&self, button: Button) -> bool {
        let game = self.game();
        match button {
            Button::Game | Button::Mode => true,
            Button::Time => game.uses_time,
            Button::Speed => game.is_timed_by_speed,
            Button::Level => game.uses_level,
        }
    }

    /// Advances a button to its next or previous value, cyclically.
    pub fn press(&mut self, button: Button, step: Step) {
        let modes = self.game().modes;
        let (value, count) = match button {
            Button::Game => {
                let by = if step == Step::Previous { CONSOLE.len() - 1 } else { 1 };
                self.game = (self.game + by) % CONSOLE.len();
                return;
            }
            Button::Time => (&mut self.time, 10),
            Button::Speed => (&mut self.speeds[self.game], 10),
            Button::Level => (&mut self.level, 5),
            Button::Mode => (&mut self.modes[self.game], modes),
        };
        *value = (*value + if step == Step::Previous { count - 1 } else { 1 }) % count;
    }

    /// Increases or decreases the number of points at the start of Life by two; after the maximum
    /// comes the default. Returns whether the game uses it.
    pub(super) fn start_up(&mut self, step: Step) -> bool {
        if self.game().name != "life" {
            return false;
        }
        let (least, most) = (*START_POINTS.start(), *START_POINTS.end());
        self.points = match (self.points, step) {
            (0, Step::Next) => least,
            (0, Step::Previous) => most,
            (points, Step::Next) if points + 2 > most => 0,
            (points, Step::Previous) if points < least + 2 => 0,
            (points, Step::Next) => points + 2,
            (points, Step::Previous) => points - 2,
        };
        true
    }

    /// Returns the value of a button, if the game uses it.
    pub fn value(&self, button: Button) -> Option<String> {
        let game = self.game();
        let settings = self.settings(0, 1);
        let value = match button {
            Button::Game => format!("{} {}", game.number, game.title),
            Button::Time => format!("{} ({} s)", settings.time, settings.limit() / games::TICKS),
            Button::Speed => settings.speed.to_string(),
            // The board shows this level for two players (S4).
            Button::Level if settings.level == 0 => "_".into(),
            Button::Level => settings.level.to_string(),
            Button::Mode => settings.mode.to_string(),
        };
        self.is_used(button).then_some(value)
    }
}
