//! Mails to an opt-out address, which turns reminders or broadcasts off.

use crate::base::ids::UserId;
use crate::mail::Message;
use crate::model::user::{OptOut, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::user_key;
use crate::reply::{self, OutgoingMail};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::server::requests;
use crate::store::Fault;

/// Returns the user and kind of a valid opt-out address, if the mail went to one.
pub(super) fn find(
    message: &Message,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<(UserId, OptOut)>, Fault> {
    let Some(tag) = requests::opt_out(message) else { return Ok(None) };
    documents.gather(&[user_key(&tag.user)], env)?;
    let user = documents.world.user(&tag.user);
    let fits = user.filter(|user| env.setup.key.fits_opt_out(&tag, user.tokens));
    Ok(fits.map(|user| (user.id.clone(), tag.what)))
}

/// Turns mails off and returns the answer. The address is proof enough, no matter who pressed the
/// button and what their program writes. The user is told once, so that two programs cannot answer
/// each other for ever. Mails marked as automatic are obeyed too, since some providers mark theirs
/// so, but they get no answer.
pub(super) fn obey(
    user: &UserId,
    what: OptOut,
    message: &Message,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<OutgoingMail>, Fault> {
    if !documents.world.user(user).is_some_and(|user| user.preferences.wants(what)) {
        env.note(format!("{}: {user} has opted out already", message.from));
        return Ok(None);
    }
    let event = Event::User(user.clone(), UserEvent::Prefers(what.choice()));
    documents.apply(&event, env)?;
    env.note(format!("{}: {}", message.from, event.summary()));
    Ok(message.no_reply.is_none().then(|| reply::opted_out(user, what)))
}
