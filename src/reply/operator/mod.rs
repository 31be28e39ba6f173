//! Mails to users about the operator's repairs, mails to the operator, and what the operator's commands
//! print about boards and users.

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
use crate::reply::letters::plain_text::{self, TextMedium};
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement};
use games::Seat;

mod stored_documents;

pub use stored_documents::{board_details, board_line, user_details, user_line};

/// Builds the mails to players and observers of a board that the operator has changed.
pub fn board_changed(
    world: &World,
    id: BoardId,
    what: &BoardNews,
    dropped: &[Event],
    now: Time,
) -> Vec<OutgoingMail> {
    let news = NewsItem { what, by: None, comment: "", moves: 0 };
    let mut mails = board_mail::to_players(world, None, id, &news, now);
    board_mail::plans::report_plans(world, &mut mails, dropped);
    mails.extend(board_mail::to_observers(world, id, &news, now));
    mails
}

/// Builds the mails to a user whom the operator has signed up.
pub fn user_added(user: &User) -> Vec<OutgoingMail> {
    let id = &user.id;
    let welcome = format!(
        "Welcome, {id}! The operator of the server has signed you up; ask them for your password."
    );
    let blocks: Vec<Block> =
        [Block::sentence(welcome)].into_iter().chain(first_steps(id)).collect();
    to_all(&user.addresses, &format!("Welcome {id}"), &blocks)
}

/// Builds the mails to a user to whom the operator has given a new password.
pub fn password_replaced(user: &User) -> Vec<OutgoingMail> {
    let id = &user.id;
    let blocks = [
        Block::sentence(format!("The operator of the server has given {id} a new password.")),
        Block::sentence("If you did not ask for it, write to the operator."),
    ];
    to_all(&user.addresses, &format!("Password of {id}"), &blocks)
}

/// Builds the mails to a user whom the operator has renamed.
pub fn user_renamed(user: &User, old: &UserId) -> Vec<OutgoingMail> {
    let id = &user.id;
    let first = format!("The operator of the server has renamed you from {old} to {id}.");
    let second = if old == id {
        "Only the capitals differ, so everything else is unchanged.".into()
    } else {
        format!(
            "Your password, your boards and your ratings are unchanged. Write {id} in your commands \
             from now on. You can no longer reply to earlier mails about your boards, only to new \
             ones; `all show {id} next` shows the boards where it is your turn. Codes that were \
             mailed to you no longer work."
        )
    };
    let blocks = [Block::sentence(first), Block::sentence(second)];
    to_all(&user.addresses, &format!("You are {id}"), &blocks)
}

/// Builds the mails about a user whom the operator has removed: to the user and to the opponents.
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

/// Returns what the operator reads after a change of a board.
pub fn confirmation(board: &Board) -> String {
    let lines = [state_sentence(board, None), "Both players are told by mail.".into()];
    plain_text::text(&[Block::Text(lines.map(TextElement::Sentence).into())], TextMedium::Shell)
}

/// Builds the mail of `check --mail`. Its envelope is that of a mail about a board, so that a failed
/// delivery bounces.
pub fn test_mail(from: &Identity, to: &Address) -> Mail {
    let first = format!(
        "This is a test mail, sent by `postboard check --mail {to}`. It was sent like every mail of \
         the server {}: if this mail arrives, they do.",
        from.address
    );
    let asked = "If you did not ask for it, ignore it: there will be no more.";
    notice(to, "Postboard: a test mail", &[first, asked.into()])
}

/// Builds the alert to the operator: what has been waiting too long, and what is over.
pub fn alert(to: &Address, from: &Identity, waits: &[String], over: &[String]) -> Mail {
    let subject =
        if waits.is_empty() { "all is well again" } else { "something has been waiting too long" };
    let home = format!("This is the server {}.", from.address);
    let over = over.iter().map(|what| format!("Resolved: {what}."));
    let last = "Run `postboard doctor` for details. You get one mail now, and one when it is over.";
    let last = if waits.is_empty() { None } else { Some(last.to_owned()) };
    let sentences: Vec<String> =
        [home].into_iter().chain(waits.iter().cloned()).chain(over).chain(last).collect();
    notice(to, &format!("Postboard: {subject}"), &sentences)
}

/// Builds a mail to the operator.
fn notice(to: &Address, subject: &str, sentences: &[String]) -> Mail {
    let blocks: Vec<Block> = sentences.iter().cloned().map(Block::sentence).collect();
    Mail {
        to: to.clone(),
        subject: HeaderText::new(subject),
        text: plain_text::text(&blocks, TextMedium::Mail),
        html: None,
        inline_images: Vec::new(),
        calendar: None,
        kind: MailKind::Notice,
        thread: None,
        in_reply_to: None,
        reply_tag: None,
        opt_out: None,
        one_click: None,
        bounce_id: Some("check".into()),
    }
}
