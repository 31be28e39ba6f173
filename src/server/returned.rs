//! Mails of ours that came back.

use crate::mail::Address;
use crate::model::event::{Change, Event};
use crate::model::token::bounced_user;
use crate::model::world::user_key;
use crate::server::Server;
use crate::store::{Fault, Store};

impl Server<'_> {
    /// A mail of ours came back for good, or somebody says so.
    pub(super) fn returned(&mut self, id: &str, store: &dyn Store, now: i64) -> Result<(), Fault> {
        let Some(user) = bounced_user(id) else { return Ok(()) };
        self.gather(&[user_key(&user)], store)?;
        let Some(found) = self.world.user(&user) else { return Ok(()) };
        let key = &self.setup.key;
        let is_his = |address: &&Address| key.is_bounce_of(id, &found.id, address);
        let Some(address) = found.addresses.iter().find(is_his).cloned() else { return Ok(()) };
        let (user, stopped) = (found.id.clone(), found.stopped.len());
        let change = Change::Returned { address, at: now };
        let event = Event::Account { user: user.clone(), change };
        self.world.apply(&event);
        self.log.push(event.summary());
        if self.world.user(&user).is_some_and(|user| user.stopped.len() > stopped) {
            self.log.push(format!(
                "to {user} no mail is sent to one address any more, since three came back within a \
                 week, until {user} writes"
            ));
        }
        Ok(())
    }
}
