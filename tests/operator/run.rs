//! `run`: the process that does all work of a server, taking mails by LMTP.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test speaks with a running program"
)]

use super::backup::nightly_names;
use crate::support::program::{Home, Mail, PROGRAM, mail, names, program_at, run};
use postboard::base::time::{Time, days, seconds};
use postboard::store::spool;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

/// The server's address in a new home.
pub(super) const OWN: &str = "postboard@localhost";

/// A process that runs a home; it is killed when this value is dropped.
pub(crate) struct Running {
    pub(crate) child: Child,
    socket: PathBuf,
    /// The lines that it has printed at its start.
    said: Vec<String>,
}

impl Running {
    fn of(home: &Home) -> Self {
        Self::begin(home, home.command(), &[])
    }

    /// Starts `command`, to which the words of `run` are added.
    pub(crate) fn begin(home: &Home, mut command: Command, more: &[&str]) -> Self {
        let socket = home.base().join("lmtp");
        command.args(["run", "--lmtp", &format!("unix:{}", socket.display())]).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let count = if more.is_empty() { 1 } else { 2 };
        let said: Vec<String> = lines.take(count).map(Result::unwrap).collect();
        let line = format!("Mails are taken at lmtp:unix:{}", socket.display());
        assert_eq!(said.last(), Some(&line), "{:?}", child.try_wait());
        Self { child, socket, said }
    }

    fn connect(&self) -> Client {
        let stream = UnixStream::connect(&self.socket).unwrap();
        let mut client = Client(BufReader::new(stream));
        assert!(client.reply().starts_with("220 localhost LMTP"));
        assert!(client.says("LHLO mx.example.org").starts_with("250 "));
        client
    }

    /// Waits until the program has sent this many letters, and returns them, ordered by recipient.
    pub(crate) fn sent(&mut self, home: &Home, count: usize) -> Vec<Mail> {
        while Self::files(home).len() < count {
            assert_eq!(self.child.try_wait().unwrap(), None, "the program has ended");
            std::thread::yield_now();
        }
        Self::letters(home)
    }

    /// Returns the files of the letters that were sent. Other files are being written.
    fn files(home: &Home) -> Vec<PathBuf> {
        let folder = home.base().join("sent");
        let mut files: Vec<PathBuf> = names(&folder).iter().map(|name| folder.join(name)).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "eml"));
        files
    }

    /// Returns the letters that were sent, ordered by recipient.
    pub(crate) fn letters(home: &Home) -> Vec<Mail> {
        let read = |file: &PathBuf| Mail::read(&fs::read(file).unwrap());
        let mut mails: Vec<Mail> = Self::files(home).iter().map(read).collect();
        mails.sort_by(|a, b| (&a.to, &a.subject).cmp(&(&b.to, &b.subject)));
        mails
    }

    /// Ends the program with SIGTERM; returns what it printed on standard error.
    pub(crate) fn end(&mut self) -> String {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let mut said = String::new();
        self.child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{said}");
        said
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A mail server.
pub(super) struct Client<S = UnixStream>(pub(super) BufReader<S>);

impl<S: io::Read + io::Write> Client<S> {
    fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.replace('\n', "\r\n").as_bytes()).unwrap();
    }

    /// Returns the last line of the next reply.
    pub(super) fn reply(&mut self) -> String {
        let mut line = String::new();
        while line.as_bytes().get(3) != Some(&b' ') {
            line.clear();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the connection was closed");
        }
        line
    }

    pub(super) fn says(&mut self, line: &str) -> String {
        self.send(&format!("{line}\n"));
        self.reply()
    }

    /// Sends a mail up to its final dot; the reply is not read.
    fn begin_mail(&mut self, to: &str, raw: &str) {
        self.send(&format!("MAIL FROM:<alice@pbm.test>\nRCPT TO:<{to}>\nDATA\n"));
        for code in ["250 2.1.0", "250 2.1.5", "354"] {
            let reply = self.reply();
            assert!(reply.starts_with(code), "{reply}");
        }
        self.send(&format!("{raw}\n.\n"));
    }

    pub(super) fn mail(&mut self, raw: &str) -> String {
        self.begin_mail(OWN, raw);
        self.reply()
    }
}

