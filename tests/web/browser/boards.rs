//! The page of a board under mouse, finger and keyboard: nothing moves or is lost while a player acts.

use super::*;
use driver::{ENTER, N, TAB};
use serde_json::Value;

const REVERSI: BoardId = BoardId { game: "reversi", number: 1 };

/// Waits until a page with scripts has answered.
const IS_STILL: &str = "return document.readyState == 'complete' \
                        && !document.querySelector('[aria-busy]')";

/// Opens a board on which alice is to move.
fn with_alice(game: &'static str, options: &str, window: Window) -> (ServedHome, Browser) {
    let mut town = ServedHome::new();
    town.done(&format!("{game} challenge alice bob{options}"));
    let id = BoardId { game, number: 1 };
    let mut made = 0;
    while made < 4 || town.due(id).as_deref() == Some("bob") {
        town.make_move(id);
        made += 1;
    }
    let alice = town.enters("alice", window);
    alice.go(&town.page(id));
    alice.run("window.isTheSame = true");
    (town, alice)
}

/// Clicks men and targets until the move can be sent.
fn put_together(browser: &Browser, chance: &mut Chance) {
    while !browser.has(PLAY) {
        let [targets, spots] = browser.counts([TARGET, SPOT]);
        let (what, count) = if targets == 0 { (SPOT, spots) } else { (TARGET, targets) };
        follow(browser, &Element::nth(what, chance.below(count)));
    }
}

