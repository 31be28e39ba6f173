//! Ratings after a repair: computed again from all boards.

#![expect(clippy::unwrap_used, reason = "a failed `unwrap` fails the test")]

use super::edit::with_reversed_steps;
use super::{RepairHome, id, userid};
use crate::store::upgrade::without_skills;
use postboard::base::ids::UserId;
use postboard::base::progress::NoProgress;
use postboard::base::time::{DAY, HOUR, MINUTE};
use postboard::model::board::Board;
use postboard::model::rating::{self, PlayerRating, RatedGame, Skill};
use postboard::model::user::{self, User};
use postboard::model::world::user_key;
use postboard::server::check::{check, find_outdated_ratings, upgrade_ratings};
use postboard::store::{DocumentKind, Documents as _, Key, MemoryStore, Store};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

const USERS: usize = 9;

/// Makes a home with many boards, each closed at its own time; some are unrated, and every other one
/// is too short to count. Leaves one board open.
fn league(without: Option<u32>) -> RepairHome<MemoryStore> {
    let names: Vec<String> = (0..USERS).map(|user| format!("user{user}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut town = RepairHome::with(&names, MemoryStore::new());
    for number in 1..=80_u32 {
        let (a, b) = (number as usize * 7 % USERS, (number as usize * 5 + 1) % USERS);
        let b = if a == b { (b + 1) % USERS } else { b };
        let unrated = if number % 11 == 0 { "--unrated" } else { "" };
        town.say(&format!("malaka challenge user{a} user{b} {unrated}"));
        for _ in 0..if number % 2 == 0 { 10 } else { 2 } {
            town.play(id("malaka", number));
        }
    }
    for step in 1..=80_u32 {
        // The boards end in another order than they began.
        let number = step * 37 % 83;
        if (1..=80).contains(&number) {
            town.now += HOUR;
            if without != Some(number) {
                let board = town.board(id("malaka", number));
                let loser = board.player(games::Seat(u8::from(number % 3 == 0)));
                town.say(&format!("malaka resign {number} {loser}"));
            }
        }
    }
    town
}

/// Computes the ratings from the boards alone, in the order in which they ended.
fn recomputed(store: &dyn Store) -> BTreeMap<String, PlayerRating> {
    let mut boards = Vec::new();
    for key in store.keys(DocumentKind::Boards("malaka")).unwrap() {
        let board = Board::read(&store.load(&key).unwrap().text.unwrap()).unwrap();
        if let Some(game) = board.rated_game() {
            boards.push((board.id.number, game, board.rated));
        }
    }
    boards.sort_by_key(|(number, game, _)| (game.at, *number));
    let mut ratings: HashMap<UserId, PlayerRating> = HashMap::new();
    for (number, game, rated) in boards {
        let RatedGame { players, .. } = &game;
        let before = players.each_ref().map(|p| ratings.get(p).cloned().unwrap_or_default());
        let effects = rating::effects([&before[0], &before[1]], &game);
        assert_eq!(rated, Some(effects.each_ref().map(|effect| effect.change)), "board {number}");
        for (player, effect) in players.iter().zip(effects) {
            ratings.insert(player.clone(), effect.after);
        }
    }
    ratings.into_iter().map(|(user, rating)| (user.folded(), rating)).collect()
}

fn stored(store: &dyn Store) -> BTreeMap<String, PlayerRating> {
    let mut all = BTreeMap::new();
    for key in store.keys(DocumentKind::In(user::COLLECTION)).unwrap() {
        let user = User::read(&store.load(&key).unwrap().text.unwrap()).unwrap();
        if user.ratings.contains_key("malaka") {
            all.insert(user.id.folded(), user.rating("malaka"));
        }
    }
    all
}

/// Returns the effect on ratings that each board records.
fn effects(town: &RepairHome<MemoryStore>) -> Vec<Option<[rating::RatingChange; 2]>> {
    (1..=80).map(|number| town.board(id("malaka", number)).rated).collect()
}

#[test]
fn a_board_taken_back_in_the_middle_leaves_the_ratings_of_the_others_alone() {
    let mut town = league(None);
    town.assert_sound();
    let finished = town.store.keys(DocumentKind::Boards("malaka")).unwrap().len();
    let mut all = 0;
    for number in [40, 17, 3, 80] {
        let board = town.board(id("malaka", number));
        assert!(board.rated.is_some(), "{number}");
        let before = effects(&town);
        let said = town.undo(board.id, 1).unwrap();
        town.assert_sound();
        assert_eq!(stored(&town.store), recomputed(&town.store), "{number}");
        if number == 40 {
            // The result must equal a league in which that board never ended.
            let mut other = league(Some(number));
            assert_eq!(stored(&town.store), stored(&other.store));
            assert_eq!(town.say("malaka standings"), other.say("malaka standings"));
        }
        let changed = effects(&town).iter().zip(&before).filter(|(a, b)| a != b).count() - 1;
        let line = format!("malaka ratings computed anew; {changed} other boards changed\n");
        assert!(changed == 0 || said.ends_with(&line), "{said}: {changed}");
        all += changed;
        let loser = board.player(games::Seat(board.closing.unwrap().seat)).clone();
        town.now += MINUTE;
        town.say(&format!("malaka resign {number} {loser}"));
        assert_eq!(stored(&town.store), recomputed(&town.store), "{number} ends once more");
        town.assert_sound();
    }
    assert!(all > 20, "{all} boards have changed: are these in the middle?");
    assert_eq!(town.store.keys(DocumentKind::Boards("malaka")).unwrap().len(), finished);
    // An unrated board changes no rating.
    let before = stored(&town.store);
    let said = town.undo(id("malaka", 44), 1).unwrap();
    assert!(!said.contains("ratings"), "{said}");
    assert_eq!(stored(&town.store), before);
    town.assert_sound();
    // `check --repair` gives the same results, whatever the damage.
    let user = town.store.load(&user_key(&userid("user4"))).unwrap().text.unwrap();
    let good = stored(&town.store);
    town.overwrite(user_key(&userid("user4")), &user.replacen("\"won\": ", "\"won\": 1", 1));
    let report = check(&town.store, town.now).unwrap();
    assert!(!report.mended.is_empty());
    town.store.commit(report.repair).unwrap();
    assert_eq!(stored(&town.store), good);
}

/// One repair corrects every error that an operator writes into the file of a finished, rated
/// board.
#[test]
fn a_board_mended_by_hand_is_repaired_at_once() {
    let mut town = league(None);
    let board = id("malaka", 40);
    let text = town.board_text(board);
    let rated = text.split("\"rated\":").nth(1).unwrap();
    let rated = &rated[..rated.find(']').unwrap() + 2];
    let unrated = text.replace(&format!("\"rated\":{rated}"), "");
    assert!(!unrated.contains("\"rated\":"));
    for mended in
        [unrated.clone(), with_reversed_steps(&text), with_reversed_steps(&unrated), text.clone()]
    {
        town.overwrite(Key::Board("malaka", 40), "{");
        let report = check(&town.store, town.now).unwrap();
        assert_eq!(report.wrong.len(), 1);
        town.store.commit(report.repair).unwrap();
        town.overwrite(Key::Board("malaka", 40), &mended);
        let report = check(&town.store, town.now).unwrap();
        assert_eq!(report.wrong, Vec::<String>::new());
        town.store.commit(report.repair).unwrap();
        assert_eq!(stored(&town.store), recomputed(&town.store));
        town.assert_sound();
        assert_eq!(town.board_text(board), text);
    }
}

/// The ratings follow when the winner is edited, and when an end is added or removed.
#[test]
fn ratings_follow_an_edited_board() {
    let mut town = league(None);
    let board = id("malaka", 40);
    let text = town.board_text(board);
    let closing =
        text.split("\"closing\":").nth(1).unwrap().split('}').next().unwrap().to_owned() + "}";
    let other = if closing.contains("\"seat\":0") {
        closing.replace("\"seat\":0", "\"seat\":1")
    } else {
        closing.replace("\"seat\":1", "\"seat\":0")
    };
    let unrated = text.replace("\"started\"", "\"terms\":{\"unrated\":true},\"started\"");
    let edits: [(String, bool); 4] = [
        (text.replace(&closing, &other), true),
        (text.replace(&format!("\"closing\":{closing},"), ""), true),
        // The board did not count while it was open, either.
        (unrated, false),
        (text.clone(), true),
    ];
    for (edited, rerated) in edits {
        let said = town.edit(board, &edited).unwrap();
        assert!(said.contains("Both players are told"), "{said}");
        assert_eq!(said.contains("malaka ratings computed anew"), rerated, "{said}");
        town.assert_sound();
        assert_eq!(stored(&town.store), recomputed(&town.store));
    }
    assert_eq!(town.board_text(board), text, "there and back");
    // The program ignores the ratings in the text of a board.
    let rated = text.replacen("\"won\":", "\"won\":9", 1);
    assert_ne!(rated, text);
    assert_eq!(town.edit(board, &rated).unwrap(), "malaka 40: unchanged\n");
    assert_eq!(town.board_text(board), text);
    // Another board is damaged: the program repairs the rest and names the damaged board.
    let broken = id("malaka", 41);
    let good = town.board_text(broken);
    town.overwrite(Key::Board("malaka", 41), "{");
    let said = town.edit(board, &text.replace(&closing, &other)).unwrap();
    assert!(
        said.contains("ratings are as they were, because boards/malaka/0/41.json cannot be read"),
        "{said}"
    );
    // The damaged board is repaired.
    let said = town.edit(broken, &good).unwrap();
    assert!(said.starts_with("malaka 41: edited\n") && !said.contains("as they were"), "{said}");
    town.assert_sound();
    assert_eq!(stored(&town.store), recomputed(&town.store));
}

/// Removes what this version added to the ratings in a document.
fn make_old(town: &mut RepairHome<MemoryStore>, key: &Key) {
    let mut document: Value = serde_json::from_str(&town.text(key)).unwrap();
    without_skills(&mut document);
    town.overwrite(key.clone(), &document.to_string());
}

/// An upgrade that was interrupted has changed some boards and no user; then a game ended.
#[test]
fn an_upgrade_of_ratings_goes_on_where_it_was_interrupted() {
    let mut town = league(None);
    let boards = town.store.keys(DocumentKind::Boards("malaka")).unwrap();
    let users = town.store.keys(DocumentKind::In(user::COLLECTION)).unwrap();
    for key in boards.iter().skip(1).step_by(2).chain(&users) {
        make_old(&mut town, key);
    }
    town.say("malaka challenge user0 user1");
    for _ in 0..10 {
        town.play(id("malaka", 81));
    }
    town.say("malaka resign 81 user1");
    let found = check(&town.store, town.now).unwrap();
    assert_eq!(found.mended, ["the malaka ratings were computed by an earlier version"]);
    assert_eq!(find_outdated_ratings(&town.store).unwrap(), Some("malaka"));
    let upgraded = upgrade_ratings(&mut town.store, town.now, &NoProgress).unwrap();
    assert!(upgraded.boards > boards.len() / 4 && upgraded.users > 0, "{upgraded:?}");
    assert_eq!(find_outdated_ratings(&town.store).unwrap(), None);
    town.assert_sound();
    assert_eq!(stored(&town.store), recomputed(&town.store));
    let again = upgrade_ratings(&mut town.store, town.now, &NoProgress).unwrap();
    assert_eq!((again.boards, again.users), (0, 0));
}

/// Plays boards of Malaka that an accomplice loses by resigning: one a day.
fn throw(town: &mut RepairHome<MemoryStore>, boards: u32, moves: usize) {
    for number in 0..boards {
        town.now += DAY;
        let accomplice = number % 8;
        town.say(&format!("malaka challenge cheat friend{accomplice}"));
        let board = town.store.keys(DocumentKind::Boards("malaka")).unwrap().len();
        let board = id("malaka", u32::try_from(board).unwrap());
        for _ in 0..moves {
            town.play(board);
        }
        town.say(&format!("malaka resign {} friend{accomplice}", board.number));
    }
}

/// Twenty games of two moves once made an established player of 1918.
#[test]
fn twenty_thrown_games_make_no_established_player() {
    let users: Vec<String> = (0..8).map(|user| format!("friend{user}")).collect();
    let users: Vec<&str> = users.iter().map(String::as_str).chain(["cheat"]).collect();
    let mut town = RepairHome::with(&users, MemoryStore::new());
    throw(&mut town, 20, 2);
    let PlayerRating { standing, period } = stored(&town.store)["cheat"].clone();
    assert_eq!((standing.won, standing.original.points()), (20, 1918));
    assert_eq!((standing.skill, period), (Skill::START, None));
    let said = town.say("malaka standings");
    assert!(said.contains(" cheat                     1600?  350    20"), "{said}");
    assert!(!said.contains("Established"), "{said}");
    let told = town.letters().into_iter().map(|(_, text)| text).collect::<String>();
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("a game counts from 5 moves of each player"), "{told}");
    assert!(!told.contains("Ratings: "), "{told}");
    // Long games tell something, but less and less.
    throw(&mut town, 20, 10);
    let standing = stored(&town.store)["cheat"].standing;
    assert!(standing.is_provisional() && standing.points() > 1700, "{standing:?}");
    let told = town.letters().into_iter().map(|(_, text)| text).collect::<String>();
    assert!(told.contains(", counts 1/8)"), "{told}");
    town.assert_sound();
    assert_eq!(stored(&town.store), recomputed(&town.store));
}

/// Boards that end in the same second may change ratings in any order. What counts is the order in
/// which they did, and that somebody is renamed in between.
#[test]
fn boards_that_end_in_the_same_second_and_renamed_users_are_no_mistake() {
    let mut town = RepairHome::with(&["alice", "bob", "carol"], MemoryStore::new());
    for players in ["alice bob", "alice carol", "alice bob"] {
        town.say(&format!("malaka challenge {players}"));
    }
    for number in 1..=3 {
        for _ in 0..10 {
            town.play(id("malaka", number));
        }
    }
    for (number, loser) in [(3, "bob"), (2, "alice"), (1, "alice")] {
        town.say(&format!("malaka resign {number} {loser}"));
    }
    town.assert_sound();
    let ends = [1, 2, 3].map(|number| town.board(id("malaka", number)).ended_at());
    assert!(ends[0] == ends[1] && ends[1] == ends[2], "{ends:?}");
    town.repair(|server, store, now| {
        postboard::server::repair::rename_user(
            server,
            store,
            &userid("bob"),
            &userid("robert"),
            now,
        )
    })
    .unwrap();
    town.assert_sound();
    // The third game with the renamed user counts less, too.
    town.say("malaka challenge alice robert");
    for _ in 0..10 {
        town.play(id("malaka", 4));
    }
    town.say("malaka resign 4 robert");
    let shares = town.board(id("malaka", 4)).rated.unwrap().map(|change| change.share);
    assert!(shares.contains(&3), "{shares:?}");
    town.assert_sound();
}
