//! Evaluation of situations, plays and rolls, for analysis and for decisions other than plays.

use super::{NetWorkspace, Situation, TrainedSituation};
use crate::kit::{Evaluation, EvaluationBudget, Odds, Roll, SearchDepth};

/// Returns whether a situation can be judged.
pub(crate) fn can_judge(situation: &impl Situation) -> bool {
    situation.over().is_some() || situation.has_net()
}

/// Returns the odds of a situation.
pub(crate) fn odds<S: TrainedSituation>(
    situation: &S,
    look: SearchDepth,
    effort: &mut EvaluationBudget,
) -> Odds {
    let work = &mut NetWorkspace::default();
    if let Some(odds) = situation.over() {
        return odds;
    }
    let (odds, judged) = match look {
        SearchDepth::ZeroPly => (S::nets().judge(situation, work), 1),
        SearchDepth::OnePly => S::nets().look_ahead(situation, work),
    };
    effort.spend(judged);
    odds
}

/// Returns the odds of a situation after the best play of each roll, with the roll's probability.
pub(crate) fn odds_after_rolls<S: TrainedSituation>(
    now: &S,
    effort: &mut EvaluationBudget,
) -> Vec<(f32, Odds)> {
    let work = &mut NetWorkspace::default();
    let mut after = |(roll, likely)| {
        let ends = now.ends(roll);
        effort.spend(u32::try_from(ends.len()).unwrap_or(u32::MAX));
        (likely, S::nets().best(&ends, work).1)
    };
    now.rolls().map(&mut after).collect()
}

/// Evaluates the situations after the plays at the indices `which` of the list, or after all plays, for
/// the side that has rolled.
pub(crate) fn evaluate<S: TrainedSituation>(
    (now, roll): (&S, Roll),
    which: Option<&[usize]>,
    look: SearchDepth,
    effort: &mut EvaluationBudget,
) -> Vec<Evaluation> {
    let ends = now.ends(roll);
    let evaluation = |end: &S| {
        let odds = odds(end, look, effort);
        Evaluation { odds: odds.turned(), value: -end.value(odds) }
    };
    match which {
        None => ends.iter().map(evaluation).collect(),
        Some(places) => places.iter().map(|&at| &ends[at]).map(evaluation).collect(),
    }
}

/// Returns how much more a roll is worth than an average one to the side that rolls.
pub(crate) fn luck<S: TrainedSituation>(now: &S, roll: Roll, effort: &mut EvaluationBudget) -> f32 {
    let work = &mut NetWorkspace::default();
    let (mut own, mut average) = (0.0, 0.0);
    for (one, likely) in now.rolls() {
        let ends = now.ends(one);
        effort.spend(u32::try_from(ends.len()).unwrap_or(u32::MAX));
        let value = now.value(S::nets().best(&ends, work).1);
        average += value * likely;
        if one.higher_first() == roll.higher_first() {
            own = value;
        }
    }
    own - average
}
