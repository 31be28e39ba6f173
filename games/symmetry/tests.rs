//! Tests of targets, presses and the end of Symmetry.

use super::Position;
use super::target::{pattern, points, shown, targets};
use crate::grid::{PressGame, Square, Squares, Stones};
use crate::kit::fixtures::{deal, options_in, options_of_mode, squares};
use crate::kit::{Chance, Game, MoveError, Next, Outcome, Seat, View};

fn start(mode: u8, seed: u64) -> Position {
    deal(<Position as Game>::setup(&options_of_mode::<Position>(mode)), &mut Chance::new(seed))
}

/// Returns right and wrong points to press, in order.
fn right(position: &Position) -> impl Iterator<Item = Square> {
    position.targets().without(position.pressed.lit()).iter()
}

fn wrong(position: &Position) -> impl Iterator<Item = Square> {
    (!shown()).without(position.targets() | position.pressed.lit()).iter()
}

fn play(position: &mut Position, squares: impl IntoIterator<Item = Square>) {
    squares.into_iter().for_each(|square| PressGame::press(position, square));
}

#[test]
fn targets_lie_where_the_mode_says() {
    for (mode, targets_of_a9_and_c6) in
        ["a1 c4", "a4 c1", "i1 g4", "i4 g1"].into_iter().cycle().take(8).enumerate()
    {
        let mode = u8::try_from(mode).unwrap();
        assert_eq!(targets(mode, squares("a9 c6")), squares(targets_of_a9_and_c6), "{mode}");
        let mut chance = Chance::new(u64::from(mode));
        let drawn = pattern(mode, &mut |limit| chance.below(limit));
        assert_eq!(drawn.len(), if mode < 4 { 12 } else { 16 });
        let found = targets(mode, drawn);
        assert_eq!(found.len(), drawn.len());
        // The pattern above the middle line, its partners below.
        assert!((drawn & squares("a5 b5 c5 d5 e5 f5 g5 h5 i5")).is_empty());
        assert_eq!((drawn.without(shown()), found & shown()), (Squares::NONE, Squares::NONE));
    }
}

#[test]
fn right_presses_are_green_and_wrong_ones_red() {
    let mut position = start(0, 1);
    let (good, bad) = (right(&position).next().unwrap(), wrong(&position).next().unwrap());
    play(&mut position, [good, bad]);
    assert_eq!(position.pressed, Stones::new(good.into(), bad.into()));
    let grid = PressGame::grid(&position, &View::default());
    let at = |square: Square| {
        grid.rows[usize::from(square.line())].as_bytes()[usize::from(square.column())]
    };
    assert_eq!((at(good), at(bad)), (b'G', b'R'));
    assert_eq!(
        grid.notes,
        [
            "mirror the pattern at line 5",
            "score 0: 1 right, 1 wrong",
            "11 points are left; 2 wrong presses are forgiven",
        ]
    );
    assert_eq!(grid.last, [bad]);
    assert_eq!(Game::next(&position), Next::Move(Seat(0)), "nobody else ever plays");
}

#[test]
fn who_completes_the_pattern_has_won() {
    for mode in 0..8 {
        let mut position = start(mode, 3);
        let (good, bad): (Vec<_>, Vec<_>) =
            (right(&position).collect(), wrong(&position).collect());
        let forgiven = bad.into_iter().take(points(mode) as usize / 4);
        play(&mut position, forgiven);
        play(&mut position, good[1..].iter().copied());
        assert_eq!(Game::next(&position), Next::Move(Seat(0)));
        play(&mut position, [good[0]]);
        let reason = "by completing the pattern";
        let won = Outcome::Won { by: Seat(0), points: 1, reason };
        assert_eq!(Game::next(&position), Next::Over(won), "{mode}");
        let notes = PressGame::grid(&position, &View::default()).notes;
        let score = ["score 9: 12 right, 3 wrong", "score 12: 16 right, 4 wrong"];
        assert_eq!(notes, [score[usize::from(mode >= 4)]]);
    }
}

