//! Guests: a game against the program without an account, which goes on after signing up.

use crate::support::web::browser::{Browser, Form, confirming, forms};
use crate::support::web::home::{MALAKA, Reply, WebHome};
use postboard::base::ids::BoardId;
use postboard::base::time::{DAY, HOUR};
use postboard::model::board::Board;
use postboard::store::Key;
use std::net::IpAddr;

/// Presses "Play the program now" for a game, at the lowest level.
fn begin(browser: &mut Browser, game: &str) -> Reply {
    let form = browser.form("/play", "/play").with("game", game);
    browser.send(&form)
}

/// Returns the guest who plays on the first board of Malaka.
fn guest_of(town: &WebHome) -> String {
    town.board(MALAKA, |board| {
        let guest = board.players.iter().find(|player| player.as_str().starts_with("guest-"));
        guest.expect("a guest plays").to_string()
    })
}

/// Opens a browser whose visitor plays Malaka as a guest. Returns it with the guest's userid.
fn as_guest(town: &WebHome) -> (Browser<'_>, String) {
    let mut browser = Browser::new(town);
    assert_eq!(begin(&mut browser, "malaka").header("location"), "/malaka/1");
    (browser, guest_of(town))
}

/// Sends a reply from the page of a board.
fn reply(browser: &mut Browser, path: &str, words: &str) -> Reply {
    reply_with(browser, path, &[("say", words)])
}

/// Sends a reply with these fields from the page of a board.
fn reply_with(browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Reply {
    let page = browser.get(path).body;
    let has_verb = |form: &Form| form.fields.iter().any(|(name, _)| name == "verb");
    let form = forms(&page).into_iter().find(|form| form.action == path && !has_verb(form));
    let form = form.unwrap_or_else(|| panic!("no form to reply in {page}"));
    browser.send(&fields.iter().fold(form, |form, (name, value)| form.with(name, value)))
}

/// Makes the first legal move of the player to move.
fn makes_a_move(browser: &mut Browser, id: BoardId) {
    let (_, first) = browser.town.due(id);
    let path = format!("/{}/{}", id.game, id.number);
    assert_eq!(reply(browser, &path, &first).status, 303);
}

/// Sends a command with fields for each word, as a page might.
fn command(browser: &mut Browser, verb: &str, fields: &[(&str, &str)]) -> Reply {
    let mut form = browser.form("/play", "/play");
    form.fields.retain(|(name, _)| name == "token" || name == "once");
    form.action = "/say".into();
    form.fields.push(("verb".into(), verb.into()));
    form.fields.extend(fields.iter().map(|&(name, value)| (name.into(), value.into())));
    browser.send(&form)
}

fn sign_up(browser: &mut Browser, user: &str) -> Reply {
    let form = browser.form("/signup", "/signup").with("user", user);
    let address = format!("{user}@example.net");
    browser.send(&form.with("password", "secret").with("address", &address))
}

#[test]
fn a_visitor_plays_the_program_without_an_account() {
    let town = WebHome::new();
    town.say("malaka notify carol on");
    let mut browser = Browser::new(&town);
    let front = browser.get("/").says(200, "Play the program now");
    assert!(browser.cookie.is_empty(), "looking sets no cookie: {:?}", front.headers);
    let form = browser.form("/", "/play").with("game", "malaka");
    assert_eq!(browser.send(&form).header("location"), "/malaka/1");
    let guest = guest_of(&town);
    browser.get("/malaka/1").says(200, &guest);
    let before = town.board(MALAKA, |board| board.record.len());
    makes_a_move(&mut browser, MALAKA);
    let (record, is_rated) =
        town.board(MALAKA, |board| (board.record.len(), !board.terms.unrated || board.private));
    assert!(record > before + 1, "the program has answered");
    assert!(!is_rated);
    browser.get("/boards").says(200, "/malaka/1");
    browser.get("/").says(200, "Sign up to keep your boards");
    for path in ["/", "/boards", "/malaka"] {
        let page = browser.get(path).body;
        let offers = ["action=\"/begin\"", "action=\"/say\""].map(|form| page.contains(form));
        assert_eq!(offers, [false; 2], "{path} offers a guest what is refused: {page}");
        assert!(page.contains("/play"), "{path}: {page}");
    }
    let settings = browser.get("/settings").says(200, "Sign up to keep your boards").body;
    assert!(!settings.contains("action=\"/say\""), "{settings}");
    // A second board belongs to the same guest.
    assert_eq!(begin(&mut browser, "reversi").header("location"), "/reversi/1");
    town.board(BoardId { game: "reversi", number: 1 }, |board| {
        assert!(board.players.iter().any(|player| player.as_str() == guest));
    });
    assert!(town.letters().is_empty(), "a guest has no address, and nobody hears of their boards");
    town.assert_sound();
}

#[test]
fn the_form_of_another_site_begins_nothing() {
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    let form = browser.form("/play", "/play").with("game", "malaka");
    let cross: [&[(&str, &str)]; 4] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://evil.example")],
    ];
    for headers in cross {
        browser.send_as(&form, headers).says(403, "not sent from a page of ours");
    }
    // With a cookie, the token is needed, too.
    assert_eq!(begin(&mut browser, "malaka").status, 303);
    browser.send(&form).says(403, "open for too long");
    for (name, value) in [("game", "ludo"), ("level", "9"), ("level", "x"), ("level", "0")] {
        let form = browser.form("/play", "/play").with("game", "malaka").with(name, value);
        assert!(browser.send(&form).status.is_client_error(), "{name}={value}");
    }
    // A puzzle for one has no program.
    let form = browser.form("/play", "/play").with("game", "symmetry");
    assert!(browser.send(&form).status.is_client_error());
}

