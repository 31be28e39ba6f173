//! Decides when a mail goes out: now, later together with others, or not at all.

use crate::base::ids::UserId;
use crate::mail::Message;
use crate::model::user::{HeldMail, OptOut, User, UserEvent};
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::reply::{Delivery, OutgoingMail, Recipient};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::store::Fault;

/// Why a mail does not go out now.
enum Postponement {
    /// With others: noted in the document of its reader.
    Later(UserId, HeldMail),
    /// Its reader does not want it.
    Never(UserId),
}

/// Returns the mails that go out now. Those that wait are only noted in the documents of their
/// readers: the later mail shows the boards as they are then. `answered` is the incoming mail that
/// caused the mails, if any.
pub(super) fn select_due<'a>(
    mails: &'a [OutgoingMail],
    answered: Option<&Message>,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<&'a OutgoingMail>, Fault> {
    let mut due = Vec::with_capacity(mails.len());
    for mail in mails {
        match postponement(mail, answered, &documents.world, env) {
            None => due.push(mail),
            Some(Postponement::Later(user, held)) => {
                documents.apply_and_log(&Event::User(user, UserEvent::MailHeld(held)), env)?;
            }
            Some(Postponement::Never(user)) => {
                let about = mail.topic.as_ref().map(|topic| format!(" about {topic}"));
                let about = about.unwrap_or_default();
                env.note(format!("{user} does not want a mail{about}"));
            }
        }
    }
    Ok(due)
}

/// Returns why a mail does not go out now; `None` if it does.
fn postponement(
    mail: &OutgoingMail,
    answered: Option<&Message>,
    world: &World,
    env: &Env,
) -> Option<Postponement> {
    if mail.opt_out == Some(OptOut::Events) {
        let reader = mail.user().and_then(|user| world.user(user));
        let unwilling = reader.filter(|user| !user.preferences.wants(OptOut::Events));
        return unwilling.map(|user| Postponement::Never(user.id.clone()));
    }
    let (Recipient::User(reader), Some(board)) = (&mail.to, mail.board()) else { return None };
    let user = world.user(reader).filter(|_| mail.delivery != Delivery::Now)?;
    let later = |due, is_reminder| {
        Postponement::Later(user.id.clone(), HeldMail { board, since: env.now, due, is_reminder })
    };
    if mail.delivery == Delivery::Reminder {
        return user.holds_reminder(board).then(|| later(env.now, true));
    }
    let is_unwanted = mail.delivery == Delivery::Routine && user.preferences.wants_turns_only();
    let is_own = is_answer_to(user, answered);
    if is_unwanted || !is_own && !user.preferences.wants(OptOut::Boards) {
        return Some(Postponement::Never(user.id.clone()));
    }
    let due = if is_own { None } else { user.news_due(board, env.now) };
    due.map(|due| later(due, false))
}

/// Returns whether the mails are answers to a mail of this user, which never wait.
fn is_answer_to(user: &User, answered: Option<&Message>) -> bool {
    let writer = answered.and_then(|message| message.from.address());
    writer.is_some_and(|from| user.addresses.contains(from))
}
