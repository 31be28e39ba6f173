//! Forms that are refused: shown again on their page, with what was typed and the reason beside the
//! field. Forms of an expired session, the card that begins a game, notices, and the list of boards.

use crate::support::web::browser::{Browser, Form, confirming, forms};
use crate::support::web::home::{MALAKA, Reply, WebHome, malaka};
use crate::support::web::page::{attributes, select};
use games::GAMES;
use postboard::base::ids::BoardId;
use postboard::base::time::DAY;
use postboard::model::board::{Board, ClosedBy};
use scraper::Html;

/// A password that no page may show.
const SECRET: &str = "hunter-two-hunter";

/// The field that a page marks as wrong, with its reason.
#[derive(Debug, PartialEq, Eq)]
struct Wrong {
    name: String,
    typed: String,
    reason: String,
}

fn text(page: &str, selector: &str) -> String {
    let page = Html::parse_document(page);
    let selector = select(selector);
    let texts = page.select(&selector).map(|it| it.text().collect::<String>());
    texts.map(|text| text.trim().to_owned()).collect::<Vec<_>>().join(" | ")
}

/// Returns the field that is marked as wrong. It is the only one, has the focus, and its reason is told
/// as an alert.
#[track_caller]
fn wrong(reply: &Reply) -> Wrong {
    let page = Html::parse_document(&reply.body);
    let all: Vec<_> = page.select(&select("[aria-invalid=true]")).collect();
    let [field] = all[..] else { panic!("{} fields are wrong in {}", all.len(), reply.body) };
    assert!(field.attr("autofocus").is_some(), "{}", field.html());
    let id = field.attr("aria-describedby").unwrap();
    let reason = page.select(&select(&format!("[id={id:?}][role=alert]"))).next().unwrap();
    let typed = match field.value().name() {
        "textarea" => field.text().collect(),
        _ => field.attr("value").unwrap_or_default().to_owned(),
    };
    let name = field.attr("name").unwrap().to_owned();
    Wrong { name, typed, reason: reason.text().collect() }
}

/// Returns the value that a page shows in the first field of a name.
fn value(page: &str, name: &str) -> String {
    let page = Html::parse_document(page);
    let field = page.select(&select(&format!("main [name={name:?}]:not([type=hidden])"))).next();
    let field = field.unwrap_or_else(|| panic!("no field {name}"));
    match field.value().name() {
        "textarea" => field.text().collect::<String>().trim_start_matches('\n').to_owned(),
        _ => field.attr("value").unwrap_or_default().to_owned(),
    }
}

fn is_signed_in_as(page: &str, user: &str) -> bool {
    text(page, "header nav a").contains(user) && text(page, "header nav").contains("Sign out")
}

#[test]
fn a_refused_sign_in_is_shown_again_without_the_password() {
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    for user in ["alice", "nobody"] {
        let form = browser.form("/signin?back=%2Fmalaka", "/signin").with("user", user);
        let reply = browser.send(&form.with("password", SECRET));
        assert_eq!(reply.status, 422);
        assert!(!reply.body.contains(SECRET), "{}", reply.body);
        assert_eq!(value(&reply.body, "user"), user);
        let Wrong { name, typed, reason } = wrong(&reply);
        assert_eq!((&*name, &*typed), ("password", ""));
        assert!(reason.starts_with("Wrong userid or password. "), "{reason}");
        assert!(reason.contains("mail you a link"), "{reason}");
        // The form that is shown works, and leads on to the page that was wanted.
        let again = forms(&reply.body).into_iter().find(|form| form.action == "/signin").unwrap();
        if user == "alice" {
            let reply = browser.send(&again.with("user", user).with("password", "secret"));
            assert_eq!(reply.header("location"), "/malaka");
            browser.cookie.clear();
        }
    }
    let mut browser = Browser::new(&town);
    let form = browser.form("/signin", "/signin").with("user", "alice");
    let reply = browser.send(&form);
    assert_eq!((reply.status.as_u16(), wrong(&reply).name), (422, "password".into()));
    let form = browser.form("/signin", "/signin/link").with("who", "what is this");
    let reply = browser.send(&form);
    let Wrong { name, typed, .. } = wrong(&reply);
    assert_eq!((&*name, &*typed), ("who", "what is this"));
}

