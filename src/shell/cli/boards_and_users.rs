//! Commands for boards and users.

use clap::Subcommand;
use std::path::PathBuf;

/// `board` commands.
#[derive(Debug, Subcommand)]
pub enum BoardJob {
    /// List boards, one on each line: number, players, and whose turn it is or how the game ended.
    List {
        /// The game; without it, boards of all games.
        game: Option<String>,
        /// Only boards in play.
        #[arg(long)]
        in_play: bool,
        /// Only boards of this player.
        #[arg(long, value_name = "USERID")]
        player: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print everything about a board; if it is damaged, what is wrong, and its text.
    Show {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Print the stored document, in the form that `edit` takes with `--from` and `--was`.
        #[arg(long)]
        json: bool,
    },
    /// Edit a board's document with $VISUAL or $EDITOR. An invalid edit is refused, and its text is
    /// kept.
    Edit {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Read the new text from this file (`-`: standard input) instead of starting an editor.
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        /// Refuse the edit unless the stored board is still the same as in this file.
        #[arg(long, value_name = "FILE", requires = "from")]
        was: Option<PathBuf>,
    },
    /// Reopen a closed board, or take back the last decision and everything after it.
    Undo {
        /// The game.
        game: String,
        /// The board's number.
        number: u32,
        /// Take back this many decisions; reopening the board counts as one.
        #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        moves: u32,
        /// Roll new dice instead of the rolls that were taken back.
        #[arg(long)]
        new_dice: bool,
    },
}

/// `user` commands.
#[derive(Debug, Subcommand)]
pub enum UserJob {
    /// List all users, one on each line: userid, addresses, number of boards in play and over.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print what is stored about a user, without secrets.
    Show {
        /// The userid.
        userid: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sign up a user. The password is read from the first line of standard input.
    Add {
        /// The userid.
        userid: String,
        /// The addresses for the user's mails; no code is mailed to confirm them.
        addresses: Vec<String>,
        /// Generate a password and print it.
        #[arg(long)]
        generate: bool,
    },
    /// Set a user's password. It is read from the first line of standard input.
    Password {
        /// The userid.
        userid: String,
        /// Generate a password and print it.
        #[arg(long)]
        generate: bool,
    },
    /// Change a userid, on all boards and everywhere else.
    Rename {
        /// The present userid.
        old: String,
        /// The new userid.
        new: String,
    },
    /// Write all that the server holds of a user into a file, as JSON: their documents and boards, and the letters,
    /// parked mails and lines of the log that name them.
    Export {
        /// The userid.
        userid: String,
        /// The file, readable for its owner alone; `-` for standard output.
        file: PathBuf,
    },
    /// Resign a user's games and erase the user's data, also in waiting letters, parked mails and the log; then print
    /// what remains, and why. Nobody can take the userid again.
    #[command(visible_alias = "remove")]
    Erase {
        /// The userid.
        userid: String,
        /// Further addresses of the user, to be looked for as those that the server knows.
        addresses: Vec<String>,
    },
}
