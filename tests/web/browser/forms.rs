//! Refused forms, expired sessions, the card that begins a game, settings, and the list of boards: by
//! mouse, touch and keyboard, with and without scripts.

use super::*;
use driver::{ENTER, RIGHT, SPACE, TAB};
use serde_json::json;

/// A phone's screen without the bars of its browser.
const PHONE: [u32; 2] = [390, 664];

/// Makes the window a phone with a touch screen.
fn as_phone(browser: &Browser) {
    let [width, height] = PHONE;
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": true });
    browser.chromium("Emulation.setDeviceMetricsOverride", &size);
    let touch = json!({ "enabled": true, "maxTouchPoints": 1 });
    browser.chromium("Emulation.setTouchEmulationEnabled", &touch);
}

/// Touches an element with a finger.
fn tap(browser: &Browser, element: &Element) {
    browser.tap(browser.middle(element));
}

fn type_text(browser: &Browser, text: &str) {
    browser.chromium("Input.insertText", &json!({ "text": text }));
}

/// Waits until the field of this name is marked as wrong, has the focus, and tells these words.
fn wait_until_wrong(browser: &Browser, name: &str, words: &str) {
    let script = format!(
        "const it = document.activeElement; \
         return document.readyState == 'complete' && !document.querySelector('[aria-busy]') \
           && it.name == {name:?} && it.getAttribute('aria-invalid') == 'true' \
           && document.getElementById(it.getAttribute('aria-describedby')).textContent.includes({words:?})"
    );
    browser.until(&format!("the reason at {name}"), &script);
}

/// Returns whether no part of the page is wider than the window.
pub(super) fn fits(browser: &Browser) -> bool {
    let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    browser.run(wide) == json!(0)
}

fn is_visible(browser: &Browser, selector: &str) -> bool {
    let script = format!("return !!document.querySelector({selector:?})?.checkVisibility()");
    browser.run(&script) == json!(true)
}

