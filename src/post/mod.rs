//! Transports: how mails leave the outbox.
//!
//! `smtp`, `sendmail` and `folder` are transports, `choice` opens the configured one, `trouble`
//! reports why mails do not leave. `push` sends notices to browsers. `inspect` and `dns` check the
//! configuration for `check` and `doctor`; `mail_server` configures mail servers for incoming mail, and
//! `administration` runs what `setup` does as root.

pub mod administration;
mod configured;
mod dns;
mod folder;
mod inspect;
mod mail_server;
mod push;
pub mod report_files;
mod sendmail;
mod smtp;
mod tls_client;
mod trouble_reports;

pub use crate::config::Tls;
pub use crate::store::outbox::{DeliveryError, OutboxReport};
pub use configured::{describe, open_transport};
pub use dns::{DnsClient, DnsRecordType, DnsRecords};
pub use folder::{FolderTransport, MaildirTransport};
pub use inspect::{inspect, inspect_files};
pub use mail_server::{MailServer, MailServerSetup};
pub use push::{MAX_LOOKUPS, PushClient, PushMessage, PushOutcome};
pub use sendmail::Sendmail;
pub use smtp::{Login, Smtp};
pub(crate) use tls_client::TLS;
pub use trouble_reports::{RecordingTransport, SendResults, TroubleLog, TroubleReport};

use crate::base::time::Time;
use crate::mail::Address;
use crate::store::{Fault, Home, Letter};
use std::borrow::Cow;

/// A transport.
pub trait Transport {
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
    fn reach(&mut self) -> Result<(), DeliveryError> {
        Ok(())
    }

    /// Reports a letter that cannot be printed and so is not sent.
    fn unprinted(&mut self, _to: &Address, _why: &DeliveryError) {}
}

/// Prints a letter as it leaves: headers and body, with CRLF.
pub type Printer<'p> = dyn Fn(&Letter) -> Result<Cow<'_, [u8]>, DeliveryError> + 'p;

/// Prints the letters in the outbox and sends them. Does nothing if another process is sending. Do
/// not call it with the home open: it takes the lock briefly, again and again.
///
/// # Errors
/// The machine failed. A mail that is not accepted is not an error: it waits for its next try, or
/// is put aside if it was rejected for good.
pub fn flush(
    home: &dyn Home,
    carrier: &mut dyn Transport,
    print: &Printer,
    now: Time,
) -> Result<OutboxReport, Fault> {
    let Some(mut outbox) = home.outbox()? else {
        return Ok(OutboxReport { is_busy: true, ..OutboxReport::default() });
    };
    loop {
        let claimed = outbox.claim(now)?;
        if claimed.is_empty() {
            return Ok(outbox.report());
        }
        for name in &claimed {
            outbox.deliver(name, now, &mut |letter| match print(letter) {
                Ok(bytes) => carrier.send(letter.sender.as_ref(), &letter.to, &bytes),
                Err(undelivered) => {
                    carrier.unprinted(&letter.to, &undelivered);
                    Err(undelivered)
                }
            })?;
        }
    }
}

/// Returns a mail with every line ended by `ending`.
fn with_lines(bytes: &[u8], ending: &[u8]) -> Vec<u8> {
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
    DeliveryError { permanent: false, all: true, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_the_way_out_wants() {
        assert_eq!(with_lines(b"a\nb\r\n\nc", b"\r\n"), b"a\r\nb\r\n\r\nc");
        assert_eq!(with_lines(b"a\r\nb\n.\r\n", b"\n"), b"a\nb\n.\n");
    }
}
