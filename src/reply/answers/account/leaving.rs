//! Users who leave.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::mail::Address;
use crate::model::code::OneTimeCode;
use crate::model::world::World;
use crate::reply::answers::account::to_registered;
use crate::reply::board_mail as boards;
use crate::reply::board_mail::news::{BoardNews, NewsItem};
use crate::reply::letters::blocks::{Block, to_send};
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};
use crate::reply::origin::Origin;
use games::Seat;

/// The answer to a user who wants to leave, and the mail with the word that confirms it.
pub(super) fn asked(
    world: &World,
    user: &UserId,
    erased: bool,
    boards: usize,
    word: &OneTimeCode,
) -> Vec<OutgoingMail> {
    let verb = if erased { "delete" } else { "signoff" };
    let subject = format!("Goodbye {user}?");
    let answer = vec![Block::sentence(
        "Nothing has changed yet: a code that confirms it has been mailed to your registered \
         address. Send it back within a day.",
    )];
    let mut what = match boards {
        0 => "You have no boards in progress.".to_owned(),
        boards => format!("You resign {} that you play.", Plural(boards, "board")),
    };
    what.push_str(if erased {
        " Your stored data is erased; finished boards keep your userid, and nobody else \
         can ever have it. This cannot be undone."
    } else {
        " Your userid and what is stored about you are kept, and no mail comes to you. `signup` \
         with your password brings you back."
    });
    let sentence = format!("To leave, {user}, send within a day the Subject");
    let command = format!("{verb} {user} <password> {}", word.as_str());
    let mut blocks = Vec::from(to_send(sentence, &command));
    blocks.push(Block::sentence(what));
    blocks.push(Block::sentence(
        "If you do not want to leave, do nothing; but then somebody knows your password, unless it \
         was you who sent for this mail.",
    ));
    let word = to_registered(world, user, &subject, &blocks);
    std::iter::once(OutgoingMail::answer(subject, answer)).chain(word).collect()
}

/// The mails to a user who has left.
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
    let is_told = origin.address().is_some_and(|sender| addresses.contains(sender));
    to.chain((!is_told).then_some(Recipient::Sender)).map(mail).collect()
}

/// The mails to the opponent of a user who has gone, and to those who watch their board.
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
