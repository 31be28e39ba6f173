//! Which file of the home holds what, beside the documents, which know their own
//! ([`Key::file`](crate::base::key::Key::file)).

use crate::base::digest::Digest;
use crate::base::time::{DAY, Month, Time};
use crate::store::receipt::receipt_months;
use crate::store::{DocumentKind, MailKey, ReceiptStatus, SentRecord};
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use std::collections::BTreeSet;

/// When the boards of a game have to be looked at: eight bytes a board, at its number.
pub(in crate::store) fn wakeups(game: &'static str) -> String {
    format!("{}/looks", DocumentKind::Boards(game).folder())
}

/// The file below the home that holds a mail's receipt: one of 4096 in its month.
fn receipt_file(month: Month, id: &Digest) -> String {
    let digits = HEXLOWER.encode(&id[..2]);
    format!("seen/{month}/{}/{}", &digits[..2], &digits[2..3])
}

/// The receipts of a month begin in 16 files; one that has become so long gets no more, and what
/// would go into it goes into 256 others. So a small home seldom makes a file or a folder for a
/// receipt, which costs more than all else of it, and a large one has no long files to read.
pub(in crate::store) const LONG: u64 = 128 * 1024;

/// The file in which a receipt goes before the one of 4096 that has this path; none where the path
/// is not that of a receipt.
pub(in crate::store) fn early_file(path: &str) -> Option<&str> {
    let month_ends = path.match_indices('/').nth(1).filter(|_| path.starts_with("seen/"));
    month_ends.map(|(at, _)| &path[..at + 2])
}

/// The files that may hold a mail's receipt, with their month, the latest first.
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

/// Letters of a digest in a receipt.
const DIGITS: usize = 43;
/// A receipt: two digests, when the mail was executed, and points between.
pub(in crate::store) const RECORD: usize = DIGITS + 1 + DIGITS + 1 + 12;

/// A receipt's file below the home, and what it says: `<Message-ID>.<content>.<Unix time>`, all of
/// one length. In its file a newline comes before it, so that one that a crash cut off spoils none
/// after it.
pub(in crate::store) fn receipt(mail: &MailKey, at: Time) -> (String, String) {
    let [id, content] = [&mail.id, &mail.content].map(|digest| BASE64URL_NOPAD.encode(digest));
    (receipt_file(at.month(), &mail.id), format!("{id}.{content}.{}", at.digits()))
}

/// When the mail of a receipt was executed, and whether it has no Message-ID; nothing if a crash has cut
/// it off.
pub(in crate::store) fn executed_at(receipt: &[u8]) -> Option<(Time, bool)> {
    let text = str::from_utf8(receipt).ok().filter(|text| text.len() == RECORD)?;
    let mut parts = text.split('.');
    let (id, content) = (parts.next()?, parts.next()?);
    Some((Time::from_digits(parts.next()?)?, id == content))
}

/// Whether a folder of what was sent is of a day before yesterday, or no day's.
pub(in crate::store) fn is_past(name: &str, now: Time) -> bool {
    // Names of days are in order.
    name < (now - DAY).day().to_string().as_str()
}

/// The file below the home that counts a mailbox's mails of a day: one of 64 in `sent/2026-11-21`.
pub(in crate::store) fn sent_file(mailbox: [u8; 8], at: Time) -> String {
    sent_file_on(mailbox, &at.day().to_string())
}

fn sent_file_on(mailbox: [u8; 8], day: &str) -> String {
    format!("sent/{day}/{:02x}", mailbox[0] & 0x3f)
}

/// Letters of a digest in the record of a mail sent.
const SHORT: usize = 11;
/// Such a record: mailbox, point, mail. Behind a newline, as a receipt.
pub(in crate::store) const SENT: usize = SHORT + 1 + SHORT;

/// The file of such a record below the home, and what it says.
pub(in crate::store) fn sent_record(sent: &SentRecord, at: Time) -> (String, String) {
    sent_on(sent, &at.day().to_string())
}

/// The same for a day by its name.
pub(in crate::store) fn sent_on(sent: &SentRecord, day: &str) -> (String, String) {
    let [mailbox, letter] = [sent.mailbox, sent.letter].map(|part| BASE64URL_NOPAD.encode(&part));
    (sent_file_on(sent.mailbox, day), format!("{mailbox}.{letter}"))
}

