//! The real program, run like an operator, a mail server or cron runs it.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "runs the program with files, an environment and other processes"
)]

use crate::support::home::{KEY, seeded};
use clap::Parser as _;
use postboard::base::time::Time;
use postboard::model::board::{Board, BoardStatus};
use postboard::shell::cli::Cli;
use postboard::shell::{self, CommandError, Exit, Machine};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::thread;

/// The path of the program that cargo built for the tests.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_postboard");

/// A port without a listener: tcpmux (RFC 1078). Another test may take a port that was only just
/// freed.
pub(crate) const DEAD_PORT: u16 = 1;

/// The exit code and the output of a process.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// The exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// A command that ended with this exit code and printed nothing.
    pub(crate) const fn silent(code: i32) -> Self {
        Self { code: Some(code), out: String::new(), err: String::new() }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs a command with this standard input and waits for its end.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Ran {
    let (child, stdin) = spawned(command);
    // A command that prints before it has read all of its input waits until its output is read.
    thread::scope(|scope| {
        scope.spawn(|| write_all(stdin, input));
        ended(child)
    })
}

/// Starts a command and writes all of its standard input. The input must fit into a pipe unless the
/// command reads it at once.
pub(crate) fn start(command: &mut Command, input: &[u8]) -> Child {
    let (child, stdin) = spawned(command);
    write_all(stdin, input);
    child
}

fn spawned(command: &mut Command) -> (Child, ChildStdin) {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    let stdin = child.stdin.take().unwrap();
    (child, stdin)
}

fn write_all(mut stdin: ChildStdin, input: &[u8]) {
    match stdin.write_all(input) {
        // The command ended without reading all of its input; its exit code has the reason.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("standard input: {error}"),
        _ => {}
    }
}

pub(crate) fn ended(child: Child) -> Ran {
    child.wait_with_output().unwrap().into()
}

/// Writes an executable script in a child process. If this process wrote the file, a program that
/// another test starts at this moment would inherit the open file, and the kernel would refuse to
/// run the script ("Text file busy").
pub(crate) fn script(path: &Path, text: &str) {
    let ran = run(
        Command::new("sh").args(["-c", "cat >\"$0\" && chmod 755 \"$0\""]).arg(path),
        text.as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Copies the program in a child process, for the reason at [`script`].
pub(crate) fn copy(path: &Path) {
    let ran = run(Command::new("cp").args([Path::new(PROGRAM), path]), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Returns a command of the program without a home.
pub(crate) fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("POSTBOARD_HOME");
    command
}

/// Returns a command of the program with a home.
pub(crate) fn program_at(home: &Path) -> Command {
    let mut command = program();
    command.arg("--home").arg(home);
    command
}

/// Runs a command of the program in this process with this clock, checks that it succeeds, and
/// returns its output.
pub(crate) fn run_at(home: &Path, now: Time, words: &[&str], input: &[u8]) -> String {
    let mut out = Vec::new();
    let ended = run_into(home, now, words, input, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(ended, Exit::Done, "{words:?}: {out}");
    out
}

/// Runs a command of the program in this process with this clock and standard output.
pub(crate) fn run_into(
    home: &Path,
    now: Time,
    words: &[&str],
    input: &[u8],
    out: &mut dyn Write,
) -> Result<Exit, CommandError> {
    let cli = Cli::try_parse_from(["postboard"].iter().chain(words)).unwrap();
    let mut machine = Machine {
        clock: &|| now,
        time: || Time::EPOCH,
        pause: &|| (),
        stopwatch: &|| std::time::Duration::ZERO,
        warn: &|what| panic!("{what}"),
        say: |what| panic!("{what}"),
        screen: shell::ProgressOutput::Nowhere,
        chance: seeded(1),
        operator: "a test",
        edit: &|_| unreachable!("nothing is edited"),
        input: &mut &*input,
        terminal: None,
        out,
    };
    shell::run(cli, home, &mut machine)
}

/// A mail that the program sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) id: String,
    pub(crate) reply_to: Option<String>,
}

impl Mail {
    /// Parses a mail with a parser that shares no code with the program.
    pub(crate) fn read(raw: &[u8]) -> Self {
        let mail = mailparse::parse_mail(raw).unwrap();
        let header = |name: &str| {
            let mut all =
                mail.headers.iter().filter(|h| h.get_key_ref().eq_ignore_ascii_case(name));
            let first = all.next().map(mailparse::MailHeader::get_value);
            assert!(all.next().is_none() || name == "Received", "two of {name}");
            first
        };
        let plain = mail.parts().find(|part| part.ctype.mimetype == "text/plain");
        Self {
            to: header("To").unwrap(),
            subject: header("Subject").unwrap(),
            text: plain.expect("every mail has plain text").get_body().unwrap().replace('\r', ""),
            id: header("Message-ID").unwrap(),
            reply_to: header("Reply-To"),
        }
    }

    /// Returns the position in a board mail.
    pub(crate) fn position(&self) -> String {
        position(&self.text)
    }
}

/// Returns the line `Position:` of a board's text with its continuation lines.
pub(crate) fn position(text: &str) -> String {
    // A long first word may begin on the next line.
    let behind = text.split("\nPosition:").nth(1);
    let behind = behind.unwrap_or_else(|| panic!("no position in {text}"));
    let mut lines = behind.lines();
    let mut line = lines.next().unwrap().to_owned();
    for more in lines.take_while(|line| line.starts_with("  ")) {
        line.push(' ');
        line.push_str(more.trim());
    }
    line.trim().to_owned()
}

/// A home that the program created, with the tests' key; the destructor removes its folder.
pub(crate) struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    /// Creates an empty home that delivers mails into a folder.
    pub(crate) fn new() -> Self {
        Self::beneath(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// Creates an empty home inside a folder.
    pub(crate) fn beneath(base: &Path) -> Self {
        let home = Self { dir: tempfile::tempdir_in(base).unwrap() };
        home.done("init");
        fs::write(home.path().join("key"), KEY).unwrap();
        home.configure("plus = false", "plus = true");
        home.configure("by = \"smtp\"", &home.by_folder());
        home
    }

    /// Creates a home in which alice and bob have a board and no letter waits.
    pub(crate) fn with_board() -> Self {
        let home = Self::new();
        home.set_up();
        home
    }

    /// Signs alice and bob up, starts a board and returns the mails about it.
    pub(crate) fn set_up(&self) -> Vec<Mail> {
        for words in [
            "signup alice secret alice@pbm.test",
            "signup bob secret bob@pbm.test",
            "malaka challenge alice bob",
        ] {
            self.done(words);
        }
        self.delivered()
    }

    /// Returns the folder around the home, for other files of a test.
    pub(crate) fn base(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the lines of the configuration that deliver mails into the folder `sent`.
    pub(crate) fn by_folder(&self) -> String {
        format!("by = \"folder\"\npath = \"{}\"", self.base().join("sent").display())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.base().join("home")
    }

    /// Replaces one line of the configuration by one or more lines.
    pub(crate) fn configure(&self, from: &str, to: &str) {
        let path = self.path().join("postboard.toml");
        let text = fs::read_to_string(&path).unwrap();
        let (from, to) = (format!("\n{from}\n"), format!("\n{to}\n"));
        assert!(text.contains(&from), "postboard.toml has no {from}");
        fs::write(&path, text.replace(&from, &to)).unwrap();
    }

    pub(crate) fn command(&self) -> Command {
        program_at(&self.path())
    }

    pub(crate) fn run(&self, args: &[&str], input: &[u8]) -> Ran {
        run(self.command().args(args), input)
    }

    /// Runs a player's command, checks that it succeeds, and returns its output.
    pub(crate) fn done(&self, words: &str) -> String {
        let words: Vec<&str> = words.split(' ').collect();
        let ran = self.run(&words, b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}: {}", ran.out);
        ran.out
    }

    /// Runs a command in this process with this clock, checks that it succeeds, and returns its
    /// output.
    pub(crate) fn done_at(&self, now: Time, words: &str) -> String {
        let words: Vec<&str> = words.split(' ').collect();
        run_at(&self.path(), now, &words, b"")
    }

    /// Puts a mail into the spool.
    pub(crate) fn receive(&self, raw: &[u8]) {
        let ran = self.run(&["receive"], raw);
        assert_eq!(ran, Ran::silent(0));
    }

    /// Executes the waiting mails.
    pub(crate) fn process(&self) {
        let ran = self.run(&["process"], b"");
        assert_eq!(ran, Ran::silent(0));
    }

    /// Sends the waiting letters, removes them from the folder and returns them, ordered by
    /// recipient.
    pub(crate) fn delivered(&self) -> Vec<Mail> {
        self.done("deliver");
        assert_eq!(self.names("outbox/new"), [""; 0], "something was not sent");
        let sent = self.base().join("sent");
        let mut mails: Vec<Mail> = names(&sent)
            .iter()
            .map(|name| Mail::read(&fs::read(sent.join(name)).unwrap()))
            .collect();
        let _ = fs::remove_dir_all(&sent);
        mails.sort_by(|a, b| (&a.to, &a.subject).cmp(&(&b.to, &b.subject)));
        mails
    }

    /// Returns the names in a folder of the home, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        names(&self.path().join(folder))
    }

    /// Reads a file of the home.
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    /// Reads a board.
    pub(crate) fn board(&self, game: &str, number: u32) -> Board {
        let file = format!("boards/{game}/{}/{number}.json", number / 1000);
        Board::read(&self.read(&file)).unwrap()
    }

    /// Returns the player to move on a board and their first legal move, or `None` if it is over.
    pub(crate) fn due(&self, game: &str, number: u32) -> Option<(String, String)> {
        let board = self.board(game, number);
        let BoardStatus::ToMove(seat) = board.status() else { return None };
        Some((board.player(seat).to_string(), board.position().first_move().unwrap()))
    }

    /// Counts the moves of players on a board of Malaka, without automatic moves.
    pub(crate) fn moves(&self, number: u32) -> usize {
        self.board("malaka", number).moves().filter(|turn| !turn.auto).count()
    }

    /// Checks that `check` finds nothing, and that no mail waits or was rejected.
    pub(crate) fn assert_tidy(&self) {
        let ran = self.run(&["check"], b"");
        assert_eq!(ran, Ran::silent(0));
        for folder in
            ["spool/tmp", "spool/new", "spool/cur", "spool/bad", "outbox/new", "outbox/cur"]
        {
            assert_eq!(self.names(folder), [""; 0], "{folder}");
        }
        assert_eq!(self.names("outbox/bad"), [""; 0]);
        assert_eq!(self.names("journal/bad"), [""; 0]);
    }
}

/// Returns the names in a folder, sorted; none if the folder does not exist.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = match fs::read_dir(folder) {
        Ok(entries) => {
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => panic!("{}: {error}", folder.display()),
    };
    names.sort();
    names
}

/// Writes a mail in the form of a player's mail program; `number` is part of its Message-ID.
pub(crate) fn mail(number: u32, from: &str, to: &str, subject: &str, body: &str) -> String {
    format!(
        "From: {from} <{from}@pbm.test>\nTo: {to}\nSubject: {subject}\n\
         Date: Sat, 21 Nov 2026 12:00:00 +0000\nMessage-ID: <{number}.{from}@pbm.test>\n\
         MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}\n"
    )
}
