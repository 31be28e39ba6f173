//! What is said to a command, once its events have been applied.

use crate::command::Origin;
use crate::model::world::World;
use crate::reply::{self, Outgoing};
use crate::server::decide::Decided;
use crate::server::refuse;
use crate::server::several::Several;

/// What is said to one command, or to a mail without any, still without addresses.
#[derive(Debug)]
pub(super) struct Answers {
    /// The mails.
    pub(super) outgoing: Vec<Outgoing>,
    /// Whether the command was carried out.
    pub(super) is_carried_out: bool,
    /// Whether its sender has shown who they are.
    pub(super) is_proved: bool,
    /// What was found in the mail.
    pub(super) found: Found,
    /// The words that are answered.
    pub(super) of: String,
}

/// What was found in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// Nothing that is said here.
    Nothing,
    /// A reply to an address of ours that belongs to nobody, or no longer.
    OldTag,
    /// Words that look like a command and are none.
    Words,
    /// A command.
    Command,
}

/// What is said about what was decided. A player's words wait in `several` if the mail has several
/// commands.
pub(super) fn answers(
    decided: Decided,
    origin: &Origin,
    mut several: Option<&mut Several>,
    world: &World,
    now: i64,
) -> Answers {
    let Decided { board, outcome, proved, password, comment, held_back, .. } = decided;
    let mut outgoing = match &outcome {
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
            let mut outgoing = vec![reply::refuse(refusal, &asker)];
            if let Some(password) = &password {
                reply::do_not_quote(&mut outgoing, password);
            }
            if let Some(user) = proved.as_ref().filter(|_| *origin != Origin::Shell) {
                refuse::address(&mut outgoing, user, several, world);
            }
            outgoing
        }
    };
    if let Some(user) = proved.as_ref().filter(|_| held_back) {
        reply::say_held_back(&mut outgoing, user);
    }
    Answers {
        outgoing,
        is_carried_out: outcome.is_ok(),
        is_proved: proved.is_some(),
        found: Found::Command,
        of: String::new(),
    }
}
