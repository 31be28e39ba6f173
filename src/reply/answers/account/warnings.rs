//! Warnings to users about what others may have done in their name.

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::reply::letters::{Block, OutgoingMail, Recipient};

/// Builds the warning that the user's reply address was used from a foreign address.
pub fn foreign_reply(user: &UserId, topic: &Topic, from: &Address) -> OutgoingMail {
    let (about, remedy) = match topic.board() {
        Some(BoardId { game, number }) => {
            let title = games::title(game);
            let remedy = format!("{game} newtoken {number} {user} <password>");
            (format!("to a mail about {title} board {number}"), remedy)
        }
        None => (
            "to one of my mails".into(),
            format!("change password {user} <password> <new password>"),
        ),
    };
    let blocks = vec![
        Block::sentence(format!(
            "A reply in your name {about} came from {from}, which is not one of your addresses. It was \
             carried out."
        )),
        Block::sentence("If you wrote it, you need not do anything."),
        Block::sentence(
            "If not, somebody has one of your mails. To make its reply address void, send the Subject",
        ),
        Block::command(remedy),
    ];
    warning(user, "A reply from another address", blocks)
}

/// Builds the warning that a program made a key with the user's password.
pub(super) fn new_key(user: &UserId, name: &str) -> OutgoingMail {
    let blocks = vec![
        Block::sentence(format!(
            "A program that knows your password has made a key, \"{name}\", to play in your name."
        )),
        Block::sentence("If it is yours, you need not do anything."),
        Block::sentence("If not, change your password, which revokes all keys. Send the Subject"),
        Block::command(format!("change password {user} <password> <new password>")),
    ];
    warning(user, "A new key for a program", blocks)
}

fn warning(user: &UserId, subject: &str, blocks: Vec<Block>) -> OutgoingMail {
    let mail = OutgoingMail::new(Recipient::User(user.clone()), subject, blocks);
    OutgoingMail { share: QuotaShare::Account, ..mail }
}
