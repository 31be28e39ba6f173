//! The page of setup: the real program in a home that nobody has set up, and a browser without scripts.

#![expect(clippy::disallowed_types, reason = "the test runs a server and a client")]
#![expect(clippy::disallowed_methods, reason = "the test runs programs")]

use crate::support::program::{DEAD_PORT, PROGRAM, names, program_at, run};
use crate::support::web::browser::{Form, forms};
use postboard::config::SAMPLE;
use rustix::process::{Pid, Signal, kill_process};
use std::cell::RefCell;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

/// A folder with a home that `init` has made.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        place.init();
        place
    }

    fn init(&self) {
        let ran = self.ran(&["init"], "");
        assert!(ran.ends_with("see postboard.toml in it\n"), "{ran}");
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.0.path().join("home")
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.home().join(name)
    }

    pub(crate) fn command(&self) -> Command {
        program_at(&self.home())
    }

    pub(crate) fn ran(&self, words: &[&str], input: &str) -> String {
        let ran = run(self.command().args(words), input.as_bytes());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{words:?}: {}", ran.out);
        ran.out
    }

    pub(crate) fn config(&self) -> String {
        fs::read_to_string(self.at("postboard.toml")).unwrap()
    }

    /// Checks that nobody has set up the home.
    pub(crate) fn assert_untouched(&self) {
        assert_eq!(self.config(), SAMPLE);
        assert_eq!(self.ran(&["user", "list"], ""), "");
        assert!(!self.at("mail-password").exists());
    }
}

/// A process that serves a home; it is killed when this value is dropped.
pub(crate) struct Started {
    child: Child,
    lines: RefCell<BufReader<ChildStdout>>,
    pub(crate) address: String,
    /// The token of the page of setup, if there is one.
    pub(crate) token: Option<String>,
}

impl Started {
    pub(crate) fn new(place: &Place, word: &str) -> Self {
        Self::with(place.command(), word)
    }

