//! Answers about signing in with a browser, and about program keys.

use crate::base::ids::UserId;
use crate::model::one_time_code::{OneTimeCode, SIGN_IN_TIME};
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::letters::{Block, OutgoingMail};

/// Builds the answer, which is the same whether the user exists or not, and the mails with the links.
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
                    "Somebody, perhaps you, wants to sign in as {user}. If it was you, open this \
                     page within {minutes} minutes and press its button:"
                ),
                [format!("{site}/signin/{}", code.as_str())],
            ),
            Block::sentence("If it was not you, do nothing: nobody has signed in."),
        ];
        mails.extend(to_registered(world, user, "Sign-in link", &blocks));
    }
    mails
}

/// Builds the answer to a visitor who requests a sign-in link, whether the user exists or not.
pub fn link_requested() -> OutgoingMail {
    let minutes = SIGN_IN_TIME.minutes();
    let answer = vec![
        Block::sentence(format!(
            "If this user exists, a link has been mailed to the registered address. It works once, \
             within {minutes} minutes."
        )),
        Block::sentence(
            "If no mail comes, the user does not exist, or ten links were already mailed today.",
        ),
    ];
    OutgoingMail::answer("Sign-in link", answer)
}

/// Builds the answer to a user who has signed in.
pub(super) fn signed_in(user: &UserId) -> OutgoingMail {
    let blocks = vec![Block::sentence(format!("Welcome, {user}."))];
    OutgoingMail::answer(format!("Welcome {user}"), blocks)
}

/// Builds the answer to a user who is signed out of all browsers.
pub(super) fn signed_out(user: &UserId) -> OutgoingMail {
    let blocks = vec![Block::sentence(format!("{user} is signed out of all browsers."))];
    OutgoingMail::answer(format!("Goodbye {user}"), blocks)
}

/// Builds the answer about a browser that gets notices from now on, or no longer.
pub(super) fn browser(is_added: bool) -> OutgoingMail {
    let sentence = if is_added {
        "This browser tells you when it is your turn."
    } else {
        "That browser no longer tells you when it is your turn."
    };
    OutgoingMail::answer("Notices", vec![Block::sentence(sentence)])
}

/// Builds the answer about a program key.
pub(super) fn key(sentence: &str) -> OutgoingMail {
    OutgoingMail::answer("Keys for programs", vec![Block::sentence(sentence)])
}
