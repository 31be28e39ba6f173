//! `check`: everything is read, every board replayed with its legal moves listed.

use crate::base::ids::{BoardId, UserId};
use crate::model::board::Board;
use crate::model::clock::Clock;
use crate::model::correspondent::Correspondent;
use crate::model::document::Damage;
use crate::model::names::{self, MOST_UNASKED, Names};
use crate::model::program;
use crate::model::rating::{self, Effect, Score, Standing};
use crate::model::seeks::Seeks;
use crate::model::user::User;
use crate::model::world::user_key;
use crate::store::{Change, Fault, Key, Store, Transaction, Version};
use games::{AnyGame, AnyPosition, Choices, Entry, GAMES, Seat, Setting, replay};
use std::collections::{HashMap, HashSet};

/// What is wrong in a home: a line each; empty when all is well.
#[derive(Debug, Default)]
pub struct Report {
    /// What somebody has to mend.
    pub wrong: Vec<String>,
    /// What follows from boards and accounts, and is mended by `repair`.
    pub mended: Vec<String>,
    /// What mends it, all at once.
    pub repair: Transaction,
}

/// Reads everything.
///
/// # Errors
/// The machine failed.
pub fn check(store: &dyn Store, now: i64) -> Result<Report, Fault> {
    let mut home = Home { store, now, report: Report::default(), users: HashMap::new() };
    home.report.repair.at = now;
    home.read_users()?;
    for key in store.mailboxes()? {
        let read =
            text(store, &key)?.and_then(|(text, _)| Correspondent::read(&text.unwrap_or_default()));
        home.report
            .wrong
            .extend(read.err().map(|damage| format!("{key} cannot be read: {damage}")));
    }
    let mut lists: HashMap<UserId, Lists> = HashMap::new();
    for game in GAMES {
        home.game(game.spec().name, &mut lists)?;
    }
    home.lists(lists);
    home.put_users();
    home.index()?;
    let mut report = home.report;
    report.wrong.sort_unstable();
    report.mended.sort_unstable();
    Ok(report)
}

/// The ratings of a game computed anew from its boards, in the order in which these ended: what
/// has to change for it, and what makes it impossible to say.
///
/// # Errors
/// The machine failed.
pub fn rate_anew(store: &dyn Store, game: &'static str, now: i64) -> Result<Report, Fault> {
    let mut home = Home { store, now, report: Report::default(), users: HashMap::new() };
    home.read_users()?;
    // Who does not play the game may have a damaged file.
    home.report.wrong.clear();
    let mut rated = Vec::new();
    for key in store.boards(game)? {
        let Key::Board(_, number) = key else { continue };
        if let Some(board) = home.board(BoardId { game, number })? {
            home.rated(board, &mut rated)?;
        }
    }
    let players: HashSet<&UserId> = rated.iter().flat_map(|board| &board.players).collect();
    let missing = players.into_iter().filter(|player| !home.users.contains_key(player));
    let missing: Vec<Key> = missing.map(user_key).collect();
    for key in missing {
        home.say(format!("{key} cannot be read"));
    }
    home.report.wrong.sort_unstable();
    home.rate_anew(game, rated)?;
    home.put_users();
    Ok(home.report)
}

/// What is known of a home, and found wrong in it.
struct Home<'a> {
    store: &'a dyn Store,
    now: i64,
    report: Report,
    /// Each user as the file has it, with its digest, and as it should be.
    users: HashMap<UserId, (Version, User, User)>,
}

/// A user's boards, each with the time by which it is ordered.
#[derive(Default)]
struct Lists {
    active: Vec<(i64, BoardId)>,
    finished: Vec<(i64, BoardId)>,
}

/// A board that should have changed ratings, and what it says that it did.
struct Rated {
    number: u32,
    at: i64,
    players: [UserId; 2],
    scores: [Score; 2],
    effects: Option<[Effect; 2]>,
}

