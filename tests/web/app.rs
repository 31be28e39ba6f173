//! The installed app: its manifest, icons, service worker and offline page.

use crate::support::web::browser::Browser;
use crate::support::web::home::{MALAKA, WebHome, malaka};
use crate::support::web::page::attribute;
use serde_json::{Value, json};

#[test]
fn the_manifest_names_the_server_and_icons_that_exist() {
    let town = WebHome::new();
    let page = town.get("/").body;
    let manifest = attribute(&page, "link[rel=manifest]", "href").unwrap();
    let reply = town.get(&manifest).says(200, "\"standalone\"");
    assert_eq!(reply.header("content-type"), "application/manifest+json");
    let manifest: Value = serde_json::from_str(&reply.body).unwrap();
    assert_eq!(manifest["name"], "Postboard");
    assert_eq!((&manifest["start_url"], &manifest["scope"]), (&json!("/boards"), &json!("/")));
    let icons = manifest["icons"].as_array().unwrap();
    let of = |icon: &Value, name: &str| icon[name].as_str().unwrap_or_default().to_owned();
    let sizes: Vec<_> = icons.iter().map(|icon| of(icon, "sizes") + &of(icon, "purpose")).collect();
    assert_eq!(sizes, ["192x192any", "512x512any", "512x512maskable", "any"]);
    for icon in icons {
        let reply = town.get(&of(icon, "src"));
        assert_eq!(
            (reply.status.as_u16(), reply.header("content-type")),
            (200, &*of(icon, "type"))
        );
        assert!(reply.header("cache-control").contains("immutable"));
    }
    let touch = attribute(&page, "link[rel=apple-touch-icon]", "href").unwrap();
    assert_eq!(touch, of(&icons[0], "src"));
}

#[test]
fn the_manifest_has_the_name_of_a_renamed_server() {
    let town = WebHome::named("Café \"<Mail>\"");
    let manifest: Value = serde_json::from_str(&town.get("/manifest.webmanifest").body).unwrap();
    assert_eq!(manifest["name"], "Café \"<Mail>\"");
}

#[test]
fn the_service_worker_covers_the_site_and_is_never_stale() {
    let town = WebHome::new();
    let worker = town.get("/sw.js").says(200, "addEventListener(\"fetch\"");
    assert!(worker.header("content-type").starts_with("text/javascript"));
    assert_eq!(worker.header("cache-control"), "no-cache");
    let files = worker.body.lines().find_map(|line| line.strip_prefix("const FILES = ")).unwrap();
    let files: Vec<String> = serde_json::from_str(files.trim_end_matches(';')).unwrap();
    assert_eq!(files[0], "/offline");
    // It keeps the offline page and files with a digest, but no page of a board.
    for file in &files[1..] {
        assert!(file.starts_with("/assets/"), "{file}");
    }
    for file in &files {
        assert_eq!(town.get(file).status, 200, "{file}");
    }
    let offline = town.get("/offline").says(200, "You are offline").body;
    for (selector, name) in [("link[rel=stylesheet]", "href"), ("script[src]", "src")] {
        let file = attribute(&offline, selector, name).unwrap();
        assert!(files.contains(&file), "the offline page needs {file}");
    }
}

#[test]
fn my_boards_know_how_many_wait() {
    let town = WebHome::new();
    let count = |user: &str| {
        let page = Browser::of(&town, user).get("/boards").body;
        attribute(&page, "body", "data-waiting")
    };
    assert_eq!(count("alice").as_deref(), Some("0"));
    for _ in 0..3 {
        town.say("malaka challenge alice bob");
    }
    let due = |number| town.due(malaka(number)).0;
    for user in ["alice", "bob"] {
        let waiting = (1..=3).filter(|number| due(*number) == user).count();
        assert_eq!(count(user), Some(waiting.to_string()), "{user}");
    }
    town.play(MALAKA, 1);
    for user in ["alice", "bob"] {
        let waiting = (1..=3).filter(|number| due(*number) == user).count();
        assert_eq!(count(user), Some(waiting.to_string()), "{user}");
    }
    // A page that does not know the number says nothing.
    let page = Browser::of(&town, "alice").get("/help").body;
    assert_eq!(attribute(&page, "body", "data-waiting"), None);
}

#[test]
fn a_player_chooses_the_colours_of_boards_and_men() {
    let town = WebHome::with_board();
    let look = |page: &str| {
        ["data-board", "data-men"].map(|name| attribute(page, "html", name).unwrap_or_default())
    };
    let thumbnail = |page: &str| attribute(page, ".boards picture img", "src").unwrap();
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/boards").body;
    assert_eq!(look(&page), ["", ""]);
    let plain = thumbnail(&page);
    assert!(plain.starts_with("/malaka/1/small/light.svg?"), "{plain}");
    for (name, value) in [("theme", "wood"), ("men", "stone")] {
        let form = alice.form_with("/settings", "/say", "word", name);
        assert_eq!(alice.send(&form.and("word", value)).status, 303);
    }
    for path in ["/boards", "/malaka/1", "/settings", "/help"] {
        assert_eq!(look(&alice.get(path).body), ["wood", "stone"], "{path}");
    }
    let page = alice.get("/settings").body;
    for value in ["wood", "stone"] {
        let chosen = format!("input[type=radio][value={value}][checked]");
        assert!(attribute(&page, &chosen, "name").is_some(), "{value}");
    }
    let coloured = thumbnail(&alice.get("/boards").body);
    assert!(coloured.starts_with("/malaka/1/small/light-wood-stone.svg?"), "{coloured}");
    let pictures = [&plain, &coloured].map(|path| alice.get(path).says(200, "<svg").body);
    assert_ne!(pictures[0], pictures[1]);
    // Others see their own colours, and guests the default.
    assert_eq!(look(&Browser::of(&town, "bob").get("/malaka/1").body), ["", ""]);
    assert_eq!(look(&town.get("/malaka/1").body), ["", ""]);
    // Games have pictures in every look, too.
    let game = attribute(&alice.get("/").body, ".games picture img", "src").unwrap();
    assert!(game.contains("-light-wood-stone-"), "{game}");
    alice.get(&game).says(200, "<svg");
    for name in ["light-classic", "light-stone-wood", "wood", "dark-wood-stone-", "light-"] {
        alice.get(&format!("/malaka/1/small/{name}.svg")).says(404, "No page has this address");
    }
    let form = alice.form_with("/settings", "/say", "word", "theme");
    assert!(alice.send(&form.and("word", "purple")).status.is_client_error());
    assert_eq!(look(&alice.get("/help").body), ["wood", "stone"]);
}

#[test]
fn only_pages_of_boards_load_the_script_that_moves_men() {
    let town = WebHome::with_board();
    let moves = |path: &str| attribute(&town.get(path).body, "script[src*='/motion-']", "src");
    for path in ["/", "/help", "/malaka"] {
        assert_eq!(moves(path), None, "{path}");
    }
    let script = moves("/malaka/1").unwrap();
    town.get(&script).says(200, "prefers-reduced-motion");
}
