//! Whether a mail was executed before, and what it is known by.

use crate::base::digest::digest;
use crate::base::ids::BoardId;
use crate::command;
use crate::mail::{Address, Malformed, MessageId, parse};
use crate::server::{Server, inbox};
use crate::store::spool::Strands;
use crate::store::{Fault, MailKey, Seen, Store, executed};
use data_encoding::HEXLOWER;
use std::panic::catch_unwind;

impl Server<'_> {
    pub(super) fn is_new(
        &mut self,
        key: &MailKey,
        store: &dyn Store,
        now: i64,
    ) -> Result<bool, Fault> {
        let done = &self.done;
        let pending = || done.seen.iter().chain(&done.turned);
        let seen = executed(key, |key| {
            if pending().any(|done| done == key) {
                Ok(Seen::Before)
            } else if pending().any(|done| done.id == key.id) {
                Ok(Seen::Reused)
            } else {
                store.seen(key, now)
            }
        })?;
        match seen {
            Seen::New => {}
            Seen::Before | Seen::Fading => {
                self.log.push(format!("mail {} was executed before", short(key)));
                return Ok(false);
            }
            Seen::Reused => self.log.push(format!(
                "mail {} has the Message-ID of another mail; it is executed",
                short(key)
            )),
        }
        Ok(true)
    }
}

pub(super) fn mail_key(id: Option<&MessageId>, content: [u8; 32]) -> MailKey {
    MailKey { id: id.map_or(content, |id| digest(id.to_string().as_bytes())), content }
}

pub(super) fn unfit_key(unfit: &Malformed) -> MailKey {
    mail_key(unfit.message_id.as_ref(), unfit.digest)
}

/// The record that a mail was given up. It is not that of the mail itself, so that an operator can
/// have it executed once the fault is mended.
pub fn given_up(key: &MailKey) -> MailKey {
    MailKey { id: digest([&key.id[..], b"given up"].concat().as_slice()), content: key.content }
}

/// The identity of a raw mail, as [`Server::mail`] keeps it, even of one that cannot be read.
pub fn key_of(raw: &[u8], own: &Address) -> MailKey {
    match catch_unwind(|| parse(raw, own)) {
        Ok(Ok(message)) => mail_key(message.message_id.as_ref(), message.digest),
        Ok(Err(unfit)) => unfit_key(&unfit),
        Err(_) => mail_key(None, digest(raw)),
    }
}

/// What a mail shares with others that must not overtake it: its sender, and the boards that it is
/// about. A mail that cannot be read shares nothing.
pub fn strands(raw: &[u8], own: &Address) -> Strands {
    catch_unwind(|| strands_of(raw, own)).unwrap_or_default()
}

pub(super) fn strands_of(raw: &[u8], own: &Address) -> Strands {
    let Ok(message) = parse(raw, own) else { return Strands::new() };
    let mut boards: Vec<BoardId> = inbox::tag(&message).map(|tag| tag.board).into_iter().collect();
    let lines = inbox::requests(&message, false, None).unwrap_or_default();
    let commands = lines.iter().filter_map(|it| command::parse(&it.line, &it.trust).ok());
    boards.extend(commands.filter_map(|command| command.board()));
    let sender = message.from.as_str().to_lowercase();
    boards.iter().map(ToString::to_string).chain([sender]).collect()
}

pub(super) fn short(key: &MailKey) -> String {
    HEXLOWER.encode(&key.content[..6])
}
