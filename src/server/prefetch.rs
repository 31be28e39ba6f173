//! Loads the documents of a group of mails together. A distant database answers one question about
//! many documents as fast as a question about one.

use super::receipt::IncomingMail;
use super::{Server, Stages, requests};
use crate::base::time::Time;
use crate::model::correspondent::Correspondent;
use crate::model::world::board_key;
use crate::store::{Fault, Key, MailKey, Store};

impl Server<'_> {
    /// Parses a mail.
    pub fn read(&self, raw: &[u8]) -> IncomingMail {
        IncomingMail::read(raw, &self.setup.identity.address)
    }

    /// Loads what these mails need: whether they were executed before, the boards they reply about
    /// with their players, and how many mails these players got today.
    ///
    /// # Errors
    /// The machine failed.
    pub fn prefetch(
        &mut self,
        mails: &[&IncomingMail],
        store: &dyn Store,
        now: Time,
    ) -> Result<(), Fault> {
        let keys: Vec<MailKey> = mails.iter().map(|mail| *mail.key()).collect();
        store.prefetch_receipts(&keys)?;
        let messages = mails.iter().filter_map(|mail| mail.message.as_ref().ok());
        let boards = messages.filter_map(requests::tag).map(|tag| tag.board);
        let boards: Vec<Key> = boards.map(board_key).collect();
        let Stages { work, env, .. } = &mut self.stages(store, now);
        work.documents.gather(&boards, env)?;
        let users = work.documents.world.users();
        let addresses = users.into_iter().flat_map(|user| &user.addresses);
        let mailboxes = addresses.map(Correspondent::digest).collect();
        work.daily_counts.prefetch(mailboxes, env)
    }
}
