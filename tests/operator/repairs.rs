//! The operator's repairs: boards edited and taken back, users added, renamed and removed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "homes are damaged by hand")]

use crate::support::letters::{sent_text, undrawn, waiting};
use crate::support::program::{Home, Ran, names};
use games::{Roll, Scripted};
use postboard::base::chance::ScriptedRandom;
use postboard::base::ids::{BoardId, UserId};
use postboard::base::password::Hashing;
use postboard::base::time::{DAY, HOUR, MINUTE, Span, Time, minutes, seconds};
use postboard::config::{Config, SAMPLE};
use postboard::mail::{Address, parse};
use postboard::model::board::{Board, BoardStatus};
use postboard::model::dice::DiceKeys;
use postboard::model::rating::{self, Standing};
use postboard::model::token::TokenKey;
use postboard::model::user::{self, User};
use postboard::model::world::{seeks_key, user_key};
use postboard::server::check::check;
use postboard::server::remind;
use postboard::server::repair::{self, Repair, RepairError, show_user};
use postboard::server::{Server, Setup, shell_request};
use postboard::store::Letter;
use postboard::store::disk::{Disk, DiskHook};
use postboard::store::{
    DocumentKind, Documents as _, Fault, FileStore, Key, MemoryStore, Store, Transaction,
};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

const START: Time = Time::from_unix(1_093_003_200);

/// Dice that tell where they were rolled: each roll differs from the one before.
fn dice(last: u8) -> ScriptedRandom {
    ScriptedRandom::new(Scripted::falling(last, |throw, last| {
        let die = last % (throw.faces - 1) + 1;
        if throw.dice == 1 { Roll::One(die) } else { Roll::Two(die, die + 1) }
    }))
}

fn setup() -> Setup {
    let config = Config::read(&SAMPLE.replace("plus = false", "plus = true")).unwrap();
    Setup {
        identity: config.identity(),
        config,
        key: TokenKey::new([7; 32]),
        dice: DiceKeys::new(&[7; 32], Vec::new()),
        hashing: Hashing::quick(),
    }
}

fn id(game: &'static str, number: u32) -> BoardId {
    BoardId { game, number }
}

fn userid(name: &str) -> UserId {
    UserId::parse(name).unwrap()
}

/// A home, and the time there.
struct Town<S> {
    store: S,
    dice: ScriptedRandom,
    now: Time,
    log: Vec<String>,
}

impl Town<MemoryStore> {
    /// The letters since the last call: recipient, and text.
    fn letters(&mut self) -> Vec<(String, String)> {
        let read = |letter: Letter| {
            let nobody = Address::parse("nobody@elsewhere.example").unwrap();
            let message = parse(&undrawn(&letter), &nobody).unwrap();
            (letter.to.to_string(), message.text.replace("\r\n", "\n"))
        };
        self.store.take_letters().into_iter().map(read).collect()
    }

    /// The Reply-To of the newest mail to a user.
    fn reply_to(&self, user: &str) -> String {
        let to = format!("{user}@example.org");
        let newest = self.store.letters().iter().rev().find(|letter| letter.to.as_str() == to);
        let text = sent_text(newest.unwrap());
        text.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap().to_owned()
    }

    /// A mail; returns the answers to its sender.
    fn mail(&mut self, from: &str, to: &str, subject: &str, body: &str) -> String {
        let raw = format!(
            "Return-Path: <{from}@example.org>\r\nFrom: {from}@example.org\r\nTo: {to}\r\n\
             Subject: {subject}\r\nMessage-ID: <{}.{from}@example.org>\r\n\
             Date: Fri, 20 Aug 2004 12:00:00 +0000\r\n\r\n{body}\r\n",
            self.now
        );
        self.now += seconds(1);
        self.letters();
        let setup = setup();
        let mut server = Server::new(&setup, &mut self.dice);
        server.mail(raw.as_bytes(), &self.store, self.now).unwrap();
        let transaction = server.take();
        self.store.commit(transaction).unwrap();
        let own = format!("{from}@example.org");
        self.letters().into_iter().filter(|(to, _)| *to == own).map(|(_, text)| text).collect()
    }
}

impl<S: Store> Town<S> {
    fn of(store: S) -> Self {
        Self { store, dice: dice(0), now: START, log: Vec::new() }
    }

    /// A command of the shell that has to succeed.
    fn say(&mut self, line: &str) -> String {
        let (text, done) = self.try_to(line);
        assert!(done, "{line}: {text}");
        text
    }

    fn try_to(&mut self, line: &str) -> (String, bool) {
        let setup = setup();
        let mut server = Server::new(&setup, &mut self.dice);
        let operator = !line.starts_with("signup");
        let comment = if line.contains(" chat ") { "hello" } else { "" };
        let request = shell_request(line.into(), operator, comment.into());
        let (text, done) = server.shell(&request, &self.store, self.now).unwrap();
        let transaction = server.take();
        self.store.commit(transaction).unwrap();
        (text, done)
    }

    fn with(users: &[&str], store: S) -> Self {
        let mut town = Self::of(store);
        for user in users {
            town.say(&format!("signup {user} secret {user}@example.org"));
        }
        town
    }

    /// The player whose turn it is plays their first legal play.
    fn play(&mut self, board: BoardId) {
        let on = self.board(board);
        let BoardStatus::ToMove(seat) = on.status() else { panic!("{board} is over") };
        let play = on.position().nth_move(0).unwrap();
        self.now += MINUTE;
        let (game, number) = (board.game, board.number);
        self.say(&format!("{game} move {number} {} {play}", on.player(seat)));
    }

    fn repair(
        &mut self,
        work: impl FnOnce(&mut Server, &S, Time) -> Result<Repair, RepairError>,
    ) -> Result<String, String> {
        let setup = setup();
        let mut server = Server::new(&setup, &mut self.dice);
        let repair = work(&mut server, &self.store, self.now).map_err(|t| t.to_string())?;
        self.log.append(&mut server.log);
        self.store.commit(repair.transaction).unwrap();
        Ok(repair.said)
    }

    fn undo(&mut self, board: BoardId, moves: usize) -> Result<String, String> {
        self.repair(|server, store, now| repair::undo(server, store, board, moves, false, now))
    }

    fn edit(&mut self, board: BoardId, text: &str) -> Result<String, String> {
        self.repair(|server, store, now| {
            let found = store.load(&Key::Board(board.game, board.number)).unwrap();
            let was = found.version;
            repair::edit(server, store, board, &found, was, text, now)
        })
    }

    fn rename(&mut self, old: &str, new: &str) -> Result<String, String> {
        let (old, new) = (userid(old), userid(new));
        self.repair(|server, store, now| repair::rename_user(server, store, &old, &new, now))
    }

    fn text(&self, board: BoardId) -> String {
        self.store.load(&Key::Board(board.game, board.number)).unwrap().text.unwrap()
    }

    fn board(&self, board: BoardId) -> Board {
        Board::read(&self.text(board)).unwrap()
    }

    fn user(&self, name: &str) -> User {
        User::read(&self.store.load(&user_key(&userid(name))).unwrap().text.unwrap()).unwrap()
    }

    /// Writes a document as an operator who edits it by hand.
    fn overwrite(&mut self, key: Key, text: &str) {
        let was = self.store.load(&key).unwrap().version;
        let change = postboard::store::DocumentChange { key, was, text: text.into() };
        let changes = vec![change];
        self.store.commit(Transaction { changes, at: self.now, ..Transaction::default() }).unwrap();
    }

    fn remind(&mut self) {
        let setup = setup();
        let mut server = Server::new(&setup, &mut self.dice);
        remind::run(&mut server, &mut self.store, None, self.now, &mut |_| true).unwrap();
    }

    #[track_caller]
    fn is_well(&self) {
        is_well(&self.store, self.now);
    }
}

#[track_caller]
fn is_well(store: &dyn Store, now: Time) {
    let report = check(store, now).unwrap();
    assert_eq!([report.wrong, report.mended].concat(), Vec::<String>::new());
}

const ONE: BoardId = BoardId { game: "malaka", number: 1 };

/// alice and bob on board 1, watched by carol.
fn watched() -> Town<MemoryStore> {
    watched_at("malaka")
}

