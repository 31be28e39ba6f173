//! The real program, run as an operator, a mail server or cron would run it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a process has files, an environment and other processes around it"
)]

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// Where cargo put the program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_postboard");

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    /// The exit code; none if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// Runs a command to its end with that on standard input.
pub(crate) fn run(command: &mut Command, input: &[u8]) -> Ran {
    ended(start(command, input))
}

/// Starts a command and gives it all of its standard input, which has to fit into a pipe unless
/// the command reads it at once.
pub(crate) fn start(command: &mut Command, input: &[u8]) -> Child {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    match child.stdin.take().unwrap().write_all(input) {
        // It did not want all of it; its exit code says what it thinks.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("{command:?}: {error}"),
        _ => child,
    }
}

pub(crate) fn ended(child: Child) -> Ran {
    child.wait_with_output().unwrap().into()
}

/// Makes a program of that script, in another process. If this one wrote the file, whatever another
/// test starts at that moment would inherit it open for writing, and until it has closed it the kernel
/// refuses to run the script ("Text file busy").
pub(crate) fn script(path: &Path, text: &str) {
    let ran = run(
        Command::new("sh").args(["-c", "cat >\"$0\" && chmod 755 \"$0\""]).arg(path),
        text.as_bytes(),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Puts a copy of the program there, in another process as for a script.
pub(crate) fn copy(path: &Path) {
    let ran = run(Command::new("cp").args([Path::new(PROGRAM), path]), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// The program without a home named.
pub(crate) fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_remove("POSTBOARD_HOME");
    command
}

/// A mail that came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mail {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) id: String,
    pub(crate) reply_to: Option<String>,
}

impl Mail {
    /// Reads a mail with the parser of another hand than the one that wrote it.
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

    /// The line for programs, its continuation lines joined.
    pub(crate) fn position(&self) -> String {
        let behind = self.text.split("\nPosition: ").nth(1);
        let behind = behind.unwrap_or_else(|| panic!("no position in {self:#?}"));
        let mut lines = behind.lines();
        let mut line = lines.next().unwrap().to_owned();
        for more in lines.take_while(|line| line.starts_with("  ")) {
            line.push(' ');
            line.push_str(more.trim());
        }
        line
    }
}

/// A home made by the program, which goes away with this value.
pub(crate) struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    /// An empty home whose mails go out into a folder.
    pub(crate) fn new() -> Self {
        Self::beneath(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    /// The same, inside that folder.
    pub(crate) fn beneath(base: &Path) -> Self {
        let home = Self { dir: tempfile::tempdir_in(base).unwrap() };
        let ran = home.run(&["init"], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        let sent = home.base().join("sent");
        home.configure("plus = false", "plus = true");
        home.configure(
            "by = \"nothing\"",
            &format!("by = \"folder\"\npath = \"{}\"", sent.display()),
        );
        home
    }

    /// A home where alice and bob have a board, and nothing is left to be sent.
    pub(crate) fn with_board() -> Self {
        let home = Self::new();
        home.set_up();
        home
    }

    /// Signs alice and bob up and sets up a board. Returns what came out.
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

    /// The folder around it: what a test needs besides goes here.
    pub(crate) fn base(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.base().join("home")
    }

    /// Puts one line, or several, of the configuration in place of one.
    pub(crate) fn configure(&self, from: &str, to: &str) {
        let path = self.path().join("postboard.toml");
        let text = fs::read_to_string(&path).unwrap();
        let (from, to) = (format!("\n{from}\n"), format!("\n{to}\n"));
        assert!(text.contains(&from), "postboard.toml has no {from}");
        fs::write(&path, text.replace(&from, &to)).unwrap();
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = program();
        command.arg("--home").arg(self.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str], input: &[u8]) -> Ran {
        run(self.command().args(args), input)
    }

    /// A player's command that must succeed; returns what it printed.
    pub(crate) fn done(&self, words: &str) -> String {
        let words: Vec<&str> = words.split(' ').collect();
        let ran = self.run(&words, b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{words:?}: {}", ran.out);
        ran.out
    }

    /// Puts a mail into the spool.
    pub(crate) fn receive(&self, raw: &[u8]) {
        let ran = self.run(&["receive"], raw);
        assert_eq!(ran, Ran { code: Some(0), out: String::new(), err: String::new() });
    }

    /// Executes what waits.
    pub(crate) fn process(&self) {
        let ran = self.run(&["process"], b"");
        assert_eq!(ran, Ran { code: Some(0), out: String::new(), err: String::new() });
    }

    /// Sends what waits, and takes it out of the folder it was sent to; ordered by recipient.
    pub(crate) fn delivered(&self) -> Vec<Mail> {
        let ran = self.run(&["deliver"], b"");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
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

    /// The names in a folder of the home, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        names(&self.path().join(folder))
    }

    /// A file of the home.
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    /// How many moves players made on that board.
    pub(crate) fn moves(&self, number: u32) -> usize {
        let text = self.read(&format!("boards/malaka/{}/{number}.json", number / 1000));
        let board = postboard::model::board::Board::read(&text).unwrap();
        board.moves().filter(|turn| !turn.auto).count()
    }

    /// `check` has nothing to say, and nothing waits or was put aside.
    pub(crate) fn is_tidy(&self) {
        let ran = self.run(&["check"], b"");
        assert_eq!(ran, Ran { code: Some(0), out: String::new(), err: String::new() });
        for folder in
            ["spool/tmp", "spool/new", "spool/cur", "spool/bad", "outbox/new", "outbox/cur"]
        {
            assert_eq!(self.names(folder), [""; 0], "{folder}");
        }
        assert_eq!(self.names("outbox/bad"), [""; 0]);
        assert_eq!(self.names("journal/bad"), [""; 0]);
    }
}

/// The names in a folder, sorted; nothing if there is none.
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

/// A mail as a player's program writes it. The number tells mails apart.
pub(crate) fn mail(number: u32, from: &str, to: &str, subject: &str, body: &str) -> String {
    format!(
        "From: {from} <{from}@pbm.test>\nTo: {to}\nSubject: {subject}\n\
         Date: Sat, 21 Nov 2026 12:00:00 +0000\nMessage-ID: <{number}.{from}@pbm.test>\n\
         MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}\n"
    )
}
