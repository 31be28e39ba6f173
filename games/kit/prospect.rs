//! How well a side stands, as a program sees it.

use super::Odds;

/// In what a game's program weighs positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The points that are won on average, as multiples of the cube where there is one.
    Points,
    /// Won games less lost ones: between -1 and 1.
    Chances,
}

/// How well a side stands, as a program sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// How likely it wins, and how.
    pub odds: Odds,
    /// The value of that.
    pub value: f32,
}

/// How closely a program looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// At what a move leads to.
    Glance,
    /// At every roll that can follow, and its best play.
    Ahead,
}

/// How many positions a program may still judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort(u32);

impl Effort {
    /// As many as that.
    pub const fn new(positions: u32) -> Self {
        Self(positions)
    }

    /// So many have been judged.
    pub(crate) fn spend(&mut self, positions: u32) {
        self.0 = self.0.saturating_sub(positions);
    }

    /// Whether as many may be judged as that.
    pub const fn allows(self, positions: u32) -> bool {
        self.0 >= positions
    }
}
