//! Tests of Amazons.

use super::*;
use crate::kit::fixtures::{after, options, place, sequences, start};
use crate::kit::laws::{all_games, strength_tests};
use crate::kit::sgf::tests::{of_moves, only_game};
use crate::kit::{Chance, Outcome, PartialMove};
use std::collections::BTreeSet;

fn of_size(size: &str) -> Position {
    start::<Position>(&[&format!("size={size}")])
}

/// Lists the moves of a side on a board of letters: the slow reference.
fn slow_moves(rows: &str, side: char) -> BTreeSet<String> {
    let mut board: Vec<Vec<char>> =
        rows.split('/').rev().map(|row| row.chars().collect()).collect();
    let mut moves = BTreeSet::new();
    let size = board.len();
    for start in 0..size * size {
        let from = (start % size, start / size);
        if board[from.1][from.0] != side {
            continue;
        }
        board[from.1][from.0] = '.';
        for to in slow_targets(&board, from) {
            for arrow in slow_targets(&board, to) {
                let [from, to, arrow] = [from, to, arrow].map(|(file, rank)| {
                    format!("{}{}", char::from((b'a'..).nth(file).unwrap()), rank + 1)
                });
                moves.insert(format!("{from}-{to}/{arrow}"));
            }
        }
        board[from.1][from.0] = side;
    }
    moves
}

/// Walks from a square in all directions until something stands there.
fn slow_targets(board: &[Vec<char>], from: (usize, usize)) -> Vec<(usize, usize)> {
    let mut targets = Vec::new();
    for right in [usize::MAX, 0, 1] {
        for up in [usize::MAX, 0, 1] {
            let mut at = from;
            if (right, up) == (0, 0) {
                continue;
            }
            loop {
                at = (at.0.wrapping_add(right), at.1.wrapping_add(up));
                if board.get(at.1).and_then(|row| row.get(at.0)) != Some(&'.') {
                    break;
                }
                targets.push(at);
            }
        }
    }
    targets
}

#[test]
fn a_slow_reference_finds_the_same_moves_in_two_thousand_random_games() {
    let mut chance = Chance::new(18);
    let mut won = [0_u32; 2];
    for game in 0..2_000 {
        let size = SIZES[game % SIZES.len()];
        let mut position = of_size(size);
        loop {
            let is_over = matches!(position.next(), Next::Over(_));
            if is_over || chance.below(if size == "6" { 2 } else { 40 }) == 0 {
                let line = position.notation();
                let rows = line.split(' ').nth(1).unwrap();
                let found = slow_moves(rows, ['W', 'B'][position.board.turn.index()]);
                let moves = position.moves();
                let listed: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
                assert_eq!(listed, found, "{line}");
                assert_eq!(listed.len(), moves.len());
                assert_eq!(found.is_empty(), is_over, "{line}");
            }
            if let Next::Over(Outcome::Won { by, .. }) = position.next() {
                won[by.index()] += 1;
                break;
            }
            // A random queen, its random way, and a random arrow.
            let mut any = |set: TileSet| {
                Square::all_in(set).nth(chance.below(set.count_ones() as usize)).unwrap()
            };
            let from = loop {
                let from = any(position.board.own());
                if position.board.reach(from, position.board.taken()) != 0 {
                    break from;
                }
            };
            let to = any(position.board.reach(from, position.board.taken()));
            let arrow = any(position.board.shots([from, to]));
            let m = AmazonsMove([from, to, arrow]);
            assert!(position.is_legal(&m));
            position.play(&m);
        }
    }
    assert!(won.iter().all(|&count| count > 500), "{won:?}");
}

#[test]
fn there_are_2176_first_moves() {
    let count = sequences::<Position>;
    assert_eq!(count(&[], 1), 2176);
    assert_eq!([1, 2].map(|depth| count(&["size=6"], depth)), [544, 238_532]);
    assert_eq!(count(&["size=8"], 1), 1232);
}

