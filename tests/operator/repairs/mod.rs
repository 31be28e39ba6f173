//! The operator's repairs: moves taken back, boards edited, users renamed, added and removed.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

mod edit;
mod finished;
mod interrupted;
mod program;
mod ratings;
mod undo;
mod users;

use crate::support::home::{Home, config, setup};
use crate::support::letters::{read, sent_text};
use games::{Roll, Scripted};
use postboard::base::chance::ScriptedRandom;
use postboard::base::ids::{BoardId, UserId};
use postboard::base::time::{MINUTE, Time, seconds};
use postboard::model::board::{Board, BoardStatus};
use postboard::model::world::board_key;
use postboard::server::repair::{self, Repair, RepairError};
use postboard::server::{Server, ShellAnswer, shell_request};
use postboard::store::{Key, Letter, MemoryStore, Store, Transaction};

/// The initial time of these homes: noon of 20 August 2004.
const START: Time = Time::from_unix(1_093_003_200);

/// Returns dice whose every roll differs from the previous roll.
fn dice(last: u8) -> ScriptedRandom {
    ScriptedRandom::new(Scripted::falling(last, |throw, last| {
        let die = last % (throw.faces - 1) + 1;
        if throw.dice == 1 { Roll::One(die) } else { Roll::Two(die, die + 1) }
    }))
}

fn id(game: &'static str, number: u32) -> BoardId {
    BoardId { game, number }
}

fn userid(name: &str) -> UserId {
    UserId::parse(name).unwrap()
}

/// A home with these dice.
type RepairHome<S> = Home<S, ScriptedRandom>;

impl Home<MemoryStore, ScriptedRandom> {
    /// Returns recipients and texts of the letters since the last call.
    fn letters(&mut self) -> Vec<(String, String)> {
        let read = |letter: Letter| (letter.to.to_string(), read(&letter).1.replace("\r\n", "\n"));
        self.store.take_letters().into_iter().map(read).collect()
    }

    /// Returns the Reply-To of the newest mail to a user.
    fn reply_to(&self, user: &str) -> String {
        let to = format!("{user}@example.org");
        let newest = self.store.letters().iter().rev().find(|letter| letter.to.as_str() == to);
        let text = sent_text(newest.unwrap());
        text.lines().find_map(|line| line.strip_prefix("Reply-To: ")).unwrap().to_owned()
    }

    /// Executes a mail and returns the answers to its sender.
    fn answers_to_mail(&mut self, from: &str, to: &str, subject: &str, body: &str) -> String {
        let raw = format!(
            "Return-Path: <{from}@example.org>\r\nFrom: {from}@example.org\r\nTo: {to}\r\n\
             Subject: {subject}\r\nMessage-ID: <{}.{from}@example.org>\r\n\
             Date: Fri, 20 Aug 2004 12:00:00 +0000\r\n\r\n{body}\r\n",
            self.now
        );
        self.now += seconds(1);
        self.letters();
        let mut server = Server::new(&self.setup, &mut self.chance);
        server.execute_mail(raw.as_bytes(), &self.store, self.now).unwrap();
        let transaction = server.take_transaction();
        self.store.commit(transaction).unwrap();
        let own = format!("{from}@example.org");
        self.letters().into_iter().filter(|(to, _)| *to == own).map(|(_, text)| text).collect()
    }
}

impl<S: Store> Home<S, ScriptedRandom> {
    fn begun(store: S) -> Self {
        let mut town = Self::of(setup(config()), store, dice(0));
        town.now = START;
        town
    }

    /// Runs a command of the shell, which must succeed, and returns its output.
    fn say(&mut self, line: &str) -> String {
        let (text, done) = self.try_to(line);
        assert!(done, "{line}: {text}");
        text
    }

    fn try_to(&mut self, line: &str) -> (String, bool) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        let operator = !line.starts_with("signup");
        let comment = if line.contains(" chat ") { "hello" } else { "" };
        let request = shell_request(line.into(), operator, comment.into());
        let ShellAnswer { text, is_done } =
            server.execute_shell_command(&request, &self.store, self.now).unwrap();
        let transaction = server.take_transaction();
        self.store.commit(transaction).unwrap();
        (text, is_done)
    }

    fn with(users: &[&str], store: S) -> Self {
        let mut town = Self::begun(store);
        for user in users {
            town.say(&format!("signup {user} secret {user}@example.org"));
        }
        town
    }

    /// Plays the first legal play of the player whose turn it is.
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
        let mut server = Server::new(&self.setup, &mut self.chance);
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

    fn board_text(&self, board: BoardId) -> String {
        self.text(&board_key(board))
    }

    /// Writes a document as an operator who edits it by hand.
    fn overwrite(&mut self, key: Key, text: &str) {
        let was = self.store.load(&key).unwrap().version;
        let change = postboard::store::DocumentChange { key, was, text: text.into() };
        let changes = vec![change];
        self.store.commit(Transaction { changes, at: self.now, ..Transaction::default() }).unwrap();
    }
}

const ONE: BoardId = BoardId { game: "malaka", number: 1 };

/// Makes a home with Malaka 1 of alice and bob, observed by carol.
fn watched() -> RepairHome<MemoryStore> {
    watched_at("malaka")
}

/// Makes a home with board 1 of a game between alice and bob, observed by carol.
fn watched_at(game: &str) -> RepairHome<MemoryStore> {
    let mut town = RepairHome::with(&["alice", "bob", "carol"], MemoryStore::new());
    town.say(&format!("{game} challenge alice bob --nagtime=2 --forfeittime=4 --totaltime=9"));
    town.say(&format!("{game} subscribe 1 carol"));
    town
}

fn entries(board: &Board) -> Vec<games::Entry> {
    board.record.iter().map(|line| line.entry.clone()).collect()
}
