//! Thousands of random commands of twenty users over all games: nothing panics, and the home is in
//! order at the end.

use games::{AnyGame, GAMES, Next, Seat};
use postboard::base::chance::Entropy;
use postboard::base::password::Hashing;
use postboard::base::time::{DAY, HOUR, Time, seconds};
use postboard::config::{Config, SAMPLE};
use postboard::model::board::{Board, Status};
use postboard::model::seeks::Seeks;
use postboard::model::token::TokenKey;
use postboard::model::world::{count_key, seeks_key};
use postboard::server::check::check;
use postboard::server::remind;
use postboard::server::{Server, Setup};
use postboard::store::{Documents as _, Key, Memory, Store};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha20Rng;

const USERS: usize = 20;

struct Town {
    setup: Setup,
    store: Memory,
    dice: Entropy,
    chance: ChaCha20Rng,
    now: Time,
    mails: usize,
    boards: Vec<(&'static dyn AnyGame, u32)>,
}

impl Town {
    fn new(seed: u64) -> Self {
        let config = Config::read(SAMPLE).unwrap();
        let setup = Setup {
            identity: config.identity(),
            config,
            key: TokenKey::new([7; 32]),
            hashing: Hashing::quick(),
        };
        let mut town = Self {
            setup,
            store: Memory::new(),
            dice: Entropy(ChaCha20Rng::seed_from_u64(seed)),
            chance: ChaCha20Rng::seed_from_u64(seed + 1),
            now: Time::from_unix(1_100_000_000),
            mails: 0,
            boards: Vec::new(),
        };
        for user in 0..USERS {
            town.mail(user, &format!("signup user{user} secret{user}"));
        }
        town
    }

    fn mail(&mut self, user: usize, subject: &str) {
        self.mails += 1;
        let raw = format!(
            "Return-Path: <user{user}@example.org>\r\nFrom: user{user}@example.org\r\n\
             To: postboard@localhost\r\nSubject: {subject}\r\nMessage-ID: <{}@example.org>\r\n\
             Date: Fri, 20 Aug 2004 12:00:00 +0000\r\n\r\nhello\r\n",
            self.mails
        );
        let mut server = Server::new(&self.setup, &mut self.dice);
        server.mail(raw.as_bytes(), &self.store, self.now).unwrap();
        let transaction = server.take();
        self.store.commit(transaction).unwrap();
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.chance.random_range(0..words.len())]
    }

    fn board(&self, game: &'static dyn AnyGame, number: u32) -> Board {
        let text = self.store.load(&Key::Board(game.spec().name, number)).unwrap().text.unwrap();
        Board::read(&text).unwrap()
    }

    fn challenge(&mut self) {
        let game = GAMES[self.chance.random_range(0..GAMES.len())];
        let name = game.spec().name;
        let (a, b) = (self.chance.random_range(0..USERS), self.chance.random_range(0..USERS));
        let option = match name {
            "backgammon" => self.one_of(&["", "-match=3", "-jacoby", "-nocube", "--unrated"]),
            "malaka" => self.one_of(&["", "-many", "-no_stagger"]),
            _ => self.one_of(&["", "--private", "--nagtime=1", "--totaltime=2"]),
        };
        self.mail(a, &format!("{name} challenge user{a} user{b} {option}"));
        self.count_boards(name);
    }

    /// A board may have been set up.
    fn count_boards(&mut self, name: &str) {
        let game = games::find(name).unwrap();
        let name = game.spec().name;
        let count = self.store.load(&count_key(name)).unwrap().text;
        let count: u32 = count.map_or(0, |text| text.trim().parse().unwrap());
        let known = self.boards.iter().filter(|(of, _)| of.spec().name == name).count();
        if count as usize > known {
            self.boards.push((game, count));
        }
    }

    /// Open challenges, who accepts them, and who hears of boards.
    fn seek(&mut self) {
        let game = GAMES[self.chance.random_range(0..GAMES.len())].spec().name;
        let user = self.chance.random_range(0..USERS);
        let proof = format!("user{user} secret{user}");
        let seeks = self.store.load(&seeks_key(game)).unwrap().text;
        let seeks = seeks.map(|text| Seeks::read(&text).unwrap());
        let last = seeks.map_or(1, |seeks| seeks.next());
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

    /// Something said about a board, most often what can be played.
    fn act(&mut self) {
        let (game, number) = self.boards[self.chance.random_range(0..self.boards.len())];
        let name = game.spec().name;
        let board = self.board(game, number);
        let seat = match board.status() {
            Status::ToMove(seat) if self.chance.random_range(0..5) > 0 => seat,
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

    fn remind(&mut self) {
        let mut server = Server::new(&self.setup, &mut self.dice);
        remind::run(&mut server, &mut self.store, None, self.now, &mut |_| true).unwrap();
    }
}

fn live(seed: u64, commands: usize) {
    let mut town = Town::new(seed);
    for command in 0..commands {
        town.now += seconds(town.chance.random_range(0..HOUR.seconds()));
        if town.boards.len() < 4 || town.chance.random_range(0..60) == 0 {
            town.challenge();
        } else if town.chance.random_range(0..20) == 0 {
            town.seek();
        } else {
            town.act();
        }
        if command % 250 == 249 {
            town.now += 2 * DAY;
            town.remind();
        }
    }
    let report = check(&town.store, town.now).unwrap();
    assert_eq!([report.wrong, report.mended].concat(), Vec::<String>::new(), "seed {seed}");
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
    live(8, 2_000);
}

#[test]
#[ignore = "12 seconds: cargo test --test postboard ten_thousand -- --ignored"]
fn a_home_is_in_order_after_ten_thousand_random_commands() {
    (2..7).for_each(|seed| live(seed, 10_000));
}
