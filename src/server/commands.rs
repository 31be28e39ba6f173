//! Carries out commands of a mail, the web or the shell, one after the other.

use crate::base::ids::{BoardId, UserId};
use crate::command::{Needs, Origin, Trust, WaitingBoard, next_waiting};
use crate::mail::Message;
use crate::model::token::TopicTag;
use crate::model::topic::Topic;
use crate::model::user::UserEvent;
use crate::model::user::preference::NEXT;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::Refusal;
use crate::reply::{self, Delivery, OutgoingMail, Recipient};
use crate::server::answer::write_reply;
use crate::server::decide::{Resources, decide};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::multiple::{MultipleCommands, merge_replies};
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::requests::Request;
use crate::server::sender::{MailRequests, Sender, shown_boards};
use crate::server::{address_warning, change, reactions, refuse, turn_notices};
use crate::store::Fault;

/// Carries out the commands of a mail. Returns one reply for each command, or a single reply if
/// there are several.
pub(super) fn carry_out_all(
    requests: MailRequests,
    message: &Message,
    sender: &Sender,
    documents: &mut DocumentSet,
    resources: &mut Resources,
    env: &mut Env,
) -> Result<Vec<CommandReply>, Fault> {
    let requests = match requests {
        Ok(requests) => requests,
        Err(refusal) => {
            let world = &documents.world;
            env.tally.refused.push(Refusal::Syntax(refusal.clone()).subject());
            return Ok(vec![refuse::without_command(refusal, sender, message, world, env)]);
        }
    };
    let origin = &sender.origin;
    let mut multiple = (requests.len() > 1).then(MultipleCommands::default);
    let is_single = multiple.is_none();
    let mut replies = Vec::with_capacity(requests.len());
    for request in requests {
        let mut reply = carry_out(&request, origin, multiple.as_mut(), documents, resources, env)?;
        if is_single {
            add_next_board(&mut reply, origin, documents, env)?;
        }
        reply.line = request.line;
        reply.place = request.place;
        replies.push(reply);
    }
    let world = &documents.world;
    if let Some(multiple) = multiple {
        let chat = multiple.into_mails(world, origin, env.now);
        if let Some(tag) = sender.topic.as_ref().filter(|tag| is_digest(tag)) {
            address_to_reader(&mut replies, &tag.reader);
        }
        let mut merged = merge_replies(replies, chat);
        if let Some(tag) = &sender.topic {
            combine_for_reader(&mut merged, tag, world);
        }
        name_readers(std::slice::from_mut(&mut merged), sender, world);
        return Ok(vec![merged]);
    }
    name_readers(&mut replies, sender, world);
    if let Some(holder) = &sender.holder {
        for reply in &mut replies {
            refuse::address_to_holder(reply, holder, world);
        }
    }
    Ok(replies)
}

fn is_digest(tag: &TopicTag) -> bool {
    matches!(tag.topic, Topic::Digest(_))
}

/// Addresses the answers to the writer of a reply to its reader, so that they are not combined under
/// numbers of their own.
fn address_to_reader(replies: &mut [CommandReply], reader: &UserId) {
    let mails = replies.iter_mut().flat_map(|reply| &mut reply.outgoing);
    for mail in mails.filter(|mail| mail.to == Recipient::Sender) {
        mail.to = Recipient::User(reader.clone());
        mail.reader = Some(reader.clone());
    }
}

/// Combines the answers about the boards of a digest to the writer of its reply.
fn combine_for_reader(merged: &mut CommandReply, tag: &TopicTag, world: &World) {
    let (Topic::Digest(number), Some(shown)) = (&tag.topic, shown_boards(tag, world)) else {
        return;
    };
    let boards: Vec<BoardId> = shown.iter().map(|shown| shown.board).collect();
    let is_own = |mail: &OutgoingMail| {
        mail.to == Recipient::User(tag.reader.clone())
            && (mail.board().is_some() || mail.reader.is_some())
    };
    let (own, others): (Vec<OutgoingMail>, Vec<OutgoingMail>) =
        std::mem::take(&mut merged.outgoing).into_iter().partition(is_own);
    merged.outgoing = others;
    if !own.is_empty() {
        merged.outgoing.push(reply::answer_to_lines(&tag.reader, *number, &boards, own));
    }
}

