//! Temporal difference learning from self-play.

use crate::learn::Learner;
use games::{Chance, GameNets, Inputs, NetWorkspace, Odds, Situation as _};
use trainer::course;

/// Nets in training.
pub(crate) struct School {
    nets: GameNets,
    /// The average of the snapshots, and their number.
    mean: Option<(GameNets, f32)>,
    /// The learning rate.
    pub(crate) rate: f32,
    lambda: f32,
    chance: Chance,
    work: NetWorkspace,
    learner: Learner,
    inputs: Inputs,
    /// The errors since the last measurement, and their number.
    errors: (f64, u32),
}

impl School {
    pub(crate) fn new(nets: GameNets, lambda: f32, chance: Chance) -> Self {
        Self {
            nets,
            mean: None,
            rate: 0.0,
            lambda,
            chance,
            work: NetWorkspace::default(),
            learner: Learner::default(),
            inputs: Inputs::new(),
            errors: (0.0, 0),
        }
    }

    pub(crate) fn nets(&self) -> &GameNets {
        &self.nets
    }

    /// Returns the mean error in equity since the last call.
    pub(crate) fn loss(&mut self) -> f64 {
        let (sum, count) = std::mem::take(&mut self.errors);
        (sum / f64::from(count.max(1))).sqrt()
    }

    /// Plays a game and learns from it, from its end to its beginning.
    ///
    /// The target of a position is the evaluation of the next one, mixed with weight lambda with
    /// the target of that one (Sutton, *Learning to predict by the methods of temporal
    /// differences*, 1988, backward view).
    pub(crate) fn play(&mut self, game: &str) {
        let course = course(&self.nets, game, None, &mut self.chance, &mut self.work);
        let mut right: Option<Odds> = None;
        for (situation, seemed) in course.iter().rev() {
            let Some(next) = right else {
                right = Some(*seemed);
                continue;
            };
            let target = next.turned();
            if let Some(which) = situation.inputs(&mut self.inputs) {
                let net = &mut self.nets.nets_mut()[which];
                let error = self.learner.teach(net, &self.inputs, target, self.rate);
                self.errors.0 += f64::from(error);
                self.errors.1 += 1;
            }
            let mut both = Odds::default();
            both.add(target, self.lambda);
            both.add(*seemed, 1.0 - self.lambda);
            right = Some(both);
        }
    }

    /// Adds a snapshot of the weights to the average.
    pub(crate) fn keep(&mut self) {
        let (mean, count) = self.mean.get_or_insert_with(|| (self.nets.clone(), 0.0));
        *count += 1.0;
        let part = 1.0 / *count;
        for (mean, net) in mean.nets_mut().iter_mut().zip(self.nets.nets()) {
            for (mean, now) in mean.layers_mut().into_iter().zip(net.layers()) {
                mean.iter_mut().zip(now).for_each(|(mean, now)| *mean += (now - *mean) * part);
            }
        }
    }

    /// Returns the average of the snapshots, which is better than the last weights.
    pub(crate) fn graduate(self) -> GameNets {
        self.mean.map_or(self.nets, |(mean, _)| mean)
    }
}
