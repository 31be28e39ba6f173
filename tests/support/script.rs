//! The script notation: commands by mail with their exact answers.
//!
//! A script runs in a new home, in memory or in a database. Alice, bob and carol are signed up with
//! the password `secret`. The server reads every command as a real mail.
//!
//! ```text
//! # a comment
//! dice 3 23      sets the next rolls
//! stones ../..   sets rows of the stones that are dealt next, nine rows in all
//! as bob         sets the sender of the following mails; alice at first
//! at 2004-08-20  sets the day
//! limits         limits the following answers as in a real home
//! remind         runs `postboard remind`; shows the first sentence of every mail
//! remind all     like remind; shows every mail in full
//! moderate suspend 2004-08-30 bob insults
//!                carries out an act of the operator, with or without a day; shows what is printed and
//!                every mail
//! > malaka help  sends a mail with this Subject; shows the text of the answers to its sender
//! >> list        like >; shows every resulting mail with recipient and Subject
//! ~ malaka ...   like >; shows only the first sentence of the answer
//! ~~ malaka ...  like >>; shows only the first paragraph of every mail
//! | words        adds a line to the body of the next mail
//! < c3-c6        replies to the sender's newest board mail with this line
//! << c3-c6       like <; shows every resulting mail
//! <~ c3-c6       like <; shows only the first paragraph of every mail
//! <- c3-c6       replies to the second newest board mail; <-- to the third newest
//! ```
//!
//! `UPDATE_GOLDEN=1` writes the answers into the files; review the difference.

use crate::support::home::{assert_sound, config, lift_limits, setup};
use crate::support::letters::{read, sent_text, texts};
use crate::support::moderation;
use crate::support::postgres::InDatabase;
use games::{Choices, Next, Roll, Scripted, View};
use postboard::base::chance::ScriptedRandom;
use postboard::base::ids::BoardId;
use postboard::base::key::MAILBOXES;
use postboard::base::time::{Day, Time, hours};
use postboard::config::Limits;
use postboard::mail::REPLY_DELIMITER;
use postboard::model::board::Board;
use postboard::model::user;
use postboard::model::world::count_key;
use postboard::server::remind;
use postboard::server::{Server, Setup};
use postboard::store::{DocumentKind, Key, Letter, MemoryStore, Store, Transaction};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Returns a move in the notation of the player to move, with their own numbers of the points.
pub(crate) fn as_typed(board: &Board, text: String) -> String {
    let Next::Move(seat) = board.position().next() else { return text };
    let own = Choices::of_settings(board.game.spec().settings, ["numbers=mine"]);
    let settings = own.unwrap_or_default();
    board.game.text_for_viewer(&View { seat: Some(seat), settings, legal: false }, seat, text)
}

/// A store that returns the committed letters.
pub(crate) trait LetterStore: Store {
    /// Returns the letters committed since the last call.
    fn take_letters(&mut self) -> Vec<Letter>;

    /// Copies a store in memory.
    fn copy(&self) -> Box<dyn LetterStore>;
}

impl LetterStore for MemoryStore {
    fn take_letters(&mut self) -> Vec<Letter> {
        Self::take_letters(self)
    }

    fn copy(&self) -> Box<dyn LetterStore> {
        Box::new(self.clone())
    }
}

thread_local! {
    pub(crate) static IS_IN_DATABASE: Cell<bool> = const { Cell::new(false) };

    /// The homes after scripts from which this test has begun.
    static STARTS: RefCell<HashMap<String, ScriptHome>> = RefCell::default();
}

/// Returns an empty store, in memory or in a database if `IS_IN_DATABASE` is set.
fn new_store() -> Box<dyn LetterStore> {
    if IS_IN_DATABASE.get() { Box::new(InDatabase::new()) } else { Box::new(MemoryStore::new()) }
}

/// A home that executes a script.
pub(crate) struct ScriptHome {
    pub(crate) setup: Setup,
    store: Box<dyn LetterStore>,
    pub(crate) chance: ScriptedRandom,
    now: Time,
    mails: usize,
    /// The user who sends the next mails.
    pub(crate) sender: String,
    /// All letters so far.
    letters: Vec<Letter>,
    /// The operator's log so far.
    log: String,
}

impl ScriptHome {
    /// Returns a home after a script. A test that begins from it many times executes the script once.
    pub(crate) fn after(script: &str) -> Self {
        STARTS.with_borrow_mut(|starts| {
            let start = starts.entry(script.to_owned()).or_insert_with(|| {
                let mut home = Self::new();
                perform(&mut home, script);
                home
            });
            start.copy()
        })
    }

