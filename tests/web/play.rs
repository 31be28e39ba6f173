//! Play with forms and links, without scripts.

use crate::support::web::browser::{Browser, Form, confirming, forms};
use crate::support::web::home::{MALAKA, WebHome};
use crate::support::web::page::attributes;
use games::GAMES;
use postboard::base::ids::BoardId;

fn town() -> WebHome {
    let town = WebHome::with_board();
    town.letters();
    town
}

/// Returns the browser of the player to move.
fn due(town: &WebHome, id: BoardId) -> Browser<'_> {
    Browser::of(town, &town.due(id).0)
}

fn moves(town: &WebHome, id: BoardId) -> usize {
    town.board(id, |board| board.next_move() - 1)
}

/// Returns the links of a board whose address starts with `begin`.
fn links(page: &str, begin: &str) -> Vec<String> {
    let links = attributes(page, "svg a[href]", "href").into_iter();
    links.filter(|link| link.contains(begin)).collect()
}

/// Returns the form that sends a complete move.
fn ready(page: &str) -> Option<Form> {
    forms(page).into_iter().find(|form| form.fields.iter().any(|(name, _)| name == "say"))
}

#[test]
fn a_move_is_put_together_by_links_and_sent_by_a_form() {
    let town = town();
    let mut browser = due(&town, MALAKA);
    let mut page = browser.get("/malaka/1");
    let mut clicks = 0;
    // Clicks a man and its target alternately until the dice are used up.
    while ready(&page.body).is_none() {
        let link = links(&page.body, if clicks % 2 == 0 { "?from=" } else { "?play=" });
        page = browser.get(link.last().unwrap_or_else(|| panic!("{clicks}: {}", page.body)));
        clicks += 1;
        assert!(clicks < 20, "{}", page.body);
    }
    assert!(page.body.contains("Take back a step") || clicks == 0);
    let before = moves(&town, MALAKA);
    let form = ready(&page.body);
    let reply = browser.send(&form.unwrap().with("comment", "Good luck!"));
    assert_eq!(reply.header("location"), "/malaka/1", "{}", reply.body);
    assert!(moves(&town, MALAKA) > before);
    // Only the opponent gets a mail, because the player has seen the move on the page.
    let letters = town.letters();
    assert!(letters.iter().any(|(_, text)| text.contains("Good luck!")), "{letters:?}");
    assert_eq!(letters.len(), 1, "{letters:?}");
}

#[test]
fn a_form_that_is_sent_twice_is_carried_out_once() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let mut browser = Browser::of(&town, &player);
    let form = browser.form("/malaka/1", "/malaka/1").with("say", &first);
    let form = form.with("verb", "");
    assert_eq!(browser.send(&form).status, 303);
    let documents = town.documents();
    assert_eq!(browser.send(&form).status, 303);
    assert_eq!(town.documents(), documents);
    town.letters();
    // A repeated form sends its message only once, too.
    let chat =
        browser.form_with("/malaka/1", "/malaka/1", "verb", "chat").with("comment", "Hello!");
    assert_eq!(
        (browser.send(&chat).status, browser.send(&chat).status.as_u16()),
        (303.try_into().unwrap(), 303)
    );
    assert_eq!(town.letters().len(), 1);
}

#[test]
fn a_form_of_a_board_that_has_gone_on_plays_nothing() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let mut browser = Browser::of(&town, &player);
    // Two windows show the same board; both send the move, and the first page sends it again.
    let mut window = || browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", &first);
    let (one, two) = (window(), window());
    assert_ne!(one.body(), two.body());
    assert_eq!(browser.send(&one).status, 303);
    let stale = |browser: &mut Browser, when: &str| {
        town.letters();
        let documents = town.documents();
        assert_eq!(browser.send(&one).status, 303, "{when}: that was done already");
        browser.send(&two).says(422, "Nothing was played");
        assert_eq!(town.documents(), documents, "{when}");
        assert!(town.letters().is_empty(), "{when}");
    };
    stale(&mut browser, "at once");
    town.play(MALAKA, 1);
    while town.due(MALAKA).0 != player {
        town.play(MALAKA, 1);
    }
    stale(&mut browser, "when it is their turn again");
}

