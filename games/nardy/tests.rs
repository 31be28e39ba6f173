//! Tests of Long Nardy's own rules, each by its source.

use super::Position;
use crate::kit::fixtures::{listed, place, refused};
use crate::kit::{Game as _, Next, Outcome, Seat};
use crate::points::tests::{at, with_men_off};

fn moves(line: &str) -> Vec<String> {
    listed(&at::<Position>(line))
}

fn refusal(line: &str, text: &str) -> String {
    refused(&at::<Position>(line), text)
}

#[test]
fn one_man_a_turn_leaves_the_head_and_two_with_three_first_rolls() {
    let start = |roll| format!("O {roll} 1=OOOOOOOOOOOOOOO 13=XXXXXXXXXXXXXXX");
    for (roll, plays) in [
        ("21", vec!["1-3,3-4"]),
        ("22", vec!["1-3,3-5,5-7,7-9"]),
        // The first man cannot land on the other head, so another goes with the rest.
        ("33", vec!["1-4,1-4,4-7,4-7", "1-4,1-4,4-7,7-10"]),
        ("44", vec!["1-5,1-5,5-9,5-9"]),
        ("55", vec!["1-6,6-11,11-16,16-21"]),
        ("66", vec!["1-7,1-7"]),
    ] {
        assert_eq!(moves(&start(roll)), plays, "{roll}");
    }
    // It is the first turn alone.
    let later = "O 66 1=OOOOOOOOOOOOOO 11=O 13=XXXXXXXXXXXXXXX";
    assert_eq!(moves(later), ["1-7,11-17,17-23"]);
    assert_eq!(
        refusal("O 21 1=OOOOOOOOOOOOOO 11=O 13=XXXXXXXXXXXXXXX", "1-3 1-2"),
        "1-2 cannot be played: only one man may leave the head in a turn"
    );
}

#[test]
fn six_in_a_row_need_an_enemy_man_in_front() {
    let line = |x: &str| format!("O 2 1=OOOOOOOOO 14=O 15=O 16=O 17=OO 18=O {x}");
    let makes_it = "17-19".to_owned();
    let shut = line("13=XXXXXXXXXXXXXXX");
    assert!(!moves(&shut).contains(&makes_it));
    assert_eq!(
        refusal(&shut, "17-19"),
        "17-19 cannot be played: six points in a row need a man of the other side in front of them"
    );
    // A man on 12 has gone round, and one on 20 is past 19; men who are off are past everything.
    for x in ["12=X 13=XXXXXXXXXXXXXX", "20=X 13=XXXXXXXXXXXXXX", "13=XXXXXXXXXXXXXX"] {
        assert!(moves(&line(x)).contains(&makes_it), "{x}");
    }
    let stands = with_men_off(&shut.replace("17=OO", "17=O 19=O"));
    let why = place::<Position>(&[], &stands).unwrap_err();
    assert!(why.contains("six points in a row"), "{why}");
}

/// 1 follows 24, so 22 to 3 are six in a row. X passes them last at 3.
#[test]
fn six_in_a_row_go_round_the_corner() {
    let line = "O 1 1=O 2=O 3=OOOOOOOOO 22=OO 24=OO 13=XXXXXXXXXXXXXX 20=X";
    let makes_it = "22-23".to_owned();
    assert!(!moves(line).contains(&makes_it));
    assert!(moves(&line.replace("20=X", "4=X")).contains(&makes_it));
}

#[test]
fn a_win_counts_an_oin_or_a_mars() {
    let won = |points, reason| Next::Over(Outcome::Won { by: Seat(0), points, reason });
    let fourteen = "X".repeat(14);
    for (line, expected) in [
        (format!("O 1 24=O 18={fourteen}"), won(1, "with an oin")),
        (format!("O 1 24=O 12=X{fourteen}"), won(2, "with a mars")),
        (format!("O 1 24=O 13=X 12={fourteen}"), won(2, "with a mars")),
    ] {
        let mut position: Position = at(&line);
        let play = position.read("24-off").unwrap();
        position.play(&play);
        assert_eq!(position.next(), expected, "{line}");
    }
}
