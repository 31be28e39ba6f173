//! Tests of the rules with positions as rows: legal presses, captures, and the end of a game.

use super::super::{LAID, Position};
use super::placed;
use crate::grid::{Press, PressGame, Square, Squares, Stones};
use crate::kit::fixtures::{board, options, place, square, squares, start};
use crate::kit::{Chance, Game, MoveError, Next, Outcome, Seat, View};

const POINTS: &str = "with more points";

fn on(turn: &str, rows: &str) -> Position {
    placed(&format!("{turn} {}", board(rows)))
}

fn play(position: &mut Position, words: &str) -> Result<(), MoveError> {
    for word in words.split_whitespace() {
        assert!(matches!(PressGame::next(position), Next::Move(_)), "{word} in {position:?}");
        let press = position.read(word)?;
        position.play(&press);
    }
    Ok(())
}

fn won(by: u8) -> Next {
    Next::Over(Outcome::Won { by: Seat(by), points: 1, reason: POINTS })
}

fn drawn(reason: &'static str) -> Next {
    Next::Over(Outcome::Drawn { reason })
}

/// S4, and G6: stones that a press leaves without a liberty are captured first.
#[test]
fn a_press_takes_what_it_leaves_without_a_liberty() {
    for (turn, rows, press, taken) in [
        // In the corner, at the rim, in the middle.
        ("G", "RG", "a8", "a9"),
        ("G", ".GRG", "c8", "c9"),
        ("R", "/..R/.RG/..R", "d7", "c7"),
        // A chain is captured as a whole, two chains at once.
        ("G", "RR/GG", "c9", "a9 b9"),
        ("G", ".RR/RRR/GGG/...", "d9", ""),
        ("G", "RR.G/GGG", "c9", "a9 b9"),
        ("G", "/.G.G/GR.RG/.G.G/..G", "c7", "b7 d7"),
        // The last liberty of a player's own stone: the capture makes room (G6).
        ("G", ".RG/RG/G", "a9", "b9 a8"),
        ("R", "G.GR/GGGR/RRRR", "b9", "a9 c9 a8 b8 c8"),
        // Own stones are never captured, nor those with a liberty left.
        ("G", "G./.R", "b9", ""),
    ] {
        let mut position = on(turn, rows);
        let before = position.board.stones().lit();
        play(&mut position, press).unwrap();
        let gone = before.without(position.board.stones().lit());
        assert_eq!(gone, squares(taken), "{turn} {rows}: {press}");
    }
}

#[test]
fn what_may_not_be_pressed_is_refused_with_the_reason() {
    let refused = [
        ("G", "G", "a9", "a9 is lit"),
        ("G", "R", "a9", "a9 is lit"),
        ("G", ".R/R", "a9", "a point lit on a9 would have no liberty"),
        ("G", "G.R/GR/R", "b9", "a point lit on b9 would have no liberty"),
        ("R", "/.G/G.G/.G", "b7", "a point lit on b7 would have no liberty"),
        ("G", "", "j5", "there is no point j5: the columns are a to i, the lines 1 to 9"),
        ("G", "", "a10", "there is no point a10: the columns are a to i, the lines 1 to 9"),
    ];
    for (turn, rows, press, reason) in refused {
        let position = on(turn, rows);
        let error = position.read(press).unwrap_err();
        assert_eq!(error, MoveError::Illegal(reason.into()), "{turn} {rows}");
        assert_eq!(position.read_recorded(press), Err(error));
    }
    let unreadable = on("G", "").read("5e");
    assert!(matches!(unreadable, Err(MoveError::Unreadable { .. })));
}

/// A point with red's stone b8 to capture on c8, and one with green's stone c2 to capture on b2.
const TWO_KOS: &str = ".GR/GR.R/.GR/./././.GR/G.GR/.GR";

fn two_kos(turn: &str) -> Position {
    on(turn, TWO_KOS)
}

