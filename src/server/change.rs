//! Applies decisions to documents.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::DAY;
use crate::command::{Decision, Origin, Trust};
use crate::model::board::BoardEvent;
use crate::model::chat_log::chat_key;
use crate::model::correspondent::{Correspondent, CorrespondentEvent, StrangerAction, counted_key};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::reply::{self, MutedMessage};
use crate::server::decide::DecidedCommand;
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::store::Fault;

/// Applies a decision, and what the proof of its sender implies: wrong passwords, a reachable
/// address. Loads all users that the answers go to. Returns the user if mails to them had been
/// stopped and are sent again from now on.
pub(super) fn apply(
    decided: &DecidedCommand,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<UserId>, Fault> {
    if let Some(source) = origin.password_source(env.setup.config.limits.rate_limits.passwords) {
        for user in &decided.wrong {
            let wrong = CorrespondentEvent::WrongPassword { at: env.now };
            documents.apply(&Event::Correspondents(source.counted(user), wrong), env)?;
        }
    }
    let reached = match &decided.proved {
        // Signing in by browser does not show that mails arrive.
        Some(user) if origin.browser().is_none() => lift_stops(user, origin, documents, env)?,
        _ => None,
    };
    if let (Trust::Token(_, user), Some(_)) = (decided.trust, origin.address()) {
        prove(user, documents, env)?;
    }
    let begun = decided.decision.iter().flat_map(|decision| &decision.events);
    let begun = begun.filter_map(|event| match event {
        Event::Challenged(new) => Some(new.board),
        _ => None,
    });
    for board in decided.board.into_iter().chain(begun) {
        if !env.boards.contains(&board) {
            env.boards.push(board);
        }
    }
    match &decided.decision {
        Ok(decision) => {
            carry_out(decision, decided, origin, documents, env)?;
            load_readers(decision, decided.board, documents, env)?;
        }
        Err(refusal) => {
            env.tally.refused.push(refusal.subject());
            env.note(format!("{origin}: {}: refused", log_subject(decided)));
        }
    }
    Ok(reached)
}

/// Returns the subject of a command for the log.
fn log_subject(decided: &DecidedCommand) -> String {
    decided.board.map_or_else(|| "a command".into(), |board| board.to_string())
}

/// Applies the events of a decision and logs them, and keeps the message that goes to the opponent.
fn carry_out(
    decision: &Decision,
    decided: &DecidedCommand,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    for event in &decision.events {
        if let Event::User(user, UserEvent::Confirmed(_) | UserEvent::Proved) = event
            && documents.world.user(user).is_some_and(|user| user.unproved)
        {
            count_proved(documents, env)?;
        }
        documents.apply(event, env)?;
        if matches!(event, Event::SignedUp { user, .. } if !user.guest) {
            env.tally.signups += 1;
        }
        env.note(format!("{origin}: {}", event.summary()));
    }
    if let Some((board, said)) = reply::chat_message(&decision.answer, &decided.comment, env.now) {
        documents.gather(&[chat_key(board)], env)?;
        documents.apply(&Event::Chat(board, said), env)?;
    }
    if decision.events.is_empty() {
        env.note(format!("{origin}: {}: answered", log_subject(decided)));
    } else if let Some(user) = &decided.proved {
        note_proved_address(user, origin, documents, env)?;
    }
    Ok(())
}

/// Loads the observers and other readers of a decision. Logs whose messages are dropped because their
/// reader has muted the writer.
fn load_readers(
    decision: &Decision,
    board: Option<BoardId>,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    let observers = reply::observers(&documents.world, &decision.answer);
    documents.gather_users(&observers, env)?;
    if let Some(board) = board {
        drop_departed_observers(board, observers, documents, env)?;
    }
    for MutedMessage { writer, reader } in reply::muted_messages(&documents.world, &decision.answer)
    {
        env.note(format!("dropped: words of {writer} to {reader}, who mutes them"));
    }
    Ok(())
}

/// Lifts the stop on a user's addresses, since they have written. Returns the user if there was a
/// stop.
fn lift_stops(
    user: &UserId,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<UserId>, Fault> {
    let Some(found) = documents.world.user(user) else { return Ok(None) };
    let reached = found.addresses_reached_by(origin.address());
    if reached.is_empty() {
        return Ok(None);
    }
    let user = found.id.clone();
    let event = Event::User(user.clone(), UserEvent::Reached(reached));
    documents.apply_and_log(&event, env)?;
    Ok(Some(user))
}

/// Marks a user as proved, since they have answered a mail of ours.
fn prove(user: &UserId, documents: &mut DocumentSet, env: &mut Env) -> Result<(), Fault> {
    if documents.world.user(user).is_some_and(|user| user.unproved) {
        let event = Event::User(user.clone(), UserEvent::Proved);
        documents.apply_and_log(&event, env)?;
        count_proved(documents, env)?;
    }
    Ok(())
}

/// Counts a newcomer who has shown that they read their mails.
fn count_proved(documents: &mut DocumentSet, env: &mut Env) -> Result<(), Fault> {
    let all = Correspondent::stranger_names();
    documents.gather(&all.clone().map(counted_key), env)?;
    let proved = CorrespondentEvent::Stranger { what: StrangerAction::Proved, at: env.now };
    documents.apply(&Event::Correspondents(all.into(), proved), env)
}

/// Notes that a user has proved an address. Done at most once a day, and only for a command that
/// changes something and whose mailbox was loaded anyway, as for a password.
fn note_proved_address(
    user: &UserId,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    let Origin::Mail(from) = origin else { return Ok(()) };
    let (world, now) = (&documents.world, env.now);
    let is_own = world.user(user).is_some_and(|user| user.addresses.contains(from));
    if is_own && world.has_mailbox(from) && !world.mailbox(from).is_players(now + 6 * DAY) {
        let proved = CorrespondentEvent::Proved { at: now };
        let counted = Event::Correspondents(vec![Correspondent::mailbox_name(from)], proved);
        documents.apply(&counted, env)?;
    }
    Ok(())
}

/// Removes observers who have left the server from a board.
fn drop_departed_observers(
    board: BoardId,
    observers: Vec<UserId>,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    for user in observers {
        if documents.world.any_user(&user).is_some_and(|user| user.left.is_some()) {
            let event = BoardEvent::Observed { user, wanted: false };
            documents.apply_and_log(&Event::Board(board, event), env)?;
        }
    }
    Ok(())
}
