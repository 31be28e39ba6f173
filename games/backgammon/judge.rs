//! The program's decisions: plays at each level, doubles and answers.
//!
//! [`super::cube`] gives the equity with a cube, [`super::matches`] the value of points in a match.
//! Cube decisions look one ply ahead, so results that are certain after the next roll are exact.

use super::cube::{CubeModel, CubeOwner};
use super::matches::AwayScore;
use super::stage::GameStage;
use super::words::BackgammonMove;
use super::{CubePosition, CubeRace};
use crate::bot;
use crate::kit::{
    Evaluation, EvaluationBudget, Game, GammonValue, Odds, RandomBelow, Roll, SearchDepth, Seat,
};
use crate::points::{self, RaceSituation};

/// A double whose zero-ply loss is smaller than this, in cubes, is judged at one ply.
const DOUBTED: f32 = 0.5;

/// The minimum difference, in cubes, between a better and a worse choice.
const BETTER: f32 = 1e-4;

/// If the game changes the match winning chances by less, the match is decided.
const DECIDED: f32 = 1e-5;

/// The probability below which a result is hopeless, and its upper bound at zero plies.
const HOPELESS: f32 = 0.001;
const UNLIKELY: f32 = 0.02;

/// The equities of the cube actions for the side on turn, in units of the current cube.
#[derive(Clone, Copy, Debug)]
struct CubeEquities {
    /// Rolling without a double.
    keeps: f32,
    /// A double that is taken.
    taken: f32,
    /// A double that is beavered, where the beaver is taken.
    beavered: f32,
}

impl CubeEquities {
    /// Returns the equity of a double with the best answer.
    fn doubles(self) -> f32 {
        self.taken.min(1.0)
    }
}

impl<R: CubeRace> CubePosition<R> {
    /// Returns the program's move at a level.
    pub(super) fn chosen(&self, level: u8, below: RandomBelow) -> Option<BackgammonMove> {
        if let Some((loser, stake)) = self.resigns {
            return Some(self.answered(loser, stake));
        }
        match self.stage {
            GameStage::Dice(roll) => {
                let chosen = bot::choose(&self.situation(), roll, level, below);
                let plays = points::plays::<R>(&self.board, self.turn, roll);
                plays.into_iter().nth(chosen).map(BackgammonMove::Play)
            }
            GameStage::Ready => self.doubles().then_some(BackgammonMove::Double),
            GameStage::Doubled => Some(self.answer_to_double()),
            GameStage::Beavered => {
                let takes = self.cubed(SearchDepth::OnePly, &mut EvaluationBudget::new(0)).taken
                    >= -1.0 - BETTER;
                Some(if takes { BackgammonMove::Take } else { BackgammonMove::Drop })
            }
            GameStage::Opening | GameStage::First | GameStage::Over(..) => None,
        }
    }

    /// Returns the stake that the side on turn resigns before its roll: without contact, when it
    /// can neither win nor lose less.
    pub(super) fn hopeless(&self) -> Option<u8> {
        let is_rejected = self.rejected[self.turn.index()];
        if self.stage != GameStage::Ready || self.resigns.is_some() || is_rejected {
            return None;
        }
        if self.board.has_contact(R::COURSE) {
            return None;
        }
        let odds = |look| bot::odds(&self.situation(), look, &mut EvaluationBudget::new(0)).0;
        if odds(SearchDepth::ZeroPly)[0] > UNLIKELY {
            return None;
        }
        let [win, _, _, gammon, backgammon] = odds(SearchDepth::OnePly);
        let most = self.max_stake(self.turn);
        let more = |stake: u8, share: f32| if stake < most { share } else { 0.0 };
        // The probability of any better result, for each kind of loss.
        let others = [
            (1, win.max(more(1, gammon))),
            (2, (1.0 - gammon).max(more(2, backgammon))),
            (3, 1.0 - backgammon),
        ];
        let sure = others.into_iter().find(|(_, other)| *other <= HOPELESS);
        sure.map(|(stake, _)| stake.min(most))
    }

