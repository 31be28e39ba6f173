//! Tests of Nackgammon's start and record.

use super::{Nackgammon, Position};
use crate::kit::{Choices, Game as _};
use crate::points::{Board, Race as _};

/// B5: two men each on 24 and 23, four on 13, three on 8, four on 6; 194 pips.
#[test]
fn four_men_start_far_back() {
    let start = Position::setup(&Choices::default()).notation();
    let places = "1=XX 2=XX 6=OOOO 8=OOO 12=XXXX 13=OOOO 17=XXX 19=XXXX 23=OO 24=OO";
    assert_eq!(start, format!("- - {places}"));
    let [men, _] = Board::start(Nackgammon::START).men;
    assert_eq!((men.pips(), men.count()), (194, 15));
}
