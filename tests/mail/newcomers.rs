//! Limits on strangers, who can forge any From: accounts, open challenges, boards, and chosen dice.

use crate::support::home::{Home, START, config, seeded, setup};
use crate::support::letters::sent_text;
use postboard::base::ids::UserId;
use postboard::base::time::{DAY, HOUR, days, hours};
use postboard::model::board::Board;
use postboard::model::document::Document as _;
use postboard::model::seeks::Seeks;
use postboard::model::user;
use postboard::model::user_index;
use postboard::model::world::seeks_key;
use postboard::server::Server;
use postboard::server::check::check;
use postboard::server::newcomer_expiry;
use postboard::server::repair;
use postboard::store::{
    DocumentChange, DocumentKind, Documents as _, Indexes as _, Key, MemoryStore, Register,
    Store as _, Transaction,
};
use std::collections::BTreeSet;

/// The two-player games.
const GAMES: [&str; 9] = [
    "malaka",
    "moloko",
    "backgammon",
    "plakoto",
    "moultezim",
    "reversi",
    "speedgo",
    "fillit",
    "visiput",
];

/// Makes a home with the limits of the sample configuration and no user.
fn home() -> Home {
    Home::of(setup(config()), MemoryStore::new(), seeded(1))
}

impl Home {
    /// Sends a command and returns all letters as text.
    fn said(&mut self, from: &str, subject: &str) -> String {
        let letters = self.mail(from, subject, "");
        letters.iter().map(sent_text).collect()
    }

    /// Adds a user as the operator does, which proves the address.
    fn proved(&mut self, id: &str) {
        let address = postboard::mail::Address::parse(&format!("{id}@example.org")).unwrap();
        let id = UserId::parse(id).unwrap();
        let mut server = Server::new(&self.setup, &mut self.chance);
        let repair =
            repair::add_user(&mut server, &self.store, &id, "secret", &[address], self.now)
                .unwrap();
        self.store.commit(repair.transaction).unwrap();
        self.store.take_letters();
    }

    fn open(&self, game: &'static str) -> usize {
        let text = self.store.load(&seeks_key(game)).unwrap().text;
        text.map_or(0, |text| Seeks::read(&text).unwrap().open(self.now).count())
    }

    fn boards(&self, game: &'static str) -> Vec<Board> {
        let keys = self.store.keys(DocumentKind::Boards(game)).unwrap();
        let text = |key| self.store.load(key).unwrap().text.unwrap();
        keys.iter().map(|key| Board::read(&text(key)).unwrap()).collect()
    }

    /// Lets moves1 begin a board against the program, and make a move there.
    fn play_first_move(&mut self) {
        self.mail("moves", "reversi challenge moves1 board1", "");
        let board = self.boards("reversi").pop().unwrap();
        let seat = board.seat(&UserId::parse("moves1").unwrap()).unwrap();
        if !board.has_moved(seat) {
            let (number, first) = (board.id.number, board.position().first_move().unwrap());
            self.mail("moves", &format!("reversi move {number} moves1 secret1 {first}"), "");
        }
    }

    /// Deletes the accounts of newcomers who have not proved their address in time.
    fn expire(&mut self) {
        let mut server = Server::new(&self.setup, &mut self.chance);
        newcomer_expiry::expire(&mut server, &mut self.store, self.now).unwrap();
    }

    fn users(&self) -> Vec<Key> {
        self.store.keys(DocumentKind::In(user::COLLECTION)).unwrap()
    }

    fn names(&self) -> usize {
        self.store.keys(DocumentKind::In(user_index::COLLECTION)).unwrap().len()
    }
}

