//! The nets of a game.

use super::inputs::{InputEncoder, InputScales, InputSteps};
use super::integer_layer::{Accumulator, IntegerLayer};
use super::sigmoid::sigmoid;
use super::{Inputs, Net, Situation, file};
use crate::kit::Odds;

/// The nets of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameNets {
    nets: Vec<Net>,
    /// Their integer first layers, if they are for playing.
    integer_layers: Vec<IntegerLayer>,
}

/// Working memory of an evaluation.
#[derive(Clone, Debug, Default)]
pub struct NetWorkspace {
    /// The last outputs of the hidden units.
    pub hidden: Vec<f32>,
    pub(super) inputs: Inputs,
    pub(super) steps: InputSteps,
    pub(super) sums: Accumulator,
}

impl GameNets {
    /// The nets of a game that has none: its levels compare pip counts.
    pub const NONE: Self = Self { nets: Vec::new(), integer_layers: Vec::new() };

    /// Returns whether there are nets.
    pub(crate) const fn has_learned(&self) -> bool {
        !self.nets.is_empty()
    }

    /// Creates untrained nets of these shapes with `hidden` units each, or their usual number, and
    /// random weights.
    pub fn new(shapes: &[[usize; 2]], hidden: &[usize], mut draw: impl FnMut() -> f32) -> Self {
        let units = |at: usize, usual: usize| hidden.get(at).copied().unwrap_or(usual);
        let mut net = |(at, &[inputs, usual]): (usize, &[usize; 2])| {
            Net::new(inputs, units(at, usual), &mut draw)
        };
        Self { nets: shapes.iter().enumerate().map(&mut net).collect(), integer_layers: Vec::new() }
    }

    /// Reads nets of these shapes.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn read(shapes: &[[usize; 2]], bytes: &[u8]) -> Result<Self, &'static str> {
        let nets = file::read(bytes)?;
        let inputs = shapes.iter().map(|[inputs, _]| *inputs);
        let fits = nets.iter().map(|net| net.shape()[0]).eq(inputs);
        if fits {
            Ok(Self { nets, integer_layers: Vec::new() })
        } else {
            Err("nets of another shape")
        }
    }

    /// Converts the nets for playing: with bearoff tables and integer first layers. Training uses
    /// neither, so that nets learn race ends as well, and in small steps.
    #[must_use]
    pub fn for_playing(self, scales: &[InputScales]) -> Self {
        let layers = self.nets.iter().zip(scales);
        let integer_layers =
            layers.map(|(net, scales)| IntegerLayer::from_net(net, scales)).collect();
        Self { integer_layers, ..self }
    }

    /// Returns the nets as bytes, their weights rounded.
    pub fn write(&self) -> Vec<u8> {
        file::write(&self.nets)
    }

    /// Returns the nets.
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// Returns the nets for training.
    pub fn nets_mut(&mut self) -> &mut [Net] {
        &mut self.nets
    }

    /// Returns the odds of a situation: exact after the end of a game, from tables near it, else
    /// from a net.
    pub(crate) fn judge(&self, situation: &impl Situation, work: &mut NetWorkspace) -> Odds {
        work.sums.clear();
        self.judge_next(situation, work)
    }

    /// Returns the odds of one of several situations. It is fastest if the situation resembles the
    /// one before; `work` belongs to this value.
    pub(super) fn judge_next(&self, situation: &impl Situation, work: &mut NetWorkspace) -> Odds {
        let plays = !self.integer_layers.is_empty();
        let known = situation.over().or_else(|| situation.counted().filter(|_| plays));
        if let Some(odds) = known {
            return odds;
        }
        if !plays {
            if !self.has_learned() {
                return guess(situation);
            }
            let Some(which) = situation.inputs(&mut work.inputs) else { return guess(situation) };
            return self.nets[which].judge(&work.inputs, &mut work.hidden).bounded();
        }
        work.steps.clear(self.integer_layers.iter().map(IntegerLayer::inputs).max().unwrap_or(0));
        let mut next = InputEncoder::to(&mut work.steps);
        let Some(which) = situation.write_inputs(&mut next) else { return guess(situation) };
        debug_assert_eq!(
            next.written(),
            self.integer_layers[which].inputs(),
            "every input is written"
        );
        self.judge_steps(which, work)
    }

    /// Returns a net's odds for inputs that were written. It is not generic, so it is compiled
    /// once.
    #[inline(never)]
    fn judge_steps(&self, which: usize, work: &mut NetWorkspace) -> Odds {
        let NetWorkspace { hidden, steps, sums, .. } = work;
        sums.switch_to(&self.integer_layers, which);
        self.integer_layers[which].judge(sums, steps, hidden);
        self.nets[which].outputs(hidden).bounded()
    }

    /// Returns the odds of each situation.
    pub(super) fn judge_all(&self, ends: &[impl Situation], work: &mut NetWorkspace) -> Vec<Odds> {
        work.sums.clear();
        ends.iter().map(|end| self.judge_next(end, work)).collect()
    }

    /// Returns the odds of a situation after a one-ply search, and the number of situations judged.
    pub(crate) fn look_ahead(
        &self,
        situation: &impl Situation,
        work: &mut NetWorkspace,
    ) -> (Odds, u32) {
        let (mut sum, mut judged) = (Odds::default(), 0);
        work.sums.clear();
        for (roll, likely) in situation.rolls() {
            let ends = situation.ends(roll);
            judged += u32::try_from(ends.len()).unwrap_or(u32::MAX);
            sum.add(self.best_next(&ends, work).1, likely);
        }
        (sum, judged)
    }

    /// Returns the index of the best successor for the side that has rolled, and its odds for that
    /// side.
    ///
    /// # Panics
    /// Panics if there are none: a side that can do nothing passes.
    pub(crate) fn best(&self, ends: &[impl Situation], work: &mut NetWorkspace) -> (usize, Odds) {
        work.sums.clear();
        self.best_next(ends, work)
    }

    fn best_next(&self, ends: &[impl Situation], work: &mut NetWorkspace) -> (usize, Odds) {
        let mut best: Option<(usize, Odds, f32)> = None;
        for (at, end) in ends.iter().enumerate() {
            let odds = self.judge_next(end, work);
            let value = end.value(odds);
            // The minimum for the other side.
            if best.is_none_or(|(.., least)| value < least) {
                best = Some((at, odds, value));
            }
        }
        let (at, odds, _) = best.expect("a side that can do nothing passes");
        (at, odds.turned())
    }
}

/// Returns odds from the lead alone, where there is no net.
fn guess(situation: &impl Situation) -> Odds {
    Odds([sigmoid(situation.lead() / 15.0), 0.0, 0.0, 0.0, 0.0])
}
