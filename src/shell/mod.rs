//! The operator's commands, and the machine that they run on.
//!
//! `cli` parses the command line, [`run`] calls the command. A folder contains related commands, a file
//! each. `home` opens a home wherever it is kept; `settings` reads its configuration.

pub mod cli;
mod console;
mod copies;
mod dice;
pub mod exit_status;
mod game_files;
mod game_tools;
mod health;
mod hidden_typing;
pub mod home;
pub mod mails;
pub mod output;
mod player;
mod repairs;
mod reports;
mod run;
mod serve;
pub mod settings;
pub mod setup;

pub use self::output::progress::ProgressOutput;

use crate::base::chance::Entropy;
use crate::base::time::Time;
use crate::command;
use crate::server::repair::RepairError;
use crate::server::requests::Request;
use crate::server::shell_request;
use crate::shell::cli::{
    Cli, ClockJob, CopyJob, DiceJob, ExportJob, Job, PostJob, ServeJob, WatchJob,
};
use crate::shell::copies::found_backup::BackupSource;
use crate::shell::copies::{backup, check_backup, move_home, restore, upgrade};
use crate::shell::health::{check, doctor};
use crate::shell::mails::deliver::{self, ReportScope};
use crate::shell::mails::process::{self, MailSource};
use crate::shell::mails::{cron, receive, remind, stuck};
use crate::shell::output::{manual, remedy};
use crate::shell::repairs::{announce, board, moderation, user};
use crate::shell::reports::{charts, effective_config, metrics, status};
use crate::shell::setup::{demo, init, interview};
use crate::store::{Fault, JobRun};
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::Duration;

/// What the commands use of the machine. `main.rs` provides it.
pub struct Machine<'a> {
    /// The machine's clock.
    pub clock: &'a (dyn Fn() -> Time + Sync),
    /// The same clock, for threads.
    pub time: fn() -> Time,
    /// Returns how long the program has run.
    pub stopwatch: &'a dyn Fn() -> Duration,
    /// Waits for a second.
    pub pause: &'a dyn Fn(),
    /// Prints a warning.
    pub warn: &'a dyn Fn(&dyn Display),
    /// Prints a warning from any thread.
    pub say: fn(&dyn Display),
    /// Where progress bars are drawn.
    pub screen: ProgressOutput,
    /// The source of dice and random bytes.
    pub chance: Entropy,
    /// The user who runs the command, for the log: `jane (uid 1000)`.
    pub operator: &'a str,
    /// Opens a file in the operator's editor. Returns whether the editor succeeded.
    pub edit: &'a dyn Fn(&Path) -> io::Result<bool>,
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard input, if it is a terminal.
    pub terminal: Option<BorrowedFd<'a>>,
    /// Standard output.
    pub out: &'a mut dyn Write,
}

/// How a command ended, for the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// The command line is wrong.
    Usage,
    /// A command was refused, or something wrong was found.
    Refused,
    /// Mails are late; the reason was reported.
    Late,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The machine failed; the operator can mend it.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Standard input or output failed.
    #[error("cannot read or write: {0}")]
    Stream(#[from] io::Error),
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// A command was refused.
    #[error("{0}")]
    Refused(String),
    /// An engine failed. Our own program played in its place.
    #[error("{0}")]
    Engine(String),
}

impl CommandError {
    /// Returns whether a wait for another process was broken off.
    pub(crate) fn is_broken_off(&self) -> bool {
        matches!(self, Self::Fault(fault) if fault.is_broken_off())
    }
}

impl From<RepairError> for CommandError {
    fn from(error: RepairError) -> Self {
        match error {
            RepairError::Fault(fault) => fault.into(),
            refused => Self::Refused(refused.to_string()),
        }
    }
}

