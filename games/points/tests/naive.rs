//! A second generator of plays, written from the rules as simply as possible: a list of men with
//! their progress, and all results of each step.

use super::super::{Board, Race, apply, line, place, plays};
use super::family::random_race;
use super::hits::Hits;
use crate::fevga::Fevga;
use crate::hypergammon::Hypergammon;
use crate::kit::Chance;
use crate::kit::fixtures::longest_plays;
use crate::kit::{Roll, Seat, Throw};
use crate::moultezim::Moultezim;
use crate::nackgammon::Nackgammon;
use crate::nardy::Nardy;
use crate::plakoto::Plakoto;
use crate::portes::Portes;
use std::collections::BTreeSet;

/// A man: its side, the squares of its path behind it, and whether it is pinned. On the bar a man
/// is at -1 and off the board at 24.
type WayMan = (char, i32, bool);

/// All men, sorted.
type WayMen = Vec<WayMan>;

/// The rules of a game for the second generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NaiveRules {
    Backgammon,
    Plakoto,
    Moultezim,
    Fevga,
    Nardy,
}

const BAR: i32 = -1;
const OFF: i32 = 24;

impl NaiveRules {
    /// Returns the squares of a side's path.
    fn way(self, side: char) -> Vec<i32> {
        match (self, side) {
            (Self::Backgammon, 'X')
            | (Self::Plakoto | Self::Moultezim | Self::Fevga | Self::Nardy, 'O') => {
                (1..=24).collect()
            }
            (Self::Moultezim | Self::Fevga | Self::Nardy, _) => (13..=24).chain(1..=12).collect(),
            _ => (1..=24).rev().collect(),
        }
    }

    /// Returns the square of a man on the board.
    fn square(self, man: &WayMan) -> Option<i32> {
        (man.1 != BAR && man.1 != OFF).then(|| self.way(man.0)[usize::try_from(man.1).unwrap()])
    }

    fn men_of(self, line: &str) -> WayMen {
        let mut men = Vec::new();
        for word in line.split_whitespace().skip(2) {
            let (place, stack) = word.split_once('=').unwrap();
            let top = stack.chars().last().unwrap();
            for side in stack.chars() {
                let behind = match place {
                    "bar" => BAR,
                    "off" => OFF,
                    number => {
                        let number: i32 = number.parse().unwrap();
                        let way = self.way(side);
                        let at = way.iter().position(|&square| square == number);
                        i32::try_from(at.unwrap()).unwrap()
                    }
                };
                men.push((side, behind, side != top && !matches!(place, "bar" | "off")));
            }
        }
        men.sort_unstable();
        let of = |side: char| men.iter().filter(|man| man.0 == side).count();
        assert!(of('O') == of('X') && [3, 15].contains(&of('O')), "{line}");
        men
    }

    /// Returns the other side's men after a man lands on a square; `None` if it may not.
    fn land(self, men: &WayMen, side: char, square: i32) -> Option<Vec<usize>> {
        let there: Vec<usize> =
            (0..men.len()).filter(|&i| self.square(&men[i]) == Some(square)).collect();
        let enemies: Vec<usize> = there.iter().copied().filter(|&i| men[i].0 != side).collect();
        let mine_is_pinned = there.iter().any(|&i| men[i].0 == side && men[i].2);
        let allowed = match self {
            Self::Backgammon => enemies.len() < 2,
            Self::Plakoto => enemies.len() < 2 && !mine_is_pinned,
            Self::Moultezim | Self::Fevga | Self::Nardy => enemies.is_empty(),
        };
        allowed.then_some(enemies)
    }