/// Adds the mails to a mailbox of which a file tells.
pub(in crate::store) fn sent_in(file: &[u8], mailbox: [u8; 8], letters: &mut BTreeSet<[u8; 8]>) {
    let mailbox = BASE64URL_NOPAD.encode(&mailbox);
    let mut at = 0;
    while let Some(record) = file.get(at + 1..at + 1 + SENT) {
        let whole = file[at] == b'\n' && matches!(file.get(at + 1 + SENT), None | Some(b'\n'));
        at += if whole { 1 + SENT } else { 1 };
        if whole && record[..SHORT] == *mailbox.as_bytes() {
            let letter = BASE64URL_NOPAD.decode(&record[SHORT + 1..]).ok();
            letters.extend(letter.and_then(|letter| <[u8; 8]>::try_from(letter).ok()));
        }
    }
}

/// Whether a file of receipts tells of a mail.
pub(in crate::store) fn receipt_in(file: &[u8], mail: &MailKey) -> ReceiptStatus {
    let id = BASE64URL_NOPAD.encode(&mail.id);
    let content = BASE64URL_NOPAD.encode(&mail.content);
    let mut answer = ReceiptStatus::Never;
    let mut at = 0;
    while let Some(record) = file.get(at + 1..at + 1 + RECORD) {
        let whole = file[at] == b'\n' && matches!(file.get(at + 1 + RECORD), None | Some(b'\n'));
        at += if whole { 1 + RECORD } else { 1 };
        if whole && record[..DIGITS] == *id.as_bytes() {
            if record[DIGITS + 1..][..DIGITS] == *content.as_bytes() {
                return ReceiptStatus::Before;
            }
            answer = ReceiptStatus::Reused;
        }
    }
    answer
}

/// The whole records of a file, each of that length behind a newline.
fn records(file: &[u8], length: usize) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let record = file.get(at + 1..at + 1 + length)?;
            let end = file.get(at + 1 + length);
            let whole = file[at] == b'\n' && matches!(end, None | Some(b'\n'));
            at += if whole { 1 + length } else { 1 };
            if whole {
                return Some(record);
            }
        }
    })
}

/// All receipts of a file: the two digests, and when the mail was executed.
pub(in crate::store) fn receipts_in(file: &[u8]) -> Vec<(Digest, Digest, Time)> {
    let digest = |digits: &[u8]| {
        let bytes: [u8; 32] = BASE64URL_NOPAD.decode(digits).ok()?.try_into().ok()?;
        Some(Digest::from(bytes))
    };
    let receipt = |record: &[u8]| {
        let at = std::str::from_utf8(&record[2 * DIGITS + 2..]).ok().and_then(Time::from_digits)?;
        Some((digest(&record[..DIGITS])?, digest(&record[DIGITS + 1..][..DIGITS])?, at))
    };
    records(file, RECORD).filter_map(receipt).collect()
}

/// All mails sent of which a file tells: to which mailbox, and which.
pub(in crate::store) fn all_sent_in(file: &[u8]) -> BTreeSet<([u8; 8], [u8; 8])> {
    let part = |digits: &[u8]| BASE64URL_NOPAD.decode(digits).ok()?.try_into().ok();
    let sent = |record: &[u8]| Some((part(&record[..SHORT])?, part(&record[SHORT + 1..])?));
    records(file, SENT).filter_map(sent).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time::from_unix(1_795_238_400);

    #[test]
    fn a_record_of_a_mail_sent_is_counted_once_and_spoils_no_other() {
        let sent = |mailbox, letter| SentRecord { mailbox: [mailbox; 8], letter: [letter; 8] };
        let record = |mailbox, letter| sent_record(&sent(mailbox, letter), NOW).1;
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
    }

    #[test]
    fn a_receipt_cut_off_spoils_no_other() {
        let mail = |id, content| MailKey { id: [id; 32].into(), content: [content; 32].into() };
        let record = |id, content| receipt(&mail(id, content), NOW).1;
        assert_eq!(record(1, 2).len(), RECORD);
        for cut in 0..RECORD {
            let file = format!("\n{}\n{}\n{}", record(1, 1), &record(2, 2)[..cut], record(3, 3));
            let seen = |id, content| receipt_in(file.as_bytes(), &mail(id, content));
            assert_eq!(seen(1, 1), ReceiptStatus::Before);
            assert_eq!(seen(1, 9), ReceiptStatus::Reused);
            assert_eq!(seen(2, 2), ReceiptStatus::Never);
            assert_eq!(seen(3, 3), ReceiptStatus::Before, "cut after {cut}");
        }
    }
}
