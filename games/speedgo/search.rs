//! The program's search: a Monte Carlo tree search with random playouts.
//!
//! Sources: Kocsis and Szepesvari, *Bandit based Monte-Carlo Planning* (2006); Gelly and Silver,
//! *Combining online and offline knowledge in UCT* (2007), for the use of later presses (RAVE).
//! Limits count playouts, not time, and only operations that IEEE 754 defines to the last bit are
//! used, so a seed gives the same move on every machine.

use super::board::{Board, area, beside, diagonal, reach};
use super::playouts::{FastRandom, is_eye, play_on};
use super::{Position, life};
use crate::grid::{Press, Squares};
use crate::kit::playout_search::real;
use crate::kit::{RandomBelow, Seat};

/// The number of levels, and the playouts of each for a move.
pub(super) const LEVELS: u8 = 4;
const GAMES: [u32; LEVELS as usize] = [24, 160, 1_000, 6_000];

/// The visits after which a node is expanded.
const RIPE: u32 = 2;
/// The visits after which a node's own value weighs as much as its RAVE value.
const TRUST: f32 = 1_000.0;
/// The weight of exploration.
const CURIOSITY: f32 = 0.04;
/// The weight of the margin in a playout's value.
const MARGIN: f32 = 0.04;

/// A node of the tree. Its values are those for the side that makes its move.
#[derive(Clone, Copy, Debug)]
struct Node {
    press: Press,
    /// The index of its first child, and the number of children.
    first: usize,
    many: usize,
    /// Its visits, and the sum of their values.
    games: u32,
    worth: f32,
    /// The same for playouts in which its point was pressed by its side here or later (RAVE).
    hints: f32,
    promise: f32,
}

impl Node {
    const fn new(press: Press, hints: f32, promise: f32) -> Self {
        Self { press, first: 0, many: 0, games: 0, worth: 0.0, hints, promise: hints * promise }
    }

    /// Returns its expected value: its own playouts, and the RAVE value while there are few of
    /// them.
    fn value(&self) -> f32 {
        let games = real(self.games);
        let hinted = self.hints / (self.hints + games + self.hints * games / TRUST);
        let own = if self.games > 0 { self.worth / games } else { 0.0 };
        hinted * self.promise / self.hints + (1.0 - hinted) * own
    }
}

/// The tree of a move.
struct SearchTree {
    nodes: Vec<Node>,
    komi: u32,
    /// The path of the current playout from the root to a leaf.
    path: Vec<usize>,
}

/// Returns a level's move.
///
/// It passes if nothing can be won any more, if a pass ends the game with a win, and if a pass is
/// best and loses nothing: a side that is behind keeps pressing while it can.
pub(super) fn choose(position: &Position, level: u8, below: RandomBelow) -> Press {
    let board = &position.board;
    let open = open(board);
    let points = position.points();
    let (own, enemy) = (points[board.turn().index()], points[board.turn().other().index()]);
    if open.is_empty() || (position.passes == 1 && own > enemy) {
        return Press::Pass;
    }
    let mut draw = FastRandom::new(below);
    let mut tree = SearchTree {
        nodes: vec![Node::new(Press::Pass, 1.0, 0.5)],
        komi: position.komi,
        path: Vec::new(),
    };
    tree.expand(0, board, open);
    let may_pass = own >= enemy;
    for left in (0..GAMES[usize::from(level.clamp(1, LEVELS) - 1)]).rev() {
        tree.grow(board, position.passes, &mut draw);
        let (best, lead) = tree.best(may_pass);
        // No other move can catch up.
        if lead > left {
            return best;
        }
    }
    tree.best(may_pass).0
}

/// Returns the points worth a press: not those where nothing can change any more. Dead enemy stones
/// count for the enemy until they are captured, so the territory around them is included.
fn open(board: &Board) -> Squares {
    let stones = board.stones();
    let (own, enemy) = (board.turn(), board.turn().other());
    let quiet = |land: Squares| {
        let stirred = reach(land & stones[enemy], land);
        land.without(stirred)
    };
    let ours = life::safe_territory(stones, own);
    let theirs = life::safe_territory(stones, enemy);
    let open = board.legal().without(quiet(ours.land)).without(theirs.land);
    open.iter().filter(|&square| !is_eye(stones, square, own)).collect()
}