    /// Returns all results of one man's step by one die.
    fn steps(self, men: &WayMen, side: char, die: i32) -> BTreeSet<WayMen> {
        let mut all = BTreeSet::new();
        let mine = || men.iter().filter(|man| man.0 == side);
        for (i, &(whose, behind, pinned)) in men.iter().enumerate() {
            if whose != side || pinned || behind == OFF || (i > 0 && men[i - 1] == men[i]) {
                continue;
            }
            if behind != BAR && mine().any(|man| man.1 == BAR) {
                continue;
            }
            let mut after = men.clone();
            after.remove(i);
            let to = behind + die;
            if to >= 24 {
                let all_home = mine().all(|man| man.1 >= 18 && !man.2);
                let is_last = mine().all(|man| man.1 >= behind);
                if !all_home || (to > 24 && !is_last) {
                    continue;
                }
                after.push((side, OFF, false));
            } else {
                let square = self.way(side)[usize::try_from(to).unwrap()];
                let Some(enemies) = self.land(&after, side, square) else { continue };
                for enemy in enemies {
                    match self {
                        Self::Backgammon => after[enemy].1 = BAR,
                        _ => after[enemy].2 = true,
                    }
                }
                after.push((side, to, false));
            }
            // A pinned man is free once nobody else is on its square.
            if behind >= 0 && !after.contains(&(side, behind, false)) {
                let left = self.square(&men[i]);
                for man in after.iter_mut().filter(|man| self.square(man) == left) {
                    man.2 = false;
                }
            }
            after.sort_unstable();
            if self.allows(men, &after, side, behind) {
                all.insert(after);
            }
        }
        all
    }

    /// The rules of Moultezim and Fevga about a step: the first man, and the first six points.
    fn allows(self, before: &WayMen, after: &WayMen, side: char, behind: i32) -> bool {
        // How far the first man must come: to the other start, or past it.
        let far_enough = match self {
            Self::Moultezim => 12,
            Self::Fevga => 13,
            Self::Backgammon | Self::Plakoto => return true,
            Self::Nardy => return self.has_enemies_before_primes(after, side),
        };
        let mine = |men: &WayMen| -> Vec<i32> {
            men.iter().filter(|man| man.0 == side).map(|man| man.1).collect()
        };
        let (was, is) = (mine(before), mine(after));
        let first_is_through = was.iter().any(|&far| far >= far_enough);
        let first_has_left = was.iter().any(|&far| far > 0);
        let home_is_full = (0..6).all(|far| is.contains(&far));
        !home_is_full && (first_is_through || !first_has_left || behind > 0)
    }

    /// Nardy: whether an enemy is in front of each six squares in a row, on the circle of squares, that
    /// have men of the side.
    fn has_enemies_before_primes(self, men: &WayMen, side: char) -> bool {
        let squares: Vec<i32> =
            men.iter().filter(|man| man.0 == side).filter_map(|man| self.square(man)).collect();
        let enemies: Vec<&WayMan> = men.iter().filter(|man| man.0 != side).collect();
        let way = self.way(enemies[0].0);
        (0..24).filter(|first| (0..6).all(|k| squares.contains(&((first + k) % 24 + 1)))).all(
            |first| {
                let front = (first + 5) % 24 + 1;
                let far = way.iter().position(|&square| square == front).unwrap();
                enemies.iter().any(|man| man.1 > i32::try_from(far).unwrap())
            },
        )
    }

    /// Nardy: whether at most one man has left the head since the turn began, or two in a first turn
    /// with three certain rolls.
    fn leaves_few(self, before: &WayMen, after: &WayMen, side: char, roll: Roll) -> bool {
        let on_head = |men: &WayMen| men.iter().filter(|man| man.0 == side && man.1 == 0).count();
        let double = [3, 4, 6].into_iter().any(|die| roll == Roll::Two(die, die));
        let most = if double && on_head(before) == 15 { 2 } else { 1 };
        self != Self::Nardy || on_head(before) - on_head(after) <= most
    }

    /// Whether all enemies are on one square, with the side's men on each of the next six squares of
    /// their way: Fevga's prime that must be open where it can be.
    fn shuts_all_in(self, men: &WayMen, side: char) -> bool {
        let enemies: Vec<&WayMan> = men.iter().filter(|man| man.0 != side).collect();
        let far = enemies[0].1;
        if self != Self::Fevga || far + 6 >= 24 || enemies.iter().any(|man| man.1 != far) {
            return false;
        }
        let way = self.way(enemies[0].0);
        let squares: Vec<i32> =
            men.iter().filter(|man| man.0 == side).filter_map(|man| self.square(man)).collect();
        (far + 1..=far + 6).all(|next| squares.contains(&way[usize::try_from(next).unwrap()]))
    }

