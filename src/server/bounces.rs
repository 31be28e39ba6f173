//! Mails of ours that came back.

use crate::mail::Address;
use crate::model::token::bounced_user;
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::user_key;
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::store::Fault;

/// Records that a mail came back for good, as its sender claims. After the third within a week no
/// more mails go to that address.
pub(super) fn record_bounce(
    id: &str,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<(), Fault> {
    let Some(user) = bounced_user(id) else { return Ok(()) };
    documents.gather(&[user_key(&user)], env)?;
    let Some(found) = documents.world.user(&user) else { return Ok(()) };
    let key = &env.setup.key;
    let is_theirs = |address: &&Address| key.is_bounce_of(id, &found.id, address);
    let Some(address) = found.addresses.iter().find(is_theirs).cloned() else { return Ok(()) };
    let (user, stopped) = (found.id.clone(), found.stopped.len());
    let change = UserEvent::Returned { address, at: env.now };
    documents.apply_and_log(&Event::User(user.clone(), change), env)?;
    if documents.world.user(&user).is_some_and(|user| user.stopped.len() > stopped) {
        env.note(format!(
            "to {user} no mail is sent to one address any more, since three came back within a \
             week, until {user} writes"
        ));
    }
    Ok(())
}