    pub(crate) fn with(mut command: Command, word: &str) -> Self {
        command.args([word, "--listen", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let line = next(&mut lines);
        let url = line.split("http://").nth(1).unwrap_or_else(|| panic!("no address in {line}"));
        let (address, path) = url.split_once('/').unwrap();
        let token = path.strip_prefix("setup?token=").map(str::to_owned);
        assert_eq!(line.starts_with("Nobody has set up"), token.is_some(), "{line}");
        Self { child, lines: RefCell::new(lines), address: address.to_owned(), token }
    }

    /// Waits until the program serves the site, and returns what it prints before it says so.
    fn until_served(&self) -> Vec<String> {
        let lines = &mut *self.lines.borrow_mut();
        let mut said = Vec::new();
        loop {
            let line = next(lines);
            if line == format!("The boards are at http://{}/", self.address) {
                return said;
            }
            assert_ne!(line, "", "{said:?}");
            said.push(line);
        }
    }

    /// Sends a request and returns the reply. Its cookies are kept.
    fn send(
        &self,
        cookies: &mut String,
        method: &str,
        path: &str,
        head: &str,
        body: &str,
    ) -> Reply {
        let stream = self.begin(cookies, method, path, head, body);
        Reply::read(stream, cookies)
    }

    /// Sends a request. The reply can be read from the connection.
    fn begin(&self, cookies: &str, method: &str, path: &str, head: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        let cookie =
            if cookies.is_empty() { String::new() } else { format!("Cookie: {cookies}\r\n") };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{cookie}{head}\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn get(&self, cookies: &mut String, path: &str) -> Reply {
        self.send(cookies, "GET", path, "", "")
    }

    /// Opens the page with the token.
    pub(crate) fn opened(&self) -> Visitor<'_> {
        let mut visitor = Visitor { started: self, cookies: String::new() };
        let path = format!("/setup?token={}", self.token.as_deref().unwrap());
        let reply = visitor.get(&path);
        assert_eq!((reply.status, reply.header("location")), (303, "/setup"), "{}", reply.head);
        assert!(reply.head.contains("HttpOnly") && reply.head.contains("SameSite=Lax"));
        visitor
    }
}

fn next(lines: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
pub(crate) struct Reply {
    status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    /// Reads a reply to its end, and keeps its cookies.
    fn read(mut stream: TcpStream, cookies: &mut String) -> Self {
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let set = head.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
        let set: Vec<&str> = set.filter_map(|line| line.split(';').next()).collect();
        if !set.is_empty() {
            *cookies = set.join("; ");
        }
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    #[track_caller]
    pub(crate) fn says(self, status: u16, words: &str) -> Self {
        assert_eq!(self.status, status, "{}{}", self.head, self.body);
        assert!(self.body.contains(words), "{words} in {}", self.body);
        self
    }
}

/// The operator's browser.
pub(crate) struct Visitor<'s> {
    started: &'s Started,
    cookies: String,
}

impl Visitor<'_> {
    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.started.get(&mut self.cookies, path)
    }

    /// Returns a form of a page.
    pub(crate) fn form(&mut self, page: &str, action: &str) -> Form {
        let page = self.get(page);
        assert_eq!(page.status, 200, "{}", page.head);
        let found = forms(&page.body).into_iter().find(|form| form.action == action);
        found.unwrap_or_else(|| panic!("no {action} in {}", page.body))
    }

    pub(crate) fn post(&mut self, form: &Form) -> Reply {
        let stream = self.begin_post(form);
        Reply::read(stream, &mut self.cookies)
    }

    /// Sends a form. The reply can be read from the connection.
    fn begin_post(&self, form: &Form) -> TcpStream {
        let head =
            "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n";
        self.started.begin(&self.cookies, "POST", &form.action, head, &form.body())
    }

    /// Fills in the answers for a door and sends them.
    pub(crate) fn answer(&mut self, door: &str, answers: &[(&str, &str)]) -> Reply {
        let address = answers.iter().find(|(name, _)| *name == "address");
        let address = address.map_or("", |(_, address)| address);
        let page = match door {
            "mailbox" => format!("/setup?door=mailbox&address={}", address.replace('@', "%40")),
            other => format!("/setup?door={other}"),
        };
        let form = self.form(&page, "/setup");
        let form = answers.iter().fold(form, |form, (name, value)| form.with(name, value));
        self.post(&form.with("new", "sesame-42"))
    }

    /// Requests the page until it asks to be requested no more, as a browser does.
    pub(crate) fn awaited(&mut self) -> Reply {
        loop {
            let page = self.get("/setup");
            if page.header("refresh").is_empty() {
                return page;
            }
            assert!(page.body.contains("seconds"), "{}", page.body);
        }
    }
}

/// A door with the answers in the terminal and on the page.
type Door = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const DOORS: [Door; 3] = [
    (
        "server",
        "server\ngames@pbm.test\nGames of \"old\"\n\nolga\n",
        &[("address", "games@pbm.test"), ("name", "Games of \"old\""), ("administrator", "olga")],
    ),
    (
        "mailbox",
        "mailbox\ngames@gmx.de\nhunter two\n\nolga\n",
        &[("address", "games@gmx.de"), ("password", "hunter two"), ("administrator", "olga")],
    ),
    (
        "web",
        "web\nhttp://games.example.org\n\nolga\n",
        &[("site", "http://games.example.org"), ("administrator", "olga")],
    ),
];

#[test]
fn the_page_writes_what_the_terminal_writes_for_each_door() {
    for (door, typed, answers) in DOORS {
        let place = Place::new();
        place.ran(&["setup"], typed);
        let secret = || fs::read_to_string(place.at("mail-password")).ok();
        let (config, password) = (place.config(), secret());
        assert_eq!((config == SAMPLE, password.is_some()), (false, door == "mailbox"));
        fs::remove_dir_all(place.home()).unwrap();
        place.init();

        let started = Started::new(&place, "run");
        let mut visitor = started.opened();
        visitor.get("/setup").says(200, "How do players reach the server?");
        let done = visitor.answer(door, answers).says(200, "The server is set up");
        assert!(!done.body.contains("hunter") && !done.body.contains("sesame"), "{}", done.body);
        // The visitor is signed in, at the site that runs now.
        let cookies = &mut visitor.cookies.clone();
        assert_eq!(started.until_served(), ["olga can play now", "olga is an administrator."]);
        started.get(cookies, "/boards").says(200, "href=\"/player/olga\"");
        started.get(cookies, "/setup").says(404, "No page has this address");
        assert_eq!(place.config(), config, "{door}");
        assert_eq!(secret(), password);
        if door == "mailbox" {
            let mode = fs::metadata(place.at("mail-password")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(place.ran(&["moderate", "list"], "").contains("olga"));
        // Elsewhere it looks up mail servers.
        if door == "web" {
            assert_eq!(place.ran(&["check"], ""), "");
        }
        let mut other = Visitor { started: &started, cookies: String::new() };
        let form = other.form("/signin", "/signin").with("user", "olga");
        assert_eq!(other.post(&form.with("password", "sesame-42")).status, 303);
        let log = fs::read_to_string(place.at("log")).unwrap_or_default();
        assert!(!log.contains("sesame") && !log.contains("hunter"), "{log}");
    }
}

#[test]
fn the_page_of_serve_comes_once_and_the_site_after_it() {
    let place = Place::new();
    let mut started = Started::new(&place, "serve");
    let token = started.token.clone().unwrap();
    started.opened().answer("web", DOORS[2].2).says(200, "The server is set up");
    started.until_served();
    let mut stranger = String::new();
    started
        .get(&mut stranger, &format!("/setup?token={token}"))
        .says(404, "No page has this address");
    let pid = Pid::from_child(&started.child);
    kill_process(pid, Signal::TERM).unwrap();
    assert!(started.child.wait().unwrap().success());
    assert_eq!(Started::new(&place, "serve").token.clone(), None);
}

#[test]
fn nothing_is_shown_without_the_token_which_is_used_once() {
    let place = Place::new();
    let started = Started::new(&place, "run");
    let nobody = || String::new();
    for path in ["/", "/setup", "/setup?token=", "/signup", "/boards", "/setup/finish"] {
        started.get(&mut nobody(), path).says(404, "Nobody has set up this server yet");
    }
    let head = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n";
    for path in ["/setup", "/setup/try", "/setup/finish"] {
        started.send(&mut nobody(), "POST", path, head, "door=web&new=sesame-42").says(404, "");
    }
    started.get(&mut nobody(), "/api/v1/games").says(404, "Not Found");
    started.get(&mut nobody(), "/healthz").says(200, "ok");
    started.get(&mut nobody(), "/readyz").says(503, "not ready: setup");
    // A wrong token of the right length, and the right token with a letter more.
    let token = started.token.clone().unwrap();
    assert!(token.len() >= 26 && token.bytes().all(|it| it.is_ascii_alphanumeric()), "{token}");
    let other = if token.starts_with('a') { "b" } else { "a" };
    for wrong in [format!("{other}{}", &token[1..]), format!("{token}a"), token[1..].to_owned()] {
        started.get(&mut nobody(), &format!("/setup?token={wrong}")).says(404, "");
    }
    let mut visitor = started.opened();
    visitor.get("/setup").says(200, "How do players reach the server?");
    // Another browser, a forged cookie, and the cookie of a form.
    started.get(&mut nobody(), &format!("/setup?token={token}")).says(404, "");
    started.get(&mut "postboard=guest.0123".into(), "/setup").says(404, "");
    // A form of another site.
    let form = visitor.form("/setup?door=web", "/setup").with("administrator", "olga");
    let form = form.with("new", "sesame-42");
    let cross = head.replace("same-origin", "cross-site");
    let reply = started.send(&mut visitor.cookies, "POST", "/setup", &cross, &form.body());
    assert_eq!(reply.status, 403, "{}", reply.body);
    let reply = visitor.post(&form.clone().with("token", "aaaa"));
    assert_eq!(reply.status, 403, "{}", reply.body);
    place.assert_untouched();
}

/// The token is too long to be guessed, and a proxy may give everybody the operator's address.
#[test]
fn wrong_tokens_lock_nobody_out() {
    let place = Place::new();
    let started = Started::new(&place, "run");
    for number in 0..200 {
        let cookie = format!("postboard=guest.{number}");
        started.get(&mut cookie.clone(), "/setup?token=aaaa").says(404, "");
    }
    started.opened().get("/setup").says(200, "How do players reach the server?");
}

#[test]
fn the_usual_site_is_where_the_program_listens() {
    let place = Place::new();
    // A trial was killed.
    fs::write(place.at("mail-password"), "sesame\n").unwrap();
    let started = Started::new(&place, "run");
    let mut visitor = started.opened();
    let site = format!("http://{}", started.address);
    visitor.get("/setup?door=web").says(200, &format!("value=\"{site}\""));
    let answers = [("site", ""), ("administrator", "olga")];
    visitor.answer("web", &answers).says(200, &format!("Players open <a href=\"{site}\">"));
    assert!(place.config().contains(&format!("\naddress = \"{site}\"\n")), "{}", place.config());
    assert!(!place.at("mail-password").exists());
}

#[test]
fn a_wrong_answer_is_told_at_its_field_and_nothing_is_written() {
    let place = Place::new();
    let started = Started::new(&place, "run");
    let mut visitor = started.opened();
    visitor.get("/setup?door=mailbox&address=nobody").says(200, "`nobody` is not a mail address.");
    let told = visitor.get("/setup?door=mailbox&address=games%40gmx.de");
    told.says(200, "GMX: mails come from imap.gmx.net:993 and leave by mail.gmx.net:587.");
    let long = "a".repeat(300);
    let mailbox = [("address", "games@gmx.de"), ("password", "hunter2"), ("administrator", "olga")];
    for (door, field, value, words) in [
        ("server", "address", "nobody", "\">&quot;nobody&quot; is not a mail address."),
        ("server", "own-address", "nobody", "\">&quot;nobody&quot; is not a mail address."),
        ("web", "site", "games", "\">&quot;games&quot; is not the address of a site"),
        ("web", "administrator", "a b", "\">&quot;a b&quot; is not a valid userid."),
        ("web", "administrator", "board1", "\">&quot;board1&quot; is reserved, or looks like"),
        ("web", "administrator", "", "Fill in this field."),
        ("web", "administrator", &*long, "Write at most 254 characters."),
        ("mailbox", "password", "", "A mailbox is not opened without its password."),
        ("mailbox", "password", "two\nlines", "A password is one line without control characters."),
    ] {
        let page = if door == "mailbox" {
            "/setup?door=mailbox&address=games%40gmx.de"
        } else {
            &*format!("/setup?door={door}")
        };
        let form = visitor.form(page, "/setup").with("new", "sesame-42");
        let given = if door == "mailbox" { &mailbox[..] } else { &[("administrator", "olga")] };
        let form = given.iter().fold(form, |form, (name, value)| form.with(name, value));
        let reply = visitor.post(&form.with(field, value)).says(422, words);
        let problem = format!("aria-describedby=\"answers-{field}-0-problem\"");
        assert!(reply.body.contains(&problem), "{field} {value}: {}", reply.body);
        assert!(!reply.body.contains("hunter2") && !reply.body.contains("sesame"), "{field}");
    }
    let form = visitor.form("/setup?door=web", "/setup").with("administrator", "olga");
    visitor.post(&form.with("new", "short")).says(422, "A password has 6 to 128 characters");
    place.assert_untouched();
    visitor.answer("web", DOORS[2].2).says(200, "The server is set up");
}

#[test]
fn only_a_home_that_nobody_has_set_up_shows_the_page() {
    let place = Place::new();
    let token = |place: &Place| Started::new(place, "run").token.clone();
    assert!(token(&place).is_some());
    let mut answered = place.command();
    answered.env("POSTBOARD_WEB_ADDRESS", "https://games.example.org");
    assert_eq!(Started::with(answered, "run").token, None);
    fs::write(place.at("postboard.toml"), format!("{SAMPLE}\n# mine\n")).unwrap();
    assert_eq!(token(&place), None);
    fs::write(place.at("postboard.toml"), SAMPLE).unwrap();
    assert!(token(&place).is_some());
    place.ran(&["signup", "olga", "sesame-42", "olga@pbm.test"], "");
    assert_eq!(token(&place), None);
    // Without a socket for the web nothing waits.
    let other = Place::new();
    let socket = format!("unix:{}", other.0.path().join("lmtp").display());
    let mut child = other.command();
    let mut child = child.args(["run", "--lmtp", &socket]).stdout(Stdio::piped()).spawn().unwrap();
    assert!(next(&mut BufReader::new(child.stdout.take().unwrap())).starts_with("Mails are taken"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_home_that_cannot_be_read_shows_no_page() {
    for (name, words) in [("users", "users"), ("key", "key"), ("moderation/docket", "")] {
        let place = Place::new();
        let path = place.at(name);
        let is_docket = words.is_empty();
        if is_docket {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            place.ran(&["user", "add", "olga", "--generate"], "");
            place.ran(&["moderate", "appoint", "olga", "why"], "");
            let docket = find(&place.home(), "docket");
            fs::write(docket, "{").unwrap();
            fs::remove_file(find(&place.home(), "olga")).unwrap();
            assert_eq!(place.config(), SAMPLE);
            assert_eq!(Started::new(&place, "run").token, None);
            continue;
        }
        // A file where a folder should be, and the other way round, also for root.
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap();
            fs::write(&path, "").unwrap();
        } else {
            let _ = fs::remove_file(&path);
            fs::create_dir(&path).unwrap();
        }
        let mut command = place.command();
        let ran = run(command.args(["run", "--listen", "127.0.0.1:0"]), b"");
        assert_eq!((ran.code, &*ran.out), (Some(75), ""), "{ran:?}");
        assert!(ran.err.contains(words), "{ran:?}");
    }
}

/// Returns the file of a document.
fn find(folder: &Path, name: &str) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_stem().is_some_and(|stem| stem == name) {
                return path;
            }
        }
    }
    panic!("no {name}")
}

#[test]
fn what_cannot_be_written_is_told_and_done_later() {
    let place = Place::new();
    let started = Started::new(&place, "run");
    let mut visitor = started.opened();
    fs::create_dir(place.at("mail-password")).unwrap();
    let reply = visitor.answer("mailbox", DOORS[1].2).says(422, "mail-password");
    assert!(!reply.body.contains("hunter"), "{}", reply.body);
    fs::remove_dir(place.at("mail-password")).unwrap();
    place.assert_untouched();
    visitor.answer("mailbox", DOORS[1].2).says(200, "The server is set up");
}

#[test]
fn setup_or_a_user_in_the_terminal_ends_the_page() {
    for (words, input) in
        [(&["setup"][..], DOORS[2].1), (&["signup", "olga", "sesame-42", "olga@pbm.test"], "")]
    {
        let place = Place::new();
        let started = Started::new(&place, "run");
        let mut visitor = started.opened();
        place.ran(words, input);
        assert_eq!(started.until_served(), [""; 0]);
        visitor.get("/setup").says(404, "No page has this address");
    }
}

#[test]
fn pressing_finish_twice_is_answered_twice_and_the_program_ends() {
    let place = Place::new();
    let mut command = place.command();
    command.env("POSTBOARD_DELIVER_PORT", DEAD_PORT.to_string());
    let mut started = Started::with(command, "run");
    let mut visitor = started.opened();
    visitor.answer("server", &WITH_MAIL);
    visitor.awaited().says(200, "Finish all the same");
    let finish = visitor.form("/setup", "/setup/finish");
    let replies = [(); 2].map(|()| visitor.begin_post(&finish));
    let replies = replies.map(|stream| Reply::read(stream, &mut visitor.cookies));
    let is_set_up = |reply: &Reply| reply.body.contains("The server is set up");
    assert!(replies.iter().any(is_set_up), "{replies:?}");
    let statuses = replies.each_ref().map(|reply| reply.status);
    assert!(!statuses.contains(&0) && !statuses.contains(&503), "{replies:?}");
    started.until_served();
    kill_process(Pid::from_child(&started.child), Signal::TERM).unwrap();
    assert!(started.child.wait().unwrap().success());
}

/// A mail server that hands mails for `games@pbm.test` to a home and keeps all others in a folder.
pub(crate) fn mail_server(place: &Place) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (home, sent) = (place.home(), place.0.path().join("sent"));
    fs::create_dir(&sent).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (home, sent) = (home.clone(), sent.clone());
            thread::spawn(move || talk(stream.unwrap(), &home, &sent));
        }
    });
    port
}

