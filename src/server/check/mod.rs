//! `check`: reads everything, replays every board, and compares lists, ratings and indexes with the
//! boards and accounts they follow from.

mod board_lists;
mod finished;
mod indexes;
mod ladders;
mod moderation;
mod proofread;
mod ratings;
mod tournaments;
mod upgrade;
mod wakeups;

use crate::base::key::Place;
pub use finished::{find_unlisted_game, list_finished};
pub use proofread::{FaultyBoard, ProofreadBoard, proofread_file};
pub use ratings::find_outdated_ratings;
pub use upgrade::{RatingUpgrade, upgrade_ratings};
pub use wakeups::missing_wakeups;

use crate::base::ids::{BoardId, UserId};
use crate::base::progress::{NoProgress, Progress};
use crate::base::time::Time;
use crate::model::board::{Board, BoardStatus};
use crate::model::board_count::{BoardCount, count_key};
use crate::model::caches::DOCUMENT_TYPES;
use crate::model::clock::{Clock, TimeOff};
use crate::model::dice::{self, DiceKeys};
use crate::model::document::{Damage, Document as _};
use crate::model::finished_boards::FinishedBoard;
use crate::model::ladder::LadderEnd;
use crate::model::program;
use crate::model::user::{self, User};
use crate::model::world::user_key;
use crate::store::{
    DocumentChange, DocumentKind, DocumentVersion, Fault, Key, Store, StoredDocument, Transaction,
};
use board_lists::BoardLists;
use games::GAMES;
use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use wakeups::KnownWakeups;

/// The mistakes in a home, one line each.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Mistakes for the operator to mend.
    pub wrong: Vec<String>,
    /// Mistakes in data that follow from boards and accounts. `check --repair` mends them.
    pub mended: Vec<String>,
    /// The transaction that mends `mended`.
    pub repair: Transaction,
}

/// Checks a home.
///
/// # Errors
/// The machine failed.
pub fn check(store: &dyn Store, now: Time) -> Result<CheckReport, Fault> {
    check_with_progress(store, None, now, &NoProgress)
}

/// Checks a home, reports progress, and verifies each roll if `keys` are given.
///
/// # Errors
/// As [`check`].
pub fn check_with_progress(
    store: &dyn Store,
    keys: Option<&DiceKeys>,
    now: Time,
    progress: &dyn Progress,
) -> Result<CheckReport, Fault> {
    progress.expects(boards_counted(store)?);
    let mut home = HomeCheck::read(store, keys, now, progress)?;
    home.report.repair.at = now;
    home.read_collections()?;
    let mut lists: HashMap<UserId, BoardLists> = HashMap::new();
    for game in GAMES {
        check_game(game.spec().name, &mut lists, &mut home)?;
    }
    home.compare_wakeups()?;
    board_lists::compare(lists, &mut home);
    tournaments::compare(&mut home)?;
    ladders::compare(&mut home)?;
    moderation::check(&mut home)?;
    home.put_users();
    indexes::stopped(&mut home)?;
    indexes::users(&mut home)?;
    let mut report = home.report;
    report.wrong.sort_unstable();
    // An entry of an index is read twice.
    report.wrong.dedup();
    report.mended.sort_unstable();
    Ok(report)
}

/// Returns how many boards a home should have.
pub fn boards_counted(store: &dyn Store) -> Result<usize, Fault> {
    let mut all = 0;
    for game in GAMES {
        let game = game.spec().name;
        let text = store.load(&count_key(game)).ok().and_then(|document| document.text);
        let count = text.and_then(|text| BoardCount::from_text(&game, &text).ok());
        all += store.wakeups(game)?.begun(count.unwrap_or_default().0);
    }
    Ok(all)
}

