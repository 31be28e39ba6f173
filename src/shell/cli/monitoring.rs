//! Commands that report on a home, and `mail`, which handles what is stuck.

use clap::Subcommand;
use std::path::PathBuf;

/// Commands that report on a home.
#[derive(Debug, Subcommand)]
pub enum WatchJob {
    /// Print the configuration that is in force, and where each value comes from: the file, a variable
    /// of the environment, a credential of systemd, or the default.
    Config {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what waits, what is stuck, and when each job ran last.
    Status {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write metrics for Prometheus.
    Metrics {
        /// Into this file, in one go: for the textfile collector of the node exporter.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write one page with pictures of what was played: games, mails and moves a day, time per move,
    /// ratings, the program's levels, dice.
    Report {
        /// The folder that gets it as `index.html`; without it, `report` in the home. `-` for standard
        /// output.
        dir: Option<PathBuf>,
    },
    /// Find what stops mails and games, or soon will, and print the remedies.
    Doctor {
        /// As JSON.
        #[arg(long)]
        json: bool,
        /// Send a test mail to this address through the configured transport.
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
    },
}

/// `mail` commands for parked mails and unsent letters. A name may be abbreviated if it stays
/// unique.
#[derive(Debug, Subcommand)]
pub enum MailJob {
    /// List them: the mails that were put aside, with the reason, then the letters: name, when it was
    /// written, to whom, about which board.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a mail as it came, or a letter as it leaves.
    Show {
        /// Its name.
        name: String,
    },
    /// Have the next run execute a mail again, or send a letter now.
    Retry {
        /// Their names.
        #[arg(required = true)]
        names: Vec<String>,
        /// Print what would be done, and do nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Drop them.
    Drop {
        /// Their names.
        #[arg(required = true)]
        names: Vec<String>,
        /// Print what would be done, and do nothing.
        #[arg(long)]
        dry_run: bool,
    },
}
