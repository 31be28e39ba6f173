//! Reactions: what follows from an event or from the wakeup of a document, beyond the documents that
//! [`World::apply`] keeps in step. A reaction decides as a command does: from documents, time and
//! chance to events and news. Its events may cause further reactions.
//!
//! A new reaction is a file that implements [`Reaction`], and a line in [`REACTIONS`].

mod digest;
mod expired_challenges;
mod ladders;
mod recent_players;
mod settled_reports;
mod tournaments;
mod welcome;

use crate::command::Needs;
use crate::model::service::ServiceContext;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::reply::Answer;
use crate::store::Key;

/// What a reaction follows from.
#[derive(Clone, Debug)]
pub enum Cause {
    /// An event, which was applied.
    Event(Event),
    /// The [wakeup](crate::model::document::Document::wakeup) of this document has come.
    Due(Key),
}

impl Cause {
    /// Returns a short text for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::Event(event) => event.summary(),
            Self::Due(key) => format!("{key} is due"),
        }
    }
}

/// What a reaction leads to.
#[derive(Debug)]
pub struct Consequence {
    /// The changes.
    pub events: Vec<Event>,
    /// The news for those whom they concern, if any.
    pub news: Option<Answer>,
}

impl Consequence {
    /// Wraps an event without news.
    fn silent(event: Event) -> Self {
        Self { events: vec![event], news: None }
    }
}

/// A rule of what follows from causes of some kind.
pub trait Reaction: Sync {
    /// Returns the documents that [`Self::react`] reads; `None` if nothing follows from the cause.
    fn needs(&self, cause: &Cause, world: &World) -> Option<Needs>;

    /// Returns what follows, in order. Changes nothing. Several boards that are begun in one call
    /// get their numbers from one [`BoardMaker`](crate::model::new_board::BoardMaker).
    fn react(&self, cause: &Cause, world: &World, cx: &mut ServiceContext) -> Vec<Consequence>;
}

/// All reactions, in the order in which they act on a cause.
pub const REACTIONS: &[&dyn Reaction] = &[
    &expired_challenges::ExpiredChallenges,
    &digest::HeldMails,
    &tournaments::Tournaments,
    &ladders::Ladders,
    &settled_reports::SettledReports,
    &recent_players::ActivePlayers,
    &welcome::Welcomes,
];
