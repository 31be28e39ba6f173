//! Mails to an address that turns mails off.

use crate::base::digest::digest;
use crate::base::ids::UserId;
use crate::mail::Message;
use crate::model::event::{Change, Event};
use crate::model::user::OptOut;
use crate::model::world::user_key;
use crate::reply;
use crate::server::letters::Cause;
use crate::server::{Server, inbox};
use crate::store::{Fault, MailKey, Store};

impl Server<'_> {
    /// Who wants no more mails of a kind, if the mail went to an address that we made for that.
    pub(super) fn opted_out(
        &mut self,
        message: &Message,
        store: &dyn Store,
    ) -> Result<Option<(UserId, OptOut)>, Fault> {
        let Some(tag) = inbox::opt_out(message) else { return Ok(None) };
        self.gather(&[user_key(&tag.user)], store)?;
        let user = self.world.user(&tag.user);
        let fits = user.filter(|user| self.setup.key.fits_opt_out(&tag, user.tokens));
        Ok(fits.map(|user| (user.id.clone(), tag.what)))
    }

    /// Turns mails off, whoever presses the button and whatever his program writes: the address
    /// proves it, and says nothing else. Only the user is told, and once, so that two programs have
    /// nothing to answer each other. A mail that says that a program wrote it is obeyed as well, for
    /// some providers mark theirs so, but it is not answered.
    pub(super) fn opt_out(
        &mut self,
        user: &UserId,
        what: OptOut,
        message: &Message,
        key: &MailKey,
        store: &dyn Store,
        now: i64,
    ) -> Result<(), Fault> {
        if !self.world.user(user).is_some_and(|user| user.preferences.wants(what)) {
            self.log.push(format!("{}: {user} gets no such mails as it is", message.from));
            return Ok(());
        }
        let change = Change::Prefers(what.preference());
        let event = Event::Account { user: user.clone(), change };
        self.world.apply(&event);
        self.log.push(format!("{}: {}", message.from, event.summary()));
        if message.silence.is_none() {
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            self.post(&reply::opted_out(user, what), Some(message), &cause, store, now)?;
        }
        Ok(())
    }
}