#[test]
fn a_refused_sign_up_names_the_field() {
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    let cases = [
        ("bob", SECRET, "d@example.net", "user", "taken"),
        ("b0b", SECRET, "d@example.net", "user", "Choose another one"),
        ("9 lives", SECRET, "d@example.net", "user", "begins with a letter"),
        ("dave", "short", "d@example.net", "password", "6 to 128 characters"),
        ("dave", SECRET, "nowhere", "address", "name@example.org"),
        ("dave", SECRET, "postboard@localhost", "address", "your own mail"),
        ("dave", SECRET, "", "address", "Fill in this field"),
        ("", SECRET, "d@example.net", "user", "Fill in this field"),
    ];
    let documents = town.documents();
    for (user, password, address, field, words) in cases {
        let form = browser.form("/signup", "/signup").with("user", user);
        let form = form.with("password", password).with("address", address);
        let reply = browser.send(&form);
        assert!(reply.status.is_client_error(), "{user}: {}", reply.status);
        assert!(!reply.body.contains(SECRET), "{}", reply.body);
        let found = wrong(&reply);
        assert!(found.name == field && found.reason.contains(words), "{user}: {found:?}");
        assert_eq!(value(&reply.body, "user"), user);
        assert_eq!(value(&reply.body, "address"), address);
        assert_eq!(reply.header("cache-control"), "private, no-store");
    }
    assert_eq!(town.documents(), documents);
}

#[test]
fn every_refused_setting_is_told_at_its_field() {
    let town = WebHome::new();
    let mut browser = Browser::of(&town, "alice");
    let named = |form: &Form, end: &str| {
        form.fields.iter().any(|(name, value)| name == "once" && value.get(32..) == Some(end))
    };
    let mut send = |form: &str, fields: &[(&str, &str)]| {
        let all = forms(&browser.get("/settings").body);
        let mut form = all.into_iter().find(|it| named(it, form)).unwrap();
        form.fields.extend(fields.iter().map(|(name, value)| ((*name).into(), (*value).into())));
        let reply = browser.send(&form);
        assert!(reply.status.is_client_error(), "{}", reply.body);
        assert!(text(&reply.body, "h1") == "Settings", "{}", reply.body);
        assert!(is_signed_in_as(&reply.body, "alice"));
        reply
    };
    let reply = send("password", &[("old", "wrong-old"), ("new", SECRET)]);
    assert!(!reply.body.contains(SECRET) && !reply.body.contains("wrong-old"));
    assert_eq!(wrong(&reply).name, "old");
    let reply = send("password", &[("old", "secret"), ("new", "tiny")]);
    assert_eq!(wrong(&reply).name, "new");
    let reply = send("address", &[("word", "not an address")]);
    assert_eq!((&*wrong(&reply).typed, &*wrong(&reply).name), ("not an address", "word"));
    let reply = send("vacation", &[("word", "2026-12-24"), ("word", "2026-12-20")]);
    let found = wrong(&reply);
    assert!(found.typed == "2026-12-24" && found.reason.contains("not before"), "{found:?}");
    assert!(reply.body.contains("value=\"2026-12-20\""), "the last day is kept");
    let reply = send("left", &[("verb", "signoff"), ("word", "000-000")]);
    assert!(wrong(&reply).reason.contains("Copy the whole code"));
    let reply = send("key", &[("name", "")]);
    assert_eq!(wrong(&reply).name, "name");
}

#[test]
fn a_message_is_kept_until_it_can_be_sent_and_its_length_is_that_of_its_field() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = |browser: &mut Browser, words: &str| {
        browser.form_with("/player/bob", "/say", "verb", "message").with("comment", words)
    };
    let page = alice.get("/player/bob").body;
    let area = Html::parse_document(&page);
    let area = area.select(&select("textarea[name=comment]")).next().unwrap();
    let most: usize = area.attr("maxlength").unwrap().parse().unwrap();
    let empty = form(&mut alice, "");
    assert_eq!(wrong(&alice.send(&empty)).name, "comment");
    let long = form(&mut alice, &"x".repeat(most + 1));
    let reply = alice.send(&long);
    assert_eq!(reply.status, 422);
    assert!(wrong(&reply).reason.contains(&most.to_string()));
    assert!(reply.body.contains(&"x".repeat(most + 1)), "nothing of it is lost");
    assert!(town.letters().is_empty());
    // The longest message arrives whole, even of letters that take most bytes.
    let whole = form(&mut alice, &"\u{20ac}".repeat(most));
    let reply = alice.send(&whole);
    assert_eq!(reply.header("location"), "/player/bob?notice=sent", "{}", reply.body);
    let letters = town.letters();
    let kept = letters[0].1.matches('\u{20ac}').count();
    assert_eq!(kept, most);
}

