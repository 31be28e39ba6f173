//! Pairings of least cost, by maximum-weight matching on a general graph.

use integer_blossom::min_weight_perfect_matching;

/// A cost made of criteria, the most important first. A difference in one criterion outweighs all
/// later ones, however many pairs differ in these.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pairs: i128,
    sum: i128,
    /// The largest sum that the criteria so far can have.
    most: i128,
}

impl Cost {
    /// Returns a cost without criteria for an edge of a graph with this number of pairs.
    pub(super) fn new(pairs: usize) -> Self {
        Self { pairs: i128::try_from(pairs).expect("a tournament is small"), sum: 0, most: 0 }
    }

    /// Adds a criterion with a value of at most `most`.
    #[must_use]
    pub(super) fn then(self, value: usize, most: usize) -> Self {
        debug_assert!(value <= most, "{value} of {most}");
        let (value, most) = (value as i128, most as i128);
        let radix = self.pairs * most + 1;
        Self { sum: self.sum * radix + value, most: self.most * radix + self.pairs * most, ..self }
    }

    /// Adds a criterion that is met or not.
    #[must_use]
    pub(super) fn then_if(self, is_bad: bool) -> Self {
        self.then(usize::from(is_bad), 1)
    }

    /// Returns the number of bits of the largest sum of all pairs.
    #[cfg(test)]
    pub(super) fn bits(self) -> u32 {
        i128::BITS - self.most.leading_zeros()
    }
}

/// Returns the partner of each of `count` vertices such that the costs of all pairs are least.
///
/// # Panics
/// `count` is odd.
pub(super) fn pair(count: usize, cost: impl Fn(usize, usize) -> Cost) -> Vec<usize> {
    assert!(count.is_multiple_of(2), "an odd number cannot be paired");
    let mut costs = vec![0; count * count];
    for one in 0..count {
        for other in one + 1..count {
            let cost = cost(one, other).sum;
            costs[one * count + other] = cost;
            costs[other * count + one] = cost;
        }
    }
    min_weight_perfect_matching(&costs, count)
}
