//! Chromium and the real program: alice and carol play by clicks, bob and dave by mail.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs the server and a browser"
)]
#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

mod administration;
mod analysis;
mod app;
mod boards;
mod charts;
mod driver;
mod ends;
mod faults;
mod first_run;
mod forms;
mod games;
mod hands;
mod lists;
mod looks;
mod mail;
mod marks;
mod newcomer;
mod pictures;
mod terminal;
mod tournament;
mod values;
mod welcome;
mod words;

use crate::mail::postfix::Postfix;
use crate::support::program::{Home, Mail, Ran, mail, names};
use crate::support::web::home::{MALAKA, malaka};
use ::games::{Chance, View};
use driver::{Browser, Element, Window};
use postboard::base::ids::BoardId;
use postboard::model::board::{Board, BoardStatus};
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The transport of bob's mails.
enum Mails {
    /// Delivers letters into a folder, and passes bob's mails to `receive`.
    Folder(Home),
    /// Sends all mails through a real Postfix.
    Postfix(Box<Postfix>),
}

/// A board of a game that lasts. Of Malaka, one random game in 250 ends within eight moves.
const MOLOKO: BoardId = BoardId { game: "moloko", number: 1 };

/// A served home with users alice and bob.
struct ServedHome {
    mails: Mails,
    server: Child,
    address: String,
    chance: Chance,
    /// The board mails to players by mail, and the number of mails from them.
    read: Vec<Mail>,
    sent: u32,
}

impl ServedHome {
    fn new() -> Self {
        Self::configured("[web]", "[web]")
    }

    /// Serves a home with a line of its configuration replaced.
    fn configured(from: &str, to: &str) -> Self {
        let home = Home::new();
        home.configure(from, to);
        home.configure("mails_a_day = 200", "mails_a_day = 1000000");
        // The tests read the letters, so `serve` must not send them.
        home.configure(&home.by_folder(), "by = \"nothing\"");
        let server = home.command();
        Self::with(Mails::Folder(home), server)
    }

    /// Serves a home whose server sends the mails. Only the server may then write into their folder.
    fn sending() -> Self {
        let home = Home::new();
        let server = home.command();
        Self::serve(Mails::Folder(home), server)
    }

    /// Serves a home whose mails go through Postfix.
    fn behind_postfix() -> Self {
        let post = Postfix::start("by = \"maildir\"\npath = \"DIR/mail/{local}\"");
        let file = post.at("home/postboard.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        let many = "mails_a_day = 1000000";
        std::fs::write(&file, text.replace("mails_a_day = 200", many)).unwrap();
        let mut server = Command::new(post.at("postboard"));
        let (user, group) = post.user();
        server.uid(user).gid(group).current_dir("/").env_remove("POSTBOARD_HOME");
        server.arg("--home").arg(post.at("home"));
        Self::with(Mails::Postfix(Box::new(post)), server)
    }

    /// Serves a home, and sends the letters so far.
    fn with(mails: Mails, server: Command) -> Self {
        let mut town = Self::serve(mails, server);
        town.deliver();
        town
    }

    fn serve(mails: Mails, mut server: Command) -> Self {
        server.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut server = server.spawn().unwrap();
        let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
        let said = said.next().unwrap().unwrap();
        let address = said.rsplit(' ').next().unwrap().trim_end_matches('/').to_owned();
        if let Mails::Folder(home) = &mails
            && home.read("postboard.toml").contains("\nby = \"nothing\"\n")
        {
            home.configure("by = \"nothing\"", &home.by_folder());
        }
        let town =
            Self { mails, server, address, chance: Chance::new(17), read: Vec::new(), sent: 0 };
        for user in ["alice", "bob"] {
            town.done(&format!("signup {user} secret {user}@pbm.test"));
        }
        town
    }

    /// Runs a player's command and checks that it succeeds.
    fn done(&self, words: &str) {
        match &self.mails {
            Mails::Folder(home) => drop(home.done(words)),
            Mails::Postfix(post) => {
                let words: Vec<&str> = words.split(' ').collect();
                let ran = post.postboard(&words);
                assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}: {}", ran.out);
            }
        }
    }

