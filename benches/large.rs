//! A generator of large homes: similar boards with their index, rated players, and tournaments.

use games::{AnyGame, Choices, Entry, Next, Roll};
use postboard::base::digest::Digest;
use postboard::base::ids::{BoardId, TournamentId, UserId};
use postboard::base::time::{DAY, Time, days};
use postboard::mail::Address;
use postboard::model::board::{Agreement, Board};
use postboard::model::clock::Clock;
use postboard::model::document::Document as _;
use postboard::model::rating::{Curve, PlayerRating, RatedGame, Score, effects};
use postboard::model::seeks::RatingRange;
use postboard::model::tournament::{
    Adjudication, Entrant, Field, Format, Game, Round, Tournament, TournamentList, TournamentTerms,
    tournament_key, tournament_list_key,
};
use postboard::model::user::{self, User};
use postboard::model::world::{board_key, count_key, user_key};
use postboard::shell::settings;
use postboard::store::{
    DocumentChange, Documents as _, FileStore, Key, Register, Store, Transaction,
};
use std::path::Path;
use std::time::SystemTime;

/// The number of players.
pub const USERS: u32 = 10_000;
/// One of this many boards is due.
pub const DUE: u32 = 1_000;

/// The players of a tournament, a round robin.
pub const PLAYERS: u32 = 10;
/// The games of a tournament.
pub const GAMES: u32 = PLAYERS * (PLAYERS - 1) / 2;

/// Returns a player.
pub fn user(number: u32) -> UserId {
    UserId::parse(&format!("player{number}")).expect("a userid")
}

/// Returns a board on which both have moved; the last move was days ago.
pub fn board(game: &'static dyn AnyGame, number: u32, now: Time) -> Board {
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
    let malaka = games::find("malaka").expect("Malaka is a game");
    let alike = [board(malaka, 1, now), board(malaka, DUE, now)];
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

/// The games of the tournaments. A game has at most 200 open or running ones.
const GAMES_WITH_TOURNAMENTS: [&str; 5] =
    ["malaka", "moloko", "moultezim", "backgammon", "plakoto"];

/// Adds the boards of round robins of ten players, whose deadlines are spread over two months. With
/// `are_running` they belong to tournaments, otherwise they are boards like all others.
pub fn add_tournaments(home: &Path, count: u32, are_running: bool) {
    let now = Time::from(SystemTime::now());
    let mut store = FileStore::open(home).expect("a home");
    let games = u32::try_from(GAMES_WITH_TOURNAMENTS.len()).expect("few");
    for (index, name) in (0..).zip(GAMES_WITH_TOURNAMENTS) {
        let game = games::find(name).expect("it is a game");
        let mut list = TournamentList::new(name);
        for number in 1..=count / games {
            let first = (index * (count / games) + number) * PLAYERS;
            let found = tournament(game, number, first, now);
            let transaction = documents(&store, &found, are_running, now);
            store.commit(transaction).expect("the disk works");
            list.file(&found);
        }
        let mut transaction = Transaction { at: now, ..Transaction::default() };
        if are_running {
            let text = list.to_text();
            transaction.changes.push(change(&store, tournament_list_key(name), text));
        }
        if name != "malaka" {
            let text = format!("{}\n", count / games * GAMES);
            transaction.changes.push(change(&store, count_key(name), text));
        }
        store.commit(transaction).expect("the disk works");
    }
    store.close().expect("the disk works");
}

/// Returns the change of a document, which may exist.
fn change(store: &FileStore, key: Key, text: String) -> DocumentChange {
    let was = load(store, &key).map(|text| Digest::of(text.as_bytes()));
    DocumentChange { key, was, text }
}

fn load(store: &FileStore, key: &Key) -> Option<String> {
    store.load(key).expect("the disk works").text
}

/// Returns the documents of a tournament, or of its boards alone.
fn documents(
    store: &FileStore,
    tournament: &Tournament,
    is_running: bool,
    now: Time,
) -> Transaction {
    let mut transaction = Transaction { at: now, ..Transaction::default() };
    let field = tournament.field.as_ref().expect("it is running");
    let game = games::find(tournament.id.game).expect("it is a game");
    for one in &field.games {
        let mut board = board(game, one.board, now);
        board.players = one.players.map(|entrant| field.entrants[entrant].user.clone());
        board.tournament = is_running.then_some(tournament.id);
        let wakeup = Clock::read(&board, Default::default(), now).wakeup();
        transaction.index_updates.wakeups.push((board.id, wakeup));
        transaction.changes.push(change(store, board_key(board.id), board.write()));
    }
    if is_running {
        for entrant in &field.entrants {
            let key = user_key(&entrant.user);
            let text = load(store, &key).expect("a user");
            let mut user = User::read(&text).expect("a sound user");
            user.tournaments.push(tournament.id);
            transaction.changes.push(change(store, key, user.write()));
        }
        let key = tournament_key(tournament.id);
        transaction.changes.push(change(store, key.clone(), tournament.to_text()));
        let due = tournament.next_wakeup().expect("it has a deadline");
        transaction.index_updates.add_wakeup(&key, due, now);
    }
    transaction
}

/// Returns a running round robin whose boards follow those of the tournaments before it.
fn tournament(game: &'static dyn AnyGame, number: u32, first: u32, now: Time) -> Tournament {
    let players = (0..PLAYERS).map(|place| Entrant {
        user: user((first + place) % USERS),
        rating: 1_500,
        left: false,
    });
    let mut field = Field::new(players.collect());
    let mut board = (number - 1) * GAMES;
    for first in 0..field.entrants.len() {
        for second in first + 1..field.entrants.len() {
            board += 1;
            let players = [first, second];
            field.games.push(Game { round: 1, group: 0, players, board, verdict: None });
        }
    }
    let deadline = now + days(i64::from(1 + number % 60));
    Tournament {
        id: TournamentId { game: game.spec().name, number },
        director: user(0),
        terms: TournamentTerms {
            format: Format::RoundRobin { division: 10 },
            agreed: Agreement::default(),
            bounds: RatingRange::default(),
            least: 4,
            most: 10,
            round_days: 60,
            adjudication: Adjudication::Program,
            is_recurring: false,
        },
        created: now - days(60),
        starts: now - days(59),
        postponed: 0,
        waits_for: None,
        teams: None,
        entries: Vec::new(),
        field: Some(field),
        round: Some(Round { began: now - days(59), deadline, extended: 0 }),
        next: None,
        ended: None,
    }
}
