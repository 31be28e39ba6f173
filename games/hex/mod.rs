//! Hex: two sides place stones on a rhombus of hexagons, and each tries to join its two edges.
//!
//! Source: R, *Red Bean, SGF for Hex* (notation, the swap of pieces); C. Browne, *Hex Strategy: Making the
//! Right Connections* (rules). O joins top and bottom, X left and right. With the swap rule the second
//! player may answer the first stone with `swap`: the stone changes sides and is mirrored in the long
//! diagonal, so that it lies for X as it lay for O.

mod record;
#[cfg(test)]
mod tests;

use crate::connection::{
    self, BOTTOM, ConnectionGame, LEFT, LEVELS, NO_SWAP, RIGHT, SIDES, SWAP, TOP, Touched,
};
use crate::kit::sgf::{self, SgfRecord};
use crate::kit::{HexShape, Manner, Seat, Spec, Switch};

/// The sizes of a board, the usual one first. The small one is to learn the game on.
const SIZES: &[&str] = &["11", "13", "14", "15", "19", "5"];

/// A position of Hex.
pub(crate) type Position = connection::Position<Hex>;

/// The rules of Hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hex;

impl ConnectionGame for Hex {
    const SPEC: Spec = Spec {
        name: "hex",
        title: "Hex",
        about: "join your two edges with a chain of stones",
        sides: SIDES,
        help: include_str!("../../help/hex.md"),
        verbs: &[SWAP],
        options: &[Switch::one_of("size", SIZES, "files and ranks of the board"), NO_SWAP],
        formats: &[sgf::format::<Position>("Smart Game Format, as HexGui writes it")],
        manner: Manner {
            levels: LEVELS,
            small: &["size=5"],
            turns: 30,
            minutes_to_learn: 2,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const SHAPE: HexShape = HexShape::Rhombus;

    const SIZES: &'static [&'static str] = SIZES;

    const OWNER_OF_RANK_EDGES: Option<Seat> = Some(Seat(0));

    const MIRRORS: bool = true;

    const REASONS: &'static [&'static str] =
        &["by joining top and bottom", "by joining left and right"];

    const SGF_NUMBER: Option<i64> = Some(11);

    const SGF_SWAP: &'static str = record::SWAP_PIECES;

    fn way_to_win(seat: Seat, touched: Touched) -> Option<usize> {
        let edges = [TOP | BOTTOM, LEFT | RIGHT][seat.index()];
        (touched.marks & edges == edges).then_some(seat.index())
    }

    fn sgf_translate(record: &mut SgfRecord) {
        record::translate(record);
    }
}
