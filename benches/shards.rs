//! A simulation of many moves a second: boards distributed over shards of a database, and workers
//! that execute groups of mails as the program does.
//!
//! `cargo bench --bench shards` is a function of its seed. The cost of a mail was measured by
//! `cargo bench --bench scale`, the length of games is counted here, and the rest is assumed in the
//! module `assumed`.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the counts are small"
)]
#![expect(clippy::print_stdout, reason = "a benchmark prints its results")]

use games::{Chance, Choices};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// Measured by `cargo bench --bench scale` on two cores, in seconds and bytes: see docs/performance.md.
mod measured {
    /// The processor time of a worker for a mail.
    pub(super) const WORKER: f64 = 640e-6;
    /// The processor time of the database for a mail.
    pub(super) const ENGINE: f64 = 650e-6;
    /// The bytes that a mail adds to the database's log.
    pub(super) const LOG: f64 = 9_000.0;
    /// The time of a sync: a single `pgbench` client makes 595 transactions a second.
    pub(super) const SYNC: f64 = 1.6e-3;
    /// The number of sequential queries of a worker for a group, counted.
    pub(super) const QUESTIONS: u32 = 40;
}

/// Assumed, in seconds.
mod assumed {
    /// The round trip from a worker to a shard.
    pub(super) const TRIP: f64 = 0.5e-3;
    /// The round trip from a shard to its replicas in other zones.
    pub(super) const REPLICA: f64 = 1.0e-3;
    /// The processors of a shard for transactions.
    pub(super) const CORES: usize = 8;
    /// The time of one more shard in a transaction: prepare, and commit.
    pub(super) const PREPARE: f64 = 100e-6;
    /// The maximum utilization of a shard's processors.
    pub(super) const BUSY: f64 = 0.6;
    /// The bytes a second that a shard's disk can write.
    pub(super) const DISK: f64 = 50e6;
    /// The time within which 99 % of the mails must be done.
    pub(super) const SOON: f64 = 1.0;
}

/// The maximum size of a group, as in the program.
const GROUP: usize = 64;
/// The minimum number of simulated mails and the minimum time; the beginning is not counted.
const MAILS: f64 = 20_000.0;
const SECONDS: f64 = 4.0;
const SETTLED: f64 = 2.0;
const SEED: u64 = 16;

/// The distribution of rows over shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    /// Each row by its own name.
    ByName,
    /// All rows of a board by the board; players and their daily counts by their names.
    ByBoard,
    /// As `ByBoard`, with a copy of the players' data that a move needs.
    WithPlayers,
}

/// The kind of a mail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It begins a board: its number comes from the one row that counts the boards of a game.
    Begin,
    Move,
    /// It ends a board, which changes both players.
    End,
}

impl Spread {
    /// Returns the number of a mail's rows on other shards than its board's.
    fn elsewhere(self, kind: Kind) -> usize {
        match (self, kind) {
            // Two receipts, two letters, a look, two players, two counts of mails, the mail, the board.
            (Self::ByName, Kind::Move) => 10,
            (Self::ByName, _) => 12,
            (Self::ByBoard, Kind::Move) => 4,
            (Self::ByBoard, _) => 6,
            (Self::WithPlayers, Kind::Move) => 0,
            (Self::WithPlayers, _) => 4,
        }
    }
}

/// Pseudorandom numbers.
struct Numbers(Chance);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0.below(most)
    }

    fn share(&mut self) -> f64 {
        const FINE: usize = 1 << 30;
        (self.below(FINE) + 1) as f64 / FINE as f64
    }

    /// Returns the time to the next event of a Poisson process.
    fn pause(&mut self, often: f64) -> f64 {
        -self.share().ln() / often
    }
}

/// A waiting mail.
#[derive(Clone, Copy)]
struct Mail {
    came: f64,
    kind: Kind,
    game: usize,
}

struct Shard {
    waiting: VecDeque<Mail>,
    idle: usize,
    /// The time at which each of its processors is free.
    free: [f64; assumed::CORES],
    busy: f64,
    /// The number of mails that a worker takes at once.
    group: usize,
}

impl Shard {
    /// Schedules work on one processor and returns the time of its end.
    fn work(&mut self, now: f64, time: f64) -> f64 {
        let least = self.free.iter_mut().min_by(|a, b| a.total_cmp(b)).expect("it has some");
        *least = least.max(now) + time;
        self.busy += time;
        *least
    }
}

enum Event {
    Arrival,
    /// A worker has executed a group and commits it. Holds the counts as they were read.
    Commit(usize, Vec<Mail>, Vec<u64>),
    Done(usize, Vec<Mail>),
}

