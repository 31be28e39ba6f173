//! The cost of a page, compared with a bare `axum` server and with a static file.
//!
//! `cargo bench --bench web` runs the real binary with a home of 10,000 boards. This process sends
//! requests over persistent connections, and shares two cores with the server.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a bench runs programs")]
#![expect(clippy::print_stdout, reason = "a bench prints its results")]

mod town;
mod wire;

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tower_http::services::ServeFile;
use wire::Wire;

const BOARDS: u32 = 10_000;
/// The number of boards requested in turn, more than a player visits.
const SHOWN: u32 = 1_000;
const CONNECTIONS: usize = 64;
const LISTENERS: u32 = 5_000;
const MOVES: u32 = 50;
/// The duration of each measurement.
const TIME: Duration = Duration::from_secs(4);
/// The argument that makes this program the peer.
const PEER: &str = "bare-server";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).is_some_and(|word| word == PEER) {
        return runtime().block_on(serve_bare(Path::new(&args[2])));
    }
    let program = benches::program(env!("CARGO_TARGET_TMPDIR"));
    let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let dir = tempfile::tempdir_in(base).expect("target/tmp can be written");
    let home = dir.path().join("home");
    drop(town::home(&home, BOARDS, 0));
    let ours = Running::start(Command::new(&program).arg("--home").arg(&home).args([
        "serve",
        "--listen",
        "127.0.0.1:0",
    ]));
    let runtime = runtime();
    let page = runtime.block_on(page(ours.at, &board_path(1)));
    let file = dir.path().join("page.html");
    std::fs::write(&file, page).expect("a file");
    let this = std::env::current_exe().expect("it runs");
    let bare = Running::start(Command::new(this).arg(PEER).arg(&file));
    runtime.block_on(weight(ours.at));
    for round in 1..=3 {
        println!("round {round}");
        runtime.block_on(rates(ours.at, bare.at));
    }
    drop(bare);
    runtime.block_on(live(&ours, &program, &home));
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads")
}

/// Runs the peer servers: a word, and a file.
async fn serve_bare(file: &Path) {
    let routes = Router::new()
        .route("/hello", get(|| async { "hello" }))
        .route_service("/file", ServeFile::new(file));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("http://{}/", listener.local_addr().expect("an address"));
    // As ours does. Otherwise an answer of two packets waits for the client.
    let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a socket"));
    axum::serve(listener, routes).await.expect("it serves");
}

