//! Words about limits: how much is answered to an address, and how many mails go to it.

use crate::base::ids::UserId;
use crate::model::rate_limit::{LimitVerdict, QuotaShare};
use crate::reply::letters::blocks::Block;
use crate::reply::letters::outgoing_mail::OutgoingMail;

/// Replaces an answer that is too long for the rest of a day's limit.
pub fn answer_too_long() -> OutgoingMail {
    let text = "The answer to your mail is not sent: the long answers that went to your address \
                today are enough for one day, since anybody could have asked for them in your name. \
                Short ones are still sent, and your moves and everything with your password work as \
                always. Ask again tomorrow, or for less at once.";
    OutgoingMail::answer("Too long for today", vec![Block::sentence(text)])
}

/// The words below an answer that is the last of its kind for a while.
pub fn last_answer_note(verdict: LimitVerdict) -> Block {
    Block::sentence(match verdict {
        LimitVerdict::LastOfThese => "That is not answered again within a day.",
        _ => {
            "This is the last answer of this kind that goes to this address within a day. What you \
             send with your password is carried out as always, and so are moves by reply."
        }
    })
}

/// Replaces the first mail above the limit of a day, of a share of so many.
pub fn quota_reached(share: QuotaShare, most: usize) -> OutgoingMail {
    let text = match share {
        QuotaShare::Others => format!(
            "{most} mails that others caused have gone to this address today, and no more such \
             mails will before tomorrow (UTC): no messages, no notices, and no answers that anybody \
             could have asked for. Mails about your boards still come. To hear no more words of a \
             player, send `mute <userid> <password> <other>`."
        ),
        QuotaShare::Boards => format!(
            "{most} mails have gone to this address today, and no more will before tomorrow (UTC), \
             but for one-time words. Your commands are carried out as always, and your boards go \
             on. Tomorrow `all show <userid> next` shows the boards that wait for you. If you did \
             not ask for these mails, tell the operator of the server."
        ),
        QuotaShare::Account => format!(
            "{most} mails have gone to this address today, and no more will before tomorrow (UTC)."
        ),
    };
    OutgoingMail::answer("No more mails today", vec![Block::sentence(text)])
}

/// Tells a player that mails go to their address again.
pub fn mails_resumed(user: &UserId) -> OutgoingMail {
    let text = format!(
        "Mails to your registered address came back, three within a week, so no more were sent \
         there. From now on they are again. `all show {user} next` shows the boards that wait for \
         you. If that address is not yours any more, send `change address {user} <password> \
         <address>`."
    );
    OutgoingMail::answer(format!("Mails to {user}"), vec![Block::sentence(text)])
}
