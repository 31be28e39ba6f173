//! Havannah: two sides place stones on a hexagon of hexagons; a ring, a bridge of two corners, or a fork of
//! three edges wins.
//!
//! Source: C. Freeling, *Havannah* (rules: a ring may enclose anything, corners belong to no edge); Little
//! Golem (the swap). The board is the same for both sides, so a stone that is taken over
//! stays where it is.

mod record;
#[cfg(test)]
mod tests;

use crate::connection::{
    self, CORNERS, ConnectionGame, LEVELS, NO_SWAP, SIDES, SIDES_OF_HEXAGON, SWAP, Touched,
};
use crate::kit::sgf::{self, SgfRecord};
use crate::kit::{HexShape, Manner, Seat, Spec, Switch};

/// The cells of an edge, the usual number first.
const SIZES: &[&str] = &["8", "10", "9", "7", "6", "5", "4"];

/// A position of Havannah.
pub(crate) type Position = connection::Position<Havannah>;

/// The rules of Havannah.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Havannah;

impl ConnectionGame for Havannah {
    const SPEC: Spec = Spec {
        name: "havannah",
        title: "Havannah",
        about: "a ring, a bridge of corners or a fork of edges",
        sides: SIDES,
        help: include_str!("../../help/havannah.md"),
        verbs: &[SWAP],
        options: &[Switch::one_of("size", SIZES, "cells along an edge of the board"), NO_SWAP],
        formats: &[sgf::format::<Position>("Smart Game Format, as Little Golem writes it")],
        manner: Manner {
            levels: LEVELS,
            has_draws: true,
            small: &["size=4"],
            turns: 35,
            minutes_to_learn: 5,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const SHAPE: HexShape = HexShape::Hexagon;

    const SIZES: &'static [&'static str] = SIZES;

    const OWNER_OF_RANK_EDGES: Option<Seat> = None;

    const MIRRORS: bool = false;

    const REASONS: &'static [&'static str] =
        &["by closing a ring", "by a bridge between two corners", "by a fork of three edges"];

    fn way_to_win(_seat: Seat, touched: Touched) -> Option<usize> {
        let count = |marks: u16| (touched.marks & marks).count_ones();
        let ways = [touched.has_ring, count(CORNERS) >= 2, count(SIDES_OF_HEXAGON) >= 3];
        ways.iter().position(|has_won| *has_won)
    }

    fn sgf_translate(record: &mut SgfRecord) {
        record::translate(record);
    }
}
