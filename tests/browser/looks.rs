//! What pages look like to people and to the programs that read them out: axe-core finds nothing
//! wrong, nothing sticks out, and nothing is written on the console.

use super::*;
use ::games::GAMES;
use data_encoding::BASE64;
use serde_json::Value;
use std::path::Path;

/// Where npm has put axe-core.
const AXE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../npm/node_modules/axe-core/axe.min.js");

/// What axe-core finds wrong with the page that is shown.
fn complaints(browser: &Browser) -> Vec<String> {
    let axe = std::fs::read_to_string(AXE).expect("axe-core is installed");
    browser.run(&axe);
    let found = browser.run_later("axe.run(document).then((it) => done(it.violations))");
    let told = |rule: &Value| {
        let nodes: Vec<&str> =
            rule["nodes"].as_array().unwrap().iter().filter_map(|it| it["html"].as_str()).collect();
        format!("{}: {nodes:#?}", rule["help"].as_str().unwrap())
    };
    found.as_array().unwrap().iter().map(told).collect()
}

/// Boards of every game, on which it is alice's turn.
fn with_boards(town: &mut Town) {
    for spec in GAMES.iter().map(|game| game.spec()) {
        let players = if spec.manner.solo { "alice" } else { "alice bob" };
        town.done(&format!("{} challenge {players}", spec.name));
        let id = BoardId { game: spec.name, number: 1 };
        for _ in 0..7 {
            if let Some(due) = town.due(id) {
                let words = town.any_move(id);
                town.done(&format!("{} move 1 {due} secret {words}", spec.name));
            }
        }
        if town.due(id).as_deref() == Some("bob") {
            let words = town.any_move(id);
            town.done(&format!("{} move 1 bob secret {words}", spec.name));
        }
    }
}

/// Chooses the first man that can be moved, so that it shows where he can go.
fn choose_a_man(browser: &Browser) {
    if let Some(man) = browser.all("svg.board a[data-spot]:has(.can)").first() {
        follow(browser, man);
    }
}

/// Keeps a picture in the folder that PICTURES names, if it names one.
fn picture(browser: &Browser, name: &str) {
    if let Some(folder) = std::env::var_os("PICTURES") {
        let png = BASE64.decode(browser.picture().as_bytes()).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), png).unwrap();
    }
}

#[test]
#[ignore = "needs Chromium, its driver and axe-core: .ci/run installs them and runs this by name"]
fn nothing_is_wrong_with_the_pages() {
    let mut town = Town::new();
    with_boards(&mut town);
    let alice = town.alice(Window::DESK);
    let pages =
        ["/", "/malaka/1", "/backgammon/1", "/reversi/1", "/boards", "/help/malaka", "/help"];
    let more = ["/malaka", "/malaka/1/3", "/player/alice", "/settings"];
    let mut wrong = Vec::new();
    for (width, is_dark) in [(390, false), (390, true), (1200, false), (1200, true)] {
        alice.resize(width, is_dark);
        for path in pages.iter().chain(&more) {
            alice.go(&format!("{}{path}", town.address));
            choose_a_man(&alice);
            let found = complaints(&alice);
            wrong.extend(found.iter().map(|found| format!("{path} {width} {is_dark}: {found}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs Chromium and its driver: .ci/run installs them and runs this by name"]
fn boards_fit_into_every_window() {
    let mut town = Town::new();
    with_boards(&mut town);
    let alice = town.alice(Window::DESK);
    for (width, is_dark) in [(360, true), (390, false), (1200, false), (1600, true)] {
        alice.resize(width, is_dark);
        for name in GAMES.iter().map(|game| game.spec().name) {
            alice.go(&format!("{}/{name}/1", town.address));
            choose_a_man(&alice);
            let out = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(alice.run(out), 0, "{name} at {width}");
            let seen = "const it = document.querySelector('svg.board').getBoundingClientRect(); \
                        return it.width >= Math.min(innerWidth - 40, 340) && it.height > 200";
            assert_eq!(alice.run(seen), true, "{name} at {width}");
            picture(&alice, &format!("{name}-{width}"));
        }
    }
}
