//! Thousands of random commands by twenty users in all games: no panic, and the home is sound at
//! the end.

use crate::support::home::{Home, seeded, setup};
use games::{AnyGame, GAMES, Next, Seat};
use postboard::base::ids::BoardId;
use postboard::base::key::MAILBOXES;
use postboard::base::time::{DAY, HOUR, seconds};
use postboard::config::{Config, SAMPLE};
use postboard::model::board::{Board, BoardStatus};
use postboard::model::seeks::Seeks;
use postboard::model::world::{count_key, seeks_key};
use postboard::model::{user, user_index};
use postboard::shell::mails::batch::MailBatch;
use postboard::store::{DocumentKind, Documents, Home as _, Key, Letter, MemoryHome, MemoryStore};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;

/// The users of a small home.
const FEW: usize = 20;

/// The games with open challenges: few, so that some are accepted.
const SOUGHT: usize = 3;

struct Simulation {
    users: usize,
    seed: u64,
    home: Home,
    chance: ChaCha20Rng,
    mails: Vec<Vec<u8>>,
    boards: Vec<(&'static dyn AnyGame, u32)>,
}

impl Simulation {
    fn new(seed: u64, users: usize) -> Self {
        let setup = setup(Config::read(SAMPLE).unwrap());
        let mut town = Self {
            users,
            seed,
            home: Home::of(setup, MemoryStore::new(), seeded(seed)),
            chance: ChaCha20Rng::seed_from_u64(seed + 1),
            mails: Vec::new(),
            boards: Vec::new(),
        };
        for user in 0..users {
            town.mail(user, &format!("signup user{user} secret{user}"));
        }
        town
    }

    fn mail(&mut self, user: usize, subject: &str) {
        let raw = self.home.written_by(&format!("user{user}"), subject, "hello");
        self.home.execute(&[&raw]);
        self.mails.push(raw.into_bytes());
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.chance.random_range(0..words.len())]
    }

    fn board(&self, game: &'static dyn AnyGame, number: u32) -> Board {
        self.home.board(BoardId { game: game.spec().name, number })
    }

    fn challenge(&mut self) {
        let mut user = || self.chance.random_range(0..self.users);
        let players = (user(), user());
        self.challenge_of(players);
    }

    fn challenge_of(&mut self, (a, b): (usize, usize)) {
        let game = GAMES[self.chance.random_range(0..GAMES.len())];
        let name = game.spec().name;
        let option = match name {
            "backgammon" => self.one_of(&["", "-match=3", "-jacoby", "-nocube", "--unrated"]),
            "malaka" => self.one_of(&["", "-many", "-no_stagger"]),
            _ => self.one_of(&["", "--private", "--nagtime=1", "--totaltime=2"]),
        };
        self.mail(a, &format!("{name} challenge user{a} user{b} {option}"));
        self.count_boards(name);
    }

    /// Adds the board that a command may have set up.
    fn count_boards(&mut self, name: &str) {
        let game = games::find(name).unwrap();
        let name = game.spec().name;
        let count = self.home.store.load(&count_key(name)).unwrap().text;
        let count: u32 = count.map_or(0, |text| text.trim().parse().unwrap());
        let known = self.boards.iter().filter(|(of, _)| of.spec().name == name).count();
        if count as usize > known {
            self.boards.push((game, count));
        }
    }

    /// Posts, accepts or lists open challenges, or turns notices on and off.
    fn seek(&mut self) {
        let game = GAMES[self.chance.random_range(0..SOUGHT)].spec().name;
        let user = self.chance.random_range(0..self.users);
        let proof = format!("user{user} secret{user}");
        let seeks = self.home.store.load(&seeks_key(game)).unwrap().text;
        let seeks = seeks.map(|text| Seeks::read(&text).unwrap());
        let last = seeks.map_or(1, |seeks| seeks.next_number());
        let number = self.chance.random_range(last.saturating_sub(4)..=last);
        let option =
            self.one_of(&["", "", "off", "--unrated", "--private", "--min=1500", "--max=1550"]);
        let wanted = self.one_of(&["on", "off"]);
        let line = match self.chance.random_range(0..8) {
            0..3 => format!("{game} seek {proof} {option}"),
            3..6 => format!("{game} accept-seek {number} {proof}"),
            6 => format!("{game} notify {proof} {wanted}"),
            _ => format!("list {game}"),
        };
        self.mail(user, &line);
        self.count_boards(game);
    }

    /// Sends a command about a random board, most often a legal move.
    fn act(&mut self) {
        let board = self.boards[self.chance.random_range(0..self.boards.len())];
        self.act_on(board);
    }

