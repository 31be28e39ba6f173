//! Tests of Life against known facts, an independent program's boards, and simple loops.

use super::generation::{AgedPoints, Birth, pressed};
use super::{Board, Position, one, two};
use crate::grid::{Press, PressGame, Square, Squares, Stones};
use crate::kit::fixtures::{deal, options_in, squares};
use crate::kit::laws::strength_tests;
use crate::kit::{Chance, Game, Next, Outcome, Seat, View};

/// Points of Life2, green and red, that return after two generations.
const COMES_BACK: (&str, &str) = ("c9 d8", "f2 g1");

/// The second pattern of games that begin with a9 to d9.
const ROUND_TWO: &str = "a8 e8 h7 f6";

fn placed(words: &str, line: &str) -> Position {
    Position::place(&options_in::<Position>(words), line).unwrap()
}

/// Returns the start for a seed.
fn start(words: &str, seed: u64) -> Position {
    deal(<Position as Game>::setup(&options_in::<Position>(words)), &mut Chance::new(seed))
}

/// Returns a position after these presses.
fn after(mut position: Position, presses: &str) -> Position {
    for word in presses.split(',') {
        let press = position.read(word).unwrap();
        position.play(&press);
    }
    position
}

/// Returns a position of Life1 in which these points were just born.
fn quick(side: char, living: &str, totals: [u32; 2]) -> Position {
    let living = squares(living);
    let ages = "1".repeat(living.len() as usize);
    let first = Stones::new(squares("a1 b1 c1"), Squares::NONE);
    let rows = Stones::new(living, Squares::NONE);
    let [green, red] = totals;
    placed("", &format!("{side} {rows} age={ages} total={green},{red} round=4 first={first}"))
}

/// Returns a position of Life2.
fn fight(words: &str, side: char, green: &str, red: &str) -> Position {
    let rows = Stones::new(squares(green), squares(red));
    placed(&format!("mode=1 {words}"), &format!("{side} {rows} generation=0"))
}

fn quick_board(position: &Position) -> &one::Life1Board {
    match &position.board {
        Board::One(one) => one,
        Board::Two(_) => panic!("it is Life2"),
    }
}

fn fight_board(position: &Position) -> &two::Life2Board {
    match &position.board {
        Board::Two(two) => two,
        Board::One(_) => panic!("it is Life1"),
    }
}

// Generations.

/// Returns rows of `.` and digits.
fn aged(rows: &str) -> AgedPoints {
    let mut aged = AgedPoints::default();
    for (line, row) in (0..).zip(rows.split('/')) {
        for (column, age) in (0..).zip(row.chars()) {
            if let Some(age) = age.to_digit(10) {
                aged.0[age as usize - 1].insert(Square::at(line, column).unwrap());
            }
        }
    }
    aged
}

#[test]
fn boards_become_what_numpy_and_scipy_make_of_them() {
    let mut compared = 0;
    for line in include_str!("oracle.txt").lines() {
        let [rule, generations, before, after] =
            line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let generations: usize = generations.parse().unwrap();
        if rule == "1" {
            let grown = std::iter::successors(Some(aged(before)), |board| Some(board.next()));
            assert_eq!(grown.into_iter().nth(generations), Some(aged(after)), "{line}");
        } else {
            let birth = if rule == "2" { Birth::Two } else { Birth::TwoOrMore };
            let before: Stones = before.parse().unwrap();
            let grown = std::iter::successors(Some(before), |board| Some(birth.next(board)));
            assert_eq!(grown.into_iter().nth(generations), after.parse().ok(), "{line}");
        }
        compared += 1;
    }
    assert_eq!(compared, 120);
}

/// Returns the neighbours of a point by testing all points.
fn near(square: Square) -> impl Iterator<Item = Square> {
    let far = |a: u8, b: u8| a.abs_diff(b);
    Square::all().filter(move |other| {
        far(other.line(), square.line()).max(far(other.column(), square.column())) == 1
    })
}

