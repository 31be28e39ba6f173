//! Signing up, signing in and signing out.

use crate::support::web::browser::{Browser, forms};
use crate::support::web::home::{MALAKA, WebHome};
use postboard::base::time::{DAY, minutes};
use postboard::model::board::Board;

/// Returns whether the browser is signed in.
fn is_in(browser: &mut Browser) -> bool {
    browser.get("/boards").status == 200
}

#[test]
fn a_password_signs_in_until_the_cookie_ends() {
    let town = WebHome::new();
    let mut browser = Browser::of(&town, "alice");
    browser.get("/boards").says(200, "My boards");
    // Without a valid session, the server redirects to the sign-in page and back.
    let mut stranger = Browser::new(&town);
    assert_eq!(stranger.get("/boards").header("location"), "/signin?back=%2Fboards");
    town.wait(61 * DAY);
    assert!(!is_in(&mut browser));
}

#[test]
fn wrong_passwords_pause_a_network_and_a_userid() {
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    for _ in 0..5 {
        browser.sign_in("alice", "wrong1").says(422, "Wrong userid or password");
    }
    browser.sign_in("alice", "secret").says(422, "1 minute");
    // The pause applies to all users from this network, and to alice from all networks.
    browser.sign_in("bob", "secret").says(422, "minute");
    let mut elsewhere = Browser { at: [198, 51, 100, 7].into(), ..Browser::new(&town) };
    elsewhere.sign_in("alice", "secret").says(422, "minute");
    assert_eq!(elsewhere.sign_in("bob", "secret").status, 303);
    town.wait(minutes(2));
    assert_eq!(browser.sign_in("alice", "secret").status, 303);
}

#[test]
fn a_mailed_link_signs_in_once_when_its_button_is_pressed() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let mut browser = Browser::new(&town);
    let form = browser.form("/signin", "/signin/link").with("who", "alice@example.org");
    browser.send(&form).says(200, "If this user exists");
    let letters = town.letters();
    let [(to, text)] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!(to, "alice@example.org");
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    // A mail program prefetches the link.
    let mut program = Browser::new(&town);
    program.get(link).says(200, "Sign in as alice");
    assert!(!is_in(&mut program));
    let button = browser.form(link, link);
    assert_eq!(browser.send(&button).status, 303);
    assert!(is_in(&mut browser));
    let mut again = Browser::new(&town);
    let button = again.form(link, link);
    again.send(&button).says(422, "has already been used or is too old");
    assert!(!is_in(&mut again));
}

#[test]
fn a_link_is_good_for_minutes_and_tells_nobody_who_is_here() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let mut browser = Browser::new(&town);
    let form = browser.form("/signin", "/signin/link").with("who", "nobody");
    browser.send(&form).says(200, "If this user exists");
    assert!(town.letters().is_empty());
    let form = browser.form("/signin", "/signin/link").with("who", "alice");
    browser.send(&form).says(200, "If this user exists");
    let (_, text) = town.letters().remove(0);
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    town.wait(minutes(21));
    let button = browser.form(link, link);
    browser.send(&button).says(422, "too old");
}

#[test]
fn links_are_mailed_twenty_times_a_day_for_one_network() {
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    for round in 0..20 {
        let form = browser.form("/signin", "/signin/link").with("who", "alice");
        browser.send(&form).says(200, "If this user exists");
        // A user may request ten links.
        assert_eq!(town.letters().len(), usize::from(round < 10), "{round}");
    }
    let form = browser.form("/signin", "/signin/link").with("who", "bob");
    browser.send(&form).says(422, "Too many sign-in links");
    assert!(town.letters().is_empty());
}

