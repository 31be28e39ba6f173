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

/// When a mail goes out.
enum Fate {
    Now,
    /// With others: noted in the document of its reader.
    Later(UserId, HeldMail),
    /// Its reader does not want it.
    Never(UserId),
}

/// Returns the mails that go out now. Those that wait are only noted in the documents of their
/// readers: the later mail shows the boards as they are then. `answered` is the incoming mail that
/// caused the mails, if any.
pub(super) fn now<'a>(
    mails: &'a [OutgoingMail],
    answered: Option<&Message>,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Vec<&'a OutgoingMail>, Fault> {
    let mut now = Vec::with_capacity(mails.len());
    for mail in mails {
        match fate(mail, answered, &documents.world, env) {
            Fate::Now => now.push(mail),
            Fate::Later(user, held) => {
                documents.happen(&Event::User(user, UserEvent::MailHeld(held)), env)?;
            }
            Fate::Never(user) => {
                let about = mail.topic.as_ref().map(|topic| format!(" about {topic}"));
                let about = about.unwrap_or_default();
                env.note(format!("{user} does not want a mail{about}"));
            }
        }
    }
    Ok(now)
}

fn fate(mail: &OutgoingMail, answered: Option<&Message>, world: &World, env: &Env) -> Fate {
    if mail.opt_out == Some(OptOut::Events) {
        let reader = mail.user().and_then(|user| world.user(user));
        let unwilling = reader.filter(|user| !user.preferences.wants(OptOut::Events));
        return unwilling.map_or(Fate::Now, |user| Fate::Never(user.id.clone()));
    }
    let (Recipient::User(reader), Some(board)) = (&mail.to, mail.board()) else { return Fate::Now };
    let Some(user) = world.user(reader).filter(|_| mail.delivery != Delivery::Now) else {
        return Fate::Now;
    };
    let later = |due, is_reminder| {
        Fate::Later(user.id.clone(), HeldMail { board, since: env.now, due, is_reminder })
    };
    if mail.delivery == Delivery::Reminder {
        return if user.holds_reminder(board) { later(env.now, true) } else { Fate::Now };
    }
    let is_unwanted = mail.delivery == Delivery::Routine && user.preferences.wants_turns_only();
    let is_own = is_answer_to(user, answered);
    if is_unwanted || !is_own && !user.preferences.wants(OptOut::Boards) {
        return Fate::Never(user.id.clone());
    }
    let due = if is_own { None } else { user.news_due(board, env.now) };
    due.map_or(Fate::Now, |due| later(due, false))
}

/// Returns whether the mails are answers to a mail of this user, which never wait.
fn is_answer_to(user: &User, answered: Option<&Message>) -> bool {
    let writer = answered.and_then(|message| message.from.address());
    writer.is_some_and(|from| user.addresses.contains(from))
}
