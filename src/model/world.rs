//! The documents that commands work on, as a value. Only [`World::apply`] changes it.

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::board::{Board, Damage, Rewound};
use crate::model::clock::{Clock, Nags, Turn, Vacation, Wanted};
use crate::model::code::{Pending, Purpose};
use crate::model::correspondent::{Begun, Correspondent};
use crate::model::event::{Challenged, Change as AccountChange, Event, Place};
use crate::model::names::{self, Names};
use crate::model::opening::{self, Opening};
use crate::model::program;
use crate::model::rating::{Standing, effects};
use crate::model::seeks::Seeks;
use crate::model::token::Generation;
use crate::model::user::{Challenge, User};
use crate::refusal::{BoardRefusal, Refusal, SeekRefusal};
use crate::store::{Change, Document, Fault, IndexUpdates, Key, Store, Version};
use games::{AnyGame, Choices, Likes, Seat, View};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How long a challenge counts toward its sender's daily number, seconds.
pub const DAY: i64 = 24 * 60 * 60;

/// The documents loaded so far and what became of them.
#[derive(Debug, Default)]
pub struct World {
    boards: HashMap<BoardId, Shelf<Board>>,
    users: HashMap<UserId, Shelf<User>>,
    counts: HashMap<&'static str, Shelf<u32>>,
    mailboxes: HashMap<String, Shelf<Correspondent>>,
    seeks: HashMap<&'static str, Shelf<Seeks>>,
    names: HashMap<String, Shelf<Names>>,
    changed: BTreeSet<Key>,
    /// When boards have to be looked at again whose documents did not change.
    wakeups: BTreeMap<BoardId, i64>,
    /// Users who have got their first rating in a game.
    rated: BTreeSet<(&'static str, String)>,
    /// How the users stand in a game, as it was looked up last.
    standings: HashMap<&'static str, Vec<(UserId, Standing, usize)>>,
}

/// A document as it was found.
#[derive(Debug)]
struct Shelf<T> {
    version: Version,
    content: Result<Option<T>, Damage>,
}

impl<T> Shelf<T> {
    /// Reads a document; says so into `damaged` if it cannot be understood.
    fn load(
        key: &Key,
        store: &dyn Store,
        read: impl FnOnce(&str) -> Result<T, Damage>,
        damaged: &mut Vec<String>,
    ) -> Result<Self, Fault> {
        let (version, content) = match store.load(key) {
            Ok(Document { text, version }) => (version, text.as_deref().map(read).transpose()),
            Err(fault) if fault.is_damage() => (None, Err(Damage(fault.source.to_string()))),
            Err(fault) => return Err(fault),
        };
        if let Err(damage) = &content {
            damaged.push(format!("{key} cannot be read: {damage}"));
        }
        Ok(Self { version, content })
    }

    fn is_absent(&self) -> bool {
        matches!(self.content, Ok(None))
    }

    fn get(&self) -> Option<&T> {
        self.content.as_ref().ok().and_then(Option::as_ref)
    }