#[test]
fn a_user_plays_the_program_under_their_own_name() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let form = alice.form("/play", "/play").with("game", "malaka").with("level", "2");
    assert_eq!(alice.send(&form).header("location"), "/malaka/1");
    assert_eq!(alice.send(&form).header("location"), "/boards", "a form is executed once");
    let mut players = town.board(MALAKA, |board| board.players.each_ref().map(ToString::to_string));
    players.sort();
    assert_eq!(players, ["alice", "board2"]);
}

#[test]
fn guests_are_limited_by_network_and_boards() {
    let town = WebHome::new();
    for _ in 0..20 {
        assert_eq!(begin(&mut Browser::new(&town), "malaka").status, 303);
    }
    begin(&mut Browser::new(&town), "malaka").says(422, "Sign up to go on");
    let elsewhere: IpAddr = [198, 51, 100, 7].into();
    let mut other = Browser { at: elsewhere, ..Browser::new(&town) };
    assert_eq!(begin(&mut other, "reversi").status, 303);
    for _ in 1..10 {
        assert_eq!(begin(&mut other, "reversi").status, 303);
    }
    begin(&mut other, "reversi").says(422, "As a guest you can begin 10 boards");
    // The account itself is not limited by what guests of the network did.
    let mut newcomer = Browser::new(&town);
    assert_eq!(sign_up(&mut newcomer, "dave").status, 303);
    town.wait(DAY + HOUR);
    assert_eq!(begin(&mut Browser::new(&town), "malaka").status, 303);
    town.assert_sound();
}

#[test]
fn guests_from_everywhere_are_limited_by_the_hour() {
    let town = WebHome::new();
    let from = |n: u8| Browser { at: [198, 51, n, 7].into(), ..Browser::new(&town) };
    for n in 0..120 {
        assert_eq!(begin(&mut from(n), "reversi").status, 303, "{n}");
    }
    begin(&mut from(120), "reversi").says(422, "Too many people");
    town.wait(HOUR);
    assert_eq!(begin(&mut from(120), "reversi").status, 303);
}

#[test]
fn a_server_without_new_users_has_no_guests() {
    let town = WebHome::closed();
    begin(&mut Browser::new(&town), "malaka").says(422, "Guests cannot play here");
}