fn talk(mut out: TcpStream, home: &Path, sent: &Path) {
    let lines = BufReader::new(out.try_clone().unwrap()).lines();
    let _ = out.write_all(b"220 ready\r\n");
    let mut to = String::new();
    let mut mail: Option<String> = None;
    for line in lines.map_while(Result::ok) {
        let answer = match (&mut mail, &*line) {
            (Some(text), ".") => {
                take(&to, text, home, sent);
                mail = None;
                "250 taken"
            }
            (Some(text), line) => {
                *text = format!("{text}{line}\r\n");
                continue;
            }
            (None, "DATA") => {
                mail = Some(String::new());
                "354 go on"
            }
            (None, line) if line.starts_with("EHLO") => "250-x\r\n250 8BITMIME",
            (None, line) => {
                if let Some(rest) = line.strip_prefix("RCPT TO:<") {
                    rest.split('>').next().unwrap_or_default().clone_into(&mut to);
                }
                "250 ok"
            }
        };
        if out.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
            return;
        }
    }
}

fn take(to: &str, mail: &str, home: &Path, sent: &Path) {
    if to == "games@pbm.test" {
        let mut receive = Command::new(PROGRAM);
        let ran = run(receive.arg("--home").arg(home).arg("receive"), mail.as_bytes());
        assert_eq!(ran.code, Some(0), "{ran:?}");
    } else {
        fs::write(sent.join(to), mail).unwrap();
    }
}