#[test]
fn what_a_mail_refuses_is_refused_on_the_page() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let other = if player == "alice" { "bob" } else { "alice" };
    let documents = town.documents();
    let mut browser = Browser::of(&town, other);
    let form = browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", &first);
    let page = browser.send(&form).says(422, &format!("It is {player}"));
    assert!(page.body.contains("<svg"), "the board is there, to say something else");
    let mut browser = Browser::of(&town, &player);
    let form = browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", "a1-a9");
    browser.send(&form).says(422, "a1-a9");
    // Carol does not play on this board.
    let mut carol = Browser::of(&town, "carol");
    let mut form = carol.form("/malaka/1", "/say").with("say", &first);
    form.action = "/malaka/1".into();
    carol.send(&form).says(422, "carol");
    assert_eq!(town.documents(), documents);
}

#[test]
fn offers_are_made_withdrawn_and_answered() {
    let town = town();
    town.play(MALAKA, 4);
    town.letters();
    let mut alice = Browser::of(&town, "alice");
    let mut bob = Browser::of(&town, "bob");
    let before = moves(&town, MALAKA);
    let say = |browser: &mut Browser, words: &str| {
        let form = browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", words);
        assert_eq!(browser.send(&form).status, 303, "{words}");
    };
    say(&mut alice, "undo");
    alice.get("/malaka/1").says(200, "Withdraw the offer");
    say(&mut alice, "reject");
    say(&mut alice, "undo");
    bob.get("/malaka/1").says(200, "alice asks to take back move");
    say(&mut bob, "accept");
    assert!(moves(&town, MALAKA) < before);
    let resign = bob.form("/malaka/1", "/malaka/1").with("verb", "").with("say", "resign");
    sure(&mut bob, &resign, "Resign Malaka 1?");
    bob.get("/malaka/1").says(200, "You lost");
}

/// Sends the form of an irreversible action, and then the form that confirms it.
fn sure(browser: &mut Browser, form: &Form, question: &str) {
    let documents = browser.town.documents();
    let page = browser.send(form).says(200, question);
    assert!(page.body.contains("data-ask") && page.body.contains("Cancel"), "{}", page.body);
    assert_eq!(browser.town.documents(), documents, "nothing is done before the answer");
    assert_eq!(browser.send(&confirming(&page.body)).status, 303, "{question}");
    assert_ne!(browser.town.documents(), documents, "{question}");
}

#[test]
fn acts_that_cannot_be_undone_are_asked_about_once() {
    let town = town();
    town.say("backgammon challenge alice bob");
    let game = BoardId { game: "backgammon", number: 1 };
    let mut browser = due(&town, game);
    let there = "/backgammon/1";
    // The question appears for every notation and stake.
    let written = browser.form(there, there).with("verb", "").with("say", "resign match");
    browser.send(&written).says(200, "Resign Backgammon 1?");
    let gammon = browser.form_with(there, there, "verb", "resign").with("say", "gammon");
    sure(&mut browser, &gammon, "Resign Backgammon 1 (gammon)?");
    let token = browser.form(there, there).with("verb", "").with("say", "newtoken");
    sure(&mut browser, &token, "Get a new reply address for Backgammon 1?");
    let key = browser.form("/settings", "/keys").with("name", "robot <1>");
    browser.send(&key).says(200, "A key for your program");
    let revoke = browser.form("/settings", "/keys/revoke");
    sure(&mut browser, &revoke, "Revoke the key robot &lt;1&gt;?");
    let mut other = Browser::of(&town, "carol");
    let everywhere = other.form("/settings", "/signout").with("everywhere", "yes");
    sure(&mut other, &everywhere, "Sign out everywhere?");
    // Reversible actions need no confirmation.
    let chat = browser.form_with(there, there, "verb", "chat").with("comment", "Hello!");
    assert_eq!(browser.send(&chat).status, 303);
    let mute = browser.form("/settings", "/say").with("verb", "mute").with("word", "bob");
    assert!(!browser.send(&mute).body.contains("data-ask"));
}

