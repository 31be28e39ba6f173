//! Receipts as far as they are known: a batch asks for hundreds, and each file is read once.

use super::layout;
use crate::base::digest::Digest;
use crate::base::time::{Month, Time};
use crate::store::paths::is_there;
use crate::store::receipt::{receipt_months, receipt_status};
use crate::store::{Fault, MailKey, ReceiptStatus, Transaction};
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io;
use std::path::Path;

/// Receipts that are known besides the files; empty again once all is in place.
#[derive(Debug, Default)]
pub(in crate::store) struct ReceiptCache {
    /// Those that are not in place yet, by Message-ID: the content, and when it was executed.
    fresh: HashMap<Digest, Vec<(Digest, Time)>>,
    /// Whether there was any receipt of a month when that was first asked.
    months: HashMap<Month, bool>,
    /// The files that were read, as they were then.
    files: HashMap<String, Vec<u8>>,
}

impl ReceiptCache {
    /// Notes the receipts of a transaction.
    pub(in crate::store) fn record(&mut self, transaction: &Transaction) {
        for mail in transaction.receipts.iter().chain(&transaction.turned) {
            self.fresh.entry(mail.id).or_default().push((mail.content, transaction.at));
        }
    }

    /// Whether a mail was executed.
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
                (true, _) if receipt_status(month, now) == ReceiptStatus::Before => {
                    return Ok(ReceiptStatus::Before);
                }
                (true, _) => answer = ReceiptStatus::Fading,
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
                ReceiptStatus::Before | ReceiptStatus::Fading => {
                    return Ok(receipt_status(month, now));
                }
            }
        }
        Ok(answer)
    }

    /// The receipts in a file; none where there is no such file. Files are kept only while receipts
    /// wait to be put in place, which is while a batch is executed.
    fn file(&mut self, home: &Path, month: Month, name: String) -> Result<Cow<'_, [u8]>, Fault> {
        if self.fresh.is_empty() {
            return read(&home.join(name)).map(Cow::Owned);
        }
        let is_kept = match self.months.entry(month) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                *entry.insert(is_there(&home.join("seen").join(month.to_string()))?)
            }
        };
        if !is_kept {
            return Ok(Cow::Borrowed(&[]));
        }
        let bytes = match self.files.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let bytes = read(&home.join(entry.key()))?;
                entry.insert(bytes)
            }
        };
        Ok(Cow::Borrowed(bytes))
    }
}

/// The contents of a file of records; nothing where there is none. One that cannot be read is a fault: a
/// mail could be executed twice.
pub(in crate::store) fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    match fs::read(path) {
        Ok(bytes) => Ok(bytes),
        // A link to nowhere is no missing file.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_there(path)? => Ok(Vec::new()),
        Err(error) => Err(Fault::at("cannot read", path)(error)),
    }
}
