//! Queries of commands to the loaded documents.

use super::apply::time_off;
use super::{MissingDocument, World};
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::network::Network;
use crate::base::time::Time;
use crate::base::zone::Zone;
use crate::mail::Address;
use crate::model::announcement::Announcements;
use crate::model::board::{Board, BoardStatus};
use crate::model::chat_log::ChatMessage;
use crate::model::clock::{Clock, TimeOff};
use crate::model::correspondent::{Correspondent, LimitedAction, PasswordSource, StrangerAction};
use crate::model::document::Document as _;
use crate::model::finished_boards::{FinishedBoard, FinishedBoards, FinishedPart};
use crate::model::moderation::{
    AuditEntry, Ban, BanSubject, Docket, PAGE, Report, audit_key, ban_key, ban_keys, report_key,
};
use crate::model::program;
use crate::model::recent_players::RecentPlayers;
use crate::model::seeks::Seeks;
use crate::model::token::Generation;
use crate::model::tournament::{Tournament, TournamentList};
use crate::model::user::{Mark, RatedUser, User};
use crate::model::user_index::{self, UserIndexEntry};
use crate::model::welcomers::Welcomers;
use crate::store::Key;
use games::{AnyGame, Choices, MANUAL, Seat, SeatSettings, View};
use std::collections::BTreeMap;

impl World {
    /// Returns a board.
    ///
    /// # Errors
    /// The board does not exist or is damaged.
    pub fn board(&self, id: BoardId) -> Result<&Board, MissingDocument> {
        match self.caches.boards.content(&id) {
            Ok(board) => board.ok_or(MissingDocument::NoBoard(id)),
            Err(_) => Err(MissingDocument::DamagedBoard(id)),
        }
    }

    /// Returns a board if it is loaded, exists and is not damaged.
    pub fn loaded_board(&self, id: BoardId) -> Option<&Board> {
        self.caches.boards.get(&id)
    }

    /// Returns the messages on a board; none if they are not loaded or damaged.
    pub fn chat(&self, id: BoardId) -> &[ChatMessage] {
        self.caches.chats.get(&id).map_or(&[], |talk| &talk.said)
    }

