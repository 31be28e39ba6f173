//! Tests of Lines of Action.

use super::*;
use crate::kit::Chance;
use crate::kit::fixtures::{after, options, place, sequences, start};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::sgf::tests::{of_moves, only_game};
use std::collections::BTreeSet;

/// Returns the position of a line on the board of six.
fn at(line: &str, words: &[&str]) -> Position {
    let words = [&["size=6"][..], words].concat();
    place::<Position>(&words, line).unwrap()
}

fn usual() -> Position {
    start::<Position>(&[])
}

/// The slow reference: a board of letters, read from a position's notation.
struct Letters(Vec<Vec<char>>);

impl Letters {
    fn of(position: &Position) -> Self {
        let line = position.notation();
        let rows = line.split_whitespace().nth(1).unwrap().split('/').rev();
        Self(rows.map(|row| row.chars().collect()).collect())
    }

    fn men(&self, side: char) -> Vec<(i32, i32)> {
        let size = i32::try_from(self.0.len()).unwrap();
        let all = (0..size).flat_map(|rank| (0..size).map(move |file| (file, rank)));
        all.filter(|&place| self.at(place) == Some(side)).collect()
    }

    fn at(&self, (file, rank): (i32, i32)) -> Option<char> {
        let row = self.0.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    /// Returns the moves of a side in words.
    fn moves(&self, side: char) -> BTreeSet<String> {
        let all = [self.men('B'), self.men('W')].concat();
        let mut moves = BTreeSet::new();
        for man in self.men(side) {
            for (file, rank) in (-1..=1).flat_map(|file| (-1..=1).map(move |rank| (file, rank))) {
                if (file, rank) == (0, 0) {
                    continue;
                }
                // Men on the line are those whose distance is a multiple of the step.
                let on_line = |other: &&(i32, i32)| {
                    let (right, up) = (other.0 - man.0, other.1 - man.1);
                    right * rank == up * file && (file != 0 || right == 0) && (rank != 0 || up == 0)
                };
                let length = i32::try_from(all.iter().filter(on_line).count()).unwrap();
                let along = |steps: i32| (man.0 + file * steps, man.1 + rank * steps);
                let is_blocked = (1..length).any(|steps| {
                    self.at(along(steps)).is_some_and(|man| man != '.' && man != side)
                });
                match self.at(along(length)) {
                    Some(there) if there != side && !is_blocked => {
                        let name = |(file, rank): (i32, i32)| {
                            let letter = (b'a'..).nth(usize::try_from(file).unwrap()).unwrap();
                            format!("{}{}", char::from(letter), rank + 1)
                        };
                        let sign = if there == '.' { '-' } else { 'x' };
                        moves.insert(format!("{}{sign}{}", name(man), name(along(length))));
                    }
                    _ => {}
                }
            }
        }
        if moves.is_empty() {
            moves.insert("pass".into());
        }
        moves
    }

    /// Returns the number of groups of a side, found by joining lists of men.
    fn groups(&self, side: char) -> usize {
        let mut groups: Vec<Vec<(i32, i32)>> = Vec::new();
        for man in self.men(side) {
            let touches = |group: &Vec<(i32, i32)>| {
                group
                    .iter()
                    .any(|&(file, rank)| (file - man.0).abs() < 2 && (rank - man.1).abs() < 2)
            };
            let (near, mut far): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
            far.push([near.concat(), vec![man]].concat());
            groups = far;
        }
        groups.len()
    }
}

#[test]
fn a_slow_reference_finds_the_same_moves_and_groups_in_two_thousand_random_games() {
    let mut chance = Chance::new(9);
    let mut ends = [0_u32; 4];
    for game in 0..2_000 {
        let words: &[&str] = [&[][..], &["size=6"], &["draw"], &["size=6", "draw"]][game % 4];
        let mut position = start::<Position>(words);
        while let Next::Move(seat) = position.next() {
            let moves = position.moves();
            if chance.below(8) == 0 {
                let letters = Letters::of(&position);
                let listed: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
                let found = letters.moves(['B', 'W'][seat.index()]);
                assert_eq!(listed, found, "{}", position.notation());
                assert_eq!(listed.len(), moves.len());
            }
            position.play(&moves[chance.below(moves.len())]);
            let letters = Letters::of(&position);
            let counted = ['B', 'W'].map(|side| letters.groups(side));
            assert_eq!(position.board.men.map(groups).map(|count| count as usize), counted);
            let [own, other] = [seat, seat.other()].map(|seat| counted[seat.index()] == 1);
            let is_draw = own && other && position.both_draw;
            let expected = match (own, other) {
                _ if is_draw => Some(None),
                (true, _) => Some(Some(seat)),
                (false, true) => Some(Some(seat.other())),
                (false, false) => None,
            };
            match (position.next(), expected) {
                (Next::Over(Outcome::Won { by, .. }), Some(Some(winner))) if by == winner => {}
                (Next::Over(Outcome::Drawn { .. }), Some(None)) => {}
                (Next::Over(Outcome::Drawn { .. }), None) => {
                    assert_eq!(position.end, Some(End::Repeated));
                }
                (Next::Move(next), None) if next == seat.other() => {}
                other => panic!("{other:?} in {}", position.notation()),
            }
        }
        ends[match position.end.unwrap() {
            End::Joined(_) => 0,
            End::JoinedEnemy(_) => 1,
            End::JoinedBoth(_) => 2,
            End::Repeated => 3,
        }] += 1;
    }
    assert!(ends[..3].iter().all(|&count| count > 0), "{ends:?}");
}

#[test]
fn a_man_moves_as_far_as_there_are_men_on_its_line() {
    let start = usual();
    assert_eq!(
        start.notation(),
        "B .BBBBBB./W......W/W......W/W......W/W......W/W......W/W......W/.BBBBBB."
    );
    let from_b1 = ["b1-h1", "b1-b3", "b1-d3"];
    let moves: Vec<String> = start.moves().iter().map(ToString::to_string).collect();
    for text in from_b1 {
        assert!(moves.contains(&text.to_owned()), "{moves:?}");
    }
    assert_eq!(moves.iter().filter(|text| text.starts_with("b1")).count(), 3);
    assert!(moves.contains(&"c1xa3".into()), "{moves:?}");
    assert_eq!(moves.len(), 36);
}

#[test]
fn a_move_is_read_in_every_spelling() {
    let start = usual();
    for text in
        ["b1-h1", "B1-H1", "b1h1", "b1 h1", "b1 to h1", "b1->h1", "b1/h1", "1. b1-h1", "b1 - h1."]
    {
        assert_eq!(start.read(text).unwrap().to_string(), "b1-h1", "{text}");
    }
    for text in ["c1xa3", "c1:a3", "c1-a3", "c1a3", "C1xA3", "c1 x a3", "c1\u{d7}a3"] {
        assert_eq!(start.read(text).unwrap().to_string(), "c1xa3", "{text}");
    }
    assert!(start.read_recorded("c1-a3").is_err() && start.read_recorded("C1xA3").is_err());
    assert!(start.read_recorded("c1xa3").is_ok());
}

#[test]
fn a_move_is_refused_with_the_reason() {
    let start = usual();
    let refused = |text: &str| start.read(text).unwrap_err().to_string();
    assert_eq!(refused("b1xh1"), "there is no man to take on h1");
    assert_eq!(refused("a2-b2"), "there is no black man on a2");
    assert_eq!(refused("e4-e5"), "there is no black man on e4");
    assert_eq!(refused("b1-c3"), "c3 is not on a line with b1");
    assert_eq!(refused("b1-b1"), "b1 is not on a line with b1");
    assert_eq!(
        refused("b1-b4"),
        "the man on b1 moves as many squares as there are men on its line, so it can move to h1, d3 and b3"
    );
    assert_eq!(refused("i1-i3"), "there is no square i1");
    assert_eq!(refused("pass"), "you may pass only when none of your men can move");
    assert_eq!(refused("b1"), "expected the square where the man ends, as in b1-b3 at column 3");
    assert_eq!(refused("hello"), "expected a move such as b1-b3 at column 1");
    assert_eq!(refused("b1-b3 c1"), "expected nothing more at column 7");
    let small = at("B ....../.B..W./....../.W..../.B..../....W.", &[]);
    assert_eq!(
        small.read("g1-g3").unwrap_err().to_string(),
        "there is no square g1: this board ends at f6"
    );
    // Three men are on the file, and one of them is an enemy.
    assert_eq!(
        small.read("b2-b5").unwrap_err().to_string(),
        "the enemy man on b3 is in the way to b5"
    );
    let own = at("B B.B.../....../....../....../W...../W..W..", &[]);
    assert_eq!(own.read("a6-c6").unwrap_err().to_string(), "there is a black man on c6, too");
}

#[test]
fn a_side_wins_by_joining_all_its_men() {
    let reason = |position: &Position| match position.next() {
        Next::Over(Outcome::Won { by, reason, .. }) => format!("{} {reason}", SIDES[by.index()]),
        Next::Over(Outcome::Drawn { reason }) => reason.to_owned(),
        next => panic!("{next:?}"),
    };
    let joins = at("B ....../B...../..B.../....W./....../W.....", &[]);
    assert_eq!(reason(&after(&joins, "a5-b5")), "Black by joining all men into one group");
    // The man taken was all that kept White's men apart.
    let helps = "B B....B/....../....../.W.B../....../WW....";
    let helps = at(helps, &[]);
    assert_eq!(
        reason(&after(&helps, "d3xb3")),
        "White because the man taken was the only one outside the group"
    );
    let both = "B ....../....../....../.W.B../.B..../WW....";
    for (words, said) in [
        (&[][..], "Black by a move that has joined the men of both sides"),
        (&["draw"], "the last move has joined the men of both sides"),
    ] {
        assert_eq!(reason(&after(&at(both, words), "d3xb3")), said);
    }
    // A single man is a group.
    let last = at("W ....../....../....../.B.W../....../B.W...", &[]);
    let taken = after(&last, "d3xb3");
    assert_eq!(reason(&taken), "Black because the man taken was the only one outside the group");
}

#[test]
fn the_third_repetition_is_a_draw() {
    let start = usual();
    let once = "b1-b3 a2-c2 b3-b1 c2-a2";
    let twice = after(&after(&start, once), once);
    assert_eq!(twice.end, Some(End::Repeated));
    let before = after(&after(&start, once), "b1-b3 a2-c2 b3-b1");
    assert_eq!(before.end, None);
    let placed = place::<Position>(&[], &before.notation()).unwrap();
    assert_eq!(placed, before);
    // The past goes on in a placed position, and a man taken ends it.
    assert_eq!(after(&placed, "c2-a2").end, Some(End::Repeated));
    assert!(after(&placed, "a3xc1").past.is_empty());
    assert!(!after(&placed, "c2-c5").past.is_empty());
}

#[test]
fn who_cannot_move_passes() {
    let stuck = at("W ....../....../....../....../BB..BB/WB..BW", &[]);
    assert_eq!(stuck.moves(), [LoaMove::Pass]);
    assert_eq!(stuck.automatic_move(&Choices::default()), Some(LoaMove::Pass));
    let refused = stuck.read("a1-a3").unwrap_err().to_string();
    assert_eq!(refused, "the enemy man on a2 is in the way to a3");
    let passed = after(&stuck, "pass");
    assert_eq!((passed.next(), passed.last), (Next::Move(Seat(0)), None));
    passed.read("pass").unwrap_err();
    assert_eq!(place::<Position>(&["size=6"], &passed.notation()).unwrap(), passed);
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    const ROWS: &str = ".BBBB./W....W/W....W/W....W/W....W/.BBBB.";
    for (line, reason) in [
        (String::new(), "a position is the side to move"),
        (format!("G {ROWS}"), "a position is the side to move"),
        ("B ......".into(), "the board has 6 rows of 6 squares"),
        (format!("B {}", ROWS.replace('W', "Q")), "a position is the side to move"),
        (format!("B {}", ROWS.replace('W', "w")), "a position is the side to move"),
        (format!("B {}", ROWS.replace('W', ".")), "each side has 1 to 8 men"),
        (format!("B {}", ROWS.replace("W....W", "WW...W")), "each side has 1 to 8 men"),
        (format!("B {ROWS} last=a2"), "a position is the side to move"),
        (format!("B {ROWS} last=b1-b3"), "a position is the side to move"),
        (format!("B {ROWS} last=i1-a2"), "a position is the side to move"),
        (format!("B {ROWS} past=abc"), "a position is the side to move"),
        (format!("B {ROWS} past=abcde"), "the last of the earlier positions is not this position"),
        (format!("B {ROWS} more"), "a position is the side to move"),
    ] {
        let error = place::<Position>(&["size=6"], &line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
}

#[test]
fn sequences_of_moves_are_counted() {
    let count = sequences::<Position>;
    assert_eq!([1, 2, 3].map(|depth| count(&[], depth)), [36, 1244, 44952]);
    assert_eq!([1, 2, 3].map(|depth| count(&["size=6"], depth)), [24, 524, 11440]);
}

strength_tests!(Position, 8 games on [&["size=6"]], many on &[&[], &["size=6"]]);

#[test]
fn a_record_is_written_in_sgf() {
    let transcript = of_moves(options::<Position>(&["draw"]), "c1xa3 h3xf1");
    let written = sgf::write::<Position>(&transcript).unwrap();
    let expected = "(;FF[4]GM[9]CA[UTF-8]AP[Postboard]RU[simultaneous connection draws]SZ[8]\
                    \nPB[ann]\nPW[ben]\n;B[c1:a3];W[h3:f1])\n";
    assert_eq!(written, expected);
    assert_eq!(all_games(sgf::read::<Position>(&written)), Ok(vec![transcript]));
}

#[test]
fn records_of_other_programs_are_read_or_refused_with_the_reason() {
    for (text, moves) in [
        ("(;GM[9];B[C1:A3++];W[H3-f1!];B[resign])", "c1xa3 h3xf1"),
        ("(;GM[9]SZ[8]IP[End];B[b1-b3];W[a3-c5](;B[c1-c4])(;B[d1-d3]))", "b1-b3 a3-c5 c1-c4"),
    ] {
        assert_eq!(only_game::<Position>(text).map(|it| it.1).as_deref(), Ok(moves), "{text}");
    }
    for (text, reason) in [
        ("(;GM[9]SZ[9])", "line 1: option `-size` takes one of 8, 6"),
        ("(;GM[9];W[a2-c2])", "line 1: move 1: there is no black man on a2"),
        ("(;GM[9];B[c1:c3])", "line 1: move 1: there is no man to take on c3"),
        ("(;GM[9];B[c1])", "line 1: move 1: expected the square where the man ends"),
        ("(;GM[9];B[pass])", "line 1: move 1: you may pass only when none"),
        ("(;GM[9]AB[b1];B[b1-b3])", "line 1: the board does not begin as the options say"),
    ] {
        let error = only_game::<Position>(text).unwrap_err();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
}
