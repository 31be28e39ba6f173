//! The layout and accessibility of pages: axe-core finds no error, no element overflows, and the
//! console is empty.

use super::*;
use ::games::GAMES;
use serde_json::Value;

/// The script of axe-core, which npm installs.
const AXE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/../npm/node_modules/axe-core/axe.min.js");

/// The widths of a phone and of a desk.
pub(super) const WIDTHS: [u32; 2] = [390, 1200];

/// The rules of axe-core about colours, without the one for its highest level.
const ABOUT_COLOURS: &str =
    "{ runOnly: ['cat.color'], rules: { 'color-contrast-enhanced': { enabled: false } } }";

/// Returns the errors that axe-core finds on the page by these rules.
fn found(browser: &Browser, rules: &str) -> Vec<String> {
    if browser.run("return !window.axe") == true {
        browser.run(&std::fs::read_to_string(AXE).expect("axe-core is installed"));
    }
    let script = format!(
        "return axe.run(document, {{ ...{rules}, resultTypes: ['violations'] }}) \
           .then((it) => it.violations)"
    );
    let found = browser.run(&script);
    let told = |rule: &Value| {
        let nodes: Vec<&str> =
            rule["nodes"].as_array().unwrap().iter().filter_map(|it| it["html"].as_str()).collect();
        format!("{}: {nodes:#?}", rule["help"].as_str().unwrap())
    };
    found.as_array().unwrap().iter().map(told).collect()
}

/// Returns the errors that axe-core finds on the page.
pub(super) fn complaints(browser: &Browser) -> Vec<String> {
    found(browser, "{}")
}

/// Returns what is wrong with the colours of the page in a window. Every name that is wrong begins with `what`.
pub(super) fn wrong_colours(
    browser: &Browser,
    what: &str,
    width: u32,
    is_dark: bool,
) -> Vec<String> {
    browser.resize(width, is_dark);
    told(browser, what, width, is_dark, &found(browser, ABOUT_COLOURS))
}

/// Returns what is wrong with the page in windows of each width, light and dark: the errors that axe-core finds,
/// and that the page is wider than its window. A dark page differs only in colours.
pub(super) fn wrong(browser: &Browser, what: &str) -> Vec<String> {
    let at = |width| {
        browser.resize(width, false);
        let mut light = told(browser, what, width, false, &complaints(browser));
        if !forms::fits(browser) {
            light.push(format!("{what} is wider than {width}"));
        }
        [light, wrong_colours(browser, what, width, true)].concat()
    };
    WIDTHS.map(at).concat()
}

/// Names the window in which errors were found, and keeps its picture.
fn told(browser: &Browser, what: &str, width: u32, is_dark: bool, found: &[String]) -> Vec<String> {
    let scheme = if is_dark { "dark" } else { "light" };
    if let Some(folder) = pictures::folder() {
        let name: String =
            what.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect();
        pictures::keep_whole(browser, &folder, &format!("{name}-{width}-{scheme}"), 1.0);
    }
    found.iter().map(|it| format!("{what} {width} {scheme}: {it}")).collect()
}

/// Returns the names of all games.
pub(super) fn all_games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|game| game.spec().name)
}

/// Starts a board of each of these games, with alice to move.
pub(super) fn with_boards(town: &mut ServedHome, games: impl IntoIterator<Item = &'static str>) {
    for game in games {
        let is_solo = ::games::find(game).unwrap().spec().manner.is_solo;
        town.done(&format!("{game} challenge {}", if is_solo { "alice" } else { "alice bob" }));
        let id = BoardId { game, number: 1 };
        for _ in 0..4 {
            if town.due(id).is_some() {
                town.make_move(id);
            }
        }
        if town.due(id).as_deref() == Some("bob") {
            town.make_move(id);
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
    with_boards(&mut town, ["malaka", "backgammon", "reversi", "loa", "amazons", "go"]);
    let alice = town.alice(Window::DESK);
    let pages =
        ["/", "/malaka/1", "/backgammon/1", "/reversi/1", "/boards", "/help/malaka", "/help"];
    let more =
        ["/loa/1", "/amazons/1", "/go/1", "/malaka", "/malaka/1/3", "/player/alice", "/settings"];
    let mut wrong = Vec::new();
    for path in pages.iter().chain(&more) {
        alice.go(&format!("{}{path}", town.address));
        choose_a_man(&alice);
        wrong.extend(self::wrong(&alice, path));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "needs Chromium: .ci/run installs it and runs this by name"]
fn boards_fit_into_every_window() {
    let mut town = ServedHome::new();
    with_boards(&mut town, all_games());
    let alice = town.alice(Window::DESK);
    for name in all_games() {
        alice.go(&format!("{}/{name}/1", town.address));
        choose_a_man(&alice);
        for (width, is_dark) in [(360, true), (390, false), (1200, false), (1600, true)] {
            alice.resize(width, is_dark);
            assert!(forms::fits(&alice), "{name} at {width}");
            let seen = "const it = document.querySelector('svg.board').getBoundingClientRect(); \
                        return it.width >= Math.min(innerWidth - 40, 340) && it.height > 200";
            assert_eq!(alice.run(seen), true, "{name} at {width}");
            if let Some(folder) = pictures::folder() {
                pictures::keep(&alice, &folder, &format!("{name}-{width}"));
            }
        }
    }
}
