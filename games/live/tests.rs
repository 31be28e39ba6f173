//! Tests of all console games.

use super::*;
use crate::kit::fixtures::square;
use crate::kit::{Chance, Values};
use std::collections::BTreeSet;

/// Recordings of random presses with their digests, which must be the same on any machine.
const TAPES: &str = include_str!("tapes.txt");

/// Returns the press of the point with this name.
pub(super) fn at(name: &str) -> Press {
    Press::At(square(name))
}

/// Returns random presses in a percentage of ticks.
fn random(chance: &mut Chance, of_hundred: usize) -> Vec<(Seat, Press)> {
    if chance.below(100) >= of_hundred {
        return Vec::new();
    }
    let seat = Seat::BOTH[chance.below(2)];
    let at = Square::all().nth(chance.below(81)).unwrap();
    vec![(seat, if chance.below(20) == 0 { Press::Pass } else { Press::At(at) })]
}

/// Records a game with random presses.
fn played(
    game: &'static LiveGame,
    settings: GameSettings,
    ticks: u64,
) -> (Tape, Box<dyn GameInProgress>) {
    let mut tape = Tape::new(game, settings).unwrap();
    let mut live = tape.start();
    let mut chance = Chance::new(settings.seed ^ 0xfeed);
    for _ in 0..ticks {
        let presses = random(&mut chance, 3);
        tape.step(&mut *live, &presses);
    }
    tape.seal(&*live);
    (tape, live)
}

/// Records each game, and both modes of Life; the computer plays where that needs no search.
fn tapes() -> Vec<Tape> {
    let mut tapes = Vec::new();
    for game in CONSOLE {
        for mode in 0..if game.name == "life" { 2 } else { 1 } {
            let level = if game.is_timed_by_speed && game.uses_level { 2 } else { 0 };
            let settings =
                GameSettings { mode, level, seed: 1, speed: 7, time: 0, ..GameSettings::default() };
            tapes.push(played(game, settings, 2_000).0);
        }
    }
    tapes
}

#[test]
fn all_ten_games_are_there_with_all_their_modes() {
    let names: Vec<&str> = CONSOLE.iter().map(|game| game.name).collect();
    let ten = "reversi ghost life touchit symmetry countlines fillit findthem visiput speedgo";
    assert_eq!(names.join(" "), ten);
    for (number, game) in (0..).zip(CONSOLE) {
        assert_eq!(game.number, number);
        for name in [game.name, &game.name.to_uppercase(), &number.to_string()] {
            assert_eq!(console(name).map(|game| game.name), Some(game.name));
        }
        assert_eq!(game.is_timed_by_speed, matches!(number, 1..=4 | 7), "{}", game.name);
        let Some(by_mail) = crate::find(game.name) else {
            assert!(matches!(game.name, "ghost" | "touchit"), "{} is missing", game.name);
            continue;
        };
        let mode = by_mail.spec().options.iter().find(|switch| switch.name == "mode").unwrap();
        let modes = match mode.values {
            Values::OneOf(words) => words.len(),
            _ => panic!("{}: modes are words", game.name),
        };
        assert_eq!((by_mail.spec().title, modes), (game.title, usize::from(game.modes)));
    }
    for other in ["", "10", "00", "+1", "plakoto", "malaka"] {
        assert!(console(other).is_none(), "{other}");
    }
}

/// 700 ms at speed 5, 25 % more for each step down, rounded to ten milliseconds.
#[test]
fn periods_and_limits_are_those_of_the_buttons() {
    for speed in 0..10_u8 {
        let away = u32::from(speed.abs_diff(5));
        let (many, few) = (70 * 5_u64.pow(away), 4_u64.pow(away));
        let (many, few) =
            if speed <= 5 { (many, few) } else { (70 * 4_u64.pow(away), 5_u64.pow(away)) };
        let ticks = (2 * many + few) / (2 * few);
        let settings = GameSettings { speed, ..GameSettings::default() };
        assert_eq!(settings.period(), ticks, "speed {speed}");
        assert_eq!(GameSettings { aim: 2, ..settings }.period(), 2 * ticks);
    }
    let limits =
        (0..10).map(|time| GameSettings { time, ..GameSettings::default() }.limit() / TICKS);
    assert_eq!(limits.collect::<Vec<_>>(), [5, 10, 15, 20, 25, 30, 45, 60, 90, 120]);
}

