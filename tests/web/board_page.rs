//! The page of a board: its news, its bar, offers, messages, and where it leads after a move.

use crate::support::web::browser::{Browser, Form, confirming, forms};
use crate::support::web::home::{MALAKA, WebHome, malaka};
use crate::support::web::page::{self, attribute, select};
use games::{GAMES, Seat};
use postboard::base::ids::BoardId;
use postboard::model::board::Board;
use postboard::model::chat_log::LONGEST_MESSAGE;
use scraper::Html;

const GAME: BoardId = BoardId { game: "backgammon", number: 1 };

fn town() -> WebHome {
    let town = WebHome::with_board();
    town.letters();
    town
}

/// Returns the texts of the elements that a selector finds, with single blanks.
fn texts(page: &str, selector: &str) -> Vec<String> {
    Html::parse_document(page).select(&select(selector)).map(page::text).collect()
}

fn text(page: &str, selector: &str) -> String {
    texts(page, selector).into_iter().next().unwrap_or_else(|| panic!("no {selector} in {page}"))
}

/// Returns the browsers of the player to move and of the other player.
fn both(town: &WebHome, id: BoardId) -> (Browser<'_>, Browser<'_>) {
    let due = town.due(id).0;
    let other = if due == "alice" { "bob" } else { "alice" };
    (Browser::of(town, &due), Browser::of(town, other))
}

/// Returns the form of a page with a button that has this value, with the value as its field.
fn button(page: &str, value: &str) -> Form {
    let document = Html::parse_document(page);
    let chosen = format!("form:has(button[value='{value}'])");
    let index = document
        .select(&select("form[method=post]"))
        .position(|form| document.select(&select(&chosen)).any(|it| it.id() == form.id()));
    let index = index.unwrap_or_else(|| panic!("no button {value} in {page}"));
    forms(page).swap_remove(index).with("say", value)
}

/// Returns the form that sends a move.
fn a_move(page: &str, words: &str) -> Form {
    let form = forms(page).into_iter().find(|form| form.action.matches('/').count() == 2);
    form.unwrap().with("verb", "").with("say", words)
}

#[test]
fn the_first_line_says_what_was_played_and_whose_turn_it_is() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let (mut due, mut other) = both(&town, MALAKA);
    let roll = text(&due.get("/malaka/1").body, ".news");
    assert!(roll.starts_with("Your turn: ") && roll.len() < 20, "{roll}");
    assert!(
        text(&other.get("/malaka/1").body, ".news").starts_with(&format!("It is {player}'s turn"))
    );
    town.say(&format!("malaka move 1 {player} {first}"));
    let own = text(&due.get("/malaka/1").body, ".news");
    let played = format!("You played {}", first.replace(' ', ""));
    assert!(own.starts_with(&played[..12]) && own.contains("turn"), "{own}");
    let news = text(&other.get("/malaka/1").body, ".news");
    assert!(
        news.starts_with(&format!("{player} played ")) && news.contains("Your turn: "),
        "{news}"
    );
    let guest = text(&town.get("/malaka/1").body, ".news");
    assert!(guest.starts_with(&format!("{player} played ")) && guest.contains("It is "), "{guest}");
    town.say(&format!("malaka resign 1 {player}"));
    let won = text(&other.get("/malaka/1").body, ".news");
    assert!(won.starts_with("You won"), "{won}");
    assert!(text(&due.get("/malaka/1").body, ".news").starts_with("You lost"));
}