/// Names the readers of answers, so that these can be answered by Reply: the user of the reply address,
/// or the user whose password came from one of their addresses.
fn name_readers(replies: &mut [CommandReply], sender: &Sender, world: &World) {
    let from = sender.origin.address();
    for reply in replies {
        let proved = reply.proved.as_ref().filter(|user| {
            let user = world.user(user);
            user.zip(from).is_some_and(|(user, from)| user.addresses.contains(from))
        });
        let tag = sender.topic.as_ref();
        let Some(reader) = tag.map(|tag| &tag.reader).or(proved).cloned() else { continue };
        for mail in reply.outgoing.iter_mut().filter(|mail| mail.to == Recipient::Sender) {
            mail.reader = Some(reader.clone());
            mail.topic = mail.topic.take().or_else(|| tag.map(|tag| tag.topic.clone()));
        }
    }
}

/// Adds the next board that waits for a player to the answer to their move, if they wish so.
fn add_next_board(
    reply: &mut CommandReply,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    let Some(user) = reply.proved.clone().filter(|_| reply.changes) else { return Ok(()) };
    if !documents.world.user(&user).is_some_and(|user| user.preferences.is_on(&NEXT)) {
        return Ok(());
    }
    let to = Recipient::User(user.clone());
    let is_moved = |mail: &&mut OutgoingMail| {
        mail.to == to && mail.seat.is_some() && mail.delivery != Delivery::Now
    };
    let Some(mail) = reply.outgoing.iter_mut().find(is_moved) else { return Ok(()) };
    let Some(moved) = mail.board() else { return Ok(()) };
    documents.load(&Needs::ActiveBoardsOf(user.clone()), origin, env)?;
    let world = &documents.world;
    let waits = |id| world.board(id).is_ok_and(|board| board.waits_for(&user));
    let next = world.user(&user).and_then(|user| next_waiting(world, user, Some(moved), env.now));
    if let Some(WaitingBoard { board, seat }) = next.filter(|_| !waits(moved)) {
        *mail = reply::with_next_board(mail.clone(), world, board, seat, env.now);
    }
    Ok(())
}

/// Notes that a user plays in a browser, if they want quiet there.
fn note_seen(
    user: &UserId,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    let known = documents.world.user(user);
    if matches!(origin, Origin::Web(_)) && known.is_some_and(|user| user.is_seen_now(env.now)) {
        documents.apply_and_log(&Event::User(user.clone(), UserEvent::Seen(env.now)), env)?;
    }
    Ok(())
}

/// Carries out one command: loads its documents, decides, applies the events and writes the
/// answers.
pub(super) fn carry_out(
    request: &Request,
    origin: &Origin,
    multiple: Option<&mut MultipleCommands>,
    documents: &mut DocumentSet,
    resources: &mut Resources,
    env: &mut Env,
) -> Result<CommandReply, Fault> {
    let command = match &request.command {
        Ok(command) => &**command,
        Err(refusal) => {
            env.note(format!("{origin}: no command"));
            env.tally.refused.push(refusal.subject());
            let world = &documents.world;
            return Ok(refuse::invalid_command(refusal, &request.trust, multiple, world));
        }
    };
    documents.load(&command.needs(), origin, env)?;
    if let Some(user) = request.trust.user() {
        // Guests may not send all commands.
        documents.gather_users(std::slice::from_ref(user), env)?;
    }
    let decided = decide(command, request, origin, &documents.world, resources, env);
    let reached = change::apply(&decided, origin, documents, env)?;
    turn_notices::note(&decided.changed_boards(), decided.proved.as_ref(), documents, env)?;
    let follows = reactions::settle(None, documents, resources.chance, env)?;
    if let Some(user) = decided.proved.clone() {
        note_seen(&user, origin, documents, env)?;
    }
    let mut written = write_reply(decided, origin, multiple, &documents.world, env.now);
    written.outgoing.extend(reached.iter().map(reply::mails_resumed));
    written.outgoing.extend(follows);
    if let (Trust::Token(topic, user), MailOutcome::CarriedOut) = (&request.trust, written.outcome)
    {
        written.outgoing.extend(address_warning::warn(topic, user, origin, documents, env)?);
    }
    Ok(written)
}
