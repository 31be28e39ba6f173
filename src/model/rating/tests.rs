//! Tests of ratings: against the paper, another implementation, and simulated players.

use super::*;
use crate::base::ids::UserId;
use crate::base::time::seconds;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use std::collections::HashMap;

/// A fixed time at the beginning of a period.
const START: Time = Time::from_unix(700 * 30 * 86_400);

fn rating(points: f64) -> Rating {
    Rating::near(points)
}

fn user(number: usize) -> UserId {
    UserId::parse(&format!("user{number}")).unwrap()
}

fn skill(points: f64, deviation: f64) -> Skill {
    Skill {
        rating: rating(points),
        deviation: rating(deviation),
        volatility: 60_000,
        games: 30,
        is_provisional: false,
    }
}

fn player(points: f64, deviation: f64) -> PlayerRating {
    let standing = Standing { skill: skill(points, deviation), won: 30, ..Standing::default() };
    PlayerRating { standing, period: None }
}

const WON: [Score; 2] = [Score::Won, Score::Lost];
const LOST: [Score; 2] = [Score::Lost, Score::Won];

fn game(players: [usize; 2], scores: [Score; 2], at: Time) -> RatedGame {
    RatedGame { players: players.map(user), scores, at, curve: Curve::Elo, is_long: true }
}

/// A generator of pseudorandom numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit).unwrap()).unwrap()
    }

    fn fraction(&mut self) -> f64 {
        f64::from(u32::try_from(self.next() >> 32).unwrap()) / f64::from(u32::MAX)
    }
}

/// A town of players who play game after game.
#[derive(Default)]
struct Town(HashMap<usize, PlayerRating>);

impl Town {
    fn of(&self, player: usize) -> PlayerRating {
        self.0.get(&player).cloned().unwrap_or_default()
    }

    fn points(&self, player: usize) -> f64 {
        self.of(player).standing.skill.rating.value()
    }

    fn play(&mut self, players: [usize; 2], game: &RatedGame) -> [RatingEffect; 2] {
        let before = players.map(|player| self.of(player));
        let effects = effects([&before[0], &before[1]], game);
        for (player, effect) in players.into_iter().zip(&effects) {
            self.0.insert(player, effect.after.clone());
        }
        effects
    }
}

#[test]
fn games_are_counted_and_both_changes_use_the_former_ratings() {
    let mut town = Town::default();
    let at = Time::from_unix(9);
    let [won, lost] = town.play([0, 1], &game([0, 1], WON, at)).map(|effect| effect.change);
    assert_eq!((won.after.won, won.after.lost, won.after.games(), won.after.last), (1, 0, 1, at));
    assert_eq!((lost.after.lost, lost.after.original), (1, Rating(140_000)));
    assert_eq!(won.after.original, Rating(180_000));
    // Both have the same deviation, so one gains what the other loses.
    let gain = won.after.skill.rating.distance(Rating::START);
    assert_eq!(lost.after.skill.rating.distance(Rating::START), gain);
    assert_eq!((won.after.points(), won.after.skill.deviation.points()), (1762, 290));
    let [tied, _] = town.play([2, 3], &game([2, 3], [Score::Tied; 2], at));
    assert_eq!((tied.change.after.tied, tied.change.points()), (1, 0));
}

#[test]
fn a_rating_reads_back_as_it_was_written() {
    for (hundredths, text) in
        [(161_235, "1612.35"), (100, "1.00"), (5, "0.05"), (-5, "-0.05"), (-12_345, "-123.45")]
    {
        assert_eq!(Rating(hundredths).to_string(), text);
        assert_eq!(Rating::try_from(text.to_owned()), Ok(Rating(hundredths)));
    }
    for bad in ["1612", "1612.3", "1612.355", "x.00", "1.-5", "", "99999999999.00"] {
        assert!(Rating::try_from(bad.to_owned()).is_err(), "{bad}");
    }
    assert_eq!([149, 150, -150].map(|hundredths| Rating(hundredths).points()), [1, 2, -1]);
}

