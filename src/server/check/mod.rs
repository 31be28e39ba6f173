//! `check`: everything is read, every board replayed with its legal moves listed, and what follows
//! from boards and accounts is compared with what is stored of it.

mod indexes;
mod legal;
mod lists;
mod ratings;

use crate::base::key::MAILBOXES;
pub use legal::{FaultyBoard, ProofreadBoard, proofread_file};

use crate::base::ids::{BoardId, UserId};
use crate::base::progress::{NoProgress, Progress};
use crate::base::time::Time;
use crate::model::board::Board;
use crate::model::clock::Clock;
use crate::model::correspondent::Correspondent;
use crate::model::count::{BoardCount, count_key};
use crate::model::dice::{self, DiceKeys};
use crate::model::document::{Damage, Document as _};
use crate::model::talk::{self, Talk};
use crate::model::user::{self, User};
use crate::model::world::user_key;
use crate::store::{DocumentChange, DocumentKind, DocumentVersion, Fault, Key, Store, Transaction};
use games::GAMES;
use lists::BoardLists;
use std::collections::{HashMap, HashSet};
use std::fmt::Display;

/// The mistakes in a home: a line each; empty when all is well.
#[derive(Debug, Default)]
pub struct CheckReport {
    /// Mistakes that the operator has to mend.
    pub wrong: Vec<String>,
    /// Mistakes in data that follow from boards and accounts: `repair` mends them.
    pub mended: Vec<String>,
    /// The transaction that mends these, all at once.
    pub repair: Transaction,
}

/// Reads everything.
///
/// # Errors
/// The machine failed.
pub fn check(store: &dyn Store, now: Time) -> Result<CheckReport, Fault> {
    check_with_progress(store, None, now, &NoProgress)
}

/// [`check`], which tells `progress` how far it has come, and checks each roll by these keys.
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
    for key in home.expected(DocumentKind::In(MAILBOXES))? {
        home.read_as(&key, Correspondent::read)?;
    }
    for key in home.expected(DocumentKind::In(talk::DRAWER))? {
        let board = Talk::named(&key);
        home.read_as(&key, |text| {
            let board = board.ok_or_else(|| Damage::untrue("it is named after no board"))?;
            Talk::from_text(&board, text)
        })?;
    }
    let mut lists: HashMap<UserId, BoardLists> = HashMap::new();
    for game in GAMES {
        check_game(game.spec().name, &mut lists, &mut home)?;
    }
    lists::compare(lists, &mut home);
    home.put_users();
    indexes::stopped(&mut home)?;
    indexes::users(&mut home)?;
    let mut report = home.report;
    report.wrong.sort_unstable();
    report.mended.sort_unstable();
    Ok(report)
}

/// How many boards there should be.
pub fn boards_counted(store: &dyn Store) -> Result<usize, Fault> {
    let mut all = 0;
    for game in GAMES {
        let game = game.spec().name;
        let text = store.load(&count_key(game)).ok().and_then(|document| document.text);
        let count = text.and_then(|text| BoardCount::from_text(&game, &text).ok());
        all += usize::try_from(count.unwrap_or_default().0).unwrap_or(0);
    }
    Ok(all)
}

/// The ratings of a game computed anew from its boards, in the order in which these ended: what
/// has to change for it, and what makes it impossible to say.
///
/// # Errors
/// The machine failed.
pub fn rate_anew(store: &dyn Store, game: &'static str, now: Time) -> Result<CheckReport, Fault> {
    let mut home = HomeCheck::read(store, None, now, &NoProgress)?;
    // A user who does not play the game may have a damaged file.
    home.report.wrong.clear();
    let mut rated = Vec::new();
    for key in store.keys(DocumentKind::Boards(game))? {
        let Key::Board(_, number) = key else { continue };
        if let Some(board) = home.board(BoardId { game, number })? {
            rated.extend(ratings::rated(board, &mut home)?);
        }
    }
    let players: HashSet<&UserId> = rated.iter().flat_map(|board| &board.players).collect();
    let missing = players.into_iter().filter(|player| !home.users.contains_key(player));
    let missing: Vec<Key> = missing.map(user_key).collect();
    for key in missing {
        home.say(format!("{key} cannot be read"));
    }
    home.report.wrong.sort_unstable();
    ratings::rate_anew(game, rated, &mut home)?;
    home.put_users();
    Ok(home.report)
}