/// Computes the next generation of Life1, point by point.
fn plain_one(ages: &[usize; 81]) -> [usize; 81] {
    let mut next = [0; 81];
    for square in Square::all() {
        let living = near(square).filter(|other| ages[other.index()] > 0).count();
        next[square.index()] = match (ages[square.index()], living) {
            (0, 3) => 1,
            (age @ 1..5, 2 | 3) => age + 1,
            _ => 0,
        };
    }
    next
}

/// Computes the next generation of Life2, point by point, with 1 for green and -1 for red.
fn plain_two(colours: &[i32; 81], birth: Birth) -> [i32; 81] {
    let mut next = [0; 81];
    for square in Square::all() {
        let of = |colour| near(square).filter(|other| colours[other.index()] == colour).count();
        let [green, red] = [of(1), of(-1)].map(|count| i32::try_from(count).unwrap());
        let difference = green - red;
        let is_born = match birth {
            Birth::Two => difference.abs() == 2,
            Birth::TwoOrMore => difference.abs() >= 2,
        };
        next[square.index()] = match colours[square.index()] {
            0 if is_born => difference.signum(),
            1 if matches!(green - 2 * red, 2 | 3) => 1,
            -1 if matches!(red - 2 * green, 2 | 3) => -1,
            _ => 0,
        };
    }
    next
}

#[test]
fn boards_become_what_plain_loops_make_of_them() {
    let mut chance = Chance::new(21);
    for _ in 0..60 {
        let mut draw = || {
            let density = 1 + chance.below(4);
            Square::all().filter(|_| chance.below(6) < density).collect::<Squares>()
        };
        let mut board = AgedPoints::born(draw());
        let mut ages = [0; 81];
        Square::all().for_each(|at| ages[at.index()] = board.age(at).unwrap_or(0));
        for _ in 0..12 {
            (board, ages) = (board.next(), plain_one(&ages));
            for square in Square::all() {
                assert_eq!(board.age(square).unwrap_or(0), ages[square.index()], "{square}");
            }
        }
        let stones = Stones::new(draw(), draw());
        for birth in [Birth::Two, Birth::TwoOrMore] {
            let mut stones = stones;
            let colour =
                |stones: &Stones, at| stones.at(at).map_or(0, |seat| [1, -1][seat.index()]);
            let mut colours = [0; 81];
            Square::all().for_each(|at| colours[at.index()] = colour(&stones, at));
            for _ in 0..12 {
                (stones, colours) = (birth.next(&stones), plain_two(&colours, birth));
                for square in Square::all() {
                    assert_eq!(colour(&stones, square), colours[square.index()], "{square}");
                }
            }
        }
    }
}

#[test]
fn a_block_lives_five_generations_and_a_blinker_ages_out() {
    for (living, counts) in [
        ("d4 d5 e4 e5", vec![4, 4, 4, 4, 0]),
        ("d5 e5 f5", vec![3, 3, 3, 3, 2, 0]),
        // There is no life outside the board, and edges do not wrap around.
        ("a1 a2 b1 b2", vec![4, 4, 4, 4, 0]),
        ("a4 a5 a6", vec![2, 0]),
        ("a1 i1 e9", vec![0]),
    ] {
        let mut board = AgedPoints::born(squares(living));
        for (generation, count) in counts.into_iter().enumerate() {
            board = board.next();
            assert_eq!(board.living().len(), count, "{living} after {}", generation + 1);
        }
    }
}

#[test]
fn a_press_turns_a_point_over_and_makes_it_young() {
    let mut board = AgedPoints::born(squares("d4 d5 e4 e5")).next();
    assert_eq!(board.age("d4".parse().unwrap()), Some(2));
    board.toggle(squares("d4 a1"));
    assert_eq!(board.living(), squares("a1 d5 e4 e5"));
    board.toggle(squares("d4"));
    let ages = ["a1", "d4", "d5"].map(|name| board.age(name.parse().unwrap()));
    assert_eq!(ages, [Some(1), Some(1), Some(2)]);
}

