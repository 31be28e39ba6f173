//! Messages between users, and the answer to a report.

use crate::base::ids::UserId;
use crate::base::words::{AndList, Plural};
use crate::model::rate_limit::QuotaShare;
use crate::model::topic::Topic;
use crate::model::user::OptOut;
use crate::model::world::World;
use crate::reply::letters::{Block, OutgoingMail, Recipient, TextElement};

/// Builds the mails with a message to some users, and the answer to the writer.
pub(super) fn message(
    world: &World,
    from: &UserId,
    to: &[UserId],
    text: &str,
) -> Vec<OutgoingMail> {
    let mail = |reader: &UserId| {
        let others: Vec<&UserId> = to.iter().filter(|other| *other != reader).collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!(" and {}", AndList(others)),
        };
        let mut answer = how_to_answer(reader, from);
        answer.push(TextElement::Sentence("and write your words below it.".into()));
        let blocks = vec![
            Block::sentence(format!("{from} writes to you{others}:")),
            Block::Text(vec![TextElement::Quote(text.to_owned())]),
            Block::Text(answer),
        ];
        // Begins with no command: an answer's Subject must not become one.
        message_mail(from, reader, format!("{from} writes"), blocks)
    };
    let sent = format!("Your message has been sent to {}.", AndList(to));
    let first = OutgoingMail::answer("Your message", vec![Block::sentence(sent)]);
    std::iter::once(first).chain(unmuted(world, from, to).map(mail)).collect()
}

/// Builds the mails with a broadcast, and the answer to the writer.
pub(super) fn broadcast(
    world: &World,
    from: &UserId,
    to: &[UserId],
    text: &str,
) -> Vec<OutgoingMail> {
    let mail = |reader: &UserId| {
        let mut answer = how_to_answer(reader, from);
        answer.extend([
            TextElement::Sentence(
                "and write your words below it. To get no more broadcasts, send".into(),
            ),
            TextElement::Command(format!("set {reader} <password> broadcast off")),
        ]);
        let blocks = vec![
            Block::sentence(format!("{from} writes to everybody here:")),
            Block::Text(vec![TextElement::Quote(text.to_owned())]),
            Block::Text(answer),
        ];
        let opt_out = Some(OptOut::Broadcasts);
        OutgoingMail {
            opt_out,
            ..message_mail(from, reader, format!("{from} writes to everybody"), blocks)
        }
    };
    let sent = format!("Your message has been sent to {}.", Plural(to.len(), "user"));
    let first = OutgoingMail::answer("Your broadcast", vec![Block::sentence(sent)]);
    std::iter::once(first).chain(unmuted(world, from, to).map(mail)).collect()
}

/// Returns the recipients who have not muted the writer. The writer is not told who has.
fn unmuted<'a>(
    world: &'a World,
    from: &'a UserId,
    to: &'a [UserId],
) -> impl Iterator<Item = &'a UserId> {
    to.iter().filter(|reader| !world.is_muted(reader, from))
}

/// Builds a mail with a message of another user.
fn message_mail(
    from: &UserId,
    reader: &UserId,
    subject: String,
    mut blocks: Vec<Block>,
) -> OutgoingMail {
    let (to, topic) = (Recipient::User(reader.clone()), Topic::Conversation(from.clone()));
    blocks.insert(0, Block::Mark);
    let mail = OutgoingMail::new(to, subject, blocks);
    OutgoingMail { share: QuotaShare::Others, topic: Some(topic), ..mail }
}

fn how_to_answer(reader: &UserId, from: &UserId) -> Vec<TextElement> {
    vec![
        TextElement::Sentence("To answer, reply to this mail, or send the Subject".into()),
        TextElement::Command(format!("message {reader} <password> {from}")),
    ]
}

/// Builds the answer to a user who has reported another.
pub(super) fn reported(user: &UserId, about: &UserId) -> OutgoingMail {
    let blocks = vec![
        Block::sentence(format!(
            "Your report about {about} has been sent to the operator. {about} does not learn of it. You \
             get a mail when it is settled."
        )),
        Block::sentence(format!("To get no more messages from {about}, send the Subject")),
        Block::command(format!("mute {user} <password> {about}")),
    ];
    OutgoingMail::answer("Your report", blocks)
}