#[test]
fn a_guest_writes_to_nobody_and_challenges_nobody() {
    let town = WebHome::with_board();
    let mut browser = Browser::new(&town);
    assert_eq!(begin(&mut browser, "malaka").header("location"), "/malaka/2");
    town.letters();
    let documents = town.documents();
    let refused = "As a guest you can only play against the program";
    let plain: [(&str, &[(&str, &str)]); 9] = [
        ("message", &[("word", "alice"), ("comment", "hello")]),
        ("seek", &[("game", "malaka")]),
        ("subscribe", &[("game", "malaka"), ("word", "1")]),
        ("limit", &[("game", "malaka"), ("word", "3")]),
        ("vacation", &[("word", "2026-12-01")]),
        ("mute", &[("word", "alice")]),
        ("change", &[("word", "address"), ("word", "thief@example.org")]),
        ("notify", &[("game", "malaka"), ("word", "on")]),
        ("set", &[("word", "words"), ("word", "on")]),
    ];
    for (verb, fields) in plain {
        command(&mut browser, verb, fields).says(422, refused);
    }
    let challenge = [("game", "malaka"), ("word", "alice")];
    command(&mut browser, "challenge", &challenge)
        .says(422, "Guests play against the program only");
    // What a player says on a board goes to nobody either.
    let chat = [("say", "chat"), ("comment", "hello")];
    reply_with(&mut browser, "/malaka/2", &chat).says(422, refused);
    let mut key = browser.form("/play", "/play");
    key.action = "/keys".into();
    assert!(browser.send(&key.with("name", "bot")).status.is_client_error());
    assert_eq!(town.documents(), documents, "nothing has changed");
    assert!(town.letters().is_empty());
}

#[test]
fn nobody_writes_to_a_guest_challenges_them_or_signs_in_as_them() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let (_, guest) = as_guest(&town);
    let mut alice = Browser::of(&town, "alice");
    let challenge = [("game", "malaka"), ("word", &*guest)];
    command(&mut alice, "challenge", &challenge).says(422, "Guests play against the program only");
    command(&mut alice, "message", &[("word", &*guest), ("comment", "hello")])
        .says(422, "does not exist");
    assert!(!alice.get(&format!("/player/{guest}")).body.contains("Message"));
    let mut stranger = Browser { at: [198, 51, 100, 7].into(), ..Browser::new(&town) };
    for password in ["", "secret", "guest"] {
        let form = stranger.form("/signin", "/signin").with("user", &guest);
        let answer = stranger.send(&form.with("password", password));
        assert!(answer.status.is_client_error(), "{password}: {}", answer.body);
    }
    let form = stranger.form("/signin", "/signin/link").with("who", &guest);
    stranger.send(&form).says(200, "If this user exists");
    for line in ["forgot GUEST", "malaka move 1 GUEST secret a1-a4", "export GUEST secret"] {
        let line = line.replace("GUEST", &guest);
        town.mail(&format!(
            "From: alice@example.org\nTo: games@example.org\nSubject: {line}\nMessage-ID: <{}@x>\n\
             Authentication-Results: games.example.org; dkim=pass header.d=example.org\n\n",
            line.len()
        ));
    }
    let to: Vec<String> = town.letters().into_iter().map(|(to, _)| to).collect();
    assert!(to.iter().all(|to| to == "alice@example.org"), "{to:?}");
    assert_eq!(town.user(&guest, |user| user.unwrap().codes.len()), 0, "no code was mailed");
    let before = town.board(MALAKA, |board| board.record.len());
    assert_eq!(town.board(MALAKA, |board| board.record.len()), before);
    // Nobody can take a name that looks like a guest's.
    for name in ["guest", "guest-7f3k2a", "Guest_1", "guest.x", "GUEST-", "guest--me"] {
        let answer = sign_up(&mut stranger, name);
        assert!(answer.status.is_client_error() && answer.body.contains("is taken"), "{name}");
    }
}

