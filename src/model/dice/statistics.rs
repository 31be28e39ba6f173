//! Counts of rolls, and tests whether they are as likely as those of fair dice.

use super::UndrawnReason;
use crate::model::board::Board;
use games::{Entry, Next, Roll, Seat, Throw, replay};
use statrs::distribution::{ChiSquared, ContinuousCDF as _, Normal};

/// The most faces of a die.
const MAX_FACES: usize = 6;

/// Counts of the rolls of dice with a certain number of faces.
#[derive(Clone, Debug, PartialEq)]
pub struct DiceTally {
    /// The number of faces.
    pub faces: usize,
    /// The number of boards with such rolls.
    pub boards: usize,
    /// How often each face came up, from 1.
    pub of_face: [u64; MAX_FACES],
    /// How often each roll of two dice came up, by first and second die.
    pub of_pair: [[u64; MAX_FACES]; MAX_FACES],
    /// How often the first dice of two consecutive rolls were in different halves (low, high).
    pub changes: u64,
    /// The number of pairs of consecutive rolls.
    pub nexts: u64,
    /// The longest series of rolls whose first dice were in the same half.
    pub longest: u64,
    /// Sums over the first dice of consecutive rolls: of each, of their squares, and of their
    /// product.
    sums: [f64; 5],
}

/// The result of a statistical test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestResult {
    /// The name of the test.
    pub name: &'static str,
    /// The test statistic, as text.
    pub found: String,
    /// The p-value: how likely fair dice deviate as much or more.
    pub p: f64,
}

impl DiceTally {
    /// Starts with no rolls.
    pub fn new(faces: usize) -> Self {
        Self {
            faces: faces.min(MAX_FACES),
            boards: 0,
            of_face: [0; MAX_FACES],
            of_pair: [[0; MAX_FACES]; MAX_FACES],
            changes: 0,
            nexts: 0,
            longest: 0,
            sums: [0.0; 5],
        }
    }

    /// Counts consecutive rolls of a board.
    pub fn add(&mut self, rolls: &[Roll]) {
        self.boards += usize::from(!rolls.is_empty());
        let (mut before, mut run) = (None, 0);
        for roll in rolls {
            let (first, second) = match *roll {
                Roll::One(die) => (usize::from(die), None),
                Roll::Two(a, b) => (usize::from(a), Some(usize::from(b))),
            };
            self.of_face[first - 1] += 1;
            if let Some(second) = second {
                self.of_face[second - 1] += 1;
                self.of_pair[first - 1][second - 1] += 1;
            }
            let is_low = first <= self.faces / 2;
            let goes_on = before.is_some_and(|before| (before <= self.faces / 2) == is_low);
            run = if goes_on { run + 1 } else { 1 };
            self.longest = self.longest.max(run);
            if let Some(before) = before {
                self.nexts += 1;
                self.changes += u64::from(!goes_on);
                let (x, y) = (real(before as u64), real(first as u64));
                for (sum, more) in self.sums.iter_mut().zip([x, y, x * x, y * y, x * y]) {
                    *sum += more;
                }
            }
            before = Some(first);
        }
    }

    /// Returns the number of dice rolled.
    pub fn dice(&self) -> u64 {
        self.of_face.iter().sum()
    }

    /// Returns the number of rolls of two dice.
    pub fn pairs(&self) -> u64 {
        self.of_pair.iter().flatten().sum()
    }

    /// Returns the number of doubles.
    pub fn doubles(&self) -> u64 {
        (0..self.faces).map(|face| self.of_pair[face][face]).sum()
    }

    /// Returns the results of all tests with enough data.
    pub fn tests(&self) -> Vec<TestResult> {
        let faces = self.of_face[..self.faces].to_vec();
        let pairs: Vec<u64> =
            self.of_pair[..self.faces].iter().flat_map(|row| row[..self.faces].to_vec()).collect();
        let doubles = vec![self.doubles(), self.pairs() - self.doubles()];
        let share = 1.0 / real(self.faces as u64);
        let tests = [
            chi_square("faces", &faces, &vec![share; self.faces]),
            chi_square("pairs", &pairs, &vec![share * share; self.faces * self.faces]),
            chi_square("doubles", &doubles, &[share, 1.0 - share]),
            chi_square("runs", &[self.changes, self.nexts - self.changes], &[0.5, 0.5]),
            self.correlation(),
        ];
        tests.into_iter().flatten().collect()
    }