#[test]
fn one_wrong_press_more_than_a_quarter_of_the_points_loses() {
    for (mode, forgiven) in [(1, 3), (5, 4)] {
        let mut position = start(mode, 3);
        let bad: Vec<_> = wrong(&position).collect();
        play(&mut position, bad[..forgiven].iter().copied());
        assert_eq!(Game::next(&position), Next::Move(Seat(0)));
        assert!(!PressGame::grid(&position, &View::default()).rows.concat().contains('o'));
        let first = right(&position).next().unwrap();
        play(&mut position, [first, bad[forgiven]]);
        let reason = "after too many wrong presses";
        let lost = Outcome::Won { by: Seat(1), points: 1, reason };
        assert_eq!(Game::next(&position), Next::Over(lost));
        // Now the solution is shown.
        let grid = PressGame::grid(&position, &View::default());
        let missing = points(mode) as usize - 1;
        assert_eq!(grid.rows.concat().matches('o').count(), missing);
        assert_eq!(grid.notes[1], "o is a point that you missed");
        for square in right(&position) {
            let row = &grid.rows[usize::from(square.line())];
            assert_eq!(row.as_bytes()[usize::from(square.column())], b'o');
        }
    }
}

#[test]
fn what_may_not_be_pressed_says_why() {
    let mut position = start(0, 1);
    let (good, bad) = (right(&position).next().unwrap(), wrong(&position).next().unwrap());
    play(&mut position, [good, bad]);
    let above = |name| format!("{name} is not below line 5, where the pattern is to be repeated");
    for (word, reason) in [
        ("a9".to_owned(), above("a9")),
        ("i6".to_owned(), above("i6")),
        ("e5".to_owned(), above("e5")),
        (good.to_string(), format!("{good} has been pressed")),
        (bad.to_string(), format!("{bad} has been pressed")),
        ("pass".to_owned(), "you may not pass while you can press a point".into()),
    ] {
        assert_eq!(position.read(&word), Err(MoveError::Illegal(reason)));
    }
    let legal = |legal| PressGame::grid(&position, &View { legal, ..View::default() }).legal;
    assert_eq!((legal(true).len(), legal(false).len()), (34, 0));
}

#[test]
fn what_cannot_have_been_dealt_is_not_laid() {
    let lay = |green: &str, red: &str| {
        let mut position = <Position as Game>::setup(&options_in::<Position>(""));
        PressGame::lay(&mut position, Stones::new(squares(green), squares(red)))
    };
    let twelve = "a9 b9 c9 d9 e9 f9 g9 h9 i9 a8 b8 c8";
    lay(twelve, "").unwrap();
    for (green, red) in [("a9", ""), (twelve, "a1"), (&twelve.replace("a9", "a5")[..], "")] {
        lay(green, red).unwrap_err();
    }
}

#[test]
fn what_is_no_position_is_refused_with_its_reason() {
    let above = "GGGGGGGGG/GGG....../........./.........";
    for (line, reason) in [
        ("G ../..", "the board has 9 lines"),
        ("R {}/........./........./........./........./.........", "it is always the turn of G"),
        ("G .{}/........./........./........./........./.........", "the pattern has 12 points"),
        (
            "G {}/G......../........./........./........./.........",
            "right presses are green and wrong ones red, below line 5",
        ),
        (
            "G {}/R......../........./........./........./.........",
            "right presses are green and wrong ones red, below line 5",
        ),
        (
            "G {}/........./........./........./........./R........",
            "right presses are green and wrong ones red, below line 5",
        ),
        (
            "G {}/........./G......../........./........./.........",
            "right presses are green and wrong ones red, below line 5",
        ),
    ] {
        let line =
            line.replace(".{}", "........./........./........./.........").replace("{}", above);
        assert_eq!(
            Position::place(&options_in::<Position>(""), &line).unwrap_err(),
            reason,
            "{line}"
        );
    }
}
