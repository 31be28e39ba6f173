//! Tests of players' spellings, and of refusals.

use super::super::{Board, Race, line, place, plays, read, read_recorded};
use super::hits::Hits;
use super::{at, with_men_off};
use crate::kit::Chance;
use crate::kit::fixtures::{listed, options_in};
use crate::kit::laws::random_game;
use crate::kit::{Choices, Game, MoveError, Roll, Seat};
use crate::moultezim::{self, Moultezim};
use crate::plakoto::{self, Plakoto};
use proptest::prelude::*;

/// Backgammon's start.
const START: &str = "1=XX 6=OOOOO 8=OOO 12=XXXXX 13=OOOOO 17=XXX 19=XXXXX 24=OO";

/// Returns a board (missing men are off), the side on turn and its roll.
fn board<R: Race>(line: &str) -> (Board, Seat, Roll) {
    let line = with_men_off(line);
    let words: Vec<&str> = line.split(' ').collect();
    let (board, unknown) = place::<R>(words[2..].iter().copied()).unwrap();
    assert_eq!(unknown, [""; 0]);
    (board, Seat(u8::from(words[0] == "X")), words[1].parse().unwrap())
}

/// Returns the canonical play or the refusal.
fn said<R: Race>(line: &str, text: &str) -> String {
    let (board, seat, roll) = board::<R>(line);
    match read::<R>(&board, seat, Some(roll), text) {
        Ok(play) => play.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn every_spelling_of_a_play_is_understood() {
    for (line, text, play) in [
        ("O 31", "8-5,6-5", "8-5,6-5"),
        // Any order, sign and case; pips; repeats.
        ("O 31", "6/5, 8/5", "8-5,6-5"),
        ("O 31", "8/5 6/5", "8-5,6-5"),
        ("O 31", "8:3,6:1", "8-5,6-5"),
        ("O 31", "13-10-9", "13-10,10-9"),
        ("O 31", "13/9", "13-10,10-9"),
        ("O 31", "24/23/20", "24-23,23-20"),
        ("O 31", "24/21/20", "24-21,21-20"),
        ("O 31", "24/20", "24-21,21-20"),
        ("O 31", "23/20 24/23", "24-23,23-20"),
        ("O 22", "13/11(2),6/4(2)", "13-11,13-11,6-4,6-4"),
        ("O 22", "2x13-11,2X6:2", "13-11,13-11,6-4,6-4"),
        ("O 22", "2x13/9", "13-11,13-11,11-9,11-9"),
        ("O 22", "24-16", "24-22,22-20,20-18,18-16"),
        // X moves up.
        ("X 31", "17-20,19-20", "17-20,19-20"),
        ("X 31", "1/5", "1-4,4-5"),
    ] {
        assert_eq!(said::<Hits>(&format!("{line} {START}"), text), play, "{text}");
    }
    for (line, text, play) in [
        // A target alone enters, an origin alone bears off.
        ("O 31 bar=OO 1=XX", "22,24", "bar-22,bar-24"),
        ("O 33 bar=OO 1=XX", "2x22,2x22-19", "bar-22,bar-22,22-19,22-19"),
        ("O 31 bar=O 13=O 1=XX", "22,13-12", "bar-22,13-12"),
        ("O 31 bar=O 13=O 1=XX", "13-12,B/22", "bar-22,13-12"),
        ("O 31 bar=O 13=O 1=XX", "bar/21", "bar-22,22-21"),
        ("O 31 bar=O 13=O 1=XX", "Bar:3,13:1", "bar-22,13-12"),
        ("X 31 bar=X 13=X 24=OO", "3,13-14", "bar-3,13-14"),
        ("O 63 6=OO 3=OO 1=XX", "6,3", "6-off,3-off"),
        ("O 63 6=OO 3=OO 1=XX", "6-h,3/home", "6-off,3-off"),
        ("O 63 6=OO 3=OO 1=XX", "6:6,6:3", "6-off,6-3"),
        ("O 66 6=OO 3=OO 1=XX", "2x6,3(2)", "6-off,6-off,3-off,3-off"),
        ("O 54 6=OO 3=OO 24=XX", "6/1 6-2", "6-1,6-2"),
        // A hit may be marked or not, on the way or at the end.
        ("O 61 13=OO 7=X 6=X", "13/7*/6*", "13-7*,7-6*"),
        ("O 61 13=OO 7=X 6=XX", "13/7*,13/12", "13-7*,13-12"),
        ("O 61 13=OO 7=X 6=XX", "13/7,13/12", "13-7*,13-12"),
        ("O 61 bar=O 19=X 24=XX 8=O", "19*,8/7", "bar-19*,8-7"),
        // One man of a repeated item hits; the star covers all of them.
        ("O 22 13=OO 11=X 6=OOO 4=X 1=XX", "13/11*(2),6/4*(2)", "13-11*,13-11,6-4*,6-4"),
        ("O 44 24=OO 20=X 1=XX", "24/20*/16(2)", "24-20*,24-20,20-16,20-16"),
        ("O 44 24=OO 20=X 6=OO 1=XX", "2x24/20*,6/2(2)", "24-20*,24-20,6-2,6-2"),
        ("O 44 24=OO 20=X 6=OO 1=XX", "6/2,24-20*,6/2,24-20*", "24-20*,24-20,6-2,6-2"),
        ("O 33 bar=OO 22=X 6=OO 1=XX", "22*(2),6/3(2)", "bar-22*,bar-22,6-3,6-3"),
        ("O 33 bar=OO 22=X 6=OO 1=XX", "bar/22*(2),6/3(2)", "bar-22*,bar-22,6-3,6-3"),
        ("O 44 24=OO 16=X 1=XX", "24/16*(2)", "24-20,24-20,20-16*,20-16"),
        ("O 11 2=O 5=XX 24=XX", "2-h", "2-1,1-off"),
        // Dashes as mail programs write them.
        ("O 54 6=OO 3=OO 24=XX", "6\u{2013}1 6\u{2014}2", "6-1,6-2"),
        ("O 54 6=OO 3=OO 24=XX", "6\u{2212}1,6:4", "6-1,6-2"),
        ("O 66 bar=O 19=XX", "\u{2014}", "pass"),
        ("O 66 bar=O 19=XX", "--", "pass"),
        ("O 66 bar=O 19=XX", "Pass", "pass"),
    ] {
        assert_eq!(said::<Hits>(line, text), play, "{line} {text}");
    }
    // Moultezim's points are the same for both sides, and wrap around for X.
    for (line, text, play) in [
        ("O 65 19=O 20=O 12=X", "19,20", "19-off,20-off"),
        ("O 1 24=OO 12=X", "24", "24-off"),
        ("O 1 24=OO 12=X", "24-h", "24-off"),
        ("X 1 24=O 12=XX", "12-h", "12-off"),
        ("X 41 23=X 24=X 5=O", "23-3,24-1", "23-3,24-1"),
        ("X 32 10=X 11=X 3=O", "11-h,10-h", "10-off,11-off"),
    ] {
        assert_eq!(said::<Moultezim>(line, text), play, "{line} {text}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn a_play_is_understood_as_people_and_programs_write_it() {
    for text in [
        "8/5 6/5",
        "8/5, 6/5",
        "8-5 6-5",
        "8 - 5, 6 - 5",
        "8 to 5, 6 to 5",
        "8 TO 5 AND 6 TO 5",
        "8>5 6>5",
        "8->5, 6->5",
        "8 => 5; 6 => 5",
        "8\u{2192}5 6\u{2192}5",
        "8\u{2013}5 6\u{2014}5",
        "8\u{2212}5, 6\u{2010}5",
        "8/5 6/5.",
        "8/5 6/5!",
        "8/5 6/5,",
        "8/5 6/5;",
        "8/5 & 6/5 !!",
        "8/5\u{a0}6/5",
        "31: 8/5 6/5",
        "3-1: 8/5 6/5",
        "3/1: 8/5 6/5",
        "13: 8/5 6/5",
        "(31) 8/5 6/5",
        "(3-1): 8/5, 6/5",
        "31 8/5 6/5",
        "3-1 8/5 6/5",
        "1. 8/5 6/5",
        "1) 8/5 6/5",
        "17) 31: 8/5 6/5",
    ] {
        assert_eq!(said::<Hits>(&format!("O 31 {START}"), text), "8-5,6-5", "{text}");
    }
    for (line, text, play) in [
        ("O 65 24=OO 1=XX", "24/18/13", "24-18,18-13"),
        ("O 65 24=OO 1=XX", "24/19/13", "24-19,19-13"),
        ("O 65 24=OO 1=XX", "24/13", "24-18,18-13"),
        ("O 55 6=OOO 8=O 24=XX", "6/1(3) 8/3", "8-3,6-1,6-1,6-1"),
        ("O 53 bar=O 13=O 1=XX", "bar/20 13/10", "bar-20,13-10"),
        ("O 53 bar=O 13=O 1=XX", "Bar - 20, 13 - 10.", "bar-20,13-10"),
        ("O 53 bar=O 13=O 1=XX", "25/20 13/10", "bar-20,13-10"),
        ("O 53 bar=O 13=O 1=XX", "bar to 20 and 13 to 10", "bar-20,13-10"),
        ("O 61 13=O 8=O 1=XX", "13-7 8-7", "13-7,8-7"),
        ("O 66 6=OO 3=OO 1=XX", "6/off(2) 3/off(2)", "6-off,6-off,3-off,3-off"),
        ("O 63 6=OO 3=OO 1=XX", "6/0 3/0", "6-off,3-off"),
        ("O 63 6=OO 3=OO 1=XX", "6 to off, 3 to off", "6-off,3-off"),
        // A hit marked by a star or an x, before or after its point.
        ("O 61 13=OO 7=X 6=X", "13/7*/6*", "13-7*,7-6*"),
        ("O 61 13=OO 7=X 6=X", "13x7x6", "13-7*,7-6*"),
        ("O 61 13=OO 7=X 6=X", "13x7 7x6", "13-7*,7-6*"),
        ("O 61 13=OO 7=X 6=X", "13/7x 7/6x", "13-7*,7-6*"),
        ("O 61 13=OO 7=X 6=XX", "13/7* 13/12!", "13-7*,13-12"),
        ("O 31 8=OO 6=OO 5=X 24=XX", "8/5* 6/5", "8-5*,6-5"),
        ("O 31 4=O 8=OO 3=X 24=XX", "4x3 8/5", "8-5,4-3*"),
        ("O 33 8=OO 6=OO 5=X 24=XX", "8/5*(2) 6/3(2)", "8-5*,8-5,6-3,6-3"),
        ("O 31 bar=O 13=O 1=XX", "31: bar/22 13/12", "bar-22,13-12"),
        ("O 66 bar=O 19=XX", "pass!", "pass"),
    ] {
        assert_eq!(said::<Hits>(line, text), play, "{line} {text}");
    }
    for (line, text, why) in [
        ("O 31", "61: 8/5 6/5", "your dice are 31, not 61"),
        ("O 31", "1) 42: 8/5 6/5", "your dice are 31, not 42"),
        ("O 31", "6-1 8/5 6/5", "6-1 cannot be played: no die shows 5"),
        ("O 31", "42 8/5 6/5", "there is no point 42"),
    ] {
        assert_eq!(said::<Hits>(&format!("{line} {START}"), text), why, "{text}");
    }
    // Nobody is hit there, and nobody enters from the bar.
    assert_eq!(said::<Moultezim>("O 65 19=O 20=O 12=X", "25/19"), "there is no point 25");
    assert_eq!(said::<Plakoto>("O 21 1=O 2=X 3=X 9=OO", "1/2/4."), "1-2,2-4");
}

/// Every play of random games, as GNU Backgammon prints it and as people write it, is read back as
/// the same play.
#[test]
fn plays_of_random_games_are_understood_in_every_style() {
    let (mut pick, mut read_back) = (Chance::new(6), 0);
    let mut check = |dice: &str, play: &str, said: &dyn Fn(&str) -> Result<String, MoveError>| {
        let books = gnu(play);
        for text in [
            format!("{dice}: {books}"),
            format!("9) {dice}: {books}"),
            books.replace('/', " - "),
            play.replace('-', " to ").replace(',', " and "),
            play.to_ascii_uppercase().replace('-', "->").replace(',', ", ") + ".",
            play.replace('-', "\u{2192}").replace(',', "; ") + "!",
            play.replace('-', "\u{2013}").replace(',', " ") + ",",
            play.replace('*', "x").replace(',', " "),
            books,
        ] {
            assert_eq!(said(&text).as_deref(), Ok(play), "{dice}: {text}");
            read_back += 1;
        }
    };
    for name in ["backgammon", "plakoto", "moultezim"] {
        for seed in 20..30 {
            let start = crate::find(name).unwrap().setup(&Choices::default());
            random_game(start, &mut Chance::new(seed), |position| {
                let moves = position.moves();
                if moves.is_empty() || !moves[0].contains('-') {
                    return;
                }
                let dice = position.notation().split(' ').nth(1).unwrap().to_owned();
                check(&dice, &moves[pick.below(moves.len())], &|text| {
                    assert!(position.can_read(text), "{text}");
                    position.copy().play(text)
                });
            });
        }
    }
    assert!(read_back > 10_000, "{read_back}");
}

/// Writes a play as GNU Backgammon does: `8/5*(2) 6/5`.
fn gnu(play: &str) -> String {
    let mut items: Vec<(String, bool, usize)> = Vec::new();
    for step in play.split(',') {
        let way = step.trim_end_matches('*').replace('-', "/");
        let hits = step.ends_with('*');
        match items.iter_mut().find(|(other, ..)| *other == way) {
            Some((_, hit, times)) => {
                *hit |= hits;
                *times += 1;
            }
            None => items.push((way, hits, 1)),
        }
    }
    let written = items.iter().map(|(way, hit, times)| {
        let times = if *times > 1 { format!("({times})") } else { String::new() };
        format!("{way}{}{times}", if *hit { "*" } else { "" })
    });
    written.collect::<Vec<_>>().join(" ")
}

#[test]
fn several_meanings_are_listed_in_full() {
    let blots = "O 21 24=O 23=X 22=X 6=OO";
    let ways = "it can be read in several ways: 24-22*,22-21 or 24-23*,23-21";
    assert_eq!(said::<Hits>(blots, "24/21"), ways);
    assert_eq!(said::<Hits>(blots, "24/22*/21"), "24-22*,22-21");
    assert_eq!(said::<Hits>(blots, "24-23-21"), "24-23*,23-21");
    // A pin that is left on the way has no effect.
    assert_eq!(said::<Plakoto>("O 21 1=O 2=X 3=X 9=OO", "1-4"), "1-3,3-4");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn a_refusal_names_the_step_and_the_reason() {
    for (line, text, why) in [
        ("O 41 24=OO 20=XX 13=O", "24-20,13-12", "24-20 is blocked: X holds point 20"),
        ("O 41 24=OO 20=XX 13=O", "24:4,13:1", "24:4 is blocked: X holds point 20"),
        ("O 41 bar=O 24=XX 21=XX 13=O", "24,13-9", "none of your men can move, so you must pass"),
        ("O 41 bar=O 24=XX 13=O", "24,13-9", "bar-24 is blocked: X holds point 24"),
        (
            "O 41 bar=O 24=XX 13=O",
            "13-9,13-12",
            "13-9 cannot be played: your man on the bar must enter first",
        ),
        (
            "O 64 24=OO 20=XX 18=XX 13=O",
            "24-14",
            "24-14 cannot be played: on 24-18 X holds point 18",
        ),
        ("O 64 24=OO 14=XX 13=O", "24-14", "24-14 cannot be played: on 18-14 X holds point 14"),
        ("O 65 12=O 1=XX", "12-7", "the larger die must be played because it can be: 12-6"),
        ("O 41 13=O 6=O 1=XX", "7-6,13-9", "7-6 cannot be played: you have no man on 7"),
        ("O 41 13=O 6=O 1=XX", "13-9,6-4", "6-4 cannot be played: no die shows 2"),
        ("O 41 13=O 6=O 1=XX", "13-9,6-2", "6-2 cannot be played: the 4 is used already"),
        ("O 41 13=O 6=O 1=XX", "6-10,13-12", "6-10 cannot be played: O goes from 24 down to 1"),
        ("X 41 13=XX 6=OO", "13-9,13-12", "13-9 cannot be played: X goes from 1 up to 24"),
        ("O 41 13=O 6=O 1=XX", "13-13", "13-13 cannot be played: it does not move"),
        ("O 41 13=O 6=O 1=XX", "13-bar", "13-bar cannot be played: O goes from 24 down to 1"),
        ("O 41 13=O 6=O 1=XX", "off-3", "off-3 cannot be played: men who are off stay off"),
        ("O 41 13=O 6=O 1=XX", "bar-21", "bar-21 cannot be played: you have no man on the bar"),
        (
            "O 61 13=O 8=O 6=O 1=XX",
            "6-off,8-7",
            "6-off cannot be played: there are men outside the last quadrant, on 13, 7",
        ),
        (
            "O 63 5=OO 4=O 1=XX",
            "4-off,5-2",
            "4-off cannot be played: a man further back, on 5, comes first",
        ),
        ("O 21 5=O 4=O 1=XX", "5-off", "5-off cannot be played: no die left shows 5 or more"),
        (
            "O 41 13=O 6=O 1=XX",
            "13-9*,6-5",
            "13-9* cannot be played: it hits nothing, so write it without *",
        ),
        ("O 41 13=O 6=O 1=XX", "pass", "you can move, so you may not pass: for example 13-9,9-8"),
        ("O 41 13=O 6=O 1=XX", "26-21", "there is no point 26"),
        ("O 41 13=O 6=O 1=XX", "25-21", "bar-21 cannot be played: you have no man on the bar"),
        ("O 41 13=O 6=O 1=XX", "0", "there is no point 0"),
        (
            "O 41 13=O 6=O 1=XX",
            "5x13-9",
            "5 men cannot move in one turn: steps are repeated up to 4 times",
        ),
        (
            "O 41 13=O 6=O 1=XX",
            "0x13-9",
            "steps are repeated up to 4 times, but not 0 times: leave them out",
        ),
        (
            "O 22 13=OO 6=OO 1=XX",
            "13/11*(2),6/4(2)",
            "13-11* cannot be played: it hits nothing, so write it without *",
        ),
        ("O 41 13=OO 6=O 1=XX", "13-9,13-12,6-5", "6-5 cannot be played: the 1 is used already"),
    ] {
        assert_eq!(said::<Hits>(line, text), why, "{line} {text}");
    }
    for (line, text, why) in [
        ("O 41 3=OX 9=O 24=X", "3-7,9-10", "3-7 cannot be played: your man on 3 is pinned"),
        ("O 41 20=OX 22=OO 24=X", "22-off", "22-off cannot be played: your man on 20 is pinned"),
        ("O 41 3=O 7=OX 9=O 24=X", "3-7,9-10", "3-7 is blocked: X holds point 7"),
        ("O 41 3=O 9=O 24=X", "9-5,3-4", "9-5 cannot be played: O goes from 1 up to 24"),
    ] {
        assert_eq!(said::<Plakoto>(line, text), why, "{line} {text}");
    }
    let first = format!("O 41 1={} 5=O 24=X", "O".repeat(14));
    for (line, text, why) in [
        (
            first.as_str(),
            "1-2,5-9",
            "1-2 cannot be played: until the first man has gone 12 points no other may move",
        ),
        (
            "O 21 1=O 2=O 3=O 4=OO 5=O 9=X 20=O",
            "4-6,20-21",
            "4-6 cannot be played: the six points of the home quadrant may not all be held",
        ),
        ("X 41 23=X 24=X 5=O", "3-23", "3-23 cannot be played: you have no man on 3"),
        (
            "X 41 23=X 3=X 5=O",
            "3-23",
            "3-23 cannot be played: X goes from 13 up to 24 and on from 1 to 12",
        ),
        ("X 41 23=X 24=X 3=O", "23-3,24-1", "23-3 is blocked: O holds point 3"),
    ] {
        assert_eq!(said::<Moultezim>(line, text), why, "{line} {text}");
    }
}

#[test]
fn a_play_that_is_too_short_is_shown_what_goes_on_from_there() {
    for (line, text, why) in [
        ("O 31 8=O 6=O 1=XX", "8-5", "the 1 can be played too: 8-5,6-5"),
        ("O 22 13=OO 6=OO 1=XX", "13-11", "3 more 2s can be played: 13-11,13-11,11-9,11-9"),
        // The example continues the written steps in their order.
        ("O 22 13=OO 1=XX 5=XX 24=O", "2x13-11", "2 more 2s can be played: 13-11,13-11,11-9,11-9"),
        ("O 22 13=OO 9=XX 24=O", "2x13-11", "2 more 2s can be played: 13-11,13-11,24-22,22-20"),
        ("O 31 13=O 1=XX", "13-12", "the 3 can be played too: 13-12,12-9"),
        ("O 31 bar=O 1=XX", "bar-24", "the 3 can be played too: bar-24,24-21"),
        ("O 31 13=O 8=O 5=XX", "8-7", "the 3 can be played too: 8-7,7-4"),
        ("O 31 13=O 5=XX 4=XX 8=O", "8-7", "the 3 can be played too: 8-7,13-10"),
        // No play continues these steps.
        ("O 41 13=O 2=O 8=XX", "13-12", "that is 1 of the 5 pips that can be played: 13-9,2-1"),
    ] {
        assert_eq!(said::<Hits>(line, text), why, "{line} {text}");
    }
    let alone = "the 3 can be played too: 9-10,10-13";
    assert_eq!(said::<Plakoto>("O 31 9=O 24=X", "9-10"), alone);
    let wrapped = "the 3 can be played too: 24-1,1-4";
    assert_eq!(said::<Moultezim>("X 31 24=X 5=O", "24-1"), wrapped);
}

#[test]
fn what_cannot_be_read_is_shown_by_its_column() {
    let line = format!("O 31 {START}");
    for (text, why) in [
        ("", "expected a point such as 13, or bar at column 1"),
        ("hello", "expected a point such as 13, or bar at column 1"),
        ("beaver", "expected a point such as 13, or bar at column 1"),
        ("passed", "expected a point such as 13, or bar at column 1"),
        ("8-hop", "expected a point such as 13 to go to, or off at column 3"),
        ("8\u{2013}5,6\u{2014}x", "expected a point such as 13 to go to, or off at column 7"),
        ("x", "expected a point such as 13, or bar at column 1"),
        ("bar", "expected - and a point, or : and a die at column 4"),
        ("off", "expected a point such as 13, or bar at column 1"),
        ("8-", "expected a point such as 13 to go to, or off at column 3"),
        ("8-x", "expected a point such as 13 to go to, or off at column 3"),
        ("8:x", "expected the number of a die, as in 13:2 at column 3"),
        ("8-5|6-5", "expected a comma, or - and a point at column 4"),
        ("8-5,,6-5", "expected a point such as 13, or bar at column 5"),
        ("8-5?", "expected a comma, or - and a point at column 4"),
        ("31: hello", "expected the number of a die, as in 13:2 at column 5"),
        ("9) hello", "expected a point such as 13, or bar at column 4"),
        ("99 hello", "expected a point such as 13, or bar at column 4"),
        ("8-5(x)", "expected a number, as in 13/11(2) at column 5"),
        ("8-5(2", "expected a closing bracket at column 6"),
        ("2y8-5", "expected a comma, or - and a point at column 2"),
        ("pass,8-5", "expected nothing more at column 5"),
        ("8--5", "expected a point such as 13 to go to, or off at column 3"),
    ] {
        assert_eq!(said::<Hits>(&line, text), why, "{text}");
    }
    // No man of these games is ever on the bar.
    let point = "expected a point such as 13 at column 1";
    assert_eq!(said::<Plakoto>("O 31 1=OO 24=XX", "hop"), point);
    assert_eq!(said::<Moultezim>("O 31 1=OO 24=XX", "hop"), point);
}

#[test]
fn a_play_of_eks_by_his_own_numbers_is_named_by_those_of_the_board() {
    let line = format!("X 31 {START}");
    for (text, why) in [
        (
            "8/5,6/5",
            "8-5 cannot be played: you have no man on 8; both sides number the points \
             alike, so that is 17-20,19-20 here; with the setting `numbers mine` you count them \
             from your own side",
        ),
        (
            "24/20",
            "24-20 cannot be played: you have no man on 24; both sides number the points \
             alike, so that is 1-4,4-5 here; with the setting `numbers mine` you count them \
             from your own side",
        ),
        // It must be a play.
        ("8/5", "8-5 cannot be played: you have no man on 8"),
        ("pass", "you can move, so you may not pass: for example 1-4,1-2"),
    ] {
        assert_eq!(said::<Hits>(&line, text), why, "{text}");
    }
    let ohs = said::<Hits>(&format!("O 31 {START}"), "17/20,19/20");
    assert_eq!(ohs, "17-20 cannot be played: you have no man on 17");
    let eks = said::<Moultezim>("X 21 13=XXXXXXXXXXXXXXX 1=OOOOOOOOOOOOOOO", "24-22,22-21");
    assert!(!eks.contains("alike"), "{eks}");
}

#[test]
fn words_are_read_before_the_throw_too() {
    let position = at::<plakoto::Position>("O - 1=OO 24=XX");
    let not_thrown = MoveError::Illegal("the dice are not rolled yet: send `roll`".into());
    assert_eq!(position.read("1-4"), Err(not_thrown.clone()));
    assert!(matches!(position.read("1-"), Err(MoveError::Unreadable { .. })));
    assert_eq!(position.read_recorded("1-4"), Err(not_thrown));
}

/// Returns all spellings of a play by its steps, or by the ends of a man's path.
fn spellings(play: &str, chance: &mut Chance) -> Vec<String> {
    let steps: Vec<&str> = play.split(',').collect();
    let mut shuffled = steps.clone();
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, chance.below(i + 1));
    }
    let counted = |form: &dyn Fn(&str, usize) -> String| {
        let mut repeats: Vec<String> = Vec::new();
        for step in &steps {
            let same = steps.iter().filter(|other| *other == step).count();
            let text = form(step, same);
            if !repeats.contains(&text) {
                repeats.push(text);
            }
        }
        repeats.join(",")
    };
    // Two steps that join are one man's path.
    let mut ways: Vec<Vec<&str>> = Vec::new();
    for step in &steps {
        let (from, to) = step.trim_end_matches('*').split_once('-').unwrap();
        match ways.iter_mut().find(|way| way.last() == Some(&from)) {
            Some(way) => way.push(to),
            None => ways.push(vec![from, to]),
        }
    }
    let ends: Vec<String> =
        ways.iter().map(|way| format!("{}/{}", way[0], way[way.len() - 1])).collect();
    let whole: Vec<String> = ways.iter().map(|way| way.join("-")).collect();
    vec![
        play.to_ascii_uppercase(),
        play.replace('*', ""),
        play.replace('-', "/").replace(',', " "),
        shuffled.join(","),
        counted(&|step, same| format!("{same}x{step}")),
        counted(&|step, same| format!("{step}({same})")),
        play.replace("-off", "").replace("bar-", ""),
        play.replace("off", "h").replace("bar", "b"),
        whole.join(","),
        ends.join(","),
    ]
}

#[test]
fn all_spellings_of_plays_of_random_games_are_understood() {
    let mut chance = Chance::new(3);
    let (mut understood, mut ambiguous) = (0, 0);
    let mut check = |line: &str, play: &str, said: &dyn Fn(&str) -> Result<String, MoveError>| {
        for (kind, text) in spellings(play, &mut chance).into_iter().enumerate() {
            match said(&text) {
                Ok(read) => {
                    assert_eq!(read, *play, "{text} in {line}");
                    understood += 1;
                }
                // Only a whole path can be ambiguous.
                Err(MoveError::Ambiguous(readings)) if kind == 9 => {
                    assert!(readings.len() > 1 && readings.contains(&play.to_owned()));
                    assert!(readings.iter().all(|reading| said(reading).as_ref() == Ok(reading)));
                    ambiguous += 1;
                }
                Err(error) => panic!("{text} in {line}: {error}"),
            }
        }
    };
    let mut pick = Chance::new(4);
    for name in ["plakoto", "moultezim"] {
        for seed in 0..10 {
            let start = crate::find(name).unwrap().setup(&Choices::default());
            random_game(start, &mut Chance::new(seed), |position| {
                let moves = position.moves();
                if moves.is_empty() || moves[0] == "pass" {
                    return;
                }
                let play = &moves[pick.below(moves.len())];
                check(&position.notation(), play, &|text| position.copy().play(text));
            });
        }
    }
    super::family::everywhere::<Hits>(20, |board, seat, roll| {
        let legal = plays::<Hits>(board, seat, roll);
        let moves: Vec<String> = legal.iter().map(ToString::to_string).collect();
        if moves[0] == "pass" {
            return;
        }
        let line = line::<Hits>(board, Some(seat), Some(roll));
        check(&line, &moves[pick.below(moves.len())], &|text| {
            read::<Hits>(board, seat, Some(roll), text).map(|play| play.to_string())
        });
    });
    assert!(understood > 20_000 && ambiguous > 20, "{understood} {ambiguous}");
}

#[test]
fn every_play_is_recalled_as_it_is_written() {
    super::family::everywhere::<Hits>(20, |board, seat, roll| {
        for play in plays::<Hits>(board, seat, roll) {
            let recalled = read_recorded::<Hits>(board, seat, Some(roll), &play.to_string());
            let steps = |play: &super::super::Play| -> Vec<(u8, u8)> {
                play.steps().iter().map(|step| (step.from, step.to)).collect()
            };
            assert_eq!(recalled.map(|play| steps(&play)), Ok(steps(&play)), "{board:?}");
        }
    });
}

#[test]
fn a_record_is_recalled_only_as_it_is_written() {
    let (board, seat, roll) = board::<Hits>(&format!("O 31 {START}"));
    let read_recorded = |text: &str| {
        read_recorded::<Hits>(&board, seat, Some(roll), text).map(|play| play.to_string())
    };
    assert_eq!(read_recorded("8-5,6-5").as_deref(), Ok("8-5,6-5"));
    for text in [
        "8/5,6/5",
        "8-5*,6-5",
        " 8-5,6-5",
        "8-5, 6-5",
        "8-4",
        "8-5-4",
        "8:3,6:1",
        "1x8-5,6-5",
        "8-5(1),6-5",
        "8-5,6-5,6-3",
        "8-5,8-5",
        "--",
        "7-6",
        "8-off",
        "24-25",
        "6",
    ] {
        read_recorded(text).unwrap_err();
    }
}

#[test]
fn a_line_of_notation_is_refused_with_its_fault() {
    fn refused<G: Game>(line: &str, why: &str) {
        assert_eq!(G::place(&Choices::default(), line).unwrap_err(), why, "{line}");
    }
    let (o, x) = ("O".repeat(15), "X".repeat(15));
    let fourteen = "O".repeat(14);
    for (line, why) in [
        (
            "",
            "the first word must be the side to move, O or X, or `-` before the throw that decides \
             who begins, not ``",
        ),
        ("O", "the second word must be the dice, each from 1 to 6, or `-`, not ``"),
        ("O 17", "the second word must be the dice, each from 1 to 6, or `-`, not `17`"),
        ("- 31", "the dice 31 are to be played, but `-` names no side"),
        ("O - 1", "`1` is not a place such as 13=OO or off=OX"),
        ("O - a1=O", "`a1=O` is not a place such as 13=OO or off=OX"),
        ("O - 25=O", "there is no point `25`"),
        ("O - 0=O", "there is no point `0`"),
        ("O - 1=", "the stack of `1=` must be letters O and X"),
        ("O - 1=OY", "the stack of `1=OY` must be letters O and X"),
        ("O - 1=O 1=X", "1 is named twice"),
        ("O - 01=O 1=X", "1 is named twice"),
        ("O - bar=O", "men do not come to the bar in this game"),
        ("O - 1=OOX", "in `1=OOX` more than the lowest man is pinned"),
        ("O - 1=O", "O has 1 men and not 15; those borne off stand in off=O"),
        (&format!("O - 1={o} 2=X"), "X has 1 men and not 15; those borne off stand in off=X"),
        (&format!("O - 1={o}O"), &format!("in `1={o}O` O has more than 15 men")),
        (&format!("O - off={o}{x}"), "both sides have borne off all men"),
        (&format!("O 31 off={o} 1={x}"), "the game is over here, so no dice are to be played"),
        (&format!("- - off={o} 1={x}"), "the game is over here, so nobody begins"),
        (
            &format!("O 31 1=OX 2={fourteen} 3={}", &x[1..]),
            "the game is over here, so no dice are to be played",
        ),
    ] {
        // A malformed line is refused for its own fault, whatever else is missing.
        let whole = if line.contains('=') || line.split(' ').count() < 3 {
            line.to_owned()
        } else {
            format!("{line} 2={o} 24={x}")
        };
        let whole = if line.contains("a1") { format!("{line} 2={o} 24={x}") } else { whole };
        refused::<plakoto::Position>(&whole, why);
    }
    let (twelve, thirteen) = ("O".repeat(12), "O".repeat(13));
    for (line, why) in [
        (
            format!("O - 1=XO 2={fourteen} 13={}", &x[1..]),
            "in `1=XO` men of both sides stand on one point",
        ),
        (
            format!("O - 1={thirteen} 2=O 3=O 13={x}"),
            "O's men cannot stand so: until the first man has gone 12 points no other may move",
        ),
        (
            format!("O - 1={} 2=O 3=O 4=O 5=O 6=O off=O 13={x}", &twelve[3..]),
            "O's men cannot stand so: the six points of the home quadrant may not all be held",
        ),
    ] {
        refused::<moultezim::Position>(&line, why);
    }
}

#[test]
fn notation_names_the_larger_die_first_in_any_case() {
    let position = at::<plakoto::Position>("X 13 5=OO 9=XO 24=X");
    let expected = format!("X 31 5=OO 9=XO 24=X off={}{}", "O".repeat(12), "X".repeat(13));
    assert_eq!(position.notation(), expected);
    let lower = expected.to_ascii_lowercase().replace("31", "13");
    assert_eq!(plakoto::Position::place(&Choices::default(), &lower), Ok(position));
    let (board, seat, roll) = board::<Hits>("O 31 bar=OX 24=XX 6=OO");
    let bar = line::<Hits>(&board, Some(seat), Some(roll));
    assert!(bar.starts_with("O 31 6=OO 24=XX bar=OX off=OOO"), "{bar}");
    assert!(options_in::<moultezim::Position>("score=12").words().eq(["-score=12"]));
    assert_eq!(listed(&at::<plakoto::Position>("O 6 18=O 12=X")), ["18-24"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>(), words in any::<String>()) {
        let _ = said::<Hits>(&format!("O 31 {START}"), &text);
        let position = at::<plakoto::Position>("O 31 1=OO 24=XX");
        let _ = position.read_recorded(&text);
        let _ = plakoto::Position::place(&Choices::default(), &words);
    }

    #[test]
    fn no_text_of_moves_makes_reading_panic(
        text in "([1-5]?x?(bar|[0-9]{1,2}|h)([-/:\u{2013}](off|b|[0-9]{0,2})\\*?){0,4}\
                 (\\([0-9]\\))?[, ]){1,7}",
        double in any::<bool>(),
        line in 0..4_usize,
    ) {
        let stacks = [START, "bar=OO 1=XX 5=X 6=OOO 20=X", "6=OOO 4=O 3=OO 24=X", "2=X 3=OO"][line];
        let line = format!("O {} {stacks}", if double { 22 } else { 31 });
        let text = text.trim_end_matches([',', ' ']);
        let said = said::<Hits>(&line, text);
        prop_assert!(!said.is_empty() && !said.ends_with('.'));
        let (board, seat, roll) = board::<Hits>(&line);
        let _ = read_recorded::<Hits>(&board, seat, Some(roll), text);
    }

    #[test]
    fn no_line_makes_placing_panic(
        line in "([OX-]) ([1-6]{1,2}|-)( ([0-9]{1,2}|off|bar)=[OX]{1,16}){0,8}",
    ) {
        if let Ok(position) = plakoto::Position::place(&Choices::default(), &line) {
            let again = plakoto::Position::place(&Choices::default(), &position.notation());
            prop_assert_eq!(again, Ok(position));
        }
        if let Ok(position) = moultezim::Position::place(&Choices::default(), &line) {
            let again = moultezim::Position::place(&Choices::default(), &position.notation());
            prop_assert_eq!(again, Ok(position));
        }
    }
}
