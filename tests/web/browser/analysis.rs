//! Analyses, "what if" and study boards, by mouse, finger and keyboard.

use super::*;
use driver::{END, ENTER, HOME, LEFT, M, RIGHT, TAB, U};
use postboard::reply::analysis::{Judgement, Verdict};
use serde_json::json;

const BACKGAMMON: BoardId = BoardId { game: "backgammon", number: 1 };

/// Finishes a board of Backgammon and opens a browser of alice.
fn with_a_finished_board(window: Window) -> (ServedHome, Browser) {
    let mut town = ServedHome::new();
    town.done("backgammon challenge alice bob");
    while town.board(BACKGAMMON).next_move() < 16 {
        town.make_move(BACKGAMMON);
    }
    town.done("backgammon resign 1 bob secret backgammon");
    let alice = town.alice(window);
    (town, alice)
}

/// Waits until the page at an address is shown.
fn wait_until_at(browser: &Browser, end: &str) {
    let script = format!(
        "return document.readyState == 'complete' && decodeURIComponent(location.href).endsWith({end:?}) \
         && !document.querySelector('[aria-busy]')"
    );
    browser.until(end, &script);
}

/// Waits for an address that differs from `before` and for its page.
fn wait_until_elsewhere(browser: &Browser, before: &serde_json::Value) {
    let script = format!(
        "return document.readyState == 'complete' && location.href != {before} \
         && !document.querySelector('[aria-busy]')"
    );
    browser.until("another address", &script);
}