#[test]
fn a_submitted_move_is_shown_on_the_board_and_confirmed_or_changed() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let mut browser = Browser::of(&town, &player);
    let before = browser.get("/malaka/1").body;
    let form = a_move(&before, &first).with("verb", "submit");
    assert_eq!(browser.send(&form).status, 303);
    let page = browser.get("/malaka/1").body;
    let svg =
        |page: &str| page[page.find("<svg").unwrap()..page.find("</svg>").unwrap()].to_owned();
    assert!(text(&page, "section.turn").starts_with("Not played yet: "), "{page}");
    // The drawing shows the position after the move, without links.
    let after = town.board(MALAKA, |board| {
        let mut after = board.position().copy();
        after.play(&first).unwrap();
        after.visible_notation(&games::View::default())
    });
    town.board(MALAKA, |board| {
        assert_ne!(board.position().visible_notation(&games::View::default()), after);
    });
    assert!(!svg(&page).contains("data-spot"), "{page}");
    let (men, moved) = (svg(&before).matches("class=\"last\"").count(), svg(&page));
    assert!(moved.matches("class=\"last\"").count() > men, "the moved men are marked");
    let change = attribute(&page, "section.turn a.key", "href").unwrap();
    let changed = browser.get(&change).body;
    assert!(
        svg(&changed).contains("data-spot") && !changed.contains("Not played yet"),
        "{changed}"
    );
    // Without a step it is not shown again before the player asks for it.
    let man = attribute(&changed, "svg a[href*='from=']", "href").unwrap();
    let chosen = browser.get(&man).body;
    assert!(!chosen.contains("Not played yet") && svg(&chosen).contains("target"), "{chosen}");
    let page = browser.get("/malaka/1").body;
    assert_eq!(browser.send(&button(&page, "confirm")).status, 303);
    assert!(town.board(MALAKA, |board| board.next_move() > 1));
    assert!(!browser.get("/malaka/1").body.contains("Not played yet"));
}

/// Signs a player in on the page that keeps their form, and returns the page after it.
fn sign_in_again(browser: &mut Browser, page: &str, user: &str, password: &str) -> String {
    let form = forms(page).into_iter().find(|form| form.action == "/signin").unwrap();
    let reply = browser.send(&form.with("user", user).with("password", password));
    assert!([200, 422].contains(&reply.status.as_u16()), "{}", reply.body);
    reply.body
}