    /// Returns the results of all legal plays.
    fn ends(self, men: &WayMen, side: char, roll: Roll) -> BTreeSet<WayMen> {
        let longest = self.longest(men, side, roll);
        let open: BTreeSet<WayMen> =
            longest.iter().filter(|men| !self.shuts_all_in(men, side)).cloned().collect();
        if open.is_empty() { longest } else { open }
    }

    /// Returns the results of the longest plays.
    fn longest(self, men: &WayMen, side: char, roll: Roll) -> BTreeSet<WayMen> {
        longest_plays(men, roll, |from, die| {
            let next = self.steps(from, side, die).into_iter();
            next.filter(|is| self.leaves_few(men, is, side, roll)).collect()
        })
    }
}

/// Checks that both generators have the same results, each once.
fn compare<R: Race>(named: NaiveRules, board: &Board, seat: Seat, roll: Roll) -> usize {
    let line = line::<R>(board, Some(seat), Some(roll));
    let side = ['O', 'X'][seat.index()];
    let expected = named.ends(&named.men_of(&line), side, roll);
    let plays = plays::<R>(board, seat, roll);
    let after = |play| {
        let mut after = *board;
        apply::<R>(&mut after, seat, play);
        named.men_of(&super::super::line::<R>(&after, Some(seat), None))
    };
    let found: BTreeSet<WayMen> = plays.iter().map(after).collect();
    assert_eq!(found.len(), plays.len(), "two plays lead to one position: {line}");
    assert!(found == expected, "{line}\n{plays:?}");
    plays.len()
}

const TWO: Throw = Throw::new(2, 6);

/// Compares on positions of random games, which go on until a side is off.
fn compare_games<R: Race>(named: NaiveRules, positions: usize) {
    let mut chance = Chance::new(1);
    let mut seen = 0;
    while seen < positions {
        random_race::<R>(&mut chance, |board, seat, roll| {
            compare::<R>(named, board, seat, roll);
            seen += 1;
        });
    }
}

/// Returns a random position with men near each other, which need not occur in a game.
fn scattered(named: NaiveRules, chance: &mut Chance) -> String {
    let low = chance.below(24);
    let high = (low + 4 + chance.below(21)).min(24);
    let mut stacks: Vec<(String, String)> = Vec::new();
    for square in low..high {
        let stack = match (chance.below(8), named) {
            (0..=2, _) => "O",
            (3..=5, _) => "X",
            (6, NaiveRules::Plakoto) => ["OX", "XO"][chance.below(2)],
            _ => continue,
        };
        stacks.push(((square + 1).to_string(), stack.to_owned()));
    }
    if named == NaiveRules::Backgammon && chance.below(2) == 0 {
        stacks.push(("bar".to_owned(), ["O", "X", "OX"][chance.below(3)].to_owned()));
    }
    stacks.push(("off".to_owned(), String::new()));
    for side in ['O', 'X'] {
        let count = |stacks: &[(String, String)]| -> usize {
            stacks.iter().map(|(_, stack)| stack.matches(side).count()).sum()
        };
        while count(&stacks) < 15 {
            let i = chance.below(stacks.len());
            let (place, stack) = &mut stacks[i];
            if stack.ends_with(side) || place == "off" {
                stack.push(side);
            }
        }
    }
    let words: Vec<String> = stacks
        .iter()
        .filter(|(_, stack)| !stack.is_empty())
        .map(|(place, stack)| format!("{place}={stack}"))
        .collect();
    words.join(" ")
}

/// Returns whether no man can ever move again: only where both mothers are pinned.
fn is_dead<R: Race>(board: &Board) -> bool {
    Seat::BOTH.into_iter().all(|seat| {
        (1..=6).all(|die| plays::<R>(board, seat, Roll::One(die))[0].steps().is_empty())
    })
}

