//! Notices on devices, sent to a push service on this machine.

use crate::support::web::browser::{Browser, Form};
use crate::support::web::home::{WebHome, malaka};
use data_encoding::BASE64URL_NOPAD;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use postboard::base::ids::BoardId;
use postboard::base::time::days;
use postboard::model::user::User;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;

/// A request that the push service got.
#[derive(Clone, Debug)]
struct Pushed {
    path: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

/// A push service. It answers 201, unless other heads of responses wait.
struct PushService {
    port: u16,
    got: Arc<Mutex<Vec<Pushed>>>,
    answers: Arc<Mutex<VecDeque<&'static str>>>,
}

/// The keys of a subscribed browser.
struct Device {
    path: &'static str,
    key: SecretKey,
    secret: [u8; 16],
}

impl PushService {
    fn start() -> Self {
        Self::start_with(|| true)
    }

    /// Starts a service that does something after each request. If that returns false, the request gets no
    /// answer, and its connection stays.
    fn start_with(mut answers_now: impl FnMut() -> bool + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (got, answers) = (Arc::default(), Arc::default());
        let service = Self { port, got: Arc::clone(&got), answers: Arc::clone(&answers) };
        thread::spawn(move || {
            let mut unanswered = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&stream);
                got.lock().unwrap().push(request);
                if !answers_now() {
                    unanswered.push(stream);
                    continue;
                }
                let answer = answers.lock().unwrap().pop_front().unwrap_or("201 Created");
                // The client may have left after the head.
                let _ = write!(stream, "HTTP/1.1 {answer}\r\ncontent-length: 0\r\n\r\n");
            }
        });
        service
    }

    /// Returns the requests since the last call.
    fn take(&self) -> Vec<Pushed> {
        std::mem::take(&mut self.got.lock().unwrap())
    }

    fn answer_with(&self, heads: &[&'static str]) {
        self.answers.lock().unwrap().extend(heads);
    }
}

