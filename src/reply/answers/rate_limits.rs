//! Notes about limits: how much is answered to an address, and how many mails go there.

use crate::base::ids::UserId;
use crate::model::rate_limit::{LimitVerdict, QuotaShare};
use crate::reply::letters::{Block, OutgoingMail};

/// Builds the mail that replaces an answer too long for the rest of a day's limit.
pub fn answer_too_long() -> OutgoingMail {
    let text = "The answer to your mail was not sent: your address has had its share of long answers \
                today. There is a limit because anybody could ask for them in your name. Short \
                answers are still sent, and your moves and everything with your password work as \
                always. Ask again tomorrow, or for less at once.";
    OutgoingMail::answer("Too long for today", vec![Block::sentence(text)])
}

/// Returns the note below an answer that is the last of its kind for a while.
pub fn last_answer_note(verdict: LimitVerdict) -> Block {
    Block::sentence(match verdict {
        LimitVerdict::LastOfThese => "This will not be answered again within a day.",
        _ => {
            "This is the last answer of this kind to your address within a day. Commands with your \
             password and moves by reply work as always."
        }
    })
}

/// Builds the mail that replaces the first one above a day's limit; `most` is the limit of the share.
pub fn quota_reached(share: QuotaShare, most: usize) -> OutgoingMail {
    let text = match share {
        QuotaShare::Others => format!(
            "Today {most} mails that others caused have gone to this address. Until tomorrow (UTC) \
             you get no more of them: no messages, no notices, and no answers that anybody could \
             have asked for. Mails about your boards still come. To mute a player, send `mute \
             <userid> <password> <other>`."
        ),
        QuotaShare::Boards => format!(
            "Today {most} mails have gone to this address. Until tomorrow (UTC) you get no more \
             mails, except for codes. Your commands are carried out as always, and your boards go \
             on. Tomorrow, send `all show <userid> next` to see the boards where it is your turn. \
             If you did not ask for these mails, tell the operator of the server."
        ),
        QuotaShare::Account => format!(
            "Today {most} mails have gone to this address. You get no more until tomorrow (UTC)."
        ),
    };
    OutgoingMail::answer("No more mails today", vec![Block::sentence(text)])
}

/// Builds the mail to a player whose address gets mails again.
pub fn mails_resumed(user: &UserId) -> OutgoingMail {
    let text = format!(
        "You get mails at your registered address again. They were stopped because three came \
         back within a week. To see the boards where it is your turn, send `all show {user} \
         next`. If that address is no longer yours, send `change address {user} <password> \
         <address>`."
    );
    OutgoingMail::answer(format!("Mails to {user}"), vec![Block::sentence(text)])
}
