//! Long Nardy: both sides move in the same direction, a single man holds its point, and one man may
//! leave the start in a turn.
//!
//! Source: B4 is <https://www.bkgm.com/variants/Narde.html>. Where others differ, B4 applies: nobody has
//! a last throw after the other side is off, so no game is drawn, and a mars counts two wherever the
//! loser's men are. A double is four steps: with two, a first 3-3 or 4-4 would not run into the other
//! head. Ours: the first turn is the one in which all men are on the start, so also after a pass; six
//! points in a row are forbidden between two steps, too; and they may go round the corner of the board.

#[cfg(test)]
mod tests;

use crate::bot::{LEVELS, built_in_nets};
use crate::kit::{Corner, GammonValue, MANUAL, Manner, Outcome, Roll, Seat, Spec, View};
use crate::points::{
    self, AnyRace, Board, Course, FORCE, GREEDY, HeldBack, Landing, MATCH, Men, NUMBERS, NetRace,
    Numbers, POINTS, PointMask, Race, RaceEntry, RaceGame, RaceSituation, Rules, SETHOME, SIDES,
    corner_by_start, first_off, up,
};

/// A position of Long Nardy: one game, or a match.
pub(crate) type Position = points::Position<Nardy>;

/// The rules of Long Nardy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Nardy;

/// The own point on which all men start, the head (B4).
const HEAD: u8 = 24;

/// Returns the points from which six points in a row are all in the set, and those from which all but
/// one are at least. The board is a circle: 1 follows 24.
fn rows(set: PointMask) -> [PointMask; 2] {
    let circle = u64::from(set & POINTS) | u64::from(set & POINTS) << 24;
    let (mut all, mut all_but_one) = (u64::MAX, u64::MAX);
    for further in 0..6 {
        let held = circle >> further;
        all_but_one = all_but_one & held | all;
        all &= held;
    }
    [all, all_but_one].map(|firsts| PointMask::try_from(firsts & u64::from(POINTS)).unwrap_or(0))
}

/// A point with an enemy man is blocked: there are no hits (B4).
impl Race for Nardy {
    const COURSE: Course = Course::Parallel;
    const LANDING: Landing = Landing::Block;
    const START: &'static [(u8, u8)] = &[(HEAD, Men::ALL)];
    const NUMBERS: [Numbers; 2] = [Numbers::Up, Numbers::UpFrom13];

    /// B4: "You may not build a prime (six consecutive blocks) in front of all of the opponent's
    /// checkers; at least one opposing checker must be in front of your prime."
    fn forbids(men: &Men, other: &Men) -> Option<&'static str> {
        // The other side comes last to the point of a row that is nearest to its own end.
        let [six, _] = rows(Self::COURSE.turned(men.any()));
        let front = up(six).next()?;
        let foremost = up(other.any()).next()?;
        (foremost > front)
            .then_some("six points in a row need a man of the other side in front of them")
    }

    /// A step takes at most one more point.
    fn may_forbid(men: &Men) -> bool {
        let [_, five_of_six] = rows(men.any());
        five_of_six != 0
    }

    /// B4: "You may move only one checker off of your head each turn. The one exception is the first
    /// roll of the game in which you may move two checkers off your head: two off the head is forced
    /// when a player rolls 3-3, 4-4, or 6-6 for his first roll."
    fn holds_back(men: &Men, roll: Roll) -> Option<HeldBack> {
        let on_head = men.on(HEAD);
        let is_exception = matches!(roll, Roll::Two(3, 3) | Roll::Two(4, 4) | Roll::Two(6, 6));
        let (may_leave, rule) = if on_head == Men::ALL && is_exception {
            (2, "two men may leave the head with this roll")
        } else {
            (1, "only one man may leave the head in a turn")
        };
        let men = on_head.saturating_sub(may_leave);
        Some(HeldBack { point: HEAD, men, rule }).filter(|held| held.men > 0)
    }
}

impl NetRace for Nardy {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = &[0.5, 0.2];

    /// A win counts one, an oin, or two, a mars, if the loser has borne off no man (B4).
    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        let by = first_off(after, mover)?;
        let (points, reason) =
            if after.off(by.other()) == 0 { (2, "with a mars") } else { (1, "with an oin") };
        Some(Outcome::Won { by, points, reason })
    }

    fn gammons(self) -> GammonValue {
        GammonValue::DOUBLE
    }

    built_in_nets!(RaceSituation<Nardy>, "nardy.net");
}

impl Rules for Nardy {
    const TITLE: &'static str = "Long Nardy";

    /// B4: "That player rolls the dice again to begin his turn."
    const REROLLS: bool = true;

    fn first_corner(view: &View) -> Corner {
        corner_by_start(view)
    }
}

impl RaceGame for Nardy {
    const SPEC: Spec = Spec {
        name: "nardy",
        title: Self::TITLE,
        about: "one man a turn leaves the head; none is hit",
        sides: SIDES,
        help: include_str!("../../help/nardy.md"),
        verbs: &["roll", "accept", "reject"],
        options: &[FORCE, MATCH],
        settings: &[MANUAL, GREEDY, SETHOME, NUMBERS],
        stakes: &["oin", "mars"],
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
