//! `[engines]`: the programs that play as `board5`.

use super::section::{ConfigError, Section};
use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

/// The games that an engine may play.
const ENGINE_GAMES: [&str; 3] = ["backgammon", "chess", "go"];

/// The engines and their limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnginesConfig {
    /// The program of each game, in the order of the games' names.
    pub programs: Vec<EngineProgram>,
    /// The limits of each program.
    pub limits: EngineLimits,
}

/// The program of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineProgram {
    /// The game.
    pub game: &'static str,
    /// The program's absolute path, and its arguments.
    pub command: Vec<String>,
}

/// The limits of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineLimits {
    /// The most positions that a UCI program searches for a move.
    pub nodes: u32,
    /// How long an answer of a program may take.
    pub answer: Duration,
    /// The most bytes of memory.
    pub memory: u64,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self {
            nodes: NODES,
            answer: Duration::from_secs(SECONDS.into()),
            memory: u64::from(MEGABYTES) * MEGABYTE,
        }
    }
}

impl EngineProgram {
    /// Returns the name of the program's file: `stockfish`. Players read it until the program has told its name.
    pub fn file_name(&self) -> &str {
        let path = self.command.first().map(Path::new).and_then(Path::file_name);
        path.and_then(OsStr::to_str).unwrap_or("another program")
    }
}

impl EnginesConfig {
    /// Returns the program of a game.
    pub fn program(&self, game: &str) -> Option<&EngineProgram> {
        self.programs.iter().find(|program| program.game == game)
    }
}

const NODES: u32 = 200_000;
const SECONDS: u32 = 10;
const MEGABYTES: u32 = 1024;
const MEGABYTE: u64 = 1024 * 1024;

pub(super) fn read(section: &Section) -> Result<EnginesConfig, ConfigError> {
    let mut programs = Vec::new();
    for game in ENGINE_GAMES {
        let command = section.command(game)?;
        programs.extend(command.map(|command| EngineProgram { game, command }));
    }
    let seconds = section.whole("seconds", 1..=60, SECONDS)?;
    let megabytes = section.whole("memory_megabytes", 16..=65_536, MEGABYTES)?;
    let limits = EngineLimits {
        nodes: section.whole("nodes", 1..=100_000_000, NODES)?,
        answer: Duration::from_secs(seconds.into()),
        memory: u64::from(megabytes) * MEGABYTE,
    };
    Ok(EnginesConfig { programs, limits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_with_a_protocol_has_a_key() {
        let mut games: Vec<&str> = games::GAMES
            .iter()
            .filter(|game| game.engine_protocol().is_some())
            .map(|game| game.spec().name)
            .collect();
        games.sort_unstable();
        assert_eq!(games, ENGINE_GAMES);
    }
}
