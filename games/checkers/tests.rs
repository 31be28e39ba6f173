//! Tests of Checkers.

use super::*;
use crate::draughts::tests::{at, games_beside_the_reference, quiet_moves_until, reason, think};
use crate::draughts::{read_pdn, write_pdn};
use crate::kit::fixtures::{after, listed, options, refused, start};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::{Chance, Entry, Game, Next, Transcript};
use std::collections::BTreeSet;

#[test]
fn a_slow_reference_finds_the_same_in_two_thousand_random_games() {
    let ends = games_beside_the_reference::<Checkers>(false);
    println!("{ends:?}");
    assert!(ends.iter().all(|count| *count > 0), "{ends:?}");
}

/// Published numbers (A. Bik).
#[test]
fn sequences_of_moves_are_counted_as_published() {
    let count = |depth| Position::perft(&Choices::default(), depth);
    assert_eq!(
        [1, 2, 3, 4, 5, 6, 7, 8].map(count),
        [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931]
    );
}

#[test]
#[ignore = "counts nine moves"]
fn sequences_of_nine_moves_are_counted_as_published() {
    assert_eq!(Position::perft(&Choices::default(), 9), 3_963_680);
}

#[test]
fn black_begins_from_the_low_numbers() {
    let start = start::<Position>(&[]);
    assert_eq!(
        start.notation(),
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    );
    assert_eq!(listed(&start), ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]);
    for text in ["11-15", "f6-e5", "f6e5", "11 15", "1. 11-15"] {
        assert_eq!(start.read(text).unwrap().to_string(), "11-15", "{text}");
    }
    assert_eq!(refused(&start, "11-17"), "the man on 11 can move to 15 or 16, not to 17");
    assert_eq!(refused(&start, "33-29"), "there is no square 33: the squares are 1 to 32");
    assert_eq!(refused(&start, "i9-j8"), "there is no square i9: the squares are 1 to 32");
}

#[test]
fn a_side_chooses_between_captures_and_must_finish_them() {
    let start = at::<Checkers>("B:W15,16,24,17,32:B11,12,5");
    // Two men, or one.
    assert_eq!(listed(&start), ["11x18", "11x27", "12x28"]);
    assert_eq!(refused(&start, "5-9"), "you must take a man: 11x18 or 11x27 or 12x28");
    assert_eq!(refused(&start, "11x20"), "the man must go on taking: send 11x20x27");
    assert_eq!(after(&start, "11x20x27").notation(), "W:W15,17,32:B5,12,27 last=11-20-27");
}

#[test]
fn men_go_and_take_forwards_alone_and_kings_walk() {
    let man = at::<Checkers>("B:W10,29:B15");
    assert_eq!(listed(&man), ["15-18", "15-19"]);
    let king = at::<Checkers>("B:W10,29:BK15");
    assert_eq!(listed(&king), ["15x6"]);
    assert_eq!(listed(&at::<Checkers>("B:W29:BK15")).len(), 4);
}

#[test]
fn a_man_that_is_crowned_stops() {
    let start = at::<Checkers>("B:W26,27,30:B22,1");
    assert_eq!(listed(&start), ["22x31"]);
    let crowned = after(&start, "22x31");
    assert!(crowned.notation().starts_with("W:W27,30:B1,K31"), "{}", crowned.notation());
}

#[test]
fn kings_draw_after_forty_moves_and_a_third_repetition() {
    let made = quiet_moves_until::<Checkers>("B:WK32,K30:BK1,K3", "40 moves of each side", true);
    assert_eq!(made, 80);
    let start = at::<Checkers>("B:WK32:BK1");
    let once = "1-5 32-28 5-1 28-32";
    let before = after(&start, &format!("{once} 1-5 32-28 5-1"));
    assert!(matches!(before.next(), Next::Move(_)));
    assert_eq!(reason(&after(&before, "28-32")), "the position has come for the third time");
}

/// All ballots can be played, no two are one, and none of the barred ones is drawn.
#[test]
fn ballots_are_three_legal_moves_each() {
    let mut seen = BTreeSet::new();
    assert_eq!(BALLOTS.lines().count(), COUNT as usize);
    for (number, line) in (1..).zip(BALLOTS.lines()) {
        let moves = line.trim_end_matches(BARRED);
        assert_eq!(moves.split(' ').count(), 3);
        assert!(seen.insert(moves), "{moves}");
        let played = after(&start::<Position>(&[]), moves);
        let begun = start::<Position>(&[&format!("opening={number}")]);
        assert_eq!(begun.next(), Next::Move(Seat(1)));
        assert!(begun.notation().contains(&format!(" ballot={number}")));
        assert_eq!(begun.notation().replace(&format!(" ballot={number}"), ""), played.notation());
    }
    let barred = BALLOTS.lines().filter(|line| line.ends_with(BARRED)).count();
    assert_eq!(barred, 18);
    let mut chance = Chance::new(1);
    let drawn: BTreeSet<usize> =
        (0..5_000).map(|_| Checkers::draw_ballot(&mut |limit| chance.below(limit))).collect();
    assert_eq!(drawn.len(), COUNT as usize - barred);
    assert!(!drawn.contains(&3) && drawn.contains(&1) && drawn.contains(&174));
}

#[test]
fn a_drawn_ballot_is_part_of_the_record() {
    let start = start::<Position>(&[BALLOT]);
    assert_eq!(start.next(), Next::Deal);
    assert_eq!(start.notation(), "undrawn");
    let mut begun = start.clone();
    for wrong in ["0", "175", "01", "x"] {
        begun.lay(&wrong.parse().unwrap()).unwrap_err();
    }
    assert_eq!(begun, start);
    begun.lay(&"46".parse().unwrap()).unwrap();
    assert_eq!(listed(&begun), ["26x19", "27x18"].map(String::from));
    let options = options::<Position>(&[BALLOT]);
    let moved = Entry::Moved { seat: Seat(1), text: "27x18".into(), auto: false };
    let record = vec![Entry::Laid("46".parse().unwrap()), moved];
    let players = ["alice", "bob"].map(str::to_owned);
    let written =
        write_pdn::<Checkers>(&Transcript { players, options, record, ending: None }).unwrap();
    assert!(written.contains("[White \"bob\"]\n[Black \"alice\"]"), "{written}");
    assert!(written.ends_with("\n1. 9-14 23-18 2. 14x23 27x18 *\n"), "{written}");
    let read = &all_games(read_pdn::<Checkers>(&written)).unwrap()[0];
    assert_eq!((read.record.len(), &*read.players[0]), (4, "alice"));
}

strength_tests!(Position, 6 games on [&[][..]], many on &[&[]]);

/// Prints how long the highest level thinks, for docs/strength.md.
#[test]
#[ignore = "measures time"]
fn the_highest_level_thinks_for_milliseconds() {
    think::<Checkers>();
}