#[test]
fn a_mail_by_lmtp_is_answered_and_sigterm_ends_the_program() {
    let home = Home::new();
    let mut running = Running::of(&home);
    let mut client = running.connect();
    assert!(client.says("MAIL FROM:<alice@pbm.test>").starts_with("250 "));
    assert!(client.says("RCPT TO:<nobody@localhost>").starts_with("550 5.1.1 "));
    assert!(client.says("RSET").starts_with("250 "));
    let raw = mail(1, "alice", OWN, "signup alice secret", "");
    assert!(client.mail(&raw).starts_with("250 2.6.0 "));
    let answers = running.sent(&home, 1);
    assert_eq!(answers[0].to, "alice@pbm.test");
    assert!(answers[0].text.starts_with("Welcome, alice!"), "{}", answers[0].text);
    // The connection is still open; its mail server is told to come again.
    assert_eq!(running.end(), "");
    assert!(client.reply().starts_with("421 4.3.2 "));
    assert!(!running.socket.exists());
    assert_eq!(names(&home.base().join("sent")).len(), 1);
    let doctor = home.run(&["doctor"], b"").out;
    let jobs = doctor.lines().find(|line| line.contains(" jobs ")).unwrap_or(&doctor);
    assert!(jobs.starts_with("ok") && jobs.contains("run"), "{doctor}");
    home.assert_tidy();
}

#[test]
fn a_mail_by_smtp_is_answered_and_nothing_is_relayed() {
    let home = Home::new();
    let mut running = Running::begin(&home, home.command(), &["--smtp", "127.0.0.1:0"]);
    let port = running.said[0].strip_prefix("Mails are taken at smtp:").unwrap();
    let mut client = Client(BufReader::new(TcpStream::connect(port).unwrap()));
    assert!(client.reply().starts_with("220 localhost ESMTP"));
    assert!(client.says("EHLO mx.example.org").starts_with("250 "));
    assert!(client.says("MAIL FROM:<alice@pbm.test>").starts_with("250 "));
    assert!(client.says("RCPT TO:<bob@pbm.test>").starts_with("550 5.1.1 "));
    assert!(client.says("DATA").starts_with("503 "));
    assert!(client.says("RSET").starts_with("250 "));
    let raw = mail(1, "alice", OWN, "signup alice secret", "");
    assert!(client.mail(&raw).starts_with("250 2.6.0 "));
    // The same connection takes another mail, and two recipients make one reply.
    client.send(&format!("MAIL FROM:<bob@pbm.test>\nRCPT TO:<{OWN}>\nRCPT TO:<{OWN}>\nDATA\n"));
    for code in ["250 2.1.0", "250 2.1.5", "250 2.1.5", "354"] {
        assert!(client.reply().starts_with(code));
    }
    client.send(&format!("{}\n.\nNOOP\n", mail(2, "bob", OWN, "signup bob secret", "")));
    assert!(client.reply().starts_with("250 2.6.0 "));
    assert!(client.reply().starts_with("250 2.0.0 "));
    let answers = running.sent(&home, 2);
    assert!(answers[1].text.starts_with("Welcome, bob!"), "{}", answers[1].text);
    assert_eq!(running.end(), "");
    assert!(client.reply().starts_with("421 4.3.2 "));
    home.assert_tidy();
}

#[test]
fn mails_of_other_processes_and_the_web_are_served_too() {
    let home = Home::new();
    let mut running = Running::begin(&home, home.command(), &["--listen", "127.0.0.1:0"]);
    home.receive(mail(1, "alice", OWN, "signup alice secret", "").as_bytes());
    assert!(running.sent(&home, 1)[0].text.starts_with("Welcome, alice!"));
    let (status, page) = running.get("/");
    assert_eq!(status, "200", "{page}");
    // The commands for mail servers and cron do no harm meanwhile.
    for words in [["cron"], ["process"], ["deliver"]] {
        let ran = home.run(&words, b"");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{words:?}");
    }
    assert_eq!(running.end(), "");
    assert_eq!(names(&home.base().join("sent")).len(), 1);
    home.assert_tidy();
}

