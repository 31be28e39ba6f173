//! Questions of commands to the documents that are loaded.

use super::follow::vacations;
use super::{MissingDocument, World};
use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::mail::Address;
use crate::model::board::Board;
use crate::model::clock::{Clock, Vacation};
use crate::model::correspondent::{Correspondent, LimitedAction, PasswordSource, StrangerAction};
use crate::model::names::{self, NameIndex};
use crate::model::program;
use crate::model::rating::Standing;
use crate::model::seeks::Seeks;
use crate::model::talk::ChatMessage;
use crate::model::token::Generation;
use crate::model::user::User;
use crate::store::Key;
use games::{AnyGame, Choices, Seat, SeatSettings, View};
use std::collections::BTreeMap;

impl World {
    /// A board.
    ///
    /// # Errors
    /// There is none of that number, or its file is damaged.
    pub fn board(&self, id: BoardId) -> Result<&Board, MissingDocument> {
        match self.caches.boards.content(&id) {
            Ok(board) => board.ok_or(MissingDocument::NoBoard(id)),
            Err(_) => Err(MissingDocument::DamagedBoard(id)),
        }
    }

    /// The messages of a board, as far as they were loaded and can be read.
    pub fn talk(&self, id: BoardId) -> &[ChatMessage] {
        self.caches.talks.get(&id).map_or(&[], |talk| &talk.said)
    }

    /// A user, if there is one of that userid who has not left and whose file can be read.
    pub fn user(&self, id: &UserId) -> Option<&User> {
        self.known(id).filter(|user| user.left.is_none())
    }

    /// Whether a user wants no words of another user.
    pub fn is_muted(&self, reader: &UserId, of: &UserId) -> bool {
        self.user(reader).is_some_and(|reader| reader.muted.contains(of))
    }

    /// A user, here or gone, if more than the userid is kept.
    pub fn kept(&self, id: &UserId) -> Option<&User> {
        self.known(id).filter(|user| user.left.is_none_or(|left| !left.erased))
    }

    /// A user, here or gone, whose file can be read, or the program under its userid.
    pub fn known(&self, id: &UserId) -> Option<&User> {
        match self.caches.users.content(id) {
            Ok(user) => user.or_else(|| program::user(id)),
            Err(_) => None,
        }
    }

    /// The level at which the program plays under a userid; none where a user had it before.
    pub fn level(&self, id: &UserId) -> Option<u8> {
        let users = &self.caches.users;
        program::level(id).filter(|_| !users.is_loaded(id) || users.is_absent(id))
    }

    /// Every user loaded who has not left, by userid.
    pub fn users(&self) -> Vec<&User> {
        let here = self.caches.users.iter().filter(|user| user.left.is_none());
        let mut users: Vec<_> = here.collect();
        users.sort_by_key(|user| user.id.folded());
        users
    }

    /// Whether every user is in the index of users. Its mark has been loaded.
    pub fn is_indexed(&self) -> bool {
        self.entry(&names::whole()).is_some()
    }

    fn entry(&self, key: &Key) -> Option<&NameIndex> {
        let Key::In(names::DRAWER, entry) = key else { return None };
        self.caches.names.get(entry)
    }

    /// The userids that an entry of the index of users leads to; none if its file is damaged.
    pub fn entered(&self, key: &Key) -> &[UserId] {
        self.entry(key).map_or(&[], NameIndex::users)
    }

    /// The users here that an address belongs to, in the order in which they came to it.
    pub fn users_at(&self, address: &Address) -> Vec<&User> {
        let users = self.entered(&names::at_mailbox(address)).iter();
        let users = users.filter_map(|id| self.caches.users.get(id));
        let here = users.filter(|user| user.left.is_none());
        here.filter(|user| user.addresses.contains(address)).collect()
    }

    /// Whether a userid could be taken for that of another user.
    pub fn is_confusable(&self, id: &UserId) -> bool {
        self.entered(&names::alike(id)).iter().any(|other| other != id)
    }