    fn act_on(&mut self, (game, number): (&'static dyn AnyGame, u32)) {
        let name = game.spec().name;
        let board = self.board(game, number);
        let seat = match board.status() {
            BoardStatus::ToMove(seat) if self.chance.random_range(0..5) > 0 => seat,
            _ => Seat::BOTH[self.chance.random_range(0..2)],
        };
        let user: usize = board.player(seat).as_str()["user".len()..].parse().unwrap();
        let moves = match board.position().next() {
            Next::Over(_) => vec!["pass".to_owned()],
            Next::Ready(..) => [vec!["roll".to_owned()], board.position().moves()].concat(),
            _ => board.position().moves(),
        };
        let text = moves[self.chance.random_range(0..moves.len())].clone();
        let proof = format!("user{user} secret{user}");
        let verb = self.one_of(&[
            "undo",
            "propose",
            "accept",
            "reject",
            "resign",
            "chat",
            "confirm",
            "pass",
            "swap",
            "manual",
            "greedy",
            "double",
            "roll",
            "take",
            "drop",
            "subscribe",
        ]);
        let line = match self.chance.random_range(0..40) {
            0..28 => format!("{name} move {number} {proof} {text}"),
            28 => format!("{name} submit {number} {proof} {text}"),
            29 if number % 3 == 1 => format!("{name} plan {number} {proof} any {text}"),
            29 if number % 3 == 2 => format!("{name} plan {number} {proof} {text} | {text}"),
            29 => format!("{name} queue {number} {proof} {text}"),
            30 => format!("{name} show {number}"),
            31 => format!("{name} standings"),
            32 => format!("{name} set {proof} flip"),
            33 => format!("vacation {proof} 2004-11-20"),
            34 => format!("set {proof} words on"),
            _ => format!("{name} {verb} {number} {proof}"),
        };
        self.mail(user, &line);
    }

    fn command(&mut self) {
        if self.boards.len() < 4 || self.chance.random_range(0..60) == 0 {
            self.challenge();
        } else if self.chance.random_range(0..20) == 0 {
            self.seek();
        } else {
            self.act();
        }
    }
}

/// Makes mails that arrive at the same time, about few boards or about more boards than one batch
/// executes together.
fn mails(seed: u64, are_few: bool) -> Simulation {
    if are_few {
        let mut town = Simulation::new(seed, FEW);
        (0..250).for_each(|_| town.command());
        return town;
    }
    let mut town = Simulation::new(seed, 160);
    (0..80).for_each(|pair| town.challenge_of((2 * pair, 2 * pair + 1)));
    for _ in 0..4 {
        town.boards.clone().into_iter().for_each(|board| town.act_on(board));
    }
    town
}

/// Executes mails in a batch; returns the documents, and the letters in order.
fn executed(town: &Simulation, is_careful: bool) -> (Vec<(Key, String)>, Vec<Letter>) {
    let home = MemoryHome::new();
    town.mails.iter().for_each(|mail| home.put(mail, None).unwrap());
    let mut files = home.open().unwrap();
    if is_careful {
        // After a run that died, each mail is executed by itself.
        files.spool_store().mark_run().unwrap();
    }
    let mut chance = seeded(town.seed);
    let clock = || town.home.now;
    let mut batch = MailBatch::new(&town.home.setup, &mut chance, &clock, &|_| ());
    assert!(!batch.execute_spool(&mut *files, &|| false).unwrap());
    let letters = home.unsent_letters().unwrap().into_iter().map(|unsent| unsent.letter).collect();
    (documents(&*files), letters)
}

/// Returns all documents of a home.
fn documents(store: &dyn Documents) -> Vec<(Key, String)> {
    let boards = GAMES.iter().map(|game| DocumentKind::Boards(game.spec().name));
    let drawers = [user::COLLECTION, MAILBOXES, user_index::COLLECTION].map(DocumentKind::In);
    let listed = boards.chain(drawers).flat_map(|kind| store.keys(kind).unwrap());
    let others = GAMES.iter().map(|game| game.spec().name);
    let others = others.flat_map(|name| [count_key(name), seeks_key(name)]);
    let text = |key: Key| Some((key.clone(), store.load(&key).unwrap().text?));
    listed.chain(others).filter_map(text).collect()
}

#[test]
fn mails_of_two_workers_come_to_the_same_as_one_after_the_other() {
    for (seed, are_few) in [(0, true), (1, true), (2, false), (3, false)] {
        let town = mails(seed, are_few);
        let alone = executed(&town, true);
        let beside = executed(&town, false);
        assert_eq!(
            alone.0,
            documents(&town.home.store),
            "seed {seed}: the mails are executed again"
        );
        assert!(alone == beside, "seed {seed}");
    }
}

fn live(seed: u64, commands: usize) {
    let mut town = Simulation::new(seed, FEW);
    for command in 0..commands {
        town.home.now += seconds(town.chance.random_range(0..HOUR.seconds()));
        town.command();
        if command % 250 == 249 {
            town.home.now += 2 * DAY;
            town.home.remind();
        }
    }
    town.home.assert_sound();
    let ended = town.boards.iter().filter(|(game, number)| town.board(*game, *number).is_over());
    let ended = ended.count();
    assert!(
        town.boards.iter().any(|(game, number)| {
            let board = town.board(*game, *number);
            board.challenger.is_none()
        }),
        "no open challenge was accepted"
    );
    assert!(ended > commands / 1_000, "hardly a board has ended");
}

#[test]
fn a_home_is_in_order_after_random_commands() {
    live(9, 2_000);
}

#[test]
#[ignore = "12 seconds: cargo test --test postboard ten_thousand_random -- --ignored"]
fn a_home_is_in_order_after_ten_thousand_random_commands() {
    (2..7).for_each(|seed| live(seed, 10_000));
}
