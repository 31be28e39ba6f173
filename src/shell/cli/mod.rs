//! The command line. Operator's commands are parsed by clap; everything else is a player's command.
//!
//! `routine` has the commands of mail servers and cron, `boards_and_users`, `copies`, `monitoring`
//! and `setup` the others.

mod boards_and_users;
mod copies;
mod monitoring;
mod routine;
mod setup;

pub use boards_and_users::{BoardJob, UserJob};
pub use copies::{CopyJob, MoveHomeJob};
pub use monitoring::{MailJob, WatchJob};
pub use routine::{ClockJob, PostJob};
pub use setup::SetupJob;

use crate::base::words::near;
use crate::command;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::net::SocketAddr;
use std::path::PathBuf;

/// A play-by-mail server for board games.
#[derive(Debug, Parser)]
#[command(
    name = "postboard",
    version,
    disable_help_subcommand = true,
    after_help = "Anything else is a player's command, in the same words as in the Subject of a mail:\n  \
                  postboard signup alice secret alice@example.org\n  \
                  postboard malaka challenge alice bob -large\n  \
                  postboard malaka move 17 alice secret c3-c6,c6-c8\n  \
                  postboard help commands\n\
                  \n\
                  Exit codes: 0 done, 64 wrong usage, 65 a player's command was refused,\n\
                  70 a bug of ours, 75 try again later (the mail is kept)."
)]
pub struct CliOf<J: Subcommand> {
    /// The home: `$POSTBOARD_HOME`, else data/home in a checkout, else the user's data directory.
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
    /// Make a new home, with a commented postboard.toml.
    Init {
        /// The folder; without it, the same as for `--home`.
        dir: Option<PathBuf>,
        /// Keep it in a database instead of the folder: `postgres://postboard@db.example.org/postboard`.
        /// A home that is there is brought up to this version.
        #[arg(long, value_name = "URL")]
        store: Option<String>,
    },
    /// Ask five questions, write postboard.toml, show what the mail server must be told, and try all of it
    /// with a mail that goes out, comes in and is answered.
    Setup(SetupJob),
    /// Commands that take mails in, execute them, or send letters.
    #[command(flatten)]
    Post(PostJob),
    /// Look at mails that were put aside and letters that are not sent; try them again, or throw
    /// them away.
    #[command(subcommand, disable_help_subcommand = true)]
    Mail(MailJob),
    /// Periodic commands.
    #[command(flatten)]
    Clock(ClockJob),
    /// Read everything, replay every board, check the mail configuration, and print what is wrong.
    Check {
        /// Mend what can be worked out from the boards: lists of boards, counts, ratings, indexes.
        #[arg(long)]
        repair: bool,
        /// Send a test mail to this address through the configured transport, and print the result.
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Commands that report on a home.
    #[command(flatten)]
    Watch(WatchJob),
    /// List boards, look at one, mend it, or take moves back.
    #[command(subcommand, disable_help_subcommand = true)]
    Board(BoardJob),
    /// List users, add, show, rename or remove one, or set a password.
    #[command(subcommand, disable_help_subcommand = true)]
    User(UserJob),
    /// Bring the home up to this version, and print the formats of its documents.
    Upgrade,
    /// Commands about a whole home.
    #[command(flatten)]
    Copy(CopyJob),
    /// Commands about dice.
    #[command(flatten)]
    Dice(DiceJob),
    /// Play one of ten games on the board of 81 points in this terminal: `postboard help console`.
    Console(ConsoleJob),
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual page: `postboard man | man -l -`.
    Man,
    /// Play a whole game of Malaka, mail by mail, in a temporary home.
    Demo,
    /// Show the boards in a browser, until the process is told to end.
    Serve(ServeJob),
    /// Read positions, one on each line; write the legal plays as JSON lines.
    Plays {
        /// The game, then its options.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        game: Vec<String>,
    },
    /// Count the different results of all plays, to a depth.
    Perft {
        /// The game.
        game: String,
        /// Turns to look ahead.
        depth: u32,
        /// The game's options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Let the levels of a game play each other, and the lowest play random moves; write how often
    /// each won, and how long a move took.
    Tournament {
        /// The game.
        game: String,
        /// Games for each pair; the two take turns to begin.
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        games: u32,
        /// The same seed gives the same games.
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// The game's options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Write a board in the format of other programs: `export backgammon 17 --mat`. With a userid
    /// and a password it is the player's command.
    Export {
        /// The game, the board's number (`17#8` is the board after eight moves), and the format,
        /// with or without dashes.
        #[arg(required = true, num_args = 1.., allow_hyphen_values = true, value_names = ["GAME", "BOARD", "FORMAT"])]
        words: Vec<String>,
    },
    /// Set up a board from another program's record on standard input.
    Import {
        /// The game.
        game: String,
        /// The two players, O first; without them, the players that the record names.
        players: Vec<String>,
    },
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
            Self::Copy(CopyJob::Backup { file }) => file.as_os_str() == "-",
            Self::Console(_) => true,
            Self::Mail(MailJob::Show { .. }) => !is_terminal,
            _ => false,
        }
    }
}

/// The names of the operator's commands.
const JOBS: [&str; 34] = [
    "init",
    "setup",
    "receive",
    "process",
    "deliver",
    "mail",
    "remind",
    "cron",
    "check",
    "config",
    "status",
    "metrics",
    "report",
    "doctor",
    "board",
    "user",
    "upgrade",
    "backup",
    "restore",
    "move-home",
    "verify",
    "dice-seed",
    "dice-report",
    "dice-key",
    "console",
    "completions",
    "man",
    "demo",
    "serve",
    "plays",
    "perft",
    "tournament",
    "export",
    "import",
];

/// Returns the operator's commands that a mistyped word may mean: those that begin with it, or else
/// the nearest, unless a player's command is as near.
pub fn jobs_near(word: &str) -> Vec<&'static str> {
    let word = word.to_ascii_lowercase();
    if command::find_verb(&word, None).is_some() || command::first_words().any(|it| it == word) {
        return Vec::new();
    }
    let begun = |job: &&str| word.len() >= 3 && job.starts_with(&*word);
    let begun: Vec<&str> = JOBS.into_iter().filter(begun).collect();
    if !begun.is_empty() {
        return begun;
    }
    let nearest = near(&word, JOBS.into_iter().chain(command::first_words()));
    nearest.into_iter().filter(|word| JOBS.contains(word)).collect()
}

