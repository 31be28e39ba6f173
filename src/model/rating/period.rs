//! Rating periods, and the weight of games.
//!
//! A period has thirty days, counted from 1970. All of its games are compared with the ratings of
//! both players at its beginning, as Glicko-2 demands; but the new rating is shown after each game,
//! from the evidence so far. Three rules are ours:
//!
//! * A game counts if both players have made at least [`MIN_DECISIONS`] decisions.
//! * The `n`th game of a period against the same opponent has the weight `1 / n`. So has the `n`th
//!   game of a period against newcomers, who have fewer than [`NEWCOMER`] games that count. The
//!   weight does not depend on the result, so it favours nobody.
//! * A win never lowers a rating, and a loss never raises one. In Glicko-2 a win against a much
//!   weaker opponent can, because it makes a rating more certain that was about to rise. Such a game
//!   adds no evidence.

use super::glicko::{Evidence, GameResult, MAX_DEVIATION};
use super::{Rating, RatingChange, Score, Skill, Standing};
use crate::base::ids::UserId;
use crate::base::time::{Span, Time, days};
use serde::{Deserialize, Serialize};

/// The decisions that each player must have made in a game that counts.
pub const MIN_DECISIONS: usize = 5;

/// The length of a rating period.
const PERIOD: Span = days(30);

/// A player with fewer games that count is a newcomer.
const NEWCOMER: u32 = 5;

/// The most opponents that a period remembers; one more forgets the first.
const MAX_OPPONENTS: usize = 64;

/// A number is stored as this many parts of 1.
const PARTS: f64 = 1e6;

/// The greatest difference of stored evidence that is explained by the rounding of machines.
const ROUNDING: u64 = 1_000;

/// How much a difference of ratings says about the result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// The usual curve: 400 points are 10 to 1.
    Elo,
    /// The curve of FIBS for backgammon matches of this length.
    Fibs {
        /// The points to win; 1 for a single game.
        length: u32,
    },
}

impl Curve {
    /// Returns the slope of the curve, compared with the usual one.
    fn slope(self) -> f64 {
        match self {
            Self::Elo => 1.0,
            Self::Fibs { length } => f64::from(length).sqrt() / 5.0,
        }
    }

    /// Returns the deviation above which a rating is provisional. A backgammon rating of fifty
    /// points of experience, which FIBS demands for its list, has about 200.
    fn provisional_above(self) -> Rating {
        match self {
            Self::Elo => Rating(11_000),
            Self::Fibs { .. } => Rating(20_000),
        }
    }
}

/// The facts of a finished, rated board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// The players, seat 0 first.
    pub players: [UserId; 2],
    /// The results, seat 0 first.
    pub scores: [Score; 2],
    /// When the board ended.
    pub at: Time,
    /// How much a difference of ratings says about the result.
    pub curve: Curve,
    /// Whether both players have made enough decisions.
    pub is_long: bool,
}

/// An opponent of a rating period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Encounter {
    user: UserId,
    games: u32,
}

/// A player's games in a rating period, as far as their rating depends on them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingPeriod {
    /// The number of the period.
    number: i64,
    /// The skill at the beginning of the period.
    start: Skill,
    /// The gain of [`Evidence`], in millionths.
    gain: i64,
    /// The information of [`Evidence`], in millionths.
    information: i64,
    /// The number of games against newcomers.
    newcomers: u32,
    /// The opponents, in the order of the first game.
    opponents: Vec<Encounter>,
}

fn period_number(at: Time) -> i64 {
    at.unix().div_euclid(PERIOD.seconds())
}

#[expect(clippy::cast_possible_truncation, reason = "`as` saturates at the bounds of the type")]
fn parts(value: f64) -> i64 {
    (value * PARTS).round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "a period has few games")]
fn whole(parts: i64) -> f64 {
    parts as f64 / PARTS
}

impl RatingPeriod {
    /// Begins a period.
    fn new(number: i64, start: Skill) -> Self {
        Self { number, start, gain: 0, information: 0, newcomers: 0, opponents: Vec::new() }
    }

    /// Returns the divisor of the weight of the next game against an opponent.
    fn next_share(&self, opponent: &UserId, opponents_skill: Skill) -> u32 {
        let met = self.opponents.iter().find(|met| met.user == *opponent);
        let games = met.map_or(0, |met| met.games);
        let newcomers = if opponents_skill.games < NEWCOMER { self.newcomers } else { 0 };
        games.max(newcomers).saturating_add(1)
    }

    /// Counts a game against an opponent.
    fn count(&mut self, opponent: &UserId, opponents_skill: Skill) {
        if opponents_skill.games < NEWCOMER {
            self.newcomers = self.newcomers.saturating_add(1);
        }
        if let Some(met) = self.opponents.iter_mut().find(|met| met.user == *opponent) {
            met.games = met.games.saturating_add(1);
            return;
        }
        if self.opponents.len() >= MAX_OPPONENTS {
            self.opponents.remove(0);
        }
        self.opponents.push(Encounter { user: opponent.clone(), games: 1 });
    }

    fn evidence(&self) -> Evidence {
        Evidence { gain: whole(self.gain), information: whole(self.information) }
    }

