//! Five tasks of somebody who has never been here, in Chromium, with the clicks and seconds that each takes:
//! `cargo test --test postboard browser::newcomer -- --ignored --nocapture`.
//!
//! The newcomer finds everything by the words on the page. The seconds are those of a careful person, by the
//! constants below, and do not depend on the machine. A task fails if its way gets longer than it was.

use super::*;
use ::games::Next;
use postboard::reply::analysis::Judgement;
use std::cell::Cell;

/// The seconds that a person needs to point and click, to press a key, and to read a new page.
const CLICK: f64 = 1.1;
const KEY: f64 = 0.28;
const READ: f64 = 1.2;

const BACKGAMMON: BoardId = BoardId { game: "backgammon", number: 1 };

/// The steps of a task.
#[derive(Clone, Copy, Debug, Default)]
struct Steps {
    clicks: u32,
    keys: u32,
    pages: u32,
}

impl Steps {
    fn seconds(self) -> f64 {
        CLICK * f64::from(self.clicks) + KEY * f64::from(self.keys) + READ * f64::from(self.pages)
    }
}

/// A person in front of a browser.
struct Newcomer {
    browser: Browser,
    steps: Cell<Steps>,
}

impl Newcomer {
    /// Looks at the page that is open.
    fn at(browser: Browser) -> Self {
        let steps = Cell::new(Steps { pages: 1, ..Steps::default() });
        Self { browser, steps }
    }

    fn add(&self, more: Steps) {
        let Steps { clicks, keys, pages } = self.steps.get();
        let (clicks, keys) = (clicks + more.clicks, keys + more.keys);
        self.steps.set(Steps { clicks, keys, pages: pages + more.pages });
    }

    /// Clicks the first visible link or button that begins with these words, and reads the page after it.
    fn presses(&self, words: &str) {
        let visible = format!(
            "[...document.querySelectorAll('a, button')].find((it) => it.checkVisibility() \
             && it.textContent.trim().startsWith({words:?}))"
        );
        self.browser.until(words, &format!("return !!{visible}"));
        self.clicks(&Element::of(visible), 1);
    }

    /// Clicks an element, and waits until the page after it is there.
    fn clicks(&self, element: &Element, pages: u32) {
        self.browser.click(element);
        self.add(Steps { clicks: 1, keys: 0, pages });
        self.browser.until(
            "the page",
            "return document.readyState == 'complete' && !document.querySelector('[aria-busy]')",
        );
    }

    fn types(&self, selector: &str, text: &str) {
        self.browser.write(selector, text);
        let keys = u32::try_from(text.len()).unwrap();
        self.add(Steps { clicks: 1, keys, pages: 0 });
    }

    /// Puts a move together by clicking men and targets, and plays it.
    fn makes_a_move(&self) {
        let play = "//section[@id='turn']//button[starts-with(normalize-space(.), 'Play ')]";
        let can_play = format!(
            "return !!document.evaluate({play:?}, document, null, XPathResult.ANY_TYPE).iterateNext()"
        );
        self.browser.find("section.turn");
        while self.browser.run(&can_play) != true {
            let [targets, spots] = self.browser.counts([TARGET, SPOT]);
            assert!(targets + spots > 0, "nothing can be pressed: {}", self.browser.page());
            let what = if targets > 0 { TARGET } else { SPOT };
            follow(&self.browser, &self.browser.find(what));
            self.add(Steps { clicks: 1, ..Steps::default() });
        }
        send(&self.browser, &self.browser.sees(play));
        self.add(Steps { clicks: 1, keys: 0, pages: 1 });
    }
}

/// Finishes a board of Backgammon that alice has lost.
fn finish_a_board(town: &mut ServedHome) {
    town.done("backgammon challenge alice bob");
    while town.board(BACKGAMMON).next_move() < 16 {
        town.make_move(BACKGAMMON);
    }
    town.done("backgammon resign 1 alice secret backgammon");
}

/// Signs up, begins a game against the program, and makes a move.
fn sign_up_and_make_a_move() -> Steps {
    let town = ServedHome::new();
    let browser = Browser::open(Window::DESK);
    browser.go(&town.address);
    let newcomer = Newcomer::at(browser);
    newcomer.presses("Sign up");
    newcomer.types("input[name=user]", "nina");
    newcomer.types("input[name=password]", "secret12");
    newcomer.types("input[name=address]", "nina@pbm.test");
    newcomer.clicks(&newcomer.browser.find("form[action='/signup'] button"), 1);
    newcomer.browser.sees("//h1[.='Welcome, nina!']");
    newcomer.presses("Play the program now");
    newcomer.makes_a_move();
    newcomer.steps.get()
}

