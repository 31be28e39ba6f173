//! Malaka (Cameron Browne, 2004).

use crate::bot::{LEVELS, built_in_nets};
use crate::corridor::{self, CorridorSituation, CorridorTable, Variant};
use crate::kit::{Manner, Seat, Spec, Switch};

/// A position of Malaka.
pub(crate) type Position = corridor::Position<Malaka>;

/// The rules of Malaka.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malaka;

impl Variant for Malaka {
    const SPEC: Spec = Spec {
        name: "malaka",
        title: "Malaka",
        about: "dice and walls: join your men at the far edge",
        sides: ["O", "X"],
        help: include_str!("../../help/malaka.md"),
        options: &[
            Switch::flag("large", "a board of 12 x 12 points, with dice of six faces"),
            Switch::flag("many", "three rows of men a side instead of two"),
            Switch::flag("d4", "dice of four faces"),
            Switch::flag("d6", "dice of six faces"),
            Switch::flag("no_stagger", "each side's rows are behind each other at home"),
        ],
        exclusive: &[&["d4", "d6"]],
        settings: &[corridor::MANUAL],
        manner: Manner { levels: LEVELS, turns: 10, minutes_to_learn: 5, ..Manner::PLAIN },
        ..Spec::PLAIN
    };

    const OVERLOOKED: &'static [f32] = &[0.3, 0.1];

    /// Pinning an enemy man on its home edge wins at once (S0, S1).
    fn wins_at_once(after: &CorridorTable, mover: Seat) -> Option<&'static str> {
        after.pins_at_home(mover).then_some("by pinning a man on its home edge")
    }

    built_in_nets!(CorridorSituation<Malaka>, "malaka.net");
}
