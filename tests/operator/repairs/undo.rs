//! Moves, ends and answers to challenges that are taken back.

use super::{ONE, RepairHome, START, dice, entries, id, userid, watched, watched_at};
use postboard::base::ids::BoardId;
use postboard::base::time::{DAY, MINUTE, Span, minutes};
use postboard::model::board::BoardStatus;
use postboard::model::world::user_key;
use postboard::server::repair;
use postboard::store::{Documents as _, Key, MemoryStore};

#[test]
fn a_move_is_taken_back_and_everybody_told() {
    let mut town = watched();
    town.play(ONE);
    let before = town.board(ONE);
    town.play(ONE);
    let after = town.board(ONE);
    town.say("malaka queue 1 bob a1-a2");
    town.letters();
    let said = town.undo(ONE, 1).unwrap();
    assert!(said.contains("malaka 1: taken back: ") && said.contains("It is bob's turn"), "{said}");
    let board = town.board(ONE);
    assert_eq!(entries(&board), entries(&before));
    assert_eq!(board.plans, [None, None]);
    let letters = town.letters();
    let to: Vec<&str> = letters.iter().map(|(to, _)| to.as_str()).collect();
    assert_eq!(to, ["alice@example.org", "bob@example.org", "carol@example.org"]);
    for (to, text) in &letters[..2] {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("has taken back move 2 and everything after it: the game goes on"),
            "{text}"
        );
        assert!(words.contains("later rolls will come again"), "{text}");
        assert_eq!(words.contains("planned move `a1-a2` was not played"), to.starts_with("bob"));
    }
    town.assert_sound();
    assert!(town.log[0].starts_with("malaka 1: taken back: "), "{:?}", town.log);
    // The same dice come again.
    town.play(ONE);
    assert_eq!(entries(&town.board(ONE)), entries(&after));
    assert_eq!(town.board(ONE).kept, []);
    // Both moves at once, and other dice.
    town.letters();
    let repair = town.repair(|server, store, now| repair::undo(server, store, ONE, 2, true, now));
    assert!(repair.unwrap().contains("new dice"));
    assert_eq!((town.board(ONE).kept.len(), town.board(ONE).record.len()), (0, 1));
    let letters = town.letters();
    assert!(letters[0].1.replace('\n', " ").contains("later rolls will be new"), "{letters:?}");
    town.chance = dice(3);
    town.play(ONE);
    assert_ne!(entries(&town.board(ONE)), entries(&before));
    town.assert_sound();
}

#[test]
fn an_undo_that_is_impossible_is_refused_with_the_reason() {
    let mut town = watched();
    let refused = |town: &mut RepairHome<MemoryStore>, number, moves, why: &str| {
        let before = format!("{:?}", town.store);
        assert_eq!(town.undo(id("malaka", number), moves).unwrap_err(), why);
        assert_eq!(format!("{:?}", town.store), before);
    };
    refused(&mut town, 1, 1, "there is no decision to take back on malaka 1");
    refused(&mut town, 2, 1, "there is no board malaka 2");
    town.play(ONE);
    refused(&mut town, 1, 2, "you can take back only 1 decision on malaka 1");
    let text = town.board_text(ONE);
    town.overwrite(Key::Board("malaka", 1), "{");
    let why = "boards/malaka/0/1.json cannot be read: EOF while parsing an object at line 1 \
               column 1; repair it first";
    refused(&mut town, 1, 1, why);
    town.overwrite(Key::Board("malaka", 1), &text);
    // A board that would continue with a player who has left.
    town.say("malaka resign 1 bob");
    let bob = town.store.load(&user_key(&userid("bob"))).unwrap().text.unwrap();
    town.overwrite(user_key(&userid("bob")), "[]");
    let why =
        "users/bo/bob.json cannot be read: line 1 column 2 is not understood; repair it first";
    refused(&mut town, 1, 1, why);
    town.overwrite(user_key(&userid("bob")), &bob);
    town.repair(|server, store, now| repair::remove_user(server, store, &userid("bob"), now))
        .unwrap();
    refused(&mut town, 1, 1, "malaka 1 cannot go on: bob has left");
    // Ratings are computed again from all boards.
    town.say("signup dave secret dave@example.org");
    town.say("malaka challenge alice dave");
    town.play(id("malaka", 2));
    town.play(id("malaka", 2));
    town.say("malaka resign 2 alice");
    town.overwrite(Key::Board("malaka", 1), "{");
    let why = "boards/malaka/0/1.json cannot be read: EOF while parsing an object at line 1 \
               column 1; repair it first, the ratings follow from it";
    refused(&mut town, 2, 1, why);
}

