//! All integration tests of the server, in one binary: one link step, however many files.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::too_many_lines,
    reason = "tests use files, fail by `unwrap`, print, and contain tables of cases"
)]

mod games;
mod layers;
mod mail;
mod operator;
mod store;
mod support;
mod web;

use std::fs;
use std::path::Path;

/// Checks that each file below `folder` is a module of `parent`, so that no test is left out.
fn assert_listed(parent: &Path, folder: &Path) {
    let text = fs::read_to_string(parent).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let own = path.join("mod.rs");
        let is_module = path.extension().is_some_and(|ending| ending == "rs")
            && !["main", "mod"].contains(&name);
        if is_module || own.exists() {
            let is_listed = text.lines().any(|line| line.ends_with(&format!("mod {name};")));
            assert!(is_listed, "{} is not listed in {}", path.display(), parent.display());
        }
        if own.exists() {
            assert_listed(&own, &path);
        }
    }
}

#[test]
fn every_test_file_is_listed() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    assert_listed(&tests.join("main.rs"), &tests);
}