#[test]
fn a_tape_plays_the_same_game_again() {
    for game in CONSOLE {
        for mode in 0..game.modes {
            let level = if game.uses_level { mode % 3 } else { 0 };
            let settings =
                GameSettings { mode, level, seed: 7, time: 0, ..GameSettings::default() };
            let (tape, live) = played(game, settings, 3_000);
            let read: Tape = tape.to_string().parse().unwrap();
            let again = read.replay().unwrap();
            assert_eq!(again.digest(), live.digest(), "{} {mode}", game.name);
            assert_eq!(again.scene(), live.scene(), "{} {mode}", game.name);
            assert_eq!(read.to_string(), tape.to_string());
        }
    }
}

/// One press more or less, one tick later, or another seed changes the state.
#[test]
fn digests_tell_states_apart() {
    for game in CONSOLE {
        let settings = GameSettings { seed: 3, time: 0, ..GameSettings::default() };
        let mut digests = BTreeSet::new();
        for seed in 3..5 {
            let mut live = (game.set_up)(&GameSettings { seed, ..settings });
            for _ in 0..600 {
                assert!(digests.insert(live.digest()), "{} {}", game.name, live.ticks());
                live.step(&[]);
            }
        }
    }
}

#[test]
fn committed_tapes_play_to_their_digests() {
    let mut texts = vec![String::new()];
    for line in TAPES.lines() {
        if line.is_empty() {
            texts.push(String::new());
        } else {
            let text = texts.last_mut().unwrap();
            text.push_str(line);
            text.push('\n');
        }
    }
    let made: Vec<String> = tapes().iter().map(Tape::to_string).collect();
    assert_eq!(texts.len(), made.len());
    for (text, made) in texts.iter().zip(&made) {
        let tape: Tape = text.parse().unwrap();
        tape.replay().unwrap_or_else(|error| panic!("{}: {error}", tape.game.name));
        assert_eq!(text, made, "{}: the ignored test `print_tapes` makes new ones", tape.game.name);
    }
}

#[test]
#[ignore = "prints what belongs into tapes.txt, after a change of rules"]
fn print_tapes() {
    let texts: Vec<String> = tapes().iter().map(Tape::to_string).collect();
    print!("{}", texts.join("\n"));
}

const TAPE: &str = "postboard-tape 1 touchit mode=0 speed=5 level=0 green=0 time=5 seed=1 aim=1 \
                    presses=2 ticks=90 digest=0000000000000000\n12 G e5\n90 R pass\n";

