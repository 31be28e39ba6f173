//! Nets for playing, with integer first layers: sums are exact in any order, so only the inputs
//! that differ from the previous position need to be added (as in Nasu's efficiently updatable
//! nets, 2018).
//!
//! Whole numbers are stored as `f32`, which is exact below 2^24 and faster than `i32`
//! multiplication on SSE2.

use super::inputs::{GROUP, InputScales, InputSteps};
use super::net::Net;
use super::sigmoid::quick_sigmoid;

/// The fixed-point unit: sums are below 64, so they are whole numbers below 2^24.
const ONE: f32 = 262_144.0;

/// The first layer of a net in whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IntegerLayer {
    inputs: usize,
    hidden: usize,
    /// For each input the weight of one step to each hidden unit, or the weight of an input that is
    /// not a whole number.
    rows: Vec<f32>,
    /// The biases.
    always: Vec<f32>,
}

/// The sums of a net's hidden units for its last inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct Accumulator {
    /// The index of the net, if any.
    which: Option<usize>,
    seen: Vec<[i16; GROUP]>,
    units: Vec<f32>,
    /// The inputs that differ, and by how many steps.
    changes: Vec<(u16, f32)>,
}

impl IntegerLayer {
    /// Converts the first layer of a net with these input scales.
    ///
    /// # Panics
    /// Panics if the number of scales differs.
    pub(super) fn from_net(net: &Net, InputScales(scales): &InputScales) -> Self {
        let [inputs, hidden] = net.shape();
        assert_eq!(scales.len(), inputs, "every input has its scale");
        let [first, _] = net.layers();
        let (rows, always) = first.split_at(inputs * hidden);
        let whole = |(row, &scale): (&[f32], &f32)| -> Vec<f32> {
            let step = |weight: &f32| {
                if scale > 0.0 { (weight / scale * ONE).round() } else { weight * ONE }
            };
            row.iter().map(step).collect()
        };
        let rows = rows.chunks_exact(hidden).zip(scales).flat_map(whole).collect();
        Self { inputs, hidden, rows, always: whole((always, &1.0)) }
    }

    /// Returns the number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the outputs of the hidden units.
    pub(super) fn judge(
        &self,
        sums: &mut Accumulator,
        steps: &mut InputSteps,
        hidden: &mut Vec<f32>,
    ) {
        sums.compare(&steps.groups);
        std::mem::swap(&mut sums.seen, &mut steps.groups);
        let Accumulator { units, changes, .. } = sums;
        let (sixes, rest) = changes.as_chunks::<6>();
        let (pairs, rest) = rest.as_chunks::<2>();
        for six in sixes {
            self.add(units, six);
        }
        for pair in pairs {
            self.add(units, pair);
        }
        for &one in rest {
            self.add(units, &[one]);
        }
        hidden.clear();
        if steps.parts.is_empty() {
            hidden.extend(units.iter().map(|&sum| quick_sigmoid(sum, 1.0 / ONE)));
        } else {
            hidden.extend_from_slice(units);
            for &part in &steps.parts {
                self.add(hidden, &[part]);
            }
            for sum in hidden {
                *sum = quick_sigmoid(*sum, 1.0 / ONE);
            }
        }
    }

    /// Adds several rows at a time to save loads and stores.
    fn add<const ROWS: usize>(&self, units: &mut [f32], changes: &[(u16, f32); ROWS]) {
        let steps = changes.map(|(_, steps)| steps);
        let rows =
            changes.map(|(input, _)| &self.rows[usize::from(input) * self.hidden..][..self.hidden]);
        let units = &mut units[..self.hidden];
        for unit in 0..self.hidden {
            let mut sum = 0.0;
            for row in 0..ROWS {
                sum += rows[row][unit] * steps[row];
            }
            units[unit] += sum;
        }
    }
}

impl Accumulator {
    /// Clears the last inputs.
    pub(super) fn clear(&mut self) {
        self.which = None;
    }

    /// Starts with a layer, unless it was the last.
    pub(super) fn switch_to(&mut self, layers: &[IntegerLayer], which: usize) {
        if self.which != Some(which) {
            self.which = Some(which);
            self.seen.clear();
            self.units.clone_from(&layers[which].always);
        }
    }

    /// Computes the difference from the last inputs.
    fn compare(&mut self, now: &[[i16; GROUP]]) {
        self.changes.clear();
        self.seen.resize(now.len(), [0; GROUP]);
        for (group, (before, now)) in self.seen.iter().zip(now).enumerate() {
            if before == now {
                continue;
            }
            let first = u16::try_from(group * GROUP).expect("nets are small");
            for (input, (before, now)) in (first..).zip(before.iter().zip(now)) {
                if before != now {
                    self.changes.push((input, f32::from(*now) - f32::from(*before)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Inputs, NetWorkspace, Situation as _};
    use super::*;
    use crate::programs::AnySituation;
    use crate::programs::tests::random_situations;

    /// The evaluation of a position does not depend on the positions judged before it.
    #[test]
    fn sums_are_those_that_are_made_anew() {
        for game in AnySituation::GAMES {
            let nets = AnySituation::nets(game).unwrap();
            let situations = random_situations(game, 2_000, 6);
            let one_by_one =
                situations.iter().map(|it| nets.judge(it, &mut NetWorkspace::default()));
            let work = &mut NetWorkspace::default();
            let odds = nets.judge_all(&situations, work);
            assert!(one_by_one.eq(odds), "{game}");
            let most = work.sums.units.iter().fold(0.0_f32, |most, sum| most.max(sum.abs()));
            assert!(most < 32.0 * ONE, "{game}");
        }
    }

    /// The integer layer agrees with the net.
    #[test]
    fn what_is_rounded_is_not_seen() {
        for game in AnySituation::GAMES {
            let nets = AnySituation::nets(game).unwrap();
            for situation in random_situations(game, 500, 7) {
                let (mut inputs, mut hidden) = (Inputs::new(), Vec::new());
                if situation.over().is_some() || situation.counted().is_some() {
                    continue;
                }
                let Some(which) = situation.inputs(&mut inputs) else { continue };
                let exact = nets.nets()[which].judge(&inputs, &mut hidden).bounded();
                let off =
                    nets.judge(&situation, &mut NetWorkspace::default()).equity() - exact.equity();
                assert!(off.abs() < 0.001, "{game}: {off}");
            }
        }
    }
}
