//! The answers to a command, once its events have been applied.

use crate::base::time::Time;
use crate::command::Origin;
use crate::model::world::World;
use crate::reply;
use crate::server::decide::DecidedCommand;
use crate::server::inbox::CommandPlace;
use crate::server::outcome::{CommandReply, MailOutcome};
use crate::server::refuse;
use crate::server::several::CommandSeries;

/// The answers to a decision. A player's words wait in `several` if the mail has several
/// commands.
pub(super) fn answers(
    decided: DecidedCommand,
    origin: &Origin,
    mut several: Option<&mut CommandSeries>,
    world: &World,
    now: Time,
) -> CommandReply {
    let changes = decided.decision.as_ref().is_ok_and(|decision| !decision.events.is_empty());
    let DecidedCommand { board, decision, proved, password, comment, held_back, .. } = decided;
    let mut outgoing = match &decision {
        Ok(decision) => {
            let waits = several.as_mut().is_some_and(|several| several.keeps(decision, held_back));
            if waits {
                Vec::new()
            } else {
                reply::compose(world, origin, decision.told(), &comment, now)
            }
        }
        Err(refusal) => {
            let asker = refuse::asker(proved.as_ref(), board, world);
            let mut outgoing = vec![reply::refusal_mail(refusal, &asker)];
            if let Some(password) = &password {
                reply::redact_password(&mut outgoing, password);
            }
            if let Some(user) = proved.as_ref().filter(|_| !origin.shows_answers()) {
                refuse::address(&mut outgoing, user, several, world);
            }
            outgoing
        }
    };
    if let Some(user) = proved.as_ref().filter(|_| held_back) {
        reply::note_withheld_lines(&mut outgoing, user);
    }
    let outcome = if decision.is_ok() { MailOutcome::CarriedOut } else { MailOutcome::Refused };
    CommandReply {
        outgoing,
        outcome,
        proved,
        of: String::new(),
        place: CommandPlace::Usual,
        changes,
    }
}
