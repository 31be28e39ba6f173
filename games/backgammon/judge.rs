//! How the program plays: the plays of its level, and the cube.
//!
//! [`super::cube`] tells the value of a game with a cube, and [`super::matches`] that of points in
//! a match. Before it doubles or answers a double the program looks at every roll that can follow:
//! so it knows the certain results where the game ends with the next one.

use super::cube::{CubeModel, CubeOwner};
use super::matches::AwayScore;
use super::stage::GameStage;
use super::words::BackgammonMove;
use super::{Backgammon, Position};
use crate::bot;
use crate::kit::{Effort, Game, GammonValue, Look, Odds, Prospect, RandomBelow, Roll, Seat};
use crate::points::{self, Race, RaceSituation};

/// By how many cubes a double may seem wrong at a glance, to be looked at more closely.
const DOUBTED: f32 = 0.5;

/// By how many cubes one thing must be better than another, to be better.
const BETTER: f32 = 1e-4;

/// By how much a game must change the chance to win a match, or the match is as good as decided.
const DECIDED: f32 = 1e-5;

/// What is likely at most where there is no hope of it, and how likely a glance may find it.
const HOPELESS: f32 = 0.001;
const UNLIKELY: f32 = 0.02;

/// The values of the words about the cube to the side on turn, in units of the cube as it is.
#[derive(Clone, Copy, Debug)]
struct CubeEquities {
    /// To roll without a double.
    keeps: f32,
    /// To have a double taken.
    taken: f32,
    /// To have it answered by another, which is taken.
    beavered: f32,
}

impl CubeEquities {
    /// The value of a double if it is answered well.
    fn doubles(self) -> f32 {
        self.taken.min(1.0)
    }
}

impl Position {
    /// The program's move at that level.
    pub(super) fn chosen(&self, level: u8, below: RandomBelow) -> Option<BackgammonMove> {
        if let Some((loser, stake)) = self.resigns {
            return Some(self.answered(loser, stake));
        }
        match self.stage {
            GameStage::Dice(roll) => {
                let chosen = bot::choose(&self.thought(), roll, level, below);
                let plays = points::plays::<Backgammon>(&self.board, self.turn, roll);
                plays.into_iter().nth(chosen).map(BackgammonMove::Play)
            }
            GameStage::Ready => self.doubles().then_some(BackgammonMove::Double),
            GameStage::Doubled => Some(self.answer_to_double()),
            GameStage::Beavered => {
                let takes = self.cubed(Look::Ahead, &mut Effort::new(0)).taken >= -1.0 - BETTER;
                Some(if takes { BackgammonMove::Take } else { BackgammonMove::Drop })
            }
            GameStage::Opening | GameStage::First | GameStage::Over(..) => None,
        }
    }

    /// The stake for which the side on turn gives up before its roll: once the sides have passed
    /// each other and it can neither win nor lose less.
    pub(super) fn hopeless(&self) -> Option<u8> {
        let is_rejected = self.rejected[self.turn.index()];
        if self.stage != GameStage::Ready || self.resigns.is_some() || is_rejected {
            return None;
        }
        if self.board.has_contact(Backgammon::COURSE) {
            return None;
        }
        let odds = |look| bot::odds(&self.thought(), look, &mut Effort::new(0)).0;
        if odds(Look::Glance)[0] > UNLIKELY {
            return None;
        }
        let [win, _, _, gammon, backgammon] = odds(Look::Ahead);
        let most = self.stake(self.turn);
        let more = |stake: u8, share: f32| if stake < most { share } else { 0.0 };
        // How likely another end is than a loss of each kind.
        let others = [
            (1, win.max(more(1, gammon))),
            (2, (1.0 - gammon).max(more(2, backgammon))),
            (3, 1.0 - backgammon),
        ];
        let sure = others.into_iter().find(|(_, other)| *other <= HOPELESS);
        sure.map(|(stake, _)| stake.min(most))
    }

    /// The prospects of the side that decides after those of its moves, or after all.
    pub(super) fn prospects_of(
        &self,
        which: Option<&[usize]>,
        look: Look,
        effort: &mut Effort,
    ) -> Option<Vec<Prospect>> {
        let now = self.thought();
        if self.resigns.is_some() {
            return None;
        }
        if let GameStage::Dice(roll) = self.stage {
            return Some(bot::prospects((&now, roll), which, look, effort));
        }
        if !self.terms.has_cube() {
            return None;
        }
        let odds = bot::odds(&now, look, effort);
        let CubeEquities { keeps, taken, beavered } = self.cubed(look, effort);
        let (odds, values) = match self.stage {
            GameStage::Ready => {
                let double = self.may_double().is_ok().then_some(taken.min(1.0));
                (odds, double.into_iter().chain([keeps]).collect::<Vec<_>>())
            }
            GameStage::Doubled => {
                let beaver = self.stakes.may_beaver(self.terms).ok().map(|()| -beavered);
                (odds.turned(), [-taken, -1.0].into_iter().chain(beaver).collect())
            }
            GameStage::Beavered => (odds, vec![taken, -1.0]),
            GameStage::Opening | GameStage::First | GameStage::Dice(_) | GameStage::Over(..) => {
                return None;
            }
        };
        let prospect = |value: &f32| Prospect { odds, value: *value };
        Some(match which {
            None => values.iter().map(prospect).collect(),
            Some(places) => places.iter().map(|&at| prospect(&values[at])).collect(),
        })
    }

