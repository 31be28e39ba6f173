//! The program's presses, by level.
//!
//! Both games are decided by the next generations after a press, which can be tried. Levels differ
//! in the number of presses they try, and the highest also in depth.

use super::generation::{AgedPoints, Birth, pressed};
use super::two::GENERATIONS;
use crate::grid::{Square, Squares, Stones};
use crate::kit::{RandomBelow, Seat};
use std::cmp::Reverse;

/// The number of levels.
pub(super) const LEVELS: u8 = 4;

/// The width of a level's search for the presses of one generation of Life1.
struct SearchWidth {
    /// The number of random points tried for each press; `None` means all points that matter.
    points: Option<usize>,
    /// The number of sets of presses kept while searching one press more.
    keeps: usize,
    /// The number of these sets that are also judged by the presses of the next generation.
    looks_on: usize,
}

const WIDTHS: [SearchWidth; LEVELS as usize] = [
    SearchWidth { points: Some(2), keeps: 1, looks_on: 0 },
    SearchWidth { points: Some(6), keeps: 1, looks_on: 0 },
    SearchWidth { points: None, keeps: 1, looks_on: 0 },
    SearchWidth { points: None, keeps: 30, looks_on: 10 },
];

/// The width of that second search: all points that matter, one set.
const AFTERWARDS: SearchWidth = SearchWidth { points: None, keeps: 1, looks_on: 0 };

/// A set of presses tried on a board of Life1.
#[derive(Clone, Copy)]
struct TriedPresses {
    /// The number of points alive after the next generation.
    lives: u32,
    /// The first press of the set, if any.
    first: Option<Square>,
    /// The board after the presses.
    board: AgedPoints,
}

impl TriedPresses {
    fn new(board: AgedPoints, first: Option<Square>) -> Self {
        Self { lives: board.next().living().len(), first, board }
    }
}

/// Returns a level's presses on a board of Life1 with `left` presses left; none if no press leaves
/// fewer points alive.
pub(super) fn choose_life1(
    board: &AgedPoints,
    left: u8,
    level: u8,
    below: RandomBelow,
) -> Option<Square> {
    let width = &WIDTHS[usize::from(level.clamp(1, LEVELS) - 1)];
    let (best, kept) = search_presses(*board, left, width, below);
    if width.looks_on == 0 || best.lives == 0 {
        return best.first;
    }
    let afterwards = |tried: &TriedPresses| {
        let grown = tried.board.next();
        (search_presses(grown, super::one::PRESSES, &AFTERWARDS, below).0.lives, tried.lives)
    };
    kept.into_iter().take(width.looks_on).chain([best]).min_by_key(afterwards)?.first
}

/// Returns the best set of presses, and the sets kept at the end.
fn search_presses(
    board: AgedPoints,
    left: u8,
    width: &SearchWidth,
    below: RandomBelow,
) -> (TriedPresses, Vec<TriedPresses>) {
    let mut best = TriedPresses::new(board, None);
    let mut kept = vec![best];
    let mut more = Vec::new();
    for _ in 0..left {
        for from in &kept {
            // A press elsewhere makes a lonely point that dies at once.
            let near = from.board.living() | from.board.living().around();
            let mut press = |square: Square| {
                let mut board = from.board;
                board.toggle(square.into());
                more.push(TriedPresses::new(board, from.first.or(Some(square))));
            };
            match width.points {
                None => near.iter().for_each(&mut press),
                Some(count) => (0..count).filter_map(|_| near.any(below)).for_each(&mut press),
            }
        }
        more.sort_by_key(|tried| tried.lives);
        // The same presses in another order.
        more.dedup_by_key(|tried| tried.board);
        more.truncate(width.keeps);
        std::mem::swap(&mut kept, &mut more);
        more.clear();
        best = kept.first().filter(|first| first.lives < best.lives).copied().unwrap_or(best);
    }
    (best, kept)
}

/// The width of a lower level's search for a turn of Life2.
struct TurnWidth {
    /// The number of random points tried for each press.
    points: usize,
    /// The maximum number of presses.
    presses: u8,
}

const THOUGHTS: [TurnWidth; LEVELS as usize - 1] = [
    TurnWidth { points: 1, presses: 1 },
    TurnWidth { points: 3, presses: 1 },
    TurnWidth { points: 6, presses: 2 },
];