#[test]
fn an_expired_session_keeps_what_was_typed_and_executes_nothing() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form_with("/player/bob", "/say", "verb", "message");
    let form = form.with("comment", "How are you?\n<b>Bob</b>");
    town.wait(61 * DAY);
    let reply = alice.send(&form);
    assert_eq!(reply.status, 403);
    assert_eq!(text(&reply.body, "h1"), "Sign in");
    assert!(text(&reply.body, "[role=alert]").contains("what you have typed is kept"));
    let sign_in = forms(&reply.body).into_iter().find(|form| form.action == "/signin").unwrap();
    let sign_in = sign_in.with("user", "alice");
    // A wrong password does not lose it.
    let reply = alice.send(&sign_in.clone().with("password", "wrong1"));
    assert_eq!(wrong(&reply).name, "password");
    let again = forms(&reply.body).into_iter().find(|form| form.action == "/signin").unwrap();
    let documents = town.documents();
    let reply = alice.send(&again.with("user", "alice").with("password", "secret"));
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(is_signed_in_as(&reply.body, "alice"));
    assert_eq!(text(&reply.body, "h1"), "bob");
    assert_eq!(value(&reply.body, "comment"), "How are you?\n<b>Bob</b>");
    assert!(text(&reply.body, "[role=status]").contains("Nothing was sent"));
    assert_eq!(town.documents(), documents);
    assert!(town.letters().is_empty(), "nothing is sent by itself");
    let mut send = forms(&reply.body).into_iter();
    let send = send.find(|form| form.fields.iter().any(|(_, value)| value == "message")).unwrap();
    let reply = alice.send(&send.with("comment", "How are you?"));
    assert_eq!(reply.header("location"), "/player/bob?notice=sent");
    assert_eq!(town.letters().len(), 1);
}

#[test]
fn a_sealed_form_that_we_have_not_sealed_is_ignored() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form_with("/player/bob", "/say", "verb", "message").with("comment", "Hello");
    town.wait(61 * DAY);
    let reply = alice.send(&form);
    let sign_in = forms(&reply.body).into_iter().find(|form| form.action == "/signin").unwrap();
    let (_, kept) = sign_in.fields.iter().find(|(name, _)| name == "kept").unwrap().clone();
    let (token, body) = kept.split_once('.').unwrap();
    let sign_in_with = |kept: &str| {
        let mut browser = Browser::new(&town);
        let form = browser.form("/signin", "/signin").with("kept", kept).with("user", "alice");
        browser.send(&form.with("password", "secret"))
    };
    assert!(sign_in_with(&kept).body.contains("Hello"), "the genuine one is shown");
    for forged in [
        format!("{token}.{body}AAAA"),
        format!("{}.{body}", "a".repeat(token.len())),
        body.to_owned(),
        format!(".{body}"),
        "\u{fc}.\u{fc}".into(),
    ] {
        let reply = sign_in_with(&forged);
        assert_eq!(reply.header("location"), "/boards", "{forged}");
    }
    // No address shows words as if they had been typed.
    let page = alice.get("/signin?kept=x&user=mallory&comment=evil").body;
    let typed = Html::parse_document(&page);
    for field in typed.select(&select("input:not([name=page])")) {
        let value = field.attr("value").unwrap_or_default();
        assert!(!value.contains("evil") && !value.contains("mallory"), "{page}");
    }
    assert!(forms(&page).iter().all(|form| form.fields.iter().all(|(name, _)| name != "kept")));
}

