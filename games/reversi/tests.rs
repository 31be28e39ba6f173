//! Tests of the rules, published counts, and a second, simpler implementation.

use super::*;
use crate::grid::search::Searchable;
use crate::kit::fixtures::{board, check_counts, options_in, squares};
use crate::kit::{Chance, Game, MoveError, count_from};

/// The eight directions, as lines down and columns to the right.
const DIRECTIONS: [(i8, i8); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn placed(words: &str, notation: &str) -> Position {
    Game::place(&options_in::<Position>(words), notation).unwrap()
}

/// Visits positions of random games with every set of options.
fn everywhere(games: u64, mut at: impl FnMut(&Position)) {
    for size in ["", "-size=8", "-fair"] {
        for mode in 0..6 {
            for seed in 0..games {
                let mut chance = Chance::new(seed);
                let mut position: Position =
                    Game::setup(&options_in::<Position>(&format!("-mode={mode} {size}")));
                at(&position);
                while let Next::Move(_) = PressGame::next(&position) {
                    let moves = position.moves();
                    position.play(&moves[chance.below(moves.len())]);
                    at(&position);
                }
            }
        }
    }
}

/// Returns the captured stones, point by point along each ray.
fn caught_plainly(position: &Position, square: Square, seat: Seat) -> Squares {
    let board = Squares::corner(position.size);
    let mut caught = Squares::NONE;
    for (down, right) in DIRECTIONS {
        let mut run = Squares::NONE;
        let mut next = square.moved(down, right);
        while let Some(at) = next.filter(|&at| position.stones[seat.other()].contains(at)) {
            run.insert(at);
            next = at.moved(down, right);
        }
        let ends = match next.filter(|&at| board.contains(at)) {
            Some(end) => position.stones[seat].contains(end),
            None => position.mode % 2 == 1,
        };
        if ends {
            caught = caught | run;
        }
    }
    caught
}

fn legal_plainly(position: &Position, seat: Seat) -> Squares {
    let may = |&square: &Square| {
        let lit = |square: Square| position.stones.at(square).is_some();
        let near = |&(down, right): &(i8, i8)| square.moved(down, right).is_some_and(lit);
        !lit(square)
            && match position.mode {
                0 | 1 => !caught_plainly(position, square, seat).is_empty(),
                2 | 3 => DIRECTIONS.iter().any(near),
                _ => true,
            }
    };
    Squares::corner(position.size).iter().filter(may).collect()
}

/// Counts move sequences by the simple rules.
fn ways_plainly(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let legal = legal_plainly(position, position.turn);
    let mut passed = position.clone();
    passed.turn = position.turn.other();
    if legal.is_empty() {
        let stuck = legal_plainly(position, passed.turn).is_empty();
        return if stuck { 0 } else { ways_plainly(&passed, depth - 1) };
    }
    let after = |square: Square| {
        let mut after = passed.clone();
        let caught = caught_plainly(position, square, position.turn);
        after.stones.give(caught | square.into(), position.turn);
        ways_plainly(&after, depth - 1)
    };
    legal.iter().map(after).sum()
}

#[test]
fn whole_boards_catch_what_rays_catch() {
    let (mut passes, mut rims) = (0, 0);
    everywhere(8, |position| {
        for seat in Seat::BOTH {
            assert_eq!(position.legal_for(seat), legal_plainly(position, seat), "{position:?}");
        }
        for square in Squares::corner(position.size).without(position.stones.lit()).iter() {
            let caught = caught_plainly(position, square, position.turn);
            assert_eq!(position.caught(square), caught, "{square} {position:?}");
            rims += u32::from(position.mode == 1 && !caught.is_empty());
        }
        passes += u32::from(position.moves() == [Press::Pass]);
    });
    assert!(passes > 5 && rims > 1_000, "{passes} {rims}");
}

#[test]
fn runs_of_any_length_are_caught() {
    // A run of every length along the bottom line and the long diagonal, held by a green stone or
    // by the edge.
    for size in [8, 9] {
        for (down, right) in [(0, 1), (-1, 1), (-1, 0)] {
            for length in 1..size {
                for mode in [0, 1] {
                    let mut position: Position = Game::setup(&options_in::<Position>("-mode=1"));
                    (position.size, position.mode) = (size, mode);
                    position.stones = Stones::default();
                    let start: Square = "a1".parse().unwrap();
                    let mut at = start;
                    for _ in 0..length {
                        at = at.moved(down, right).unwrap();
                        position.stones[Seat(1)].insert(at);
                    }
                    let end = at.moved(down, right);
                    let end = end.filter(|&end| Squares::corner(size).contains(end));
                    position.stones[Seat(0)] = end.into_iter().collect();
                    let caught = position.caught(start);
                    assert_eq!(caught, caught_plainly(&position, start, Seat(0)));
                    let whole = end.is_some() || mode == 1;
                    let expected = if whole { position.stones[Seat(1)] } else { Squares::NONE };
                    assert_eq!(caught, expected, "{size} {mode} {length} {down} {right}");
                    assert_eq!(position.legal_for(Seat(0)).contains(start), whole);
                }
            }
        }
    }
}

#[test]
fn moves_branch_as_published() {
    check_counts::<Position>(include_str!("perft.txt"), 15);
}

#[test]
fn moves_branch_as_the_naive_enumerators_say() {
    for mode in 0..6 {
        for size in ["", "-size=8", "-fair"] {
            let options = options_in::<Position>(&format!("-mode={mode} {size}"));
            let start: Position = Game::setup(&options);
            let deepest = if mode < 4 { 4 } else { 2 };
            for depth in 0..=deepest {
                let counted = <Position as Game>::perft(&options, depth);
                assert_eq!(counted, ways_plainly(&start, depth), "{options:?} {depth}");
                assert_eq!(counted, count_from(&start, depth), "{options:?} {depth}");
            }
        }
    }
    // The last moves of games: passes, ends, and ends before the depth is reached.
    let mut ends = 0;
    everywhere(2, |position| {
        let dark = Squares::corner(position.size).without(position.stones.lit()).len();
        if dark > 5 {
            return;
        }
        let (own, enemy) = position.sides(position.turn);
        for depth in 1..=6 {
            let counted = position.field().ways(own, enemy, depth);
            assert_eq!(counted, ways_plainly(position, depth), "{position:?} {depth}");
            assert_eq!(counted, count_from(position, depth), "{position:?} {depth}");
            ends += u32::from(counted == 0);
        }
    });
    assert!(ends > 50, "{ends}");
}

#[test]
fn starts_are_as_agreed() {
    for (words, notation) in [
        (
            "",
            "G ........./........./........./...RG..../...GR..../........./........./........./.........",
        ),
        (
            "-fair",
            "G ........./........./........./...RG..../........./....RG.../........./........./.........",
        ),
        ("-size=8", "G ......../......../......../...RG.../...GR.../......../......../........"),
    ] {
        let start: Position = Game::setup(&options_in::<Position>(words));
        assert_eq!(start.notation(), notation);
        assert_eq!(PressGame::next(&start), Next::Move(Seat(0)), "green begins");
        for mode in 0..6 {
            let start: Position =
                Game::setup(&options_in::<Position>(&format!("{words} -mode={mode}")));
            let [green, red] = Seat::BOTH.map(|seat| start.legal_for(seat).len());
            assert!(green == red && green > 0);
        }
    }
    // Only the fair start becomes itself with exchanged colours by a half turn.
    let turned = |words: &str| {
        let start: Position = Game::setup(&options_in::<Position>(words));
        start.stones.turned() == start.stones
    };
    assert_eq!([turned(""), turned("-fair")], [false, true]);
    let spec = <Position as Game>::SPEC;
    Choices::parse(spec.options, spec.exclusive, ["-fair", "-size=8"]).unwrap_err();
    Choices::parse(spec.options, spec.exclusive, ["-mode=6"]).unwrap_err();
    Choices::parse(spec.options, spec.exclusive, ["-size=7"]).unwrap_err();
}

#[test]
fn a_press_catches_by_the_rules_of_its_mode() {
    // The board, its mode, green's press, and the captured points.
    for (upper, mode, press, caught) in [
        // Held by a green stone; a dark point or the edge holds nothing.
        (".RRG.....", 0, "a9", Some("b9 c9")),
        (".RR.G....", 0, "a9", None),
        (".RRRRRRRR", 0, "a9", None),
        // The edge holds by itself.
        (".RRRRRRRR", 1, "a9", Some("b9 c9 d9 e9 f9 g9 h9 i9")),
        ("RR.......", 1, "c9", Some("a9 b9")),
        ("R......../.R......./..R......", 1, "d6", Some("a9 b8 c7")),
        (".RR.G....", 1, "a9", None),
        // Several rays at once; a run ends at an own stone.
        ("..G....../..R....../GR.RG..../..R....../..G......", 0, "c7", Some("c8 b7 d7 c6")),
        (".RGRG....", 0, "a9", Some("b9")),
        // Next to a lit point a press need not capture.
        (".RR.G....", 2, "a9", Some("")),
        (".RR.G....", 2, "a7", None),
        (".RRG.....", 2, "a9", Some("b9 c9")),
        ("........./.G.......", 2, "a9", Some("")),
        ("........./.R.......", 2, "a9", Some("")),
        (".RRRRRRRR", 2, "a9", Some("")),
        (".RRRRRRRR", 3, "a9", Some("b9 c9 d9 e9 f9 g9 h9 i9")),
        (".RR.G....", 3, "a7", None),
        // Anywhere.
        (".RR.G....", 4, "a7", Some("")),
        (".RRRRRRRR", 4, "a9", Some("")),
        (".RRG.....", 4, "a9", Some("b9 c9")),
        (".RRRRRRRR", 5, "a9", Some("b9 c9 d9 e9 f9 g9 h9 i9")),
        ("R......../........./........./........./....G....", 5, "i1", Some("")),
    ] {
        let mut position = placed(&format!("-mode={mode}"), &format!("G {}", board(upper)));
        let before = position.clone();
        match caught {
            Some(caught) => {
                let m = position.read(press).unwrap();
                position.play(&m);
                let gained = position.stones[Seat(0)].without(before.stones[Seat(0)]);
                assert_eq!(gained, squares(caught) | squares(press), "{upper} {mode} {press}");
                assert_eq!(position.stones.lit(), before.stones.lit() | squares(press));
                assert_eq!((position.turn, position.last), (Seat(1), press.parse().ok()));
            }
            None => {
                position.read(press).unwrap_err();
            }
        }
    }
}

#[test]
fn a_refused_press_is_told_its_reason() {
    for (words, upper, press, reason) in [
        ("", "G .RRG.....", "b9", "b9 is lit"),
        ("", "G .RRG.....", "e9", "e9 lies next to no red point, so it catches nothing"),
        ("", "R .RRG.....", "a9", "a9 lies next to no green point, so it catches nothing"),
        ("", "G .RR...G.R", "a9", "no line of red points next to a9 ends at a green one"),
        ("", "R .RR...GR.", "f9", ""),
        ("", "R .RR..RGR.", "i9", "i9 lies next to no green point, so it catches nothing"),
        (
            "-mode=1",
            "G .RR..R.G.",
            "a9",
            "no line of red points next to a9 ends at a green one or at the edge",
        ),
        ("-mode=2", "G .RRG.....", "a7", "a7 lies next to no lit point"),
        ("-mode=5", "G .RRG.....", "c9", "c9 is lit"),
        ("", "G .RRG.....", "pass", "you may not pass while you can press a point"),
        ("", "G .RRG.....", "j9", "there is no point j9: the columns are a to i, the lines 1 to 9"),
    ] {
        let position = placed(words, &board(upper));
        let said = position.read(press).map_err(|error| error.to_string());
        assert_eq!(said.err().unwrap_or_default(), reason, "{upper} {press}");
    }
    let small: Position = Game::setup(&options_in::<Position>("-size=8"));
    for press in ["i5", "a9"] {
        assert_eq!(
            small.read(press),
            Err(MoveError::Illegal(format!("{press} is not on the board of 8 by 8")))
        );
    }
    assert!(matches!(small.read("e"), Err(MoveError::Unreadable { at: 0, .. })));
}

#[test]
fn a_game_ends_when_nobody_can_press() {
    // Red to move can capture nothing, green can: red passes.
    let mut position = placed("", &format!("R {}", board("GR.......")));
    assert_eq!(position.moves(), [Press::Pass]);
    position.play(&Press::Pass);
    assert_eq!((position.turn, position.last), (Seat(0), None));
    assert_eq!(position.moves(), [Press::At("c9".parse().unwrap())]);
    let won = |by, position: &Position| {
        assert_eq!(
            PressGame::next(position),
            Next::Over(Outcome::Won { by: Seat(by), points: 1, reason: "with more points" })
        );
    };
    position.play(&Press::At("c9".parse().unwrap()));
    won(0, &position);
    won(1, &placed("", &format!("G {}", board("RRR......"))));
    assert_eq!(
        PressGame::next(&placed("", &format!("R {}", board("R.......G")))),
        Next::Over(Outcome::Drawn { reason: "both have the same number of points" })
    );
    // The same stones are not the end in modes with more legal presses.
    for mode in [2, 3, 4, 5] {
        let position = placed(&format!("-mode={mode}"), &format!("R {}", board("R.......G")));
        assert_eq!(PressGame::next(&position), Next::Move(Seat(1)));
    }
}

#[test]
fn random_games_on_nine_lines_fill_the_board_where_all_may_be_pressed() {
    everywhere(5, |position| {
        let over = matches!(PressGame::next(position), Next::Over(_));
        let full = position.stones.lit() == Squares::corner(position.size);
        assert!(over || !full);
        if position.mode > 1 {
            assert_eq!(over, full);
        }
    });
}

#[test]
fn the_rim_is_where_the_board_ends() {
    for (size, corners) in [(9, "a1 i1 a9 i9"), (8, "a1 h1 a8 h8")] {
        let field = BoardRules::for_mode(size, 0);
        assert_eq!(Squares::of_bits(field.corners()), squares(corners));
        let board = Squares::corner(size);
        let inner = |square: &Square| {
            DIRECTIONS.iter().all(|&(down, right)| {
                square.moved(down, right).is_some_and(|next| board.contains(next))
            })
        };
        let edges: Squares = board.iter().filter(|square| !inner(square)).collect();
        assert_eq!(Squares::of_bits(field.edges()), edges);
    }
}

#[test]
fn what_is_good_for_one_is_bad_for_the_other() {
    everywhere(2, |position| {
        let [green, red] = Seat::BOTH.map(|seat| (position.value(seat), position.margin(seat)));
        assert_eq!(green, (-red.0, -red.1), "{position:?}");
        assert!(green.0.abs() < 1 << 20 && green.1.abs() < 1 << 12);
        let [points, enemy] = position.stones.count();
        assert_eq!(green.1, points.cast_signed() - enemy.cast_signed());
    });
    // A stable corner is worth more than an inner point; a corner that can be captured is not.
    let worth = |mode: u8, upper: &str| {
        placed(&format!("-mode={mode}"), &format!("R {}", board(upper))).value(Seat(0))
    };
    for mode in [0, 2, 4] {
        assert!(worth(mode, "G......../.R.R.....") > worth(mode, "........./.RGR.....") + 30);
    }
    for mode in [1, 3, 5] {
        assert!(worth(mode, "G......../.R.R.....") < worth(mode, "........./.RGR.....") + 30);
    }
}

/// Returns green's lead at the end under perfect play.
fn best_margin(position: &Position) -> i32 {
    if let Next::Over(_) = PressGame::next(position) {
        return position.margin(Seat(0));
    }
    let after = |m: &Press| {
        let mut after = position.clone();
        after.play(m);
        best_margin(&after)
    };
    let moves = position.moves();
    let margins = moves.iter().map(after);
    if position.turn == Seat(0) { margins.max().unwrap() } else { margins.min().unwrap() }
}

#[test]
fn level_four_plays_the_last_moves_without_an_error() {
    let (mut solved, mut chance) = (0, Chance::new(1));
    everywhere(2, |position| {
        let dark = Squares::corner(position.size).without(position.stones.lit()).len();
        if dark != 5 || !matches!(PressGame::next(position), Next::Move(_)) {
            return;
        }
        let best = best_margin(position);
        let m = PressGame::choose(position, 4, &mut |limit| chance.below(limit)).unwrap();
        let mut after = position.clone();
        after.play(&m);
        assert_eq!(best_margin(&after).signum(), best.signum(), "{m} in {position:?}");
        if best != 0 {
            assert_eq!(best_margin(&after), best, "{m} in {position:?}");
        }
        solved += 1;
    });
    assert!(solved > 20, "{solved}");
}
