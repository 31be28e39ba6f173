//! Tests of both games, by rule.

mod family;
mod naive;
mod reading;

use super::geometry::{BoardSize, PossibleHop};
use crate::kit::fixtures::{after, check_counts, listed, options_in};
use crate::kit::play_search::Play as _;
use crate::kit::{Choices, Game, Next, Outcome, Roll, Seat, Throw};
use crate::{malaka, moloko};

pub(super) fn options(words: &str) -> Choices {
    options_in::<malaka::Position>(words)
}

pub(super) fn malaka(words: &str, line: &str) -> malaka::Position {
    malaka::Position::place(&options(words), line).unwrap()
}

pub(super) fn moloko(line: &str) -> moloko::Position {
    moloko::Position::place(&Choices::default(), line).unwrap()
}

fn won(by: u8, reason: &'static str) -> Next {
    Next::Over(Outcome::Won { by: Seat(by), points: 1, reason })
}

const CONNECTED: &str = "by connecting all remaining men to the goal edge";
const NO_MEN: &str = "by having no man left to connect";
const PINNED: &str = "by pinning a man on its home edge";

/// The position of S0's help page, after a turn of play, O to play 2 and 3.
const EXAMPLE: &str = "O 23 a1=OO a7=OO a8=OO b1=OO c1=OO e3=X e5=OO g9=XX h5=X h9=X i1=XX i2=XX \
                       i3=X i9=XX";

#[test]
fn the_help_pages_example_has_thirteen_hops_and_53_plays() {
    let mut position = malaka("", EXAMPLE);
    let moves = listed(&position);
    assert_eq!(moves.len(), 53);
    assert!(position.moves().iter().all(|play| play.pips() == 5));
    assert!(moves.contains(&"e5-e3,e5xh5".to_owned()));
    let mut hops = Vec::new();
    for die in [2, 3] {
        position.roll(Roll::One(die));
        hops.extend(listed(&position));
    }
    hops.sort();
    assert_eq!(
        hops,
        [
            "a1-a3", "a1-a4", "a7-c7", "a7-d7", "a8-c8", "a8-d8", "b1-b3", "b1-b4", "c1-c3",
            "c1-c4", "e5-e2", "e5-e3", "e5xh5"
        ]
    );
    assert_eq!(
        after(&malaka("", EXAMPLE), "e5-e3,e5xh5").notation(),
        "X - a1=OO a7=OO a8=OO b1=OO c1=OO e3=XO g9=XX h5=O h9=X i1=XX i2=XX i3=X i9=XX"
    );
}

#[test]
fn walls_stand_where_the_pictures_have_them() {
    for (line, moves) in [
        // Exactly one wall may be jumped, not two.
        ("O 4 c5=O g5=X", "c5-c9"),
        ("O 4 c9=O g9=X", "c9xg9"),
        ("O 4 c9=O", "pass"),
        ("O 2 e5=O c5=X", "e5-e3"),
        ("X 2 e5=X c5=O", "e5xc5 e5-e7"),
        ("O 1 f3=O", "f3-g3"),
        ("O 1 f4=O", "f4-f3"),
        ("O 4 d4=O", "pass"),
        ("O 4 a6=O", "pass"),
        ("O 2 g8=O", "pass"),
        // A step stops at a wall.
        ("O 4 c7=O", "pass"),
        ("O 1 c6=O d6=X", "c6-c7 c6xd6"),
        ("O 1 c7=O d7=X", "c7-d7"),
        ("O 1 f4=O g4=X", "f4-f3 f4xg4"),
        ("O 1 f3=O g3=X", "f3-g3"),
    ] {
        assert_eq!(listed(&malaka("", line)).join(" "), moves, "{line}");
    }
}

#[test]
fn the_larger_sum_of_pips_must_be_played() {
    for (roll, play) in [("14", "g6-g7"), ("23", "g6-g9"), ("24", "g6-g8")] {
        assert_eq!(listed(&malaka("", &format!("O {roll} g6=O"))), [play]);
    }
}

#[test]
fn a_player_who_loses_the_last_man_wins() {
    let after = after(&malaka("", "O 2 a1=O c4=O e4=X"), "c4xe4");
    assert_eq!(after.next(), won(1, NO_MEN));
    assert_eq!(after.notation(), "X - a1=O e4=O");
}

