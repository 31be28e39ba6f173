//! The changes of commands: events of one document each, which applies them itself.
//!
//! A document with new events has three lines here: the event, its words, and who applies it.

use super::World;
use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::board::{BoardEvent, BoardSetup};
use crate::model::correspondent::CorrespondentEvent;
use crate::model::seeks::SeeksEvent;
use crate::model::talk::TalkEvent;
use crate::model::user::{User, UserEvent};

/// One change of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A user joined.
    SignedUp {
        /// The user.
        user: Box<User>,
        /// Where the mail came from, if a mail did it.
        from: Option<Address>,
    },
    /// A board was set up.
    Challenged(Box<BoardSetup>),
    /// Something happened on a board.
    Board(BoardId, BoardEvent),
    /// Something about a user changed.
    User(UserId, UserEvent),
    /// Something about the open challenges to a game changed.
    Seeks(&'static str, SeeksEvent),
    /// Something was said on a board, or is forgotten.
    Talk(BoardId, TalkEvent),
    /// Something counts for correspondents, by the names of their documents.
    Correspondents(Vec<String>, CorrespondentEvent),
}

impl Event {
    /// The event in a few words, for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::SignedUp { user, .. } => format!("{} signed up", user.id),
            Self::Challenged(new) => {
                format!("{} set up for {} and {}", new.board, new.players[0], new.players[1])
            }
            Self::Board(board, event) => event.summary(*board),
            Self::User(user, event) => event.summary(user),
            Self::Seeks(game, event) => event.summary(game),
            Self::Talk(board, event) => event.summary(*board),
            Self::Correspondents(_, event) => event.summary(),
        }
    }
}

impl World {
    /// Carries out an event that was decided for this world.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::SignedUp { user, from } => self.sign_up(user, from.as_ref()),
            Event::Challenged(challenged) => self.set_up(challenged),
            Event::Board(id, event) => self.change_board(*id, event),
            Event::User(id, event) => self.change_account(id, event),
            Event::Seeks(game, event) => {
                let seeks = self.caches.seeks.get_mut(game);
                seeks.expect("events are about what was found open").apply(event);
            }
            Event::Talk(id, event) => self.talk_of(*id, event),
            Event::Correspondents(names, event) => {
                for name in names {
                    self.count(name, event);
                }
            }
        }
    }
}
