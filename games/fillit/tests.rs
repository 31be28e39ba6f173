//! Tests with presses as rows, a second, slower implementation of the rules, and random games.

use super::*;
use crate::grid::Press;
use crate::kit::fixtures::{after, deal, options_of_mode, square, squares};
use crate::kit::{Chance, Game};

fn start(mode: u8) -> Position {
    <Position as PressGame>::setup(&options_of_mode::<Position>(mode))
}

/// Returns a position with these points and this side to move.
fn with(mode: u8, turn: u8, green: &str, red: &str) -> Position {
    let stones = Stones::new(squares(green), squares(red));
    Position {
        stones,
        turn: Some(Seat(turn)),
        ..Position::empty(&options_of_mode::<Position>(mode))
    }
}

/// Returns the board after a press, point by point.
fn slowly(position: &Position, square: Square) -> Stones {
    let own = position.turn.unwrap();
    let mut after = position.stones;
    for other in Square::all() {
        let lines = square.line().abs_diff(other.line());
        let columns = square.column().abs_diff(other.column());
        let (far, near) = (lines.max(columns), lines.min(columns));
        let was = position.stones.at(other);
        let will = match position.mode {
            0 | 1 if far == 0 => Some(own),
            0 | 1 if far == 2 && near != 1 => Some(own),
            0 | 1 if far == 1 && was == Some(own) && position.idle == 0 => Some(own.other()),
            2 | 3 if (far, near) == (2, 1) && was == Some(own.other()) => None,
            4 if (far, near) == (2, 1) && was == Some(own.other()) => Some(own),
            2 | 4 if (far, near) == (3, 2) && was == Some(own) => None,
            3 if (far, near) == (3, 2) && was == Some(own) => Some(own.other()),
            _ => was,
        };
        after.take(other.into());
        if let Some(seat) = will {
            after.give(other.into(), seat);
        }
    }
    after
}

/// Returns whether a press is legal, by its effect.
fn is_legal(position: &Position, square: Square) -> bool {
    let after = slowly(position, square);
    match position.mode {
        0 | 1 => position.stones.at(square).is_none(),
        2 => true,
        _ => !position.stones.lit().without(after.lit()).is_empty(),
    }
}

/// Plays random moves without optional passes and returns their number.
fn play_out(position: &mut Position, chance: &mut Chance, mut each: impl FnMut(&Position)) -> u32 {
    let mut made = 0;
    while let Next::Move(_) = Game::next(position) {
        each(position);
        let legal: Vec<Square> = position.legal().iter().collect();
        let press = match legal.len() {
            0 => Press::Pass,
            many => Press::At(legal[chance.below(many)]),
        };
        position.play(&press);
        made += 1;
    }
    made
}

#[test]
fn random_games_follow_the_slow_reading() {
    for mode in 0..=4 {
        for seed in 0..6 {
            let mut chance = Chance::new(seed);
            let mut other = Chance::new(seed + 100);
            let mut position = deal(start(mode), &mut chance);
            play_out(&mut position, &mut chance, |position| {
                // In FillIt sometimes after a pass.
                let mut position = position.clone();
                if mode < 2 && other.below(4) == 0 {
                    position.pass();
                }
                for square in Square::all() {
                    let legal = position.legal().contains(square);
                    assert_eq!(
                        legal,
                        is_legal(&position, square),
                        "{square} {}",
                        position.notation()
                    );
                    if legal {
                        let after = after(&position, &square.to_string());
                        assert_eq!(
                            after.stones,
                            slowly(&position, square),
                            "{}",
                            position.notation()
                        );
                        assert_eq!(after.turn, position.turn.map(Seat::other));
                        let has_changed = after.stones != position.stones;
                        assert_eq!(after.idle, if has_changed { 0 } else { position.idle + 1 });
                    }
                }
            });
        }
    }
}