#[test]
fn a_press_of_life2_puts_out_what_is_lit_and_lights_its_own() {
    let stones = Stones::new(squares("a1 a2"), squares("i9 i8"));
    let red = pressed(stones, Seat(1), squares("a1 i9 e5"));
    assert_eq!(red, Stones::new(squares("a2"), squares("i8 e5")));
    assert_eq!(
        pressed(red, Seat(0), squares("e5 b2")),
        Stones::new(squares("a2 b2"), squares("i8"))
    );
}

/// Most starts that are symmetric but for one press are won by a colour, much faster if births need
/// a difference of exactly 2.
#[test]
fn one_press_usually_decides_life2() {
    for (birth, usual) in [(Birth::Two, 20..45), (Birth::TwoOrMore, 55..130)] {
        let mut chance = Chance::new(1);
        let (mut won, mut lengths) = (0, Vec::new());
        for _ in 0..100 {
            let mut stones = Stones::drawn(two::POINTS, &mut |limit| chance.below(limit));
            let point = Squares::ALL.any(&mut |limit| chance.below(limit)).unwrap();
            stones = pressed(stones, Seat(0), point.into());
            let mut generations = 0;
            while !stones.count().contains(&0) && generations < two::LIMIT {
                (stones, generations) = (birth.next(&stones), generations + 1);
            }
            won += usize::from(stones.count().contains(&0) && !stones.lit().is_empty());
            lengths.push(generations);
        }
        lengths.sort_unstable();
        assert!((70..=95).contains(&won), "{birth:?} {won}");
        assert!(usual.contains(&lengths[50]), "{birth:?} {}", lengths[50]);
    }
}

/// Without a press a symmetric start stays symmetric.
#[test]
fn a_fair_start_stays_fair() {
    for birth in [Birth::Two, Birth::TwoOrMore] {
        for seed in 0..20 {
            let mut stones = fight_board(&start("mode=1", seed)).stones;
            for _ in 0..50 {
                stones = birth.next(&stones);
                assert_eq!(stones.turned(), stones);
            }
        }
    }
}

// Life1.

#[test]
fn three_presses_let_a_generation_run_and_pass_does_at_once() {
    let begun = after(quick('G', "d4 d5 e4 e5 i9", [0, 0]), "a1,a1");
    assert_eq!((begun.presses, quick_board(&begun).totals), (2, [0, 0]));
    assert_eq!(Game::next(&begun), Next::Move(Seat(0)));
    for (third, last) in [("b1", "a1 a1 b1"), ("pass", "a1 a1")] {
        let grown = after(begun.clone(), third);
        let board = quick_board(&grown);
        assert_eq!((grown.presses, board.totals), (0, [1, 0]), "{third}");
        assert_eq!(board.board.living(), squares("d4 d5 e4 e5"));
        assert_eq!(board.board.age("d4".parse().unwrap()), Some(2));
        let words: Vec<String> = grown.last.iter().map(Square::to_string).collect();
        assert_eq!(words.join(" "), last);
        assert_eq!(Game::next(&grown), Next::Move(Seat(0)), "the turn goes on");
    }
    let idle = after(quick('G', "d4 d5 e4 e5", [0, 0]), "pass");
    assert_eq!((quick_board(&idle).totals, idle.last.len()), ([1, 0], 0));
}

#[test]
fn a_pattern_put_out_by_hand_takes_the_generation_that_runs() {
    for (living, presses, total) in [
        ("e5 e6", "e5,e6", 1),
        ("d5 e5 f5", "pass,e4,e5,e6", 2),
        // Here the second generation kills what the presses left.
        ("d4 d5 e4 e5", "pass,d4,d5,e4", 2),
    ] {
        let over = after(quick('G', living, [3, 0]), presses);
        let board = quick_board(&over);
        assert_eq!(board.totals, [3 + total, 0], "{presses}");
        assert_eq!((over.turn, over.presses), (Some(Seat(1)), 0));
        assert_eq!(board.board.living(), board.pattern(4));
    }
}