/// Compares on scattered positions.
fn compare_scattered<R: Race>(named: NaiveRules, positions: usize) {
    let mut chance = Chance::new(2);
    let (mut seen, mut passes) = (0, 0);
    while seen < positions {
        let line = scattered(named, &mut chance);
        // Boards that cannot occur in the game are refused.
        let Ok((board, _)) = place::<R>(line.split(' ')) else { continue };
        if board.men.iter().any(|men| men.are_off()) {
            continue;
        }
        assert!(
            !is_dead::<R>(&board) || board.pinned.iter().all(|set| set >> 24 & 1 == 1),
            "{line}"
        );
        let seat = Seat::BOTH[chance.below(2)];
        passes += usize::from(compare::<R>(named, &board, seat, chance.roll(TWO)) == 1);
        seen += 1;
    }
    assert!(passes > positions / 20, "{passes}");
}

#[test]
fn agrees_on_20_000_positions_of_plakoto() {
    compare_games::<Plakoto>(NaiveRules::Plakoto, 20_000);
}

#[test]
fn agrees_on_20_000_positions_of_moultezim() {
    compare_games::<Moultezim>(NaiveRules::Moultezim, 20_000);
}

#[test]
fn agrees_on_20_000_positions_of_fevga() {
    compare_games::<Fevga>(NaiveRules::Fevga, 20_000);
}

#[test]
fn agrees_on_20_000_positions_of_nardy() {
    compare_games::<Nardy>(NaiveRules::Nardy, 20_000);
}

#[test]
fn agrees_on_positions_of_nackgammon_and_hypergammon() {
    compare_games::<Nackgammon>(NaiveRules::Backgammon, 5_000);
    compare_games::<Hypergammon>(NaiveRules::Backgammon, 10_000);
}

#[test]
fn agrees_on_20_000_positions_with_hits() {
    compare_games::<Hits>(NaiveRules::Backgammon, 20_000);
}

#[test]
fn agrees_on_scattered_positions_of_plakoto() {
    compare_scattered::<Plakoto>(NaiveRules::Plakoto, 10_000);
}

#[test]
fn agrees_on_scattered_positions_of_moultezim() {
    compare_scattered::<Moultezim>(NaiveRules::Moultezim, 10_000);
}

#[test]
fn agrees_on_scattered_positions_of_fevga() {
    compare_scattered::<Fevga>(NaiveRules::Fevga, 10_000);
}

#[test]
fn agrees_on_scattered_positions_of_nardy() {
    compare_scattered::<Nardy>(NaiveRules::Nardy, 10_000);
}

/// All men of one side are on one point, and the other side holds about six points before it.
#[test]
fn agrees_on_primes_of_fevga() {
    let mut chance = Chance::new(5);
    let (mut seen, mut bound) = (0, 0);
    while seen < 5_000 {
        let named = NaiveRules::Fevga;
        let (side, enemy) = [('O', 'X'), ('X', 'O')][chance.below(2)];
        let (mine, theirs) = (named.way(side), named.way(enemy));
        // All men are on the start, or past the other one.
        let far = [0, 0, 13, 14, 15, 16, 17][chance.below(7)];
        let mut stacks = [const { String::new() }; 25];
        stacks[usize::try_from(theirs[far]).unwrap()] = enemy.to_string().repeat(15);
        for man in 0..15 {
            // One man on each of the six points; the others near them, or anywhere.
            let square = match (man, chance.below(4)) {
                (0..6, _) => theirs[far + 1 + man],
                (_, 0) => mine[chance.below(24)],
                _ => theirs[far + 1 + chance.below(6)],
            };
            let square = if square == theirs[far] { theirs[far + 1] } else { square };
            stacks[usize::try_from(square).unwrap()].push(side);
        }
        let words = (1..25).filter(|&square| !stacks[square].is_empty());
        let line: Vec<String> =
            words.map(|square| format!("{square}={}", stacks[square])).collect();
        let Ok((board, _)) = place::<Fevga>(line.iter().map(String::as_str)) else { continue };
        let seat = Seat(u8::from(side == 'X'));
        let roll = chance.roll(TWO);
        compare::<Fevga>(named, &board, seat, roll);
        let men = named.men_of(&super::super::line::<Fevga>(&board, Some(seat), Some(roll)));
        let longest = named.longest(&men, side, roll);
        let shut = longest.iter().filter(|men| named.shuts_all_in(men, side)).count();
        assert!(shut < longest.len(), "some play opens the prime: {line:?} {roll}");
        bound += usize::from(shut > 0);
        seen += 1;
    }
    assert!(bound > 3_000, "{bound}");
}

