//! The words of the shell: the operator's commands. Every other word list is a player's command.

use crate::base::words::near;
use crate::command;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// A play-by-mail server for board games.
#[derive(Debug, Parser)]
#[command(
    name = "postboard",
    version,
    disable_help_subcommand = true,
    after_help = "Everything else is a player's command, in the words a mail has in its Subject:\n  \
                  postboard signup alice secret alice@example.org\n  \
                  postboard malaka challenge alice bob -large\n  \
                  postboard malaka move 17 alice secret c3-c6,c6-c8\n  \
                  postboard help commands\n\
                  \n\
                  Exit codes: 0 done, 64 wrong usage, 65 a player's command was refused,\n\
                  70 a bug of ours, 75 try again later (the mail is kept)."
)]
pub struct Cli {
    /// The home: `$POSTBOARD_HOME`, else data/home in a checkout, else the user's data directory.
    #[arg(long, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Leave the password word out of a player's command.
    #[arg(long)]
    pub as_operator: bool,
    /// What is said beside a player's command, for the opponent.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub message: String,
    /// What to do.
    #[command(subcommand)]
    pub job: Job,
}

/// What the operator wants.
#[derive(Debug, Subcommand)]
pub enum Job {
    /// Make a new home, with a commented postboard.toml.
    Init {
        /// Where; else as for `--home`.
        dir: Option<PathBuf>,
    },
    /// Put one raw mail from standard input into the spool; exit 0, or 75 with one line that says
    /// why.
    Receive,
    /// Execute the mails that wait; answers go to the outbox.
    Process {
        /// Take the new mails of this Maildir instead of the spool.
        #[arg(long, value_name = "DIR", conflicts_with_all = ["mbox", "spool"])]
        maildir: Option<PathBuf>,
        /// Read this mbox file instead of the spool; it is not changed.
        #[arg(long, value_name = "FILE", conflicts_with = "spool")]
        mbox: Option<PathBuf>,
        /// Take the spool: what happens when nothing is said.
        #[arg(long)]
        spool: bool,
        /// Stay, and look again every second.
        #[arg(long)]
        watch: bool,
    },
    /// Send the outbox.
    Deliver,
    /// Remind those who let a board wait, end games by time, and forget what is old.
    Remind,
    /// process + remind + deliver once; safe to start every minute. What stops mails is said once
    /// a day.
    Cron,
    /// Read everything, replay every board, look at the ways in and out, tell what is wrong.
    Check {
        /// Mend what follows from the boards: lists of boards, counts, ratings and indexes.
        #[arg(long)]
        repair: bool,
        /// Send a mail to this address as answers are sent, and say what came of it.
        #[arg(long, value_name = "ADDRESS")]
        mail: Option<String>,
    },
    /// Look at a board, mend it, or take back what was done on it.
    #[command(subcommand, disable_help_subcommand = true)]
    Board(BoardJob),
    /// Add a user, look at one, rename or remove one, or set a password.
    #[command(subcommand, disable_help_subcommand = true)]
    User(UserJob),
    /// Write all of the home into one file, to be kept elsewhere. It holds the secret key.
    Backup {
        /// The file, a compressed tar archive; `-` for standard output.
        file: PathBuf,
    },
    /// Make a home of a backup, where there is none.
    Restore {
        /// The file; `-` for standard input.
        file: PathBuf,
        /// Where there is a home, move it aside and say under which name.
        #[arg(long)]
        replace: bool,
        /// Leave out the mails that were to be sent when the backup was made.
        #[arg(long)]
        without_outbox: bool,
    },
    /// Play one of ten games on the board of 81 points in this terminal: `postboard help console`.
    Console(ConsoleJob),
    /// Write what lets a shell complete the words of this program.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual page: `postboard man | man -l -`.
    Man,
    /// Play a whole game of Malaka through the real pipeline in a temporary home.
    Demo,
    /// Read positions, one a line; write the legal plays as JSON lines.
    Plays {
        /// The game, then its options.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        game: Vec<String>,
    },
    /// Count the distinct results of all plays, to a depth.
    Perft {
        /// The game.
        game: String,
        /// Turns to look ahead.
        depth: u32,
        /// The game's options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Let the levels of a game play against each other, and the lowest against chance; write who
    /// won how often, and how long a move took.
    Tournament {
        /// The game.
        game: String,
        /// Games of each pair; each side begins every other one.
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        games: u32,
        /// The same seed gives the same games.
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,
        /// The game's options.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Write a board as other programs read it: `export backgammon 17 --mat`. With a userid and a
    /// password it is the player's command.
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
        /// The two players, O first; else those that the record names.
        players: Vec<String>,
    },
    /// A player's command.
    #[command(external_subcommand)]
    Player(Vec<String>),
}

/// The operator's commands.
const JOBS: [&str; 20] = [
    "init",
    "receive",
    "process",
    "deliver",
    "remind",
    "cron",
    "check",
    "board",
    "user",
    "backup",
    "restore",
    "console",
    "completions",
    "man",
    "demo",
    "plays",
    "perft",
    "tournament",
    "export",
    "import",
];

/// The operator's commands that a word may have meant which begins no player's command: those that
/// it begins, or those that are nearest to it and nearer than any word of players.
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

/// How somebody sits down to the console.
#[derive(Args, Debug)]
#[command(
    after_help = "The screen has to have 80 columns and 24 lines. Colours are left out where NO_COLOR is set."
)]
pub struct ConsoleJob {
    /// The game's name or number; else Reversi.
    pub game: Option<String>,
    /// Which of the game's rules.
    #[arg(long, value_name = "N")]
    pub mode: Option<u8>,
    /// How fast it goes: 0 slow to 9 fast, else 5.
    #[arg(long, value_name = "N")]
    pub speed: Option<u8>,
    /// How well the board plays red, 1 to 4; 0, where nothing is said: two people play.
    #[arg(long, value_name = "N")]
    pub level: Option<u8>,
    /// How well the board plays green, 1 to 4; 0, where nothing is said: a person does.
    #[arg(long, value_name = "N")]
    pub green: Option<u8>,
    /// The time for a move: 0 to 9 are 5, 10, 15, 20, 25, 30, 45, 60, 90 and 120 seconds; else 5.
    #[arg(long, value_name = "N")]
    pub time: Option<u8>,
    /// How many points Life begins with, each colour in mode 1: 6 to 40.
    #[arg(long, value_name = "N")]
    pub points: Option<u8>,
    /// Where all chance of the first game comes from; the next game has the next number.
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Let the clock run so many times as fast, up to 100.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub pace: u32,
    /// Write the game into this file, which there is not yet; more games into FILE.2, FILE.3 ...
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Show the game that is in this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "mode", "speed", "level", "green", "time", "points", "seed", "record"])]
    pub replay: Option<PathBuf>,
}

