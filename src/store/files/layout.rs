//! Which file of a home holds which records, and the formats of these files. Documents know their own
//! files ([`Key::file`](crate::base::key::Key::file)).
//!
//! A record is a line of fixed length with a newline *before* it, so that a record that a crash cut
//! off spoils none behind it.

use crate::base::digest::Digest;
use crate::base::time::{DAY, Day, Month, Time};
use crate::store::receipt::receipt_months;
use crate::store::{DocumentKind, MailKey, ReceiptStatus, SentRecord, Transaction};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use std::collections::BTreeSet;

/// A record, and the file below the home that it belongs into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) struct FileRecord {
    pub(in crate::store) file: String,
    pub(in crate::store) record: String,
}

/// Returns the file with the due times of a game's boards: eight bytes a board, at its number.
pub(in crate::store) fn wakeups(game: &'static str) -> String {
    format!("{}/looks", DocumentKind::Boards(game).folder())
}

/// Returns the file that holds a mail's receipt: one of 4096 of its month.
fn receipt_file(month: Month, id: &Digest) -> String {
    let digits = HEXLOWER.encode(&id[..2]);
    format!("seen/{month}/{}/{}", &digits[..2], &digits[2..3])
}

/// The length from which an early file takes no more receipts. The receipts of a month begin in 16 early
/// files; receipts for a full one go into one of 256 others. So a small home seldom creates a file or
/// folder for a receipt, which is the most expensive part of it, and a large home has no long files
/// to read.
pub(in crate::store) const FULL_EARLY_FILE: u64 = 128 * 1024;

/// Returns the file that takes a receipt first, for the path of one of the 4096 files; `None` if the
/// path is none of them.
pub(in crate::store) fn early_file(path: &str) -> Option<&str> {
    let month_ends = path.match_indices('/').nth(1).filter(|_| path.starts_with("seen/"));
    month_ends.map(|(at, _)| &path[..at + 2])
}

/// Returns the files that may hold a mail's receipt, with their months, the latest first.
pub(in crate::store) fn receipt_files(
    id: &Digest,
    now: Time,
) -> impl Iterator<Item = (Month, String)> {
    receipt_months(now).flat_map(|month| {
        let file = receipt_file(month, id);
        early_file(&file)
            .map(str::to_owned)
            .into_iter()
            .chain([file])
            .map(move |file| (month, file))
    })
}

/// The number of base64 digits of a digest in a receipt.
const DIGITS: usize = 43;
/// The length of a receipt: `<Message-ID>.<content>.<Unix time>`.
pub(in crate::store) const RECEIPT: usize = DIGITS + 1 + DIGITS + 1 + 12;

/// Returns the receipt of a mail that was executed at a time.
pub(in crate::store) fn receipt(mail: &MailKey, at: Time) -> FileRecord {
    let [id, content] = [&mail.id, &mail.content].map(|digest| BASE64URL_NOPAD.encode(digest));
    FileRecord {
        file: receipt_file(at.month(), &mail.id),
        record: format!("{id}.{content}.{}", at.digits()),
    }
}

/// Returns the records of a transaction that need not be synced: receipts under the content of
/// mails with a Message-ID, and mails sent.
pub(in crate::store) fn unsynced_records(
    transaction: &Transaction,
) -> impl Iterator<Item = FileRecord> {
    let at = transaction.at;
    let receipts = transaction.swapped_receipts.iter().map(move |mail| receipt(mail, at));
    receipts.chain(transaction.sent.iter().map(move |sent| sent_record(sent, at)))
}

/// Returns the time in a receipt, and whether the mail has no Message-ID; `None` for a record that a
/// crash has cut off.
pub(in crate::store) fn executed_at(receipt: &[u8]) -> Option<(Time, bool)> {
    let text = str::from_utf8(receipt).ok().filter(|text| text.len() == RECEIPT)?;
    let mut parts = text.split('.');
    let (id, content) = (parts.next()?, parts.next()?);
    Some((Time::from_digits(parts.next()?)?, id == content))
}

/// Returns whether a name below `sent/` is that of a day before yesterday.
pub(in crate::store) fn is_past(name: &str, now: Time) -> bool {
    Day::parse(name).is_some_and(|day| day < (now - DAY).day())
}

/// Returns the file with the mails sent to a mailbox on a day: one of 64 in `sent/2026-11-21`.
pub(in crate::store) fn sent_file(mailbox: [u8; 8], at: Time) -> String {
    sent_file_on(mailbox, &at.day().to_string())
}

fn sent_file_on(mailbox: [u8; 8], day: &str) -> String {
    format!("sent/{day}/{:02x}", mailbox[0] & 0x3f)
}

/// The number of base64 digits of a digest in the record of a mail sent.
const SHORT_DIGITS: usize = 11;
/// The length of the record of a mail sent: `<mailbox>.<mail>`.
pub(in crate::store) const SENT: usize = SHORT_DIGITS + 1 + SHORT_DIGITS;

/// Returns the record of a mail sent at a time.
pub(in crate::store) fn sent_record(sent: &SentRecord, at: Time) -> FileRecord {
    sent_record_on(sent, &at.day().to_string())
}

/// Returns the record of a mail sent on a day, by the day's name.
pub(in crate::store) fn sent_record_on(sent: &SentRecord, day: &str) -> FileRecord {
    let [mailbox, letter] = [sent.mailbox, sent.letter].map(|part| BASE64URL_NOPAD.encode(&part));
    FileRecord { file: sent_file_on(sent.mailbox, day), record: format!("{mailbox}.{letter}") }
}

