//! The real program over real connections.

#![expect(clippy::disallowed_types, reason = "the test runs a server and a client")]
#![expect(clippy::disallowed_methods, reason = "the test runs programs")]

use crate::support::program::{Home, Mail, names, program};
use crate::support::web::browser::forms;
use crate::web::limits::hears;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A program that serves a home; it is killed when this value is dropped.
pub(crate) struct Served {
    child: Child,
    pub(super) address: String,
}

impl Served {
    /// Serves the demonstration.
    fn demo() -> Self {
        let mut command = program();
        command.args(["serve", "--demo"]);
        Self::new(command)
    }

    pub(super) fn of(home: &Home) -> Self {
        let mut command = home.command();
        command.arg("serve");
        Self::new(command)
    }

    /// Adds the words of a listener to `command`, and runs it.
    pub(crate) fn new(mut command: Command) -> Self {
        command.args(["--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().trim().trim_end_matches('/');
        Self { address: address.to_owned(), child }
    }

    /// Ends the program with SIGTERM; returns whether its exit code is 0.
    fn ends(&mut self) -> bool {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().success()
    }

    /// Fills in a form of a page and sends it.
    fn filled(&self, page: &str, action: &str, fields: &[(&str, &str)]) -> String {
        let page = self.get(page);
        let cookie = page.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap();
        let form = forms(page.split("\r\n\r\n").nth(1).unwrap());
        let form = form.into_iter().find(|form| form.action == action).unwrap();
        let body = fields.iter().fold(form, |form, (name, value)| form.with(name, value)).body();
        self.said(&format!(
            "POST {action} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\nConnection: close\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        ))
    }

    /// Sends bytes and reads until the connection ends.
    pub(super) fn said(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        // A disconnected client may see a connection reset.
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let host = &self.address;
        self.said(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_demonstration_is_served_until_the_process_is_told_to_end() {
    let mut served = Served::demo();
    assert!(served.get("/").contains("Play as alice"));
    for game in games::GAMES {
        let board = served.get(&format!("/{}/1", game.spec().name));
        assert!(board.starts_with("HTTP/1.1 200") && board.contains("<svg"), "{board}");
    }
    let compressed = served.said(
        "GET /malaka/1 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
    );
    assert!(compressed.contains("content-encoding: gzip"), "{compressed}");
    // A client subscribes to events; the server closes its connection when it stops.
    let mut listener = TcpStream::connect(&served.address).unwrap();
    listener.write_all(b"GET /events?board=malaka+1 HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut lines = BufReader::new(listener);
    hears(&mut lines, "listening");
    assert!(served.ends());
    assert!(lines.read_to_string(&mut String::new()).is_ok());
}

#[test]
fn a_malformed_request_is_refused_and_the_next_one_served() {
    let home = Home::with_board();
    let served = Served::of(&home);
    for (request, status) in [
        ("nonsense\r\n\r\n", "HTTP/1.1 400"),
        ("GET / HTTP/9.9\r\n\r\n", "HTTP/1.1 400"),
        ("GET / HTTP/1.1\r\nHost: x\r\nx y: z\r\n\r\n", "HTTP/1.1 400"),
        ("POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400"),
        (
            "POST /say HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n",
            "HTTP/1.1 4",
        ),
    ] {
        let reply = served.said(request);
        assert!(reply.starts_with(status), "{request}: {reply}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: x\r\nx: {}\r\n\r\n", "y".repeat(100_000));
    let reply = served.said(&long);
    assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 431"), "{reply}");
    let path = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "y".repeat(100_000));
    let reply = served.said(&path);
    assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 4"), "{reply}");
    assert!(served.get("/").starts_with("HTTP/1.1 200"));
}

#[test]
fn what_begins_and_is_played_in_a_browser_has_dice_that_can_be_checked() {
    let home = Home::with_board();
    let served = Served::of(&home);
    let ask = |path: &str, key: &str, said: Option<&Value>| {
        let (method, host) = (if said.is_some() { "POST" } else { "GET" }, &served.address);
        let body = said.map_or_else(String::new, Value::to_string);
        let told = served.said(&format!(
            "{method} /api/v1{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Authorization: Bearer {key}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        let (head, body) = told.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{told}");
        serde_json::from_str::<Value>(body).unwrap()
    };
    let keys = ["alice", "bob"].map(|user| {
        let signed = json!({ "userid": user, "password": "secret" });
        ask("/keys", "", Some(&signed))["key"].as_str().unwrap().to_owned()
    });
    let challenge = json!({ "verb": "challenge", "game": "malaka", "words": ["bob"] });
    let dice_key = || home.done("dice-key").lines().last().unwrap()[..64].to_owned();
    let old = dice_key();
    assert_eq!(ask("/say", &keys[0], Some(&challenge))["board"], json!(2));
    // A new dice key is used for the boards that begin after its creation, also by a running
    // server.
    assert_eq!(home.run(&["dice-key", "--rotate"], b"").code, Some(0));
    let new = dice_key();
    assert_eq!(ask("/say", &keys[0], Some(&challenge))["board"], json!(3));
    home.done("--as-operator malaka challenge alice bob");
    let boards = keys.each_ref().map(|key| (key, ask("/boards/malaka/4", key, None)));
    let (key, due) = boards.iter().find(|(_, board)| board["your_turn"] == json!(true)).unwrap();
    assert_eq!(due["dice_key"], json!(new));
    ask("/boards/malaka/4", key, Some(&json!({ "say": due["legal"][0], "move": 1 })));
    for board in 2..=4 {
        let path = format!("/malaka/{board}/proof");
        let sheet = served.get(&path);
        let named = if board == 2 { &old } else { &new };
        assert!(sheet.contains(&format!("key {named}\n")), "{sheet}");
        let checked = home.run(&["verify", "-"], sheet.as_bytes());
        assert_eq!(checked.code, Some(0), "{}", checked.out);
        let proved = if board == 4 { "2 proved, 0 not" } else { "1 proved, 0 not" };
        assert!(checked.out.contains(proved), "{}", checked.out);
        assert!(served.get(&format!("/malaka/{board}")).contains(&path));
        assert!(served.get(&format!("{path}?from=3")).contains("have no roll with this number"));
    }
    let page = served.get("/help/dice");
    assert!(page.contains(&old) && page.contains(&new), "{page}");
}

/// Two copies of the documented example bot play each other.
#[test]
#[ignore = "needs python3: `cargo test --test postboard example_bot -- --ignored`"]
fn the_example_bot_plays_a_game_of_malaka_to_its_end() {
    let home = Home::new();
    let served = Served::of(&home);
    let bot = |user: &str, more: &[&str]| {
        let mut command = Command::new("python3");
        command.arg("docs/examples/malaka_bot.py").arg(format!("http://{}", served.address));
        command.args([user, "a-password", &format!("{user}@example.org")]).args(more);
        command.stdout(Stdio::piped()).spawn().unwrap()
    };
    // Marian waits for a challenge; the first run signs marian up.
    let signed_up = bot("marian", &["nobody-of-that-name"]).wait_with_output().unwrap();
    assert!(signed_up.stdout.is_empty());
    let (waits, begins) = (bot("marian", &[]), bot("robin", &["marian"]));
    for bot in [waits, begins] {
        let told = String::from_utf8(bot.wait_with_output().unwrap().stdout).unwrap();
        assert!(told.contains(" wins by "), "{told}");
    }
    let check = home.run(&["check"], b"");
    assert_eq!((check.code, check.out.as_str(), check.err.as_str()), (Some(0), "", ""));
    assert!(home.moves(1) > 10);
}

/// Starts a mail server that refuses `late@` temporarily and accepts all other mails. It reports
/// each refused recipient and each accepted mail.
fn mail_server() -> (u16, Receiver<Result<Mail, String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, tell) = (stream.unwrap(), tell.clone());
            thread::spawn(move || drop(taken(stream, &tell)));
        }
    });
    (port, told)
}

/// Handles one connection of the mail server.
fn taken(mut out: TcpStream, tell: &mpsc::Sender<Result<Mail, String>>) -> std::io::Result<()> {
    out.write_all(b"220 ready\r\n")?;
    let mut lines = BufReader::new(out.try_clone()?).lines();
    while let Some(line) = lines.next() {
        let line = line?;
        let answer = match line.as_str() {
            "DATA" => {
                out.write_all(b"354 go on\r\n")?;
                let text = lines.by_ref().map_while(Result::ok).take_while(|line| line != ".");
                let text: Vec<String> = text.collect();
                let _ = tell.send(Ok(Mail::read(text.join("\r\n").as_bytes())));
                "250 taken"
            }
            rcpt if rcpt.starts_with("RCPT") && rcpt.contains("late@") => {
                let _ = tell.send(Err(rcpt.to_owned()));
                "450 4.2.2 the mailbox is full"
            }
            _ => "250 ok",
        };
        write!(out, "{answer}\r\n")?;
        if line == "QUIT" {
            break;
        }
    }
    Ok(())
}

#[test]
fn letters_leave_at_once_and_once() {
    let (port, told) = mail_server();
    let home = Home::new();
    home.configure(
        &home.by_folder(),
        &format!("by = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}"),
    );
    home.configure("[web]", "[web]\naddress = \"http://games.example\"");
    for words in ["signup alice secret alice@pbm.test", "signup bob secret bob@pbm.test"] {
        home.done(words);
    }
    home.done("malaka challenge alice bob");
    let next = || told.recv_timeout(Duration::from_mins(1)).expect("it leaves");
    let mut served = Served::of(&home);
    // The letters from before the start of the server.
    let mut ids: BTreeSet<String> = (0..2).map(|_| next().unwrap().id).collect();
    let reply = served.filled("/signin", "/signin/link", &[("who", "alice")]);
    assert!(reply.starts_with("HTTP/1.1 200"), "{reply}");
    let mail = next().unwrap();
    let link = mail.text.split("http://games.example").nth(1).expect("a link");
    let link = link.split_whitespace().next().unwrap();
    assert!(served.get(link).contains("Sign in as alice"), "{mail:?}");
    // A user signs up on the page; another process leaves letters.
    let new = [("user", "late"), ("password", "secret"), ("address", "late@pbm.test")];
    let reply = served.filled("/signup", "/signup", &new);
    assert!(reply.starts_with("HTTP/1.1 303"), "{reply}");
    assert!(next().unwrap_err().contains("late@pbm.test"));
    home.done("malaka challenge bob alice");
    ids.extend((0..2).map(|_| next().expect("who failed waits for its time").id));
    assert!(ids.len() == 4 && !ids.contains(&mail.id), "{ids:?}");
    assert!(served.ends());
    let waiting = home.names("outbox/new");
    assert!(waiting.len() == 1 && waiting[0].contains(",1,"), "{waiting:?}");
    // No letter is due for `deliver`.
    assert_eq!(home.run(&["deliver"], b"").code, Some(0));
    assert!(told.try_recv().is_err());
}

#[test]
fn with_a_certificate_of_its_own_connections_are_encrypted() {
    let home = Home::new();
    let tls = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/tls");
    let files = |key: &str| {
        format!("[web]\ncertificate = \"{tls}/certificate.pem\"\nkey = \"{tls}/{key}.pem\"")
    };
    // Startup errors name an invalid or missing certificate or key.
    for (key, why) in [("nokey", "No such file"), ("certificate", "cannot use")] {
        home.configure("[web]", &files(key));
        let ran = home.run(&["serve", "--listen", "127.0.0.1:0"], b"");
        assert!(ran.code == Some(75) && ran.err.contains(why), "{ran:?}");
        assert!(ran.err.contains(&format!("{tls}/{key}.pem")), "{ran:?}");
        home.configure(&files(key), "[web]");
    }
    home.configure("[web]", &files("key"));
    let mut command = home.command();
    let child = command.args(["serve", "--listen", "127.0.0.1:0"]);
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("https://127.0.0.1:"), "{line}");
    let address = line.split("https://").nth(1).unwrap().trim().trim_end_matches('/');
    let served = Served { child, address: address.to_owned() };
    // An unencrypted request gets no page.
    assert!(!served.get("/").contains("HTTP/1.1 200"));
}

/// Raises the limit of open files as far as the machine allows.
fn files() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).unwrap();
    maximum.unwrap_or(u64::MAX)
}

/// Returns a value of `/proc/<pid>/status`.
fn status(child: &Child, name: &str) -> String {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    status.lines().find(|line| line.starts_with(name)).unwrap().to_owned()
}

/// Opens connections, of which half subscribe to a board and the others send half a header or no
/// bytes: other clients get answers, and the subscribers receive a move.
#[expect(clippy::print_stdout, reason = "the test prints its measurements")]
fn held(connections: usize) {
    assert!(files() > connections as u64 + 100, "more files must be allowed to be open");
    let home = Home::with_board();
    home.configure("[web]", "[web]\naddress = \"http://games.example\"");
    let served = Served::of(&home);
    let connect = |text: &str| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let mut silent = Vec::new();
    let mut listeners = Vec::new();
    for number in 0..connections / 2 {
        silent.push(connect(if number % 2 == 0 { "GET / HTTP/1.1\r\nHost: x\r\nX: " } else { "" }));
        listeners.push(connect("GET /events?board=malaka+1 HTTP/1.1\r\nHost: x\r\n\r\n"));
        if number % (connections / 40) == 0 {
            assert!(served.get("/malaka/1").starts_with("HTTP/1.1 200"), "{number}");
        }
    }
    let mut begun: Vec<_> = listeners.into_iter().map(BufReader::new).collect();
    for listener in &mut begun {
        hears(listener, "listening");
    }
    assert!(served.filled("/signup", "/signup", &[("user", "x")]).starts_with("HTTP/1.1 4"));
    println!("{connections} connections: {}", status(&served.child, "VmRSS"));
    let (player, first) = home.due("malaka", 1).unwrap();
    home.done(&format!("--as-operator malaka move 1 {player} {first}"));
    for listener in &mut begun {
        hears(listener, "data: changed");
    }
    // All silent connections are still open.
    for stream in &silent {
        stream.set_nonblocking(true).unwrap();
        let read = (&*stream).read(&mut [0]);
        assert!(read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock));
    }
    assert_eq!(names(&home.path().join("spool/new")), [""; 0]);
}

#[test]
fn a_thousand_connections_are_held_and_others_are_served() {
    held(1_000);
}

#[test]
#[ignore = "a minute: `cargo test --test postboard ten_thousand_connections -- --ignored`"]
fn ten_thousand_connections_are_held_and_others_are_served() {
    held(10_000);
}

#[test]
fn the_numbers_of_the_home_are_told_where_boards_are_shown() {
    let home = Home::with_board();
    let mut served = Served::of(&home);
    let answer = served.get("/metrics");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("postboard_boards_created_total{game=\"malaka\"} 1\n"), "{answer}");
    assert!(served.ends());
    let mut demo = Served::demo();
    assert!(demo.get("/metrics").starts_with("HTTP/1.1 404"));
    assert!(demo.ends());
}
