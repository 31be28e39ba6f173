//! The layout and accessibility of pages: axe-core finds no error, no element overflows, and the
//! console is empty.

use super::*;
use ::games::GAMES;
use serde_json::Value;

/// The script of axe-core, which npm installs.
const AXE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../npm/node_modules/axe-core/axe.min.js");

/// Returns the errors that axe-core finds on the page.
pub(super) fn complaints(browser: &Browser) -> Vec<String> {
    let axe = std::fs::read_to_string(AXE).expect("axe-core is installed");
    browser.run(&axe);
    let found = browser.run("return axe.run(document).then((it) => it.violations)");
    let told = |rule: &Value| {
        let nodes: Vec<&str> =
            rule["nodes"].as_array().unwrap().iter().filter_map(|it| it["html"].as_str()).collect();
        format!("{}: {nodes:#?}", rule["help"].as_str().unwrap())
    };
    found.as_array().unwrap().iter().map(told).collect()
}

/// Starts a board of every game, with alice to move.
pub(super) fn with_boards(town: &mut ServedHome) {
    for spec in GAMES.iter().map(|game| game.spec()) {
        let players = if spec.manner.solo { "alice" } else { "alice bob" };
        town.done(&format!("{} challenge {players}", spec.name));
        let id = BoardId { game: spec.name, number: 1 };
        for _ in 0..4 {
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

const CAN: &str = "svg.board a[data-spot]:has(.can)";

/// Clicks the first movable man, so that the board shows its targets.
pub(super) fn choose_a_man(browser: &Browser) {
    if browser.has(CAN) {
        follow(browser, &browser.find(CAN));
    }
}

#[test]
#[ignore = "needs Chromium and axe-core: .ci/run installs them and runs this by name"]
fn nothing_is_wrong_with_the_pages() {
    let mut town = ServedHome::new();
    with_boards(&mut town);
    let alice = town.alice(Window::DESK);
    let pages =
        ["/", "/malaka/1", "/backgammon/1", "/reversi/1", "/boards", "/help/malaka", "/help"];
    let more =
        ["/loa/1", "/amazons/1", "/go/1", "/malaka", "/malaka/1/3", "/player/alice", "/settings"];
    let mut wrong = Vec::new();
    for width in [390, 1200] {
        for path in pages.iter().chain(&more) {
            alice.resize(width, false);
            alice.go(&format!("{}{path}", town.address));
            choose_a_man(&alice);
            for is_dark in [false, true] {
                alice.resize(width, is_dark);
                let found = complaints(&alice);
                wrong.extend(found.iter().map(|it| format!("{path} {width} {is_dark}: {it}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn boards_fit_into_every_window() {
    let mut town = ServedHome::new();
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
            if let Some(folder) = pictures::folder() {
                pictures::keep(&alice, &folder, &format!("{name}-{width}"));
            }
        }
    }
}
