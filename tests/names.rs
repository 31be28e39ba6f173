//! One name, one thing: no two types of the program have the same name.

use crate::layers::{files, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Roles that every family of games fills in its own folder.
const ROLES: [&str; 6] = ["Board", "Ground", "Phase", "Play", "Position", "Step"];

/// The words before the name of a type where it is defined.
const KINDS: [&str; 5] = ["struct ", "enum ", "trait ", "union ", "type "];

/// The names of the types that a file defines. Types of a trait or an `impl` are indented and count
/// for none.
fn defined(text: &str) -> BTreeSet<&str> {
    fn name(line: &str) -> Option<&str> {
        let line = match line.strip_prefix("pub(") {
            Some(limited) => limited.split_once(") ")?.1,
            None => line.strip_prefix("pub ").unwrap_or(line),
        };
        let rest = KINDS.iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split(|c: char| !c.is_alphanumeric()).next()
    }
    text.lines().filter_map(name).collect()
}

#[test]
fn every_type_has_a_name_of_its_own() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut paths = Vec::new();
    for folder in ["src", "games", "console", "grammar"] {
        files(&root.join(folder), &mut paths);
    }
    for path in paths {
        let file = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        if file.contains("/tests/") || file.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for name in defined(without_tests(&text)) {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 600, "{} types are found", places.len());
    places.retain(|name, files| {
        let is_role = ROLES.contains(&&**name);
        // A role of the games may have its name once in the server, too: a board is a board.
        let others = files.iter().filter(|file| !is_role || !file.starts_with("games/"));
        others.count() > 1
    });
    assert!(places.is_empty(), "names of several types: {places:#?}");
}

/// The types of the program that a file calls by another name.
fn renamed(text: &str) -> Vec<&str> {
    const OURS: [&str; 6] = ["crate::", "super::", "self::", "games::", "console::", "grammar::"];
    let statements = text.match_indices("use ").filter(|(at, _)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default();
        line.is_empty() || line.starts_with("pub")
    });
    let uses = statements.filter_map(|(at, word)| text[at + word.len()..].split(';').next());
    uses.filter(|path| OURS.iter().any(|ours| path.starts_with(ours)))
        .flat_map(|path| path.split(" as ").skip(1))
        .filter(|name| name.starts_with(char::is_uppercase))
        .collect()
}

#[test]
fn no_type_is_called_by_another_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["src", "games", "console"] {
        files(&root.join(folder), &mut paths);
    }
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        // The constants of a verb say whose they are.
        let names = renamed(without_tests(&text)).into_iter();
        let names: Vec<&str> =
            names.filter(|name| name.chars().any(|c| c.is_ascii_lowercase())).collect();
        let is_test = path.to_string_lossy().contains("tests");
        assert!(names.is_empty() || is_test, "{}: {names:?}", path.display());
    }
    assert_eq!(renamed("use crate::a::{B,\n    C as D};\nuse std::e::F as G;\n").len(), 1);
}

#[test]
fn a_definition_is_told_from_other_lines() {
    let text = "pub struct One;\nenum Two {\n    type Three = u8;\npub(crate) trait Four: Sized {\n\
                // struct Five\nfn six() {}\npub(in crate::a) type Seven<T> = T;\nimpl Eight {";
    let found: Vec<&str> = defined(text).into_iter().collect();
    assert_eq!(found, ["Four", "One", "Seven", "Two"]);
}
