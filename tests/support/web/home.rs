//! A home with players, and its web pages.

use crate::support::home;
use crate::support::letters::undrawn;
use crate::support::moderation;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use futures_util::FutureExt as _;
use games::{Chance as Dice, Roll, Throw, Thrower};
use http_body_util::BodyExt as _;
use postboard::base::chance::RandomSource;
use postboard::base::ids::{BoardId, UserId};
use postboard::base::key::MAILBOXES;
use postboard::base::time::{Span, Time};
use postboard::config::{
    Config, Deliver, RuntimeSetting, SAMPLE, WebLimits, runtime_settings, with_runtime_setting,
};
use postboard::mail::{Address, HeaderText, parse};
use postboard::model::board::{Board, BoardStatus};
use postboard::model::user::User;
use postboard::model::world::{World, board_key, user_key};
use postboard::server::requests::Request as ServerRequest;
use postboard::server::{Server, Setup, ShellAnswer, newcomer_expiry, remind, shell_request};
use postboard::store::settings::ProcessEnv;
use postboard::store::spool::Spool;
use postboard::store::{
    DocumentChange, DocumentKind, Fault, Home as _, Key, Letter, MemoryHome, OpenHome, Transaction,
};
use postboard::web::{Finding, Metrics, OperatorReports, Site, SiteParts, router};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tower::ServiceExt as _;

/// 2026-11-22 12:00 UTC.
const NOON: i64 = 1_795_348_800;

/// The host in requests that name none.
pub(crate) const HOST: &str = "games.example.org";

/// The board of [`WebHome::with_board`].
pub(crate) const MALAKA: BoardId = malaka(1);

pub(crate) const fn malaka(number: u32) -> BoardId {
    BoardId { game: "malaka", number }
}

/// A home in memory with alice, bob and carol, whose passwords are `secret`.
pub(crate) struct WebHome {
    pub(crate) home: MemoryHome,
    pub(crate) site: Arc<Site>,
    clock: Arc<AtomicI64>,
    setup: Setup,
    threads: tokio::runtime::Runtime,
}

/// A response of the server.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Checks the status, and that the page contains these words.
    #[track_caller]
    pub(crate) fn says(self, status: u16, words: &str) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        assert!(self.body.contains(words), "{words} in {}", self.body);
        self
    }
}

/// The reports of `status` and `doctor`, always the same, and the text of a configuration.
struct FixedReports(Mutex<String>);

impl OperatorReports for FixedReports {
    fn status(&self) -> Result<Vec<(&'static str, String)>, Fault> {
        Ok(vec![("Mails", "3 waiting".into()), ("", "<b>late</b>".into())])
    }

    fn settings(&self) -> Result<Vec<RuntimeSetting>, Fault> {
        let around = ProcessEnv::default();
        Ok(runtime_settings(&Config::layered(&self.0.lock().unwrap(), &around).unwrap()))
    }

    fn check_setting(&self, key: &str, value: &str) -> Result<(), String> {
        with_runtime_setting(&self.0.lock().unwrap(), key, value).map(drop)
    }

    fn change_setting(&self, key: &str, value: &str) -> Result<bool, String> {
        let mut text = self.0.lock().unwrap();
        *text = with_runtime_setting(&text, key, value)?;
        Ok(true)
    }

    fn examine(&self) -> Vec<Finding> {
        let message = "42 MB free: make room".into();
        vec![Finding { subject: "disk", is_well: false, message }]
    }
}

/// A random source that all requests share; each call returns other bytes.
#[derive(Clone)]
pub(crate) struct SharedChance(Arc<Mutex<(Dice, u8)>>);

impl SharedChance {
    fn new() -> Self {
        Self(Arc::new(Mutex::new((Dice::new(7), 0))))
    }
}

impl Thrower for SharedChance {
    fn throw(&mut self, throw: Throw) -> Roll {
        self.0.lock().unwrap().0.throw(throw)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.lock().unwrap().0.below(limit)
    }
}

impl RandomSource for SharedChance {
    fn fill(&mut self, bytes: &mut [u8]) {
        let last = &mut self.0.lock().unwrap().1;
        *last = last.wrapping_add(1);
        bytes.fill(*last);
    }
}

fn setup(more: &str) -> Setup {
    home::setup(Config::read(&format!("{SAMPLE}{more}")).unwrap())
}

