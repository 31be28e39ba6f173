//! Answers to administrators about their pages, and the mails with their codes.

use crate::base::ids::UserId;
use crate::model::one_time_code::{ADMINISTER_TIME, OneTimeCode};
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::letters::{Block, OutgoingMail};

/// Builds the answer to an administrator, and the mail with the code for an act; without an act, for entering
/// the pages.
pub(super) fn code(
    world: &World,
    user: &UserId,
    code: &OneTimeCode,
    act: Option<&str>,
    site: Option<&str>,
) -> Vec<OutgoingMail> {
    let minutes = ADMINISTER_TIME.minutes();
    let (wants, subject) = match act {
        Some(act) => {
            (format!("wants to do this as {user}: {act}."), "Confirm: an act on the server")
        }
        None => (
            format!("wants to enter the administrators' pages as {user}."),
            "Enter the administrators' pages",
        ),
    };
    let mut blocks = vec![Block::send(
        format!(
            "Somebody, perhaps you, {wants} If it is you, copy this code into the page within {minutes} \
             minutes:"
        ),
        [code.as_str().to_owned()],
    )];
    if let Some(site) = site {
        let link = format!("{site}/admin/enter?code={}", code.as_str());
        blocks.push(Block::send("Or open this page, where it is filled in:".to_owned(), [link]));
    }
    blocks.push(Block::sentence(
        "If it is not you, somebody else is signed in under your name: change your password, which signs \
         out everybody else.",
    ));
    let mut mails = vec![OutgoingMail::answer(
        subject,
        vec![Block::sentence(format!(
            "A code has been mailed to your registered address. It works once, within {minutes} minutes."
        ))],
    )];
    mails.extend(to_registered(world, user, subject, &blocks));
    mails
}

/// Builds the answer to an administrator who has done something.
pub(super) fn done(what: &str) -> OutgoingMail {
    OutgoingMail::answer("Administration", vec![Block::sentence(format!("Done: {what}."))])
}
