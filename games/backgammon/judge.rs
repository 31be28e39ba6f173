//! How the program plays: the plays of its level, and the cube.
//!
//! The cube is that of Rick Janowski (*Take-points in money games*, 1993): what a position is worth
//! with a cube lies between that with a dead cube and that with one which is turned at the very point
//! where it can just be taken. In a match only what the score makes plain is known: which gammons
//! count, and who has nothing to lose. There is no table of match equities yet (ours).

use super::stage::Stage;
use super::words::Move;
use super::{Backgammon, Position};
use crate::bot::{self, Kind, Odds, Situation, Standing, Worth};
use crate::kit::{Below, Seat};
use crate::points;

/// How live a cube is: Janowski finds two thirds and a bit more for most positions.
const LIVE: f32 = 0.68;

/// What a position is worth to a side, in units of the cube.
#[derive(Clone, Copy, Debug)]
struct Chances {
    /// How likely it wins.
    win: f32,
    /// What a win and a loss are worth on average, gammons among them.
    worth: [f32; 2],
}

impl Chances {
    fn of(odds: Odds, worth: Worth) -> Self {
        let Odds([win, gammon, backgammon, lost, lost_three]) = odds;
        let average = |likely: f32, two: f32, three: f32, [second, third]: [f32; 2]| {
            1.0 + (two * second + three * third) / likely.max(0.001)
        };
        let won = average(win, gammon, backgammon, worth.won);
        let loses = average(1.0 - win, lost, lost_three, worth.lost);
        Self { win, worth: [won, loses] }
    }

    /// What the position is worth where the side's own cube adds `own` to it.
    fn with(self, own: f32) -> f32 {
        let [won, lost] = self.worth;
        self.win * (won + lost + LIVE / 2.0) - lost - own
    }

    /// The side owns the cube.
    fn owning(self) -> f32 {
        self.with(0.0)
    }

    /// The other side owns the cube.
    fn facing(self) -> f32 {
        self.with(LIVE / 2.0)
    }

    /// Both may turn the cube.
    fn centred(self) -> f32 {
        4.0 / (4.0 - LIVE) * self.with(LIVE / 4.0)
    }
}

impl Position {
    /// What the program does at that level.
    pub(super) fn chosen(&self, level: u8, below: Below) -> Option<Move> {
        if let Some((loser, stake)) = self.resigns {
            return Some(self.answered(loser, stake));
        }
        match self.stage {
            Stage::Dice(roll) => {
                let chosen = bot::choose("backgammon", &self.thought(), roll, level, below);
                let plays = points::plays::<Backgammon>(&self.board, self.turn, roll);
                plays.into_iter().nth(chosen).map(Move::Play)
            }
            Stage::Ready => self.doubles().then_some(Move::Double),
            Stage::Doubled => Some(self.answer_to_double(self.turn.other())),
            Stage::Beavered => Some(if self.takes(self.turn) { Move::Take } else { Move::Drop }),
            Stage::Opening | Stage::First | Stage::Over(..) => None,
        }
    }

    /// The situation before the roll of the side on turn.
    fn thought(&self) -> Situation {
        let standing = Standing { rules: Backgammon, board: self.board, seat: self.turn };
        let is_turned = self.stakes.counted(self.terms, 2) == 2;
        Situation::new(Kind::Backgammon(standing)).with(self.worth(
            self.turn,
            self.stakes.cube,
            is_turned,
        ))
    }

    /// What gammons and backgammons are worth to that side and to the other, with such a cube: nothing
    /// where a side has won enough without, or where they do not count.
    fn worth(&self, seat: Seat, cube: u32, is_turned: bool) -> Worth {
        let counts = |seat: Seat, times: u32| {
            is_turned && self.wanted(seat).is_none_or(|wanted| wanted > times * cube)
        };
        let to = |seat: Seat| [1, 2].map(|times| f32::from(u8::from(counts(seat, times))));
        Worth { won: to(seat), lost: to(seat.other()) }
    }

    /// How many points a side still wants to win the match.
    fn wanted(&self, seat: Seat) -> Option<u32> {
        let score = self.stakes.score[seat.index()];
        self.terms.is_match().then(|| self.terms.length.saturating_sub(score))
    }

    /// Whether a single game with such a cube wins the match for a side.
    fn wins_match(&self, seat: Seat, cube: u32) -> bool {
        self.wanted(seat).is_some_and(|wanted| wanted <= cube)
    }

    /// The chances of a side with such a cube, before the roll of the side on turn.
    fn chances(&self, seat: Seat, cube: u32, is_turned: bool) -> Chances {
        let odds = bot::judged("backgammon", &self.thought());
        let odds = if seat == self.turn { odds } else { odds.turned() };
        Chances::of(odds, self.worth(seat, cube, is_turned))
    }

    /// Whether the side on turn doubles.
    fn doubles(&self) -> bool {
        let (seat, cube) = (self.turn, self.stakes.cube);
        if self.may_double().is_err() || self.wins_match(seat, cube) {
            return false;
        }
        if self.wins_match(seat.other(), cube) {
            return true;
        }
        let is_turned = self.stakes.counted(self.terms, 2) == 2;
        let now = self.chances(seat, cube, is_turned);
        let keeps = if self.stakes.owner.is_some() { now.owning() } else { now.centred() };
        let taken = 2.0 * self.chances(seat, 2 * cube, true).facing();
        keeps < taken.min(1.0)
    }

    /// Whether a side is better off with a cube that has been turned to it than without the game.
    fn takes(&self, seat: Seat) -> bool {
        let cube = self.stakes.cube;
        let drops_match = self.wins_match(seat.other(), cube);
        drops_match || 2.0 * self.chances(seat, 2 * cube, true).owning() >= -1.0
    }

    fn answer_to_double(&self, seat: Seat) -> Move {
        let is_ahead = || self.chances(seat, 2 * self.stakes.cube, true).owning() > 0.0;
        if !self.takes(seat) {
            Move::Drop
        } else if self.stakes.may_beaver(self.terms).is_ok() && is_ahead() {
            Move::Beaver
        } else {
            Move::Take
        }
    }

    /// Accepts what is no less than it hopes to win.
    fn answered(&self, loser: Seat, stake: u8) -> Move {
        let now = self.thought();
        let value = now.value(bot::judged("backgammon", &now));
        let hoped = if loser == self.turn { -value } else { value };
        if f32::from(stake) + 0.01 >= hoped { Move::Accept } else { Move::Reject }
    }
}