#[test]
fn both_sides_of_a_round_have_the_same_pattern_and_each_round_its_own() {
    let mut position = start("", 5);
    let mut patterns = Vec::new();
    for _ in 0..6 {
        let board = quick_board(&position);
        assert_eq!(board.board, AgedPoints::born(board.pattern(board.round)));
        assert_eq!(board.board.living().len(), one::POINTS);
        patterns.push((board.round, board.board.living()));
        let turn = position.turn;
        while position.turn == turn {
            // Nobody survives three rounds by passing.
            let press = Game::choose(&position, 3, &mut |_| 0).unwrap();
            position.play(&press);
        }
        assert_eq!(quick_board(&position).board.age("a1".parse().unwrap()).unwrap_or(1), 1);
    }
    let rounds: Vec<u32> = patterns.iter().map(|&(round, _)| round).collect();
    assert_eq!(rounds, [1, 1, 2, 2, 3, 3]);
    assert!(patterns.chunks(2).all(|pair| pair[0].1 == pair[1].1));
    assert!(patterns[0].1 != patterns[2].1 && patterns[2].1 != patterns[4].1);
    assert_eq!(start("", 5), start("", 5));
    // A record replays everywhere only if the patterns of later rounds never change.
    let first = squares("a9 b9 c9 d9");
    assert_eq!(one::Life1Board::new(first).pattern(2), squares(ROUND_TWO));
}

#[test]
fn a_turn_goes_on_past_a_total_of_a_hundred_until_nothing_lives() {
    let on = after(quick('G', "d4 d5 e4 e5", [99, 40]), "pass,pass,pass,pass");
    assert_eq!((Game::next(&on), quick_board(&on).totals), (Next::Move(Seat(0)), [103, 40]));
    let over = after(on, "pass");
    assert_eq!((Game::next(&over), quick_board(&over).totals), (Next::Move(Seat(1)), [104, 40]));
    // Both exceed one hundred, and the lower total wins.
    let red = after(quick('R', "d4 d5 e4 e5", [104, 97]), "pass,pass,pass,pass,pass");
    let won = Outcome::Won { by: Seat(1), points: 1, reason: "with fewer generations" };
    assert_eq!((Game::next(&red), quick_board(&red).totals), (Next::Over(won), [104, 102]));
}

#[test]
fn a_turn_that_would_never_end_is_over_at_a_total_of_two_hundred() {
    let last = after(quick('G', "d4 d5 e4 e5", [198, 40]), "pass");
    assert_eq!((Game::next(&last), quick_board(&last).totals), (Next::Move(Seat(0)), [199, 40]));
    let over = after(last, "pass");
    assert_eq!((Game::next(&over), quick_board(&over).totals), (Next::Move(Seat(1)), [200, 40]));
    // Two points are born beside a third again and again, but no total grows for ever.
    let mut chance = Chance::new(3);
    let mut endless = start("", 3);
    let mut moves = 0;
    while let Next::Move(_) = Game::next(&endless) {
        let square = Squares::ALL.any(&mut |limit| chance.below(limit)).unwrap();
        endless.play(&Press::At(square));
        moves += 1;
        assert!(moves < 3 * 400 + 3, "{endless:?}");
    }
}

#[test]
fn games_of_the_first_edition_go_on_by_its_rules() {
    let mut first = <Position as Game>::setup_by(&options_in::<Position>(""), 1);
    let mut chance = Chance::new(3);
    let dealt = PressGame::deal(&first, &mut |limit| chance.below(limit));
    PressGame::lay(&mut first, dealt).unwrap();
    assert_eq!(quick_board(&first).most, 101);
    let line = Game::notation(&first);
    assert!(line.ends_with(" most=101"), "{line}");
    assert_eq!(placed("", &line), first);
    assert!(!Game::notation(&start("", 3)).contains("most"));
    let line = Game::notation(&quick('G', "d4 d5 e4 e5", [99, 40])) + " most=101";
    let last = after(placed("", &line), "pass");
    assert_eq!((last.turn, quick_board(&last).totals), (Some(Seat(0)), [100, 40]));
    let over = after(last, "pass");
    assert_eq!((Game::next(&over), quick_board(&over).totals), (Next::Move(Seat(1)), [101, 40]));
    assert_eq!(
        <Position as Game>::setup_by(&options_in::<Position>(""), 2),
        <Position as Game>::setup(&options_in::<Position>(""))
    );
}

