//! Tests of the match: games in turn, scores, and resignations.

use super::Position;
use crate::kit::fixtures::options_in;
use crate::kit::{
    Choices, Diagram, Entry, Game as _, MoveError, Next, Outcome, Roll, Seat, Throw, View, replay,
};

const O: Seat = Seat(0);
const X: Seat = Seat(1);

fn set_up(words: &str) -> Position {
    Position::setup(&options_in::<Position>(words))
}

/// Returns the title, the number, the score and the winner of the last game.
fn shown(position: &Position) -> (&'static str, u32, [u32; 2], Option<(Seat, u32)>) {
    let Diagram::Points(board) = position.diagram(&View::default()) else { panic!() };
    let of = board.game_of.unwrap();
    (of.title.unwrap(), of.game, of.score, of.last)
}

/// Begins a match: O wins the opening roll and rolls again.
fn begun(words: &str) -> Position {
    let mut position = set_up(words);
    assert_eq!(position.next(), Next::Roll(Throw::to_begin(6)));
    position.roll(Roll::Two(6, 1));
    assert_eq!(position.next(), Next::Ready(O, Throw::new(2, 6)));
    position
}

#[test]
fn games_come_in_turn_and_the_winner_begins_the_next_one() {
    let mut position = begun("match=9");
    for (game, title, loser, score) in [
        (1, "Portes", O, [0, 2]),
        (2, "Plakoto", X, [2, 2]),
        (3, "Fevga", O, [2, 4]),
        (4, "Portes", O, [2, 6]),
        (5, "Plakoto", X, [4, 6]),
    ] {
        let (played, number, ..) = shown(&position);
        assert_eq!((played, number), (title, game));
        position.resign(loser, 2).unwrap();
        let (_, number, points, last) = shown(&position);
        assert_eq!((number, points, last), (game + 1, score, Some((loser.other(), 2))));
        assert_eq!(position.next(), Next::Ready(loser.other(), Throw::new(2, 6)));
    }
    position.resign(O, 2).unwrap();
    position.resign(O, 2).unwrap();
    let won = Outcome::Won { by: X, points: 1, reason: "by winning the match" };
    assert_eq!(position.next(), Next::Over(won));
    // Points beyond the length do not count.
    assert_eq!(shown(&position).2, [4, 9]);
    assert_eq!(position.resign(O, 1), Err(MoveError::NothingToMove));
}

#[test]
fn a_match_is_to_five_points_unless_said_otherwise() {
    let mut position = begun("");
    position.resign(O, 2).unwrap();
    position.resign(X, 2).unwrap();
    position.resign(O, 2).unwrap();
    assert_eq!(position.next(), Next::Ready(X, Throw::new(2, 6)));
    position.resign(O, 2).unwrap();
    assert!(matches!(position.next(), Next::Over(Outcome::Won { by: X, .. })));
}

#[test]
fn an_offer_to_resign_less_than_two_points_is_answered() {
    let mut position = begun("match=3");
    position.resign(O, 1).unwrap();
    assert_eq!(position.next(), Next::Move(X));
    let said: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["accept", "reject"]);
    let refused = position.read("24-23").unwrap_err().to_string();
    assert_eq!(refused, "answer the offer to resign first: `accept` or `reject`");
    let mut rejected = position.clone();
    rejected.play(&rejected.read("reject").unwrap());
    assert_eq!(rejected.next(), Next::Ready(O, Throw::new(2, 6)));
    let again = rejected.resign(O, 1).unwrap_err().to_string();
    assert_eq!(again, "your offer was rejected: play first, or resign for more");
    position.play(&position.read("Accept.").unwrap());
    assert_eq!(shown(&position), ("Plakoto", 2, [0, 1], Some((X, 1))));
    // A side that has borne off a man loses one point at most, so nobody is asked.
    let line = "X - 19=O 24=OOOOOOOOOOOOO 1=XXXXXXXXXXXXXXX off=O match=3 game=2";
    let mut placed = Position::place(&Choices::default(), line).unwrap();
    placed.resign(O, 1).unwrap();
    assert_eq!(shown(&placed), ("Fevga", 3, [0, 1], Some((X, 1))));
}

#[test]
fn a_drawn_game_counts_nothing_and_the_dice_decide_who_begins_the_next() {
    let line = format!(
        "O 21 1=OX 3=X 21=O 24=X 12={} 13={} match=5 score=1-2 game=2",
        "O".repeat(13),
        "X".repeat(12)
    );
    let mut position = Position::place(&Choices::default(), &line).unwrap();
    let play = position.read("21-24").unwrap();
    position.play(&play);
    assert_eq!(position.next(), Next::Roll(Throw::to_begin(6)));
    assert_eq!(shown(&position), ("Fevga", 3, [1, 2], None));
}

#[test]
fn each_game_is_read_and_written_in_its_own_way() {
    let mut position = begun("");
    position.roll(Roll::Two(3, 1));
    assert!(position.read("8/5 6/5").is_ok());
    position.resign(X, 2).unwrap();
    position.roll(Roll::Two(6, 5));
    assert_eq!(position.read("1-7 1-6").unwrap().to_string(), "1-7,1-6");
    position.resign(O, 2).unwrap();
    position.roll(Roll::Two(6, 5));
    assert_eq!(position.read("13/24").unwrap().to_string(), "13-19,19-24");
    assert!(position.notation().starts_with("X 65 1=OOOOOOOOOOOOOOO 13=XXXXXXXXXXXXXXX match=5"));
}

#[test]
fn lines_that_contradict_themselves_are_refused() {
    let men = "1=OOOOOOOOOOOOOOO 24=XXXXXXXXXXXXXXX";
    for (words, why) in [
        ("score=5-0 game=2", "`won=` must name the side that has won the match, and no other"),
        ("won=O2 game=2", "`won=` must name the side that has won the match, and no other"),
        ("game=0", "`game=0` is not a place such as 13=OO or off=OX"),
        ("match=65", "`match=65` is not a place such as 13=OO or off=OX"),
        ("game=2 game=5", "`game=5` says again what was said before"),
        ("game=2 resigns=O2", "nobody can offer to resign this stake here"),
    ] {
        let placed = Position::place(&Choices::default(), &format!("O - {men} {words}"));
        assert_eq!(placed.unwrap_err(), why, "{words}");
    }
}

#[test]
fn a_record_of_a_whole_match_replays() {
    let game = crate::find("tavli").unwrap();
    let record: Vec<Entry> = [Entry::Rolled(Roll::Two(6, 1))]
        .into_iter()
        .chain((0..3).map(|_| Entry::Resigned { seat: X, stake: 2 }))
        .collect();
    let mut position = game.setup(&Choices::default());
    replay(&mut *position, &record).unwrap();
    assert!(matches!(position.next(), Next::Over(Outcome::Won { by: O, .. })));
}
