//! Tests with positions as rows, a second, slower implementation of the rules, and random games.

use super::*;
use crate::kit::fixtures::{after, board, options_of_mode, square};
use crate::kit::{Chance, Game, MoveError};

fn start(mode: u8) -> Position {
    <Position as PressGame>::setup(&options_of_mode::<Position>(mode))
}

fn placed(mode: u8, notation: &str) -> Position {
    Position::place(&options_of_mode::<Position>(mode), notation).unwrap()
}

/// Counts lines of four, point by point.
fn fours(stones: &Stones, seat: Seat) -> u32 {
    let mut found = 0;
    for square in Square::all() {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let mut line = (0..4).map(|far| square.moved(far * down, far * right));
            let is_own = |at: Option<Square>| at.is_some_and(|at| stones.at(at) == Some(seat));
            found += u32::from(line.all(is_own));
        }
    }
    found
}

/// Returns whether two points are less than three apart.
fn is_near(a: Square, b: Square) -> bool {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(a.line(), b.line()) + square(a.column(), b.column()) < 9
}

/// Returns the points that may be pressed, point by point.
fn open(position: &Position, mode: u8) -> Vec<String> {
    let dark: Vec<Square> =
        Square::all().filter(|&square| position.stones.at(square).is_none()).collect();
    let own = position.last[position.turn.index()].filter(|_| mode < 2);
    let far = |square: &&Square| own.is_none_or(|own| !is_near(own, **square));
    let mut open: Vec<&Square> = dark.iter().filter(far).collect();
    if open.is_empty() {
        open = dark.iter().collect();
    }
    open.into_iter().map(Square::to_string).collect()
}

#[test]
fn random_games_follow_the_slow_reading() {
    for mode in 0..=4 {
        for seed in 0..4 {
            let mut chance = Chance::new(seed);
            let mut position = start(mode);
            let mut made = 0;
            while let Next::Move(turn) = Game::next(&position) {
                assert_eq!(turn, Seat(made % 2));
                let moves: Vec<String> =
                    Game::moves(&position).iter().map(ToString::to_string).collect();
                assert_eq!(moves, open(&position, mode), "{}", position.notation());
                let lines = Seat::BOTH.map(|seat| fours(&position.stones, seat));
                assert_eq!(position.lines(), lines, "{}", position.notation());
                assert!(mode % 2 == 0 || lines == [0, 0], "{}", position.notation());
                let press = position.read(&moves[chance.below(moves.len())]).unwrap();
                position.play(&press);
                made += 1;
            }
            assert!(if mode % 2 == 0 { made == 81 } else { (7..=81).contains(&made) });
        }
    }
}

#[test]
fn longer_rows_hold_several_fours() {
    for (rows, lines) in [
        ("GGG", [0, 0]),
        ("GGGG", [1, 0]),
        ("GGGGG", [2, 0]),
        ("GGGGGG", [3, 0]),
        ("GGGGGGGGG", [6, 0]),
        // A bent line does not count.
        (".......GG/GG", [0, 0]),
        ("G/R/R/R/R/G", [0, 1]),
        ("./.....R/....R/...R/..R/.R", [0, 2]),
        ("./././././.....G/......G/.......G/........G", [1, 0]),
        ("GGGG/GGGG/GGGG/GGGG", [10, 0]),
    ] {
        assert_eq!(placed(0, &format!("G {}", board(rows))).lines(), lines, "{rows}");
    }
}

#[test]
fn a_side_keeps_three_points_away_from_its_own_last_one() {
    let position = after(&start(0), "e5 a1");
    for (name, is_legal) in [
        ("g7", false), // two and two
        ("e3", false),
        ("f7", false), // one and two
        ("d4", false),
        ("h5", true), // three straight on
        ("e8", true),
        ("f8", true), // three and one
        ("b1", true), // next to the enemy's last
        ("a1", false),
        ("e5", false),
    ] {
        assert_eq!(position.legal().contains(square(name)), is_legal, "{name}");
    }
    // The 25 points around e5, of the 80 that are not a1.
    assert_eq!(position.legal().len(), 80 - 25);
    // Green's next press is measured from e8, no longer from e5.
    assert!(after(&start(0), "e5 a1 e8 i1").legal().contains(square("e4")));
    assert_eq!(after(&start(2), "e5 a1").legal().len(), 79);
}