    fn get_mut(&mut self) -> Option<&mut T> {
        self.content.as_mut().ok().and_then(Option::as_mut)
    }
}

impl World {
    /// Loads documents that are not here yet, and with a board its players.
    /// Returns a line for each document that cannot be understood.
    ///
    /// # Errors
    /// The machine failed.
    pub fn gather(&mut self, keys: &[Key], store: &dyn Store) -> Result<Vec<String>, Fault> {
        let mut damaged = Vec::new();
        for key in keys {
            match key {
                Key::Board(game, number) => {
                    let id = BoardId { game, number: *number };
                    if self.boards.contains_key(&id) {
                        continue;
                    }
                    let read = |text: &str| match Board::read(text)? {
                        board if board.id == id => Ok(board),
                        other => Err(Damage(format!("it holds {}", other.id))),
                    };
                    let shelf = Shelf::load(key, store, read, &mut damaged)?;
                    let players = shelf.get().map(|board| board.players.clone());
                    self.boards.insert(id, shelf);
                    let keys: Vec<_> = players.iter().flatten().map(user_key).collect();
                    damaged.extend(self.gather(&keys, store)?);
                }
                Key::User(folded) => {
                    let Some(id) = UserId::parse(folded) else { continue };
                    if self.users.contains_key(&id) {
                        continue;
                    }
                    let read = |text: &str| match User::read(text)? {
                        user if user.id == id => Ok(user),
                        other => Err(Damage(format!("it holds {}", other.id))),
                    };
                    let shelf = Shelf::load(key, store, read, &mut damaged)?;
                    self.users.insert(id, shelf);
                }
                Key::Correspondent(name) => {
                    if !self.mailboxes.contains_key(name) {
                        let shelf = Shelf::load(key, store, Correspondent::read, &mut damaged)?;
                        self.mailboxes.insert(name.clone(), shelf);
                    }
                }
                Key::Seeks(game) => {
                    if self.seeks.contains_key(game) {
                        continue;
                    }
                    let read = |text: &str| match Seeks::read(text)? {
                        seeks if seeks.game == *game => Ok(seeks),
                        other => Err(Damage(format!("it is of {}", other.game))),
                    };
                    let mut shelf = Shelf::load(key, store, read, &mut damaged)?;
                    if shelf.is_absent() {
                        shelf.content = Ok(Some(Seeks::new(game)));
                    }
                    self.seeks.insert(game, shelf);
                }
                Key::Names(entry) => {
                    if !self.names.contains_key(entry) {
                        let shelf = Shelf::load(key, store, Names::read, &mut damaged)?;
                        self.names.insert(entry.clone(), shelf);
                    }
                }
                Key::Count(game) => {
                    if !self.counts.contains_key(game) {
                        let read = |text: &str| {
                            text.trim().parse().map_err(|_| Damage("it is no number".into()))
                        };
                        let shelf = Shelf::load(key, store, read, &mut damaged)?;
                        self.counts.insert(game, shelf);
                    }
                    // A count that was lost or lowered must not lead to a board that exists.
                    if let Some(number) = self.number_after(game) {
                        damaged.extend(self.gather(&[Key::Board(game, number)], store)?);
                        let id = BoardId { game, number };
                        if self.boards.get(&id).is_some_and(|shelf| !shelf.is_absent()) {
                            damaged
                                .push(format!("the count of {game} boards is wrong: {id} exists"));
                        }
                    }
                }
            }
        }
        Ok(damaged)
    }

    /// A board.
    ///
    /// # Errors
    /// There is none of that number, or its file is damaged.
    pub fn board(&self, id: BoardId) -> Result<&Board, Refusal> {
        match &self.boards.get(&id).expect("a command's needs are loaded first").content {
            Ok(Some(board)) => Ok(board),
            Ok(None) => Err(BoardRefusal::Unknown(id).into()),
            Err(_) => Err(BoardRefusal::Damaged(id).into()),
        }
    }

    /// A user, if there is one of that userid who has not left and whose file can be read.
    pub fn user(&self, id: &UserId) -> Option<&User> {
        self.known(id).filter(|user| user.left.is_none())
    }

    /// Whether somebody wants no words of somebody else.
    pub fn is_muted(&self, reader: &UserId, of: &UserId) -> bool {
        self.user(reader).is_some_and(|reader| reader.muted.contains(of))
    }

    /// A user, here or gone, of whom more than the userid is kept.
    pub fn kept(&self, id: &UserId) -> Option<&User> {
        self.known(id).filter(|user| user.left.is_none_or(|left| !left.erased))
    }

    /// A user, here or gone, whose file can be read, or the program under its userid.
    pub fn known(&self, id: &UserId) -> Option<&User> {
        let shelf = self.users.get(id).expect("a command's needs are loaded first");
        shelf.get().or_else(|| program::user(id).filter(|_| shelf.is_absent()))
    }

    /// The level at which the program plays under a userid; none where somebody had it before.
    pub fn level(&self, id: &UserId) -> Option<u8> {
        program::level(id).filter(|_| self.users.get(id).is_none_or(Shelf::is_absent))
    }

    /// Every user loaded who has not left, by userid.
    pub fn users(&self) -> Vec<&User> {
        let here = self.users.values().filter_map(Shelf::get).filter(|user| user.left.is_none());
        let mut users: Vec<_> = here.collect();
        users.sort_by_key(|user| user.id.folded());
        users
    }

    /// Whether every user stands in the index of users. Its mark has been loaded.
    pub fn is_indexed(&self) -> bool {
        self.entry(&names::whole()).is_some()
    }

    fn entry(&self, key: &Key) -> Option<&Names> {
        let Key::Names(entry) = key else { return None };
        self.names.get(entry).and_then(Shelf::get)
    }

    /// The userids that an entry of the index of users leads to; none if its file is damaged.
    pub fn entered(&self, key: &Key) -> &[UserId] {
        self.entry(key).map_or(&[], Names::users)
    }

    /// The users here to whom an address belongs, in the order in which they came to it.
    pub fn users_at(&self, address: &Address) -> Vec<&User> {
        let users = self.entered(&names::at_mailbox(address)).iter();
        let users = users.filter_map(|id| self.users.get(id).and_then(Shelf::get));
        let here = users.filter(|user| user.left.is_none());
        here.filter(|user| user.addresses.contains(address)).collect()
    }

