//! Learning from a look ahead: a position is worth what its 21 rolls are worth, each played best.

use crate::learn::Learner;
use crate::rate;
use crate::selfplay::course;
use games::{Brain, Chance, Inputs, Odds, Work};

/// A position with its net, and what it is worth.
pub(crate) struct Lesson {
    inputs: Inputs,
    which: usize,
    right: Odds,
}

/// Positions of games of the brain against itself, looked at a roll ahead. Of a game about one position
/// in four is taken, and one that is not the best play now and then, so that others are known, too.
pub(crate) fn lessons(
    game: &str,
    brain: &Brain,
    count: u32,
    chance: &mut Chance,
    done: &dyn Fn(),
) -> Vec<Lesson> {
    let mut work = Work::default();
    let mut lessons = Vec::new();
    while lessons.len() < count as usize {
        for (situation, _) in course(brain, game, chance, &mut work) {
            if chance.below(3) != 0 || situation.over().is_some() || lessons.len() >= count as usize
            {
                continue;
            }
            let mut seen = situation;
            if chance.below(3) == 0 {
                let roll = chance.roll(games::Throw::of(2, seen.faces()));
                let mut ends = seen.ends(roll);
                seen = ends.swap_remove(chance.below(ends.len()));
            }
            let mut inputs = Inputs::new();
            if seen.over().is_some() {
                continue;
            }
            let Some(which) = seen.inputs(&mut inputs) else { continue };
            let (right, _) = brain.look_ahead(&seen, &mut work);
            lessons.push(Lesson { inputs, which, right });
            done();
        }
    }
    lessons
}

/// The brain after it has gone through the lessons so often, each time in another order.
pub(crate) fn learn(
    mut brain: Brain,
    lessons: &[Lesson],
    rounds: u32,
    rates: [f32; 2],
    chance: &mut Chance,
) -> Brain {
    let mut learner = Learner::default();
    let mut order: Vec<usize> = (0..lessons.len()).collect();
    for round in 0..rounds {
        for last in (1..order.len()).rev() {
            order.swap(last, chance.below(last + 1));
        }
        let (mut sum, rate) = (0.0, rate(rates, round, rounds));
        for &at in &order {
            let Lesson { inputs, which, right } = &lessons[at];
            sum += f64::from(learner.teach(&mut brain.nets_mut()[*which], inputs, *right, rate));
        }
        let mean = (sum / lessons.len() as f64).sqrt();
        eprintln!("round {}: rate {rate:.5}, error {mean:.4}", round + 1);
    }
    brain
}