#[test]
fn forged_signups_leave_few_letters_and_in_the_end_no_account() {
    let mut home = home();
    home.proved("alice");
    let (users, names) = (home.users(), home.names());
    let mut letters = 0;
    for victim in 0..500 {
        let subject = format!("signup forged{victim}x secret1");
        letters += home.mail(&format!("victim{victim}"), &subject, "").len();
    }
    assert!((60..=180).contains(&letters), "{letters} letters");
    assert!(home.users().len() <= 1 + 60, "{} accounts", home.users().len());
    // An hour later, people can sign up again.
    home.now += HOUR;
    assert!(home.said("bob", "signup bob secret1").contains("within 30 days"));
    home.now += 30 * DAY;
    home.expire();
    assert!(home.users().len() > 1, "the day is not over");
    home.now += DAY;
    home.expire();
    assert_eq!(home.users(), users);
    // The additional entry marks the index as complete.
    assert_eq!(home.names(), names + 1, "no entry leads to them");
    assert_eq!(check(&home.store, home.now).unwrap().wrong, Vec::<String>::new());
    // The userid is free, and no cookie of the old account works.
    let before = [home.user("alice").tokens, home.user("alice").sessions];
    assert_eq!(before, [0, 0]);
    home.mail("carol", "signup forged1x secret2", "");
    let again = home.user("forged1x");
    assert_eq!([again.tokens, again.sessions].map(i64::from), [home.now.unix() / 86_400; 2]);
}

#[test]
fn an_account_ends_with_its_challenges_unless_its_user_has_moved_or_answered() {
    let mut home = home();
    home.proved("alice");
    for user in ["idle", "moves", "reads"] {
        home.mail(user, &format!("signup {user}1 secret1"), "");
    }
    home.mail("idle", "malaka seek idle1 secret1", "");
    home.mail("idle", "reversi challenge idle1 alice", "");
    home.play_first_move();
    let read = home.mail("reads", "malaka challenge reads1 alice", "");
    let text: String = read.iter().map(sent_text).collect();
    let tagged = |word: &&str| word.contains("postboard+") && word.contains("@localhost");
    let to = text.split([' ', '<', '>', '\n', '\r']).find(tagged).expect("an address to reply to");
    let reply = format!(
        "From: reads@example.org\r\nTo: {to}\r\nSubject: Re: Malaka\r\nMessage-ID: <r@x>\r\n\r\nchat\r\nHi\r\n"
    );
    home.execute(&[reply]);
    home.now += days(32);
    home.expire();
    let left = |home: &Home, id: &str| home.user(id).left.map(|left| left.erased);
    assert_eq!(left(&home, "moves1"), None, "who has moved stays");
    assert_eq!(left(&home, "reads1"), None, "who has answered a mail stays");
    assert_eq!(left(&home, "idle1"), Some(true), "a board names the userid");
    assert!(home.boards("reversi").iter().all(|board| {
        board.seat(&UserId::parse("idle1").unwrap()).is_none() || board.is_over()
    }));
    assert_eq!(home.open("malaka"), 0);
    let letters = home.store.take_letters();
    assert!(letters.iter().all(|letter| !letter.to.as_str().contains("idle")), "{letters:?}");
    assert_eq!(check(&home.store, home.now).unwrap().wrong, Vec::<String>::new());
    // A second run changes nothing.
    let text = home.store.load(&Key::In(user::COLLECTION, "idle1".into())).unwrap().text;
    home.expire();
    assert_eq!(home.store.load(&Key::In(user::COLLECTION, "idle1".into())).unwrap().text, text);
}

/// Tests users of an older version, which kept no register of newcomers.
#[test]
fn accounts_of_an_earlier_program_end_thirty_days_after_the_first_run() {
    let mut home = home();
    home.proved("alice");
    for user in ["idle", "moves"] {
        home.mail(user, &format!("signup {user}1 secret1"), "");
    }
    home.play_first_move();
    let day = home.now.day();
    home.store.remove(&[], Register::Unproved(day)).unwrap();
    home.now += days(300);
    home.expire();
    assert_eq!(home.users().len(), 3, "no register names them");
    let begun = |home: &mut Home| {
        newcomer_expiry::register_older_accounts(&mut home.store, home.now).unwrap();
        let today = Register::Unproved(home.now.day());
        home.store.registered(today).unwrap()
    };
    assert_eq!(begun(&mut home), ["idle1", "moves1"]);
    home.now += days(30);
    assert_eq!(begun(&mut home), [""; 0], "once");
    home.expire();
    assert_eq!(home.users().len(), 3, "the time is not over");
    home.now += days(2);
    home.expire();
    let left = home.users();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(home.user("moves1").left.is_none(), "who has moved stays");
    assert_eq!(check(&home.store, home.now).unwrap().wrong, Vec::<String>::new());
}