/// Plays whole games by both generators.
fn compare_whole_games<R: Race>(named: NaiveRules, games: u64) {
    for seed in 0..games {
        random_race::<R>(&mut Chance::new(1_000 + seed), |board, seat, roll| {
            compare::<R>(named, board, seat, roll);
        });
    }
}

#[test]
#[ignore = "takes six minutes: docs/reliability.md has the command"]
fn agrees_on_2_000_games_of_fevga_and_portes() {
    compare_whole_games::<Fevga>(NaiveRules::Fevga, 2_000);
    compare_whole_games::<Portes>(NaiveRules::Backgammon, 2_000);
}

#[test]
#[ignore = "takes minutes: docs/reliability.md has the command"]
fn agrees_on_2_000_games_of_nardy_nackgammon_and_hypergammon() {
    compare_whole_games::<Hypergammon>(NaiveRules::Backgammon, 2_000);
    compare_whole_games::<Nackgammon>(NaiveRules::Backgammon, 2_000);
    compare_whole_games::<Nardy>(NaiveRules::Nardy, 2_000);
}

#[test]
fn agrees_on_scattered_positions_with_hits() {
    compare_scattered::<Hits>(NaiveRules::Backgammon, 10_000);
}

/// Counts the first turns with the second generator.
fn ways(named: NaiveRules, men: &WayMen, side: char, turns: u32) -> u64 {
    let other = if side == 'O' { 'X' } else { 'O' };
    TWO.rolls()
        .map(|roll| {
            let ends = named.ends(men, side, roll);
            match turns {
                1 => ends.len() as u64,
                _ => ends.iter().map(|men| ways(named, men, other, turns - 1)).sum(),
            }
        })
        .sum()
}

fn ways_from_start<R: Race>(named: NaiveRules, turns: u32) -> u64 {
    let men = named.men_of(&line::<R>(&Board::start(R::START), None, None));
    ways(named, &men, 'O', turns)
}

fn counted(name: &str, turns: u32) -> u64 {
    crate::find(name).unwrap().perft(&crate::kit::Choices::default(), turns)
}

#[test]
fn counts_the_first_plays_alike() {
    assert_eq!(ways_from_start::<Hits>(NaiveRules::Backgammon, 2), 202_782);
    assert_eq!(ways_from_start::<Plakoto>(NaiveRules::Plakoto, 2), counted("plakoto", 2));
    assert_eq!(ways_from_start::<Moultezim>(NaiveRules::Moultezim, 3), counted("moultezim", 3));
    assert_eq!(ways_from_start::<Fevga>(NaiveRules::Fevga, 3), counted("fevga", 3));
    assert_eq!(ways_from_start::<Nardy>(NaiveRules::Nardy, 3), counted("nardy", 3));
}

#[test]
#[ignore = "takes a minute"]
fn counts_one_play_more_alike() {
    assert_eq!(ways_from_start::<Plakoto>(NaiveRules::Plakoto, 3), counted("plakoto", 3));
    assert_eq!(ways_from_start::<Moultezim>(NaiveRules::Moultezim, 4), counted("moultezim", 4));
    assert_eq!(ways_from_start::<Fevga>(NaiveRules::Fevga, 4), counted("fevga", 4));
    assert_eq!(ways_from_start::<Nardy>(NaiveRules::Nardy, 4), counted("nardy", 4));
}
