//! Events carried out: each is handed to its document.

use super::World;
use crate::model::event::Event;

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