#[test]
fn the_lower_total_wins_after_a_turn_of_red() {
    let won = |by| Outcome::Won { by: Seat(by), points: 1, reason: "with fewer generations" };
    let drawn = Outcome::Drawn { reason: "both needed the same number of generations" };
    for (side, totals, outcome) in [
        ('R', [101, 90], Some(won(1))),
        ('R', [90, 100], Some(won(0))),
        ('R', [101, 100], Some(drawn)),
        ('R', [100, 99], None),
        ('G', [100, 100], None),
    ] {
        let judged = after(quick(side, "a1", totals), "pass");
        let expected = outcome.map_or_else(|| Next::Move(Seat(u8::from(side == 'G'))), Next::Over);
        assert_eq!(Game::next(&judged), expected, "{side} {totals:?}");
        let round = if side == 'R' && outcome.is_none() { 5 } else { 4 };
        assert_eq!(quick_board(&judged).round, round);
    }
}

// Life2.

#[test]
fn eight_generations_follow_two_presses_or_a_pass() {
    let begun = after(start("mode=1", 3), "e5");
    assert_eq!((fight_board(&begun).generation, begun.turn), (0, Some(Seat(0))));
    for (word, last) in [("a1", 2), ("pass", 1)] {
        let grown = after(begun.clone(), word);
        assert_eq!((fight_board(&grown).generation, grown.turn), (8, Some(Seat(1))));
        assert_eq!(grown.last.len(), last);
    }
    let idle = after(start("mode=1", 3), "pass");
    let mut stones = fight_board(&start("mode=1", 3)).stones;
    for _ in 0..8 {
        stones = Birth::Two.next(&stones);
    }
    assert_eq!(fight_board(&idle).stones, stones);
}

#[test]
fn a_colour_without_points_has_lost() {
    let won = |by| {
        let reason = "as the only colour that lives";
        Next::Over(Outcome::Won { by: Seat(by), points: 1, reason })
    };
    let drawn = Next::Over(Outcome::Drawn { reason: "nothing lives any more" });
    for (side, green, red, presses, next, generation) in [
        // By a press, before any generation.
        ('G', "a1 a2", "i9", "i9", won(0), 0),
        ('R', "a1", "i9", "a1", won(1), 0),
        ('G', "a1", "i9", "a1", won(1), 0),
        // By a generation: a lonely point dies, and no more generations run.
        ('G', "c3 c4 d3 d4", "i9", "pass", won(0), 1),
        ('R', "a1", "e5 e6 f5 f6", "pass", won(1), 1),
        ('G', "a1", "i9", "pass", drawn, 1),
    ] {
        let over = after(fight("", side, green, red), presses);
        assert_eq!(Game::next(&over), next, "{green} {red} {presses}");
        assert_eq!(fight_board(&over).generation, generation);
        assert_eq!(PressGame::finish(&over), None);
    }
}

#[test]
fn the_option_at_least_bears_more_points() {
    let [green, red] = ["a1 a2 b1", "i9 i8 h9"];
    let counts = ["", "atleast"].map(|words| {
        let Board::Two(two) = fight(words, 'G', green, red).board else { panic!("it is Life2") };
        two.birth.next(&two.stones).count()
    });
    // b2 has three green neighbours, so it is born only with `-atleast`.
    assert_eq!(counts.map(|[green, _]| green), [3, 4]);
}

#[test]
fn two_idle_turns_on_a_board_that_comes_back_are_a_draw() {
    let drawn =
        Next::Over(Outcome::Drawn { reason: "the board repeats itself and nobody presses" });
    let (green, red) = COMES_BACK;
    let board = fight("", 'G', green, red);
    let once = after(board.clone(), "pass");
    assert_eq!(Game::next(&once), Next::Move(Seat(1)));
    assert_eq!(Game::next(&after(once.clone(), "pass")), drawn);
    // A press between them resets the count, even one that is taken back.
    let pressed = after(once, "a1,a1");
    assert_eq!(Game::next(&after(pressed.clone(), "pass")), Next::Move(Seat(1)));
    assert_eq!(Game::next(&after(pressed, "pass,pass")), drawn);
}