impl Home<'_> {
    fn read_users(&mut self) -> Result<(), Fault> {
        for key in self.store.users()? {
            let Key::User(name) = &key else { continue };
            match text(self.store, &key)?
                .and_then(|(text, at)| Ok((User::read(&text.unwrap_or_default())?, at)))
            {
                Ok((user, version)) if user.id.folded() == *name => {
                    self.users.insert(user.id.clone(), (version, user.clone(), user));
                }
                Ok((user, _)) => {
                    self.say(format!("the file of user {name} holds user {}", user.id));
                }
                Err(damage) => self.say(format!("{key} cannot be read: {damage}")),
            }
        }
        Ok(())
    }

    /// Says what somebody has to mend.
    fn say(&mut self, line: String) {
        self.report.wrong.push(line);
    }

    /// Says what is mended.
    fn mend(&mut self, line: String) {
        self.report.mended.push(line);
    }

    /// Everything of a game but the lists of its players.
    fn game(
        &mut self,
        game: &'static str,
        lists: &mut HashMap<UserId, Lists>,
    ) -> Result<(), Fault> {
        let wakeups = self.store.wakeups(game)?;
        let mut rated = Vec::new();
        let mut highest = 0;
        for key in self.store.boards(game)? {
            let Key::Board(_, number) = key else { continue };
            let id = BoardId { game, number };
            highest = highest.max(number);
            let Some(board) = self.board(id)? else { continue };
            self.report.wrong.extend(illegal(&board).map(|damage| format!("{id}: {damage}")));
            let ended = board.ended_at();
            let has_file = |player: &&UserId| {
                program::level(player).is_none() || self.users.contains_key(player)
            };
            for player in board.players.iter().filter(has_file) {
                let lists = lists.entry(player.clone()).or_default();
                match ended {
                    Some(at) => lists.finished.push((at, id)),
                    None => lists.active.push((board.started, id)),
                }
            }
            let wakeup = self.wakeup(&board);
            if wakeups.get(number as usize).is_some_and(|at| *at > wakeup) {
                self.mend(format!("the index says to look at {id} later than its clock does"));
                self.report.repair.index_updates.wakeups.push((id, wakeup));
            }
            self.rated(board, &mut rated)?;
        }
        self.ratings(game, rated)?;
        self.seeks(game)?;
        self.count(game, highest)
    }

    /// What stands open in a game is of users who are here.
    fn seeks(&mut self, game: &'static str) -> Result<(), Fault> {
        let key = Key::Seeks(game);
        let (text, was) = match text(self.store, &key)? {
            Ok((Some(text), was)) => (text, was),
            Ok((None, _)) => return Ok(()),
            Err(damage) => {
                self.say(format!("{key} cannot be read: {damage}"));
                return Ok(());
            }
        };
        let mut seeks = match Seeks::read(&text) {
            Ok(seeks) if seeks.game == game => seeks,
            Ok(other) => {
                self.say(format!("{key} holds what is open in {}", other.game));
                return Ok(());
            }
            Err(damage) => {
                self.say(format!("{key} cannot be read: {damage}"));
                return Ok(());
            }
        };
        let makers = seeks.seeks.iter().map(|seek| &seek.user);
        let named: HashSet<UserId> = makers.chain(&seeks.listeners).cloned().collect();
        let mut gone = Vec::new();
        for user in named {
            let is_here = match self.users.get(&user) {
                Some((_, user, _)) => user.left.is_none(),
                // One whose file cannot be read may be here.
                None => !matches!(self::text(self.store, &user_key(&user))?, Ok((None, _))),
            };
            if !is_here {
                gone.push(user);
            }
        }
        for user in &gone {
            self.mend(format!("{key} names {user}, who is not here"));
            seeks.forget(user);
        }
        if !gone.is_empty() {
            self.report.repair.changes.push(Change { key, was, text: seeks.write() });
        }
        Ok(())
    }

    /// A board, if its file can be read; else says what is wrong with it.
    fn board(&mut self, id: BoardId) -> Result<Option<Board>, Fault> {
        let key = Key::Board(id.game, id.number);
        match text(self.store, &key)?.and_then(|(text, _)| Board::read(&text.unwrap_or_default())) {
            Ok(board) if board.id == id => return Ok(Some(board)),
            Ok(board) => self.say(format!("the file of {id} holds {}", board.id)),
            Err(damage) => self.say(format!("{key} cannot be read: {damage}")),
        }
        Ok(None)
    }

    /// Adds a board to those that should have changed ratings, if it is one.
    fn rated(&mut self, board: Board, rated: &mut Vec<Rated>) -> Result<(), Fault> {
        let (id, effects) = (board.id, board.rated);
        match (board.scores(), board.ended_at()) {
            (Some(scores), Some(at)) => {
                let (number, players) = (id.number, board.players);
                rated.push(Rated { number, at, players, scores, effects });
            }
            _ if effects.is_some() => self.rate_board(id, None)?,
            _ => {}
        }
        Ok(())
    }

    /// When a board has to be looked at.
    fn wakeup(&self, board: &Board) -> i64 {
        let off = |player| self.users.get(player).map_or(&[][..], |(_, user, _)| &user.vacations);
        Clock::read(board, [0, 1].map(|seat: usize| off(&board.players[seat])), self.now).wakeup()
    }

    fn count(&mut self, game: &'static str, highest: u32) -> Result<(), Fault> {
        let key = Key::Count(game);
        let line = format!("the count of {game} boards is below board {highest}");
        let (count, was) = match text(self.store, &key)? {
            Ok((None, was)) => (Some(0), was),
            Ok((Some(text), was)) => (text.trim().parse().ok(), was),
            Err(_) => {
                self.say(line);
                return Ok(());
            }
        };
        if count.is_none_or(|count| count < highest) {
            self.mend(line);
            self.report.repair.changes.push(Change { key, was, text: format!("{highest}\n") });
        }
        Ok(())
    }

    /// Ratings of a game. The boards say what each of them changed; put one behind the other these
    /// changes lead from nothing to what the users' files say. Where they do not, all are computed
    /// anew, in the order in which the boards ended.
    fn ratings(&mut self, game: &'static str, boards: Vec<Rated>) -> Result<(), Fault> {
        let wrong = self.broken(game, &boards);
        if wrong.is_empty() {
            return self.names(game);
        }
        self.report.mended.extend(wrong);
        self.rate_anew(game, boards)
    }

    /// All ratings of a game, in the order in which its boards ended.
    fn rate_anew(&mut self, game: &'static str, mut boards: Vec<Rated>) -> Result<(), Fault> {
        boards.sort_by_key(|board| (board.at, board.number));
        let mut standings: HashMap<UserId, Standing> = HashMap::new();
        for board in boards {
            let before = board
                .players
                .each_ref()
                .map(|player| standings.get(player).copied().unwrap_or_default());
            let effects = rating::effects(before, board.scores, board.at);
            for (player, effect) in board.players.iter().zip(effects) {
                standings.insert(player.clone(), effect.after);
            }
            if board.effects != Some(effects) {
                self.rate_board(BoardId { game, number: board.number }, Some(effects))?;
            }
        }
        for (id, (_, _, user)) in &mut self.users {
            match standings.get(id) {
                Some(standing) => user.ratings.insert(game.to_owned(), *standing),
                None => user.ratings.remove(game),
            };
        }
        self.names(game)
    }

    /// What is wrong with the ratings of a game.
    fn broken(&self, game: &'static str, boards: &[Rated]) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut chains: HashMap<&UserId, Vec<Effect>> = HashMap::new();
        for board in boards {
            let id = BoardId { game, number: board.number };
            let Some(effects) = board.effects else {
                wrong.push(format!("{id} is over, but has changed no rating"));
                continue;
            };
            let right = rating::effects(effects.map(|e| e.before), board.scores, board.at);
            // Another machine may round otherwise.
            let is_near = |(a, b): (&Effect, &Effect)| {
                a.after.rating.distance(b.after.rating) <= 1
                    && Standing { rating: a.after.rating, ..b.after } == a.after
            };
            if !effects.iter().zip(&right).all(is_near) {
                wrong.push(format!("{id} has changed ratings by what it should not"));
            }
            for (player, effect) in board.players.iter().zip(effects) {
                chains.entry(player).or_default().push(effect);
            }
        }
        for (id, (_, user, _)) in &self.users {
            let mut chain = chains.remove(id).unwrap_or_default();
            chain.sort_by_key(|effect| effect.before.games());
            let first = Standing::default();
            let ends = chain.iter().map(|effect| &effect.after);
            let befores = chain.iter().map(|effect| &effect.before);
            let last = chain.last().map(|effect| &effect.after);
            let fits = [&first].into_iter().chain(ends).zip(befores).all(|(a, b)| a == b);
            if !fits || last != user.ratings.get(game) {
                wrong.push(format!("the {game} rating of {id} differs from the boards"));
            }
        }
        wrong
    }

    /// Every user who is rated has to be in the index.
    fn names(&mut self, game: &'static str) -> Result<(), Fault> {
        let known: HashSet<Key> = self.store.rated(game)?.into_iter().collect();
        let users = self.users.values();
        let rated = users.filter(|(_, _, user)| user.ratings.contains_key(game));
        let missing: Vec<String> = rated
            .map(|(_, _, user)| user.id.folded())
            .filter(|user| !known.contains(&Key::User(user.clone())))
            .collect();
        for user in missing {
            self.mend(format!("the index of {game} ratings lacks {user}"));
            self.report.repair.index_updates.rated.push((game, user));
        }
        Ok(())
    }

    /// What a board did to the ratings becomes this.
    fn rate_board(&mut self, id: BoardId, effects: Option<[Effect; 2]>) -> Result<(), Fault> {
        if effects.is_none() {
            self.mend(format!("{id} has changed ratings, and should not have"));
        }
        let key = Key::Board(id.game, id.number);
        if let Ok((Some(text), was)) = text(self.store, &key)?
            && let Ok(mut board) = Board::read(&text)
        {
            board.rated = effects;
            self.report.repair.changes.push(Change { key, was, text: board.write() });
        }
        Ok(())
    }

    /// The users' lists of their boards.
    fn lists(&mut self, mut lists: HashMap<UserId, Lists>) {
        let (mut mended, mut wrong) = (Vec::new(), Vec::new());
        for (id, (_, _, user)) in &mut self.users {
            let Lists { active, finished } = lists.remove(id).unwrap_or_default();
            let stopped = user.stopped.len();
            user.stopped.retain(|address| user.addresses.contains(address));
            if user.stopped.len() < stopped {
                mended.push(format!("{id} has no mails sent to an address that is not theirs"));
            }
            if user.left.is_some() && !active.is_empty() {
                wrong.push(format!("{id} has left, but still plays"));
            }
            for (what, has, mut should) in
                [("active", &mut user.active, active), ("finished", &mut user.finished, finished)]
            {
                should.sort_unstable();
                let should: Vec<BoardId> = should.into_iter().map(|(_, board)| board).collect();
                if sorted(has) != sorted(&should) {
                    mended
                        .push(format!("the list of {what} boards of {id} differs from the boards"));
                    *has = should;
                }
            }
        }
        self.report.mended.extend(mended);
        self.report.wrong.extend(wrong);
        for id in lists.keys() {
            self.report.wrong.push(format!("{id} plays, but is no user"));
        }
    }

    /// Every user stands in the index of users. A small home that has none yet gets it when it is
    /// needed; what an entry has too many does no harm.
    fn index(&mut self) -> Result<(), Fault> {
        let is_there = matches!(text(self.store, &names::whole())?, Ok((Some(_), _)));
        if !is_there && self.users.len() <= MOST_UNASKED {
            return Ok(());
        }
        if !is_there {
            self.mend("users are not found by their addresses: there is no index of them".into());
        }
        for (key, should) in names::all(self.users.values().map(|(_, _, user)| user)) {
            let (found, was) = match text(self.store, &key)? {
                Ok((Some(text), was)) => (Names::read(&text), was),
                Ok((None, was)) => (Ok(Names::default()), was),
                Err(damage) => (Err(damage), None),
            };
            let mut names = match found {
                Ok(names) => names,
                Err(damage) => {
                    self.say(format!("{key} cannot be read: {damage}"));
                    continue;
                }
            };
            let lacks = |user: &&UserId| !names.users().contains(user);
            let missing: Vec<UserId> = should.users().iter().filter(lacks).cloned().collect();
            for user in &missing {
                if is_there {
                    self.mend(format!("{key} does not lead to {user}"));
                }
                names.add(user);
            }
            if !missing.is_empty() || was.is_none() {
                self.report.repair.changes.push(Change { key, was, text: names.write() });
            }
        }
        Ok(())
    }

    /// The users that are not as they should be.
    fn put_users(&mut self) {
        for (was, user, should) in self.users.values() {
            if user != should {
                let (key, text) = (user_key(&user.id), should.write());
                self.report.repair.changes.push(Change { key, was: *was, text });
            }
        }
    }
}

