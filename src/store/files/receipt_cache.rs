//! Receipts of a home in files, cached while a group of mails is executed: hundreds are asked for,
//! and each file is read once.

use super::layout;
use crate::base::digest::Digest;
use crate::base::time::{Month, Time};
use crate::store::paths::{is_there, read_or_empty};
use crate::store::receipt::{receipt_months, receipt_status};
use crate::store::{Fault, MailKey, ReceiptStatus, Transaction};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

/// Receipts known besides the files, until all commits are in place.
#[derive(Debug, Default)]
pub(in crate::store) struct ReceiptCache {
    /// Receipts that are not in place yet, by Message-ID: content and time of execution.
    fresh: HashMap<Digest, Vec<(Digest, Time)>>,
    /// Whether there was a folder of a month's receipts when one of them was first looked up.
    months: HashMap<Month, bool>,
    /// The contents of the files that were read.
    files: HashMap<String, Vec<u8>>,
}

impl ReceiptCache {
    /// Adds the receipts of a transaction.
    pub(in crate::store) fn record(&mut self, transaction: &Transaction) {
        for mail in transaction.receipts.iter().chain(&transaction.swapped_receipts) {
            self.fresh.entry(mail.id).or_default().push((mail.content, transaction.at));
        }
    }

    /// Returns whether a mail was executed.
    pub(in crate::store) fn look_up(
        &mut self,
        home: &Path,
        mail: &MailKey,
        now: Time,
    ) -> Result<ReceiptStatus, Fault> {
        let mut answer = ReceiptStatus::Never;
        for (content, at) in self.fresh.get(&mail.id).into_iter().flatten() {
            let month = at.month();
            if !receipt_months(now).any(|known| known == month) {
                continue;
            }
            match (*content == mail.content, answer) {
                (true, _) if receipt_status(month, now) == ReceiptStatus::Executed => {
                    return Ok(ReceiptStatus::Executed);
                }
                (true, _) => answer = ReceiptStatus::Expiring,
                (false, ReceiptStatus::Never) => answer = ReceiptStatus::Reused,
                (false, _) => {}
            }
        }
        for (month, name) in layout::receipt_files(&mail.id, now) {
            match layout::receipt_in(&self.file(home, month, name)?, mail) {
                ReceiptStatus::Reused if answer == ReceiptStatus::Never => {
                    answer = ReceiptStatus::Reused;
                }
                ReceiptStatus::Never | ReceiptStatus::Reused => {}
                ReceiptStatus::Executed | ReceiptStatus::Expiring => {
                    return Ok(receipt_status(month, now));
                }
            }
        }
        Ok(answer)
    }

    /// Returns the receipts in a file, or nothing if it does not exist. A file that cannot be read is a
    /// fault, because a mail could be executed twice. Contents are cached only while receipts wait to be
    /// put in place, which is while a group of mails is executed.
    fn file(&mut self, home: &Path, month: Month, name: String) -> Result<Cow<'_, [u8]>, Fault> {
        if self.fresh.is_empty() {
            return read_or_empty(&home.join(name)).map(Cow::Owned);
        }
        let has_receipts = match self.months.entry(month) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                *entry.insert(is_there(&home.join("seen").join(month.to_string()))?)
            }
        };
        if !has_receipts {
            return Ok(Cow::Borrowed(&[]));
        }
        let bytes = match self.files.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let bytes = read_or_empty(&home.join(entry.key()))?;
                entry.insert(bytes)
            }
        };
        Ok(Cow::Borrowed(bytes))
    }
}
