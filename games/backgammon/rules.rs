//! The movement rules of Backgammon, and the value of a win.

use crate::bot::built_in_nets;
use crate::kit::{EngineProtocol, Outcome, Seat, Spec};
use crate::points::{
    BAR, Board, Course, Landing, NetRace, Numbers, OFF, Race, RaceSituation, between,
};

/// A race that is played with Backgammon's cube, matches and results: Backgammon itself, or another start.
pub(crate) trait CubeRace: NetRace {
    /// The game's declaration: [`declared`](super::declared) with its name and help.
    const SPEC: Spec;

    /// A position of a match to five points, as an XGID, for tests that try every option.
    const XGID: &'static str;

    /// How many turns each player has in a usual game.
    const TURNS: u16;

    /// The protocol of engines that know this start and these men.
    const ENGINE: Option<EngineProtocol> = None;
}

/// Backgammon as a race game: single men are hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Backgammon;

impl Race for Backgammon {
    const COURSE: Course = Course::Opposed;
    const LANDING: Landing = Landing::Hit;
    const START: &'static [(u8, u8)] = &[(24, 2), (13, 5), (8, 3), (6, 5)];
    const NUMBERS: [Numbers; 2] = [Numbers::Down, Numbers::Up];
}

/// A game without cube and match.
impl NetRace for Backgammon {
    const PLAIN: Self = Self;
    const OVERLOOKED: &'static [f32] = &[0.25, 0.12];

    fn outcome(self, after: &Board, mover: Seat) -> Option<Outcome> {
        outcome(after, mover)
    }

    built_in_nets!(RaceSituation<Backgammon>, "backgammon.net");
}

impl CubeRace for Backgammon {
    const SPEC: Spec = super::declared::<Self>([
        "backgammon",
        "Backgammon",
        "the race with dice, cube and matches",
        include_str!("../../help/backgammon.md"),
    ]);
    const XGID: &'static str = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:00:3:1:0:5:10";
    const TURNS: u16 = 25;
    const ENGINE: Option<EngineProtocol> = Some(EngineProtocol::Gnubg);
}

/// Returns the result of a game without cube and match after a complete play of `mover`.
pub(crate) fn outcome(after: &Board, mover: Seat) -> Option<Outcome> {
    let is_over = after.men_of(mover).are_off();
    let points = u32::from(loss(after, mover.other()));
    is_over.then_some(Outcome::Won { by: mover, points, reason: "by bearing off all men" })
}

/// Returns the board at the start of a game.
pub(super) fn start<R: Race>() -> Board {
    Board::start(R::START)
}

/// Returns the kind of win, from 1, if this side lost now: a gammon if it has borne off no men, and
/// a backgammon if one of them is also on the bar or in the winner's home board.
pub(super) fn loss(board: &Board, loser: Seat) -> u8 {
    let men = board.men_of(loser);
    if men.on(OFF) > 0 {
        1
    } else if men.any() & between(19, BAR) == 0 {
        2
    } else {
        3
    }
}

/// Returns the worst kind of loss still possible: while there is contact, any man may be hit and
/// caught in the winner's home board.
pub(super) fn worst_loss(board: &Board, loser: Seat) -> u8 {
    match loss(board, loser) {
        2 if board.has_contact(Backgammon::COURSE) => 3,
        loss => loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::place;

    #[test]
    fn a_loss_is_single_a_gammon_or_a_backgammon() {
        for (places, x_loses, x_can_lose) in [
            ("7=XXXXX 18=XXXXXXXXX off=OOOOOOOOOOOOOOOX", 1, 1),
            ("6=XXXXX 7=XXXXXXXXX off=OOOOOOOOOOOOOOOX", 1, 1),
            ("7=XXXXX 18=XXXXXXXXXX off=OOOOOOOOOOOOOOO", 2, 2),
            ("6=X 7=XXXX 18=XXXXXXXXXX off=OOOOOOOOOOOOOOO", 3, 3),
            ("1=X 7=XXXX 18=XXXXXXXXXX off=OOOOOOOOOOOOOOO", 3, 3),
            ("7=XXXX 18=XXXXXXXXXX bar=X off=OOOOOOOOOOOOOOO", 3, 3),
            // With contact, men of X may be hit.
            ("20=O 19=XXXXXXXXXXXXXXX off=OOOOOOOOOOOOOO", 2, 3),
            ("18=O 19=XXXXXXXXXXXXXXX off=OOOOOOOOOOOOOO", 2, 2),
            ("20=O 19=XXXXXXXXXXXXXX off=OOOOOOOOOOOOOOX", 1, 1),
        ] {
            let (board, unknown) = place::<Backgammon>(places.split_whitespace()).unwrap();
            assert!(unknown.is_empty());
            assert_eq!(loss(&board, Seat(1)), x_loses, "{places}");
            assert_eq!(worst_loss(&board, Seat(1)), x_can_lose, "{places}");
        }
    }
}