    /// Returns the operator's announcements.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn announcements(&self) -> Result<&Announcements, MissingDocument> {
        let found = self.caches.announcements.content(&()).ok().flatten();
        found.ok_or(MissingDocument::Damaged)
    }

    /// Returns the list of a game's players who were active last; `None` if it does not exist, is not
    /// loaded or is damaged.
    pub fn recent_players(&self, game: &'static str) -> Option<&RecentPlayers> {
        self.caches.recent_players.get(&game)
    }

    /// Returns the players who welcome newcomers; `None` if the list does not exist, is not loaded or is
    /// damaged.
    pub fn welcomers(&self) -> Option<&Welcomers> {
        self.caches.welcomers.get(&())
    }

    /// Returns a player's own note on a board; `None` if there is none, or it is not loaded.
    pub fn note(&self, id: BoardId, seat: Seat) -> Option<&str> {
        self.caches.notes.get(&id)?.of(seat)
    }

    /// Returns a user who has not left and whose document is not damaged.
    pub fn user(&self, id: &UserId) -> Option<&User> {
        self.any_user(id).filter(|user| user.left.is_none())
    }

    /// Returns whether a user is a guest.
    pub fn is_guest(&self, id: &UserId) -> bool {
        self.user(id).is_some_and(|user| user.guest)
    }

    /// Returns whether a user has put a mark on another user.
    pub fn has_marked(&self, by: &UserId, other: &UserId, mark: Mark) -> bool {
        self.user(by).is_some_and(|by| by.has_marked(other, mark))
    }

    /// Returns whether a user gets no messages of another user: they have muted or blocked them.
    pub fn is_muted(&self, reader: &UserId, of: &UserId) -> bool {
        [Mark::Muted, Mark::Blocked].into_iter().any(|mark| self.has_marked(reader, of, mark))
    }

    /// Returns a user, even one who has left, unless they were erased.
    pub fn unerased_user(&self, id: &UserId) -> Option<&User> {
        self.any_user(id).filter(|user| user.left.is_none_or(|left| !left.erased))
    }

    /// Returns a user, even one who has left, if the document is loaded and not damaged.
    pub fn loaded_user(&self, id: &UserId) -> Option<&User> {
        self.caches.users.get(id)
    }

    /// Returns a user, even one who has left, or the program under its userid. `None` if the
    /// document is damaged.
    pub fn any_user(&self, id: &UserId) -> Option<&User> {
        match self.caches.users.content(id) {
            Ok(user) => user.or_else(|| program::user(id)),
            Err(_) => None,
        }
    }

    /// Returns the level of the program's userid; `None` if an older home has a user of this
    /// userid.
    pub fn level(&self, id: &UserId) -> Option<u8> {
        let users = &self.caches.users;
        program::level(id).filter(|_| !users.is_loaded(id) || users.is_absent(id))
    }

    /// Returns all loaded users who have not left, by userid.
    pub fn users(&self) -> Vec<&User> {
        let here = self.caches.users.iter().filter(|user| user.left.is_none());
        let mut users: Vec<_> = here.collect();
        users.sort_by_key(|user| user.id.folded());
        users
    }

    /// Returns whether the index contains every user. Its mark must be loaded.
    pub fn is_indexed(&self) -> bool {
        self.entry(&user_index::complete_mark()).is_some()
    }

    fn entry(&self, key: &Key) -> Option<&UserIndexEntry> {
        let Key::In(user_index::COLLECTION, entry) = key else { return None };
        self.caches.user_index.get(entry)
    }

    /// Returns the users of an index entry; none if it is damaged.
    pub fn indexed_users(&self, key: &Key) -> &[UserId] {
        self.entry(key).map_or(&[], UserIndexEntry::users)
    }

    /// Returns the users of an address who have not left, in the order in which they came to it.
    pub fn users_at(&self, address: &Address) -> Vec<&User> {
        let users = self.indexed_users(&user_index::mailbox_entry(address)).iter();
        let users = users.filter_map(|id| self.caches.users.get(id));
        let here = users.filter(|user| user.left.is_none());
        here.filter(|user| user.addresses.contains(address)).collect()
    }

    /// Returns whether a userid looks like that of another user.
    pub fn is_confusable(&self, id: &UserId) -> bool {
        self.indexed_users(&user_index::look_entry(id)).iter().any(|other| other != id)
    }

    /// Replaces the loaded entries of the index of users.
    pub fn replace_index_entries(&mut self, index: BTreeMap<Key, UserIndexEntry>) {
        for (key, names) in index {
            let Key::In(user_index::COLLECTION, entry) = &key else { continue };
            if self.caches.user_index.is_loaded(entry) {
                self.caches.user_index.put(entry.clone(), names);
            }
        }
    }

    /// Builds the index of all loaded users.
    pub fn whole_index(&self) -> BTreeMap<Key, UserIndexEntry> {
        let mut users: Vec<_> = self.caches.users.iter().collect();
        users.sort_by_key(|user| (user.joined, user.id.folded()));
        user_index::build(users.into_iter())
    }

    /// Returns whether strangers have reached the limit of this hour. `name` is one of
    /// [`Correspondent::stranger_names`] or [`Correspondent::answer_names`].
    ///
    /// # Errors
    /// The counts are damaged.
    pub fn strangers_at_limit(
        &self,
        what: StrangerAction,
        name: &String,
        now: Time,
    ) -> Result<bool, MissingDocument> {
        Ok(self.correspondent(name)?.is_some_and(|all| all.is_full(what, now)))
    }

    /// Returns how often an action was carried out within a day by, or for, the mailbox, userid or
    /// network of this name.
    ///
    /// # Errors
    /// The counts are damaged.
    pub fn actions_today(
        &self,
        what: LimitedAction,
        name: &String,
        now: Time,
    ) -> Result<usize, MissingDocument> {
        let correspondent = self.correspondent(name)?;
        Ok(correspondent.map_or(0, |correspondent| correspondent.actions_today(what, now)))
    }

    fn correspondent(&self, name: &String) -> Result<Option<&Correspondent>, MissingDocument> {
        self.caches.correspondents.content(name).map_err(|_| MissingDocument::Damaged)
    }

    /// Returns the open challenges of a game.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn seeks(&self, game: &'static str) -> Result<&Seeks, MissingDocument> {
        let seeks = self.caches.seeks.content(&game).ok().flatten();
        seeks.ok_or(MissingDocument::DamagedSeeks(game))
    }

    /// Returns a tournament; `None` if it does not exist.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn tournament(&self, id: TournamentId) -> Result<Option<&Tournament>, MissingDocument> {
        self.caches.tournaments.content(&id).map_err(|_| MissingDocument::Damaged)
    }

    /// Returns a tournament if it is loaded, exists and is not damaged.
    pub fn loaded_tournament(&self, id: TournamentId) -> Option<&Tournament> {
        self.caches.tournaments.get(&id)
    }

    /// Returns the list of a game's tournaments.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn tournament_list(&self, game: &'static str) -> Result<&TournamentList, MissingDocument> {
        let list = self.caches.tournament_lists.content(&game).ok().flatten();
        list.ok_or(MissingDocument::Damaged)
    }

    /// Returns the docket.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn docket(&self) -> Result<&Docket, MissingDocument> {
        self.caches.dockets.content(&()).ok().flatten().ok_or(MissingDocument::Damaged)
    }

    /// Returns the keys of what the next acts of moderation need: the number of the next report, and
    /// the pages of the log to which its next entries are appended. The docket must be loaded.
    pub fn next_moderation_keys(&self) -> Vec<Key> {
        let Ok(docket) = self.docket() else { return Vec::new() };
        let page = docket.entries / PAGE;
        vec![report_key(docket.reports + 1), audit_key(page), audit_key(page + 1)]
    }

    /// Returns a report; `None` if it does not exist.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn report(&self, number: u32) -> Result<Option<&Report>, MissingDocument> {
        self.caches.reports.content(&number).map_err(|_| MissingDocument::Damaged)
    }

    /// Returns a report if it is loaded, exists and is not damaged.
    pub fn loaded_report(&self, number: u32) -> Option<&Report> {
        self.caches.reports.get(&number)
    }

    /// Returns a page of the log of acts; an empty one if it does not exist.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn audit_page(&self, page: u32) -> Result<&[AuditEntry], MissingDocument> {
        let page = self.caches.audit_pages.content(&page).map_err(|_| MissingDocument::Damaged)?;
        Ok(page.map_or(&[], |page| &page.entries))
    }

    /// Returns the ban of a subject, even if it is over; `None` if there was none.
    ///
    /// # Errors
    /// The document is damaged.
    pub fn ban(&self, subject: &BanSubject) -> Result<Option<&Ban>, MissingDocument> {
        self.ban_at(&ban_key(subject))
    }

    fn ban_at(&self, key: &Key) -> Result<Option<&Ban>, MissingDocument> {
        let Some(id) = Ban::id_of(key) else { return Ok(None) };
        self.caches.bans.content(&id).map_err(|_| MissingDocument::Damaged)
    }

    /// Returns whether one of these addresses, its domain, or the network is banned. The [bans that
    /// could cover them](ban_keys) must be loaded.
    ///
    /// # Errors
    /// A document is damaged: it could be a ban.
    pub fn is_banned<'a>(
        &self,
        addresses: impl IntoIterator<Item = &'a Address>,
        network: Option<Network>,
        now: Time,
    ) -> Result<bool, MissingDocument> {
        let keys = ban_keys(addresses, network);
        let bans = keys.iter().map(|key| self.ban_at(key)).collect::<Result<Vec<_>, _>>()?;
        Ok(bans.into_iter().flatten().any(|ban| ban.is_in_force(now)))
    }

    /// Returns the listeners who are notified of a new board: those of its game except its players;
    /// nobody if the board is private or a guest's.
    pub fn listeners(&self, id: BoardId) -> Vec<UserId> {
        let board = self.board(id).ok().filter(|board| !board.private);
        let board = board.filter(|board| !board.players.iter().any(|user| self.is_guest(user)));
        let (Some(board), Ok(seeks)) = (board, self.seeks(id.game)) else { return Vec::new() };
        let others = seeks.listeners.iter().filter(|user| board.seat(user).is_none());
        others.cloned().collect()
    }

    /// Returns whether the counts of a mailbox are loaded.
    pub fn has_mailbox(&self, address: &Address) -> bool {
        self.caches.correspondents.is_loaded(&Correspondent::mailbox_name(address))
    }

    /// Returns the counts of a mailbox; empty ones if the document is damaged.
    pub fn mailbox(&self, address: &Address) -> Correspondent {
        let found = self.caches.correspondents.get(&Correspondent::mailbox_name(address));
        found.cloned().unwrap_or_default()
    }

    /// Returns when passwords for a userid from this source are accepted again, if they are paused:
    /// because of wrong ones from the source, or from strangers for the userid. A pause caused by
    /// strangers affects neither the user's own addresses nor browsers in which the user has signed
    /// in before; those browsers share a count.
    pub fn password_pause(&self, user: &UserId, from: &PasswordSource, now: Time) -> Option<Time> {
        let is_own = self.caches.users.get(user).zip(from.address);
        let is_own = is_own.is_some_and(|(user, from)| user.addresses.contains(from));
        let of = |name: &String| self.caches.correspondents.get(name)?.pause(now);
        if from.is_known_to(user) {
            return of(&Correspondent::known_browser_name(user));
        }
        let by_user = if is_own { None } else { of(&Correspondent::userid_name(user)) };
        of(&from.place).max(by_user)
    }

    /// Returns a player's settings for a board: those for the board, or else for its game.
    pub fn settings(&self, board: &Board, seat: Seat) -> Choices {
        let everywhere = self.user(board.player(seat)).map(|user| user.settings(board.game));
        everywhere.unwrap_or_default().and(&board.settings[seat.index()])
    }

    /// Returns how a player sees a board and writes its moves.
    pub fn view(&self, board: &Board, seat: Seat) -> View {
        View { seat: Some(seat), settings: self.settings(board, seat), legal: false }
    }

    /// Returns what is played automatically for a seat, and the level if it is the program's.
    pub fn seat_settings(&self, board: &Board, seat: Seat) -> SeatSettings {
        played_by(self.level(board.player(seat)), board.game, self.settings(board, seat))
    }

    /// Returns what is played automatically for a user on a new board of a game.
    pub fn new_board_settings(&self, id: &UserId, game: &'static dyn AnyGame) -> SeatSettings {
        let user = self.user(id);
        let settings = user.map_or_else(Choices::default, |user| user.settings(game));
        played_by(self.level(id), game, settings)
    }

    /// Returns whether a board waits for the move of an engine.
    pub fn awaits_engine(&self, board: &Board) -> bool {
        let is_engine = |seat| self.level(board.player(seat)) == Some(program::ENGINE);
        matches!(board.status(), BoardStatus::ToMove(seat) if is_engine(seat))
    }

    /// Returns the wakeup of a board: at once for a move of an engine, which has no deadline, and
    /// otherwise that of its clock.
    pub fn board_wakeup(&self, board: &Board, now: Time) -> Time {
        if self.awaits_engine(board) {
            board.waits_since()
        } else {
            self.clock(board, now).wakeup()
        }
    }

    /// Returns the boards of a game that ended last, the latest first, as far as their list is loaded.
    pub fn finished(&self, game: &'static str) -> impl Iterator<Item = &FinishedBoard> {
        let parts = self.finished_parts(game).map_while(|part| self.finished_part(part));
        parts.flat_map(|part| part.boards().iter().rev())
    }

    /// Returns the first part of the list of a game's finished boards that is not loaded, from the
    /// latest to the oldest.
    pub fn next_finished_part(&self, game: &'static str) -> Option<FinishedPart> {
        let lists = &self.caches.finished;
        let next = self.finished_parts(game).find(|part| lists.get(part).is_none());
        next.filter(|part| !lists.is_loaded(part))
    }

    /// Returns a part of the list of a game's finished boards, if it is loaded, exists and is not damaged.
    pub fn finished_part(&self, part: FinishedPart) -> Option<&FinishedBoards> {
        self.caches.finished.get(&part)
    }

    /// Returns the parts of the list of a game's finished boards, from the latest to the oldest.
    fn finished_parts(&self, game: &'static str) -> impl Iterator<Item = FinishedPart> {
        let latest = FinishedPart::latest(game);
        let pages = self.finished_part(latest).map_or(0, FinishedBoards::pages);
        let pages = (0..pages).rev().map(move |page| FinishedPart::page(game, page));
        std::iter::once(latest).chain(pages)
    }

    /// Returns whether a userid is taken, even by a damaged document or by the program.
    pub fn is_taken(&self, id: &UserId) -> bool {
        !self.caches.users.is_absent(id) || self.level(id).is_some()
    }

    /// Returns all loaded boards, by game and number.
    pub fn boards(&self) -> Vec<&Board> {
        let mut boards: Vec<_> = self.caches.boards.iter().collect();
        boards.sort_by_key(|board| board.id);
        boards
    }

    /// Returns the rated users of a game, by userid.
    pub fn standings(&self, game: &str) -> &[RatedUser] {
        self.standings.get(game).expect("a command's needs are loaded first")
    }

    /// Returns the generation of a player's reply tags for a board.
    pub fn generation(&self, board: &Board, seat: Seat) -> Generation {
        let user = self.user(board.player(seat)).map_or(0, |user| user.tokens);
        Generation { user, board: board.tokens[seat.index()] }
    }

    /// Returns the time off of a board's players, seat 0 first.
    pub fn time_off(&self, board: &Board) -> [TimeOff<'_>; 2] {
        time_off(&self.caches.users, &board.players)
    }

    /// Returns the time zone in which a reader is told deadlines, if they have chosen one.
    pub fn zone(&self, reader: Option<&UserId>) -> Option<Zone> {
        self.user(reader?)?.zone
    }

    /// Computes the clocks of a board.
    pub fn clock(&self, board: &Board, now: Time) -> Clock {
        Clock::read(board, self.time_off(board), now)
    }
}

/// Returns how a seat is played. For `board5` nothing is chosen here: the board waits, also before a roll that
/// may be preceded by a double.
fn played_by(level: Option<u8>, game: &'static dyn AnyGame, settings: Choices) -> SeatSettings {
    if level != Some(program::ENGINE) {
        return SeatSettings { settings, level };
    }
    let known = game.spec().settings;
    let waits = Choices::of_settings(known, [MANUAL.switch.name]).unwrap_or_default();
    SeatSettings { settings: waits, level: None }
}