/// Returns the complete records of a file.
fn records(file: &[u8], length: usize) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let record = file.get(at + 1..at + 1 + length)?;
            let end = file.get(at + 1 + length);
            let is_complete = file[at] == b'\n' && matches!(end, None | Some(b'\n'));
            at += if is_complete { 1 + length } else { 1 };
            if is_complete {
                return Some(record);
            }
        }
    })
}

/// Adds the mails to a mailbox that a file records to `letters`.
pub(in crate::store) fn sent_in(file: &[u8], mailbox: [u8; 8], letters: &mut BTreeSet<[u8; 8]>) {
    let mailbox = BASE64URL_NOPAD.encode(&mailbox);
    for record in records(file, SENT).filter(|record| record[..SHORT_DIGITS] == *mailbox.as_bytes())
    {
        letters.extend(part(&record[SHORT_DIGITS + 1..]));
    }
}

/// Decodes the first bytes of a digest.
fn part(digits: &[u8]) -> Option<[u8; 8]> {
    BASE64URL_NOPAD.decode(digits).ok()?.try_into().ok()
}

/// Returns all mails sent that a file records.
pub(in crate::store) fn all_sent_in(file: &[u8]) -> BTreeSet<SentRecord> {
    let sent = |record: &[u8]| {
        Some(SentRecord {
            mailbox: part(&record[..SHORT_DIGITS])?,
            letter: part(&record[SHORT_DIGITS + 1..])?,
        })
    };
    records(file, SENT).filter_map(sent).collect()
}

/// Returns what a file of receipts says of a mail; never [`ReceiptStatus::Expiring`].
pub(in crate::store) fn receipt_in(file: &[u8], mail: &MailKey) -> ReceiptStatus {
    let id = BASE64URL_NOPAD.encode(&mail.id);
    let content = BASE64URL_NOPAD.encode(&mail.content);
    let mut status = ReceiptStatus::Never;
    for record in records(file, RECEIPT).filter(|record| record[..DIGITS] == *id.as_bytes()) {
        if record[DIGITS + 1..][..DIGITS] == *content.as_bytes() {
            return ReceiptStatus::Executed;
        }
        status = ReceiptStatus::Reused;
    }
    status
}

/// A receipt as read from a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct StoredReceipt {
    pub(in crate::store) mail: MailKey,
    pub(in crate::store) at: Time,
}

/// Returns all receipts in a file.
pub(in crate::store) fn receipts_in(file: &[u8]) -> Vec<StoredReceipt> {
    let digest = |digits: &[u8]| {
        let bytes: [u8; 32] = BASE64URL_NOPAD.decode(digits).ok()?.try_into().ok()?;
        Some(Digest::from(bytes))
    };
    let receipt = |record: &[u8]| {
        let at = std::str::from_utf8(&record[2 * DIGITS + 2..]).ok().and_then(Time::from_digits)?;
        let (id, content) = (digest(&record[..DIGITS])?, digest(&record[DIGITS + 1..][..DIGITS])?);
        Some(StoredReceipt { mail: MailKey { id, content }, at })
    };
    records(file, RECEIPT).filter_map(receipt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::from_unix(1_795_238_400);

    #[test]
    fn a_record_of_a_mail_sent_is_counted_once_and_spoils_no_other() {
        let sent = |mailbox, letter| SentRecord { mailbox: [mailbox; 8], letter: [letter; 8] };
        let record = |mailbox, letter| sent_record(&sent(mailbox, letter), NOW).record;
        assert_eq!(record(1, 2).len(), SENT);
        for cut in 0..SENT {
            let lines = [record(1, 1), record(1, 2)[..cut].to_owned(), record(1, 3), record(1, 1)];
            let file = format!("\n{}\n{}", lines.join("\n"), record(2, 4));
            let mut letters = BTreeSet::new();
            sent_in(file.as_bytes(), [1; 8], &mut letters);
            assert_eq!(letters.into_iter().collect::<Vec<_>>(), [[1; 8], [3; 8]], "{cut}");
        }
        assert_eq!(sent_file([0xff; 8], NOW), "sent/2026-11-21/3f");
        assert!(is_past("2026-11-19", NOW) && !is_past("2026-11-20", NOW));
        assert!(!is_past(".directory", NOW), "a file of another program");
    }

    #[test]
    fn a_receipt_cut_off_spoils_no_other() {
        let mail = |id, content| MailKey { id: [id; 32].into(), content: [content; 32].into() };
        let record = |id, content| receipt(&mail(id, content), NOW).record;
        assert_eq!(record(1, 2).len(), RECEIPT);
        for cut in 0..RECEIPT {
            let file = format!("\n{}\n{}\n{}", record(1, 1), &record(2, 2)[..cut], record(3, 3));
            let seen = |id, content| receipt_in(file.as_bytes(), &mail(id, content));
            assert_eq!(seen(1, 1), ReceiptStatus::Executed);
            assert_eq!(seen(1, 9), ReceiptStatus::Reused);
            assert_eq!(seen(2, 2), ReceiptStatus::Never);
            assert_eq!(seen(3, 3), ReceiptStatus::Executed, "cut after {cut}");
        }
    }
}
