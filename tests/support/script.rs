//! The script notation: commands by mail and exactly what comes back.
//!
//! A script runs in a fresh world, in memory or in a database, where alice, bob and carol are signed up with the
//! password `secret`. Every command goes through the whole pipeline as a real mail.
//!
//! ```text
//! # a comment
//! dice 3 23      the next rolls
//! stones ../..   rows of the stones that are dealt next, nine in all
//! as bob         whose mails follow; alice's at first
//! at 2004-08-20  the day
//! limits         from here on answers are counted as in a real home; else nobody gets too many
//! remind         what the clocks have come to, as `postboard remind` does it; below it every mail:
//!                its first sentence, or all of it for `remind all`
//! > malaka help  a mail with this Subject; below it the text of the answers to its sender
//! >> list        the same; below it every mail it causes, with recipient and Subject
//! ~ malaka ...   the same as >; below it the first sentence of the answer alone
//! ~~ malaka ...  the same as >>; below it every mail with its first paragraph alone
//! | words        before a command: a line of the next mail's body
//! < c3-c6        the sender presses Reply on their newest board mail and writes this line
//! << c3-c6       the same; below it every mail
//! <~ c3-c6       the same; below it every mail with its first paragraph alone
//! <- c3-c6       the sender replies to their last board mail but one; <-- to the last but two
//! ```
//!
//! `UPDATE_GOLDEN=1` writes what came back into the files; the review is reading the diff.

use crate::support::letters::{sent_text, undrawn};
use crate::support::postgres::InDatabase;
use games::{Choices, Next, Roll, Scripted, View};
use postboard::base::chance::ScriptedRandom;
use postboard::base::ids::BoardId;
use postboard::base::key::MAILBOXES;
use postboard::base::password::Hashing;
use postboard::base::time::{Day, Time, hours};
use postboard::config::{Config, Limits, SAMPLE};
use postboard::mail::{Address, REPLY_DELIMITER, parse};
use postboard::model::board::Board;
use postboard::model::dice::DiceKeys;
use postboard::model::rate_limit::RateLimits;
use postboard::model::token::TokenKey;
use postboard::model::user;
use postboard::model::world::count_key;
use postboard::server::check::check as check_home;
use postboard::server::remind;
use postboard::server::{Server, Setup};
use postboard::store::Letter;
use postboard::store::{DocumentKind, Key, MemoryStore, Store};
use std::cell::Cell;
use std::fmt::Write as _;
use std::num::NonZeroU32;

/// A move of the player to move as they write it, who has signed up here.
pub(crate) fn as_typed(board: &Board, text: String) -> String {
    let Next::Move(seat) = board.position().next() else { return text };
    let own = Choices::of_settings(board.game.spec().settings, ["numbers=mine"]);
    let settings = own.unwrap_or_default();
    board.game.text_for_viewer(&View { seat: Some(seat), settings, legal: false }, seat, text)
}

/// A store whose letters are looked at.
pub(crate) trait Staged: Store {
    /// Takes the letters committed since the last call.
    fn take_letters(&mut self) -> Vec<Letter>;
}

impl Staged for MemoryStore {
    fn take_letters(&mut self) -> Vec<Letter> {
        Self::take_letters(self)
    }
}

thread_local! {
    pub(crate) static IS_IN_DATABASE: Cell<bool> = const { Cell::new(false) };
}

/// Where a world is kept: in memory, but for scripts that are run in a database.
fn staged() -> Box<dyn Staged> {
    if IS_IN_DATABASE.get() { Box::new(InDatabase::new()) } else { Box::new(MemoryStore::new()) }
}