    /// Returns the skill after the games so far, and one more that adds this evidence.
    fn skill_after(&self, more: Evidence, games: u32, curve: Curve) -> Skill {
        let after = self.start.strength().after(self.evidence().and(more));
        let deviation = Rating::near(after.deviation);
        Skill {
            rating: Rating::near(after.rating),
            deviation,
            volatility: u32::try_from(parts(after.volatility)).unwrap_or(u32::MAX),
            games,
            is_provisional: deviation > curve.provisional_above(),
        }
    }

    /// Returns the userids of the opponents.
    pub fn opponents_mut(&mut self) -> impl Iterator<Item = &mut UserId> {
        self.opponents.iter_mut().map(|met| &mut met.user)
    }

    /// Returns whether two periods differ at most as two machines round differently.
    fn is_near(&self, other: &Self) -> bool {
        let rounded = Self {
            start: other.start,
            gain: other.gain,
            information: other.information,
            ..self.clone()
        };
        self.start.is_near(other.start)
            && self.gain.abs_diff(other.gain) <= ROUNDING
            && self.information.abs_diff(other.information) <= ROUNDING
            && rounded == *other
    }
}

/// Everything that a player's next rating in a game depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerRating {
    /// The standing.
    pub standing: Standing,
    /// The latest period with a game that counts.
    pub period: Option<RatingPeriod>,
}

impl PlayerRating {
    /// Returns the player's period with this number: the latest one, or a new one that begins with
    /// the present skill. If the clock of the machine was wrong, a number may come again.
    fn period(&self, number: i64) -> RatingPeriod {
        let skill = self.standing.skill;
        match &self.period {
            Some(period) if period.number == number => period.clone(),
            Some(period) => {
                // The deviation includes the growth of the latest period.
                let idle = number.saturating_sub(period.number).saturating_sub(1).max(0);
                #[expect(clippy::cast_precision_loss, reason = "periods are few")]
                let grown = skill.strength().after_idle(idle as f64).deviation.min(MAX_DEVIATION);
                RatingPeriod::new(number, Skill { deviation: Rating::near(grown), ..skill })
            }
            None => RatingPeriod::new(number, skill),
        }
    }

    /// Returns whether two ratings differ at most as two machines round differently.
    pub fn is_near(&self, other: &Self) -> bool {
        let periods = match (&self.period, &other.period) {
            (Some(one), Some(other)) => one.is_near(other),
            (one, other) => one == other,
        };
        periods && self.standing.is_near(other.standing)
    }
}

/// The effect of a board on a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingEffect {
    /// The change of the standing.
    pub change: RatingChange,
    /// The player's rating after the board.
    pub after: PlayerRating,
}

/// Returns the effects of a board on both players, seat 0 first.
pub fn effects(before: [&PlayerRating; 2], game: &RatedGame) -> [RatingEffect; 2] {
    let periods = before.map(|rating| rating.period(period_number(game.at)));
    [0, 1].map(|seat: usize| {
        let (own, other) = (before[seat], before[1 - seat]);
        let standing = own.standing.counted(&other.standing, game.scores[seat], game.at);
        let unchanged = PlayerRating { standing, period: own.period.clone() };
        if !game.is_long {
            let change = RatingChange { before: own.standing, after: standing, share: 0 };
            return RatingEffect { change, after: unchanged };
        }
        let opponent = OpponentInPeriod {
            user: &game.players[1 - seat],
            start: periods[1 - seat].start,
            skill: other.standing.skill,
        };
        rate(own.standing, standing, periods[seat].clone(), &opponent, game, game.scores[seat])
    })
}

/// The opponent of a game that counts.
struct OpponentInPeriod<'a> {
    user: &'a UserId,
    /// The skill at the beginning of the period.
    start: Skill,
    /// The skill before the game.
    skill: Skill,
}

/// Returns the effect of a game that counts on a player whose present period is `period`, and whose
/// standing is `counted` except for the skill.
fn rate(
    before: Standing,
    counted: Standing,
    mut period: RatingPeriod,
    opponent: &OpponentInPeriod,
    game: &RatedGame,
    score: Score,
) -> RatingEffect {
    let share = period.next_share(opponent.user, opponent.skill);
    let evidence = period.start.strength().evidence(GameResult {
        opponent: opponent.start.strength(),
        score: score.value(),
        slope: game.curve.slope(),
        weight: 1.0 / f64::from(share),
    });
    // Rounded as it is stored, so that the shown rating follows from the document.
    let (gain, information) = (parts(evidence.gain), parts(evidence.information));
    let rounded = Evidence { gain: whole(gain), information: whole(information) };
    let games = before.skill.games.saturating_add(1);
    let mut skill = period.skill_after(rounded, games, game.curve);
    let is_wrong_way = match score {
        Score::Won => skill.rating < before.skill.rating,
        Score::Lost => skill.rating > before.skill.rating,
        Score::Tied => false,
    };
    if is_wrong_way {
        skill = Skill { games, ..before.skill };
    } else {
        period.gain = period.gain.saturating_add(gain);
        period.information = period.information.saturating_add(information);
    }
    period.count(opponent.user, opponent.skill);
    let standing = Standing { skill, ..counted };
    RatingEffect {
        change: RatingChange { before, after: standing, share },
        after: PlayerRating { standing, period: Some(period) },
    }
}
