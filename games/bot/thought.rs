//! The program's thoughts on a roll, and on each of its plays: for callers that want to know more than
//! the best play.

use super::{NetWorkspace, Situation, TaughtSituation};
use crate::kit::{Effort, Look, Odds, Prospect, Roll};

/// Whether there is a net for a situation.
pub(crate) fn knows(situation: &impl Situation) -> bool {
    situation.over().is_some() || situation.has_net()
}

/// The odds of a situation.
pub(crate) fn odds<S: TaughtSituation>(situation: &S, look: Look, effort: &mut Effort) -> Odds {
    let work = &mut NetWorkspace::default();
    if let Some(odds) = situation.over() {
        return odds;
    }
    let (odds, judged) = match look {
        Look::Glance => (S::nets().judge(situation, work), 1),
        Look::Ahead => S::nets().look_ahead(situation, work),
    };
    effort.spend(judged);
    odds
}

/// The odds of a situation after each roll and its best play, with how likely the roll is.
pub(crate) fn outlook<S: TaughtSituation>(now: &S, effort: &mut Effort) -> Vec<(f32, Odds)> {
    let work = &mut NetWorkspace::default();
    let mut after = |(roll, likely)| {
        let ends = now.ends(roll);
        effort.spend(u32::try_from(ends.len()).unwrap_or(u32::MAX));
        (likely, S::nets().best(&ends, work).1)
    };
    now.rolls().map(&mut after).collect()
}

/// The prospects of the side that has rolled after the plays at those places of the list, or
/// after all.
pub(crate) fn prospects<S: TaughtSituation>(
    (now, roll): (&S, Roll),
    which: Option<&[usize]>,
    look: Look,
    effort: &mut Effort,
) -> Vec<Prospect> {
    let ends = now.ends(roll);
    let prospect = |end: &S| {
        let odds = odds(end, look, effort);
        Prospect { odds: odds.turned(), value: -end.value(odds) }
    };
    match which {
        None => ends.iter().map(prospect).collect(),
        Some(places) => places.iter().map(|&at| &ends[at]).map(prospect).collect(),
    }
}

/// How much more a roll is worth than an average one to the side that rolls.
pub(crate) fn luck<S: TaughtSituation>(now: &S, roll: Roll, effort: &mut Effort) -> f32 {
    let work = &mut NetWorkspace::default();
    let (mut own, mut average) = (0.0, 0.0);
    for (one, likely) in now.rolls() {
        let ends = now.ends(one);
        effort.spend(u32::try_from(ends.len()).unwrap_or(u32::MAX));
        let value = now.value(S::nets().best(&ends, work).1);
        average += value * likely;
        if is_same(one, roll) {
            own = value;
        }
    }
    own - average
}

/// Whether two rolls show the same dice, in any order.
fn is_same(one: Roll, other: Roll) -> bool {
    match (one, other) {
        (Roll::Two(a, b), Roll::Two(c, d)) => [a, b] == [c, d] || [a, b] == [d, c],
        _ => one == other,
    }
}
