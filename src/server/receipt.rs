//! A mail as it came in, by what it is known, and whether it was executed before.

use crate::base::digest::{Digest, digest};
use crate::base::ids::BoardId;
use crate::mail::{Address, Malformed, Message, MessageId, parse};
use crate::server::env::Env;
use crate::server::inbox;
use crate::store::spool::Strands;
use crate::store::{Fault, MailKey, ReceiptStatus, Transaction, executed};
use data_encoding::HEXLOWER;
use std::panic::catch_unwind;

/// A mail that was read, or why it cannot be, with its key.
#[derive(Debug)]
pub struct IncomingMail {
    pub(super) message: Result<Message, Malformed>,
    key: MailKey,
}

impl IncomingMail {
    /// Reads the bytes of a mail to that address.
    pub fn read(raw: &[u8], own: &Address) -> Self {
        let message = parse(raw, own);
        let key = match &message {
            Ok(message) => mail_key(message.message_id.as_ref(), message.digest),
            Err(malformed) => mail_key(malformed.message_id.as_ref(), malformed.digest),
        };
        Self { message, key }
    }

    /// The identity of the mail, even of one that cannot be read.
    pub fn key(&self) -> &MailKey {
        &self.key
    }

    /// The identity that earlier programs gave to it, if that was another one.
    pub(super) fn earlier_key(&self) -> Option<MailKey> {
        let message = self.message.as_ref().ok()?;
        let earlier = mail_key(message.message_id.as_ref(), message.untagged_digest);
        (earlier != self.key).then_some(earlier)
    }

    /// The sender of the mail and the boards that it is about: mails that share one must not
    /// overtake each other. A mail that cannot be read shares nothing.
    pub fn strands(&self) -> Strands {
        let Ok(message) = &self.message else { return Strands::new() };
        let requests = inbox::requests(message, false, None).unwrap_or_default();
        let boards = requests.iter().filter_map(|it| it.command.as_ref().ok()?.board());
        let mut strands = self.plain_strands();
        strands.extend(boards.map(|board: BoardId| board.to_string()));
        strands
    }

    /// Those of the strands that are seen without understanding its commands: the sender, and the
    /// board whose address it was sent to.
    pub fn plain_strands(&self) -> Strands {
        let Ok(message) = &self.message else { return Strands::new() };
        let board = inbox::tag(message).map(|tag| tag.board.to_string());
        let from = message.from.address().map(|from| from.as_str().to_lowercase());
        board.into_iter().chain(from).collect()
    }
}

/// The key of a raw mail, also of one at which reading it fails by a fault of ours.
pub fn key_of(raw: &[u8], own: &Address) -> MailKey {
    let read = catch_unwind(|| IncomingMail::read(raw, own).key);
    read.unwrap_or_else(|_| mail_key(None, digest(raw)))
}

/// The [strands](IncomingMail::strands) of a raw mail.
pub fn strands(raw: &[u8], own: &Address) -> Strands {
    catch_unwind(|| IncomingMail::read(raw, own).strands()).unwrap_or_default()
}

/// The record that a mail was given up. It is not that of the mail itself, so that an operator can
/// have it executed once the fault is mended.
pub fn given_up(key: &MailKey) -> MailKey {
    MailKey { id: digest([&key.id[..], b"given up"].concat().as_slice()), content: key.content }
}

fn mail_key(id: Option<&MessageId>, content: Digest) -> MailKey {
    MailKey { id: id.map_or(content, |id| digest(id.to_string().as_bytes())), content }
}

/// The log's name for a mail.
pub(super) fn log_name(key: &MailKey) -> String {
    number(&key.content)
}

/// The number, in the log, of what has that digest.
pub(super) fn number(digest: &[u8]) -> String {
    HEXLOWER.encode(&digest[..6])
}

/// Whether an earlier program executed a mail, to which it gave that identity.
pub(super) fn was_executed_earlier(key: &MailKey, env: &Env) -> Result<bool, Fault> {
    let seen = executed(key, |key| env.store.receipt(key, env.now))?;
    Ok(matches!(seen, ReceiptStatus::Before | ReceiptStatus::Fading))
}

/// Whether a mail or request was executed before, also by the transaction under way.
pub(super) fn status(
    key: &MailKey,
    under_way: &Transaction,
    env: &Env,
) -> Result<ReceiptStatus, Fault> {
    let pending = || under_way.receipts.iter().chain(&under_way.turned);
    executed(key, |key| {
        if pending().any(|seen| seen == key) {
            Ok(ReceiptStatus::Before)
        } else if pending().any(|seen| seen.id == key.id) {
            Ok(ReceiptStatus::Reused)
        } else {
            env.store.receipt(key, env.now)
        }
    })
}

/// Whether a mail must be executed: it was not before, also not by the transaction under way.
pub(super) fn is_new(key: &MailKey, under_way: &Transaction, env: &mut Env) -> Result<bool, Fault> {
    match status(key, under_way, env)? {
        ReceiptStatus::Never => {}
        ReceiptStatus::Before | ReceiptStatus::Fading => {
            env.note(format!("mail {} was executed before", log_name(key)));
            return Ok(false);
        }
        ReceiptStatus::Reused => env.note(format!(
            "mail {} has the Message-ID of another mail; it is executed",
            log_name(key)
        )),
    }
    Ok(true)
}
