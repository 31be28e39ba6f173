//! Tests of Fevga's own rules, each by its source.

use super::Position;
use crate::kit::fixtures::{listed, refused};
use crate::kit::{Game as _, Next, Outcome, Seat, View};
use crate::points::tests::at;

fn moves(line: &str) -> Vec<String> {
    listed(&at::<Position>(line))
}

fn refusal(line: &str, text: &str) -> String {
    refused(&at::<Position>(line), text)
}

#[test]
fn the_first_man_must_get_past_the_other_start() {
    const AT_START: &str = "1=OOOOOOOOOOOOOO";
    // The other start is closed, so 6-6 is one step (B1).
    assert_eq!(moves("O 66 1=OOOOOOOOOOOOOOO 13=XXXXXXXXXXXXXXX"), ["1-7"]);
    // Landing on the other start, if it is empty, is not past it: only the first man moves on.
    assert_eq!(moves(&format!("O 21 {AT_START} 12=O 24=X")), ["12-14,1-2", "12-14,14-15"]);
    assert_eq!(moves(&format!("O 1 {AT_START} 13=O 24=X")), ["13-14"]);
    assert_eq!(moves(&format!("O 1 {AT_START} 14=O 24=X")), ["1-2", "14-15"]);
    let why = refusal(&format!("O 1 {AT_START} 13=O 24=X"), "1-2");
    assert_eq!(
        why,
        "1-2 cannot be played: until the first man is past the other side's start no other may move"
    );
}

#[test]
fn the_six_points_of_the_first_quarter_are_never_all_held() {
    let line = "O 2 1=O 2=O 3=O 4=OO 5=OO 20=O 9=X";
    assert_eq!(moves(line), ["1-3", "2-4", "3-5", "5-7", "20-22"]);
    assert_eq!(
        refusal(line, "4-6"),
        "4-6 cannot be played: the six points of the first quarter may not all be held"
    );
    // Six in a row elsewhere are allowed.
    let elsewhere = moves("O 2 7=O 8=O 9=O 10=OO 11=O 24=O 3=XX 2=XXXXXXXXXXXXX");
    assert!(elsewhere.contains(&"10-12".to_owned()), "{elsewhere:?}");
}

/// X has all men on its start, point 13; O holds 14 to 19.
const SHUT: &str = "14=OO 15=OO 16=OO 17=OO 18=OO 19=OO 24=OOO 13=XXXXXXXXXXXXXXX";

#[test]
fn a_prime_before_all_enemy_men_is_opened() {
    // Both men of one point must leave it, whatever else could be played.
    let plays = moves(&format!("O 41 {SHUT}"));
    assert_eq!(
        plays,
        ["14-18,14-15", "15-19,15-16", "16-20,16-17", "17-21,17-18", "18-22,18-19", "19-23,19-20"]
    );
    assert_eq!(
        refusal(&format!("O 41 {SHUT}"), "14-18 15-16"),
        "all men of the other side are behind these six points: open one of them"
    );
    // On the drawn board only such plays are offered.
    let begun: Position = at(&format!("O 41 {SHUT}"));
    let offered = begun.partial_move(&View::default(), &["14-18"]).unwrap();
    let next: Vec<&str> = offered.next.iter().map(|step| step.words.as_str()).collect();
    assert_eq!(next, ["14-15"]);
    // If one enemy man is elsewhere, nothing must be opened.
    let free = SHUT.replace("13=XXXXXXXXXXXXXXX", "13=XXXXXXXXXXXXXX 5=X");
    assert!(moves(&format!("O 41 {free}")).contains(&"14-18,15-16".to_owned()));
}

#[test]
fn a_prime_before_all_enemy_men_is_not_made_either() {
    let line = "O 21 14=O 15=O 16=O 17=O 18=OO 20=OOOOOOOOO 13=XXXXXXXXXXXXXXX";
    let makes_it = "18-19,20-22".to_owned();
    assert!(!moves(line).contains(&makes_it));
    // Another play makes no prime, so nobody passes. With a man elsewhere X is not shut in.
    assert_eq!(moves(line).len(), 29);
    assert!(moves(&line.replace("13=XX", "5=X 13=X")).contains(&makes_it));
}

#[test]
fn a_win_counts_one_or_two_and_never_three() {
    let won = |points, reason| Next::Over(Outcome::Won { by: Seat(0), points, reason });
    let (off, two) = ("by bearing off all men", "with a gammon");
    let fourteen = "X".repeat(14);
    for (line, expected) in [
        (format!("O 1 24=O 18={fourteen}"), won(1, off)),
        (format!("O 1 24=O 12=X{fourteen}"), won(2, two)),
        // A man in its first quarter counts no third point.
        (format!("O 1 24=O 13=X 12={fourteen}"), won(2, two)),
    ] {
        let mut position: Position = at(&line);
        let play = position.read("24-off").unwrap();
        position.play(&play);
        assert_eq!(position.next(), expected, "{line}");
    }
}
