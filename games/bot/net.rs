//! A net of one hidden layer, over inputs of which most are 0.

use super::Inputs;
use super::sigmoid::sigmoid;
use crate::kit::Odds;
use std::array;

/// Hidden units come in so many, so that sums are made side by side on any machine.
const BLOCK: usize = 16;

/// Sums of which one output is made side by side.
const LANES: usize = 8;

/// Two layers of weights, with logistic units.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    inputs: usize,
    hidden: usize,
    /// For each input what it adds to each hidden unit; behind them what is added always.
    first: Vec<f32>,
    /// For each output what each hidden unit adds; behind them what is added always, to each output.
    second: Vec<f32>,
}

impl Net {
    /// A net of that shape, its weights drawn one after the other.
    ///
    /// # Panics
    /// The hidden units are not a multiple of 16.
    pub fn new(inputs: usize, hidden: usize, mut draw: impl FnMut() -> f32) -> Self {
        assert!(hidden.is_multiple_of(BLOCK), "hidden units come in blocks");
        let mut drawn = |count: usize| (0..count).map(|_| draw()).collect();
        let first = drawn((inputs + 1) * hidden);
        Self { inputs, hidden, first, second: drawn(Odds::COUNT * (hidden + 1)) }
    }

    /// How many inputs and hidden units it has.
    pub const fn shape(&self) -> [usize; 2] {
        [self.inputs, self.hidden]
    }

    /// The weights of both layers: a row for each input and one more, then a row for each output and
    /// one more of what is added to the outputs.
    pub fn layers(&self) -> [&[f32]; 2] {
        [&self.first, &self.second]
    }

    /// The weights of both layers, to be changed.
    pub fn layers_mut(&mut self) -> [&mut [f32]; 2] {
        [&mut self.first, &mut self.second]
    }

    /// The net's odds for inputs. The hidden units stay in `hidden`.
    pub fn judge(&self, inputs: &Inputs, hidden: &mut Vec<f32>) -> Odds {
        let row = |input: usize| &self.first[input * self.hidden..][..self.hidden];
        hidden.clear();
        hidden.extend_from_slice(row(self.inputs));
        let (fours, rest) = inputs.all().as_chunks::<4>();
        for &[a, b, c, d] in fours {
            // Four at a time, so that a sum is fetched and put back less often; their order stays.
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

    /// The outputs from the hidden units: each is the sum of what each eighth unit adds, then of
    /// these in pairs.
    pub(super) fn outputs(&self, hidden: &[f32]) -> Odds {
        let (rows, always) = self.second.split_at(Odds::COUNT * self.hidden);
        let mut rows: [_; Odds::COUNT] = array::from_fn(|output| {
            rows[output * self.hidden..][..self.hidden].as_chunks::<LANES>().0.iter()
        });
        let mut sums = [[0.0_f32; LANES]; Odds::COUNT];
        for units in hidden.as_chunks::<LANES>().0 {
            // All outputs side by side: none waits for its own sum.
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

    /// A net of random weights says what the formula says, summed in any order.
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
