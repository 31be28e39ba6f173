//! Fevga: both sides move in the same direction, a single man holds its point, and the first man must
//! get past the other side's start.
//!
//! Sources: B1 is <https://bkgm.com/variants/Fevga.html>, B2
//! <https://bkgm.com/articles/Condos/Tavli>, B3 <https://brainking.com/en/GameRules?tp=111>.

#[cfg(test)]
mod tests;

use crate::bot::{LEVELS, built_in_nets};
use crate::kit::{Corner, GammonValue, MANUAL, Manner, Outcome, Seat, Spec, View};
use crate::points::{
    self, AnyRace, Board, Course, FORCE, GREEDY, Landing, MATCH, Men, NUMBERS, NetRace, Numbers,
    PointMask, Race, RaceEntry, RaceGame, RaceSituation, Rules, SETHOME, SIDES, between,
    corner_by_start, double_win, highest,
};

/// A position of Fevga: one game, or a match.
pub(crate) type Position = points::Position<Fevga>;

/// The rules of Fevga.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fevga;

/// The own point on which all men start (B1).
const START: u8 = 24;

/// The quadrant in which all men start.
const FIRST: PointMask = between(19, 24);

/// The own points past the other side's start, off included.
const PAST: PointMask = between(0, Course::Parallel.across(START) - 1);

/// The number of points in a full prime.
const PRIME: u8 = 6;

/// A point with an enemy man is blocked: there are no hits (B1, B2, B3).
impl Race for Fevga {
    const COURSE: Course = Course::Parallel;
    const LANDING: Landing = Landing::Block;
    const START: &'static [(u8, u8)] = &[(START, Men::ALL)];
    const NUMBERS: [Numbers; 2] = [Numbers::Up, Numbers::UpFrom13];

    /// B3: "A player's first checker must pass the opponent's starting point before he may move any
    /// of his other checkers." B2: "A player can not at any point block all six positions of its
    /// starting quarter"; so not between two steps either.
    fn forbids(men: &Men, _other: &Men) -> Option<&'static str> {
        if men.any() & PAST == 0 && men.on(START) < Men::ALL - 1 {
            Some("until the first man is past the other side's start no other may move")
        } else if men.any() & FIRST == FIRST {
            Some("the six points of the first quarter may not all be held")
        } else {
            None
        }
    }

    /// A step takes at most one more point of the first quarter.
    fn may_forbid(men: &Men) -> bool {
        men.any() & PAST == 0 || (men.any() & FIRST).count_ones() >= FIRST.count_ones() - 1
    }

    /// B1, B3: "if opponent has collected all his checkers onto the one point behind player's prime,
    /// the player must unblock a point in his prime to allow the opponent a chance to move". The
    /// sources do not say when this is judged. Ours: at the end of the play, where one that uses as
    /// many pips can open or avoid the prime.
    fn forbids_end(men: &Men, other: &Men) -> Option<&'static str> {
        let point = highest(other.any()).filter(|&point| other.on(point) == Men::ALL)?;
        if point <= PRIME {
            return None;
        }
        let ahead = between(point - PRIME, point - 1);
        (Self::COURSE.turned(men.any()) & ahead == ahead)
            .then_some("all men of the other side are behind these six points: open one of them")
    }
}

impl NetRace for Fevga {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = &[0.5, 0.2];

    /// There is no triple win (B1, B2).
    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        double_win(after, mover)
    }

    fn gammons(self) -> GammonValue {
        GammonValue::DOUBLE
    }

    built_in_nets!(RaceSituation<Fevga>, "fevga.net");
}

impl Rules for Fevga {
    const TITLE: &'static str = "Fevga";

    /// B1: the winner of the opening roll rolls again.
    const REROLLS: bool = true;

    fn first_corner(view: &View) -> Corner {
        corner_by_start(view)
    }
}

impl RaceGame for Fevga {
    const SPEC: Spec = Spec {
        name: "fevga",
        title: Self::TITLE,
        about: "tavli's running game: one man closes a point",
        sides: SIDES,
        help: include_str!("../../help/fevga.md"),
        verbs: &["roll", "accept", "reject"],
        options: &[FORCE, MATCH],
        settings: &[MANUAL, GREEDY, SETHOME, NUMBERS],
        stakes: &["single", "gammon"],
        manner: Manner {
            levels: LEVELS,
            match_option: Some(MATCH.name),
            turns: 45,
            minutes_to_learn: 10,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RACES: &'static [&'static dyn AnyRace] = &[&RaceEntry::<Self>::NEW];
}
