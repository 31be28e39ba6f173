//! Ways out for the mails of the outbox.

mod arrival;
mod choice;
mod dns;
mod folder;
mod inspect;
pub mod known;
mod sendmail;
mod smtp;
mod trouble;

pub use crate::config::Tls;
pub use crate::store::outbox::{DeliveryError, OutboxReport};
pub use arrival::MailServer;
pub use choice::{carrier, named};
pub use dns::{DnsClient, DnsRecordType, DnsRecords};
pub use folder::{FolderTransport, MaildirTransport};
pub use inspect::inspect;
pub use sendmail::Sendmail;
pub use smtp::{Login, Smtp};
pub use trouble::{RecordingTransport, SendResults, TroubleLog, TroubleReport};

use crate::base::time::Time;
use crate::mail::Address;
use crate::store::{Fault, Home, Letter};
use std::borrow::Cow;

/// A way out.
pub trait Transport {
    /// Passes a mail on. No `sender` means the empty reverse-path `<>`: nothing comes back.
    ///
    /// # Errors
    /// The mail was not accepted.
    fn send(
        &mut self,
        sender: Option<&Address>,
        to: &Address,
        bytes: &[u8],
    ) -> Result<(), DeliveryError>;

    /// Sees whether the way is open, as far as that can be seen without a mail; waits a few seconds
    /// at most.
    ///
    /// # Errors
    /// It is not.
    fn reach(&mut self) -> Result<(), DeliveryError> {
        Ok(())
    }

    /// Hears that a letter to that address cannot be printed, and so is not passed on.
    fn unprinted(&mut self, _to: &Address, _why: &DeliveryError) {}
}

/// Prints a letter as it leaves: headers and body, lines ended by CRLF.
pub type Printer<'p> = dyn Fn(&Letter) -> Result<Cow<'_, [u8]>, DeliveryError> + 'p;

/// Prints what waits in the outbox and sends it. Does nothing if another process is sending: that one
/// sends all. Do not call it with the home open: it takes the lock for a moment, again and again.
///
/// # Errors
/// The machine failed. It is not an error if a mail was not accepted: the mail waits for its next try,
/// or is put aside with the reason if the other side rejected it for good.
pub fn flush(
    home: &dyn Home,
    carrier: &mut dyn Transport,
    print: &Printer,
    now: Time,
) -> Result<OutboxReport, Fault> {
    let Some(mut outbox) = home.letters()? else {
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

/// The mail with every line ended by `ending`.
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

/// The way out is closed for every letter, and may open again.
fn for_now(why: String) -> DeliveryError {
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
