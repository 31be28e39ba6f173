//! Open challenges are removed when their time is over, so that pages that show them change.

use crate::command::Needs;
use crate::command::reactions::{Cause, Consequence, Reaction};
use crate::model::document::Document as _;
use crate::model::seeks::{Seeks, SeeksEvent};
use crate::model::service::ServiceContext;
use crate::model::world::World;
use crate::model::world::event::Event;

pub(super) struct ExpiredChallenges;

/// Returns the game whose open challenges are due.
fn due_game(cause: &Cause) -> Option<&'static str> {
    match cause {
        Cause::Due(key) => Seeks::id_of(key),
        Cause::Event(_) => None,
    }
}

impl Reaction for ExpiredChallenges {
    fn needs(&self, cause: &Cause, _: &World) -> Option<Needs> {
        due_game(cause).map(|game| Needs::Keys(vec![Seeks::key(&game)]))
    }

    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence> {
        let Some(game) = due_game(cause) else { return Vec::new() };
        let wakeup = world.seeks(game).ok().and_then(Seeks::wakeup);
        let is_due = wakeup.is_some_and(|at| at <= cx.now);
        let expired = Event::Seeks(game, SeeksEvent::Expired { at: cx.now });
        is_due.then(|| Consequence::silent(expired)).into_iter().collect()
    }
}
