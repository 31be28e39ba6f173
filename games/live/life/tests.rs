use super::*;
use crate::kit::Outcome;
use crate::kit::fixtures::squares;
use crate::life::generation::AgedPoints;
use crate::live::tests::at;

fn settings(mode: u8) -> GameSettings {
    GameSettings { mode, seed: 2, time: 0, ..GameSettings::default() }
}

#[test]
fn a_generation_comes_each_period_and_three_presses_fit_before_it() {
    let mut game = RunningGame::new(&settings(0), Life1Game::start);
    assert_eq!(game.rules.one.first.len(), one::POINTS);
    game.rules.one.board = AgedPoints::born(squares("e4 e5 e6 a1"));
    let presses = ["i1", "i9", "a9", "c3"].map(|name| (Seat(0), at(name)));
    game.step(&presses);
    assert_eq!(game.rules.one.board.living(), squares("e4 e5 e6 a1 i1 i9 a9"));
    game.step(&[(Seat(1), at("h1")), (Seat(0), at("a1"))]);
    for tick in 2..70 {
        assert_eq!(game.rules.one.board.living(), squares("e4 e5 e6 a1 i1 i9 a9"), "{tick}");
        assert_eq!((game.scene().score, game.scene().clock), ([0, 0], Some(70 - tick)));
        game.step(&[]);
    }
    assert_eq!(game.rules.one.board.living(), squares("d5 e5 f5"));
    assert_eq!(game.scene().score, [1, 0]);
    // Then a press is allowed again, and the current generation counts.
    game.step(&["d5", "e5", "f5"].map(|name| (Seat(0), at(name))));
    let scene = game.scene();
    assert_eq!((scene.score, scene.turn), ([2, 0], [false; 2]));
    for _ in 0..PAUSE {
        assert_eq!(game.scene().turn, [false; 2]);
        game.step(&[]);
    }
    assert_eq!(game.scene().turn, [false, true]);
    assert_eq!(game.rules.one.board, AgedPoints::born(game.rules.one.first), "red has the same");
}

#[test]
fn the_ages_of_life1_are_told_apart() {
    let mut game = RunningGame::new(&settings(0), Life1Game::start);
    // A block lives for five generations.
    game.rules.one.board = AgedPoints::born(squares("e4 e5 f4 f5"));
    for age in 1..=5 {
        let scene = game.scene();
        assert_eq!(scene.ages["e4".parse::<Square>().unwrap().index()], age);
        assert_eq!(scene.ages.iter().filter(|&&of| of > 0).count(), 4);
        (0..70).for_each(|_| game.step(&[]));
    }
    assert_eq!(game.scene().ages, [0; 81]);
}

#[test]
fn it_begins_with_as_many_points_as_somebody_wants() {
    for points in [6, 40] {
        let with = |mode| GameSettings { points, ..settings(mode) };
        let one = RunningGame::new(&with(0), Life1Game::start);
        assert_eq!(one.rules.one.first.len(), u32::from(points));
        let two = RunningGame::new(&with(1), Life2Game::start);
        assert_eq!(two.rules.two.stones.count(), [u32::from(points); 2]);
    }
}

#[test]
fn more_than_a_hundred_generations_end_it_after_red() {
    for (totals, over) in [
        ([101, 90], Some((Seat(1), "with fewer generations"))),
        ([99, 100], Some((Seat(0), "with fewer generations"))),
        ([98, 99], None),
    ] {
        let mut game = RunningGame::new(&settings(0), Life1Game::start);
        game.rules.one.totals = totals;
        game.rules.turn = Seat(1);
        game.rules.begin_turn(&mut game.common);
        game.rules.one.board = AgedPoints::born(squares("e5"));
        game.step(&[(Seat(1), at("e5"))]);
        let over = over.map(|(by, reason)| Outcome::Won { by, points: 1, reason });
        assert_eq!(game.over(), over, "{totals:?}");
    }
}

#[test]
fn two_presses_and_eight_generations_are_a_turn_of_life2() {
    for (presses, count) in [(&["a1", "i9"][..], 2), (&["a1", "pass"], 1), (&["pass"], 0)] {
        let mut game = RunningGame::new(&settings(1), Life2Game::start);
        let start = game.rules.two.stones;
        assert_eq!((start.count(), start.turned()), ([two::POINTS; 2], start));
        let press = |&name: &&str| (Seat(0), if name == "pass" { Press::Pass } else { at(name) });
        for press in presses.iter().map(press) {
            assert_eq!(game.scene().turn, [true, false]);
            game.step(&[press]);
        }
        let pressed: Squares = presses.iter().filter_map(|name| name.parse().ok()).collect();
        assert_eq!(pressed.len(), count);
        let mut expected = super::pressed(start, Seat(0), pressed);
        for _ in 0..two::GENERATIONS {
            assert_eq!(game.rules.two.stones, expected);
            expected = Birth::Two.next(&expected);
            for _ in 0..70 {
                assert_eq!(game.scene().turn, [false; 2], "{presses:?}");
                game.step(&[(Seat(0), at("e5")), (Seat(1), at("e5"))]);
            }
        }
        assert_eq!(game.rules.two.stones, expected);
        assert_eq!((game.over(), game.scene().turn), (None, [false, true]), "{presses:?}");
    }
}

#[test]
fn a_colour_that_is_gone_has_lost_at_once() {
    for (start, press, expected) in [
        ("e5", "e5", Some(Outcome::Drawn { reason: "nothing lives any more" })),
        ("a1 c1 a3", "a1", None),
    ] {
        let mut game = RunningGame::new(&settings(1), Life2Game::start);
        let [green, red] = if start == "e5" { ["", "e5"] } else { [start, "i9"] };
        game.rules.two.stones = Stones::new(squares(green), squares(red));
        game.step(&[(Seat(0), at(press))]);
        assert_eq!(game.over(), expected, "{start}");
    }
    let mut game = RunningGame::new(&settings(1), Life2Game::start);
    game.rules.two.stones = Stones::new(squares("a1 a2 b1 b2"), squares("i9"));
    game.step(&[(Seat(0), Press::Pass)]);
    for _ in 0..70 {
        assert_eq!(game.over(), None);
        game.step(&[]);
    }
    let reason = "as the only colour that lives";
    assert_eq!(game.over(), Some(Outcome::Won { by: Seat(0), points: 1, reason }));
}

#[test]
fn nobody_pressing_comes_to_an_end() {
    let mut game = RunningGame::new(&settings(1), Life2Game::start);
    let block = squares("a1 a2 b1 b2");
    game.rules.two.stones = Stones::new(block, block.turned());
    let reason = "the board repeats itself and nobody presses";
    let mut ticks = 0;
    while game.over().is_none() {
        game.step(&[]);
        ticks += 1;
    }
    assert_eq!(game.over(), Some(Outcome::Drawn { reason }));
    // Two turns at least, each of five seconds and eight generations.
    assert_eq!((ticks % (500 + 8 * 70), ticks > 1_060), (0, true));
}