/// Recomputes the ratings of a game from its boards, in the order in which they ended. Returns the
/// changes, and what prevents the recomputation.
///
/// # Errors
/// The machine failed.
pub fn rate_anew(store: &dyn Store, game: &'static str, now: Time) -> Result<CheckReport, Fault> {
    let mut home = HomeCheck::read(store, None, now, &NoProgress)?;
    // Damaged users who do not play the game do not matter here.
    home.report.wrong.clear();
    let mut rated = Vec::new();
    for key in store.keys(DocumentKind::Boards(game))? {
        let Key::Board(_, number) = key else { continue };
        if let Some(board) = home.board(BoardId { game, number })? {
            rated.extend(ratings::rated(&board, &mut home)?);
        }
    }
    let players: HashSet<&UserId> = rated.iter().flat_map(|board| &board.game.players).collect();
    let missing = players.into_iter().filter(|player| !home.users.contains_key(player));
    let missing: Vec<Key> = missing.map(user_key).collect();
    for key in missing {
        home.note_wrong(format!("{key} cannot be read"));
    }
    home.report.wrong.sort_unstable();
    ratings::rate_anew(game, rated, &mut home)?;
    home.put_users();
    Ok(home.report)
}

/// Checks a game, except for the lists of its players.
fn check_game(
    game: &'static str,
    lists: &mut HashMap<UserId, BoardLists>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let wakeups = home.store.wakeups(game)?;
    let (mut rated, mut ended) = (Vec::new(), Vec::new());
    let mut highest = 0;
    for key in home.store.keys(DocumentKind::Boards(game))? {
        let Key::Board(_, number) = key else { continue };
        let id = BoardId { game, number };
        highest = highest.max(number);
        let Some(board) = home.board(id)? else { continue };
        let board = home.proofread(board)?;
        for wrong in home.keys.map(|keys| dice::check_rolls(&board, keys)).unwrap_or_default() {
            home.note_wrong(format!("{id}: {wrong}"));
        }
        board_lists::add(&board, lists, home);
        ended.extend(FinishedBoard::of(&board));
        if board.is_of_ladder {
            home.ladder_boards.insert(id, LadderEnd::of_board(&board));
        }
        let wakeup = home.wakeup(&board);
        if wakeups.board(number).is_some_and(|at| at > wakeup) {
            home.note_mended(format!("the index says to look at {id} later than its clock does"));
            home.report.repair.index_updates.wakeups.push((id, wakeup));
        }
        rated.extend(ratings::rated(&board, home)?);
    }
    ratings::compare(game, rated, home)?;
    finished::compare(game, ended, highest > 0, home)?;
    indexes::seeks(game, home)?;
    indexes::count(game, highest, home)
}

/// The state of a check.
struct HomeCheck<'a> {
    store: &'a dyn Store,
    keys: Option<&'a DiceKeys>,
    progress: &'a dyn Progress,
    now: Time,
    report: CheckReport,
    users: HashMap<UserId, CheckedUser>,
    known_wakeups: KnownWakeups,
    /// The boards of ladders, with the ends of those that are over.
    ladder_boards: HashMap<BoardId, Option<LadderEnd>>,
}

/// A user, as stored and as it should be.
struct CheckedUser {
    version: DocumentVersion,
    /// As stored.
    found: User,
    /// As it should be.
    should: User,
}

/// Something read from a document, with the document's version.
struct Versioned<T> {
    content: T,
    version: DocumentVersion,
}

impl<'a> HomeCheck<'a> {
    /// Starts a check by reading all users.
    fn read(
        store: &'a dyn Store,
        keys: Option<&'a DiceKeys>,
        now: Time,
        progress: &'a dyn Progress,
    ) -> Result<Self, Fault> {
        let (report, users) = (CheckReport::default(), HashMap::new());
        let known_wakeups = KnownWakeups::read(store)?;
        let ladder_boards = HashMap::new();
        let mut home =
            Self { store, keys, progress, now, report, users, known_wakeups, ladder_boards };
        for key in home.expected(DocumentKind::In(user::COLLECTION))? {
            let Key::In(user::COLLECTION, name) = &key else { continue };
            let Some(Versioned { content: user, version }) = home.read_as(&key, User::read)? else {
                continue;
            };
            if user.id.folded() == *name {
                let (id, found) = (user.id.clone(), user.clone());
                home.users.insert(id, CheckedUser { version, found, should: user });
            } else {
                home.note_wrong(format!("the file of user {name} holds user {}", user.id));
            }
        }
        Ok(home)
    }

