//! Learning from a one-ply search: the target of a position is the average over its 21 rolls, each
//! played best.

use crate::learn::Learner;
use crate::rate;
use games::{Chance, GameNets, Inputs, NetWorkspace, Seat, Situation as _};
use trainer::{Lesson, course};

/// Returns positions of self-play with their one-ply odds: about one of four of each game,
/// sometimes after a play that is not the best, so that other positions are known as well. In
/// `greedy` percent of the games one side is greedy, like a beginner.
pub(crate) fn lessons(
    game: &str,
    nets: &GameNets,
    (count, greedy): (u32, u32),
    chance: &mut Chance,
    done: &dyn Fn(),
) -> Vec<Lesson> {
    let mut work = NetWorkspace::default();
    let mut lessons = Vec::new();
    while lessons.len() < count as usize {
        let greedy = (greedy > 0 && chance.below(100) < greedy as usize)
            .then(|| Seat::BOTH[chance.below(2)]);
        for (situation, _) in course(nets, game, greedy, chance, &mut work) {
            if chance.below(3) != 0 || situation.over().is_some() || lessons.len() >= count as usize
            {
                continue;
            }
            let mut seen = situation;
            if chance.below(3) == 0 {
                let roll = chance.roll(games::Throw::new(2, seen.faces()));
                let mut ends = seen.ends(roll);
                seen = ends.swap_remove(chance.below(ends.len()));
            }
            let mut inputs = Inputs::new();
            if seen.over().is_some() {
                continue;
            }
            let Some(which) = seen.inputs(&mut inputs) else { continue };
            let right = seen.judged_ahead(nets, &mut work);
            // A copy has no spare capacity.
            lessons.push(Lesson { inputs: inputs.clone(), which, right });
            done();
        }
    }
    lessons
}

/// The validation set, which is never learnt from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Held {
    /// Every twentieth lesson.
    Single,
    /// Every twentieth hundred, where neighbouring lessons are similar.
    Hundreds,
}

impl Held {
    fn is_held(self, lesson: usize) -> bool {
        match self {
            Self::Single => lesson.is_multiple_of(20),
            Self::Hundreds => (lesson / 100).is_multiple_of(20),
        }
    }
}

/// Trains nets for some epochs, each in another order. `done` gets the validation error after each.
pub(crate) fn learn(
    mut nets: GameNets,
    (lessons, held): (&[Lesson], Held),
    rounds: u32,
    rates: [f32; 2],
    chance: &mut Chance,
    done: &mut dyn FnMut(u32, f64, &GameNets),
) -> GameNets {
    let mut learner = Learner::default();
    let (held, mut order): (Vec<usize>, Vec<usize>) =
        (0..lessons.len()).partition(|&lesson| held.is_held(lesson));
    let all = u64::from(rounds) * order.len() as u64;
    let mut learnt = 0;
    for round in 1..=rounds {
        for last in (1..order.len()).rev() {
            order.swap(last, chance.below(last + 1));
        }
        for &at in &order {
            let Lesson { inputs, which, right } = &lessons[at];
            let rate = rate(rates, learnt, all);
            learner.teach(&mut nets.nets_mut()[*which], inputs, *right, rate);
            learnt += 1;
        }
        done(round, error(&nets, held.iter().map(|&at| &lessons[at])), &nets);
    }
    nets
}

/// Returns the root mean square error in equity.
fn error<'a>(nets: &GameNets, lessons: impl Iterator<Item = &'a Lesson>) -> f64 {
    let mut hidden = Vec::new();
    let (mut sum, mut count) = (0.0, 0.0);
    for Lesson { inputs, which, right } in lessons {
        let said = nets.nets()[*which].judge(inputs, &mut hidden);
        let off = f64::from(said.equity() - right.equity());
        sum += off * off;
        count += 1.0;
    }
    (sum / f64::max(count, 1.0)).sqrt()
}