    /// Tests whether a roll predicts the next one.
    fn correlation(&self) -> Option<TestResult> {
        let (all, [sum, next, squares, squares_next, products]) = (real(self.nexts), self.sums);
        let spread = (all * squares - sum * sum) * (all * squares_next - next * next);
        (self.nexts >= 30 && spread > 0.0).then(|| {
            let off = (all * products - sum * next) / spread.sqrt();
            let p = 2.0 * Normal::standard().sf((off * all.sqrt()).abs());
            TestResult { name: "serial correlation", found: format!("r = {off:+.4}"), p }
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

/// Runs Pearson's chi-square test. `None` if fewer than five are expected in a class.
fn chi_square(name: &'static str, counts: &[u64], shares: &[f64]) -> Option<TestResult> {
    let all = real(counts.iter().sum());
    let expected = shares.iter().map(|share| share * all);
    if !expected.clone().all(|expected| expected >= 5.0) {
        return None;
    }
    let off = counts
        .iter()
        .zip(expected)
        .map(|(count, expected)| (real(*count) - expected).powi(2) / expected);
    let (sum, freedom) = (off.sum::<f64>(), counts.len() - 1);
    let p = ChiSquared::new(real(freedom as u64)).ok()?.sf(sum);
    let found = format!("chi-square {sum:.2} with {freedom} degrees of freedom");
    Some(TestResult { name, found, p })
}

/// A roll that was drawn for a board.
#[derive(Clone, Copy, Debug)]
pub struct DrawnRoll {
    /// The throw.
    pub throw: Throw,
    /// The result.
    pub roll: Roll,
    /// The seat that plays it.
    pub by: Option<Seat>,
}

/// Returns the rolls that were drawn for a board, in order, without opening rolls (equal dice are
/// thrown again) and without repeated or edited ones.
pub fn drawn_rolls(board: &Board) -> Vec<DrawnRoll> {
    let mut position = board.start();
    let mut found = Vec::new();
    for line in &board.record {
        let next = position.next();
        replay(&mut *position, [&line.entry]).expect("the record was replayed when it was read");
        if let (Entry::Rolled(roll), Next::Roll(throw) | Next::Ready(_, throw)) =
            (&line.entry, next)
            && !throw.is_opening
            && !matches!(line.undrawn, Some(UndrawnReason::Again | UndrawnReason::Operator))
        {
            let by = position.next().decider();
            found.push(DrawnRoll { throw, roll: *roll, by });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are from tables of the distribution: with 5 degrees of freedom one in twenty
    /// exceeds 11.07.
    #[test]
    fn results_agree_with_published_tables() {
        let found = chi_square("faces", &[100; 6], &[1.0 / 6.0; 6]).unwrap();
        assert!((found.p - 1.0).abs() < 1e-9);
        let five = ChiSquared::new(5.0).unwrap().sf(11.070_497_69);
        assert!((five - 0.05).abs() < 1e-6, "{five}");
        let loaded = chi_square("faces", &[150, 90, 90, 90, 90, 90], &[1.0 / 6.0; 6]).unwrap();
        assert!(loaded.p < 0.001 && loaded.found.starts_with("chi-square 30.00 with 5"));
        assert_eq!(chi_square("faces", &[4; 6], &[1.0 / 6.0; 6]), None, "too few");
    }

    #[test]
    fn rolls_are_counted_by_face_pair_and_what_came_next() {
        let mut tally = DiceTally::new(6);
        tally.add(&[Roll::One(3), Roll::Two(1, 2), Roll::Two(4, 4), Roll::Two(6, 1)]);
        tally.add(&[Roll::Two(6, 6)]);
        assert_eq!(tally.of_face, [2, 1, 1, 2, 0, 3]);
        assert_eq!((tally.dice(), tally.pairs(), tally.doubles(), tally.boards), (9, 4, 2, 2));
        assert_eq!((tally.nexts, tally.changes, tally.longest), (3, 1, 2));
    }

    #[test]
    fn dice_with_memory_are_detected() {
        let mut tally = DiceTally::new(6);
        let rolls: Vec<Roll> =
            [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6].repeat(50).into_iter().map(Roll::One).collect();
        tally.add(&rolls);
        let p = |name| tally.tests().iter().find(|figure| figure.name == name).unwrap().p;
        assert!(p("faces") > 0.99 && p("runs") < 0.001 && p("serial correlation") < 0.001);
    }
}
