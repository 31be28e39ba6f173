//! Chromium and the real program: alice clicks, bob plays by mail.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the program serves, and a browser runs beside it"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod driver;
mod games;
mod hands;
mod looks;

use crate::program::{Home, Mail, mail};
use ::games::Chance;
use driver::{Browser, Element, Window};
use postboard::base::ids::BoardId;
use postboard::model::board::{Board, Status};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

/// A home that is served, with alice and bob in it.
struct Town {
    home: Home,
    server: Child,
    address: String,
    chance: Chance,
    /// The latest mail to bob about each board, and how many he has sent.
    last: Option<Mail>,
    sent: u32,
}

impl Town {
    fn new() -> Self {
        let home = Home::new();
        home.configure("mails_a_day = 200", "mails_a_day = 1000000");
        for user in ["alice", "bob"] {
            home.done(&format!("signup {user} secret {user}@pbm.test"));
        }
        home.delivered();
        let mut command = home.command();
        command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
        let said = said.next().unwrap().unwrap();
        let address = said.rsplit(' ').next().unwrap().trim_end_matches('/').to_owned();
        Self { home, server, address, chance: Chance::new(17), last: None, sent: 0 }
    }

    /// A browser in which alice has signed in.
    fn alice(&self, window: Window) -> Browser {
        let browser = Browser::open(window);
        browser.go(&format!("{}/signin", self.address));
        browser.write("input[name=user]", "alice");
        browser.write("input[name=password]", "secret");
        browser.click(&browser.find("form[action='/signin'] button"));
        browser.sees("//h1[.='My boards']");
        browser
    }

    fn board(&self, id: BoardId) -> Board {
        let path = format!("boards/{}/{}/{}.json", id.game, id.number / 1000, id.number);
        Board::read(&self.home.read(&path)).unwrap()
    }

    /// Who is to do something on a board; nobody when it is over.
    fn due(&self, id: BoardId) -> Option<String> {
        let board = self.board(id);
        match board.status() {
            Status::ToMove(seat) => Some(board.player(seat).to_string()),
            _ => None,
        }
    }

    /// Sends what waits; bob reads what is for him.
    fn deliver(&mut self) {
        let to_bob = |mail: &Mail| mail.to.contains("bob@") && mail.reply_to.is_some();
        self.last = self.home.delivered().into_iter().rfind(to_bob).or(self.last.take());
    }

    /// Bob answers his latest mail.
    fn bob_replies(&mut self, words: &str) {
        self.deliver();
        let Mail { subject, text, reply_to, .. } = self.last.clone().unwrap();
        let (to, quoted) = (reply_to.unwrap(), text.lines().collect::<Vec<_>>().join("\n> "));
        let body = format!("{words}\n\nOn Sat, 21 Nov 2026, Postboard <{to}> wrote:\n> {quoted}");
        self.sent += 1;
        let raw = mail(self.sent, "bob", &to, &format!("Re: {subject}"), &body);
        self.home.receive(raw.as_bytes());
        self.home.process();
    }

    /// A legal move of whoever is to move.
    fn any_move(&mut self, id: BoardId) -> String {
        let board = self.board(id);
        let count = board.position().count();
        board.position().nth_move(self.chance.below(count)).unwrap()
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Follows a link of a page: with a script the page stays, without it another is loaded.
fn follow(browser: &Browser, link: &Element) {
    let href = browser.attribute(link, "href").unwrap();
    browser.click(link);
    let is_there = format!(
        "return document.readyState == 'complete' && location.href.endsWith({href:?}) \
         && !document.querySelector('[aria-busy]')"
    );
    browser.until(&href, &is_there);
}

/// How many moves the record of the page has.
fn moves_made(browser: &Browser) -> String {
    let nav = browser.find("nav.steps");
    browser.attribute(&nav, "data-made").unwrap()
}

/// What changes on the page of a board with whatever is done there.
const NEWS: &str = "(document.querySelector('.news')?.textContent ?? '') \
                    + document.querySelector('nav.steps')?.dataset.made";

/// Presses a button that does something, and waits until it is done.
fn send(browser: &Browser, button: &Element) {
    let news = browser.run(&format!("return {NEWS}"));
    browser.click(button);
    let is_done = format!(
        "return document.readyState == 'complete' && {NEWS} != {news} \
         && !document.querySelector('[aria-busy]')"
    );
    browser.until("the move", &is_done);
}

/// Makes a move by pressing what can be pressed, one thing after the other, chosen by chance.
fn plays(browser: &Browser, chance: &mut Chance) {
    browser.find(".turn");
    loop {
        if let Some(play) = browser.all(".turn button.main").first() {
            return send(browser, play);
        }
        let targets = browser.all("svg.board a[data-spot]:has(.target)");
        let spots =
            if targets.is_empty() { browser.all("svg.board a[data-spot]") } else { targets };
        assert!(!spots.is_empty(), "nothing can be pressed: {}", browser.page());
        follow(browser, &spots[chance.below(spots.len())]);
    }
}
