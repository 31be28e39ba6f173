//! Carries out commands of a mail, the web or the shell, one after the other.

use crate::command::{Origin, Trust};
use crate::mail::Message;
use crate::reply;
use crate::server::answer::answer;
use crate::server::decide::{Resources, decide};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::multiple::{MultipleCommands, merge_replies};
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::requests::Request;
use crate::server::sender::{MailRequests, Sender};
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
        MailRequests::Found(requests) => requests,
        MailRequests::Refused(refusal) => {
            let world = &documents.world;
            return Ok(vec![refuse::without_command(refusal, sender, message, world, env)]);
        }
    };
    let origin = &sender.origin;
    let mut multiple = (requests.len() > 1).then(MultipleCommands::default);
    let mut replies = Vec::with_capacity(requests.len());
    for request in requests {
        let mut reply = carry_out(&request, origin, multiple.as_mut(), documents, resources, env)?;
        reply.of = request.line;
        reply.place = request.place;
        replies.push(reply);
    }
    let world = &documents.world;
    if let Some(multiple) = multiple {
        let chat = multiple.into_mails(world, origin, env.now);
        return Ok(vec![merge_replies(replies, chat)]);
    }
    if let Some(holder) = &sender.holder {
        for reply in &mut replies {
            refuse::address_to_holder(reply, holder, world);
        }
    }
    Ok(replies)
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
    let mut answer = answer(decided, origin, multiple, &documents.world, env.now);
    answer.outgoing.extend(reached.iter().map(reply::mails_resumed));
    answer.outgoing.extend(follows);
    if let (Trust::Token(board, user), MailOutcome::CarriedOut) = (&request.trust, answer.outcome) {
        answer.outgoing.extend(address_warning::warn(*board, user, origin, documents, env)?);
    }
    Ok(answer)
}
