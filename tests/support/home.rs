//! A home in this process, with a fixed key, clock and random generator.

use postboard::base::chance::{Entropy, RandomSource};
use postboard::base::ids::{BoardId, UserId};
use postboard::base::password::Hashing;
use postboard::base::time::Time;
use postboard::config::{Config, SAMPLE};
use postboard::model::board::Board;
use postboard::model::dice::DiceKeys;
use postboard::model::rate_limit::RateLimits;
use postboard::model::token::TokenKey;
use postboard::model::user::User;
use postboard::model::world::{board_key, user_key};
use postboard::server::check::check;
use postboard::server::{Server, Setup, remind};
use postboard::store::{Key, Letter, MemoryStore, Store};
use rand::SeedableRng as _;
use rand_chacha::ChaCha20Rng;
use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;

/// The key of the tests' homes, which determines dice, reply addresses and codes.
pub(crate) const KEY: [u8; 32] = [7; 32];

/// The time at which homes in memory start: 9 November 2004.
pub(crate) const START: Time = Time::from_unix(1_100_000_000);

/// Returns the sample configuration with reply addresses such as `postboard+tag@localhost`.
pub(crate) fn config() -> Config {
    static CONFIG: LazyLock<Config> =
        LazyLock::new(|| Config::read(&SAMPLE.replace("plus = false", "plus = true")).unwrap());
    CONFIG.clone()
}

/// Returns the setup of a server with this configuration, the tests' key and cheap password hashes.
pub(crate) fn setup(config: Config) -> Setup {
    Setup {
        identity: config.identity(),
        config,
        key: TokenKey::new(KEY),
        dice: DiceKeys::new(&KEY, Vec::new()),
        hashing: Hashing::quick(),
    }
}

/// Removes the limits on mails and answers.
pub(crate) fn lift_limits(setup: &mut Setup) {
    setup.config.limits.rate_limits = RateLimits::open();
    setup.config.limits.mails_a_day = NonZeroU32::MAX;
}

/// Returns a random generator with this seed, so that each run has the same dice and bytes.
pub(crate) fn seeded(seed: u64) -> Entropy {
    Entropy(ChaCha20Rng::seed_from_u64(seed))
}

/// Checks that `postboard check` finds nothing to report or repair in a home.
#[track_caller]
pub(crate) fn assert_sound(store: &dyn Store, now: Time) {
    let report = check(store, now).unwrap();
    assert_eq!([report.wrong, report.mended].concat(), Vec::<String>::new());
}

/// A server with its home and clock, which executes mails.
pub(crate) struct Home<S = MemoryStore, R = Entropy> {
    pub(crate) setup: Setup,
    pub(crate) store: S,
    pub(crate) chance: R,
    pub(crate) now: Time,
    /// The lines of the operator's log.
    pub(crate) log: Vec<String>,
    /// The number of mails so far, for their Message-IDs.
    pub(crate) mails: usize,
}

impl<S: Store, R: RandomSource> Home<S, R> {
    pub(crate) fn of(setup: Setup, store: S, chance: R) -> Self {
        Self { setup, store, chance, now: START, log: Vec::new(), mails: 0 }
    }

    pub(crate) fn without_limits(mut self) -> Self {
        lift_limits(&mut self.setup);
        self
    }

    /// Executes mails in one transaction and returns the resulting letters.
    pub(crate) fn execute(&mut self, mails: &[impl AsRef<[u8]>]) -> Vec<Letter> {
        let mut server = Server::new(&self.setup, &mut self.chance);
        for mail in mails {
            server.execute_mail(mail.as_ref(), &self.store, self.now).unwrap();
        }
        self.log.append(&mut server.log);
        let mut transaction = server.take_transaction();
        let letters = std::mem::take(&mut transaction.letters);
        self.store.commit(transaction).unwrap();
        letters
    }

    /// Executes a mail whose lines end with line feeds, and returns the resulting letters.
    pub(crate) fn raw(&mut self, mail: &str) -> Vec<Letter> {
        self.execute(&[mail.replace('\n', "\r\n")])
    }

