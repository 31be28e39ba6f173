//! Tests of finds, silent points, and hidden information.

use super::Position;
use super::hunt::{Hunt, goal, points};
use crate::grid::{PressGame, Square, Squares, Stones};
use crate::kit::fixtures::{deal, options_in, square};
use crate::kit::laws::strength_tests;
use crate::kit::{Chance, Game, Next, Outcome, Seat, View};

fn start(words: &str, seed: u64) -> Position {
    deal(<Position as Game>::setup(&options_in::<Position>(words)), &mut Chance::new(seed))
}

/// Returns a colour's points that are still hidden, in order.
fn hidden(position: &Position, seat: u8) -> Vec<Square> {
    position.hunt.hidden[Seat(seat)].without(position.hunt.found).iter().collect()
}

/// Presses an own point for a side that finds one, otherwise a point that belongs to nobody.
fn turn(position: &mut Position, finds: bool) {
    let Next::Move(seat) = Game::next(position) else { panic!("the game is over") };
    let nobodys = (!position.hunt.hidden.lit()).iter().next().unwrap();
    let press = if finds { hidden(position, seat.0)[0] } else { nobodys };
    PressGame::press(position, press);
}

#[test]
fn a_press_finds_its_own_points_only() {
    let hidden = Stones::new(square("a1").into(), square("b1").into());
    let at = |name| Some(square(name));
    for (presses, found, silent) in [
        ("a1", "a1", None),
        // A point of the other side or of nobody does not light up; it becomes silent.
        ("b1", "", at("b1")),
        ("e5", "", at("e5")),
        // The next press on it has no effect, even one that would find it; later ones have.
        ("e5 b1", "b1", None),
        ("b1 b1", "", None),
        ("b1 b1 e5 b1", "b1", None),
        ("b1 e5", "", at("e5")),
        ("b1 e5 e5 b1", "b1", None),
        // A silent point does not become silent again.
        ("e5 e5 e5", "", at("e5")),
        // A press on a lit point has no effect, and ends the silence of another point.
        ("a1 a1", "a1", None),
        ("a1 e5 a1", "a1", None),
    ] {
        let mut hunt = Hunt { hidden, ..Hunt::default() };
        for (press, seat) in presses.split(' ').zip(Seat::BOTH.into_iter().cycle()) {
            let before = hunt.found;
            assert_eq!(hunt.press(seat, square(press)), hunt.found != before);
        }
        let found: Squares = found.split_terminator(' ').map(square).collect();
        assert_eq!((hunt.found, hunt.silent), (found, silent), "{presses}");
    }
}

#[test]
fn the_modes_hide_and_ask_for_these_numbers() {
    for (mode, (hides, asks)) in (0..).zip([(24, 9), (30, 15), (15, 9), (21, 15)]) {
        assert_eq!((points(mode), goal(mode)), (hides, asks));
        let position = start(&format!("mode={mode}"), 1);
        assert_eq!(position.hunt.hidden.count(), [hides; 2]);
    }
    let mut position = <Position as Game>::setup(&options_in::<Position>("mode=2"));
    let mut chance = Chance::new(1);
    let wrong = super::hunt::pattern(0, &mut |limit| chance.below(limit));
    PressGame::lay(&mut position, wrong).unwrap_err();
}

#[test]
fn the_game_is_judged_after_a_move_of_red() {
    let won = |by| {
        let reason = "by finding enough points first";
        Next::Over(Outcome::Won { by: Seat(by), points: 1, reason })
    };
    let drawn = Next::Over(Outcome::Drawn { reason: "both have found enough points" });
    for (last_of_green, last_of_red, next) in [
        (true, false, won(0)),
        (false, true, won(1)),
        (true, true, drawn),
        (false, false, Next::Move(Seat(0))),
    ] {
        let mut position = start("mode=2", 7);
        for _ in 0..16 {
            turn(&mut position, true);
        }
        assert_eq!(position.hunt.lit().count(), [8, 8]);
        turn(&mut position, last_of_green);
        assert_eq!(Game::next(&position), Next::Move(Seat(1)), "red has its turn");
        turn(&mut position, last_of_red);
        assert_eq!(Game::next(&position), next);
    }
}

fn shown(position: &Position, seat: Option<Seat>) -> (String, crate::grid::Grid) {
    let view = View { seat, legal: true, ..View::default() };
    (Game::visible_notation(position, &view), PressGame::grid(position, &view))
}

const EVERYBODY: [Option<Seat>; 3] = [None, Some(Seat(0)), Some(Seat(1))];

