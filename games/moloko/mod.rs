//! Moloko, the later Malaka (*Connection Games*, 2005): one board, and no win by pinning.

use crate::bot::{LEVELS, built_in_nets};
use crate::corridor::{self, CorridorSituation, CorridorTable, Variant};
use crate::kit::{Manner, Seat, Spec};

/// A position of Moloko.
pub(crate) type Position = corridor::Position<Moloko>;

/// The rules of Moloko.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moloko;

impl Variant for Moloko {
    const SPEC: Spec = Spec {
        name: "moloko",
        title: "Moloko",
        about: "Malaka as its author plays it today",
        sides: ["O", "X"],
        help: include_str!("../../help/moloko.md"),
        settings: &[corridor::MANUAL],
        manner: Manner {
            levels: LEVELS,
            has_draws: true,
            turns: 25,
            minutes_to_learn: 5,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const OVERLOOKED: &'static [f32] = &[0.3, 0.1];

    /// Men of both sides can be pinned for good on the goal edges: without the home pin rule such a
    /// game would never end (ours).
    fn is_drawn(after: &CorridorTable) -> Option<&'static str> {
        let is_dead = !Seat::BOTH.into_iter().any(|seat| after.can_ever_move(seat));
        is_dead.then_some("no man of either side can ever move again")
    }

    built_in_nets!(CorridorSituation<Moloko>, "moloko.net");
}