#[test]
fn a_page_that_was_open_for_too_long_keeps_what_was_typed() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form_with("/player/bob", "/say", "verb", "message").with("comment", "Hello!");
    assert_eq!(alice.sign_in("alice", "secret").status, 303);
    // Where the browser does not say that the page was ours, it is as foreign.
    let reply = alice.send_as(&form, &[]);
    assert!(reply.status == 403 && !reply.body.contains("Hello!"), "{}", reply.body);
    let reply = alice.send(&form);
    assert_eq!((reply.status.as_u16(), &*value(&reply.body, "comment")), (403, "Hello!"));
    assert!(text(&reply.body, "[role=alert]").contains("open for too long"), "{}", reply.body);
    assert!(town.letters().is_empty());
    let foreign = [("origin", "https://evil.example")];
    let reply = alice.send_as(&form, &foreign);
    assert!(!reply.body.contains("Hello!"));
}

#[test]
fn a_form_leads_to_no_other_page_than_ours() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form_with("/player/bob", "/say", "verb", "message").with("comment", "");
    for page in [
        "//evil.example/",
        "/\\evil.example",
        "https://evil.example/",
        "/api/v1/boards",
        "/events",
        "/metrics",
        "/nope",
        "",
        "/assets/x",
        "/signout",
        "/feed/alice/x",
    ] {
        let reply = alice.send(&form.clone().with("page", page));
        assert_eq!(reply.status, 422, "{page}");
        assert!(reply.body.contains("<main") && !reply.body.contains("evil"), "{}", reply.body);
        assert!(text(&reply.body, "main").contains("empty"), "{page}: {}", reply.body);
    }
}

#[test]
fn error_pages_show_who_is_signed_in() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --private");
    let mut carol = Browser::of(&town, "carol");
    for (path, status) in [("/nope", 404), ("/malaka/1", 403), ("/malaka/99", 404)] {
        let reply = carol.get(path);
        assert_eq!(reply.status, status);
        assert!(is_signed_in_as(&reply.body, "carol"), "{path}: {}", reply.body);
        assert_eq!(reply.header("cache-control"), "private, no-store");
        assert!(!is_signed_in_as(&town.get(path).body, "carol"));
    }
}

#[test]
fn settings_are_saved_in_place() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let mut form = alice.form_with("/settings", "/say", "word", "html");
    form.fields.push(("word".into(), "off".into()));
    let reply = alice.send(&form);
    assert_eq!(reply.header("location"), "/settings?notice=saved", "{}", reply.body);
    let page = alice.get("/settings?notice=saved").body;
    assert_eq!(text(&page, "main [role=status]"), "Saved.");
    assert!(page.contains("<option value=\"off\" selected>Your mails are plain text"), "{page}");
    // The address names a notice of ours or none.
    let page = alice.get("/settings?notice=You+have+won+a+million").body;
    assert_eq!(text(&page, "main [role=status]"), "");
    assert!(!page.contains("million"));
    assert_eq!(text(&town.get("/?notice=saved").body, "main [role=status]"), "");
    let form = alice.form_with("/player/bob", "/say", "verb", "mute");
    assert_eq!(alice.send(&form).header("location"), "/player/bob?notice=muted");
    let page = alice.get("/player/bob").body;
    assert!(text(&page, "button").contains("Unmute bob"));
    assert!(page.contains("href=\"/boards?friend=bob\""), "{page}");
    assert_eq!(value(&alice.get("/boards?friend=bob").body, "opponent"), "bob");
    let form = alice.form_with("/settings", "/say", "verb", "unmute");
    assert_eq!(alice.send(&form).header("location"), "/settings?notice=unmuted");
    let mut limit = alice.form_with("/settings", "/say", "verb", "limit");
    limit.fields.push(("word".into(), "3".into()));
    assert_eq!(alice.send(&limit).header("location"), "/settings?notice=saved");
    assert!(alice.get("/settings").body.contains("<option value=\"3\" selected>"));
}

/// Returns the card that begins a game, filled in.
fn card(browser: &mut Browser, page: &str, fields: &[(&str, &str)]) -> Form {
    let form = browser.form(page, "/begin");
    fields.iter().fold(form, |form, (name, value)| form.with(name, value))
}

