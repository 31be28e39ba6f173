//! Tests of Dots and Boxes.

use super::*;
use crate::kit::fixtures::{begun, place, refused, sequences, start};
use crate::kit::laws::strength_tests;
use crate::kit::{Chance, Outcome};
use board::Bits;
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Dot = (u8, u8);

/// The slow reference: dots as pairs of numbers, lines as pairs of dots. A box is closed if its four corners
/// are joined in a ring.
#[derive(Default)]
struct Pairs {
    lines: BTreeSet<(Dot, Dot)>,
    owners: BTreeMap<Dot, usize>,
    turn: usize,
}

impl Pairs {
    /// Draws the line of a name: `b1` joins the dots 0, 0 and 1, 0.
    fn draw(&mut self, size: u8, name: &str) {
        let file = name.as_bytes()[0] - b'a';
        let rank = name[1..].parse::<u8>().unwrap() - 1;
        let from = (file / 2, rank / 2);
        self.lines.insert((from, (file.div_ceil(2), rank.div_ceil(2))));
        let mut closed = 0;
        for corner in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
            let (x, y) = corner;
            let ring = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1), (x, y)];
            let is_joined = ring.windows(2).all(|two| {
                self.lines.contains(&(two[0], two[1])) || self.lines.contains(&(two[1], two[0]))
            });
            if is_joined && !self.owners.contains_key(&corner) {
                self.owners.insert(corner, self.turn);
                closed += 1;
            }
        }
        if closed == 0 {
            self.turn = 1 - self.turn;
        }
    }

    fn score(&self, seat: usize) -> usize {
        self.owners.values().filter(|owner| **owner == seat).count()
    }
}

#[test]
fn a_slow_reference_finds_the_same_in_two_thousand_random_games() {
    let mut chance = Chance::new(5);
    let mut ends = BTreeSet::new();
    for game in 0..2_000_usize {
        let size = [2, 3, 4, 5, 6, 7][game % 6];
        let mut position = start::<Position>(&[&format!("size={size}")]);
        let mut pairs = Pairs::default();
        while let Next::Move(seat) = position.next() {
            assert_eq!(seat.index(), pairs.turn);
            let moves = position.moves();
            let sides = 2 * usize::from(size) * usize::from(size + 1);
            assert_eq!(moves.len(), sides - pairs.lines.len());
            let m = moves[chance.below(moves.len())];
            position.play(&m);
            pairs.draw(size, &m.to_string());
            for seat in Seat::BOTH {
                let score = usize::try_from(position.board.score(seat)).unwrap();
                assert_eq!(score, pairs.score(seat.index()));
            }
        }
        for (&(x, y), &owner) in &pairs.owners {
            let at = usize::from(y) * usize::from(size) + usize::from(x);
            assert_eq!(position.board.boxes[owner] >> at & 1, 1);
        }
        let winner = match position.next() {
            Next::Over(Outcome::Won { by, .. }) => Some(by.index()),
            Next::Over(Outcome::Drawn { .. }) => None,
            other => panic!("{other:?}"),
        };
        let [one, other] = [0, 1].map(|seat| pairs.score(seat));
        assert_eq!(one + other, usize::from(size).pow(2));
        assert_eq!(winner, (one != other).then_some(usize::from(other > one)));
        ends.insert(winner);
    }
    assert_eq!(ends.len(), 3);
}

#[test]
fn who_closes_a_box_draws_again() {
    let position = begun::<Position>(&["size=2"], "b1 a2 c2 e2");
    assert_eq!(position.next(), Next::Move(Seat(0)));
    let mut closed = position.clone();
    closed.play(&position.read("b3").unwrap());
    assert_eq!(closed.next(), Next::Move(Seat(0)));
    assert_eq!(closed.notation(), "O ...../...../.-.../|O|.|/.-... last=b3");
    let mut other = position.clone();
    other.play(&position.read("d5").unwrap());
    assert_eq!(other.next(), Next::Move(Seat(1)), "nobody has to close a box");
    // One line closes two boxes.
    let two = begun::<Position>(&["size=2"], "b1 a2 b3 d1 e2 d3 c2");
    assert_eq!([two.board.score(Seat(0)), two.board.score(Seat(1))], [2, 0]);
    assert_eq!(two.next(), Next::Move(Seat(0)));
}

#[test]
fn a_line_is_read_in_every_spelling() {
    let start = begun::<Position>(&["size=3"], "");
    for text in ["b1", "B1", "b 1", "a1-c1", "C1-A1", "a1c1", "a1 to c1", "1. b1", "a1–c1"] {
        assert_eq!(start.read(text).unwrap().to_string(), "b1", "{text}");
    }
    assert_eq!(start.read("g5-g7").unwrap().to_string(), "g6");
    for (text, why) in [
        ("a1", "a1 is a dot: lines are between two dots, such as b1"),
        ("b2", "b2 is the place of a box: lines are between two dots, such as b1"),
        ("h1", "there is no place h1: this board ends at g7"),
        ("a1-e1", "a1 and e1 are not two dots side by side"),
        ("b1-d1", "b1 and d1 are not two dots side by side"),
        ("a0", "there is no place a0"),
    ] {
        assert_eq!(refused(&start, text), why, "{text}");
    }
    assert_eq!(
        refused(&begun::<Position>(&["size=3"], "b1"), "c1-a1"),
        "there is already a line on b1"
    );
}

