//! Transports: how mails leave the outbox.
//!
//! `smtp`, `sendmail` and `folder` are transports, `configured` opens the one that the configuration
//! names, `trouble_reports` reports why mails do not leave, `report_files` stores these reports.
//! `domains` limits what the domain of a recipient gets. `push` sends notices to browsers. `inspect`
//! and `dns` check the configuration for `check` and `doctor`; `mail_server` configures mail servers
//! for incoming mail, with `postfix` for the most common one, and `administration` runs what `setup` does as root.

pub mod administration;
mod configured;
mod dns;
mod domains;
mod folder;
mod inspect;
mod mail_server;
mod postfix;
mod push;
pub mod report_files;
mod sendmail;
mod smtp;
mod tls_client;
mod trouble_reports;

pub use crate::config::Tls;
pub use crate::store::outbox::{DeliveryError, FailureScope, NotSent, OutboxReport};
pub use configured::{describe, open_transport};
pub use dns::{DnsClient, DnsRecords};
pub use domains::Domains;
pub use folder::{FolderTransport, MaildirTransport};
pub use inspect::{inspect, inspect_files};
pub use mail_server::{MailServer, MailServerSetup};
pub use push::{MAX_LOOKUPS, PushClient, PushMessage, PushOutcome};
pub use sendmail::Sendmail;
pub(crate) use sendmail::end_of;
pub use simple_dns::TYPE as DnsRecordType;
pub use smtp::{Login, Smtp};
pub(crate) use tls_client::TLS;
pub use trouble_reports::{RecordingTransport, SendResults, TroubleLog, TroubleReport};

use crate::base::meters;
use crate::base::time::Time;
use crate::mail::Address;
use crate::store::{Fault, Home, Letter};
use std::borrow::Cow;
use std::collections::HashMap;

/// A transport.
pub trait Transport: Send {
    /// Sends a mail. No `sender` means the empty reverse-path `<>`, so that it cannot bounce.
    ///
    /// # Errors
    /// The mail was not accepted.
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError>;

    /// Checks whether the transport works, as far as that is possible without a mail. Takes a few
    /// seconds at most.
    ///
    /// # Errors
    /// It does not work.
    fn check(&mut self) -> Result<(), DeliveryError> {
        Ok(())
    }

    /// Reports a letter that cannot be printed and so is not sent.
    fn report_unprintable(&mut self, _to: &Address, _why: &DeliveryError) {}

    /// Ends a run. Returns whether the transport has an open connection that another run can use.
    fn end_run(&mut self) -> bool {
        false
    }
}

/// Prints a letter as it leaves: headers and body, with CRLF.
pub type Printer<'p> = dyn Fn(&Letter) -> Result<Cow<'_, [u8]>, DeliveryError> + 'p;

/// The limits of the domains of recipients in a run, with the clock that they go by.
pub struct DomainsInRun<'a> {
    /// The domains.
    pub domains: &'a mut Domains,
    /// Returns the time, which moves on while letters are sent.
    pub clock: &'a dyn Fn() -> Time,
}

/// Prints the letters in the outbox and sends them. Does nothing if another process is sending. Do
/// not call it with the home open: it takes the lock briefly, again and again.
///
/// # Errors
/// The machine failed. A mail that is not accepted is not an error: it waits for its next try, or
/// is put aside if it was rejected for good.
pub fn flush(
    home: &dyn Home,
    transport: &mut dyn Transport,
    print: &Printer,
    now: Time,
) -> Result<OutboxReport, Fault> {
    let limits = DomainsInRun { domains: &mut Domains::default(), clock: &|| now };
    flush_within(home, transport, print, limits, None, now)
}

/// The results of letters that were sent, or tried, before they were claimed, by their names. They outlive a
/// run that fails, so that no letter is sent again.
#[derive(Debug, Default)]
pub struct TriedLetters(HashMap<String, Result<(), NotSent>>);

/// The most files, or letters in a database, that are claimed at once and after which a sender that every commit
/// wakes does not look for more.
const MAX_CLAIM_TO_STOP: usize = 8;

