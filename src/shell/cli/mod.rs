//! The command line. Operator's commands are parsed by clap; everything else is a player's command.
//!
//! `routine` has the commands of mail servers and cron, `boards_and_users`, `copies`, `moderation`, `monitoring`
//! and `setup` the others.

mod announce;
mod boards_and_users;
mod copies;
mod moderation;
mod monitoring;
mod routine;
mod setup;

pub use announce::AnnounceOptions;
pub use boards_and_users::{BoardJob, UserJob};
pub use copies::{CopyJob, MoveHomeJob};
pub use moderation::{ActOptions, ModerateJob, ReportsJob, SanctionOptions};
pub use monitoring::{MailJob, WatchJob};
pub use routine::{ClockJob, PostJob};
pub use setup::{SetupJob, SetupStep};

use crate::base::words::near;
use crate::command;
use crate::intake::{LmtpAddress, SmtpAddress};
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A play-by-mail server for board games.
#[derive(Debug, Parser)]
#[command(
    name = "postboard",
    version,
    disable_help_subcommand = true,
    after_help = "Anything else is a player's command, written as in the Subject of a mail:\n  \
                  postboard signup alice secret alice@example.org\n  \
                  postboard malaka challenge alice bob -large\n  \
                  postboard malaka move 17 alice secret c3-c6,c6-c8\n  \
                  postboard help commands\n\
                  \n\
                  Exit codes: 0 done, 64 wrong usage, 65 a player's command was refused,\n\
                  70 a bug of ours, 75 try again later (the mail is kept)."
)]
pub struct CliOf<J: Subcommand> {
    /// The home. The default is `$POSTBOARD_HOME`, else data/home in a checkout, else the package's
    /// home (/var/lib/postboard/home) where it exists, else the user's data directory.
    #[arg(long, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Run a player's command without the password.
    #[arg(long)]
    pub as_operator: bool,
    /// A message to the opponent, sent with a player's command.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub message: String,
    /// What to do.
    #[command(subcommand)]
    pub job: J,
}

/// The command line with all commands.
pub type Cli = CliOf<Job>;