#[test]
fn the_starts_are_those_of_the_sources() {
    let start = of_size("10");
    let rows = "...B..B.../........../........../B........B/........../........../W........W/........../\
                ........../...W..W...";
    assert_eq!(start.notation(), format!("W {rows}"));
    assert!(of_size("8").notation().starts_with("W ..B..B../......../B......B/"));
    assert!(of_size("6").notation().starts_with("W .B..B./B....B/"));
}

#[test]
fn a_move_is_read_in_every_spelling() {
    let start = of_size("10");
    for text in [
        "d1-d7/g7",
        "d1-d7,g7",
        "d1-d7-g7",
        "d1 d7 g7",
        "d1d7g7",
        "D1-D7/G7",
        "d1-d7(g7)",
        "d1 to d7 then g7",
        "d1->d7->g7",
        "1. d1-d7/g7",
        "d1-d7, g7.",
        "d1-d7 / g7",
    ] {
        assert_eq!(start.read(text).unwrap().to_string(), "d1-d7/g7", "{text}");
    }
    // An arrow may close the square that the queen has left.
    assert_eq!(start.read("d1-d7/d1").unwrap().to_string(), "d1-d7/d1");
    start.read_recorded("d1-d7,g7").unwrap_err();
}

#[test]
fn a_move_is_refused_with_the_reason() {
    let start = after(&of_size("10"), "d1-d7/g7");
    let refused = |text: &str| start.read(text).unwrap_err().to_string();
    assert_eq!(refused("a4-a5/a6"), "there is no black queen on a4");
    assert_eq!(refused("d10-e8/e7"), "e8 is not on a line with d10");
    assert_eq!(refused("d10-d5/e5"), "the queen on d7 stops the queen from d10 to d5");
    assert_eq!(refused("g10-g5/g6"), "the arrow on g7 stops the queen from g10 to g5");
    assert_eq!(refused("g10-g8/g6"), "the arrow on g7 stops the arrow from g8 to g6");
    assert_eq!(refused("g10-g8/h6"), "h6 is not on a line with g8");
    assert_eq!(refused("g10-g8/g8"), "g8 is not on a line with g8");
    assert_eq!(refused("k1-k2/k3"), "there is no square k1");
    let half = "the arrow of g10-g8 is missing: add its square, as in d1-d7/g7";
    assert_eq!([refused("g10-g8"), refused("g10-g8/")], [half; 2]);
    let then = "expected the square that the arrow closes, as in d1-d7/g7 at column 8";
    assert_eq!(refused("g10-g8 hello"), then);
    assert_eq!(
        refused("g10"),
        "expected the square where the queen ends, as in d1-d7/g7 at column 4"
    );
    assert_eq!(refused("pass"), "expected a move such as d1-d7/g7 at column 1");
    let small = of_size("6").read("b1-b7/b3").unwrap_err().to_string();
    assert_eq!(small, "there is no square b7: this board ends at f6");
}

#[test]
fn who_moves_last_wins() {
    let last = place::<Position>(&["size=6"], "W WW..**/WW****/******/******/BB****/BB****");
    let last = last.unwrap();
    assert_eq!(last.next(), Next::Move(Seat(0)));
    let end = after(&last, "b6-c6/d6");
    let won = Outcome::Won { by: Seat(0), points: 1, reason: "by making the last move" };
    assert_eq!(end.next(), Next::Over(won));
    assert!(end.moves().is_empty() && !end.is_legal(&AmazonsMove([Square::at(0, 0); 3])));
}

