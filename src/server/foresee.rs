//! The documents that a group of mails is about to need, asked for together: a home that is far
//! away answers one question about many as fast as one about one.

use super::receipt::IncomingMail;
use super::{Server, inbox};
use crate::base::time::Time;
use crate::model::correspondent::Correspondent;
use crate::model::world::board_key;
use crate::store::{Fault, Key, MailKey, Store};

impl Server<'_> {
    /// Reads a mail.
    pub fn read(&self, raw: &[u8]) -> IncomingMail {
        IncomingMail::read(raw, &self.setup.identity.address)
    }

    /// Loads what these mails are about: whether they were executed before, the boards that they
    /// answer mails about with their players, and how many mails these got today.
    ///
    /// # Errors
    /// The machine failed.
    pub fn foresee(
        &mut self,
        mails: &[&IncomingMail],
        store: &dyn Store,
        now: Time,
    ) -> Result<(), Fault> {
        let keys: Vec<MailKey> = mails.iter().map(|mail| *mail.key()).collect();
        store.expect_mails(&keys)?;
        let messages = mails.iter().filter_map(|mail| mail.message.as_ref().ok());
        let boards = messages.filter_map(inbox::tag).map(|tag| tag.board);
        let boards: Vec<Key> = boards.map(board_key).collect();
        let (batch, _, env) = &mut self.stages(store, now);
        batch.documents.gather(&boards, env)?;
        let users = batch.documents.world.users();
        let addresses = users.into_iter().flat_map(|user| &user.addresses);
        let mailboxes = addresses.map(Correspondent::digest).collect();
        batch.quota.expect(mailboxes, env)
    }
}