#[test]
fn a_stone_just_taken_may_not_be_retaken_at_once() {
    let mut position = two_kos("G");
    play(&mut position, "c8").unwrap();
    assert_eq!(position.board.stones().at(square("b8")), None);
    let error = position.read("b8").unwrap_err().to_string();
    assert_eq!(error, "b8 may not be retaken at once: that would bring back the position before");
    assert!(!PressGame::legal(&position).contains(square("b8")));
    assert!(PressGame::line(&position).to_string().contains(" ko=b8 "), "{position:?}");
    let notes = PressGame::grid(&position, &View::default()).notes;
    assert_eq!(notes, ["b8 may not be retaken at once"]);
    // After a press elsewhere, or a pass, it may.
    for between in ["i9 i1 b8", "pass i1 b8", "i9 pass b8"] {
        play(&mut position.clone(), between).unwrap();
    }
}

/// Only a return to the previous position is forbidden.
#[test]
fn other_ways_to_retake_are_free() {
    for (turn, rows, words) in [
        // Two stones captured, one of the capturing stones retaken.
        ("G", ".RRG/RGG/.", "a9 b9"),
        // One stone captured by a stone that joins others.
        ("R", ".GRR/GR.R/.GR", "i1 c8 i2"),
        // A snapback: the stone that captured one is captured with its chain.
        ("G", "..GR/GGGR/.RRR/", "i5 b9 i6 a9"),
    ] {
        let mut position = on(turn, rows);
        let mut naive = super::naive::NaiveGame::new(
            super::rows(position.board.stones()),
            if turn == "G" { b'G' } else { b'R' },
        );
        for word in words.split_whitespace() {
            let legal = super::naive_squares(naive.legal());
            assert_eq!(PressGame::legal(&position), legal, "{rows}");
            let Ok(at) = word.parse::<Square>() else { continue };
            if !legal.contains(at) {
                continue;
            }
            play(&mut position, word).unwrap();
            naive.press(super::at(at));
        }
    }
}

/// G2: green takes one ko, red the other, and so on; each cycle restores the start.
#[test]
fn a_position_that_stands_for_the_third_time_is_a_draw() {
    const ROUND: [&str; 6] = ["c8", "b2", "pass", "b8", "c2", "pass"];
    let mut position = two_kos("G");
    for made in 0..12 {
        play(&mut position, ROUND[made % 6]).unwrap();
        assert!(matches!(PressGame::next(&position), Next::Move(_)), "after {made}");
        assert_eq!(place(&[], &position.notation()).as_ref(), Ok(&position));
    }
    // Repetition needs the same side to move, not only the same stones.
    play(&mut position.clone(), "i9 c8").unwrap();
    play(&mut position, ROUND[0]).unwrap();
    let draw = drawn("the same position occurred for the third time");
    assert_eq!(PressGame::next(&position), draw);
    let again: Position = place(&[], &position.notation()).unwrap();
    assert_eq!(PressGame::next(&again), draw);
    assert!(again.moves().is_empty());
}

/// G3: a player may pass at any time; two consecutive passes end the game.
#[test]
fn two_passes_end_the_game() {
    let mut position = on("G", "G");
    play(&mut position, "pass").unwrap();
    let notes = PressGame::grid(&position, &View::default()).notes;
    assert_eq!(notes, ["Green has passed; one more pass ends the game"]);
    play(&mut position, "e5 pass").unwrap();
    assert_eq!(PressGame::next(&position), Next::Move(Seat(1)));
    let mut other = position.clone();
    play(&mut other, "e4 pass e3").unwrap();
    assert_eq!(PressGame::next(&other), Next::Move(Seat(0)));
    play(&mut position, "pass").unwrap();
    assert!(matches!(PressGame::next(&position), Next::Over(_)));
    assert!(position.notation().contains(" passes=2"));
    assert!(PressGame::grid(&position, &View::default()).light.is_none());
}