fn read(stream: &TcpStream) -> Pushed {
    let mut reader = BufReader::new(stream);
    let mut line = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let first = line();
    let path = first.split(' ').nth(1).unwrap().to_owned();
    assert!(first.starts_with("POST ") && first.ends_with(" HTTP/1.1"), "{first}");
    let mut headers = BTreeMap::new();
    while let Some((name, value)) = line().split_once(": ") {
        headers.insert(name.to_ascii_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    Pushed { path, headers, body }
}

impl Device {
    fn new(path: &'static str, byte: u8) -> Self {
        Self { path, key: SecretKey::from_slice(&[byte; 32]).unwrap(), secret: [byte; 16] }
    }

    fn public(&self) -> String {
        BASE64URL_NOPAD.encode(self.key.public_key().to_encoded_point(false).as_bytes())
    }

    /// Sends the form of the settings as the script of the page fills it in.
    fn subscription(&self, browser: &mut Browser, service: &PushService) -> Form {
        let form = browser.form("/settings", "/push/subscribe");
        form.with("endpoint", &format!("http://127.0.0.1:{}{}", service.port, self.path))
            .with("key", &self.public())
            .with("secret", &BASE64URL_NOPAD.encode(&self.secret))
    }

    fn subscribe(&self, browser: &mut Browser, service: &PushService) {
        let form = self.subscription(browser, service);
        let reply = browser.send(&form);
        assert_eq!((reply.status.as_u16(), reply.header("location")), (303, "/settings"));
    }

    /// Decrypts a message with a crate that shares no code with the server.
    fn decrypt(&self, pushed: &Pushed) -> Value {
        assert_eq!(pushed.path, self.path);
        let auth = web_push_native::Auth::clone_from_slice(&self.secret);
        let text = web_push_native::decrypt(pushed.body.clone(), &self.key, &auth).unwrap();
        serde_json::from_slice(&text).unwrap()
    }
}

fn user(town: &WebHome, name: &str) -> User {
    town.user(name, |user| user.unwrap().clone())
}

/// Makes the first legal move of the player whose turn it is.
fn play(town: &WebHome, board: BoardId) {
    let (player, first) = town.due(board);
    town.player_says(&format!("{} move {} {player} secret {first}", board.game, board.number));
}

/// Makes first legal moves until it is the turn of `user`.
fn play_until_turn_of(town: &WebHome, board: BoardId, user: &str) {
    while town.due(board).0 != user {
        play(town, board);
    }
}

/// Makes moves of `user` until it is another player's turn.
fn play_turn_of(town: &WebHome, board: BoardId, user: &str) {
    while town.due(board).0 == user {
        play(town, board);
    }
}

fn open(title: &str, tag: &str) -> Value {
    json!({ "title": title, "tag": tag, "url": format!("/{tag}"), "open": true })
}

#[test]
fn a_turn_that_passes_is_told_to_every_device() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    let (phone, desk) = (Device::new("/phone?x=1", 3), Device::new("/desk", 4));
    phone.subscribe(&mut alice, &service);
    desk.subscribe(&mut alice, &service);
    town.say("malaka challenge alice bob");
    play_until_turn_of(&town, malaka(1), "bob");
    town.send_notices();
    service.take();
    play_turn_of(&town, malaka(1), "bob");
    town.send_notices();
    let mut got = service.take();
    got.sort_by(|one, other| one.path.cmp(&other.path));
    let [on_desk, on_phone] = &got[..] else { panic!("{got:?}") };
    let wanted = open("Your turn in Malaka 1 with bob", "malaka/1");
    assert_eq!((desk.decrypt(on_desk), phone.decrypt(on_phone)), (wanted.clone(), wanted));
    // All messages have one length, and none is readable.
    assert_eq!(on_desk.body.len(), on_phone.body.len());
    assert!(!String::from_utf8_lossy(&on_desk.body).contains("Malaka"));

    let head = |name: &str| on_desk.headers[name].as_str();
    assert_eq!((head("content-encoding"), head("ttl")), ("aes128gcm", "604800"));
    assert_eq!(head("host"), format!("127.0.0.1:{}", service.port));
    assert!(head("topic").len() <= 32 && head("topic") == on_phone.headers["topic"]);
    let (token, key) = head("authorization")
        .strip_prefix("vapid t=")
        .and_then(|rest| rest.split_once(", k="))
        .unwrap();
    let page = alice.get("/settings").body;
    assert!(page.contains(&format!("data-push-key=\"{key}\"")), "{page}");
    let (text, signature) = token.rsplit_once('.').unwrap();
    let decode = |text: &str| BASE64URL_NOPAD.decode(text.as_bytes()).unwrap();
    let verifier = VerifyingKey::from_sec1_bytes(&decode(key)).unwrap();
    let signature = Signature::from_slice(&decode(signature)).unwrap();
    verifier.verify(text.as_bytes(), &signature).unwrap();
    let claims: Value = serde_json::from_slice(&decode(text.split_once('.').unwrap().1)).unwrap();
    assert_eq!(claims["aud"], format!("http://127.0.0.1:{}", service.port));
    assert_eq!(claims["sub"], "mailto:postboard@localhost");
    assert!(claims["exp"].as_i64().unwrap() > town.now().unix());
}

#[test]
fn a_board_has_one_notice_which_is_taken_back_when_its_player_moves() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    let phone = Device::new("/phone", 3);
    phone.subscribe(&mut alice, &service);
    for _ in 0..2 {
        town.say("malaka challenge bob alice");
    }
    for board in [malaka(1), malaka(2)] {
        play_until_turn_of(&town, board, "bob");
    }
    town.send_notices();
    service.take();
    let told = || {
        town.send_notices();
        service.take().iter().map(|pushed| phone.decrypt(pushed)).collect::<Vec<_>>()
    };
    play_turn_of(&town, malaka(1), "bob");
    assert_eq!(told(), [open("Your turn in Malaka 1 with bob", "malaka/1")]);
    // Nothing more comes about this board while its notice is there.
    town.player_says("malaka undo 1 bob secret");
    assert_eq!(told(), [Value::Null; 0]);
    play_turn_of(&town, malaka(2), "bob");
    assert_eq!(told(), [open("Your turn in Malaka 2 with bob", "malaka/2")]);
    // Alice plays somewhere else.
    play_turn_of(&town, malaka(1), "alice");
    let taken = json!({
        "title": "You have played in Malaka 1", "tag": "malaka/1", "url": "/malaka/1", "open": false,
    });
    assert_eq!(told(), [taken]);
    town.player_says("malaka resign 2 bob secret");
    let ended = json!({
        "title": "Malaka 2 has ended", "tag": "malaka/2", "url": "/malaka/2", "open": false,
    });
    assert_eq!(told(), [ended]);
    // A board that the clock ends leaves no notice, either.
    assert!(user(&town, "alice").notices.iter().all(|notice| !notice.open));
}

