//! Verbs for messages between users, and for the mails that a user gets about boards of others.

pub mod announce;
pub(crate) mod chat;
pub(crate) mod marks;
pub(crate) mod message;
pub(crate) mod notify;
pub mod opt_out;
pub(crate) mod subscribe;

use crate::base::ids::UserId;
use crate::command::Context;
use crate::model::user::UserEvent;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{AccountRefusal, Refusal};

/// Counts a message of one user to another. Offers may exceed the day's limit for messages by
/// `more`.
///
/// # Errors
/// The day's limit is reached.
pub(super) fn count_message(
    world: &World,
    user: &UserId,
    to: &UserId,
    more: usize,
    cx: &Context,
) -> Result<Vec<Event>, Refusal> {
    let most = cx.limits.rate_limits.words.saturating_add(more);
    let is_other = user != to && world.level(to).is_none();
    let Some(user) = world.user(user).filter(|_| is_other) else { return Ok(Vec::new()) };
    if user.messages_to(to, cx.now) >= most {
        return Err(AccountRefusal::TooManyToUser { to: to.clone(), n: most }.into());
    }
    let change = UserEvent::Spoke { to: to.clone(), at: cx.now };
    Ok(vec![Event::User(user.id.clone(), change)])
}