#[test]
fn forged_mails_do_not_fill_what_is_open() {
    let mut home = home();
    home.proved("alice");
    // The attack: each mail signs up five users, who post open challenges in nine games.
    for mail in 0..20 {
        let names: Vec<String> = (0..5).map(|user| format!("forged{}", mail * 5 + user)).collect();
        let signups =
            names.iter().map(|name| format!("signup {name} secret1 victim{mail}@example.org\n"));
        let seeks =
            names.iter().flat_map(|name| GAMES.map(|game| format!("{game} seek {name} secret1\n")));
        let body: String = signups.chain(seeks).collect();
        home.mail(&format!("victim{mail}"), "multiple", &body);
    }
    let open: usize = GAMES.iter().map(|game| home.open(game)).sum();
    assert!((1..=40).contains(&open), "{open} are open");
    // Alice is not limited, and gets no code.
    for game in GAMES {
        let said = home.said("alice", &format!("{game} seek alice secret"));
        assert!(said.contains("is open until"), "{said}");
    }
    home.now += 3 * DAY;
    assert_eq!(GAMES.map(|game| home.open(game)), [1; 9], "alice's alone");
    assert_eq!(check(&home.store, home.now).unwrap().wrong, Vec::<String>::new());
}

#[test]
fn half_of_the_open_challenges_are_left_to_proved_players() {
    let mut home = home();
    for user in 0..60 {
        home.mail(&format!("new{user}x"), &format!("signup new{user}x secret1"), "");
        home.mail(&format!("new{user}x"), &format!("malaka seek new{user}x secret1"), "");
    }
    assert_eq!(home.open("malaka"), 50);
    home.proved("alice");
    assert!(home.said("alice", "malaka seek alice secret").contains("is open until"));
}

#[test]
fn a_day_and_a_mailbox_have_a_number_of_boards_however_they_are_begun() {
    let mut home = home();
    let users = ["ann", "bea", "cleo", "dot", "eve", "fay", "gus"];
    for user in users {
        home.proved(user);
    }
    let begun = |home: &Home| home.boards("malaka").len();
    // Ann accepts open challenges of other users, one after the other.
    for turn in 0..25 {
        let maker = users[1 + turn % 6];
        home.mail(maker, &format!("malaka seek {maker} secret"), "");
        let number = turn + 1;
        home.mail("ann", &format!("malaka accept-seek {number} ann secret"), "");
    }
    assert_eq!(begun(&home), 20);
    let said = home.said("ann", "malaka challenge bea");
    assert!(said.contains("20 boards"), "{said}");
    // Another userid at the same mailbox does not help.
    home.mail("ann", "signup ann2 secret1 ann@example.org", "");
    let said = home.said("ann", "malaka challenge ann2 bea");
    assert!(said.contains("20 boards"), "{said}");
    assert_eq!(begun(&home), 20);
    home.now += DAY;
    home.mail("ann", "malaka challenge ann gus", "");
    assert_eq!(begun(&home), 21);
}

#[test]
fn one_player_is_challenged_by_few_newcomers_a_day() {
    let mut home = home();
    home.proved("alice");
    for user in 0..30 {
        let name = format!("new{user}x");
        home.mail(&name, &format!("signup {name} secret1"), "");
        home.mail(&name, "malaka challenge alice", "");
    }
    assert_eq!(home.boards("malaka").len(), 10);
    home.proved("bob");
    home.mail("bob", "malaka challenge alice", "");
    assert_eq!(home.boards("malaka").len(), 11);
}

