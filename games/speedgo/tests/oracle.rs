//! Comparison with GNU Go's verdicts on positions of our games; see `oracle/make.py`.

use super::super::{Position, board, life, playouts, search};
use super::{placed, random_game};
use crate::grid::{Press, PressGame, Square, Squares, Stones};
use crate::kit::fixtures::{deal, squares, start};
use crate::kit::{Chance, Game, Next, Seat};
use std::collections::BTreeMap;

const MOVES: &str = include_str!("../oracle/moves.txt");
const ENDS: &str = include_str!("../oracle/ends.txt");

/// Parses a list of points such as `a9,b9`, or `-`.
fn listed(text: &str) -> Squares {
    if text == "-" { Squares::NONE } else { squares(&text.replace(',', " ")) }
}

#[test]
fn legal_moves_and_stones_taken_are_those_of_gnu_go() {
    let (mut asked, mut kos, mut stifled, mut taking) = (0, 0, 0, 0);
    let mut lines = MOVES.lines().peekable();
    while let Some(line) = lines.next() {
        let (rows, moves) = line.split_once(' ').unwrap();
        let mut position = placed(&format!("G {rows}"));
        let mut moves = moves.split(',');
        let mut made = 0;
        while let Some(line) = lines.next_if(|line| line.starts_with("= ")) {
            let [_, count, illegal, press, taken] =
                line.split(' ').collect::<Vec<_>>().try_into().unwrap();
            while made < count.parse().unwrap() {
                let press = position.read_recorded(moves.next().unwrap()).unwrap();
                position.play(&press);
                made += 1;
            }
            let dark = !position.board.stones().lit();
            assert_eq!(dark.without(PressGame::legal(&position)), listed(illegal), "{position:?}");
            let before = position.board.stones();
            let mut after = position.clone();
            PressGame::press(&mut after, press.parse().unwrap());
            let gone = before.lit().without(after.board.stones().lit());
            assert_eq!(gone, listed(taken), "{press} in {position:?}");
            asked += 1;
            let ko = position.board.ko();
            kos += u32::from(ko.is_some_and(|ko| listed(illegal).contains(ko)));
            stifled += u32::from(listed(illegal).len() > u32::from(ko.is_some()));
            taking += u32::from(taken != "-");
        }
    }
    assert!(
        asked == 1_000 && kos >= 140 && stifled >= 600 && taking >= 600,
        "{asked} positions, {kos} with a ko, {stifled} with a suicide, {taking} with stones taken"
    );
}

#[test]
fn what_is_held_for_good_is_what_gnu_go_says() {
    let (mut positions, mut settled) = (0, 0);
    for line in ENDS.lines() {
        let mut words = line.split(' ');
        let (rows, status) = (words.next().unwrap(), words.next().unwrap());
        let position = placed(&format!("G {rows}"));
        let stones = position.board.stones();
        let held = Seat::BOTH.map(|seat| life::safe_territory(stones, seat));
        let ours: String = Square::all()
            .map(|square| match stones.at(square) {
                Some(seat) if held[seat.index()].all().contains(square) => 'a',
                Some(seat) if held[seat.other().index()].land.contains(square) => 'd',
                None if held[0].land.contains(square) => 'g',
                None if held[1].land.contains(square) => 'r',
                _ => 'u',
            })
            .collect();
        assert_eq!(ours, status, "{rows}");
        for (seat, colour) in Seat::BOTH.into_iter().zip(*b"GR") {
            let naive = super::naive::alive(&super::rows(stones), colour);
            assert_eq!(held[seat.index()].alive, super::naive_squares(naive), "{rows}");
        }
        positions += 1;
        // GNU Go knows the owner of every point, and no stone is dead.
        let is_clear = !status.contains(['d', 'u']);
        assert_eq!(life::is_settled(stones), is_clear, "{rows}");
        assert_eq!(matches!(PressGame::next(&position), Next::Over(_)), is_clear);
        if let Some(score) = words.next() {
            let [green, red] = position.points().map(i64::from);
            let lead = green - red;
            let ours = match lead {
                0 => "0".into(),
                1.. => format!("G+{lead}"),
                ..0 => format!("R+{}", -lead),
            };
            assert_eq!(ours, score, "{rows}");
            settled += 1;
        }
    }
    assert!(positions >= 500 && settled >= 150, "{positions} positions, {settled} settled");
}