/// A standing of an earlier version has no skill.
#[test]
fn a_standing_without_a_skill_begins_anew() {
    let old = r#"{"rating":"1812.35","won":3,"lost":1,"tied":0,"last":9}"#;
    let standing: Standing = serde_json::from_str(old).unwrap();
    assert_eq!((standing.original, standing.skill), (Rating(181_235), Skill::START));
    assert_eq!(serde_json::to_string(&standing).unwrap(), old);
    let new = Standing { skill: skill(1700.0, 60.0), ..standing };
    assert_eq!(
        serde_json::from_str::<Standing>(&serde_json::to_string(&new).unwrap()).unwrap(),
        new
    );
}

/// Glickman's example, as three boards of one period, in every order.
#[test]
fn the_boards_of_a_period_give_the_published_rating() {
    let games = [(1, 1400.0, 30.0, WON), (2, 1550.0, 100.0, LOST), (3, 1700.0, 300.0, LOST)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut town = Town::default();
        town.0.insert(0, player(1500.0, 200.0));
        for (at, index) in order.into_iter().enumerate() {
            let (opponent, points, deviation, scores) = games[index];
            town.0.insert(opponent, player(points, deviation));
            let at = START + days(i64::try_from(at).unwrap());
            town.play([0, opponent], &game([0, opponent], scores, at));
        }
        let skill = town.of(0).standing.skill;
        // The paper prints 1464.06, from numbers rounded in between.
        assert_eq!((skill.rating, skill.deviation), (Rating(146_405), Rating(15_152)));
        assert!(skill.rating.distance(rating(1464.06)) <= 1);
        assert!(skill.volatility.abs_diff(59_990) <= 10, "{}", skill.volatility);
    }
}

/// Random periods of random players, compared with the crate `skillratings`.
#[test]
fn periods_agree_with_another_implementation() {
    let mut random = Random(36);
    for _ in 0..300 {
        let mut of = |low: f64, high: f64| (low + random.fraction() * (high - low)).round();
        let (points, deviation) = (of(1000.0, 2200.0), of(40.0, 350.0));
        let opponents: Vec<(f64, f64, bool)> =
            (0..9).map(|_| (of(1000.0, 2200.0), of(40.0, 350.0), of(0.0, 1.0) > 0.5)).collect();
        let oracle = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let results: Vec<_> = opponents
            .iter()
            .map(|(points, deviation, is_won)| {
                let result = if *is_won { Outcomes::WIN } else { Outcomes::LOSS };
                (oracle(*points, *deviation), result)
            })
            .collect();
        let expected =
            glicko2_rating_period(&oracle(points, deviation), &results, &Glicko2Config::new());
        let strength = |points, deviation| skill(points, deviation).strength();
        let evidence = opponents.iter().map(|(other, uncertain, is_won)| {
            strength(points, deviation).evidence(glicko::GameResult {
                opponent: strength(*other, *uncertain),
                score: f64::from(u8::from(*is_won)),
                slope: 1.0,
                weight: 1.0,
            })
        });
        let evidence = evidence.fold(glicko::Evidence::default(), glicko::Evidence::and);
        let got = strength(points, deviation).after(evidence);
        assert!((got.rating - expected.rating).abs() < 0.01, "{got:?}, not {expected:?}");
        assert!((got.deviation - expected.deviation).abs() < 0.01, "{got:?}, not {expected:?}");
        assert!((got.volatility - expected.volatility).abs() < 1e-5, "{got:?}, not {expected:?}");
    }
}

#[test]
fn a_period_without_games_makes_a_rating_less_certain() {
    let mut town = Town::default();
    town.0.insert(0, player(1700.0, 60.0));
    town.0.insert(1, player(1700.0, 60.0));
    town.play([0, 1], &game([0, 1], [Score::Tied; 2], START));
    let soon = town.of(0).standing.skill.deviation;
    // In the same period the deviation falls; after ten years it is greater than before.
    town.0.insert(2, player(1700.0, 60.0));
    town.play([0, 2], &game([0, 2], [Score::Tied; 2], START + days(29)));
    assert!(town.of(0).standing.skill.deviation < soon);
    town.play([0, 2], &game([0, 2], [Score::Tied; 2], START + days(3_650)));
    assert!(town.of(0).standing.skill.deviation > rating(100.0));
    assert_eq!(town.of(0).standing.points(), 1700);
}