#[test]
fn guests_get_no_mail_and_end_thirty_days_after_their_last_move() {
    let town = WebHome::new();
    let (mut browser, guest) = as_guest(&town);
    makes_a_move(&mut browser, MALAKA);
    // The reminder goes to nobody.
    town.wait(8 * DAY);
    town.run_jobs();
    makes_a_move(&mut browser, MALAKA);
    town.wait(22 * DAY);
    town.run_jobs();
    town.wait(2 * DAY);
    town.run_jobs();
    assert!(
        town.user(&guest, |user| user.unwrap().left.is_none()),
        "the last move was 24 days ago"
    );
    assert!(town.board(MALAKA, Board::is_over), "lost on time");
    town.wait(8 * DAY);
    town.run_jobs();
    assert!(town.user(&guest, |user| user.unwrap().left.unwrap().erased));
    assert_eq!(browser.get("/boards").status, 303, "the cookie has ended");
    assert!(town.letters().is_empty());
    // The board stays, and so does the userid on it.
    town.get("/malaka/1").says(200, &guest);
    town.assert_sound();
}

#[test]
fn a_guest_in_the_middle_of_a_game_ends_with_it() {
    let town = WebHome::new();
    let (mut browser, guest) = as_guest(&town);
    makes_a_move(&mut browser, MALAKA);
    town.wait(32 * DAY);
    let mut alone = Browser { at: [198, 51, 100, 7].into(), ..Browser::new(&town) };
    assert_eq!(begin(&mut alone, "reversi").status, 303);
    assert!(!town.board(MALAKA, Board::is_over));
    town.end_accounts();
    assert!(town.user(&guest, |user| user.unwrap().left.is_some()));
    assert!(town.board(MALAKA, Board::is_over));
    assert_eq!(alone.get("/boards").status, 200, "a new guest stays");
    town.assert_sound();
}

#[test]
fn signing_up_keeps_the_boards_of_a_guest() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let (mut browser, guest) = as_guest(&town);
    makes_a_move(&mut browser, MALAKA);
    assert_eq!(begin(&mut browser, "reversi").header("location"), "/reversi/1");
    assert_eq!(begin(&mut browser, "reversi").header("location"), "/reversi/2");
    town.say(&format!("reversi resign 2 {guest}"));
    let all = || {
        let ids = [
            MALAKA,
            BoardId { game: "reversi", number: 1 },
            BoardId { game: "reversi", number: 2 },
        ];
        ids.map(|id| {
            town.board(id, |board| {
                let players = board.players.each_ref().map(ToString::to_string);
                (players, board.record.clone(), board.started, board.is_over(), board.challenger)
            })
        })
    };
    let before = all();
    browser.get("/signup").says(200, "become yours");
    let old_cookie = browser.cookie.clone();
    assert_eq!(sign_up(&mut browser, "Dave").header("location"), "/welcome");
    let renamed = before.map(|(players, record, started, is_over, challenger)| {
        (
            players.map(|it| if it == guest { "Dave".into() } else { it }),
            record,
            started,
            is_over,
            challenger,
        )
    });
    assert_eq!(all(), renamed, "only the name has changed");
    browser.get("/welcome").says(200, "Go on with your boards").says(200, "/malaka/1");
    browser.get("/boards").says(200, "/reversi/1").says(200, "/reversi/2");
    makes_a_move(&mut browser, MALAKA);
    // The guest is gone.
    let mut old = Browser { cookie: old_cookie, ..Browser::new(&town) };
    assert_eq!(old.get("/boards").status, 303);
    assert_eq!(town.get(&format!("/player/{guest}")).status, 404);
    town.get("/malaka/1").says(200, "Dave");
    assert!(!town.get("/malaka/1").body.contains(&guest));
    town.user("Dave", |user| {
        let user = user.unwrap();
        assert!(!user.guest && user.unproved);
        assert_eq!((user.active.len(), user.finished.len()), (2, 1));
    });
    // From now on the boards come by mail, once the address is confirmed.
    let letters = town.letters();
    let [(to, text)] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!(to, "Dave@example.net");
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    let button = browser.form(link, link);
    browser.send(&button).says(200, "is confirmed");
    town.say("export Dave");
    let [(_, exported)] = &town.mails()[..] else { panic!("one mail has the export") };
    assert!(exported.contains("malaka 1") && !exported.contains(&guest), "{exported}");
    town.assert_sound();
    // A month later nothing is left of the guest.
    town.wait(32 * DAY);
    town.run_jobs();
    let names = |key: &Key| format!("{key}").contains(&guest);
    assert!(!town.documents().keys().any(names));
    assert!(!town.documents().values().any(|text| text.contains(&guest)));
    town.assert_sound();
}