/// The answers of an operator who has an address.
const WITH_MAIL: [(&str, &str); 4] = [
    ("address", "games@pbm.test"),
    ("name", "Games"),
    ("own-address", "ops@pbm.test"),
    ("administrator", "olga"),
];

#[test]
fn a_mail_is_tried_before_anything_is_written() {
    let place = Place::new();
    let mut command = place.command();
    command.env("POSTBOARD_DELIVER_PORT", mail_server(&place).to_string());
    let started = Started::with(command, "run");
    let mut visitor = started.opened();
    let reply = visitor.answer("server", &WITH_MAIL);
    assert_eq!((reply.status, reply.header("location")), (303, "/setup"), "{}", reply.body);
    let page = visitor.awaited();
    let works = "A mail to games@pbm.test came back and was executed; its answer goes to ops@pbm.test. It works.";
    let page = page.says(200, works);
    assert!(!page.body.contains("sesame"), "{}", page.body);
    assert_eq!(names(&place.0.path().join("sent")), ["ops@pbm.test"]);
    place.assert_untouched();
    let finish = visitor.form("/setup", "/setup/finish");
    visitor.post(&finish).says(200, "The server is set up");
    let cookies = &mut visitor.cookies.clone();
    started.until_served();
    started.get(cookies, "/boards").says(200, "href=\"/player/olga\"");
    assert!(place.config().contains("\nto = \"ops@pbm.test\"\n"), "{}", place.config());
}

#[test]
fn a_mail_that_is_not_taken_lets_the_operator_change_the_answers() {
    let place = Place::new();
    let mut command = place.command();
    command.env("POSTBOARD_DELIVER_PORT", DEAD_PORT.to_string());
    let started = Started::with(command, "run");
    let mut visitor = started.opened();
    visitor.answer("server", &WITH_MAIL);
    let failed = format!("A mail to games@pbm.test was not accepted by localhost:{DEAD_PORT}");
    let page = visitor.awaited().says(200, &failed);
    assert!(page.body.contains("/setup/try") && page.body.contains("Finish all the same"));
    place.assert_untouched();
    let again = visitor.form("/setup", "/setup/try");
    assert_eq!(visitor.post(&again).status, 303);
    visitor.awaited().says(200, &failed);
    // The answers are still there, without the password.
    let change = visitor.get("/setup?door=server&address=games%40pbm.test");
    let change = change.says(200, "value=\"ops@pbm.test\"");
    assert!(!change.body.contains("sesame"), "{}", change.body);
    let finish = visitor.form("/setup", "/setup/finish");
    visitor.post(&finish).says(200, "The server is set up");
}
