//! A newcomer: the lessons by touch, by keyboard and without scripts, and a game as a guest that goes
//! on after signing up.

use super::*;
use driver::{ENTER, RIGHT, TAB};
use serde_json::json;

/// The spots to press in each of the six steps of a lesson.
type Solution = [&'static [&'static str]; 6];

const MALAKA: Solution = [
    &["a1", "a4"],
    &["c8", "d6"],
    &["a8", "d8", "b6", "b8"],
    &["a4", "a6", "b8", "c8"],
    &["e5", "h5", "f2", "g2"],
    &["h6", "h8", "i7", "i8"],
];

const BACKGAMMON: Solution = [
    &["24", "13"],
    &["8", "5", "6", "5"],
    &["8", "4", "6", "4"],
    &["bar", "20", "13", "11"],
    &["6", "off", "4", "off"],
    &["2", "off", "1", "off"],
];

const REVERSI: Solution = [&["d7"], &["f5"], &["e3"], &["a1"], &["e6"], &["i1"]];

/// A telephone whose browser shows 390 x 664 points.
fn telephone() -> Browser {
    let browser = Browser::open(Window { width: 390, ..Window::DESK });
    let size = json!({ "width": 390, "height": 664, "deviceScaleFactor": 1, "mobile": true });
    browser.chromium("Emulation.setDeviceMetricsOverride", &size);
    browser.chromium("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    browser
}

/// Waits for an element and touches its middle.
fn tap(browser: &Browser, selector: &str) {
    browser.find(selector);
    let script = format!(
        "const it = document.querySelector({selector:?}); \
         it.scrollIntoView({{ block: 'nearest', behavior: 'instant' }}); \
         const {{ x, y, width, height }} = it.getClientRects()[0]; \
         const [at, to] = [x + width / 2, y + height / 2]; \
         const seen = document.elementFromPoint(at, to); \
         if (!it.contains(seen)) throw Error(`${{seen?.outerHTML}} hides ${{it.outerHTML}}`); \
         return [at, to]"
    );
    let at = browser.run(&script);
    browser.tap([0, 1].map(|i| at[i].as_f64().unwrap()));
}

/// Moves the focus to an element by the Tab key, and presses Enter.
fn enter(browser: &Browser, selector: &str) {
    browser.find(selector);
    let has_focus = format!("return document.activeElement.matches({selector:?})");
    let mut tabs = 0;
    while browser.run(&has_focus) != true {
        browser.press(TAB);
        tabs += 1;
        assert!(tabs < 120, "{selector} has no focus: {}", browser.page());
    }
    browser.press(ENTER);
}

/// Waits until the page is at rest and has an element.
fn awaits(browser: &Browser, what: &str, selector: &str) {
    let script = format!(
        "return document.readyState == 'complete' && !document.querySelector('[aria-busy]') \
         && !!document.querySelector({selector:?})"
    );
    browser.until(what, &script);
}

fn spot(name: &str) -> String {
    format!("svg.board a[data-spot='{name}']")
}

/// Follows a link of the page to a step of a lesson, and waits for the step.
fn at_step(browser: &Browser, number: usize) {
    awaits(browser, "a step", &format!(".numbers a[aria-current=step]:nth-child({number})"));
    awaits(browser, "an unsolved step", ".lesson .verdict .quiet");
}

/// Solves all steps of a lesson, each by presses of `press`; `next` leads to the next step.
fn solve(
    browser: &Browser,
    solution: &Solution,
    press: &dyn Fn(&Browser, &str),
    next: &dyn Fn(&Browser),
) {
    for (index, presses) in solution.iter().enumerate() {
        at_step(browser, index + 1);
        for (done, name) in presses.iter().enumerate() {
            let before = browser.run("return location.href");
            press(browser, &spot(name));
            let is_other = format!(
                "return location.href != {before} && document.readyState == 'complete' \
                 && !document.querySelector('[aria-busy]')"
            );
            browser.until(&format!("press {done} of step {index}"), &is_other);
        }
        awaits(browser, "praise", ".lesson .verdict .right");
        if index < 5 {
            next(browser);
        }
    }
    awaits(browser, "a game to go on with", "form[action='/play'] button.main");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_newcomer_learns_three_games_by_touch() {
    let town = ServedHome::new();
    let browser = telephone();
    for (name, solution) in [("malaka", MALAKA), ("backgammon", BACKGAMMON), ("reversi", REVERSI)] {
        browser.go(&format!("{}/", town.address));
        tap(&browser, &format!(".welcome a[href='/learn/{name}']"));
        at_step(&browser, 1);
        let seen = "return scrollY == 0 \
                    && document.querySelector('.lesson .task').getBoundingClientRect().top > 0 \
                    && document.querySelector('svg.board').getBoundingClientRect().bottom <= 664";
        assert_eq!(browser.run(seen), true, "{name}: the board is below the fold");
        solve(&browser, &solution, &tap, &|it| tap(it, "a.main[rel=next]"));
    }
    // A wrong move is explained and made again.
    browser.go(&format!("{}/learn/malaka", town.address));
    for name in ["a7", "d7"] {
        tap(&browser, &spot(name));
        awaits(&browser, "the press", &format!("{}, .wrong", spot("d7")));
    }
    awaits(&browser, "a reason", ".lesson .verdict .wrong");
    tap(&browser, ".lesson .actions a.main");
    at_step(&browser, 1);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_newcomer_learns_by_the_keyboard_alone() {
    let town = ServedHome::new();
    let browser = Browser::open(Window::DESK);
    for (name, solution) in [("malaka", MALAKA), ("backgammon", BACKGAMMON), ("reversi", REVERSI)] {
        browser.go(&format!("{}/learn/{name}", town.address));
        browser.run("window.isTheSame = true");
        solve(&browser, &solution, &enter, &|it| it.press(RIGHT));
        assert_eq!(browser.run("return window.isTheSame"), true, "the page was not loaded again");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_newcomer_learns_without_scripts() {
    let town = ServedHome::new();
    let browser = Browser::open(Window::PLAIN);
    let click = |it: &Browser, selector: &str| it.click(&it.find(selector));
    for (name, solution) in [("backgammon", BACKGAMMON), ("reversi", REVERSI)] {
        browser.go(&format!("{}/learn/{name}", town.address));
        solve(&browser, &solution, &click, &|it| click(it, "a.main[rel=next]"));
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_guest_plays_the_program_signs_up_and_goes_on() {
    let mut town = ServedHome::new();
    // A game without dice, which cannot end within these moves.
    let id = BoardId { game: "reversi", number: 1 };
    let browser = Browser::open(Window::DESK);
    browser.go(&format!("{}/", town.address));
    browser.click(&browser.find(".choice label:has(input[value=reversi])"));
    browser.click(&browser.find("form.first button.main"));
    awaits(&browser, "the board", "svg.board");
    let mut chance = Chance::new(5);
    for _ in 0..3 {
        plays(&browser, &mut chance);
    }
    let (before, record) = (town.board(id).players.clone(), town.board(id).record.clone());
    let guest = before.iter().find(|player| player.as_str().starts_with("guest-")).unwrap();
    browser.click(&browser.find("header a[href='/signup']"));
    browser.write("input[name=user]", "Dave");
    browser.write("input[name=password]", "secret");
    browser.write("input[name=address]", "dave@pbm.test");
    browser.click(&browser.find("form[action='/signup'] button"));
    browser.sees("//h1[.='Welcome, Dave!']");
    assert_eq!(town.board(id).record, record, "no move is lost");
    assert!(town.board(id).players.iter().all(|player| player != guest));
    browser.click(&browser.find("main a.main[href='/reversi/1']"));
    awaits(&browser, "the board", "svg.board");
    plays(&browser, &mut chance);
    assert!(town.board(id).record.len() > record.len());
    town.assert_tidy();
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn nothing_is_wrong_with_the_pages_of_a_newcomer() {
    let mut town = ServedHome::new();
    looks::with_boards(&mut town, ["malaka", "backgammon", "reversi", "hex", "go"]);
    let browser = Browser::open(Window::DESK);
    let pages = [
        "/",
        "/play",
        "/watch",
        "/watch?game=malaka",
        "/help",
        "/learn",
        "/learn/malaka?step=2&from=c8",
        "/learn/malaka?step=2&play=c8-d8",
        "/learn/backgammon?step=1&play=24-18,18-13",
        "/learn/backgammon?step=6&play=2-off,1-off",
        "/learn/reversi?step=5&play=b2",
        "/help/tutorial",
        "/malaka",
    ];
    let mut wrong = Vec::new();
    for path in pages {
        browser.go(&format!("{}{path}", town.address));
        wrong.extend(looks::wrong(&browser, &format!("newcomer {path}")));
    }
    // The pages of a guest, and those of a new user.
    browser.resize(390, false);
    browser.go(&format!("{}/", town.address));
    browser.click(&browser.find("form.first button.main"));
    awaits(&browser, "the board", "svg.board");
    for path in ["/", "/boards", "/signup"] {
        browser.go(&format!("{}{path}", town.address));
        let is_inside = "return document.querySelector('form[action=\"/signout\"] button') \
                         .getBoundingClientRect().right <= innerWidth";
        assert_eq!(browser.run(is_inside), true, "guest, {path}: signing out");
        let found = looks::complaints(&browser);
        wrong.extend(found.iter().map(|it| format!("guest, {path}: {it}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
