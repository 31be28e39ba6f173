//! What a program knows of a game.

use super::{Net, Odds, Situation, Work, file};
use std::sync::LazyLock;

/// The nets of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Brain {
    nets: Vec<Net>,
    /// Whether it counts the ends of races in place of asking a net.
    counts_ends: bool,
}

/// The nets of each game, read from what the trainer wrote when they are first asked for.
macro_rules! brains {
    ($($game:literal),*) => {
        [$(($game, LazyLock::new(|| {
            Brain::read($game, include_bytes!(concat!("nets/", $game, ".net")))
                .expect("the trainer wrote it")
                .counting_ends()
        }))),*]
    };
}

static BRAINS: [(&str, LazyLock<Brain>); 5] =
    brains!["backgammon", "plakoto", "moultezim", "malaka", "moloko"];

impl Brain {
    /// Nets that know nothing yet, with so many hidden units each or as many as is usual: their weights
    /// are drawn one after the other.
    pub fn new(game: &str, hidden: &[usize], mut draw: impl FnMut() -> f32) -> Self {
        let shapes = Situation::shapes(game).iter().enumerate();
        let units = |at: usize, usual: usize| hidden.get(at).copied().unwrap_or(usual);
        let mut net = |(at, &[inputs, usual]): (usize, &[usize; 2])| {
            Net::new(inputs, units(at, usual), &mut draw)
        };
        Self { nets: shapes.map(&mut net).collect(), counts_ends: false }
    }

    /// The nets by which the levels play a game.
    pub fn of(game: &str) -> Option<&'static Self> {
        BRAINS.iter().find(|(name, _)| *name == game).map(|(_, brain)| &**brain)
    }

    /// The nets of a game that these bytes hold.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(game: &str, bytes: &[u8]) -> Result<Self, &'static str> {
        let nets = file::read(bytes)?;
        let inputs = Situation::shapes(game).iter().map(|[inputs, _]| *inputs);
        let fits = nets.iter().map(|net| net.shape()[0]).eq(inputs);
        if fits { Ok(Self { nets, counts_ends: false }) } else { Err("nets of another shape") }
    }

    /// The same that from now on counts the ends of races. Whoever teaches nets does without, so that
    /// they learn ends, too.
    #[must_use]
    pub fn counting_ends(self) -> Self {
        Self { counts_ends: true, ..self }
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
    pub fn judge(&self, situation: &Situation, work: &mut Work) -> Odds {
        if let Some(odds) = situation.over() {
            return odds;
        }
        if self.counts_ends
            && let Some(odds) = situation.counted()
        {
            return odds;
        }
        let Work { hidden, inputs } = work;
        match situation.inputs(inputs) {
            Some(which) => self.nets[which].judge(inputs, hidden).bounded(),
            None => situation.guess(),
        }
    }

    /// The odds of a situation by looking at every roll and its best play; how many situations were
    /// judged.
    pub fn look_ahead(&self, situation: &Situation, work: &mut Work) -> (Odds, u32) {
        let (mut sum, mut judged) = (Odds::default(), 0);
        for (roll, likely) in situation.rolls() {
            let ends = situation.ends(roll);
            judged += u32::try_from(ends.len()).unwrap_or(u32::MAX);
            sum.add(self.best(&ends, work).1, likely);
        }
        (sum, judged)
    }

    /// Which of these follow-ups is best for the side that has rolled, and its odds for that side.
    ///
    /// # Panics
    /// There are none: a side that can do nothing passes.
    pub fn best(&self, ends: &[Situation], work: &mut Work) -> (usize, Odds) {
        let mut best: Option<(usize, Odds, f32)> = None;
        for (at, end) in ends.iter().enumerate() {
            let odds = self.judge(end, work);
            let value = end.value(odds);
            // What is least for the other side.
            if best.is_none_or(|(.., least)| value < least) {
                best = Some((at, odds, value));
            }
        }
        let (at, odds, _) = best.expect("a side that can do nothing passes");
        (at, odds.turned())
    }
}
