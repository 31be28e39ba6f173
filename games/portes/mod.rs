//! Portes: Backgammon as it is played in Greece, without a cube and without triple wins.
//!
//! Sources: B1 is <https://bkgm.com/variants/Portes.html>, B2
//! <https://bkgm.com/articles/Condos/Tavli> ("with the exception of the doubling and usually the
//! backgammon rule"), L1 <https://ludii.games/details.php?keyword=Portes>. The ban on hitting and
//! running in the home board is a rule of Tavla, not of Portes.

use crate::backgammon::Backgammon;
use crate::bot::{GameNets, LEVELS};
use crate::kit::{Corner, GammonValue, MANUAL, Manner, Outcome, Seat, Spec, View};
use crate::points::{
    self, AnyRace, Board, Course, FLIP, FORCE, GREEDY, Landing, MATCH, NUMBERS, NetRace, Numbers,
    Race, RaceEntry, RaceGame, Rules, SIDES, double_win, is_flipped,
};

/// A position of Portes: one game, or a match.
pub(crate) type Position = points::Position<Portes>;

/// The rules of Portes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Portes;

/// Men start, move, hit and are borne off as in Backgammon (B1, L1).
impl Race for Portes {
    const COURSE: Course = Backgammon::COURSE;
    const LANDING: Landing = Backgammon::LANDING;
    const START: &'static [(u8, u8)] = Backgammon::START;
    const NUMBERS: [Numbers; 2] = Backgammon::NUMBERS;
}

impl NetRace for Portes {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = Backgammon::OVERLOOKED;

    /// There is no triple win (B1, B2).
    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        double_win(after, mover)
    }

    /// A backgammon is worth no more than a gammon.
    fn gammons(self) -> GammonValue {
        GammonValue::DOUBLE
    }

    /// Positions win as often as in Backgammon.
    fn nets() -> &'static GameNets {
        Backgammon::nets()
    }
}

impl Rules for Portes {
    const TITLE: &'static str = "Portes";

    /// B1: "That player then rolls the dice again to begin his first turn."
    const REROLLS: bool = true;

    fn first_corner(view: &View) -> Corner {
        if is_flipped(view) { Corner::LowerRight } else { Corner::UpperRight }
    }
}

impl RaceGame for Portes {
    const SPEC: Spec = Spec {
        name: "portes",
        title: Self::TITLE,
        about: "tavli with hits: Backgammon without a cube",
        sides: SIDES,
        help: include_str!("../../help/portes.md"),
        verbs: &["roll", "accept", "reject"],
        options: &[FORCE, MATCH],
        settings: &[MANUAL, GREEDY, FLIP, NUMBERS],
        stakes: &["single", "gammon"],
        manner: Manner {
            levels: LEVELS,
            match_option: Some(MATCH.name),
            turns: 30,
            minutes_to_learn: 10,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RACES: &'static [&'static dyn AnyRace] = &[&RaceEntry::<Self>::NEW];
}
