//! The operator's repairs: a board edited or taken back; a user added, renamed or removed.
//!
//! A repair is decided on a draft of the documents, from which everything that follows is made
//! anew too: lists of boards, ratings, indexes. It is committed as one transaction, with the mails
//! that tell of it; so it is done wholly or not at all.

mod draft;

use crate::base::ids::{BoardId, UserId};
use crate::base::words::Count;
use crate::command::{departure, is_reserved};
use crate::mail::Address;
use crate::model::board::{Board, BoardEvent, Line, Rewound, Status, Unplayed, written};
use crate::model::clock::{Vacation, waited};
use crate::model::event::Event;
use crate::model::names::{self, Names};
use crate::model::program;
use crate::model::seeks::Seeks;
use crate::model::user::{Left, User, UserEvent};
use crate::model::world::{board_key, user_key};
use crate::refusal::OperatorRefusal;
use crate::reply::{self, BoardNews, Undone};
use crate::server::Server;
use crate::server::check;
use crate::store::{Document, Fault, Key, Store, Transaction, Version};
use data_encoding::BASE32_NOPAD;
use draft::{Draft, damaged};
use games::{Entry, GAMES, Next, Seat};
use std::fmt::Write as _;

/// Why a repair was not made.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It is not to be.
    #[error(transparent)]
    Refused(#[from] OperatorRefusal),
    /// Ratings cannot be computed, because something cannot be read: what.
    #[error("{0}; mend it first, the ratings follow from it")]
    Unrated(String),
    /// The machine failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A repair to be committed.
#[derive(Debug)]
pub struct Repair {
    /// All of it.
    pub transaction: Transaction,
    /// What the operator is told.
    pub said: String,
}

/// What a change of a board led to.
struct Settled {
    /// Other boards whose effects on ratings are others now.
    rerated: usize,
    /// Why ratings were left as they are, if they were.
    unrated: Option<String>,
}

impl Server<'_> {
    /// Takes back the latest decisions on a board, or how it was closed.
    ///
    /// # Errors
    /// The machine failed, or there is not so much to take back.
    pub fn undo(
        &mut self,
        store: &dyn Store,
        id: BoardId,
        decisions: usize,
        new_dice: bool,
        now: i64,
    ) -> Result<Repair, Trouble> {
        let mut draft = Draft::new(store);
        let was = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
        let mut board = draft.board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
        let vacations = vacations(&draft, &board)?;
        let off = vacations.each_ref().map(Vec::as_slice);
        let [one, other] = Seat::BOTH.map(|seat| plays(&draft, &board, seat));
        let programs = [one?, other?];
        let (undone, entries) = take_back(&mut board, (decisions, new_dice), programs, off, now)?;
        let dropped: Vec<Event> = Seat::BOTH
            .into_iter()
            .filter_map(|seat| {
                // A queued move was meant for another course of the game.
                let text = board.queued[seat.index()].take()?.text;
                Some(Event::Board(id, BoardEvent::Dropped { seat, text, why: Unplayed::Undone }))
            })
            .collect();
        let version = draft.load(&board_key(id))?.version;
        let Settled { rerated, unrated } = settle(&mut draft, Some(&was), version, board, now)?;
        if let Some(line) = unrated {
            return Err(Trouble::Unrated(line));
        }
        let words: Vec<String> = entries.iter().map(written).collect();
        let closing = was.closing.map(|closing| format!("{:?}", closing.by).to_lowercase());
        let taken: Vec<String> = closing.into_iter().chain(words).collect();
        let dice = if new_dice { "; new dice" } else { "" };
        let line = format!("{id}: taken back: {}{dice}", taken.join(" "));
        let what = BoardNews::Undone(undone);
        let said = self.tell(&draft, id, &what, &dropped, now)?;
        self.log.push(line.clone());
        let said = format!("{line}\n{said}{}", of_ratings(id, rerated));
        Ok(Repair { transaction: self.finish(draft, now), said })
    }

    /// Puts a text in the place of a board. `found` is the board's document, `was` what it was when
    /// the operator began to edit it.
    ///
    /// # Errors
    /// The machine failed, somebody changed the board meanwhile, or the text is no good board.
    pub fn edit(
        &mut self,
        store: &dyn Store,
        id: BoardId,
        found: &Document,
        was: Version,
        text: &str,
        now: i64,
    ) -> Result<Repair, Trouble> {
        let Some(old) = &found.text else { return Err(OperatorRefusal::NoBoard(id).into()) };
        if found.version != was {
            return Err(OperatorRefusal::Meanwhile(id).into());
        }
        let mut board = read_whole(text, id)?;
        let before = Board::read(old).ok().filter(|board| board.id == id);
        let is_news = before.as_ref().is_none_or(|before| looks_different(before, &board));
        let mut draft = Draft::new(store);
        if before.as_ref().is_some_and(|before| goes_on_differently(before, &board)) {
            // Whoever is to move now has his whole time for it, and replies to what was are void.
            let vacations = vacations(&draft, &board)?;
            let off = vacations.each_ref().map(Vec::as_slice);
            let entries = board.record.len();
            let (used, ..) = waited(&board, entries, off, now);
            let moved = Seat::BOTH.map(|seat| board.had_moved(seat, entries));
            (board.nags, board.rewound) = (None, Some(Rewound { at: now, entries, used, moved }));
            board.void_replies();
        }
        let Settled { rerated, unrated } =
            settle(&mut draft, before.as_ref(), found.version, board, now)?;
        let mut said = String::new();
        let what = BoardNews::Mended;
        let told = self.tell(&draft, id, &what, &[], now)?;
        if is_news {
            said.push_str(&told);
        } else {
            self.done.letters.clear();
        }
        let transaction = self.finish(draft, now);
        if transaction.changes.is_empty() {
            let said = format!("{id}: nothing is to be changed\n");
            return Ok(Repair { transaction, said });
        }
        self.log.push(format!("{id}: edited"));
        said.insert_str(0, &format!("{id}: edited\n"));
        said.push_str(&of_ratings(id, rerated));
        if let Some(line) = unrated {
            let _ = writeln!(
                said,
                "ratings are as they were, because {line}; mend that and run `check --repair`"
            );
        }
        Ok(Repair { transaction, said })
    }

    /// Shows a board and all around it.
    ///
    /// # Errors
    /// The machine failed, or there is none that can be read.
    pub fn show_board(
        &mut self,
        store: &dyn Store,
        id: BoardId,
        now: i64,
    ) -> Result<String, Trouble> {
        Draft::new(store).board(id)?.ok_or(OperatorRefusal::NoBoard(id))?;
        self.world.gather(&[board_key(id)], store)?;
        let board = self.world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
        Ok(reply::operator::shown(&self.world, board, now))
    }

    /// Signs somebody up.
    ///
    /// # Errors
    /// The machine failed, or the userid is taken.
    pub fn add_user(
        &mut self,
        store: &dyn Store,
        id: &UserId,
        password: &str,
        addresses: &[Address],
        now: i64,
    ) -> Result<Repair, Trouble> {
        if is_reserved(id) || Draft::new(store).text(&user_key(id))?.is_some() {
            return Err(OperatorRefusal::Taken(id.clone()).into());
        }
        self.world.gather(&[user_key(id), names::alike(id)], store)?;
        if self.world.is_confusable(id) {
            return Err(OperatorRefusal::Confusable(id.clone()).into());
        }
        let user = User::new(id.clone(), self.hashed(password), addresses.to_vec(), now);
        let mails = reply::operator::added(&user);
        self.happen(&Event::SignedUp { user: Box::new(user), from: None }, store)?;
        self.post_all(&mails, &format!("added {id} {now}"), store, now)?;
        Ok(self.repair(format!("{id} can play now\n"), now))
    }

    /// Gives a user another password.
    ///
    /// # Errors
    /// The machine failed, or there is no such user.
    pub fn set_password(
        &mut self,
        store: &dyn Store,
        id: &UserId,
        password: &str,
        now: i64,
    ) -> Result<Repair, Trouble> {
        let user = self.known(store, id)?;
        if let Some(left) = user.left {
            let (away, erased) = (OperatorRefusal::Away, OperatorRefusal::Erased);
            return Err(if left.erased { erased(user.id) } else { away(user.id) }.into());
        }
        let change = UserEvent::Password(self.hashed(password));
        self.happen(&Event::User(user.id.clone(), change), store)?;
        let mails = reply::operator::new_password(&user);
        self.post_all(&mails, &format!("password {id} {now}"), store, now)?;
        Ok(self.repair(format!("{} has a new password\n", user.id), now))
    }

    /// Has a user leave for good: boards in progress are resigned, what is stored is erased.
    ///
    /// # Errors
    /// The machine failed, or there is no such user.
    pub fn remove_user(
        &mut self,
        store: &dyn Store,
        id: &UserId,
        now: i64,
    ) -> Result<Repair, Trouble> {
        let user = self.known(store, id)?;
        if user.left.is_some_and(|left| left.erased) {
            return Err(OperatorRefusal::Erased(user.id).into());
        }
        let draft = Draft::new(store);
        for board in &user.active {
            // A board that nobody can read cannot be resigned, nor can it change a rating.
            for player in draft.board(*board)?.iter().flat_map(|board| &board.players) {
                draft.user(player)?;
            }
        }
        let boards: Vec<Key> = user.active.iter().map(|board| board_key(*board)).collect();
        let damaged = self.world.gather(&boards, store)?;
        self.log.extend(damaged);
        let open: Vec<Key> = GAMES.iter().map(|game| Key::Seeks(game.spec().name)).collect();
        let damaged = self.world.gather(&open, store)?;
        self.log.extend(damaged);
        let left = Left { at: now, erased: true };
        let (events, boards) = departure(&self.world, &user, left);
        let observers = boards.iter().filter_map(|(board, _)| self.world.board(*board).ok());
        let observers: Vec<Key> =
            observers.flat_map(|board| board.observers.iter().map(user_key)).collect();
        let damaged = self.world.gather(&observers, store)?;
        self.log.extend(damaged);
        for event in &events {
            self.happen(event, store)?;
        }
        let mails = reply::operator::removed(&self.world, &user.id, &user.addresses, &boards, now);
        self.post_all(&mails, &format!("removed {id} {now}"), store, now)?;
        let said = format!("{} is removed; boards resigned: {}\n", user.id, boards.len());
        Ok(self.repair(said, now))
    }

    /// Gives a user another userid, in every document that names him. The old one stays taken, for
    /// him alone.
    ///
    /// # Errors
    /// The machine failed, the new userid is taken, or a document cannot be read.
    pub fn rename_user(
        &mut self,
        store: &dyn Store,
        old: &UserId,
        new: &UserId,
        now: i64,
    ) -> Result<Repair, Trouble> {
        let mut draft = Draft::new(store);
        let mut user = draft.user(old)?.ok_or(OperatorRefusal::NoUser(old.clone()))?;
        let old = user.id.clone();
        if let Some(new) = user.renamed {
            return Err(OperatorRefusal::Renamed { old, new }.into());
        }
        if user.left.is_some_and(|left| left.erased) {
            return Err(OperatorRefusal::Erased(old).into());
        }
        if old.as_str() == new.as_str() {
            return Err(OperatorRefusal::SameName(old).into());
        }
        if old != *new {
            let there = draft.user(new)?;
            let is_his = there.as_ref().is_none_or(|there| there.renamed.as_ref() == Some(&old));
            if is_reserved(new) && there.is_none() || !is_his {
                return Err(OperatorRefusal::Taken(new.clone()).into());
            }
            // A userid in another type of the same look may follow its own.
            let alike = entry(&draft, &names::alike(new))?;
            if there.is_none() && alike.users().iter().any(|other| *other != old) {
                return Err(OperatorRefusal::Confusable(new.clone()).into());
            }
        }
        let boards = rename_in_boards(&mut draft, &old, new)?;
        rename_in_users(&mut draft, &old, new)?;
        rename_in_seeks(&mut draft, &old, new)?;
        rename_in_names(&mut draft, &user, new)?;
        user.id = new.clone();
        if old != *new {
            // They begin with the userid.
            user.codes.iter_mut().for_each(crate::model::code::Pending::void);
            let mut stub = User::new(old.clone(), String::new(), Vec::new(), 0);
            stub.left = Some(Left { at: now, erased: true });
            stub.renamed = Some(new.clone());
            draft.put_user(&stub)?;
            let games = user.ratings.keys().filter_map(|game| games::find(game));
            draft.index_updates.rated.extend(games.map(|game| (game.spec().name, new.folded())));
        }
        draft.put_user(&user)?;
        let mails = reply::operator::renamed(&user, &old);
        self.post_all(&mails, &format!("renamed {old} {new} {now}"), store, now)?;
        self.log.push(format!("{old} is {new} now"));
        let mut said = format!("{old} is {new} now, on {}\n", Count(boards, "board"));
        if old != *new {
            let _ = writeln!(
                said,
                "reply addresses in mails sent to {old} are void; {old} stays taken, for {new} \
                 alone"
            );
        }
        Ok(Repair { transaction: self.finish(draft, now), said })
    }

    /// A word that nobody can guess.
    pub fn new_password(&mut self) -> String {
        let mut bytes = [0; 10];
        self.chance.fill(&mut bytes);
        BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()
    }

    fn hashed(&mut self, password: &str) -> String {
        let mut salt = [0; 16];
        self.chance.fill(&mut salt);
        self.setup.hashing.hash(password, salt)
    }

    /// A user, here or gone, who is in the world from now on.
    fn known(&mut self, store: &dyn Store, id: &UserId) -> Result<User, Trouble> {
        let user = Draft::new(store).user(id)?.ok_or(OperatorRefusal::NoUser(id.clone()))?;
        if let Some(new) = user.renamed {
            return Err(OperatorRefusal::Renamed { old: user.id, new }.into());
        }
        self.world.gather(&[user_key(id)], store)?;
        Ok(user)
    }

    fn happen(&mut self, event: &Event, store: &dyn Store) -> Result<(), Fault> {
        let damaged = self.world.gather(&self.world.entries(event), store)?;
        self.log.extend(damaged);
        self.world.apply(event);
        self.log.push(event.summary());
        Ok(())
    }

    /// Mails to the players and observers of a board as it is to be. Returns what the operator is
    /// told about it.
    fn tell(
        &mut self,
        draft: &Draft,
        id: BoardId,
        what: &BoardNews,
        dropped: &[Event],
        now: i64,
    ) -> Result<String, Trouble> {
        self.world.gather(&[board_key(id)], draft)?;
        let observers = self.world.board(id).map(|board| board.observers.clone());
        let keys: Vec<Key> = observers.iter().flatten().map(user_key).collect();
        self.world.gather(&keys, draft)?;
        let mails = reply::operator::changed(&self.world, id, what, dropped, now);
        let board = self.world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
        let (look, number) = (self.world.clock(board, now).wakeup(), board.next_move());
        self.world.look(id, look);
        self.post_all(&mails, &format!("operator {id} {number} {now}"), draft, now)?;
        let board = self.world.board(id).map_err(|_| OperatorRefusal::NoBoard(id))?;
        Ok(reply::operator::told(board))
    }

    fn repair(&mut self, said: String, now: i64) -> Repair {
        self.done.at = now;
        Repair { transaction: self.take(), said }
    }

    fn finish(&mut self, draft: Draft, now: i64) -> Transaction {
        self.done.at = now;
        let mut transaction = self.take();
        let (changes, index_updates) = draft.into_changes();
        transaction.changes.extend(changes);
        transaction.index_updates.wakeups.extend(index_updates.wakeups);
        transaction.index_updates.rated.extend(index_updates.rated);
        transaction
    }
}

