//! A program's knowledge of a game.

use super::inputs::{InputEncoder, InputScales, InputSteps};
use super::sigmoid::sigmoid;
use super::whole::{Accumulator, IntegerLayer};
use super::{Inputs, Net, Situation, file};
use crate::kit::Odds;

/// The nets of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameNets {
    nets: Vec<Net>,
    /// Their first layers, if they are for playing.
    whole: Vec<IntegerLayer>,
}

/// Memory in which a net judges.
#[derive(Clone, Debug, Default)]
pub struct NetWorkspace {
    /// The last outputs of the hidden units.
    pub hidden: Vec<f32>,
    pub(super) inputs: Inputs,
    pub(super) steps: InputSteps,
    pub(super) sums: Accumulator,
}

impl GameNets {
    /// Nets that know nothing yet, of these shapes, with so many hidden units each or as many as is usual:
    /// their weights are drawn one after the other.
    pub fn new(shapes: &[[usize; 2]], hidden: &[usize], mut draw: impl FnMut() -> f32) -> Self {
        let units = |at: usize, usual: usize| hidden.get(at).copied().unwrap_or(usual);
        let mut net = |(at, &[inputs, usual]): (usize, &[usize; 2])| {
            Net::new(inputs, units(at, usual), &mut draw)
        };
        Self { nets: shapes.iter().enumerate().map(&mut net).collect(), whole: Vec::new() }
    }

    /// The nets of those shapes that these bytes hold.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(shapes: &[[usize; 2]], bytes: &[u8]) -> Result<Self, &'static str> {
        let nets = file::read(bytes)?;
        let inputs = shapes.iter().map(|[inputs, _]| *inputs);
        let fits = nets.iter().map(|net| net.shape()[0]).eq(inputs);
        if fits { Ok(Self { nets, whole: Vec::new() }) } else { Err("nets of another shape") }
    }

    /// The same for playing: it counts the ends of races, and its nets are in whole numbers.
    /// Training does without both, so that nets learn ends, too, and in small steps.
    #[must_use]
    pub fn that_plays(self, scales: &[InputScales]) -> Self {
        let layers = self.nets.iter().zip(scales);
        let whole = layers.map(|(net, scales)| IntegerLayer::from_net(net, scales)).collect();
        Self { whole, ..self }
    }

    /// The nets as bytes, their weights rounded.
    pub fn write(&self) -> Vec<u8> {
        file::write(&self.nets)
    }

    /// The nets.
    pub fn nets(&self) -> &[Net] {
        &self.nets
    }

    /// The nets, to be changed.
    pub fn nets_mut(&mut self) -> &mut [Net] {
        &mut self.nets
    }

    /// The odds of a situation: what is certain at the end of a game, what can be counted near
    /// it, else what a net says.
    pub(crate) fn judge(&self, situation: &impl Situation, work: &mut NetWorkspace) -> Odds {
        work.sums.clear();
        self.judge_next(situation, work)
    }

    /// The same for one of several situations, at best like the one before: the work is that of this
    /// brain.
    pub(super) fn judge_next(&self, situation: &impl Situation, work: &mut NetWorkspace) -> Odds {
        let plays = !self.whole.is_empty();
        let known = situation.over().or_else(|| situation.counted().filter(|_| plays));
        if let Some(odds) = known {
            return odds;
        }
        if !plays {
            let Some(which) = situation.inputs(&mut work.inputs) else { return guess(situation) };
            return self.nets[which].judge(&work.inputs, &mut work.hidden).bounded();
        }
        work.steps.clear(self.whole.iter().map(IntegerLayer::inputs).max().unwrap_or(0));
        let mut next = InputEncoder::to(&mut work.steps);
        let Some(which) = situation.tell(&mut next) else { return guess(situation) };
        debug_assert_eq!(next.told(), self.whole[which].inputs(), "every input is told");
        self.judge_steps(which, work)
    }

    /// The odds by what was told to one of the nets. It is the same code for all games.
    #[inline(never)]
    fn judge_steps(&self, which: usize, work: &mut NetWorkspace) -> Odds {
        let NetWorkspace { hidden, steps, sums, .. } = work;
        sums.switch_to(&self.whole, which);
        self.whole[which].judge(sums, steps, hidden);
        self.nets[which].outputs(hidden).bounded()
    }

    /// The odds of each situation.
    pub(super) fn judge_all(&self, ends: &[impl Situation], work: &mut NetWorkspace) -> Vec<Odds> {
        work.sums.clear();
        ends.iter().map(|end| self.judge_next(end, work)).collect()
    }

    /// The odds of a situation by looking at every roll and its best play; how many situations were
    /// judged.
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

    /// Which of these follow-ups is best for the side that has rolled, and its odds for that side.
    ///
    /// # Panics
    /// There are none: a side that can do nothing passes.
    pub(crate) fn best(&self, ends: &[impl Situation], work: &mut NetWorkspace) -> (usize, Odds) {
        work.sums.clear();
        self.best_next(ends, work)
    }

    fn best_next(&self, ends: &[impl Situation], work: &mut NetWorkspace) -> (usize, Odds) {
        let mut best: Option<(usize, Odds, f32)> = None;
        for (at, end) in ends.iter().enumerate() {
            let odds = self.judge_next(end, work);
            let value = end.value(odds);
            // The least for the other side.
            if best.is_none_or(|(.., least)| value < least) {
                best = Some((at, odds, value));
            }
        }
        let (at, odds, _) = best.expect("a side that can do nothing passes");
        (at, odds.turned())
    }
}

/// The odds by the lead alone, where there is no net.
fn guess(situation: &impl Situation) -> Odds {
    Odds([sigmoid(situation.lead() / 15.0), 0.0, 0.0, 0.0, 0.0])
}