fn sorted(boards: &[BoardId]) -> Vec<BoardId> {
    let mut boards = boards.to_vec();
    boards.sort_unstable();
    boards
}

/// What a document holds, if there is one; that it is no text is damage.
fn text(store: &dyn Store, key: &Key) -> Result<Result<(Option<String>, Version), Damage>, Fault> {
    match store.load(key) {
        Ok(document) => Ok(Ok((document.text, document.version))),
        Err(fault) if fault.is_damage() || fault.is_passing() => {
            Ok(Err(Damage::Unreadable(fault.source.to_string())))
        }
        Err(fault) => Err(fault),
    }
}

/// What may have been played for a player: it hangs on settings that he may have changed since.
fn forced(position: &dyn AnyPosition, game: &dyn AnyGame) -> impl Iterator<Item = String> {
    let settings = game.spec().settings.iter();
    let one = |setting: &'static Setting| Choices::one(&setting.switch, None).ok();
    let each = settings.filter_map(one).chain([Choices::default()]);
    each.filter_map(|settings| position.auto(&settings))
}

/// The first entry of a record that was not legal when it was made.
pub fn illegal(board: &Board) -> Option<Damage> {
    let mut position = board.game.setup(&board.options);
    for (index, line) in board.record.iter().enumerate() {
        let said = |why: String| Damage::of_entry(index, why);
        match &line.entry {
            Entry::Rolled(_) | Entry::Laid(_) | Entry::Resigned { .. } => {
                if let Err((_, error)) = replay(&mut *position, [&line.entry]) {
                    return Some(said(error.to_string()));
                }
            }
            Entry::Moved { seat, text, auto } => {
                if !position.next().asks(*seat) {
                    return Some(said("it was not that side's turn".into()));
                }
                if *auto && !forced(&*position, board.game).any(|forced| forced == *text) {
                    return Some(said(format!("{text} was not forced")));
                }
                match position.play(text) {
                    Ok(played) if played == *text => {}
                    Ok(played) => return Some(said(format!("{text} should be written {played}"))),
                    Err(error) => return Some(said(format!("{text}: {error}"))),
                }
            }
        }
    }
    let seats = [Seat(0), Seat(1)].map(|seat| board.player(seat));
    (seats[0] == seats[1]).then(|| Damage::untrue(format!("both players are {}", seats[0])))
}
