//! Loads the documents that a command needs.

use crate::base::ids::{BoardId, UserId};
use crate::command::{Needs, Origin};
use crate::mail::Address;
use crate::model::names;
use crate::model::world::{board_key, failures_key, mailbox_key, user_key};
use crate::server::Server;
use crate::store::{Fault, Key, Store};

impl Server<'_> {
    pub(super) fn load(
        &mut self,
        needs: &Needs,
        origin: &Origin,
        store: &dyn Store,
    ) -> Result<(), Fault> {
        let keys: Vec<Key> = match needs {
            Needs::Keys(keys) => keys.clone(),
            Needs::WithSender(keys) => {
                let sender = origin.address().map(mailbox_key);
                keys.iter().cloned().chain(sender).collect()
            }
            Needs::At(address) => self.users_at(address, store)?,
            Needs::FromSender => match origin.address() {
                Some(sender) => {
                    let mut keys = self.users_at(sender, store)?;
                    keys.push(mailbox_key(sender));
                    keys
                }
                None => Vec::new(),
            },
            Needs::BoardsOfSender => {
                let sender = origin.address();
                let keys = sender.map(|at| self.users_at(at, store)).transpose()?;
                self.gather(&keys.unwrap_or_default(), store)?;
                let users = sender.map(|sender| self.world.users_at(sender)).unwrap_or_default();
                let boards = users.iter().flat_map(|user| &user.active);
                boards.map(|id| board_key(*id)).collect()
            }
            Needs::Fellows(user) => {
                self.gather(&[user_key(user)], store)?;
                let user = self.world.user(user);
                let addresses = user.map_or_else(Vec::new, |user| user.addresses.clone());
                let mut keys: Vec<Key> = addresses.iter().map(mailbox_key).collect();
                for address in &addresses {
                    keys.extend(self.users_at(address, store)?);
                }
                keys
            }
            Needs::Watched(board, keys) => {
                self.gather(keys, store)?;
                let board = self.world.board(*board);
                board.map_or_else(
                    |_| Vec::new(),
                    |board| board.observers.iter().map(user_key).collect(),
                )
            }
            Needs::BoardsOf(games) => {
                let mut keys = Vec::new();
                for game in games {
                    keys.extend(store.boards(game)?);
                }
                keys
            }
            Needs::Rated(game) => {
                let users = store.rated(game)?;
                self.log.extend(self.world.look_up(game, &users, store)?);
                return Ok(());
            }
            Needs::BoardsOfUsers(users, games) => {
                let users_keys: Vec<Key> = users.iter().map(user_key).collect();
                self.gather(&users_keys, store)?;
                let users = users.iter().filter_map(|user| self.world.known(user));
                let boards = users.flat_map(|user| user.active.iter().chain(&user.finished));
                boards.filter(|id| games.contains(&id.game)).map(|id| board_key(*id)).collect()
            }
            Needs::ActiveBoardsOf(user) => {
                self.gather(&[user_key(user)], store)?;
                let user = self.world.user(user);
                user.into_iter().flat_map(|user| &user.active).map(|id| board_key(*id)).collect()
            }
            Needs::Seekers(games) => {
                let seeks: Vec<Key> = games.iter().map(|game| Key::Seeks(game)).collect();
                self.gather(&seeks, store)?;
                let seeks = games.iter().filter_map(|game| self.world.seeks(game).ok());
                seeks.flat_map(|seeks| &seeks.seeks).map(|seek| user_key(&seek.user)).collect()
            }
            Needs::Seek(game, number) => {
                self.gather(&[Key::Seeks(game)], store)?;
                let seeks = self.world.seeks(game).ok();
                let seek = seeks.and_then(|seeks| seeks.get(*number));
                let keys = seek.map(|seek| [user_key(&seek.user), failures_key(&seek.user)]);
                keys.into_iter().flatten().collect()
            }
            Needs::All(all) => {
                return all.iter().try_for_each(|needs| self.load(needs, origin, store));
            }
            Needs::EveryUser(user) => {
                let mut keys = store.users()?;
                keys.push(user_key(user));
                keys
            }
        };
        if keys.iter().any(|key| matches!(key, Key::Names(_))) {
            self.index(store)?;
        }
        self.gather(&keys, store)
    }

    /// The documents of all users who are at a mailbox; which those are is loaded.
    pub(super) fn users_at(
        &mut self,
        address: &Address,
        store: &dyn Store,
    ) -> Result<Vec<Key>, Fault> {
        self.index(store)?;
        let entry = names::at_mailbox(address);
        self.gather(std::slice::from_ref(&entry), store)?;
        Ok(self.world.entered(&entry).iter().map(user_key).collect())
    }

    /// Makes the index of users, where an older program has made the home. A large home would take
    /// too long for it: there `check --repair` does it.
    pub(super) fn index(&mut self, store: &dyn Store) -> Result<(), Fault> {
        self.gather(&[names::whole()], store)?;
        if self.world.is_indexed() || self.is_unindexed {
            return Ok(());
        }
        let users = store.users()?;
        if users.len() > names::MOST_UNASKED {
            self.is_unindexed = true;
            self.log.push("users are not found by their addresses: run `check --repair`".into());
            return Ok(());
        }
        self.gather(&users, store)?;
        let index = self.world.whole_index();
        let keys: Vec<Key> = index.keys().cloned().collect();
        self.gather(&keys, store)?;
        self.world.index(index);
        Ok(())
    }

    pub(super) fn gather(&mut self, keys: &[Key], store: &dyn Store) -> Result<(), Fault> {
        let damaged = self.world.gather(keys, store)?;
        self.log.extend(damaged);
        Ok(())
    }

    /// The player of a board who has that address, if one has: whoever reads the mails that go there
    /// knows it.
    pub(super) fn player_from(
        &mut self,
        board: BoardId,
        from: &Address,
        store: &dyn Store,
    ) -> Result<Option<UserId>, Fault> {
        self.gather(&[board_key(board)], store)?;
        let Ok(players) = self.world.board(board).map(|board| board.players.clone()) else {
            return Ok(None);
        };
        self.gather(&players.each_ref().map(user_key), store)?;
        let is_theirs = |player: &UserId| {
            self.world.user(player).is_some_and(|user| user.addresses.contains(from))
        };
        Ok(players.into_iter().find(is_theirs))
    }
}