/// The operator's commands.
#[derive(Debug, Subcommand)]
pub enum Job {
    /// Create a home, with a commented postboard.toml.
    Init {
        /// The folder; the default is that of `--home`.
        dir: Option<PathBuf>,
        /// Keep the home in a database instead of the folder: `postgres://postboard@db.example.org/postboard`.
        /// If the database contains a home, upgrade it to this version.
        #[arg(long, value_name = "URL")]
        store: Option<String>,
        /// The file whose first line is the password of the database.
        #[arg(long, value_name = "FILE", requires = "store")]
        password_file: Option<PathBuf>,
    },
    /// Ask at most five questions, write postboard.toml, show (as root with `--apply`: write) the lines for
    /// Postfix and systemd, and test everything with a mail that is sent, received and answered.
    Setup(SetupJob),
    /// Commands that take mails in, execute them, or send letters.
    #[command(flatten)]
    Post(PostJob),
    /// List, show, retry or drop mails that were put aside, and letters that have not been sent.
    #[command(subcommand, disable_help_subcommand = true)]
    Mail(MailJob),
    /// Periodic commands.
    #[command(flatten)]
    Clock(ClockJob),
    /// Read all documents, replay all boards, check the mail configuration, and print all errors.
    Check {
        /// Repair what follows from the boards: lists of boards, counts, ratings, indexes.
        #[arg(long)]
        repair: bool,
        /// Send a test mail to this address through the configured transport, and print the result.
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Commands that report on a home.
    #[command(flatten)]
    Watch(WatchJob),
    /// List, show or edit boards, or take back moves.
    #[command(subcommand, disable_help_subcommand = true)]
    Board(BoardJob),
    /// List, show, add, rename or remove users, or set a password.
    #[command(subcommand, disable_help_subcommand = true)]
    User(UserJob),
    /// List, show or settle the reports of players.
    #[command(subcommand, disable_help_subcommand = true)]
    Reports(ReportsJob),
    /// Mute, suspend or ban players, ban addresses, domains or networks, and print the log of all this.
    #[command(subcommand, disable_help_subcommand = true)]
    Moderate(ModerateJob),
    /// Announce something to all players: on the home page until a day, and once in a mail to each; or
    /// list and withdraw announcements.
    Announce(AnnounceOptions),
    /// Upgrade the home to this version, and print the formats of its documents.
    Upgrade,
    /// Commands about a whole home.
    #[command(flatten)]
    Copy(CopyJob),
    /// Commands about dice.
    #[command(flatten)]
    Dice(DiceJob),
    /// Play one of ten games on a board of 81 points in this terminal; see `postboard help console`.
    Console(ConsoleJob),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page; to read it: `postboard man | man -l -`.
    Man,
    /// Play a whole game of Malaka, mail by mail, in a temporary home.
    Demo,
    /// Serve the boards as web pages, until the process is stopped.
    Serve(ServeJob),
    /// Do all work in one process until it is stopped: take mails in by LMTP or SMTP, execute them at once, send
    /// the answers and reminders, and serve the boards as web pages.
    Run(RunJob),
    /// Read positions, one on each line, and print their legal plays as JSON, one object on each line.
    Plays {
        /// The game, then its options.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        game: Vec<String>,
    },
    /// Count all sequences of plays to a depth; plays of a roll with the same result count once.
    Perft {
        /// The game.
        game: String,
        /// The depth, in turns.
        depth: u32,
        /// The game's options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Let the levels of a game play each other, and the lowest level play random moves; print how often
    /// each won, and how long its moves took.
    CompareLevels {
        /// The game.
        game: String,
        /// Games for each pair of players, who take turns to begin.
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        games: u32,
        /// The seed of the random numbers; the same seed gives the same games.
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// The game's options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Print a board in a format of other programs: `export backgammon 17 --mat`; or all games of a player or
    /// of a tournament as one file: `export chess --player alice --pgn`. (With a userid and a password,
    /// `export` is the player's command.)
    Export(ExportJob),
    /// Set up boards from a file with games of other programs, read from standard input, and report each game.
    Import(ImportJob),
    /// A player's command.
    #[command(external_subcommand)]
    Player(Vec<String>),
}

impl Job {
    /// Returns whether the command is `receive`.
    pub fn is_receive(&self) -> bool {
        matches!(self, Self::Post(PostJob::Receive))
    }

    /// Returns whether the command writes bytes that must not be escaped: a backup, the console's
    /// control codes, or a mail that goes into a file.
    pub fn writes_bytes(&self, is_terminal: bool) -> bool {
        match self {
            Self::Copy(CopyJob::Backup { file, .. }) => file.as_os_str() == "-",
            Self::Console(_) => true,
            Self::Mail(MailJob::Show { .. }) => !is_terminal,
            _ => false,
        }
    }
}

/// Returns the operator's commands that a mistyped word may mean: those that begin with it, or else
/// the nearest, unless a player's command is as near.
pub fn jobs_near(word: &str) -> Vec<String> {
    let word = word.to_ascii_lowercase();
    if command::find_verb(&word, None).is_some() || command::first_words().any(|it| it == word) {
        return Vec::new();
    }
    let cli = Cli::command();
    let jobs: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let begun = |job: &&str| word.len() >= 3 && job.starts_with(&*word);
    let mut meant: Vec<&str> = jobs.iter().copied().filter(begun).collect();
    if meant.is_empty() {
        let known = command::first_words().map(|word| -> &str { word });
        meant = near(&word, jobs.iter().copied().chain(known));
        meant.retain(|word| jobs.contains(word));
    }
    meant.into_iter().map(str::to_owned).collect()
}

/// Options of `serve`.
#[derive(Clone, Copy, Debug, Args)]
pub struct ServeJob {
    /// An address of this machine to listen on, and a port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Show a new home with boards of every game in progress: in the folder of `--home`, or else a
    /// temporary one.
    #[arg(long)]
    pub demo: bool,
}

/// Options of `run`.
#[derive(Clone, Debug, Args)]
pub struct RunJob {
    /// Take mails by LMTP: at a Unix socket (`unix:/run/postboard/lmtp`) or a port of this machine
    /// (`127.0.0.1:2424`).
    #[arg(long, value_name = "ADDRESS")]
    pub lmtp: Option<LmtpAddress>,
    /// Take mails by SMTP, without TLS and passwords: at an address of a private network where only your
    /// mail server can connect (`10.0.0.5:2525`).
    #[arg(long, value_name = "ADDRESS")]
    pub smtp: Option<SmtpAddress>,
    /// Serve the boards at an address of this machine and a port, such as `127.0.0.1:8080`.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
}

/// Options of `console`.
#[derive(Args, Debug)]
#[command(
    after_help = "The screen needs 80 columns and 24 lines. If NO_COLOR is set, there are no colours."
)]
pub struct ConsoleJob {
    /// The game's name or number; the default is Reversi.
    pub game: Option<String>,
    /// The mode, which selects the rules of the game.
    #[arg(long, value_name = "N")]
    pub mode: Option<u8>,
    /// The speed, from 0 (slow) to 9 (fast); the default is 5.
    #[arg(long, value_name = "N")]
    pub speed: Option<u8>,
    /// The level at which the program plays red, 1 to 4; at 0, the default, two people play.
    #[arg(long, value_name = "N")]
    pub level: Option<u8>,
    /// The level at which the program plays green, 1 to 4; at 0, the default, a person plays green.
    #[arg(long, value_name = "N")]
    pub green: Option<u8>,
    /// The time for a move: 0 to 9 mean 5, 10, 15, 20, 25, 30, 45, 60, 90 and 120 seconds; the default
    /// is 5.
    #[arg(long, value_name = "N")]
    pub time: Option<u8>,
    /// The number of points at the start of Life, 6 to 40; in mode 1, of each colour.
    #[arg(long, value_name = "N")]
    pub points: Option<u8>,
    /// The seed of the first game's random numbers; each further game uses the next number.
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Run the clock this many times as fast, up to 100.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub pace: u32,
    /// Record the game in this file, which must not exist yet; further games go into FILE.2, FILE.3 ...
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Replay the game recorded in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "mode", "speed", "level", "green", "time", "points", "seed", "record"])]
    pub replay: Option<PathBuf>,
}