#[test]
fn a_move_waits_to_be_confirmed_or_for_ones_turn() {
    let town = town();
    let (player, first) = town.due(MALAKA);
    let other = if player == "alice" { "bob" } else { "alice" };
    let mut browser = Browser::of(&town, &player);
    let form = browser.form("/malaka/1", "/malaka/1").with("verb", "submit").with("say", &first);
    assert_eq!(browser.send(&form).status, 303);
    browser.get("/malaka/1").says(200, "Not played yet");
    let mut waits = Browser::of(&town, other);
    let form = waits.form_with("/malaka/1", "/malaka/1", "verb", "queue").with("say", "h9-h8");
    assert_eq!(waits.send(&form).status, 303);
    waits.get("/malaka/1").says(200, "Your queued move: <strong>h9-h8");
    let page = browser.get("/malaka/1");
    assert!(!page.body.contains("h9-h8"), "nobody else sees it");
    let before = moves(&town, MALAKA);
    let form = browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", "confirm");
    assert_eq!(browser.send(&form).status, 303);
    assert!(moves(&town, MALAKA) > before);
}

#[test]
fn settings_are_chosen_for_a_board_a_game_and_all() {
    let town = WebHome::new();
    town.say("plakoto challenge alice bob");
    let mut alice = Browser::of(&town, "alice");
    let upright = alice.get("/plakoto/1").body;
    let form = alice.form_with("/settings", "/say", "word", "flip").with("word", "flip");
    let mut form = form;
    form.fields.push(("word".into(), "on".into()));
    assert_eq!(alice.send(&form).header("location"), "/settings?notice=saved");
    assert_ne!(alice.get("/plakoto/1").body, upright);
    let mut form = alice.form_with("/settings", "/say", "word", "html");
    form.fields.push(("word".into(), "off".into()));
    assert_eq!(alice.send(&form).header("location"), "/settings?notice=saved");
    alice.get("/settings").says(200, "<option value=\"off\" selected>Your mails are plain text");
}

#[test]
fn every_game_can_be_challenged_and_clicked() {
    for game in GAMES {
        let (town, spec) = (WebHome::new(), game.spec());
        let mut alice = Browser::of(&town, "alice");
        let page = format!("/{}", spec.name);
        let form = alice.form(&page, "/begin").with("with", "friend").with("opponent", "bob");
        let reply = alice.send(&form);
        let board = format!("/{}/1", spec.name);
        assert_eq!(reply.header("location"), board, "{}", reply.body);
        let id = BoardId { game: spec.name, number: 1 };
        let mut browser = due(&town, id);
        let page = browser.get(&board).body;
        // The page has a clickable point or a button.
        let can = links(&page, "from=").len() + links(&page, "play=").len();
        assert!(can > 0 || ready(&page).is_some(), "{}: {page}", spec.name);
    }
}

#[test]
fn an_open_challenge_is_made_and_accepted() {
    let town = WebHome::new();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let form = alice.form("/malaka", "/begin").with("with", "anybody").with("option.large", "on");
    assert_eq!(alice.send(&form).header("location"), "/malaka?notice=posted");
    let form = bob.form_with("/", "/say", "verb", "accept-seek");
    assert_eq!(bob.send(&form).header("location"), "/malaka/1");
    assert!(town.board(MALAKA, |board| board.options.has("large")));
}

