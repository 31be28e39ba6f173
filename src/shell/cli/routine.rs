//! The commands that mail servers and cron run all day. They are parsed without the tree of all
//! other commands, which takes longer to build than putting a mail into the spool.

use super::{Cli, CliOf, Job};
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Commands that take mails in, execute them, or send letters.
#[derive(Debug, Subcommand)]
pub enum PostJob {
    /// Put one raw mail from standard input into the spool; exit with 0, or with 75 and one line that
    /// gives the reason.
    Receive,
    /// Execute the waiting mails, and put the answers into the outbox.
    Process {
        /// Execute the new mails of this Maildir instead of the spool.
        #[arg(long, value_name = "DIR", conflicts_with_all = ["mbox", "spool"])]
        maildir: Option<PathBuf>,
        /// Execute the mails of this mbox file instead of the spool; the file is not changed.
        #[arg(long, value_name = "FILE", conflicts_with = "spool")]
        mbox: Option<PathBuf>,
        /// Execute the mails of the spool; this is the default.
        #[arg(long)]
        spool: bool,
        /// Keep running, and execute each mail when it arrives.
        #[arg(long)]
        watch: bool,
    },
    /// Send the letters of the outbox.
    Deliver,
}

/// Periodic commands.
#[derive(Debug, Subcommand)]
pub enum ClockJob {
    /// Send reminders, end games that were lost on time, and delete expired data.
    Remind,
    /// Run process, remind and deliver once. It is safe to start this every minute. It reports once a day
    /// what stops mails.
    Cron,
}

/// All routine commands.
#[derive(Debug, Subcommand)]
enum RoutineJob {
    #[command(flatten)]
    Post(PostJob),
    #[command(flatten)]
    Clock(ClockJob),
}

impl From<RoutineJob> for Job {
    fn from(routine: RoutineJob) -> Self {
        match routine {
            RoutineJob::Post(job) => Self::Post(job),
            RoutineJob::Clock(job) => Self::Clock(job),
        }
    }
}

impl Cli {
    /// Parses the command line, the program's name first.
    ///
    /// # Errors
    /// The command line is wrong, or asks for help.
    pub fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let may_be_routine =
            words.iter().skip(1).any(|word| word.to_str().is_some_and(RoutineJob::has_subcommand));
        // All other commands, and all error messages, come from the whole tree.
        let routine =
            may_be_routine.then(|| CliOf::<RoutineJob>::try_parse_from(words).ok()).flatten();
        match routine {
            Some(CliOf { home, as_operator, message, job }) => {
                Ok(Self { home, as_operator, message, job: job.into() })
            }
            None => Self::try_parse_from(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routine_commands_are_read_as_the_whole_tree_reads_them() {
        for line in [
            "receive",
            "--home x receive",
            "receive --home x",
            "process --watch",
            "process --maildir a --mbox b",
            "process --mbox b --spool",
            "--message receive signup ann",
            "--message deliver deliver",
            "deliver --help",
            "deliver now",
            "cron --home",
            "remind",
            "malaka challenge cron remind",
            "user add receive",
            "help receive",
            "-- receive",
            "--version receive",
            "reveive",
            "",
        ] {
            let words: Vec<OsString> = ["postboard"]
                .into_iter()
                .chain(line.split_whitespace())
                .map(OsString::from)
                .collect();
            let told = |read: Result<Cli, clap::Error>| match read {
                Ok(cli) => format!("{cli:?}"),
                Err(error) => error.to_string(),
            };
            assert_eq!(told(Cli::read(&words)), told(Cli::try_parse_from(&words)), "{line}");
        }
        let is_routine = |line: &str| {
            CliOf::<RoutineJob>::try_parse_from(["postboard"].into_iter().chain(line.split(' ')))
                .is_ok()
        };
        assert!(["receive", "process", "deliver", "remind", "cron"].into_iter().all(is_routine));
    }
}
