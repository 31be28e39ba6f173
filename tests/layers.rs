//! The layers of the program: a file names what lies in its own layer or below, never above.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the lowest to the highest.
const LAYERS: [&str; 15] = [
    "base", "mail", "store", "model", "config", "engine", "post", "intake", "refusal", "reply",
    "command", "server", "web", "shell", "main",
];

/// Arrows that still run upwards: from which file, to which layer.
const KNOWN: &[(&str, &str)] = &[];

/// All sources in a folder, however deep.
pub(super) fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The first name behind each of these paths, also of those that stand in one list.
fn named<'t>(text: &'t str, path: &str) -> BTreeSet<&'t str> {
    let word = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices(path) {
        let rest = &text[at + path.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.insert(&rest[..word(rest).unwrap_or(rest.len())]);
            continue;
        };
        let mut depth = 0;
        let mut begins = true;
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                c if begins && c.is_alphabetic() => {
                    let rest = &list[at..];
                    names.insert(&rest[..word(rest).unwrap_or(rest.len())]);
                    begins = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// Tests stand at the end of a file, and may look anywhere.
pub(super) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// What runs upwards: from which file, to which layer.
fn upward(file: &str, text: &str) -> Vec<(String, String)> {
    let rank = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let own = file.split(['/', '.']).next().and_then(rank);
    let own = own.unwrap_or_else(|| panic!("{file} is in no layer"));
    let code = without_tests(text);
    let above =
        named(code, "crate::").into_iter().filter(|name| rank(name).is_some_and(|it| it > own));
    above.map(|name| (file.to_owned(), name.to_owned())).collect()
}

#[test]
fn no_arrow_runs_upwards() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let mut found = BTreeSet::new();
    for path in paths {
        let name = path.strip_prefix(&source).unwrap().to_str().unwrap();
        if name != "lib.rs" && !name.ends_with("tests.rs") {
            found.extend(upward(name, &fs::read_to_string(&path).unwrap()));
        }
    }
    let known = KNOWN.iter().map(|(file, layer)| ((*file).to_owned(), (*layer).to_owned()));
    assert_eq!(found, known.collect());
}

#[test]
fn an_arrow_is_seen_in_every_way_that_it_is_written() {
    let to_server = |text: &str| upward("command/list.rs", text);
    for text in [
        "use crate::server::Server;",
        "use crate::{base::ids, server::{self, Server}, store};",
        "fn f() -> crate::server::Handled { g() }",
        "use crate::base;\nuse crate::{\n    model,\n    server,\n};",
    ] {
        let want = [("command/list.rs".to_owned(), "server".to_owned())];
        assert_eq!(to_server(text), want, "{text}");
    }
    for text in ["use crate::base::words;", "#[cfg(test)]\nmod tests {\n    use crate::server;\n}"]
    {
        assert_eq!(to_server(text), [], "{text}");
    }
}

/// What several games share, and what that may name of their crate beside itself: none of the games.
const SHARED: [(&str, &[&str]); 7] = [
    ("kit", &[]),
    ("grid", &["kit"]),
    ("rows", &["kit"]),
    ("connection", &["kit"]),
    ("bot", &["kit"]),
    ("points", &["bot", "kit"]),
    ("corridor", &["bot", "kit"]),
];

/// What each game may name: none of the other games.
const SHARED_BY_GAMES: &[&str] =
    &["bot", "connection", "corridor", "grid", "kit", "points", "rows"];

/// Folders that name games: the console has games as parts, and `programs` names every game, so that
/// none needs to name it.
const NAMES_GAMES: [&str; 2] = ["live", "programs"];

/// Games that are made of other games: Portes has the men and nets of Backgammon, Nackgammon and
/// Hypergammon its cube and matches, Tavli is a match of three games, and Checkers has the board of
/// Draughts.
const MADE_OF: [(&str, &[&str]); 5] = [
    ("portes", &["backgammon"]),
    ("nackgammon", &["backgammon"]),
    ("hypergammon", &["backgammon"]),
    ("tavli", &["portes", "plakoto", "fevga"]),
    ("checkers", &["draughts"]),
];

/// Returns whether the `mod.rs` beside a file declares it as a module of tests.
fn is_compiled_for_tests_alone(path: &Path) -> bool {
    let Ok(parent) = fs::read_to_string(path.with_file_name("mod.rs")) else { return false };
    let name = path.file_stem().unwrap().to_str().unwrap();
    ["", "pub(crate) "]
        .iter()
        .any(|visible| parent.contains(&format!("#[cfg(test)]\n{visible}mod {name};")))
}

#[test]
fn shared_folders_name_no_game_and_games_no_other() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut paths = Vec::new();
    files(&games, &mut paths);
    let mut found = Vec::new();
    for path in paths {
        let file = path.strip_prefix(&games).unwrap().to_str().unwrap();
        if file == "lib.rs" || file.contains("tests") || is_compiled_for_tests_alone(&path) {
            continue;
        }
        let folder = file.split('/').next().unwrap();
        let below = SHARED.iter().find(|(shared, _)| *shared == folder).map(|(_, below)| *below);
        let below = below.unwrap_or(SHARED_BY_GAMES);
        let text = fs::read_to_string(&path).unwrap();
        let parts = MADE_OF.iter().find(|(game, _)| *game == folder).map_or(&[][..], |(_, of)| *of);
        let is_wrong = |name: &&str| {
            let is_above = if NAMES_GAMES.contains(&folder) {
                *name == "programs"
            } else {
                !below.contains(name) && !parts.contains(name)
            };
            *name != folder && games.join(name).is_dir() && is_above
        };
        let wrong = named(without_tests(&text), "crate::").into_iter().filter(is_wrong);
        found.extend(wrong.map(|name| format!("{file} names {name}")));
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The stages of a mail in `server`, in their order; what comes after them names them all.
const STAGES: [&str; 25] = [
    "env",
    "requests",
    "receipt",
    "documents",
    "sender",
    "decide",
    "change",
    "turn_notices",
    "reactions",
    "outcome",
    "multiple",
    "refuse",
    "answer",
    "address_warning",
    "commands",
    "rate_limit",
    "delivery",
    "announcements",
    "recipients",
    "daily_counts",
    "letters",
    "unit_of_work",
    "failed_mail",
    "opt_out",
    "bounces",
];

#[test]
fn no_stage_of_a_mail_looks_back() {
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server");
    let mut back = Vec::new();
    for (rank, stage) in STAGES.iter().enumerate() {
        let mut paths = Vec::new();
        if server.join(stage).is_dir() {
            files(&server.join(stage), &mut paths);
        } else {
            paths.push(server.join(format!("{stage}.rs")));
        }
        for path in paths {
            let text = fs::read_to_string(&path).unwrap();
            let names = named(without_tests(&text), "crate::server::");
            let is_before = |name: &str| STAGES[..=rank].contains(&name);
            let names = names.into_iter().filter(|name| !is_before(name));
            back.extend(names.map(|name| format!("{stage} names {name}")));
        }
    }
    assert_eq!(back, Vec::<String>::new());
}