#[test]
fn secrets_stay_secret() {
    let town = WebHome::new();
    town.say("findthem challenge alice bob");
    let id = BoardId { game: "findthem", number: 1 };
    town.play(id, 2);
    let mut bob = Browser::of(&town, "bob");
    for path in ["/findthem/1", "/findthem/1?play=e5", "/findthem/1/preview?moves=e5"] {
        let page = bob.get(path).body;
        let lit = ["\"green\"", "\"red\""].map(|class| page.matches(class).count());
        // The page shows two pressed points and a sign for each player.
        assert!(lit[0] + lit[1] <= 4, "{path}: {lit:?}");
    }
    let small = bob.get("/findthem/1/small/light.svg").body;
    // A lamp has two shapes and the board itself three; the pattern has at least 20 lamps.
    let shapes = small.matches("<circle").count() + small.matches("<rect").count();
    assert!(shapes <= 2 * 4 + 3, "{shapes}");
    bob.get("/findthem/1/0").says(403, "hidden");
}

#[test]
fn messages_are_shown_to_the_players_alone_and_erased_with_them() {
    let town = town();
    let (mut alice, mut bob) = (Browser::of(&town, "alice"), Browser::of(&town, "bob"));
    let chat = alice.form_with("/malaka/1", "/malaka/1", "verb", "chat");
    assert_eq!(alice.send(&chat.with("comment", "Nice to meet you")).status, 303);
    bob.get("/malaka/1").says(200, "Nice to meet you");
    alice.get("/malaka/1").says(200, "Nice to meet you");
    // The page also shows messages that arrive by mail.
    let mail = "From: bob@example.org\nSubject: malaka chat 1 bob secret\n\nHello alice!\n";
    town.mail(mail);
    alice.get("/malaka/1").says(200, "Hello alice!");
    for mut other in [Browser::new(&town), Browser::of(&town, "carol")] {
        let page = other.get("/malaka/1").body;
        assert!(!page.contains("Nice to meet") && !page.contains("Hello alice"), "{page}");
    }
    town.say("mute alice bob");
    assert!(!alice.get("/malaka/1").body.contains("Hello alice!"));
    town.letters();
    town.say("export alice");
    let (_, text) = town.letters().pop().unwrap();
    assert!(text.contains("Nice to meet you") && !text.contains("Hello alice!"), "{text}");
    town.say("delete alice");
    let (_, text) = town.letters().pop().unwrap();
    let code = text.split_whitespace().find(|word| word.starts_with("alice-")).unwrap();
    town.say(&format!("delete alice {code}"));
    let page = bob.get("/malaka/1").body;
    assert!(!page.contains("Nice to meet") && page.contains("Hello alice!"), "{page}");
}

#[test]
fn one_looks_ahead_from_any_position_and_nothing_is_kept() {
    let town = town();
    town.play(MALAKA, 3);
    let documents = town.documents();
    let moves = town.board(MALAKA, |board| {
        let moves = postboard::reply::board_view::all_moves(board, &games::View::default());
        moves.into_iter().map(|one| (one.dice.unwrap().to_string(), one.words)).collect::<Vec<_>>()
    });
    let (_, first) = &moves[0];
    let first = first.trim_end_matches(" (auto)");
    let page = town.get(&format!("/malaka/1/preview?after=0&moves={first}"));
    let page = page.says(200, "Tried so far").body;
    assert!(page.contains("<svg") && page.contains("Nothing is played."), "{page}");
    assert!(page.contains(&format!(": {first}")), "{first}: {page}");
    let page = town.get(&format!("/malaka/1/preview?after=0&moves={first}+21"));
    let page = page.says(200, "bob to move: 2-1.").body;
    assert!(page.contains(r#"data-spot="g9""#), "bob's men can be chosen: {page}");
    town.get("/malaka/1/preview?after=0&moves=a1-a9").says(422, "a1-a9");
    town.get("/malaka/1/preview?after=9&moves=a1-a2").says(404, "No page has this address");
    town.get("/malaka/1/preview?after=x&moves=a1-a2").says(404, "No page has this address");
    assert_eq!(town.documents(), documents);
}
