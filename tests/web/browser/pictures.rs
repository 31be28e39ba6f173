//! Creates the pictures of docs/pictures, and pictures of all pages to look at:
//! `PICTURES=docs/pictures cargo test --test postboard ::pages_are_pictured -- --ignored`,
//! `ALL_PICTURES=target/pictures cargo test --test postboard every_page_is_pictured -- --ignored`.

use super::*;
use data_encoding::BASE64;
use serde_json::json;
use std::path::Path;

/// Returns the folder for pictures, if `PICTURES` is set.
pub(super) fn folder() -> Option<std::ffi::OsString> {
    std::env::var_os("PICTURES")
}

/// Whether the pictures of a page are loaded. Those below its visible part are loaded lazily.
const IS_DRAWN: &str = "return [...document.images].every((it) => it.complete \
                        || it.getBoundingClientRect().top > innerHeight)";

/// Saves a picture of a window.
pub(super) fn keep(browser: &Browser, folder: &std::ffi::OsStr, name: &str) {
    browser.chromium("Emulation.setScrollbarsHidden", &json!({ "hidden": true }));
    browser.until("the small pictures", IS_DRAWN);
    let shown = json!({ "format": "webp", "quality": 22 });
    let picture = browser.chromium("Page.captureScreenshot", &shown);
    let picture = BASE64.decode(picture["data"].as_str().unwrap().as_bytes()).unwrap();
    std::fs::write(Path::new(folder).join(format!("{name}.webp")), picture).unwrap();
}

/// Saves a picture of a whole page, scaled by `scale`.
pub(super) fn keep_whole(browser: &Browser, folder: &std::ffi::OsStr, name: &str, scale: f64) {
    browser.until("the small pictures", IS_DRAWN);
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
    looks::with_boards(town, looks::all_games());
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

/// The pages that visitors see.
const OF_VISITORS: &str = "\
    / /play /watch /learn /learn/malaka /learn/backgammon?step=2 /signin /signup /help \
    /help/backgammon /malaka /backgammon/1 /study/backgammon /nowhere";

/// The pages that alice sees. She has lost board 2 of Backgammon, and answers a double on board 3.
const OF_ALICE: &str = "\
    / /boards /settings /welcome /play /watch /backgammon /backgammon/1 /backgammon/1/3 \
    /backgammon/2 /backgammon/2/analysis /backgammon/2/preview?after=2 /backgammon/3 \
    /study/backgammon?moves=31+24-21,21-20 /study/malaka /malaka/1 /reversi/1 /visiput/1 \
    /countlines/1 /countlines/2 /symmetry/1 /speedgo/1 /hex/1 /loa/1 /amazons/1 /go/1 \
    /study/go?option.size=9&moves=e5+c3+g7+g3+c7+d5+pass+pass /chess/1 /portes/1 /fevga/1 \
    /tavli/1 /players /player/alice /player/bob /player/bob/boards \
    /player/bob/boards?state=active /player/alice/against/bob /player/alice/rating/backgammon \
    /backgammon/standings /backgammon/history /ladders /reversi/ladder /malaka/2 /help";

/// Finishes a board of Backgammon, and doubles on another one.
fn with_backgammon(town: &mut ServedHome) {
    let id = |number| BoardId { game: "backgammon", number };
    town.done("backgammon challenge alice bob");
    while town.board(id(2)).next_move() < 24 {
        town.make_move(id(2));
    }
    town.done("backgammon chat 2 bob secret Well played so far!");
    town.done("backgammon chat 2 alice secret Thank you. I should have run with the last man.");
    town.done("backgammon resign 2 alice secret backgammon");
    town.done("backgammon challenge alice bob -match=5");
    town.done("backgammon manual 3 bob secret");
    loop {
        let due = town.due(id(3)).unwrap();
        if due == "bob" && matches!(town.board(id(3)).position().next(), ::games::Next::Ready(..)) {
            break;
        }
        town.make_move(id(3));
    }
    town.done("backgammon move 3 bob secret double");
}

#[test]
#[ignore = "draws all pages where ALL_PICTURES names a folder; needs Chromium"]
fn every_page_is_pictured() {
    let Some(folder) = std::env::var_os("ALL_PICTURES") else { return };
    std::fs::create_dir_all(&folder).unwrap();
    let mut town = ServedHome::new();
    with_boards(&mut town);
    with_backgammon(&mut town);
    for user in ["bob", "alice"] {
        town.done(&format!("reversi ladder join {user} secret"));
    }
    let (alice, visitor, guest) =
        (town.alice(Window::DESK), Browser::open(Window::DESK), Browser::open(Window::DESK));
    guest.go(&format!("{}/play", town.address));
    guest.click(&guest.find("form[action='/play'] button"));
    guest.find("svg.board");
    let game = guest.run("return location.pathname.split('/')[1]");
    let path = guest.run("return location.pathname");
    let (game, path) = (game.as_str().unwrap(), path.as_str().unwrap());
    let game = format!("/{game}");
    let of_guests = ["/", "/boards", "/signin", "/signup", "/settings", &game, path];
    let visits: [(&str, &Browser, Vec<&str>); 3] = [
        ("visitor", &visitor, OF_VISITORS.split(' ').collect()),
        ("alice", &alice, OF_ALICE.split(' ').collect()),
        ("guest", &guest, of_guests.to_vec()),
    ];
    for (who, browser, pages) in visits {
        for (width, is_dark) in [(390, false), (390, true), (1200, false), (1200, true)] {
            browser.resize(width, is_dark);
            let scheme = if is_dark { "dark" } else { "light" };
            for (index, path) in pages.iter().enumerate() {
                browser.go(&format!("{}{path}", town.address));
                looks::choose_a_man(browser);
                browser.run("scrollTo(0, 0)");
                let name: String =
                    path.chars().map(|it| if it.is_alphanumeric() { it } else { '-' }).collect();
                let name = format!("{who}-{index:02}{name}-{width}-{scheme}");
                keep_whole(browser, &folder, &name, 1.0);
            }
        }
    }
}
