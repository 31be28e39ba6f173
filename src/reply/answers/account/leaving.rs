//! Answers to users who leave, and the mails to their opponents.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::mail::Address;
use crate::model::one_time_code::OneTimeCode;
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::board_mail as boards;
use crate::reply::board_mail::news::{BoardNews, NewsItem};
use crate::reply::letters::{Block, OutgoingMail, Recipient, send_code};
use crate::reply::origin::Origin;
use games::Seat;

/// Builds the answer to a user who wants to leave, and the mail with the code that confirms it.
pub(super) fn requested(
    world: &World,
    user: &UserId,
    erased: bool,
    boards: usize,
    code: &OneTimeCode,
) -> Vec<OutgoingMail> {
    let verb = if erased { "delete" } else { "signoff" };
    let subject = format!("Goodbye {user}?");
    let answer = vec![Block::sentence(
        "Nothing has changed yet: a code has been mailed to your registered address. To confirm, \
         send it back within a day.",
    )];
    let mut what = match boards {
        0 => "You have no boards in progress.".to_owned(),
        boards => format!("You will resign {}.", Plural(boards, "board")),
    };
    what.push_str(if erased {
        " Your stored data will be erased; finished boards keep your userid, and nobody else \
         can ever have it. This cannot be undone."
    } else {
        " Your userid and your stored data are kept, and you get no more mails. To come back, send \
         `signup` with your userid and password."
    });
    let sentence = format!("To leave, {user}, send this Subject within a day");
    let command = format!("{verb} {user} <password> {}", code.as_str());
    let mut blocks = Vec::from(send_code(sentence, &command));
    blocks.push(Block::sentence(what));
    blocks.push(Block::sentence(
        "If you do not want to leave, do nothing. If you did not ask for this mail, somebody knows \
         your password: change it.",
    ));
    let mail = to_registered(world, user, &subject, &blocks);
    std::iter::once(OutgoingMail::answer(subject, answer)).chain(mail).collect()
}

/// Builds the mails to a user who has left.
pub(super) fn left(
    origin: &Origin,
    user: &UserId,
    erased: bool,
    boards: usize,
    addresses: &[Address],
) -> Vec<OutgoingMail> {
    let subject = format!("Goodbye {user}");
    let resigned = match boards {
        0 => String::new(),
        count => format!(" You have resigned {}.", Plural(count, "board")),
    };
    let kept = if erased {
        "Your stored data is erased. Thank you for playing."
    } else {
        "To come back, sign up with the same userid and password. Thank you for playing."
    };
    let mail = |to| {
        let goodbye = format!("Goodbye, {user}.{resigned} {kept}");
        OutgoingMail::new(to, &*subject, vec![Block::sentence(goodbye)])
    };
    let to = addresses.iter().cloned().map(Recipient::Address);
    let is_mailed = origin.address().is_some_and(|sender| addresses.contains(sender));
    to.chain((!is_mailed).then_some(Recipient::Sender)).map(mail).collect()
}

/// Builds the mails to the opponent of a user who has left, and to the observers of their board.
pub(crate) fn opponents(
    world: &World,
    origin: Option<&Origin>,
    board: BoardId,
    by: Option<Seat>,
    gone: Seat,
    now: Time,
) -> Vec<OutgoingMail> {
    let news = NewsItem { what: &BoardNews::Moved, by, comment: "", moves: 0 };
    let mut mails = boards::to_players(world, origin, board, &news, now);
    mails.retain(|mail| mail.seat == Some(gone.other()));
    mails.extend(boards::to_observers(world, board, &news, now));
    mails
}