    fn copy(&self) -> Self {
        Self {
            setup: setup(self.setup.config.clone()),
            store: self.store.copy(),
            chance: self.chance.clone(),
            now: self.now,
            mails: self.mails,
            sender: self.sender.clone(),
            letters: self.letters.clone(),
            log: self.log.clone(),
        }
    }

    pub(crate) fn new() -> Self {
        let mut setup = setup(config());
        lift_limits(&mut setup);
        let mut home = Self {
            setup,
            store: new_store(),
            chance: ScriptedRandom::new(Scripted::default()),
            now: day("2004-08-20"),
            mails: 0,
            sender: String::new(),
            letters: Vec::new(),
            log: String::new(),
        };
        for user in ["carol", "bob", "alice"] {
            home.sender = user.into();
            home.mail(&format!("signup {user} secret"), "", "postboard@localhost");
        }
        home.letters.clear();
        home
    }

    /// Sends a mail and returns the resulting letters.
    pub(crate) fn mail(&mut self, subject: &str, body: &str, to: &str) -> Vec<Letter> {
        self.mails += 1;
        let raw = format!(
            "Return-Path: <{0}@example.org>\r\nFrom: {0} <{0}@example.org>\r\nTo: {to}\r\n\
             Subject: {subject}\r\nMessage-ID: <{1}@example.org>\r\n\
             Date: Fri, 20 Aug 2004 12:00:00 +0000\r\n\r\n{body}\r\n",
            self.sender, self.mails
        );
        let mut server = Server::new(&self.setup, &mut self.chance);
        server.execute_mail(raw.as_bytes(), &*self.store, self.now).unwrap();
        self.log.extend(server.log.iter().flat_map(|line| [line, "\n"]));
        let mut transaction = server.take_transaction();
        let letters = std::mem::take(&mut transaction.letters);
        self.store.commit(transaction).unwrap();
        self.letters.extend(letters.iter().cloned());
        letters
    }

    /// Sends due reminders, ends boards whose time is up, and returns the letters.
    fn remind(&mut self) -> Vec<Letter> {
        self.store.take_letters();
        let mut server = Server::new(&self.setup, &mut self.chance);
        remind::run(&mut server, &mut *self.store, None, self.now, &mut |_| true).unwrap();
        let letters = self.store.take_letters();
        self.letters.extend(letters.iter().cloned());
        letters
    }

