//! News of an operator's repairs: to the players by mail, and to the operator about a board.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::base::words::Plural;
use crate::mail::{Address, HeaderText, Identity, Mail, MailKind};
use crate::model::board::Board;
use crate::model::user::User;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::reply::answers::account::{first_steps, opponents};
use crate::reply::board_mail;
use crate::reply::board_mail::news::{BoardNews, NewsItem};
use crate::reply::board_mail::state_sentence::state_sentence;
use crate::reply::letters::blocks::{Block, TextElement};
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};
use crate::reply::letters::plain_text::{self, TextMedium};
use games::Seat;

mod stored_documents;

pub use stored_documents::{board_details, board_line, user_details, user_line};

/// The mails to players and observers of a board that the operator has changed.
pub fn board_changed(
    world: &World,
    id: BoardId,
    what: &BoardNews,
    dropped: &[Event],
    now: Time,
) -> Vec<OutgoingMail> {
    let news = NewsItem { what, by: None, comment: "", moves: 0 };
    let mut mails = board_mail::to_players(world, None, id, &news, now);
    board_mail::report_dropped(&mut mails, dropped);
    mails.extend(board_mail::to_observers(world, id, &news, now));
    mails
}

/// The mail to a user that the operator has signed up.
pub fn user_added(user: &User) -> Vec<OutgoingMail> {
    let id = &user.id;
    let welcome = format!(
        "Welcome, {id}! The operator of the server has signed you up; ask them for your password."
    );
    let blocks: Vec<Block> =
        [Block::sentence(welcome)].into_iter().chain(first_steps(id)).collect();
    to_all(&user.addresses, &format!("Welcome {id}"), &blocks)
}

/// The mail to a user who has got a new password.
pub fn password_replaced(user: &User) -> Vec<OutgoingMail> {
    let id = &user.id;
    let blocks = [
        Block::sentence(format!("The operator of the server has given {id} a new password.")),
        Block::sentence("If you did not ask for it, write to the operator."),
    ];
    to_all(&user.addresses, &format!("Password of {id}"), &blocks)
}

/// The mail to a user who has got another userid.
pub fn user_renamed(user: &User, old: &UserId) -> Vec<OutgoingMail> {
    let id = &user.id;
    let first =
        format!("The operator of the server has renamed you: you were {old}, you are {id}.");
    let second = if old == id {
        "Only the capitals differ, so everything is as it was.".into()
    } else {
        format!(
            "Your password, your boards and your ratings are as they were. Write {id} in your \
             commands from now on. You cannot answer the mails that you have got about boards until \
             now by pressing Reply any more; the next ones you can, and `all show {id} next` shows \
             you the boards that wait for you. Codes that were mailed to you no longer work."
        )
    };
    let blocks = [Block::sentence(first), Block::sentence(second)];
    to_all(&user.addresses, &format!("You are {id}"), &blocks)
}

/// The mails when the operator removes a user: to the user, and to the opponents.
pub fn user_removed(
    world: &World,
    user: &UserId,
    addresses: &[Address],
    boards: &[(BoardId, Seat)],
    now: Time,
) -> Vec<OutgoingMail> {
    let given_up = match boards.len() {
        0 => String::new(),
        count => format!(" {} in progress counted as resigned.", Plural(count, "game")),
    };
    let blocks = [
        Block::sentence(format!("The operator of the server has removed you, {user}.{given_up}")),
        Block::sentence(
            "Your stored data is erased; finished boards keep your userid, and nobody \
             else can ever have it.",
        ),
    ];
    let mut mails = to_all(addresses, &format!("Goodbye {user}"), &blocks);
    let opponents =
        |(board, seat): &(BoardId, Seat)| opponents(world, None, *board, None, *seat, now);
    mails.extend(boards.iter().flat_map(opponents));
    mails
}

fn to_all(addresses: &[Address], subject: &str, blocks: &[Block]) -> Vec<OutgoingMail> {
    let one =
        |to: &Address| OutgoingMail::new(Recipient::Address(to.clone()), subject, blocks.to_vec());
    addresses.iter().map(one).collect()
}

/// The answer to the operator once both players have been told.
pub fn confirmation(board: &Board) -> String {
    let lines = [state_sentence(board, None), "Both players are told.".into()];
    plain_text::text(&[Block::Text(lines.map(TextElement::Sentence).into())], TextMedium::Shell)
}

/// The mail that `check --mail` sends: by the same envelope as a mail about a board, whose failed
/// delivery would come back.
pub fn test_mail(from: &Identity, to: &Address) -> Mail {
    let first = format!(
        "This mail was sent by `postboard check --mail {to}`. It left as the mails of the server {} \
         leave; where it arrives, they do.",
        from.address
    );
    let asked = "If you did not ask for it, ignore it: no more will come.";
    notice(to, "Postboard: a mail to try the way out", &[first, asked.into()])
}

/// The mail that tells the operator what waits too long, and what does not any more.
pub fn alert(to: &Address, from: &Identity, waits: &[String], over: &[String]) -> Mail {
    let subject = if waits.is_empty() { "all is well again" } else { "something waits too long" };
    let home = format!("This is the server {}.", from.address);
    let over = over.iter().map(|what| format!("It is over that {what}."));
    let last =
        "`postboard doctor` tells more. This mail comes once; another one comes when it is over.";
    let last = if waits.is_empty() { None } else { Some(last.to_owned()) };
    let sentences: Vec<String> =
        [home].into_iter().chain(waits.iter().cloned()).chain(over).chain(last).collect();
    notice(to, &format!("Postboard: {subject}"), &sentences)
}

/// A mail to the operator.
fn notice(to: &Address, subject: &str, sentences: &[String]) -> Mail {
    let blocks: Vec<Block> = sentences.iter().cloned().map(Block::sentence).collect();
    Mail {
        to: to.clone(),
        subject: HeaderText::new(subject),
        text: plain_text::text(&blocks, TextMedium::Mail),
        html: None,
        inline_images: Vec::new(),
        kind: MailKind::Notice,
        thread: None,
        in_reply_to: None,
        reply_tag: None,
        opt_out: None,
        one_click: None,
        bounce_id: Some("check".into()),
    }
}