struct At(f64, u64, Event);

impl PartialEq for At {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for At {}

impl PartialOrd for At {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for At {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

/// The load and the installation.
#[derive(Clone, Copy)]
struct Setup {
    spread: Spread,
    often: f64,
    shards: usize,
    workers: usize,
    /// The moves of a game.
    moves: f64,
    games: usize,
    /// Whether a worker reserves many board numbers at once instead of one at a time.
    in_ranges: bool,
}

impl Setup {
    fn end(self) -> f64 {
        SETTLED + SECONDS.max(MAILS / self.often)
    }
}

struct World {
    setup: Setup,
    numbers: Numbers,
    shards: Vec<Shard>,
    events: BinaryHeap<Reverse<At>>,
    number: u64,
    /// The number of boards counted for each game.
    counts: Vec<u64>,
    came: Came,
}

#[derive(Default)]
struct Came {
    waits: Vec<f64>,
    again: usize,
    commits: usize,
    shards_of_commits: usize,
}

impl World {
    fn new(setup: Setup) -> Self {
        let shard = |_| Shard {
            waiting: VecDeque::new(),
            idle: setup.workers,
            free: [0.0; assumed::CORES],
            busy: 0.0,
            group: GROUP,
        };
        Self {
            setup,
            numbers: Numbers(Chance::new(SEED)),
            shards: (0..setup.shards).map(shard).collect(),
            events: BinaryHeap::new(),
            number: 0,
            counts: vec![0; setup.games],
            came: Came::default(),
        }
    }

    fn put(&mut self, at: f64, event: Event) {
        self.number += 1;
        self.events.push(Reverse(At(at, self.number, event)));
    }

    fn run(mut self) -> Self {
        self.put(0.0, Event::Arrival);
        while let Some(Reverse(At(now, _, event))) = self.events.pop() {
            if now > self.setup.end() {
                break;
            }
            match event {
                Event::Arrival => self.arrive(now),
                Event::Commit(shard, mails, counts) => self.commit(now, shard, mails, &counts),
                Event::Done(shard, mails) => {
                    let counted = mails.iter().filter(|_| now > SETTLED);
                    self.came.waits.extend(counted.map(|mail| now - mail.came));
                    self.shards[shard].idle += 1;
                    self.begin(now, shard);
                }
            }
        }
        self
    }

    fn arrive(&mut self, now: f64) {
        let share = self.numbers.share() * (self.setup.moves + 1.0);
        let kind = if share < 1.0 {
            Kind::Begin
        } else if share < 2.0 {
            Kind::End
        } else {
            Kind::Move
        };
        let (shard, game) =
            (self.numbers.below(self.setup.shards), self.numbers.below(self.setup.games));
        self.shards[shard].waiting.push_back(Mail { came: now, kind, game });
        self.begin(now, shard);
        let next = now + self.numbers.pause(self.setup.often);
        self.put(next, Event::Arrival);
    }

    /// Starts a group if a worker is idle and a mail waits.
    fn begin(&mut self, now: f64, at: usize) {
        let shard = &mut self.shards[at];
        if shard.idle == 0 || shard.waiting.is_empty() {
            return;
        }
        shard.idle -= 1;
        let count = shard.waiting.len().min(shard.group);
        let mails: Vec<Mail> = shard.waiting.drain(..count).collect();
        let asking = f64::from(measured::QUESTIONS) * assumed::TRIP;
        let ready = now + asking + measured::WORKER * count as f64;
        let counts = self.counts.clone();
        self.put(ready, Event::Commit(at, mails, counts));
    }

    /// Compares and commits a group on all of its shards.
    fn commit(&mut self, now: f64, at: usize, mails: Vec<Mail>, counts: &[u64]) {
        let begun: BTreeSet<usize> =
            mails.iter().filter(|mail| mail.kind == Kind::Begin).map(|mail| mail.game).collect();
        let time = measured::ENGINE * mails.len() as f64;
        let done = self.shards[at].work(now, time);
        if !self.setup.in_ranges && begun.iter().any(|game| counts[*game] != self.counts[*game]) {
            // Another worker has counted: the group is repeated with fewer mails.
            self.came.again += 1;
            let shard = &mut self.shards[at];
            for mail in mails.into_iter().rev() {
                shard.waiting.push_front(mail);
            }
            shard.group = (shard.group / 4).max(1);
            return self.put(done, Event::Done(at, Vec::new()));
        }
        self.shards[at].group = (self.shards[at].group * 2).min(GROUP);
        for game in &begun {
            self.counts[*game] += 1;
        }
        let mut others = BTreeSet::new();
        for mail in &mails {
            for _ in 0..self.setup.spread.elsewhere(mail.kind) {
                others.insert(self.numbers.below(self.setup.shards));
            }
        }
        others.remove(&at);
        let mut last = done;
        for other in &others {
            last = last.max(self.shards[*other].work(now + assumed::TRIP, assumed::PREPARE));
        }
        let rounds = if others.is_empty() { 1.0 } else { 2.0 };
        self.came.commits += 1;
        self.came.shards_of_commits += 1 + others.len();
        self.put(last + rounds * (assumed::REPLICA + measured::SYNC), Event::Done(at, mails));
    }

