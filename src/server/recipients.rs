//! Finds the addresses of an outgoing mail.

use crate::mail::{Address, AnsweredMail, MailKind, Message, is_role_address};
use crate::model::user::User;
use crate::model::world::World;
use crate::reply::{OutgoingMail, Recipient};
use crate::server::env::Env;

/// A mail with one of its addresses.
pub(super) struct AddressedMail<'a> {
    pub(super) mail: &'a OutgoingMail,
    pub(super) to: Address,
    pub(super) kind: MailKind,
    /// The mail that it answers.
    pub(super) in_reply_to: Option<AnsweredMail>,
}

/// Returns `mail` once for each address of its recipient. `answered` is the incoming mail that
/// caused it, if any.
pub(super) fn address_mail<'a>(
    mail: &'a OutgoingMail,
    answered: Option<&Message>,
    kind: MailKind,
    world: &World,
    env: &mut Env,
) -> Vec<AddressedMail<'a>> {
    // A notice to a listener does not answer the mail that caused it, even if both have the same
    // address.
    let is_notice = matches!(mail.to, Recipient::Listener(_));
    let kind = if is_notice { MailKind::Notice } else { kind };
    let answered = answered.filter(|_| !is_notice);
    let with_address = |to: Address| {
        let in_reply_to = answered
            .filter(|message| message.from.address() == Some(&to))
            .and_then(Message::as_answered);
        AddressedMail { mail, to, kind, in_reply_to }
    };
    addresses(mail, answered, world, env).into_iter().map(with_address).collect()
}

/// Returns the addresses where the recipient reads mail. The log says why a mail has none.
fn addresses(
    mail: &OutgoingMail,
    answered: Option<&Message>,
    world: &World,
    env: &mut Env,
) -> Vec<Address> {
    match &mail.to {
        Recipient::Sender => {
            answered.and_then(|message| message.from.address()).cloned().into_iter().collect()
        }
        Recipient::Address(address) if is_role_address(address) => {
            env.note(format!("dropped: a mail to {address}, which no person reads"));
            Vec::new()
        }
        Recipient::Address(address) => vec![address.clone()],
        Recipient::User(id) | Recipient::Listener(id) => {
            let user = world.user(id);
            let addresses = user.map(User::reachable).unwrap_or_default();
            if user.is_none_or(|user| user.addresses.is_empty()) {
                // The program and guests have no address.
                let has_none = world.level(id).is_some() || world.is_guest(id);
                if matches!(mail.to, Recipient::User(_)) && !has_none {
                    env.note(format!("dropped: a mail to {id}, who has no address"));
                }
            } else if addresses.is_empty() {
                env.note(format!("dropped: a mail to {id}, whose mails came back"));
            }
            addresses
        }
    }
}