    /// Reads the collections whose contents no other part of the check reads.
    fn read_collections(&mut self) -> Result<(), Fault> {
        for kind in DOCUMENT_TYPES {
            // Users, boards and the documents of games are compared with each other, too.
            let Place::In(collection) = kind.place() else { continue };
            if collection == user::COLLECTION {
                continue;
            }
            for key in self.expected(DocumentKind::In(collection))? {
                let read = self.read_as(&key, |text| kind.check(&key, text))?;
                self.compare_wakeup(&key, read.and_then(|read| read.content));
            }
        }
        Ok(())
    }

    /// Compares the wakeups of users and of the documents of games with the index.
    fn compare_wakeups(&mut self) -> Result<(), Fault> {
        let users =
            self.users.values().map(|user| (user_key(&user.should.id), user.should.wakeup()));
        for (key, wakeup) in users.collect::<Vec<_>>() {
            self.compare_wakeup(&key, wakeup);
        }
        for kind in DOCUMENT_TYPES {
            for key in kind.place().fixed_keys() {
                // Damage is reported elsewhere.
                if let Ok(StoredDocument { text: Some(text), .. }) = self.text(&key)? {
                    self.compare_wakeup(&key, kind.check(&key, &text).ok().flatten());
                }
            }
        }
        Ok(())
    }

    fn compare_wakeup(&mut self, key: &Key, wakeup: Option<Time>) {
        let Some(at) = wakeup.filter(|at| self.known_wakeups.is_late(key, *at, self.now)) else {
            return;
        };
        self.note_mended(format!("the index says to look at {key} later than it says itself"));
        self.report.repair.index_updates.add_wakeup(key, at, self.now);
    }

    /// Lists the keys of a kind and announces them to the progress report.
    fn expected(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        let keys = self.store.keys(kind)?;
        self.progress.expects(keys.len());
        Ok(keys)
    }

    /// Reports a mistake for the operator to mend.
    fn note_wrong(&mut self, line: String) {
        self.report.wrong.push(line);
    }

    /// Reports a mistake that the repair mends.
    fn note_mended(&mut self, line: String) {
        self.report.mended.push(line);
    }

    /// Reports a document that cannot be read.
    fn note_damaged(&mut self, key: &Key, damage: &dyn Display) {
        self.note_wrong(format!("{key} cannot be read: {damage}"));
    }

