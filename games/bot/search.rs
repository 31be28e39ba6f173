//! The search of the highest level: one ply, and two plies where plays are close.
//!
//! All limits count situations judged, not time, so the level plays the same on every machine.

use super::{GameNets, NetWorkspace, Situation};
use crate::kit::Odds;
use std::collections::HashMap;
use std::hash::Hash;

/// The number of plays searched one ply deep, and how many points worse they may seem.
const CLOSER: usize = 8;
const DOUBTED: f32 = 0.25;

/// The limit of situations judged one ply deep.
const MOST: u32 = 10_000;

/// The number of plays searched two plies deep, and how many points worse they may be.
const CLOSEST: usize = 4;
const CLOSE: f32 = 0.06;

/// The limit of situations judged in all.
const MOST_IN_ALL: u32 = 18_000;

/// A play that was worse than the best of its roll by more points than this is not judged again.
const HOPELESS: f32 = 0.1;

/// A play of the roll.
struct Candidate<'a, S> {
    /// Its index in the list.
    at: usize,
    end: &'a S,
    /// Its value for the side that has rolled.
    value: f32,
    /// The best replies to it, by roll.
    replies: Vec<BestReply<S>>,
}

/// The other side's best play of a roll.
struct BestReply<S> {
    after: S,
    /// The odds of the side that rolls next.
    odds: Odds,
    likely: f32,
}

/// The smallest known loss of each play of each roll, in points.
struct PlayLosses<K>(HashMap<(usize, K), f32>);

/// A search and its count of judged situations.
struct LookaheadSearch<'a> {
    nets: &'a GameNets,
    work: &'a mut NetWorkspace,
    judged: u32,
}

/// Returns the index of the best successor for the side that has rolled.
///
/// # Panics
/// Panics if there are none: a side that can do nothing passes.
pub(super) fn best(nets: &GameNets, ends: &[impl Situation], work: &mut NetWorkspace) -> usize {
    LookaheadSearch { nets, work, judged: 0 }.best(ends)
}

/// Sorts the best first; the sort is stable.
fn sort<S>(candidates: &mut [Candidate<'_, S>]) {
    candidates.sort_by(|one, other| other.value.total_cmp(&one.value));
}

fn count<S>(situations: &[S]) -> u32 {
    u32::try_from(situations.len()).unwrap_or(u32::MAX)
}

impl LookaheadSearch<'_> {
    fn best(&mut self, ends: &[impl Situation]) -> usize {
        let mut candidates = self.candidates(ends);
        let least = candidates[0].value - CLOSE;
        let close = candidates.iter().take(CLOSEST).take_while(|it| it.value >= least).count();
        candidates.truncate(close);
        if close > 1 && ends[0].has_net() {
            self.look_further(&mut candidates);
            sort(&mut candidates);
        }
        candidates[0].at
    }

    /// Searches the plays that seem best one ply deep.
    fn candidates<'e, S: Situation>(&mut self, ends: &'e [S]) -> Vec<Candidate<'e, S>> {
        self.judged += count(ends);
        let odds = self.nets.judge_all(ends, self.work);
        let all = ends.iter().zip(odds).enumerate();
        let mut candidates: Vec<_> = all
            .map(|(at, (end, odds))| Candidate {
                at,
                end,
                value: -end.value(odds),
                replies: Vec::new(),
            })
            .collect();
        sort(&mut candidates);
        let least = candidates[0].value - DOUBTED;
        let near = candidates.iter().take(CLOSER).take_while(|it| it.value >= least).count();
        candidates.truncate(near);
        let mut looked = 0;
        for it in &mut candidates {
            // The cost of a play is estimated from the plays before it.
            let each = self.judged / looked.max(1);
            if looked > 1 && self.judged + each > MOST {
                break;
            }
            if it.end.over().is_none() {
                it.replies = self.replies(it.end, None);
                it.value = it.worth();
            }
            looked += 1;
        }
        candidates.truncate(looked as usize);
        sort(&mut candidates);
        candidates
    }

    /// Finds the best reply to each roll.
    fn replies<S: Situation>(
        &mut self,
        now: &S,
        mut known: Option<&mut PlayLosses<S::PlayKey>>,
    ) -> Vec<BestReply<S>> {
        self.work.sums.clear();
        let mut reply = |(roll, (dice, likely))| {
            let mut ends = now.ends(dice);
            let hopeful = known.as_ref().map(|known| known.hopeful(roll, &ends));
            let which = hopeful.unwrap_or_else(|| (0..ends.len()).collect());
            let mut values = Vec::with_capacity(which.len());
            let mut best: Option<(usize, Odds, f32)> = None;
            for at in which {
                let odds = self.nets.judge_next(&ends[at], self.work);
                let value = ends[at].value(odds);
                values.push((at, value));
                // The minimum for the other side.
                if best.is_none_or(|(.., least)| value < least) {
                    best = Some((at, odds, value));
                }
            }
            self.judged += u32::try_from(values.len()).unwrap_or(u32::MAX);
            let (at, odds, least) = best.expect("a side that can do nothing passes");
            if let Some(known) = &mut known {
                known.learn(roll, &ends, values.iter().map(|&(at, value)| (at, value - least)));
            }
            BestReply { after: ends.swap_remove(at), odds, likely }
        };
        now.rolls().enumerate().map(&mut reply).collect()
    }

    /// Searches two plies deep, the likeliest first rolls first, with the same first rolls for all
    /// candidates. Rolls beyond the limit keep their one-ply odds for all of them.
    fn look_further<S: Situation>(&mut self, candidates: &mut [Candidate<'_, S>]) {
        let mut known = PlayLosses(HashMap::new());
        let rolls: Vec<f32> = candidates[0].end.rolls().map(|(_, likely)| likely).collect();
        let mut order: Vec<usize> = (0..rolls.len()).collect();
        order.sort_by(|&one, &other| rolls[other].total_cmp(&rolls[one]));
        let mut most = 0;
        for roll in order {
            if self.judged + most > MOST_IN_ALL {
                break;
            }
            let before = self.judged;
            for reply in candidates.iter_mut().filter_map(|it| it.replies.get_mut(roll)) {
                if reply.after.over().or_else(|| reply.after.counted()).is_none() {
                    reply.odds = expected(&self.replies(&reply.after, Some(&mut known)));
                }
            }
            most = most.max(self.judged - before);
        }
        for it in candidates.iter_mut().filter(|it| !it.replies.is_empty()) {
            it.value = it.worth();
        }
    }
}

