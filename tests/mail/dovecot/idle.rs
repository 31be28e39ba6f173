//! `run` reads a mailbox of Dovecot: connections are cut, the program is killed, the password is wrong.

use super::Boxes;
use crate::operator::run::{Manager, Running, executed, question};
use crate::support::program::{Home, mail, names};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

const OWN: &str = "postboard@localhost";

impl Boxes {
    /// Returns a folder of the mailbox that the program reads.
    fn folder(&self, name: &str) -> PathBuf {
        self.dir.path().join("boxes/postboard").join(name)
    }

    /// Makes a Maildir that belongs to Dovecot's user.
    pub(super) fn make_folder(&self, name: &str) {
        for part in ["", "cur", "new", "tmp"] {
            let path = self.folder(name).join(part);
            fs::create_dir_all(&path).unwrap();
            self.give(&path);
        }
    }

    fn give(&self, path: &Path) {
        let owner = fs::metadata(self.dir.path().join("boxes")).unwrap();
        let (uid, gid) = {
            use std::os::unix::fs::MetadataExt as _;
            (owner.uid(), owner.gid())
        };
        chown(path, Some(uid), Some(gid)).unwrap();
    }

    /// Puts a mail into the mailbox, as local delivery does.
    pub(super) fn arrive(&self, number: u32, raw: &str) {
        let (tmp, new) = (self.folder("tmp"), self.folder("new"));
        let path = tmp.join(format!("{number}.mail"));
        fs::write(&path, raw).unwrap();
        self.give(&path);
        fs::rename(&path, new.join(format!("{number}.mail"))).unwrap();
    }

    /// Returns how many mails a folder has.
    fn count(&self, name: &str) -> usize {
        ["cur", "new"].map(|part| names(&self.folder(name).join(part)).len()).iter().sum()
    }
}

/// Lets a home read the mailbox through this port.
fn reading(home: Home, port: u16, more: &str) -> Home {
    fs::write(home.base().join("secret"), "secret\n").unwrap();
    let file = home.base().join("secret");
    let section = format!(
        "[imap]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\nuser = \"postboard\"\n\
         password_file = \"{}\"\n{more}",
        file.display()
    );
    home.configure("[imap]", &section);
    home
}

pub(super) fn chat(number: u32) -> String {
    mail(number, "alice", OWN, "malaka chat 1 alice secret", &format!("Message {number}."))
}

/// Checks that bob got each message once.
pub(super) fn all_arrived_once(home: &Home, messages: u32) {
    let mails = Running::letters(home);
    for number in 1..=messages {
        let text = format!("Message {number}.");
        let to_bob = mails.iter().filter(|it| it.to == "bob@pbm.test" && it.text.contains(&text));
        assert_eq!(to_bob.count(), 1, "{text}");
    }
    home.assert_tidy();
}

/// What a proxy does with a connection.
pub(super) enum Cut {
    /// Ends it after so many bytes of the server.
    AfterBytes(usize),
    /// Holds back what the program sends from this word on, and says so.
    Before(&'static str, Sender<()>),
    Never,
}

/// Connects a port with Dovecot's; `cut` says what happens to the connection of each number.
pub(super) fn proxy(to: u16, cut: impl Fn(usize) -> Cut + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for (number, client) in listener.incoming().enumerate() {
            let (client, server) =
                (client.unwrap(), TcpStream::connect(("127.0.0.1", to)).unwrap());
            let (limit, held) = match cut(number) {
                Cut::AfterBytes(bytes) => (bytes, None),
                Cut::Before(word, say) => (usize::MAX, Some((word, say))),
                Cut::Never => (usize::MAX, None),
            };
            let (from, into) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            thread::spawn(move || pass(from, into, usize::MAX, held.as_ref()));
            thread::spawn(move || pass(server, client, limit, None));
        }
    });
    port
}

