//! Tests of boards and their documents.

use super::*;
use crate::base::time::{Time, seconds};

fn board() -> Board {
    let game = games::find("malaka").unwrap();
    let players = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
    let mut board = Board::new(game, 7, players, Choices::default(), Time::from_unix(1));
    let moved = |seat, text: &str| Entry::Moved { seat, text: text.into(), auto: false };
    board.append(Time::from_unix(2), &[Entry::Rolled(Roll::One(3)), moved(Seat(0), "a1-a4")]);
    board.append(
        Time::from_unix(3),
        &[Entry::Rolled(Roll::Two(1, 2)), moved(Seat(1), "g9-g7,g9-g8")],
    );
    board.append(Time::from_unix(3), &[Entry::Rolled(Roll::Two(4, 4))]);
    board
}

#[test]
fn a_board_reads_back_as_it_was_written() {
    let board = board();
    let text = board.write();
    let back = Board::read(&text).unwrap();
    assert_eq!(back.write(), text);
    assert_eq!(back.position().notation(), board.position().notation());
    assert_eq!((back.next_move(), back.status()), (3, BoardStatus::ToMove(Seat(0))));
    // Operators read and edit it, so each entry has a line.
    assert_eq!(text.lines().count(), 7);
}

#[test]
fn taking_back_shortens_the_record_and_keeps_its_rolls() {
    let mut board = board();
    let text = board.write();
    let nags = Some(TurnReminders { first: Time::from_unix(5), last: Time::from_unix(6) });
    let draw = Offer {
        by: Seat(1),
        what: Proposal::Draw,
        at: Time::from_unix(4),
        nags,
        is_refused: false,
    };
    for is_refused in [true, false] {
        board.offer = Some(draw);
        board.end_offer(is_refused);
        assert_eq!(board.past, [Offer { is_refused, ..draw }]);
        assert_eq!(Board::read(&board.write()).unwrap().past, board.past);
    }
    let old = r#""past":[{"seat":1,"what":"draw","at":4,"#;
    assert!(board.write().contains(old) && !board.write().contains("refused"), "as it was written");
    board.offer = Some(Offer { what: Proposal::Undo, ..draw });
    let back = Board::read(&board.write()).unwrap();
    assert_eq!((back.offer, &back.past), (board.offer, &vec![draw]));
    assert_eq!(board.last_decision(Seat(1)), Some(DecisionPoint { moveno: 2, entries: 2 }));
    assert_eq!(board.last_decision(Seat(0)), Some(DecisionPoint { moveno: 1, entries: 4 }));
    board.take_back(RewindRecord {
        at: Time::from_unix(9),
        entries: 3,
        used: [seconds(3), seconds(4)],
        banks: None,
        moved: [true; 2],
    });
    assert_eq!((board.offer, &board.kept[..]), (None, &[Roll::Two(4, 4)][..]));
    assert_eq!(board.past, []);
    assert_eq!((board.next_move(), board.status()), (2, BoardStatus::ToMove(Seat(1))));
    let second = RewindRecord {
        at: Time::from_unix(9),
        entries: 1,
        used: [seconds(5), seconds(6)],
        banks: None,
        moved: [true; 2],
    };
    board.take_back(second);
    assert_eq!(Seat::BOTH.map(|seat| board.has_moved(seat)), [true; 2], "once is for ever");
    let back = Board::read(&board.write()).unwrap();
    assert_eq!(back.kept, [Roll::Two(1, 2), Roll::Two(4, 4)]);
    assert_eq!((back.next_move(), back.record.len()), (1, 1));
    assert_eq!(back.last_decision(Seat(0)), None);
    assert_eq!(back.rewound, Some(second));
    // The same moves and rolls use up the kept rolls.
    let moved = |seat, text: &str| Entry::Moved { seat, text: text.into(), auto: false };
    board.append(Time::from_unix(2), &[moved(Seat(0), "a1-a4"), Entry::Rolled(Roll::Two(1, 2))]);
    board.append(
        Time::from_unix(3),
        &[moved(Seat(1), "g9-g7,g9-g8"), Entry::Rolled(Roll::Two(4, 4))],
    );
    assert_eq!(board.kept, []);
    assert_eq!(board.position().notation(), Board::read(&text).unwrap().position().notation());
}

#[test]
fn automatic_moves_are_not_decisions_of_their_player() {
    let mut board = board();
    for line in &mut board.record {
        if let Entry::Moved { seat: Seat(1), auto, .. } = &mut line.entry {
            *auto = true;
        }
    }
    assert_eq!(board.last_decision(Seat(1)), None);
    assert_eq!(board.last_decision(Seat(0)), Some(DecisionPoint { moveno: 1, entries: 4 }));
}

#[test]
fn a_record_cut_anywhere_is_damage_or_a_board() {
    let text = board().write();
    let lines: Vec<&str> = text.lines().collect();
    for kept in 1..lines.len() {
        for end in ["]}", "\n]}", ""] {
            let cut = lines[..kept].join("\n").trim_end_matches(',').to_owned() + end;
            if let Ok(board) = Board::read(&cut) {
                board.status();
            }
        }
    }
    let without_roll = text.replace(",\n{\"at\":3,\"roll\":\"44\"}", "");
    let damage = Board::read(&without_roll).unwrap_err();
    assert_eq!(damage.to_string(), "the record ends before a roll");
    for (from, to) in [
        ("a1-a4", "a1-a5"),
        ("\"12\"", "\"15\""),
        ("\"seat\":1", "\"seat\":0"),
        ("\"seat\":1", "\"seat\":9"),
        ("\"bob\"", "\"ALICE\""),
        ("\"format\":1", "\"format\":2"),
        ("malaka 7", "ludo 7"),
        ("\"started\"", "\"begun\""),
    ] {
        assert!(text.contains(from), "{from}");
        Board::read(&text.replace(from, to)).unwrap_err();
    }
}

#[test]
fn a_board_that_began_by_earlier_rules_goes_on_by_them() {
    let game = games::find("life").unwrap();
    let players = ["alice", "bob"].map(|name| UserId::parse(name).unwrap());
    let mut board = Board::new(game, 7, players, Choices::default(), Time::from_unix(1));
    let dealt = board.position().deal(&mut |_| 0);
    board.append(Time::from_unix(2), &[Entry::Laid(dealt)]);
    let text = board.write();
    assert!(text.contains(r#""rules":2,"#) && Board::read(&text).unwrap().rules == 2);
    assert!(!board.position().notation().contains("most="));
    let old = text.replace(r#""rules":2,"#, "");
    let back = Board::read(&old).unwrap();
    assert_eq!((back.rules, back.write()), (1, old), "nothing says so in a file from before");
    for board in [back.played(), back] {
        for position in [board.position().notation(), board.position_after(0).unwrap().notation()] {
            assert!(position.ends_with(" most=101"), "{position}");
        }
    }
    let newer = text.replace(r#""rules":2,"#, r#""rules":3,"#);
    assert!(Board::read(&newer).unwrap_err().to_string().contains("no rules 3"));
}