#[test]
fn a_man_pinned_on_its_home_edge_loses_malaka_but_not_moloko() {
    let line = "O 2 a1=O g7=O g9=X a9=X";
    assert_eq!(after(&malaka("", line), "g7-g9").next(), won(0, PINNED));
    assert!(matches!(after(&moloko(line), "g7-g9").next(), Next::Ready(..)));
}

#[test]
fn the_drawn_win_is_a_win_in_two_groups() {
    let x = malaka("", "O - a1=XX a2=XX a3=XO a4=X b4=OX c1=X c2=XX i5=O");
    assert_eq!(x.next(), Next::Over(Outcome::Won { by: Seat(1), points: 1, reason: CONNECTED }));
}

#[test]
fn moloko_figure_2_steps_kills_and_pins_in_one_play() {
    let position = moloko("O 22 c2=O c8=XX e4=X g2=X i1=XX");
    assert_eq!(listed(&position), ["c2-c4,c4xe4,e4-e2,e2-g2"]);
    assert_eq!(after(&position, "c2-g2").notation(), "X - c8=XX g2=XO i1=XX");
}

#[test]
fn a_step_is_judged_by_what_stands_at_its_end() {
    for (target, ends) in [
        ("", "a1=O a2=O"),
        ("a2=O", "a1=O a2=OO"),
        ("a2=XO", "a1=O a2=XOO"),
        ("a2=X", "a1=O a2=XO"),
        ("a2=XX", "blocked"),
        ("a2=OX", "blocked"),
    ] {
        let position = malaka("", &format!("O 1 a1=OO {target} i9=X"));
        let expected = format!("X - {ends} i9=X");
        if ends == "blocked" {
            assert_eq!(listed(&position), ["pass"], "{target}");
        } else {
            assert_eq!(after(&position, "a1-a2").notation(), expected);
        }
    }
}

#[test]
fn a_jump_needs_exactly_one_enemy_man() {
    for (target, legal) in
        [("", false), ("e4=X", true), ("e4=XX", false), ("e4=OX", false), ("e4=O", false)]
    {
        let position = malaka("", &format!("O 2 c4=O {target}"));
        assert_eq!(listed(&position).contains(&"c4xe4".to_owned()), legal, "{target}");
    }
    // A man is killed only where it is alone, and the jumper takes its place.
    assert_eq!(after(&malaka("", "O 2 c4=O e4=X a1=X"), "c4xe4").notation(), "X - a1=X e4=O");
}

#[test]
fn pinned_men_stay_until_the_last_pinning_man_has_gone() {
    assert_eq!(listed(&malaka("", "O 1 a5=OX")), ["pass"]);
    assert_eq!(after(&malaka("", "X 12 a5=OXX"), "a5-a4,a5-a3").notation(), "O - a3=X a4=X a5=O");
    assert_eq!(after(&malaka("", "X 1 a5=OXX i9=O"), "a5-a4").notation(), "O - a4=X a5=OX i9=O");
}

#[test]
fn men_on_the_goal_edge_stay() {
    for die in 1..=4 {
        assert_eq!(listed(&malaka("", &format!("O {die} g9=O h9=O i9=O"))), ["pass"]);
        assert_eq!(listed(&malaka("", &format!("X {die} a1=X b1=X c1=X"))), ["pass"]);
    }
}

#[test]
fn the_end_is_judged_in_order_and_the_mover_comes_first() {
    for (line, by, reason) in [
        // A home pin comes before a connection, even the mover's.
        ("X - g9=XO a1=X", 0, PINNED),
        // Both are connected: the mover wins.
        ("X - g9=O c1=X", 0, CONNECTED),
        ("O - g9=O c1=X", 1, CONNECTED),
        // The mover connects only the other side.
        ("X - a1=O c1=X", 1, CONNECTED),
        // The last man is killed, and the killer is connected.
        ("X - g9=O", 0, CONNECTED),
        ("X - g8=O", 1, NO_MEN),
        ("X -", 0, NO_MEN),
        // Pinned men must be connected like others.
        ("X - g8=XO g9=O a9=X", 0, CONNECTED),
        ("X - g8=OX g9=O a9=X", 0, CONNECTED),
        // A man pinned by the side that has not just moved does not win at once.
        ("O - g9=XO h1=O c4=X", 2, ""),
        ("O - g8=O a1=OX c5=X", 1, PINNED),
    ] {
        let next = malaka("", line).next();
        if by == 2 {
            assert!(matches!(next, Next::Ready(..)), "{line} {next:?}");
        } else {
            assert_eq!(next, won(by, reason), "{line}");
        }
    }
}

