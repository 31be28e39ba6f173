//! Open challenges and notices: their limits, their cost, and damaged files.

use crate::support::home::{Home, seeded, setup};
use crate::support::letters::sent_text;
use postboard::base::digest::Digest;
use postboard::base::time::{DAY, Day, HOUR, Time, TimeSlot};
use postboard::config::{Config, SAMPLE};
use postboard::model::document::Document as _;
use postboard::model::rate_limit::RateLimits;
use postboard::model::seeks::Seeks;
use postboard::model::user;
use postboard::model::world::seeks_key;
use postboard::server::check::check;
use postboard::store::Letter;
use postboard::store::{
    DocumentChange, DocumentKind, DocumentVersion, Documents, Fault, Indexes, Key, MailKey,
    MemoryStore, ReceiptStatus, Receipts, Register, Store, StoredDocument, Transaction, Wakeups,
};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A store in memory that counts document reads.
#[derive(Default)]
struct Counting {
    home: MemoryStore,
    loads: AtomicUsize,
}

impl Documents for Counting {
    fn load(&self, key: &Key) -> Result<StoredDocument, Fault> {
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.home.load(key)
    }

    fn keys(&self, kind: DocumentKind) -> Result<Vec<Key>, Fault> {
        self.home.keys(kind)
    }
}

impl Receipts for Counting {
    fn receipt(&self, mail: &MailKey, now: Time) -> Result<ReceiptStatus, Fault> {
        self.home.receipt(mail, now)
    }
}

impl Indexes for Counting {
    fn wakeups(&self, game: &'static str) -> Result<Wakeups, Fault> {
        self.home.wakeups(game)
    }

    fn registered(&self, register: Register) -> Result<Vec<String>, Fault> {
        self.home.registered(register)
    }

    fn unproved_days(&self, until: Day) -> Result<Vec<Day>, Fault> {
        self.home.unproved_days(until)
    }

    fn due_slots(&self) -> Result<Vec<TimeSlot>, Fault> {
        self.home.due_slots()
    }

    fn sent_count(&self, mailbox: [u8; 8], now: Time) -> Result<usize, Fault> {
        self.home.sent_count(mailbox, now)
    }
}

impl Store for Counting {
    fn remove(
        &mut self,
        documents: &[(Key, DocumentVersion)],
        register: Register,
    ) -> Result<(), Fault> {
        self.home.remove(documents, register)
    }

    fn commit(&mut self, transaction: Transaction) -> Result<(), Fault> {
        self.home.commit(transaction)
    }
}

/// Makes a home with users named user0, user1, and so on.
fn town(users: usize) -> Home<Counting> {
    let mut config = Config::read(SAMPLE).unwrap();
    config.limits.rate_limits = RateLimits::open();
    let mut town = Home::of(setup(config), Counting::default(), seeded(1));
    for user in 0..users {
        town.say(user, &format!("signup user{user} secret{user}"));
    }
    town
}

impl Home<Counting> {
    fn say(&mut self, user: usize, subject: &str) -> Vec<Letter> {
        self.mail(&format!("user{user}"), subject, "")
    }

    /// Executes commands in one transaction.
    fn say_together(&mut self, commands: &[(usize, &str)]) -> Vec<Letter> {
        let mails: Vec<String> = commands
            .iter()
            .map(|(user, subject)| self.written_by(&format!("user{user}"), subject, ""))
            .collect();
        self.execute(&mails)
    }

    /// Sends a command and returns the first letter in one line.
    fn said(&mut self, user: usize, subject: &str) -> String {
        let letters = self.say(user, subject);
        one_line(&letters[0])
    }

    /// Counts the documents that a command reads.
    fn cost(&mut self, user: usize, subject: &str) -> usize {
        let before = self.store.loads.load(Ordering::Relaxed);
        let answer = self.said(user, subject);
        assert!(!answer.contains("Not done"), "{answer}");
        self.store.loads.load(Ordering::Relaxed) - before
    }

    /// Writes a document as an operator who edits its file.
    fn edit(&mut self, key: Key, text: &str) {
        let was = self.store.home.load(&key).unwrap().version;
        let changes = vec![DocumentChange { key, was, text: text.to_owned() }];
        self.store.commit(Transaction { changes, ..Transaction::default() }).unwrap();
    }

    /// Returns the errors that `check` reports, and the errors that it can repair.
    fn check(&self) -> (Vec<String>, Vec<String>) {
        let report = check(&self.store, self.now).unwrap();
        (report.wrong, report.mended)
    }

    fn repair(&mut self) {
        let report = check(&self.store, self.now).unwrap();
        self.store.commit(report.repair).unwrap();
    }
}

