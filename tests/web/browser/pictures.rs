//! Creates the pictures of docs/pictures:
//! `PICTURES=docs/pictures cargo test --test postboard pages_are_pictured -- --ignored`.

use super::*;
use data_encoding::BASE64;
use serde_json::json;
use std::path::Path;

/// Returns the folder for pictures, if `PICTURES` is set.
pub(super) fn folder() -> Option<std::ffi::OsString> {
    std::env::var_os("PICTURES")
}

/// Saves a picture of a window.
pub(super) fn keep(browser: &Browser, folder: &std::ffi::OsStr, name: &str) {
    browser.chromium("Emulation.setScrollbarsHidden", &json!({ "hidden": true }));
    // Pictures below the visible part of the page are loaded lazily.
    let is_drawn = "return [...document.images].every((it) => it.complete \
                    || it.getBoundingClientRect().top > innerHeight)";
    browser.until("the small pictures", is_drawn);
    let shown = json!({ "format": "webp", "quality": 22 });
    let picture = browser.chromium("Page.captureScreenshot", &shown);
    let picture = BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
    std::fs::write(Path::new(folder).join(format!("{name}.webp")), picture).unwrap();
}

/// Saves a picture of a whole page, scaled by `scale`.
pub(super) fn keep_whole(browser: &Browser, folder: &std::ffi::OsStr, name: &str, scale: f64) {
    let page = "document.documentElement.getBoundingClientRect().height";
    let size = browser.run(&format!("return [innerWidth, Math.ceil({page})]"));
    let clip = json!({ "x": 0, "y": 0, "width": size[0], "height": size[1], "scale": scale });
    let shown =
        json!({ "format": "webp", "quality": 40, "clip": clip, "captureBeyondViewport": true });
    let picture = browser.chromium("Page.captureScreenshot", &shown);
    let picture = BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
    std::fs::write(Path::new(folder).join(format!("{name}.webp")), picture).unwrap();
}

/// Starts boards that wait for alice, boards that wait for bob, and a board that alice has won.
fn with_boards(town: &mut ServedHome) {
    looks::with_boards(town);
    for words in [
        "malaka challenge bob alice -many",
        "visiput challenge bob alice",
        "countlines challenge alice bob",
        "countlines resign 2 bob secret",
        "speedgo seek bob secret -mode=1",
    ] {
        town.done(words);
    }
}

#[test]
#[ignore = "draws docs/pictures where PICTURES names that folder; needs Chromium"]
fn pages_are_pictured() {
    let Some(folder) = folder() else { return };
    let mut town = ServedHome::new();
    with_boards(&mut town);
    let alice = town.alice(Window::DESK);
    let boards = [("malaka", "/malaka/1"), ("backgammon", "/backgammon/1"), ("boards", "/boards")];
    for (width, is_dark) in [(390, false), (390, true), (1200, false), (1200, true)] {
        let scheme = if is_dark { "dark" } else { "light" };
        let visitor = Browser::open(Window { width, is_dark, ..Window::DESK });
        visitor.go(&town.address);
        keep(&visitor, &folder, &format!("front-{width}-{scheme}"));
        alice.resize(width, is_dark);
        for (name, path) in boards {
            alice.go(&format!("{}{path}", town.address));
            looks::choose_a_man(&alice);
            alice.run("scrollTo(0, 0)");
            keep(&alice, &folder, &format!("{name}-{width}-{scheme}"));
        }
    }
}