#[test]
fn presses_change_what_the_mode_says() {
    // Green presses e5. Knight's moves: d7 f7 g6 g4 f3 d3 c4 c6; long ones: c8 g8 b7 h7 b3 h3 c2 g2.
    for (mode, green, red, green_after, red_after) in [
        // Two away becomes green, dark or red.
        (1, "", "", "e5 c7 e7 g7 c5 g5 c3 e3 g3", ""),
        (1, "", "c7 d7 e6 i9", "e5 c7 e7 g7 c5 g5 c3 e3 g3", "d7 e6 i9"),
        // Adjacent green points become red, judged by the board before the press.
        (1, "d6 f4 c4", "f5", "e5 c7 e7 g7 c5 g5 c3 e3 g3 c4", "d6 f4 f5"),
        // ClearIt puts out red at a knight's move, green at a long one, and nothing else.
        (2, "d7 c8 e5", "f7 g8 c6", "d7 e5", "g8"),
        (2, "a1", "i9", "a1", "i9"),
        (3, "d7 c8 e5", "f7 g8 c6", "d7 e5", "g8 c8"),
        (4, "d7 c8 e5", "f7 g8 c6", "d7 e5 f7 c6", "g8"),
    ] {
        let pressed = after(&with(mode, 0, green, red), "e5");
        assert_eq!(
            pressed.stones,
            Stones::new(squares(green_after), squares(red_after)),
            "{mode} {green}"
        );
        // Red's press does the same with exchanged colours.
        let pressed = after(&with(mode, 1, red, green), "e5");
        assert_eq!(
            pressed.stones,
            Stones::new(squares(red_after), squares(green_after)),
            "{mode} {green}"
        );
    }
}

#[test]
fn a_missed_turn_spares_the_next_press_and_no_other() {
    let position = with(0, 1, "d6 a1", "");
    let missed = after(&position, "pass");
    assert_eq!(missed.notation().split_once(' ').unwrap().1, format!("{} idle=1", position.stones));
    assert!(missed.grid(&View::default()).notes[0].starts_with("Red has passed: "));
    let spared = after(&missed, "e5");
    assert_eq!(spared.stones.at(square("d6")), Some(Seat(0)));
    // Points two away from the press are lit as usual, and green's next press loses points again.
    assert_eq!(spared.stones.count(), [11, 0]);
    let again = after(&spared, "i1 a2");
    assert_eq!(again.stones.at(square("a1")), Some(Seat(1)));
    let played = after(&with(0, 0, "d6 a1", ""), "e5");
    assert_eq!(played.stones.at(square("d6")), Some(Seat(1)));
    // A pass in return spares red as well.
    let both = after(&with(0, 1, "", "d6"), "pass pass");
    assert_eq!(after(&both, "e5").stones.at(square("d6")), Some(Seat(1)));
}

#[test]
fn the_starts_are_as_the_modes_say() {
    let rows =
        "........./........./..G.R.R../........./..G...G../........./..R.R.G../........./.........";
    assert_eq!(start(0).notation(), format!("G {rows}"));
    assert_eq!(start(1).stones, Stones::default());
    let mut chance = Chance::new(5);
    for mode in 2..=4 {
        assert_eq!(Game::next(&start(mode)), Next::Deal);
        assert!(Game::moves(&start(mode)).is_empty());
        let position = deal(start(mode), &mut chance);
        assert_eq!(position.stones.count(), [20, 20]);
        assert_eq!(position.stones.turned(), position.stones);
        assert_eq!(position.stones.at(square("e5")), None);
        assert_eq!(Game::next(&position), Next::Move(Seat(0)));
    }
}

#[test]
fn stones_that_cannot_have_been_dealt_are_refused() {
    let mut chance = Chance::new(6);
    let fair = Stones::drawn(20, &mut |limit| chance.below(limit));
    let few = Stones::drawn(19, &mut |limit| chance.below(limit));
    let mut skew = fair;
    let green = fair[Seat(0)].iter().next().unwrap();
    skew.take(green.into());
    skew.give((!fair.lit()).without(square("e5").into()).iter().next().unwrap().into(), Seat(0));
    let same =
        Stones::new(fair[Seat(0)], fair[Seat(1)].without(green.into()) | square("e5").into());
    for (mode, stones, is_fair) in
        [(2, fair, true), (3, few, false), (4, skew, false), (2, same, false)]
    {
        let mut position = start(mode);
        assert_eq!(PressGame::lay(&mut position, stones).is_ok(), is_fair, "{stones}");
        assert_eq!(position == start(mode), !is_fair);
    }
}

#[test]
fn games_end_as_the_rules_say() {
    let won = |by, reason| Some(Outcome::Won { by, points: 1, reason });
    let drawn = |reason| Some(Outcome::Drawn { reason });
    let idle = "20 moves in a row have changed nothing and both have the same number of points";
    for (mode, turn, green, red, idle_moves, outcome) in [
        // Only red's move shows which side has lost all points.
        (2, 0, "a1", "", 0, won(Seat(0), "by putting out all red points")),
        (2, 0, "", "a1", 0, won(Seat(1), "by putting out all green points")),
        (4, 0, "", "", 0, drawn("both have lost all points")),
        (2, 1, "a1", "", 0, None),
        (2, 1, "", "a1", 0, None),
        (2, 1, "a1 b1", "i9", 20, won(Seat(0), "with more points")),
        (2, 0, "a1", "i9", 20, drawn(idle)),
        (2, 0, "a1", "i9", 19, None),
        (0, 0, "a1", "i9 i8", 20, won(Seat(1), "with more points")),
        // Nobody can put out a point: red has none and cannot hit, green may not.
        (3, 1, "a1", "", 0, None),
        (4, 1, "a1", "", 0, None),
        (3, 1, "", "", 0, drawn("both have the same number of points")),
        (1, 0, "a1", "", 0, None),
    ] {
        let position = Position { idle: idle_moves, ..with(mode, turn, green, red) };
        assert_eq!(position.outcome(Seat(turn)), outcome, "{}", position.notation());
    }
    // A full board.
    let others: Vec<String> = (!squares("a1")).iter().map(|square| square.to_string()).collect();
    let full = with(0, 1, "a1", &others.join(" "));
    assert_eq!(Game::next(&full), Next::Over(won(Seat(1), "with more points").unwrap()));
}