/// What is to be done with a board.
#[derive(Debug, Subcommand)]
pub enum BoardJob {
    /// Print all there is to know of a board; of a damaged one what is wrong, and its text.
    Show {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
    },
    /// Edit a board's document with $VISUAL or $EDITOR; what is no good board is refused and kept.
    Edit {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Take the new text from this file, or from standard input for `-`, and start no editor.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Refuse unless the board still is what this file has.
        #[arg(long, value_name = "FILE", requires = "from")]
        was: Option<PathBuf>,
    },
    /// Take back how a board was closed, or else the last decision and all that followed it.
    Undo {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Take back so many decisions; how the board was closed is one.
        #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        moves: u32,
        /// Forget the rolls taken back: others are thrown.
        #[arg(long)]
        new_dice: bool,
    },
}

/// What is to be done with a user.
#[derive(Debug, Subcommand)]
pub enum UserJob {
    /// Print what is stored about a user, without secrets.
    Show {
        /// Who.
        userid: String,
    },
    /// Sign somebody up. The password is the first line of standard input.
    Add {
        /// Who.
        userid: String,
        /// Where mails go; nobody is asked.
        addresses: Vec<String>,
        /// Make a password, and print it once.
        #[arg(long)]
        generate: bool,
    },
    /// Give a user another password: the first line of standard input.
    Password {
        /// Who.
        userid: String,
        /// Make a password, and print it once.
        #[arg(long)]
        generate: bool,
    },
    /// Give a user another userid, on all boards and everywhere else.
    Rename {
        /// Who.
        old: String,
        /// What he is called from now on.
        new: String,
    },
    /// Resign a user's games and erase what is stored about him; the userid stays taken.
    Remove {
        /// Who.
        userid: String,
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
            let taken = command::find_verb(job, None).is_some();
            assert_eq!(jobs_near(&job[..job.len() - 1]).contains(&job), !taken, "{job}");
        }
        for (word, job) in
            [("proces", "process"), ("delivr", "deliver"), ("chek", "check"), ("corn", "cron")]
        {
            assert_eq!(jobs_near(word), [job], "{word}");
        }
        // What begins one is enough, however much of it is missing.
        for (word, job) in [("compl", "completions"), ("Tourn", "tournament"), ("rem", "remind")] {
            assert_eq!(jobs_near(word), [job], "{word}");
        }
        assert_eq!(jobs_near("re"), [""; 0]);
        for word in ["signup", "sinup", "malaka", "malka", "help", "hlep", "send", "multi", "xyzzy"]
        {
            assert_eq!(jobs_near(word), [""; 0], "{word}");
        }
        // They are near to `deliver` and `restore`, and nearer to what players say.
        for word in ["delite", "registere"] {
            assert_eq!(jobs_near(word), [""; 0], "{word}");
        }
    }
}