/// Returns whether a command opens the home, so that root is warned.
fn opens(job: &Job) -> bool {
    match job {
        Job::Init { .. }
        | Job::Setup(_)
        | Job::Post(PostJob::Receive)
        | Job::Copy(CopyJob::Restore { .. })
        | Job::Console(_)
        | Job::Dice(DiceJob::Verify { .. })
        | Job::Completions { .. }
        | Job::Man
        | Job::Demo
        | Job::Serve(ServeJob { demo: true, .. })
        | Job::Plays { .. }
        | Job::Perft { .. }
        | Job::CompareLevels { .. } => false,
        Job::Player(words) => !command::is_help(&words.join(" ")),
        _ => true,
    }
}

/// Runs a command.
///
/// # Errors
/// The machine failed, or the command line is wrong.
pub fn run(cli: Cli, home: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    if let Some(warning) = remedy::root_warning(home).filter(|_| opens(&cli.job)) {
        (machine.warn)(&warning);
    }
    let began = (machine.stopwatch)();
    let job = recorded_job(&cli.job);
    let ran = dispatch(cli, home, machine);
    if let Some(job) = job {
        let took = (machine.stopwatch)().saturating_sub(began).as_millis();
        let run = JobRun {
            job: job.into(),
            at: (machine.clock)(),
            took_ms: u64::try_from(took).unwrap_or(u64::MAX),
            why: match &ran {
                Ok(Exit::Refused) => Some("it found something wrong".into()),
                Ok(Exit::Late) => Some("mails are late".into()),
                Ok(Exit::Done | Exit::Usage) => None,
                Err(trouble) => Some(remedy::with_remedy(trouble, home)),
            },
        };
        let is_unreachable =
            matches!(&ran, Err(CommandError::Fault(fault)) if fault.is_unreachable());
        if !is_unreachable {
            // Records are only shown. What prevents them has made the job fail, too.
            let _ = home::locate(home).and_then(|home| home.record_run(&run));
        }
    }
    ran
}

/// Returns the name of a job whose last run is recorded.
fn recorded_job(job: &Job) -> Option<&'static str> {
    match job {
        Job::Post(PostJob::Process { .. }) => Some("process"),
        Job::Post(PostJob::Deliver) => Some("deliver"),
        Job::Clock(ClockJob::Remind) => Some("remind"),
        Job::Clock(ClockJob::Cron) => Some("cron"),
        Job::Check { .. } => Some("check"),
        Job::Copy(CopyJob::Backup { .. }) => Some("backup"),
        Job::Copy(CopyJob::CheckBackup { .. }) => Some("check-backup"),
        _ => None,
    }
}

/// Calls the function of a command.
fn dispatch(cli: Cli, home: &Path, machine: &mut Machine) -> Result<Exit, CommandError> {
    match cli.job {
        Job::Init { dir, store, password_file } => {
            let home = dir.as_deref().unwrap_or(home);
            init::run(home, store.as_deref(), password_file.as_deref(), machine)?;
        }
        Job::Setup(job) => return interview::run(home, job, machine),
        Job::Post(job) => return run_mail_job(home, job, machine),
        Job::Mail(job) => return stuck::run(home, job, machine),
        Job::Clock(ClockJob::Cron) => return cron::run(home, machine),
        Job::Clock(ClockJob::Remind) => remind::run(home, machine)?,
        Job::Check { repair, mail, json } => {
            let wanted = check::CheckOptions { repair, mail: mail.as_deref(), json };
            return check::run(home, wanted, machine);
        }
        Job::Watch(job) => return run_report_job(home, job, machine),
        Job::Board(job) => return board::run(home, job, machine),
        Job::User(job) => return user::run(home, job, machine),
        Job::Reports(job) => return moderation::reports(home, job, machine),
        Job::Moderate(job) => return moderation::moderate(home, job, machine),
        Job::Announce(options) => return announce::announce(home, &options, machine),
        Job::Upgrade => return upgrade::run(home, machine),
        Job::Copy(job) => return run_copy_job(home, job, machine),
        Job::Dice(job) => return dice::run(home, job, machine),
        Job::Console(job) => console::run(job, machine)?,
        Job::Completions { shell } => manual::completions(shell, machine.out)?,
        Job::Man => manual::page(machine.out)?,
        Job::Demo => demo::run(machine)?,
        Job::Serve(job) => serve::run(cli.home.as_deref(), home, job, machine)?,
        Job::Run(job) => run::run(home, &job, machine)?,
        Job::Plays { game } => game_tools::plays_of(&game, machine)?,
        Job::Perft { game, depth, options } => {
            game_tools::perft_of(&[vec![game], options].concat(), depth, machine)?;
        }
        Job::CompareLevels { game, games, seed, options } => {
            let length = game_tools::ComparisonLength { games, seed };
            game_tools::compare_levels(&[vec![game], options].concat(), length, machine)?;
        }
        Job::Export(job) if job.player.is_some() || job.tournament.is_some() => {
            return game_files::export(home, &job, machine);
        }
        Job::Export(ExportJob { game, board, format, .. }) => {
            let words: Vec<String> = [Some(game), board, format].into_iter().flatten().collect();
            return player::run(home, &export_request(&words, cli.as_operator), machine);
        }
        Job::Import(job) => return game_files::import(home, &job, machine),
        Job::Player(words) => {
            let request = shell_request(words.join(" "), cli.as_operator, cli.message);
            return player::run(home, &request, machine);
        }
    }
    Ok(Exit::Done)
}

