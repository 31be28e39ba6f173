//! Commands about a whole home: `backup`, `check-backup`, `restore`, `move-home`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Commands about a whole home.
#[derive(Debug, Subcommand)]
pub enum CopyJob {
    /// Write the whole home into one file. It contains the secret key; keep it on another machine.
    Backup {
        /// The file, a compressed tar archive; `-` for standard output.
        file: PathBuf,
        /// Do not encrypt it, although `recipients` in `[backup]` of postboard.toml name keys.
        #[arg(long)]
        plain: bool,
    },
    /// Prove that a backup can be restored: unpack it beside the home, check the result as `check` does, and
    /// remove it.
    CheckBackup {
        /// The file, or a folder, in which the newest backup is checked; `-` for standard input. The default is the
        /// `folder` in `[backup]` of postboard.toml.
        file: Option<PathBuf>,
        /// Fetch the newest backup from the `bucket` in `[backup]` of postboard.toml and check it.
        #[arg(long, conflicts_with = "file")]
        bucket: bool,
        /// The file of the private key that opens an encrypted backup, as `age-keygen` writes it.
        #[arg(long, value_name = "FILE")]
        identity: Option<PathBuf>,
    },
    /// Make a home from a backup.
    Restore {
        /// The file, or a folder, of which the newest backup is restored; `-` for standard input.
        #[arg(required_unless_present = "bucket")]
        file: Option<PathBuf>,
        /// Fetch the newest backup from the `bucket` in `[backup]` of the home's postboard.toml and restore it.
        #[arg(long, conflicts_with = "file")]
        bucket: bool,
        /// If there is already a home, move it aside and print its new name.
        #[arg(long)]
        replace: bool,
        /// Do not restore the mails that were waiting to be sent when the backup was made.
        #[arg(long)]
        without_outbox: bool,
        /// Restore into this database, which must not contain a home, instead of the folder.
        #[arg(long, value_name = "URL")]
        store: Option<String>,
        /// Do not ask before taking over the programs that the configuration in the backup names.
        #[arg(long)]
        trust_programs: bool,
        /// The file of the private key that opens an encrypted backup, as `age-keygen` writes it.
        #[arg(long, value_name = "FILE")]
        identity: Option<PathBuf>,
    },
    /// Move the home from files into a database, or back. No other command can use the home meanwhile;
    /// incoming mails wait. If the move is interrupted, the same command continues it.
    MoveHome(MoveHomeJob),
}

/// Options of `move-home`.
#[derive(Args, Clone, Debug)]
pub struct MoveHomeJob {
    /// The destination: a database that contains no home, such as
    /// `postgres://postboard@db.example.org/postboard`, or `files` for the folder of the home.
    #[arg(long, value_name = "URL", required_unless_present = "cancel")]
    pub to: Option<String>,
    /// Give up an interrupted move: the home stays where it is.
    #[arg(long, conflicts_with = "to")]
    pub cancel: bool,
}
