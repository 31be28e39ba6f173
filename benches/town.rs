//! Homes for benchmarks: boards in the middle of random games of Malaka.

use games::{AnyGame, Chance, Choices, Entry, Next};
use postboard::base::ids::{BoardId, UserId};
use postboard::base::time::Time;
use postboard::mail::Address;
use postboard::model::board::Board;
use postboard::model::dice::{BoardDice, DiceKeys};
use postboard::model::token::{Generation, TokenKey};
use postboard::model::user::{self, User};
use postboard::model::world::count_key;
use postboard::shell::settings;
use postboard::store::{DocumentChange, FileStore, Key, Store, Transaction};
use std::fs;
use std::path::Path;

/// The key of every home.
pub(crate) const KEY: [u8; 32] = [1; 32];

/// Its configuration.
pub(crate) const CONFIG: &str = "address = \"postboard@games.example\"\nplus = true\n";

/// The start of the boards.
pub(crate) const BEGUN: Time = Time::from_unix(1_795_000_000);

/// The number of players.
pub(crate) const PLAYERS: u32 = 1_000;

pub(crate) fn user(number: u32) -> UserId {
    UserId::parse(&format!("player{number}")).expect("a userid")
}

/// Returns a board in the middle of a random game, with a legal move of the player to move.
pub(crate) fn board(game: &'static dyn AnyGame, number: u32) -> (Board, String) {
    let mut chance = Chance::new(u64::from(number));
    let players = [user(number % 500 * 2), user(number % 500 * 2 + 1)];
    // Rolls from here on are verifiable.
    let key = DiceKeys::new(&KEY, Vec::new()).newest().public();
    let fresh = || {
        let mut board = Board::new(game, number, players.clone(), Choices::default(), BEGUN);
        board.dice = Some(BoardDice::new(key));
        board
    };
    let mut board = fresh();
    let mut moves = 5 + chance.below(30);
    loop {
        match board.position().next() {
            Next::Deal => unreachable!("no stones are laid here"),
            Next::Roll(throw) | Next::Ready(_, throw) => {
                board.append(BEGUN, &[Entry::Rolled(chance.roll(throw))]);
            }
            Next::Move(seat) => {
                let legal = board.position().moves();
                let text = legal[chance.below(legal.len())].clone();
                if board.next_move() >= moves {
                    return (board, text);
                }
                board.append(BEGUN, &[Entry::Moved { seat, text, auto: false }]);
            }
            Next::Over(_) => {
                board = fresh();
                moves = 5;
            }
        }
    }
}

/// Makes a home with boards, and a reply with a move for the first `mails` of them.
pub(crate) fn home(home: &Path, boards: u32, mails: u32) -> Vec<Vec<u8>> {
    FileStore::init(home, &KEY).expect("a new home");
    let _ = fs::remove_file(home.join("postboard.toml"));
    settings::write(home, CONFIG).expect("a configuration");
    let mut store = FileStore::open(home).expect("a home");
    let replies = fill(&mut store, boards, mails);
    store.close().expect("the disk works");
    replies
}

/// Commits documents in one transaction.
fn commit(store: &mut dyn Store, changes: Vec<DocumentChange>) {
    let transaction = Transaction { changes, ..Transaction::default() };
    store.commit(transaction).expect("the disk works");
}

/// Returns a reply with a move, above the quotation of a board.
fn reply_mail(player: &str, tag: &str, number: u32, text: &str) -> Vec<u8> {
    let quoted = "> +----+----+----#----+----+----#----+----+----+\r\n".repeat(40);
    format!(
        "Return-Path: <{player}@example.org>\r\nReceived: from mail.example.org by \
         games.example; Sat, 21 Nov 2026 10:00:00 +0000\r\nFrom: {player} \
         <{player}@example.org>\r\nTo: Postboard <postboard+{tag}@games.example>\r\n\
         Subject: Re: Malaka Board {number} {player}\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\n\
         Message-ID: <{number}.mail@example.org>\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n\r\nOn Sat, 21 Nov 2026, \
         Postboard wrote:\r\n{quoted}"
    )
    .into_bytes()
}

/// Adds boards to a new home, and makes a reply with a move for the first `mails` of them.
pub(crate) fn fill(store: &mut dyn Store, boards: u32, mails: u32) -> Vec<Vec<u8>> {
    let game = games::find("malaka").expect("Malaka is a game");
    let key = TokenKey::new(KEY);
    let mut users: Vec<User> = (0..PLAYERS)
        .map(|number| {
            let address = Address::parse(&format!("player{number}@example.org"));
            User::new(user(number), "none".into(), vec![address.expect("an address")], Time::EPOCH)
        })
        .collect();
    let mut replies = Vec::new();
    let mut changes = Vec::new();
    // Boards without a mail may be equal.
    let mut alike: Vec<String> = Vec::new();
    for number in 1..=boards {
        let id = BoardId { game: "malaka", number };
        if number > 20_000 {
            let of = &alike[number as usize % alike.len()];
            let (_, rest) = of.split_once("\",").expect("a board begins with its name");
            let text = format!("{{\"format\":1,\"board\":\"{id}\",{rest}");
            changes.push(DocumentChange { key: Key::Board("malaka", number), was: None, text });
            if changes.len() == 500 {
                commit(store, std::mem::take(&mut changes));
            }
            continue;
        }
        let (board, text) = board(game, number);
        if alike.len() < 500 {
            alike.push(board.write());
        }
        if number <= mails {
            let Next::Move(seat) = board.position().next() else { unreachable!("it waits") };
            let player = board.player(seat);
            let tag = key.tag(id, board.next_move(), None, player, Generation::default());
            replies.push(reply_mail(player.as_str(), &tag, number, &text));
        }
        // With a million boards, each player has only some of them.
        if number <= 20_000 {
            for player in &board.players {
                let index: usize = player.as_str()[6..].parse().expect("player and a number");
                users[index].active.push(id);
            }
        }
        changes.push(DocumentChange {
            key: Key::Board("malaka", number),
            was: None,
            text: board.write(),
        });
        if changes.len() == 500 {
            commit(store, std::mem::take(&mut changes));
        }
    }
    changes.push(DocumentChange {
        key: count_key("malaka"),
        was: None,
        text: format!("{boards}\n"),
    });
    changes.extend(users.iter().map(|user| DocumentChange {
        key: Key::In(user::COLLECTION, user.id.folded()),
        was: None,
        text: user.write(),
    }));
    commit(store, changes);
    replies
}