/// G5: stones and what only they border; shared points count for nobody; red's komi.
#[test]
fn points_are_counted_by_area() {
    for (rows, komi, points, end) in [
        ("", 0, [0, 0], drawn("both have the same number of points")),
        ("", 1, [0, 1], won(1)),
        ("G", 0, [81, 0], won(0)),
        ("R", 0, [0, 81], won(1)),
        ("G.......R", 0, [1, 1], drawn("both have the same number of points")),
        // A wall each, and a line between them that both border.
        (
            "/././GGGGGGGGG/./RRRRRRRRR/././.",
            0,
            [36, 36],
            drawn("both have the same number of points"),
        ),
        ("/././GGGGGGGGG/./RRRRRRRRR/././.", 7, [36, 43], won(1)),
        ("/././GGGGGGGGG/RRRRRRRRR/./././.", 0, [36, 45], won(1)),
        ("/././GGGGGGGGG/RRRRRRRRR/./././.", 20, [36, 65], won(1)),
        // A stone counts, dead or not, and spoils the region around it.
        ("/././GGGGGGGGG/./RRRRRRRRR/./G/.", 0, [37, 9], won(0)),
    ] {
        let options = options::<Position>(&["mode=1", &format!("komi={komi}")]);
        let notation = format!("G {} passes=2", board(rows));
        let position: Position = Game::place(&options, &notation).unwrap();
        assert_eq!(position.points(), points, "{rows}");
        assert_eq!(PressGame::next(&position), end, "{rows}");
        let grid = PressGame::grid(&position, &View::default());
        assert_eq!(grid.score, Some((points, "points".into())));
        let note = (komi > 0).then(|| format!("{komi} of red's points are komi"));
        assert_eq!(grid.notes, Vec::from_iter(note));
    }
}

/// G4: the game ends automatically once each point is held for good, and not before.
#[test]
fn a_game_ends_when_it_is_clear_what_belongs_to_whom() {
    const SPLIT: &str = "GGGGRRRRR";
    let with = |changed: &[(usize, &str)]| {
        let mut rows = [SPLIT; 9];
        for &(row, text) in changed {
            rows[row] = text;
        }
        rows.join("/")
    };
    for (name, rows, end) in [
        ("two eyes each", with(&[(0, ".GGGRRRR."), (2, ".GGGRRRR.")]), Some([36, 45])),
        ("red has one eye", with(&[(0, ".GGGRRRR."), (2, ".GGGRRRRR")]), None),
        ("red's eyes are one", with(&[(0, ".GGGRRRR."), (1, "GGGGRRRR."), (2, ".GGGRRRRR")]), None),
        ("a shared point", with(&[(0, ".GGGRRRR."), (2, ".GGGRRRR."), (8, "GGGG.RRRR")]), None),
        (
            "a dead stone",
            with(&[(0, ".GGGRRRR."), (2, ".GGGRRRR."), (4, "GGGGRRRR."), (5, "GGGGRRRRG")]),
            None,
        ),
        (
            "eyes of two and three points",
            with(&[(0, "..GGRRRR."), (1, "GGGGRRRR."), (2, ".GGGRRRR."), (4, "GGGGRRRR.")]),
            Some([36, 45]),
        ),
        // Red's stones touch each of the three points, so no eye can be made.
        ("room, but not to live in", with(&[(0, ".GGGRR..."), (2, ".GGGRRRR.")]), Some([36, 45])),
        (
            "room to live in",
            with(&[
                (0, ".GGGR...."),
                (1, "GGGGR...."),
                (2, "GGGGR...."),
                (3, "GGGGR...."),
                (4, ".GGGRRRRR"),
                (6, "GGGGRRRR."),
                (8, "GGGGRRRR."),
            ]),
            None,
        ),
    ] {
        let position = placed(&format!("G {rows}"));
        match end {
            Some([green, red]) => {
                assert_eq!(position.points(), [green, red], "{name}");
                assert_eq!(PressGame::next(&position), won(u8::from(red > green)), "{name}");
                assert!(position.moves().is_empty(), "{name}");
            }
            None => assert_eq!(PressGame::next(&position), Next::Move(Seat(0)), "{name}"),
        }
    }
    // The empty board and one stone are not decided either.
    assert_eq!(PressGame::next(&on("G", "")), Next::Move(Seat(0)));
    assert_eq!(PressGame::next(&on("R", "G")), Next::Move(Seat(1)));
}