/// Passes bytes on, until the end, the limit, or the word.
fn pass(
    mut from: TcpStream,
    mut to: TcpStream,
    mut limit: usize,
    held: Option<&(&'static str, Sender<()>)>,
) {
    let mut piece = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut piece) {
        let bytes = &piece[..count.min(limit)];
        if let Some((_, say)) =
            held.filter(|(word, _)| String::from_utf8_lossy(bytes).contains(word))
        {
            say.send(()).unwrap();
            return;
        }
        limit -= bytes.len();
        if to.write_all(bytes).is_err() || limit == 0 {
            break;
        }
    }
    for stream in [from, to] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}

#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn five_hundred_mails_are_taken_once_although_connections_are_cut() {
    const MAILS: u32 = 500;
    let boxes = Boxes::start();
    boxes.make_folder("");
    for number in 1..=MAILS {
        boxes.arrive(number, &question(number));
    }
    // Each connection is cut at another place: amid the login, the list, a mail.
    let cut = |number: usize| match number {
        0..4 => Cut::AfterBytes([400, 3_000, 20_000, 60_000][number]),
        _ => Cut::Never,
    };
    let home = reading(Home::new(), proxy(boxes.imap, cut), "");
    let mut running = Running::begin(&home, home.command(), &[]);
    wait_for(&mut running, || executed(&home).len() >= MAILS as usize);
    // The server tells of this one.
    boxes.arrive(MAILS + 1, &question(MAILS + 1));
    wait_for(&mut running, || executed(&home).len() > MAILS as usize && boxes.count("") == 0);
    let said = running.end();
    assert!(said.lines().all(|line| line.contains("[imap] 127.0.0.1:")), "{said}");
    assert_eq!(executed(&home), (1..=MAILS + 1).collect::<Vec<_>>());
    home.assert_tidy();
}

/// Waits until something is so.
fn wait_for(running: &mut Running, is_so: impl Fn() -> bool) {
    while !is_so() {
        assert_eq!(running.child.try_wait().unwrap(), None, "the program has ended");
        thread::yield_now();
    }
}

/// The mails are durable here, and still in the mailbox.
#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn a_kill_before_mails_are_deleted_executes_none_twice() {
    let boxes = Boxes::start();
    boxes.make_folder("");
    for number in 1..=5 {
        boxes.arrive(number, &chat(number));
    }
    // Without Date and Message-ID: the mail is known by its number in the mailbox.
    let bare = chat(6);
    let bare: Vec<&str> = bare
        .lines()
        .filter(|line| !line.starts_with("Date:") && !line.starts_with("Message-ID:"))
        .collect();
    boxes.arrive(6, &(bare.join("\n") + "\n"));
    let (say, hear): (Sender<()>, Receiver<()>) = mpsc::channel();
    let cut = move |number: usize| match number {
        0 => Cut::Before("STORE", say.clone()),
        _ => Cut::Never,
    };
    let home = reading(Home::with_board(), proxy(boxes.imap, cut), "");
    let mut running = Running::begin(&home, home.command(), &[]);
    hear.recv().unwrap();
    running.sent(&home, 12);
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    assert_eq!(boxes.count(""), 6);
    let mut again = Running::begin(&home, home.command(), &[]);
    wait_for(&mut again, || boxes.count("") == 0);
    boxes.arrive(7, &chat(7));
    again.sent(&home, 14);
    assert_eq!(again.end(), "");
    all_arrived_once(&home, 7);
    assert_eq!(Running::letters(&home).len(), 14);
}