#[test]
fn only_the_other_player_is_told() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    Device::new("/phone", 3).subscribe(&mut alice, &service);
    // It is a program's turn between two of hers.
    town.say("reversi challenge alice board1");
    let board = BoardId { game: "reversi", number: 1 };
    play_until_turn_of(&town, board, "alice");
    play(&town, board);
    town.send_notices();
    service.take();
    play_until_turn_of(&town, board, "alice");
    play(&town, board);
    town.say("malaka challenge bob carol");
    for _ in 0..3 {
        play(&town, malaka(1));
    }
    town.send_notices();
    assert!(service.take().is_empty());
    assert!(user(&town, "alice").notices.iter().all(|notice| !notice.open));
    assert!(user(&town, "bob").notices.is_empty(), "he has no device");
}

#[test]
fn a_player_who_looks_at_the_board_is_not_told() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    let phone = Device::new("/phone", 3);
    phone.subscribe(&mut alice, &service);
    town.say("malaka challenge alice bob");
    play_until_turn_of(&town, malaka(1), "bob");
    town.send_notices();
    service.take();
    let (_, page) = alice.listen("/events?board=malaka+1");
    play_turn_of(&town, malaka(1), "bob");
    town.send_notices();
    assert!(service.take().is_empty());
    drop(page);
    play_turn_of(&town, malaka(1), "alice");
    play_turn_of(&town, malaka(1), "bob");
    town.send_notices();
    let told: Vec<Value> = service.take().iter().map(|pushed| phone.decrypt(pushed)).collect();
    assert_eq!(told.last(), Some(&open("Your turn in Malaka 1 with bob", "malaka/1")));
}

#[test]
fn a_device_that_is_gone_is_removed_and_a_failure_is_tried_once_more() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    Device::new("/phone", 3).subscribe(&mut alice, &service);
    town.say("malaka challenge alice bob");
    let turn = |answers: &[&'static str]| {
        play_turn_of(&town, malaka(1), "alice");
        town.send_notices();
        service.take();
        service.answer_with(answers);
        play_turn_of(&town, malaka(1), "bob");
        town.send_notices();
        (service.take().len(), user(&town, "alice").browsers.len())
    };
    assert_eq!(turn(&["503 Busy", "201 Created"]), (2, 1));
    assert_eq!(turn(&["503 Busy", "500 Broken"]), (2, 1), "it is given up, and the device stays");
    assert_eq!(turn(&["403 Forbidden"]), (1, 1));
    assert_eq!(turn(&["307 Elsewhere\r\nlocation: /other"]), (1, 1), "no redirect is followed");
    assert_eq!(turn(&["410 Gone"]), (1, 0));
    assert!(user(&town, "alice").notices.is_empty());
    assert_eq!(turn(&[]), (0, 0));
    let page = alice.get("/settings").body;
    assert!(!page.contains("/push/unsubscribe"), "{page}");
}