/// Signs in from a guest's browser, with the answer about their boards.
fn sign_in_with(browser: &mut Browser, user: &str, password: &str, boards: Option<&str>) -> Reply {
    let form = browser.form("/signin", "/signin").with("user", user).with("password", password);
    browser.send(&boards.into_iter().fold(form, |form, choice| form.with("boards", choice)))
}

#[test]
fn a_guest_who_signs_in_takes_their_boards_along() {
    let town = WebHome::with_board();
    let (first, second) = (BoardId { number: 2, ..MALAKA }, BoardId { game: "reversi", number: 1 });
    let mut browser = Browser::new(&town);
    assert_eq!(begin(&mut browser, "malaka").header("location"), "/malaka/2");
    assert_eq!(begin(&mut browser, "reversi").header("location"), "/reversi/1");
    makes_a_move(&mut browser, first);
    town.wait(HOUR);
    town.say("malaka challenge alice carol");
    let players = |id| town.board(id, |board| board.players.each_ref().map(ToString::to_string));
    let guest = players(first).into_iter().find(|it| it.starts_with("guest-")).unwrap();
    browser.get("/signin").says(200, "Keep the 2 boards that I have played as a guest");
    // A wrong password changes nothing, and the answer about the boards is shown again.
    let documents = town.documents();
    let is_checked = |page: &Reply| page.body.contains("value=\"take\" checked");
    assert!(is_checked(&sign_in_with(&mut browser, "alice", "wrong", Some("take"))));
    assert!(!is_checked(&sign_in_with(&mut browser, "alice", "wrong", None)));
    let boards = |documents: &std::collections::BTreeMap<Key, String>| {
        let boards = documents.iter().filter(|(key, _)| format!("{key}").contains("board"));
        boards.map(|(key, text)| (format!("{key}"), text.clone())).collect::<Vec<_>>()
    };
    assert_eq!(boards(&town.documents()), boards(&documents));
    let old_cookie = browser.cookie.clone();
    let reply = sign_in_with(&mut browser, "alice", "secret", Some("take"));
    assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/boards"));
    for id in [first, second] {
        assert!(players(id).contains(&"alice".into()) && !players(id).contains(&guest));
    }
    makes_a_move(&mut browser, first);
    // Boards in progress are in the order of their beginnings.
    let last = BoardId { number: 3, ..MALAKA };
    town.user("alice", |user| {
        assert_eq!(user.unwrap().active, [MALAKA, first, second, last]);
    });
    assert!(town.user(&guest, |user| user.unwrap().left.unwrap().erased));
    assert_eq!(Browser { cookie: old_cookie, ..Browser::new(&town) }.get("/boards").status, 303);
    town.assert_sound();
}

#[test]
fn a_guest_who_signs_in_can_leave_their_boards_behind() {
    let town = WebHome::new();
    let (mut browser, guest) = as_guest(&town);
    browser.get("/signin").says(200, "Keep the board that I have played as a guest");
    assert_eq!(sign_in_with(&mut browser, "alice", "secret", None).status, 303);
    town.board(MALAKA, |board| assert!(board.players.iter().any(|it| it.as_str() == guest)));
    assert!(town.user(&guest, |user| user.unwrap().left.is_none()));
    // Only a guest's boards can be taken: those of bob stay his.
    town.say("malaka challenge bob carol");
    let mut bob = Browser::of(&town, "bob");
    assert!(!bob.get("/signin").body.contains("as a guest"));
    assert_eq!(sign_in_with(&mut bob, "alice", "secret", Some("take")).status, 303);
    assert!(town.user("alice", |user| user.unwrap().active.is_empty()));
    town.assert_sound();
}

