//! A second generator of plays, written from the rules as simply as possible: a list of men with
//! their squares, and all results of each hop.

use super::options;
use crate::kit::Chance;
use crate::kit::fixtures::{longest_plays, play_at_random};
use crate::kit::{Choices, Game, Roll, Throw};
use crate::{malaka, moloko};
use std::collections::BTreeSet;

/// A man: its side, its file and rank from 1, and whether it is pinned.
type GridMan = (char, i32, i32, bool);

/// All men, sorted.
type GridMen = Vec<GridMan>;

/// The size of a board: 3 or 4 files in a subarea.
type K = i32;

fn men_of(line: &str) -> GridMen {
    let mut men = Vec::new();
    for word in line.split_whitespace().skip(2) {
        let (place, stack) = word.split_once('=').unwrap();
        let file = i32::from(place.as_bytes()[0] - b'a') + 1;
        let rank: i32 = place[1..].parse().unwrap();
        let top = stack.chars().last().unwrap();
        for side in stack.chars() {
            men.push((side, file, rank, side != top));
        }
    }
    men.sort_unstable();
    men
}

/// Returns whether there is a wall to the right of a square.
fn wall_right_of(k: K, file: i32, rank: i32) -> bool {
    (file == k && rank <= 2 * k) || (file == 2 * k && rank > k)
}

fn walls_passed(k: K, rank: i32, from: i32, to: i32) -> usize {
    (from.min(to)..from.max(to)).filter(|&file| wall_right_of(k, file, rank)).count()
}

/// Returns the forward direction as a change of file and rank.
fn forward(k: K, side: char, file: i32, rank: i32) -> (i32, i32) {
    if side == 'X' {
        // X sees the board from the other side.
        let (files, ranks) = forward(k, 'O', 3 * k + 1 - file, 3 * k + 1 - rank);
        return (-files, -ranks);
    }
    let left = file <= k;
    let middle = !left && file <= 2 * k;
    let top = rank > 2 * k;
    let bottom = rank <= k;
    if left && !top {
        (0, 1)
    } else if left {
        (1, 0)
    } else if middle && !bottom {
        (0, -1)
    } else if middle {
        (1, 0)
    } else {
        (0, 1)
    }
}

fn count(men: &GridMen, side: char, file: i32, rank: i32) -> usize {
    men.iter().filter(|man| (man.0, man.1, man.2) == (side, file, rank)).count()
}

/// Returns all results of one hop by one die.
fn hops(k: K, men: &GridMen, side: char, die: i32) -> BTreeSet<GridMen> {
    let enemy = if side == 'O' { 'X' } else { 'O' };
    let mut all = BTreeSet::new();
    for (i, &(whose, file, rank, pinned)) in men.iter().enumerate() {
        if whose != side || pinned || (i > 0 && men[i - 1] == men[i]) {
            continue;
        }
        let (files, ranks) = forward(k, side, file, rank);
        let eastward = if side == 'O' { 1 } else { -1 };
        for (to_file, to_rank, jumps) in
            [(file + files * die, rank + ranks * die, false), (file + eastward * die, rank, true)]
        {
            if to_file < 1 || to_rank < 1 || to_file > 3 * k || to_rank > 3 * k {
                continue;
            }
            let walls = walls_passed(k, rank, file, to_file);
            let enemies = count(men, enemy, to_file, to_rank);
            let friends = count(men, side, to_file, to_rank);
            let below = |man: &GridMan| (man.1, man.2) == (to_file, to_rank) && man.3;
            let enemy_controls = enemies > 0
                && men
                    .iter()
                    .any(|man| (man.0, man.1, man.2, man.3) == (enemy, to_file, to_rank, false));
            let lone_enemy = enemies == 1 && friends == 0;
            let mut after = men.clone();
            after.remove(i);
            if jumps {
                if walls != 1 || !lone_enemy {
                    continue;
                }
                after.retain(|man| (man.1, man.2) != (to_file, to_rank));
            } else {
                if walls != 0 || (enemy_controls && !lone_enemy) {
                    continue;
                }
                if lone_enemy {
                    for man in &mut after {
                        man.3 |= (man.1, man.2) == (to_file, to_rank);
                    }
                }
                assert!(!after.iter().any(|man| below(man) && man.0 == side));
            }
            after.push((side, to_file, to_rank, false));
            // A pinned man is free once nobody else is on its square.
            if count(&after, side, file, rank) == 0 {
                for man in &mut after {
                    man.3 &= (man.1, man.2) != (file, rank);
                }
            }
            after.sort_unstable();
            all.insert(after);
        }
    }
    all
}

/// Returns the results of all plays.
fn ends(k: K, men: &GridMen, side: char, roll: Roll) -> BTreeSet<GridMen> {
    longest_plays(men, roll, |men, die| hops(k, men, side, die).into_iter().collect())
}