/// 40 histories of 12 players of all strengths, six of them newcomers, with draws, short games and
/// matches.
#[test]
fn a_win_never_lowers_a_rating() {
    let mut kept = 0;
    for seed in 0..40 {
        let (mut random, mut town, mut at) = (Random(seed), Town::default(), START);
        for number in 0..6 {
            town.0.insert(number, player(strength(2 * number), 80.0));
        }
        for _ in 0..400 {
            at += seconds(i64::try_from(random.below(20_000)).unwrap());
            let one = random.below(12);
            let players = [one, (one + 1 + random.below(11)) % 12];
            // The lower number mostly wins, so that all play far above or below their rating.
            let is_expected = random.below(8) > 0;
            let scores = match random.below(10) {
                0 => [Score::Tied; 2],
                _ if (players[0] < players[1]) == is_expected => WON,
                _ => LOST,
            };
            let curve = match random.below(3) {
                0 => Curve::Fibs { length: 7 },
                _ => Curve::Elo,
            };
            let is_long = random.below(9) > 0;
            let game = RatedGame { curve, is_long, ..game(players, scores, at) };
            for (effect, score) in town.play(players, &game).iter().zip(scores) {
                let RatingChange { before, after, share } = effect.change;
                let (old, new) = (before.skill.rating, after.skill.rating);
                assert!(score != Score::Won || new >= old, "seed {seed}: {effect:?}");
                assert!(score != Score::Lost || new <= old, "seed {seed}: {effect:?}");
                assert_eq!(share > 0, is_long);
                kept += usize::from(is_long && score != Score::Tied && new == old);
            }
        }
    }
    assert!(kept > 20, "{kept} games were held back: the rule was not needed");
}

/// Without the rule, the last win would lower the rating.
#[test]
fn a_win_over_a_weak_player_does_not_spoil_a_good_month() {
    let mut town = Town::default();
    town.0.insert(99, player(1000.0, 60.0));
    for opponent in 1..9 {
        town.0.insert(opponent, player(1600.0, 60.0));
        town.play([0, opponent], &game([0, opponent], WON, START));
    }
    let before = town.of(0);
    let [won, _] = town.play([0, 99], &game([0, 99], WON, START));
    assert_eq!(won.change.after.skill.rating, before.standing.skill.rating);
    assert_eq!((won.change.share, won.change.after.skill.games), (1, 9));
}

/// Returns the strength of a player of the simulations: 100 points apart.
fn strength(player: usize) -> f64 {
    1000.0 + 100.0 * f64::from(u32::try_from(player).unwrap())
}

/// Plays games between players of known strength, and returns the players from the weakest.
fn simulate(players: usize, games: usize, curve: Curve, slope: f64) -> Vec<usize> {
    let (mut random, mut town) = (Random(1_918), Town::default());
    for number in 0..games {
        let at = START + seconds(i64::try_from(number * 7_000).unwrap());
        let one = random.below(players);
        let pair = [one, (one + 1 + random.below(players - 1)) % players];
        let difference = strength(pair[0]) - strength(pair[1]);
        let chance = 1.0 / (1.0 + 10.0_f64.powf(-slope * difference / 400.0));
        let scores = if random.fraction() < chance { WON } else { LOST };
        town.play(pair, &RatedGame { curve, ..game(pair, scores, at) });
    }
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|one, other| town.points(*one).total_cmp(&town.points(*other)));
    for player in 0..players {
        let Skill { deviation, is_provisional, .. } = town.of(player).standing.skill;
        assert!(!is_provisional && deviation < rating(120.0), "player {player}: {deviation}");
        let error = town.points(player) - town.points(0) - (strength(player) - strength(0));
        assert!(error.abs() < 200.0, "player {player}: {error}");
    }
    order
}

