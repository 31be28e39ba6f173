//! Public pages.

use crate::support::web::browser::Browser;
use crate::support::web::home::{MALAKA, WebHome};
use crate::support::web::page::attributes;
use games::GAMES;

#[test]
fn a_board_has_a_lasting_address_now_and_after_each_move() {
    let town = WebHome::with_board();
    town.get("/malaka/1").says(200, "Malaka board 1");
    town.play(MALAKA, 3);
    let before = town.get("/malaka/1/0").says(200, "Before the first move.");
    assert!(before.body.contains("href=\"/malaka/1/1\""), "{}", before.body);
    town.get("/malaka/1/2").says(200, "After move 2.");
    for path in ["/malaka/2", "/malaka/0", "/malaka/01", "/malaka/x", "/malaka/1/99", "/ludo/1"] {
        town.get(path).says(404, "No page has this address.");
    }
    assert_eq!(town.get("/Malaka/1").header("location"), "/malaka/1");
}

#[test]
fn every_game_has_a_page_with_its_boards_and_its_rules() {
    let town = WebHome::new();
    for spec in GAMES.iter().map(|game| game.spec()) {
        let players = if spec.manner.is_solo { "alice" } else { "alice bob" };
        town.say(&format!("{} challenge {players}", spec.name));
        town.get("/").says(200, &format!("href=\"/{}\"", spec.name));
        town.get(&format!("/{}", spec.name)).says(200, &format!("href=\"/{}/1\"", spec.name));
        town.get(&format!("/{}/1", spec.name)).says(200, &format!("{} board 1", spec.title));
        town.get(&format!("/help/{}", spec.name)).says(200, "<article");
    }
}

#[test]
fn help_pages_lead_to_the_pages_that_do_the_same_by_clicks() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let links = |page: &str, within: &str| attributes(page, &format!("{within} a"), "href");
    let mut with_clicks = Vec::new();
    let pages = links(&alice.get("/help").body, "main");
    for page in pages.iter().filter(|path| path.starts_with("/help/")) {
        let places = links(&alice.get(page).says(200, "<article").body, "p.by-clicks");
        for place in &places {
            let answer = alice.get(place.split('#').next().unwrap());
            // A study begins after the forced moves of its game.
            let is_study = answer.status == 303 && answer.header("location").starts_with("/study/");
            assert!(answer.status == 200 || is_study, "{page} leads to {place}: {}", answer.status);
        }
        if !places.is_empty() {
            with_clicks.push(page.trim_start_matches("/help/").to_owned());
        }
    }
    for name in
        ["malaka", "time", "timezone", "weekend", "plan", "tournament", "ladder", "all-commands"]
    {
        assert!(with_clicks.iter().any(|page| page == name), "{name} is not in {with_clicks:?}");
    }
}

#[test]
fn a_private_board_is_shown_to_nobody_else() {
    let town = WebHome::new();
    town.say("malaka challenge alice bob --private");
    town.get("/malaka/1").says(403, "private");
    let list = town.get("/malaka").says(200, "Malaka");
    assert!(!list.body.contains("/malaka/1"), "{}", list.body);
}

#[test]
fn lists_show_every_board_as_their_reader_may_see_it() {
    let town = WebHome::new();
    let front = town.get("/").body;
    for game in GAMES {
        let name = game.spec().name;
        for theme in ["light", "dark"] {
            let at = front.find(&format!("/assets/{name}-{theme}-")).expect(name);
            let path = front[at..].split('"').next().unwrap();
            let picture = town.get(path).says(200, "<svg");
            assert_eq!(picture.header("content-type"), "image/svg+xml");
        }
    }
    town.say("malaka challenge alice bob");
    town.say("malaka challenge alice carol --private");
    let shown = || {
        let list = town.get("/malaka").body;
        let at = list.find("/malaka/1/small/light.svg?").expect("a picture");
        list[at..].split('"').next().unwrap().to_owned()
    };
    let first = shown();
    let before = town.get(&first).says(200, "<svg");
    assert!(before.header("cache-control").contains("immutable"));
    town.play(MALAKA, 1);
    assert_ne!(shown(), first, "a browser would keep the old picture");
    assert_ne!(town.get(&shown()).body, before.body);
    assert!(!before.body.contains("alice"), "{}", before.body);

    town.get("/malaka/2/small/light.svg").says(403, "private");
    Browser::of(&town, "carol").get("/malaka/2/small/light.svg").says(200, "<svg");
    for name in ["light", "green.svg", "light.svgx", ".svg"] {
        town.get(&format!("/malaka/1/small/{name}")).says(404, "No page has this address");
    }
    town.get("/malaka/9/small/dark.svg").says(404, "No page has this address");
}

#[test]
fn every_answer_allows_the_worker_and_the_manifest_and_forbids_foreign_scripts_and_frames() {
    let town = WebHome::new();
    let allowed = [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "manifest-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "worker-src 'self'",
    ];
    for path in ["/", "/help", "/nope", "/malaka/1", "/assets/x"] {
        let reply = town.get(path);
        let mut policy: Vec<&str> = reply.header("content-security-policy").split("; ").collect();
        policy.sort_unstable();
        assert_eq!(policy, allowed, "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "same-origin");
    }
}

#[test]
fn files_are_kept_for_ever_and_pages_while_they_are_the_same() {
    let town = WebHome::new();
    let front = town.get("/");
    let style = front.body.split("href=\"").find(|rest| rest.starts_with("/assets/")).unwrap();
    let style = town.get(style.split('"').next().unwrap());
    assert!(style.status == 200 && style.header("cache-control").contains("immutable"));
    let again = axum::http::Request::get("/").header("if-none-match", front.header("etag"));
    let again = town.send(again.body(axum::body::Body::empty()).unwrap());
    assert!(again.status == 304 && again.body.is_empty(), "{again:?}");
}

#[test]
fn a_page_that_is_kept_for_others_is_made_anew_when_its_board_changes() {
    let town = WebHome::with_board();
    let version = || {
        let packed = axum::http::Request::get("/malaka/1").header("accept-encoding", "gzip");
        let reply = town.send(packed.body(axum::body::Body::empty()).unwrap());
        assert_eq!(reply.header("content-encoding"), "gzip");
        reply.header("etag").to_owned()
    };
    let first = version();
    assert_eq!(version(), first);
    town.play(MALAKA, 1);
    assert_ne!(version(), first, "after a move");
}

#[test]
fn a_game_that_is_over_is_analysed_by_a_link() {
    let town = WebHome::with_board();
    town.play(MALAKA, 4);
    let link = "href=\"/malaka/1/analysis\"";
    assert!(!Browser::of(&town, "alice").get("/malaka/1").body.contains(link));
    town.say("malaka resign 1 alice");
    town.get("/malaka/1").says(200, link);
    for user in ["alice", "carol"] {
        let mut browser = Browser::of(&town, user);
        browser.get("/malaka/1").says(200, link);
        browser.get("/malaka/1/analysis").says(200, "Plays with a choice");
    }
    town.say("reversi challenge alice bob");
    town.say("reversi resign 1 alice");
    let page = Browser::of(&town, "alice").get("/reversi/1");
    assert!(!page.body.contains("/reversi/1/analysis"), "{}", page.body);
}
