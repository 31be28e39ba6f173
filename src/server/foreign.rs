//! A reply in a player's name that came from an address of somebody else.

use crate::base::ids::{BoardId, UserId};
use crate::command::Origin;
use crate::model::user::{UserEvent, Warning};
use crate::model::world::event::Event;
use crate::reply::{self, OutgoingMail};
use crate::server::env::Env;
use crate::server::gather::DocumentSet;
use crate::store::Fault;

/// The warning to a player in whose name a reply was carried out that came from elsewhere: once a
/// month for each address, and not without end.
pub(super) fn warn(
    board: BoardId,
    user: &UserId,
    origin: &Origin,
    documents: &mut DocumentSet,
    env: &mut Env,
) -> Result<Option<OutgoingMail>, Fault> {
    // Some mail programs write no usable address. Who would hide writes the player's own.
    let Some(from) = origin.address() else { return Ok(None) };
    let Some(found) = documents.world.user(user) else { return Ok(None) };
    let of = Warning::about(&format!("reply {}", from.as_str().to_lowercase()));
    if found.addresses.contains(from) || !found.is_warned_of(&of, env.now) {
        return Ok(None);
    }
    let user = found.id.clone();
    let warned = UserEvent::Warned(Warning { of, at: env.now });
    documents.happen(&Event::User(user.clone(), warned), env)?;
    Ok(Some(reply::foreign_reply(&user, board, from)))
}