/// The same with a board of another game.
fn watched_at(game: &str) -> Town<MemoryStore> {
    let mut town = Town::with(&["alice", "bob", "carol"], MemoryStore::new());
    town.say(&format!("{game} challenge alice bob --nagtime=2 --forfeittime=4 --totaltime=9"));
    town.say(&format!("{game} subscribe 1 carol"));
    town
}

fn entries(board: &Board) -> Vec<games::Entry> {
    board.record.iter().map(|line| line.entry.clone()).collect()
}

#[test]
fn a_move_is_taken_back_and_everybody_told() {
    let mut town = watched();
    town.play(ONE);
    let before = town.board(ONE);
    town.play(ONE);
    let after = town.board(ONE);
    town.say("malaka queue 1 bob a1-a2");
    town.letters();
    let said = town.undo(ONE, 1).unwrap();
    assert!(said.contains("malaka 1: taken back: ") && said.contains("It is bob's turn"), "{said}");
    let board = town.board(ONE);
    assert_eq!(entries(&board), entries(&before));
    assert_eq!(board.queued, [None, None]);
    let letters = town.letters();
    let to: Vec<&str> = letters.iter().map(|(to, _)| to.as_str()).collect();
    assert_eq!(to, ["alice@example.org", "bob@example.org", "carol@example.org"]);
    for (to, text) in &letters[..2] {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("has taken back move 2 and what followed: the game goes on"),
            "{text}"
        );
        assert!(words.contains("those rolled later will come again"), "{text}");
        assert_eq!(words.contains("queued move `a1-a2` was not played"), to.starts_with("bob"));
    }
    town.is_well();
    assert!(town.log[0].starts_with("malaka 1: taken back: "), "{:?}", town.log);
    // The dice come again.
    town.play(ONE);
    assert_eq!(entries(&town.board(ONE)), entries(&after));
    assert_eq!(town.board(ONE).kept, []);
    // Both moves at once, and other dice.
    town.letters();
    let repair = town.repair(|server, store, now| repair::undo(server, store, ONE, 2, true, now));
    assert!(repair.unwrap().contains("new dice"));
    assert_eq!((town.board(ONE).kept.len(), town.board(ONE).record.len()), (0, 1));
    let letters = town.letters();
    assert!(letters[0].1.replace('\n', " ").contains("others will be rolled later"), "{letters:?}");
    town.dice = dice(3);
    town.play(ONE);
    assert_ne!(entries(&town.board(ONE)), entries(&before));
    town.is_well();
}

#[test]
fn what_cannot_be_taken_back_is_refused() {
    let mut town = watched();
    let refused = |town: &mut Town<MemoryStore>, number, moves, why: &str| {
        let before = format!("{:?}", town.store);
        assert_eq!(town.undo(id("malaka", number), moves).unwrap_err(), why);
        assert_eq!(format!("{:?}", town.store), before);
    };
    refused(&mut town, 1, 1, "there is no decision on malaka 1 that you could take back");
    refused(&mut town, 2, 1, "there is no board malaka 2");
    town.play(ONE);
    refused(&mut town, 1, 2, "you can take back only 1 decision on malaka 1");
    let text = town.text(ONE);
    town.overwrite(Key::Board("malaka", 1), "{");
    let why = "boards/malaka/0/1.json cannot be read: EOF while parsing an object at line 1 \
               column 1; mend it first";
    refused(&mut town, 1, 1, why);
    town.overwrite(Key::Board("malaka", 1), &text);
    // A board that would go on with a player who is not here any more.
    town.say("malaka resign 1 bob");
    let bob = town.store.load(&user_key(&userid("bob"))).unwrap().text.unwrap();
    town.overwrite(user_key(&userid("bob")), "[]");
    let why = "users/bo/bob.json cannot be read: line 1 column 2 is not understood; mend it first";
    refused(&mut town, 1, 1, why);
    town.overwrite(user_key(&userid("bob")), &bob);
    town.repair(|server, store, now| repair::remove_user(server, store, &userid("bob"), now))
        .unwrap();
    refused(&mut town, 1, 1, "malaka 1 cannot go on: bob has left");
    // Ratings follow from all boards.
    town.say("signup dave secret dave@example.org");
    town.say("malaka challenge alice dave");
    town.play(id("malaka", 2));
    town.play(id("malaka", 2));
    town.say("malaka resign 2 alice");
    town.overwrite(Key::Board("malaka", 1), "{");
    let why = "boards/malaka/0/1.json cannot be read: EOF while parsing an object at line 1 \
               column 1; mend it first, the ratings follow from it";
    refused(&mut town, 2, 1, why);
}

/// However a board was closed, it goes on, and nobody loses time by it.
#[test]
fn every_end_is_taken_back() {
    type End<'a> = &'a dyn Fn(&mut Town<MemoryStore>);
    let ends: [(&str, End); 4] = [
        ("resigning", &|town| drop(town.say("malaka resign 1 bob"))),
        ("agreeing", &|town| {
            town.say("moloko propose 1 alice");
            town.say("moloko accept 1 bob");
        }),
        ("forfeiting", &|town| {
            for _ in 0..6 {
                town.now += DAY;
                town.remind();
            }
        }),
        ("declining", &|town| {
            town.undo(ONE, 2).unwrap();
            town.say("malaka resign 1 alice");
        }),
    ];
    for (word, end) in ends {
        // Malaka knows no draw.
        let game = if word == "agreeing" { "moloko" } else { "malaka" };
        let id = BoardId { game, number: 1 };
        let mut town = watched_at(game);
        town.play(id);
        town.play(id);
        end(&mut town);
        let over = town.board(id);
        assert!(over.is_over() && town.user("alice").active.is_empty(), "{word}");
        let rated = word != "declining";
        assert_eq!(over.rated.is_some(), rated, "{word}");
        town.now += 30 * DAY;
        town.letters();
        let said = town.undo(id, 1).unwrap();
        assert!(said.starts_with(&format!("{game} 1: taken back: {word}\n")), "{said}");
        let board = town.board(id);
        assert_eq!((board.is_over(), board.closing, board.rated), (false, None, None));
        for user in ["alice", "bob"] {
            let user = town.user(user);
            assert_eq!((user.active, user.finished), (vec![id], vec![]), "{word}");
            assert!(user.ratings.is_empty(), "{word}");
        }
        let text = &town.letters()[0].1;
        assert!(text.replace('\n', " ").contains("has taken back the end of this game:"), "{text}");
        town.is_well();
        // The index says when to look, and then nothing is due.
        town.remind();
        assert!(!town.board(id).is_over() && town.letters().is_empty(), "{word}");
        town.now += 2 * DAY;
        town.remind();
        assert_eq!(town.letters().len(), 1, "{word}: a reminder");
        town.now += 2 * DAY;
        town.remind();
        assert!(town.board(id).is_over(), "{word}: four days after it was taken back");
        town.is_well();
    }
}

/// Players whose only move is undone have not answered the challenge after all.
#[test]
fn a_challenge_that_was_declined_waits_again() {
    let mut town = Town::with(&["alice", "bob"], MemoryStore::new());
    town.mail("alice", "postboard@localhost", "malaka challenge alice bob", "");
    let answered = |town: &Town<MemoryStore>| town.user("alice").challenges[0].answered;
    town.play(ONE);
    assert!(!answered(&town));
    town.say("malaka resign 1 bob");
    assert!(answered(&town));
    town.undo(ONE, 1).unwrap();
    assert!(!answered(&town));
    town.play(ONE);
    assert!(answered(&town));
    town.undo(ONE, 1).unwrap();
    assert!(!answered(&town));
    town.is_well();
}