#[test]
fn a_thousand_generations_are_a_draw() {
    let (green, red) = COMES_BACK;
    let rows = Stones::new(squares(green), squares(red));
    let drawn = Outcome::Drawn { reason: "a thousand generations have passed" };
    for (generation, next) in [(984, Next::Move(Seat(1))), (992, Next::Over(drawn))] {
        let late = placed("mode=1", &format!("G {rows} generation={generation}"));
        assert_eq!(Game::next(&after(late, "pass")), next);
    }
}

// Both games.

#[test]
fn a_turn_that_has_begun_can_be_finished() {
    for words in ["mode=0", "mode=1"] {
        let fresh = start(words, 1);
        assert_eq!(PressGame::finish(&fresh), None);
        assert_eq!(PressGame::finish(&after(fresh.clone(), "e5")), Some(Press::Pass));
        let presses = if words == "mode=0" { "e5,e5,a1" } else { "e5,e5" };
        assert_eq!(PressGame::finish(&after(fresh, presses)), None);
    }
}

#[test]
fn the_start_has_as_many_points_as_was_said() {
    for (words, count) in [
        ("", [28, 0]),
        ("points=40", [40, 0]),
        ("mode=1", [18, 18]),
        ("mode=1 points=6", [6, 6]),
        ("mode=1 points=40", [40, 40]),
    ] {
        let position = start(words, 9);
        let stones = match &position.board {
            Board::One(one) => Stones::new(one.board.living(), Squares::NONE),
            Board::Two(two) => two.stones,
        };
        assert_eq!(stones.count(), count, "{words}");
    }
    let turned = fight_board(&start("mode=1", 2)).stones;
    assert_eq!(turned.turned(), turned);
}

#[test]
fn what_cannot_have_been_dealt_is_not_laid() {
    let lay = |words: &str, green: &str, red: &str| {
        let mut position = <Position as Game>::setup(&options_in::<Position>(words));
        PressGame::lay(&mut position, Stones::new(squares(green), squares(red)))
    };
    let six = "a1 b1 c1 d1 e1 f1";
    lay("points=6", six, "").unwrap();
    lay("mode=1 points=6", six, "i9 h9 g9 f9 e9 d9").unwrap();
    for (words, green, red) in [
        ("", six, ""),
        ("points=6", "a1", ""),
        ("points=6", six, "i9"),
        ("mode=1 points=6", six, "a9 b9 c9 d9 e9 f9"),
        ("mode=1 points=6", six, ""),
    ] {
        lay(words, green, red).unwrap_err();
    }
}

#[test]
fn what_is_no_position_is_refused_with_its_reason() {
    let dark = "........./........./........./........./........./........./........./........./";
    for (words, line, reason) in [
        ("", "G GR/..", "the board has 9 lines"),
        ("", "G {}G........", "the first pattern is missing"),
        ("", "G {}R........", "nothing is red in this mode"),
        (
            "",
            "G {}G........ first={}GGG...... total=1,1 round=1",
            "`age` has a digit for each living point",
        ),
        ("", "G {}G........ first={}GGG...... age=6 total=1,1 round=1", "the ages are 1 to 5"),
        ("", "G {}G........ first={}GGG...... age=1 round=1", "the totals are missing"),
        ("", "G {}G........ first={}GGG...... age=1 total=1,1", "the round is missing"),
        (
            "",
            "G {}G........ first={}GGG...... age=1 total=1,x round=1",
            "`total=1,x` has no meaning here",
        ),
        (
            "",
            "G {}G........ first={}GGG...... age=1 total=1,201 round=1",
            "the game was over long ago",
        ),
        (
            "",
            "G {}G........ first={}GGG...... age=1 total=1,2 round=1 most=300",
            "no turn ends at that total",
        ),
        (
            "",
            "G {}G........ first={}GGG...... age=1 total=1,1 round=1 presses=3",
            "there are 3 presses before a generation",
        ),
        ("mode=1", "G {}G.......R", "the generation is missing"),
        ("mode=1", "G {}G.......R generation=1008", "the game was over long ago"),
        (
            "mode=1",
            "G {}G.......R generation=8 quiet=1",
            "`quiet` says for how many turns, `from` since which board",
        ),
        (
            "mode=1",
            "G {}G.......R generation=8 presses=2",
            "there are 2 presses before a generation",
        ),
        ("mode=1", "G {}G.......R generation=8 age=1", "`age=1` has no meaning here"),
    ] {
        let line = line.replace("{}", dark);
        assert_eq!(Position::place(&options_in::<Position>(words), &line).unwrap_err(), reason);
    }
}