#[test]
fn one_card_begins_a_game_with_a_friend_anybody_or_the_program() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    for page in ["/boards", "/backgammon", "/"] {
        let friend = card(
            &mut alice,
            page,
            &[
                ("game", "backgammon"),
                ("with", "friend"),
                ("opponent", "bob"),
                ("option.match", "5"),
                ("option.-forfeittime", "7"),
                ("option.-unrated", "on"),
            ],
        );
        let reply = alice.send(&friend);
        let board = reply.header("location").rsplit('/').next().unwrap().parse().unwrap();
        let id = BoardId { game: "backgammon", number: board };
        town.board(id, |board| {
            assert_eq!(board.options.get("match"), Some("5"));
            assert!(board.terms.unrated && board.terms.forfeit_days == 7, "{:?}", board.terms);
        });
    }
    let program = card(
        &mut alice,
        "/boards",
        &[("game", "reversi"), ("with", "program"), ("level", "2"), ("option.match", "5")],
    );
    // A length of matches that was chosen for another game, and is hidden now, does not matter.
    assert_eq!(alice.send(&program).header("location"), "/reversi/1");
    let id = BoardId { game: "reversi", number: 1 };
    town.board(id, |board| assert!(board.players.iter().any(|it| it.as_str() == "board2")));
    let open = card(
        &mut alice,
        "/backgammon",
        &[
            ("with", "anybody"),
            ("option.match", "7"),
            ("option.-forfeittime", "1"),
            ("option.-min", "1500"),
        ],
    );
    assert_eq!(alice.send(&open).header("location"), "/backgammon?notice=posted");
    let words = "alice wants a 7-point match of Backgammon, 1 day a move, rated, for players rated \
                 1500 or more.";
    for page in ["/backgammon", "/"] {
        assert!(text(&alice.get(page).body, "ul.boards li").contains(words), "{page}");
    }
    let withdraw = alice.form_with("/backgammon", "/say", "verb", "seek");
    assert_eq!(alice.send(&withdraw).header("location"), "/backgammon?notice=withdrawn");
}

#[test]
fn every_game_can_be_begun_by_its_card() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let mut bob = Browser::of(&town, "bob");
    for spec in GAMES.iter().map(|game| game.spec()) {
        // Everybody begins at most twenty boards a day.
        town.wait(DAY);
        for page in [format!("/{}", spec.name), "/boards".into()] {
            let form = card(
                &mut alice,
                &page,
                &[("game", spec.name), ("with", "friend"), ("opponent", "bob"), ("level", "1")],
            );
            let reply = alice.send(&form);
            assert_eq!(reply.status, 303, "{page}: {}", reply.body);
            assert!(reply.header("location").starts_with(&format!("/{}/", spec.name)));
            if !spec.manner.is_solo {
                let list = bob.get("/boards").body;
                let decline = forms(&list)
                    .into_iter()
                    .rev()
                    .find(|form| form.fields.iter().any(|(_, value)| value == "decline"));
                let asked = bob.send(&decline.unwrap()).body;
                assert_eq!(bob.send(&confirming(&asked)).status, 303);
            }
        }
    }
}

#[test]
fn an_engine_is_one_more_level_of_its_game() {
    let town = WebHome::with_engine();
    let mut alice = Browser::of(&town, "alice");
    let level = select("form.new-game label:has([name=level][value='5'])");
    for (page, label) in [("/chess", Some("stockfish")), ("/go", None), ("/boards", None)] {
        let page = Html::parse_document(&alice.get(page).body);
        let label = label.map(str::to_owned);
        assert_eq!(page.select(&level).next().map(|it| it.text().collect::<String>()), label);
    }
    let form = card(&mut alice, "/chess", &[("with", "program"), ("level", "5")]);
    assert_eq!(alice.send(&form).header("location"), "/chess/1");
    let id = BoardId { game: "chess", number: 1 };
    town.board(id, |board| assert!(board.players.iter().any(|it| it.as_str() == "board5")));
    let form = card(&mut alice, "/go", &[("with", "program"), ("level", "5")]);
    let refused = alice.send(&form).body;
    assert!(refused.contains("Board5 does not play Go on this server"), "{refused}");
}

