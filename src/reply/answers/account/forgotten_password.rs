//! Answers to users who have forgotten their password, or their userid, too. An answer is the same
//! whether the user exists or not.

use crate::base::ids::UserId;
use crate::base::words::AndList;
use crate::mail::Address;
use crate::model::one_time_code::OneTimeCode;
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::letters::{Block, OutgoingMail, Recipient, send_code};

/// Builds the answer, and the mail with a code.
pub(super) fn password(world: &World, code: Option<&(UserId, OneTimeCode)>) -> Vec<OutgoingMail> {
    let answer = vec![
        Block::sentence(
            "If this user exists, a code has been mailed to the registered address. It works once, \
             within a day, in place of the old password.",
        ),
        Block::sentence(
            "If no mail comes, the user does not exist, or three codes were already mailed today.",
        ),
    ];
    let mut mails = vec![OutgoingMail::answer("A new password", answer)];
    if let Some((user, code)) = code {
        let sentence = format!(
            "Somebody, perhaps you, has forgotten the password of {user}. To choose a new one, send \
             this Subject within a day"
        );
        let mut blocks = Vec::from(send_code(sentence, &new_password(user, code)));
        blocks.push(Block::sentence("If it was not you, do nothing: your password is unchanged."));
        mails.extend(to_registered(world, user, "A new password", &blocks));
    }
    mails
}

/// Builds the answer to a user who does not know the userid, and the mail to the address.
pub(super) fn userid(address: &Address, codes: &[(UserId, OneTimeCode)]) -> Vec<OutgoingMail> {
    let answer = vec![
        Block::sentence(
            "If a user here has this address, a mail has gone to it with the userids, and with a \
             code for each. A code works once, within a day, in place of the old password.",
        ),
        Block::sentence(
            "If no mail comes, nobody here has this address, or three codes were already mailed \
             today.",
        ),
    ];
    let mut mails = vec![OutgoingMail::answer("Your userid", answer)];
    if codes.is_empty() {
        return mails;
    }
    let users: Vec<&UserId> = codes.iter().map(|(user, _)| user).collect();
    let are = if users.len() == 1 { "userid is" } else { "userids are" };
    let mut blocks = vec![Block::sentence(format!("Your {are} {}.", AndList(&users)))];
    for (user, code) in codes {
        let sentence =
            format!("To choose a new password for {user}, send this Subject within a day");
        blocks.extend(send_code(sentence, &new_password(user, code)));
    }
    blocks.push(Block::sentence(
        "Somebody, perhaps you, has asked for this mail. If it was not you, do nothing: your \
         passwords are unchanged.",
    ));
    mails.push(OutgoingMail::new(Recipient::Address(address.clone()), "Your userid", blocks));
    mails
}

fn new_password(user: &UserId, code: &OneTimeCode) -> String {
    format!("change password {user} {} <new password>", code.as_str())
}
