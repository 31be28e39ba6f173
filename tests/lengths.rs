//! The lengths of functions and files: a function fits on a screen, and a file is read in one go.
//!
//! The table for any checkout, with everything that is too long:
//! `LENGTHS_OF=. cargo test --test postboard lengths::table -- --ignored --nocapture`

use super::layers::files;
use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a function, from its `fn` to its closing brace.
const FUNCTION: usize = 50;

/// The most lines of a file of code, without the tests at its end.
const FILE: usize = 450;

/// A file, or a function of one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    name: String,
    lines: usize,
    is_test: bool,
}

impl Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:5} {}", self.lines, self.name)
    }
}

/// The name of the function that begins in a line.
fn named(line: &str) -> Option<&str> {
    const BEFORE: [&str; 4] = ["const ", "async ", "unsafe ", "fn "];
    let mut rest = line.trim_start();
    if let Some(open) = rest.strip_prefix("pub") {
        let close = |open: &str| open.find(") ").map(|at| at + 2);
        let behind = if open.starts_with('(') { close(open)? } else { 1 };
        rest = open.get(behind..)?;
    }
    loop {
        let word = BEFORE.into_iter().find(|word| rest.starts_with(word))?;
        rest = &rest[word.len()..];
        if word == "fn " {
            return rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        }
    }
}

/// The functions of a file as rustfmt leaves it: one ends with the first brace that is as far to
/// the right as its beginning, or where its signature has no body.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = named(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &str| {
            let stands = line.len() - line.trim_start().len() == indent;
            stands && (line.ends_with('}') || line.ends_with(';'))
        };
        let length = lines[first..].iter().position(|line| ends(line));
        found.push((name, length.expect("rustfmt puts each closing brace below its fn") + 1));
    }
    found
}

/// Whether a file holds nothing but tests.
fn is_test(name: &str) -> bool {
    name.contains("tests/") || name.ends_with("tests.rs") || name == "games/kit/laws.rs"
}

/// The code of a file, and the tests at its end.
fn parts(text: &str) -> (&str, &str) {
    text.find("#[cfg(test)]\nmod tests {").map_or((text, ""), |at| text.split_at(at))
}

/// All files of the crates and all their functions.
fn pieces(root: &Path) -> (Vec<Piece>, Vec<Piece>) {
    let mut paths = Vec::new();
    let folders = ["src", "games", "console", "grammar"].map(|folder| root.join(folder));
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        files(folder, &mut paths);
    }
    let (mut whole, mut parts_of) = (Vec::new(), Vec::new());
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let file = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let (code, tests) = parts(&text);
        for (part, is_test) in [(code, is_test(&file)), (tests, true)] {
            let lines = part.lines().count();
            if lines > 0 {
                whole.push(Piece { name: file.clone(), lines, is_test });
            }
            parts_of.extend(functions(part).into_iter().map(|(function, lines)| {
                let name = format!("{file} {function}");
                Piece { name, lines, is_test }
            }));
        }
    }
    (whole, parts_of)
}

fn longer(pieces: &[Piece], most: usize, is_test: bool) -> Vec<&Piece> {
    pieces.iter().filter(|piece| piece.is_test == is_test && piece.lines > most).collect()
}

#[test]
fn nothing_is_too_long() {
    let (files, functions) = pieces(Path::new(env!("CARGO_MANIFEST_DIR")));
    let long = longer(&files, FILE, false).into_iter().chain(longer(&functions, FUNCTION, false));
    let found: Vec<&str> = long.map(|piece| piece.name.as_str()).collect();
    assert!(found.is_empty(), "too long: cut {found:#?}");
}

#[test]
fn lengths_are_counted_as_they_are_read() {
    let text = "\
pub(super) const fn one() -> u8 {
    1
}

impl Two {
    /// Says `fn none() {`.
    fn two(
        &self,
    ) -> u8
    where
        Self: Sized,
    {
        match self {
            _ => {}
        }
    }

    pub fn empty() {}
}

trait Three {
    fn three(&self) -> u8;
    async fn four(
        &self,
    ) -> u8;
}
";
    let want = [("one", 3), ("two", 10), ("empty", 1), ("three", 1), ("four", 3)];
    assert_eq!(functions(text), want);
    // This one, counted by hand.
    let own = functions(include_str!("lengths.rs"));
    assert!(own.contains(&("longer", 3)) && own.contains(&("parts", 3)), "{own:?}");
}

#[test]
#[ignore = "a table: see the head of this file"]
fn table() {
    let root = std::env::var("LENGTHS_OF").map_or_else(|_| ".".into(), PathBuf::from);
    let (files, functions) = pieces(&root);
    for (what, pieces, most) in [("files", &files, FILE), ("functions", &functions, FUNCTION)] {
        for (is_test, of) in [(false, "code"), (true, "tests")] {
            let mut long = longer(pieces, most, is_test);
            long.sort_by_key(|piece| usize::MAX - piece.lines);
            let count = pieces.iter().filter(|piece| piece.is_test == is_test).count();
            println!("{what} of {of}: {count}, over {most} lines: {}", long.len());
            for piece in long {
                println!("{piece}");
            }
        }
    }
}
