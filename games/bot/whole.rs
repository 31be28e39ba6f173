//! The nets for playing: their first layers are in whole numbers, whose sums are exact in any order, so
//! that of positions that are alike only what differs has to be added (as Nasu's efficiently updatable
//! nets do, 2018).
//!
//! The whole numbers are kept as `f32`, which holds them below 2^24 and is added faster than an `i32` is
//! multiplied on a machine that knows no more than SSE2.

use super::inputs::{GROUP, InputScales, InputSteps};
use super::net::Net;
use super::sigmoid::quick_sigmoid;

/// How many of a sum are 1: sums are below 64, so that each is a whole number below 2^24.
const ONE: f32 = 262_144.0;

/// The first layer of a net in whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct IntegerLayer {
    inputs: usize,
    hidden: usize,
    /// For each input what each of its steps adds to each hidden unit, and what an input adds that is no
    /// whole number.
    rows: Vec<f32>,
    /// The numbers that are always added.
    always: Vec<f32>,
}

/// The sums of a net's hidden units for the inputs that it saw last.
#[derive(Clone, Debug, Default)]
pub(super) struct Accumulator {
    /// Which net of its game that was, if there was any.
    which: Option<usize>,
    seen: Vec<[i16; GROUP]>,
    units: Vec<f32>,
    /// By how many steps which inputs differ.
    changes: Vec<(u16, f32)>,
}

impl IntegerLayer {
    /// The first layer of a net whose inputs have those scales.
    ///
    /// # Panics
    /// There are other inputs than that.
    pub(super) fn from_net(net: &Net, InputScales(scales): &InputScales) -> Self {
        let [inputs, hidden] = net.shape();
        assert_eq!(scales.len(), inputs, "every input has its scale");
        let [first, _] = net.layers();
        let (rows, always) = first.split_at(inputs * hidden);
        let whole = |(row, &much): (&[f32], &f32)| -> Vec<f32> {
            let step = |weight: &f32| {
                if much > 0.0 { (weight / much * ONE).round() } else { weight * ONE }
            };
            row.iter().map(step).collect()
        };
        let rows = rows.chunks_exact(hidden).zip(scales).flat_map(whole).collect();
        Self { inputs, hidden, rows, always: whole((always, &1.0)) }
    }

    /// How many inputs it has.
    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// The hidden units' outputs for inputs.
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

    /// Adds so many rows at a time, so that a sum is fetched and put back less often.
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
    /// Forgets what was seen last.
    pub(super) fn clear(&mut self) {
        self.which = None;
    }

    /// Begins with that layer, unless it was the last.
    pub(super) fn switch_to(&mut self, layers: &[IntegerLayer], which: usize) {
        if self.which != Some(which) {
            self.which = Some(which);
            self.seen.clear();
            self.units.clone_from(&layers[which].always);
        }
    }

    /// Finds what makes those inputs out of the last ones.
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

    /// The judgement of a position does not depend on which ones were judged before it.
    #[test]
    fn sums_are_those_that_are_made_anew() {
        for game in AnySituation::GAMES {
            let brain = AnySituation::nets(game).unwrap();
            let situations = random_situations(game, 2_000, 6);
            let one_by_one =
                situations.iter().map(|it| brain.judge(it, &mut NetWorkspace::default()));
            let work = &mut NetWorkspace::default();
            let odds = brain.judge_all(&situations, work);
            assert!(one_by_one.eq(odds), "{game}");
            let most = work.sums.units.iter().fold(0.0_f32, |most, sum| most.max(sum.abs()));
            assert!(most < 32.0 * ONE, "{game}");
        }
    }

    /// Whole numbers say what the net itself says.
    #[test]
    fn what_is_rounded_is_not_seen() {
        for game in AnySituation::GAMES {
            let brain = AnySituation::nets(game).unwrap();
            for situation in random_situations(game, 500, 7) {
                let (mut inputs, mut hidden) = (Inputs::new(), Vec::new());
                if situation.over().is_some() || situation.counted().is_some() {
                    continue;
                }
                let Some(which) = situation.inputs(&mut inputs) else { continue };
                let exact = brain.nets()[which].judge(&inputs, &mut hidden).bounded();
                let off =
                    brain.judge(&situation, &mut NetWorkspace::default()).equity() - exact.equity();
                assert!(off.abs() < 0.001, "{game}: {off}");
            }
        }
    }
}
