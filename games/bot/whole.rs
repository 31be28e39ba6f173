//! The nets for playing: their first layers are in whole numbers, whose sums are exact in any order, so
//! that of positions that are alike only what differs has to be added (as Nasu's efficiently updatable
//! nets do, 2018).
//!
//! The whole numbers are kept as `f32`, which holds them below 2^24 and is added faster than an `i32` is
//! multiplied on a machine that knows no more than SSE2.

use super::Inputs;
use super::inputs::Scales;
use super::net::Net;
use super::sigmoid::sigmoid;

/// How many of a sum are 1: sums are below 64, so that each is a whole number below 2^24.
const ONE: f32 = 262_144.0;

/// Rows of weights that are added at a time, so that a sum is fetched and put back less often.
const ROWS: usize = 4;

/// The first layer of a net in whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WholeLayer {
    hidden: usize,
    /// For each input what each of its steps adds to each hidden unit, and as it is in the net what an
    /// input adds that is no whole number.
    rows: Vec<f32>,
    /// What is added always.
    always: Vec<f32>,
    scales: Scales,
}

/// What the hidden units of a net have added up for the inputs that it saw last.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// Which net of its game that was, if there was any.
    which: Option<usize>,
    inputs: Inputs,
    units: Vec<f32>,
    /// By how many steps which inputs differ.
    changes: Vec<(u16, f32)>,
}

impl WholeLayer {
    /// The first layer of a net whose inputs have those scales.
    ///
    /// # Panics
    /// There are other inputs than that.
    pub(super) fn of(net: &Net, scales: Scales) -> Self {
        let [inputs, hidden] = net.shape();
        assert_eq!(scales.0.len(), inputs, "every input has its scale");
        let [first, _] = net.layers();
        let (rows, always) = first.split_at(inputs * hidden);
        let whole = |(row, &much): (&[f32], &f32)| -> Vec<f32> {
            let step =
                |weight: &f32| if much > 0.0 { (weight / much * ONE).round() } else { *weight };
            row.iter().map(step).collect()
        };
        let rows = rows.chunks_exact(hidden).zip(&scales.0).flat_map(whole).collect();
        Self { hidden, rows, always: whole((always, &1.0)), scales }
    }

    /// What the hidden units say of inputs; these come back as they were the time before.
    pub(super) fn judge(&self, sums: &mut Sums, inputs: &mut Inputs, hidden: &mut Vec<f32>) {
        sums.compare(inputs, &self.scales);
        self.add(sums);
        hidden.clear();
        hidden.extend(sums.units.iter().map(|sum| sum * (1.0 / ONE)));
        for &(input, value) in inputs.all() {
            if self.scales.0[usize::from(input)] == 0.0 {
                let row = &self.rows[usize::from(input) * self.hidden..];
                hidden.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight * value);
            }
        }
        std::mem::swap(&mut sums.inputs, inputs);
        for sum in hidden.iter_mut() {
            *sum = sigmoid(*sum);
        }
    }

    fn add(&self, sums: &mut Sums) {
        let row = |input: u16| &self.rows[usize::from(input) * self.hidden..][..self.hidden];
        let Sums { units, changes, .. } = sums;
        let (fours, rest) = changes.as_chunks::<ROWS>();
        for fours in fours {
            let [a, b, c, d] = fours.map(|(_, steps)| steps);
            let [first, second, third, fourth] = fours.map(|(input, _)| row(input));
            let both = first.iter().zip(second).zip(third.iter().zip(fourth));
            for (sum, ((first, second), (third, fourth))) in units.iter_mut().zip(both) {
                *sum += (first * a + second * b) + (third * c + fourth * d);
            }
        }
        for &(input, steps) in rest {
            units.iter_mut().zip(row(input)).for_each(|(sum, weight)| *sum += weight * steps);
        }
    }
}

impl Sums {
    /// Forgets what was seen last.
    pub(super) fn clear(&mut self) {
        self.which = None;
    }

    /// Begins with that layer, unless it was the last.
    pub(super) fn of(&mut self, layers: &[WholeLayer], which: usize) {
        if self.which != Some(which) {
            self.which = Some(which);
            self.inputs.clear();
            self.units.clone_from(&layers[which].always);
        }
    }

    /// Finds what makes those inputs out of the last ones; both are in ascending order.
    fn compare(&mut self, inputs: &Inputs, Scales(scales): &Scales) {
        self.changes.clear();
        let (mut old, mut new) = (self.inputs.all(), inputs.all());
        loop {
            let (input, before, now) = match (old, new) {
                ([], []) => return,
                ([(one, before), old_rest @ ..], [(other, now), new_rest @ ..]) if one == other => {
                    (old, new) = (old_rest, new_rest);
                    (*one, *before, *now)
                }
                ([(one, before), rest @ ..], []) => {
                    old = rest;
                    (*one, *before, 0.0)
                }
                ([(one, before), rest @ ..], [(other, _), ..]) if one < other => {
                    old = rest;
                    (*one, *before, 0.0)
                }
                (_, [(other, now), rest @ ..]) => {
                    new = rest;
                    (*other, 0.0, *now)
                }
            };
            if before.to_bits() != now.to_bits() {
                let much = scales[usize::from(input)];
                let steps = rounded(now * much) - rounded(before * much);
                if steps != 0.0 {
                    self.changes.push((input, steps));
                }
            }
        }
    }
}

/// The nearest whole number, of one that is not large.
fn rounded(number: f32) -> f32 {
    /// Added to a small number and taken away again, it rounds.
    const ROUNDS: f32 = 12_582_912.0;
    number + ROUNDS - ROUNDS
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_situations;
    use super::super::{Brain, Situation, Work};
    use super::*;

    /// What is said of a position does not depend on which ones were judged before it.
    #[test]
    fn sums_are_those_that_are_made_anew() {
        for game in Situation::GAMES {
            let brain = Brain::of(game).unwrap();
            let situations = random_situations(game, 2_000, 6);
            let one_by_one = situations.iter().map(|it| brain.judge(it, &mut Work::default()));
            let work = &mut Work::default();
            let odds = brain.judge_all(&situations, work);
            assert!(one_by_one.eq(odds), "{game}");
            let most = work.sums.units.iter().fold(0.0_f32, |most, sum| most.max(sum.abs()));
            assert!(most < 32.0 * ONE, "{game}");
        }
    }

    /// Whole numbers say what the net itself says.
    #[test]
    fn what_is_rounded_is_not_seen() {
        for game in Situation::GAMES {
            let brain = Brain::of(game).unwrap();
            for situation in random_situations(game, 500, 7) {
                let (mut inputs, mut hidden) = (Inputs::new(), Vec::new());
                if situation.over().is_some() || situation.counted().is_some() {
                    continue;
                }
                let Some(which) = situation.inputs(&mut inputs) else { continue };
                let exact = brain.nets()[which].judge(&inputs, &mut hidden).bounded();
                let off = brain.judge(&situation, &mut Work::default()).equity() - exact.equity();
                assert!(off.abs() < 0.001, "{game}: {off}");
            }
        }
    }
}