/// Returns a setup with a change.
fn changed(change: impl FnOnce(&mut Setup)) -> Setup {
    let mut setup = setup("");
    change(&mut setup);
    setup
}

/// Returns the reply of a site to a request.
async fn reply_to(mut request: Request<Body>, site: Arc<Site>) -> Reply {
    name_host(&mut request);
    let (parts, body) = router(site).oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let body = String::from_utf8_lossy(&body).into_owned();
    Reply { status: parts.status, headers: parts.headers, body }
}

/// Adds a Host header, as HTTP/1.1 requires.
fn name_host(request: &mut Request<Body>) {
    let headers = request.headers_mut();
    headers.entry("host").or_insert_with(|| HeaderValue::from_static(HOST));
}

impl WebHome {
    pub(crate) fn new() -> Self {
        Self::with("", false)
    }

    /// Creates a home where alice and bob have begun a board of Malaka.
    pub(crate) fn with_board() -> Self {
        let town = Self::new();
        town.say("malaka challenge alice bob");
        town
    }

    /// Creates a home with these lines at the end of its configuration, in the section `[web]`.
    pub(crate) fn with(more: &str, is_demo: bool) -> Self {
        Self::of(&|| setup(more), is_demo)
    }

    /// Creates a home where nobody may sign up.
    pub(crate) fn closed() -> Self {
        Self::of(&|| changed(|setup| setup.config.limits.signup = false), false)
    }

    /// Creates a home where Stockfish plays Chess.
    pub(crate) fn with_engine() -> Self {
        let line = "\n[engines]\nchess = \"/usr/games/stockfish\"\n";
        let config = SAMPLE.replace("\n[engines]\n", line);
        Self::of(&|| home::setup(Config::read(&config).unwrap()), false)
    }

    /// Creates a home whose server has this name.
    pub(crate) fn named(name: &str) -> Self {
        Self::of(&|| changed(|setup| setup.identity.name = HeaderText::new(name)), false)
    }

    /// Creates a home that sends no mails.
    pub(crate) fn silent() -> Self {
        Self::of(&|| changed(|setup| setup.config.deliver = Deliver::Nothing), false)
    }

    /// Creates a home whose push services may be on this machine.
    pub(crate) fn pushing() -> Self {
        Self::of(&Self::pushing_setup, false)
    }

    /// Creates a home where a push service may take this long for a notice.
    pub(crate) fn pushing_within(limit: Duration) -> Self {
        let setup = || {
            let mut setup = Self::pushing_setup();
            setup.config.web.bounds.push = limit;
            setup
        };
        Self::of(&setup, false)
    }

    fn pushing_setup() -> Setup {
        changed(|setup| {
            setup.config.web.has_local_push = true;
            setup.config.web.bounds.push_retry = Duration::ZERO;
        })
    }

    /// Opens the same home in a new process, with notices.
    pub(crate) fn reopened(&self) -> Self {
        Self::open(&Self::pushing_setup, false, self.home.clone(), Arc::clone(&self.clock))
    }

    /// Sends the notices that are due to devices.
    pub(crate) fn send_notices(&self) {
        self.threads.block_on(self.site.send_notices());
    }

    /// Creates a home with these limits for visitors. If `is_proxy` is set, clients on this machine
    /// count as proxies, otherwise as visitors.
    pub(crate) fn bounded(bounds: &WebLimits, is_proxy: bool) -> Self {
        let bound = |setup: &mut Setup| {
            setup.config.web.bounds = bounds.clone();
            setup.config.web.proxies.retain(|_| is_proxy);
        };
        Self::of(&|| changed(bound), false)
    }

    fn of(setup: &dyn Fn() -> Setup, is_demo: bool) -> Self {
        let clock = Arc::new(AtomicI64::new(NOON));
        let town = Self::open(setup, is_demo, MemoryHome::new(), clock);
        for name in ["alice", "bob", "carol"] {
            town.say(&format!("signup {name} secret {name}@example.org"));
        }
        town
    }