    /// Carries out an act of the operator, and returns what is printed and the letters.
    pub(crate) fn moderate(&mut self, words: &str) -> (String, Vec<Letter>) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        let request = moderation::request(words);
        let answer = server.execute_shell_command(&request, &*self.store, self.now).unwrap();
        let mut transaction = server.take_transaction();
        let letters = std::mem::take(&mut transaction.letters);
        self.store.commit(transaction).unwrap();
        self.letters.extend(letters.iter().cloned());
        (answer.text, letters)
    }

    /// Replies to the sender's board mail that is `before` mails older than the newest.
    fn reply(&mut self, body: &str, before: usize) -> Vec<Letter> {
        let (_, _, text) = self.board_mail(before);
        let quoted = format!("> {}", text.lines().collect::<Vec<_>>().join("\r\n> "));
        self.answer(&format!("{body}\r\n\r\n{quoted}"), before)
    }

    /// Returns the reply address, Subject and text of the sender's board mail that is `before`
    /// mails older than the newest.
    pub(crate) fn board_mail(&self, before: usize) -> (String, String, String) {
        let own = format!("{}@example.org", self.sender);
        let mut newest_first = self.letters.iter().rev().filter_map(|letter| {
            let text = sent_text(letter);
            let reply_to = text.lines().find_map(|line| line.strip_prefix("Reply-To: "))?;
            let others = ["+a-", "+g", "+t", "+v"];
            if others.iter().any(|tag| reply_to.contains(tag)) {
                return None;
            }
            let (subject, text) = read(letter);
            (letter.to.as_str() == own).then(|| (reply_to.to_owned(), subject, text))
        });
        newest_first.nth(before).expect("a reply answers a board mail")
    }

    /// Replies to that board mail with a text that includes its quotation, and returns the letters.
    pub(crate) fn answer(&mut self, text: &str, before: usize) -> Vec<Letter> {
        let (to, subject, _) = self.board_mail(before);
        self.mail(&format!("Re: {subject}"), text, &to)
    }

    /// Loads a board.
    pub(crate) fn board(&self, id: BoardId) -> Board {
        let text = self.store.load(&Key::Board(id.game, id.number)).unwrap().text.unwrap();
        Board::read(&text).unwrap()
    }

    /// Returns the log so far.
    pub(crate) fn log(&self) -> &str {
        &self.log
    }

    /// Adds rolls to the upcoming rolls.
    pub(crate) fn dice(&mut self, rolls: &str) {
        self.chance.dice.extend(rolls.split_whitespace().map(|roll| roll.parse::<Roll>().unwrap()));
    }

    /// Sends a command and returns the answers to its sender.
    pub(crate) fn say(&mut self, sender: &str, line: &str) -> String {
        self.sender = sender.into();
        let letters = self.mail(line, "", "postboard@localhost");
        texts(&letters, &format!("{sender}@example.org")).concat()
    }

    /// Replies to a user's newest board mail under another Subject and returns the answers to this
    /// user.
    pub(crate) fn answer_as(&mut self, sender: &str, subject: &str, body: &str) -> String {
        self.sender = sender.into();
        let (to, ..) = self.board_mail(0);
        let letters = self.mail(subject, body, &to);
        texts(&letters, &format!("{sender}@example.org")).concat()
    }

    /// Returns the last letter.
    pub(crate) fn last_letter(&self) -> Letter {
        self.letters.last().unwrap().clone()
    }

    /// Returns the text of the last letter to a user.
    pub(crate) fn last_to(&self, user: &str) -> String {
        let to = format!("{user}@example.org");
        let last = self.letters.iter().rfind(|letter| letter.to.as_str() == to);
        read(last.unwrap()).1
    }

    /// Returns the Subjects of all letters so far.
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.letters.iter().map(|letter| read(letter).0).collect()
    }

    /// Sends a command, commits its transaction and returns it.
    pub(crate) fn transaction(&mut self, line: &str) -> Transaction {
        self.mails += 1;
        let raw = format!(
            "Return-Path: <{0}@example.org>\r\nFrom: {0}@example.org\r\nTo: postboard@localhost\r\n\
             Subject: {line}\r\nMessage-ID: <{1}@example.org>\r\n\r\n",
            self.sender, self.mails
        );
        let mut server = Server::new(&self.setup, &mut self.chance);
        server.execute_mail(raw.as_bytes(), &*self.store, self.now).unwrap();
        let transaction = server.take_transaction();
        self.store.commit(transaction.clone()).unwrap();
        transaction
    }

    /// Executes a mail with exactly these bytes and returns the resulting letters.
    pub(crate) fn raw(&mut self, raw: &[u8]) -> Vec<Letter> {
        let mut server = Server::new(&self.setup, &mut self.chance);
        server.execute_mail(raw, &*self.store, self.now).unwrap();
        let mut transaction = server.take_transaction();
        let letters = std::mem::take(&mut transaction.letters);
        self.store.commit(transaction).unwrap();
        letters
    }

    /// Returns every document with its text.
    pub(crate) fn documents(&self) -> Vec<(Key, String)> {
        let mut keys = [
            self.store.keys(DocumentKind::In(user::COLLECTION)),
            self.store.keys(DocumentKind::In(MAILBOXES)),
        ]
        .map(Result::unwrap)
        .concat();
        for game in games::GAMES {
            let name = game.spec().name;
            keys.extend(self.store.keys(DocumentKind::Boards(name)).unwrap());
            keys.push(count_key(name));
        }
        let text = |key: &Key| self.store.load(key).unwrap().text.unwrap_or_default();
        keys.iter().map(|key| (key.clone(), text(key))).collect()
    }

    /// Checks that the home is sound, and that neither the home nor the log contains a secret.
    pub(crate) fn check(&self) {
        assert_sound(&*self.store, self.now);
        let users = self.store.keys(DocumentKind::In(user::COLLECTION)).unwrap();
        let texts = users.iter().map(|key| self.store.load(key).unwrap().text.unwrap());
        for text in texts.chain([self.log.clone()]) {
            for secret in ["secret", "sesame", WORD] {
                assert!(!text.contains(secret), "{secret} is in\n{text}");
            }
        }
    }
}

/// The random half of every one-time code in a script.
pub(crate) const WORD: &str = "a4dqobyha4dqobyh";

