//! Answers to users who have forgotten a password, or the userid too. An answer is the same
//! whether such a user exists or not.

use crate::base::ids::UserId;
use crate::base::words::AndList;
use crate::mail::Address;
use crate::model::code::OneTimeCode;
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::letters::blocks::{Block, to_send};
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};

/// The answer, and the mail with a one-time word.
pub(super) fn password(world: &World, word: Option<&(UserId, OneTimeCode)>) -> Vec<OutgoingMail> {
    let answer = vec![
        Block::sentence(
            "If there is such a user here, a code has been mailed to the registered address. It \
             works once, within a day, instead of the old password.",
        ),
        Block::sentence(
            "If no mail comes, three codes have been sent today already, or there is no such user.",
        ),
    ];
    let mut mails = vec![OutgoingMail::answer("A new password", answer)];
    if let Some((user, word)) = word {
        let sentence = format!(
            "Somebody, perhaps you, has said that the password of {user} is forgotten. To choose a \
             new one, send within a day the Subject"
        );
        let mut blocks = Vec::from(to_send(sentence, &new_password(user, word)));
        blocks.push(Block::sentence("If it was not you, do nothing: your password is as it was."));
        mails.extend(to_registered(world, user, "A new password", &blocks));
    }
    mails
}

/// The answer to a user who does not know the userid, and the mail to the address.
pub(super) fn userid(address: &Address, words: &[(UserId, OneTimeCode)]) -> Vec<OutgoingMail> {
    let answer = vec![
        Block::sentence(
            "If somebody here has that address, a mail has gone to it: with the userids, and for \
             each a code that works once, within a day, instead of the old password.",
        ),
        Block::sentence(
            "If no mail comes, three codes have been sent today already, or nobody here has that \
             address.",
        ),
    ];
    let mut mails = vec![OutgoingMail::answer("Your userid", answer)];
    if words.is_empty() {
        return mails;
    }
    let users: Vec<&UserId> = words.iter().map(|(user, _)| user).collect();
    let are = if users.len() == 1 { "userid is" } else { "userids are" };
    let mut blocks = vec![Block::sentence(format!("Your {are} {}.", AndList(&users)))];
    for (user, word) in words {
        let sentence =
            format!("To choose a new password for {user}, send within a day the Subject");
        blocks.extend(to_send(sentence, &new_password(user, word)));
    }
    blocks.push(Block::sentence(
        "Somebody, perhaps you, has asked for this mail. If it was not you, do nothing: your \
         passwords are as they were.",
    ));
    mails.push(OutgoingMail::new(Recipient::Address(address.clone()), "Your userid", blocks));
    mails
}

fn new_password(user: &UserId, word: &OneTimeCode) -> String {
    format!("change password {user} {} <new password>", word.as_str())
}
