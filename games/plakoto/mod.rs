//! Plakoto: a single man is pinned, not hit.
//!
//! Sources: W2 is the help page of the original server, W4 and W5 describe the game as it is
//! played in Greece (fibs.com/~cthulhu/boardgame, ludii.games).

use crate::bot::{LEVELS, built_in_nets};
use crate::kit::{Corner, MANUAL, Manner, Outcome, Seat, Setting, Spec, Switch, View};
use crate::points::{
    self, AnyRace, Board, Course, FORCE, GREEDY, Landing, Men, NUMBERS, NetRace, Numbers, REROLL,
    Race, RaceEntry, RaceGame, RaceSituation, Rules, is_flipped,
};

/// A position of Plakoto.
pub(crate) type Position = points::Position<Plakoto>;

/// The rules of Plakoto.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Plakoto;

/// The own point on which all men start (W2).
const START: u8 = 24;

const FLIP: Setting = Setting {
    switch: Switch {
        help: "your men start in the lower right corner and go clockwise",
        ..points::FLIP.switch
    },
    ..points::FLIP
};

/// Each side moves toward the other's start and pins single men on its way (W2).
impl Race for Plakoto {
    const COURSE: Course = Course::Opposed;
    const LANDING: Landing = Landing::Pin;
    const START: &'static [(u8, u8)] = &[(START, Men::ALL)];
    /// O starts on point 1 (W2).
    const NUMBERS: [Numbers; 2] = [Numbers::Up, Numbers::Down];
}

impl Plakoto {
    /// Returns whether the last man on a side's start, the mother, is pinned there (W2).
    fn is_mother_pinned(board: &Board, seat: Seat) -> bool {
        board.pinned[seat.index()] & 1 << START != 0
    }
}

impl NetRace for Plakoto {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = &[0.5, 0.2];

    /// A side whose mother is pinned loses two points, unless the other side still has men on its
    /// own start, one of which may be pinned in turn; two pinned mothers are a draw (W2, W4, W5).
    /// Bearing off all men first wins one point, or two if the other side has borne off none (W5).
    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        let pinned = Seat::BOTH.map(|seat| Self::is_mother_pinned(after, seat));
        if pinned == [true, true] {
            return Some(Outcome::Drawn { reason: "both mothers are pinned" });
        }
        let won = |by, points, reason| Some(Outcome::Won { by, points, reason });
        for by in Seat::BOTH {
            if pinned[by.other().index()] && after.men_of(by).on(START) == 0 {
                return won(by, 2, "by pinning the mother");
            }
        }
        let by = points::first_off(after, mover)?;
        match after.off(by.other()) {
            0 => won(by, 2, "by bearing off all men before the other side bore off one"),
            _ => won(by, 1, "by bearing off all men"),
        }
    }

    built_in_nets!(RaceSituation<Plakoto>, "plakoto.net");
}

impl Rules for Plakoto {
    const TITLE: &'static str = "Plakoto";

    /// A player's own start is upper right, with `flip` lower right (W2).
    fn first_corner(view: &View) -> Corner {
        let starts_at_1 = view.seat != Some(Seat(1));
        if starts_at_1 == is_flipped(view) { Corner::LowerRight } else { Corner::UpperRight }
    }
}

impl RaceGame for Plakoto {
    const SPEC: Spec = Spec {
        name: "plakoto",
        title: Self::TITLE,
        about: "tavli with pins: trap men instead of hitting",
        sides: ["O", "X"],
        help: include_str!("../../help/plakoto.md"),
        verbs: &["roll"],
        options: &[FORCE, REROLL],
        settings: &[MANUAL, GREEDY, FLIP, NUMBERS],
        manner: Manner {
            levels: LEVELS,
            has_draws: true,
            turns: 45,
            minutes_to_learn: 10,
            ..Manner::PLAIN
        },
        ..Spec::PLAIN
    };

    const RACES: &'static [&'static dyn AnyRace] = &[&RaceEntry::<Self>::NEW];
}