    /// Returns the text of a document. Bytes that are not text are damage. A read error of the disk
    /// is a fault: if the document counted as absent, wrong lists and ratings would follow.
    fn text(&self, key: &Key) -> Result<Result<StoredDocument, Damage>, Fault> {
        match self.store.load(key) {
            Ok(document) => Ok(Ok(document)),
            Err(fault) if fault.is_damage() => {
                Ok(Err(Damage::Unreadable(fault.source.to_string())))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Reads a document that need not exist, or reports its damage.
    fn find<T>(
        &mut self,
        key: &Key,
        read: impl FnMut(&str) -> Result<T, Damage>,
    ) -> Result<Option<Versioned<Option<T>>>, Fault> {
        let damage = match self.text(key)? {
            Ok(StoredDocument { text, version }) => match text.as_deref().map(read).transpose() {
                Ok(content) => return Ok(Some(Versioned { content, version })),
                Err(damage) => damage,
            },
            Err(damage) => damage,
        };
        self.note_damaged(key, &damage);
        Ok(None)
    }

    /// Reads a document that must exist, or reports its damage.
    fn read_as<T>(
        &mut self,
        key: &Key,
        read: impl FnMut(&str) -> Result<T, Damage>,
    ) -> Result<Option<Versioned<T>>, Fault> {
        self.progress.advances(1);
        let Some(Versioned { content, version }) = self.find(key, read)? else { return Ok(None) };
        if content.is_none() {
            self.note_damaged(key, &"it is not there");
        }
        Ok(content.map(|content| Versioned { content, version }))
    }

    /// Reads a board, or reports its damage.
    fn board(&mut self, id: BoardId) -> Result<Option<Board>, Fault> {
        let mut respelled = None;
        let read =
            self.read_as(&Key::Board(id.game, id.number), |text| match Board::read(text) {
                // Somebody may have edited it by hand and written the steps of a play in another
                // order.
                Err(damage) => match proofread_file(text) {
                    Ok(proofread) => {
                        respelled = proofread.respelled;
                        Ok(proofread.board)
                    }
                    Err(_) => Err(damage),
                },
                read => read,
            })?;
        let Some(Versioned { content: board, version }) = read else { return Ok(None) };
        if board.id != id {
            self.note_wrong(format!("the file of {id} holds {}", board.id));
            return Ok(None);
        }
        if let Some(damage) = respelled {
            self.note_mended(format!("{id}: {damage}"));
            self.put(Key::Board(id.game, id.number), version, board.write());
        }
        Ok(Some(board))
    }

    /// Reports illegal entries of a board, and corrects the notation of its plays.
    fn proofread(&mut self, mut board: Board) -> Result<Board, Fault> {
        let (id, key) = (board.id, Key::Board(board.id.game, board.id.number));
        let read = proofread::proofread(&board, board.record.iter().enumerate());
        for damage in &read.faults {
            self.note_wrong(format!("{id}: {damage}"));
        }
        if let (Some(damage), true) = (read.respelled, read.faults.is_empty()) {
            self.note_mended(format!("{id}: {damage}"));
            board.record = read.lines;
            let was = self.pending(&key)?.and_then(|pending| pending.version);
            self.put(key, was, board.write());
        }
        Ok(board)
    }

    /// Returns when a board is due.
    fn wakeup(&self, board: &Board) -> Time {
        let is_engine = |id: &UserId| *id == *program::engine() && !self.users.contains_key(id);
        if matches!(board.status(), BoardStatus::ToMove(seat) if is_engine(board.player(seat))) {
            return board.waits_since();
        }
        let off = |player| {
            let account = self.users.get(player);
            account.map_or_else(TimeOff::default, |account| account.found.time_off())
        };
        Clock::read(board, [0, 1].map(|seat: usize| off(&board.players[seat])), self.now).wakeup()
    }

    /// Returns the text of a document with the repairs so far, and its stored version.
    fn pending(&self, key: &Key) -> Result<Option<StoredDocument>, Fault> {
        let change = self.report.repair.changes.iter().find(|change| change.key == *key);
        if let Some(change) = change {
            let text = Some(change.text.clone());
            return Ok(Some(StoredDocument { text, version: change.was }));
        }
        Ok(self.text(key)?.ok())
    }

    /// Adds a changed document to the repair.
    fn put(&mut self, key: Key, was: DocumentVersion, text: String) {
        let changes = &mut self.report.repair.changes;
        match changes.iter_mut().find(|change| change.key == key) {
            Some(change) => change.text = text,
            None => changes.push(DocumentChange { key, was, text }),
        }
    }

    /// Adds all changed users to the repair.
    fn put_users(&mut self) {
        for CheckedUser { version, found, should } in self.users.values() {
            if found != should {
                let (key, text) = (user_key(&found.id), should.write());
                self.report.repair.changes.push(DocumentChange { key, was: *version, text });
            }
        }
    }
}
