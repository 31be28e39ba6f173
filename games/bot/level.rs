//! How the levels choose a play.

use super::{GameNets, NetWorkspace, Situation, TaughtSituation, search};
use crate::kit::{RandomBelow, Roll};

/// How many levels there are.
pub(crate) const LEVELS: u8 = 4;

/// Which of the plays of a roll the program makes at that level, in the order in which they are listed.
pub(crate) fn choose<S: TaughtSituation>(
    now: &S,
    roll: Roll,
    level: u8,
    below: RandomBelow,
) -> usize {
    S::nets().choose(&now.ends(roll), level, below)
}

impl GameNets {
    /// Which of the follow-ups of a roll that level brings about.
    ///
    /// Levels 1 and 2 take any play that is not much worse than the best, level 3 the one that the net
    /// likes best; level 4 looks at what the other side can do about the best few, and at what can be
    /// done about that. Level 0 counts what is still to be gone and nothing else.
    ///
    /// # Panics
    /// There are none: a side that can do nothing passes.
    pub(crate) fn choose(&self, ends: &[impl Situation], level: u8, below: RandomBelow) -> usize {
        if let [_] = ends {
            return 0;
        }
        let mut work = NetWorkspace::default();
        match level {
            0 => best_of(ends.iter().map(|end| -end.lead()), below),
            1 | 2 => {
                let values = values(self, ends, &mut work);
                let most = values.iter().copied().fold(f32::MIN, f32::max);
                let least = most - ends[0].overlooked()[usize::from(level) - 1];
                best_of(values.iter().map(|&value| f32::from(u8::from(value >= least))), below)
            }
            3 => self.best(ends, &mut work).0,
            _ => search::best(self, ends, &mut work),
        }
    }
}

/// The value of each follow-up to the side that has rolled.
fn values(brain: &GameNets, ends: &[impl Situation], work: &mut NetWorkspace) -> Vec<f32> {
    let odds = brain.judge_all(ends, work);
    ends.iter().zip(odds).map(|(end, odds)| -end.value(odds)).collect()
}

/// One of the best, each as likely as any other.
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
