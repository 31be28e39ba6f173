//! The test mail of `setup`: it leaves, comes in, is executed and answered as a player's mail is.

use crate::base::chance::RandomSource as _;
use crate::config::Config;
use crate::mail::Address;
use crate::post;
use crate::server::key_of;
use crate::shell::home;
use crate::shell::mails::deliver::{self, ReportScope};
use crate::shell::mails::process::{self, MailSource};
use crate::shell::{CommandError, Exit, Machine};
use crate::store::{Fault, ReceiptStatus};
use data_encoding::HEXLOWER;
use std::path::Path;

/// Who executes the test mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Executor {
    /// This process.
    Here,
    /// The service that runs.
    Service,
}

/// Sends `help` from the operator to the server through the configured transport, and waits until it
/// has been executed and its answer has left.
pub(super) fn send_test_mail(
    home: &Path,
    config: &Config,
    own: &Address,
    executor: Executor,
    patience: u32,
    machine: &mut Machine,
) -> Result<Exit, CommandError> {
    let to = config.identity().address;
    let Some(mut carrier) = home::open_transport(home, config)? else {
        writeln!(machine.out, "Nothing was tried: with by = \"nothing\" no mail leaves")?;
        return Ok(Exit::Done);
    };
    let mut id = [0; 16];
    machine.chance.fill(&mut id);
    let host = to.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
    let mail = format!(
        "From: {own}\r\nTo: {to}\r\nSubject: help\r\nMessage-ID: <{}@{host}>\r\n\r\n",
        HEXLOWER.encode(&id)
    );
    if let Err(trouble) = carrier.send(Some(own), &to, mail.as_bytes()) {
        let way = post::describe(&config.deliver);
        writeln!(machine.out, "A mail to {to} was not accepted by {way}: {}", trouble.why)?;
        return Ok(Exit::Refused);
    }
    let key = key_of(mail.as_bytes(), &to);
    let is_executed = |machine: &Machine| -> Result<bool, Fault> {
        Ok(home::read(home)?.receipt(&key, (machine.clock)())? != ReceiptStatus::Never)
    };
    for second in 0..=patience {
        if executor == Executor::Here {
            process::run(home, MailSource::Spool, machine)?;
        }
        if is_executed(machine)? {
            if executor == Executor::Here {
                deliver::run(home, ReportScope::All, machine)?;
            }
            if home::locate(home)?.unsent_letters()?.iter().all(|unsent| unsent.letter.to != *own) {
                writeln!(
                    machine.out,
                    "A mail to {to} came back and was executed; its answer goes to {own}. It works."
                )?;
                return Ok(Exit::Done);
            }
        }
        if second < patience {
            (machine.pause)();
        }
    }
    let what = if is_executed(machine)? {
        "came back and was executed, but its answer has not left"
    } else {
        "left and has not come back"
    };
    writeln!(
        machine.out,
        "A mail to {to} {what} in {patience} seconds. `postboard doctor` and the log of the mail server say \
         why; mend it, then run `postboard setup --own-address {own}` again."
    )?;
    Ok(Exit::Refused)
}