#[test]
fn with_dice_on_the_line_the_play_comes_first() {
    let position = malaka("", "O 14 g6=O");
    assert_eq!(position.next(), Next::Move(Seat(0)));
    // X never had any men.
    assert_eq!(after(&position, "g6-g7").next(), won(1, NO_MEN));
}

#[test]
fn a_wall_separates_neighbours() {
    for (line, distance) in [
        ("X - c1=X d1=X a9=O", 13),
        ("X - c1=X c2=X a9=O", 0),
        ("X - c1=X c2=X d2=X a9=O", 12),
        // Rank 7 has no wall left, so the chain may cross there.
        ("X - a1=X a2=X a3=X a4=X a5=X a6=X a7=X b7=X c7=X d7=X i1=O", 0),
        // Adjacent means along files and ranks, not diagonally.
        ("X - c1=X b2=X i1=O", 1),
    ] {
        let table = malaka("", line).table;
        let x = Seat(1);
        let on = table.geometry();
        assert_eq!(table.board.distance(on, x), distance, "{line}");
        assert_eq!(table.board.is_connected(on, x), distance == 0, "{line}");
    }
}

#[test]
fn the_drawn_win_is_at_no_distance() {
    let table = malaka("", "O - a1=XX a2=XX a3=XO a4=X b4=OX c1=X c2=XX").table;
    assert_eq!(table.board.distance(table.geometry(), Seat(1)), 0);
}

#[test]
fn starts_have_the_known_men_and_distances() {
    for (words, men, distance, first) in [
        (
            "",
            12,
            228,
            "O - a1=OO a7=OO a8=OO a9=OO b1=OO c1=OO g9=XX h9=XX i1=XX i2=XX i3=XX i9=XX",
        ),
        (
            "many",
            18,
            312,
            "O - a1=OO a7=OO a8=OO a9=OO b1=OO c1=OO d1=XX d9=OO e1=XX e9=OO f1=XX \
                           f9=OO g9=XX h9=XX i1=XX i2=XX i3=XX i9=XX",
        ),
        (
            "no_stagger",
            12,
            246,
            "O - a1=OO a2=OO b1=OO b2=OO c1=OO c2=OO g8=XX g9=XX h8=XX h9=XX \
                                 i8=XX i9=XX",
        ),
        (
            "many no_stagger",
            18,
            360,
            "O - a1=OO a2=OO a3=OO b1=OO b2=OO b3=OO c1=OO c2=OO c3=OO \
                                      g7=XX g8=XX g9=XX h7=XX h8=XX h9=XX i7=XX i8=XX i9=XX",
        ),
        (
            "large",
            16,
            400,
            "O - a1=OO a9=OO a10=OO a11=OO a12=OO b1=OO c1=OO d1=OO i12=XX j12=XX \
                            k12=XX l1=XX l2=XX l3=XX l4=XX l12=XX",
        ),
        (
            "large many",
            24,
            548,
            "O - a1=OO a9=OO a10=OO a11=OO a12=OO b1=OO c1=OO d1=OO e1=XX \
                                 e12=OO f1=XX f12=OO g1=XX g12=OO h1=XX h12=OO i12=XX j12=XX \
                                 k12=XX l1=XX l2=XX l3=XX l4=XX l12=XX",
        ),
        ("large no_stagger", 16, 432, ""),
        ("large many no_stagger", 24, 636, ""),
    ] {
        let position = malaka::Position::setup(&options(words));
        let (board, on) = (&position.table.board, position.table.geometry());
        for seat in Seat::BOTH {
            assert_eq!((board.men(seat), board.distance(on, seat)), (men, distance), "{words}");
        }
        assert!(first.is_empty() || position.notation() == first, "{}", position.notation());
    }
    assert_eq!(
        moloko::Position::setup(&Choices::default()).notation(),
        malaka::Position::setup(&options("")).notation()
    );
}

#[test]
fn dice_have_four_faces_on_the_small_board_and_six_on_the_large() {
    for (words, faces) in
        [("", 4), ("d4", 4), ("d6", 6), ("large", 6), ("large d6", 6), ("large d4", 4)]
    {
        let position = malaka::Position::setup(&options(words));
        assert_eq!(position.next(), Next::Roll(Throw::new(1, faces)), "{words}");
        let line = position.notation().replace(" - ", " 66 ");
        assert_eq!(malaka::Position::place(&options(words), &line).is_ok(), faces == 6);
    }
}