#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn a_wrong_password_is_tried_once_and_told_once() {
    let boxes = Boxes::start();
    boxes.make_folder("");
    boxes.arrive(1, &chat(1));
    let home = reading(Home::with_board(), boxes.imap, "");
    let secret = home.base().join("secret");
    fs::write(&secret, "wrong-password\n").unwrap();
    let mut command = home.command();
    let manager = Manager::of(&home, &mut command);
    let mut running = Running::begin(&home, command, &["--listen", "127.0.0.1:0"]);
    assert_eq!(manager.told(), "READY=1\n");
    assert_eq!(running.ready("503"), "not ready: imap; `postboard doctor` says why\n");
    let mailbox = || {
        let doctor = home.run(&["doctor"], b"").out;
        doctor.lines().find(|line| line.contains(" mailbox ")).unwrap_or(&doctor).to_owned()
    };
    let wrong = mailbox();
    assert!(wrong.starts_with("MEND") && wrong.contains("the login of postboard is refused"));
    fs::write(&secret, "secret\n").unwrap();
    let right = mailbox();
    assert!(right.starts_with("ok") && right.contains("INBOX of postboard at"), "{right}");
    // Who has corrected the password does not wait.
    manager.reload(&running);
    running.sent(&home, 2);
    running.ready("200");
    let said = running.end();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1, "{said}");
    assert!(lines[0].contains("the login of postboard is refused"), "{said}");
    assert!(lines[0].contains(secret.to_str().unwrap()) && !lines[0].contains("wrong-password"));
    let log = super::bench("log", boxes.dir.path(), &[]);
    assert_eq!(log.matches("auth failed").count(), 2, "one try of `run`, one of `doctor`: {log}");
    all_arrived_once(&home, 1);
}

/// Such a mailbox seems to be empty.
#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn a_mailbox_in_which_dovecot_may_not_write_is_told_until_it_may() {
    let boxes = Boxes::start();
    boxes.make_folder("");
    boxes.arrive(1, &chat(1));
    let parts = ["", "cur", "new", "tmp"].map(|part| boxes.folder(part));
    for path in &parts {
        // This process is root.
        chown(path, Some(0), Some(0)).unwrap();
    }
    let home = reading(Home::with_board(), boxes.imap, "");
    let mut command = home.command();
    let manager = Manager::of(&home, &mut command);
    let mut running = Running::begin(&home, command, &["--listen", "127.0.0.1:0"]);
    assert_eq!(manager.told(), "READY=1\n");
    running.ready("503");
    let doctor = home.run(&["doctor"], b"").out;
    let mailbox = doctor.lines().find(|line| line.contains(" mailbox ")).unwrap_or(&doctor);
    let why = "the server opens the mailbox only for reading";
    assert!(mailbox.starts_with("MEND") && mailbox.contains(why), "{mailbox}");
    assert!(Running::letters(&home).is_empty());
    for path in &parts {
        boxes.give(path);
    }
    manager.reload(&running);
    running.sent(&home, 2);
    running.ready("200");
    let said = running.end();
    assert!(said.lines().count() == 1 && said.contains(why), "{said}");
    all_arrived_once(&home, 1);
}

#[test]
#[ignore = "needs Dovecot: .ci/run installs it and runs this by name"]
fn taken_mails_are_moved_or_marked_as_configured() {
    let boxes = Boxes::start();
    for folder in ["", ".Taken"] {
        boxes.make_folder(folder);
    }
    boxes.arrive(1, &chat(1));
    let home = reading(Home::with_board(), boxes.imap, "after = \"move\"\nmove_to = \"Taken\"");
    let mut command = home.command();
    let manager = Manager::of(&home, &mut command);
    let mut running = Running::begin(&home, command, &[]);
    assert_eq!(manager.told(), "READY=1\n");
    running.sent(&home, 2);
    wait_for(&mut running, || (boxes.count(""), boxes.count(".Taken")) == (0, 1));
    home.configure("after = \"move\"", "after = \"seen\"");
    home.configure("move_to = \"Taken\"", "mailbox = \"INBOX\"");
    manager.reload(&running);
    boxes.arrive(2, &chat(2));
    running.sent(&home, 4);
    let is_seen = |name: &String| name.rsplit(',').next().is_some_and(|flags| flags.contains('S'));
    let is_marked = || names(&boxes.folder("cur")).iter().all(is_seen) && boxes.count("") == 1;
    wait_for(&mut running, is_marked);
    // A mail that is seen is not taken again.
    boxes.arrive(3, &chat(3));
    running.sent(&home, 6);
    assert_eq!(running.end(), "");
    all_arrived_once(&home, 3);
    assert_eq!(Running::letters(&home).len(), 6);
}
