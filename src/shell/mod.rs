//! What the operator's commands do to a home.

mod backup;
pub mod batch;
mod board;
mod check;
pub mod cli;
mod console;
mod cron;
mod deliver;
pub mod demo;
pub mod home;
mod init;
pub mod manual;
mod player;
mod process;
mod receive;
pub mod remedy;
mod remind;
mod repair;
mod restore;
pub mod rules;
pub mod settings;
mod user;

use self::deliver::Telling;
use self::process::Source;
use crate::base::chance::Entropy;
use crate::command;
use crate::server::shell_request;
use crate::shell::cli::{Cli, Job};
use crate::store::Fault;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

/// Mails that are committed together at most.
const GROUP: usize = 64;

/// Bytes of mails, or of the letters that answer them, after which no more join a group.
const GROUP_BYTES: usize = 4_000_000;

/// Seconds after which the home is left to others for a moment.
const SLICE: i64 = 1;

/// What the machine gives: main.rs fills it.
pub struct Machine<'a> {
    /// Unix time, seconds.
    pub clock: &'a dyn Fn() -> i64,
    /// How long the program has run.
    pub stopwatch: &'a dyn Fn() -> Duration,
    /// Waits for a second, for `--watch`.
    pub pause: &'a dyn Fn(),
    /// Tells the operator of something that stops nothing.
    pub warn: &'a dyn Fn(&dyn Display),
    /// Dice and salts.
    pub chance: Entropy,
    /// Who gives the command, for the log: `jane (uid 1000)`.
    pub operator: &'a str,
    /// Lets the operator edit a file; whether the editor is content.
    pub edit: &'a dyn Fn(&Path) -> io::Result<bool>,
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output.
    pub out: &'a mut dyn Write,
}

/// How a command ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// The words of the shell are wrong.
    Usage,
    /// A player's command was refused.
    Refused,
    /// Mails have waited for long and cannot leave; it was told why.
    Late,
}

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The operator can mend it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Standard input or output failed.
    #[error("cannot read or write: {0}")]
    Stream(#[from] io::Error),
    /// The words of the shell are wrong.
    #[error("{0}")]
    Usage(String),
    /// A repair is not made.
    #[error("{0}")]
    Refused(String),
}

impl From<crate::server::repair::RepairError> for Trouble {
    fn from(trouble: crate::server::repair::RepairError) -> Self {
        match trouble {
            crate::server::repair::RepairError::Fault(fault) => fault.into(),
            refused => Self::Refused(refused.to_string()),
        }
    }
}

/// Carries out a command of the shell.
///
/// # Errors
/// The machine failed, or the words are wrong.
pub fn run(cli: Cli, home: &Path, machine: &mut Machine) -> Result<Exit, Trouble> {
    let opens = !matches!(
        cli.job,
        Job::Init { .. }
            | Job::Receive
            | Job::Restore { .. }
            | Job::Console(_)
            | Job::Completions { .. }
            | Job::Man
            | Job::Demo
            | Job::Plays { .. }
            | Job::Perft { .. }
            | Job::Tournament { .. }
    ) && !matches!(&cli.job, Job::Player(words) if command::is_help(&words.join(" ")));
    if let Some(warning) = remedy::root_warned(home).filter(|_| opens) {
        (machine.warn)(&warning);
    }
    match cli.job {
        Job::Init { dir } => init::run(&dir.unwrap_or_else(|| home.to_owned()), machine)?,
        Job::Receive => receive::run(home, machine)?,
        Job::Process { maildir, mbox, spool: _, watch } => {
            let source = match (&maildir, &mbox) {
                (Some(path), _) => Source::Maildir(path),
                (_, Some(path)) => Source::Mbox(path),
                _ => Source::Spool,
            };
            if watch {
                process::watch(home, source, machine);
            }
            process::run(home, source, machine)?;
        }
        Job::Deliver => return deliver::run(home, Telling::All, machine),
        Job::Cron => return cron::run(home, machine),
        Job::Remind => remind::run(home, machine)?,
        Job::Check { repair, mail } => return check::run(home, repair, mail.as_deref(), machine),
        Job::Board(job) => return board::run(home, job, machine),
        Job::User(job) => return user::run(home, job, machine),

        Job::Backup { file } => backup::run(home, &file, machine)?,
        Job::Restore { file, replace, without_outbox } => {
            restore::run(home, &file, replace, !without_outbox, machine)?;
        }
        Job::Console(job) => console::run(job, machine)?,
        Job::Completions { shell } => manual::completions(shell, machine.out)?,
        Job::Man => manual::page(machine.out)?,
        Job::Demo => demo::run(machine)?,
        Job::Plays { game } => {
            let (game, options) = rules::game_of(&game).map_err(Trouble::Usage)?;
            rules::plays(game, &options, machine.input, machine.out)?;
        }
        Job::Perft { game, depth, mut options } => {
            options.insert(0, game);
            let (game, options) = rules::game_of(&options).map_err(Trouble::Usage)?;
            rules::counts(game, &options, depth, machine.out)?;
        }
        Job::Tournament { game, games, seed, mut options } => {
            options.insert(0, game);
            let (game, options) = rules::game_of(&options).map_err(Trouble::Usage)?;
            let length = rules::Length { games, seed };
            rules::levels(game, &options, length, machine.stopwatch, machine.out)?;
        }
        Job::Export { words } => {
            let (line, operator) = match words.as_slice() {
                [game, board, format] if games::find(game).is_some() => {
                    let format = format!("-export={}", format.trim_start_matches(games::is_dash));
                    ([game, "show", board, &format].join(" "), true)
                }
                words => (format!("export {}", words.join(" ")), cli.as_operator),
            };
            return player::run(home, &shell_request(line, operator, String::new()), machine);
        }
        Job::Import { game, players } => return player::import(home, &game, &players, machine),
        Job::Player(words) => {
            let request = shell_request(words.join(" "), cli.as_operator, cli.message);
            return player::run(home, &request, machine);
        }
    }
    Ok(Exit::Done)
}
