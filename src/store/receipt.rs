//! Receipts: records that a mail was executed, kept for 90 days.

use super::Fault;
use crate::base::digest::Digest;
use crate::base::time::{DAY, Month, Span, Time, days};

/// The identity of a mail: the digest of its Message-ID (of its content if it has none), and the
/// digest of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MailKey {
    /// SHA-256 of the Message-ID; equal to `content` if the mail has none.
    pub id: Digest,
    /// SHA-256 of From, Date, Subject and body.
    pub content: Digest,
}

impl MailKey {
    /// Returns whether the mail has a Message-ID.
    pub fn is_named(&self) -> bool {
        self.id != self.content
    }

    /// Returns the key of the same mail without its Message-ID.
    #[must_use]
    pub fn unnamed(&self) -> Self {
        Self { id: self.content, content: self.content }
    }

    /// Returns the key of the second receipt of a mail with a Message-ID: found by the content, it
    /// holds the Message-ID.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { id: self.content, content: self.id }
    }
}

/// Whether a mail was executed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptStatus {
    /// Never.
    Never,
    /// This very mail was.
    Executed,
    /// This very mail was, and its receipt will expire soon.
    Expiring,
    /// Another mail with the same Message-ID was.
    Reused,
}

/// Returns whether a mail was executed before, with its Message-ID or without: of two copies of a mail
/// one may have got or lost its Message-ID on its way. `receipt` looks one key up.
///
/// # Errors
/// Those of `receipt`.
pub fn executed(
    mail: &MailKey,
    mut receipt: impl FnMut(&MailKey) -> Result<ReceiptStatus, Fault>,
) -> Result<ReceiptStatus, Fault> {
    let known = receipt(mail)?;
    match known {
        // Under its content there are only receipts of mails with this content.
        ReceiptStatus::Reused if !mail.is_named() => Ok(ReceiptStatus::Executed),
        ReceiptStatus::Never | ReceiptStatus::Reused if mail.is_named() => {
            match receipt(&mail.unnamed())? {
                // Executed under another Message-ID: two mails with equal content.
                ReceiptStatus::Never | ReceiptStatus::Reused => Ok(known),
                executed @ (ReceiptStatus::Executed | ReceiptStatus::Expiring) => Ok(executed),
            }
        }
        known => Ok(known),
    }
}

/// How long a receipt is kept.
const KEPT: Span = days(90);

/// Returns the months of which receipts count, the latest first: the four or five that the last 90
/// days touch, and next day's month in case the clock was set back.
pub(super) fn receipt_months(now: Time) -> impl Iterator<Item = Month> {
    (now + DAY).month().back_to((now - KEPT).month())
}

/// Returns the status of a mail that has a receipt of the month `recorded`: receipts of the month
/// before last and earlier will expire soon.
pub(super) fn receipt_status(recorded: Month, now: Time) -> ReceiptStatus {
    if recorded < now.month().before() { ReceiptStatus::Expiring } else { ReceiptStatus::Executed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::Day;

    #[test]
    fn ninety_days_touch_four_or_five_months() {
        let names = |now| receipt_months(now).map(|month| month.to_string()).collect::<Vec<_>>();
        let at = |day: &str| Day::parse(day).unwrap().start();
        assert_eq!(names(at("2026-11-21")), ["2026-11", "2026-10", "2026-09", "2026-08"]);
        assert_eq!(
            names(at("2027-05-01")),
            ["2027-05", "2027-04", "2027-03", "2027-02", "2027-01"]
        );
    }
}
