//! Tests of starts, sight and ends as rows, a second, slower implementation, and random games.

use super::*;
use crate::grid::Press;
use crate::kit::fixtures::{deal, options_of_mode, square, squares};
use crate::kit::{Chance, Game};
use std::cmp::Ordering;

fn start(mode: u8) -> Position {
    <Position as PressGame>::setup(&options_of_mode::<Position>(mode))
}

fn with(mode: u8, turn: u8, green: &str, red: &str) -> Position {
    let stones = Stones::new(squares(green), squares(red));
    Position {
        stones,
        turn: Some(Seat(turn)),
        ..Position::empty(&options_of_mode::<Position>(mode))
    }
}

/// Returns the difference of green and red points that a dark point sees, along each ray.
fn difference(stones: &Stones, square: Square) -> i32 {
    let mut sum = 0;
    for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
        if (down, right) == (0, 0) {
            continue;
        }
        let mut next = square.moved(down, right);
        while let Some(here) = next {
            match stones.at(here) {
                Some(Seat(0)) => sum += 1,
                Some(_) => sum -= 1,
                None => {
                    next = here.moved(down, right);
                    continue;
                }
            }
            break;
        }
    }
    sum
}

/// Returns the points that each side could press, point by point.
fn open(position: &Position) -> [Squares; 2] {
    let threshold = [0, 0, 1, 1, 2, 2, -1, -1][usize::from(position.mode)];
    let dark = || Square::all().filter(|&square| position.stones.at(square).is_none());
    let sum = |square: &Square| difference(&position.stones, *square);
    [
        dark().filter(|square| sum(square) >= threshold).collect(),
        dark().filter(|square| -sum(square) >= threshold).collect(),
    ]
}

#[test]
fn random_games_follow_the_slow_reading() {
    for mode in 0..8 {
        for seed in 0..8 {
            let mut chance = Chance::new(seed);
            let mut position = deal(start(mode), &mut chance);
            loop {
                let [green, red] = open(&position);
                assert_eq!(position.open(), [green, red], "{}", position.notation());
                let both = green & red;
                let over = if (2..=5).contains(&mode) {
                    assert_eq!(both, Squares::NONE);
                    (green | red).is_empty()
                } else {
                    assert_eq!(green | red, !position.stones.lit());
                    both.is_empty()
                };
                let [mut greens, mut reds] = position.stones.count();
                if !(2..=5).contains(&mode) {
                    greens += (!position.stones.lit()).without(red).len();
                    reds += (!position.stones.lit()).without(green).len();
                }
                assert_eq!(position.score(), [greens, reds]);
                match Game::next(&position) {
                    Next::Move(turn) => {
                        assert!(!over, "{}", position.notation());
                        let own = [green, red][turn.index()];
                        let expected: Vec<Press> = if own.is_empty() {
                            vec![Press::Pass]
                        } else {
                            own.iter().map(Press::At).collect()
                        };
                        assert_eq!(Game::moves(&position), expected);
                        let chosen = expected[chance.below(expected.len())];
                        let before = position.stones;
                        position.play(&chosen);
                        let lit = u32::from(matches!(chosen, Press::At(_)));
                        assert_eq!(position.stones.lit().len(), before.lit().len() + lit);
                        assert_eq!(position.stones[turn.other()], before[turn.other()]);
                    }
                    Next::Over(outcome) => {
                        assert!(over, "{}", position.notation());
                        let by = match outcome {
                            Outcome::Drawn { .. } => None,
                            Outcome::Won { by, .. } => Some(by),
                        };
                        let ahead = match greens.cmp(&reds) {
                            Ordering::Less => Some(Seat(1)),
                            Ordering::Equal => None,
                            Ordering::Greater => Some(Seat(0)),
                        };
                        assert_eq!(by, ahead);
                        break;
                    }
                    next => panic!("{next:?}"),
                }
            }
        }
    }
}

#[test]
fn the_first_move_has_as_many_points_for_either_colour() {
    for (mode, points) in [(0, 51), (2, 22), (4, 10), (6, 63)] {
        assert_eq!(start(mode).open().map(Squares::len), [points; 2], "mode {mode}");
        assert_eq!(Game::moves(&start(mode)).len(), points as usize);
    }
    assert_eq!(
        start(0).notation(),
        "G ........./........./..G.R.R../........./..G...G../........./..R.R.G../........./........."
    );
}

#[test]
fn a_point_sees_the_first_lit_one_of_each_ray() {
    for (green, red, name, sees) in [
        ("", "", "e5", [0, 0]),
        ("a1 e1 i1 a5 i5 a9 e9 i9", "", "e5", [8, 0]),
        ("a1 e1 i1 a5", "i5 a9 e9 i9", "e5", [4, 4]),
        // Nothing is seen behind a lit point.
        ("a1", "b2", "e5", [0, 1]),
        ("b2", "a1", "e5", [1, 0]),
        // A knight's move away is on no ray.
        ("d7", "f7", "e5", [0, 0]),
        // Rays do not wrap around the board.
        ("a8", "i8", "i9", [0, 1]),
        ("a9", "a2", "i1", [1, 0]),
    ] {
        let stones = Stones::new(squares(green), squares(red));
        let seen = Seat::BOTH.map(|seat| sight::seen_from(square(name), &stones, seat));
        assert_eq!(seen, sees, "{green} {red} {name}");
        let apart = i8::try_from(sees[0]).unwrap() - i8::try_from(sees[1]).unwrap();
        for threshold in -1..=2 {
            let [by_green, by_red] = SightBalance::from_stones(&stones).legal(threshold);
            assert_eq!(by_green.contains(square(name)), apart >= threshold);
            assert_eq!(by_red.contains(square(name)), -apart >= threshold);
        }
    }
}