const BOTH: [Window; 2] = [Window::DESK, Window::PLAIN];

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_refused_form_is_shown_again_with_the_focus_on_its_fault() {
    let town = ServedHome::new();
    for window in BOTH {
        let browser = Browser::open(window);
        browser.go(&format!("{}/signin?back=%2Freversi", town.address));
        browser.run("window.isTheSame = true");
        browser.write("input[name=user]", "alice");
        browser.write("input[name=password]", "wrong one");
        browser.click(&browser.find("form[action='/signin'] button"));
        wait_until_wrong(&browser, "password", "Wrong userid or password");
        assert_eq!(browser.run("return document.querySelector('[name=user]').value"), "alice");
        let sent = browser.run("return document.documentElement.outerHTML.includes('wrong one')");
        assert_eq!(sent, false, "no page has the password");
        assert_eq!(browser.run("return !!window.isTheSame"), window.runs_scripts);
        browser.run("document.activeElement.value = ''");
        type_text(&browser, "secret");
        browser.press(ENTER);
        browser.sees("//h1[.='Reversi']");
        browser.sees("//nav//a[.='alice']");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_newcomer_signs_up_by_the_keyboard_after_two_refusals() {
    let town = ServedHome::new();
    let browser = Browser::open(Window::DESK);
    browser.go(&format!("{}/signup", town.address));
    browser.run("document.querySelector('[name=user]').focus()");
    type_text(&browser, "bob");
    browser.press(TAB);
    type_text(&browser, "sesame99");
    browser.press(TAB);
    type_text(&browser, "dora@pbm.test");
    browser.press(ENTER);
    wait_until_wrong(&browser, "user", "bob is taken");
    browser.run("document.activeElement.select()");
    type_text(&browser, "dora");
    browser.press(TAB);
    let has_focus = |name: &str| browser.run("return document.activeElement.name") == name;
    assert!(has_focus("password"));
    browser.run("document.activeElement.value = ''");
    type_text(&browser, "sesame99");
    browser.press(TAB);
    assert!(has_focus("address"));
    let typed = browser.run("return document.activeElement.value");
    assert_eq!(typed, "dora@pbm.test");
    browser.press(ENTER);
    browser.sees("//nav//a[.='dora']");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn what_was_typed_outlives_the_session() {
    let town = ServedHome::new();
    for window in BOTH {
        let alice = town.alice(window);
        alice.go(&format!("{}/player/bob", town.address));
        alice.click(&alice.sees("//summary[starts-with(., 'Write to bob')]"));
        alice.write("textarea[name=comment]", "Shall we play\non Sunday?");
        alice.chromium("Network.clearBrowserCookies", &json!({}));
        alice.click(&alice.sees("//textarea[@name='comment']/ancestor::form//button"));
        alice.sees("//h1[.='Sign in']");
        alice.sees("//*[@role='alert'][contains(., 'what you have typed is kept')]");
        alice.write("input[name=user]", "alice");
        alice.write("input[name=password]", "secret");
        alice.click(&alice.find("form[action='/signin'] button"));
        alice.sees("//h1[.='bob']");
        let typed = alice.run("return document.querySelector('textarea[name=comment]').value");
        assert_eq!(typed, "Shall we play\non Sunday?", "{}", alice.page());
        alice.sees("//nav//a[.='alice']");
        let send = alice.sees("//textarea[@name='comment']/ancestor::form//button");
        alice.unfold(&send);
        alice.click(&send);
        alice.sees("//p[@role='status'][.='Your message is sent.']");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_game_is_begun_by_touch_on_a_phone() {
    let town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    as_phone(&alice);
    alice.go(&format!("{}/reversi", town.address));
    for chip in ["friend", "anybody", "program"] {
        let chip = alice.find(&format!("label.chip:has([value={chip}])"));
        tap(&alice, &chip);
        assert!(fits(&alice), "{}", alice.page());
    }
    assert!(!is_visible(&alice, ".for-friend") && !is_visible(&alice, ".for-anybody"));
    assert!(is_visible(&alice, ".for-program"));
    let heights = "return [...document.querySelectorAll('form.new-game :is(.chip, button)')] \
                   .filter((it) => it.checkVisibility()).every((it) => it.offsetHeight >= 44)";
    assert_eq!(alice.run(heights), true);
    tap(&alice, &alice.find("label.chip:has([name=level][value='2'])"));
    tap(&alice, &alice.find("form.new-game button.main"));
    alice.sees("//h1[.='Reversi board 1']");
    let board = town.board(BoardId { game: "reversi", number: 1 });
    assert!(board.players.iter().any(|player| player.as_str() == "board2"));
    // The same card with a choice of the game, folded on the list of boards.
    alice.go(&format!("{}/boards", town.address));
    tap(&alice, &alice.sees("//summary[.='Begin a game']"));
    alice.until("the card", "return document.querySelector('form.new-game').checkVisibility()");
    assert!(fits(&alice));
    let choose = |game: &str| {
        alice.run(&format!("document.querySelector('form.new-game [name=game]').value = {game:?}"));
    };
    choose("backgammon");
    assert!(is_visible(&alice, ".for-match"));
    tap(&alice, &alice.find("label.chip:has([value='5'])"));
    choose("reversi");
    assert!(!is_visible(&alice, ".for-match"));
    choose("backgammon");
    tap(&alice, &alice.find("label.chip:has([name='option.-forfeittime'][value='7'])"));
    tap(&alice, &alice.find("label.chip:has([name='option.-unrated'])"));
    tap(&alice, &alice.find("[name=opponent]"));
    type_text(&alice, "bobby");
    tap(&alice, &alice.find("form.new-game button.main"));
    wait_until_wrong(&alice, "opponent", "Check the spelling");
    let kept = "return ['5', '7', 'on', 'friend'].every((it) => \
                document.querySelector(`form.new-game input[value='${it}']:checked`))";
    assert_eq!(alice.run(kept), true);
    alice.run("document.activeElement.select()");
    type_text(&alice, "bob");
    tap(&alice, &alice.find("form.new-game button.main"));
    alice.sees("//h1[.='Backgammon board 1']");
    let board = town.board(BoardId { game: "backgammon", number: 1 });
    assert!(board.options.get("match") == Some("5") && board.terms.unrated);
    assert_eq!(board.terms.forfeit_days, 7);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_game_is_begun_by_the_keyboard_and_without_scripts() {
    let town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    alice.go(&format!("{}/malaka", town.address));
    alice.run("document.querySelector('[value=friend]').focus()");
    alice.press(RIGHT);
    assert_eq!(alice.run("return document.activeElement.value"), "anybody");
    let mut tabs = 0;
    while alice.run("return document.activeElement.matches('[name=\"option.-unrated\"]')") != true {
        alice.press(TAB);
        tabs += 1;
        assert!(tabs < 20, "{}", alice.page());
    }
    alice.press(SPACE);
    while alice.run("return document.activeElement.matches('form.new-game button.main')") != true {
        alice.press(TAB);
        tabs += 1;
        assert!(tabs < 40, "{}", alice.page());
    }
    alice.press(ENTER);
    alice.sees("//p[@role='status'][contains(., 'open challenge is posted')]");
    alice.sees("//li[contains(., 'alice wants a game of Malaka, 21 days a move, unrated.')]");
    assert!(!alice.page().contains("notice="), "the notice is told once: {}", alice.page());

    let bob = town.enters("bob", Window::PLAIN);
    bob.go(&format!("{}/boards", town.address));
    let pick = "document.querySelector('form.new-game [name=game]').value = 'reversi'";
    assert!(is_visible(&bob, "form.new-game"), "the card is open while there are no boards");
    bob.run(pick);
    bob.write("[name=opponent]", "nobody");
    bob.click(&bob.find("form.new-game button.main"));
    wait_until_wrong(&bob, "opponent", "Check the spelling");
    bob.run("document.activeElement.value = 'alice'");
    bob.click(&bob.find("form.new-game button.main"));
    bob.sees("//h1[.='Reversi board 1']");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_challenge_is_declined_and_the_counts_follow() {
    let town = ServedHome::new();
    let alice = town.alice(Window::DESK);
    alice.go(&format!("{}/boards", town.address));
    alice.run("window.isTheSame = true");
    let title = |wanted: &str| {
        alice.until(wanted, &format!("return document.title.startsWith({wanted:?})"));
    };
    title("My boards");
    let plain = alice.run("return document.querySelector('link[rel=icon]').href");
    town.done("malaka challenge bob alice");
    town.done("malaka challenge alice bob");
    let own = [1, 2].map(malaka);
    let due = own.iter().filter(|id| town.due(**id).as_deref() == Some("alice")).count();
    alice.until("both boards", "return document.querySelectorAll('ul.boards li').length == 2");
    if due > 0 {
        title(&format!("({due}) My boards"));
        let icon = alice.run("return document.querySelector('link[rel=icon]').href");
        assert_ne!(icon, plain, "the icon has the count");
    }
    let decline = "button[aria-label='Decline Malaka 1']";
    let sure = |browser: &Browser| browser.click(&browser.find("[data-ask] button"));
    alice.click(&alice.find(decline));
    alice.sees("//dialog[@open]//h1[.='Close Malaka 1?']");
    // Cancel has the focus.
    alice.press(ENTER);
    alice.until("no question", "return !document.querySelector('dialog[open]')");
    assert!(!town.board(own[0]).is_over(), "one click closes nothing");
    alice.click(&alice.find(decline));
    alice.sees("//dialog[@open]//h1[.='Close Malaka 1?']");
    sure(&alice);
    alice.sees("//p[@role='status'][contains(., 'closed without a result')]");
    assert!(town.board(own[0]).is_over() && town.board(own[0]).rated.is_none());
    assert!(!alice.has("button[aria-label='Decline Malaka 1']"));
    assert_eq!(alice.run("return window.isTheSame"), true);
    let plain = town.enters("bob", Window::PLAIN);
    plain.click(&plain.find("button[aria-label$='Malaka 2']"));
    plain.sees("//h1[.='Close Malaka 2?']");
    assert!(!town.board(own[1]).is_over(), "the question alone closes nothing");
    sure(&plain);
    plain.sees("//p[@role='status'][contains(., 'closed without a result')]");
    assert!(town.board(own[1]).is_over());
    title("My boards");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_setting_is_saved_where_it_is() {
    let town = ServedHome::new();
    for window in BOTH {
        let alice = town.alice(window);
        alice.go(&format!("{}/settings", town.address));
        alice.run("window.isTheSame = true");
        let words = "form:has([name=word][value=words]) select";
        let value = |browser: &Browser| {
            browser.run(&format!("return document.querySelector({words:?}).value"))
        };
        let old = value(&alice);
        alice.run(&format!("document.querySelector({words:?}).focus()"));
        alice.press(driver::HOME);
        if value(&alice) == old {
            alice.press(driver::END);
        }
        let new = value(&alice);
        assert_ne!(new, old);
        if !window.runs_scripts {
            alice.click(&alice.find(&words.replace(" select", " button")));
        }
        alice.sees("//p[@role='status'][.='Saved.']");
        assert_eq!(value(&alice), new);
        assert_eq!(alice.run("return !!window.isTheSame"), window.runs_scripts);
        if window.runs_scripts {
            let has_focus = format!("return document.activeElement.matches({words:?})");
            assert_eq!(alice.run(&has_focus), true, "the focus stays");
            assert_eq!(alice.run("return location.search"), "");
        }
        alice.go(&format!("{}/settings", town.address));
        assert_eq!(value(&alice), new);
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn boards_are_filtered() {
    let town = ServedHome::new();
    for line in ["malaka challenge alice bob", "reversi challenge bob alice"] {
        town.done(line);
    }
    for window in BOTH {
        let alice = town.alice(window);
        let count = "return document.querySelectorAll('ul.boards li').length";
        assert_eq!(alice.run(count), 2);
        let pick = "const it = document.querySelector('form.filter [name=game]'); \
                    it.value = 'reversi'; it.dispatchEvent(new Event('change', { bubbles: true }))";
        alice.run(pick);
        if !window.runs_scripts {
            alice.click(&alice.find("form.filter button"));
        }
        let is_filtered = "return location.search.includes('game=reversi') \
                           && document.querySelectorAll('ul.boards li').length == 1";
        alice.until("the boards of Reversi", is_filtered);
        follow(&alice, &alice.sees("//a[.='Show all']"));
        assert_eq!(alice.run(count), 2);
    }
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn nothing_is_wrong_with_forms_and_their_reasons() {
    let town = ServedHome::new();
    town.done("malaka challenge bob alice");
    town.done("reversi challenge bob alice");
    town.done("backgammon seek bob secret -match=5 --unrated");
    let mut wrong = Vec::new();
    let mut look = |browser: &Browser, page: &str| wrong.extend(looks::wrong(browser, page));
    let guest = Browser::open(Window::DESK);
    guest.go(&format!("{}/signin", town.address));
    guest.write("input[name=user]", "alice");
    guest.write("input[name=password]", "wrong one");
    guest.click(&guest.find("form[action='/signin'] button"));
    wait_until_wrong(&guest, "password", "Wrong");
    look(&guest, "signin");
    guest.go(&format!("{}/signup", town.address));
    look(&guest, "signup");
    let alice = town.alice(Window::DESK);
    for (page, path) in [
        ("boards", "/boards?friend=bob"),
        ("game", "/backgammon"),
        ("player", "/player/bob"),
        ("error", "/nope"),
        ("saved", "/settings?notice=saved"),
    ] {
        alice.go(&format!("{}{path}", town.address));
        look(&alice, page);
    }
    alice.go(&format!("{}/settings", town.address));
    alice.write("form[action='/password'] [name=old]", "wrong-one");
    alice.write("form[action='/password'] [name=new]", "longer-one");
    alice.click(&alice.find("form[action='/password'] button"));
    wait_until_wrong(&alice, "old", "Wrong");
    look(&alice, "settings");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