fn one_line(letter: &Letter) -> String {
    let text = sent_text(letter);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const SEEKS: Key = seeks_key("malaka");

#[test]
fn at_most_a_hundred_challenges_are_open_in_a_game() {
    let mut town = town(102);
    for user in 0..100 {
        let answer = town.said(user, &format!("malaka seek user{user} secret{user}"));
        assert!(answer.contains("is open until"), "{answer}");
    }
    let refused = town.said(100, "malaka seek user100 secret100");
    assert!(refused.contains("Not done: 100 challenges to Malaka are already open."), "{refused}");
    assert!(town.said(100, "moloko seek user100 secret100").contains("is open until"));
    // A user replaces their own challenge, and a new challenge takes the place of an accepted
    // challenge.
    assert!(town.said(5, "malaka seek user5 secret5 -large").contains("challenge 101"));
    let letters = town.say(101, "malaka accept-seek 101 user101 secret101");
    assert_eq!(letters.len(), 2);
    assert!(town.said(100, "malaka seek user100 secret100").contains("challenge 102"));
    let refused = town.said(101, "malaka accept-seek 101 user101 secret101");
    assert!(refused.contains("... and 80 more: `list malaka`"), "{refused}");
    // The next challenge drops the challenges of users who have sent nothing for 30 days.
    town.now += 30 * DAY;
    assert!(town.said(101, "malaka seek user101 secret101").contains("challenge 103"));
    assert_eq!(town.text(&SEEKS).matches("\"number\"").count(), 1);
    assert_eq!(town.check(), Default::default());
}

#[test]
fn at_most_fifty_listeners_get_a_notice_of_a_board() {
    let mut town = town(53);
    for user in 0..50 {
        let answer = town.said(user, &format!("malaka notify user{user} secret{user} on"));
        assert!(answer.contains("From now on"), "{answer}");
    }
    let refused = town.said(50, "malaka notify user50 secret50 on");
    assert!(
        refused.contains("50 users already get mails about every new board of Malaka"),
        "{refused}"
    );
    assert!(town.said(7, "malaka notify user7 secret7 on").contains("From now on"));
    let letters = town.say(51, "malaka challenge user51 user0");
    let texts: Vec<String> = letters.iter().map(one_line).collect();
    assert_eq!(texts.len(), 2 + 49, "two players, one of whom wants to hear of boards");
    for (index, text) in texts.iter().enumerate() {
        let is_notice = index >= 2;
        assert_eq!(text.contains("Auto-Submitted: auto-generated"), is_notice, "{text}");
        assert_eq!(text.contains("Auto-Submitted: auto-replied"), !is_notice, "{text}");
        let is_tagged = text.contains("[#bmalaka1");
        assert_eq!(is_tagged, !is_notice, "only players can move: {text}");
        assert_eq!(text.contains("notify user"), is_notice, "{text}");
    }
    // When a listener has left, another user may become a listener.
    let word = town.said(9, "signoff user9 secret9");
    assert!(word.contains("Nothing has changed yet"));
    assert!(town.said(7, "malaka notify user7 secret7 off").contains("You no longer get"));
    assert!(town.said(50, "malaka notify user50 secret50 on").contains("From now on"));
    assert_eq!(town.check(), Default::default());
}

#[test]
fn commands_read_no_more_documents_when_many_challenges_are_open() {
    let mut town = town(70);
    // The first board of a game begins lists that the others are added to.
    town.say(60, "malaka challenge user60 user61");
    let commands = [
        (0, "malaka challenge user0 user1"),
        (2, "malaka seek user2 secret2"),
        (3, "malaka accept-seek 1 user3 secret3"),
        (4, "malaka notify user4 secret4 off"),
    ];
    let alone = commands.map(|(user, line)| town.cost(user, line));
    for user in 10..60 {
        town.say(user, &format!("malaka seek user{user} secret{user}"));
    }
    let among = [
        (0, "malaka challenge user0 user1"),
        (2, "malaka seek user2 secret2"),
        (3, "malaka accept-seek 2 user3 secret3"),
        (4, "malaka notify user4 secret4 off"),
    ];
    assert_eq!(among.map(|(user, line)| town.cost(user, line)), alone);
    // Listeners are read only when a board begins.
    for user in 20..60 {
        town.say(user, &format!("malaka notify user{user} secret{user} on"));
    }
    assert_eq!(town.cost(0, "malaka challenge user0 user5 --private"), alone[0]);
    assert_eq!(town.cost(0, "malaka challenge user0 user6"), alone[0] + 40);
    let before = town.store.loads.load(Ordering::Relaxed);
    let refused = town.said(0, "malaka challenge user0 nobody");
    assert!(refused.contains("no player here has the userid"), "{refused}");
    // Besides the documents of a challenge, the server reads the counts of answers to the address.
    assert!(town.store.loads.load(Ordering::Relaxed) - before <= alone[0] + 1);
}

#[test]
fn of_two_acceptances_in_one_transaction_the_first_counts() {
    let mut town = town(3);
    let letters = town.say_together(&[
        (0, "malaka seek user0 secret0"),
        (1, "malaka accept-seek 1 user1 secret1"),
        (2, "malaka accept-seek 1 user2 secret2"),
    ]);
    let texts: Vec<String> = letters.iter().map(one_line).collect();
    assert_eq!(texts.len(), 4);
    assert!(texts[2].contains("user1 has accepted your open challenge 1"), "{}", texts[2]);
    assert!(texts[3].contains("challenge 1 to Malaka is no longer open"), "{}", texts[3]);
    assert_eq!(town.store.keys(DocumentKind::Boards("malaka")).unwrap().len(), 1);
    assert_eq!(town.check(), Default::default());
}

#[test]
fn a_damaged_file_stops_nothing_but_what_needs_it() {
    let mut town = town(4);
    town.say(0, "malaka seek user0 secret0");
    town.say(3, "malaka notify user3 secret3 on");
    let whole = town.text(&SEEKS);
    for broken in ["{", &whole.replace("malaka", "moloko"), &whole.replace("user3", "user4, x")] {
        town.edit(SEEKS, broken);
        for line in [
            "malaka seek user1 secret1",
            "malaka seek user0 secret0 off",
            "malaka accept-seek 1 user1 secret1",
            "malaka notify user1 secret1 on",
        ] {
            let user = usize::from(!line.contains("user0"));
            let refused = town.said(user, line);
            let why =
                "the open challenges to Malaka cannot be used until the operator has repaired";
            assert!(refused.contains(why), "{refused}");
        }
        for line in ["list", "list malaka", "malaka standings"] {
            let answer = town.said(1, line);
            let why = "The open challenges to Malaka cannot be read at the moment.";
            assert!(answer.contains(why), "{answer}");
        }
        let (wrong, mended) = town.check();
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("boards/malaka/seeks.json"), "{wrong:?}");
        assert_eq!(mended, [""; 0]);
        assert_eq!(town.text(&SEEKS), broken, "nothing was written over it");
    }
    assert_eq!(town.say(1, "malaka challenge user1 user2").len(), 2);
    assert!(town.said(1, "export user1 secret1").contains("\"boards\""));
    town.edit(SEEKS, &whole);
    assert_eq!(town.check(), Default::default());
    assert_eq!(town.say(1, "malaka accept-seek 1 user1 secret1").len(), 3);
}