/// The number of own turns after which the highest level searches the best reply.
const ANSWERED: usize = 16;

/// The value of a win, more than all points of the board.
const WIN: i32 = 1_000;

/// Returns a level's presses on a board of Life2 with `left` presses left; none if that is the best
/// choice.
pub(super) fn choose_life2(
    birth: Birth,
    stones: &Stones,
    seat: Seat,
    left: u8,
    level: u8,
    below: RandomBelow,
) -> Option<Square> {
    if let Some(thought) = THOUGHTS.get(usize::from(level.max(1) - 1)) {
        let made = super::two::PRESSES - left;
        if made >= thought.presses {
            return None;
        }
        let points = (0..thought.points).filter_map(|_| Squares::ALL.any(below)).map(Some);
        // A turn begins with a press in any case.
        let idle = (made > 0).then_some(None);
        return points.chain(idle).max_by_key(|&square| {
            let after = square.map_or(*stones, |at| pressed(*stones, seat, at.into()));
            worth(&grown(birth, after), seat)
        })?;
    }
    let mut turns = turns(birth, stones, seat, left);
    turns.sort_by_key(|turn| Reverse(turn.worth));
    turns.truncate(ANSWERED);
    let mut best: Option<(i32, Option<Square>)> = None;
    for turn in &turns {
        let least = best.map_or(i32::MIN, |(worth, _)| worth);
        let worth = answered(birth, turn, seat, least);
        if worth > least {
            best = Some((worth, turn.first));
        }
    }
    best?.1
}

/// A turn of Life2 that was tried.
struct TriedTurn {
    /// Its value for the side that made it.
    worth: i32,
    first: Option<Square>,
    /// The board after the generations.
    grown: Stones,
}

/// Returns every turn of at most this many presses.
fn turns(birth: Birth, stones: &Stones, seat: Seat, left: u8) -> Vec<TriedTurn> {
    let mut turns = Vec::new();
    each_turn(stones, seat, left, &mut |first, after| {
        let grown = grown(birth, after);
        turns.push(TriedTurn { worth: worth(&grown, seat), first, grown });
        true
    });
    turns
}

/// Returns the value of a turn after the best reply; `least` or less as soon as it cannot be more.
fn answered(birth: Birth, turn: &TriedTurn, seat: Seat, least: i32) -> i32 {
    if turn.grown.count().contains(&0) {
        return turn.worth;
    }
    let mut found = WIN;
    each_turn(&turn.grown, seat.other(), super::two::PRESSES, &mut |_, after| {
        found = found.min(worth(&grown(birth, after), seat));
        found > least
    });
    found
}

/// Calls `with` with the first press and the board of every turn of at most this many presses,
/// until it returns false. Two presses are tried in one order only; both on one point only where
/// that makes an enemy point its own.
fn each_turn(
    stones: &Stones,
    seat: Seat,
    left: u8,
    with: &mut impl FnMut(Option<Square>, Stones) -> bool,
) {
    let goes_on = with(None, *stones);
    if !goes_on || left == 0 {
        return;
    }
    for first in Square::all() {
        let once = pressed(*stones, seat, first.into());
        if !with(Some(first), once) {
            return;
        }
        if left == 1 || once.count().contains(&0) {
            continue;
        }
        let begin = first.index() + usize::from(!stones[seat.other()].contains(first));
        for second in Square::all().skip(begin) {
            if !with(Some(first), pressed(once, seat, second.into())) {
                return;
            }
        }
    }
}

/// Returns the board after the generations of a turn; they stop when a colour dies out.
fn grown(birth: Birth, mut stones: Stones) -> Stones {
    for _ in 0..GENERATIONS {
        if stones.count().contains(&0) {
            break;
        }
        stones = birth.next(&stones);
    }
    stones
}

/// Returns the lead in points of a side.
fn worth(stones: &Stones, seat: Seat) -> i32 {
    let [green, red] = stones.count().map(u32::cast_signed);
    let more = if seat == Seat(0) { green - red } else { red - green };
    match (green, red) {
        (0, 0) => 0,
        (0, _) | (_, 0) => WIN * more.signum(),
        _ => more,
    }
}
