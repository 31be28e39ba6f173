//! The test mail of `setup`: it leaves, comes in, is executed and answered as a player's mail is.

use crate::base::chance::RandomSource as _;
use crate::config::Config;
use crate::mail::Address;
use crate::post;
use crate::server::key_of;
use crate::shell::home;
use crate::shell::mails::deliver::{self, ReportScope};
use crate::shell::mails::process::{self, MailSource};
use crate::shell::{CommandError, Machine};
use crate::store::{MailKey, ReceiptStatus};
use data_encoding::HEXLOWER;
use std::fmt::{self, Display};
use std::path::Path;

/// Who executes the test mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executor {
    /// This process.
    Here,
    /// The service that runs.
    Service,
}

/// A mail `help` from the operator to the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial<'a> {
    pub(crate) home: &'a Path,
    pub(crate) config: &'a Config,
    /// The operator's address.
    pub(crate) own: &'a Address,
    pub(crate) executor: Executor,
    /// How many seconds the mail may take.
    pub(crate) patience: u32,
}

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrialOutcome {
    /// No mail leaves the server.
    NothingLeaves,
    /// The transport has not taken the mail.
    Refused { to: Address, way: String, why: String },
    /// The mail was executed, and its answer has left.
    Works { to: Address, own: Address },
    /// The mail was not answered in time.
    Lost { to: Address, is_executed: bool, patience: u32 },
}

impl TrialOutcome {
    /// Returns whether the server does not work as configured.
    pub(crate) fn is_failure(&self) -> bool {
        matches!(self, Self::Refused { .. } | Self::Lost { .. })
    }
}

impl Display for TrialOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingLeaves => {
                f.write_str("Nothing was tried: with by = \"nothing\" no mail leaves")
            }
            Self::Refused { to, way, why } => {
                write!(f, "A mail to {to} was not accepted by {way}: {why}")
            }
            Self::Works { to, own } => write!(
                f,
                "A mail to {to} came back and was executed; its answer goes to {own}. It works."
            ),
            Self::Lost { to, is_executed, patience } => {
                let what = if *is_executed {
                    "came back and was executed, but its answer has not left"
                } else {
                    "left and has not come back"
                };
                write!(f, "A mail to {to} {what} in {patience} seconds.")
            }
        }
    }
}

impl Trial<'_> {
    /// Sends the mail through the configured transport, and waits until it has been executed and its answer
    /// has left. `goes_on` is asked with the seconds that have passed; if it says no, the time is up.
    ///
    /// # Errors
    /// The machine failed.
    pub(crate) fn run(
        &self,
        goes_on: &mut dyn FnMut(u32) -> bool,
        machine: &mut Machine,
    ) -> Result<TrialOutcome, CommandError> {
        let (to, own) = (self.config.identity().address, self.own.clone());
        let Some(mut carrier) = home::open_transport(self.home, self.config)? else {
            return Ok(TrialOutcome::NothingLeaves);
        };
        let mut id = [0; 16];
        machine.chance.fill(&mut id);
        let host = to.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
        let mail = format!(
            "From: {own}\r\nTo: {to}\r\nSubject: help\r\nMessage-ID: <{}@{host}>\r\n\r\n",
            HEXLOWER.encode(&id)
        );
        if let Err(trouble) = carrier.send(Some(&own), &to, mail.as_bytes()) {
            let way = post::describe(&self.config.deliver);
            return Ok(TrialOutcome::Refused { to, way, why: trouble.why });
        }
        let key = key_of(mail.as_bytes(), &to);
        for second in 0..=self.patience {
            if !goes_on(second) {
                break;
            }
            if self.is_answered(&key, machine)? {
                return Ok(TrialOutcome::Works { to, own });
            }
            if second < self.patience {
                (machine.pause)();
            }
        }
        let is_executed = self.is_executed(&key, machine)?;
        Ok(TrialOutcome::Lost { to, is_executed, patience: self.patience })
    }

    /// Returns whether the mail was executed, and its answer has left.
    fn is_answered(&self, key: &MailKey, machine: &mut Machine) -> Result<bool, CommandError> {
        let is_here = self.executor == Executor::Here;
        if is_here {
            process::run(self.home, MailSource::Spool, machine)?;
        }
        if !self.is_executed(key, machine)? {
            return Ok(false);
        }
        if is_here {
            deliver::run(self.home, ReportScope::All, machine)?;
        }
        let unsent = home::locate(self.home)?.unsent_letters()?;
        Ok(unsent.iter().all(|unsent| unsent.letter.to != *self.own))
    }

    fn is_executed(&self, key: &MailKey, machine: &Machine) -> Result<bool, CommandError> {
        let receipt = home::read(self.home)?.receipt(key, (machine.clock)())?;
        Ok(receipt != ReceiptStatus::Never)
    }
}