    /// Writes a mail with a new Message-ID; each of `headers` ends with a line feed.
    pub(crate) fn written(
        &mut self,
        from: &str,
        to: &str,
        subject: &str,
        headers: &str,
        text: &str,
    ) -> String {
        self.mails += 1;
        let number = self.mails;
        let raw = format!(
            "From: {from}\nTo: {to}\nSubject: {subject}\nMessage-ID: <{number}@x.example>\n\
             Date: Fri, 20 Aug 2004 12:00:00 +0000\n{headers}\n{text}\n"
        );
        raw.replace('\n', "\r\n")
    }

    /// Writes a user's mail to the server, with the Return-Path of their mail server.
    pub(crate) fn written_by(&mut self, user: &str, subject: &str, text: &str) -> String {
        let (from, to) = (format!("{user}@example.org"), self.address());
        self.written(&from, &to, subject, &format!("Return-Path: <{from}>\n"), text)
    }

    /// Sends a mail and returns the resulting letters.
    pub(crate) fn send(
        &mut self,
        from: &str,
        to: &str,
        subject: &str,
        headers: &str,
        text: &str,
    ) -> Vec<Letter> {
        let mail = self.written(from, to, subject, headers, text);
        self.execute(&[mail])
    }

    /// Sends a user's mail to the server and returns the resulting letters.
    pub(crate) fn mail(&mut self, user: &str, subject: &str, text: &str) -> Vec<Letter> {
        let mail = self.written_by(user, subject, text);
        self.execute(&[mail])
    }

    /// Acts on all boards and documents that are due. The letters stay in the store.
    pub(crate) fn remind(&mut self) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        remind::run(&mut server, &mut self.store, None, self.now, &mut |_| true).unwrap();
        self.log.append(&mut server.log);
    }

    /// Returns the address of the server.
    pub(crate) fn address(&self) -> String {
        self.setup.identity.address.to_string()
    }

    pub(crate) fn text(&self, key: &Key) -> String {
        self.store.load(key).unwrap().text.unwrap()
    }

    pub(crate) fn board(&self, id: BoardId) -> Board {
        Board::read(&self.text(&board_key(id))).unwrap()
    }

    pub(crate) fn user(&self, name: &str) -> User {
        User::read(&self.text(&user_key(&UserId::parse(name).unwrap()))).unwrap()
    }

    /// Counts the log lines that contain these words.
    pub(crate) fn logged(&self, words: &str) -> usize {
        self.log.iter().filter(|line| line.contains(words)).count()
    }

    /// Checks that `postboard check` finds nothing to report or repair.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        assert_sound(&self.store, self.now);
    }
}

/// A home in which alice, bob and carol play. Its destructor checks that the home is sound and that
/// the log has no passwords.
pub(crate) struct Town(Home);

impl Town {
    pub(crate) fn new(domain: &str, plus: bool) -> Self {
        let sample = SAMPLE.replace("postboard@localhost", &format!("post@{domain}"));
        let sample = sample.replace("plus = false", &format!("plus = {plus}"));
        let setup = setup(Config::read(&sample).unwrap());
        assert_eq!(setup.identity.address.domain(), domain);
        let mut town = Self(Home::of(setup, MemoryStore::new(), seeded(7)));
        for user in ["alice", "bob", "carol"] {
            town.say(user, &format!("signup {user} secret"));
        }
        town
    }

    pub(crate) fn without_limits(mut self) -> Self {
        lift_limits(&mut self.0.setup);
        self
    }

    /// Sends a user's command and returns the resulting letters.
    pub(crate) fn say(&mut self, user: &str, subject: &str) -> Vec<Letter> {
        let to = self.address();
        self.send(&format!("{user}@example.org"), &to, subject, "", "hello")
    }

    /// Runs the clock and returns the letters.
    pub(crate) fn tick(&mut self) -> Vec<Letter> {
        self.store.take_letters();
        self.remind();
        self.store.take_letters()
    }
}

impl Deref for Town {
    type Target = Home;

    fn deref(&self) -> &Home {
        &self.0
    }
}

impl DerefMut for Town {
    fn deref_mut(&mut self) -> &mut Home {
        &mut self.0
    }
}

impl Drop for Town {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.assert_sound();
            assert!(self.log.iter().all(|line| !line.contains("secret")));
        }
    }
}