/// Returns the odds of a side to roll, averaged over its rolls.
fn expected<S>(replies: &[BestReply<S>]) -> Odds {
    let mut sum = Odds::default();
    for reply in replies {
        sum.add(reply.odds.turned(), reply.likely);
    }
    sum
}

impl<S: Situation> Candidate<'_, S> {
    fn worth(&self) -> f32 {
        -self.end.value(expected(&self.replies))
    }
}

impl<K: Eq + Hash> PlayLosses<K> {
    /// Returns the indices of plays of a roll that may be its best by known losses; of all plays if
    /// none may.
    fn hopeful(&self, roll: usize, ends: &[impl Situation<PlayKey = K>]) -> Vec<usize> {
        let is_hopeful = |at: &usize| {
            let known = self.0.get(&(roll, ends[*at].play_key()));
            known.is_none_or(|worse| *worse <= HOPELESS)
        };
        let hopeful: Vec<usize> = (0..ends.len()).filter(is_hopeful).collect();
        if hopeful.is_empty() { (0..ends.len()).collect() } else { hopeful }
    }

    /// Records the losses of the plays of a roll.
    fn learn(
        &mut self,
        roll: usize,
        ends: &[impl Situation<PlayKey = K>],
        seen: impl Iterator<Item = (usize, f32)>,
    ) {
        for (at, worse) in seen {
            let least = self.0.entry((roll, ends[at].play_key())).or_insert(worse);
            *least = least.min(worse);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Chance, Throw};
    use crate::programs::AnySituation;
    use crate::programs::tests::random_situations;

    /// Returns the successors of a roll in situations of random games.
    fn decisions(game: &str, count: usize) -> Vec<Vec<AnySituation>> {
        let mut chance = Chance::new(8);
        let situations = random_situations(game, 12 * count, 8);
        let going_on = situations.into_iter().step_by(12).filter(|it| it.over().is_none());
        going_on
            .map(|now| now.ends(chance.roll(Throw::new(2, now.faces()))))
            .filter(|ends| ends.len() > 1)
            .collect()
    }

    /// The number of judged situations is bounded for any number of plays.
    #[test]
    fn a_search_is_bounded() {
        for game in AnySituation::GAMES {
            let nets = AnySituation::nets(game).unwrap();
            let (mut further, mut most) = (0, 0);
            for ends in decisions(game, 60) {
                let work = &mut NetWorkspace::default();
                let mut search = LookaheadSearch { nets, work, judged: 0 };
                let before = search.candidates(&ends).len();
                assert!((1..=CLOSER).contains(&before));
                let near = search.judged;
                let work = &mut NetWorkspace::default();
                let mut search = LookaheadSearch { nets, work, judged: 0 };
                search.best(&ends);
                further += u32::from(search.judged > near);
                most = most.max(search.judged);
            }
            assert!(further > 10, "{game}: {further} were looked at further");
            assert!((10_000..=MOST_IN_ALL + 5_000).contains(&most), "{game}: {most}");
        }
    }

    /// Pruned plays hardly change the value of a situation; in Malaka and Moloko, where a pin can
    /// turn a game, they change it a little more.
    #[test]
    fn plays_that_are_known_are_left_out() {
        for (game, most) in AnySituation::GAMES.into_iter().zip([0.005, 0.005, 0.005, 0.03, 0.03]) {
            let nets = AnySituation::nets(game).unwrap();
            let (mut all, mut some) = (0, 0);
            let (mut off, mut count) = (0.0, 0.0);
            for ends in decisions(game, 20) {
                let work = &mut NetWorkspace::default();
                let mut search = LookaheadSearch { nets, work, judged: 0 };
                let candidates = search.candidates(&ends);
                search.judged = 0;
                let mut known = PlayLosses(HashMap::new());
                let going_on = candidates.iter().filter(|it| it.end.over().is_none());
                for (number, &Candidate { end, .. }) in going_on.enumerate() {
                    let (exact, judged) = nets.look_ahead(end, &mut NetWorkspace::default());
                    let odds = expected(&search.replies(end, Some(&mut known)));
                    if number == 0 {
                        assert_eq!((odds, search.judged), (exact, judged), "{game}");
                    }
                    off += (odds.equity() - exact.equity()).abs();
                    count += 1.0;
                    all += judged;
                }
                some += search.judged;
            }
            assert!(off / count < most, "{game}: {}", off / count);
            assert!(3 * some < 2 * all, "{game}: {some} of {all}");
        }
    }
}