/// Runs a command that takes mails in, executes them, or sends letters.
fn run_mail_job(home: &Path, job: PostJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        PostJob::Receive => receive::run(home, machine)?,
        PostJob::Process { maildir, mbox, spool: _, watch } => {
            process::run_job(
                home,
                MailSource::from_options(maildir.as_ref(), mbox.as_ref()),
                watch,
                machine,
            )?;
        }
        PostJob::Deliver => return deliver::run(home, ReportScope::All, machine),
    }
    Ok(Exit::Done)
}

/// Runs a command about a whole home.
fn run_copy_job(home: &Path, job: CopyJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        CopyJob::Backup { file, plain } => backup::run(home, &file, plain, machine)?,
        CopyJob::CheckBackup { file, bucket, identity } => {
            let from = match (&file, bucket) {
                (Some(file), _) => BackupSource::File(file),
                (None, true) => BackupSource::Bucket,
                (None, false) => BackupSource::Folder,
            };
            return check_backup::run(home, from, identity.as_deref(), machine);
        }
        CopyJob::Restore {
            file,
            bucket: _,
            replace,
            without_outbox,
            store,
            trust_programs,
            identity,
        } => {
            let identity = identity.as_deref();
            let parts = restore::BackupParts { identity, with_outbox: !without_outbox };
            let options =
                restore::RestoreOptions { replace, parts, store: store.as_deref(), trust_programs };
            let from = file.as_deref().map_or(BackupSource::Bucket, BackupSource::File);
            restore::run(home, from, &options, machine)?;
        }
        CopyJob::MoveHome(job) => move_home::run(home, &job, machine)?,
    }
    Ok(Exit::Done)
}

fn run_report_job(home: &Path, job: WatchJob, machine: &mut Machine) -> Result<Exit, CommandError> {
    match job {
        WatchJob::Config { json } => effective_config::run(home, json, machine)?,
        WatchJob::Status { json } => status::run(home, json, machine)?,
        WatchJob::Charts { folder } => charts::run(home, folder.as_deref(), machine)?,
        WatchJob::Metrics { output } => metrics::run(home, output.as_deref(), machine)?,
        WatchJob::Doctor { json, mail } => {
            return doctor::run(home, json, mail.as_deref(), machine);
        }
    }
    Ok(Exit::Done)
}

/// Builds the request of `export`: a board in another program's format, or all data of a user.
fn export_request(words: &[String], as_operator: bool) -> Request {
    let (line, operator) = match words {
        [game, board, format] if games::find(game).is_some() => {
            let format = format!("-export={}", format.trim_start_matches(games::is_dash));
            ([game, "show", board, &format].join(" "), true)
        }
        words => (format!("export {}", words.join(" ")), as_operator),
    };
    shell_request(line, operator, String::new())
}
