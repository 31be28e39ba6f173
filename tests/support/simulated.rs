//! A home of simulated players, who play better or worse, sleep and go on vacation.

use crate::support::home::{assert_sound, config, lift_limits, seeded, setup};
use postboard::base::chance::Entropy;
use postboard::base::time::Time;
use postboard::model::board::Board;
use postboard::server::check::check;
use postboard::server::{Server, Setup, ShellAnswer, remind, shell_request};
use postboard::store::{DocumentChange, Documents as _, Key, MemoryStore, Store as _, Transaction};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha20Rng;

/// When the simulation begins.
const START: Time = Time::from_unix(1_795_238_400);

/// A home with the players `p0`, `p1` and so on, whose commands come from the shell.
pub(crate) struct SimulatedHome {
    pub(crate) store: MemoryStore,
    pub(crate) setup: Setup,
    pub(crate) chance: Entropy,
    pub(crate) random: ChaCha20Rng,
    pub(crate) now: Time,
    /// The strength of each player, by number.
    strengths: Vec<f64>,
    /// The players who never move.
    pub(crate) asleep: Vec<usize>,
}

impl SimulatedHome {
    pub(crate) fn new(seed: u64, players: usize) -> Self {
        let mut setup = setup(config());
        lift_limits(&mut setup);
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        let strengths = (0..players).map(|_| random.random_range(-2.0..2.0)).collect();
        let asleep = (0..players).filter(|_| random.random_range(0..12) == 0).collect();
        let (store, chance) = (MemoryStore::new(), seeded(seed));
        let mut home = Self { store, setup, chance, random, now: START, strengths, asleep };
        for player in 0..players {
            home.say(false, &format!("signup p{player} secret p{player}@pbm.test"));
        }
        home
    }

    /// Executes a command of the shell, which may be refused.
    pub(crate) fn said(&mut self, operator: bool, line: &str) -> ShellAnswer {
        let mut server = Server::new(&self.setup, &mut self.chance);
        let request = shell_request(line.into(), operator, String::new());
        let answer = server.execute_shell_command(&request, &self.store, self.now).unwrap();
        let done = server.take_transaction();
        self.commit(done);
        answer
    }

    /// Executes a command of the shell, which must succeed.
    pub(crate) fn say(&mut self, operator: bool, line: &str) -> String {
        let ShellAnswer { text, is_done } = self.said(operator, line);
        assert!(is_done, "{line}: {text}");
        text
    }

    /// Commits a transaction, and drops its letters.
    pub(crate) fn commit(&mut self, transaction: Transaction) {
        self.store.commit(transaction).unwrap();
        self.store.take_letters();
    }

    pub(crate) fn remind(&mut self) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        remind::run(&mut server, &mut self.store, None, self.now, &mut |_| true).unwrap();
        self.store.take_letters();
    }

    pub(crate) fn text(&self, key: &Key) -> Option<String> {
        self.store.load(key).unwrap().text
    }

    /// Changes the text of a document.
    pub(crate) fn change(&mut self, key: &Key, change: impl Fn(String) -> String) {
        let found = self.store.load(key).unwrap();
        let text = change(found.text.unwrap());
        let changes = vec![DocumentChange { key: key.clone(), was: found.version, text }];
        self.commit(Transaction { changes, ..Transaction::default() });
    }

    pub(crate) fn board(&self, game: &'static str, number: u32) -> Board {
        Board::read(&self.text(&Key::Board(game, number)).unwrap()).unwrap()
    }

    /// Returns which of two players loses their game: the weaker one more often.
    pub(crate) fn loser(&mut self, players: [usize; 2]) -> usize {
        let [one, other] = players;
        let edge = self.strengths[one] - self.strengths[other];
        if self.random.random_bool(1.0 / (1.0 + edge.exp())) { one } else { other }
    }

    /// Sends a random player on a vacation of nine days, on one day of ten.
    pub(crate) fn send_on_vacation(&mut self) {
        if self.random.random_range(0..10) == 0 {
            let player = self.random.random_range(0..self.strengths.len());
            let until = self.now.day().plus(9);
            self.said(true, &format!("vacation p{player} {until}"));
        }
    }

    /// Returns what `check` finds.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let report = check(&self.store, self.now).unwrap();
        [report.wrong, report.mended].concat()
    }

    /// Checks that `check` finds nothing.
    pub(crate) fn assert_sound(&self) {
        assert_sound(&self.store, self.now);
    }
}