#[test]
fn ten_thousand_games_find_the_order_of_the_players() {
    let in_order: Vec<usize> = (0..12).collect();
    assert_eq!(simulate(12, 10_000, Curve::Elo, 1.0), in_order);
    // Matches to nine points, whose results follow the curve of FIBS.
    assert_eq!(simulate(12, 10_000, Curve::Fibs { length: 9 }, 0.6), in_order);
}

#[test]
fn a_long_match_counts_more_than_a_short_one() {
    let gain = |length| {
        let mut town = Town::default();
        let game = RatedGame { curve: Curve::Fibs { length }, ..game([0, 1], WON, START) };
        let [won, _] = town.play([0, 1], &game);
        let RatingChange { before, after, .. } = won.change;
        (after.points() - before.points(), after.skill.deviation)
    };
    let gains = [1, 3, 7, 15, 25].map(gain);
    for pair in gains.windows(2) {
        assert!(pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1, "{gains:?}");
    }
    // Among certain ratings the gain grows with the square root of the length, as on FIBS.
    let among_certain = |length| {
        let mut town = Town::default();
        for number in [0, 1] {
            town.0.insert(number, player(1600.0, 20.0));
        }
        let game = RatedGame { curve: Curve::Fibs { length }, ..game([0, 1], WON, START) };
        let [won, _] = town.play([0, 1], &game);
        won.change.after.skill.rating.value() - 1600.0
    };
    let ratio = among_certain(25) / among_certain(1);
    assert!((ratio - 5.0).abs() < 0.3, "{ratio}");
}

#[test]
fn short_games_change_only_the_original_rating() {
    let mut town = Town::default();
    let short = RatedGame { is_long: false, ..game([0, 1], WON, START) };
    let [won, lost] = town.play([0, 1], &short);
    assert_eq!((won.change.share, won.after.period), (0, None));
    assert_eq!((won.change.after.skill, lost.change.after.skill), (Skill::START, Skill::START));
    assert_eq!(won.change.after.original, Rating(180_000));
}

#[test]
fn repeated_games_of_a_pair_and_games_against_newcomers_weigh_less_and_less() {
    let mut town = Town::default();
    for number in [0, 1] {
        town.0.insert(number, player(1600.0, 60.0));
    }
    let share = |town: &mut Town, players: [usize; 2], at| {
        town.play(players, &game(players, WON, at)).map(|effect| effect.change.share)
    };
    for expected in 1..5 {
        assert_eq!(share(&mut town, [0, 1], START), [expected; 2]);
    }
    // Another opponent begins with a whole game; five newcomers share their weight.
    for newcomer in 10..15 {
        let expected = u32::try_from(newcomer - 9).unwrap();
        assert_eq!(share(&mut town, [0, newcomer], START), [expected, 1]);
    }
    // In the next period all count again.
    assert_eq!(share(&mut town, [0, 1], START + days(30)), [1, 1]);
}

/// Twenty games that somebody loses on purpose, by one accomplice and by eight.
#[test]
fn twenty_thrown_games_make_no_established_player() {
    let throw = |town: &mut Town, accomplices: usize, is_long: bool| {
        for number in 0..20 {
            let pair = [0, 1 + number % accomplices];
            let at = START + days(i64::try_from(number).unwrap());
            town.play(pair, &RatedGame { is_long, ..game(pair, WON, at) });
        }
        town.of(0).standing
    };
    for (accomplices, original) in [(1, 1800), (8, 1918)] {
        let standing = throw(&mut Town::default(), accomplices, false);
        assert_eq!(standing.original.points(), original, "the formulas of the original server");
        assert_eq!(standing.skill, Skill::START);
        // Long games tell little, too.
        let standing = throw(&mut Town::default(), accomplices, true);
        assert!(standing.is_provisional() && standing.skill.deviation > rating(200.0));
        assert!(standing.points() < 1930, "not twice what the first game brought: {standing:?}");
        // An established player gains next to nothing.
        let mut town = Town::default();
        town.0.insert(0, player(1600.0, 60.0));
        let standing = throw(&mut town, accomplices, true);
        assert!(standing.points() < 1640, "{standing:?}");
    }
}
