//! Tests of players' spellings, and of refusals.

use super::{EXAMPLE, malaka};
use crate::find;
use crate::kit::Chance;
use crate::kit::laws::{ENGLISH, random_game};
use crate::kit::{Game, MoveError};
use proptest::prelude::*;

/// Returns the canonical play or the refusal.
fn said(line: &str, text: &str) -> String {
    let words = if line.contains("l12") { "large" } else { "" };
    let position = malaka(words, line);
    match position.read(text) {
        Ok(play) => play.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_spelling_of_a_play_is_understood() {
    for (line, text, play) in [
        (EXAMPLE, "e5-e3,e5xh5", "e5-e3,e5xh5"),
        // Case, order, and the sign of a kill do not matter.
        (EXAMPLE, "E5-H5,e5-E3", "e5-e3,e5xh5"),
        // By way of a point, by any route, and in the order that works.
        (EXAMPLE, "a1-a4-a6", "a1-a4,a4-a6"),
        (EXAMPLE, "a1-a3-a6", "a1-a3,a3-a6"),
        (EXAMPLE, "a1-a6", "a1-a3,a3-a6"),
        (EXAMPLE, "a3-a6,a1-a3", "a1-a3,a3-a6"),
        (EXAMPLE, "a8-f8", "a8-c8,c8-f8"),
        (EXAMPLE, "a1:2,a1:3", "a1-a3,a1-a4"),
        // A repeat prefix is not a kill, though both are written with an x.
        ("O 33 c6=O f6=X a1=OOO", "3xa1-a4,c6xf6", "a1-a4,a1-a4,a1-a4,c6xf6"),
        ("O 33 c6=O f6=X a1=OOO", "3Xa1:3,c6xf6", "a1-a4,a1-a4,a1-a4,c6xf6"),
        ("O 22 a1=OO", "2xa1-a5", "a1-a3,a1-a3,a3-a5,a3-a5"),
        ("O 22 a1=OO", "2xa1-a3-a5", "a1-a3,a1-a3,a3-a5,a3-a5"),
        // The number of pips decides between a jump and a detour.
        ("O 33 c6=O f6=X a1=OOO", "c6-f6,a1-a4", "a1-a4,c6-c9,c9-f9,f9-f6"),
        // A kill on the way or at its end.
        ("O 12 c3=O e4=X", "c3-c4xe4", "c3-c4,c4xe4"),
        ("O 12 c3=O e4=X", "c3xe4", "c3-c4,c4xe4"),
        ("O 12 c3=O e4=X", "c3-e4", "c3-c4,c4xe4"),
        (EXAMPLE, " a1-a3 , a1-a4 ", "a1-a3,a1-a4"),
        ("O 3 a1=O a4=XX", "--", "pass"),
        ("O 3 a1=O a4=XX", "Pass", "pass"),
    ] {
        assert_eq!(said(line, text), play, "{text}");
    }
}

#[test]
fn a_play_is_understood_as_people_and_programs_write_it() {
    for text in [
        "a1-a3 a1-a4",
        "A1-A3, A1-A4",
        "a1 - a3, a1 - a4",
        "A1 - A3 A1 - A4",
        "a1 to a3, a1 to a4",
        "A1 TO A3 AND A1 TO A4",
        "a1>a3 a1>a4",
        "a1->a3, a1->a4",
        "a1 -> a3; a1 -> a4;",
        "a1=>a3,a1=>a4",
        "a1\u{2192}a3 a1\u{2192}a4",
        "a1\u{2013}a3,a1\u{2014}a4",
        "a1\u{2212}a3 a1\u{2011}a4",
        "a1/a3 a1/a4",
        "a1-a3 a1-a4.",
        "a1-a3,a1-a4!",
        "a1-a3, a1-a4,",
        "a1-a3 & a1-a4 !!",
        "a1-a3\u{a0}a1-a4",
        "23: a1-a3 a1-a4",
        "2-3: a1-a3, a1-a4",
        "32: a1-a3 a1-a4",
        "(2,3) a1-a3 a1-a4",
        "23 a1-a3 a1-a4",
        "1. a1-a3 a1-a4",
        "12) 23: a1-a3 a1-a4",
    ] {
        assert_eq!(said(EXAMPLE, text), "a1-a3,a1-a4", "{text}");
    }
    for (line, text, play) in [
        (EXAMPLE, "e5-e3 e5-h5*", "e5-e3,e5xh5"),
        (EXAMPLE, "e5-e3, e5-h5x", "e5-e3,e5xh5"),
        (EXAMPLE, "e5-h5x e5-e3", "e5-e3,e5xh5"),
        (EXAMPLE, "E5 x H5 e5 to e3", "e5-e3,e5xh5"),
        (EXAMPLE, "e5\u{d7}h5 e5-e3.", "e5-e3,e5xh5"),
        ("O 12 c3=O e4=X", "c3-c4 c4xe4", "c3-c4,c4xe4"),
        ("O 22 a1=OO", "a1-a3-a5(2)", "a1-a3,a1-a3,a3-a5,a3-a5"),
        ("O 22 a1=OO", "a1/a3(2) a3/a5(2)", "a1-a3,a1-a3,a3-a5,a3-a5"),
        ("O 3 a1=O a4=XX", "pass.", "pass"),
        ("O 3 a1=O b1=O", "3: a1-a4", "a1-a4"),
        ("O 3 a1=O b1=O", "1. a1-a4!", "a1-a4"),
    ] {
        assert_eq!(said(line, text), play, "{line} {text}");
    }
    for (text, why) in [
        ("24: a1-a3 a1-a4", "your dice are 23, not 24"),
        ("1. 13: a1-a3 a1-a4", "your dice are 23, not 13"),
        // Without punctuation they may be something else.
        ("24 a1-a3 a1-a4", "expected an x and a point, as in 3xc3-c6 at column 4"),
    ] {
        assert_eq!(said(EXAMPLE, text), why, "{text}");
    }
}

#[test]
fn a_play_is_recorded_by_the_route_that_was_typed() {
    for (line, text, play) in [
        ("O 23 c3=O a1=O", "c3-c5-c8", "c3-c5,c5-c8"),
        ("O 23 c3=O a1=O", "c3-c6-c8", "c3-c6,c6-c8"),
        ("O 23 c3=O a1=O", "c3-c6,c6-c8", "c3-c6,c6-c8"),
        ("O 23 c3=O a1=O", "c6-c8 c3-c6", "c3-c6,c6-c8"),
        // Without further information it is the first.
        ("O 23 c3=O a1=O", "c3-c8", "c3-c5,c5-c8"),
        // Only one of the routes kills.
        ("O 12 c3=O e4=X", "c3-c4-e4", "c3-c4,c4xe4"),
        ("O 12 c3=O e3=X", "c3xe3-f3", "c3xe3,e3-f3"),
        ("O 12 c3=O e3=X", "c3-c4-c6", "c3-c4,c4-c6"),
    ] {
        assert_eq!(said(line, text), play, "{line} {text}");
        let position = malaka("", line);
        assert_eq!(position.read_recorded(play).map(|play| play.to_string()).as_deref(), Ok(play));
    }
}

#[test]
fn no_english_is_taken_for_a_move() {
    let position = find("malaka").unwrap().place(&super::options(""), EXAMPLE).unwrap();
    for text in ENGLISH {
        assert!(!position.can_read(text), "{text}");
    }
    for text in ["a1 - a2", "A1 to A2, b1 to b2", "pass!", "23: a1-a3", "c3-c6 c6-c8."] {
        assert!(position.can_read(text), "{text}");
    }
}

/// Every play of random games, in people's styles, is read back as itself.
#[test]
fn plays_of_random_games_are_understood_in_every_style() {
    let styles: [fn(&str) -> String; 8] = [
        |play| play.replace('-', " to ").replace(',', ", "),
        |play| play.to_ascii_uppercase().replace('-', ">").replace('X', " x "),
        |play| play.replace(',', " "),
        |play| play.replace(',', ", ").replace('-', " - ") + ".",
        |play| play.replace(',', " and ").replace('-', "->") + "!",
        |play| play.replace('-', "\u{2192}").replace(',', "; ") + ",",
        |play| format!("7. {}", play.replace('-', "\u{2013}").replace(',', ", ")),
        |play| play.split(',').map(|hop| hop.replace('x', "-") + " ").collect::<String>(),
    ];
    let (mut chance, mut read) = (Chance::new(8), 0);
    for (seed, words) in ["", "large", "d6", "many", "", "large d4"].into_iter().enumerate() {
        for name in ["malaka", "moloko"] {
            let options = super::options(if name == "malaka" { words } else { "" });
            let start = find(name).unwrap().setup(&options);
            random_game(start, &mut Chance::new(seed as u64), |position| {
                let moves = position.moves();
                if moves.is_empty() || moves[0] == "pass" {
                    return;
                }
                let play = &moves[chance.below(moves.len())];
                let dice = position.notation().split(' ').nth(1).unwrap().to_owned();
                let texts = styles.iter().map(|style| style(play));
                let with_dice = format!("{dice}: {}", play.replace(',', " "));
                for text in texts.chain([with_dice]) {
                    let mut played = position.copy();
                    assert!(played.can_read(&text), "{text}");
                    assert_eq!(played.play(&text).as_ref(), Ok(play), "{text} in {position:?}");
                    read += 1;
                }
            });
        }
    }
    assert!(read > 5_000, "{read}");
}

#[test]
fn several_meanings_are_listed_in_full() {
    for (line, text, readings) in [
        (EXAMPLE, "e5:3,e5:2", "e5-e2,e5-e3 or e5-e3,e5xh5"),
        (
            "O 33 c6=O f6=X a1=OOO",
            "c6:3,3xa1-a4",
            "a1-a4,a1-a4,a1-a4,c6-c9 or a1-a4,a1-a4,a1-a4,c6xf6",
        ),
    ] {
        assert_eq!(said(line, text), format!("it can be read in several ways: {readings}"));
    }
}

#[test]
fn a_refusal_names_the_step_and_the_reason() {
    const WALL: &str =
        "a wall stands between F and G, and a jump must land on exactly one enemy man";
    for (line, text, why) in [
        (EXAMPLE, "d4-d6,a1-a4", "d4-d6 cannot be played: you have no man on d4"),
        (EXAMPLE, "i9-i7,a1-a4", "i9-i7 cannot be played: you have no man on i9"),
        (
            "O 12 a5=OX a4=O",
            "a5-a6,a4-a6",
            "a5-a6 cannot be played: your man on a5 is pinned and cannot move",
        ),
        ("O 1 a1=O a2=XX a9=O", "a1-a2", "a1-a2 cannot be played: your opponent holds that point"),
        ("O 1 a1=O a2=OX a9=O", "a1:1", "a1:1 cannot be played: your opponent holds that point"),
        ("O 4 c9=O a1=O", "c9-g9", &format!("c9-g9 cannot be played: {WALL}")),
        ("O 4 c9=O a1=O", "c9:4", &format!("c9:4 cannot be played: {WALL}")),
        (EXAMPLE, "e5-e7,a1-a4", "e5-e7 cannot be played: that is backwards for O"),
        ("X 2 c5=X", "c5-c7", "c5-c7 cannot be played: that is backwards for X"),
        (EXAMPLE, "a7-a9,a1-a4", "a7-a9 cannot be played: from a7 O goes to the right"),
        (EXAMPLE, "a1-a5,b1-b2", "a1-a5 cannot be played: no die shows 4"),
        (EXAMPLE, "2xa1-a3", "a1-a3 cannot be played: the 2 is used already"),
        (EXAMPLE, "a1-a4,c1:3", "c1:3 cannot be played: the 3 is used already"),
        (EXAMPLE, "a1-a3,a1-a4,b1-b3", "b1-b3 cannot be played: the 2 is used already"),
        (EXAMPLE, "a9-a12", "a9-a12 leaves the board"),
        (EXAMPLE, "a0-a1", "there is no point a0 on this board"),
        ("O 4 a6=O a1=O", "a6:4", "a6:4 cannot be played: 4 up from a6 leaves the board"),
        ("O 2 g9=O a1=O", "g9-g7", "g9-g7 cannot be played: men on the goal edge stay, as on g9"),
        (
            "O 4 c9=O g9=XX a1=O",
            "c9xg9",
            "c9xg9 cannot be played: a jump must land on exactly one enemy man",
        ),
        ("O 4 c5=O g5=X c9=O", "c5-g5", "c5-g5 cannot be played: a jump cannot cross two walls"),
        (EXAMPLE, "a1xa3,a1-a4", "a1xa3 cannot be played: it kills nothing, so write it with -"),
        (
            "O 12 a1=O a4=XX",
            "a1-a4",
            "a1-a4 cannot be played: on a2-a4 your opponent holds that point",
        ),
        (EXAMPLE, "e5-f3", "e5-f3 cannot be played: the dice do not lead from e5 to f3"),
        (EXAMPLE, "a1-a1", "a1-a1 cannot be played: it does not move"),
        (EXAMPLE, "e5-e2", "that is 3 of the 5 pips that can be played, for example a1-a3,e5-e2"),
        ("O 23 g6=O", "g6-g8", "that is 2 of the 3 pips that can be played, for example g6-g9"),
        ("O 14 g6=O", "--", "you can move, so you may not pass: for example g6-g7"),
        ("O 3 a1=O a4=XX", "a1-a4", "none of your men can move, so you must pass"),
        (EXAMPLE, "5xa1-a3", "5 men cannot move in one turn: steps are repeated up to 4 times"),
    ] {
        assert_eq!(said(line, text), why, "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_shown_by_its_column() {
    for (text, why) in [
        ("", "expected a point such as c3 at column 1"),
        ("hello", "expected a point such as c3 at column 1"),
        ("a1", "expected - and a point, or : and a die at column 3"),
        ("a1-", "expected a point such as c3 to go to at column 4"),
        ("a1:x", "expected the number of a die, as in c3:2 at column 4"),
        ("3a1-a4", "expected an x and a point, as in 3xc3-c6 at column 2"),
        ("a1-a3|b1-b4", "expected a comma, or - and a point at column 6"),
        ("a1-a3,,b1-b4", "expected a point such as c3 at column 7"),
        ("a1-a3 a1", "expected - and a point, or : and a die at column 9"),
        ("a1-a3(x)", "expected a number, as in c3-c6(2) at column 7"),
        ("a1-a3(2", "expected a closing bracket at column 8"),
        ("a1-a3?", "expected a comma, or - and a point at column 6"),
        // Unreadable text is reported before places that do not exist.
        ("z9 is fine", "expected - and a point, or : and a die at column 4"),
        ("1) hello", "expected a point such as c3 at column 4"),
        ("pass,a1-a3", "expected nothing more at column 5"),
    ] {
        assert_eq!(said(EXAMPLE, text), why, "{text}");
    }
}

/// Returns all spellings of a play by its hops, or by the ends of a man's path.
fn spellings(play: &str, chance: &mut Chance) -> Vec<String> {
    let hops: Vec<&str> = play.split(',').collect();
    let pips = |hop: &&str| {
        let (from, to) = hop.split_once(['-', 'x']).unwrap();
        format!("{from}:{}", pips(from, to))
    };
    let mut shuffled = hops.clone();
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, chance.below(i + 1));
    }
    let mut repeats: Vec<String> = Vec::new();
    for hop in &hops {
        let same = hops.iter().filter(|other| *other == hop).count();
        let text = format!("{same}x{hop}");
        if !repeats.contains(&text) {
            repeats.push(text);
        }
    }
    // Two hops that join are one man's path.
    let mut chain: Vec<String> = vec![hops[0].to_owned()];
    for hop in &hops[1..] {
        let last = chain.last_mut().unwrap();
        let at = last.rfind(['-', 'x']).unwrap();
        if hop.starts_with(&last[at + 1..])
            && !hop[last.len() - at - 1..].starts_with(char::is_numeric)
        {
            last.push_str(&hop[last.len() - at - 1..]);
        } else {
            chain.push((*hop).to_owned());
        }
    }
    let ends: Vec<String> = chain
        .iter()
        .map(|way| {
            let points: Vec<&str> = way.split(['-', 'x']).collect();
            format!("{}-{}", points[0], points[points.len() - 1])
        })
        .collect();
    vec![
        play.to_ascii_uppercase(),
        play.replace('x', "-"),
        shuffled.join(","),
        hops.iter().map(pips).collect::<Vec<_>>().join(","),
        repeats.join(","),
        chain.join(","),
        ends.join(","),
    ]
}

/// Returns the distance of two points on one file or rank.
fn pips(from: &str, to: &str) -> i32 {
    let file = |point: &str| i32::from(point.as_bytes()[0]);
    let rank = |point: &str| point[1..].parse::<i32>().unwrap();
    (file(from) - file(to)).abs().max((rank(from) - rank(to)).abs())
}

#[test]
fn all_spellings_of_plays_of_random_games_are_understood() {
    let mut chance = Chance::new(3);
    let (mut understood, mut ambiguous) = (0, 0);
    for seed in 0..24 {
        let options = super::options(["", "large", "d6", "many"][seed % 4]);
        let start = find("malaka").unwrap().setup(&options);
        random_game(start, &mut Chance::new(seed as u64), |position| {
            let moves = position.moves();
            if moves.is_empty() || moves[0] == "pass" {
                return;
            }
            let play = &moves[chance.below(moves.len())];
            for (kind, text) in spellings(play, &mut chance).into_iter().enumerate() {
                match position.copy().play(&text) {
                    Ok(read) => {
                        assert_eq!(read, *play, "{text} in {}", position.notation());
                        understood += 1;
                    }
                    // Only pips and whole paths can be ambiguous.
                    Err(MoveError::Ambiguous(readings)) if kind == 3 || kind == 6 => {
                        assert!(readings.len() > 1 && readings.contains(play), "{readings:?}");
                        for reading in &readings {
                            assert_eq!(position.copy().play(reading).as_ref(), Ok(reading));
                        }
                        ambiguous += 1;
                    }
                    Err(error) => panic!("{text} in {}: {error}", position.notation()),
                }
            }
        });
    }
    assert!(understood > 5_000 && ambiguous > 20, "{understood} {ambiguous}");
}

#[test]
fn a_record_is_recalled_only_as_it_is_written() {
    let position = malaka("", EXAMPLE);
    let read_recorded = |text: &str| position.read_recorded(text).map(|play| play.to_string());
    assert_eq!(read_recorded("e5-e3,e5xh5").as_deref(), Ok("e5-e3,e5xh5"));
    for text in [
        "E5-E3,E5xH5",
        "e5-e3,e5-h5",
        "e5-e3,e5xh5,a1-a3",
        "a1-a6",
        "a1:2,a1:3",
        "1xa1-a3",
        "--",
        "a1-a3-a6",
        " a1-a3,a1-a4",
        "a1-a3,a1-a3",
        "i9-i7,a1-a4",
        "b2-b4",
    ] {
        read_recorded(text).unwrap_err();
    }
}

#[test]
fn a_line_of_notation_is_refused_with_its_fault() {
    for (words, line, why) in [
        ("", "", "the first word must be the side to move, O or X, not ``"),
        ("", "a1=O", "the first word must be the side to move, O or X, not `a1=O`"),
        ("", "O", "the second word must be the dice, each from 1 to 4, or `-`, not ``"),
        ("", "O 15", "the second word must be the dice, each from 1 to 4, or `-`, not `15`"),
        ("large", "O 17", "the second word must be the dice, each from 1 to 6, or `-`, not `17`"),
        ("", "O 123", "the second word must be the dice, each from 1 to 4, or `-`, not `123`"),
        ("", "O - a1", "`a1` is not a place such as a8=OO"),
        ("", "O - a10=O", "there is no point `a10`"),
        ("", "O - j1=O", "there is no point `j1`"),
        ("", "O - a1=", "the stack of `a1=` must be letters O and X"),
        ("", "O - a1=OY", "the stack of `a1=OY` must be letters O and X"),
        ("", "O - a1=OOX", "in `a1=OOX` more than the lowest man is pinned"),
        ("", "O - a1=XOX", "in `a1=XOX` more than the lowest man is pinned"),
        ("", "O - a1=O A1=X", "a1 is named twice"),
        ("", "O - a1=OOOOOOOOOOOOOOOOOOOOOOOOO", "O has more than 24 men"),
    ] {
        assert_eq!(malaka::Position::place(&super::options(words), line).unwrap_err(), why);
    }
    assert_eq!(malaka("", "x 32 h5=x a8=oo").notation(), "X 23 a8=OO h5=X");
    assert_eq!(malaka("large", "O 66 l12=O a10=X").notation(), "O 66 a10=X l12=O");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_makes_reading_panic(text in any::<String>(), line in any::<String>()) {
        let _ = said(EXAMPLE, &text);
        let _ = malaka("", EXAMPLE).read_recorded(&text);
        let _ = malaka::Position::place(&super::options(""), &line);
    }

    #[test]
    fn no_text_of_moves_makes_reading_panic(
        text in "([1-5]?x?[a-l][0-9]{1,2}(([-x:][a-l]?[0-9]{0,2}){0,4}),?){1,7}",
        double in any::<bool>(),
    ) {
        let line = if double { EXAMPLE.replace(" 23 ", " 22 ") } else { EXAMPLE.to_owned() };
        let said = said(&line, &text);
        prop_assert!(!said.is_empty() && !said.ends_with('.'));
        let _ = malaka("", &line).read_recorded(&text);
    }

    #[test]
    fn no_line_makes_placing_panic(
        line in "[OX] ([1-6]{1,2}|-)( [a-l][0-9]{1,2}=[OX]{1,4}){0,8}",
    ) {
        for words in ["", "large"] {
            if let Ok(position) = malaka::Position::place(&super::options(words), &line) {
                let again = malaka::Position::place(&super::options(words), &position.notation());
                prop_assert_eq!(again, Ok(position));
            }
        }
    }
}