    fn open(
        setup: &dyn Fn() -> Setup,
        is_demo: bool,
        home: MemoryHome,
        clock: Arc<AtomicI64>,
    ) -> Self {
        let hands = Arc::clone(&clock);
        let site = Site::new(SiteParts {
            home: Box::new(home.clone()),
            setup: setup(),
            clock: Box::new(move || Time::from_unix(hands.load(Ordering::SeqCst))),
            chance: Mutex::new(Box::new(SharedChance::new())),
            is_demo,
            readers: 2,
            metrics: Some(Metrics {
                text: Box::new(|| Ok("postboard_build_info 1\n".into())),
                token: Some("a-token".into()),
            }),
            unready: Box::new(Vec::new),
            reports: Some(Box::new(FixedReports(Mutex::new(SAMPLE.into())))),
            setup_desk: None,
        })
        .unwrap();
        let threads = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { home, site, clock, setup: setup(), threads }
    }

    pub(crate) fn now(&self) -> Time {
        Time::from_unix(self.clock.load(Ordering::SeqCst))
    }

    pub(crate) fn wait(&self, span: Span) {
        let later = self.now() + span;
        self.clock.store(later.unix(), Ordering::SeqCst);
    }

    /// Runs an operator's command and returns the answer.
    pub(crate) fn say(&self, line: &str) -> String {
        self.command(line, true)
    }

    /// Carries out an act of the operator.
    pub(crate) fn moderate(&self, words: &str) -> String {
        self.execute(&moderation::request(words))
    }

    fn command(&self, line: &str, is_operator: bool) -> String {
        self.execute(&shell_request(line.to_owned(), is_operator, String::new()))
    }

    fn execute(&self, request: &ServerRequest) -> String {
        self.act(|server, store| {
            let ShellAnswer { text, is_done } =
                server.execute_shell_command(request, &*store, self.now()).unwrap();
            assert!(is_done, "{text}");
            store.commit(server.take_transaction()).unwrap();
            text
        })
    }

    /// Opens the home and lets a server act on it.
    fn act<T>(&self, act: impl FnOnce(&mut Server, &mut dyn OpenHome) -> T) -> T {
        let mut chance = SharedChance::new();
        let mut server = Server::new(&self.setup, &mut chance);
        act(&mut server, &mut *self.home.open().unwrap())
    }

    /// Carries out a player's command, with their password in it.
    pub(crate) fn player_says(&self, line: &str) -> String {
        self.command(line, false)
    }

    /// Damages a document.
    pub(crate) fn damage(&self, key: &Key) {
        self.rewrite(key, "{");
    }

    /// Writes another text into a document.
    pub(crate) fn rewrite(&self, key: &Key, text: &str) {
        let mut store = self.home.open().unwrap();
        let was = store.load(key).unwrap().version;
        let changes = vec![DocumentChange { key: key.clone(), was, text: text.into() }];
        store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
    }

    /// Puts a mail aside for the operator.
    pub(crate) fn park(&self, raw: &[u8], why: &str) {
        self.home.put(raw, None).unwrap();
        let store = self.home.open().unwrap();
        let mut spool = Spool::open(&*store).unwrap();
        let mail = spool.take().unwrap().unwrap();
        spool.park(mail, why).unwrap();
    }

    /// Executes a mail.
    pub(crate) fn mail(&self, raw: &str) {
        self.act(|server, store| {
            server.execute_mail(raw.as_bytes(), &*store, self.now()).unwrap();
            store.commit(server.take_transaction()).unwrap();
        });
    }

    /// Returns the recipients and texts of the letters since the last call.
    pub(crate) fn letters(&self) -> Vec<(String, String)> {
        let nobody = Address::parse("nobody@elsewhere.example").unwrap();
        let text = |mail: &[u8]| parse(mail, &nobody).unwrap().text;
        self.mails().into_iter().map(|(to, mail)| (to, text(mail.as_bytes()))).collect()
    }

    /// Returns the recipients and full mails of the letters since the last call.
    pub(crate) fn mails(&self) -> Vec<(String, String)> {
        self.threads.block_on(self.site.finish_background_writes());
        let mut outbox = self.home.outbox().unwrap().unwrap();
        let mut found = Vec::new();
        loop {
            let claimed = outbox.claim(self.now()).unwrap();
            if claimed.is_empty() {
                return found;
            }
            for one in &claimed {
                let mut send = |letter: &Letter| {
                    let mail = String::from_utf8(undrawn(letter)).unwrap();
                    found.push((letter.to.to_string(), mail));
                    Ok(())
                };
                outbox.deliver(one, self.now(), &mut send).unwrap();
            }
        }
    }