    /// Enters every user loaded, who are all there are, into the index of users. Its entries have
    /// been loaded.
    pub fn index(&mut self, index: BTreeMap<Key, NameIndex>) {
        for (key, names) in index {
            let Key::In(names::DRAWER, entry) = &key else { continue };
            if self.caches.names.is_loaded(entry) {
                self.caches.names.put(entry.clone(), names);
            }
        }
    }

    /// The whole index of the users loaded.
    pub fn whole_index(&self) -> BTreeMap<Key, NameIndex> {
        let mut users: Vec<_> = self.caches.users.iter().collect();
        users.sort_by_key(|user| (user.joined, user.id.folded()));
        names::all(users.into_iter())
    }

    /// How many words were mailed within a day to a mailbox whose owner may never have asked.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn asked(&self, address: &Address, now: Time) -> Result<usize, MissingDocument> {
        Ok(self.counted(&Correspondent::name(address))?.map_or(0, |mailbox| mailbox.recent(now)))
    }

    /// How many users have signed up from a mailbox within a day.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn signups(&self, address: &Address, now: Time) -> Result<usize, MissingDocument> {
        Ok(self.counted(&Correspondent::name(address))?.map_or(0, |mailbox| mailbox.signups(now)))
    }

    /// How many codes were mailed within a day because of what is counted under that name.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn mailed_for(&self, name: &String, now: Time) -> Result<usize, MissingDocument> {
        Ok(self.counted(name)?.map_or(0, |correspondent| correspondent.recent(now)))
    }

    /// How many users signed up within a day by what is counted under that name.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn signed_up_from(&self, name: &String, now: Time) -> Result<usize, MissingDocument> {
        Ok(self.counted(name)?.map_or(0, |correspondent| correspondent.signups(now)))
    }

    /// Whether strangers may do no more of that for an hour, by the document of that name.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn is_full(
        &self,
        what: StrangerAction,
        name: &String,
        now: Time,
    ) -> Result<bool, MissingDocument> {
        Ok(self.counted(name)?.is_some_and(|all| all.is_full(what, now)))
    }

    /// How often that was done within a day, by the document of that name.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn begun(
        &self,
        what: LimitedAction,
        name: &String,
        now: Time,
    ) -> Result<usize, MissingDocument> {
        let correspondent = self.counted(name)?;
        Ok(correspondent.map_or(0, |correspondent| correspondent.begun(what, now)))
    }

    fn counted(&self, name: &String) -> Result<Option<&Correspondent>, MissingDocument> {
        self.caches.correspondents.content(name).map_err(|_| MissingDocument::Damaged)
    }

    /// The open challenges of a game.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn seeks(&self, game: &'static str) -> Result<&Seeks, MissingDocument> {
        let seeks = self.caches.seeks.content(&game).ok().flatten();
        seeks.ok_or(MissingDocument::DamagedSeeks(game))
    }

    /// The users who hear of a new board: all who want to hear of all boards of its game, except
    /// its players. Nobody hears of a private one.
    pub fn listeners(&self, id: BoardId) -> Vec<UserId> {
        let board = self.board(id).ok().filter(|board| !board.private);
        let (Some(board), Ok(seeks)) = (board, self.seeks(id.game)) else { return Vec::new() };
        let others = seeks.listeners.iter().filter(|user| board.seat(user).is_none());
        others.cloned().collect()
    }

    /// Whether what is counted for a mailbox has been loaded.
    pub fn has_mailbox(&self, address: &Address) -> bool {
        self.caches.correspondents.is_loaded(&Correspondent::name(address))
    }

    /// The counts of a mailbox; nothing if its file is damaged.
    pub fn mailbox(&self, address: &Address) -> Correspondent {
        let found = self.caches.correspondents.get(&Correspondent::name(address));
        found.cloned().unwrap_or_default()
    }

    /// Until when passwords for a userid that come from there are not looked at, if that is later
    /// than now: too many wrong ones came from the place, or for the userid from strangers. What
    /// strangers do holds up neither the user's own address nor a browser in which the user has
    /// signed in before; wrong passwords from such browsers are counted together.
    pub fn pause(&self, user: &UserId, from: &PasswordSource, now: Time) -> Option<Time> {
        let is_own = self.caches.users.get(user).zip(from.address);
        let is_own = is_own.is_some_and(|(user, from)| user.addresses.contains(from));
        let of = |name: &String| self.caches.correspondents.get(name)?.pause(now);
        if from.is_known_to(user) {
            return of(&Correspondent::name_of_known(user));
        }
        let by_user = if is_own { None } else { of(&Correspondent::name_of(user)) };
        of(&from.place).max(by_user)
    }

    /// The settings of the player of a seat on a board: those for the board, and else for the game.
    pub fn settings(&self, board: &Board, seat: Seat) -> Choices {
        let everywhere = self.user(board.player(seat)).map(|user| user.settings(board.game));
        everywhere.unwrap_or_default().and(&board.settings[seat.index()])
    }

    /// How the player of a seat sees a board and writes its moves.
    pub fn view(&self, board: &Board, seat: Seat) -> View {
        View { seat: Some(seat), settings: self.settings(board, seat), legal: false }
    }

    /// The things done for the player at a seat of a board.
    pub fn likes(&self, board: &Board, seat: Seat) -> SeatSettings {
        SeatSettings { settings: self.settings(board, seat), level: self.level(board.player(seat)) }
    }

    /// The things done for a player on a new board of a game.
    pub fn new_board_likes(&self, id: &UserId, game: &'static dyn AnyGame) -> SeatSettings {
        let user = self.user(id);
        let settings = user.map_or_else(Choices::default, |user| user.settings(game));
        SeatSettings { settings, level: self.level(id) }
    }

    /// Whether a userid is taken, even by a damaged file or by the program.
    pub fn is_taken(&self, id: &UserId) -> bool {
        !self.caches.users.is_absent(id) || self.level(id).is_some()
    }

    /// The number that the next board of a game gets.
    ///
    /// # Errors
    /// The count is damaged.
    pub fn next_number(&self, game: &'static str) -> Result<u32, MissingDocument> {
        let number = self.number_after(game).ok_or(MissingDocument::Damaged)?;
        let is_free = self.caches.boards.is_absent(&BoardId { game, number });
        if is_free { Ok(number) } else { Err(MissingDocument::Damaged) }
    }

    pub(super) fn number_after(&self, game: &'static str) -> Option<u32> {
        self.caches.counts.content(&game).ok()?.copied().unwrap_or_default().next()
    }

    /// Every board loaded, in order of game and number.
    pub fn boards(&self) -> Vec<&Board> {
        let mut boards: Vec<_> = self.caches.boards.iter().collect();
        boards.sort_by_key(|board| board.id);
        boards
    }

    /// The standings of the users who are rated in a game, by userid, and their boards in progress.
    pub fn standings(&self, game: &str) -> &[(UserId, Standing, usize)] {
        self.standings.get(game).expect("a command's needs are loaded first")
    }

    /// The generation of the reply tags that a player of a board gets now.
    pub fn generation(&self, board: &Board, seat: Seat) -> Generation {
        let user = self.user(board.player(seat)).map_or(0, |user| user.tokens);
        Generation { user, board: board.tokens[seat.index()] }
    }

    /// The vacations of a board's players, seat 0's first.
    pub fn vacations(&self, board: &Board) -> [&[Vacation]; 2] {
        vacations(&self.caches.users, &board.players)
    }

    /// The clocks of a board.
    pub fn clock(&self, board: &Board, now: Time) -> Clock {
        Clock::read(board, self.vacations(board), now)
    }
}
