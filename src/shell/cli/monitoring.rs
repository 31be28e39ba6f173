//! Commands that report on a home, and `mail`, which handles what is stuck.

use clap::Subcommand;
use std::path::PathBuf;

/// Commands that report on a home.
#[derive(Debug, Subcommand)]
pub enum WatchJob {
    /// Print the configuration in force, and the source of each value: the file, an environment variable,
    /// a credential of systemd, or the default.
    Config {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print which mails and letters wait or are stuck, and when each job last ran.
    Status {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print metrics for Prometheus.
    Metrics {
        /// Write the metrics into this file atomically, for the textfile collector of the node exporter.
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Write a web page with charts: games, mails and moves a day, time per move, ratings, the program's
    /// levels, dice.
    Charts {
        /// The folder for the page, `index.html`; the default is `charts` in the home. `-` for standard
        /// output.
        folder: Option<PathBuf>,
    },
    /// Find problems that stop mails and games, or soon will, and print how to solve them.
    Doctor {
        /// Print JSON.
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
    /// List the mails that were put aside, with the reasons, and the letters: name, time, recipient,
    /// board.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a mail as it was received, or a letter as it will be sent.
    Show {
        /// The name of the mail or letter.
        name: String,
    },
    /// Let the next run execute these mails again, or send these letters now.
    Retry {
        /// The names of mails and letters.
        #[arg(required = true)]
        names: Vec<String>,
        /// Print what would be done, without doing it.
        #[arg(long)]
        dry_run: bool,
    },
    /// Delete these mails and letters.
    Drop {
        /// The names of mails and letters.
        #[arg(required = true)]
        names: Vec<String>,
        /// Print what would be done, without doing it.
        #[arg(long)]
        dry_run: bool,
    },
}
