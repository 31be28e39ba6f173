//! The numbering of points: the board's, and that of players who count from their own side.
//!
//! Seat 0 counts as the board does in every race game. So when seat 1 uses its own numbers, the
//! numberings of the sides are exchanged and the diagram is numbered from another corner.

use super::{BAR, Course, OFF, Race};
use crate::kit::{Corner, Points, Scope, Seat, Setting, Switch, View};

/// How a side's own points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Numbers {
    /// As they are: from 24 down to 1.
    Down,
    /// From 1 up to 24.
    Up,
    /// From 13 up to 24, then from 1 to 12.
    UpFrom13,
}

impl Numbers {
    /// Returns the written number of an own point.
    pub(crate) const fn written(self, point: u8) -> u8 {
        match self {
            Self::Down => point,
            Self::Up => 25 - point,
            Self::UpFrom13 if point > 12 => 37 - point,
            Self::UpFrom13 => 13 - point,
        }
    }

    /// Returns the own point of a written number from 1 to 24. The conversion is its own inverse.
    pub(crate) const fn own(self, written: u8) -> u8 {
        self.written(written)
    }

    /// Writes an own point: `13`, `bar`, `off`.
    pub(crate) fn name(self, point: u8) -> String {
        match point {
            OFF => "off".to_owned(),
            BAR => "bar".to_owned(),
            point => self.written(point).to_string(),
        }
    }

    /// Returns the direction of the men in words.
    pub(super) const fn direction(self) -> &'static str {
        match self {
            Self::Down => "from 24 down to 1",
            Self::Up => "from 1 up to 24",
            Self::UpFrom13 => "from 13 up to 24 and on from 1 to 12",
        }
    }
}

/// The setting of players who count points from their own side.
pub(crate) const NUMBERS: Setting = Setting {
    switch: Switch::one_of(
        "numbers",
        &["board", MINE],
        "mine: points are numbered from your own side, and each side's moves from its own",
    ),
    scope: Scope::Game,
};

const MINE: &str = "mine";

/// Returns whether a viewer counts from the player's own side.
fn are_own(view: &View) -> bool {
    view.seat.is_some() && view.settings.get(NUMBERS.switch.name) == Some(MINE)
}

/// Returns whether the viewer's diagram is numbered differently from the board.
fn differ(view: &View) -> bool {
    view.seat == Some(Seat(1)) && are_own(view)
}

/// Returns the numbering of each side's moves for a viewer: with own numbers, each move uses its
/// mover's.
pub(crate) fn numbered<R: Race>(view: &View) -> [Numbers; 2] {
    let [one, other] = R::NUMBERS;
    if are_own(view) { [one, one] } else { [one, other] }
}

/// Returns the numbering of the viewer's diagram for each side's men.
pub(crate) fn drawn<R: Race>(view: &View) -> [Numbers; 2] {
    let [one, other] = R::NUMBERS;
    if differ(view) { [other, one] } else { [one, other] }
}

/// Converts a written number to the other side's number of the same point.
fn turned<R: Race>(written: u8) -> u8 {
    let [one, other] = R::NUMBERS;
    one.written(other.own(written))
}

/// Converts a recorded move of `mover` into the viewer's notation.
pub(crate) fn text_for_viewer<R: Race>(view: &View, mover: Seat, text: String) -> String {
    if mover == Seat(1) && are_own(view) { with_turned::<R>(&text) } else { text }
}

/// Converts a recorded move into the numbering of the viewer's diagram.
pub(crate) fn text_for_diagram<R: Race>(view: &View, text: String) -> String {
    if differ(view) { with_turned::<R>(&text) } else { text }
}

/// Converts the points of a move to the other side's numbers.
fn with_turned<R: Race>(text: &str) -> String {
    let point = |digits: &str| match digits.parse() {
        Ok(written @ 1..=24) => turned::<R>(written).to_string(),
        _ => digits.to_owned(),
    };
    let mut words = String::with_capacity(text.len() + 4);
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, behind) = from.split_at(end);
        words.push_str(before);
        words.push_str(&point(digits));
        rest = behind;
    }
    words + rest
}

/// Renumbers a diagram for a viewer; the men stay where they are.
pub(crate) fn renumbered<R: Race>(view: &View, board: Points) -> Points {
    if !differ(view) {
        return board;
    }
    let mut piles = board.piles;
    for (written, pile) in (1..).zip(board.piles) {
        piles[usize::from(turned::<R>(written)) - 1] = pile;
    }
    // The new point 1 is drawn above or below the old one where the paths are opposed, else
    // diagonally opposite.
    let down = match board.first {
        Corner::UpperRight => Corner::LowerRight,
        Corner::LowerRight => Corner::UpperRight,
        Corner::UpperLeft => Corner::LowerLeft,
        Corner::LowerLeft => Corner::UpperLeft,
    };
    let first = match down {
        down if R::COURSE == Course::Opposed => down,
        Corner::UpperRight => Corner::UpperLeft,
        Corner::UpperLeft => Corner::UpperRight,
        Corner::LowerRight => Corner::LowerLeft,
        Corner::LowerLeft => Corner::LowerRight,
    };
    Points { piles, first, ..board }
}
