//! Options of `setup`.

use clap::Args;

/// Answers to the questions of `setup`.
#[derive(Args, Clone, Debug)]
pub struct SetupJob {
    /// The address that players write to.
    #[arg(long)]
    pub address: Option<String>,
    /// The name shown with it.
    #[arg(long)]
    pub name: Option<String>,
    /// Whether the mail server delivers `ADDRESS+anything`, too.
    #[arg(long)]
    pub plus: Option<bool>,
    /// How answers leave: `sendmail`, `smtp` for a mail server on this machine, or `nothing`.
    #[arg(long, value_parser = ["sendmail", "smtp", "nothing"])]
    pub by: Option<String>,
    /// Your own address: alerts go there, and the answer to the mail that tries all of it.
    #[arg(long, value_name = "ADDRESS")]
    pub own_address: Option<String>,
    /// How long that mail may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub patience: u32,
}