#[test]
fn the_queen_is_drawn_where_it_waits_for_its_arrow() {
    let start = of_size("10");
    let view = View { legal: true, ..View::default() };
    let drawn = |made: &PartialMove| match &made.diagram {
        Diagram::Board(board) => board.clone(),
        other => panic!("{other:?}"),
    };
    let made = start.partial_move(&view, &["d1-d7"]).unwrap();
    let spot = |name: &str| name.parse::<Spot>().unwrap();
    let board = drawn(&made);
    assert_eq!((board.at(spot("d1")), board.at(spot("d7"))), (None, Some(Piece::Man(Seat(0)))));
    assert_eq!(board.last, [spot("d1"), spot("d7")]);
    assert_eq!((made.play, made.next.len()), (None, 28));
    let shot = start.partial_move(&view, &["d1-d7", "g7"]).unwrap();
    assert_eq!(shot.play.as_deref(), Some("d1-d7/g7"));
    assert_eq!(drawn(&shot).at(spot("g7")), Some(Piece::Sign(ARROW)));
    // The first step is one of the ways of queens, not one of 2,176 moves.
    assert_eq!(start.partial_move(&view, &[]).unwrap().next.len(), 80);
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    const ROWS: &str = ".B..B./B....B/....../....../W....W/.W..W.";
    for (line, reason) in [
        (String::new(), "a position is the side to move"),
        (format!("G {ROWS}"), "a position is the side to move"),
        ("W ......".into(), "the board has 6 rows of 6 squares"),
        (format!("W {}", ROWS.replace("./W", "#/W")), "a position is the side to move"),
        (format!("W {}", ROWS.replace("./W", "W/W")), "each side has 4 queens"),
        (format!("B {ROWS}"), "the number of arrows does not fit the side to move"),
        (format!("W {ROWS} last=b1"), "a position is the side to move"),
        (format!("W {ROWS} last=b2-b1/c1"), "a position is the side to move"),
        (format!("W {ROWS} more"), "a position is the side to move"),
    ] {
        let error = place::<Position>(&["size=6"], &line).unwrap_err();
        assert!(error.starts_with(reason), "{line}: {error}");
    }
}

strength_tests!(Position, 8 games on [&["size=6"]], many on &[&[], &["size=8"]]);

/// The setup and the moves are those of M. Müller's page.
const SGF: &str = "(;FF[4]GM[18]CA[UTF-8]AP[Postboard]SZ[10]AB[dj][gj][ag][jg]AW[ad][jd][da][ga]
PB[ann]
PW[ben]
;B[djddgd];W[addgad];B[gjehea])
";

#[test]
fn a_record_is_written_in_sgf() {
    let transcript = of_moves(options::<Position>(&[]), "d1-d7/g7 a7-d4/a7 g1-e3/e10");
    assert_eq!(sgf::write::<Position>(&transcript).unwrap(), SGF);
    assert_eq!(all_games(sgf::read::<Position>(SGF)), Ok(vec![transcript]));
}

#[test]
fn records_of_other_programs_are_read_or_refused_with_the_reason() {
    for (text, moves) in [
        ("(;GM[18];B[djddgd](;W[addgad])(;W[addgaa]))", "d1-d7/g7 a7-d4/a7"),
        ("(;GM[18]AW[da][ga][ad][jd]AB[dj][gj][ag][jg];B[d1-d7,g7])", "d1-d7/g7"),
    ] {
        assert_eq!(only_game::<Position>(text).map(|it| it.1).as_deref(), Ok(moves), "{text}");
    }
    for (text, reason) in [
        ("(;GM[18]SZ[11])", "line 1: option `-size` takes one of 10, 8, 6"),
        ("(;GM[18];W[djddgd])", "line 1: move 1: it is White's turn"),
        ("(;GM[18];B[djddgda])", "line 1: move 1: "),
        ("(;GM[18];B[djddgz])", "line 1: move 1: expected a move such as d1-d7/g7"),
        ("(;GM[18];B[djddji])", "line 1: move 1: j2 is not on a line with d7"),
        ("(;GM[18];AB[aa])", "line 1: the board does not begin as the options say"),
        ("(;GM[18];B[djddgd];AA[aa];W[addgaf];AE[aa])", "line 1: men are put on the board"),
        ("(;GM[18]AA[aa];B[djddgd])", "line 1: men are put on the board"),
    ] {
        let error = only_game::<Position>(text).unwrap_err();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
}