    fn busy(&self) -> f64 {
        let busy: f64 = self.shards.iter().map(|shard| shard.busy).sum();
        busy / (self.setup.end() * (self.setup.shards * assumed::CORES) as f64)
    }

    fn worst(&mut self) -> f64 {
        let waits = &mut self.came.waits;
        waits.sort_by(f64::total_cmp);
        let done = waits.len() as f64 / ((self.setup.end() - SETTLED) * self.setup.often);
        // Unfinished mails have waited longest.
        if done < 0.95 { f64::INFINITY } else { waits[waits.len() * 99 / 100] }
    }
}

/// Returns the average moves of a random game, over all games.
fn length_of_games() -> f64 {
    const EACH: u32 = 20;
    let mut moves = 0;
    for game in games::GAMES {
        for seed in 0..EACH {
            let mut chance = Chance::new(SEED + u64::from(seed));
            let mut position = game.setup(&Choices::default());
            moves += benches::random_game(&mut *position, &mut chance);
        }
    }
    moves as f64 / f64::from(EACH * u32::try_from(games::GAMES.len()).expect("few"))
}

/// Returns the smallest number of shards, a power of two, that meets the goals.
fn need(setup: Setup) -> String {
    const MOST: usize = 4_096;
    let enough = |shards: usize| {
        // Enough workers that they are busy half of the time.
        let group = f64::from(measured::QUESTIONS) * assumed::TRIP / GROUP as f64;
        let of_one = 0.5 / (measured::WORKER + group);
        let workers = (setup.often / shards as f64 / of_one).ceil() as usize + 1;
        let mut world = World::new(Setup { shards, workers, ..setup }).run();
        let (busy, worst) = (world.busy(), world.worst());
        let log = setup.often * measured::LOG / shards as f64;
        let Came { again, commits, shards_of_commits, .. } = world.came;
        let line = format!(
            "| {shards} | {} | {:.0} ms | {:.0} % | {:.1} MB/s | {:.1} | {:.1} |",
            (setup.often * measured::WORKER * 2.0).ceil(),
            worst * 1e3,
            busy * 100.0,
            log / 1e6,
            shards_of_commits as f64 / commits.max(1) as f64,
            again as f64 * 100.0 / (commits + again).max(1) as f64,
        );
        let fits = busy <= assumed::BUSY && log <= assumed::DISK;
        (fits && worst <= assumed::SOON, line)
    };
    let sizes = std::iter::successors(Some(1), |shards| Some(shards * 2));
    // Fewer shards do not have enough processors.
    let least = setup.often * measured::ENGINE / assumed::BUSY / assumed::CORES as f64;
    let mut last = String::new();
    for shards in sizes.skip_while(|it| (*it as f64) < least).take_while(|it| *it <= MOST) {
        let (is_enough, line) = enough(shards);
        if is_enough {
            return line;
        }
        last = line;
        if shards as f64 > least * 8.0 && shards > 8 {
            break;
        }
    }
    format!("{last} **not enough**")
}

fn main() {
    let (moves, games) = (length_of_games(), games::GAMES.len());
    println!("{games} games of {moves:.0} moves");
    println!(
        "| moves a second | rows lie | numbers | shards | processors of workers | 99 of 100 | busy \
         | log of a shard | shards of a commit | commits again of 100 |"
    );
    for often in [10.0, 1_000.0, 100_000.0] {
        for spread in [Spread::ByName, Spread::ByBoard, Spread::WithPlayers] {
            for in_ranges in [false, true] {
                let setup = Setup { spread, often, shards: 1, workers: 1, moves, games, in_ranges };
                let numbers = if in_ranges { "in ranges" } else { "one by one" };
                println!("| {often} | {spread:?} | {numbers} {}", need(setup));
            }
        }
    }
}
