//! The choice of a play at each level.

use super::{GameNets, NetWorkspace, Situation, TrainedSituation, search};
use crate::kit::{RandomBelow, Roll};

/// The number of levels.
pub(crate) const LEVELS: u8 = 4;

/// Returns the index of the program's play at a level, in the order of the list.
pub(crate) fn choose<S: TrainedSituation>(
    now: &S,
    roll: Roll,
    level: u8,
    below: RandomBelow,
) -> usize {
    S::nets().choose(&now.ends(roll), level, below)
}

impl GameNets {
    /// Returns the index of a level's choice among the successors of a roll.
    ///
    /// Low levels take any play that is not much worse than the best, as [`Situation::overlooked`]
    /// says; the levels above them take the best play of the net, and the last one searches the best
    /// few plays deeper. Level 0 compares pip counts only.
    ///
    /// # Panics
    /// Panics if there are none: a side that can do nothing passes.
    pub(crate) fn choose(&self, ends: &[impl Situation], level: u8, below: RandomBelow) -> usize {
        if let [_] = ends {
            return 0;
        }
        let mut work = NetWorkspace::default();
        let Some(below_it) = level.checked_sub(1) else {
            return best_of(ends.iter().map(|end| -end.lead()), below);
        };
        match ends[0].overlooked().get(usize::from(below_it)) {
            Some(overlooked) => {
                let values = values(self, ends, &mut work);
                let most = values.iter().copied().fold(f32::MIN, f32::max);
                let least = most - overlooked;
                best_of(values.iter().map(|&value| f32::from(u8::from(value >= least))), below)
            }
            None if level < LEVELS => self.best(ends, &mut work).0,
            None => search::best(self, ends, &mut work),
        }
    }
}

/// Returns the value of each successor for the side that has rolled.
fn values(nets: &GameNets, ends: &[impl Situation], work: &mut NetWorkspace) -> Vec<f32> {
    let odds = nets.judge_all(ends, work);
    ends.iter().zip(odds).map(|(end, odds)| -end.value(odds)).collect()
}

/// Returns the index of one of the best, chosen uniformly.
fn best_of(values: impl Iterator<Item = f32>, below: RandomBelow) -> usize {
    let (mut best, mut most) = (Vec::new(), f32::MIN);
    for (at, value) in values.enumerate() {
        if value > most {
            (most, best) = (value, vec![at]);
        } else if value >= most {
            best.push(at);
        }
    }
    best[below(best.len())]
}