/// A server that runs until dropped.
struct Running {
    child: Child,
    at: SocketAddr,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let out = child.stdout.take().expect("it is piped");
        let line = BufReader::new(out).lines().next().expect("it says where").expect("a line");
        let (_, address) = line.split_once("http://").expect("an address");
        let address = address.trim_end_matches('/').parse().expect("an address");
        Self { child, at: address }
    }

    /// Returns the processor time used, in hundredths of a second.
    fn used(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.expect("it runs");
        let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split(' ').collect();
        let number = |at: usize| fields[at].parse::<u64>().expect("a number");
        number(12) + number(13)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn board_path(number: u32) -> String {
    format!("/malaka/{number}")
}

/// Requests a page without compression.
async fn page(at: SocketAddr, path: &str) -> Vec<u8> {
    let mut wire = Wire::open(at).await;
    wire.get(&wire::request(path, false)).await.body
}

/// Prints the size of a board page with everything that it loads.
async fn weight(at: SocketAddr) {
    let page = String::from_utf8(page(at, &board_path(1)).await).expect("a page is UTF-8");
    let assets = page.split('"').filter(|it| it.starts_with("/assets/")).map(str::to_owned);
    let mut wire = Wire::open(at).await;
    let mut total = 0;
    for path in std::iter::once(board_path(1)).chain(assets) {
        let response = wire.get(&wire::request(&path, true)).await;
        assert_eq!(response.status, 200, "{path}");
        println!("  {:>7} bytes compressed  {path}", response.body.len());
        total += response.body.len();
    }
    println!("  {total:>7} bytes in all (goal: 61,440)");
}

/// Measures the maximum requests a second, and the latency at half of that rate.
async fn rates(ours: SocketAddr, bare: SocketAddr) {
    let same = |path: &str, packed| vec![wire::request(path, packed)];
    let boards: Vec<Vec<u8>> =
        (1..=SHOWN).map(|number| wire::request(&board_path(number), true)).collect();
    let hello = most("bare axum, hello", bare, same("/hello", false)).await;
    let file = most("static file of a page's size", bare, same("/file", false)).await;
    let one = most("a board page, the same", ours, same(&board_path(1), true)).await;
    let pages = most("a board page, 1,000 boards in turn", ours, boards.clone()).await;
    println!(
        "    {:.2} x the file (goal 0.2), {:.2} x hello; the same page {:.2} x the file",
        pages / file,
        pages / hello,
        one / file
    );
    let (median, late) = paced(ours, boards, pages / 2.0).await;
    println!("    at half of that: median {median:.1?}, p99 {late:.1?} (goal 20 ms)");
}

/// Sends requests as fast as answers come and returns requests a second.
async fn most(what: &str, at: SocketAddr, requests: Vec<Vec<u8>>) -> f64 {
    let (requests, next) = (Arc::new(requests), Arc::new(AtomicU32::new(0)));
    let start = Instant::now();
    let asking = (0..CONNECTIONS).map(|_| {
        let (requests, next) = (Arc::clone(&requests), Arc::clone(&next));
        tokio::spawn(async move {
            let mut wire = Wire::open(at).await;
            let mut answered = 0_u32;
            while start.elapsed() < TIME {
                let index = next.fetch_add(1, Ordering::Relaxed) as usize % requests.len();
                assert_eq!(wire.get(&requests[index]).await.status, 200);
                answered += 1;
            }
            answered
        })
    });
    let mut answered = 0;
    for one in asking.collect::<Vec<_>>() {
        answered += one.await.expect("it asks");
    }
    let rate = f64::from(answered) / start.elapsed().as_secs_f64();
    println!("  {what:<40} {rate:>9.0}/s");
    rate
}

/// Sends requests at a steady rate and returns median and 99th percentile of the time from when a
/// request was due to its answer.
async fn paced(at: SocketAddr, requests: Vec<Vec<u8>>, rate: f64) -> (Duration, Duration) {
    let (requests, next) = (Arc::new(requests), Arc::new(AtomicU32::new(0)));
    let start = Instant::now();
    let asking = (0..CONNECTIONS).map(|_| {
        let (requests, next) = (Arc::clone(&requests), Arc::clone(&next));
        tokio::spawn(async move {
            let mut wire = Wire::open(at).await;
            let mut times = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let due = Duration::from_secs_f64(f64::from(index) / rate);
                if due > TIME {
                    return times;
                }
                tokio::time::sleep_until((start + due).into()).await;
                wire.get(&requests[index as usize % requests.len()]).await;
                times.push(start.elapsed().saturating_sub(due));
            }
        })
    });
    let mut times = Vec::new();
    for one in asking.collect::<Vec<_>>() {
        times.extend(one.await.expect("it asks"));
    }
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Opens 5,000 pages and measures how long a move takes to appear on one.
async fn live(ours: &Running, program: &Path, home: &Path) {
    let before = benches::memory(&ours.child, "VmRSS");
    let mut listeners = Vec::new();
    for number in 1..=LISTENERS {
        let mut wire = Wire::open(ours.at).await;
        wire.listen(&format!("/events?board=malaka+{number}")).await;
        listeners.push(wire);
    }
    println!("{LISTENERS} listeners");
    let after = benches::memory(&ours.child, "VmRSS");
    println!("  memory {} MB, before {} MB (goal: 100 MB)", after / 1024, before / 1024);
    let used = ours.used();
    tokio::time::sleep(Duration::from_secs(10)).await;
    println!("  idle for 10 s: {} ms of the processor", (ours.used() - used) * 10);
    let mut seen = Vec::new();
    let mut alone = Vec::new();
    for number in 1..=MOVES {
        let game = games::find("malaka").expect("Malaka is a game");
        let (board, text) = town::board(game, number);
        let player = match board.position().next() {
            games::Next::Move(seat) => board.player(seat).clone(),
            _ => unreachable!("it waits for a move"),
        };
        let old = page(ours.at, &board_path(number)).await;
        let start = Instant::now();
        let mut child = Command::new(program)
            .arg("--home")
            .arg(home)
            .args(["--as-operator", "malaka", "move", &number.to_string()])
            .args([player.as_str(), &text])
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary runs");
        listeners[number as usize - 1].event().await;
        let new = page(ours.at, &board_path(number)).await;
        seen.push(start.elapsed());
        assert!(child.wait().expect("it ends").success() && old != new, "the move is on the page");
        let start = Instant::now();
        let version = Command::new(program).arg("--version").stdout(Stdio::null()).status();
        assert!(version.expect("the binary runs").success());
        alone.push(start.elapsed());
    }
    seen.sort_unstable();
    alone.sort_unstable();
    println!(
        "  a move by `postboard malaka move`, from its start to the changed page: median {:.1?}, \
         most {:.1?} (goal 200 ms from the commit; the start alone takes {:.1?})",
        seen[seen.len() / 2],
        seen[seen.len() - 1],
        alone[alone.len() / 2]
    );
}
