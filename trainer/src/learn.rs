//! One step of gradient descent.

use games::{Inputs, Net, Odds};

/// Working memory of the training.
#[derive(Debug, Default)]
pub(crate) struct Learner {
    hidden: Vec<f32>,
    blame: Vec<f32>,
}

impl Learner {
    /// Trains a net on one position, and returns the squared error in equity.
    ///
    /// The loss is the cross entropy, whose gradient at a logistic unit is the error itself.
    pub(crate) fn teach(&mut self, net: &mut Net, inputs: &Inputs, right: Odds, rate: f32) -> f32 {
        let said = net.judge(inputs, &mut self.hidden);
        let [_, hidden] = net.shape();
        let [first, second] = net.layers_mut();
        self.blame.clear();
        self.blame.resize(hidden, 0.0);
        let (rows, always) = second.split_at_mut(Odds::COUNT * hidden);
        for (output, row) in rows.chunks_exact_mut(hidden).enumerate() {
            let error = right.0[output] - said.0[output];
            let step = error * rate;
            for ((weight, blame), unit) in row.iter_mut().zip(&mut self.blame).zip(&self.hidden) {
                *blame += *weight * error;
                *weight += unit * step;
            }
            always[output] += step;
        }
        for (blame, unit) in self.blame.iter_mut().zip(&self.hidden) {
            *blame *= unit * (1.0 - unit) * rate;
        }
        let mut add = |row: usize, value: f32| {
            let weights = &mut first[row * hidden..][..hidden];
            weights
                .iter_mut()
                .zip(&self.blame)
                .for_each(|(weight, blame)| *weight += blame * value);
        };
        for &(input, value) in inputs.all() {
            add(input.into(), value);
        }
        let last = first.len() / hidden - 1;
        let weights = &mut first[last * hidden..];
        weights.iter_mut().zip(&self.blame).for_each(|(weight, blame)| *weight += blame);
        let off = right.equity() - said.equity();
        off * off
    }
}
