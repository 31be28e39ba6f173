//! Mails that cannot be read, or are given up.

use crate::base::digest::digest;
use crate::mail::{Malformed, parse};
use crate::model::rate_limit::Share;
use crate::refusal::{Asker, SyntaxRefusal};
use crate::reply::{self, Outgoing};
use crate::server::letters::Cause;
use crate::server::receipt::{given_up, key_of, short, unfit_key};
use crate::server::{Handled, Server};
use crate::store::{Fault, Store};
use std::panic::catch_unwind;

impl Server<'_> {
    /// A mail that cannot be read gets one short answer, if its sender is known and may get one.
    pub(super) fn unfit(
        &mut self,
        unfit: &Malformed,
        store: &dyn Store,
        now: i64,
    ) -> Result<Handled, Fault> {
        let key = unfit_key(unfit);
        if !self.is_new(&key, store, now)? {
            return Ok(Handled::Done);
        }
        // Where nobody is told nobody asks for it again.
        let mut is_told = false;
        if let Some(from) = unfit.tell() {
            let refusal = SyntaxRefusal::Mail(unfit.to_string()).into();
            let refused = reply::refuse(&refusal, &Asker::default());
            let mail = Outgoing { share: Share::Others, ..refused };
            let answered = unfit.message_id.clone().map(|id| (id, Vec::new()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            let charge = Self::error(&mail, &unfit.to_string());
            if self.judge(from, charge, store, now)?.is_sent() {
                self.send(&mail, from, answered, &cause, store, now)?;
                is_told = true;
            }
        }
        let kept = if is_told { "" } else { "; it is not kept" };
        self.log.push(format!("mail {} cannot be read: {unfit}{kept}", short(&key)));
        self.done.executes(key);
        self.done.at = now;
        Ok(if is_told { Handled::Malformed(unfit.to_string()) } else { Handled::Done })
    }

    /// A mail that failed by a fault of ours and is given up: its sender is told, and it is not
    /// taken again from a mailbox that still has it.
    ///
    /// # Errors
    /// The machine failed.
    pub fn give_up(&mut self, raw: &[u8], store: &dyn Store, now: i64) -> Result<(), Fault> {
        let key = key_of(raw, &self.setup.identity.address);
        let read = catch_unwind(|| parse(raw, &self.setup.identity.address));
        if let Ok(Ok(message)) = read
            && message.silence.is_none()
        {
            let mail = Outgoing { share: Share::Others, ..reply::our_fault() };
            let answered = message.message_id.clone().map(|id| (id, message.references.clone()));
            let cause = Cause::answer(digest([key.id, key.content].concat().as_slice()), 0);
            let charge = Self::error(&mail, &mail.text);
            if self.judge(&message.from, charge, store, now)?.is_sent() {
                self.send(&mail, &message.from, answered, &cause, store, now)?;
            }
        }
        self.done.seen.push(given_up(&key));
        self.done.at = now;
        Ok(())
    }
}