/// Sends the letters in the outbox as [`flush`] does, within limits for the domain of each recipient.
///
/// A sender that every commit wakes brings `tried`. It sends letters that this process commits just now before
/// they are in the outbox. After few letters, if all have left, it does not look for more: it would have to
/// wait while a mail is executed, and so could not send the answer.
///
/// # Errors
/// The machine failed.
pub fn flush_within(
    home: &dyn Home,
    transport: &mut dyn Transport,
    print: &Printer,
    mut limits: DomainsInRun,
    tried: Option<&mut TriedLetters>,
    now: Time,
) -> Result<OutboxReport, Fault> {
    let Some(mut outbox) = home.outbox()? else {
        return Ok(OutboxReport { is_busy: true, ..OutboxReport::default() });
    };
    let is_woken = tried.is_some();
    let mut none = TriedLetters::default();
    let tried = tried.unwrap_or(&mut none);
    while is_woken && let Some(letter) = outbox.take_fresh()? {
        let sent = send(&letter, transport, print, &mut limits);
        tried.0.insert(letter.name, sent);
    }
    loop {
        let claimed = outbox.claim(now)?;
        for name in &claimed {
            outbox.deliver(name, now, &mut |letter| {
                let sent = tried.0.remove(&letter.name);
                let sent = sent.unwrap_or_else(|| send(letter, transport, print, &mut limits));
                meters::count_letter(outcome(&sent));
                sent
            })?;
        }
        if claimed.is_empty() {
            // All that were tried have been claimed, here or by others.
            tried.0.clear();
            return Ok(outbox.report());
        }
        // If letters were kept, the next claim says whether the machine is to blame.
        if is_woken && claimed.len() <= MAX_CLAIM_TO_STOP && outbox.report().deferred == 0 {
            return Ok(OutboxReport { may_have_more: true, ..outbox.report() });
        }
    }
}

/// Sends a letter, unless its recipient's domain has to wait.
fn send(
    letter: &Letter,
    transport: &mut dyn Transport,
    print: &Printer,
    limits: &mut DomainsInRun,
) -> Result<(), NotSent> {
    let to = &letter.to;
    if let Some(until) = limits.domains.earliest_departure(to, (limits.clock)()) {
        return Err(NotSent::PutOff(until));
    }
    let bytes = print(letter).inspect_err(|why| transport.report_unprintable(to, why))?;
    let began = (limits.clock)();
    let sent = transport.send(letter.sender.as_ref(), to, &bytes);
    let now = (limits.clock)();
    match &sent {
        // The transport is down, or there is no such recipient: the domain is not to blame.
        Err(DeliveryError { scope: FailureScope::Transport | FailureScope::Rejected, .. }) => {}
        sent => limits.domains.note(to, sent.is_ok(), now - began, now),
    }
    Ok(sent?)
}

/// Returns the outcome of a letter with its cause, for the metrics.
fn outcome(sent: &Result<(), NotSent>) -> meters::LetterOutcome {
    use meters::LetterOutcome as Outcome;
    match sent {
        Ok(()) => Outcome::Sent,
        Err(NotSent::PutOff(_)) => Outcome::PutOff,
        Err(NotSent::Failed(error)) => match error.scope {
            FailureScope::Rejected => Outcome::Rejected,
            FailureScope::ThisLetter => Outcome::Deferred,
            FailureScope::Transport => Outcome::TransportDown,
        },
    }
}

/// Returns a mail with every line ended by `ending`.
fn with_line_ends(bytes: &[u8], ending: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(bytes.len() + bytes.len() / 32);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(text) => {
                lines.extend_from_slice(text.strip_suffix(b"\r").unwrap_or(text));
                lines.extend_from_slice(ending);
            }
            None => lines.extend_from_slice(line),
        }
    }
    lines
}

/// Returns a temporary error of the transport, which concerns every letter.
fn temporary_error(why: String) -> DeliveryError {
    DeliveryError { scope: FailureScope::Transport, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_the_transport_wants() {
        assert_eq!(with_line_ends(b"a\nb\r\n\nc", b"\r\n"), b"a\r\nb\r\n\r\nc");
        assert_eq!(with_line_ends(b"a\r\nb\n.\r\n", b"\n"), b"a\nb\n.\n");
    }
}