/// Kills the program before it can reply to a mail: the mails before it are not lost, and this one is
/// executed once if the mail server sends it again.
#[test]
fn a_kill_before_the_reply_loses_nothing_and_doubles_nothing() {
    let home = Home::with_board();
    let chat = |number: u32| {
        mail(number, "alice", OWN, "malaka chat 1 alice secret", &format!("Message {number}."))
    };
    let mut running = Running::of(&home);
    let mut client = running.connect();
    for number in 1..=5 {
        assert!(client.mail(&chat(number)).starts_with("250 "));
    }
    client.begin_mail(OWN, &chat(6));
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    // The next process replaces the socket that this one left.
    assert!(running.socket.exists());
    let mut again = Running::of(&home);
    let mut client = again.connect();
    assert!(client.mail(&chat(6)).starts_with("250 "));
    again.sent(&home, 12);
    assert_eq!(again.end(), "");
    let mails = Running::letters(&home);
    let to_bob: Vec<&Mail> = mails.iter().filter(|mail| mail.to == "bob@pbm.test").collect();
    assert_eq!((to_bob.len(), mails.len()), (6, 12), "{mails:#?}");
    for number in 1..=6 {
        let text = format!("Message {number}.");
        assert!(to_bob.iter().any(|mail| mail.text.contains(&text)), "{text} {to_bob:#?}");
    }
    // The process may have been killed while it wrote the sixth mail, which is none before it is moved.
    for name in home.names("spool/tmp") {
        fs::remove_file(home.path().join("spool/tmp").join(name)).unwrap();
    }
    home.assert_tidy();
}

/// Under `ulimit -f`, a file that becomes too long is a full disk.
#[test]
fn a_full_disk_puts_mails_off_and_the_connection_stays() {
    let home = Home::new();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", PROGRAM, "--home"]).arg(home.path());
    let mut running = Running::begin(&home, command, &[]);
    let mut client = running.connect();
    let raw = mail(1, "alice", OWN, "help", &"A long line.\n".repeat(200));
    for _ in 0..2 {
        assert!(client.mail(&raw).starts_with("451 4.3.0 "));
    }
    assert!(client.says("NOOP").starts_with("250 "));
    assert_eq!(home.names("spool/tmp"), [""; 0], "half of a mail takes no room");
    assert_eq!(home.names("spool/new"), [""; 0], "451 says that it was not taken");
    let said = running.end();
    assert!(said.contains("File too large"), "{said}");
    assert_eq!(said.lines().filter(|line| line.contains("spool/tmp")).count(), 1, "{said}");
}

#[test]
fn reminders_are_sent_without_cron() {
    let home = Home::new();
    // 2026-01-01: a board that has waited for months.
    let then = Time::from_unix(1_767_225_600);
    for words in [
        "signup alice secret alice@pbm.test",
        "signup bob secret bob@pbm.test",
        "malaka challenge alice bob",
    ] {
        home.done_at(then, words);
    }
    home.delivered();
    let mut running = Running::of(&home);
    let reminders = running.sent(&home, 1);
    assert_eq!(running.end(), "");
    assert_eq!(reminders.len(), 1);
    assert!(reminders[0].subject.contains("eminder"), "{}", reminders[0].subject);
}

/// A service manager, which learns when the program is ready.
pub(crate) struct Manager(UnixDatagram);

impl Manager {
    pub(crate) fn of(home: &Home, command: &mut Command) -> Self {
        let path = home.base().join("notify");
        command.env("NOTIFY_SOCKET", &path);
        Self(UnixDatagram::bind(path).unwrap())
    }

