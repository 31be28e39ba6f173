//! Moves by keyboard and drag and drop, dialogs, and double clicks.

use super::*;
use driver::{END, ENTER, HOME, LEFT, RIGHT, SPACE, TAB, U};
use postboard::model::board::RecordedMove;

/// Opens a board of Backgammon after some moves, with alice to move.
fn with_a_board() -> (ServedHome, Browser) {
    let mut town = ServedHome::new();
    town.done("backgammon challenge alice bob");
    let id = BoardId { game: "backgammon", number: 1 };
    while town.board(id).next_move() < 6 || town.due(id).as_deref() == Some("bob") {
        town.make_move(id);
    }
    let alice = town.alice(Window::DESK);
    alice.go(&format!("{}/backgammon/1", town.address));
    alice.run("window.isTheSame = true");
    (town, alice)
}

fn wait_until_at(browser: &Browser, what: &str, end: &str) {
    let script =
        format!("return /{end}$/.test(location.href) && !document.querySelector('[aria-busy]')");
    browser.until(what, &script);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn an_act_that_cannot_be_undone_is_asked_about_in_a_dialog() {
    let (town, alice) = with_a_board();
    let id = BoardId { game: "backgammon", number: 1 };
    let before = town.board(id).next_move();
    let resign = "details.menu form:has(input[value=resign]) button";
    let is_open = "return !!document.querySelector('dialog[open] [data-ask]')";
    let is_shut = "return !document.querySelector('dialog')";
    alice.click(&alice.find("details.menu summary"));
    alice.click(&alice.find(resign));
    alice.until("the question", is_open);
    assert_eq!(alice.run("return document.activeElement.matches('[data-cancel]')"), true);
    alice.press(ENTER);
    alice.until("no question", is_shut);
    assert_eq!(town.board(id).next_move(), before, "nothing was done");
    alice.click(&alice.find(resign));
    alice.until("the question", is_open);
    alice.click(&alice.find("dialog form button"));
    alice.until("no question", is_shut);
    alice.until("the board after it", "return !document.querySelector('[aria-busy]')");
    assert!(town.board(id).next_move() > before);
    assert_eq!(alice.run("return window.isTheSame"), true, "the page was not loaded again");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_move_is_made_by_the_keyboard_alone() {
    let (_town, alice) = with_a_board();
    let on_a_place = "return document.activeElement.matches('svg a[data-spot]')";
    let mut tabs = 0;
    while alice.run(on_a_place) != true {
        alice.press(TAB);
        tabs += 1;
        assert!(tabs < 30, "no place of the board has the focus");
    }
    alice.press(SPACE);
    wait_until_at(&alice, "the man that was chosen", "from=[^&]+");
    assert_eq!(alice.run("return !!document.activeElement.querySelector('.target')"), true);
    alice.press(ENTER);
    wait_until_at(&alice, "a step", "play=[^&]+");
    let said = alice.text(".turn strong");
    assert!(!said.is_empty(), "{}", alice.page());
    alice.press(U);
    wait_until_at(&alice, "the step taken back", "backgammon\\/1");
    assert_eq!(alice.text(".turn strong"), "");
    // The focus is on a point again; the keys complete the move and reach its send button.
    let (mut presses, made) = (0, moves_made(&alice));
    let on_the_button = format!("return document.activeElement.matches({PLAY:?})");
    while !alice.has(PLAY) {
        assert_eq!(alice.run(on_a_place), true, "{}", alice.page());
        let before = alice.run("return location.href");
        alice.press(ENTER);
        alice.until(
            "a step",
            &format!(
                "return location.href != {before} \
             && !document.querySelector('[aria-busy]')"
            ),
        );
        presses += 1;
        assert!(presses < 20, "{}", alice.page());
    }
    while alice.run(&on_the_button) != true {
        alice.press(TAB);
        presses += 1;
        assert!(presses < 60, "the button has no focus: {}", alice.page());
    }
    alice.press(ENTER);
    moves_come(&alice, &made);
    assert_eq!(alice.run("return window.isTheSame"), true);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn keys_and_a_slider_lead_through_the_record() {
    let (town, alice) = with_a_board();
    let made = town.board(BoardId { game: "backgammon", number: 1 }).next_move() - 1;
    for (key, at) in [(LEFT, made - 1), (LEFT, made - 2), (RIGHT, made - 1), (HOME, 0)] {
        alice.press(key);
        wait_until_at(&alice, "an earlier move", &format!("\\/1\\/{at}"));
    }
    let news = alice.find(".news[aria-live=polite]");
    assert_eq!(alice.text(".news"), "Before the first move.", "{news:?}");
    alice.press(END);
    wait_until_at(&alice, "the board as it is", "backgammon\\/1");
    alice.run("document.querySelector('nav.steps input').focus()");
    alice.press(LEFT);
    wait_until_at(&alice, "an earlier move", &format!("\\/1\\/{}", made - 1));
    assert_eq!(alice.run("return document.activeElement.type"), "range");
    assert_eq!(alice.run("return window.isTheSame"), true);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_man_is_dragged_to_where_he_goes() {
    let (_town, alice) = with_a_board();
    let man = alice.find("svg a[data-spot]:has(.can)");
    let spot = alice.attribute(&man, "data-spot").unwrap();
    alice.drag(&man, "svg a[data-spot]:has(.target)");
    wait_until_at(&alice, "a step", "play=[^&]+");
    let said = alice.text(".turn strong");
    assert!(said.starts_with(&format!("{spot}-")), "{said} from {spot}");
    assert!(!alice.has(".man"), "the man that was dragged is gone");
    assert_eq!(alice.run("return window.isTheSame"), true);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_form_that_is_sent_twice_is_sent_once() {
    let (town, alice) = with_a_board();
    let id = BoardId { game: "backgammon", number: 1 };
    let before = town.board(id).next_move();
    while !alice.has(PLAY) {
        follow(&alice, &alice.find(if alice.has(TARGET) { TARGET } else { SPOT }));
    }
    alice.run(
        "const button = document.querySelector('.turn button.main'); button.click(); button.click()",
    );
    alice.until(
        "the move",
        &format!(
            "return document.querySelector('nav.steps').dataset.made != {:?} \
         && !document.querySelector('[aria-busy]')",
            (before - 1).to_string()
        ),
    );
    let board = town.board(id);
    let by_alice =
        |turn: &RecordedMove| !turn.auto && board.player(turn.seat).to_string() == "alice";
    let own = board.moves().skip(before - 1).filter(by_alice).count();
    assert_eq!(own, 1);
    assert_eq!(alice.text("[role=alert]"), "");
}
