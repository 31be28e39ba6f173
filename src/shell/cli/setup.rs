//! Options of `setup`.

use crate::config::setup::Door;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// A part of `setup` that root runs as the owner of the home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SetupStep {
    /// Writes the home.
    Write,
    /// Tries it, with the mails executed here.
    Try,
    /// Tries it, with the mails executed by the service that runs.
    TryServed,
}

/// Answers to the questions of `setup`.
#[derive(Args, Clone, Debug)]
pub struct SetupJob {
    /// How players reach the server: by a mail `server` of yours, by a `mailbox` at a provider, or by the
    /// `web` only.
    #[arg(long, value_name = "DOOR")]
    pub door: Option<Door>,
    /// The address that players write to.
    #[arg(long)]
    pub address: Option<String>,
    /// The name shown with this address.
    #[arg(long)]
    pub name: Option<String>,
    /// The address of the site as players see it, such as `https://games.example.org`.
    #[arg(long, value_name = "URL")]
    pub site: Option<String>,
    /// Whether mails to `postboard+anything@example.org` come in, too.
    #[arg(long)]
    pub plus: Option<bool>,
    /// How mails are sent: by `smtp`, by `sendmail` (not from a service of systemd), or `nothing`.
    #[arg(long, value_parser = ["sendmail", "smtp", "nothing"])]
    pub by: Option<String>,
    /// The file whose first line is the password of the mailbox.
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Your own address, which gets alerts and the answer to the test mail.
    #[arg(long, value_name = "ADDRESS")]
    pub own_address: Option<String>,
    /// Your userid, which becomes the first administrator; empty for none.
    #[arg(long, value_name = "USERID")]
    pub administrator: Option<String>,
    /// As root, write the lines for Postfix, and enable and start the service.
    #[arg(long)]
    pub apply: bool,
    /// How long the test mail may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub patience: u32,
    /// Do a part alone.
    #[arg(long, hide = true)]
    pub step: Option<SetupStep>,
}