#[test]
fn a_refused_card_keeps_its_choices() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let chosen = [
        ("game", "backgammon"),
        ("with", "friend"),
        ("opponent", "nobody"),
        ("option.match", "5"),
        ("option.-unrated", "on"),
        ("option.-forfeittime", "3"),
    ];
    let form = card(&mut alice, "/boards", &chosen);
    let reply = alice.send(&form);
    let found = wrong(&reply);
    assert_eq!((&*found.name, &*found.typed), ("opponent", "nobody"));
    assert!(found.reason.contains("Check the spelling"), "{found:?}");
    assert_eq!(text(&reply.body, "h1"), "My boards");
    let page = Html::parse_document(&reply.body);
    let is_there = |selector: &str| page.select(&select(selector)).next().is_some();
    assert!(is_there("details.new-game[open]"));
    for (name, value) in chosen.iter().filter(|(name, _)| *name != "opponent") {
        let chip = format!("[name={name:?}][value={value:?}][checked]");
        let option = format!("[name={name:?}] [value={value:?}][selected]");
        assert!(is_there(&chip) || is_there(&option), "{name} in {}", reply.body);
    }
    for (fields, name, words) in [
        (&[("with", "friend"), ("opponent", "")][..], "opponent", "Fill in"),
        (&[("with", "friend"), ("opponent", "alice")], "opponent", "yourself"),
        (&[("with", "friend"), ("opponent", "not a name")], "opponent", "letter"),
    ] {
        let form = card(&mut alice, "/malaka", fields);
        let found = wrong(&alice.send(&form));
        assert!(found.name == name && found.reason.contains(words), "{found:?}");
    }
    // A reason about no field is told above the card.
    let form = card(
        &mut alice,
        "/malaka",
        &[("with", "program"), ("level", "1"), ("option.d4", "on"), ("option.d6", "on")],
    );
    let reply = alice.send(&form);
    assert!(text(&reply.body, "form.new-game [role=alert]").contains("exclude each other"));
}

#[test]
fn a_challenged_player_declines_and_a_challenger_withdraws() {
    let town = WebHome::with_board();
    for (user, label) in [("bob", "Decline"), ("alice", "Withdraw")] {
        let mut alice = Browser::of(&town, "alice");
        let begin = card(&mut alice, "/malaka", &[("with", "friend"), ("opponent", "bob")]);
        let board = alice.send(&begin).header("location").to_owned();
        town.letters();
        let mut browser = Browser::of(&town, user);
        let list = browser.get("/boards").body;
        assert!(text(&list, "ul.boards form button").contains(label), "{list}");
        let word = board.rsplit('/').next().unwrap();
        let decline = forms(&list).into_iter().find(|form| {
            let has = |wanted: (&str, &str)| {
                form.fields.iter().any(|(name, value)| (&**name, &**value) == wanted)
            };
            has(("verb", "decline")) && has(("word", word))
        });
        let id = malaka(word.parse().unwrap());
        let asked = browser.send(&decline.unwrap()).says(200, "does not count");
        assert_eq!(text(&asked.body, "[data-ask] h1"), format!("Close Malaka {word}?"));
        assert!(!town.board(id, Board::is_over), "the question alone changes nothing");
        let reply = browser.send(&confirming(&asked.body));
        assert_eq!(reply.header("location"), "/boards?notice=declined", "{}", reply.body);
        town.board(id, |board| {
            let closing = board.closing.unwrap();
            assert_eq!(
                (closing.by, board.player(games::Seat(closing.seat)).as_str()),
                (ClosedBy::Declining, user)
            );
            assert!(board.rated.is_none());
        });
        let letters = town.letters();
        assert_eq!(letters.len(), 1, "only the other is told by mail: {letters:?}");
        let said = if user == "bob" { "declined to play it" } else { "withdrew the challenge" };
        assert!(letters[0].1.contains(said), "{letters:?}");
    }
    // After the first move of a player, they resign.
    let (mover, first) = town.due(MALAKA);
    town.say(&format!("malaka move 1 {mover} {first}"));
    let mut browser = Browser::of(&town, &mover);
    let list = browser.get("/boards").body;
    let of_first = |form: &Form| {
        let has = |wanted: &str| form.fields.iter().any(|(_, value)| value == wanted);
        has("decline") && has("1")
    };
    assert!(!forms(&list).iter().any(of_first), "{list}");
    let form = browser.form_with("/settings", "/say", "word", "html").with("verb", "decline");
    let form = form.with("game", "malaka").with("word", "1").with("sure", "yes");
    let reply = browser.send(&form);
    assert!(reply.status == 422 && reply.body.contains("cannot decline it any more"));
}

