//! Tests of Hypergammon's start, results and nets.

use super::{Hypergammon, Position};
use crate::kit::fixtures::options_in;
use crate::kit::{Choices, Diagram, Game as _, Next, Outcome, Seat, View};
use crate::points::{Board, Race as _};

fn at(words: &str, line: &str) -> Position {
    Position::place(&options_in::<Position>(words), line).unwrap()
}

/// B6: one man each on 24, 23 and 22.
#[test]
fn three_men_start_far_back_and_none_is_off() {
    let start = Position::setup(&Choices::default());
    assert_eq!(start.notation(), "- - 1=X 2=X 3=X 22=O 23=O 24=O");
    let [men, _] = Board::start(Hypergammon::START).men;
    assert_eq!((men.pips(), men.count()), (69, 3));
    let Diagram::Points(points) = start.diagram(&View::default()) else { panic!("24 points") };
    assert_eq!((points.men, points.off), ([3, 3], [0, 0]));
}

#[test]
fn a_win_counts_up_to_three() {
    for (line, points) in [
        ("O 21 1=O 19=XX off=OOX", 1),
        ("O 21 1=O 18=XXX off=OO", 2),
        ("O 21 1=O 6=X 18=XX off=OO", 3),
    ] {
        let mut position = at("", line);
        let play = position.read("1-off").unwrap();
        position.play(&play);
        let Next::Over(Outcome::Won { by, points: won, .. }) = position.next() else {
            panic!("{line}")
        };
        assert_eq!((by, won), (Seat(0), points), "{line}");
    }
}

#[test]
fn a_position_has_three_men_a_side() {
    let refused = |line| Position::place(&Choices::default(), line).unwrap_err();
    assert!(refused("O 1 1=OO 18=XXX").contains("O has 2 men and not 3"));
    assert!(refused("O 1 1=OOOO 18=XXX").contains("more than 3"));
}

/// With a man on the first point each, the side to roll wins; without a man off, that is a gammon.
#[test]
fn near_ends_are_judged_with_their_gammons() {
    use crate::bot::{Situation as _, TrainedSituation as _};
    use crate::points::RaceSituation;
    let counted = |line: &str| {
        let (board, _) = crate::points::place::<Hypergammon>(line.split(' ')).unwrap();
        RaceSituation::new(Hypergammon, board, Seat(0)).counted()
    };
    assert_eq!(counted("1=O 24=X off=OOXX").map(|odds| odds.0[0]), Some(1.0));
    assert_eq!(counted("1=OOO 24=XXX"), None);
    assert!(RaceSituation::<Hypergammon>::nets().has_learned());
}
