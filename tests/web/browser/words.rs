//! Messages, offers, watchers, previews and conditional moves.

use super::*;

const REVERSI: BoardId = BoardId { game: "reversi", number: 1 };

/// Opens a board of Reversi after some moves in a browser of alice and a browser of bob.
fn with_both() -> (ServedHome, Browser, Browser) {
    let town = ServedHome::new();
    town.done("reversi challenge alice bob -size=8");
    let (alice, bob) = (town.enters("alice", Window::DESK), town.enters("bob", Window::DESK));
    let mut chance = Chance::new(5);
    for browser in [&alice, &bob] {
        browser.go(&town.page(REVERSI));
        browser.run("window.isTheSame = true");
    }
    for _ in 0..2 {
        for browser in [&alice, &bob] {
            plays(browser, &mut chance);
        }
    }
    (town, alice, bob)
}

/// Opens the folded sections around a button and clicks it.
fn press(browser: &Browser, selector: &str) {
    let button = browser.find(selector);
    browser.unfold(&button);
    browser.click(&button);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn offers_and_words_go_from_one_browser_to_the_other() {
    let (mut town, alice, bob) = with_both();
    assert_eq!(town.board(REVERSI).next_move(), 5);
    press(&alice, "button[value=propose]");
    bob.sees("//section[@class='offer'][contains(., 'alice offers a draw: do you accept it?')]");
    alice.sees("//section[@class='offer'][contains(., 'You offer a draw.')]");
    press(&bob, ".offer button[value=reject]");
    alice.until("the answer", "return !document.querySelector('.offer')");
    press(&bob, "button[value=undo]");
    alice.sees("//section[@class='offer'][contains(., 'bob asks to take back move')]");
    press(&alice, ".offer button[value=accept]");
    bob.until("the undo", "return document.querySelector('nav.steps').dataset.made == 3");
    bob.find("section.turn");
    let words = "Is that <b>you</b>?\nI think so.";
    let chat = "form:has([name=verb][value=chat])";
    bob.write(&format!("{chat} textarea"), words);
    press(&bob, &format!("{chat} button"));
    alice.sees("//blockquote[contains(., '<b>you</b>')]");
    press(&alice, "button[value=propose]");
    press(&bob, ".offer button[value=accept]");
    for browser in [&alice, &bob] {
        browser.sees("//p[@class='news'][contains(., 'draw')]");
        browser.until("the end", "return !document.querySelector('section.turn, .offer')");
        assert_eq!(browser.run("return window.isTheSame"), true);
    }
    assert!(town.due(REVERSI).is_none());
    town.assert_tidy();
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn moves_are_looked_at_first_and_played_in_advance() {
    let (mut town, alice, bob) = with_both();
    follow(&alice, &alice.find(SPOT));
    press(&alice, ".turn button[value=submit]");
    alice.sees("//p[contains(., 'Not played yet')]");
    assert_eq!(town.board(REVERSI).next_move(), 5);
    press(&alice, "button[value=confirm]");
    bob.find("section.turn");
    let queued = "form:has([name=verb][value=queue])";
    alice.until("bob's turn", "return !document.querySelector('section.turn')");
    let after = town.board(REVERSI).position().successors();
    let (by_bob, then) = after.iter().find(|(_, then)| then.count() > 0).unwrap();
    let by_alice = then.first_move().unwrap();
    alice.click(&alice.sees("//summary[.='Play in advance']"));
    alice.write(&format!("{queued} [name=say]"), &by_alice);
    press(&alice, &format!("{queued} button"));
    alice.sees("//p[contains(., 'Your queued move')]");
    town.bob_replies(REVERSI, by_bob);
    bob.until("both", "return document.querySelector('nav.steps').dataset.made == 7");
    let played = town.board(REVERSI).moves().last().unwrap().text.to_string();
    assert_eq!(played, by_alice);
    town.assert_tidy();
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn watchers_see_everything_and_can_press_nothing() {
    let (town, alice, _bob) = with_both();
    town.done("signup carol secret carol@pbm.test");
    let (stranger, carol) = (Browser::open(Window::DESK), town.enters("carol", Window::DESK));
    for watcher in [&stranger, &carol] {
        watcher.go(&town.page(REVERSI));
        watcher.run("window.isTheSame = true");
        assert_eq!(
            watcher.counts(["svg.board", "svg.board a", "section.turn", ".chat"]),
            [1, 0, 0, 0]
        );
    }
    press(&carol, "button[value=subscribe]");
    carol.sees("//*[.='You get mails about this board.']");
    carol.find("button[value=unsubscribe]");
    plays(&alice, &mut Chance::new(2));
    for watcher in [&stranger, &carol] {
        let is_seen = "return document.querySelector('nav.steps').dataset.made == 5";
        watcher.until("the move", is_seen);
        let lit = |browser: &Browser| browser.text("pre.board");
        assert_eq!(lit(watcher), lit(&alice));
        assert_eq!(watcher.counts(["svg.board a", "section.turn"]), [0, 0]);
        assert_eq!(watcher.run("return window.isTheSame"), true);
    }
    town.done("reversi challenge alice bob --private");
    for watcher in [&stranger, &carol] {
        watcher.go(&town.page(BoardId { number: 2, ..REVERSI }));
        assert_eq!(watcher.counts(["svg.board", "nav.steps"]), [0, 0], "{}", watcher.page());
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn what_if_is_asked_on_the_page_and_changes_nothing() {
    let (town, alice, _bob) = with_both();
    let (now, next) = town.board(REVERSI).position().successors().swap_remove(0);
    let then = next.first_move().unwrap();
    let write_the_moves = || {
        follow(&alice, &alice.sees("//a[.='What if']"));
        alice.click(&alice.sees("//summary[.='Write the moves']"));
    };
    write_the_moves();
    let form = "form:has([name=moves]:not([type=hidden]))";
    alice.write(&format!("{form} [name=moves]"), &format!("{now} {then}"));
    press(&alice, &format!("{form} button"));
    alice.sees(&format!("//form[@class='tried'][contains(., '{then}')]"));
    alice.find("figure.board svg");
    // From an earlier position, with an illegal move.
    alice.go(&format!("{}/2", town.page(REVERSI)));
    write_the_moves();
    alice.write(&format!("{form} [name=moves]"), "a1");
    press(&alice, &format!("{form} button"));
    alice.sees("//*[@role='alert'][contains(., 'a1')][contains(., 'Not possible')]");
    assert_eq!(
        alice.run("return document.querySelector('input[name=moves]:not([type=hidden])').value"),
        "a1"
    );
    assert_eq!(town.board(REVERSI).next_move(), 5);
}