    /// Checks that `check` finds nothing and that no mail waits.
    fn assert_tidy(&mut self) {
        self.deliver();
        match &self.mails {
            Mails::Folder(home) => home.assert_tidy(),
            Mails::Postfix(post) => {
                let ran = post.postboard(&["check"]);
                assert_eq!(ran, Ran::silent(0));
                for folder in ["spool/new", "spool/bad", "outbox/new", "outbox/bad"] {
                    assert_eq!(names(&post.at("home").join(folder)), [""; 0], "{folder}");
                }
            }
        }
    }

    /// Returns the URL of a board's page.
    fn page(&self, id: BoardId) -> String {
        format!("{}/{}/{}", self.address, id.game, id.number)
    }

    /// Opens a browser and signs alice in.
    fn alice(&self, window: Window) -> Browser {
        self.enters("alice", window)
    }

    /// Opens a browser and signs a user in.
    fn enters(&self, user: &str, window: Window) -> Browser {
        let browser = Browser::open(window);
        self.signs_in(user, &browser);
        browser
    }

    /// Ends the server.
    fn stop(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    /// Signs a user in.
    fn signs_in(&self, user: &str, browser: &Browser) {
        browser.go(&format!("{}/signin", self.address));
        browser.write("input[name=user]", user);
        browser.write("input[name=password]", "secret");
        browser.click(&browser.find("form[action='/signin'] button"));
        browser.until(
            "the boards of who signs in",
            "return document.readyState == 'complete' \
                 && document.querySelector('h1')?.textContent == 'My boards'",
        );
    }

    fn board(&self, id: BoardId) -> Board {
        let path = format!("boards/{}/{}/{}.json", id.game, id.number / 1000, id.number);
        let text = match &self.mails {
            Mails::Folder(home) => home.read(&path),
            Mails::Postfix(post) => std::fs::read_to_string(post.at("home").join(path)).unwrap(),
        };
        Board::read(&text).unwrap()
    }

    /// Returns the player to move, or `None` if the board is over.
    fn due(&self, id: BoardId) -> Option<String> {
        let board = self.board(id);
        match board.status() {
            BoardStatus::ToMove(seat) => Some(board.player(seat).to_string()),
            _ => None,
        }
    }

    /// Sends the waiting letters and stores the letters about boards to bob and dave.
    fn deliver(&mut self) {
        let mails = match &mut self.mails {
            Mails::Folder(home) => home.delivered(),
            Mails::Postfix(post) => {
                post.cron();
                post.until("the outbox is empty", |post| {
                    names(&post.at("home/outbox/new")).is_empty()
                });
                post.come(1)
            }
        };
        let is_read = |mail: &Mail| {
            let is_board = mail.text.contains("\nPosition:") && mail.reply_to.is_some();
            is_board && ["bob@", "dave@"].iter().any(|reader| mail.to.contains(reader))
        };
        self.read.extend(mails.into_iter().filter(is_read));
    }

    /// Replies as bob to the mail that shows the current position.
    fn bob_replies(&mut self, id: BoardId, words: &str) {
        self.replies("bob", id, words);
    }

    /// Replies as a player by mail to the mail that shows the current position of a board.
    fn replies(&mut self, user: &str, id: BoardId, words: &str) {
        // A mail may break a long position line at any character.
        let bare = |line: &str| line.split_whitespace().collect::<String>();
        let position = bare(&self.board(id).position().visible_notation(&View::default()));
        let deadline = Instant::now() + Duration::from_mins(1);
        let latest = loop {
            self.deliver();
            let is_latest = |mail: &&Mail| {
                let about = format!("+b{}{}m", id.game, id.number);
                mail.to.contains(&format!("{user}@"))
                    && mail.reply_to.as_ref().is_some_and(|to| to.contains(&about))
                    && bare(&mail.position()) == position
            };
            let latest = self.read.iter().rfind(is_latest);
            if let Some(latest) = latest {
                break latest.clone();
            }
            assert!(
                Instant::now() < deadline,
                "{user} has got no mail about {position}: {:?}",
                self.read.last()
            );
        };
        let Mail { subject, text, reply_to, .. } = latest;
        let (to, quoted) = (reply_to.unwrap(), text.lines().collect::<Vec<_>>().join("\n> "));
        let body = format!("{words}\n\nOn Sat, 21 Nov 2026, Postboard <{to}> wrote:\n> {quoted}");
        self.mails(user, &to, &format!("Re: {subject}"), &body);
    }

    /// Sends a mail of a player and executes it.
    fn mails(&mut self, from: &str, to: &str, subject: &str, body: &str) {
        self.sent += 1;
        match &mut self.mails {
            Mails::Folder(home) => {
                home.receive(mail(self.sent, from, to, subject, body).as_bytes());
                home.process();
            }
            Mails::Postfix(post) => post.command(from, to, subject, body),
        }
    }

    /// Makes a random move for the player to move, by a command.
    fn make_move(&mut self, id: BoardId) {
        let (due, words) = (self.due(id).unwrap(), self.any_move(id));
        self.done(&format!("{} move {} {due} secret {words}", id.game, id.number));
    }

    /// Returns a random legal move of the player to move.
    fn any_move(&mut self, id: BoardId) -> String {
        let board = self.board(id);
        let count = board.position().count();
        let words = board.position().nth_move(self.chance.below(count)).unwrap();
        crate::support::script::as_typed(&board, words)
    }
}

impl Drop for ServedHome {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Follows a link: with scripts the page is updated, without scripts another page is loaded.
fn follow(browser: &Browser, link: &Element) {
    let href = browser.attribute(link, "href").unwrap();
    browser.click(link);
    let is_there = format!(
        "return document.readyState == 'complete' && location.href.endsWith({href:?}) \
         && !document.querySelector('[aria-busy]')"
    );
    browser.until(&href, &is_there);
}

/// Returns the number of moves that the page shows.
fn moves_made(browser: &Browser) -> String {
    browser.attribute(&browser.find("nav.steps"), "data-made").unwrap()
}

/// Waits until the page shows another number of moves.
fn moves_come(browser: &Browser, made: &str) {
    let is_other = "document.querySelector('nav.steps').dataset.made !=";
    browser.until("the other's move", &format!("return {is_other} {made:?}"));
}

/// The JavaScript expression for the part of a board's page that changes with every action.
const NEWS: &str = "(document.querySelector('.news')?.textContent ?? '') \
                    + document.querySelector('nav.steps')?.dataset.made";

/// Clicks a button and waits for its effect.
fn send(browser: &Browser, button: &Element) {
    let news = browser.run(&format!("return {NEWS}"));
    browser.click(button);
    let is_done = format!(
        "return document.readyState == 'complete' && {NEWS} != {news} \
         && !document.querySelector('[aria-busy]')"
    );
    browser.until("the move", &is_done);
}

/// The selectors of the send button, the targets and the clickable points of a board.
const PLAY: &str = "section.turn button.main";
const TARGET: &str = "svg.board a[data-spot]:has(.target)";
const SPOT: &str = "svg.board a[data-spot]";

/// Makes a random move by clicking men, targets and the send button.
fn plays(browser: &Browser, chance: &mut Chance) {
    browser.find("section.turn");
    loop {
        match browser.counts([PLAY, TARGET, SPOT]) {
            [0, 0, 0] => panic!("nothing can be pressed: {}", browser.page()),
            [0, 0, spots] => follow(browser, &Element::nth(SPOT, chance.below(spots))),
            [0, targets, _] => follow(browser, &Element::nth(TARGET, chance.below(targets))),
            _ => return send(browser, &browser.find(PLAY)),
        }
    }
}