/// However a board ended, it continues, and no player loses time.
#[test]
fn every_end_is_taken_back() {
    type End<'a> = &'a dyn Fn(&mut RepairHome<MemoryStore>);
    let ends: [(&str, End); 4] = [
        ("resigning", &|town| drop(town.say("malaka resign 1 bob"))),
        ("agreeing", &|town| {
            town.say("moloko propose 1 alice");
            town.say("moloko accept 1 bob");
        }),
        ("forfeiting", &|town| {
            for _ in 0..6 {
                town.now += DAY;
                town.remind();
            }
        }),
        ("declining", &|town| {
            town.undo(ONE, 2).unwrap();
            town.say("malaka resign 1 alice");
        }),
    ];
    for (word, end) in ends {
        // Malaka has no draw.
        let game = if word == "agreeing" { "moloko" } else { "malaka" };
        let id = BoardId { game, number: 1 };
        let mut town = watched_at(game);
        town.play(id);
        town.play(id);
        end(&mut town);
        let over = town.board(id);
        assert!(over.is_over() && town.user("alice").active.is_empty(), "{word}");
        let rated = word != "declining";
        assert_eq!(over.rated.is_some(), rated, "{word}");
        town.now += 30 * DAY;
        town.letters();
        let said = town.undo(id, 1).unwrap();
        assert!(said.starts_with(&format!("{game} 1: taken back: {word}\n")), "{said}");
        let board = town.board(id);
        assert_eq!((board.is_over(), board.closing, board.rated), (false, None, None));
        for user in ["alice", "bob"] {
            let user = town.user(user);
            assert_eq!((user.active, user.finished), (vec![id], vec![]), "{word}");
            assert!(user.ratings.is_empty(), "{word}");
        }
        let text = &town.letters()[0].1;
        assert!(text.replace('\n', " ").contains("has taken back the end of this game:"), "{text}");
        town.assert_sound();
        // The wakeup index has a time, and then nothing is due.
        town.remind();
        assert!(!town.board(id).is_over() && town.letters().is_empty(), "{word}");
        town.now += 2 * DAY;
        town.remind();
        assert_eq!(town.letters().len(), 1, "{word}: a reminder");
        town.now += 2 * DAY;
        town.remind();
        assert!(town.board(id).is_over(), "{word}: four days after it was taken back");
        town.assert_sound();
    }
}

/// Players whose only move is undone have not answered the challenge.
#[test]
fn a_challenge_that_was_declined_waits_again() {
    let mut town = RepairHome::with(&["alice", "bob"], MemoryStore::new());
    town.answers_to_mail("alice", "postboard@localhost", "malaka challenge alice bob", "");
    let answered = |town: &RepairHome<MemoryStore>| town.user("alice").challenges[0].answered;
    town.play(ONE);
    assert!(!answered(&town));
    town.say("malaka resign 1 bob");
    assert!(answered(&town));
    town.undo(ONE, 1).unwrap();
    assert!(!answered(&town));
    town.play(ONE);
    assert!(answered(&town));
    town.undo(ONE, 1).unwrap();
    assert!(!answered(&town));
    town.assert_sound();
}

/// Moves that were taken back cost no player any time, neither of the turn nor in total.
#[test]
fn moves_that_were_taken_back_cost_no_time() {
    let mut town = watched();
    town.now += DAY;
    town.play(ONE);
    town.now += 3 * DAY;
    town.play(ONE);
    town.now += 3 * DAY;
    town.undo(ONE, 1).unwrap();
    let clock = |town: &RepairHome<MemoryStore>| {
        postboard::model::clock::Clock::read(&town.board(ONE), Default::default(), town.now).used
    };
    assert_eq!(clock(&town), [DAY + MINUTE, Span::ZERO]);
    town.now += DAY;
    assert_eq!(clock(&town), [DAY + MINUTE, DAY]);
    town.play(ONE);
    assert_eq!(clock(&town), [DAY + MINUTE, DAY + MINUTE]);
    // The times in the record do not change.
    let times: Vec<Span> = town.board(ONE).record.iter().map(|line| line.at - START).collect();
    let first = DAY + MINUTE;
    let second = 8 * DAY + minutes(3);
    assert_eq!(times, [Span::ZERO, first, first, second, second]);
}

/// A player whose roll is pending is not charged for the time of a double that is taken back.
#[test]
fn a_double_that_is_taken_back_takes_nobody_s_time() {
    let mut town = RepairHome::with(&["alice", "bob"], MemoryStore::new());
    town.say("backgammon challenge alice bob --totaltime=9");
    let board = id("backgammon", 1);
    for user in ["alice", "bob"] {
        town.say(&format!("backgammon manual 1 {user}"));
    }
    town.play(board);
    let due = town.board(board);
    let BoardStatus::ToMove(seat) = due.status() else { panic!() };
    town.now += 8 * DAY;
    town.say(&format!("backgammon double 1 {}", due.player(seat)));
    town.now += 30 * DAY;
    town.undo(board, 1).unwrap();
    let clock =
        postboard::model::clock::Clock::read(&town.board(board), Default::default(), town.now);
    let used = if seat == games::Seat(1) { [MINUTE, Span::ZERO] } else { [Span::ZERO, MINUTE] };
    assert_eq!((clock.used, clock.turn.unwrap().seat), (used, seat));
    town.assert_sound();
}

/// The program's move is taken back together with the move that it answered; it is never the
/// program's turn.
#[test]
fn a_board_of_the_program_is_taken_back_to_the_move_of_the_other() {
    let mut town = RepairHome::with(&["alice"], MemoryStore::default());
    town.say("reversi challenge board1 alice");
    let id = id("reversi", 1);
    let (start, seat) = (town.board(id).record.len(), games::Seat(1));
    let play = town.board(id).position().nth_move(0).unwrap();
    town.say(&format!("reversi move 1 alice {play}"));
    assert!(town.board(id).record.len() > start + 1);
    town.undo(id, 1).unwrap();
    assert_eq!(town.board(id).record.len(), start);
    assert!(town.board(id).position().next().asks(seat));
    // Alice has no more moves.
    town.undo(id, 1).unwrap_err();
    town.assert_sound();
}
