//! A search for any game that can be played on at random: a Monte Carlo tree search with playouts.
//!
//! Sources: Kocsis and Szepesvari, *Bandit based Monte-Carlo Planning* (2006); Gelly and Silver,
//! *Combining online and offline knowledge in UCT* (2007), for the use of later moves (RAVE). Limits
//! count playouts, not time, and only operations that IEEE 754 defines to the last bit are used, so a
//! seed gives the same move on every machine.

use super::{Chance, Game, Next, Outcome, RandomBelow, Seat};

/// A game of two sides without chance that can be played on at random, fast.
pub(crate) trait Playout: Game {
    /// Lists the moves worth searching: by default all legal ones.
    fn candidates(&self) -> Vec<Self::Move> {
        self.moves()
    }

    /// Plays on at random to an end and returns the winner; `None` for a draw.
    fn play_out(&mut self, chance: &mut Chance) -> Option<Seat>;

    /// Returns whether a seat has made a move by the end of a playout, in whatever order.
    fn has_played(&self, seat: Seat, m: &Self::Move) -> bool;
}

/// The visits after which a node is expanded.
const RIPE: u32 = 8;
/// The visits after which a node's own value weighs as much as its RAVE value.
const TRUST: f32 = 600.0;
/// The weight of exploration.
const CURIOSITY: f32 = 0.05;
/// The weight of the prior value, one half, in visits.
const PRIOR: f32 = 4.0;

/// A node of the tree. Its values are those for the side that makes its move.
struct Node<M> {
    /// The move; `None` at the root.
    m: Option<M>,
    /// The index of its first child, and the number of children.
    first: usize,
    many: usize,
    /// Its visits, and the sum of their values.
    visits: u32,
    worth: f32,
    /// The same for playouts in which its side made its move here or later (RAVE).
    hints: f32,
    promise: f32,
}

impl<M> Node<M> {
    const fn new(m: Option<M>) -> Self {
        let (hints, promise) = (PRIOR, PRIOR / 2.0);
        Self { m, first: 0, many: 0, visits: 0, worth: 0.0, hints, promise }
    }

    /// Returns its expected value: its own playouts, and the RAVE value while there are few of them.
    fn value(&self) -> f32 {
        let visits = real(self.visits);
        let hinted = self.hints / (self.hints + visits + self.hints * visits / TRUST);
        let own = if self.visits > 0 { self.worth / visits } else { 0.0 };
        hinted * self.promise / self.hints + (1.0 - hinted) * own
    }
}

/// Returns the move that most of so many playouts chose; `None` where nobody is to move.
pub(crate) fn choose<G: Playout>(
    position: &G,
    playouts: u32,
    below: RandomBelow,
) -> Option<G::Move> {
    let Next::Move(_) = position.next() else { return None };
    let mut chance = Chance::new(below(1 << 31) as u64);
    let mut tree = Tree::<G> { nodes: vec![Node::new(None)], path: Vec::new() };
    tree.expand(0, position, &mut chance);
    for left in (0..playouts).rev() {
        tree.grow(position, &mut chance);
        // No other move can catch up.
        if tree.lead() > left {
            break;
        }
    }
    tree.best()
}

/// The tree of a move.
struct Tree<G: Playout> {
    nodes: Vec<Node<G::Move>>,
    /// The choices of the current playout, from the root on.
    path: Vec<Chosen>,
}

/// A child that was chosen at a node of the tree.
struct Chosen {
    /// The side to move there.
    seat: Seat,
    at: usize,
    child: usize,
}

impl<G: Playout> Tree<G> {
    /// Adds the children of a node in a random order: of equal ones the first is visited first.
    fn expand(&mut self, at: usize, position: &G, chance: &mut Chance) {
        let first = self.nodes.len();
        self.nodes.extend(position.candidates().into_iter().map(|m| Node::new(Some(m))));
        for index in (first + 1..self.nodes.len()).rev() {
            self.nodes.swap(index, first + chance.below(index - first + 1));
        }
        (self.nodes[at].first, self.nodes[at].many) = (first, self.nodes.len() - first);
    }

    fn children(&self, at: usize) -> &[Node<G::Move>] {
        let Node { first, many, .. } = self.nodes[at];
        &self.nodes[first..first + many]
    }

    /// Returns the child to visit.
    fn best_child(&self, at: usize) -> usize {
        let stretch = CURIOSITY * (1.0 + real(self.nodes[at].visits)).sqrt();
        let mut best = (self.nodes[at].first, f32::NEG_INFINITY);
        for (index, child) in (self.nodes[at].first..).zip(self.children(at)) {
            let value = child.value() + stretch / (1.0 + real(child.visits));
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    }

    /// Runs one playout through the tree and learns from it.
    fn grow(&mut self, root: &G, chance: &mut Chance) {
        let mut position = root.clone();
        let mut at = 0;
        self.path.clear();
        while let Next::Move(seat) = position.next() {
            if self.nodes[at].many == 0 {
                if self.nodes[at].visits < RIPE {
                    break;
                }
                self.expand(at, &position, chance);
            }
            let chosen = self.best_child(at);
            self.path.push(Chosen { seat, at, child: chosen });
            at = chosen;
            if let Some(m) = &self.nodes[at].m {
                position.play(m);
            }
        }
        let winner = match position.next() {
            Next::Over(Outcome::Won { by, .. }) => Some(by),
            Next::Over(Outcome::Drawn { .. }) => None,
            _ => position.play_out(chance),
        };
        self.nodes[0].visits += 1;
        for &Chosen { seat, at, child } in &self.path {
            let worth = winner.map_or(0.5, |by| if by == seat { 1.0 } else { 0.0 });
            let Node { first, many, .. } = self.nodes[at];
            for child in &mut self.nodes[first..first + many] {
                if child.m.as_ref().is_some_and(|m| position.has_played(seat, m)) {
                    child.hints += 1.0;
                    child.promise += worth;
                }
            }
            self.nodes[child].visits += 1;
            self.nodes[child].worth += worth;
        }
    }

    /// Returns how many more visits the best move has than the second.
    fn lead(&self) -> u32 {
        let (mut best, mut second) = (0, 0);
        for child in self.children(0) {
            if child.visits > best {
                (best, second) = (child.visits, best);
            } else {
                second = second.max(child.visits);
            }
        }
        best - second
    }

    /// Returns the most visited move, the first of several.
    fn best(&self) -> Option<G::Move> {
        // `max_by_key` returns the last of several.
        self.children(0).iter().rev().max_by_key(|child| child.visits)?.m.clone()
    }
}

/// Converts a count exactly: there are fewer than 2^24 playouts.
#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^24")]
pub(crate) const fn real(count: u32) -> f32 {
    count as f32
}
