//! Commands for reports of players, and for sanctions and bans.

use clap::{Args, Subcommand};

/// `reports` commands.
#[derive(Debug, Subcommand)]
pub enum ReportsJob {
    /// List the open reports, one on each line: number, time, who reports whom.
    List {
        /// List the latest settled reports instead.
        #[arg(long)]
        settled: bool,
    },
    /// Print a report, with the messages that it quotes.
    Show {
        /// The number.
        number: u32,
    },
    /// Settle a report. Its author is told.
    Settle {
        /// The number.
        number: u32,
        /// What was done about it, for the log.
        #[arg(required = true)]
        note: Vec<String>,
    },
}

/// `moderate` commands.
#[derive(Debug, Subcommand)]
pub enum ModerateJob {
    /// Pass on no words of a player to others.
    Mute(SanctionOptions),
    /// Let a player begin no games, enter no tournaments and write to nobody, until a day.
    Suspend(SanctionOptions),
    /// Ban a player, who gives up all boards and cannot come back; or an address, a domain
    /// (`@example.org`) or a network (`192.0.2.0/24`), from which nobody can sign up.
    Ban(SanctionOptions),
    /// Lift what is in force against a player, an address, a domain or a network.
    Lift(ActOptions),
    /// Make a player an administrator, who can do all this on the web.
    Appoint(ActOptions),
    /// Make an administrator a player like others.
    Dismiss(ActOptions),
    /// List the administrators, and everything that is in force.
    List,
    /// Print the log of all acts, the latest last, and the digest of its end.
    Log {
        /// How many entries to print.
        #[arg(long, value_name = "N", default_value_t = 100)]
        last: u32,
    },
}

/// Whom an act is about, and why.
#[derive(Args, Debug)]
pub struct ActOptions {
    /// The userid, the address, the domain or the network.
    pub subject: String,
    /// The reason. The player is told, and the log keeps it.
    #[arg(required = true)]
    pub why: Vec<String>,
}

/// An act that may end by itself.
#[derive(Args, Debug)]
pub struct SanctionOptions {
    /// The last day, such as 2026-12-20.
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Whom it is about, and why.
    #[command(flatten)]
    pub about: ActOptions,
}