    /// Whether a userid could be taken for that of another user.
    pub fn is_confusable(&self, id: &UserId) -> bool {
        self.entered(&names::alike(id)).iter().any(|other| other != id)
    }

    /// Enters every user loaded, who are all there are, into the index of users. Its entries have
    /// been loaded.
    pub fn index(&mut self, index: BTreeMap<Key, Names>) {
        for (key, names) in index {
            let Key::Names(entry) = &key else { continue };
            if let Some(shelf) = self.names.get_mut(entry) {
                shelf.content = Ok(Some(names));
                self.changed.insert(key);
            }
        }
    }

    /// The whole index of the users loaded.
    pub fn whole_index(&self) -> BTreeMap<Key, Names> {
        let mut users: Vec<_> = self.users.values().filter_map(Shelf::get).collect();
        users.sort_by_key(|user| (user.joined, user.id.folded()));
        names::all(users.into_iter())
    }

    /// The entries of the index of users that an event may change: to be loaded before it.
    pub fn entries(&self, event: &Event) -> Vec<Key> {
        match event {
            Event::SignedUp { user, .. } => names::of(user),
            Event::Account { user, change } => {
                let new: &[Address] = match change {
                    AccountChange::Addresses(addresses) => addresses,
                    AccountChange::Confirmed(address) => std::slice::from_ref(address),
                    AccountChange::Left(left) if left.erased => &[],
                    _ => return Vec::new(),
                };
                let old = self.users.get(user).and_then(Shelf::get).map(names::of);
                let mut keys = old.unwrap_or_default();
                keys.extend(new.iter().map(names::at_mailbox));
                keys
            }
            _ => Vec::new(),
        }
    }

    /// Brings the index of users up to date, after a user stood under these entries.
    fn reindex(&mut self, user: &UserId, before: &[Key]) {
        let Some(now) = self.users.get(user).and_then(Shelf::get) else { return };
        let (user, now) = (now.id.clone(), names::of(now));
        for key in before.iter().filter(|key| !now.contains(key)) {
            self.change_entry(key, |names| names.remove(&user));
        }
        for key in now.iter().filter(|key| !before.contains(key)) {
            self.change_entry(key, |names| names.add(&user));
        }
    }

    /// Changes an entry of the index of users. One that is damaged stays as it is, and `check` tells.
    fn change_entry(&mut self, key: &Key, change: impl FnOnce(&mut Names)) {
        let Key::Names(entry) = key else { return };
        let shelf = self.names.get_mut(entry).expect("what an event enters was loaded first");
        if let Ok(content) = &mut shelf.content {
            change(content.get_or_insert_default());
            self.changed.insert(key.clone());
        }
    }

    /// How many words were mailed within a day to a mailbox whose owner may never have asked.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn asked(&self, address: &Address, now: i64) -> Result<usize, Refusal> {
        Ok(self.counted(address)?.map_or(0, |mailbox| mailbox.recent(now)))
    }

