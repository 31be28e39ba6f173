//! The connection of edges by union-find.

use crate::kit::Seat;

/// Returns the side that has joined its two edges: seat 0 top and bottom, seat 1 left and right. The
/// stones are given rank by rank. Both cannot have joined theirs.
pub(super) fn winner(size: u8, stones: &[Option<Seat>]) -> Option<Seat> {
    let size = usize::from(size);
    let edge = |number: usize| stones.len() + number;
    let [top, bottom, left, right] = [0, 1, 2, 3].map(edge);
    let mut sets = DisjointSets::new(stones.len() + 4);
    for (index, stone) in stones.iter().enumerate() {
        let Some(seat) = *stone else { continue };
        let (rank, file) = (index / size, index % size);
        let edges = match seat {
            Seat(0) => [(rank == 0, top), (rank + 1 == size, bottom)],
            _ => [(file == 0, left), (file + 1 == size, right)],
        };
        // The neighbours that come before this cell; each later one sees this cell as its own.
        let before = [
            (file > 0, index.wrapping_sub(1)),
            (rank > 0, index.wrapping_sub(size)),
            (rank > 0 && file + 1 < size, (index + 1).wrapping_sub(size)),
        ];
        for (is_there, other) in before {
            if is_there && stones[other] == Some(seat) {
                sets.join(index, other);
            }
        }
        for (is_there, edge) in edges {
            if is_there {
                sets.join(index, edge);
            }
        }
    }
    if sets.root(top) == sets.root(bottom) {
        Some(Seat(0))
    } else {
        (sets.root(left) == sets.root(right)).then_some(Seat(1))
    }
}

/// Sets that can be joined, each named by one of its members, its root.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    /// Creates sets of one member each.
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    /// Returns the root of a member's set and halves the path to it.
    fn root(&mut self, mut member: usize) -> usize {
        while self.0[member] != member {
            self.0[member] = self.0[self.0[member]];
            member = self.0[member];
        }
        member
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one] = other;
    }
}
