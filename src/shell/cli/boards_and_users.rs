//! Commands for boards and users.

use clap::Subcommand;
use std::path::PathBuf;

/// `board` commands.
#[derive(Debug, Subcommand)]
pub enum BoardJob {
    /// List boards, a line each: the board, its players, and whose turn it is or how it ended.
    List {
        /// The game; without it, all.
        game: Option<String>,
        /// Only those in play.
        #[arg(long)]
        in_play: bool,
        /// Only those of this player.
        #[arg(long, value_name = "USERID")]
        player: Option<String>,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print everything about a board; for a damaged one, what is wrong and its text.
    Show {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Print the document that is stored, as `edit --from` and `--was` take it.
        #[arg(long)]
        json: bool,
    },
    /// Edit a board's document with $VISUAL or $EDITOR; a bad edit is refused, and its text kept.
    Edit {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Take the new text from this file, or from standard input for `-`, and start no editor.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Refuse unless the board is still the same as in this file.
        #[arg(long, value_name = "FILE", requires = "from")]
        was: Option<PathBuf>,
    },
    /// Take back how a board was closed, or the last decision and everything after it.
    Undo {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Take back this many decisions; how the board was closed counts as one.
        #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        moves: u32,
        /// Roll new dice in place of the rolls taken back.
        #[arg(long)]
        new_dice: bool,
    },
}

/// `user` commands.
#[derive(Debug, Subcommand)]
pub enum UserJob {
    /// List all users, a line each: the userid, addresses, and how many boards are in play and over.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what is stored about a user, without secrets.
    Show {
        /// The userid.
        userid: String,
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sign up a user. The password is the first line of standard input.
    Add {
        /// The userid.
        userid: String,
        /// Where mails go; the addresses are not confirmed.
        addresses: Vec<String>,
        /// Make a password, and print it once.
        #[arg(long)]
        generate: bool,
    },
    /// Set a user's password: the first line of standard input.
    Password {
        /// The userid.
        userid: String,
        /// Make a password, and print it once.
        #[arg(long)]
        generate: bool,
    },
    /// Give a user another userid, on all boards and everywhere else.
    Rename {
        /// The userid.
        old: String,
        /// The new userid.
        new: String,
    },
    /// Resign a user's games and erase what is stored about them; the userid stays taken.
    Remove {
        /// The userid.
        userid: String,
    },
}