/// In modes 0, 1, 6 and 7 the game cannot be over at the start: the centre sees as many points of
/// both, so both may press it.
#[test]
fn no_game_is_over_before_it_has_begun() {
    let mut chance = Chance::new(1);
    for mode in 0..8 {
        for _ in 0..200 {
            let position = deal(start(mode), &mut chance);
            assert_eq!(Game::next(&position), Next::Move(Seat(0)));
            assert!(!position.legal().is_empty());
            if position.shares_out() {
                assert!(position.open().iter().all(|open| open.contains(square("e5"))));
            }
        }
    }
}

#[test]
fn a_drawn_start_is_six_of_each_opposite_each_other() {
    let mut chance = Chance::new(2);
    for mode in [1, 3, 5, 7] {
        assert_eq!(Game::next(&start(mode)), Next::Deal);
        assert_eq!(
            start(mode).notation(),
            "- ........./........./........./........./........./........./........./........./........."
        );
        let stones = deal(start(mode), &mut chance).stones;
        assert!(stones.are_fair(6) && !stones.lit().contains(square("e5")));
        let mut position = start(mode);
        for wrong in [Stones::eight(), Stones::drawn(7, &mut |limit| chance.below(limit))] {
            PressGame::lay(&mut position, wrong).unwrap_err();
            assert_eq!(position, start(mode));
        }
    }
    // Six of each in two rows, from which no point sees two more of one side.
    let none = blocked();
    assert!(none.are_fair(6));
    PressGame::lay(&mut start(5), none).unwrap_err();
    PressGame::lay(&mut start(1), none).unwrap();
}

/// A fair start from which nobody could move in mode 5.
fn blocked() -> Stones {
    let mut chance = Chance::new(3);
    (0..2_000_000)
        .map(|_| Stones::drawn(6, &mut |limit| chance.below(limit)))
        .find(|stones| {
            SightBalance::from_stones(stones).legal(2).iter().all(|open| open.is_empty())
        })
        .unwrap()
}

#[test]
fn what_only_one_side_may_press_is_not_its_own_for_good() {
    let mut chance = Chance::new(4);
    let mut lost = 0;
    for _ in 0..20 {
        let mut position = start(0);
        while let Next::Move(_) = Game::next(&position) {
            let [green, red] = position.open();
            let moves = Game::moves(&position);
            position.play(&moves[chance.below(moves.len())]);
            let [_, still] = position.open();
            lost += (green.without(red) & still).len();
        }
    }
    assert!(lost > 0);
}

#[test]
fn who_can_press_nothing_passes_while_the_other_can() {
    let mut chance = Chance::new(5);
    let mut passes = 0;
    for _ in 0..40 {
        let mut position = start(4);
        while let Next::Move(turn) = Game::next(&position) {
            let moves = Game::moves(&position);
            if moves == [Press::Pass] {
                passes += 1;
                assert!(!position.open()[turn.other().index()].is_empty());
            }
            position.play(&moves[chance.below(moves.len())]);
        }
        // Points that are dark at the end count for nobody.
        assert_eq!(position.score(), position.stones.count());
    }
    assert!(passes > 0);
}

#[test]
fn the_grid_counts_what_one_side_alone_may_press() {
    // Red sees nothing of its own anywhere, so all dark points are green's: the game is over.
    let alone = with(0, 1, "e5", "");
    let [green, red] = alone.score();
    assert_eq!((green, red), (1 + 32, 0));
    let grid = alone.grid(&View { legal: true, ..View::default() });
    assert_eq!(grid.score, Some(([33, 0], "points".into())));
    assert_eq!(grid.notes, ["Counted as theirs: 32 dark points for Green, 0 for Red"]);
    assert_eq!(grid.legal, alone.legal());
    assert_eq!(grid.light, Some(Seat(1)));
    assert_eq!(with(2, 1, "e5", "").grid(&View::default()).score, Some(([1, 0], "points".into())));
    let over = with(2, 1, "", "");
    assert_eq!(over.grid(&View { legal: true, ..View::default() }).light, None);
}

#[test]
fn refusals_say_why() {
    for (mode, words, why) in [
        (0, "c7", "c7 is lit"),
        (
            0,
            "f7",
            "f7 sees 0 of your points and 2 of Red's, and you need as many as the other side",
        ),
        (
            2,
            "e5",
            "e5 sees 4 of your points and 4 of Red's, and you need one more than the other side",
        ),
        (
            4,
            "e5",
            "e5 sees 4 of your points and 4 of Red's, and you need two more than the other side",
        ),
        (
            6,
            "f7",
            "f7 sees 0 of your points and 2 of Red's, and you need at most one less than the other side",
        ),
        (0, "pass", "you may not pass while you can press a point"),
    ] {
        assert_eq!(start(mode).read(words), Err(MoveError::Illegal(why.into())));
    }
    for (mode, notation, why) in [
        (0, "- -", "the side to move must be G or R"),
        (
            1,
            "- G......../........./........./........./........./........./........./........./.........",
            "the side to move must be G or R",
        ),
        (1, "G G./..", "the board has nine lines"),
    ] {
        assert_eq!(Position::place(&options_of_mode::<Position>(mode), notation).unwrap_err(), why);
    }
}
