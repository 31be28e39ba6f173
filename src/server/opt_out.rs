//! A mail to an address that turns mails off.

use crate::base::ids::UserId;
use crate::mail::Message;
use crate::model::user::{OptOut, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::user_key;
use crate::reply::{self, OutgoingMail};
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::server::inbox;
use crate::store::Fault;

/// The user who wants no more mails of a kind, if the mail went to an address made for that.
pub(super) fn asked(
    message: &Message,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<(UserId, OptOut)>, Fault> {
    let Some(tag) = inbox::opt_out(message) else { return Ok(None) };
    documents.gather(&[user_key(&tag.user)], env)?;
    let user = documents.world.user(&tag.user);
    let fits = user.filter(|user| env.setup.key.fits_opt_out(&tag, user.tokens));
    Ok(fits.map(|user| (user.id.clone(), tag.what)))
}

/// Turns mails off. The address proves it: it does not matter who presses the button, or what their
/// program writes. Only the user is told, and once, so that two programs have
/// nothing to answer each other. A mail that says that a program wrote it is obeyed as well, for
/// some providers mark theirs so, but it is not answered. Returns the answer.
pub(super) fn obey(
    user: &UserId,
    what: OptOut,
    message: &Message,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<OutgoingMail>, Fault> {
    if !documents.world.user(user).is_some_and(|user| user.preferences.wants(what)) {
        env.note(format!("{}: {user} gets no such mails as it is", message.from));
        return Ok(None);
    }
    let event = Event::User(user.clone(), UserEvent::Prefers(what.choice()));
    documents.apply(&event, env)?;
    env.note(format!("{}: {}", message.from, event.summary()));
    Ok(message.silence.is_none().then(|| reply::opted_out(user, what)))
}