#[test]
fn the_pattern_is_seen_until_the_first_press_and_after_the_end() {
    let position = start("", 3);
    for seat in EVERYBODY {
        let (line, grid) = shown(&position, seat);
        assert_eq!(line, Game::notation(&position));
        assert_eq!(grid.rows, position.hunt.hidden.rows(9));
        assert_eq!(grid.notes[1], "look well: the first press makes the board dark");
    }
    let mut over = position;
    for _ in 0..9 {
        turn(&mut over, true);
        turn(&mut over, false);
    }
    assert!(matches!(Game::next(&over), Next::Over(_)));
    for seat in EVERYBODY {
        let (line, grid) = shown(&over, seat);
        assert_eq!(line, Game::notation(&over));
        let all = grid.rows.concat();
        let of = |mark| all.matches(mark).count();
        assert_eq!((of('G'), of('g'), of('R'), of('r')), (9, 15, 0, 24));
        assert_eq!(grid.notes.last().unwrap(), "g and r are points that nobody has found");
    }
}

/// Two positions that differ only in undiscovered points look the same, including their texts.
#[test]
fn nobody_learns_what_nobody_has_found() {
    for (words, presses) in [("", 1), ("", 6), ("blind", 0), ("blind", 1), ("blind", 5)] {
        let mut one = start(words, 1);
        for press in 0..presses {
            turn(&mut one, press % 2 == 0);
        }
        // The hidden points are elsewhere, but not where they have been pressed.
        let vain = one.missed[0] | one.missed[1];
        let mut other = one.clone();
        for seat in Seat::BOTH {
            let found = one.hunt.hidden[seat] & one.hunt.found;
            let left = (!one.hunt.hidden.lit()).without(vain);
            let skip = if seat == Seat(0) { 0 } else { 8 };
            let elsewhere: Squares = left.iter().skip(skip).take(8).collect();
            other.hunt.hidden[seat] = found | elsewhere;
        }
        assert_ne!(one.hunt.hidden, other.hunt.hidden);
        for seat in EVERYBODY {
            assert_eq!(shown(&one, seat), shown(&other, seat), "{words} {presses}");
            let (line, grid) = shown(&one, seat);
            assert!(!line.contains("hidden") && !line.contains("missed"), "{line}");
            assert_eq!(grid.rows, one.hunt.lit().rows(9));
        }
        assert_ne!(Game::notation(&one), Game::notation(&other));
    }
}

#[test]
fn a_silent_point_is_named_for_one_move() {
    let mut position = start("", 2);
    turn(&mut position, false);
    let silent = position.last.unwrap();
    let note = format!("{silent} is silent: a press on it has no effect now");
    assert_eq!(shown(&position, None).1.notes[1], note);
    turn(&mut position, true);
    assert_eq!(shown(&position, None).1.notes, ["9 finds win"]);
    assert_eq!(position.missed[0], silent.into());
}

#[test]
fn what_is_no_position_is_refused_with_its_reason() {
    let dark = "........./........./........./........./........./........./........./........./";
    for (line, reason) in [
        ("G ../..", "the board has 9 lines"),
        ("G {}.........", "the hidden points are missing"),
        ("G {}G........ hidden={}R........", "a point is lit that is not hidden in its colour"),
        ("G {}......... hidden={}R........ last=z9", "`last=z9` has no meaning here"),
        ("G {}......... hidden={}R........ sound=1", "`sound=1` has no meaning here"),
    ] {
        let line = line.replace("{}", dark);
        assert_eq!(Position::place(&options_in::<Position>(""), &line).unwrap_err(), reason);
    }
}

#[test]
fn what_a_level_has_forgotten_stays_forgotten() {
    let position = start("", 4);
    let own = position.hunt.hidden[Seat(0)];
    let recalled = [1, 2, 3, 4].map(|level| {
        let memory = position.memory(level, Seat(0));
        assert_eq!(memory.takes, position.memory(level, Seat(0)).takes);
        (memory.takes[0] & own).len()
    });
    assert!(recalled.is_sorted() && recalled[0] < recalled[3], "{recalled:?}");
    // The memory stays the same during the game.
    let mut later = position.clone();
    turn(&mut later, true);
    turn(&mut later, true);
    assert_eq!(later.memory(2, Seat(0)).takes, position.memory(2, Seat(0)).takes);
}

/// A level that remembers nothing presses independently of the pattern.
#[test]
fn a_blind_level_has_seen_nothing() {
    for level in 1..=4 {
        let presses: Vec<_> = [5, 6]
            .map(|seed| {
                let position = start("blind", seed);
                assert_eq!(position.memory(level, Seat(0)).takes, [Squares::NONE; 2]);
                let mut chance = Chance::new(1);
                Game::choose(&position, level, &mut |limit| chance.below(limit))
            })
            .into();
        assert_eq!(presses[0], presses[1]);
    }
}

const BOARDS: &[&[&str]] = &[&["mode=0"], &["mode=1"], &["mode=2"], &["mode=3"]];

strength_tests!(Position, 10 games on BOARDS, many on BOARDS);
