//! How the highest level searches: a roll ahead, and a second roll where plays are close.
//!
//! Every bound counts situations that are judged and none counts time, so the level plays the same on
//! every machine.

use super::{GameNets, NetWorkspace, Situation};
use crate::kit::Odds;
use std::collections::HashMap;
use std::hash::Hash;

/// How many plays are looked at more closely, and by how many points they may seem worse at first.
const CLOSER: usize = 8;
const DOUBTED: f32 = 0.25;

/// How many situations are judged a roll ahead, before no more plays are looked at.
const MOST: u32 = 10_000;

/// How many of these plays are looked at a second roll ahead, and by how many points they may be worse.
const CLOSEST: usize = 4;
const CLOSE: f32 = 0.06;

/// How many situations are judged in all, before no more second rolls are looked at.
const MOST_IN_ALL: u32 = 18_000;

/// A play that was worse than the best of its roll by more points than this, wherever it was judged, is
/// not judged again.
const HOPELESS: f32 = 0.1;

/// A play of the roll.
struct Candidate<'a, S> {
    /// Its place in the list.
    at: usize,
    end: &'a S,
    /// Its value to the side that has rolled.
    value: f32,
    /// The replies by each roll.
    replies: Vec<BestReply<S>>,
}

/// The other side's best play of a roll.
struct BestReply<S> {
    after: S,
    /// The odds of the side that rolls next.
    odds: Odds,
    likely: f32,
}

/// By how many points each play of each roll was worse than the best, at least.
struct PlayLosses<K>(HashMap<(usize, K), f32>);

/// A search, and how many situations it has judged.
struct LookaheadSearch<'a> {
    brain: &'a GameNets,
    work: &'a mut NetWorkspace,
    judged: u32,
}

/// Which of these follow-ups is best for the side that has rolled.
///
/// # Panics
/// There are none: a side that can do nothing passes.
pub(super) fn best(brain: &GameNets, ends: &[impl Situation], work: &mut NetWorkspace) -> usize {
    LookaheadSearch { brain, work, judged: 0 }.best(ends)
}

/// Puts the best first; of those that are worth the same, the one that came before.
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

    /// The plays that seem best, by what can follow each.
    fn candidates<'e, S: Situation>(&mut self, ends: &'e [S]) -> Vec<Candidate<'e, S>> {
        self.judged += count(ends);
        let odds = self.brain.judge_all(ends, self.work);
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
            // The cost of looking at a play is known from those before it.
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

    /// The best play of each roll.
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
                let odds = self.brain.judge_next(&ends[at], self.work);
                let value = ends[at].value(odds);
                values.push((at, value));
                // The least for the other side.
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

    /// Looks a second roll ahead, the same first rolls for all candidates: the likeliest first. Where
    /// there is no room for all of them, the others stay as they are, which is the same for all.
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

/// The odds of a side to roll, by the best play of each roll.
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
    /// The places of those plays of a roll that may be its best by what is known; of all, if none may.
    fn hopeful(&self, roll: usize, ends: &[impl Situation<PlayKey = K>]) -> Vec<usize> {
        let is_hopeful = |at: &usize| {
            let known = self.0.get(&(roll, ends[*at].play_key()));
            known.is_none_or(|worse| *worse <= HOPELESS)
        };
        let hopeful: Vec<usize> = (0..ends.len()).filter(is_hopeful).collect();
        if hopeful.is_empty() { (0..ends.len()).collect() } else { hopeful }
    }

    /// By how many points plays of a roll were worse than its best.
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

    /// The follow-ups of a roll in each of so many situations of random games.
    fn decisions(game: &str, count: usize) -> Vec<Vec<AnySituation>> {
        let mut chance = Chance::new(8);
        let situations = random_situations(game, 12 * count, 8);
        let going_on = situations.into_iter().step_by(12).filter(|it| it.over().is_none());
        going_on
            .map(|now| now.ends(chance.roll(Throw::new(2, now.faces()))))
            .filter(|ends| ends.len() > 1)
            .collect()
    }

    /// However many plays there are, what is judged stays within bounds.
    #[test]
    fn a_search_is_bounded() {
        for game in AnySituation::GAMES {
            let brain = AnySituation::nets(game).unwrap();
            let (mut further, mut most) = (0, 0);
            for ends in decisions(game, 60) {
                let work = &mut NetWorkspace::default();
                let mut search = LookaheadSearch { brain, work, judged: 0 };
                let before = search.candidates(&ends).len();
                assert!((1..=CLOSER).contains(&before));
                let near = search.judged;
                let work = &mut NetWorkspace::default();
                let mut search = LookaheadSearch { brain, work, judged: 0 };
                search.best(&ends);
                further += u32::from(search.judged > near);
                most = most.max(search.judged);
            }
            assert!(further > 10, "{game}: {further} were looked at further");
            assert!((10_000..=MOST_IN_ALL + 5_000).contains(&most), "{game}: {most}");
        }
    }

    /// Plays that are left out hardly change the value of a situation; in Malaka and Moloko, where
    /// a pin can turn a game, they change it some more.
    #[test]
    fn plays_that_are_known_are_left_out() {
        for (game, most) in AnySituation::GAMES.into_iter().zip([0.005, 0.005, 0.005, 0.03, 0.03]) {
            let brain = AnySituation::nets(game).unwrap();
            let (mut all, mut some) = (0, 0);
            let (mut off, mut count) = (0.0, 0.0);
            for ends in decisions(game, 20) {
                let work = &mut NetWorkspace::default();
                let mut search = LookaheadSearch { brain, work, judged: 0 };
                let candidates = search.candidates(&ends);
                search.judged = 0;
                let mut known = PlayLosses(HashMap::new());
                let going_on = candidates.iter().filter(|it| it.end.over().is_none());
                for (number, &Candidate { end, .. }) in going_on.enumerate() {
                    let (exact, judged) = brain.look_ahead(end, &mut NetWorkspace::default());
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