/// Everything of a game but the lists of its players.
fn check_game(
    game: &'static str,
    lists: &mut HashMap<UserId, BoardLists>,
    home: &mut HomeCheck,
) -> Result<(), Fault> {
    let wakeups = home.store.wakeups(game)?;
    let mut rated = Vec::new();
    let mut highest = 0;
    for key in home.store.keys(DocumentKind::Boards(game))? {
        let Key::Board(_, number) = key else { continue };
        let id = BoardId { game, number };
        highest = highest.max(number);
        let Some(board) = home.board(id)? else { continue };
        let board = home.proofread(board)?;
        for wrong in home.keys.map(|keys| dice::inspect(&board, keys)).unwrap_or_default() {
            home.say(format!("{id}: {wrong}"));
        }
        lists::list(&board, lists, home);
        let wakeup = home.wakeup(&board);
        if wakeups.board(number).is_some_and(|at| at > wakeup) {
            home.mend(format!("the index says to look at {id} later than its clock does"));
            home.report.repair.index_updates.wakeups.push((id, wakeup));
        }
        rated.extend(ratings::rated(board, home)?);
    }
    ratings::compare(game, rated, home)?;
    indexes::seeks(game, home)?;
    indexes::count(game, highest, home)
}

/// The known facts of a home, and the mistakes found in it.
struct HomeCheck<'a> {
    store: &'a dyn Store,
    keys: Option<&'a DiceKeys>,
    progress: &'a dyn Progress,
    now: Time,
    report: CheckReport,
    users: HashMap<UserId, CheckedUser>,
}

/// A user and what follows from the boards.
struct CheckedUser {
    version: DocumentVersion,
    /// As the file has it.
    found: User,
    /// As it should be.
    should: User,
}

/// The text of a document, if there is one, and its version.
type VersionedText = (Option<String>, DocumentVersion);

impl<'a> HomeCheck<'a> {
    /// A home whose users have been read.
    fn read(
        store: &'a dyn Store,
        keys: Option<&'a DiceKeys>,
        now: Time,
        progress: &'a dyn Progress,
    ) -> Result<Self, Fault> {
        let (report, users) = (CheckReport::default(), HashMap::new());
        let mut home = Self { store, keys, progress, now, report, users };
        for key in home.expected(DocumentKind::In(user::DRAWER))? {
            let Key::In(user::DRAWER, name) = &key else { continue };
            let Some((user, version)) = home.read_as(&key, User::read)? else { continue };
            if user.id.folded() == *name {
                let (id, found) = (user.id.clone(), user.clone());
                home.users.insert(id, CheckedUser { version, found, should: user });
            } else {
                home.say(format!("the file of user {name} holds user {}", user.id));
            }
        }
        Ok(home)
    }

    /// What there is to read of a kind.
    fn expected(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        let keys = self.store.keys(kind)?;
        self.progress.expects(keys.len());
        Ok(keys)
    }

    /// Says what the operator has to mend.
    fn say(&mut self, line: String) {
        self.report.wrong.push(line);
    }

    /// Says what is mended.
    fn mend(&mut self, line: String) {
        self.report.mended.push(line);
    }

    /// Says that a document cannot be read.
    fn damaged(&mut self, key: &Key, damage: &dyn Display) {
        self.say(format!("{key} cannot be read: {damage}"));
    }

    /// The text of a document; other bytes are damage. What the disk cannot read is a fault: from
    /// its absence lists and ratings would be concluded.
    fn text(&self, key: &Key) -> Result<Result<VersionedText, Damage>, Fault> {
        match self.store.load(key) {
            Ok(document) => Ok(Ok((document.text, document.version))),
            Err(fault) if fault.is_damage() => {
                Ok(Err(Damage::Unreadable(fault.source.to_string())))
            }
            Err(fault) => Err(fault),
        }
    }