impl SearchTree {
    /// Expands a node: a pass, and the points of a set.
    fn expand(&mut self, at: usize, board: &Board, open: Squares) {
        let first = self.nodes.len();
        self.nodes.push(Node::new(Press::Pass, 4.0, 0.2));
        let stones = board.stones();
        let (own, enemy) = (board.turn(), board.turn().other());
        let lit = stones.lit();
        for square in open.iter() {
            let near = beside(square);
            let taken = board.taken_by(square);
            // Priors before the first visit: captures and rescues are good; a stone with a single
            // liberty is bad, and so is the edge without stones nearby.
            let room = near.without(lit).len();
            let friends =
                || (near & stones[own]).iter().map(|friend| board.liberties(friend).len());
            let most = friends().max().unwrap_or(1);
            let promise = if !taken.is_empty() {
                0.9
            } else if room + most - 1 <= 1 {
                0.2
            } else if friends().any(|liberties| liberties == 1) {
                0.75
            } else if (near & stones[enemy]).iter().any(|foe| board.liberties(foe).len() == 2) {
                0.6
            } else if near.len() < 4 && ((near | diagonal(square)) & lit).is_empty() {
                0.3
            } else {
                0.5
            };
            self.nodes.push(Node::new(Press::At(square), 10.0, promise));
        }
        (self.nodes[at].first, self.nodes[at].many) = (first, self.nodes.len() - first);
    }

    /// Returns the child to visit.
    fn best_child(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let stretch = CURIOSITY * (1.0 + real(node.games)).sqrt();
        let mut best = (node.first, f32::NEG_INFINITY);
        for child in node.first..node.first + node.many {
            let value = self.nodes[child].value() + stretch / (1.0 + real(self.nodes[child].games));
            if value > best.1 {
                best = (child, value);
            }
        }
        best.0
    }

    /// Runs one playout through the tree and learns from it.
    fn grow(&mut self, root: &Board, passes: u8, draw: &mut FastRandom) {
        let mut board = root.clone();
        let (mut at, mut passes, mut last) = (0, passes, None);
        self.path.clear();
        self.path.push(0);
        while passes < 2 {
            if self.nodes[at].many == 0 {
                if self.nodes[at].games < RIPE {
                    break;
                }
                let (stones, turn) = (board.stones(), board.turn());
                let open = board.legal().iter().filter(|&square| !is_eye(stones, square, turn));
                self.expand(at, &board, open.collect());
            }
            at = self.best_child(at);
            self.path.push(at);
            match self.nodes[at].press {
                Press::At(square) => {
                    board.press(square);
                    (passes, last) = (0, Some(square));
                }
                Press::Pass => {
                    board.pass();
                    (passes, last) = (passes + 1, None);
                }
            }
        }
        let pressed =
            if passes < 2 { play_on(&mut board, last, passes, draw) } else { [Squares::NONE; 2] };
        let [green, red] = area(board.stones());
        let ahead = real(green) - real(red + self.komi);
        let won = f32::midpoint(1.0, if ahead == 0.0 { 0.0 } else { ahead.signum() });
        let far = 0.5 + ahead / 202.0;
        self.learn(root.turn(), (1.0 - MARGIN) * won + MARGIN * far, pressed);
    }

    /// Updates the nodes of the path, and their siblings whose points were pressed later, with the
    /// value for green.
    fn learn(&mut self, root: Seat, worth: f32, mut pressed: [Squares; 2]) {
        let of = |seat: Seat| if seat == Seat(0) { worth } else { 1.0 - worth };
        for depth in (0..self.path.len()).rev() {
            let at = self.path[depth];
            let mover = if depth % 2 == 0 { root } else { root.other() };
            let Node { first, many, .. } = self.nodes[at];
            for child in &mut self.nodes[first..first + many] {
                if let Press::At(square) = child.press
                    && pressed[mover.index()].contains(square)
                {
                    child.hints += 1.0;
                    child.promise += of(mover);
                }
            }
            let node = &mut self.nodes[at];
            node.games += 1;
            node.worth += of(mover.other());
            if let Press::At(square) = node.press {
                pressed[mover.index()].remove(square);
                pressed[mover.other().index()].insert(square);
            }
        }
    }

    /// Returns the most visited move, a pass only if it is allowed, and its lead in visits over the
    /// second.
    fn best(&self, may_pass: bool) -> (Press, u32) {
        let Node { first, many, .. } = self.nodes[0];
        let (mut best, mut second) = (None, 0);
        for child in &self.nodes[first..first + many] {
            let most = best.map_or(0, |best: &Node| best.games);
            if child.press == Press::Pass && !may_pass {
                continue;
            }
            if best.is_none() || child.games > most {
                (best, second) = (Some(child), most);
            } else {
                second = second.max(child.games);
            }
        }
        let best = best.expect("a root has children, and one is no pass");
        (best.press, best.games - second)
    }
}
