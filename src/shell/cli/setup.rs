//! Options of `setup`.

use clap::Args;

/// Answers to the questions of `setup`.
#[derive(Args, Clone, Debug)]
pub struct SetupJob {
    /// The address that players write to.
    #[arg(long)]
    pub address: Option<String>,
    /// The name shown with this address.
    #[arg(long)]
    pub name: Option<String>,
    /// Whether the mail server also delivers mails to `postboard+anything@example.org`.
    #[arg(long)]
    pub plus: Option<bool>,
    /// How mails are sent: `sendmail`, `smtp` through a mail server on this machine, or `nothing`.
    #[arg(long, value_parser = ["sendmail", "smtp", "nothing"])]
    pub by: Option<String>,
    /// Your own address, which gets alerts and the answer to the test mail.
    #[arg(long, value_name = "ADDRESS")]
    pub own_address: Option<String>,
    /// How long the test mail may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub patience: u32,
}
