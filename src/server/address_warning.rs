//! Warns a player whose reply address was used from an address that is not theirs.

use crate::base::ids::UserId;
use crate::command::Origin;
use crate::model::topic::Topic;
use crate::model::user::{UserEvent, Warning};
use crate::model::world::event::Event;
use crate::reply::{self, OutgoingMail};
use crate::server::documents::DocumentSet;
use crate::server::env::Env;
use crate::store::Fault;

/// Returns the warning to a player in whose name a reply came from an unknown address. A player is
/// warned once a month for each address, up to a limit.
pub(super) fn warn(
    topic: &Topic,
    user: &UserId,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<OutgoingMail>, Fault> {
    // Some mail programs write no usable From. A forger would write the player's own address.
    let Some(from) = origin.address() else { return Ok(None) };
    let Some(found) = documents.world.user(user) else { return Ok(None) };
    let of = Warning::about(&format!("reply {}", from.as_str().to_lowercase()));
    if found.addresses.contains(from) || !found.may_be_warned_of(&of, env.now) {
        return Ok(None);
    }
    let user = found.id.clone();
    let warned = UserEvent::Warned(Warning { of, at: env.now });
    documents.apply_and_log(&Event::User(user.clone(), warned), env)?;
    Ok(Some(reply::foreign_reply(&user, topic, from)))
}
