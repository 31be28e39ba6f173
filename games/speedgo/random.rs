//! Games played out by chance.

use super::board::{Board, beside, diagonal};
use super::{Position, life};
use crate::grid::{Press, PressGame, Square, Squares, Stones};
use crate::kit::{Chance, RandomBelow, Seat};

/// A game played out by the program's thoughts ends here at the latest; nearly all end by themselves.
const LONGEST: usize = 243;

/// Numbers drawn one after the other, with no more ado than a random game needs.
pub(super) struct FastRandom(Chance);

impl FastRandom {
    /// A stream of numbers that follows from one number drawn.
    pub(super) fn new(below: RandomBelow) -> Self {
        Self(Chance::new(below(1 << 31) as u64))
    }

    /// A number below a limit that is small: one is likelier than another by less than 2^-24.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (((self.0.bits() >> 32) * limit as u64) >> 32) as usize
    }
}

/// Plays a position to its end, each legal move as likely as any other, a pass among them; shows
/// every move to `at` and returns how many there were.
pub(super) fn play_out(
    position: &mut Position,
    below: RandomBelow,
    mut at: impl FnMut(Press),
) -> usize {
    let mut draw = FastRandom::new(below);
    if position.awaited > 0 {
        let stones = PressGame::deal(position, below);
        position.lay(stones).expect("what is dealt can be laid");
    }
    let mut made = 0;
    let is_over =
        |position: &Position| position.passes >= 2 || life::is_settled(position.board.stones());
    let mut over = is_over(position) || position.past.repeats();
    while !over {
        let dark = position.board.dark();
        let drawn = draw.below(dark.len() + 1);
        match dark.get(drawn) {
            None => {
                PressGame::pass(position);
                at(Press::Pass);
            }
            // To draw again until a move is legal leaves all legal ones as likely.
            Some(&square) if !position.board.allows(square) => continue,
            Some(&square) => {
                let before = position.past.len();
                PressGame::press(position, square);
                at(Press::At(square));
                over = position.past.len() > before && position.past.repeats();
            }
        }
        over = over || is_over(position);
        made += 1;
    }
    made
}

/// Whether a dark point is an eye of that side, which it does better not to fill: its own stones
/// are beside it, and of the points diagonal to it the enemy has at most one, at the rim none.
pub(super) fn is_eye(stones: Stones, square: Square, seat: Seat) -> bool {
    let near = beside(square);
    near.without(stones[seat]).is_empty() && {
        let corners = (diagonal(square) & stones[seat.other()]).len();
        corners + u32::from(near.len() < 4) < 2
    }
}

/// Plays a board to its end as the program's thoughts do: stones in danger near the last press are
/// taken or rescued, else any point may be pressed but an own eye. Returns the points that each
/// side was the first to press.
pub(super) fn play_on(
    board: &mut Board,
    last: Option<Square>,
    mut passes: u8,
    draw: &mut FastRandom,
) -> [Squares; 2] {
    let mut pressed = [Squares::NONE; 2];
    let mut last = last;
    for _ in 0..LONGEST {
        if passes >= 2 {
            break;
        }
        let urgent = last.and_then(|last| urgent(board, last));
        let Some(square) = urgent.or_else(|| any(board, draw)) else {
            board.pass();
            (passes, last) = (passes + 1, None);
            continue;
        };
        if !(pressed[0] | pressed[1]).contains(square) {
            pressed[board.turn().index()].insert(square);
        }
        board.press(square);
        (passes, last) = (0, Some(square));
    }
    pressed
}

/// A point that takes or rescues stones near the last press, if there is one.
fn urgent(board: &Board, last: Square) -> Option<Square> {
    let allowed =
        |point: Squares| point.iter().next().filter(|&only| point.len() == 1 && board.allows(only));
    if let Some(only) = allowed(board.liberties(last)) {
        return Some(only);
    }
    let stones = board.stones();
    let own = board.turn();
    for friend in (beside(last) & stones[own]).iter() {
        let liberties = board.liberties(friend);
        if liberties.len() != 1 {
            continue;
        }
        let foes = board.body(friend).beside() & stones[own.other()];
        for foe in foes.iter() {
            if let Some(only) = allowed(board.liberties(foe)) {
                return Some(only);
            }
        }
        // It helps to run where there is room, or to friends who have some.
        if let Some(only) = allowed(liberties) {
            let near = beside(only);
            let room = near.without(stones.lit());
            let helped =
                (near & stones[own]).iter().fold(room, |all, next| all | board.liberties(next));
            if helped.len() > 2 || (helped.len() == 2 && !helped.contains(only)) {
                return Some(only);
            }
        }
    }
    None
}

/// A point that may be pressed and is no own eye, each as likely as any other.
fn any(board: &mut Board, draw: &mut FastRandom) -> Option<Square> {
    let (stones, own) = (board.stones(), board.turn());
    for left in (1..=board.dark().len()).rev() {
        let drawn = draw.below(left);
        let square = board.dark()[drawn];
        if board.allows(square) && !is_eye(stones, square, own) {
            return Some(square);
        }
        // Points that will not do come behind those that may.
        board.shuffle(drawn, left - 1);
    }
    None
}