/// Each line changes one thing in the tape: the old text, the new text, and the error.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn what_is_no_tape_is_refused_with_its_line() {
    TAPE.parse::<Tape>().unwrap();
    for (from, to, said) in [
        ("postboard-tape", "tape", "line 1: a tape begins with `postboard-tape 1`"),
        ("tape 1", "tape 2", "line 1: only version 1 of tapes is known, not `2`"),
        ("touchit", "chess", "line 1: there is no game `chess` on the console"),
        ("touchit", "TouchIt", "line 1: there is no game `TouchIt` on the console"),
        ("mode=0", "mode=4", "line 1: mode goes from 0 to 3 in TouchIt"),
        ("mode=0", "mode=-1", "line 1: mode is a number, not `-1`"),
        ("mode=0", "mode=256", "line 1: mode is not 256"),
        ("mode=0 ", "", "line 1: expected mode=, not `speed=5`"),
        ("speed=5", "speed=10", "line 1: speed goes from 0 to 9 in TouchIt"),
        ("level=0", "level=5", "line 1: level goes from 0 to 4 in TouchIt"),
        ("green=0", "green=9", "line 1: green goes from 0 to 4 in TouchIt"),
        ("time=5", "time=11", "line 1: time goes from 0 to 9 in TouchIt"),
        ("aim=1", "aim=0", "line 1: aim is 1 or 2"),
        ("aim=1", "aim=1000", "line 1: aim is not 1000"),
        (
            "seed=1",
            "seed=18446744073709551616",
            "line 1: seed is a number, not `18446744073709551616`",
        ),
        (
            "ticks=90",
            "ticks=18446744073709551615",
            "line 1: no game takes more than 17280000 ticks",
        ),
        ("ticks=90 ", "", "line 1: expected ticks=, not `digest=0000000000000000`"),
        ("digest=0000000000000000", "digest=0", "line 1: digest is 16 digits 0 to f, not `0`"),
        (
            "digest=0000000000000000",
            "digest=+00000000000000f",
            "line 1: digest is 16 digits 0 to f, not `+00000000000000f`",
        ),
        ("0000\n", "0000 more\n", "line 1: expected nothing more, not `more`"),
        (" digest=0000000000000000", "", "line 1: digest= is missing"),
        ("12 G e5\n", "", "line 3: the tape ends after 1 presses of 2"),
        ("90 R pass\n", "", "line 3: the tape ends after 1 presses of 2"),
        ("90 R pass\n", "90 R", "line 3: expected a press such as `120 G e5`, not `90 R`"),
        ("90 R pass\n", "90 R pa", "line 3: a press is a point from a1 to i9 or `pass`, not `pa`"),
        ("12 G e5\n", "\n", "line 2: expected a press such as `120 G e5`, not ``"),
        ("12 G e5", "12 G e5 x", "line 2: expected a press such as `120 G e5`, not `12 G e5 x`"),
        ("12 G e5", "12 O e5", "line 2: a side is G or R, not `O`"),
        ("e5", "j5", "line 2: a press is a point from a1 to i9 or `pass`, not `j5`"),
        ("e5", "a0", "line 2: a press is a point from a1 to i9 or `pass`, not `a0`"),
        ("12 G", "0 G", "line 2: tick 0 comes before tick 1"),
        ("90 R", "11 R", "line 3: tick 11 comes before tick 12"),
        ("90 R", "91 R", "line 3: the tape ends at tick 90"),
        (
            "90 R",
            "99999999999999999999 R",
            "line 3: the tick is a number, not `99999999999999999999`",
        ),
        ("pass\n", "pass\n90 R e5\n", "line 4: the tape has only 2 presses"),
        (TAPE, "", "line 1: a tape begins with `postboard-tape 1`"),
    ] {
        assert!(TAPE.contains(from), "{from}");
        let changed = TAPE.replacen(from, to, 1);
        let error = changed.parse::<Tape>().unwrap_err();
        assert_eq!(error.to_string(), said, "{from:?} -> {to:?}");
    }
    // Symmetry is for one player.
    let alone = TAPE.replace("touchit", "symmetry").replace("level=0", "level=1");
    let error = alone.parse::<Tape>().unwrap_err();
    assert_eq!(error.to_string(), "line 1: level goes from 0 to 0 in Symmetry");
}

/// A text that is cut anywhere or has one letter changed does not panic, and does not replay
/// unnoticed.
#[test]
fn a_damaged_tape_is_found_out() {
    let game = console("ghost").unwrap();
    let settings = GameSettings { seed: 5, time: 0, level: 1, ..GameSettings::default() };
    let text = played(game, settings, 400).0.to_string();
    // All but the end of the last line.
    for end in 0..text.len() - 1 {
        assert!(text[..end].parse::<Tape>().is_err(), "{}", &text[..end]);
    }
    text.parse::<Tape>().unwrap().replay().unwrap();
    for (from, to) in [("seed=5", "seed=6"), ("speed=5", "speed=4"), ("ticks=400", "ticks=399")] {
        assert!(text.contains(from), "{text}");
        let error = text.replace(from, to).parse::<Tape>().and_then(|tape| tape.replay());
        let error = error.unwrap_err().to_string();
        let told = error.starts_with("line 1: it says digest=")
            || error.ends_with("the tape ends at tick 399");
        assert!(told, "{error}");
    }
    let over = "postboard-tape 1 speedgo mode=1 speed=5 level=0 green=0 time=5 seed=1 aim=1 \
                presses=2 ticks=9 digest=0000000000000000\n2 G pass\n3 R pass\n";
    let error = over.parse::<Tape>().unwrap().replay().unwrap_err();
    assert_eq!(error.to_string(), "line 1: the game is over at tick 3, not 9");
}