#[test]
fn a_line_that_is_no_position_is_refused() {
    let place = |line: &str| place::<Position>(&["size=2"], line);
    let unowned = "X .-.../...../.-.../|.|../.-... last=b5";
    assert_eq!(place(unowned).unwrap_err(), "a box has an owner just if its four sides are drawn");
    let good = "X .-.../..|../.-.../|O|../.-... last=b5";
    assert_eq!(place(good).unwrap().notation(), good);
    for wrong in [
        "X ...../...../.-.../|.|../.-...",
        "X -..../...../...../...../.....",
        "X O..../...../...../...../.....",
        "X ...../.-.../...../...../.....",
        "X ...../...../...../...../..... last=b1",
        "X ...../...../...../...../.....x",
        "X ...../...../...../.....",
        "Z ...../...../...../...../.....",
        "X .-.../...../...../...../..... last=b2",
    ] {
        place(wrong).unwrap_err();
    }
}

#[test]
fn sequences_of_moves_are_counted() {
    // Any order of the lines: 12, 12 x 11, ...
    let counts = [1, 2, 3].map(|depth| sequences::<Position>(&["size=2"], depth));
    assert_eq!(counts, [12, 132, 1320]);
}

/// Returns by how many boxes the side to move gets more than the other with the best play, for every set
/// of drawn lines: found by trying everything, from the end of the game on.
fn solved(size: u8) -> Vec<i8> {
    let board = Board::new(size);
    let sides: Vec<u32> =
        (0..board.count()).map(|at| u32::try_from(board.sides(at)).unwrap()).collect();
    let all = u32::try_from(board.all()).unwrap();
    let mut worth = vec![0_i8; usize::try_from(all).unwrap() + 1];
    for lines in (0..all).rev() {
        let mut best = i8::MIN;
        let mut free = all & !lines;
        while free != 0 {
            let line = free & free.wrapping_neg();
            free &= free - 1;
            let next = lines | line;
            let closed =
                sides.iter().filter(|side| *side & line != 0 && next & *side == **side).count();
            let rest = worth[usize::try_from(next).unwrap()];
            let closed = i8::try_from(closed).unwrap();
            best = best.max(if closed > 0 { closed + rest } else { -rest });
        }
        worth[usize::try_from(lines).unwrap()] = best;
    }
    worth
}

/// The first mover wins four boxes: <https://puzzling.stackexchange.com/q/1728> has a proof. By how many is our own count.
#[test]
fn small_boards_have_their_values() {
    assert_eq!([1, 2].map(|size| solved(size)[0]), [-1, 2]);
}

#[test]
#[ignore = "tries 16,777,216 positions"]
fn the_board_of_nine_boxes_has_its_value() {
    assert_eq!(solved(3)[0], -3);
}

/// Closing boxes first, where that costs nothing, loses nothing.
#[test]
fn the_highest_level_plays_the_last_lines_as_well_as_can_be() {
    let worth = solved(2);
    let mut known = HashMap::new();
    for lines in 0..worth.len() - 1 {
        let board = Board { lines: Bits::try_from(lines).unwrap(), ..Board::new(2) };
        assert_eq!(board.worth(&mut known), worth[lines].into(), "{lines:b}");
        let position = Position { board, last: None };
        let m = position.choose(4, &mut |_| 0).unwrap();
        let mut next = position.clone();
        next.play(&m);
        let rest = worth[usize::try_from(next.board.lines).unwrap()];
        let closed = i8::try_from(next.board.score(Seat(0))).unwrap();
        let came = if next.board.turn == Seat(0) { closed + rest } else { -rest };
        assert_eq!(came, worth[lines], "{lines:b}: {m}");
    }
}

/// Four chains of four boxes, of which one is open: who takes all of it must open the next one. More lines
/// are left than the program tries out.
#[test]
fn the_highest_level_leaves_two_boxes_to_keep_the_control() {
    let line = "O .-.-.-.-./........./.-.-.-.-./........./.-.-.-.-./........./.-.-.-.-./|O|O|..../.-.-.-.-.";
    let mut position = place::<Position>(&["size=4"], line).unwrap();
    let mut chance = Chance::new(1);
    assert_eq!(position.choose(4, &mut |n| chance.below(n)).unwrap().to_string(), "i2");
    // The last chain is taken whole.
    for text in
        ["i2", "g2", "a4", "c4", "e4", "i4", "g4", "a6", "c6", "e6", "i6", "g6", "a8", "c8", "e8"]
    {
        let m = position.read(text).unwrap();
        position.play(&m);
    }
    assert_eq!(position.next(), Next::Move(Seat(0)));
    assert_eq!(position.choose(4, &mut |n| chance.below(n)).unwrap().to_string(), "g8");
}

strength_tests!(Position, 10 games on [&["size=3"]], many on &[&[], &["size=4"]]);