    /// A document that need not exist, if it can be read; else says what is wrong with it.
    fn find<T>(
        &mut self,
        key: &Key,
        read: impl FnMut(&str) -> Result<T, Damage>,
    ) -> Result<Option<(Option<T>, DocumentVersion)>, Fault> {
        let held = self.text(key)?;
        match held.and_then(|(text, at)| Ok((text.as_deref().map(read).transpose()?, at))) {
            Ok(read) => Ok(Some(read)),
            Err(damage) => {
                self.damaged(key, &damage);
                Ok(None)
            }
        }
    }

    /// A document that is there, if it can be read; else says what is wrong with it.
    fn read_as<T>(
        &mut self,
        key: &Key,
        read: impl FnMut(&str) -> Result<T, Damage>,
    ) -> Result<Option<(T, DocumentVersion)>, Fault> {
        self.progress.advances(1);
        Ok(match self.find(key, read)? {
            Some((Some(read), version)) => Some((read, version)),
            Some((None, _)) => {
                self.damaged(key, &"it is not there");
                None
            }
            None => None,
        })
    }

    /// A board, if its file can be read; else says what is wrong with it.
    fn board(&mut self, id: BoardId) -> Result<Option<Board>, Fault> {
        let mut respelled = None;
        let read =
            self.read_as(&Key::Board(id.game, id.number), |text| match Board::read(text) {
                // Somebody mended it by hand, and wrote the steps of a play in another order.
                Err(damage) => match proofread_file(text) {
                    Ok(proofread) => {
                        respelled = proofread.respelled;
                        Ok(proofread.board)
                    }
                    Err(_) => Err(damage),
                },
                read => read,
            })?;
        let Some((board, version)) = read else { return Ok(None) };
        if board.id != id {
            self.say(format!("the file of {id} holds {}", board.id));
            return Ok(None);
        }
        if let Some(damage) = respelled {
            self.mend(format!("{id}: {damage}"));
            self.put(Key::Board(id.game, id.number), version, board.write());
        }
        Ok(Some(board))
    }

    /// Says what was not legal on a board, and writes its plays as the rules do.
    fn proofread(&mut self, mut board: Board) -> Result<Board, Fault> {
        let (id, key) = (board.id, Key::Board(board.id.game, board.id.number));
        let read = legal::proofread(&board, board.record.iter().enumerate());
        for damage in &read.faults {
            self.say(format!("{id}: {damage}"));
        }
        if let (Some(damage), true) = (read.respelled, read.faults.is_empty()) {
            self.mend(format!("{id}: {damage}"));
            board.record = read.lines;
            let (_, was) = self.pending(&key)?.unwrap_or_default();
            self.put(key, was, board.write());
        }
        Ok(board)
    }

    /// When a board has to be looked at.
    fn wakeup(&self, board: &Board) -> Time {
        let off =
            |player| self.users.get(player).map_or(&[][..], |account| &account.found.vacations);
        Clock::read(board, [0, 1].map(|seat: usize| off(&board.players[seat])), self.now).wakeup()
    }

    /// The text of a document as the repair leaves it so far, and its version now.
    fn pending(&self, key: &Key) -> Result<Option<VersionedText>, Fault> {
        let change = self.report.repair.changes.iter().find(|change| change.key == *key);
        match change {
            Some(change) => Ok(Some((Some(change.text.clone()), change.was))),
            None => Ok(self.text(key)?.ok()),
        }
    }

    /// A document becomes this.
    fn put(&mut self, key: Key, was: DocumentVersion, text: String) {
        let changes = &mut self.report.repair.changes;
        match changes.iter_mut().find(|change| change.key == key) {
            Some(change) => change.text = text,
            None => changes.push(DocumentChange { key, was, text }),
        }
    }

    /// The users that are not as they should be.
    fn put_users(&mut self) {
        for CheckedUser { version, found, should } in self.users.values() {
            if found != should {
                let (key, text) = (user_key(&found.id), should.write());
                self.report.repair.changes.push(DocumentChange { key, was: *version, text });
            }
        }
    }
}
