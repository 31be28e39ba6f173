//! The console, and questions for passwords, in a pseudo-terminal whose other end the test holds.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test runs the program in a terminal and waits for it"
)]

use crate::support::program::{Home, PROGRAM};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Action, LocalModes, Winsize, tcflow, tcgetattr, tcsetwinsize};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// The longest wait for an event, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The codes that restore a terminal: mouse off, main screen, cursor on.
const GIVEN_BACK: [&str; 3] = ["\x1b[?1000l", "\x1b[?1049l", "\x1b[?25h"];

/// The console or another command, and the other end of its terminal.
struct Console {
    dir: tempfile::TempDir,
    child: Child,
    /// `None` once the terminal is closed.
    end: Option<OwnedFd>,
    /// The output of the console so far.
    written: Vec<u8>,
}

/// The mode of a terminal before and after the console runs.
const COOKED: LocalModes = LocalModes::ICANON.union(LocalModes::ECHO);

impl Console {
    /// Runs the console in a terminal, by these words of a shell; also returns a handle of its terminal.
    fn in_terminal(words: &str) -> (Self, OwnedFd) {
        let console = [PROGRAM, "console", "ghost", "--level", "1", "--record", "tape"];
        Self::running(&words.split_whitespace().chain(console).collect::<Vec<_>>())
    }

    /// Runs a command line in a terminal of 80 columns and 24 lines; also returns a handle of its terminal.
    fn running(words: &[&str]) -> (Self, OwnedFd) {
        let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&end).unwrap();
        unlockpt(&end).unwrap();
        let name = ptsname(&end, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = rustix::fs::open(name, flags, Mode::empty()).unwrap();
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&end, size).unwrap();
        // Checked before the console starts, because the console may change the mode quickly.
        assert!(tcgetattr(&terminal).unwrap().local_modes.contains(COOKED));
        let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
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

    /// Waits until the console has written a text.
    fn writes(&mut self, text: &str) {
        let begun = Instant::now();
        while !self.written.windows(text.len()).any(|bytes| bytes == text.as_bytes()) {
            let last = self.written.len().saturating_sub(300);
            let said = || String::from_utf8_lossy(&self.written[last..]).into_owned();
            assert!(begun.elapsed() < TIMEOUT, "no {text:?} in {:?}", said());
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

    /// Waits until the console has ended, and calls `meanwhile` repeatedly.
    fn ends(&mut self, meanwhile: impl Fn(&Self)) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if begun.elapsed() > TIMEOUT {
                self.child.kill().unwrap();
                panic!("the console stays");
            }
            meanwhile(self);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns the tape of the game.
    fn tape(&self) -> String {
        let path: PathBuf = self.dir.path().join("tape");
        fs::read_to_string(path).unwrap_or_default()
    }
}

/// A terminal is closed: by tmux, by its window, by a broken connection. Some processes get no
/// signal then: a process that does not belong to the terminal, or that ignores the signal, only
/// reads the end of its input.
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

/// Whatever signal ends the console, it restores the terminal and keeps the game.
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

/// A stopped terminal (Ctrl-S) accepts no output: the second signal ends the console anyway.
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

/// A write at that moment fails together with the terminal, and is no fault of the console.
#[test]
fn a_terminal_may_be_closed_in_the_middle_of_a_picture() {
    let (mut console, terminal) = Console::in_terminal("setsid");
    console.begins();
    tcflow(&terminal, Action::OOff).unwrap();
    // The console draws the clock ten times a second, so now it waits for the terminal.
    std::thread::sleep(Duration::from_secs(1));
    drop(terminal);
    console.end = None;
    let status = console.ends(|_| {});
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(console.tape().starts_with("postboard-tape 1 ghost "));
}

/// The password of a mailbox, and that of a user.
#[test]
fn a_password_that_is_typed_is_not_shown() {
    let home = Home::with_board();
    let (dir, path) = (tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap(), home.path());
    let (new, path) = (dir.path().join("home").display().to_string(), path.display().to_string());
    let mut setup = vec!["setsid", "--ctty", PROGRAM, "--home", &new, "setup", "--door", "mailbox"];
    setup.extend(["--address", "games@gmx.de", "--own-address", "", "--administrator", ""]);
    let user = ["setsid", "--ctty", PROGRAM, "--home", &path, "user", "password", "alice"];
    for (words, done) in
        [(&setup[..], "the mailbox of games@gmx.de"), (&user[..], "alice has a new password")]
    {
        // Ctrl-C at the question ends the program and gives the terminal back.
        let (mut asking, terminal) = Console::running(words);
        asking.writes("The password: ");
        let modes = tcgetattr(&terminal).unwrap().local_modes;
        assert_eq!(modes & COOKED, LocalModes::ICANON, "{words:?}");
        asking.types("hun\x03");
        let status = asking.ends(|_| {});
        assert_eq!(status.signal(), Some(Signal::INT.as_raw()), "{words:?}: {status}");
        assert!(tcgetattr(&terminal).unwrap().local_modes.contains(COOKED), "{words:?}");
        // So does an answer.
        let (mut asking, terminal) = Console::running(words);
        asking.writes("The password: ");
        asking.types("hunter2\n");
        asking.writes(done);
        let status = asking.ends(|_| {});
        assert_eq!(status.code(), Some(0), "{words:?}: {status}");
        assert!(tcgetattr(&terminal).unwrap().local_modes.contains(COOKED), "{words:?}");
        let written = String::from_utf8_lossy(&asking.written);
        assert!(!written.contains("hunter2"), "{written}");
        assert!(!written.contains("[]"), "{written}");
    }
    assert_eq!(fs::read_to_string(dir.path().join("home/mail-password")).unwrap(), "hunter2\n");
}