/// Moves that were taken back cost nobody any time, of the turn and of all turns together.
#[test]
fn what_was_taken_back_takes_nobody_s_time() {
    let mut town = watched();
    town.now += DAY;
    town.play(ONE);
    town.now += 3 * DAY;
    town.play(ONE);
    town.now += 3 * DAY;
    town.undo(ONE, 1).unwrap();
    let clock = |town: &Town<MemoryStore>| {
        postboard::model::clock::Clock::read(&town.board(ONE), [&[], &[]], town.now).used
    };
    assert_eq!(clock(&town), [DAY + MINUTE, Span::ZERO]);
    town.now += DAY;
    assert_eq!(clock(&town), [DAY + MINUTE, DAY]);
    town.play(ONE);
    assert_eq!(clock(&town), [DAY + MINUTE, DAY + MINUTE]);
    // The times of the record stay what they were.
    let times: Vec<Span> = town.board(ONE).record.iter().map(|line| line.at - START).collect();
    let first = DAY + MINUTE;
    let second = 8 * DAY + minutes(3);
    assert_eq!(times, [Span::ZERO, first, first, second, second]);
}

/// A player whose dice wait is not charged for the time of a double that is taken back.
#[test]
fn a_double_that_is_taken_back_takes_nobody_s_time() {
    let mut town = Town::with(&["alice", "bob"], MemoryStore::new());
    town.say("backgammon challenge alice bob --totaltime=9");
    let board = id("backgammon", 1);
    for user in ["alice", "bob"] {
        town.say(&format!("backgammon manual 1 {user}"));
    }
    town.play(board);
    let due = town.board(board);
    let BoardStatus::ToMove(seat) = due.status() else { panic!() };
    town.now += 8 * DAY;
    town.say(&format!("backgammon double 1 {}", due.player(seat)));
    town.now += 30 * DAY;
    town.undo(board, 1).unwrap();
    let clock = postboard::model::clock::Clock::read(&town.board(board), [&[], &[]], town.now);
    let used = if seat == games::Seat(1) { [MINUTE, Span::ZERO] } else { [Span::ZERO, MINUTE] };
    assert_eq!((clock.used, clock.turn.unwrap().seat), (used, seat));
    town.is_well();
}

const USERS: usize = 9;