#[test]
fn my_boards_are_sorted_filtered_and_counted() {
    let town = WebHome::new();
    for line in [
        "malaka challenge alice bob --forfeittime=21",
        "reversi challenge alice carol --forfeittime=2",
        "reversi challenge bob alice --forfeittime=9",
    ] {
        town.say(line);
    }
    let games =
        [MALAKA, BoardId { game: "reversi", number: 1 }, BoardId { game: "reversi", number: 2 }];
    let due = games.iter().filter(|id| town.due(**id).0 == "alice").count();
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/boards").body;
    let title = text(&page, "title");
    if due > 0 {
        assert!(title.starts_with(&format!("({due}) My boards")), "{title}");
        let icon = Html::parse_document(&page);
        let icon = icon.select(&select("link[rel=icon]")).next().unwrap();
        let icon = town.get(icon.attr("href").unwrap());
        assert!(icon.body.contains(&format!(">{due}</text>")), "{}", icon.body);
    }
    // Time is told only where it is short.
    assert!(text(&page, ".urgent").matches("left, until").count() <= 1, "{page}");
    let links = |page: &str| attributes(page, "ul.boards li > div > a", "href");
    assert_eq!(links(&page).len(), 3);
    assert_eq!(links(&alice.get("/boards?game=malaka&with=").body), ["/malaka/1"]);
    assert_eq!(links(&alice.get("/boards?with=carol").body), ["/reversi/1"]);
    assert_eq!(links(&alice.get("/boards?game=malaka&with=carol").body), [""; 0]);
    let filtered = alice.get("/boards?game=reversi&with=bob");
    assert_eq!(links(&filtered.body), ["/reversi/2"]);
    assert_eq!(text(&filtered.body, "title"), title, "the count is that of all boards");
    assert!(filtered.body.contains("<option value=\"reversi\" selected>"), "{}", filtered.body);
    let odd = alice.get("/boards?game=%3Cscript%3E&with=%22%27");
    assert!(odd.status == 200 && links(&odd.body).is_empty());
    assert!(!odd.body.contains("<script>"));
}