fn day(date: &str) -> Time {
    let day = Day::parse(date).expect("`at` is followed by a day such as 2004-08-20");
    day.start() + hours(12)
}

/// Runs a script in a new home and returns it with the answers.
pub(crate) fn run(script: &str) -> String {
    let mut home = ScriptHome::new();
    let mut out = perform(&mut home, script);
    assert_eq!(home.chance.dice.left(), 0, "dice were left over:\n{out}");
    home.check();
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

/// Tells the line of a script in which a test panics, such as one for which a roll is missing.
struct LineTeller<'a> {
    number: usize,
    line: &'a str,
}

impl Drop for LineTeller<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("line {} of the script: {}", self.number, self.line);
        }
    }
}

/// Runs a script in a home and returns it with the answers.
pub(crate) fn perform(home: &mut ScriptHome, script: &str) -> String {
    home.sender = "alice".into();
    let mut out = String::new();
    let (mut body, mut rows): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut lines = script.lines().zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let _teller = LineTeller { number, line };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            // Skips the answers of an earlier run.
            _ if line.starts_with("    ") => continue,
            "stones" => {
                rows.extend(rest.trim().split('/'));
                if rows.len() == usize::from(games::SIZE) {
                    home.chance.dice.lay(rows.join("/").parse().unwrap());
                    rows.clear();
                }
            }
            "dice" => {
                home.dice(rest);
            }
            "as" => home.sender = rest.trim().into(),
            "at" => home.now = day(rest.trim()),
            "limits" => home.setup.config.limits = Limits::default(),
            "|" => body.push(rest),
            ">" | ">>" | "<" | "<<" | "<~" | "<-" | "<--" | "~" | "~~" | "#" | "" | "remind"
            | "moderate" => {}
            _ => continue,
        }
        if word.is_empty() && !out.ends_with("\n\n") || !word.is_empty() {
            let _ = writeln!(out, "{line}");
        }
        if word == "remind" {
            let letters = home.remind();
            if letters.is_empty() {
                out.push_str("    (nothing)\n");
            }
            for letter in &letters {
                let (subject, text) = read(letter);
                let _ = writeln!(out, "To: {}\nSubject: {subject}\n", letter.to);
                let text = if rest == "all" { &text } else { first_sentence(&text) };
                let _ = writeln!(out, "{}", indented(text));
            }
            continue;
        }
        if word == "moderate" {
            let (printed, letters) = home.moderate(rest);
            out.push_str(&indented(&printed));
            out.push('\n');
            for letter in &letters {
                let (subject, text) = read(letter);
                let _ = writeln!(out, "To: {}\nSubject: {subject}\n", letter.to);
                let _ = writeln!(out, "{}", indented(&text));
            }
            continue;
        }
        if !matches!(word, ">" | ">>" | "<" | "<<" | "<~" | "<-" | "<--" | "~" | "~~") {
            continue;
        }
        // The following lines with `|` belong to this reply.
        let mut reply = vec![rest];
        while let Some((more, _)) = lines.next_if(|(line, _)| line.starts_with('|')) {
            reply.push(more[1..].trim_start());
            let _ = writeln!(out, "{more}");
        }
        let letters = if word.starts_with('<') {
            home.reply(&reply.join("\r\n"), word.matches('-').count())
        } else {
            let mut text = std::mem::take(&mut body);
            text.extend(&reply[1..]);
            home.mail(rest, &text.join("\r\n"), "postboard@localhost")
        };
        let own = format!("{}@example.org", home.sender);
        for letter in &letters {
            let (subject, text) = read(letter);
            if matches!(word, ">>" | "<<" | "~~" | "<~") {
                let _ = writeln!(out, "To: {}\nSubject: {subject}\n", letter.to);
            } else if letter.to.as_str() != own {
                continue;
            }
            if word.ends_with('~') {
                out.push_str(&indented(first_sentence(&text)));
                if word != "~" {
                    out.push('\n');
                }
                continue;
            }
            out.push_str(&indented(&text));
            out.push('\n');
        }
    }
    out
}

/// Returns the first sentence of an answer, below the reply delimiter.
fn first_sentence(text: &str) -> &str {
    let below = text.strip_prefix(REPLY_DELIMITER).unwrap_or(text).trim_start();
    below.split_once("\n\n").map_or(below, |(first, _)| first)
}

/// Indents an answer by four columns, so that a script does not read it as a command.
fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| if line.is_empty() { "\n".into() } else { format!("    {line}\n") })
        .collect()
}
