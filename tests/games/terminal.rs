//! The console in a pseudo-terminal whose other end the test holds.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the program runs in a terminal, and time runs there"
)]

use crate::support::program::PROGRAM;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Action, LocalModes, Winsize, tcflow, tcgetattr, tcsetwinsize};
use std::fs;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The longest time that something may take, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The codes that give a terminal back as it was: no mouse, the first screen, the cursor.
const GIVEN_BACK: [&str; 3] = ["\x1b[?1000l", "\x1b[?1049l", "\x1b[?25h"];

/// The console, and the other end of its terminal.
struct Console {
    dir: tempfile::TempDir,
    child: Child,
    /// None as soon as the terminal is closed.
    end: Option<OwnedFd>,
    /// The output of the console so far.
    written: Vec<u8>,
}

/// How a terminal is before the console comes, and when it has gone.
const COOKED: LocalModes = LocalModes::ICANON.union(LocalModes::ECHO);

impl Console {
    /// The console in a terminal of 80 columns and 24 lines, run by these words of a shell; with a
    /// copy of the terminal that it is in.
    fn in_terminal(words: &str) -> (Self, OwnedFd) {
        let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&end).unwrap();
        unlockpt(&end).unwrap();
        let name = ptsname(&end, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&end, size).unwrap();
        // Looked at before the console runs, which may be quick to change it.
        assert!(tcgetattr(&terminal).unwrap().local_modes.contains(COOKED));
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut words: Vec<&str> = words.split_whitespace().collect();
        words.extend([PROGRAM, "console", "ghost", "--level", "1", "--record", "tape"]);
        let child = Command::new(words[0])
            .args(&words[1..])
            .current_dir(dir.path())
            .env("TERM", "xterm")
            .stdin(terminal.try_clone().unwrap())
            .stdout(terminal.try_clone().unwrap())
            .stderr(terminal.try_clone().unwrap())
            .spawn()
            .unwrap();
        (Self { dir, child, end: Some(end), written: Vec::new() }, terminal)
    }

    fn end(&self) -> &OwnedFd {
        self.end.as_ref().expect("the terminal is open")
    }

    /// Waits until the console has written that.
    fn writes(&mut self, text: &str) {
        let begun = Instant::now();
        while !self.written.windows(text.len()).any(|bytes| bytes == text.as_bytes()) {
            let last = self.written.len().saturating_sub(300);
            let said = || String::from_utf8_lossy(&self.written[last..]).into_owned();
            assert!(begun.elapsed() < PATIENCE, "no {text:?} in {:?}", said());
            let mut ends = [PollFd::new(self.end(), PollFlags::IN)];
            let wait = Timespec { tv_sec: 1, tv_nsec: 0 };
            if poll(&mut ends, Some(&wait)).unwrap() > 0 {
                let mut bytes = [0; 4096];
                let read = rustix::io::read(self.end(), &mut bytes);
                let read = read.unwrap_or_else(|why| panic!("{why}: no {text:?} in {:?}", said()));
                self.written.extend_from_slice(&bytes[..read]);
            }
        }
    }

    fn types(&self, keys: &str) {
        assert_eq!(rustix::io::write(self.end(), keys.as_bytes()).unwrap(), keys.len());
    }

    /// Begins a game.
    fn begins(&mut self) {
        self.writes("Press Enter to begin");
        self.types("\r");
        self.writes("(G)");
    }

    fn gets(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until the console has ended, doing that again and again meanwhile.
    fn ends(&mut self, meanwhile: impl Fn(&Self)) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if begun.elapsed() > PATIENCE {
                self.child.kill().unwrap();
                panic!("the console stays");
            }
            meanwhile(self);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The game that the console has written down.
    fn tape(&self) -> String {
        let path: PathBuf = self.dir.path().join("tape");
        fs::read_to_string(path).unwrap_or_default()
    }
}

/// A terminal is closed: by tmux, by a window, by a connection that breaks. Not everybody gets a
/// signal then: a process that does not belong to the terminal, or does not want it, only reads its
/// end.
#[test]
fn the_console_ends_with_its_terminal() {
    for words in ["setsid --ctty", "setsid", "setsid --ctty env --ignore-signal=HUP", ""] {
        for keys in ["", "\r", "\r\x1b[<0;1", "\re"] {
            let (mut console, terminal) = Console::in_terminal(words);
            drop(terminal);
            console.writes("Press Enter to begin");
            if !keys.is_empty() {
                console.types(&keys[..1]);
                console.writes("(G)");
                console.types(&keys[1..]);
            }
            console.end = None;
            let status = console.ends(|_| {});
            assert_eq!(status.code(), Some(0), "{words:?} {keys:?}: {status}");
            let tape = console.tape();
            assert_eq!(!keys.is_empty(), tape.starts_with("postboard-tape 1 ghost "), "{tape}");
        }
    }
}

/// Whatever ends it, the terminal is as it was, and the game is kept.
#[test]
fn every_signal_gives_the_terminal_back() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT] {
        let (mut console, terminal) = Console::in_terminal("setsid --ctty");
        console.begins();
        assert!(!tcgetattr(&terminal).unwrap().local_modes.intersects(COOKED));
        console.gets(signal);
        let status = console.ends(|_| {});
        assert_eq!(status.code(), Some(0), "{signal:?}: {status}");
        assert!(tcgetattr(&terminal).unwrap().local_modes.contains(COOKED), "{signal:?}");
        for sign in GIVEN_BACK {
            console.writes(sign);
        }
        assert!(console.tape().starts_with("postboard-tape 1 ghost "), "{signal:?}");
    }
}

/// A terminal that takes nothing more (Ctrl-S) cannot be told anything: the second signal ends the
/// console all the same.
#[test]
fn a_second_signal_ends_what_cannot_write() {
    let (mut console, terminal) = Console::in_terminal("setsid --ctty");
    console.begins();
    tcflow(&terminal, Action::OOff).unwrap();
    let status = console.ends(|console| console.gets(Signal::TERM));
    assert!(!status.success(), "{status}");
    let is_cooked = tcgetattr(&terminal).unwrap().local_modes.contains(LocalModes::ICANON);
    assert!(is_cooked, "keys are shown again");
}

/// A write just then fails with the terminal, and is no fault of the console.
#[test]
fn a_terminal_may_be_closed_in_the_middle_of_a_picture() {
    let (mut console, terminal) = Console::in_terminal("setsid");
    console.begins();
    tcflow(&terminal, Action::OOff).unwrap();
    // The clock is drawn ten times a second: by then it waits for the terminal.
    std::thread::sleep(Duration::from_secs(1));
    drop(terminal);
    console.end = None;
    let status = console.ends(|_| {});
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(console.tape().starts_with("postboard-tape 1 ghost "));
}
