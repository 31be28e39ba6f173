//! What users have chosen for their mails.

use super::super::block::Block;
use super::super::{Outgoing, To};
use crate::base::ids::UserId;
use crate::model::user::{Language, OptOut, Preference};

/// What it means to get no reminders.
const NO_REMINDERS: &str = "you are not reminded of boards that wait for you. Your clocks run on: \
                            if you let a board wait for too long you lose, and a draw that you do not \
                            answer counts as accepted.";

/// What follows from a choice.
pub(super) fn chosen(preference: Preference) -> Outgoing {
    let what = match preference {
        Preference::Html(true) => "your mails have an HTML part.",
        Preference::Html(false) => "your mails are plain text alone.",
        Preference::Broadcast(true) => "you get what users write to everybody.",
        Preference::Broadcast(false) => "you do not get what users write to everybody.",
        Preference::Reminders(true) => "you are reminded of boards that wait for you.",
        Preference::Reminders(false) => NO_REMINDERS,
        Preference::Words(true) => "your mails tell in words what each picture shows.",
        Preference::Words(false) => "your mails have pictures without words.",
        Preference::Language(Language::English) => "your mails are in English.",
    };
    Outgoing::answer("Settings", vec![Block::sentence(format!("From now on {what}"))])
}

/// What a user is told whose mails of a kind have been turned off by the address for it.
pub fn opted_out(user: &UserId, what: OptOut) -> Outgoing {
    let (name, happened) = match what {
        OptOut::Reminders => ("reminders", NO_REMINDERS),
        OptOut::Broadcasts => ("broadcast", "you do not get what users write to everybody."),
    };
    let blocks = vec![
        Block::sentence(format!(
            "Somebody, perhaps you, has turned mails of a kind off by the button of a mail program: \
             from now on {happened}"
        )),
        Block::sentence("To get them again, send the Subject"),
        Block::command(format!("set {user} <password> {name} on")),
    ];
    Outgoing::new(To::User(user.clone()), format!("Settings of {user}"), blocks)
}