/// Many boards, each closed at a time of its own; some are not rated.
fn league(without: Option<u32>) -> Town<MemoryStore> {
    let names: Vec<String> = (0..USERS).map(|user| format!("user{user}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut town = Town::with(&names, MemoryStore::new());
    for number in 1..=80_u32 {
        let (a, b) = (number as usize * 7 % USERS, (number as usize * 5 + 1) % USERS);
        let b = if a == b { (b + 1) % USERS } else { b };
        let unrated = if number % 11 == 0 { "--unrated" } else { "" };
        town.say(&format!("malaka challenge user{a} user{b} {unrated}"));
        town.play(id("malaka", number));
        town.play(id("malaka", number));
    }
    for step in 1..=80_u32 {
        // Not in the order in which they began.
        let number = step * 37 % 83;
        if (1..=80).contains(&number) {
            town.now += HOUR;
            if without != Some(number) {
                let board = town.board(id("malaka", number));
                let loser = board.player(games::Seat(u8::from(number % 3 == 0)));
                town.say(&format!("malaka resign {number} {loser}"));
            }
        }
    }
    town
}

/// Standings computed from the boards alone, in the order in which they ended.
fn recomputed(store: &dyn Store) -> BTreeMap<String, Standing> {
    let mut boards = Vec::new();
    for key in store.keys(DocumentKind::Boards("malaka")).unwrap() {
        let board = Board::read(&store.load(&key).unwrap().text.unwrap()).unwrap();
        if let (Some(scores), Some(at)) = (board.scores(), board.ended_at()) {
            boards.push((at, board.id.number, board.players.clone(), scores, board.rated));
        }
    }
    boards.sort_by_key(|board| (board.0, board.1));
    let mut standings: HashMap<UserId, Standing> = HashMap::new();
    for (at, number, players, scores, rated) in boards {
        let before = players.each_ref().map(|p| standings.get(p).copied().unwrap_or_default());
        let effects = rating::effects(before, scores, at);
        assert_eq!(rated, Some(effects), "board {number}");
        for (player, effect) in players.iter().zip(effects) {
            standings.insert(player.clone(), effect.after);
        }
    }
    standings.into_iter().map(|(user, standing)| (user.folded(), standing)).collect()
}

fn stored(store: &dyn Store) -> BTreeMap<String, Standing> {
    let mut all = BTreeMap::new();
    for key in store.keys(DocumentKind::In(user::DRAWER)).unwrap() {
        let user = User::read(&store.load(&key).unwrap().text.unwrap()).unwrap();
        all.extend(user.ratings.get("malaka").map(|standing| (user.id.folded(), *standing)));
    }
    all
}

/// The effects on ratings that each board names.
fn effects(town: &Town<MemoryStore>) -> Vec<Option<[rating::RatingChange; 2]>> {
    (1..=80).map(|number| town.board(id("malaka", number)).rated).collect()
}

/// The program's move is taken back with the one that it answered; it is never left to move.
#[test]
fn a_board_of_the_program_is_taken_back_to_the_move_of_the_other() {
    let mut town = Town::with(&["alice"], MemoryStore::default());
    town.say("reversi challenge board1 alice");
    let id = id("reversi", 1);
    let (start, seat) = (town.board(id).record.len(), games::Seat(1));
    let play = town.board(id).position().nth_move(0).unwrap();
    town.say(&format!("reversi move 1 alice {play}"));
    assert!(town.board(id).record.len() > start + 1);
    town.undo(id, 1).unwrap();
    assert_eq!(town.board(id).record.len(), start);
    assert!(town.board(id).position().next().asks(seat));
    // There is nothing more of alice's.
    town.undo(id, 1).unwrap_err();
    town.is_well();
}

#[test]
fn a_board_taken_back_in_the_middle_leaves_the_ratings_of_the_others_alone() {
    let mut town = league(None);
    town.is_well();
    let finished = town.store.keys(DocumentKind::Boards("malaka")).unwrap().len();
    let mut all = 0;
    for number in [40, 17, 3, 80] {
        let board = town.board(id("malaka", number));
        assert!(board.rated.is_some(), "{number}");
        let before = effects(&town);
        let said = town.undo(board.id, 1).unwrap();
        town.is_well();
        assert_eq!(stored(&town.store), recomputed(&town.store), "{number}");
        if number == 40 {
            // As if that board had never ended.
            let mut other = league(Some(number));
            assert_eq!(stored(&town.store), stored(&other.store));
            assert_eq!(town.say("malaka standings"), other.say("malaka standings"));
        }
        let changed = effects(&town).iter().zip(&before).filter(|(a, b)| a != b).count() - 1;
        let line = format!("malaka ratings computed anew; {changed} other boards changed\n");
        assert!(changed == 0 || said.ends_with(&line), "{said}: {changed}");
        all += changed;
        let loser = board.player(games::Seat(board.closing.unwrap().seat)).clone();
        town.now += MINUTE;
        town.say(&format!("malaka resign {number} {loser}"));
        assert_eq!(stored(&town.store), recomputed(&town.store), "{number} ends once more");
        town.is_well();
    }
    assert!(all > 20, "{all} boards have changed: are these in the middle?");
    assert_eq!(town.store.keys(DocumentKind::Boards("malaka")).unwrap().len(), finished);
    // One that is not rated touches no rating.
    let before = stored(&town.store);
    let said = town.undo(id("malaka", 44), 1).unwrap();
    assert!(!said.contains("ratings"), "{said}");
    assert_eq!(stored(&town.store), before);
    town.is_well();
    // `check --repair` agrees with all of it, whatever it is given to mend.
    let user = town.store.load(&user_key(&userid("user4"))).unwrap().text.unwrap();
    let good = stored(&town.store);
    town.overwrite(user_key(&userid("user4")), &user.replacen("\"won\": ", "\"won\": 1", 1));
    let report = check(&town.store, town.now).unwrap();
    assert!(!report.mended.is_empty());
    town.store.commit(report.repair).unwrap();
    assert_eq!(stored(&town.store), good);
}

#[test]
fn an_edited_board_is_taken_whole_or_not_at_all() {
    let mut town = watched();
    for _ in 0..3 {
        town.play(ONE);
    }
    let text = town.text(ONE);
    let lines: Vec<&str> = text.lines().collect();
    let entry = |n: usize| lines[n].trim_end_matches(',');
    let refusals: Vec<(String, String)> = vec![
        (String::new(), "EOF while parsing a value at line 1 column 0".into()),
        (
            text.replace("malaka 1", "malaka 2"),
            "this is malaka 2, not malaka 1: a board keeps its number".into(),
        ),
        (
            text.replace("\"bob\"", "\"mallory\""),
            "mallory is named in malaka 1, but is not a user".into(),
        ),
        (
            text.replace("\"carol\"", "\"mallory\""),
            "mallory is named in malaka 1, but is not a user".into(),
        ),
        (text.replace("\"bob\"", "\"ALICE\""), "both players are the same".into()),
        (
            text.replace("\"format\":1", "\"format\":7"),
            "format 7 is newer than this program".into(),
        ),
    ];
    for (edited, why) in refusals {
        assert_ne!(edited, text);
        assert_eq!(town.edit(ONE, &edited).unwrap_err(), why);
        assert_eq!(town.text(ONE), text);
    }
    // Lines are named; that a move is possible is not enough, it has to be legal.
    let bad_roll = text.replace(entry(1), "{\"at\":1,\"roll\":\"9\"}");
    assert!(town.edit(ONE, &bad_roll).unwrap_err().starts_with("line 2: record entry 1: "));
    let early = text.replace(lines[3], "");
    assert!(town.edit(ONE, &early).unwrap_err().starts_with("line 5: record entry 3: "), "{early}");
    let passed = text.replace("\"seat\":1,\"move\":\"", "\"seat\":1,\"auto\":true,\"move\":\"");
    assert_ne!(passed, text);
    let why = town.edit(ONE, &passed).unwrap_err();
    assert!(
        why.starts_with("line 5: record entry 4: ") && why.ends_with("was not forced"),
        "{why}"
    );
    town.letters();
    // There is nothing to do.
    assert_eq!(town.edit(ONE, &text.replace(",\n", ", \n")).unwrap(), "malaka 1: unchanged\n");
    assert_eq!((town.text(ONE) == text, town.letters().len()), (true, 0));
    assert_eq!(town.edit(id("malaka", 9), &text).unwrap_err(), "there is no board malaka 9");
    // Players are not told of changes that they do not see.
    let said =
        town.edit(ONE, &text.replace("\"started\":", "\"kept\":[\"44\"],\"started\":")).unwrap();
    assert_eq!((said.as_str(), town.letters().len()), ("malaka 1: edited\n", 0));
    town.is_well();
    // Another player, in all lists.
    let said =
        town.edit(ONE, &text.replace("\"bob\"", "\"Carol\"").replace("[\"carol\"]", "[]")).unwrap();
    assert!(said.contains("Both players are told"), "{said}");
    let letters = town.letters();
    assert_eq!(letters.len(), 2);
    assert!(
        letters[1].0.starts_with("carol") && letters[1].1.contains("has mended this board"),
        "{letters:?}"
    );
    assert_eq!((town.user("bob").active, town.user("carol").active), (vec![], vec![ONE]));
    town.is_well();
}

/// The text of a board with the steps of a play in another order than the rules write them.
fn turned_round(text: &str) -> String {
    let plays = text.lines().filter_map(|line| line.split("\"move\":\"").nth(1)?.split('"').next());
    let turned = |play: &str| {
        let steps: Vec<&str> = play.split(',').rev().collect();
        text.replace(&format!("\"{play}\""), &format!("\"{}\"", steps.join(",")))
    };
    let mut others = plays.map(turned).filter(|other| other != text);
    others.next().expect("a play has two steps")
}

#[test]
fn a_legal_play_may_be_written_in_any_order() {
    let mut town = watched();
    for _ in 0..4 {
        town.play(ONE);
    }
    let text = town.text(ONE);
    let turned = turned_round(&text);
    assert_eq!(town.edit(ONE, &turned).unwrap(), "malaka 1: unchanged\n");
    let private = |text: &str| text.replace("\"terms\":", "\"private\":true,\"terms\":");
    assert!(town.edit(ONE, &private(&turned)).unwrap().starts_with("malaka 1: edited\n"));
    assert_eq!(town.text(ONE), private(&text), "it is stored as the rules write it");
    town.is_well();
    // The same in a file that was mended by hand.
    town.overwrite(Key::Board("malaka", 1), &private(&turned));
    let report = check(&town.store, town.now).unwrap();
    assert_eq!((report.wrong, report.mended.len()), (Vec::<String>::new(), 1));
    assert!(report.mended[0].starts_with("malaka 1: record entry "), "{:?}", report.mended);
    assert!(report.mended[0].contains(" should be written "), "{:?}", report.mended);
    town.store.commit(report.repair).unwrap();
    assert_eq!(town.text(ONE), private(&text));
    town.is_well();
}

/// Whatever an operator writes into a file of a finished and rated board, one repair mends.
#[test]
fn a_board_mended_by_hand_is_repaired_at_once() {
    let mut town = league(None);
    let board = id("malaka", 40);
    let text = town.text(board);
    let rated = text.split("\"rated\":").nth(1).unwrap();
    let rated = &rated[..rated.find(']').unwrap() + 2];
    let unrated = text.replace(&format!("\"rated\":{rated}"), "");
    assert!(!unrated.contains("\"rated\":"));
    for mended in [unrated.clone(), turned_round(&text), turned_round(&unrated), text.clone()] {
        town.overwrite(Key::Board("malaka", 40), "{");
        let report = check(&town.store, town.now).unwrap();
        assert_eq!(report.wrong.len(), 1);
        town.store.commit(report.repair).unwrap();
        town.overwrite(Key::Board("malaka", 40), &mended);
        let report = check(&town.store, town.now).unwrap();
        assert_eq!(report.wrong, Vec::<String>::new());
        town.store.commit(report.repair).unwrap();
        assert_eq!(stored(&town.store), recomputed(&town.store));
        town.is_well();
        assert_eq!(town.text(board), text);
    }
}

#[test]
fn all_faults_of_an_edited_board_are_told_at_once() {
    let mut town = watched();
    for _ in 0..3 {
        town.play(ONE);
    }
    let text = town.text(ONE);
    let lines: Vec<&str> = text.lines().collect();
    // The last play of three is wrong, and so is a roll behind it, and the head of the file.
    let last = lines.iter().rposition(|line| line.contains("\"seat\"")).unwrap();
    let roll = lines.len() - 2;
    let at = |line: usize| format!("line {}: record entry {line}: ", line + 1);
    let mut bad = text.replace("\"bob\"", "\"mallory\"").replace("\"carol\"", "\"trudy\"");
    bad = bad.replace("\"options\":[]", "\"options\":[\"-huge\"]");
    bad = bad.replace(lines[last], "{\"at\":1,\"seat\":0,\"move\":\"a1-i9\"},");
    bad = bad.replace(lines[roll], "{\"at\":1,\"roll\":\"none\"}");
    let why = town.edit(ONE, &bad).unwrap_err();
    let told: Vec<&str> = why.lines().map(str::trim).collect();
    assert_eq!(told.len(), 6, "{why}");
    assert_eq!(
        told[..2],
        ["there are 5 faults:", "mallory is named in malaka 1, but is not a user"]
    );
    assert_eq!(told[2], "trudy is named in malaka 1, but is not a user");
    assert_eq!(told[3], "there is no option `-huge`");
    assert!(told[4].starts_with(&at(last)) && told[4].contains("a1-i9"), "{why}");
    assert!(told[5].starts_with(&at(roll)), "{why}");
    // The same of what has not the shape of a board.
    let bad = text.replace("\"started\":", "\"private\":7,\"colour\":1,\"started\":");
    let bad = bad.replace(lines[1], "{\"at\":\"noon\",\"roll\":\"1\"},");
    let bad = bad.replace(lines[roll], "{\"dice\":\"12\"}");
    let why = town.edit(ONE, &bad).unwrap_err();
    let told: Vec<&str> = why.lines().map(str::trim).collect();
    assert_eq!((told.len(), told[0]), (5, "there are 4 faults:"), "{why}");
    assert!(told[1].starts_with("`colour`: unknown field `colour`"), "{why}");
    assert!(told[2].starts_with("`private`: invalid type: integer `7`"), "{why}");
    assert!(told[3].starts_with(&at(1)) && told[4].starts_with(&at(roll)), "{why}");
    assert_eq!(town.text(ONE), text);
}

#[test]
fn a_move_made_meanwhile_is_not_written_over() {
    let mut town = watched();
    town.play(ONE);
    let was = town.store.load(&Key::Board("malaka", 1)).unwrap().version;
    let edited = town.text(ONE).replace("\"started\":", "\"private\":true,\"started\":");
    town.play(ONE);
    let after = town.text(ONE);
    let why = town.repair(|server, store, now| {
        let found = store.load(&Key::Board("malaka", 1)).unwrap();
        repair::edit(server, store, ONE, &found, was, &edited, now)
    });
    assert!(why.unwrap_err().starts_with("malaka 1 has changed since you began"));
    assert_eq!(town.text(ONE), after);
}

/// The winner is edited, an end is added and taken away: the ratings follow.
#[test]
fn ratings_follow_an_edited_board() {
    let mut town = league(None);
    let board = id("malaka", 40);
    let text = town.text(board);
    let closing =
        text.split("\"closing\":").nth(1).unwrap().split('}').next().unwrap().to_owned() + "}";
    let other = if closing.contains("\"seat\":0") {
        closing.replace("\"seat\":0", "\"seat\":1")
    } else {
        closing.replace("\"seat\":1", "\"seat\":0")
    };
    let unrated = text.replace("\"started\"", "\"terms\":{\"unrated\":true},\"started\"");
    let edits: [(String, bool); 4] = [
        (text.replace(&closing, &other), true),
        (text.replace(&format!("\"closing\":{closing},"), ""), true),
        // It did not count while it was open, either.
        (unrated, false),
        (text.clone(), true),
    ];
    for (edited, rerated) in edits {
        let said = town.edit(board, &edited).unwrap();
        assert!(said.contains("Both players are told"), "{said}");
        assert_eq!(said.contains("malaka ratings computed anew"), rerated, "{said}");
        town.is_well();
        assert_eq!(stored(&town.store), recomputed(&town.store));
    }
    assert_eq!(town.text(board), text, "there and back");
    // The words of a board about ratings are not believed.
    let rated = text.replacen("\"won\":", "\"won\":9", 1);
    assert_ne!(rated, text);
    assert_eq!(town.edit(board, &rated).unwrap(), "malaka 40: unchanged\n");
    assert_eq!(town.text(board), text);
    // Another board is damaged: what can be mended is, and the operator knows what is left.
    let broken = id("malaka", 41);
    let good = town.text(broken);
    town.overwrite(Key::Board("malaka", 41), "{");
    let said = town.edit(board, &text.replace(&closing, &other)).unwrap();
    assert!(
        said.contains("ratings are as they were, because boards/malaka/0/41.json cannot be read"),
        "{said}"
    );
    // And the damaged one is mended.
    let said = town.edit(broken, &good).unwrap();
    assert!(said.starts_with("malaka 41: edited\n") && !said.contains("as they were"), "{said}");
    town.is_well();
    assert_eq!(stored(&town.store), recomputed(&town.store));
}

#[test]
fn a_damaged_board_may_get_other_players() {
    let mut town = watched();
    let text = town.text(ONE);
    town.overwrite(Key::Board("malaka", 1), &text.replace("\"record\"", "\"rec"));
    town.edit(ONE, &text.replace("\"alice\"", "\"carol\"").replace("[\"carol\"]", "[\"bob\"]"))
        .unwrap();
    let active = ["alice", "bob", "carol"].map(|user| town.user(user).active.len());
    assert_eq!(active, [0, 1, 1]);
    town.is_well();
}

#[test]
fn a_user_is_renamed_everywhere() {
    let mut town = Town::with(&["alice", "bob", "Carol", "dave"], MemoryStore::new());
    for line in
        ["malaka challenge bob alice", "malaka challenge alice bob", "moloko challenge Carol alice"]
    {
        town.say(line);
    }
    town.mail("alice", "postboard@localhost", "malaka challenge alice bob", "");
    town.mail("bob", "postboard@localhost", "plakoto challenge bob alice", "");
    for line in [
        "malaka subscribe 2 Carol",
        "moloko subscribe 1 bob",
        "moultezim seek bob",
        "moultezim notify bob on",
        "mute Carol bob",
    ] {
        town.say(line);
    }
    town.play(ONE);
    town.play(ONE);
    town.say("malaka resign 1 bob");
    town.mail("bob", "postboard@localhost", "forgot bob", "");
    let texts = |town: &Town<MemoryStore>| -> Vec<String> {
        let keys = town.store.keys(DocumentKind::Boards("malaka")).unwrap();
        keys.iter().map(|key| town.store.load(key).unwrap().text.unwrap()).collect()
    };
    let before = texts(&town);
    let tag = {
        town.say("malaka chat 2 alice");
        town.reply_to("bob")
    };
    let said = town.rename("BOB", "Robert").unwrap();
    assert!(said.starts_with("bob is Robert now, on 5 boards\n"), "{said}");
    town.is_well();
    let letters = town.letters();
    let news =
        letters.iter().find(|(_, text)| text.contains("you were bob, you are Robert")).unwrap();
    assert!(news.0.starts_with("bob@") && news.1.contains("pressing Reply"), "{news:?}");
    // Bob is named nowhere but in what keeps the old userid for Robert.
    for key in [
        town.store.keys(DocumentKind::In(user::DRAWER)).unwrap(),
        town.store.keys(DocumentKind::Boards("malaka")).unwrap(),
        town.store.keys(DocumentKind::Boards("moloko")).unwrap(),
        town.store.keys(DocumentKind::Boards("plakoto")).unwrap(),
        vec![seeks_key("moultezim")],
    ]
    .concat()
    {
        let text = town.store.load(&key).unwrap().text.unwrap();
        assert_eq!(text.contains("bob\""), key == user_key(&userid("bob")), "{key}: {text}");
    }
    let open = town.store.load(&seeks_key("moultezim")).unwrap().text.unwrap();
    assert_eq!(open.matches("Robert").count(), 2, "{open}");
    assert_eq!(town.user("carol").muted, [userid("robert")]);
    let stub = town.user("bob");
    assert_eq!(
        (stub.renamed, stub.addresses.len(), stub.ratings.len()),
        (Some(userid("robert")), 0, 0)
    );
    let robert = town.user("robert");
    assert_eq!(robert.id.as_str(), "Robert");
    assert_eq!((robert.active.len(), robert.finished.len()), (3, 1));
    assert!(!robert.codes[0].is_open(), "a word with his old userid");
    assert!(town.say("malaka standings").contains("Robert"));
    assert!(!town.try_to("malaka chat 2 bob").1);
    // Reply addresses of old mails are void; new ones are not.
    let answer = town.mail("bob", &tag, "Re: Malaka", "chat\n");
    assert!(answer.contains("Not done"), "{answer}");
    town.say("malaka chat 2 alice");
    let tag = town.reply_to("bob");
    let answer = town.mail("bob", &tag, "Re: Malaka", "chat\n\nhello\n");
    assert!(!answer.contains("Not done"), "{answer}");
    // Nobody else gets the old userid, and Robert can get it back.
    let taken = |result: Result<String, String>, who: &str| {
        assert_eq!(result.unwrap_err(), format!("the userid {who} is taken"));
    };
    taken(town.rename("dave", "bob"), "bob");
    taken(town.rename("dave", "ALICE"), "ALICE");
    taken(town.rename("dave", "board1"), "board1");
    assert!(!town.try_to("signup bob secret b@example.org").1);
    taken(
        town.repair(|server, store, now| {
            repair::add_user(server, store, &userid("bob"), "secret1", &[], now)
        }),
        "bob",
    );
    assert_eq!(town.rename("bob", "rob").unwrap_err(), "bob is Robert now");
    assert_eq!(town.rename("nobody", "rob").unwrap_err(), "there is no user nobody");
    assert_eq!(town.rename("dave", "dave").unwrap_err(), "dave already has that userid");
    assert!(show_user(&town.store, &userid("dave")).is_ok());
    // From name to name, and home again.
    town.rename("Robert", "Rob").unwrap();
    assert_eq!(town.user("bob").renamed, Some(userid("rob")));
    town.rename("rob", "bob").unwrap();
    assert_eq!((town.user("bob").left, town.user("robert").renamed), (None, Some(userid("bob"))));
    let strip = |texts: &[String]| {
        texts
            .iter()
            .map(|text| text.split("\"offer\"").next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(strip(&texts(&town)), strip(&before));
    town.is_well();
}

#[test]
fn only_the_capitals_of_a_userid_are_changed() {
    let mut town = watched();
    let users = town.store.keys(DocumentKind::In(user::DRAWER)).unwrap();
    // Only the capitals: nothing becomes void, and nothing is left behind.
    let said = town.rename("bob", "Bob").unwrap();
    assert!(!said.contains("void"), "{said}");
    assert_eq!(town.store.keys(DocumentKind::In(user::DRAWER)).unwrap(), users);
    assert!(town.text(ONE).contains("\"Bob\"") && town.user("bob").id.as_str() == "Bob");
    town.say("malaka chat 1 alice");
    let tag = town.reply_to("bob");
    town.rename("bob", "BOB").unwrap();
    let answer = town.mail("bob", &tag, "Re: Malaka", "chat\n\nhello\n");
    assert!(!answer.contains("Not done"), "{answer}");
    town.is_well();
}

#[test]
fn a_rename_is_refused_where_a_document_that_may_name_him_is_damaged() {
    let mut town = watched();
    let text = town.text(ONE);
    town.overwrite(Key::Board("malaka", 1), &text.replace("\"record\"", "\"rec\""));
    for user in ["alice", "carol"] {
        let why = town.rename(user, "zoe").unwrap_err();
        assert!(why.starts_with("boards/malaka/0/1.json cannot be read: "), "{why}");
    }
    town.overwrite(Key::Board("malaka", 1), &text);
    let carol = town.store.load(&user_key(&userid("carol"))).unwrap().text.unwrap();
    town.overwrite(user_key(&userid("carol")), &format!("{carol}alice"));
    let why = town.rename("alice", "zoe").unwrap_err();
    assert!(why.starts_with("users/ca/carol.json cannot be read: "), "{why}");
    // Nobody else has to wait for it.
    assert!(town.store.load(&user_key(&userid("zoe"))).unwrap().text.is_none());
    town.overwrite(
        user_key(&userid("carol")),
        &carol.replace("carol@", "caroline@").replace("\"id\"", "\"x\""),
    );
    town.rename("alice", "zoe").unwrap();
    assert!(town.user("alice").renamed.is_some());
}

#[test]
fn users_are_added_and_get_passwords_without_a_trace_of_them() {
    let mut town = Town::with(&["alice"], MemoryStore::new());
    let address = [Address::parse("bob@example.org").unwrap()];
    let (bob, nobody) = (userid("Bob"), userid("nobody"));
    town.letters();
    town.repair(|server, store, now| {
        repair::add_user(server, store, &bob, "sesame1", &address, now)
    })
    .unwrap();
    let letters = town.letters();
    assert!(
        letters.len() == 1 && letters[0].1.starts_with("Welcome, Bob! The operator"),
        "{letters:?}"
    );
    town.repair(|server, store, now| {
        repair::add_user(server, store, &userid("shelly"), "sesame2", &[], now)
    })
    .unwrap();
    assert_eq!(town.letters().len(), 0);
    let knows = |town: &Town<MemoryStore>, password: &str| {
        Hashing::quick().verify(password, Some(&town.user("bob").password))
    };
    assert!(knows(&town, "sesame1"));
    town.say("forgot bob");
    town.letters();
    town.repair(|server, store, now| repair::set_password(server, store, &bob, "sesame3", now))
        .unwrap();
    assert!(knows(&town, "sesame3") && !knows(&town, "sesame1"));
    let words = town.user("bob").codes;
    assert!(words.iter().all(|word| !word.is_open()), "the word of who had the old one is void");
    let letters = town.letters();
    assert!(letters[0].1.contains("given Bob a new password"), "{letters:?}");
    let all = format!("{:?}{:?}", town.store, town.log);
    assert!(!all.contains("sesame"), "a password is kept");
    assert_eq!(town.log, ["Bob signed up", "shelly signed up", "Bob has a new password"]);
    let set = |town: &mut Town<MemoryStore>, who: &UserId| {
        town.repair(|server, store, now| repair::set_password(server, store, who, "sesame4", now))
            .unwrap_err()
    };
    assert_eq!(set(&mut town, &nobody), "there is no user nobody");
    town.repair(|server, store, now| repair::remove_user(server, store, &bob, now)).unwrap();
    assert_eq!(set(&mut town, &bob), "Bob has been erased");
    let mut alice = town.user("alice");
    alice.left = Some(user::Departure { at: Time::from_unix(1), erased: false });
    town.overwrite(user_key(&userid("alice")), &alice.write());
    assert!(set(&mut town, &userid("alice")).starts_with("alice has left; "));
    town.is_well();
}

#[test]
fn who_is_removed_resigns_and_is_forgotten() {
    let mut town = watched();
    town.play(ONE);
    town.play(ONE);
    town.say("malaka challenge bob alice");
    town.say("moultezim seek bob");
    town.say("moultezim notify bob on");
    town.letters();
    let remove = |town: &mut Town<MemoryStore>, who: &str| {
        let who = userid(who);
        town.repair(|server, store, now| repair::remove_user(server, store, &who, now))
    };
    assert_eq!(remove(&mut town, "bob").unwrap(), "bob is removed; boards resigned: 2\n");
    let letters = town.letters();
    let to: Vec<&str> = letters.iter().map(|(to, _)| to.as_str()).collect();
    let watching = "carol@example.org";
    assert_eq!(to, ["bob@example.org", "alice@example.org", watching, "alice@example.org"]);
    assert!(letters[0].1.contains("has removed you, bob"), "{letters:?}");
    assert!(
        letters[1].1.contains("bob resigned") && letters[3].1.contains("declined"),
        "{letters:?}"
    );
    let bob = town.user("bob");
    assert!(bob.left.unwrap().erased && bob.addresses.is_empty() && bob.password.is_empty());
    assert_eq!(town.log.len(), 3, "{:?}", town.log);
    town.is_well();
    assert_eq!(remove(&mut town, "bob").unwrap_err(), "bob has been erased");
    assert_eq!(remove(&mut town, "mallory").unwrap_err(), "there is no user mallory");
    // Users who have left already are erased too.
    let mut alice = town.user("alice");
    alice.left = Some(user::Departure { at: Time::from_unix(1), erased: false });
    town.overwrite(user_key(&userid("alice")), &alice.write());
    remove(&mut town, "alice").unwrap();
    assert!(town.user("alice").left.unwrap().erased);
    // A board that cannot be read cannot be resigned.
    town.say("signup dave secret dave@example.org");
    town.say("malaka challenge carol dave");
    let text = town.text(id("malaka", 3));
    town.overwrite(Key::Board("malaka", 3), "{");
    assert!(remove(&mut town, "carol").unwrap_err().starts_with("boards/malaka/0/3.json cannot"));
    town.overwrite(Key::Board("malaka", 3), &text);
    let dave = town.store.load(&user_key(&userid("dave"))).unwrap().text.unwrap();
    town.overwrite(user_key(&userid("dave")), "{");
    assert!(remove(&mut town, "carol").unwrap_err().starts_with("users/da/dave.json cannot"));
    town.overwrite(user_key(&userid("dave")), &dave);
    town.is_well();
}

#[test]
fn a_board_is_shown_with_all_that_is_known_of_it() {
    let mut town = watched();
    town.play(ONE);
    town.say("malaka undo 1 alice");
    town.say("malaka queue 1 alice a1-a2#9");
    let legal = town.board(ONE).position().nth_move(1).unwrap();
    town.say(&format!("malaka submit 1 bob {legal}"));
    let show = |town: &mut Town<MemoryStore>| {
        let setup = setup();
        let mut server = Server::new(&setup, &mut town.dice);
        repair::show_board(&mut server, &town.store, ONE, town.now).unwrap()
    };
    let text = show(&mut town);
    for part in [
        "It is bob's turn (X) on Malaka board 1, move 2: they rolled ",
        "File       boards/malaka/0/1.json",
        "Players    O alice, X bob",
        "Terms      --nagtime=2 --forfeittime=4 --totaltime=9",
        "Started    2004-08-20 12:00:00",
        "Time       Clock: alice 0 hours, bob 0 hours of 9 days each; reminder",
        "Offer      alice asks to take back move 1, ",
        &format!("Submitted  bob: {legal}"),
        "Queued     alice: a1-a2#9",
        "Observers  carol",
        "    1  2004-08-20 12:00:00        1 rolled",
        "    2  2004-08-20 12:01:00     1. O ",
        "\nPosition: X ",
        " / O  /",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 78), "{text}");
    town.play(ONE);
    town.say("malaka resign 1 bob");
    let text = show(&mut town);
    for part in [
        "Closed     resigning by bob",
        "Ended      2004-08-20 12:02:00",
        "Ratings    alice: 1600.00 (won 0, lost 0, tied 0) to 1800.00",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    town.undo(ONE, 2).unwrap();
    let text = show(&mut town);
    assert!(text.contains("Kept rolls ") && text.contains("waits again since 2004"), "{text}");
    let shown = show_user(&town.store, &userid("alice")).unwrap();
    assert!(
        shown.contains("Addresses  alice@example.org\n") && shown.contains("Active     malaka 1\n")
    );
    assert!(!shown.contains("argon"), "{shown}");
}

fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() { memory } else { Path::new(env!("CARGO_TARGET_TMPDIR")) };
    tempfile::tempdir_in(base).unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// All documents, and how many letters wait.
fn state(home: &Path) -> (Vec<(String, String)>, usize) {
    let files = FileStore::read(home).unwrap();
    let keys = [
        files.keys(DocumentKind::In(user::DRAWER)).unwrap(),
        files.keys(DocumentKind::Boards("malaka")).unwrap(),
    ]
    .concat();
    let text = |key: &Key| (key.to_string(), files.load(key).unwrap().text.unwrap());
    (keys.iter().map(text).collect(), waiting(home).len())
}

/// A home with boards that ended and boards that did not.
fn home() -> TempDir {
    let dir = folder();
    FileStore::init(dir.path(), &[7; 32]).unwrap();
    let mut town = Town::with(&["alice", "bob", "carol"], FileStore::open(dir.path()).unwrap());
    for number in 1..=4 {
        let players = ["alice bob", "bob carol", "carol alice", "bob alice"][number as usize - 1];
        town.say(&format!("malaka challenge {players}"));
        town.play(id("malaka", number));
        town.play(id("malaka", number));
    }
    town.say("malaka subscribe 3 bob");
    for line in ["malaka resign 1 bob", "malaka resign 2 bob", "malaka resign 3 carol"] {
        town.now += DAY;
        town.say(line);
    }
    town.store.close().unwrap();
    for name in names(&dir.path().join("outbox/new")) {
        fs::remove_file(dir.path().join("outbox/new").join(name)).unwrap();
    }
    dir
}

type Work<'a> = &'a dyn Fn(&mut Server, &mut FileStore, Time) -> Result<Transaction, RepairError>;

/// Stops the machine at each operation of a repair, or lets only that one fail; the home is then
/// opened again. Returns how many states were neither the old nor the new one, or not in order.
fn wrong_states(original: &Path, work: Work) -> usize {
    let now = START + 9 * DAY;
    let run = |home: &Path, disk: Disk| -> Result<(), Fault> {
        let (setup, mut dice) = (setup(), dice(0));
        let mut files = FileStore::open_on(home, disk)?;
        let mut server = Server::new(&setup, &mut dice);
        let transaction = match work(&mut server, &mut files, now) {
            Err(RepairError::Fault(fault)) => return Err(fault),
            done => done.unwrap(),
        };
        files.commit(transaction)?;
        files.close()
    };
    let before = state(original);
    let dir = folder();
    copy(original, dir.path());
    run(dir.path(), Disk::default()).unwrap();
    let after = state(dir.path());
    assert_ne!(before, after);
    is_well(&*FileStore::read(dir.path()).unwrap(), now);
    let (mut wrong, mut sides) = (0, [0; 2]);
    for error in [None, Some(28), Some(5)] {
        for at in 0.. {
            let dir = folder();
            copy(original, dir.path());
            let count = Arc::new(AtomicUsize::new(0));
            let seen = Arc::clone(&count);
            let watch: DiskHook = Arc::new(move |_| {
                let number = seen.fetch_add(1, Ordering::SeqCst);
                match error {
                    None if number >= at => Err(io::Error::other("the end")),
                    Some(error) if number == at => Err(io::Error::from_raw_os_error(error)),
                    _ => Ok(()),
                }
            });
            let _ = run(dir.path(), Disk::watched(watch));
            drop(FileStore::open(dir.path()).unwrap());
            let found = state(dir.path());
            let report = check(&*FileStore::read(dir.path()).unwrap(), now).unwrap();
            let is_whole = found == before || found == after;
            sides[usize::from(found == after)] += 1;
            wrong +=
                usize::from(!is_whole || !report.wrong.is_empty() || !report.mended.is_empty());
            if count.load(Ordering::SeqCst) <= at {
                assert!(at > 15, "{at} steps only: is it watched?");
                break;
            }
        }
    }
    assert!(sides[0] > 3 && sides[1] > 10, "{sides:?}");
    wrong
}

#[test]
fn a_stop_at_any_step_leaves_a_repair_wholly_done_or_not_at_all() {
    let home = home();
    let undo: Work =
        &|server, files, now| Ok(repair::undo(server, files, ONE, 1, false, now)?.transaction);
    assert_eq!(wrong_states(home.path(), undo), 0);
    let (bob, rob) = (userid("bob"), userid("rob"));
    let rename: Work =
        &|server, files, now| Ok(repair::rename_user(server, files, &bob, &rob, now)?.transaction);
    assert_eq!(wrong_states(home.path(), rename), 0);
}

/// The control: a repair made in two transactions is seen to be one.
#[test]
fn a_repair_in_two_halves_would_be_seen() {
    let home = home();
    let halves: Work = &|server, files, now| {
        let mut first = repair::undo(server, files, ONE, 1, false, now)?.transaction;
        let changes = first.changes.split_off(1);
        let second = Transaction {
            changes,
            letters: std::mem::take(&mut first.letters),
            at: now,
            ..Transaction::default()
        };
        files.commit(first)?;
        files.settle()?;
        Ok(second)
    };
    assert!(wrong_states(home.path(), halves) > 5);
}

/// Runs the program as jane, with that editor.
fn by_jane(home: &Home, editor: &str, args: &[&str], input: &[u8]) -> Ran {
    let mut command = home.command();
    command.env_remove("VISUAL").env("EDITOR", editor).env("SUDO_USER", "jane").args(args);
    crate::support::program::run(&mut command, input)
}

fn first_play(home: &Home) -> String {
    let text = home.read("boards/malaka/0/1.json");
    Board::read(&text).unwrap().position().nth_move(0).unwrap()
}

#[test]
fn the_program_edits_with_an_editor() {
    let home = Home::with_board();
    let (board, play) = ("boards/malaka/0/1.json", first_play(&home));
    let before = home.read(board);
    let edit = |editor: &str| by_jane(&home, editor, &["board", "edit", "malaka", "1"], b"");
    let drafts = || {
        let mut names = names(&home.path().join("drafts"));
        names.retain(|name| Path::new(name).extension().is_none_or(|end| end != "was"));
        names
    };
    assert_eq!(edit("true").out, "malaka 1: unchanged\n");
    assert_eq!(drafts(), [""; 0]);
    // The editor has words of its own, and writes what is no board.
    let ran = edit("sed -i -e s/bob/mallory/");
    assert_eq!((ran.code, ran.out.as_str()), (Some(65), ""));
    let kept = home.path().join("drafts/malaka-1.json");
    let why = format!(
        "postboard: mallory is named in malaka 1, but is not a user; what you wrote is kept in {}\n",
        kept.display()
    );
    assert_eq!(ran.err, why);
    assert_eq!(home.read(board), before);
    assert!(fs::read_to_string(&kept).unwrap().contains("mallory"));
    // An editor that gives up changes nothing.
    let ran = edit("sh -c 'echo x >> \"$0\"; exit 1'");
    assert!(
        ran.err.starts_with("postboard: the editor gave up; ") && ran.code == Some(65),
        "{ran:?}"
    );
    assert_eq!(drafts(), ["malaka-1.json", "malaka-1.json.2"]);
    assert!(kept.with_extension("json.was").is_file(), "what it was made from");
    let ran = edit("no-such-editor-here");
    assert!(
        ran.err.ends_with("postboard: the editor gave up\n") && ran.code == Some(65),
        "{ran:?}"
    );
    // While the operator edits, the players go on; the work of neither is lost.
    let program = crate::support::program::PROGRAM;
    let editor = format!(
        "sh -c '{program} --home {} malaka move 1 alice secret {play} >&2; sed -i s/bob/carol/ $0'",
        home.path().display()
    );
    let ran = edit(&editor);
    assert!(ran.err.contains("malaka 1 has changed since you began, so"), "{ran:?}");
    assert_eq!((ran.code, home.moves(1), drafts().len()), (Some(65), 1, 3));
    // A draft that was refused before the move and is mended now would undo it.
    let mended = fs::read_to_string(&kept).unwrap().replace("mallory", "bob");
    fs::write(&kept, mended.replace("\"started\":", "\"private\":true,\"started\":")).unwrap();
    let args = ["board", "edit", "malaka", "1", "--from", kept.to_str().unwrap()];
    let ran = by_jane(&home, "", &args, b"");
    assert!(ran.err.contains("malaka 1 has changed since you began, so"), "{ran:?}");
    assert_eq!((ran.code, home.moves(1)), (Some(65), 1));
    // A good text is taken, and its draft goes away.
    let text = home.read(board);
    let ran = edit("sed -i -e 's/\"started\":/\"private\":true,&/'");
    assert!(ran.out.starts_with("malaka 1: edited\n") && ran.code == Some(0), "{ran:?}");
    assert!(home.read(board).contains("\"private\":true"));
    assert_eq!(drafts().len(), 3);
    // By a script, from a file or standard input; against what it has seen.
    let args = ["board", "edit", "malaka", "1", "--from", "-"];
    let ran = by_jane(&home, "false", &args, text.as_bytes());
    assert!(ran.out.starts_with("malaka 1: edited\n") && ran.code == Some(0), "{ran:?}");
    assert_eq!((home.read(board), drafts().len()), (text.clone(), 3));
    let (file, was) = (home.base().join("text"), home.base().join("was"));
    fs::write(&file, text.replace("\"started\":", "\"private\":true,\"started\":")).unwrap();
    fs::write(&was, "something else").unwrap();
    let args = ["board", "edit", "malaka", "1", "--from", file.to_str().unwrap()];
    let ran = by_jane(&home, "", &[&args[..], &["--was", was.to_str().unwrap()]].concat(), b"");
    assert!(ran.err.contains("has changed since") && ran.code == Some(65), "{ran:?}");
    fs::write(&was, &text).unwrap();
    let ran = by_jane(&home, "", &[&args[..], &["--was", was.to_str().unwrap()]].concat(), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = by_jane(&home, "", &["board", "edit", "malaka", "1", "--from", "-"], b"\xff{");
    assert!(
        ran.err.starts_with("postboard: byte 1 is not UTF-8; what you wrote is kept in "),
        "{ran:?}"
    );
    // A file that is no text is shown, and mended.
    let mut broken = text.clone().into_bytes();
    broken[3] = 0xff;
    fs::write(home.path().join(board), broken).unwrap();
    let ran = by_jane(&home, "", &["board", "show", "malaka", "1"], b"");
    assert!(ran.out.starts_with("boards/malaka/0/1.json cannot be read: ") && ran.code == Some(65));
    assert!(ran.out.contains("\"record\":["), "{ran:?}");
    fs::write(&file, &text).unwrap();
    let ran = by_jane(&home, "", &args, b"");
    assert!(ran.out.starts_with("malaka 1: edited\n") && ran.code == Some(0), "{ran:?}");
    assert_eq!(home.read(board), text);
    let mails = home.delivered();
    assert!(mails.iter().any(|mail| mail.text.contains("has mended this board")));
    home.is_tidy();
    let log = home.read("log/postboard.log");
    let uid = rustix_uid();
    assert!(log.contains(&format!(" operator jane (uid {uid}): malaka 1: edited\n")), "{log}");
}

/// The user that tests run as, as the machine shows it.
fn rustix_uid() -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").unwrap().uid()
}

#[test]
fn the_program_takes_back_and_keeps_users() {
    let home = Home::with_board();
    let run = |words: &str, input: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        by_jane(&home, "", &words, input.as_bytes())
    };
    let play = first_play(&home);
    home.done(&format!("malaka move 1 alice secret {play}"));
    let play = first_play(&home);
    home.done(&format!("malaka move 1 bob secret {play}"));
    home.done("malaka resign 1 bob secret");
    home.delivered();
    let shown = run("board show malaka 1", "");
    assert!(
        shown.out.contains("Closed     resigning by bob") && shown.code == Some(0),
        "{shown:?}"
    );
    let ran = run("board undo malaka 1 --moves 2", "");
    assert!(ran.out.starts_with("malaka 1: taken back: resigning "), "{ran:?}");
    assert_eq!((ran.code, home.moves(1), home.delivered().len()), (Some(0), 1, 2));
    assert!(home.done("malaka standings").contains("Nobody"));
    let passwords = [
        ("user add carol carol@pbm.test", "sesame1\n", 0),
        ("user add carol", "sesame1\n", 65),
        ("user add dave d@pbm.test", "short\n", 65),
        ("user add dave d@pbm.test", "", 65),
        ("user add 1dave", "sesame1\n", 64),
        ("user add dave nowhere", "sesame1\n", 64),
        ("user add dave a@b.c b@b.c c@b.c d@b.c", "sesame1\n", 64),
        ("user password carol", "sesame2\r\n", 0),
        ("user password nobody", "sesame2\n", 65),
        ("user rename carol Caroline", "", 0),
        ("user rename bob alice", "", 65),
        ("user show caroline", "", 0),
        ("user show nobody", "", 65),
        ("user remove nobody", "", 65),
        ("board undo malaka 9", "", 65),
        ("board undo malaka 1 --moves 0", "", 64),
        ("board undo malaka 1 --moves 9", "", 65),
        ("board undo chess 1", "", 64),
        ("board show malaka 9", "", 65),
        ("board show malaka x", "", 64),
        ("board", "", 64),
        ("user", "", 64),
    ];
    for (words, input, code) in passwords {
        let ran = run(words, input);
        assert_eq!(ran.code, Some(code), "{words}: {ran:?}");
        if code == 65 {
            assert!(ran.out.is_empty() && ran.err.starts_with("postboard: "), "{words}: {ran:?}");
            assert_eq!(ran.err.lines().count(), 1, "{words}: {ran:?}");
        }
    }
    home.done("change password caroline sesame2 sesame3");
    let ran = run("user password caroline --generate", "");
    let password = ran.out.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    home.done(&format!("change password caroline {password} sesame4"));
    let ran = run("user add erin --generate", "");
    let password = ran.out.lines().find_map(|line| line.strip_prefix("password: ")).unwrap();
    home.done(&format!("change password erin {password} sesame5"));
    assert_eq!(run("user remove bob", "").code, Some(0));
    assert!(home.read("boards/malaka/0/1.json").contains("\"by\":\"declining\""));
    home.delivered();
    home.is_tidy();
    let log = home.read("log/postboard.log");
    for line in [
        "malaka 1: taken back: resigning",
        "carol signed up",
        "carol has a new password",
        "carol is Caroline now",
        "bob has left and was erased",
    ] {
        let line = format!(" operator jane (uid {}): {line}", rustix_uid());
        assert!(log.contains(&line), "{line}: {log}");
    }
    assert!(!log.contains("sesame") && !log.contains(password), "{log}");
    // A home that is not there is the machine's fault, in one line with its path.
    let ran = crate::support::program::run(
        crate::support::program::program()
            .args(["--home", "/nowhere", "board", "undo", "malaka", "1"]),
        b"",
    );
    assert!(ran.code == Some(75) && ran.err.contains("/nowhere") && ran.err.lines().count() == 1);
}
