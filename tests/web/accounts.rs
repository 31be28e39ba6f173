//! Signing up, in and out.

use super::browser::Browser;
use super::town::Town;
use postboard::base::time::{DAY, minutes};

/// Whether pages know who asks.
fn is_in(browser: &mut Browser) -> bool {
    browser.get("/boards").status == 200
}

#[test]
fn a_password_signs_in_until_the_cookie_ends() {
    let town = Town::new();
    let mut browser = Browser::of(&town, "alice");
    browser.get("/boards").says(200, "My boards");
    // Without the right, one is led to the door, and back.
    let mut stranger = Browser::new(&town);
    assert_eq!(stranger.get("/boards").header("location"), "/signin?back=%2Fboards");
    town.wait(61 * DAY);
    assert!(!is_in(&mut browser));
}

#[test]
fn wrong_passwords_pause_a_network_and_a_userid() {
    let town = Town::new();
    let mut browser = Browser::new(&town);
    for _ in 0..5 {
        browser.sign_in("alice", "wrong1").says(422, "do not belong together");
    }
    browser.sign_in("alice", "secret").says(422, "1 minute");
    // Nobody else on that network gets further, and for alice nobody from elsewhere.
    browser.sign_in("bob", "secret").says(422, "minute");
    let mut elsewhere = Browser { at: [198, 51, 100, 7].into(), ..Browser::new(&town) };
    elsewhere.sign_in("alice", "secret").says(422, "minute");
    assert_eq!(elsewhere.sign_in("bob", "secret").status, 303);
    town.wait(minutes(2));
    assert_eq!(browser.sign_in("alice", "secret").status, 303);
}

#[test]
fn a_mailed_link_signs_in_once_when_its_button_is_pressed() {
    let town = Town::with("address = \"http://games.example.org\"\n", false);
    let mut browser = Browser::new(&town);
    let form = browser.form("/signin", "/signin/link").with("who", "alice@example.org");
    browser.send(&form).says(200, "If there is such a user here");
    let letters = town.letters();
    let [(to, text)] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!(to, "alice@example.org");
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    // A mail program looks at it.
    let mut program = Browser::new(&town);
    program.get(link).says(200, "Sign in as alice");
    assert!(!is_in(&mut program));
    let button = browser.form(link, link);
    assert_eq!(browser.send(&button).status, 303);
    assert!(is_in(&mut browser));
    let mut again = Browser::new(&town);
    let button = again.form(link, link);
    again.send(&button).says(422, "has been used, or is too old");
    assert!(!is_in(&mut again));
}

#[test]
fn a_link_is_good_for_minutes_and_tells_nobody_who_is_here() {
    let town = Town::with("address = \"http://games.example.org\"\n", false);
    let mut browser = Browser::new(&town);
    let form = browser.form("/signin", "/signin/link").with("who", "nobody");
    browser.send(&form).says(200, "If there is such a user here");
    assert!(town.letters().is_empty());
    let form = browser.form("/signin", "/signin/link").with("who", "alice");
    browser.send(&form).says(200, "If there is such a user here");
    let (_, text) = town.letters().remove(0);
    let link = text.split_once("http://games.example.org").unwrap().1;
    let link = link.split_whitespace().next().unwrap();
    town.wait(minutes(21));
    let button = browser.form(link, link);
    browser.send(&button).says(422, "too old");
}

#[test]
fn links_are_mailed_twenty_times_a_day_for_one_network() {
    let town = Town::new();
    let mut browser = Browser::new(&town);
    for round in 0..20 {
        let form = browser.form("/signin", "/signin/link").with("who", "alice");
        browser.send(&form).says(200, "If there is");
        // Ten of them for one user.
        assert_eq!(town.letters().len(), usize::from(round < 10), "{round}");
    }
    let form = browser.form("/signin", "/signin/link").with("who", "bob");
    browser.send(&form).says(422, "too many links");
    assert!(town.letters().is_empty());
}

#[test]
fn whoever_signs_up_is_in_and_confirms_the_address() {
    let town = Town::with("address = \"http://games.example.org\"\n", false);
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
    // Another person cannot have the name, and five from one network are enough.
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
    sign_up(&mut other, "ivan").says(422, "in a day");
}

#[test]
fn every_browser_is_out_after_a_new_password_a_new_token_or_on_request() {
    let town = Town::new();
    town.say("malaka challenge alice bob");
    let ways: [fn(&Town, &mut Browser); 3] = [
        |_, browser| {
            let form = browser.form("/settings", "/password");
            let form = form.with("old", "secret").with("new", "secret2");
            assert_eq!(browser.send(&form).status, 303);
            assert!(is_in(browser), "who changes it stays");
        },
        |town, _| drop(town.say("malaka newtoken 1 alice")),
        |_, browser| {
            let form = browser.form("/settings", "/signout").with("everywhere", "yes");
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
    let town = Town::new();
    town.say("malaka challenge alice bob");
    let (mut one, mut other) = (Browser::of(&town, "alice"), Browser::of(&town, "alice"));
    let open = one.form_with("/malaka/1", "/malaka/1", "verb", "chat").with("comment", "Hello!");
    let form = one.form("/malaka/1", "/malaka/1").with("verb", "").with("say", "newtoken");
    let form = form.with("sure", "yes");
    assert!(!one.send(&form).header("set-cookie").is_empty());
    assert!(is_in(&mut one) && !is_in(&mut other));
    one.send(&open).says(403, "not sent from a page of ours");
    // Other changes leave the cookie, and so the forms of open pages, as they are.
    let open = one.form_with("/malaka/1", "/malaka/1", "verb", "chat").with("comment", "Hello!");
    let mut form = one.form_with("/settings", "/say", "word", "html");
    form.fields.push(("word".into(), "off".into()));
    assert!(one.send(&form).header("set-cookie").is_empty());
    assert_eq!(one.send(&open).status, 303);
}

#[test]
fn signing_out_ends_this_browser_alone() {
    let town = Town::new();
    let (mut one, mut other) = (Browser::of(&town, "alice"), Browser::of(&town, "alice"));
    let form = one.form("/boards", "/signout");
    assert!(one.send(&form).header("set-cookie").contains("Max-Age=0"));
    one.cookie.clear();
    assert!(!is_in(&mut one) && is_in(&mut other));
}

#[test]
fn where_connections_are_encrypted_the_cookie_goes_no_other_way() {
    let town = Town::with("address = \"https://games.example.org\"\n", false);
    let reply = town.get("/signin");
    let cookie = reply.header("set-cookie");
    assert!(cookie.starts_with("__Host-postboard=guest.") && cookie.contains("Secure"), "{cookie}");
    assert!(!reply.header("strict-transport-security").is_empty());
}

#[test]
fn only_a_demonstration_lets_everybody_be_everybody() {
    let demo = Town::with("", true);
    let mut browser = Browser::new(&demo);
    let form = browser.form("/", "/demo").with("user", "alice");
    assert_eq!(browser.send(&form).header("location"), "/boards");
    assert!(is_in(&mut browser));
    let town = Town::new();
    let mut browser = Browser::new(&town);
    let mut form = browser.form("/signin", "/signin").with("user", "alice");
    form.action = "/demo".into();
    browser.send(&form).says(404, "no such page");
    assert!(!is_in(&mut browser));
}