#[test]
fn a_session_that_has_ended_keeps_a_move_and_its_message_until_its_player_has_signed_in() {
    let town = town();
    let (player, _) = town.due(MALAKA);
    let mut browser = Browser::of(&town, &player);
    // A move that was put together on the board, and a message with it.
    let page = ready(&mut browser, "/malaka/1");
    let move_of = |page: &str| text(page, "form#play button strong");
    let (put_together, form) = (move_of(&page), the_move(&page, &[]));
    town.wait(postboard::base::time::days(61));
    let documents = town.documents();
    let sent = form.with("comment", "A <long> letter");
    let kept = browser.send(&sent).says(403, "what you have typed is kept").body;
    let wrong = sign_in_again(&mut browser, &kept, &player, "wrong1");
    assert!(wrong.contains("Wrong userid or password"), "{wrong}");
    town.board(MALAKA, |board| assert_eq!(board.next_move(), 1));
    // Another user gets no form to send it with, but the words are not lost.
    let mut other = Browser { cookie: browser.cookie.clone(), ..Browser::new(&town) };
    let carols = sign_in_again(&mut other, &wrong, "carol", "secret");
    assert!(texts(&carols, "form#play").is_empty(), "{carols}");
    assert!(carols.contains("A &lt;long&gt; letter"), "{carols}");
    let page = sign_in_again(&mut browser, &wrong, &player, "secret");
    assert!(text(&page, ".kept-form").contains("Nothing was sent"), "{page}");
    assert_eq!(move_of(&page), put_together);
    assert_eq!(text(&page, ".message textarea"), "A <long> letter");
    assert!(attribute(&page, "details.message", "open").is_some());
    let boards = |documents: &std::collections::BTreeMap<_, String>| {
        documents.values().filter(|text| text.contains("\"record\"")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(boards(&town.documents()), boards(&documents));
    let again = the_move(&page, &[]).with("comment", "A <long> letter");
    assert_eq!(browser.send(&again).header("location"), "/malaka/1");
    town.board(MALAKA, |board| assert!(board.next_move() > 1));
    assert_eq!(texts(&browser.get("/malaka/1").body, ".log blockquote"), ["A <long> letter"]);
}

#[test]
fn a_resignation_is_asked_about_after_a_session_that_has_ended() {
    let town = town();
    let mut alice = Browser::of(&town, "alice");
    let is_over = || town.board(MALAKA, Board::is_over);
    let question_of = |browser: &mut Browser, page: &str| {
        browser.send(&button(page, "resign")).says(200, "Resign Malaka 1?").body
    };
    let answer_of = |question: &str| {
        let form = forms(question).into_iter().find(|form| form.action == "/malaka/1").unwrap();
        assert!(form.fields.contains(&("sure".to_owned(), "yes".to_owned())), "{form:?}");
        form
    };
    let mut page = alice.get("/malaka/1").body;
    // The button is pressed too late, and then the answer to its question.
    for is_answered in [false, true] {
        let form = button(&page, "resign");
        let late = if is_answered { answer_of(&question_of(&mut alice, &page)) } else { form };
        town.wait(postboard::base::time::days(61));
        let kept = alice.send(&late).says(403, "what you have typed is kept").body;
        page = sign_in_again(&mut alice, &kept, "alice", "secret");
        assert!(text(&page, ".kept-form").contains("Nothing was sent") && !is_over());
    }
    let question = question_of(&mut alice, &page);
    assert!(!question.contains("secret") && !is_over());
    assert_eq!(alice.send(&answer_of(&question)).status, 303);
    assert!(is_over());
}

#[test]
fn a_message_that_is_too_long_is_refused_and_kept_in_its_field() {
    let town = town();
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/malaka/1").body;
    let most = LONGEST_MESSAGE.to_string();
    assert_eq!(attribute(&page, ".chat textarea", "maxlength"), Some(most.clone()));
    let chat = alice.form_with("/malaka/1", "/malaka/1", "verb", "chat");
    let documents = town.documents();
    let long = "\u{448}".repeat(LONGEST_MESSAGE + 1);
    let page = alice.send(&chat.clone().with("comment", &long)).says(422, "2001 characters").body;
    assert_eq!(text(&page, ".chat textarea"), long);
    assert_eq!((town.documents(), town.letters().len()), (documents, 0));
    // A line break counts as one character, as in a browser.
    let words = format!("{}\r\nend", "\u{448}".repeat(LONGEST_MESSAGE - 4));
    let chat = alice.form_with("/malaka/1", "/malaka/1", "verb", "chat");
    assert_eq!(alice.send(&chat.with("comment", &words)).status, 303);
    let shown = text(&alice.get("/malaka/1").body, ".log blockquote");
    assert!(shown.ends_with(" end") && !shown.contains("cut"), "{shown}");
    // The message with a move has the same limit.
    let mut browser = Browser::of(&town, &town.due(MALAKA).0);
    let form = the_move(&ready(&mut browser, "/malaka/1"), &[]).with("comment", &long);
    let page = browser.send(&form).says(422, "2001 characters").body;
    assert_eq!(text(&page, ".message textarea"), long);
    town.board(MALAKA, |board| assert_eq!(board.next_move(), 1));
}

#[test]
fn a_refused_move_in_words_stays_in_its_field() {
    let town = town();
    let (player, _) = town.due(MALAKA);
    let mut browser = Browser::of(&town, &player);
    let all = forms(&browser.get("/malaka/1").body);
    let written = all.into_iter().find(|form| is_named(form, "written")).unwrap();
    let written = written.with("say", "a1-a9").with("comment", "Is it legal?");
    let page = browser.send(&written).says(422, "a1-a9").body;
    let field = ".menu form:has([name=once][value$=written]) input[name=say]";
    assert_eq!(attribute(&page, field, "value").as_deref(), Some("a1-a9"));
    assert_eq!(text(&page, ".menu form:has([name=once][value$=written]) textarea"), "Is it legal?");
    assert_eq!(text(&page, ".message textarea"), "", "another form has not been used");
}

#[test]
fn a_queued_move_that_became_impossible_is_said_until_the_next_decision() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let (mut due, mut waits) = both(&town, MALAKA);
    let form = waits.form_with("/malaka/1", "/malaka/1", "verb", "queue").with("say", "e5-e6");
    assert_eq!(waits.send(&form).status, 303);
    town.say(&format!("malaka move 1 {player} {first}"));
    let said = "Your planned move e5-e6 was not possible any more and was removed.";
    let page = waits.get("/malaka/1").body;
    assert_eq!(text(&page, ".dropped"), said);
    assert!(!due.get("/malaka/1").body.contains("e5-e6"), "the opponent does not learn of it");
    assert!(!town.get("/malaka/1").body.contains("e5-e6"));
    town.play(MALAKA, 1);
    assert!(texts(&waits.get("/malaka/1").body, ".dropped").is_empty());
}

#[test]
fn messages_cannot_reorder_the_page() {
    let town = town();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let chat = alice.form_with("/malaka/1", "/malaka/1", "verb", "chat");
    let words = "left \u{202e}thgir\u{2067} \u{5e9}\u{5dc}\u{5d5}\u{5dd}";
    assert_eq!(alice.send(&chat.with("comment", words)).status, 303);
    let page = bob.get("/malaka/1").body;
    assert_eq!(text(&page, ".log blockquote"), "left thgir \u{5e9}\u{5dc}\u{5d5}\u{5dd}");
    assert_eq!(attribute(&page, ".log blockquote", "dir").as_deref(), Some("auto"));
    assert!(!page.contains(['\u{202e}', '\u{2067}']));
}

/// Returns the names in the strips of a drawing, from top to bottom.
pub(super) fn strips(page: &str) -> Vec<String> {
    let document = Html::parse_document(page);
    let names = select("svg .name, svg .turn");
    let mut found: Vec<(f32, String)> = document
        .select(&names)
        .filter_map(|name| {
            Some((name.attr("y")?.parse().unwrap(), name.text().collect::<String>()))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let of = |text: String| if text.starts_with("alice") { "alice" } else { "bob" }.to_owned();
    found.into_iter().map(|(_, text)| of(text)).collect()
}

#[test]
fn every_player_sees_their_own_side_below_and_can_flip_the_board() {
    let town = WebHome::new();
    let mut players = ["alice", "bob"].map(|name| (name, Browser::of(&town, name)));
    for spec in GAMES.iter().map(|game| game.spec()).filter(|spec| !spec.manner.is_solo) {
        town.say(&format!("{} challenge alice bob", spec.name));
        let path = format!("/{}/1", spec.name);
        for (name, browser) in &mut players {
            let page = browser.get(&path).body;
            assert_eq!(strips(&page)[1], *name, "{path}");
            let flip = attribute(&page, "a.flip", "href").unwrap();
            assert_eq!(browser.get(&flip).header("location"), path);
            let flipped = browser.get(&path).body;
            assert_eq!(strips(&flipped)[0], *name, "{path}");
            assert_eq!(strips(&browser.get(&format!("{path}/0?x")).body).len() % 2, 0);
            let back = attribute(&flipped, "a.flip", "href").unwrap();
            assert_eq!(browser.get(&back).status, 303);
            assert_eq!(strips(&browser.get(&path).body)[1], *name, "{path}");
        }
    }
    // Another board is not flipped, and a guest can flip a board, too.
    let mut guest = Browser::new(&town);
    let before = strips(&guest.get("/malaka/1").body);
    assert_eq!(guest.get("/malaka/1?flip=on").status, 303);
    assert_ne!(strips(&guest.get("/malaka/1").body), before);
    assert_eq!(strips(&town.get("/malaka/1").body), before, "other visitors see it as before");
}

#[test]
fn a_board_is_declined_or_withdrawn_on_its_page_before_the_first_move() {
    let town = WebHome::new();
    let mut players = ["alice", "bob"].map(|name| Browser::of(&town, name));
    for _ in 0..3 {
        let form = players[0].form("/malaka", "/begin").with("with", "friend");
        assert_eq!(players[0].send(&form.with("opponent", "bob")).status, 303);
    }
    let labels = |browser: &mut Browser, number: u32| {
        texts(&browser.get(&format!("/malaka/{number}")).body, "button[value=decline]")
    };
    assert_eq!(labels(&mut players[0], 1), ["Withdraw"]);
    assert_eq!(labels(&mut players[1], 1), ["Decline"]);
    assert!(labels(&mut Browser::of(&town, "carol"), 1).is_empty());
    for (player, number) in players.iter_mut().zip(1..) {
        let path = format!("/malaka/{number}");
        let form = button(&player.get(&path).body, "decline");
        let asked = player.send(&form).says(200, "The game does not begin").body;
        assert_eq!(attribute(&asked, "[data-cancel]", "href").unwrap(), path);
        assert!(!town.board(malaka(number), Board::is_over));
        assert_eq!(player.send(&confirming(&asked)).header("location"), path);
        assert!(labels(player, number).is_empty());
        let is_without_result = |board: &Board| board.is_over() && board.rated.is_none();
        town.board(malaka(number), |it| assert!(is_without_result(it)));
    }
    // A player who has moved is bound, and so is the challenger once the other player has moved.
    let last = malaka(3);
    let is_challengers = town.due(last).0 == "alice";
    town.play(last, 1);
    assert!(labels(&mut players[0], 3).is_empty());
    assert_eq!(labels(&mut players[1], 3).len(), usize::from(is_challengers));
    town.play(last, 2);
    assert!(players.iter_mut().all(|player| labels(player, 3).is_empty()));
}

#[test]
fn an_earlier_position_is_shown_while_other_boards_wait() {
    let town = WebHome::new();
    for game in ["reversi", "malaka", "reversi"] {
        town.say(&format!("{game} challenge alice bob"));
    }
    let first = BoardId { game: "reversi", number: 1 };
    town.play(first, 4);
    for player in ["alice", "bob"] {
        let mut browser = Browser::of(&town, player);
        for path in ["/reversi/1/0", "/reversi/1/2", "/reversi/1/4"] {
            browser.get(path).says(200, "Reversi 1");
        }
    }
}

#[test]
fn the_bar_leads_to_the_next_board_that_waits() {
    let town = WebHome::new();
    for _ in 0..4 {
        town.say("reversi challenge alice bob");
    }
    let id = |number| BoardId { game: "reversi", number };
    let mut alice = Browser::of(&town, "alice");
    let next = |browser: &mut Browser, path: &str| {
        let page = browser.get(path).body;
        let label = texts(&page, ".bar [data-key=n]").into_iter().next();
        label.map(|label| (label, attribute(&page, ".bar [data-key=n]", "href").unwrap()))
    };
    assert_eq!(next(&mut alice, "/reversi/2"), None, "it is her turn here");
    town.play(id(2), 1);
    let told = ("Next: Reversi 3 (3 waiting)".to_owned(), "/reversi/3".to_owned());
    assert_eq!(next(&mut alice, "/reversi/2"), Some(told));
    for number in [3, 4] {
        town.play(id(number), 1);
    }
    assert_eq!(next(&mut alice, "/reversi/4").unwrap().0, "Next: Reversi 1 (1 waiting)");
    town.play(id(1), 1);
    assert_eq!(next(&mut alice, "/reversi/4"), Some(("My boards".into(), "/boards".into())));
    // An offer waits, too.
    town.say("reversi propose 3 bob");
    assert_eq!(next(&mut alice, "/reversi/4").unwrap().0, "Next: Reversi 3 (1 waiting)");
    assert!(!town.get("/reversi/4").body.contains("data-key=\"n\""));
}

#[test]
fn of_many_boards_only_some_are_read() {
    let town = WebHome::new();
    for _ in 0..30 {
        town.say("reversi challenge alice bob");
    }
    town.play(BoardId { game: "reversi", number: 1 }, 1);
    let page = Browser::of(&town, "alice").get("/reversi/1").body;
    assert_eq!(text(&page, ".bar [data-key=n]"), "Next: Reversi 2 (24+ waiting)");
}

#[test]
fn a_preference_leads_to_the_next_board_after_a_move() {
    let town = WebHome::new();
    for _ in 0..2 {
        town.say("reversi challenge alice bob");
    }
    let mut alice = Browser::of(&town, "alice");
    let first = town.due(BoardId { game: "reversi", number: 1 }).1;
    let play = |browser: &mut Browser, path: &str| {
        let form = a_move(&browser.get(path).body, &first);
        browser.send(&form).header("location").to_owned()
    };
    town.say("set alice next on");
    // Words and settings lead nowhere.
    let chat = alice.form_with("/reversi/1", "/reversi/1", "verb", "chat").with("comment", "Hello");
    assert_eq!(alice.send(&chat).header("location"), "/reversi/1");
    assert_eq!(play(&mut alice, "/reversi/1"), "/reversi/2");
    assert_eq!(play(&mut alice, "/reversi/2"), "/reversi/2", "no other board waits");
    town.say("set alice next off");
    town.say("reversi challenge alice bob");
    town.say("reversi challenge alice bob");
    assert_eq!(play(&mut alice, "/reversi/3"), "/reversi/3");
}

/// Follows links until a move can be sent, and returns the page.
fn ready(browser: &mut Browser, path: &str) -> String {
    let mut page = browser.get(path).body;
    for begin in ["?from=", "?play="].into_iter().cycle().take(20) {
        if !texts(&page, "form#play").is_empty() {
            return page;
        }
        let link = attribute(&page, &format!("svg a[href*='{begin}']"), "href");
        page = browser.get(&link.unwrap_or_else(|| panic!("no {begin} in {page}"))).body;
    }
    panic!("no move in {page}")
}

/// Returns the form that sends the move, with these values of the box that lets the server roll.
fn the_move(page: &str, rolls: &[&str]) -> Form {
    let form = forms(page).into_iter().find(|form| is_named(form, "move"));
    with_rolls(form.unwrap(), rolls)
}

/// Returns whether a form has this name on its page.
fn is_named(form: &Form, name: &str) -> bool {
    form.fields.iter().any(|(field, value)| field == "once" && value.get(32..) == Some(name))
}

fn with_rolls(mut form: Form, rolls: &[&str]) -> Form {
    form.fields.retain(|(name, _)| name != "rolls");
    form.fields.extend(rolls.iter().map(|value| ("rolls".to_owned(), (*value).to_owned())));
    form
}

/// Returns whether the box that lets the server roll is checked; `None` without a box.
fn rolls_for_me(page: &str) -> Option<bool> {
    let found = attribute(page, ".bar input[type=checkbox][name=rolls]", "value")?;
    assert_eq!(found, "server");
    Some(attribute(page, ".bar input[type=checkbox][name=rolls]", "checked").is_some())
}

fn is_manual(town: &WebHome, id: BoardId, player: &str) -> bool {
    town.board(id, |board| {
        let seat = Seat::BOTH.into_iter().find(|seat| board.player(*seat).as_str() == player);
        board.settings[seat.unwrap().index()].has("manual")
    })
}

#[test]
fn who_plays_in_a_browser_is_asked_to_roll_or_double_unless_the_server_rolls() {
    let town = WebHome::new();
    town.say("backgammon challenge alice bob");
    for player in ["alice", "bob"] {
        town.say(&format!("backgammon set {player} numbers board"));
    }
    let player = town.due(GAME).0;
    let mut browser = Browser::of(&town, &player);
    let page = ready(&mut browser, "/backgammon/1");
    assert_eq!(rolls_for_me(&page), Some(false), "the first move decides");
    assert_eq!(browser.send(&the_move(&page, &["shown"])).status, 303);
    assert!(is_manual(&town, GAME, &player));
    town.play(GAME, 1);
    let page = browser.get("/backgammon/1").body;
    assert!(text(&page, ".news").ends_with("Your turn: roll or double."), "{page}");
    let labels = texts(&page, "section.turn button");
    assert_eq!(labels[..2], ["Roll", "Double"], "{labels:?}");
    assert_eq!(rolls_for_me(&page), Some(false));
    // The box turns automatic rolls on, after this roll.
    let roll = with_rolls(button(&page, "roll"), &["shown", "server"]);
    assert_eq!(browser.send(&roll).status, 303);
    assert!(!is_manual(&town, GAME, &player));
    if town.due(GAME).0 == player {
        let page = ready(&mut browser, "/backgammon/1");
        assert_eq!(rolls_for_me(&page), Some(true));
        assert_eq!(browser.send(&the_move(&page, &["shown", "server"])).status, 303);
        assert!(!is_manual(&town, GAME, &player));
    }
    // A form without the box, such as a program's, changes nothing.
    town.say("backgammon challenge alice bob");
    let id = BoardId { number: 2, ..GAME };
    let player = town.due(id).0;
    let mut browser = Browser::of(&town, &player);
    let page = ready(&mut browser, "/backgammon/2");
    assert_eq!(browser.send(&the_move(&page, &[])).status, 303);
    assert!(!is_manual(&town, id, &player));
    // Games without a cube have no such box.
    town.say("backgammon challenge alice bob -nocube");
    town.say("malaka challenge alice bob");
    for (path, id) in [("/backgammon/3", BoardId { number: 3, ..GAME }), ("/malaka/1", MALAKA)] {
        let page = ready(&mut Browser::of(&town, &town.due(id).0), path);
        assert_eq!(rolls_for_me(&page), None, "{path}");
    }
}

#[test]
fn a_double_is_a_question_with_two_answers() {
    let town = WebHome::new();
    for player in ["alice", "bob"] {
        town.say(&format!("backgammon set {player} numbers board"));
    }
    town.say("backgammon challenge alice bob");
    let (player, _) = town.due(GAME);
    let other = if player == "alice" { "bob" } else { "alice" };
    town.say(&format!("backgammon manual 1 {player}"));
    town.play(GAME, 2);
    assert_eq!(town.due(GAME).0, player);
    let mut doubles = Browser::of(&town, &player);
    let page = doubles.get("/backgammon/1").body;
    assert_eq!(doubles.send(&button(&page, "double")).status, 303);
    let mut asked = Browser::of(&town, other);
    let page = asked.get("/backgammon/1").body;
    assert_eq!(
        text(&page, "section.turn .question"),
        format!("{player} doubles: do you take or pass?")
    );
    assert_eq!(texts(&page, "section.turn button")[..2], ["Take", "Pass"]);
    assert_eq!(attribute(&page, "section.turn button", "class").as_deref(), Some("main"));
    assert!(!text(&page, ".news").contains("doubles"), "the question says it");
    assert_eq!(asked.send(&button(&page, "take")).status, 303);
    town.board(GAME, |board| assert_eq!(board.moves().last().unwrap().text, "take"));
}

#[test]
fn an_offer_is_a_question_with_its_answers() {
    let town = WebHome::new();
    town.say("reversi challenge alice bob");
    town.play(BoardId { game: "reversi", number: 1 }, 4);
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    for (offer, question, answers) in [
        ("propose", "bob offers a draw: do you accept it?", ["Accept the draw", "Play on"]),
        ("undo", "bob asks to take back move", ["Agree", "Refuse"]),
    ] {
        let page = bob.get("/reversi/1").body;
        assert_eq!(bob.send(&button(&page, offer)).status, 303);
        let page = alice.get("/reversi/1").body;
        assert!(text(&page, ".bar .offer p").starts_with(question), "{page}");
        assert_eq!(texts(&page, ".bar .offer button"), answers);
        assert_eq!(attribute(&page, ".bar .offer button", "class").as_deref(), Some("main"));
        assert_eq!(texts(&bob.get("/reversi/1").body, ".offer button"), ["Withdraw the offer"]);
        assert!(texts(&town.get("/reversi/1").body, ".offer").is_empty());
        assert_eq!(alice.send(&button(&page, "reject")).status, 303);
    }
}

#[test]
fn the_menu_has_the_rest() {
    let town = town();
    town.play(MALAKA, 4);
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/malaka/1").body;
    for value in ["undo", "resign", "mute", "newtoken", "manual on"] {
        let here = format!(".menu :is(button, option)[value='{value}']");
        assert!(!texts(&page, &here).is_empty(), "{value} in {page}");
    }
    assert!(!texts(&page, ".menu pre.board").is_empty());
    let mute = alice.send(&button(&page, "mute"));
    assert_eq!(mute.status, 303, "{}", mute.body);
    assert!(alice.get("/malaka/1").body.contains("Unmute bob"));
    // A watcher has only what everybody may see.
    let guest = town.get("/malaka/1").body;
    assert!(!texts(&guest, ".menu pre.board").is_empty() && texts(&guest, ".menu form").is_empty());
    assert!(texts(&guest, ".bar").is_empty());
}

#[test]
fn a_rematch_is_one_click_and_is_begun_once() {
    let town = town();
    town.play(MALAKA, 10);
    let loser = town.due(MALAKA).0;
    town.say(&format!("malaka resign 1 {loser}"));
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let page = alice.get("/malaka/1").body;
    let rating = text(&page, ".ending p");
    assert!(
        rating.starts_with("Your rating: ")
            && rating.contains(if loser == "alice" { "(-" } else { "(+" })
    );
    let bobs = bob.get("/malaka/1").body;
    let reply = alice.send(&button(&page, "rematch"));
    assert_eq!(reply.header("location"), "/malaka/2", "{}", reply.body);
    let [one, two] = [1, 2]
        .map(|number| town.board(BoardId { number, ..MALAKA }, |board| board.players.clone()));
    assert_eq!([&one[0], &one[1]], [&two[1], &two[0]], "the sides are swapped");
    // Both players find the rematch instead of beginning another one.
    for browser in [&mut alice, &mut bob] {
        let page = browser.get("/malaka/1").body;
        assert_eq!(text(&page, ".ending a.main"), "Go to the rematch");
        assert_eq!(attribute(&page, ".ending a.main", "href").as_deref(), Some("/malaka/2"));
        assert!(texts(&page, ".ending button[value=rematch]").is_empty());
    }
    assert!(texts(&bobs, ".ending button[value=rematch]").contains(&"Rematch".to_owned()));
    assert!(texts(&town.get("/malaka/1").body, ".ending").is_empty());
}

#[test]
fn the_end_leads_on_to_an_analysis_and_the_next_board() {
    let town = town();
    town.say("reversi challenge alice bob");
    town.play(MALAKA, 4);
    town.say("malaka resign 1 bob");
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/malaka/1").body;
    let labels = texts(&page, ".ending :is(button, a)");
    // The last one is a game that resembles it.
    assert_eq!(labels, ["Rematch", "Analyse", "Next: Reversi 1 (1 waiting)", "Moloko"]);
}