/// Taps an element with a finger.
fn tap(browser: &Browser, selector: &str) {
    browser.find(selector);
    let script = format!(
        "const it = document.querySelector({selector:?}); \
         it.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
         const {{ x, y, width, height }} = it.getClientRects()[0]; \
         return [x + width / 2, y + height / 2]"
    );
    let at = browser.run(&script);
    browser.tap([0, 1].map(|i| at[i].as_f64().unwrap()));
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn keys_and_clicks_lead_through_an_analysis() {
    let (town, alice) = with_a_finished_board(Window::DESK);
    alice.go(&town.page(BACKGAMMON));
    follow(&alice, &alice.sees("//a[.='Analysis']"));
    alice.run("window.isTheSame = true");
    let board = town.board(BACKGAMMON);
    let (judgement, last) = (Judgement::of_board(&board, None).unwrap(), board.next_move() - 1);
    let moves = judgement.moves();
    for (key, at) in [(HOME, 1), (RIGHT, 2), (RIGHT, 3), (LEFT, 2), (END, last), (LEFT, last - 1)] {
        alice.press(key);
        wait_until_at(&alice, &format!("/analysis?move={at}"));
        let shown = alice.text(".shown h2");
        assert!(shown.starts_with(&format!("{at}. ")), "{shown}");
        assert_eq!(alice.text(".shown .is-blunder").is_empty(), {
            moves.get(at - 1).is_none_or(|it| it.verdict != Verdict::Blunder)
        });
    }
    // From mistake to mistake.
    alice.press(HOME);
    wait_until_at(&alice, "?move=1");
    let mistakes = moves.iter().filter(|it| it.number > 1 && it.verdict > Verdict::Fine);
    for number in mistakes.map(|it| it.number).take(3) {
        alice.press(M);
        wait_until_at(&alice, &format!("?move={number}"));
    }
    // A blunder in the list, and a column of the graph.
    let blunder = moves.iter().find(|it| it.verdict == Verdict::Blunder).expect("a blunder");
    alice.press(HOME);
    wait_until_at(&alice, "?move=1");
    alice.click(&alice.find("ol.record a:has(.is-blunder)"));
    wait_until_at(&alice, &format!("?move={}", blunder.number));
    let costs = alice.text(".shown strong");
    assert!(!costs.is_empty() && alice.has("figure.board .best-head"), "{}", alice.page());
    alice.click(&alice.find(".chances a[href='?move=5']"));
    wait_until_at(&alice, "?move=5");
    assert_eq!(alice.run("return window.isTheSame"), true, "the page was not loaded again");
    // The current move is visible in the list.
    let is_visible = "const it = document.querySelector('ol.record [aria-current]'), \
         list = it.closest('ol').getBoundingClientRect(), { top, bottom } = it.getBoundingClientRect(); \
         return top >= list.top - 1 && bottom <= list.bottom + 1";
    alice.press(END);
    wait_until_at(&alice, &format!("?move={last}"));
    assert_eq!(alice.run(is_visible), true);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn an_analysis_needs_no_script() {
    let (town, alice) = with_a_finished_board(Window::PLAIN);
    let made = town.board(BACKGAMMON).next_move();
    alice.go(&format!("{}/analysis?move=1", town.page(BACKGAMMON)));
    follow(&alice, &alice.find("a[rel=next]"));
    wait_until_at(&alice, "?move=2");
    follow(&alice, &alice.find("ol.record a:has(.is-blunder)"));
    follow(&alice, &alice.sees("//a[.='Try other moves from here']"));
    let man = alice.find("svg.board a[data-spot]:has(.can)");
    follow(&alice, &man);
    follow(&alice, &alice.find(TARGET));
    alice.find("a[data-key=u]");
    assert_eq!(town.board(BACKGAMMON).next_move(), made, "nothing was played");
}

/// Follows men and targets, each chosen by `press`, until a move is complete and judged.
fn tries(browser: &Browser, press: impl Fn(&str)) {
    for _ in 0..10 {
        let before = browser.run("return location.href");
        match browser.counts([TARGET, SPOT]) {
            [0, 0] => break,
            [0, _] => press(SPOT),
            _ => press(TARGET),
        }
        wait_until_elsewhere(browser, &before);
        if browser.has(".rolls") {
            break;
        }
    }
    browser.sees("//section[@class='opinion']/h2[starts-with(., 'The move ')]");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn moves_are_tried_by_mouse_and_the_program_tells_its_opinion() {
    let (town, alice) = with_a_finished_board(Window::DESK);
    let made = town.board(BACKGAMMON).next_move();
    alice.go(&format!("{}/2", town.page(BACKGAMMON)));
    follow(&alice, &alice.sees("//a[.='What if']"));
    alice.run("window.isTheSame = true");
    wait_until_at(&alice, "/preview?after=2");
    // One step by drag and drop, the others by clicks.
    let before = alice.run("return location.href");
    let man = alice.find("svg a[data-spot]:has(.can)");
    alice.drag(&man, "svg a[data-spot]:has(.target)");
    wait_until_elsewhere(&alice, &before);
    alice.until(
        "a step",
        "return /play=/.test(location.href) || !!document.querySelector('.rolls')",
    );
    tries(&alice, |selector| alice.click(&alice.find(selector)));
    assert!(alice.has(".opinion table"), "{}", alice.page());
    // A roll by chance, a chosen roll, and back again by the key.
    for button in [".rolls > button.main", ".rolls fieldset button:nth-of-type(7)"] {
        let before = alice.run("return location.href");
        alice.click(&alice.find(button));
        wait_until_elsewhere(&alice, &before);
        assert!(alice.text(".news").contains("to move"), "{}", alice.page());
        let rolled = alice.run("return location.href");
        alice.press(U);
        wait_until_elsewhere(&alice, &rolled);
        alice.find(".rolls");
    }
    // The best move is a link. The dice of the start decide whether it has been tried already.
    if !alice.text(".opinion").contains("It is best.") {
        let before = alice.run("return location.href");
        alice.click(&alice.find(".opinion a"));
        wait_until_elsewhere(&alice, &before);
    }
    alice.sees("//p[contains(., 'It is best.')]");
    alice.click(&alice.sees("//button[.='Start over']"));
    wait_until_at(&alice, "/preview?after=2");
    assert_eq!(alice.run("return window.isTheSame"), true, "the page was not loaded again");
    assert_eq!(town.board(BACKGAMMON).next_move(), made, "nothing was played");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn moves_are_tried_by_finger_on_a_phone() {
    let (town, alice) = with_a_finished_board(Window { width: 390, ..Window::DESK });
    alice.chromium("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    alice.go(&format!("{}/preview?after=2", town.page(BACKGAMMON)));
    tries(&alice, |selector| tap(&alice, selector));
    let before = alice.run("return location.href");
    tap(&alice, ".rolls > button.main");
    wait_until_elsewhere(&alice, &before);
    assert!(alice.text(".news").contains("to move"), "{}", alice.page());
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_study_is_played_by_the_keyboard() {
    let town = ServedHome::new();
    let visitor = Browser::open(Window::DESK);
    visitor.go(&format!("{}/backgammon", town.address));
    follow(&visitor, &visitor.sees("//a[.='Study board']"));
    visitor.run("window.isTheSame = true");
    let reach = |selector: &str| {
        for _ in 0..120 {
            if visitor.run(&format!("return document.activeElement.matches({selector:?})")) == true
            {
                return;
            }
            visitor.press(TAB);
        }
        panic!("{selector} has no focus: {}", visitor.page());
    };
    let press = |selector: &str| {
        reach(selector);
        visitor.press(ENTER);
    };
    press(".rolls > button.main");
    visitor.until("the roll", "return /moves=\\d\\d$/.test(location.href)");
    tries(&visitor, press);
    assert!(visitor.text(".news").contains("to roll"), "{}", visitor.page());
    visitor.press(U);
    visitor.until("the step before", "return /play=/.test(location.href)");
    assert_eq!(visitor.run("return window.isTheSame"), true);
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn nothing_is_wrong_with_the_pages_of_analysis_and_study() {
    let (town, alice) = with_a_finished_board(Window::DESK);
    let board = town.page(BACKGAMMON);
    let mut pages = vec![
        format!("{board}/analysis"),
        format!("{board}/analysis?move=1"),
        format!("{board}/preview?after=2"),
        format!("{}/study/backgammon", town.address),
        format!("{}/study/backgammon?moves=31+24-21,21-20", town.address),
    ];
    pages
        .extend(["reversi", "malaka", "findthem"].map(|it| format!("{}/study/{it}", town.address)));
    let mut wrong = Vec::new();
    for page in &pages {
        alice.go(page);
        looks::choose_a_man(&alice);
        wrong.extend(looks::wrong(&alice, page.trim_start_matches(&town.address)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
