//! Answers to users who sign in with a browser.

use crate::base::ids::UserId;
use crate::model::code::{OneTimeCode, SIGN_IN_TIME};
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::letters::blocks::Block;
use crate::reply::letters::outgoing_mail::OutgoingMail;

/// The answer, the same whether anybody is there or not, and the mails with the links.
pub(super) fn links(
    world: &World,
    links: &[(UserId, OneTimeCode)],
    site: &str,
) -> Vec<OutgoingMail> {
    let minutes = SIGN_IN_TIME.minutes();
    let mut mails = vec![link_requested()];
    for (user, code) in links {
        let blocks = [
            Block::send(
                format!(
                    "Somebody, perhaps you, wants to sign in as {user} with a browser. If it was \
                     you, open this page within {minutes} minutes and press its button:"
                ),
                [format!("{site}/signin/{}", code.as_str())],
            ),
            Block::sentence("If it was not you, do nothing: nobody has signed in."),
        ];
        mails.extend(to_registered(world, user, "A link to sign in", &blocks));
    }
    mails
}

/// The answer to a visitor who asks for a link, whoever it is for.
pub fn link_requested() -> OutgoingMail {
    let minutes = SIGN_IN_TIME.minutes();
    let answer = vec![
        Block::sentence(format!(
            "If there is such a user here, a link has been mailed to the registered address. It \
             works once, within {minutes} minutes."
        )),
        Block::sentence(
            "If no mail comes, there is no such user, or ten links have been mailed today already.",
        ),
    ];
    OutgoingMail::answer("A link to sign in", answer)
}

/// A user has signed in.
pub(super) fn signed_in(user: &UserId) -> OutgoingMail {
    let blocks = vec![Block::sentence(format!("Welcome, {user}."))];
    OutgoingMail::answer(format!("Welcome {user}"), blocks)
}

/// A user is signed in nowhere.
pub(super) fn signed_out(user: &UserId) -> OutgoingMail {
    let blocks = vec![Block::sentence(format!("{user} is signed out of all browsers."))];
    OutgoingMail::answer(format!("Goodbye {user}"), blocks)
}

/// What became of a key for programs.
pub(super) fn key(sentence: &str) -> OutgoingMail {
    OutgoingMail::answer("Keys for programs", vec![Block::sentence(sentence)])
}
