//! The console in a real terminal: tmux runs it, sends keys and reads the screen.

#![expect(clippy::disallowed_types, reason = "the test runs tmux and waits for it")]

use crate::support::program::{self, Ran, program};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// The longest wait for a text on the screen, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A terminal of 80 columns and 24 lines with a shell in it.
pub(crate) struct Tmux {
    dir: tempfile::TempDir,
}

impl Tmux {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let tmux = Self { dir };
        program::copy(&tmux.dir.path().join("postboard"));
        let folder = tmux.dir.path().display().to_string();
        let shell = "env -u NO_COLOR PS1='ready>' LINES= COLUMNS= sh";
        tmux.does(&["new-session", "-d", "-x", "80", "-y", "24", "-c", &folder, shell]);
        // The file `sent` gets all output to the terminal.
        tmux.does(&["pipe-pane", "-o", "cat >sent"]);
        tmux.shows("ready>");
        tmux
    }

    /// Runs tmux and returns its output.
    fn does(&self, args: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        // The socket and the pipes of tmux are in the folder.
        tmux.current_dir(self.dir.path()).args(["-S", "socket", "-f", "/dev/null"]).args(args);
        let ran = program::run(&mut tmux, b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
        ran.out
    }

    pub(crate) fn keys(&self, keys: &str) {
        let args: Vec<&str> = ["send-keys"].into_iter().chain(keys.split(' ')).collect();
        self.does(&args);
    }

    /// Types text literally.
    fn types(&self, text: &str) {
        self.does(&["send-keys", "-l", text]);
    }

    /// Clicks a point of the board.
    fn click(&self, point: &str) {
        let [column, line] = point.as_bytes() else { panic!("{point}") };
        let (x, y) = (4 + 5 * u32::from(column - b'a') + 2, 2 + 2 * u32::from(b'9' - line));
        self.types(&format!("\x1b[<0;{};{}M\x1b[<0;{0};{1}m", x + 1, y + 1));
    }

    /// Runs a command of the shell.
    pub(crate) fn runs(&self, command: &str) {
        self.does(&["send-keys", "-l", command]);
        self.keys("Enter");
    }

    fn screen(&self) -> String {
        self.does(&["capture-pane", "-p"])
    }

    /// Returns the screen with its colour codes.
    pub(crate) fn coloured(&self) -> String {
        self.does(&["capture-pane", "-e", "-N", "-p"])
    }

    /// Waits until the screen shows a text, and returns the screen.
    pub(crate) fn shows(&self, text: &str) -> String {
        self.comes_to(text, |screen| screen.contains(text))
    }

    /// Waits until the screen satisfies a condition, and returns the screen.
    pub(crate) fn comes_to(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(begun.elapsed() < TIMEOUT, "no {what} on the screen:\n{screen}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until the console has exited with this code and has restored the terminal.
    fn exits_with(&self, code: u8) -> String {
        let screen = self.shows(&format!("code={code}."));
        let flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag}";
        assert_eq!(self.does(&["display-message", "-p", flags]), "0 0 1\n");
        screen
    }

    /// Counts the rings of the bell.
    fn rings(&self) -> usize {
        let sent = fs::read(self.dir.path().join("sent")).unwrap();
        sent.split(|&byte| byte == 7).count() - 1
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let mut tmux = Command::new("tmux");
        tmux.current_dir(self.dir.path()).args(["-S", "socket", "kill-server"]);
        program::run(&mut tmux, b"");
    }
}

/// The program plays both colours, and the clock runs a hundred times as fast.
const BY_ITSELF: &str = "--level 1 --green 1 --pace 100";

#[test]
#[ignore = "needs tmux"]
fn every_game_is_played_to_its_end() {
    let names = |lines: std::ops::RangeInclusive<char>| {
        lines.flat_map(|line| ('a'..='i').map(move |column| format!("{column}{line}")))
    };
    let tmux = Tmux::new();
    let mut rings = 0;
    for (game, options) in [
        ("reversi", "--mode 4"),
        ("ghost", BY_ITSELF),
        ("life", BY_ITSELF),
        ("life", "--mode 1 --level 1 --green 1 --pace 100"),
        ("touchit", BY_ITSELF),
        ("symmetry", ""),
        ("countlines", "--mode 2"),
        ("fillit", BY_ITSELF),
        ("findthem", BY_ITSELF),
        ("visiput", BY_ITSELF),
        ("speedgo", ""),
    ] {
        let tape = format!("{game}{rings}.tape");
        tmux.runs(&format!(
            "./postboard console {game} {options} --seed 5 --record {tape}; echo code=$?."
        ));
        tmux.shows("Press Enter to begin");
        match game {
            "reversi" => {
                tmux.click("a1");
                tmux.comes_to("clock", |screen| screen.contains("Aim: mouse, x 1"));
                names('1'..='9').for_each(|point| tmux.click(&point));
            }
            "countlines" => {
                tmux.keys("Enter");
                let points: Vec<String> = names('1'..='9').collect();
                tmux.types(&format!("/{}", points.join("/")));
            }
            "symmetry" => {
                tmux.keys("Enter");
                let screen = tmux.shows("12 still to find");
                // Points are drawn on every other line; their images are at the same distance from
                // the bottom.
                for (line, row) in ('1'..='4').zip(screen.lines().skip(2).step_by(2)) {
                    let is_lit = |&column: &usize| row.as_bytes()[4 + 5 * column + 2] == b'#';
                    for column in (0..9).filter(is_lit) {
                        let letter = ('a'..='i').nth(column).unwrap();
                        tmux.types(&format!("{letter}{line}"));
                    }
                }
            }
            "speedgo" => tmux.keys("Enter p p"),
            _ => tmux.keys("Enter"),
        }
        let screen = tmux.shows("n lays out another game.");
        let told = ["wins ", "You win by finding all points.", "The game is a draw: "];
        let line = screen.lines().nth(20).unwrap();
        let told = told.iter().find(|told| line.contains(**told));
        assert!(
            told.is_some_and(|told| (game == "symmetry") == told.starts_with("You")),
            "{screen}"
        );
        tmux.keys("q");
        tmux.exits_with(0);
        tmux.runs("clear");
        rings += 1;
        assert_eq!(tmux.rings(), rings, "one ring for each game");
        // A replay shows the same game.
        if matches!(game, "ghost" | "countlines") {
            tmux.runs(&format!("./postboard console --replay {tape} --pace 100; echo code=$?."));
            let again = tmux.shows("q leaves.");
            let board = |screen: &str| {
                let rows =
                    screen.lines().take(19).map(|row| row.replace(['[', ']', '<', '>'], " "));
                let rows =
                    rows.map(|row| row.chars().take(52).collect::<String>().trim_end().to_owned());
                rows.collect::<Vec<_>>()
            };
            assert_eq!(board(&again), board(&screen));
            tmux.keys("q");
            tmux.exits_with(0);
            tmux.runs("clear");
            rings += 1;
        }
    }
}

#[test]
#[ignore = "needs tmux"]
fn a_terminal_may_change_its_size_in_the_middle() {
    let tmux = Tmux::new();
    tmux.runs("NO_COLOR=1 ./postboard console touchit --level 1; echo code=$?.");
    tmux.shows("Press Enter to begin");
    let colours = tmux.does(&["capture-pane", "-p", "-e"]);
    assert!(!colours.contains("8;5;"), "no colours are wanted: {colours}");
    tmux.keys("Enter");
    tmux.shows("Period: 1.40 s");
    for (width, height) in [("60", "20"), ("20", "3"), ("2", "1")] {
        tmux.does(&["resize-window", "-x", width, "-y", height]);
        if width != "2" {
            tmux.comes_to("sentence", |screen| {
                screen
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .starts_with("The console needs 80 columns")
            });
        }
    }
    for (width, height, margin) in [("140", "50", 7), ("120", "30", 20), ("80", "24", 0)] {
        tmux.does(&["resize-window", "-x", width, "-y", height]);
        tmux.comes_to("board in the middle", |screen| {
            let heading = " ".repeat(margin) + "3 TouchIt: be the first";
            screen.lines().any(|line| line.starts_with(&heading)) && screen.contains("q leave")
        });
    }
    tmux.keys("C-c");
    tmux.exits_with(0);
}

/// However the console ends, it restores the terminal.
#[test]
#[ignore = "needs tmux"]
fn the_terminal_is_given_back() {
    let tmux = Tmux::new();
    tmux.runs("stty -a >before; echo code=0.");
    tmux.exits_with(0);
    let kill = |signal| format!("sh -c 'sleep 0.1; kill -{signal} $(cat pid)' & ");
    for (before, keys) in [
        (String::new(), "C-c"),
        (String::new(), "q"),
        (String::new(), "Escape"),
        (kill("TERM"), ""),
        (kill("HUP"), ""),
        (kill("INT"), ""),
    ] {
        tmux.runs("clear");
        let _ = fs::remove_file(tmux.dir.path().join("pid"));
        let _ = fs::remove_file(tmux.dir.path().join("tape"));
        let console =
            "sh -c 'echo $$ >pid; exec ./postboard console ghost --level 1 --record tape'";
        tmux.runs(&format!("{console}; echo code=$?."));
        tmux.shows("Press Enter to begin");
        tmux.keys("Enter");
        tmux.shows("Time 2");
        if keys.is_empty() {
            let pid = fs::read_to_string(tmux.dir.path().join("pid")).unwrap();
            let signal = before.split("kill ").nth(1).unwrap().split(' ').next().unwrap();
            let ran = program::run(Command::new("kill").args([signal, pid.trim()]), b"");
            assert_eq!(ran.code, Some(0));
        } else {
            tmux.keys(keys);
            // During a game, all keys except Ctrl-C ask for confirmation.
            if keys != "C-c" {
                tmux.shows("Leave this game?");
                tmux.keys("y");
            }
        }
        let screen = tmux.exits_with(0);
        assert!(!screen.contains("Ghost"), "{screen}");
        tmux.runs("stty -a >after; clear; cmp before after && echo same");
        tmux.shows("same");
        // The tape contains the game up to its interruption.
        let tape = fs::read_to_string(tmux.dir.path().join("tape")).unwrap();
        assert!(tape.starts_with("postboard-tape 1 ghost mode=0 "), "{tape}");
        assert!(!tape.contains("ticks=0 "), "{tape}");
    }
}

#[test]
#[ignore = "needs tmux"]
fn a_damaged_tape_breaks_nothing_on_the_screen() {
    let tmux = Tmux::new();
    let good = "postboard-tape 1 touchit mode=0 speed=5 level=0 green=0 time=5 seed=1 aim=1 \
                presses=1 ticks=90 digest=0000000000000000\n12 G e5\n";
    let bad = good.replace("e5", "\x1b[2Jz9");
    for (tape, said) in [
        (bad.as_str(), "tape: line 2: a press is a point from a1 to i9"),
        (good, "tape: line 1: it says digest=0000000000000000"),
        ("", "tape: line 1: a tape begins with"),
    ] {
        fs::write(tmux.dir.path().join("tape"), tape).unwrap();
        tmux.runs("clear");
        tmux.runs("./postboard console --replay tape; echo code=$?.");
        // The screen may still show the output of the previous tape for a moment.
        tmux.shows(said);
        let screen = tmux.exits_with(64);
        assert!(screen.contains("ready>"), "{screen}");
    }
}

/// A mistake in the arguments is reported in one line, and nothing else happens.
#[test]
fn the_console_needs_a_terminal_and_good_words() {
    let cases: [(&[&str], &str); 9] = [
        (&[], "postboard: the console needs a terminal: this is none\n"),
        (&["ghost", "--level", "1"], "postboard: the console needs a terminal: this is none\n"),
        (&["ghots"], "postboard: there is no game `ghots` on the console; did you mean `ghost`?\n"),
        (&["reversi", "--mode", "6"], "postboard: mode goes from 0 to 5 in Reversi\n"),
        (&["reversi", "--level", "5"], "postboard: level goes from 0 to 4 in Reversi\n"),
        (&["reversi", "--speed", "5"], "postboard: Reversi does not go by speed\n"),
        (
            &["--replay", "/nowhere"],
            "postboard: cannot read /nowhere: No such file or directory (os error 2)\n",
        ),
        (&["--pace", "0"], "error: invalid value '0' for '--pace <N>': 0 is not in 1..=100\n"),
        (
            &["ghost", "--replay", "x"],
            "error: the argument '[GAME]' cannot be used with '--replay <FILE>'\n",
        ),
    ];
    for (args, said) in cases {
        let ran = program::run(program().arg("console").args(args), b"");
        let Ran { code, out, err } = ran;
        assert_eq!((code, out.as_str()), (Some(64), ""), "{args:?}");
        assert!(
            err.starts_with(said) && (err == said || said.starts_with("error")),
            "{args:?}: {err}"
        );
    }
}
