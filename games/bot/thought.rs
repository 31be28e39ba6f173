//! The program's thoughts on a roll, and on each of its plays.

use super::{GameNets, NetWorkspace, Situation};
use crate::kit::{Effort, Look, Odds, Prospect, Roll};

/// The judgement of a game, for callers that want to know more than the best play.
#[derive(Clone, Copy)]
pub(crate) struct Evaluator(&'static GameNets);

impl Evaluator {
    pub(crate) fn for_game(game: &str) -> Self {
        Self(GameNets::for_game(game).expect("every game that has levels has nets"))
    }

    /// Whether there is a net for a situation.
    pub(crate) fn knows(situation: &Situation) -> bool {
        situation.over().is_some() || situation.has_net()
    }

    /// The odds of a situation.
    pub(crate) fn odds(self, situation: &Situation, look: Look, effort: &mut Effort) -> Odds {
        let work = &mut NetWorkspace::default();
        if let Some(odds) = situation.over() {
            return odds;
        }
        let (odds, judged) = match look {
            Look::Glance => (self.0.judge(situation, work), 1),
            Look::Ahead => self.0.look_ahead(situation, work),
        };
        effort.spend(judged);
        odds
    }

    /// The odds of a situation after each roll and its best play, with how likely the roll is.
    pub(crate) fn outlook(self, now: &Situation, effort: &mut Effort) -> Vec<(f32, Odds)> {
        let work = &mut NetWorkspace::default();
        let mut after = |(roll, likely)| {
            let ends = now.ends(roll);
            effort.spend(u32::try_from(ends.len()).unwrap_or(u32::MAX));
            (likely, self.0.best(&ends, work).1)
        };
        now.rolls().map(&mut after).collect()
    }

    /// The prospects of the side that has rolled after the plays at those places of the list, or
    /// after all.
    pub(crate) fn prospects(
        self,
        (now, roll): (&Situation, Roll),
        which: Option<&[usize]>,
        look: Look,
        effort: &mut Effort,
    ) -> Vec<Prospect> {
        let ends = now.ends(roll);
        let prospect = |end: &Situation| {
            let odds = self.odds(end, look, effort);
            Prospect { odds: odds.turned(), value: -end.value(odds) }
        };
        match which {
            None => ends.iter().map(prospect).collect(),
            Some(places) => places.iter().map(|&at| &ends[at]).map(prospect).collect(),
        }
    }

    /// How much more a roll is worth than an average one to the side that rolls.
    pub(crate) fn luck(self, now: &Situation, roll: Roll, effort: &mut Effort) -> f32 {
        let work = &mut NetWorkspace::default();
        let (mut own, mut average) = (0.0, 0.0);
        for (one, likely) in now.rolls() {
            let ends = now.ends(one);
            effort.spend(u32::try_from(ends.len()).unwrap_or(u32::MAX));
            let value = now.value(self.0.best(&ends, work).1);
            average += value * likely;
            if is_same(one, roll) {
                own = value;
            }
        }
        own - average
    }
}

/// Whether two rolls show the same dice, in any order.
fn is_same(one: Roll, other: Roll) -> bool {
    match (one, other) {
        (Roll::Two(a, b), Roll::Two(c, d)) => [a, b] == [c, d] || [a, b] == [d, c],
        _ => one == other,
    }
}