/// A world with its mail.
pub(crate) struct Stage {
    pub(crate) setup: Setup,
    store: Box<dyn Staged>,
    pub(crate) chance: ScriptedRandom,
    now: Time,
    mails: usize,
    pub(crate) sender: String,
    /// Every letter sent so far.
    letters: Vec<Letter>,
    /// The lines for the operator.
    log: String,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let mut config = Config::read(&SAMPLE.replace("plus = false", "plus = true")).unwrap();
        config.limits.rate_limits = RateLimits::open();
        config.limits.mails_a_day = NonZeroU32::MAX;
        let setup = Setup {
            identity: config.identity(),
            config,
            key: TokenKey::new([7; 32]),
            dice: DiceKeys::new(&[7; 32], Vec::new()),
            hashing: Hashing::quick(),
        };
        let mut stage = Self {
            setup,
            store: staged(),
            chance: ScriptedRandom::new(Scripted::default()),
            now: day("2004-08-20"),
            mails: 0,
            sender: String::new(),
            letters: Vec::new(),
            log: String::new(),
        };
        for user in ["carol", "bob", "alice"] {
            stage.sender = user.into();
            stage.mail(&format!("signup {user} secret"), "", "postboard@localhost");
        }
        stage.letters.clear();
        stage
    }

    /// Sends a mail and returns the letters that it caused.
    pub(crate) fn mail(&mut self, subject: &str, body: &str, to: &str) -> Vec<Letter> {
        self.mails += 1;
        let raw = format!(
            "Return-Path: <{0}@example.org>\r\nFrom: {0} <{0}@example.org>\r\nTo: {to}\r\n\
             Subject: {subject}\r\nMessage-ID: <{1}@example.org>\r\n\
             Date: Fri, 20 Aug 2004 12:00:00 +0000\r\n\r\n{body}\r\n",
            self.sender, self.mails
        );
        let mut server = Server::new(&self.setup, &mut self.chance);
        server.mail(raw.as_bytes(), &*self.store, self.now).unwrap();
        self.log.extend(server.log.iter().flat_map(|line| [line, "\n"]));
        let mut transaction = server.take();
        let letters = std::mem::take(&mut transaction.letters);
        self.store.commit(transaction).unwrap();
        self.letters.extend(letters.iter().cloned());
        letters
    }

    /// Does what the clocks ask for, and returns the letters that it caused.
    fn remind(&mut self) -> Vec<Letter> {
        self.store.take_letters();
        let mut server = Server::new(&self.setup, &mut self.chance);
        remind::run(&mut server, &mut *self.store, None, self.now, &mut |_| true).unwrap();
        let letters = self.store.take_letters();
        self.letters.extend(letters.iter().cloned());
        letters
    }

    /// Answers a board mail of the sender: the newest, or one so many before it.
    fn reply(&mut self, body: &str, before: usize) -> Vec<Letter> {
        let (_, _, text) = self.board_mail(before);
        let quoted = format!("> {}", text.lines().collect::<Vec<_>>().join("\r\n> "));
        self.answer(&format!("{body}\r\n\r\n{quoted}"), before)
    }
}

impl Stage {
    /// Reply address, Subject and text of a board mail of the sender: the newest, or one so many
    /// before it.
    pub(crate) fn board_mail(&self, before: usize) -> (String, String, String) {
        let own = format!("{}@example.org", self.sender);
        let mut newest_first = self.letters.iter().rev().filter_map(|letter| {
            let text = sent_text(letter);
            let reply_to = text.lines().find_map(|line| line.strip_prefix("Reply-To: "))?;
            let (subject, text) = read(letter);
            (letter.to.as_str() == own).then(|| (reply_to.to_owned(), subject, text))
        });
        newest_first.nth(before).expect("a reply answers a board mail")
    }

    /// Answers such a mail with a text that has all that is quoted in it; returns the letters.
    pub(crate) fn answer(&mut self, text: &str, before: usize) -> Vec<Letter> {
        let (to, subject, _) = self.board_mail(before);
        self.mail(&format!("Re: {subject}"), text, &to)
    }

    /// The board of that number.
    pub(crate) fn board(&self, id: BoardId) -> Board {
        let text = self.store.load(&Key::Board(id.game, id.number)).unwrap().text.unwrap();
        Board::read(&text).unwrap()
    }

    /// The user who writes.
    pub(crate) fn sender(&self) -> &str {
        &self.sender
    }

    /// The operator's lines so far.
    pub(crate) fn log(&self) -> &str {
        &self.log
    }

    /// The next rolls.
    pub(crate) fn dice(&mut self, rolls: &str) {
        self.chance.dice.extend(rolls.split_whitespace().map(|roll| roll.parse::<Roll>().unwrap()));
    }

    /// Sends a command and returns what its sender is answered.
    pub(crate) fn say(&mut self, sender: &str, line: &str) -> String {
        self.sender = sender.into();
        let letters = self.mail(line, "", "postboard@localhost");
        let own = format!("{sender}@example.org");
        let answers = letters.iter().filter(|letter| letter.to.as_str() == own);
        answers.map(|letter| read(letter).1).collect()
    }

    /// Answers the newest board mail of a user with another Subject; returns the answer.
    pub(crate) fn answer_as(&mut self, sender: &str, subject: &str, body: &str) -> String {
        self.sender = sender.into();
        let (to, ..) = self.board_mail(0);
        let letters = self.mail(subject, body, &to);
        let own = format!("{sender}@example.org");
        let answers = letters.iter().filter(|letter| letter.to.as_str() == own);
        answers.map(|letter| read(letter).1).collect()
    }

    /// The letter that was sent last.
    pub(crate) fn last_letter(&self) -> Letter {
        self.letters.last().unwrap().clone()
    }

    /// The last answer to a user.
    pub(crate) fn last_to(&self, user: &str) -> String {
        let to = format!("{user}@example.org");
        let last = self.letters.iter().rfind(|letter| letter.to.as_str() == to);
        read(last.unwrap()).1
    }