#[test]
fn twenty_moves_without_a_change_end_the_game() {
    let mut position = with(2, 0, "a1 a2", "i9");
    for made in 0..20 {
        assert_eq!(Game::next(&position), Next::Move(Seat(made % 2)));
        position = after(&position, "a5");
    }
    let won = |by| Next::Over(Outcome::Won { by, points: 1, reason: "with more points" });
    assert_eq!(Game::next(&position), won(Seat(0)));
    // A move with an effect resets the count; in FillIt passes count.
    assert_eq!(after(&Position { idle: 19, ..with(2, 0, "a1", "i9") }, "g8").idle, 0);
    let mut passing = start(0);
    for _ in 0..20 {
        passing = after(&passing, "pass");
    }
    let even = "20 moves in a row have changed nothing and both have the same number of points";
    assert_eq!(Game::next(&passing), Next::Over(Outcome::Drawn { reason: even }));
    assert_eq!(
        after(&with(2, 0, "a1", "i9"), "a5 a5").grid(&View::default()).notes,
        ["2 moves in a row have changed nothing; 20 end the game"]
    );
}

#[test]
fn who_can_put_out_nothing_passes() {
    // Red has lost all points: in mode 4 it has none of its own to put out.
    let lost = with(4, 1, "a1 c4", "");
    assert_eq!(Game::moves(&lost), [Press::Pass]);
    assert_eq!(after(&lost, "pass").outcome(Seat(0)).map(|_| ()), Some(()));
    // In mode 3 it can still hit green's.
    let hits = with(3, 1, "a1", "");
    assert_eq!(Game::moves(&hits).len(), 2);
    assert_eq!(
        Game::next(&after(&hits, "b3")),
        Next::Over(Outcome::Drawn { reason: "both have lost all points" })
    );
    assert!(Game::moves(&with(2, 0, "a1", "i9")).len() == 81);
}

#[test]
fn refusals_say_why() {
    for (position, words, why) in [
        (start(0), "c7", "c7 is lit"),
        (with(3, 0, "a1", "i9"), "e5", "a press on e5 puts out no enemy point"),
        (with(4, 0, "a1", "i9"), "e5", "a press on e5 puts out no point of yours"),
        (with(2, 0, "a1", "i9"), "pass", "you may not pass while you can press a point"),
    ] {
        assert_eq!(position.read(words), Err(MoveError::Illegal(why.into())));
    }
    for (mode, notation, why) in [
        (0, "- -", "the side to move must be G or R"),
        (
            2,
            "- G......../........./........./........./........./........./........./........./.........",
            "the side to move must be G or R",
        ),
        (2, "G G./..", "the board has nine lines"),
        (2, "G - idle=21", "the game ends after 20 moves that change nothing"),
    ] {
        assert_eq!(Position::place(&options_of_mode::<Position>(mode), notation).unwrap_err(), why);
    }
}

/// Returns the average length of random games, from a number of points each or from the start.
fn average(mode: u8, each: Option<u32>) -> u32 {
    const GAMES: u32 = 200;
    let mut chance = Chance::new(u64::from(mode));
    let mut all = 0;
    for _ in 0..GAMES {
        let mut position = deal(start(mode), &mut chance);
        if let Some(each) = each {
            position.stones = Stones::drawn(each, &mut |limit| chance.below(limit));
        }
        all += play_out(&mut position, &mut chance, |_| {});
    }
    all / GAMES
}

#[test]
fn random_games_last_as_long_as_was_found_before() {
    for (mode, each, about) in
        [(0, None, 20), (1, None, 20), (2, Some(24), 64), (3, Some(24), 32), (4, Some(24), 33)]
    {
        let found = average(mode, each);
        assert!(found.abs_diff(about) * 10 <= about, "{found} moves in mode {mode}, not {about}");
    }
}