#[test]
fn urgent_boards_come_first() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    for days in [21, 2, 9] {
        let days = days.to_string();
        let form = card(
            &mut alice,
            "/reversi",
            &[("with", "program"), ("level", "1"), ("option.-forfeittime", &days)],
        );
        assert_eq!(alice.send(&form).status, 303);
    }
    let page = alice.get("/boards").body;
    let places = [2, 3, 1].map(|number| page.find(&format!("href=\"/reversi/{number}\"")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(text(&page, ".urgent").matches("left, until").count(), 1, "{page}");
    assert!(text(&page, "title").starts_with("(3) My boards"));
}

#[test]
fn no_page_tells_to_send_a_command() {
    let town = WebHome::with_board();
    let (player, _) = town.due(MALAKA);
    let other = if player == "alice" { "bob" } else { "alice" };
    let mut browser = Browser::of(&town, &player);
    let mut waits = Browser::of(&town, other);
    let say = |browser: &mut Browser, words: &str| {
        let form = browser.form("/malaka/1", "/malaka/1").with("verb", "").with("say", words);
        browser.send(&form).body
    };
    let mut pages = vec![
        say(&mut browser, "a1-a9"),
        say(&mut browser, "accept"),
        say(&mut browser, "confirm"),
        say(&mut browser, "propose"),
        say(&mut browser, "thanks a lot for the game"),
        say(&mut browser, "login"),
        say(&mut waits, "a1-a2"),
        say(&mut waits, "rematch"),
    ];
    let mut command = |verb: &str, game: &str, words: &[&str]| {
        let mut form = browser.form_with("/settings", "/say", "word", "html").with("verb", verb);
        form.fields.retain(|(name, _)| name != "word");
        if !game.is_empty() {
            form = form.with("game", game);
        }
        form.fields.push(("sure".into(), "yes".into()));
        form.fields.extend(words.iter().map(|word| ("word".to_owned(), (*word).to_owned())));
        browser.send(&form).body
    };
    pages.extend([
        command("challenge", "malaka", &["nobody"]),
        command("challenge", "malaka", &["alice", "bob", "carol"]),
        command("accept-seek", "malaka", &["7"]),
        command("accept-seek", "malaka", &["x"]),
        command("seek", "malaka", &["off"]),
        command("seek", "malaka", &["-nothing"]),
        command("vacation", "", &["soon"]),
        command("vacation", "", &["off"]),
        command("mute", "", &["nobody"]),
        command("unmute", "", &["carol"]),
        command("subscribe", "malaka", &["1"]),
        command("set", "malaka", &["flip", "sideways"]),
        command("set", "", &["html", "perhaps"]),
        command("limit", "malaka", &["many"]),
        command("decline", "malaka", &["9"]),
        command("message", "", &["bob"]),
    ]);
    for page in pages {
        let told = text(&page, "[role=alert]");
        assert!(!told.is_empty(), "{page}");
        for words in [
            "&lt;userid",
            "<userid",
            "<password",
            "Subject",
            " send `",
            "Send `",
            "your mail",
            "-option",
            "--",
            "first line",
        ] {
            assert!(!told.contains(words), "{words} in {told}");
        }
    }
}

#[test]
fn time_zone_weekend_and_night_are_chosen_among_the_settings_and_deadlines_told_in_them() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let mut send = |verb: &str, words: &[&str]| {
        let mut form = alice.form_with("/settings", "/say", "verb", verb);
        form.fields.extend(words.iter().map(|word| ("word".into(), (*word).into())));
        alice.send(&form)
    };
    for (verb, words, told) in [
        ("timezone", &["Atlantis"][..], "I know no time zone"),
        ("timezone", &["UTC+2"], "does not say when summer time begins"),
        ("weekend", &["Monday", "someday"], "as days of the week"),
        ("night", &["20:00", "09:00"], "at most 10 hours"),
    ] {
        let reply = send(verb, words);
        assert!(reply.status == 422 && reply.body.contains(told), "{verb}: {}", reply.body);
    }
    for (verb, words) in [
        ("timezone", &["Tokyo"][..]),
        ("weekend", &["Saturday", "Sunday"]),
        ("night", &["22:00", "07:00"]),
    ] {
        let reply = send(verb, words);
        assert_eq!(reply.header("location"), "/settings?notice=saved", "{verb}");
    }
    let page = alice.get("/settings").body;
    assert!(page.contains("Your time zone is Asia/Tokyo"), "{page}");
    assert!(
        page.contains("on Saturday and Sunday and at night, 22:00-07:00 (Asia/Tokyo)"),
        "{page}"
    );
    town.say("malaka challenge alice bob --forfeittime=3");
    let own = alice.get("/malaka/1").body;
    assert!(own.contains("your time.") && own.contains("Your clock stops on Saturday"), "{own}");
    let mut bob = Browser::of(&town, "bob");
    let others = bob.get("/malaka/1").body;
    assert!(others.contains("alice&#39;s clock stops") || others.contains("alice's clock stops"));
    assert!(!others.contains("Tokyo") && !others.contains("your time."), "{others}");
    let anybody = town.get("/malaka/1").body;
    assert!(!anybody.contains("Tokyo") && !anybody.contains("22:00"), "{anybody}");
}

#[test]
fn a_bank_and_an_end_without_a_result_are_agreed_on_pages() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let open = card(
        &mut alice,
        "/malaka",
        &[
            ("with", "anybody"),
            ("option.-forfeittime", "21"),
            ("option.-bank", "10"),
            ("option.-increment", "36"),
            ("option.-cap", "14"),
        ],
    );
    assert_eq!(alice.send(&open).header("location"), "/malaka?notice=posted");
    let told = "a bank of 10 days and 36 hours a turn, at most 14 days";
    let page = alice.get("/malaka").body;
    assert!(page.contains(told), "{page}");
    town.say("malaka challenge alice bob");
    let mut bob = Browser::of(&town, "bob");
    let page = bob.get("/malaka/1").body;
    assert!(page.contains("Ask to end the game without a result"), "{page}");
    assert!(page.contains("Give my opponent 3 more days"), "{page}");
    town.say("malaka moretime 1 bob");
    town.say("malaka propose 1 bob cancel");
    let page = alice.get("/malaka/1").body;
    assert!(page.contains("bob asks to end the game without a result: do you agree?"), "{page}");
    assert!(!page.contains("Give my opponent"), "it is her own turn");
    town.say("malaka accept 1 alice");
    let page = town.get("/malaka/1").body;
    assert!(page.contains("closed without a result: both players agreed"), "{page}");
}
