//! Tavli: a match of Portes, Plakoto and Fevga in turn, on one board.
//!
//! Sources: <https://bkgm.com/articles/Condos/Tavli> (five or seven points, rarely three) and
//! <https://everything2.com/title/tavli> (the order of the games; the winner of a game begins the next
//! one). A drawn game of Plakoto counts nothing (ours).

#[cfg(test)]
mod tests;

use crate::bot::LEVELS;
use crate::fevga::Fevga;
use crate::kit::{MANUAL, Manner, Spec, Switch, Values};
use crate::plakoto::Plakoto;
use crate::points::{
    self, AnyRace, FLIP, FORCE, GREEDY, MATCH, RaceEntry, RaceGame, SETHOME, SIDES,
};
use crate::portes::Portes;

/// A position of Tavli.
pub(crate) type Position = points::Position<Tavli>;

/// A match of three games in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tavli;

/// The usual length of a match.
const USUAL: u32 = 5;

impl RaceGame for Tavli {
    const SPEC: Spec = Spec {
        name: "tavli",
        title: "Tavli",
        about: "a match of Portes, Plakoto and Fevga in turn",
        sides: SIDES,
        help: include_str!("../../help/tavli.md"),
        verbs: &["roll", "accept", "reject"],
        options: &[
            FORCE,
            Switch {
                values: Values::Number { min: 1, max: points::LONGEST, default: USUAL },
                ..MATCH
            },
        ],
        settings: &[MANUAL, GREEDY, FLIP, SETHOME],
        stakes: &["single", "gammon"],
        manner: Manner {
            levels: LEVELS,
            match_option: Some(MATCH.name),
            turns: 130,
            minutes_to_learn: 20,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RACES: &'static [&'static dyn AnyRace] =
        &[&RaceEntry::<Portes>::NEW, &RaceEntry::<Plakoto>::NEW, &RaceEntry::<Fevga>::NEW];
}