/// Shows a user, without secrets.
///
/// # Errors
/// The machine failed, or there is none that can be read.
pub fn show_user(store: &dyn Store, id: &UserId) -> Result<String, Trouble> {
    let user = Draft::new(store).user(id)?.ok_or(OperatorRefusal::NoUser(id.clone()))?;
    Ok(reply::operator::user(&user))
}

fn of_ratings(id: BoardId, rerated: usize) -> String {
    match rerated {
        0 => String::new(),
        count => format!("{} ratings computed anew; {count} other boards changed\n", id.game),
    }
}

/// Takes back so many decisions, the latest first; how a board was closed is one. Returns what was
/// taken from the record, oldest first.
fn take_back(
    board: &mut Board,
    (decisions, new_dice): (usize, bool),
    programs: [bool; 2],
    vacations: [&[Vacation]; 2],
    at: i64,
) -> Result<(Undone, Vec<Entry>), OperatorRefusal> {
    let id = board.id;
    let closing = board.closing.is_some();
    // What the program did goes with what it answered.
    let mut decided = board.decisions();
    decided.retain(|one| {
        let entry = &board.record[board.record.len() - one.entries].entry;
        !Seat::BOTH.into_iter().any(|seat| programs[seat.index()] && entry.is_decision_of(seat))
    });
    let all = decided.len() + usize::from(closing);
    if all == 0 {
        return Err(OperatorRefusal::NothingDecided(id));
    }
    if decisions > all {
        return Err(OperatorRefusal::TooFew { board: id, decisions: all });
    }
    let from = decisions.checked_sub(1 + usize::from(closing)).map(|last| decided[last]);
    // What is taken back, and the time since, has taken nobody's.
    let kept = board.record.len() - from.map_or(0, |from| from.entries);
    board.rewound = board.rewound.filter(|rewound| rewound.entries <= kept);
    let (used, ..) = waited(board, kept, vacations, at);
    let moved = Seat::BOTH.map(|seat| board.had_moved(seat, kept));
    let stays = Rewound { at, entries: kept, used, moved };
    if closing {
        board.reopen(stays);
    }
    let mut entries = Vec::new();
    if let Some(from) = from {
        let taken = &board.record[board.record.len() - from.entries..];
        entries.extend(taken.iter().map(|line| line.entry.clone()));
        board.take_back(stays);
    }
    board.void_replies();
    if new_dice {
        board.kept.clear();
    }
    if matches!(board.position().next(), Next::Roll(_) | Next::Deal) {
        let why = "the record ends before a roll, `board edit` has to add it".into();
        return Err(OperatorRefusal::NoGoodBoard { line: None, why });
    }
    Ok((Undone { closing, from: from.map(|from| from.moveno), new_dice }, entries))
}

