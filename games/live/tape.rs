//! Recordings of console games.

use super::{GameInProgress, GameSettings, LiveGame, TICKS};
use crate::grid::Press;
use crate::kit::Seat;
use std::fmt::{self, Display};
use std::str::FromStr;

/// The version of the format. It changes when old tapes would play differently.
const VERSION: &str = "1";

/// The first word of a tape.
const MAGIC: &str = "postboard-tape";

/// The longest game that is accepted: two days.
const MOST_TICKS: u64 = 48 * 3600 * TICKS;

/// A recording of a console game: its settings and all presses.
#[derive(Clone, Debug)]
pub struct Tape {
    /// The game.
    pub game: &'static LiveGame,
    /// The settings.
    pub settings: GameSettings,
    presses: Vec<(u64, Seat, Press)>,
    ticks: u64,
    digest: u64,
}

/// Why a text is not a tape, or a tape cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TapeError {
    /// The line number, from 1.
    pub line: usize,
    /// What is wrong, without a full stop.
    pub what: String,
}

impl Display for TapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for TapeError {}

impl Tape {
    /// Creates an empty tape of a game.
    ///
    /// # Errors
    /// The settings are not valid for the game.
    pub fn new(game: &'static LiveGame, settings: GameSettings) -> Result<Self, String> {
        settings.check(game)?;
        let digest = (game.set_up)(&settings).digest();
        Ok(Self { game, settings, presses: Vec::new(), ticks: 0, digest })
    }

    /// Returns the game at its start.
    #[must_use]
    pub fn start(&self) -> Box<dyn GameInProgress> {
        (self.game.set_up)(&self.settings)
    }

    /// Steps the game and records the presses.
    pub fn step(&mut self, live: &mut dyn GameInProgress, presses: &[(Seat, Press)]) {
        if live.over().is_none() && live.ticks() < MOST_TICKS {
            live.step(presses);
            let tick = live.ticks();
            self.presses.extend(presses.iter().map(|&(seat, press)| (tick, seat, press)));
        }
    }

    /// Records the final state of the game.
    pub fn seal(&mut self, live: &dyn GameInProgress) {
        self.ticks = live.ticks();
        self.digest = live.digest();
    }

    /// Returns the number of ticks.
    #[must_use]
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns the digest at the end of the tape.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns the presses of a tick, counted from 1.
    #[must_use]
    pub fn pressed_at(&self, tick: u64) -> Vec<(Seat, Press)> {
        let from = self.presses.partition_point(|&(at, ..)| at < tick);
        let pressed = self.presses[from..].iter().take_while(|&&(at, ..)| at == tick);
        pressed.map(|&(_, seat, press)| (seat, press)).collect()
    }

    /// Replays the whole tape.
    ///
    /// # Errors
    /// The game does not reach the recorded state.
    pub fn replay(&self) -> Result<Box<dyn GameInProgress>, TapeError> {
        let mut live = self.start();
        for tick in 1..=self.ticks {
            live.step(&self.pressed_at(tick));
            if live.ticks() != tick {
                let what = format!("the game is over at tick {}, not {}", tick - 1, self.ticks);
                return Err(TapeError { line: 1, what });
            }
        }
        let found = live.digest();
        if found == self.digest {
            return Ok(live);
        }
        let what = format!("it says digest={:016x}, but it plays to {found:016x}", self.digest);
        Err(TapeError { line: 1, what })
    }
}

/// Writes a line with the settings, and one for each press.
impl Display for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameSettings { mode, speed, level, green, time, seed, aim, points } = self.settings;
        write!(f, "{MAGIC} {VERSION} {} mode={mode} speed={speed} level={level}", self.game.name)?;
        write!(f, " green={green} time={time} seed={seed} aim={aim}")?;
        if points > 0 {
            write!(f, " points={points}")?;
        }
        write!(f, " presses=")?;
        let (presses, ticks, digest) = (self.presses.len(), self.ticks, self.digest);
        writeln!(f, "{presses} ticks={ticks} digest={digest:016x}")?;
        for (tick, seat, press) in &self.presses {
            writeln!(f, "{tick} {} {press}", if *seat == Seat(0) { 'G' } else { 'R' })?;
        }
        Ok(())
    }
}

impl FromStr for Tape {
    type Err = TapeError;