/// Returns the rectangle of an element: left, top, width and height.
fn rectangle(browser: &Browser, selector: &str) -> Value {
    browser.run(&format!(
        "const it = document.querySelector({selector:?}).getBoundingClientRect(); \
         return [it.x, it.y, it.width, it.height].map(Math.round)"
    ))
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_button_stays_where_it_is_while_a_message_is_typed() {
    for window in [Window::DESK, Window::PHONE] {
        let (town, alice) = with_alice("moloko", "", window);
        put_together(&alice, &mut Chance::new(3));
        alice.click(&alice.find(".message summary"));
        let before = rectangle(&alice, PLAY);
        alice.click_in_place(&alice.find(".message textarea"));
        assert_eq!(alice.run("return document.activeElement.name"), "comment");
        assert_eq!(rectangle(&alice, PLAY), before);
        alice.chromium("Input.insertText", &serde_json::json!({ "text": "Well played!" }));
        assert_eq!(rectangle(&alice, PLAY), before);
        let made = moves_made(&alice);
        alice.click_in_place(&alice.find(PLAY));
        moves_come(&alice, &made);
        let log = alice.text(".log");
        assert!(log.contains("Well played!"), "{}", alice.page());
        assert!(town.board(MOLOKO).next_move() > 5);
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_message_stays_while_the_move_is_put_together() {
    let (_town, alice) = with_alice("moloko", "", Window::DESK);
    alice.click(&alice.find(".message summary"));
    alice.write(".message textarea", "Hello");
    put_together(&alice, &mut Chance::new(3));
    let words = "return document.querySelector('.message textarea').value";
    assert_eq!(alice.run(words), "Hello", "the button came before it");
    alice.write(".chat textarea", "Not sent yet");
    if alice.has(".turn [data-key=u]") {
        follow(&alice, &alice.find(".turn [data-key=u]"));
        assert_eq!(alice.run(words), "Hello");
        put_together(&alice, &mut Chance::new(3));
    }
    send(&alice, &alice.find(PLAY));
    assert!(alice.text(".log").contains("Hello"), "{}", alice.page());
    // Another message is kept while the turns change.
    let words = "return document.querySelector('.chat textarea').value";
    assert_eq!(alice.run(words), "Not sent yet");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_finger_drags_men_and_scrolls_the_page_elsewhere() {
    for game in ["malaka", "backgammon", "plakoto", "loa", "amazons", "checkers", "draughts"] {
        let (town, alice) = with_alice(game, "", Window::PHONE);
        let man = alice.find("svg a[data-spot]:has(.can)");
        let spot = alice.attribute(&man, "data-spot").unwrap();
        let board = town.board(BoardId { game, number: 1 });
        // Squares of draughts are called by their numbers.
        let spot = board.position().diagram(&View::default()).name(spot.parse().unwrap());
        alice.run("scrollTo(0, 0)");
        alice.drag_by_finger(&man, TARGET);
        alice.until("a step", "return /play=[^&]+/.test(location.href)");
        alice.until("the page", IS_STILL);
        let made = alice.text(".turn strong");
        assert!(
            made.starts_with(&format!("{spot}-")) || made.starts_with(&format!("{spot}/")),
            "{made} from {spot}"
        );
        assert!(!alice.has("body > .man"), "the man that was dragged is gone");
        assert_eq!(alice.run("return window.isTheSame"), true);
    }
    let is_free = "const { x, y, width, height } = \
                   document.querySelector('svg.board').getBoundingClientRect(); \
                   return !document.elementFromPoint(x + width / 2, y + height / 2).closest('a')";
    // The dice of the start may put men into the middle.
    let (_town, alice) = (0..8)
        .map(|_| with_alice("moloko", "", Window::PHONE))
        .find(|(_, alice)| {
            alice.run("scrollTo(0, 0)");
            alice.run(is_free) == true
        })
        .expect("a board without men in its middle");
    alice.swipe_up(&alice.find("svg.board"), 120.0);
    alice.until("the page has scrolled", "return scrollY > 40");
    assert_eq!(alice.run("return location.search"), "", "nothing was chosen");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_buttons_of_a_turn_are_on_the_screen_of_a_phone() {
    let mut town = ServedHome::new();
    looks::with_boards(&mut town, looks::all_games());
    let alice = town.enters("alice", Window::PHONE);
    let mut chance = Chance::new(4);
    let mut seen = 0;
    for name in looks::all_games() {
        let id = BoardId { game: name, number: 1 };
        if town.due(id).as_deref() != Some("alice") {
            continue;
        }
        alice.go(&town.page(id));
        put_together(&alice, &mut chance);
        for top in ["0", "document.body.scrollHeight"] {
            alice.run(&format!("scrollTo(0, {top})"));
            let is_seen = format!(
                "const all = [...document.querySelectorAll('.turn :is(button, a.key, summary)')]; \
                 return all.filter((it) => it.checkVisibility()).every((it) => {{ \
                    const {{ x, y, width, height, right, bottom }} = it.getBoundingClientRect(); \
                    const hit = document.elementFromPoint(x + width / 2, y + height / 2); \
                    return x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight \
                        && height >= 44 && it.contains(hit); \
                 }}) && !!document.querySelector({PLAY:?})"
            );
            assert_eq!(alice.run(&is_seen), true, "{name} at {top}: {}", alice.page());
        }
        seen += 1;
    }
    assert!(seen > 8, "{seen}");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_server_that_cannot_be_reached_is_said_where_it_can_be_read() {
    let (_town, alice) = with_alice("moloko", "", Window::DESK);
    alice.write(".chat textarea", "Are you there?");
    alice.go_offline(true);
    alice.click(&alice.find(".chat form button"));
    let told = "document.querySelector('[role=status].said')";
    alice.until("the fault", &format!("return {told}.textContent.includes('cannot be reached')"));
    let is_seen = format!(
        "const {{ x, y, width, height }} = {told}.getBoundingClientRect(); \
         return width > 200 && height > 20 && x >= 0 && y >= 0 && y + height <= innerHeight \
            && {told}.checkVisibility({{ opacityProperty: true, visibilityProperty: true }})"
    );
    assert_eq!(alice.run(&is_seen), true);
    assert_eq!(
        alice.run("return document.querySelector('.chat textarea').value"),
        "Are you there?"
    );
    alice.go_offline(false);
    alice.click(&alice.find(".chat form button"));
    alice.sees("//blockquote[contains(., 'Are you there?')]");
    assert_eq!(alice.run(&format!("return {told}.textContent")), "");
    assert_eq!(alice.run("return document.querySelector('.chat textarea').value"), "");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_preview_shows_the_move_and_is_confirmed_or_changed() {
    for window in [Window::DESK, Window::PLAIN] {
        let (town, alice) = with_alice("reversi", " -size=8", window);
        let board = || alice.text("pre.board");
        let before = board();
        let stones = "svg.board :is(.green, .red)";
        let [was] = alice.counts([stones]);
        follow(&alice, &alice.find(SPOT));
        let preview = alice.find(".turn button[value=submit]");
        alice.unfold(&preview);
        alice.click(&preview);
        alice.sees("//section[contains(@class, 'turn')]//p[contains(., 'Not played yet')]");
        assert!(alice.counts([stones])[0] > was, "the board shows the stone: {}", alice.page());
        assert_eq!(board(), before, "nothing was played");
        alice.click(&alice.sees("//a[.='Change']"));
        alice.find(SPOT);
        assert_eq!(alice.counts([stones, ".turn button[value=confirm]"]), [was, 0]);
        follow(&alice, &alice.find(SPOT));
        let preview = alice.find(".turn button[value=submit]");
        alice.unfold(&preview);
        alice.click(&preview);
        let made = town.board(REVERSI).next_move();
        send(&alice, &alice.find(".turn button[value=confirm]"));
        assert!(town.board(REVERSI).next_move() > made);
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_steps_of_a_move_are_no_pages_to_go_back_to() {
    let (town, alice) = with_alice("moloko", "", Window::DESK);
    alice.go(&format!("{}/boards", town.address));
    alice.go(&town.page(MOLOKO));
    let length = alice.run("return history.length");
    let mut chance = Chance::new(3);
    put_together(&alice, &mut chance);
    assert!(alice.run("return location.search") != "");
    send(&alice, &alice.find(PLAY));
    assert_eq!(alice.run("return history.length"), length);
    // The record is one step away, however many of its positions are shown.
    for rel in ["prev", "prev", "prev"] {
        follow(&alice, &alice.find(&format!("nav.steps a[rel={rel}]")));
    }
    assert_eq!(alice.run("return history.length"), length.as_u64().unwrap() + 1);
    alice.back();
    alice.until("the board", "return location.pathname == '/moloko/1'");
    alice.until("the page", IS_STILL);
    alice.back();
    alice.until("the list", "return location.pathname == '/boards'");
}

/// Signs alice out in all her browsers.
fn sign_out_everywhere(town: &ServedHome) {
    let other = town.alice(Window::PLAIN);
    other.go(&format!("{}/settings", town.address));
    other.click(&other.find("button[name=everywhere]"));
    other.click(&other.find("[data-ask] form button"));
    other.sees("//a[.='Sign in']");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_session_that_ends_while_a_player_writes_loses_nothing() {
    for window in [Window::DESK, Window::PLAIN] {
        let (town, alice) = with_alice("moloko", "", window);
        // A move that is put together, and a message with it.
        let mut chance = Chance::new(3);
        put_together(&alice, &mut chance);
        let steps = alice.run("return location.search");
        alice.unfold(&alice.find("#words"));
        alice.write("#words", "This took me an hour.");
        sign_out_everywhere(&town);
        if window.runs_scripts {
            // An update of the page does not take the words away.
            town.done("moloko chat 1 bob secret Hurry!");
            let told = "return document.querySelector('.said').textContent.includes('signed out')";
            alice.until("the update", told);
            let words = alice.run("return document.querySelector('#words').value");
            assert_eq!(words, "This took me an hour.");
        }
        let made = town.board(MOLOKO).next_move();
        alice.click(&alice.find(PLAY));
        alice.sees("//*[contains(., 'what you have typed is kept')]");
        alice.write("input[name=user]", "alice");
        alice.write("input[name=password]", "wrong");
        alice.click(&alice.find("form[action='/signin'] button"));
        alice.sees("//*[contains(., 'Wrong userid or password')]");
        alice.run("document.querySelector('input[name=password]').value = ''");
        alice.write("input[name=password]", "secret");
        alice.click(&alice.find("form[action='/signin'] button"));
        // The move is on the board and the message in its field, and nothing was sent.
        alice.sees("//p[contains(., 'Nothing was sent')]");
        let words = alice.run("return document.querySelector('#words').value");
        assert_eq!(words, "This took me an hour.");
        assert_eq!(town.board(MOLOKO).next_move(), made);
        if window.runs_scripts {
            assert_eq!(alice.run("return location.search"), steps);
            // An update of the page does not take the words away.
            town.done("moloko chat 1 bob secret Where are you?");
            assert_eq!(alice.run("return document.querySelector('#words').value"), words);
        }
        alice.click(&alice.find(PLAY));
        alice.sees("//blockquote[contains(., 'This took me an hour.')]");
        assert_ne!(town.board(MOLOKO).next_move(), made);
        alice.find("form[action='/signout']");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_focus_never_falls_to_the_body() {
    let (mut town, alice) = with_alice("moloko", "", Window::DESK);
    let stays = |what: &str| {
        alice.until(what, IS_STILL);
        let focused = "return document.activeElement !== document.body \
                       && document.activeElement.isConnected";
        assert_eq!(alice.run(focused), true, "{what}: {}", alice.page());
    };
    // A move by the keyboard alone, step by step, and back.
    let on_a_spot = "return document.activeElement.matches('svg a[data-spot]')";
    let mut tabs = 0;
    while alice.run(on_a_spot) != true {
        alice.press(TAB);
        tabs += 1;
        assert!(tabs < 40, "no spot has the focus");
    }
    for _ in 0..8 {
        if alice.has(PLAY) {
            break;
        }
        alice.press(ENTER);
        stays("a step");
    }
    alice.run(&format!("document.querySelector({PLAY:?}).focus()"));
    alice.press(ENTER);
    alice.until("the move", "return !document.querySelector('section.turn')");
    stays("the move");
    // The opponent's move replaces what has the focus.
    alice.run("document.querySelector('.bar [data-key=n]').focus()");
    let made = moves_made(&alice);
    let words = town.any_move(MOLOKO);
    town.bob_replies(MOLOKO, &words);
    moves_come(&alice, &made);
    stays("bob's move");
    // A question that is answered goes away.
    town.done("moloko undo 1 bob secret");
    let reject = alice.find(".offer button[value=reject]");
    assert!(alice.attribute(&reject, "type").is_some());
    alice.run("document.querySelector('.offer button[value=reject]').focus()");
    alice.press(ENTER);
    alice.until("the answer", "return !document.querySelector('.offer')");
    stays("the answer");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn the_newest_message_is_in_view() {
    for window in [Window::DESK, Window::PLAIN] {
        let (town, alice) = with_alice("moloko", "", window);
        for number in 1..=18 {
            town.done(&format!("moloko chat 1 bob secret Message {number}"));
        }
        alice.go(&town.page(MOLOKO));
        let in_view = |number: u32| {
            let script = format!(
                "const log = document.querySelector('.log').getBoundingClientRect(); \
                 const all = [...document.querySelectorAll('.log blockquote')]; \
                 const it = all.find((it) => it.textContent.trim() == 'Message {number}'); \
                 const {{ top, bottom }} = it.getBoundingClientRect(); \
                 return top >= log.top && bottom <= log.bottom + 1"
            );
            alice.run(&script) == true
        };
        assert!(in_view(18) && !in_view(1), "{}", alice.page());
        if window.runs_scripts {
            alice.run("document.querySelector('.log').scrollTop = -10000");
            assert!(in_view(1) && !in_view(18));
            alice.run("document.querySelector('.log').scrollTop = 0");
            town.done("moloko chat 1 bob secret Message 19");
            alice.sees("//blockquote[contains(., 'Message 19')]");
            assert!(in_view(19));
        }
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_flipped_board_stays_flipped_and_is_played_by_dragging() {
    for game in ["malaka", "backgammon", "moultezim"] {
        let (_town, alice) = with_alice(game, "", Window::DESK);
        let man = "svg a[data-spot]:has(.can)";
        let spot = alice.attribute(&alice.find(man), "data-spot").unwrap();
        let same = format!("svg a[data-spot='{spot}']");
        let before = rectangle(&alice, &same);
        alice.click(&alice.sees("//a[.='Flip the board']"));
        alice.until(
            "the other side",
            "return !!document.querySelector('a.flip[href*=\"flip=off\"]')",
        );
        alice.until("the page", IS_STILL);
        let after = rectangle(&alice, &same);
        assert_ne!(before, after, "{game}");
        assert_eq!(alice.run("return location.search"), "");
        alice.chromium("Page.reload", &serde_json::json!({}));
        alice.until("the page", IS_STILL);
        assert_eq!(rectangle(&alice, &same), after, "{game}");
        alice.drag(&alice.find(man), TARGET);
        alice.until("a step", "return /play=[^&]+/.test(location.href)");
        alice.until("the page", IS_STILL);
        assert!(alice.text(".turn strong").starts_with(&spot), "{}", alice.page());
    }
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_key_and_a_click_lead_to_the_next_board() {
    let (town, alice) = with_alice("reversi", " -size=8", Window::DESK);
    for _ in 0..2 {
        town.done("reversi challenge alice bob -size=8");
    }
    plays(&alice, &mut Chance::new(2));
    assert!(alice.text(".news").starts_with("You played "), "{}", alice.page());
    assert_eq!(alice.text(".bar [data-key=n]"), "Next: Reversi 2 (2 waiting)");
    alice.press(N);
    alice.until("the next board", "return location.pathname == '/reversi/2'");
    alice.until("the page", IS_STILL);
    plays(&alice, &mut Chance::new(2));
    alice.click(&alice.find(".bar .button.main"));
    alice.until("the next board", "return location.pathname == '/reversi/3'");
    // With the preference the move itself leads on.
    town.done("reversi challenge alice bob -size=8");
    town.done("set alice secret next on");
    alice.go(&town.page(BoardId { number: 3, ..REVERSI }));
    put_together(&alice, &mut Chance::new(2));
    alice.click(&alice.find(PLAY));
    alice.until("the next board", "return location.pathname == '/reversi/4'");
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_rematch_is_one_click_for_both() {
    let (town, alice) = with_alice("reversi", " -size=8", Window::DESK);
    let bob = town.enters("bob", Window::PLAIN);
    alice.click(&alice.find(".menu summary"));
    alice.click(&alice.find("form:has(button[value=resign]) button"));
    alice.click(&alice.find("dialog form button"));
    alice.sees("//section[@class='ending']//button[.='Rematch']");
    assert!(alice.text(".ending p").starts_with("Your rating: "), "{}", alice.page());
    alice.click(&alice.find(".ending button[value=rematch]"));
    alice.until("the rematch", "return location.pathname == '/reversi/2'");
    bob.go(&town.page(REVERSI));
    bob.click(&bob.sees("//a[.='Go to the rematch']"));
    bob.until("the rematch", "return location.pathname == '/reversi/2'");
    let [one, two] = [1, 2].map(|number| town.board(BoardId { number, ..REVERSI }).players);
    assert_eq!(one, [two[1].clone(), two[0].clone()]);
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_queued_move_that_became_impossible_is_said_on_the_page() {
    let (mut town, alice) = with_alice("moloko", "", Window::DESK);
    plays(&alice, &mut Chance::new(3));
    while town.due(MOLOKO).as_deref() == Some("alice") {
        plays(&alice, &mut Chance::new(3));
    }
    alice.click(&alice.sees("//summary[.='Play in advance']"));
    alice.write("form:has([value=queue]) input[name=say]", "e5-e6");
    alice.click(&alice.find("form:has([value=queue]) button"));
    alice.sees("//p[contains(., 'Your queued move: e5-e6')]");
    let words = town.any_move(MOLOKO);
    town.bob_replies(MOLOKO, &words);
    alice.sees("//p[contains(., 'Your planned move e5-e6 was not possible any more')]");
}

/// A line of four moves is played out by clicks, and the answer is played as soon as bob has moved.
#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn a_plan_is_played_out_on_the_board() {
    for window in [Window::DESK, Window::PHONE] {
        let (mut town, alice) = with_alice("reversi", " -size=8", window);
        plays(&alice, &mut Chance::new(5));
        assert_eq!(town.due(REVERSI).as_deref(), Some("bob"));
        alice.click(&alice.sees("//summary[.='Play in advance']"));
        follow(&alice, &alice.sees("//a[.='Play answers out on the board']"));
        let mut line = Vec::new();
        for number in 1..=4 {
            let before = alice.run("return location.href");
            let point = alice.find(SPOT);
            line.push(alice.attribute(&point, "data-spot").unwrap());
            alice.click(&point);
            alice.until(
                "the move",
                &format!("return document.querySelectorAll('.tried li').length == {number}"),
            );
            assert_ne!(alice.run("return location.href"), before);
            assert_eq!(alice.has("form.say button.main"), number % 2 == 0, "{}", alice.page());
        }
        assert_eq!(looks::complaints(&alice), Vec::<String>::new());
        alice.click(&alice.sees("//button[.='Answer with this']"));
        let [one, two, three, four] = [0, 1, 2, 3].map(|index: usize| line[index].clone());
        let shown = format!("if {one} then {two}, if {three} then {four}");
        alice.sees(&format!("//ol[@class='plan']/li[.='{shown}']"));
        assert_eq!(looks::complaints(&alice), Vec::<String>::new());
        town.bob_replies(REVERSI, &one);
        alice.sees(&format!("//p[contains(., 'Your plan played {two}. It goes on')]"));
        let board = town.board(REVERSI);
        assert_eq!(board.moves().last().map(|turn| turn.text.into_owned()), Some(two));
        assert_eq!(town.due(REVERSI).as_deref(), Some("bob"));
    }
}

/// Whole games are played by taps on a phone: one of each kind of board.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn whole_games_are_played_by_touch() {
    let mut town = ServedHome::new();
    let alice = town.enters("alice", Window::PHONE);
    for (game, options) in
        [("malaka", " -d6"), ("backgammon", ""), ("reversi", " -size=8"), ("fillit", " -mode=0")]
    {
        town.done(&format!("{game} challenge alice bob{options}"));
        let id = BoardId { game, number: 1 };
        alice.go(&town.page(id));
        alice.run("window.isTheSame = true");
        games::play_out(&mut town, &alice, id);
        ends::has_ended(&mut town, &alice, id);
    }
}

/// Alice plays a match in her browser as a newcomer does: without any setting she is asked before each
/// roll. She doubles, bob takes, and later she takes his double.
#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn a_match_with_doubles_needs_no_settings() {
    for window in [Window::PHONE, Window::PLAIN] {
        let mut town = ServedHome::new();
        town.done("backgammon challenge alice bob -match=3");
        let id = BoardId { game: "backgammon", number: 1 };
        let alice = town.enters("alice", window);
        alice.go(&town.page(id));
        alice.run("window.isTheSame = true");
        games::play_match(&mut town, &alice, id);
    }
}