    /// Waits for a message, and returns it.
    pub(crate) fn told(&self) -> String {
        let mut text = [0; 100];
        let length = self.0.recv(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    }

    /// Makes a program read its configuration again, and waits until it has.
    pub(crate) fn reload(&self, running: &Running) {
        kill_process(Pid::from_child(&running.child), Signal::HUP).unwrap();
        assert_eq!([self.told(), self.told()], ["RELOADING=1\n", "READY=1\n"]);
    }
}

impl Running {
    /// Requests a page. Returns the status and the body.
    pub(crate) fn get(&self, path: &str) -> (String, String) {
        self.try_get(path).unwrap()
    }

    fn try_get(&self, path: &str) -> io::Result<(String, String)> {
        let address = self.said[0].split("http://").nth(1).unwrap().trim_end_matches('/');
        let mut stream = TcpStream::connect(address)?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or(ErrorKind::UnexpectedEof)?;
        Ok((head[9..12].to_owned(), body.to_owned()))
    }

    /// Requests `/readyz` until it has this status. Returns the body.
    pub(crate) fn ready(&mut self, status: &str) -> String {
        loop {
            // A door that closes after a reload may close a connection that has asked nothing yet.
            if let Ok((now, body)) = self.try_get("/readyz")
                && now == status
            {
                return body;
            }
            assert_eq!(self.child.try_wait().unwrap(), None, "the program has ended");
        }
    }
}

#[test]
fn sighup_reads_the_configuration_again_and_a_broken_one_is_refused() {
    let home = Home::new();
    let mut command = home.command();
    let manager = Manager::of(&home, &mut command);
    let mut running = Running::begin(&home, command, &["--listen", "127.0.0.1:0"]);
    assert_eq!(manager.told(), "READY=1\n");
    assert_eq!(running.get("/healthz"), ("200".into(), "ok\n".into()));
    assert_eq!(running.ready("200"), "ready\n");
    let mut before = running.connect();

    home.configure("address = \"postboard@localhost\"", "adress = \"games@play.test\"");
    manager.reload(&running);
    assert!(running.connect().says("NOOP").starts_with("250 "));
    assert!(before.says("NOOP").starts_with("250 "), "nothing was closed");

    home.configure("adress = \"games@play.test\"", "address = \"games@play.test\"");
    manager.reload(&running);
    // The old door has closed, and the new one has the new address.
    assert!(before.reply().starts_with("421 4.3.2 "));
    let greeting = || {
        let stream = UnixStream::connect(&running.socket).unwrap();
        Client(BufReader::new(stream)).reply()
    };
    let mut greeted = greeting();
    // Whoever was let in just before is sent away; a mail server tries again.
    if greeted.starts_with("220 localhost ") {
        greeted = greeting();
    }
    assert!(greeted.starts_with("220 play.test LMTP"), "{greeted}");
    assert_eq!(running.get("/").0, "200");
    let said = running.end();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1, "{said}");
    assert!(
        lines[0].contains("the configuration stays as it was") && lines[0].contains("`adress`")
    );
    assert!(!running.socket.exists());
}

#[test]
fn a_token_command_that_others_may_have_written_is_not_run() {
    let home = Home::new();
    let has_run = home.base().join("has_run");
    let section = format!(
        "[imap]\nhost = \"127.0.0.1\"\nport = 1\nuser = \"games\"\n\
         token_command = \"/usr/bin/touch {}\"",
        has_run.display()
    );
    home.configure("[imap]", &section);
    let mailbox = || {
        let doctor = home.run(&["doctor"], b"").out;
        doctor.lines().find(|line| line.contains(" mailbox ")).unwrap_or(&doctor).to_owned()
    };
    fs::set_permissions(home.path(), Permissions::from_mode(0o777)).unwrap();
    let told = mailbox();
    assert!(told.starts_with("MEND") && told.contains("could have programs run as"), "{told}");
    let mut running = Running::begin(&home, home.command(), &["--listen", "127.0.0.1:0"]);
    assert!(running.ready("503").contains("imap"));
    let said = running.end();
    assert!(said.lines().count() == 1 && said.contains("could have programs run as"), "{said}");
    assert!(!has_run.exists());
    fs::set_permissions(home.path(), Permissions::from_mode(0o755)).unwrap();
    let told = mailbox();
    assert!(told.starts_with("MEND") && told.contains("touch") && has_run.exists(), "{told}");
}

