//! Incoming mails, their identity, and whether they were executed before.

use crate::base::digest::Digest;
use crate::base::ids::BoardId;
use crate::mail::{Address, Malformed, Message, MessageId, parse};
use crate::server::env::Env;
use crate::server::requests;
use crate::store::spool::Strands;
use crate::store::{Fault, MailKey, ReceiptStatus, Transaction, executed};
use data_encoding::HEXLOWER;
use std::panic::catch_unwind;

/// A parsed mail, or why it cannot be read, with its key.
#[derive(Debug)]
pub struct IncomingMail {
    pub(super) message: Result<Message, Malformed>,
    key: MailKey,
}

impl IncomingMail {
    /// Parses the bytes of a mail to the address `own`.
    pub fn read(raw: &[u8], own: &Address) -> Self {
        let message = parse(raw, own);
        let key = match &message {
            Ok(message) => mail_key(message.message_id.as_ref(), message.digest),
            Err(malformed) => mail_key(malformed.message_id.as_ref(), malformed.digest),
        };
        Self { message, key }
    }

    /// Returns the identity of the mail, even if it cannot be read.
    pub fn key(&self) -> &MailKey {
        &self.key
    }

    /// Returns the identity that older versions gave to the mail, if it differs.
    pub(super) fn earlier_key(&self) -> Option<MailKey> {
        let message = self.message.as_ref().ok()?;
        let earlier = mail_key(message.message_id.as_ref(), message.untagged_digest);
        (earlier != self.key).then_some(earlier)
    }

    /// Returns the strands of the mail: its sender and its boards. Mails that share a strand must
    /// not overtake each other. An unreadable mail has none.
    pub fn strands(&self) -> Strands {
        let Ok(message) = &self.message else { return Strands::new() };
        let requests = requests::find_requests(message, false, None).unwrap_or_default();
        let boards = requests.iter().filter_map(|request| request.command.as_ref().ok()?.board());
        let mut strands = self.plain_strands();
        strands.extend(boards.map(|board: BoardId| board.to_string()));
        strands
    }

    /// Returns the strands that are known without parsing commands: the sender, and the topic of the
    /// address.
    pub fn plain_strands(&self) -> Strands {
        let Ok(message) = &self.message else { return Strands::new() };
        let board = requests::tag(message).map(|tag| tag.board.to_string());
        let topic = requests::topic_tag(message).and_then(|tag| tag.topic.strand());
        let from = message.from.address().map(|from| from.as_str().to_lowercase());
        board.into_iter().chain(topic).chain(from).collect()
    }
}

/// Returns the key of a raw mail, even if a bug makes its parsing panic.
pub fn key_of(raw: &[u8], own: &Address) -> MailKey {
    let read = catch_unwind(|| IncomingMail::read(raw, own).key);
    read.unwrap_or_else(|_| mail_key(None, Digest::of(raw)))
}

/// Returns the [strands](IncomingMail::strands) of a raw mail.
pub fn strands(raw: &[u8], own: &Address) -> Strands {
    catch_unwind(|| IncomingMail::read(raw, own).strands()).unwrap_or_default()
}

/// Returns the receipt of a mail that was given up. It differs from that of the executed mail, so
/// that an operator can have the mail executed after a bug is fixed.
pub fn given_up(key: &MailKey) -> MailKey {
    MailKey { id: Digest::of([&key.id[..], b"given up"].concat()), content: key.content }
}

fn mail_key(id: Option<&MessageId>, content: Digest) -> MailKey {
    MailKey { id: id.map_or(content, |id| Digest::of(id.to_string())), content }
}

/// Returns the log's name of a mail.
pub(super) fn log_name(key: &MailKey) -> String {
    number(&key.content)
}

/// Returns the log's number for a digest.
pub(super) fn number(digest: &[u8]) -> String {
    HEXLOWER.encode(&digest[..6])
}

/// Returns whether an older version has executed the mail, under the key that it used.
pub(super) fn was_executed_earlier(key: &MailKey, env: &Env) -> Result<bool, Fault> {
    let seen = executed(key, |key| env.store.receipt(key, env.now))?;
    Ok(matches!(seen, ReceiptStatus::Executed | ReceiptStatus::Expiring))
}

/// Returns whether a mail or request was executed before, or by the transaction `under_way`.
pub(super) fn status(
    key: &MailKey,
    under_way: &Transaction,
    env: &Env,
) -> Result<ReceiptStatus, Fault> {
    let pending = || under_way.receipts.iter().chain(&under_way.swapped_receipts);
    executed(key, |key| {
        if pending().any(|seen| seen == key) {
            Ok(ReceiptStatus::Executed)
        } else if pending().any(|seen| seen.id == key.id) {
            Ok(ReceiptStatus::Reused)
        } else {
            env.store.receipt(key, env.now)
        }
    })
}

/// Returns whether a mail must be executed, and logs it if not.
pub(super) fn is_new(key: &MailKey, under_way: &Transaction, env: &mut Env) -> Result<bool, Fault> {
    match status(key, under_way, env)? {
        ReceiptStatus::Never => {}
        ReceiptStatus::Executed | ReceiptStatus::Expiring => {
            env.note(format!("mail {} was executed before", log_name(key)));
            return Ok(false);
        }
        ReceiptStatus::Reused => env.note(format!(
            "mail {} has the Message-ID of another mail; executed anyway",
            log_name(key)
        )),
    }
    Ok(true)
}