/// A board that an operator wrote, read and replayed with its legal moves listed.
fn read_whole(text: &str, id: BoardId) -> Result<Board, OperatorRefusal> {
    let bad = |damage: crate::model::document::Damage| OperatorRefusal::NoGoodBoard {
        line: damage.entry().and_then(|entry| line_of_entry(text, entry)),
        why: damage.to_string(),
    };
    let board = Board::read(text).map_err(bad)?;
    if board.id != id {
        return Err(OperatorRefusal::OtherBoard { board: id, is: board.id });
    }
    match check::illegal(&board) {
        Some(damage) => Err(bad(damage)),
        None => Ok(board),
    }
}

/// The line, from 1, on which an entry of the record begins, counted from 0.
fn line_of_entry(text: &str, entry: usize) -> Option<usize> {
    let (mut depth, mut entries, mut line) = (0, 0, 1);
    let (mut in_record, mut in_string, mut escaped) = (false, false, false);
    let mut word = String::new();
    for letter in text.chars() {
        line += usize::from(letter == '\n');
        if in_string {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => word.push(letter),
            }
            continue;
        }
        match letter {
            '"' => {
                in_string = true;
                word.clear();
            }
            // A key of the whole file.
            ':' if depth == 1 => in_record = word == "record",
            '{' | '[' => {
                if letter == '{' && in_record && depth == 2 {
                    if entries == entry {
                        return Some(line);
                    }
                    entries += 1;
                }
                depth += 1;
            }
            '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether players see another board than before.
fn looks_different(before: &Board, after: &Board) -> bool {
    let seen = |board: &Board| {
        let lines = board.record.iter();
        let record: Vec<Entry> = lines.map(|Line { entry, .. }| entry.clone()).collect();
        (record, board.closing, board.terms, board.offer, board.private)
    };
    let options = |board: &Board| board.options.words().collect::<Vec<_>>();
    before.players.each_ref().map(UserId::as_str) != after.players.each_ref().map(UserId::as_str)
        || seen(before) != seen(after)
        || options(before) != options(after)
}

/// Whether a board in progress waits for something else than before.
fn goes_on_differently(before: &Board, after: &Board) -> bool {
    let record = |board: &Board| board.record.iter().map(|line| line.entry.clone()).collect();
    let (was, is): (Vec<Entry>, Vec<Entry>) = (record(before), record(after));
    !after.is_over() && (before.is_over() || was != is)
}

/// The vacations of a board's players.
fn vacations(draft: &Draft, board: &Board) -> Result<[Vec<Vacation>; 2], Trouble> {
    let of = |player: &UserId| -> Result<Vec<Vacation>, Trouble> {
        Ok(draft.user(player)?.map(|user| user.vacations).unwrap_or_default())
    };
    Ok([of(&board.players[0])?, of(&board.players[1])?])
}

/// Whether the program sits at that seat.
fn plays(draft: &Draft, board: &Board, seat: Seat) -> Result<bool, Trouble> {
    let user = board.player(seat);
    Ok(program::level(user).is_some() && draft.user(user)?.is_none())
}

/// Puts a board in the place of another one, and brings everything right that follows from it: the
/// lists of its players, and the ratings of its game.
fn settle(
    draft: &mut Draft,
    was: Option<&Board>,
    version: Version,
    mut board: Board,
    now: i64,
) -> Result<Settled, Trouble> {
    let id = board.id;
    let over = board.is_over();
    let players = board.players.len();
    if let Status::ToMove(seat) = board.status()
        && plays(draft, &board, seat)?
    {
        let why = "it would be the move of the program, which moves only when somebody else has";
        return Err(OperatorRefusal::NoGoodBoard { line: None, why: why.into() }.into());
    }
    for (index, user) in board.players.iter_mut().chain(&mut board.observers).enumerate() {
        let stranger = || OperatorRefusal::Stranger { board: id, user: user.clone() };
        let program = || program::user(user).filter(|_| index < players).cloned();
        let known = draft.user(user)?.or_else(program).ok_or_else(stranger)?;
        if let Some(new) = known.renamed {
            return Err(OperatorRefusal::Renamed { old: known.id, new }.into());
        }
        if known.left.is_some() && index < players && !over {
            return Err(OperatorRefusal::HasLeft { board: id, user: known.id }.into());
        }
        // As he writes himself.
        *user = known.id;
    }
    relist(draft, was, &board)?;
    let counts = |board: &Board| Some((board.scores()?, board.ended_at()?));
    let stays = was.is_some_and(|was| {
        counts(was) == counts(&board)
            && was.rated == board.rated
            && was.players == board.players
            && was.rated.is_some() == counts(was).is_some()
    });
    if counts(&board).is_none() {
        board.rated = None;
    }
    draft.put_over(board_key(id), version, board.write());
    if stays {
        return Ok(Settled { rerated: 0, unrated: None });
    }
    match draft.rate_anew(id, now) {
        Ok(rerated) => Ok(Settled { rerated, unrated: None }),
        Err(Trouble::Unrated(line)) => Ok(Settled { rerated: 0, unrated: Some(line) }),
        Err(trouble) => Err(trouble),
    }
}

/// Puts a board into the right list of each of its players, and out of those of all others.
fn relist(draft: &mut Draft, was: Option<&Board>, board: &Board) -> Result<(), Trouble> {
    let id = board.id;
    let mut users: Vec<UserId> = match was {
        Some(was) => was.players.to_vec(),
        // Nobody knows who played on it.
        None => listing(draft, id)?,
    };
    users.extend(board.players.iter().cloned());
    for name in users {
        let Some(mut user) = draft.user(&name)? else { continue };
        let before = user.clone();
        let plays = board.seat(&name).is_some();
        let over = board.is_over();
        for (list, should) in
            [(&mut user.active, plays && !over), (&mut user.finished, plays && over)]
        {
            let has = list.contains(&id);
            if has && !should {
                list.retain(|other| *other != id);
            } else if should && !has {
                // The oldest of a game stand first; what ended last stands last.
                let behind = |other: &BoardId| other.game == id.game && other.number > id.number;
                let at = list.iter().position(behind).filter(|_| !over);
                list.insert(at.unwrap_or(list.len()), id);
            }
        }
        if let Some(by) = board.challenger.filter(|by| *board.player(*by) == name) {
            let is_open = !over && !board.has_moved(by.other());
            for challenge in user.challenges.iter_mut().filter(|of| of.board == id) {
                challenge.answered = !is_open;
            }
        }
        if user != before {
            draft.put_user(&user)?;
        }
    }
    Ok(())
}

/// The users in whose lists a board stands.
fn listing(draft: &Draft, id: BoardId) -> Result<Vec<UserId>, Trouble> {
    let mut found = Vec::new();
    for key in draft.users()? {
        // A damaged file has no list that could be kept right.
        let Ok(Some(text)) = draft.text(&key) else { continue };
        if let Ok(user) = User::read(&text)
            && (user.active.contains(&id) || user.finished.contains(&id))
        {
            found.push(user.id);
        }
    }
    Ok(found)
}

/// Whether a text may name a user. A name can hide behind `\u`, where somebody edited it.
fn may_name(text: &str, user: &UserId) -> bool {
    text.contains("\\u") || text.to_ascii_lowercase().contains(&user.folded())
}

/// Returns on how many boards the user is named.
fn rename_in_boards(draft: &mut Draft, old: &UserId, new: &UserId) -> Result<usize, Trouble> {
    let mut count = 0;
    for key in draft.all_boards()? {
        let Key::Board(game, number) = key else { continue };
        if !draft.text(&key)?.is_some_and(|text| may_name(&text, old)) {
            continue;
        }
        let Some(mut board) = draft.board(BoardId { game, number })? else { continue };
        let named = board.players.iter_mut().chain(&mut board.observers);
        let named: Vec<&mut UserId> = named.filter(|user| *user == old).collect();
        if named.is_empty() {
            continue;
        }
        for user in named {
            user.clone_from(new);
        }
        draft.put_board(&board)?;
        count += 1;
    }
    Ok(count)
}

/// In what other users' files say of him.
fn rename_in_users(draft: &mut Draft, old: &UserId, new: &UserId) -> Result<(), Trouble> {
    for key in draft.users()? {
        let Key::User(folded) = &key else { continue };
        if *folded == old.folded() || !draft.text(&key)?.is_some_and(|text| may_name(&text, old)) {
            continue;
        }
        let Some(id) = UserId::parse(folded) else { continue };
        let Some(mut user) = draft.user(&id)? else { continue };
        let named = user.challenges.iter_mut().map(|challenge| &mut challenge.to);
        let spoken = user.spoken.iter_mut().map(|spoken| &mut spoken.to);
        let named = named.chain(spoken).chain(&mut user.muted);
        for named in named.chain(&mut user.renamed).filter(|user| *user == old) {
            named.clone_from(new);
        }
        draft.put_user(&user)?;
    }
    Ok(())
}

fn rename_in_seeks(draft: &mut Draft, old: &UserId, new: &UserId) -> Result<(), Trouble> {
    for key in GAMES.iter().map(|game| Key::Seeks(game.spec().name)) {
        let Some(text) = draft.text(&key)? else { continue };
        let mut seeks = Seeks::read(&text).map_err(|why| damaged(&key, &why))?;
        if seeks.names(old) {
            seeks.rename(old, new);
            draft.put(key, seeks.write())?;
        }
    }
    Ok(())
}

/// An entry of the index of users.
fn entry(draft: &Draft, key: &Key) -> Result<Names, Trouble> {
    let Some(text) = draft.text(key)? else { return Ok(Names::default()) };
    Ok(Names::read(&text).map_err(|why| damaged(key, &why))?)
}

/// Mailboxes lead to the new userid; the look of the old one stays taken, as it does.
fn rename_in_names(draft: &mut Draft, user: &User, new: &UserId) -> Result<(), Trouble> {
    let looks = [names::alike(&user.id), names::alike(new)];
    for key in names::of(user).into_iter().chain([names::alike(new)]) {
        let mut names = entry(draft, &key)?;
        if !looks.contains(&key) {
            names.remove(&user.id);
        }
        if key != looks[0] || key == looks[1] {
            names.add(new);
        }
        draft.put(key, names.write())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::line_of_entry;

    #[test]
    fn the_line_of_an_entry_is_found_however_it_is_written() {
        let text =
            "{\"a\":{\"record\":[{}]},\n\"record\":[{\"x\":\"}{\\\"\"},\n\n{\"at\":\n1},{}]}";
        let lines = [0, 1, 2, 3].map(|entry| line_of_entry(text, entry));
        assert_eq!(lines, [Some(2), Some(4), Some(5), None]);
    }
}