#[test]
fn signing_up_signs_in_and_asks_for_a_confirmation() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let mut browser = Browser::new(&town);
    let form = browser.form("/signup", "/signup");
    let form =
        form.with("user", "dave").with("password", "secret").with("address", "d@example.net");
    assert_eq!(browser.send(&form).header("location"), "/welcome");
    browser.get("/welcome").says(200, "Welcome, dave!");
    let letters = town.letters();
    let [(to, text)] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!(to, "d@example.net");
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    let button = browser.form(link, link);
    browser.send(&button).says(200, "d@example.net is confirmed");
    // A used name is refused, and so is a sixth sign-up from one network.
    let sign_up = |browser: &mut Browser, user: &str| {
        let form = browser.form("/signup", "/signup").with("user", user);
        let address = format!("{user}@example.net");
        browser.send(&form.with("password", "secret").with("address", &address))
    };
    let mut other = Browser::new(&town);
    sign_up(&mut other, "dave").says(422, "taken");
    for user in ["erin", "frank", "grace", "heidi"] {
        assert_eq!(sign_up(&mut other, user).status, 303, "{user}");
        other.cookie.clear();
    }
    sign_up(&mut other, "ivan").says(422, "in the last 24 hours");
}

#[test]
fn every_browser_is_out_after_a_new_password_a_new_token_or_on_request() {
    let town = WebHome::with_board();
    let ways: [fn(&WebHome, &mut Browser); 3] = [
        |_, browser| {
            let form = browser.form("/settings", "/password");
            let form = form.with("old", "secret").with("new", "secret2");
            assert_eq!(browser.send(&form).status, 303);
            assert!(is_in(browser), "who changes it stays");
        },
        |town, _| drop(town.say("malaka newtoken 1 alice")),
        |_, browser| {
            let form =
                browser.form("/settings", "/signout").with("everywhere", "yes").with("sure", "yes");
            assert_eq!(browser.send(&form).header("location"), "/");
            assert!(!is_in(browser));
        },
    ];
    for (way, password) in ways.into_iter().zip(["secret", "secret2", "secret2"]) {
        let mut other = Browser::new(&town);
        assert_eq!(other.sign_in("alice", password).status, 303);
        let mut browser = Browser::new(&town);
        assert_eq!(browser.sign_in("alice", password).status, 303);
        way(&town, &mut browser);
        assert!(!is_in(&mut other));
    }
}

#[test]
fn a_new_reply_address_signs_out_every_browser_but_this_one() {
    let town = WebHome::with_board();
    let (mut one, mut other) = (Browser::of(&town, "alice"), Browser::of(&town, "alice"));
    let open = one.form_with("/malaka/1", "/malaka/1", "verb", "chat").with("comment", "Hello!");
    let form = one.form("/malaka/1", "/malaka/1").with("verb", "").with("say", "newtoken");
    let form = form.with("sure", "yes");
    assert!(!one.send(&form).header("set-cookie").is_empty());
    assert!(is_in(&mut one) && !is_in(&mut other));
    one.send(&open).says(403, "open for too long");
    // Other changes keep the cookie, so the forms of open pages stay valid.
    let open = one.form_with("/malaka/1", "/malaka/1", "verb", "chat").with("comment", "Hello!");
    let mut form = one.form_with("/settings", "/say", "word", "html");
    form.fields.push(("word".into(), "off".into()));
    assert!(one.send(&form).header("set-cookie").is_empty());
    assert_eq!(one.send(&open).status, 303);
}

/// Presses the sign-out button that every page has.
fn sign_out(browser: &mut Browser) {
    let form = browser.form("/boards", "/signout");
    assert!(browser.send(&form).header("set-cookie").contains("Max-Age=0"));
}

