//! Writes the reply to a command, after its events have been applied.

use crate::base::time::Time;
use crate::command::Origin;
use crate::model::world::World;
use crate::reply;
use crate::server::decide::DecidedCommand;
use crate::server::multiple::MultipleCommands;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::refuse;
use crate::server::requests::CommandPlace;

/// Writes the reply to a decided command. If the mail has several commands, chat is collected in
/// `multiple` and sent at the end.
pub(super) fn write_reply(
    decided: DecidedCommand,
    origin: &Origin,
    mut multiple: Option<&mut MultipleCommands>,
    world: &World,
    now: Time,
) -> CommandReply {
    let changes = decided.decision.as_ref().is_ok_and(|decision| !decision.events.is_empty());
    let DecidedCommand { board, decision, proved, password, comment, held_back, is_muted, .. } =
        decided;
    let mut outgoing = match &decision {
        Ok(decision) => {
            let is_kept =
                multiple.as_mut().is_some_and(|multiple| multiple.keep_chat(decision, held_back));
            if is_kept {
                Vec::new()
            } else {
                reply::compose(world, origin, &decision.answer, &decision.events, &comment, now)
            }
        }
        Err(refusal) => {
            let values = refuse::example_values(proved.as_ref(), board, world);
            let mut outgoing = vec![reply::refusal_mail(refusal, &values)];
            if let Some(password) = &password {
                reply::redact_password(&mut outgoing, password);
            }
            if let Some(user) = proved.as_ref().filter(|_| !origin.shows_answers()) {
                refuse::address(&mut outgoing, user, multiple, world);
            }
            outgoing
        }
    };
    if let Some(user) = proved.as_ref().filter(|_| held_back) {
        reply::note_withheld_lines(&mut outgoing, user);
    }
    if let Some(user) = proved.as_ref().filter(|_| is_muted) {
        reply::note_muted_words(&mut outgoing, user);
    }
    let outcome = if decision.is_ok() { MailOutcome::CarriedOut } else { MailOutcome::Refused };
    CommandReply {
        outgoing,
        outcome,
        refusal: decision.err(),
        proved,
        line: String::new(),
        place: CommandPlace::Usual,
        changes,
    }
}
