//! Completions and the manual page, read by bash and man.

#![expect(clippy::disallowed_types, reason = "the test runs shells")]

use crate::support::program::{self, program};
use games::GAMES;
use postboard::command::{VERBS, VerbScope};
use std::process::Command;

/// Returns bash's completions of the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let script = program::run(program().args(["completions", "bash"]), b"").out;
    let line = words.join(" ");
    let ask = format!(
        "{script}\nCOMP_WORDS=({line}{})\nCOMP_CWORD={}\nCOMP_LINE='{line}'\nCOMP_POINT={}\n\
         _postboard postboard \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        if words.last() == Some(&"") { "''" } else { "" },
        words.len() - 1,
        line.len()
    );
    let ran = program::run(Command::new("bash").args(["--norc", "-eu", "-s"]), ask.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}");
    ran.out.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_verbs_and_games() {
    assert_eq!(offered(&["postboard", "ba"]), ["backup", "backgammon"]);
    assert_eq!(offered(&["postboard", "backu"]), ["backup"]);
    assert_eq!(offered(&["postboard", "signu"]), ["signup"]);
    assert_eq!(offered(&["postboard", "malaka", "chal"]), ["challenge"]);
    assert_eq!(offered(&["postboard", "backgammon", "dou"]), ["double"]);
    assert_eq!(offered(&["postboard", "restore", "--re"]), ["--replace"]);
    let all = offered(&["postboard", ""]);
    for verb in VERBS.iter().filter(|verb| verb.scope != VerbScope::Game) {
        assert!(all.iter().any(|word| word == verb.name), "{} is not offered", verb.name);
    }
    let all = offered(&["postboard", "plakoto", ""]);
    for verb in VERBS.iter().filter(|verb| verb.scope != VerbScope::Server) {
        assert!(all.iter().any(|word| word == verb.name), "{} is not offered", verb.name);
    }
}

#[test]
fn completions_are_made_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = program::run(program().args(["completions", shell]), b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out.contains("backup") && ran.out.contains("moultezim"), "{shell}");
    }
    let ran = program::run(program().args(["completions", "tcsh"]), b"");
    assert_eq!(ran.code, Some(64));
    assert!(ran.err.contains("bash, elvish, fish, powershell, zsh"), "{}", ran.err);
}

#[test]
fn the_manual_page_has_every_command_verb_and_game() {
    let page = program::run(program().arg("man"), b"");
    assert_eq!((page.code, page.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = page.out.lines().collect();
    for heading in ["NAME", "SYNOPSIS", "OPTIONS", "GAMES", "\"EXIT STATUS\""] {
        assert!(lines.contains(&&*format!(".SH {heading}")), "{heading}");
    }
    for command in [
        "receive",
        "backup FILE",
        "restore [FILE]",
        "perft GAME DEPTH [OPTIONS...]",
        "compare-levels GAME [OPTIONS...]",
    ] {
        let heading = format!(".SS \"{command}\"");
        assert!(
            lines.contains(&&*heading) || lines.contains(&&*heading.replace('"', "")),
            "{command}"
        );
    }
    for verb in VERBS {
        assert!(
            page.out.contains(&format!("\\fB{}\\fR", verb.name.replace('-', "\\-"))),
            "{}",
            verb.name
        );
    }
    for game in GAMES {
        assert!(lines.contains(&&*format!("\\fB{}\\fR", game.spec().name)), "{}", game.spec().name);
    }
    // If groff is installed, it prints no warnings.
    let mut groff = Command::new("groff");
    groff.args(["-ww", "-man", "-Tascii", "-z"]);
    if Command::new("groff").arg("--version").output().is_ok_and(|out| out.status.success()) {
        let ran = program::run(&mut groff, page.out.as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    }
}
