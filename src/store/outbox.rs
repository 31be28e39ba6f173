//! Mails to go out.
use super::Transaction;
pub(super) fn bundles(t: &Transaction) -> Vec<(String, Vec<u8>)> {
    t.letters.iter().map(|l| (format!("outbox/new/{}.eml", l.name), l.bytes.clone())).collect()
}