    /// How many users have signed up from a mailbox within a day.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn signups(&self, address: &Address, now: i64) -> Result<usize, Refusal> {
        Ok(self.counted(address)?.map_or(0, |mailbox| mailbox.signups(now)))
    }

    /// How often that was done within a day, by the document of that name.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn begun(&self, what: Begun, name: &str, now: i64) -> Result<usize, Refusal> {
        let shelf = self.mailboxes.get(name).expect("a command's needs are loaded first");
        let mailbox = shelf.content.as_ref().map_err(|_| Refusal::Unavailable)?;
        Ok(mailbox.as_ref().map_or(0, |mailbox| mailbox.begun(what, now)))
    }

    fn counted(&self, address: &Address) -> Result<Option<&Correspondent>, Refusal> {
        let shelf = self.mailboxes.get(&Correspondent::name(address));
        let content = &shelf.expect("a command's needs are loaded first").content;
        content.as_ref().map(Option::as_ref).map_err(|_| Refusal::Unavailable)
    }

    /// What stands open in a game.
    ///
    /// # Errors
    /// Its file is damaged.
    pub fn seeks(&self, game: &'static str) -> Result<&Seeks, Refusal> {
        let shelf = self.seeks.get(game).expect("a command's needs are loaded first");
        shelf.get().ok_or_else(|| SeekRefusal::Damaged(game).into())
    }

    /// Who hears of a new board: whoever wants to hear of all of its game, but its players. Nobody
    /// hears of a private one.
    pub fn listeners(&self, id: BoardId) -> Vec<UserId> {
        let board = self.board(id).ok().filter(|board| !board.private);
        let (Some(board), Ok(seeks)) = (board, self.seeks(id.game)) else { return Vec::new() };
        let others = seeks.listeners.iter().filter(|user| board.seat(user).is_none());
        others.cloned().collect()
    }

    /// Whether what is counted for a mailbox has been loaded.
    pub fn has_mailbox(&self, address: &Address) -> bool {
        self.mailboxes.contains_key(&Correspondent::name(address))
    }

    /// What is counted for a mailbox; nothing if its file is damaged.
    pub fn mailbox(&self, address: &Address) -> Correspondent {
        let shelf = self.mailboxes.get(&Correspondent::name(address));
        shelf.and_then(Shelf::get).cloned().unwrap_or_default()
    }

    /// Until when no password for a userid is looked at that comes from there, if that is later than
    /// now: too many wrong ones came from the address, or for the userid from elsewhere. The
    /// address of the user himself is not held up by what others send. The shell is no address.
    pub fn pause(&self, user: &UserId, from: Option<&Address>, now: i64) -> Option<i64> {
        let from = from?;
        let is_own = self.users.get(user).and_then(Shelf::get);
        let is_own = is_own.is_some_and(|user| user.addresses.contains(from));
        let of = |name: &str| self.mailboxes.get(name).and_then(Shelf::get)?.pause(now);
        let by_user = if is_own { None } else { of(&Correspondent::name_of(user)) };
        of(&Correspondent::name(from)).max(by_user)
    }

    /// What the player of a seat likes on a board: what he said there, and else for the game.
    pub fn settings(&self, board: &Board, seat: Seat) -> Choices {
        let everywhere = self.user(board.player(seat)).map(|user| user.settings(board.game));
        everywhere.unwrap_or_default().and(&board.settings[seat.index()])
    }

    /// How the player of a seat sees a board and writes its moves.
    pub fn view(&self, board: &Board, seat: Seat) -> View {
        View { seat: Some(seat), settings: self.settings(board, seat), legal: false }
    }

    /// What is done for whoever sits at a seat of a board.
    pub fn likes(&self, board: &Board, seat: Seat) -> Likes {
        Likes { settings: self.settings(board, seat), level: self.level(board.player(seat)) }
    }

    /// What is done for a player on a new board of a game.
    pub fn of(&self, id: &UserId, game: &'static dyn AnyGame) -> Likes {
        let user = self.user(id);
        let settings = user.map_or_else(Choices::default, |user| user.settings(game));
        Likes { settings, level: self.level(id) }
    }

    /// Whether a userid is taken, were it by a damaged file or by the program.
    pub fn is_taken(&self, id: &UserId) -> bool {
        !matches!(self.users.get(id).map(|shelf| &shelf.content), Some(Ok(None)))
            || self.level(id).is_some()
    }

    /// The number that the next board of a game gets.
    ///
    /// # Errors
    /// The count is damaged.
    pub fn next_number(&self, game: &'static str) -> Result<u32, Refusal> {
        let number = self.number_after(game).ok_or(Refusal::Unavailable)?;
        let free = self.boards.get(&BoardId { game, number }).is_some_and(Shelf::is_absent);
        if free { Ok(number) } else { Err(Refusal::Unavailable) }
    }

    fn number_after(&self, game: &'static str) -> Option<u32> {
        let shelf = self.counts.get(game).expect("a command's needs are loaded first");
        shelf.content.as_ref().ok()?.unwrap_or(0).checked_add(1)
    }

    /// How many documents are here.
    pub fn len(&self) -> usize {
        self.boards.len()
            + self.users.len()
            + self.counts.len()
            + self.mailboxes.len()
            + self.seeks.len()
            + self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every board loaded, in order of game and number.
    pub fn boards(&self) -> Vec<&Board> {
        let mut boards: Vec<_> = self.boards.values().filter_map(Shelf::get).collect();
        boards.sort_by_key(|board| board.id);
        boards
    }

    /// Looks up how these users stand in a game, without keeping their documents.
    /// Returns a line for each document that cannot be understood.
    ///
    /// # Errors
    /// The machine failed.
    pub fn look_up(
        &mut self,
        game: &'static str,
        users: &[Key],
        store: &dyn Store,
    ) -> Result<Vec<String>, Fault> {
        let mut damaged = Vec::new();
        let mut found = Vec::with_capacity(users.len());
        let known: HashMap<Key, &User> = self
            .users
            .values()
            .filter_map(Shelf::get)
            .map(|user| (user_key(&user.id), user))
            .collect();
        // Who got his first rating just now is not in the index yet.
        let new = self.rated.iter().filter(|(of, _)| *of == game);
        let new = new.map(|(_, user)| Key::User(user.clone()));
        let all: BTreeSet<Key> = users.iter().cloned().chain(new).collect();
        for key in &all {
            let seen = match known.get(key) {
                Some(user) if user.left.is_some() => continue,
                Some(user) => {
                    let active = user.active.iter().filter(|board| board.game == game).count();
                    Ok((user.id.clone(), user.ratings.get(game).copied(), active))
                }
                None => match store.load(key) {
                    Ok(Document { text: Some(text), .. }) => User::glimpse(&text, game),
                    Ok(Document { text: None, .. }) => continue,
                    Err(fault) if fault.is_damage() => Err(Damage(fault.source.to_string())),
                    Err(fault) => return Err(fault),
                },
            };
            match seen {
                Ok((id, Some(standing), active)) => found.push((id, standing, active)),
                Ok((_, None, _)) => {}
                Err(damage) => damaged.push(format!("{key} cannot be read: {damage}")),
            }
        }
        self.standings.insert(game, found);
        Ok(damaged)
    }

    /// How the users stand who are rated in a game, by userid, and their boards in progress.
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
        let of = |seat: Seat| self.user(board.player(seat));
        Seat::BOTH.map(|seat| of(seat).map_or(&[][..], |user| &user.vacations))
    }

    /// The clocks of a board.
    pub fn clock(&self, board: &Board, now: i64) -> Clock {
        Clock::read(board, self.vacations(board), now)
    }

    /// Ends an offer that is open.
    fn end_offer(&mut self, id: BoardId, at: i64) {
        let turn = self.boards.get(&id).and_then(Shelf::get);
        let turn = turn.and_then(|board| self.clock(board, at).turn);
        let board = self.board_mut(id);
        board.end_offer();
        // While an answer was waited for nobody was reminded to move. The mail that tells of the
        // end does it, so that there is a day left.
        if let Some(Turn { wanted: Wanted::Answer(_), .. }) = turn {
            board.nags = Some(Nags { first: at, last: at });
        }
    }

    /// Gives a user other vacations.
    fn rest(&mut self, user: &UserId, vacations: &[Vacation], is_cut: bool) {
        let mut boards = Vec::new();
        self.change_user(user, |user| {
            user.vacations = vacations.to_vec();
            boards.clone_from(&user.active);
        });
        if is_cut {
            self.wakeups.extend(boards.into_iter().map(|id| (id, 0)));
        }
    }

    /// Lets the clocks of a board go on from that time, whose record or offer has a later one.
    fn restart(&mut self, id: BoardId, at: i64) {
        let stays = self.stays(id, at, 0);
        let board = self.board_mut(id);
        (board.nags, board.rewound) = (None, Some(stays));
        if let Some(offer) = board.offer.as_mut().filter(|offer| offer.at > at) {
            (offer.at, offer.nags) = (at, None);
        }
    }

    /// Remembers that somebody was reminded, of what the board waits for.
    fn remind(&mut self, id: BoardId, at: i64) {
        let turn = self.boards.get(&id).and_then(Shelf::get);
        let turn = turn.and_then(|board| self.clock(board, at).turn);
        let board = self.board_mut(id);
        let nags = match (turn, &mut board.offer) {
            (Some(Turn { wanted: Wanted::Answer(_), .. }), Some(offer)) => &mut offer.nags,
            _ => &mut board.nags,
        };
        let first = nags.filter(|nags| nags.count(at)).map_or(at, |nags| nags.first);
        *nags = Some(Nags { first, last: at });
    }

    /// What stays of a board when so many entries go.
    fn stays(&self, id: BoardId, at: i64, entries: usize) -> Rewound {
        let board = self.board(id).expect("events are about loaded boards");
        Rewound {
            at,
            entries: board.record.len().saturating_sub(entries),
            used: self.clock(board, at).used,
            moved: Seat::BOTH.map(|seat| board.has_moved(seat)),
        }
    }

    /// Changes an account, and what follows from it.
    fn change_account(&mut self, user: &UserId, change: &AccountChange) {
        let before = match change {
            AccountChange::Addresses(_) | AccountChange::Confirmed(_) | AccountChange::Left(_) => {
                self.users.get(user).and_then(Shelf::get).map(names::of)
            }
            _ => None,
        };
        self.change_user(user, |user| user.change(change));
        if let Some(before) = before {
            self.reindex(user, &before);
        }
        match change {
            AccountChange::Mailed(pending) => self.count_asked(pending),
            AccountChange::Left(_) => self.forget(user),
            _ => {}
        }
    }

    /// Carries out an event that was decided for this world.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::SignedUp { user, from } => {
                self.put_user((**user).clone());
                self.reindex(&user.id, &[]);
                if let Some(address) = from {
                    let name = Correspondent::name(address);
                    self.change_mailbox(name, |mailbox| mailbox.count_signup(user.joined));
                }
            }
            Event::Challenged(challenged) => self.set_up(challenged),
            Event::Played { board: id, at, entries } => {
                if self.board(*id).is_ok_and(|board| board.is_ahead(*at)) {
                    self.restart(*id, *at);
                }
                let board = self.board_mut(*id);
                let had_moved = Seat::BOTH.map(|seat| board.has_moved(seat));
                let was_open = board.challenger.filter(|by| !board.has_moved(by.other()));
                board.append(*at, entries);
                board.nags = None;
                let over = board.is_over();
                let answered = was_open.filter(|by| board.has_moved(by.other()));
                self.settle(*id, answered, over);
                self.open(*id, had_moved);
            }
            Event::Chose { user, place: Place::Board(id), setting, choice } => {
                let board = self.board_mut(*id);
                let seat = board.seat(user).expect("a player chooses for himself");
                let chosen = std::mem::take(&mut board.settings[seat.index()]);
                board.settings[seat.index()] =
                    chosen.without(setting).and(&choice.clone().unwrap_or_default());
            }
            Event::Chose { user, place: Place::Game(game), setting, choice } => {
                let game = games::find(game).expect("a game is named by its own name");
                self.change_user(user, |user| user.choose(game, setting, choice.as_ref()));
            }
            Event::Submitted { board, seat, text } => {
                self.board_mut(*board).submitted[seat.index()] = Some(text.clone());
            }
            Event::Queued { board, seat, queued } => {
                self.board_mut(*board).queued[seat.index()].clone_from(queued);
            }
            Event::Dropped { board, seat, .. } => {
                self.board_mut(*board).queued[seat.index()] = None;
            }
            Event::Limited { user, game, most } => self.change_user(user, |user| {
                match most {
                    Some(most) => user.limits.insert((*game).to_owned(), *most),
                    None => user.limits.remove(*game),
                };
            }),
            Event::Sought { game, seek } => self.seeks_mut(game).add(seek.clone()),
            Event::SeekEnded { game, number } => self.seeks_mut(game).end(*number),
            Event::Listened { game, user, wanted } => self.seeks_mut(game).listen(user, *wanted),
            Event::Observed { board, user, wanted } => {
                let observers = &mut self.board_mut(*board).observers;
                observers.retain(|observer| observer != user);
                if *wanted {
                    observers.push(user.clone());
                }
            }
            Event::Voided { board, seat } => {
                let tokens = &mut self.board_mut(*board).tokens[seat.index()];
                *tokens = tokens.wrapping_add(1);
            }
            Event::Offered { board, offer } => self.board_mut(*board).offer = Some(*offer),
            Event::OfferEnded { board, at } => self.end_offer(*board, *at),
            Event::TakenBack { board, at, entries } => {
                let stays = self.stays(*board, *at, entries.len());
                self.board_mut(*board).take_back(stays);
            }
            Event::Closed { board: id, closing } => {
                let board = self.board_mut(*id);
                board.close(*closing);
                board.nags = None;
                // Who gives up what he set up himself, or lets it lapse, has had no answer.
                let answered = board.challenger.filter(|by| by.0 != closing.seat);
                self.settle(*id, answered, true);
                self.keep_openings(*id);
            }
            Event::Restarted { board, at } => self.restart(*board, *at),
            Event::Reminded { board, at } => self.remind(*board, *at),
            Event::Rested { user, vacations, is_cut } => self.rest(user, vacations, *is_cut),
            Event::Answered { address, charge, verdict, at } => {
                let count = |mailbox: &mut Correspondent| mailbox.answered(charge, *verdict, *at);
                self.change_mailbox(Correspondent::name(address), count);
            }
            Event::Proved { from, at } => {
                self.change_mailbox(Correspondent::name(from), |mailbox| mailbox.is_a_players(*at));
            }
            Event::Begun { what, mailboxes, at } => {
                for name in mailboxes {
                    self.change_mailbox(name.clone(), |mailbox| mailbox.count_begun(*what, *at));
                }
            }
            Event::WrongPassword { user, from, at } => {
                for name in [Correspondent::name(from), Correspondent::name_of(user)] {
                    self.change_mailbox(name, |mailbox| mailbox.failed(*at));
                }
            }
            Event::Account { user, change } => self.change_account(user, change),
        }
    }

    /// Says when a board has to be looked at again that does not change.
    pub fn look(&mut self, id: BoardId, at: i64) {
        self.wakeups.insert(id, at);
    }

    /// What the store's indexes are to know of the changes, before those are taken.
    pub fn take_index_updates(&mut self, now: i64) -> IndexUpdates {
        let mut wakeups = BTreeMap::new();
        for key in &self.changed {
            if let Key::Board(game, number) = key {
                let id = BoardId { game, number: *number };
                let board = self.boards.get(&id).and_then(Shelf::get);
                wakeups.extend(board.map(|board| (id, self.clock(board, now).wakeup())));
            }
        }
        wakeups.extend(std::mem::take(&mut self.wakeups));
        let rated = std::mem::take(&mut self.rated).into_iter().collect();
        IndexUpdates { wakeups: wakeups.into_iter().collect(), rated, ..IndexUpdates::default() }
    }

    /// What differs from the documents as they were loaded, and forgets that it does.
    pub fn take_changes(&mut self) -> Vec<Change> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().filter_map(|key| self.change(key)).collect()
    }

    fn change(&mut self, key: Key) -> Option<Change> {
        let (version, text) = match &key {
            Key::Board(game, number) => {
                let shelf = self.boards.get_mut(&BoardId { game, number: *number })?;
                let text = shelf.get()?.write();
                (&mut shelf.version, text)
            }
            Key::User(folded) => {
                let shelf = self.users.get_mut(&UserId::parse(folded)?)?;
                let text = shelf.get()?.write();
                (&mut shelf.version, text)
            }
            Key::Correspondent(name) => {
                let shelf = self.mailboxes.get_mut(name)?;
                let text = shelf.get()?.write();
                (&mut shelf.version, text)
            }
            Key::Seeks(game) => {
                let shelf = self.seeks.get_mut(game)?;
                let text = shelf.get()?.write();
                (&mut shelf.version, text)
            }
            Key::Names(entry) => {
                let shelf = self.names.get_mut(entry)?;
                let text = shelf.get()?.write();
                (&mut shelf.version, text)
            }
            Key::Count(game) => {
                let shelf = self.counts.get_mut(game)?;
                let text = format!("{}\n", shelf.get()?);
                (&mut shelf.version, text)
            }
        };
        let was = version.replace(crate::base::digest::digest(text.as_bytes()));
        Some(Change { key, was, text })
    }

    fn set_up(&mut self, challenged: &Challenged) {
        let id = challenged.board;
        let game = games::find(id.game).expect("a BoardId names a game");
        let players = challenged.players.clone();
        let options = challenged.options.clone();
        let mut board = Board::new(game, id.number, players.clone(), options, challenged.at);
        board.private = challenged.private;
        board.terms = challenged.terms;
        board.challenger = challenged.challenger;
        board.kept.clone_from(&challenged.kept);
        board.append(challenged.at, &challenged.entries);
        let over = board.is_over();
        self.boards.insert(id, Shelf { version: None, content: Ok(Some(board)) });
        self.changed.insert(Key::Board(id.game, id.number));
        let count = self.counts.get_mut(id.game).expect("the number came from this count");
        count.content = Ok(Some(id.number));
        self.changed.insert(Key::Count(id.game));
        for player in &players {
            self.change_user(player, |user| user.active.push(id));
        }
        if let Some(seat) = challenged.challenger.filter(|_| challenged.counted) {
            let to = players[seat.other().index()].clone();
            // The program has nothing to wait for.
            let answered = self.level(&to).is_some();
            let new = Challenge { board: id, to, at: challenged.at, answered };
            self.change_user(&players[seat.index()], |sender| {
                sender.has_challenged(new);
            });
        }
        if over {
            self.settle(id, challenged.challenger, true);
        }
    }

    /// Whoever has made a first decision has played the opening that was kept, if one was.
    fn open(&mut self, id: BoardId, had_moved: [bool; 2]) {
        let board = self.boards.get(&id).and_then(Shelf::get).expect("it was just changed");
        let first = Seat::BOTH.into_iter().filter(|seat| !had_moved[seat.index()]);
        let first = first.filter(|seat| board.has_moved(*seat));
        let played: Vec<_> = first
            .filter_map(|seat| Some((board.player(seat).clone(), Opening::of(board, seat)?)))
            .collect();
        for (player, played) in played {
            if self.users.get(&player).and_then(Shelf::get).is_some_and(|user| user.keeps(id.game))
            {
                self.change_user(&player, |user| user.forget_opening(id.game, &played));
            }
        }
    }

    /// Keeps the openings of a board that was given up, each for who gave it up.
    fn keep_openings(&mut self, id: BoardId) {
        let board = self.boards.get(&id).and_then(Shelf::get).expect("it was just changed");
        let seats = opening::given_up(board).into_iter();
        let kept: Vec<_> = seats
            .filter_map(|seat| Some((board.player(seat).clone(), Opening::of(board, seat)?)))
            .collect();
        for (player, opening) in kept {
            self.change_user(&player, |user| {
                opening::keep(user.openings.entry(id.game.to_owned()).or_default(), opening);
            });
        }
    }

    /// Brings the users' own lists up to date after a board changed.
    fn settle(&mut self, id: BoardId, answered: Option<Seat>, over: bool) {
        let players = self.board_mut(id).players.clone();
        if let Some(challenger) = answered {
            self.change_user(&players[challenger.index()], |sender| {
                for challenge in sender.challenges.iter_mut().filter(|c| c.board == id) {
                    challenge.answered = true;
                }
            });
        }
        if over {
            for player in &players {
                self.change_user(player, |user| {
                    user.active.retain(|board| *board != id);
                    user.finished.push(id);
                });
            }
            self.rate(id);
        }
    }

    /// Changes the ratings by the end of a board. Where a player's file is damaged neither changes,
    /// and `check` tells.
    fn rate(&mut self, id: BoardId) {
        let Some(board) = self.boards.get(&id).and_then(Shelf::get) else { return };
        let (Some(scores), Some(at)) = (board.scores(), board.ended_at()) else { return };
        let players = board.players.clone();
        let [Some(o), Some(x)] = [self.user(&players[0]), self.user(&players[1])] else { return };
        let effects = effects([o.standing(id.game), x.standing(id.game)], scores, at);
        self.board_mut(id).rated = Some(effects);
        for (player, effect) in players.iter().zip(effects) {
            if effect.before.games() == 0 {
                self.rated.insert((id.game, player.folded()));
            }
            self.change_user(player, |user| {
                user.ratings.insert(id.game.to_owned(), effect.after);
            });
        }
    }

    fn board_mut(&mut self, id: BoardId) -> &mut Board {
        self.changed.insert(Key::Board(id.game, id.number));
        self.boards.get_mut(&id).and_then(Shelf::get_mut).expect("events are about loaded boards")
    }

    fn seeks_mut(&mut self, game: &'static str) -> &mut Seeks {
        self.changed.insert(Key::Seeks(game));
        let shelf = self.seeks.get_mut(game).and_then(Shelf::get_mut);
        shelf.expect("events are about what was found open")
    }

    /// Who has left challenges nobody and hears of nothing. A file that is damaged stays as it is,
    /// and `check` tells.
    fn forget(&mut self, user: &UserId) {
        for (game, shelf) in &mut self.seeks {
            if let Some(seeks) = shelf.get_mut().filter(|seeks| seeks.names(user)) {
                seeks.forget(user);
                self.changed.insert(Key::Seeks(game));
            }
        }
    }

    /// Changes a user's own lists. A user whose file is damaged keeps them as they are: they are
    /// an index of the boards, and a board must not stop because its opponent's file did.
    fn change_user(&mut self, id: &UserId, change: impl FnOnce(&mut User)) {
        if let Some(user) = self.users.get_mut(id).and_then(Shelf::get_mut) {
            change(user);
            self.changed.insert(user_key(id));
        }
    }

    /// Remembers that somebody who may never have asked for it was mailed.
    fn count_asked(&mut self, pending: &Pending) {
        let Purpose::Address { address, .. } = &pending.purpose else { return };
        self.change_mailbox(Correspondent::name(address), |mailbox| mailbox.count(pending.at));
    }

    /// Changes what is counted for a mailbox, or for a userid. A damaged file is one of an operator,
    /// and stays as it is.
    fn change_mailbox(&mut self, name: String, change: impl FnOnce(&mut Correspondent)) {
        let shelf = self.mailboxes.get_mut(&name).expect("what is counted was loaded first");
        if let Ok(content) = &mut shelf.content {
            change(content.get_or_insert_default());
            self.changed.insert(Key::Correspondent(name));
        }
    }

    fn put_user(&mut self, user: User) {
        self.changed.insert(user_key(&user.id));
        let version = self.users.get(&user.id).and_then(|shelf| shelf.version);
        self.users.insert(user.id.clone(), Shelf { version, content: Ok(Some(user)) });
    }
}

/// The key of a user's document.
pub fn user_key(id: &UserId) -> Key {
    Key::User(id.folded())
}

/// The key of the count of what was mailed to an address unasked.
pub fn mailbox_key(address: &Address) -> Key {
    Key::Correspondent(Correspondent::name(address))
}

/// The key of the count of wrong passwords for a userid.
pub fn failures_key(user: &UserId) -> Key {
    Key::Correspondent(Correspondent::name_of(user))
}

/// The key of a board's document.
pub fn board_key(id: BoardId) -> Key {
    Key::Board(id.game, id.number)
}