    /// How much more a roll is worth than an average one, and to whom.
    pub(super) fn luck_of(&self, roll: Roll, effort: &mut Effort) -> Option<(Seat, f32)> {
        let luck = || bot::luck(&self.thought(), roll, effort);
        (self.stage == GameStage::Ready && self.resigns.is_none())
            .then(luck)
            .map(|luck| (self.turn, luck))
    }

    /// The situation before the roll of the side on turn.
    fn thought(&self) -> RaceSituation<Backgammon> {
        RaceSituation::new(Backgammon, self.board, self.turn).with(self.worth_of_gammons())
    }

    /// The value of gammons and backgammons to the side on turn and to the other, beside the value
    /// of winning a single game rather than losing it.
    pub(super) fn worth_of_gammons(&self) -> GammonValue {
        if self.stakes.counted(self.terms, 2) == 1 {
            return GammonValue { won: [0.0; 2], lost: [0.0; 2] };
        }
        let (worth, cube) = (self.worth(self.turn), self.cube());
        let half = (worth(cube) - worth(-cube)) / 2.0;
        if half < DECIDED {
            return GammonValue::MONEY;
        }
        let more = |from: i64, to: i64| ((worth(to) - worth(from)) / half).abs();
        let of = |cube: i64| [more(cube, 2 * cube), more(2 * cube, 3 * cube)];
        GammonValue { won: of(cube), lost: of(-cube) }
    }

    /// The number on the cube. For money it does not matter.
    fn cube(&self) -> i64 {
        if self.terms.is_match() { self.stakes.cube.into() } else { 1 }
    }

    /// The value of so many points to a side: the chance to win the match with them, or themselves.
    fn worth(&self, seat: Seat) -> impl Fn(i64) -> f32 + use<> {
        let wanted = |seat: Seat| {
            let score = self.stakes.score[seat.index()];
            i64::from(self.terms.length) - i64::from(score)
        };
        let (own, other) = (wanted(seat), wanted(seat.other()));
        let after_crawford = !self.stakes.crawford && (own == 1 || other == 1);
        let score = AwayScore { own, other, after_crawford };
        let (is_match, has_cube) = (self.terms.is_match(), self.terms.cube);
        move |points: i64| {
            if is_match {
                score.after(points).chance(has_cube)
            } else {
                f32::from(i16::try_from(points).unwrap_or(i16::MAX))
            }
        }
    }

    /// The values of the words about the cube.
    fn cubed(&self, look: Look, effort: &mut Effort) -> CubeEquities {
        let now = self.thought();
        let outlook = match look {
            Look::Glance => vec![(1.0, bot::odds(&now, look, effort))],
            Look::Ahead => bot::outlook(&now, effort),
        };
        let (cube, worth) = (self.cube(), self.worth(self.turn));
        let is_single = self.stakes.counted(self.terms, 2) == 1;
        let holder = match self.stakes.owner {
            _ if !self.terms.has_cube() || self.stakes.crawford => CubeOwner::Nobody,
            None => CubeOwner::Both,
            Some(owner) if owner == self.turn => CubeOwner::Own,
            Some(_) => CubeOwner::Other,
        };
        let of = |cube: i64, holder: CubeOwner| {
            let after = |&(likely, odds): &(f32, Odds)| {
                let venture = CubeModel::new(odds, &worth);
                let venture = if is_single { venture.single_with(self.cube()) } else { venture };
                likely * venture.with(cube, holder)
            };
            outlook.iter().map(after).sum::<f32>()
        };
        let [low, high] = [worth(-cube), worth(cube)];
        let in_cubes = |worth: f32| 2.0 * (worth - low) / (high - low).max(DECIDED) - 1.0;
        CubeEquities {
            keeps: in_cubes(of(cube, holder)),
            taken: in_cubes(of(2 * cube, CubeOwner::Other)),
            beavered: in_cubes(of(4 * cube, CubeOwner::Other)),
        }
    }

    /// Whether the side on turn doubles: where more than this can be won.
    fn doubles(&self) -> bool {
        let (worth, cube) = (self.worth(self.turn), self.cube());
        if self.may_double().is_err() || worth(2 * cube) - worth(cube) < BETTER {
            return false;
        }
        let gains = |look: Look| {
            let cubed = self.cubed(look, &mut Effort::new(0));
            cubed.doubles() - cubed.keeps
        };
        gains(Look::Glance) > -DOUBTED && gains(Look::Ahead) > BETTER
    }

    /// Whether the side that is doubled takes, drops or doubles at once.
    fn answer_to_double(&self) -> BackgammonMove {
        let CubeEquities { taken, beavered, .. } = self.cubed(Look::Ahead, &mut Effort::new(0));
        if taken > 1.0 + BETTER {
            BackgammonMove::Drop
        } else if self.stakes.may_beaver(self.terms).is_ok() && beavered < taken.min(0.0) {
            BackgammonMove::Beaver
        } else {
            BackgammonMove::Take
        }
    }

    /// Accepts what is worth no less than the game.
    fn answered(&self, loser: Seat, stake: u8) -> BackgammonMove {
        let winner = loser.other();
        let worth = self.worth(winner);
        let odds = bot::odds(&self.thought(), Look::Ahead, &mut Effort::new(0));
        let odds = if winner == self.turn { odds } else { odds.turned() };
        let cube = self.cube();
        let venture = CubeModel::new(odds, &worth);
        let is_single = self.stakes.counted(self.terms, 2) == 1;
        let venture = if is_single { venture.single_with(cube) } else { venture };
        let hoped = venture.dead(cube) - worth(i64::from(stake) * cube);
        if hoped <= 0.01 * (worth(cube) - worth(-cube)) / 2.0 {
            BackgammonMove::Accept
        } else {
            BackgammonMove::Reject
        }
    }
}
