//! Commands about a whole home: `backup`, `restore`, `move-home`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Commands about a whole home.
#[derive(Debug, Subcommand)]
pub enum CopyJob {
    /// Write the whole home into one file, which holds the secret key; keep it elsewhere.
    Backup {
        /// The file, a compressed tar archive; `-` for standard output.
        file: PathBuf,
    },
    /// Make a home from a backup.
    Restore {
        /// The file; `-` for standard input.
        file: PathBuf,
        /// If there is already a home, move it aside and print its new name.
        #[arg(long)]
        replace: bool,
        /// Leave out the mails that were waiting to be sent when the backup was made.
        #[arg(long)]
        without_outbox: bool,
        /// Keep the home in this database, which must have none, instead of the folder.
        #[arg(long, value_name = "URL")]
        store: Option<String>,
        /// Do not ask before programs are taken over that the configuration in the backup names.
        #[arg(long)]
        trust_programs: bool,
    },
    /// Move the home from its files into a database, or back. Nobody can work at it meanwhile; mails
    /// that come wait. If it is broken off, the same command goes on.
    MoveHome(MoveHomeJob),
}

/// Options of `move-home`.
#[derive(Args, Clone, Debug)]
pub struct MoveHomeJob {
    /// Where to: a database that has no home, as in `postgres://postboard@db.example.org/postboard`, or
    /// `files`, in the folder of the home.
    #[arg(long, value_name = "URL", required_unless_present = "cancel")]
    pub to: Option<String>,
    /// Give up a move that was broken off: the home stays where it is.
    #[arg(long, conflicts_with = "to")]
    pub cancel: bool,
}
