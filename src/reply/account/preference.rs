//! What users have chosen for their mails.

use super::super::block::Block;
use super::super::{OutgoingMail, Recipient};
use crate::base::ids::UserId;
use crate::model::user::{OptOut, PreferenceChoice};

/// What follows from a choice.
pub(super) fn chosen(chosen: &PreferenceChoice) -> OutgoingMail {
    let sentence = format!("From now on {}", chosen.value.told);
    OutgoingMail::answer("Settings", vec![Block::sentence(sentence)])
}

/// The mail to a user who has turned off a kind of mails by the address for it.
pub fn opted_out(user: &UserId, what: OptOut) -> OutgoingMail {
    let PreferenceChoice { preference, value } = what.choice();
    let blocks = vec![
        Block::sentence(format!(
            "Somebody, perhaps you, has turned mails of a kind off by the button of a mail program: \
             from now on {}",
            value.told
        )),
        Block::sentence("To get them again, send the Subject"),
        Block::command(format!("set {user} <password> {} on", preference.name)),
    ];
    OutgoingMail::new(Recipient::User(user.clone()), format!("Settings of {user}"), blocks)
}
