//! The rules of the family, each by name.

use crate::kit::{Choices, Game, Next, Outcome, Roll, Seat};
use crate::{malaka, moloko};

pub(super) fn options(words: &str) -> Choices {
    let spec = &malaka::Position::SPEC;
    Choices::parse(spec.options, spec.exclusive, words.split_whitespace()).unwrap()
}

pub(super) fn malaka(words: &str, line: &str) -> malaka::Position {
    malaka::Position::place(&options(words), line).unwrap()
}

pub(super) fn moloko(line: &str) -> moloko::Position {
    moloko::Position::place(&Choices::default(), line).unwrap()
}

/// The plays of a position as words.
pub(super) fn plays<G: Game>(position: &G) -> Vec<String> {
    position.moves().iter().map(ToString::to_string).collect()
}

/// The position after the play that these words mean.
fn after<G: Game>(mut position: G, text: &str) -> G {
    let play = position.read(text, &position.moves()).unwrap();
    position.play(&play);
    position
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
    let moves = plays(&position);
    assert_eq!(moves.len(), 53);
    assert!(position.moves().iter().all(|play| play.pips() == 5));
    assert!(moves.contains(&"e5-e3,e5xh5".to_owned()));
    let mut hops = Vec::new();
    for die in [2, 3] {
        position.roll(Roll::One(die));
        hops.extend(plays(&position));
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
        after(malaka("", EXAMPLE), "e5-e3,e5xh5").notation(),
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
        // A step meets a wall.
        ("O 4 c7=O", "pass"),
        ("O 1 c6=O d6=X", "c6-c7 c6xd6"),
        ("O 1 c7=O d7=X", "c7-d7"),
        ("O 1 f4=O g4=X", "f4-f3 f4xg4"),
        ("O 1 f3=O g3=X", "f3-g3"),
    ] {
        assert_eq!(plays(&malaka("", line)).join(" "), moves, "{line}");
    }
}

#[test]
fn the_larger_sum_of_pips_must_be_played() {
    for (roll, play) in [("14", "g6-g7"), ("23", "g6-g9"), ("24", "g6-g8")] {
        assert_eq!(plays(&malaka("", &format!("O {roll} g6=O"))), [play]);
    }
}

#[test]
fn whoever_loses_the_last_man_wins() {
    let after = after(malaka("", "O 2 a1=O c4=O e4=X"), "c4xe4");
    assert_eq!(after.next(), won(1, NO_MEN));
    assert_eq!(after.notation(), "X - a1=O e4=O");
}

#[test]
fn a_man_pinned_on_its_home_edge_loses_malaka_but_not_moloko() {
    let line = "O 2 a1=O g7=O g9=X a9=X";
    assert_eq!(after(malaka("", line), "g7-g9").next(), won(0, PINNED));
    assert!(matches!(after(moloko(line), "g7-g9").next(), Next::Roll(_)));
}

#[test]
fn the_drawn_win_is_a_win_in_two_groups() {
    let x = malaka("", "O - a1=XX a2=XX a3=XO a4=X b4=OX c1=X c2=XX i5=O");
    assert_eq!(x.next(), Next::Over(Outcome::Won { by: Seat(1), points: 1, reason: CONNECTED }));
}