    /// The Subjects of all letters sent so far.
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.letters.iter().map(|letter| read(letter).0).collect()
    }

    /// Executes a mail as it is, and returns the letters that it caused.
    pub(crate) fn raw(&mut self, raw: &[u8]) -> Vec<Letter> {
        let mut server = Server::new(&self.setup, &mut self.chance);
        server.mail(raw, &*self.store, self.now).unwrap();
        let mut transaction = server.take();
        let letters = std::mem::take(&mut transaction.letters);
        self.store.commit(transaction).unwrap();
        letters
    }

    /// Every document with its text.
    pub(crate) fn documents(&self) -> Vec<(Key, String)> {
        let mut keys = [
            self.store.keys(DocumentKind::In(user::DRAWER)),
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

    /// Checks after every script: the home is whole, and no secret is in it or in the log.
    pub(crate) fn check(&self) {
        let report = postboard::server::check::check(&*self.store, self.now).unwrap();
        assert_eq!([report.wrong, report.mended].concat(), Vec::<String>::new());
        let users = self.store.keys(DocumentKind::In(user::DRAWER)).unwrap();
        let texts = users.iter().map(|key| self.store.load(key).unwrap().text.unwrap());
        for text in texts.chain([self.log.clone()]) {
            for secret in ["secret", "sesame", WORD] {
                assert!(!text.contains(secret), "{secret} stands in\n{text}");
            }
        }
    }
}

/// The random half of every one-time word here.
pub(crate) const WORD: &str = "a4dqobyha4dqobyh";

fn day(date: &str) -> Time {
    let day = Day::parse(date).expect("`at` is followed by a day such as 2004-08-20");
    day.start() + hours(12)
}

/// Subject and text of a letter, read back as a mail program would.
pub(crate) fn read(letter: &Letter) -> (String, String) {
    let nobody = Address::parse("nobody@elsewhere.example").unwrap();
    // Our own mails are marked as automatic; that is what `no_reply` says and nothing is wrong.
    let message = parse(&undrawn(letter), &nobody).unwrap();
    (message.subject, message.text)
}

/// Runs a script and returns it with what really came back.
pub(crate) fn run(script: &str) -> String {
    let mut stage = Stage::new();
    let mut out = perform(&mut stage, script);
    let report = check_home(&*stage.store, stage.now).unwrap();
    assert_eq!([report.wrong, report.mended].concat(), Vec::<String>::new(), "{out}");
    assert_eq!(stage.chance.dice.left(), 0, "dice were left over:\n{out}");
    stage.check();
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

/// Plays a script on a stage and returns it with what came back.
pub(crate) fn perform(stage: &mut Stage, script: &str) -> String {
    stage.sender = "alice".into();
    let mut out = String::new();
    let (mut body, mut rows): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut lines = script.lines().peekable();
    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            // The answers of an earlier run.
            _ if line.starts_with("    ") => continue,
            "stones" => {
                rows.extend(rest.trim().split('/'));
                if rows.len() == usize::from(games::SIZE) {
                    stage.chance.dice.lay(rows.join("/").parse().unwrap());
                    rows.clear();
                }
            }
            "dice" => {
                stage.dice(rest);
            }
            "as" => stage.sender = rest.trim().into(),
            "at" => stage.now = day(rest.trim()),
            "limits" => stage.setup.config.limits = Limits::default(),
            "|" => body.push(rest),
            ">" | ">>" | "<" | "<<" | "<~" | "<-" | "<--" | "~" | "~~" | "#" | "" | "remind" => {}
            _ => continue,
        }
        if word.is_empty() && !out.ends_with("\n\n") || !word.is_empty() {
            let _ = writeln!(out, "{line}");
        }
        if word == "remind" {
            let letters = stage.remind();
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
        if !matches!(word, ">" | ">>" | "<" | "<<" | "<~" | "<-" | "<--" | "~" | "~~") {
            continue;
        }
        // A second line of a reply or a comment belongs to the same mail.
        let mut reply = vec![rest];
        while let Some(more) = lines.next_if(|line| line.starts_with('|')) {
            reply.push(more[1..].trim_start());
            let _ = writeln!(out, "{more}");
        }
        let letters = if word.starts_with('<') {
            stage.reply(&reply.join("\r\n"), word.matches('-').count())
        } else {
            let mut text = std::mem::take(&mut body);
            text.extend(&reply[1..]);
            stage.mail(rest, &text.join("\r\n"), "postboard@localhost")
        };
        let own = format!("{}@example.org", stage.sender);
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

/// The first sentence of an answer, below the mark.
fn first_sentence(text: &str) -> &str {
    let below = text.strip_prefix(REPLY_DELIMITER).unwrap_or(text).trim_start();
    below.split_once("\n\n").map_or(below, |(first, _)| first)
}

/// Answers are indented by four columns, so that they cannot be taken for commands.
fn indented(text: &str) -> String {
    text.trim_end()
        .lines()
        .map(|line| if line.is_empty() { "\n".into() } else { format!("    {line}\n") })
        .collect()
}
