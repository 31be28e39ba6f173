//! Tests of the search on small random games.

use super::*;
use crate::kit::Chance;

/// A game made by a seed: from each position two to four moves lead on, whose kind, value and end
/// follow from a hash of the moves made. Every third move is a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tree {
    hash: u64,
    made: u8,
    is_keyed: bool,
}

/// The moves of a longest game.
const LONGEST: u8 = 9;

impl Tree {
    fn new(seed: u64) -> Self {
        Self { hash: Chance::new(seed).bits(), made: 0, is_keyed: false }
    }

    fn turn(self) -> Seat {
        Seat(self.made % 2)
    }

    fn number(self, below: u64) -> i32 {
        i32::try_from(Chance::new(self.hash).bits() % below).unwrap()
    }
}

impl Searched for Tree {
    type Move = u8;

    const SLOTS: usize = 4;

    fn slot(m: u8) -> usize {
        m.into()
    }

    fn next(&self) -> Next {
        let is_end = self.made >= 2 && self.number(4) == 0;
        match self.number(7) {
            _ if !is_end && self.made < LONGEST => Next::Move(self.turn()),
            0..3 => Next::Over(Outcome::Drawn { reason: "" }),
            other => {
                let by = Seat(u8::from(other % 2 == 0));
                Next::Over(Outcome::Won { by, points: 1, reason: "" })
            }
        }
    }

    fn moves(&self) -> Vec<u8> {
        (0..u8::try_from(self.number(3)).unwrap() + 2).collect()
    }

    fn captures(&self) -> Vec<u8> {
        let is_capture = |m: &u8| (self.hash >> (8 + m)).is_multiple_of(3);
        self.moves().into_iter().filter(is_capture).collect()
    }

    fn promise(&self, m: u8) -> i32 {
        i32::from(m) * 7 % 4
    }

    fn is_urgent(&self) -> bool {
        self.number(13) == 0
    }

    fn make(&mut self, m: u8) {
        self.hash = Chance::new(self.hash ^ u64::from(m + 1)).bits();
        self.made += 1;
    }

    fn value(&self, seat: Seat) -> i32 {
        let value = self.number(101) - 50;
        if seat == Seat(0) { value } else { -value }
    }

    fn key(&self) -> Option<u64> {
        self.is_keyed.then_some(self.hash)
    }
}

fn after(position: Tree, m: u8) -> Tree {
    let mut next = position;
    next.make(m);
    next
}

/// Returns the value for the side to move by minimax alone.
fn plain(position: Tree, depth: u32, ply: usize) -> i32 {
    let seat = position.turn();
    if let Next::Over(outcome) = position.next() {
        return ended(&position, outcome, seat, ply);
    }
    let of = |moves: Vec<u8>, depth| {
        moves.into_iter().map(move |m| -plain(after(position, m), depth, ply + 1)).max()
    };
    let depth = depth + u32::from(position.is_urgent());
    if depth > 0 {
        return of(position.moves(), depth - 1).unwrap();
    }
    of(position.captures(), 0).unwrap_or(i32::MIN).max(position.value(seat))
}

#[test]
fn finds_what_minimax_finds() {
    let mut kinds = [0; 3];
    for seed in 0..400 {
        let root = Tree::new(seed);
        let mut chance = Chance::new(seed);
        for (depth, is_keyed) in [(1, false), (2, false), (3, true), (4, false), (6, true)] {
            let worth = |m: u8| -plain(after(root, m), u32::from(depth) - 1, 1);
            let most = root.moves().into_iter().map(worth).max().unwrap();
            let budget = Budget { depth, nodes: u32::MAX, careless: 0 };
            let at = Tree { is_keyed, ..root };
            let found = best(&at, budget, &mut |limit| chance.below(limit)).unwrap();
            // The table knows some values from deeper searches; its wins are wins.
            if !is_keyed {
                assert_eq!(worth(found), most, "{seed} {depth}");
            }
            kinds[usize::try_from(1 + most.signum() * i32::from(most.abs() > WIN / 2)).unwrap()] +=
                1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 30), "{kinds:?}");
}

/// To the end of the game a table changes no result.
#[test]
fn a_table_finds_the_same_result_at_the_end() {
    for seed in 0..300 {
        let root = Tree { is_keyed: true, ..Tree::new(seed) };
        let mut chance = Chance::new(seed);
        let worth = |m: u8| -plain(after(root, m), 40, 1) / (WIN / 2);
        let budget = Budget { depth: 40, nodes: u32::MAX, careless: 0 };
        let found = best(&root, budget, &mut |limit| chance.below(limit)).unwrap();
        assert_eq!(Some(worth(found)), root.moves().into_iter().map(worth).max(), "{seed}");
    }
}

#[test]
fn stays_within_its_budget_and_follows_from_its_chance() {
    for seed in 0..100 {
        let root = Tree::new(seed);
        for nodes in [0, 1, 5, 40] {
            let budget = Budget { depth: 20, nodes, careless: 30 };
            let found = [0, 0].map(|_| {
                let mut chance = Chance::new(seed);
                best(&root, budget, &mut |limit| chance.below(limit)).unwrap()
            });
            assert!(found[0] == found[1] && root.moves().contains(&found[0]));
            let mut search = AlphaBetaSearch::<Tree>::new(budget);
            search.root(&root, &root.moves(), 20);
            // The moves that are left at each ply are seen before the search returns.
            assert!(search.nodes <= nodes + 40, "{seed} {nodes}: {}", search.nodes);
        }
    }
}
