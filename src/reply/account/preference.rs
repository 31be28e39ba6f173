//! What users have chosen for their mails.

use super::super::block::Block;
use super::super::{Outgoing, To};
use crate::base::ids::UserId;
use crate::model::user::{Chosen, OptOut};

/// What follows from a choice.
pub(super) fn chosen(chosen: &Chosen) -> Outgoing {
    let sentence = format!("From now on {}", chosen.value.told);
    Outgoing::answer("Settings", vec![Block::sentence(sentence)])
}

/// The mail to a user who has turned off a kind of mails by the address for it.
pub fn opted_out(user: &UserId, what: OptOut) -> Outgoing {
    let Chosen { preference, value } = what.choice();
    let blocks = vec![
        Block::sentence(format!(
            "Somebody, perhaps you, has turned mails of a kind off by the button of a mail program: \
             from now on {}",
            value.told
        )),
        Block::sentence("To get them again, send the Subject"),
        Block::command(format!("set {user} <password> {} on", preference.name)),
    ];
    Outgoing::new(To::User(user.clone()), format!("Settings of {user}"), blocks)
}
