//! Times are a type: seconds as a bare number, their arithmetic and the calendar are in one file.

use super::layers::{files, without_tests};
use std::fs;
use std::path::Path;

/// The file that may count seconds.
const OWNER: &str = "base/time.rs";

/// The file that says that a database counts in `i64`, whatever it counts.
const ENGINE: &str = "store/postgres/names.rs";

/// What would be a time or a span in disguise. Whatever else the server counts is unsigned, so that
/// an `i64` in a signature, a field or a constant has only ever been a number of seconds.
const DISGUISES: [&str; 6] = ["i64", "chrono", "86400", "86_400", "3600", "3_600"];

/// Whether an `i64` there is only made of another number: `i64::from(count)`.
fn is_conversion(word: &str, after: &str) -> bool {
    word == "i64" && after.starts_with("::")
}

/// The lines of a file's code that hold a time in disguise.
fn disguised(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let found = |line: &str| {
        let code = line.split("//").next().unwrap_or(line);
        DISGUISES.iter().any(|word| {
            code.match_indices(word).any(|(at, _)| {
                let (before, after) = (&code[..at], &code[at + word.len()..]);
                !before.ends_with(is_part)
                    && !after.starts_with(is_part)
                    && !is_conversion(word, after)
            })
        })
    };
    without_tests(text).lines().filter(|line| found(line)).map(str::trim).collect()
}

#[test]
fn no_time_is_a_bare_number() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    files(&source, &mut paths);
    let mut bare = Vec::new();
    for path in paths {
        let name = path.strip_prefix(&source).unwrap().to_str().unwrap();
        if ![OWNER, ENGINE].contains(&name) && !name.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            bare.extend(disguised(&text).into_iter().map(|line| format!("{name}: {line}")));
        }
    }
    assert!(bare.is_empty(), "use `Time` or `Span` of base/time.rs: {bare:#?}");
}

#[test]
fn a_time_in_disguise_is_seen() {
    for line in [
        "fn look(home: &Path, now: i64) {}",
        "pub created: i64,",
        "times: [Option<i64>; 2],",
        "fn until(&self) -> i64 {",
        "clock: &dyn Fn() -> i64,",
        "const PAUSE: u64 = 2 * 86_400;",
        "let hours = seconds / 3600;",
        "let date = chrono::Utc::now();",
    ] {
        assert_eq!(disguised(line), [line]);
    }
    for line in [
        "now: Time, // an i64 in its file",
        "days(i64::from(count))",
        "/// Since `i64` is what serde reads.",
        "let mail = \"013600@example.org\";",
        "#[cfg(test)]\nmod tests {\n    let now: i64 = 3600;\n}",
    ] {
        assert_eq!(disguised(line), [""; 0], "{line}");
    }
}