#[test]
fn the_distance_is_forgotten_for_one_move_where_no_point_is_far_enough() {
    let rows =
        "GRGRGRGRG/RGRGRGRGR/GRGRGRGRG/RGRGRGRGR/GRGRGRGRG/RGRGR.RGR/GRGRGRGRG/RGRGRGRGR/GRGRGRG..";
    let near = placed(0, &format!("G {} green=e5 red=a8", rows.replace("G..", "GRG")));
    assert_eq!(near.legal(), square("f4").into());
    assert_eq!(
        near.grid(&View::default()).notes,
        ["No dark point is 3 away from e5: Green may press any"]
    );
    let far = placed(0, &format!("G {rows} green=e5 red=a8"));
    assert_eq!(far.legal(), ["h1", "i1"].map(square).into_iter().collect());
    assert_eq!(far.grid(&View::default()).notes, ["Green may not press within 3 of e5"]);
}

#[test]
fn modes_are_two_bits_and_four_is_two() {
    for (mode, ends, keeps) in
        [(0, false, true), (1, true, true), (2, false, false), (3, true, false), (4, false, false)]
    {
        let position = after(&start(mode), "e5 a1");
        assert_eq!((position.ends_with_a_line(), position.shunned().is_some()), (ends, keeps));
    }
    assert_eq!(start(4), start(2));
}

#[test]
fn the_first_line_wins_where_the_mode_says_so() {
    let presses = "a1 a9 b1 b9 c1 c9 d1";
    let won = |by| Next::Over(Outcome::Won { by, points: 1, reason: "with four in a line" });
    assert_eq!(Game::next(&after(&start(3), presses)), won(Seat(0)));
    assert_eq!(Game::next(&after(&start(3), "i5 a9 b1 b9 c1 c9 e1 d9")), won(Seat(1)));
    assert_eq!(Game::next(&after(&start(2), presses)), Next::Move(Seat(1)));
    assert_eq!(
        after(&start(2), presses).grid(&View::default()).score,
        Some(([1, 0], "lines".into()))
    );
}

#[test]
fn a_full_board_is_counted() {
    // There is no four in any direction; with another corner, green has one.
    let even =
        "GGRRGGRRG/RRGGRRGGR/GGRRGGRRG/RRGGRRGGR/GGRRGGRRG/RRGGRRGGR/GGRRGGRRG/RRGGRRGGR/GGRRGGRRG";
    let more = even.replacen("GGRR", "GGGG", 1);
    let less = even.replacen("RRGGRRGGR", "RRRRRRGGR", 1);
    let won = |by| Outcome::Won { by, points: 1, reason: "with more lines" };
    for (mode, rows, outcome) in [
        (0, even, Outcome::Drawn { reason: "both have the same number of lines" }),
        (
            1,
            even,
            Outcome::Drawn { reason: "the board is full and neither side has four in a line" },
        ),
        (0, &more, won(Seat(0))),
        (2, &less, won(Seat(1))),
    ] {
        let end = placed(mode, &format!("R {rows}"));
        assert_eq!(Game::next(&end), Next::Over(outcome), "{rows} {:?}", end.lines());
        assert_eq!(end.grid(&View { legal: true, ..View::default() }).legal, Squares::NONE);
        assert_eq!(end.grid(&View::default()).light, None);
    }
}

#[test]
fn refusals_say_why() {
    let position = after(&start(0), "e5 a1");
    for (words, why) in [
        ("e5", "e5 is lit"),
        ("a1", "a1 is lit"),
        ("g7", "g7 is less than 3 away from e5, your last point"),
        ("pass", "you may not pass while you can press a point"),
    ] {
        assert_eq!(position.read(words), Err(MoveError::Illegal(why.into())));
    }
    assert_eq!(after(&start(2), "e5 a1").read("e5"), Err(MoveError::Illegal("e5 is lit".into())));
}

#[test]
fn a_line_remembers_the_last_points_of_both() {
    let position = after(&start(0), "e5 a1 i9");
    assert_eq!(
        position.notation(),
        "R ........G/........./........./........./....G..../........./........./........./R........ green=i9 red=a1"
    );
    let grid = position.grid(&View { legal: true, ..View::default() });
    assert_eq!((grid.last, grid.light), (vec![square("i9")], Some(Seat(1))));
    assert_eq!(grid.legal, position.legal());
    for (notation, why) in [
        ("R G./.. green=a2", "the board has nine lines"),
        ("- -", "the side to move must be G or R"),
        ("R - green=e5", "e5 is not green"),
        ("R - red=e5", "e5 is not red"),
        ("R - last=e5", "`last=e5` has no meaning here"),
    ] {
        assert_eq!(Position::place(&options_of_mode::<Position>(0), notation).unwrap_err(), why);
    }
}
