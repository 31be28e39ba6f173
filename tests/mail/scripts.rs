//! Scripts of verbs and games, and examples of help pages: each produces the output that it shows.
//!
//! `UPDATE_GOLDEN=1` writes the actual output into the files; review the diff. `SCRIPT=games/hex` runs only
//! those whose path has these words.

use crate::support::letters::read;
use crate::support::postgres::shared;
use crate::support::script::{IS_IN_DATABASE, ScriptHome, WORD, run};
use postboard::config::{Config, SAMPLE};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs the script of a file; on a panic it prints the path of the file.
fn run_of(path: &Path, script: &str) -> String {
    std::panic::catch_unwind(|| run(script)).unwrap_or_else(|panic| {
        eprintln!("{} broke off", path.display());
        std::panic::resume_unwind(panic)
    })
}

/// Returns whether a file is one of those that `SCRIPT` names, if it does.
fn is_chosen(path: &Path) -> bool {
    let Ok(words) = std::env::var("SCRIPT") else { return true };
    path.to_string_lossy().contains(&words)
}

/// Compares a script with its actual output, or rewrites the file. Returns whether they were equal.
fn check(path: &Path, expected: &str, got: &str, whole: &dyn Fn(&str) -> String) -> bool {
    let wide = got.lines().find(|line| line.len() > 4 + 78 && !line.starts_with(['>', '<']));
    assert_eq!(wide, None, "{}: wider than 78 columns", path.display());
    assert!(got.is_ascii(), "{}: not ASCII", path.display());
    assert!(
        !got.lines().any(|l| l.starts_with(' ') && l.ends_with(' ')),
        "{}: trailing blanks",
        path.display()
    );
    if expected == got {
        return true;
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, whole(got)).unwrap();
        return true;
    }
    let first = expected.lines().zip(got.lines()).position(|(a, b)| a != b);
    let at = first.unwrap_or_else(|| expected.lines().count().min(got.lines().count()));
    eprintln!(
        "{}: line {} of the script\n  expected: {:?}\n  got:      {:?}",
        path.display(),
        at + 1,
        expected.lines().nth(at),
        got.lines().nth(at)
    );
    false
}

/// Returns the script files of the server and of each game.
pub(crate) fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("tests/mail/scripts")];
    folders.extend(
        games::GAMES.iter().map(|game| root.join("games").join(game.spec().name).join("scripts")),
    );
    let mut files: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
#[ignore = "starts PostgreSQL"]
fn scripts_and_examples_give_the_same_in_a_database() {
    let _engine = shared();
    IS_IN_DATABASE.set(true);
    scripts_give_what_they_say();
    examples_of_the_help_pages_give_what_they_say();
}

#[test]
fn scripts_give_what_they_say() {
    let files = files();
    assert!(files.len() >= 11, "only {} script files were found", files.len());
    let mut wrong = 0;
    for path in files.iter().filter(|path| is_chosen(path)) {
        assert_eq!(path.extension().unwrap(), "txt", "{}", path.display());
        let script = fs::read_to_string(path).unwrap();
        let right = check(path, &script, &run_of(path, &script), &|got: &str| got.to_owned());
        wrong += usize::from(!right);
    }
    assert_eq!(wrong, 0, "scripts went wrong; UPDATE_GOLDEN=1 rewrites them");
}

#[test]
fn examples_of_the_help_pages_give_what_they_say() {
    let help = Path::new(env!("CARGO_MANIFEST_DIR")).join("help");
    let mut wrong = 0;
    for entry in fs::read_dir(help).unwrap() {
        let path = entry.unwrap().path();
        if !is_chosen(&path) {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        let mut scripts = 0;
        let mut rest = page.as_str();
        while let Some((_, after)) = rest.split_once("```script\n") {
            let (script, after) = after.split_once("```").expect("a fence is closed");
            let right =
                check(&path, script, &run_of(&path, script), &|got| page.replacen(script, got, 1));
            wrong += usize::from(!right);
            scripts += 1;
            rest = after;
        }
        assert!(scripts > 0, "{} has no example", path.display());
    }
    assert_eq!(wrong, 0, "help pages went wrong; UPDATE_GOLDEN=1 rewrites them");
}

#[test]
fn without_plus_addresses_the_subject_says_who_replies() {
    let mut stage = ScriptHome::new();
    stage.setup.identity = Config::read(SAMPLE).unwrap().identity();
    stage.chance.dice.extend(["1", "11", "22"].map(|roll| roll.parse().unwrap()));
    stage.sender = "alice".into();
    let letters = stage.mail("malaka challenge alice bob", "", "postboard@localhost");
    let (subject, _) = read(&letters[0]);
    assert!(
        subject.starts_with("New game, your turn: Malaka 1 against bob [#bmalaka1m1-"),
        "{subject}"
    );
    let letters = stage.mail(&format!("Re: {subject}"), "a1-a2", "postboard@localhost");
    let answered = letters.iter().map(read).all(|(_, text)| text.contains("turn (X)"));
    assert!(answered && letters.len() == 2);
    // A second reply to the same mail is for a move that has already been made.
    let letters = stage.mail(&format!("Re: {subject}"), "a2-a3", "postboard@localhost");
    assert!(read(&letters[0]).1.contains("your command is for move 1"));
}

#[test]
fn a_player_who_left_can_return_while_signup_is_closed() {
    let mut stage = ScriptHome::new();
    stage.setup.config.limits.signup = false;
    assert!(stage.say("dora", "signup dora secret").contains("new players cannot sign up"));
    stage.say("carol", "signoff carol secret");
    stage.say("carol", &format!("signoff carol secret carol-{WORD}"));
    assert!(stage.say("carol", "signup carol secret").starts_with("Welcome back, carol"));
    assert!(stage.say("carol", "signup carol secret").contains("already signed up as carol"));
}

#[test]
fn a_wrong_expectation_is_noticed() {
    let right = run("> list\n");
    assert_eq!(run(&right), right);
    assert_ne!(run(&right.replace("malaka", "ludo")), right.replace("malaka", "ludo"));
}