#[test]
fn a_player_who_gives_boards_up_gets_no_other_dice() {
    for (game, opponents) in [
        ("malaka", ["bob", "carol", "dave", "erin"]),
        ("backgammon", ["bob", "carol", "dave", "erin"]),
        ("fillit", ["board1", "board2", "board3", "board4"]),
    ] {
        let mut home = home();
        for user in ["alice", "bob", "carol", "dave", "erin"] {
            home.proved(user);
        }
        let option = if game == "fillit" { "-mode=2" } else { "" };
        // A pair may begin three boards a day, so the boards begin on several days.
        for turn in 0..20 {
            let opponent = opponents[turn % 4];
            home.mail("alice", &format!("{game} challenge {opponent} {option}"), "");
            let number = home.boards(game).len();
            home.mail("alice", &format!("{game} resign {number} alice secret"), "");
            home.now += hours(6);
        }
        let boards = home.boards(game);
        assert_eq!(boards.len(), 20, "{game}");
        let alice = UserId::parse("alice").unwrap();
        let seen: BTreeSet<String> = boards
            .iter()
            .map(|board| format!("{:?} {:?}", board.seat(&alice), board.record[0].entry))
            .collect();
        assert_eq!(seen.len(), 1, "{game}: {seen:?}");
        assert!(home.user("alice").openings[game].len() == 1);
    }
}

#[test]
fn older_homes_get_an_index_of_userids_and_addresses() {
    let mut home = home();
    for user in ["alice", "bob"] {
        home.proved(user);
    }
    // A home of an older version has only the users, without the index.
    let keys = home.store.keys(DocumentKind::In(user::COLLECTION)).unwrap();
    let changes = keys.into_iter().map(|key| {
        let text = home.store.load(&key).unwrap().text.unwrap();
        DocumentChange { key, was: None, text }
    });
    let old = Transaction { changes: changes.collect(), ..Transaction::default() };
    home.store = MemoryStore::new();
    home.store.commit(old).unwrap();
    assert_eq!(check(&home.store, START).unwrap().mended, Vec::<String>::new());
    assert!(home.said("eve", "signup aIice secret1").contains("looks so much like"));
    assert!(home.said("alice", "malaka challenge bob").contains("You have challenged bob"));
    assert!(home.store.load(&user_index::complete_mark()).unwrap().text.is_some());
}

#[test]
fn an_index_that_lost_a_user_is_mended_by_check() {
    let mut home = home();
    for user in ["alice", "bob"] {
        home.proved(user);
    }
    home.mail("alice", "malaka challenge bob", "");
    let key = user_index::look_entry(&UserId::parse("bob").unwrap());
    let found = home.store.load(&key).unwrap();
    let text = user_index::UserIndexEntry::default().to_text();
    let lost = DocumentChange { key, was: found.version, text };
    let lost = Transaction { changes: vec![lost], ..Transaction::default() };
    home.store.commit(lost).unwrap();
    let report = check(&home.store, START).unwrap();
    assert_eq!(report.mended, ["names/bo/id-bob.json does not lead to bob"]);
    home.store.commit(report.repair).unwrap();
    assert_eq!(check(&home.store, START).unwrap().mended, Vec::<String>::new());
    assert!(home.said("eve", "signup b0b secret1").contains("looks so much like"));
}

#[test]
fn a_rename_obeys_looks_and_keeps_the_old_ones() {
    let mut home = home();
    for user in ["alice", "bob"] {
        home.proved(user);
    }
    let rename = |home: &mut Home, old: &str, new: &str| {
        let [old, new] = [old, new].map(|id| UserId::parse(id).unwrap());
        let mut server = Server::new(&home.setup, &mut home.chance);
        let repair = repair::rename_user(&mut server, &home.store, &old, &new, START);
        let repair = repair.map_err(|trouble| trouble.to_string())?;
        home.store.commit(repair.transaction).map_err(|fault| fault.to_string())
    };
    assert!(rename(&mut home, "bob", "a1ice").unwrap_err().contains("looks so much like"));
    assert!(rename(&mut home, "bob", "admin_").is_err());
    rename(&mut home, "bob", "rob").unwrap();
    assert!(home.said("eve", "signup b0b secret1").contains("looks so much like"));
    assert!(home.said("eve", "signup r0b secret1").contains("looks so much like"));
    // The address leads to the new userid, and users may take a userid that looks like their own.
    assert!(home.said("bob", "malaka challenge alice").contains("You have challenged alice"));
    rename(&mut home, "rob", "r0b").unwrap();
    assert_eq!(check(&home.store, START).unwrap().mended, Vec::<String>::new());
}