#[test]
fn signing_out_ends_this_browser_alone_and_every_copy_of_its_cookie() {
    let town = WebHome::new();
    let (mut one, mut other) = (Browser::of(&town, "alice"), Browser::of(&town, "alice"));
    let mut copy = Browser { cookie: one.cookie.clone(), ..Browser::new(&town) };
    assert!(is_in(&mut copy));
    sign_out(&mut one);
    assert!(!is_in(&mut one) && !is_in(&mut copy) && is_in(&mut other));
    // The cookie of a browser that alice has used does not sign in.
    assert!(!is_in(&mut Browser { cookie: one.known.clone(), ..Browser::new(&town) }));
    assert_eq!(one.sign_in("alice", "secret").status, 303);
    assert!(is_in(&mut one) && !is_in(&mut copy));
    // The server remembers 64 revoked sessions; one more signs the user out everywhere, and no
    // session becomes valid again.
    for _ in 0..64 {
        sign_out(&mut one);
        assert_eq!(one.sign_in("alice", "secret").status, 303);
    }
    assert!(is_in(&mut other) || is_in(&mut one));
    let mut last = Browser { cookie: one.cookie.clone(), ..Browser::new(&town) };
    if is_in(&mut one) {
        sign_out(&mut one);
    }
    assert!(!is_in(&mut one) && !is_in(&mut other) && !is_in(&mut last) && !is_in(&mut copy));
}

#[test]
fn strangers_hold_up_no_browser_in_which_the_owner_was() {
    let town = WebHome::new();
    let mut own = Browser::of(&town, "alice");
    sign_out(&mut own);
    let stranger =
        |number: u8| Browser { at: [198, 51, 100, number].into(), ..Browser::new(&town) };
    let guess = |browser: &mut Browser| {
        let reply = browser.sign_in("alice", "wrong1");
        assert_eq!(reply.status, 422, "{}", reply.body);
        reply.body.contains("Wrong userid or password")
    };
    // The limit counts guesses from all networks together, also from the owner's network.
    let tried = (0..40).filter(|number| guess(&mut stranger(*number))).count();
    assert_eq!(tried, 5);
    let mut neighbour = Browser::new(&town);
    for _ in 0..5 {
        neighbour.sign_in("carol", "wrong1").says(422, "Wrong userid or password");
    }
    stranger(41).sign_in("alice", "secret").says(422, "minute");
    neighbour.sign_in("alice", "secret").says(422, "minute");
    assert_eq!(own.sign_in("alice", "secret").status, 303);
    // The browser is known for alice only.
    own.sign_in("bob", "secret").says(422, "minute");
    sign_out(&mut own);
    // Guesses in a known browser are limited, too, from all networks together.
    let moved = |number: u8, known: &str| Browser {
        at: [203, 0, 113, number].into(),
        known: known.to_owned(),
        ..Browser::new(&town)
    };
    town.wait(DAY);
    let known = own.known.clone();
    let tried = (0..40).filter(|number| guess(&mut moved(*number, &known))).count();
    assert_eq!(tried, 5);
    moved(41, &known).sign_in("alice", "secret").says(422, "minute");
    // These guesses block no other browser.
    let mut elsewhere = moved(42, "");
    assert_eq!(elsewhere.sign_in("alice", "secret").status, 303);
    // Signing out everywhere makes every known browser unknown.
    let form =
        elsewhere.form("/settings", "/signout").with("everywhere", "yes").with("sure", "yes");
    elsewhere.send(&form);
    town.wait(DAY);
    for number in 0..5 {
        guess(&mut stranger(number));
    }
    moved(43, &known).sign_in("alice", "secret").says(422, "minute");
    moved(44, &elsewhere.known).sign_in("alice", "secret").says(422, "minute");
}

