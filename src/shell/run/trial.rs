//! The test mail of `setup`, on its page and in the terminal: it leaves, comes in, is executed and answered as
//! a player's mail is.

use super::WRITERS;
use super::services::{RunContext, RunningServices};
use super::sockets::Sockets;
use super::waker::MainThreadWaker;
use crate::base::chance::RandomSource as _;
use crate::config::Config;
use crate::intake::check_mailbox;
use crate::mail::Address;
use crate::post;
use crate::server::key_of;
use crate::shell::mails::process::{self, MailSource};
use crate::shell::{CommandError, Machine, home, serve};
use crate::store::{MailKey, ReceiptStatus};
use data_encoding::HEXLOWER;
use std::fmt::{self, Display};
use std::path::Path;

/// Who takes in, executes and answers the test mail.
pub(super) enum Executor<'a> {
    /// This process, with services of its own.
    Here(&'a RunContext, &'a Sockets),
    /// The service that runs.
    Service,
}

/// A mail `help` to the server in the operator's name, with a configuration that this process uses for the home.
pub(super) struct Trial<'a> {
    pub(super) home: &'a Path,
    pub(super) config: &'a Config,
    /// The operator's address.
    pub(super) own: &'a Address,
    pub(super) executor: Executor<'a>,
    /// How many seconds the mail may take.
    pub(super) patience: u32,
}

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrialOutcome {
    /// No mail leaves the server.
    NothingLeaves,
    /// The provider of the mailbox does not let this server in, and no mail was sent.
    NoLogin { why: String },
    /// The transport has not taken the mail.
    Refused { to: Address, way: String, why: String },
    /// The mail was executed, and its answer has left.
    Works { to: Address, own: Address },
    /// The mail was not answered in time; what failed meanwhile, if this process knows.
    Lost { to: Address, is_executed: bool, patience: u32, trouble: Option<String> },
}

impl TrialOutcome {
    /// Returns whether the server does not work as configured.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self, Self::NothingLeaves | Self::Works { .. })
    }
}

impl Display for TrialOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingLeaves => {
                f.write_str("Nothing was tried: with by = \"nothing\" no mail leaves")
            }
            Self::NoLogin { why } => write!(f, "The mailbox cannot be used: {why}"),
            Self::Refused { to, way, why } => {
                write!(f, "A mail to {to} was not accepted by {way}: {why}")
            }
            Self::Works { to, own } => write!(
                f,
                "A mail to {to} came back and was executed; its answer goes to {own}. It works."
            ),
            Self::Lost { to, is_executed, patience, trouble } => {
                let what = if *is_executed {
                    "came back and was executed, but its answer has not left"
                } else {
                    "left and has not come back"
                };
                write!(f, "A mail to {to} {what} in {patience} seconds")?;
                match trouble {
                    Some(trouble) => write!(f, ": {trouble}"),
                    None => f.write_str("."),
                }
            }
        }
    }
}

/// Logs in at both servers of the provider whose mailbox a configuration names, if it names one. Takes and sends
/// no mail.
///
/// # Errors
/// Why a server does not let us in, in one line.
pub(crate) fn check_provider(home: &Path, config: &Config) -> Result<(), String> {
    let Some(mailbox) = &config.imap else { return Ok(()) };
    home::refuse_foreign_token_command(home, mailbox).map_err(|fault| fault.to_string())?;
    check_mailbox(mailbox)?;
    match home::open_transport(home, config).map_err(|fault| fault.to_string())? {
        Some(mut transport) => transport.check().map_err(|failed| failed.why),
        None => Ok(()),
    }
}

/// Tries the configuration of a home for `setup` in the terminal. If no service runs the home, this process
/// takes in, executes and answers the mail.
///
/// # Errors
/// The machine failed.
pub(crate) fn try_in_terminal(
    home: &Path,
    config: &Config,
    own: &Address,
    is_served: bool,
    patience: u32,
    machine: &mut Machine,
) -> Result<TrialOutcome, CommandError> {
    let threads = serve::runtime(WRITERS)?;
    let (waker, _wakeups) = MainThreadWaker::new();
    let context = RunContext::new(home, waker, threads.handle().clone());
    let sockets = Sockets { web: None, lmtp: None, smtp: None };
    let executor = if is_served { Executor::Service } else { Executor::Here(&context, &sockets) };
    Trial { home, config, own, executor, patience }.run(&mut |_| true, machine)
}

impl Trial<'_> {
    /// Logs in at the provider of a mailbox, sends the mail through the configured transport, and waits until it
    /// has been executed and its answer has left. `goes_on` is asked with the seconds that have passed; if it
    /// says no, the time is up.
    ///
    /// # Errors
    /// The machine failed.
    pub(super) fn run(
        &self,
        goes_on: &mut dyn FnMut(u32) -> bool,
        machine: &mut Machine,
    ) -> Result<TrialOutcome, CommandError> {
        if let Err(why) = check_provider(self.home, self.config) {
            return Ok(TrialOutcome::NoLogin { why });
        }
        let services = match &self.executor {
            Executor::Here(context, sockets) => {
                Some(RunningServices::start(context, sockets, self.config, machine)?)
            }
            Executor::Service => None,
        };
        let outcome = self.send_and_wait(goes_on, machine);
        if let Some(services) = services {
            services.stop();
        }
        outcome
    }

    fn send_and_wait(
        &self,
        goes_on: &mut dyn FnMut(u32) -> bool,
        machine: &mut Machine,
    ) -> Result<TrialOutcome, CommandError> {
        let (to, own) = (self.config.identity().address, self.own.clone());
        let Some(mut transport) = home::open_transport(self.home, self.config)? else {
            return Ok(TrialOutcome::NothingLeaves);
        };
        let mut id = [0; 16];
        machine.chance.fill(&mut id);
        let host = to.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
        // A provider lets a mailbox send in no other name, and some want a date.
        let mail = format!(
            "From: {to}\r\nReply-To: {own}\r\nTo: {to}\r\nSubject: help\r\nDate: {}\r\n\
             Message-ID: <{}@{host}>\r\n\r\n",
            (machine.clock)().rfc2822(),
            HEXLOWER.encode(&id)
        );
        if let Err(trouble) = transport.send(Some(&to), &to, mail.as_bytes()) {
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
        let trouble = match self.executor {
            Executor::Here(context, _) => context.health.first_failure(),
            Executor::Service => None,
        };
        Ok(TrialOutcome::Lost { to, is_executed, patience: self.patience, trouble })
    }

    /// Returns whether the mail was executed, and its answer has left.
    fn is_answered(&self, key: &MailKey, machine: &mut Machine) -> Result<bool, CommandError> {
        if let Executor::Here(..) = self.executor {
            process::run(self.home, MailSource::Spool, machine)?;
        }
        if !self.is_executed(key, machine)? {
            return Ok(false);
        }
        let unsent = home::locate(self.home)?.unsent_letters()?;
        Ok(unsent.iter().all(|unsent| unsent.letter.to != *self.own))
    }

    fn is_executed(&self, key: &MailKey, machine: &Machine) -> Result<bool, CommandError> {
        let receipt = home::read(self.home)?.receipt(key, (machine.clock)())?;
        Ok(receipt != ReceiptStatus::Never)
    }
}