#[test]
fn what_fails_makes_the_server_unready_and_is_recorded() {
    let home = Home::new();
    let mut command = home.command();
    let manager = Manager::of(&home, &mut command);
    let mut running = Running::begin(&home, command, &["--listen", "127.0.0.1:0"]);
    assert_eq!(manager.told(), "READY=1\n");
    let by_folder = home.by_folder();
    let by_smtp = "by = \"smtp\"\nuser = \"games\"\npassword_file = \"/nowhere/secret\"";
    home.configure(&by_folder, by_smtp);
    manager.reload(&running);
    let body = running.ready("503");
    assert_eq!(body, "not ready: sender; `postboard doctor` says why\n");
    assert_eq!(running.get("/healthz").0, "200");
    home.configure(by_smtp, &by_folder);
    manager.reload(&running);
    assert_eq!(running.ready("200"), "ready\n");
    // A home that cannot be read.
    let (key, aside) = (home.path().join("key"), home.path().join("aside"));
    fs::rename(&key, &aside).unwrap();
    assert!(running.ready("503").contains("store"));
    fs::rename(&aside, &key).unwrap();
    running.ready("200");
    let said = running.end();
    assert_eq!(said.lines().filter(|line| line.contains("/nowhere/secret")).count(), 1, "{said}");
    let metrics = home.run(&["metrics"], b"").out;
    assert!(metrics.contains("postboard_job_last_run_success{job=\"run-spool\"} 1"), "{metrics}");
}

/// The mails that the program leaves in the spool after SIGTERM are executed by the next process.
#[test]
fn a_stop_amid_many_mails_loses_nothing_and_doubles_nothing() {
    const MAILS: u32 = 600;
    let home = Home::new();
    for number in 1..=MAILS {
        spool::put(&home.path(), question(number).as_bytes()).unwrap();
    }
    let mut running = Running::of(&home);
    let mut client = running.connect();
    // The program is amid its work as soon as one mail has left the spool.
    while home.names("spool/new").len() == MAILS as usize {
        std::thread::yield_now();
    }
    running.end();
    assert!(client.reply().starts_with("421 4.3.2 "));
    assert_eq!(home.run(&["process"], b"").code, Some(0));
    assert_eq!(executed(&home), (1..=MAILS).collect::<Vec<_>>());
    home.run(&["deliver"], b"");
    home.assert_tidy();
}

/// A mail of a stranger of this number.
pub(crate) fn question(number: u32) -> String {
    mail(number, &format!("stranger{number}"), OWN, "help", "")
}

