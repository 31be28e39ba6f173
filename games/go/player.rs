//! The program: playouts that fill the board, for its moves and for the dead stones.

use super::board::{Board, Point, PointSet};
use super::{GoMove, Position};
use crate::kit::playout_search::{self, Playout};
use crate::kit::{Chance, Game, RandomBelow, Seat};

/// The number of levels, and the playouts of each for a move on nine lines.
pub(super) const LEVELS: u8 = 4;
const PLAYOUTS: [usize; LEVELS as usize] = [12, 60, 250, 700];

/// The points of a board of nine lines.
const USUAL: usize = 9 * 9;

/// The playouts for the dead stones.
const JUDGED: u32 = 64;

/// The part of these playouts, of three, in which a dead stone's point is the enemy's at the end.
const MOSTLY: u32 = 2;

impl Position {
    /// Returns the program's move.
    pub(super) fn program_move(&self, level: u8, below: RandomBelow) -> Option<GoMove> {
        if self.is_over() {
            return None;
        }
        if let Some(scoring) = &self.scoring {
            return Some(self.answer(&scoring.dead));
        }
        if self.passes == 1 && self.is_ahead(&self.judged()) {
            return Some(GoMove::Pass);
        }
        // In the search all stones count, so that what is dead must be taken.
        let searched = Self { all_count: true, ..self.clone() };
        match searched.candidates()[..] {
            [only] => Some(only),
            _ => playout_search::choose(&searched, self.playouts(level), below),
        }
    }

    /// Returns the playouts of a level. A playout takes as long as the board has points, so a larger
    /// board has fewer of them.
    fn playouts(&self, level: u8) -> u32 {
        let usual = PLAYOUTS[usize::from(level.clamp(1, LEVELS) - 1)];
        let points = usize::from(self.board.size()).pow(2);
        u32::try_from(usual * USUAL / points.max(USUAL)).unwrap_or(u32::MAX)
    }

    /// Returns the stones that the program takes for dead if both pass now.
    fn judged(&self) -> PointSet {
        if self.all_count {
            PointSet::default()
        } else {
            dead_stones(&self.board, self.turn.other())
        }
    }

    /// Returns whether the side to move wins if these stones are dead.
    fn is_ahead(&self, dead: &PointSet) -> bool {
        let lead = self.lead(dead);
        if self.turn == Seat(0) { lead > 0 } else { lead < 0 }
    }

    /// Answers to marks: it agrees to its own opinion and to what is better for it, and else plays on.
    fn answer(&self, dead: &PointSet) -> GoMove {
        let own = self.lead(&dead_stones(&self.board, self.turn));
        let marked = self.lead(dead);
        let is_as_good = if self.turn == Seat(0) { marked >= own } else { marked <= own };
        if is_as_good { GoMove::Agree } else { GoMove::Continue }
    }
}

impl Playout for Position {
    fn candidates(&self) -> Vec<GoMove> {
        if self.scoring.is_some() {
            return self.moves();
        }
        let is_worth = |point: &Point| {
            self.board.is_empty(*point)
                && !self.board.is_eye(self.turn, *point)
                && self.can_place(*point)
        };
        let stones = self.board.points().filter(is_worth).map(GoMove::Stone);
        let stones: Vec<GoMove> = stones.collect();
        if stones.is_empty() { vec![GoMove::Pass] } else { stones }
    }

    fn play_out(&mut self, chance: &mut Chance) -> Option<Seat> {
        fill(&mut self.board, self.turn, chance);
        match self.lead(&PointSet::default()) {
            0 => None,
            lead => Some(Seat(u8::from(lead < 0))),
        }
    }

    fn has_played(&self, seat: Seat, m: &GoMove) -> bool {
        match *m {
            GoMove::Stone(point) => self.board.at(point) == Some(seat),
            _ => false,
        }
    }
}

/// Returns the stones that are dead, as far as playouts show it: the same for equal boards.
pub(super) fn dead_stones(board: &Board, turn: Seat) -> PointSet {
    let chains = board.chains();
    let mut chance = Chance::new(board.hash());
    let mut lost = vec![0; chains.len()];
    for playout in 0..JUDGED {
        let mut filled = *board;
        let first = if playout % 2 == 0 { turn } else { turn.other() };
        fill(&mut filled, first, &mut chance);
        for (stone, lost) in chains.iter().zip(&mut lost) {
            let enemy = board.at(*stone).map(Seat::other);
            *lost += u32::from(filled.owner_near(*stone) == enemy);
        }
    }
    let is_dead = |(_, lost): &(&Point, &u32)| 3 * **lost > MOSTLY * JUDGED;
    let dead = chains.iter().zip(&lost).filter(is_dead).map(|(stone, _)| board.chain(*stone));
    dead.fold(PointSet::default(), |dead, chain| dead.with(&chain))
}

/// Plays at random until only eyes are left, or for as long as three boards have points.
fn fill(board: &mut Board, first: Seat, chance: &mut Chance) {
    let mut empty: Vec<Point> = board.points().filter(|point| board.is_empty(*point)).collect();
    let most = 3 * usize::from(board.size()).pow(2);
    let (mut turn, mut passes, mut ko) = (first, 0, None);
    for _ in 0..most {
        // Those that cannot be played now are put behind the others.
        let mut open = empty.len();
        let mut played = None;
        while open > 0 {
            let at = chance.below(open);
            let point = empty[at];
            if Some(point) != ko && !board.is_eye(turn, point) && board.can_live(turn, point) {
                played = Some(at);
                break;
            }
            open -= 1;
            empty.swap(at, open);
        }
        let Some(at) = played else {
            (passes, ko, turn) = (passes + 1, None, turn.other());
            if passes == 2 {
                return;
            }
            continue;
        };
        let point = empty.swap_remove(at);
        let before = empty.len();
        board.play(turn, point, &mut empty);
        // A stone that takes one and is alone may not be taken back at once.
        ko = match empty[before..] {
            [taken] if board.is_alone_beside(point, taken) => Some(taken),
            _ => None,
        };
        (turn, passes) = (turn.other(), 0);
    }
}
