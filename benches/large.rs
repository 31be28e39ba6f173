//! A generator of large homes: similar boards with their index, and rated players.

use games::{Choices, Entry, Next, Roll};
use postboard::base::ids::{BoardId, UserId};
use postboard::base::time::{DAY, Time};
use postboard::mail::Address;
use postboard::model::board::Board;
use postboard::model::clock::Clock;
use postboard::model::rating::{Curve, PlayerRating, RatedGame, Score, effects};
use postboard::model::user::{self, User};
use postboard::model::world::count_key;
use postboard::shell::settings;
use postboard::store::{DocumentChange, FileStore, Key, Register, Store, Transaction};
use std::path::Path;
use std::time::SystemTime;

/// The number of players.
pub const USERS: u32 = 10_000;
/// One of this many boards is due.
pub const DUE: u32 = 1_000;

fn user(number: u32) -> UserId {
    UserId::parse(&format!("player{number}")).expect("a userid")
}

/// Returns a board on which both have moved; the last move was `days` ago.
fn board(number: u32, now: Time) -> Board {
    let game = games::find("malaka").expect("Malaka is a game");
    let at = if number.is_multiple_of(DUE) { now - 8 * DAY } else { now - DAY };
    let players = [user(number % USERS), user((number + 1) % USERS)];
    let mut board = Board::new(game, number, players, Choices::default(), at);
    while board.next_move() < 9 {
        match board.position().next() {
            Next::Deal => unreachable!("no stones are laid here"),
            Next::Roll(throw) | Next::Ready(_, throw) => {
                let roll = if throw.dice == 1 { Roll::One(1) } else { Roll::Two(2, 1) };
                board.append(at, &[Entry::Rolled(roll)]);
            }
            Next::Move(seat) => {
                let text = board.position().nth_move(0).expect("a legal play");
                board.append(at, &[Entry::Moved { seat, text, auto: false }]);
            }
            Next::Over(_) => unreachable!("not after eight moves"),
        }
    }
    board.append(at, &[Entry::Rolled(Roll::Two(2, 1))]);
    board
}

/// Makes a home with boards, their index, and rated players.
pub fn make(home: &Path, boards: u32) {
    let now = Time::from(SystemTime::now());
    FileStore::init(home, &[1; 32]).expect("a new home");
    settings::write(home, "address = \"postboard@games.example\"\n").expect("a configuration");
    let mut store = FileStore::open(home).expect("a home");
    // All boards are equal except for their names, which are inserted as text.
    let alike = [board(1, now), board(DUE, now)];
    let looks = alike.each_ref().map(|board| Clock::read(board, Default::default(), now).wakeup());
    let texts = alike.each_ref().map(Board::write);
    let mut transaction = Transaction { at: now, ..Transaction::default() };
    for number in 1..=boards {
        let id = BoardId { game: "malaka", number };
        let of = usize::from(number.is_multiple_of(DUE));
        let [first, second] = [user(number % USERS), user((number + 1) % USERS)];
        let (_, rest) = texts[of].split_once("],").expect("players stand in brackets");
        let text = format!(
            "{{\"format\":1,\"board\":\"{id}\",\"players\":[\"{first}\",\"{second}\"],{rest}"
        );
        let key = Key::Board("malaka", number);
        transaction.changes.push(DocumentChange { key, was: None, text });
        transaction.index_updates.wakeups.push((id, looks[of]));
        if transaction.changes.len() == 500 {
            store.commit(transaction).expect("the disk works");
            transaction = Transaction { at: now, ..Transaction::default() };
        }
    }
    for number in 0..USERS {
        let address = Address::parse(&format!("player{number}@example.org")).expect("an address");
        let mut user = User::new(user(number), "none".into(), vec![address], Time::EPOCH);
        let id = |number| BoardId { game: "malaka", number };
        user.active.extend((1..=20).map(id));
        user.finished.extend((1..=100).map(id));
        let mut rating = PlayerRating::default();
        for game in 0..=(number % 100) {
            let is_won = game % 3 == number % 3;
            let scores = if is_won { [Score::Won, Score::Lost] } else { [Score::Lost, Score::Won] };
            let players = [user.id.clone(), self::user(number + 1 + game)];
            let game = RatedGame { players, scores, at: now, curve: Curve::Elo, is_long: true };
            let [own, _] = effects([&rating, &PlayerRating::default()], &game);
            rating = own.after;
        }
        user.set_rating("malaka", rating);
        let (key, text) = (Key::In(user::COLLECTION, user.id.folded()), user.write());
        transaction.changes.push(DocumentChange { key, was: None, text });
        transaction.index_updates.registered.push((Register::Rated("malaka"), user.id.folded()));
    }
    let key = count_key("malaka");
    transaction.changes.push(DocumentChange { key, was: None, text: format!("{boards}\n") });
    store.commit(transaction).expect("the disk works");
    store.close().expect("the disk works");
}