#[test]
fn only_the_first_throw_is_of_one_die() {
    let mut position = malaka::Position::setup(&options(""));
    for dice in [1, 2, 2] {
        let throw = Throw::new(dice, 4);
        let next = if dice == 1 { Next::Roll(throw) } else { Next::Ready(position.seat, throw) };
        assert_eq!(position.next(), next);
        position.roll(if dice == 1 { Roll::One(1) } else { Roll::Two(1, 2) });
        let first = position.moves()[0];
        position.play(&first);
    }
}

/// O's steps to the goal edge, rank 9 on top. Their sum at the start is S0's 228.
const DISTANCES: &str = "
    18 17 16 15 14 13  0  0  0
    17 16 15 14 13 12  1  1  1
    16 15 14 13 12 11  2  2  2
    17 16 15 12 11 10  3  3  3
    18 17 16 11 10  9  4  4  4
    19 18 17 10  9  8  5  5  5
    20 19 18  9  8  7  6  6  6
    21 20 19 10  9  8  7  7  7
    22 21 20 11 10  9  8  8  8";

#[test]
fn distances_are_those_of_the_table_and_turned_for_x() {
    let on = BoardSize::Nine.geometry();
    let mut numbers = DISTANCES.split_whitespace().map(|word| word.parse::<u8>().unwrap());
    for rank in (0..9).rev() {
        for file in 0..9 {
            let point = on.point(file, rank).unwrap();
            let distance = numbers.next().unwrap();
            assert_eq!(on.distance(Seat(0), point), distance, "{point}");
            assert_eq!(on.distance(Seat(1), on.turned(point)), distance, "{point} for X");
        }
    }
}

#[test]
fn every_jump_lowers_the_distance_and_all_but_18_steps_do() {
    for (size, faces, keeping) in [(BoardSize::Nine, 4, 18), (BoardSize::Twelve, 6, 0)] {
        let on = size.geometry();
        for seat in Seat::BOTH {
            let nearer = |from, to| on.distance(seat, to) < on.distance(seat, from);
            let mut kept = 0;
            for from in on.points() {
                for hop in on.reach(seat, from).iter().filter(|hop| hop.die <= faces) {
                    assert!(nearer(from, hop.to) || !hop.jumps, "{from} {hop:?}");
                    kept += usize::from(!nearer(from, hop.to));
                }
            }
            assert!(keeping == 0 || kept == keeping, "{kept}");
        }
    }
    let on = BoardSize::Nine.geometry();
    let distance = |file, rank| on.distance(Seat(0), on.point(file, rank).unwrap());
    assert_eq!((distance(0, 5), distance(0, 8)), (17, 18));
    assert_eq!((distance(5, 3), distance(5, 1)), (8, 8));
}

#[test]
fn both_sides_have_the_same_board_turned_by_half() {
    for on in [BoardSize::Nine, BoardSize::Twelve].map(BoardSize::geometry) {
        for from in on.points() {
            let turn = |hop: &PossibleHop| PossibleHop { to: on.turned(hop.to), ..*hop };
            let mut turned: Vec<PossibleHop> =
                on.reach(Seat(1), on.turned(from)).iter().map(turn).collect();
            turned.sort_unstable();
            assert_eq!(on.reach(Seat(0), from), turned, "{from}");
        }
    }
}

#[test]
fn a_dead_position_of_moloko_is_a_draw() {
    // Each side has pinned a man for good on its goal edge, and the rest is blocked or at home.
    let line = "X - a1=OX g9=XO";
    assert_eq!(
        moloko(line).next(),
        Next::Over(Outcome::Drawn { reason: "no man of either side can ever move again" })
    );
    assert_eq!(malaka("", line).next(), won(0, PINNED));
    // While one man can move, the game goes on.
    assert!(matches!(moloko("X - a1=OX g9=XO i1=O").next(), Next::Ready(..)));
    assert!(matches!(moloko("X - a1=OX g9=XO i5=X").next(), Next::Ready(..)));
}

#[test]
fn a_player_without_a_hop_passes() {
    let mut position = malaka("", "O 33 a1=O a4=XX");
    assert_eq!(listed(&position), ["pass"]);
    let pass = position.read("--").unwrap();
    position.play(&pass);
    assert_eq!(position.notation(), "X - a1=O a4=XX");
}

#[test]
fn openings_branch_as_counted() {
    check_counts::<malaka::Position>(include_str!("../../malaka/perft.txt"), 10);
    check_counts::<moloko::Position>(include_str!("../../moloko/perft.txt"), 10);
}