/// Accepts an open challenge of bob.
fn accept_a_challenge() -> Steps {
    let town = ServedHome::new();
    town.done("backgammon seek bob secret");
    let alice = town.alice(Window::DESK);
    alice.go(&town.address);
    let newcomer = Newcomer::at(alice);
    newcomer.presses("Accept");
    newcomer.browser.find("svg.board");
    assert!(town.board(BACKGAMMON).players.iter().any(|player| player.as_str() == "alice"));
    newcomer.steps.get()
}

/// Takes bob's double, beginning at the list of boards.
fn answer_a_double() -> Steps {
    let mut town = ServedHome::new();
    town.done("backgammon challenge alice bob -match=3");
    town.done("backgammon manual 1 bob secret");
    loop {
        let board = town.board(BACKGAMMON);
        let due = town.due(BACKGAMMON).unwrap();
        if due == "bob" && matches!(board.position().next(), Next::Ready(..)) {
            break;
        }
        town.make_move(BACKGAMMON);
    }
    town.done("backgammon move 1 bob secret double");
    let alice = town.alice(Window::DESK);
    let newcomer = Newcomer::at(alice);
    newcomer.presses("Backgammon 1");
    newcomer.presses("Take");
    newcomer.browser.until("the answer", "return !document.querySelector('button[value=take]')");
    assert_eq!(town.due(BACKGAMMON).as_deref(), Some("bob"));
    newcomer.steps.get()
}

/// Finds the costliest move of a lost game.
fn find_the_worst_mistake() -> Steps {
    let mut town = ServedHome::new();
    finish_a_board(&mut town);
    let newcomer = Newcomer::at(town.alice(Window::DESK));
    newcomer.presses("Backgammon 1");
    newcomer.presses("Analys");
    let shown = newcomer.browser.text(".shown h2");
    let board = town.board(BACKGAMMON);
    let judgement = Judgement::of_board(&board, None).unwrap();
    let is_hers = |seat| board.player(seat).as_str() == "alice";
    let own = judgement.moves().into_iter().filter(|it| is_hers(it.seat));
    let worst = own.max_by(|one, other| one.cost.total_cmp(&other.cost)).unwrap();
    assert!(shown.starts_with(&format!("{}. alice", worst.number)), "{shown}");
    newcomer.browser.find(".shown .mistake");
    newcomer.steps.get()
}

/// Asks for another game against the same opponent.
fn ask_for_a_rematch() -> Steps {
    let mut town = ServedHome::new();
    finish_a_board(&mut town);
    let newcomer = Newcomer::at(town.alice(Window::DESK));
    newcomer.presses("Backgammon 1");
    newcomer.presses("Rematch");
    newcomer.browser.until("the rematch", "return location.pathname == '/backgammon/2'");
    newcomer.browser.find("svg.board");
    newcomer.steps.get()
}

/// A task with the most clicks and seconds that it may take.
struct Task {
    name: &'static str,
    does: fn() -> Steps,
    most_clicks: u32,
    most_seconds: f64,
}

const TASKS: [Task; 5] = [
    Task {
        name: "sign up and make a first move",
        does: sign_up_and_make_a_move,
        most_clicks: 13,
        most_seconds: 30.0,
    },
    Task {
        name: "accept a challenge",
        does: accept_a_challenge,
        most_clicks: 1,
        most_seconds: 3.5,
    },
    Task { name: "answer a double", does: answer_a_double, most_clicks: 2, most_seconds: 5.8 },
    Task {
        name: "find my worst mistake",
        does: find_the_worst_mistake,
        most_clicks: 2,
        most_seconds: 5.8,
    },
    Task { name: "rematch", does: ask_for_a_rematch, most_clicks: 2, most_seconds: 5.8 },
];

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_newcomer_finds_the_way() {
    let mut long = Vec::new();
    println!("{:31} {:>6} {:>5} {:>6} {:>8}", "task", "clicks", "keys", "pages", "seconds");
    for Task { name, does, most_clicks, most_seconds } in TASKS {
        let steps = does();
        let Steps { clicks, keys, pages } = steps;
        let seconds = steps.seconds();
        println!("{name:31} {clicks:6} {keys:5} {pages:6} {seconds:8.1}");
        if clicks > most_clicks || seconds > most_seconds {
            long.push(format!("{name}: {clicks} clicks, {seconds:.1} s"));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