#[test]
fn a_guest_signs_in_with_a_mailed_link_and_takes_their_boards_along() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let (mut browser, guest) = as_guest(&town);
    let form = browser.form("/signin", "/signin/link").with("who", "alice");
    browser.send(&form).says(200, "If this user exists");
    let letters = town.letters();
    let [(_, text)] = &letters[..] else { panic!("{letters:?}") };
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    browser.get(link).says(200, "Keep the board that I have played as a guest");
    let form = browser.form(link, link).with("boards", "take");
    assert_eq!(browser.send(&form).header("location"), "/boards");
    town.board(MALAKA, |board| assert!(board.players.iter().any(|it| it.as_str() == "alice")));
    assert!(town.user(&guest, |user| user.unwrap().left.unwrap().erased));
    town.assert_sound();
}

#[test]
fn a_guest_signs_out_after_a_question() {
    let town = WebHome::new();
    let (mut browser, guest) = as_guest(&town);
    let cookie = browser.cookie.clone();
    let form = browser.form("/malaka/1", "/signout");
    let question = browser.send(&form).says(200, "you cannot come back to your boards");
    browser.get("/boards").says(200, "/malaka/1");
    let form = forms(&question.body).into_iter().find(|form| {
        form.action == "/signout" && form.fields.iter().any(|(name, _)| name == "sure")
    });
    assert_eq!(browser.send(&form.unwrap()).header("location"), "/");
    assert!(browser.cookie.is_empty());
    // A copy of the cookie is invalid, too.
    let mut copy = Browser { cookie, ..Browser::new(&town) };
    assert_eq!(copy.get("/boards").status, 303);
    town.get("/malaka/1").says(200, &guest);
    town.assert_sound();
}

#[test]
fn a_guest_withdraws_a_board_before_the_first_move() {
    let town = WebHome::new();
    let (mut browser, _) = as_guest(&town);
    let form = browser.form("/boards", "/say");
    assert!(form.fields.contains(&("verb".into(), "decline".into())), "{form:?}");
    let question = browser.send(&form).says(200, "does not count");
    assert!(!town.board(MALAKA, Board::is_over));
    assert_eq!(
        browser.send(&confirming(&question.body)).header("location"),
        "/boards?notice=declined"
    );
    assert!(town.board(MALAKA, Board::is_over));
}

#[test]
fn a_refused_sign_up_changes_nothing_for_the_guest() {
    let town = WebHome::new();
    let (mut browser, guest) = as_guest(&town);
    let documents = town.documents();
    sign_up(&mut browser, "alice").says(422, "taken");
    assert_eq!(town.documents(), documents);
    browser.get("/malaka/1").says(200, &guest);
    makes_a_move(&mut browser, MALAKA);
}

#[test]
fn a_program_cannot_sign_up_as_a_guest_and_a_guest_has_no_key() {
    let town = WebHome::new();
    let (browser, guest) = as_guest(&town);
    let request = |path: &str, body: &str| {
        let request = axum::http::Request::post(path).header("content-type", "application/json");
        let request = request.header("cookie", format!("postboard={}", browser.cookie));
        town.send(request.body(axum::body::Body::from(body.to_owned())).unwrap())
    };
    let account = |name: &str| {
        format!("{{\"userid\":\"{name}\",\"password\":\"secret\",\"address\":\"x@example.net\"}}")
    };
    assert!(request("/api/v1/signup", &account("guest-aaaaaa")).status.is_client_error());
    assert!(request("/api/v1/keys", &account(&guest)).status.is_client_error());
    // The API ignores cookies.
    let say = "{\"verb\":\"seek\",\"game\":\"malaka\"}";
    assert!(!request("/api/v1/say", say).status.is_success());
}
