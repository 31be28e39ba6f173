//! What users write to each other, and which users they do not hear.

use crate::base::ids::UserId;
use crate::base::words::{AndList, Plural};
use crate::model::rate_limit::QuotaShare;
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::reply::letters::blocks::{Block, TextElement};
use crate::reply::letters::outgoing_mail::{OutgoingMail, Recipient};

/// Words to some users, and the answer to their writer.
pub(super) fn message(
    world: &World,
    from: &UserId,
    to: &[UserId],
    said: &str,
) -> Vec<OutgoingMail> {
    let one = |reader: &UserId| {
        let others: Vec<&UserId> = to.iter().filter(|other| *other != reader).collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!(" and {}", AndList(others)),
        };
        let mut answer = how_to_answer(reader, from);
        answer.push(TextElement::Sentence("and write your words below it.".into()));
        let blocks = vec![
            Block::sentence(format!("{from} writes to you{others}:")),
            Block::Text(vec![TextElement::Quote(said.to_owned())]),
            Block::Text(answer),
        ];
        // No word that begins a command: Reply must not become one.
        said_by(from, reader, format!("{from} writes"), blocks)
    };
    let sent = format!("Your message has been sent to {}.", AndList(to));
    let first = OutgoingMail::answer("Your message", vec![Block::sentence(sent)]);
    std::iter::once(first).chain(hearing(world, from, to).map(one)).collect()
}

/// Words to all users who want them, and the answer to their writer.
pub(super) fn broadcast(
    world: &World,
    from: &UserId,
    to: &[UserId],
    said: &str,
) -> Vec<OutgoingMail> {
    let one = |reader: &UserId| {
        let mut answer = how_to_answer(reader, from);
        answer.extend([
            TextElement::Sentence(
                "and write your words below it. To get no such mails any more, send".into(),
            ),
            TextElement::Command(format!("set {reader} <password> broadcast off")),
        ]);
        let blocks = vec![
            Block::sentence(format!("{from} writes to everybody here:")),
            Block::Text(vec![TextElement::Quote(said.to_owned())]),
            Block::Text(answer),
        ];
        let opt_out = Some(OptOut::Broadcasts);
        OutgoingMail {
            opt_out,
            ..said_by(from, reader, format!("{from} writes to everybody"), blocks)
        }
    };
    let sent = format!("Your words have been sent to {}.", Plural(to.len(), "user"));
    let first = OutgoingMail::answer("Your broadcast", vec![Block::sentence(sent)]);
    std::iter::once(first).chain(hearing(world, from, to).map(one)).collect()
}

/// Those who have not muted the writer. The writer is not told who has.
fn hearing<'a>(
    world: &'a World,
    from: &'a UserId,
    to: &'a [UserId],
) -> impl Iterator<Item = &'a UserId> {
    to.iter().filter(|reader| !world.is_muted(reader, from))
}

/// Words of another user.
fn said_by(
    from: &UserId,
    reader: &UserId,
    subject: String,
    mut blocks: Vec<Block>,
) -> OutgoingMail {
    let (to, writer) = (Recipient::User(reader.clone()), Some(from.clone()));
    blocks.insert(0, Block::Mark);
    OutgoingMail { share: QuotaShare::Others, writer, ..OutgoingMail::new(to, subject, blocks) }
}

fn how_to_answer(reader: &UserId, from: &UserId) -> Vec<TextElement> {
    vec![
        TextElement::Sentence("To answer, reply to this mail, or send the Subject".into()),
        TextElement::Command(format!("message {reader} <password> {from}")),
    ]
}

/// What changes for a user who mutes another, or does so no longer.
pub(super) fn mutes(user: &UserId, other: &UserId, wanted: bool) -> OutgoingMail {
    let blocks = if wanted {
        vec![
            Block::sentence(format!(
                "You have muted {other}. No chat, message or broadcast of {other} comes to you any \
                 more. Their moves still come, but without what they write below them. {other} is \
                 not told."
            )),
            Block::sentence("To hear them again, send the Subject"),
            Block::command(format!("unmute {user} <password> {other}")),
        ]
    } else {
        vec![Block::sentence(format!("You hear the words of {other} again."))]
    };
    OutgoingMail::answer(format!("Words of {other}"), blocks)
}

/// The users that a user has muted.
pub(super) fn muted(user: &UserId, muted: &[UserId]) -> OutgoingMail {
    let (sentence, word, other) = match muted {
        [] => {
            ("You have muted nobody. To mute a player, send the Subject".into(), "mute", "<other>")
        }
        [first, more @ ..] => {
            let whom = if more.is_empty() { "them" } else { "one of them" };
            let all = AndList(muted);
            let sentence = format!("You have muted {all}. To hear {whom} again, send the Subject");
            (sentence, "unmute", first.as_str())
        }
    };
    let command = Block::command(format!("{word} {user} <password> {other}"));
    OutgoingMail::answer("Users you have muted", vec![Block::sentence(sentence), command])
}