    /// Evaluates the choices at the indices `which`, or all choices, for the side that decides.
    pub(super) fn prospects_of(
        &self,
        which: Option<&[usize]>,
        look: SearchDepth,
        effort: &mut EvaluationBudget,
    ) -> Option<Vec<Evaluation>> {
        let now = self.situation();
        if self.resigns.is_some() {
            return None;
        }
        if let GameStage::Dice(roll) = self.stage {
            return Some(bot::evaluate((&now, roll), which, look, effort));
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
        let evaluation = |value: &f32| Evaluation { odds, value: *value };
        Some(match which {
            None => values.iter().map(evaluation).collect(),
            Some(places) => places.iter().map(|&at| evaluation(&values[at])).collect(),
        })
    }

    /// Returns the side that rolled and how much more the roll is worth than an average one.
    pub(super) fn luck_of(&self, roll: Roll, effort: &mut EvaluationBudget) -> Option<(Seat, f32)> {
        let luck = || bot::luck(&self.situation(), roll, effort);
        (self.stage == GameStage::Ready && self.resigns.is_none())
            .then(luck)
            .map(|luck| (self.turn, luck))
    }

    /// Returns the situation before the roll of the side on turn.
    fn situation(&self) -> RaceSituation<R> {
        RaceSituation::new(R::PLAIN, self.board, self.turn).with(self.worth_of_gammons())
    }

    /// Returns the gammon values for both sides, relative to the difference between winning and
    /// losing a single game.
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

    /// Returns the cube value; it does not matter for money.
    fn cube(&self) -> i64 {
        if self.terms.is_match() { self.stakes.cube.into() } else { 1 }
    }

    /// Returns the value of points for a side: match winning chances, or the points.
    fn worth(&self, seat: Seat) -> impl Fn(i64) -> f32 + use<R> {
        let wanted = |seat: Seat| {
            let score = self.stakes.score[seat.index()];
            i64::from(self.terms.length) - i64::from(score)
        };
        let (own, other) = (wanted(seat), wanted(seat.other()));
        let after_crawford = !self.stakes.crawford && (own == 1 || other == 1);
        let score = AwayScore { own, other, after_crawford };
        let (is_match, has_cube) = (self.terms.is_match(), self.terms.uses_cube);
        move |points: i64| {
            if is_match {
                score.after(points).chance(has_cube)
            } else {
                f32::from(i16::try_from(points).unwrap_or(i16::MAX))
            }
        }
    }

    /// Returns the equities of the cube actions.
    fn cubed(&self, look: SearchDepth, effort: &mut EvaluationBudget) -> CubeEquities {
        let now = self.situation();
        let outlook = match look {
            SearchDepth::ZeroPly => vec![(1.0, bot::odds(&now, look, effort))],
            SearchDepth::OnePly => bot::odds_after_rolls(&now, effort),
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

    /// Returns whether the side on turn should double.
    fn doubles(&self) -> bool {
        let (worth, cube) = (self.worth(self.turn), self.cube());
        if self.may_double().is_err() || worth(2 * cube) - worth(cube) < BETTER {
            return false;
        }
        let gains = |look: SearchDepth| {
            let cubed = self.cubed(look, &mut EvaluationBudget::new(0));
            cubed.doubles() - cubed.keeps
        };
        gains(SearchDepth::ZeroPly) > -DOUBTED && gains(SearchDepth::OnePly) > BETTER
    }

    /// Returns the answer to a double.
    fn answer_to_double(&self) -> BackgammonMove {
        let CubeEquities { taken, beavered, .. } =
            self.cubed(SearchDepth::OnePly, &mut EvaluationBudget::new(0));
        if taken > 1.0 + BETTER {
            BackgammonMove::Drop
        } else if self.stakes.may_beaver(self.terms).is_ok() && beavered < taken.min(0.0) {
            BackgammonMove::Beaver
        } else {
            BackgammonMove::Take
        }
    }

    /// Accepts an offer to resign unless playing on is worth more.
    fn answered(&self, loser: Seat, stake: u8) -> BackgammonMove {
        let winner = loser.other();
        let worth = self.worth(winner);
        let odds = bot::odds(&self.situation(), SearchDepth::OnePly, &mut EvaluationBudget::new(0));
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
