//! Y: two sides place stones on a triangle of hexagons, and each tries to join all three edges.
//!
//! Sources: C. Schensted and C. Titus, *Mudcrack Y and Poly-Y* (1975); the Y of Richard's play-by-mail server
//! (17 cells an edge, the swap). A corner belongs to both of its edges. The board is the same for both sides,
//! so a stone that is taken over stays where it is. Ours: the board of five, to learn on.

#[cfg(test)]
mod tests;

use crate::connection::{self, ConnectionGame, LEVELS, NO_SWAP, SIDES, SWAP, TRIANGLE, Touched};
use crate::kit::{HexShape, Manner, Seat, Spec, Switch, sgf};

/// The cells of an edge, the usual number first.
const SIZES: &[&str] = &["17", "13", "14", "15", "16", "18", "19", "5"];

/// A position of Y.
pub(crate) type Position = connection::Position<Y>;

/// The rules of Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Y;

impl ConnectionGame for Y {
    const SPEC: Spec = Spec {
        name: "y",
        title: "Y",
        about: "join all three edges with a chain of stones",
        sides: SIDES,
        help: include_str!("../../help/y.md"),
        verbs: &[SWAP],
        options: &[Switch::one_of("size", SIZES, "cells along an edge of the board"), NO_SWAP],
        formats: &[sgf::format::<Position>("Smart Game Format")],
        manner: Manner {
            levels: LEVELS,
            small: &["size=5"],
            turns: 45,
            minutes_to_learn: 2,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const SHAPE: HexShape = HexShape::Triangle;

    const SIZES: &'static [&'static str] = SIZES;

    const OWNER_OF_RANK_EDGES: Option<Seat> = None;

    const MIRRORS: bool = false;

    const REASONS: &'static [&'static str] = &["by joining the three edges"];

    fn way_to_win(_seat: Seat, touched: Touched) -> Option<usize> {
        (touched.marks & TRIANGLE == TRIANGLE).then_some(0)
    }
}