    /// Runs what the operator's jobs run each day: reminders and lost games, then the end of accounts.
    pub(crate) fn run_jobs(&self) {
        self.act(|server, store| {
            remind::run(server, store, None, self.now(), &mut |_| true).unwrap();
        });
        self.end_accounts();
    }

    /// Ends the accounts of newcomers and guests whose time is up.
    pub(crate) fn end_accounts(&self) {
        self.act(|server, store| {
            newcomer_expiry::expire(server, store, self.now()).unwrap();
        });
    }

    /// Checks that the operator's `check` finds nothing.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        home::assert_sound(&*self.home.open().unwrap(), self.now());
    }

    /// Loads a user and passes it to `look`.
    pub(crate) fn user<T>(&self, name: &str, look: impl FnOnce(Option<&User>) -> T) -> T {
        let id = UserId::parse(name).unwrap();
        let mut world = World::default();
        world.load(&[user_key(&id)], &*self.home.open().unwrap()).unwrap();
        look(world.any_user(&id))
    }

    /// Loads a board and passes it to `look`.
    pub(crate) fn board<T>(&self, id: BoardId, look: impl FnOnce(&Board) -> T) -> T {
        let mut world = World::default();
        world.load(&[board_key(id)], &self.home).unwrap();
        look(world.board(id).unwrap())
    }

    /// Returns the player to move on a board and their first legal move.
    pub(crate) fn due(&self, id: BoardId) -> (String, String) {
        self.board(id, |board| {
            let BoardStatus::ToMove(seat) = board.status() else { panic!("{id} is over") };
            let first = board.position().first_move().unwrap();
            (board.player(seat).to_string(), first)
        })
    }

    /// Makes the first legal move `moves` times.
    pub(crate) fn play(&self, id: BoardId, moves: usize) {
        for _ in 0..moves {
            let (player, first) = self.due(id);
            self.say(&format!("{} move {} {player} {first}", id.game, id.number));
        }
    }

    /// Sends a request as from a browser on another machine.
    pub(crate) fn send(&self, request: Request<Body>) -> Reply {
        self.threads.block_on(reply_to(request, Arc::clone(&self.site)))
    }

    /// Sends requests at once and returns the replies in their order.
    pub(crate) fn send_all(&self, requests: Vec<Request<Body>>) -> Vec<Reply> {
        let send = |request| self.threads.spawn(reply_to(request, Arc::clone(&self.site)));
        let sent: Vec<_> = requests.into_iter().map(send).collect();
        sent.into_iter().map(|task| self.threads.block_on(task).unwrap()).collect()
    }

    /// Opens a stream of events.
    pub(crate) fn listen(&self, mut request: Request<Body>) -> (StatusCode, Body) {
        name_host(&mut request);
        self.threads.block_on(async {
            let answer = router(Arc::clone(&self.site)).oneshot(request).await.unwrap();
            (answer.status(), answer.into_body())
        })
    }

    /// Returns the next chunk of a stream.
    pub(crate) fn heard(&self, body: &mut Body) -> String {
        let frame = self.threads.block_on(body.frame()).unwrap().unwrap();
        String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap()
    }

    /// Returns whether a stream has no chunk to read.
    pub(crate) fn is_silent(&self, body: &mut Body) -> bool {
        self.threads.block_on(async { body.frame().now_or_never().is_none() })
    }

    /// Requests a page.
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send(Request::get(path).body(Body::empty()).unwrap())
    }

    /// Returns all documents of the home.
    pub(crate) fn documents(&self) -> BTreeMap<Key, String> {
        let store = self.home.open().unwrap();
        let mut kinds: Vec<DocumentKind> =
            games::GAMES.iter().map(|game| DocumentKind::Boards(game.spec().name)).collect();
        kinds.extend([
            DocumentKind::In(postboard::model::user::COLLECTION),
            DocumentKind::In(MAILBOXES),
        ]);
        let keys = kinds.into_iter().flat_map(|kind| store.keys(kind).unwrap());
        keys.map(|key| (key.clone(), store.load(&key).unwrap().text.unwrap_or_default())).collect()
    }
}
