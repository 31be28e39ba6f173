//! Progress of long work appears on a terminal, and nowhere else.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(clippy::disallowed_types, reason = "the test runs the program in a terminal")]

use crate::support::program::Home;
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;
use std::thread;

/// The width of the terminal in columns.
const WIDE: u16 = 60;

/// Returns the output of a command to a terminal on standard error, and to standard output.
fn in_terminal(home: &Home, words: &[&str], term: &str) -> (String, String) {
    let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&end).unwrap();
    unlockpt(&end).unwrap();
    let name = ptsname(&end, Vec::new()).unwrap();
    let terminal =
        rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())
            .unwrap();
    let size = Winsize { ws_row: 24, ws_col: WIDE, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&end, size).unwrap();
    let mut command = home.command();
    command.args(words).env("TERM", term).env("NO_COLOR", "1");
    let child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(terminal).spawn().unwrap();
    // After this only the process holds the other end of the terminal.
    drop(command);
    let shown = thread::spawn(move || {
        let (mut shown, mut bytes) = (Vec::new(), [0; 4096]);
        let mut end = File::from(end);
        while let Ok(count @ 1..) = end.read(&mut bytes) {
            shown.extend_from_slice(&bytes[..count]);
        }
        String::from_utf8(shown).unwrap()
    });
    let ran = child.wait_with_output().unwrap();
    assert!(ran.status.success(), "{words:?}");
    (shown.join().unwrap(), String::from_utf8(ran.stdout).unwrap())
}

#[test]
fn a_terminal_shows_how_far_long_work_has_come_and_nothing_else_does() {
    let home = Home::with_board();
    let beside = |name: &str| home.base().join(name).display().to_string();
    let (file, page) = (beside("backup.tgz"), beside("page"));
    let commands: [(&[&str], &str); 7] = [
        (&["check"], "reading ["),
        (&["backup", &file], "files saved: "),
        (&["restore", &file, "--replace"], "unpacking ["),
        (&["charts", &page], "boards ["),
        (&["dice-report"], "boards ["),
        (&["compare-levels", "malaka", "--games", "1"], "games ["),
        (&["perft", "reversi", "3"], "depth: "),
    ];
    for (words, bar) in commands {
        let (shown, printed) = in_terminal(&home, words, "xterm");
        assert!(shown.contains(bar), "{words:?}: {shown:?}");
        assert!(!printed.contains(bar.trim_end_matches(['[', ' '])) || words[0] == "dice-report");
        // There is no colour, no line is wider than the terminal, and the last line is erased.
        assert!(!shown.contains("\u{1b}[3") && !shown.contains("\u{1b}[9"), "{shown:?}");
        for line in shown.split(['\r', '\n']) {
            let text = line.split('\u{1b}').next().unwrap();
            assert!(text.chars().count() <= usize::from(WIDE), "{text}");
        }
        assert!(
            shown.ends_with("\u{1b}[2K") || shown.ends_with("\u{1b}[0K"),
            "{words:?}: {shown:?}"
        );
        if words[0] == "compare-levels" {
            // The command takes seconds, and its output depends on the duration of the moves.
            continue;
        }
        assert_eq!(in_terminal(&home, words, "dumb").0, "", "{words:?}");
        assert_eq!(home.run(words, b"").err, "", "{words:?}");
    }
}
