//! Tests of the program's choices.

use super::super::{Position, search};
use super::placed;
use crate::grid::PressGame;
use crate::kit::fixtures::{deal, start};
use crate::kit::{Chance, Game, Next, Outcome, Seat};

fn chosen(position: &Position, level: u8) -> String {
    let mut chance = Chance::new(1);
    search::choose(position, level, &mut |limit| chance.below(limit)).to_string()
}

#[test]
fn a_seed_gives_the_same_move_and_a_legal_one() {
    let mut chance = Chance::new(3);
    let mut position = deal(start::<Position>(&[]), &mut chance);
    for level in [1, 2, 3, 1, 2] {
        let press = position.read_recorded(&chosen(&position, level)).unwrap();
        assert_eq!(press.to_string(), chosen(&position, level));
        position.play(&press);
    }
}

/// Rows, the side to move, and the choice of every level.
#[test]
fn every_level_ends_games_with_sense() {
    // Both halves live; red's stone a2 is dead, and green must capture it, since it would count.
    let dead =
        "GGGGRRRRR/.GGGRRRR./GGGGRRRRR/.GGGRRRR./GGGGRRRRR/GGGGRRRRR/.GGGRRRRR/RGGGRRRRR/GGGGRRRRR";
    // The same with a point left that both border: it counts for the side that presses it.
    let shared =
        "GGGG.RRRR/.GGGGRRR./GGGGGRRRR/.GGGGRRR./GGGG.RRRR/GGGG.RRRR/GGGGRRRRR/GGGGRRRRR/GGGGRRRRR";
    for (name, notation, expected) in [
        ("takes what is dead", format!("G {dead}"), &["a3"][..]),
        ("presses what is left", format!("G {shared}"), &["e9", "e5", "e4"]),
        ("presses what is left", format!("R {shared}"), &["e9", "e5", "e4"]),
        // Red is ahead, green has passed: a pass wins at once.
        ("passes to win", format!("R {dead} passes=1"), &["pass"]),
        // Green is behind, red has passed: a pass would lose.
        ("plays on when behind", format!("G {shared} passes=1"), &["e9", "e5", "e4"]),
    ] {
        let position = placed(&notation);
        assert!(matches!(PressGame::next(&position), Next::Move(_)), "{name}");
        for level in 1..=3 {
            let chosen = chosen(&position, level);
            assert!(expected.contains(&&*chosen), "level {level} {name}: {chosen}, {notation}");
        }
    }
}

/// Green holds everything; only red's dead stone keeps the game from its end.
#[test]
fn who_can_change_nothing_passes() {
    let held =
        "GGGGGGGGG/.GGGGGGG./GGGGGGGGG/.GGGGGGG./GGGGGGGGG/.RGGGGGGG/GGGGGGGGG/GGGGGGGGG/GGGGGGGG.";
    let position = placed(&format!("R {held}"));
    assert_eq!(PressGame::next(&position), Next::Move(Seat(1)));
    assert_eq!((chosen(&position, 1), chosen(&position, 3)), ("pass".into(), "pass".into()));
}

#[test]
fn levels_play_whole_games() {
    let mut chance = Chance::new(8);
    for mode in ["mode=0", "mode=1", "mode=2"] {
        let mut position = deal(start::<Position>(&[mode]), &mut chance);
        let mut moves = 0;
        while let Next::Move(seat) = PressGame::next(&position) {
            let level = 1 + seat.0;
            let press = search::choose(&position, level, &mut |limit| chance.below(limit));
            position.play(&press);
            moves += 1;
        }
        assert!((20..400).contains(&moves), "{moves} moves");
        let end = PressGame::next(&position);
        assert!(matches!(end, Next::Over(Outcome::Won { .. } | Outcome::Drawn { .. })), "{end:?}");
    }
}
