//! A net with one hidden layer and sparse inputs.

use super::Inputs;
use super::sigmoid::sigmoid;
use crate::kit::Odds;
use std::array;

/// The hidden units come in blocks of this size, so that sums are vectorized on any machine.
const BLOCK: usize = 16;

/// The number of partial sums of an output.
const LANES: usize = 8;

/// A net of two layers with logistic units.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    inputs: usize,
    hidden: usize,
    /// For each input its weight to each hidden unit, then the bias.
    first: Vec<f32>,
    /// For each output its weight from each hidden unit, then the bias of each output.
    second: Vec<f32>,
}

impl Net {
    /// Creates a net with random weights.
    ///
    /// # Panics
    /// Panics if the number of hidden units is not a multiple of 16.
    pub fn new(inputs: usize, hidden: usize, mut draw: impl FnMut() -> f32) -> Self {
        assert!(hidden.is_multiple_of(BLOCK), "hidden units come in blocks");
        let mut drawn = |count: usize| (0..count).map(|_| draw()).collect();
        let first = drawn((inputs + 1) * hidden);
        Self { inputs, hidden, first, second: drawn(Odds::COUNT * (hidden + 1)) }
    }

    /// Returns the number of inputs and of hidden units.
    pub const fn shape(&self) -> [usize; 2] {
        [self.inputs, self.hidden]
    }

    /// Returns the weights of both layers: a row for each input and one of biases, then a row for
    /// each output and one of biases.
    pub fn layers(&self) -> [&[f32]; 2] {
        [&self.first, &self.second]
    }

    /// Returns the weights of both layers for training.
    pub fn layers_mut(&mut self) -> [&mut [f32]; 2] {
        [&mut self.first, &mut self.second]
    }

    /// Returns the odds for inputs, and leaves the hidden units in `hidden`.
    pub fn judge(&self, inputs: &Inputs, hidden: &mut Vec<f32>) -> Odds {
        let row = |input: usize| &self.first[input * self.hidden..][..self.hidden];
        hidden.clear();
        hidden.extend_from_slice(row(self.inputs));
        let (fours, rest) = inputs.all().as_chunks::<4>();
        for &[a, b, c, d] in fours {
            // Four rows at a time save loads and stores; the order of sums stays.
            let rows = [a, b, c, d].map(|(input, _)| row(input.into()));
            let [a, b, c, d] = [a, b, c, d].map(|(_, value)| value);
            let [first, second, third, fourth] = rows;
            let both = first.iter().zip(second).zip(third.iter().zip(fourth));
            for (sum, ((first, second), (third, fourth))) in hidden.iter_mut().zip(both) {
                *sum = (((*sum + first * a) + second * b) + third * c) + fourth * d;
            }
        }
        for &(input, value) in rest {
            hidden
                .iter_mut()
                .zip(row(input.into()))
                .for_each(|(sum, weight)| *sum += weight * value);
        }
        for sum in hidden.iter_mut() {
            *sum = sigmoid(*sum);
        }
        self.outputs(hidden)
    }

    /// Returns the outputs: for each, eight interleaved partial sums over the hidden units, then
    /// added in pairs.
    pub(super) fn outputs(&self, hidden: &[f32]) -> Odds {
        let (rows, always) = self.second.split_at(Odds::COUNT * self.hidden);
        let mut rows: [_; Odds::COUNT] = array::from_fn(|output| {
            rows[output * self.hidden..][..self.hidden].as_chunks::<LANES>().0.iter()
        });
        let mut sums = [[0.0_f32; LANES]; Odds::COUNT];
        for units in hidden.as_chunks::<LANES>().0 {
            // All outputs in parallel: none waits for its own sum.
            for (sums, row) in sums.iter_mut().zip(&mut rows) {
                let weights = row.next().expect("a row has a weight for each unit");
                for ((sum, unit), weight) in sums.iter_mut().zip(units).zip(weights) {
                    *sum += unit * weight;
                }
            }
        }
        Odds(array::from_fn(|output| {
            let pair = |at: usize| sums[output][at] + sums[output][at + LANES / 2];
            sigmoid((pair(0) + pair(2)) + (pair(1) + pair(3)) + always[output])
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::inputs::{InputEncoder, InputWriter as _};
    use super::*;
    use crate::kit::Chance;

    /// A net of random weights agrees with the formula, summed in any order.
    #[test]
    fn a_net_is_its_formula() {
        let mut chance = Chance::new(5);
        let mut draw = || f32::from(u16::try_from(chance.below(2_001)).unwrap()) / 1_000.0 - 1.0;
        let net = Net::new(40, 32, &mut draw);
        let mut inputs = Inputs::new();
        let mut next = InputEncoder::to(&mut inputs);
        (0..40).for_each(|input| next.part(if input % 3 == 0 { draw() } else { 0.0 }));
        assert_eq!(inputs.all().len(), 14);
        let [first, second] = net.layers();
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let hidden: Vec<f64> = (0..32)
            .map(|unit| {
                let from = |&(input, value): &(u16, f32)| {
                    f64::from(first[usize::from(input) * 32 + unit]) * f64::from(value)
                };
                let sum: f64 = inputs.all().iter().map(from).sum();
                logistic(sum + f64::from(first[40 * 32 + unit]))
            })
            .collect();
        let Odds(said) = net.judge(&inputs, &mut Vec::new());
        for (output, said) in said.into_iter().enumerate() {
            let row = &second[output * 32..][..32];
            let sum: f64 =
                row.iter().zip(&hidden).map(|(&weight, unit)| f64::from(weight) * unit).sum();
            let known = logistic(sum + f64::from(second[5 * 32 + output]));
            assert!((f64::from(said) - known).abs() < 1e-6, "{output}: {said} {known}");
        }
    }
}