#[test]
fn repair_drops_only_listeners_and_challenges_of_users_who_are_gone() {
    let mut town = town(3);
    for user in 0..3 {
        town.say(user, &format!("malaka seek user{user} secret{user}"));
        town.say(user, &format!("malaka notify user{user} secret{user} on"));
    }
    let (whole, user1) = (town.text(&SEEKS), town.text(&Key::In(user::COLLECTION, "user1".into())));
    // A user with an unreadable file exists, but nobody can play with them.
    town.edit(Key::In(user::COLLECTION, "user1".into()), "{");
    let refused = town.said(0, "malaka accept-seek 2 user0 secret0");
    assert!(refused.contains("this cannot be done at the moment"), "{refused}");
    let letters = town.say(0, "malaka challenge user0 user2");
    assert_eq!(letters.len(), 2, "no notice for him, and none for the players");
    assert_eq!(town.check().1, [""; 0]);
    town.edit(Key::In(user::COLLECTION, "user1".into()), &user1);
    // One user left while the challenges were unreadable, and one user never existed.
    let left = town.text(&Key::In(user::COLLECTION, "user2".into()));
    let left = left.trim_end().strip_suffix('}').unwrap().to_owned();
    let left = left + ",\"left\":{\"at\":1,\"erased\":false}}\n";
    town.edit(Key::In(user::COLLECTION, "user2".into()), &left);
    town.edit(SEEKS, &whole.replace("user0", "ghost"));
    let refused = town.said(0, "malaka accept-seek 1 user0 secret0");
    assert!(refused.contains("challenge 1 to Malaka is no longer open"), "{refused}");
    assert!(!town.said(1, "list malaka").contains("ghost"));
    let lines = ["ghost", "user2"]
        .map(|user| format!("boards/malaka/seeks.json names {user}, who is not here"));
    assert_eq!(town.check().1, lines);
    town.repair();
    let mended = town.text(&SEEKS);
    assert!(!mended.contains("ghost") && !mended.contains("user2"), "{mended}");
    assert_eq!(mended.matches("user1").count(), 2, "{mended}");
    assert_eq!(town.check().1, [""; 0]);
}