/// Prints the positions for GNU Go.
#[test]
#[ignore = "prints what oracle/make.py reads"]
fn asks() {
    let mut positions = 0;
    for seed in 0.. {
        if positions >= 1_000 {
            break;
        }
        positions += asks_of_moves(seed, 1_000 - positions);
    }
    (0..110).for_each(asks_of_ends);
}

fn dealt(seed: u64, chance: &mut Chance) -> Position {
    let mode = ["mode=0", "mode=1", "mode=2"][usize::try_from(seed % 3).unwrap()];
    deal(start(&[mode]), chance)
}

/// Prints a random game with four positions of it: at most two with a ko, and a press in each,
/// which captures in half of them.
fn asks_of_moves(seed: u64, most: usize) -> usize {
    let mut chance = Chance::new(seed);
    let mut position = dealt(seed, &mut chance);
    let rows = position.board.stones().to_string();
    let moves = random_game(position.clone(), &mut chance);
    let mut boards = Vec::new();
    for press in &moves {
        boards.push(position.board.clone());
        position.play(press);
    }
    let kos: Vec<usize> = (0..boards.len()).filter(|&at| boards[at].ko().is_some()).collect();
    let mut asked = BTreeMap::new();
    for at in kos.iter().copied().take(2) {
        asked.insert(at, Press::Pass);
    }
    while asked.len() < 4.min(most) {
        asked.insert(chance.below(boards.len()), Press::Pass);
    }
    for (&at, press) in &mut asked {
        let board = &boards[at];
        let legal = board.legal();
        let takes: Squares =
            legal.iter().filter(|&square| !board.taken_by(square).is_empty()).collect();
        let from = if takes.is_empty() || chance.below(4) == 0 { legal } else { takes };
        *press = from.any(&mut |limit| chance.below(limit)).map_or(Press::Pass, Press::At);
    }
    asked.retain(|_, press| *press != Press::Pass);
    let Some(&last) = asked.keys().last() else { return 0 };
    let words = |presses: &[Press]| presses.iter().map(Press::to_string).collect::<Vec<_>>();
    let asked_for: Vec<String> = asked.iter().map(|(at, press)| format!("{at}:{press}")).collect();
    let moves = words(&moves[..last.max(1)]);
    println!("game {rows} {} {}", moves.join(","), asked_for.join(","));
    asked.len()
}

/// Prints the end of a game of the lower levels, earlier positions of it, and a playout from the
/// middle.
fn asks_of_ends(seed: u64) {
    let mut chance = Chance::new(1_000 + seed);
    let mut position = dealt(seed, &mut chance);
    let mut stood: Vec<Stones> = Vec::new();
    while let Next::Move(_) = PressGame::next(&position) {
        stood.push(position.board.stones());
        let level = 1 + u8::try_from(seed % 2).unwrap();
        let press = search::choose(&position, level, &mut |limit| chance.below(limit));
        position.play(&press);
    }
    stood.push(position.board.stones());
    for before in [0, 3, 8, 20] {
        println!("end {}", stood[stood.len().saturating_sub(1 + before)]);
    }
    let middle = stood[stood.len() / 2];
    let mut board = board::Board::new(middle, Seat(0));
    let mut draw = playouts::FastRandom::new(&mut |limit| chance.below(limit));
    playouts::play_on(&mut board, None, 0, &mut draw);
    println!("end {}", board.stones());
}