#[test]
fn a_slow_push_service_delays_neither_other_devices_nor_other_users() {
    let town = WebHome::pushing_within(Duration::from_mins(10));
    let (passed, others) = mpsc::channel();
    let fast = PushService::start_with(move || passed.send(()).is_ok());
    // It answers after both messages to the other service. If one never comes, it gives up before the
    // server does.
    let (counted, counts) = mpsc::channel();
    let slow = PushService::start_with(move || {
        let came = (0..2).filter(|_| others.recv_timeout(Duration::from_secs(10)).is_ok());
        counted.send(came.count()).is_ok()
    });
    let (mut alice, mut carol) = (Browser::of(&town, "alice"), Browser::of(&town, "carol"));
    for (number, player) in (1..).zip(["alice", "carol"]) {
        town.say(&format!("malaka challenge {player} bob"));
        play_until_turn_of(&town, malaka(number), "bob");
    }
    Device::new("/phone", 3).subscribe(&mut alice, &slow);
    Device::new("/desk", 4).subscribe(&mut alice, &fast);
    Device::new("/desk", 5).subscribe(&mut carol, &fast);
    for number in [1, 2] {
        play_turn_of(&town, malaka(number), "bob");
    }
    town.send_notices();
    assert_eq!(counts.recv(), Ok(2), "both came while the slow service was waiting");
    assert_eq!((slow.take().len(), fast.take().len()), (1, 2));
}

#[test]
fn a_push_service_that_does_not_answer_is_not_asked_again_at_once() {
    let town = WebHome::pushing_within(Duration::from_secs(1));
    let service = PushService::start_with(|| false);
    let mut alice = Browser::of(&town, "alice");
    Device::new("/phone", 3).subscribe(&mut alice, &service);
    town.say("malaka challenge alice bob");
    let turn = || {
        play_turn_of(&town, malaka(1), "alice");
        play_turn_of(&town, malaka(1), "bob");
        town.send_notices();
        (service.take().len(), user(&town, "alice").browsers.len())
    };
    assert_eq!(turn(), (1, 1));
    assert_eq!(turn(), (0, 1));
}

#[test]
fn a_device_is_removed_with_its_session() {
    let town = WebHome::pushing();
    let service = PushService::start();
    let [mut phone, mut desk] = [(); 2].map(|()| Browser::of(&town, "alice"));
    Device::new("/phone", 3).subscribe(&mut phone, &service);
    Device::new("/desk", 4).subscribe(&mut desk, &service);
    let left = || {
        let of = |it: &postboard::model::user::PushBrowser| {
            it.endpoint.rsplit('/').next().unwrap().to_owned()
        };
        user(&town, "alice").browsers.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(left(), ["phone", "desk"]);
    let form = phone.form("/settings", "/signout");
    phone.send(&form);
    assert_eq!(left(), ["desk"]);
    let form = desk.form("/settings", "/push/unsubscribe");
    desk.send(&form);
    assert_eq!(left(), [""; 0]);

    Device::new("/desk", 4).subscribe(&mut desk, &service);
    let form = desk.form("/settings", "/signout").with("everywhere", "yes").with("sure", "yes");
    desk.send(&form);
    assert_eq!(left(), [""; 0]);

    let mut desk = Browser::of(&town, "alice");
    Device::new("/desk", 4).subscribe(&mut desk, &service);
    let form = desk.form("/settings", "/password").with("old", "secret").with("new", "another");
    assert_eq!(desk.send(&form).status, 303);
    assert_eq!(left(), [""; 0]);
}

#[test]
fn a_user_has_ten_devices_and_an_export_lists_them_without_their_keys() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    let paths = ["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9", "/10", "/11"];
    for (path, byte) in paths.into_iter().zip(1..) {
        Device::new(path, byte).subscribe(&mut alice, &service);
    }
    // The same browser again is no other device.
    Device::new("/11", 30).subscribe(&mut alice, &service);
    let browsers = user(&town, "alice").browsers;
    let ends = |path: &str| browsers.iter().any(|browser| browser.endpoint.ends_with(path));
    assert!(browsers.len() == 10 && !ends("/0") && !ends("/1") && ends("/2") && ends("/11"));
    town.letters();
    town.player_says("export alice secret");
    let export: String = town.letters().into_iter().map(|(_, text)| text).collect();
    assert!(export.contains(&format!("http://127.0.0.1:{}/11", service.port)), "{export}");
    let device = Device::new("/11", 30);
    let secret = BASE64URL_NOPAD.encode(&device.secret);
    assert!(!export.contains(&device.public()) && !export.contains(&secret), "{export}");
    // Other people see nothing of it.
    for path in ["/player/alice", "/boards", "/"] {
        assert!(!Browser::of(&town, "bob").get(path).body.contains("127.0.0.1"), "{path}");
    }
}

