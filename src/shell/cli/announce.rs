//! The command for announcements.

use clap::Args;

/// What to announce or to withdraw; with neither, the announcements are listed.
#[derive(Args, Debug)]
pub struct AnnounceOptions {
    /// The last day on which it is shown, such as 2026-12-20. The default is in 14 days.
    #[arg(long, value_name = "DAY", conflicts_with = "withdraw", requires = "words")]
    pub until: Option<String>,
    /// Withdraw the announcement of this number.
    #[arg(long, value_name = "N", conflicts_with = "words")]
    pub withdraw: Option<u32>,
    /// The text.
    pub words: Vec<String>,
}