/// Checks that both generators have the same results, each once.
fn compare<G: Game>(position: &G, k: K) -> usize {
    let line = position.notation();
    let words: Vec<&str> = line.split(' ').take(2).collect();
    let side = words[0].chars().next().unwrap();
    let expected = ends(k, &men_of(&line), side, words[1].parse().unwrap());
    let plays = position.moves();
    let found: BTreeSet<GridMen> = plays
        .iter()
        .map(|play| {
            let mut after = position.clone();
            after.play(play);
            men_of(&after.notation())
        })
        .collect();
    assert_eq!(found.len(), plays.len(), "two plays lead to one position: {line}");
    assert!(found == expected, "{line}\n{plays:?}");
    plays.len()
}

/// Returns a random position with men near each other, many of them pinned; it need not occur in a
/// game.
fn scattered(chance: &mut Chance, k: u8, faces: u8) -> String {
    let size = usize::from(3 * k);
    let dice = if chance.below(8) == 0 { 1 } else { 2 };
    let roll = chance.roll(Throw::new(dice, faces));
    let mut line = format!("{} {roll}", ["O", "X"][chance.below(2)]);
    // A band of ranks, with walls on one side or on both; half of the boards have men near the
    // walls only.
    let low = chance.below(size);
    let high = (low + chance.below(5) + 1).min(size);
    let near_walls = chance.below(2) == 0;
    let sparse = 2 + chance.below(4);
    for file in 0..size {
        for rank in low..high {
            let is_far = near_walls && !(size / 3 - 2..size - size / 3 + 2).contains(&file);
            if is_far || chance.below(sparse) > 0 {
                continue;
            }
            let stack = ["O", "X", "OO", "XX", "OX", "XO", "OXX", "XOO", "X", "X", "O", "O"]
                [chance.below(12)];
            let men = |side| line.matches(side).count() + stack.matches(side).count();
            if men('O') <= 13 && men('X') <= 13 {
                let file = char::from(b'a' + u8::try_from(file).unwrap());
                line = format!("{line} {file}{}={stack}", rank + 1);
            }
        }
    }
    line
}

#[test]
fn agrees_on_16_000_scattered_positions() {
    let mut chance = Chance::new(7);
    let mut kills = 0;
    let mut pins = 0;
    for number in 0..16_000 {
        let (words, k, faces) =
            [("", 3, 4), ("large", 4, 6), ("d6", 3, 6), ("large d4", 4, 4)][number % 4];
        let line = scattered(&mut chance, k, faces);
        let position = malaka::Position::place(&options(words), &line).unwrap();
        compare(&position, k.into());
        kills += usize::from(position.moves().iter().any(|play| play.to_string().contains('x')));
        pins += usize::from(line.contains("XO") || line.contains("OX"));
    }
    assert!(kills > 2_000 && pins > 10_000, "{kills} {pins}");
}

#[test]
fn agrees_on_4_000_positions_of_games() {
    let every =
        ["", "large", "many", "no_stagger", "d6", "large d4", "large many", "many no_stagger"];
    let mut seen = 0;
    for seed in 0.. {
        let mut chance = Chance::new(seed);
        let words = every[usize::try_from(seed).unwrap() % every.len()];
        let k = if words.contains("large") { 4 } else { 3 };
        if seed % 8 == 7 {
            seen += compare_game(moloko::Position::setup(&Choices::default()), 3, &mut chance);
        } else {
            seen += compare_game(malaka::Position::setup(&options(words)), k, &mut chance);
        }
        if seen >= 4_000 {
            return;
        }
    }
}

/// Compares at every roll of one random game; returns the number of rolls.
fn compare_game<G: Game>(position: G, k: K, chance: &mut Chance) -> usize {
    let mut seen = 0;
    play_at_random(position, chance, |position| {
        compare(position, k);
        seen += 1;
    });
    seen
}

#[test]
fn the_naive_board_is_the_one_of_the_pictures() {
    assert_eq!(forward(3, 'O', 1, 9), (1, 0));
    assert_eq!(forward(3, 'X', 9, 1), (-1, 0));
    assert_eq!(forward(3, 'X', 5, 5), (0, 1));
    assert_eq!(walls_passed(3, 5, 3, 7), 2);
}

#[test]
fn counts_the_first_two_moves_alike() {
    for (words, k, faces) in [("", 3, 4), ("large", 4, 6)] {
        let start = men_of(&malaka::Position::setup(&options(words)).notation());
        let mut count = 0;
        for first in 1..=faces {
            for men in ends(k, &start, 'O', Roll::One(first)) {
                for roll in Throw::new(2, faces).rolls() {
                    count += ends(k, &men, 'X', roll).len() as u64;
                }
            }
        }
        assert_eq!(malaka::Position::perft(&options(words), 2), count, "{words}");
    }
}