#[test]
fn subscriptions_that_cannot_be_used_are_refused() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    let good = Device::new("/phone", 3).subscription(&mut alice, &service);
    for (name, value) in [
        ("endpoint", "https://localhost/x"),
        ("endpoint", "https://169.254.169.254/latest/meta-data"),
        ("endpoint", "http://10.0.0.1:80/x"),
        ("endpoint", "http://push.example/x"),
        ("endpoint", "https://push.example:22/x"),
        ("endpoint", "javascript:alert(1)"),
        ("key", "AAAA"),
        ("secret", "AAAA"),
    ] {
        let once = alice.form("/settings", "/push/subscribe");
        let fields = good.clone().fields.into_iter().filter(|(field, _)| field != "once");
        let mut form = Form { fields: fields.collect(), ..good.clone() }.with(name, value);
        form.fields.extend(once.fields.into_iter().filter(|(field, _)| field == "once"));
        alice.send(&form).says(422, "cannot be sent to this browser");
    }
    for name in ["endpoint", "key", "secret"] {
        assert_eq!(alice.send(&good.clone().with(name, "")).status, 422, "{name}");
    }
    alice.send_as(&good, &[("sec-fetch-site", "cross-site")]).says(403, "not sent from a page");
    alice.send(&good.clone().with("token", "x")).says(403, "was open for too long");
    let mut guest = Browser::new(&town);
    let form =
        Form { action: "/push/subscribe".into(), fields: guest.form("/signin", "/signin").fields };
    let form = form.with("endpoint", "x").with("key", "x").with("secret", "x");
    guest.send(&form).says(403, "You are not signed in any more");
    assert!(user(&town, "alice").browsers.is_empty());
}

#[test]
fn a_site_without_https_offers_no_notices() {
    let town = WebHome::new();
    let mut alice = Browser::of(&town, "alice");
    let page = alice.get("/settings").body;
    assert!(!page.contains("data-push") && !page.contains("/push/"), "{page}");
    let form = Form { action: "/push/subscribe".into(), ..alice.form("/settings", "/keys") };
    let form = form.with("endpoint", "x").with("key", "x").with("secret", "x");
    alice.send(&form).says(404, "No page has this address");

    let town = WebHome::pushing();
    let mut alice = Browser::of(&town, "alice");
    assert!(alice.get("/settings").body.contains("<body data-push"));
    assert!(!town.get("/").body.contains("data-push"), "guests get none");
}

#[test]
fn notices_of_an_earlier_process_are_not_sent_again() {
    let (town, service) = (WebHome::pushing(), PushService::start());
    let mut alice = Browser::of(&town, "alice");
    let phone = Device::new("/phone", 3);
    phone.subscribe(&mut alice, &service);
    for number in 1..=2 {
        town.say("malaka challenge alice bob");
        play_until_turn_of(&town, malaka(number), "bob");
    }
    play_turn_of(&town, malaka(1), "bob");
    town.wait(days(1));
    let later = town.reopened();
    play_turn_of(&later, malaka(2), "bob");
    later.send_notices();
    let told: Vec<Value> = service.take().iter().map(|pushed| phone.decrypt(pushed)).collect();
    assert_eq!(told, [open("Your turn in Malaka 2 with bob", "malaka/2")]);
}