#[test]
fn open_challenges_read_back_and_refused_mails_change_none() {
    let mut town = town(2);
    let line = "malaka seek user0 secret0 -large --private --totaltime=30 --min=1500 --max=1700";
    town.say(0, line);
    town.say(1, "malaka notify user1 secret1 on");
    let text = town.text(&SEEKS);
    let seeks = Seeks::read(&text).unwrap();
    assert_eq!(seeks.to_text(), text);
    let words = "-large --totaltime=30 --private --min=1500 --max=1700";
    assert_eq!(seeks.seeks[0].words(), words);
    for (old, new) in [
        ("\"format\": 1", "\"format\": 2"),
        ("\"last\": 1", "\"last\": 0"),
        ("-large", "-huge"),
        ("\"notify\": [", "\"notify\": [\"USER1\","),
    ] {
        let broken = text.replacen(old, new, 1);
        assert_ne!(broken, text, "{old}");
        Seeks::read(&broken).unwrap_err();
    }
    let before = Digest::of(text.as_bytes());
    town.said(1, "malaka accept-seek 1 user1 wrong1");
    town.said(1, "malaka accept-seek 2 user1 secret1");
    assert_eq!(Digest::of(town.text(&SEEKS).as_bytes()), before);
}

#[test]
fn expired_challenges_are_removed_by_the_clock_and_others_stay() {
    let mut town = town(2);
    let remind = |town: &mut Home<Counting>| {
        town.remind();
        assert_eq!(town.store.home.take_letters(), []);
    };
    let seekers = |town: &Home<Counting>| -> Vec<String> {
        let text = town.store.load(&seeks_key("malaka")).unwrap().text.unwrap();
        let seeks = Seeks::read(&text).unwrap();
        seeks.seeks.iter().map(|seek| seek.user.to_string()).collect()
    };
    town.say(0, "malaka seek user0 secret0");
    town.now += 20 * DAY;
    town.say(1, "malaka seek user1 secret1");
    assert_eq!(town.store.due_slots().unwrap().len(), 1, "a later wakeup needs no other entry");
    town.now += 9 * DAY;
    remind(&mut town);
    assert_eq!(seekers(&town), ["user0", "user1"]);
    town.now += 2 * DAY;
    remind(&mut town);
    assert_eq!(seekers(&town), ["user1"]);
    assert!(
        town.log.iter().any(|line| line == "reaction: malaka: expired open challenges removed")
    );
    // The register of the past is gone; the document is listed under its next wakeup.
    let slots = town.store.due_slots().unwrap();
    assert_eq!(slots, [TimeSlot::of(town.now + 19 * DAY)]);
    assert_eq!(check(&town.store, town.now).unwrap().mended, [""; 0]);
    town.now += 19 * DAY;
    remind(&mut town);
    assert_eq!(seekers(&town), [""; 0]);
    town.now += DAY;
    remind(&mut town);
    assert_eq!(town.store.due_slots().unwrap(), []);
}

#[test]
fn a_damaged_document_that_is_due_is_looked_at_again_in_an_hour() {
    let mut town = town(1);
    town.say(0, "malaka seek user0 secret0");
    let key = seeks_key("malaka");
    let whole = town.store.load(&key).unwrap();
    let put = |town: &mut Home<Counting>, text: &str| {
        let was = town.store.load(&key).unwrap().version;
        let change = DocumentChange { key: key.clone(), was, text: text.into() };
        town.store.commit(Transaction { changes: vec![change], ..Transaction::default() }).unwrap();
    };
    put(&mut town, "{");
    town.now += 31 * DAY;
    town.remind();
    assert_eq!(town.store.due_slots().unwrap(), [TimeSlot::of(town.now + HOUR)]);
    put(&mut town, &whole.text.unwrap());
    town.now += HOUR;
    town.remind();
    let text = town.store.load(&key).unwrap().text.unwrap();
    assert_eq!(Seeks::read(&text).unwrap().seeks, []);
}

#[test]
fn check_lists_a_wakeup_that_the_index_lacks() {
    let mut town = town(1);
    town.say(0, "malaka seek user0 secret0");
    let slot = town.store.due_slots().unwrap()[0];
    town.store.remove(&[], Register::Due(slot)).unwrap();
    let report = check(&town.store, town.now).unwrap();
    let line = "the index says to look at boards/malaka/seeks.json later than it says itself";
    assert_eq!(report.mended, [line]);
    town.store.commit(report.repair).unwrap();
    assert_eq!(town.store.due_slots().unwrap(), [slot]);
    assert_eq!(check(&town.store, town.now).unwrap().mended, [""; 0]);
}