/// Returns which strangers' mails were executed, ascending. Only some are answered: strangers get few answers
/// an hour.
pub(crate) fn executed(home: &Home) -> Vec<u32> {
    let number = |line: &str| {
        let (_, rest) = line.split_once(" stranger")?;
        rest.split_once("@pbm.test: a command: answered")?.0.parse().ok()
    };
    // There is no log before the first mail.
    let log = fs::read_to_string(home.path().join("log/postboard.log")).unwrap_or_default();
    let mut numbers: Vec<u32> = log.lines().filter_map(number).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn a_backup_of_the_night_is_made_at_the_start_and_old_ones_go() {
    let home = Home::with_board();
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    for night in ["2020-01-01", "2020-01-02"] {
        fs::write(folder.join(format!("postboard-{night}.tar.gz")), "old").unwrap();
    }
    home.configure("[backup]", &format!("[backup]\nfolder = \"{}\"\nkeep = 2", folder.display()));
    fs::write(home.path().join("backup-manifest"), "of a time with `whole_every`").unwrap();
    let mut running = Running::of(&home);
    while names(&folder).contains(&"postboard-2020-01-01.tar.gz".to_owned()) {
        assert_eq!(running.child.try_wait().unwrap(), None, "the program has ended");
        std::thread::yield_now();
    }
    assert_eq!(running.end(), "");
    let made = nightly_names(&folder);
    assert_eq!((made.len(), &*made[0]), (2, "postboard-2020-01-02.tar.gz"));
    let log = home.read("log/postboard.log");
    assert!(log.lines().any(|line| line.ends_with(&format!(" files in {}", made[1]))), "{log}");
    assert!(!home.path().join("backup-manifest").exists(), "each backup is whole");
    let there = home.base().join("restored");
    let ran = run(program_at(&there).arg("restore").arg(folder.join(&made[1])), b"");
    assert_eq!((ran.code, &*ran.err), (Some(0), ""));
    assert!(there.join("boards/malaka").is_dir());
}

#[test]
fn two_homes_do_not_share_a_folder_of_backups() {
    let (home, other) = (Home::with_board(), Home::new());
    fs::write(other.path().join("key"), [8; 32]).unwrap();
    let folder = home.base().join("backups");
    fs::create_dir(&folder).unwrap();
    for home in [&home, &other] {
        home.configure("[backup]", &format!("[backup]\nfolder = \"{}\"", folder.display()));
    }
    let job = |home: &Home| {
        let mut running = Running::of(home);
        let record = home.path().join("runs/backup");
        while !record.exists() {
            assert_eq!(running.child.try_wait().unwrap(), None, "the program has ended");
            std::thread::yield_now();
        }
        running.end();
        fs::read_to_string(record).unwrap()
    };
    let backup_of = |home: &Home| {
        let told = home.run(&["doctor"], b"").out;
        let is_about = |line: &&str| line.split_whitespace().nth(1) == Some("backup");
        told.lines().find(is_about).unwrap().to_owned()
    };
    assert!(!job(&home).contains("why"));
    assert!(backup_of(&home).starts_with("ok   backup"), "{}", backup_of(&home));
    let made = names(&folder);
    // Tonight's backup is there, though not of this home.
    let told = job(&other);
    assert!(told.contains(" there says that its backups are another home's"), "{told}");
    let told = backup_of(&other);
    let remedy = "name a `folder` or `bucket` of its own under `[backup]` in postboard.toml";
    assert!(told.starts_with("MEND backup") && told.contains(remedy), "{told}");
    assert_eq!(names(&folder), made);
    // The first home goes on there.
    fs::remove_file(home.path().join("runs/backup")).unwrap();
    fs::remove_file(folder.join(nightly_names(&folder).remove(0))).unwrap();
    assert!(!job(&home).contains("why"));
    assert_eq!(names(&folder), made);
}

/// Another process sets up a board whose reminder is due in two seconds. Without the news of its wakeup, the
/// program would look at clocks after an hour.
#[test]
fn a_wakeup_that_another_process_sets_is_kept_to_the_second() {
    let home = Home::new();
    let mut running = Running::of(&home);
    for words in [
        ["signup", "alice", "secret", "alice@pbm.test"],
        ["signup", "bob", "secret", "bob@pbm.test"],
    ] {
        assert_eq!(home.run(&words, b"").code, Some(0));
    }
    let due = Time::from(SystemTime::now()) + seconds(2);
    home.done_at(due - days(1), "malaka challenge alice bob --nagtime=1 --forfeittime=3");
    let is_reminder = |mail: &Mail| mail.subject.contains("eminder");
    while !Running::letters(&home).iter().any(is_reminder) {
        assert_eq!(running.child.try_wait().unwrap(), None, "the program has ended");
        std::thread::yield_now();
    }
    assert!(Time::from(SystemTime::now()) >= due);
    assert_eq!(running.end(), "");
    assert_eq!(Running::letters(&home).iter().filter(|it| is_reminder(it)).count(), 1);
}

/// systemd learns when everything listens, that the main thread lives, and that the end has begun.
#[test]
fn systemd_is_told_of_the_start_of_life_and_of_the_end() {
    let home = Home::new();
    let path = home.base().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    let mut command = home.command();
    command.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "600000000");
    let mut running = Running::begin(&home, command, &[]);
    let told = || {
        let mut text = [0; 100];
        let length = manager.recv(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    };
    assert_eq!(told(), "READY=1\n");
    assert_eq!(told(), "WATCHDOG=1\n");
    running.connect();
    kill_process(Pid::from_child(&running.child), Signal::TERM).unwrap();
    let last = std::iter::repeat_with(told).find(|text| text != "WATCHDOG=1\n");
    assert_eq!(last.as_deref(), Some("STOPPING=1\n"));
    assert_eq!(running.child.wait().unwrap().code(), Some(0));
}

/// While somebody else has the home locked, for a backup into a slow pipe, the main thread shows that it lives, and
/// SIGTERM ends the program.
#[test]
fn a_home_that_is_locked_for_long_is_no_reason_to_kill_the_program() {
    let home = Home::new();
    let mut command = home.command();
    let manager = Manager::of(&home, &mut command);
    manager.0.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    command.env("WATCHDOG_USEC", "1000000");
    let mut running = Running::begin(&home, command, &[]);
    assert_eq!(manager.told(), "READY=1\n");
    let backup = File::open(home.path().join("lock")).unwrap();
    backup.lock_shared().unwrap();
    assert!(running.connect().mail(&question(1)).starts_with("250 2.6.0 "));
    while home.names("line").is_empty() {
        assert_eq!(manager.told(), "WATCHDOG=1\n");
    }
    // What was told before it waited does not count.
    manager.0.set_nonblocking(true).unwrap();
    while manager.0.recv(&mut [0; 100]).is_ok() {}
    manager.0.set_nonblocking(false).unwrap();
    for _ in 0..20 {
        assert_eq!(manager.told(), "WATCHDOG=1\n");
    }
    assert_eq!(home.names("spool/new").len(), 1, "nobody has executed the mail");
    kill_process(Pid::from_child(&running.child), Signal::TERM).unwrap();
    let told = || manager.told();
    let last = std::iter::repeat_with(told).find(|text| text != "WATCHDOG=1\n");
    assert_eq!(last.as_deref(), Some("STOPPING=1\n"));
    let mut said = String::new();
    running.child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(running.child.wait().unwrap().code(), Some(0), "{said}");
    drop(backup);
    assert_eq!(home.run(&["process"], b"").code, Some(0));
    assert_eq!(executed(&home), [1]);
}

#[test]
fn a_place_where_it_cannot_listen_is_named() {
    let home = Home::new();
    let _running = Running::of(&home);
    let socket = format!("unix:{}", home.base().join("lmtp").display());
    let ran = home.run(&["run", "--lmtp", &*socket], b"");
    let path = home.base().join("lmtp");
    let said = format!(
        "postboard: cannot listen at {socket}: another program takes mails there, perhaps another \
         `postboard run`: `ss -lxp src {}` names it; end it, or choose another socket with --lmtp\n",
        path.display()
    );
    assert_eq!((ran.code, ran.err), (Some(75), said));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let (at, port) = (taken.local_addr().unwrap(), taken.local_addr().unwrap().port());
    for option in ["--lmtp", "--smtp", "--listen"] {
        let ran = home.run(&["run", option, &at.to_string()], b"");
        let said = format!(
            "postboard: cannot listen at {at}: port {port} is in use by another program: \
             `ss -ltnp sport = :{port}` names it; choose another port with {option}\n"
        );
        assert_eq!((ran.code, ran.err), (Some(75), said));
    }
    let ran = home.run(&["run", "--smtp", "0.0.0.0:2525"], b"");
    assert_eq!(ran.code, Some(64));
    assert!(ran.err.contains("only your mail server can connect"), "{}", ran.err);
    let ran = home.run(&["run", "--lmtp", "0.0.0.0:2424"], b"");
    assert_eq!(ran.code, Some(64));
    assert!(ran.err.contains("LMTP has no passwords"), "{}", ran.err);
}