/// Options of `serve`.
#[derive(Clone, Copy, Debug, Args)]
pub struct ServeJob {
    /// Where to listen: an address of this machine and a port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Show a home with boards of every game in progress: a temporary one, or a new one in the
    /// folder of `--home`.
    #[arg(long)]
    pub demo: bool,
}

/// Options of `console`.
#[derive(Args, Debug)]
#[command(
    after_help = "The screen needs 80 columns and 24 lines. If NO_COLOR is set, there are no colours."
)]
pub struct ConsoleJob {
    /// The game's name or number; without it, Reversi.
    pub game: Option<String>,
    /// The mode, that is which of the game's rules.
    #[arg(long, value_name = "N")]
    pub mode: Option<u8>,
    /// The speed, from 0 (slow) to 9 (fast); usually 5.
    #[arg(long, value_name = "N")]
    pub speed: Option<u8>,
    /// How well the program plays red, 1 to 4; with 0, the default, two people play.
    #[arg(long, value_name = "N")]
    pub level: Option<u8>,
    /// How well the program plays green, 1 to 4; with 0, the default, a person plays green.
    #[arg(long, value_name = "N")]
    pub green: Option<u8>,
    /// The time for a move: 0 to 9 mean 5, 10, 15, 20, 25, 30, 45, 60, 90 and 120 seconds; usually
    /// 5.
    #[arg(long, value_name = "N")]
    pub time: Option<u8>,
    /// How many points Life begins with, 6 to 40; in mode 1, of each colour.
    #[arg(long, value_name = "N")]
    pub points: Option<u8>,
    /// The seed of the first game's random numbers; the next game has the next seed.
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Make the clock run this many times as fast, up to 100.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub pace: u32,
    /// Record the game in this file, which must not exist yet; more games in FILE.2, FILE.3 ...
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Show the game that was recorded in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "mode", "speed", "level", "green", "time", "points", "seed", "record"])]
    pub replay: Option<PathBuf>,
}

/// Commands about dice.
#[derive(Debug, Subcommand)]
pub enum DiceJob {
    /// Check the dice in a mail, or in what `malaka proof 17` gave: no home is needed.
    Verify {
        /// The files: the first mail about the board and the last one, say; `-` for standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Keep the values of a player's dice in a file, for level 2: `postboard help dice`. No home is needed.
    #[command(name = "dice-seed")]
    Seed {
        /// The file; it is made where there is none. A file is for one board.
        file: PathBuf,
        /// Take the next value: write it with `roll`, as this shows it.
        #[arg(long)]
        next: bool,
    },
    /// Print statistics of the dice on all boards, and how likely they are if nobody chose the rolls.
    DiceReport {
        /// The game; without it, all.
        game: Option<String>,
        /// Only the rolls of this player.
        #[arg(long, value_name = "USERID")]
        player: Option<String>,
        /// Write a page with pictures into this file, too.
        #[arg(long, value_name = "FILE")]
        html: Option<PathBuf>,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the public keys that dice follow from.
    DiceKey {
        /// Make a new key for new boards; those that have begun keep theirs.
        #[arg(long)]
        rotate: bool,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_of_the_operator_is_known_to_who_mistypes_it() {
        let command = Cli::command();
        let jobs: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(jobs, JOBS);
        for job in JOBS {
            // `confi` is a player's `confirm`.
            let short = &job[..job.len() - 1];
            let taken = [job, short].iter().any(|it| command::find_verb(it, None).is_some());
            assert_eq!(jobs_near(short).contains(&job), !taken, "{job}");
        }
        for (word, job) in
            [("proces", "process"), ("delivr", "deliver"), ("chek", "check"), ("corn", "cron")]
        {
            assert_eq!(jobs_near(word), [job], "{word}");
        }
        // The beginning of a word is enough, however much is missing.
        for (word, job) in [("compl", "completions"), ("Tourn", "tournament"), ("rem", "remind")] {
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