/// G1: stones are dealt at random, symmetric under a half turn with exchanged colours, all with
/// liberties.
#[test]
fn each_mode_begins_with_its_stones() {
    for (mode, each) in LAID.into_iter().enumerate() {
        let mode = format!("mode={mode}");
        let fresh = start::<Position>(&[&mode]);
        if each == 0 {
            assert_eq!(PressGame::next(&fresh), Next::Move(Seat(0)));
            continue;
        }
        assert_eq!(PressGame::next(&fresh), Next::Deal);
        for seed in 0..50 {
            let mut chance = Chance::new(seed);
            let mut position = fresh.clone();
            let stones = PressGame::deal(&position, &mut |limit| chance.below(limit));
            assert_eq!((stones.count(), stones.turned()), ([each; 2], stones));
            PressGame::lay(&mut position, stones).unwrap();
            assert_eq!(PressGame::next(&position), Next::Move(Seat(0)));
            assert_eq!(position.board.stones(), stones);
            assert_eq!(position.board.stifled(), None);
        }
    }
    assert_eq!((LAID, start::<Position>(&[]).awaited), ([18, 0, 9], 18));
}

#[test]
fn stones_that_were_not_dealt_are_refused() {
    let mut fresh = start::<Position>(&["mode=2"]);
    let stones = |rows: &str| board(rows).parse::<Stones>().unwrap();
    for (rows, reason) in [
        ("G", "each side begins with 9 points"),
        ("GGGGGGGGG/RRRRRRRRR", "a half turn of the board does not exchange the colours"),
        (
            "GRG.G..../R.R....../GGG....../././././....G...G/...RRG.GR",
            "each side begins with 9 points",
        ),
        // The stone a9 has no liberty.
        (
            "GRGGG..../RGGG...../......../././././.....RRRG/....RRRGR",
            "the group of a9 has no liberty",
        ),
    ] {
        let error = PressGame::lay(&mut fresh, stones(rows)).unwrap_err();
        assert_eq!(error, MoveError::Illegal(reason.into()), "{rows}");
        assert_eq!(PressGame::next(&fresh), Next::Deal);
    }
    let good = stones("GGGGGGGGG/./././././././RRRRRRRRR");
    PressGame::lay(&mut fresh, good).unwrap();
    assert_eq!(PressGame::next(&fresh), Next::Move(Seat(0)));
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    let rows = board("GR");
    for (mode, line, reason) in [
        ("mode=1", format!("- {}", board("")), "the side to move must be G or R"),
        ("mode=0", format!("- {rows}"), "no point is lit before stones are laid"),
        ("mode=1", "G ../..".into(), "the board has 9 lines"),
        ("mode=1", format!("G {}", board("GR/R")), "the group of a9 has no liberty"),
        ("mode=1", format!("G {rows} ko=e5"), "nothing can be retaken on e5"),
        ("mode=1", format!("G {rows} ko=a9"), "nothing can be retaken on a9"),
        ("mode=1", format!("G {rows} passes=3"), "two passes end the game"),
        ("mode=1", format!("G {rows} past=0000"), "`past=0000` has no meaning here"),
        ("mode=1", format!("G {rows} past=0000u"), "`past=0000u` has no meaning here"),
        ("mode=1", format!("G {rows} last=e0"), "`last=e0` has no meaning here"),
        ("mode=1", format!("G {rows} score=1"), "`score=1` has no meaning here"),
    ] {
        let error = place::<Position>(&[mode], &line).unwrap_err();
        assert_eq!(error, reason, "{line}");
    }
    let whole = format!("R {} last=c8 ko=b8 past=0z3k900001", {
        let mut position = two_kos("G");
        play(&mut position, "c8").unwrap();
        position.board.stones()
    });
    assert_eq!(placed(&whole).notation(), whole);
}

#[test]
fn legal_points_are_marked_where_asked_for() {
    let position = two_kos("R");
    let grid = |legal| PressGame::grid(&position, &View { legal, ..View::default() });
    assert_eq!(grid(false).legal, Squares::NONE);
    assert_eq!(grid(true).legal, PressGame::legal(&position));
    assert_eq!(grid(true).light, Some(Seat(1)));
    let mut after = position.clone();
    play(&mut after, "e5").unwrap();
    assert_eq!(PressGame::grid(&after, &View::default()).last, [square("e5")]);
    assert_eq!(position.moves().last(), Some(&Press::Pass));
}
