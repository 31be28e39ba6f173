//! The commands of a mail, or of the shell, are carried out one after the other.

use crate::command::{Origin, Trust};
use crate::mail::Message;
use crate::refusal::SyntaxRefusal;
use crate::reply;
use crate::server::answer::answers;
use crate::server::decide::{Resources, decide};
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::server::inbox::Request;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::sender::Sender;
use crate::server::several::{CommandSeries, together};
use crate::server::{change, foreign, refuse};
use crate::store::Fault;

/// The answers to a mail, for each of its commands or for all of them together.
pub(super) fn mail(
    requests: Result<Vec<Request>, SyntaxRefusal>,
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
            return Ok(vec![refuse::nothing_asked(refusal, sender, message, world, env)]);
        }
    };
    let origin = &sender.origin;
    let mut several = (requests.len() > 1).then(CommandSeries::default);
    let mut all = Vec::with_capacity(requests.len());
    for request in requests {
        let several = several.as_mut();
        let mut answers = command(&request, origin, several, documents, resources, env)?;
        answers.of = request.line;
        answers.place = request.place;
        all.push(answers);
    }
    let world = &documents.world;
    if let Some(several) = several {
        let said = several.into_letters(world, origin, env.now);
        return Ok(vec![together(all, said)]);
    }
    if let Some(holder) = &sender.holder {
        for answers in &mut all {
            refuse::address_to_holder(answers, holder, world);
        }
    }
    Ok(all)
}

/// Carries out one command: its documents, a decision, what that changes, and what is said.
pub(super) fn command(
    request: &Request,
    origin: &Origin,
    several: Option<&mut CommandSeries>,
    documents: &mut DocumentSet,
    resources: &mut Resources,
    env: &mut Env,
) -> Result<CommandReply, Fault> {
    let command = match &request.command {
        Ok(command) => &**command,
        Err(refusal) => {
            env.note(format!("{origin}: no command"));
            let world = &documents.world;
            return Ok(refuse::no_command(refusal, &request.trust, several, world));
        }
    };
    documents.load(&command.needs(), origin, env)?;
    let decided = decide(command, request, origin, &documents.world, resources, env);
    let reached = change::apply(&decided, origin, documents, env)?;
    let mut answers = answers(decided, origin, several, &documents.world, env.now);
    answers.outgoing.extend(reached.iter().map(reply::mails_resumed));
    if let (Trust::Token(board, user), MailOutcome::CarriedOut) = (&request.trust, answers.outcome)
    {
        answers.outgoing.extend(foreign::warn(*board, user, origin, documents, env)?);
    }
    Ok(answers)
}