    fn from_str(text: &str) -> Result<Self, TapeError> {
        let mut lines = text.lines();
        let head = lines.next().unwrap_or_default();
        let (mut tape, presses) = header(head).map_err(|what| TapeError { line: 1, what })?;
        for (line, text) in (2..).zip(lines) {
            let pressed = pressed(text, tape.presses.last().map_or(1, |&(tick, ..)| tick));
            let fault = |what| TapeError { line, what };
            let pressed = pressed.map_err(fault)?;
            if pressed.0 > tape.ticks {
                return Err(fault(format!("the tape ends at tick {}", tape.ticks)));
            }
            if tape.presses.len() as u64 == presses {
                return Err(fault(format!("the tape has only {presses} presses")));
            }
            tape.presses.push(pressed);
        }
        let read = tape.presses.len();
        if (read as u64) < presses {
            let what = format!("the tape ends after {read} presses of {presses}");
            return Err(TapeError { line: read + 2, what });
        }
        Ok(tape)
    }
}

/// Parses a number: digits only, within range.
fn number(text: &str, key: &str) -> Result<u64, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let read = if digits { text.parse().ok() } else { None };
    read.ok_or_else(|| format!("{key} is a number, not `{text}`"))
}

/// Returns the value of a key.
fn value_of<'a>(word: Option<&'a str>, key: &str) -> Result<&'a str, String> {
    let word = word.ok_or_else(|| format!("{key}= is missing"))?;
    match word.split_once('=') {
        Some((said, value)) if said == key => Ok(value),
        _ => Err(format!("expected {key}=, not `{word}`")),
    }
}

/// Parses the first line: an empty tape, and the number of presses that follow.
fn header(text: &str) -> Result<(Tape, u64), String> {
    let mut words = text.split(' ').peekable();
    if words.next() != Some(MAGIC) {
        return Err(format!("a tape begins with `{MAGIC} {VERSION}`"));
    }
    match words.next() {
        Some(VERSION) => {}
        other => {
            let other = other.unwrap_or_default();
            return Err(format!("only version {VERSION} of tapes is known, not `{other}`"));
        }
    }
    let name = words.next().unwrap_or_default();
    let game = super::CONSOLE.iter().find(|game| game.name == name);
    let game = game.ok_or_else(|| format!("there is no game `{name}` on the console"))?;
    let mut value = |key: &str| value_of(words.next(), key);
    let mut small = |key: &str| {
        let read = number(value(key)?, key)?;
        u8::try_from(read).map_err(|_| format!("{key} is not {read}"))
    };
    let (mode, speed, level) = (small("mode")?, small("speed")?, small("level")?);
    let (green, time) = (small("green")?, small("time")?);
    let seed = number(value("seed")?, "seed")?;
    let aim = number(value("aim")?, "aim")?;
    let aim = u8::try_from(aim).map_err(|_| format!("aim is not {aim}"))?;
    // The number is present only if the players chose one.
    let points = match words.next_if(|word| word.starts_with("points=")) {
        Some(word) => number(&word["points=".len()..], "points")?,
        None => 0,
    };
    let points = u8::try_from(points).map_err(|_| format!("points is not {points}"))?;
    let mut value = |key: &str| value_of(words.next(), key);
    let presses = number(value("presses")?, "presses")?;
    let ticks = number(value("ticks")?, "ticks")?;
    let digest = value("digest")?;
    let is_hex = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digest = match u64::from_str_radix(digest, 16) {
        Ok(read) if digest.len() == 16 && digest.bytes().all(is_hex) => read,
        _ => return Err(format!("digest is 16 digits 0 to f, not `{digest}`")),
    };
    if let Some(word) = words.next() {
        return Err(format!("expected nothing more, not `{word}`"));
    }
    if ticks > MOST_TICKS {
        return Err(format!("no game takes more than {MOST_TICKS} ticks"));
    }
    let settings = GameSettings { mode, speed, level, green, time, seed, aim, points };
    settings.check(game)?;
    Ok((Tape { game, settings, presses: Vec::new(), ticks, digest }, presses))
}

/// Parses a press, not before the tick `since`.
fn pressed(text: &str, since: u64) -> Result<(u64, Seat, Press), String> {
    let words: Vec<&str> = text.split(' ').collect();
    let &[tick, side, press] = &words[..] else {
        return Err(format!("expected a press such as `120 G e5`, not `{text}`"));
    };
    let tick = number(tick, "the tick")?;
    if tick < since {
        return Err(format!("tick {tick} comes before tick {since}"));
    }
    let seat = match side {
        "G" => Seat(0),
        "R" => Seat(1),
        _ => return Err(format!("a side is G or R, not `{side}`")),
    };
    let press =
        match press {
            "pass" => Press::Pass,
            square => Press::At(square.parse().map_err(|_| {
                format!("a press is a point from a1 to i9 or `pass`, not `{square}`")
            })?),
        };
    Ok((tick, seat, press))
}
