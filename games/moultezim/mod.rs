//! Moultezim: both sides move in the same direction, and a single man holds its point.
//!
//! Source: S3 is the help page of the original server.

use crate::bot::{LEVELS, built_in_nets};
use crate::kit::{Choices, Corner, GammonValue, MANUAL, Manner, Outcome, Seat, Spec, Switch, View};
use crate::points::{
    self, AnyRace, Board, Course, FORCE, GREEDY, Landing, Men, NUMBERS, NetRace, Numbers,
    PointMask, REROLL, Race, RaceEntry, RaceGame, RaceSituation, Rules, SETHOME, between,
    corner_by_start,
};

/// A position of Moultezim.
pub(crate) type Position = points::Position<Moultezim>;

/// The rules of Moultezim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Moultezim {
    /// Whether a backgammon counts 3.
    three: bool,
}

/// The own point on which all men start (S3).
const START: u8 = 24;

/// The quadrant in which all men start: a side's home (S3).
const HOME: PointMask = between(19, 24);

/// The own points that are at least 12 from the start, off included.
const BEYOND: PointMask = between(0, START - 12);

const SCORE: Switch =
    Switch::one_of("score", &["123", "12"], "whether a backgammon counts 3, or 2 like a gammon");

/// Points with enemy men are blocked: there are no hits or pins (S3).
impl Race for Moultezim {
    const COURSE: Course = Course::Parallel;
    const LANDING: Landing = Landing::Block;
    const START: &'static [(u8, u8)] = &[(START, Men::ALL)];
    /// O starts on point 1 and X on point 13; the numbers are the same for both (S3).
    const NUMBERS: [Numbers; 2] = [Numbers::Up, Numbers::UpFrom13];

    /// Until one man has moved at least 12 points no other may leave the start, and the six points
    /// of the home may never all be held (S3).
    fn forbids(men: &Men, _other: &Men) -> Option<&'static str> {
        if men.any() & BEYOND == 0 && men.on(START) < Men::ALL - 1 {
            Some("until the first man has gone 12 points no other may move")
        } else if men.any() & HOME == HOME {
            Some("the six points of the home quadrant may not all be held")
        } else {
            None
        }
    }

    /// A step takes at most one more point of the home.
    fn may_forbid(men: &Men) -> bool {
        men.any() & BEYOND == 0 || (men.any() & HOME).count_ones() >= HOME.count_ones() - 1
    }
}

impl NetRace for Moultezim {
    const PLAIN: Self = Self { three: true };
    const OVERLOOKED: &'static [f32] = &[0.5, 0.2];

    /// Bearing off all men first wins one point; two, a gammon, if the other side has borne off
    /// none; three, a backgammon, if a man of it is still in its home (S3; that a gammon counts two
    /// is ours).
    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        let by = points::first_off(after, mover)?;
        let loser = by.other();
        let (points, reason) = if after.off(loser) > 0 {
            (1, "by bearing off all men")
        } else if self.three && after.men_of(loser).any() & HOME != 0 {
            (3, "by a backgammon")
        } else {
            (2, "by a gammon")
        };
        Some(Outcome::Won { by, points, reason })
    }

    /// A backgammon is worth no more than a gammon where it counts 2.
    fn gammons(self) -> GammonValue {
        let three = f32::from(u8::from(self.three));
        GammonValue { won: [1.0, three], lost: [1.0, three] }
    }

    built_in_nets!(RaceSituation<Moultezim>, "moultezim.net");
}

impl Rules for Moultezim {
    const TITLE: &'static str = "Moultezim";

    fn of(options: &Choices) -> Self {
        Self { three: options.get(SCORE.name) != Some("12") }
    }

    /// The viewer's start is in the corner of their choice, the other side's diagonally opposite
    /// (S3).
    fn first_corner(view: &View) -> Corner {
        corner_by_start(view)
    }
}

impl RaceGame for Moultezim {
    const SPEC: Spec = Spec {
        name: "moultezim",
        title: Self::TITLE,
        about: "tavli without hitting: build walls, get home",
        sides: ["O", "X"],
        help: include_str!("../../help/moultezim.md"),
        verbs: &["roll"],
        options: &[FORCE, REROLL, SCORE],
        settings: &[MANUAL, GREEDY, SETHOME, NUMBERS],
        manner: Manner { levels: LEVELS, turns: 45, minutes_to_learn: 10, ..Manner::PLAIN },
        ..Spec::PLAIN
    };

    const RACES: &'static [&'static dyn AnyRace] = &[&RaceEntry::<Self>::NEW];
}