#[test]
fn a_link_is_mailed_after_the_answer_which_is_the_same_for_everybody() {
    let town = WebHome::with("address = \"http://games.example.org\"\n", false);
    let mut answers = Vec::new();
    for (who, letters) in
        [("alice", 1), ("alice@example.org", 1), ("nobody", 0), ("no@example.net", 0)]
    {
        let mut browser = Browser::new(&town);
        let form = browser.form("/signin", "/signin/link").with("who", who);
        let documents = town.documents();
        let reply = browser.send(&form).says(200, "If this user exists");
        assert_eq!(town.documents(), documents, "{who}: nothing is done yet");
        assert_eq!(town.letters().len(), letters, "{who}");
        assert_ne!(town.documents(), documents, "{who}: it counts for the place");
        answers.push((reply.status, reply.body));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[test]
fn a_wrong_password_costs_the_same_whether_there_is_such_a_user() {
    let town = WebHome::new();
    let mut costs = Vec::new();
    for (number, user) in ["alice", "nobody"].into_iter().enumerate() {
        let at = [198, 51, 100, u8::try_from(number).unwrap()].into();
        let mut browser = Browser { at, ..Browser::new(&town) };
        let before = town.documents();
        browser.sign_in(user, "wrong1").says(422, "Wrong userid or password");
        let after = town.documents();
        let changed = after.iter().filter(|(key, text)| before.get(key) != Some(text));
        let bytes = changed.clone().map(|(_, text)| text.len()).sum::<usize>();
        costs.push((changed.count(), bytes));
    }
    assert_eq!(costs[0].0, 2);
    assert_eq!(costs[0], costs[1]);
}

#[test]
fn where_connections_are_encrypted_the_cookie_goes_no_other_way() {
    let town = WebHome::with("address = \"https://games.example.org\"\n", false);
    let reply = town.get("/signin");
    let cookie = reply.header("set-cookie");
    assert!(cookie.starts_with("__Host-postboard=guest.") && cookie.contains("Secure"), "{cookie}");
    assert!(!reply.header("strict-transport-security").is_empty());
}

#[test]
fn only_a_demonstration_lets_everybody_be_everybody() {
    let demo = WebHome::with("", true);
    let mut browser = Browser::new(&demo);
    let form = browser.form("/", "/demo").with("user", "alice");
    assert_eq!(browser.send(&form).header("location"), "/boards");
    assert!(is_in(&mut browser));
    let town = WebHome::new();
    let mut browser = Browser::new(&town);
    let mut form = browser.form("/signin", "/signin").with("user", "alice");
    form.action = "/demo".into();
    browser.send(&form).says(404, "No page has this address");
    assert!(!is_in(&mut browser));
}

#[test]
fn leaving_by_the_page_needs_a_mailed_code() {
    for (verb, is_erased) in [("signoff", false), ("delete", true)] {
        let town = WebHome::with_board();
        town.letters();
        let mut browser = Browser::of(&town, "alice");
        let forms: Vec<_> = forms(&browser.get("/settings").body)
            .into_iter()
            .filter(|form| form.fields.iter().any(|(name, _)| name == "once"))
            .collect();
        let of = |end: &str| {
            let is_it = |(name, value): &(String, String)| name == "once" && value.ends_with(end);
            let form = forms.iter().find(|form| form.fields.iter().any(is_it)).unwrap();
            form.clone().with("verb", verb)
        };
        let has_left = || {
            let documents = town.documents();
            let key = |key: &dyn std::fmt::Debug| format!("{key:?}").contains("\"alice\"");
            documents.iter().any(|(name, text)| key(name) && text.contains("\"left\""))
        };
        assert_eq!(browser.send(&of("leave")).header("location"), "/settings?notice=code");
        browser.get("/settings?notice=code").says(200, "Nothing has changed yet");
        let letters = town.letters();
        let [(to, text)] = &letters[..] else { panic!("{letters:?}") };
        assert!(to == "alice@example.org" && !has_left(), "{text}");
        let line = format!("{verb} alice <password> ");
        let code = text.lines().find_map(|it| it.trim().strip_prefix(&*line)).unwrap();
        browser.send(&of("left").with("word", "wrong")).says(422, "code");
        assert!(is_in(&mut browser) && !has_left());
        browser.send(&of("left").with("word", code)).says(200, "Back");
        assert!(has_left() && !is_in(&mut browser));
        let kept = town.documents().values().any(|text| text.contains("alice@example.org"));
        assert_eq!(kept, !is_erased);
        let board = MALAKA;
        assert!(town.board(board, Board::is_over));
    }
}