#[test]
fn no_presses_whatever_bring_a_game_out_of_order() {
    for game in CONSOLE {
        let mut chance = Chance::new(game.number.into());
        let (mut ticks, mut seed) = (0_u64, 0);
        while ticks < 100_000 {
            seed += 1;
            let mode = u8::try_from(chance.below(game.modes.into())).unwrap();
            // In turn games the computer would think.
            let level = if game.uses_level && game.is_timed_by_speed { chance.below(5) } else { 0 };
            let level = u8::try_from(level).unwrap();
            let speed = u8::try_from(chance.below(10)).unwrap();
            let settings =
                GameSettings { mode, speed, level, seed, time: 0, ..GameSettings::default() };
            let mut live = (game.set_up)(&settings);
            for _ in 0..5_000 {
                ticks += 1;
                let mut presses = random(&mut chance, 10);
                presses.extend(random(&mut chance, 10));
                // The seat is empty.
                presses.extend((chance.below(50) == 0).then_some((Seat(7), Press::Pass)));
                live.step(&presses);
                if ticks % 97 == 0 || live.over().is_some() {
                    let scene = live.scene();
                    assert_eq!(scene.bell, u32::from(live.over().is_some()));
                    assert!(scene.clock.is_none() || live.over().is_none());
                }
                if live.over().is_some() {
                    let (digest, ticks) = (live.digest(), live.ticks());
                    live.step(&presses);
                    assert_eq!((live.digest(), live.ticks()), (digest, ticks));
                    break;
                }
            }
            let mut copy = live.copy();
            let presses = random(&mut chance, 100);
            copy.step(&presses);
            live.step(&presses);
            assert_eq!(copy.digest(), live.digest(), "{}", game.name);
        }
    }
}

/// Returns the wins, draws and losses of the higher of two levels, with colours alternating.
fn strength(name: &str, mode: u8, higher: u8, games: u64) -> [u64; 3] {
    let mut counts = [0; 3];
    for seed in 0..games {
        let is_green = seed % 2 == 0;
        let [green, level] = if is_green { [higher, higher - 1] } else { [higher - 1, higher] };
        let settings = GameSettings { mode, level, green, seed, ..GameSettings::default() };
        let mut live = (console(name).unwrap().set_up)(&settings);
        while live.over().is_none() {
            live.step(&[]);
            assert!(live.ticks() < 1_000_000, "{name} {settings:?} does not end: {live:?}");
        }
        counts[match live.over() {
            Some(Outcome::Won { by, .. }) if (by == Seat(0)) == is_green => 0,
            Some(Outcome::Won { .. }) => 2,
            _ => 1,
        }] += 1;
    }
    counts
}

const REAL_TIME: [&str; 4] = ["ghost", "life", "touchit", "findthem"];

#[test]
fn a_higher_level_is_stronger() {
    for name in REAL_TIME {
        for higher in 2..=4 {
            let [won, drawn, lost] = strength(name, 0, higher, 40);
            assert!(won >= 26, "{name} {higher}: {won} won, {drawn} drawn, {lost} lost");
        }
    }
}

/// Prints the tables of `docs/strength.md`.
#[test]
#[ignore = "a measurement: see docs/strength.md"]
fn strength_of_all_levels() {
    for name in REAL_TIME {
        let game = console(name).unwrap();
        for mode in 0..game.modes {
            print!("| {} | {mode} |", game.title);
            for higher in 2..=4 {
                let [won, drawn, lost] = strength(name, mode, higher, 200);
                print!(" {won} - {drawn} - {lost} |");
            }
            println!();
        }
    }
}