#[test]
fn players_see_ages_totals_and_what_is_left_to_press() {
    let position = after(after(quick('G', "d4 d5 e4 e5", [4, 7]), "pass"), "a1");
    let grid = PressGame::grid(&position, &View::default());
    assert_eq!(
        grid.rows[4..],
        ["...22....", "...22....", ".........", ".........", "1........"][..]
            .iter()
            .map(|row| (*row).to_owned())
            .collect::<Vec<_>>()
    );
    assert_eq!(grid.score, Some(([5, 7], "generations".into())));
    assert_eq!(grid.light, Some(Seat(0)));
    assert_eq!(grid.last, ["a1".parse().unwrap()]);
    assert_eq!(
        grid.notes,
        [
            "round 4; a digit is a living point and its age",
            "2 presses left before the next generation",
        ]
    );
    let over = after(quick('R', "a1", [101, 40]), "pass");
    let grid = PressGame::grid(&over, &View::default());
    assert_eq!((grid.light, grid.notes.len()), (None, 1));
    let fight = after(start("mode=1", 1), "e5");
    let notes = PressGame::grid(&fight, &View::default()).notes;
    assert_eq!(notes, ["generation 0 of 1000", "1 press left before the next eight generations"]);
}

// Levels.

#[test]
fn a_level_moves_alike_from_equal_numbers_and_to_the_end() {
    for (words, levels) in [("", [3, 4]), ("mode=1", [4, 1]), ("mode=1 atleast", [2, 3])] {
        let play = || {
            let (mut position, mut chance) = (start(words, 4), Chance::new(8));
            let mut record = Vec::new();
            while let Next::Move(seat) = Game::next(&position) {
                let level = levels[seat.index()];
                let press = Game::choose(&position, level, &mut |limit| chance.below(limit));
                record.push(press.unwrap());
                position.play(record.last().unwrap());
                assert!(record.len() < 2_000);
            }
            (record, position)
        };
        assert_eq!(play(), play(), "{words}");
    }
}

/// In most symmetric starts there are two presses after which nothing red is left eight generations
/// later.
#[test]
fn the_highest_level_finds_a_pair_of_presses_that_wins() {
    let wins = (0..8).filter(|&seed| {
        let (mut played, mut chance) = (start("mode=1", seed), Chance::new(1));
        while Game::next(&played) == Next::Move(Seat(0)) {
            let press = Game::choose(&played, 4, &mut |limit| chance.below(limit)).unwrap();
            played.play(&press);
        }
        matches!(Game::next(&played), Next::Over(Outcome::Won { by: Seat(0), .. }))
    });
    assert_eq!(wins.count(), 8);
}

/// One generation and three presses suffice here, so any other answer is wrong.
#[test]
fn the_highest_level_puts_out_what_three_presses_can() {
    for level in [3, 4] {
        let mut played = quick('G', "a1 a2 i8 i9 e5", [0, 0]);
        let mut chance = Chance::new(1);
        while played.turn == Some(Seat(0)) {
            let press = Game::choose(&played, level, &mut |limit| chance.below(limit)).unwrap();
            played.play(&press);
        }
        assert_eq!(quick_board(&played).totals, [1, 0]);
    }
}

const BOARDS: &[&[&str]] = &[&["mode=0"], &["mode=1"], &["mode=1", "atleast"]];

strength_tests!(Position, 10 games on BOARDS, many on BOARDS);