/// Commands about dice.
#[derive(Debug, Subcommand)]
pub enum DiceJob {
    /// Check the dice in mails, or in the answer to `malaka proof 17`. Needs no home.
    Verify {
        /// The files, such as the first and the last mail about a board; `-` for standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Keep a player's chain of dice values in a file, for level 2 (`postboard help dice`). Needs no
    /// home.
    #[command(name = "dice-seed")]
    Seed {
        /// The file; it is created if it does not exist. Use one file for each board.
        file: PathBuf,
        /// Take the next value, and print it as it must be written with `roll`.
        #[arg(long)]
        next: bool,
    },
    /// Print statistics of the dice on all boards, and how likely they are if the dice are fair.
    DiceReport {
        /// The game; without it, boards of all games.
        game: Option<String>,
        /// Only the rolls of this player.
        #[arg(long, value_name = "USERID")]
        player: Option<String>,
        /// Also write a web page with charts into this file.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the public keys that dice follow from.
    DiceKey {
        /// Make a new key for new boards; boards that have begun keep their key.
        #[arg(long)]
        rotate: bool,
    },
}

/// What to print in a format of other programs.
#[derive(Clone, Debug, Args)]
pub struct ExportJob {
    /// The game.
    #[arg(allow_hyphen_values = true)]
    pub game: String,
    /// The board's number, if it is one board (`17#8` is the board after eight moves).
    #[arg(allow_hyphen_values = true)]
    pub board: Option<String>,
    /// The format, with or without dashes; the default for many games is one that `import` reads.
    #[arg(allow_hyphen_values = true)]
    pub format: Option<String>,
    /// All games of this player.
    #[arg(long, value_name = "USERID", conflicts_with = "tournament")]
    pub player: Option<String>,
    /// All games of the tournament with this number.
    #[arg(long, value_name = "NUMBER")]
    pub tournament: Option<u32>,
}

/// How to set up boards from a file.
#[derive(Clone, Debug, Args)]
pub struct ImportJob {
    /// The game.
    pub game: String,
    /// The two players of every game, the first mover first; the default is the players that the file names.
    pub players: Vec<String>,
    /// The userid of a player whom the file names otherwise; may be repeated.
    #[arg(long = "as", value_name = "NAME=USERID")]
    pub aliases: Vec<String>,
    /// Print what would be set up and what would be refused, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_operator_is_known_to_who_mistypes_it() {
        let command = Cli::command();
        for job in command.get_subcommands().map(clap::Command::get_name) {
            // `confi` is a player's `confirm`.
            let short = &job[..job.len() - 1];
            let taken = [job, short].iter().any(|it| command::find_verb(it, None).is_some());
            let is_meant = jobs_near(short).iter().any(|it| it == job);
            assert_eq!(is_meant, !taken, "{job}");
        }
        for (word, job) in
            [("proces", "process"), ("delivr", "deliver"), ("chek", "check"), ("corn", "cron")]
        {
            assert_eq!(jobs_near(word), [job], "{word}");
        }
        // The beginning of a word is enough, however much is missing.
        for (word, job) in
            [("compl", "completions"), ("Compa", "compare-levels"), ("rem", "remind")]
        {
            assert_eq!(jobs_near(word), [job], "{word}");
        }
        assert_eq!(jobs_near("re"), [""; 0]);
        for word in ["signup", "sinup", "malaka", "malka", "help", "hlep", "send", "multi", "xyzzy"]
        {
            assert_eq!(jobs_near(word), [""; 0], "{word}");
        }
        // These are near to `deliver` and `restore`, but nearer to players' words.
        for word in ["delite", "registere"] {
            assert_eq!(jobs_near(word), [""; 0], "{word}");
        }
    }
}
