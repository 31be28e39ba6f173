//! Tests that programs play, with the same results on every machine.

use super::AnySituation;
use crate::bot::{Inputs, LEVELS, NetWorkspace, Situation as _};
use crate::kit::chance::{FNV_START, fnv_1a};
use crate::kit::{
    AnyGame, Chance, Choices, Contender, Next, Seat, Throw, TournamentResult, tournament,
};
use std::collections::BTreeSet;

/// Returns the situations of random games, finished ones included.
pub(crate) fn random_situations(game: &str, count: usize, seed: u64) -> Vec<AnySituation> {
    let mut chance = Chance::new(seed);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let mut now = AnySituation::start(game, Seat(0)).unwrap();
        let mut throw = now.opening();
        while now.over().is_none() && found.len() < count {
            let mut ends = now.ends(chance.roll(throw));
            now = ends.swap_remove(chance.below(ends.len()));
            found.push(now.clone());
            throw = Throw::new(2, now.faces());
        }
    }
    found
}

/// Returns the FNV-1a hash of the bits of all odds of many situations of a game.
fn hash_of_evaluations(each: usize) -> u64 {
    let mut work = NetWorkspace::default();
    let mut hash = FNV_START;
    for game in AnySituation::GAMES {
        let nets = AnySituation::nets(game).unwrap();
        for situation in random_situations(game, each, 7) {
            for number in nets.judge(&situation, &mut work).0 {
                hash = fnv_1a(hash, &number.to_bits().to_le_bytes());
            }
        }
    }
    hash
}

/// The hash of many evaluations equals `hashes.txt` on every machine. If you change weights or
/// inputs, write the new hashes there.
fn is_the_same_everywhere(each: usize) {
    #[expect(clippy::disallowed_methods, reason = "the test reads recorded hashes")]
    let known =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/programs/hashes.txt"));
    let line = format!("{each} {:016x}", hash_of_evaluations(each));
    assert!(known.unwrap().lines().any(|known| known == line), "{line}");
}

/// Run it in every build: `RUSTFLAGS="-C target-cpu=x86-64-v3" cargo test -p games programs::`.
#[test]
fn evaluations_are_the_same_to_the_bit() {
    is_the_same_everywhere(600);
}

#[test]
#[ignore = "takes some seconds without optimization"]
fn a_hundred_thousand_evaluations_are_the_same_to_the_bit() {
    is_the_same_everywhere(20_000);
}

/// The trainer knows each game that a net evaluates; Tavli is a match of such games.
#[test]
fn every_game_that_is_judged_is_listed() {
    let start = |game: &&&dyn AnyGame| game.setup(&Choices::default());
    let judged = crate::GAMES.iter().filter(|game| start(game).evaluation_unit().is_some());
    let judged: BTreeSet<&str> = judged.map(|game| game.spec().name).collect();
    assert_eq!(judged, AnySituation::GAMES.into_iter().chain(["tavli"]).collect());
}

#[test]
fn every_input_is_one_of_the_net() {
    for game in AnySituation::GAMES {
        let shapes = AnySituation::shapes(game);
        let mut seen = vec![0_u32; shapes.len()];
        for situation in random_situations(game, 2_000, 3) {
            let mut inputs = Inputs::new();
            let which = situation.inputs(&mut inputs).unwrap();
            seen[which] += 1;
            let mut numbers: Vec<u16> = inputs.all().iter().map(|(input, _)| *input).collect();
            assert!(numbers.iter().all(|&input| usize::from(input) < shapes[which][0]), "{game}");
            numbers.dedup();
            assert_eq!(numbers.len(), inputs.all().len(), "{game}: an input told twice");
            assert!(inputs.all().iter().all(|(_, value)| value.abs() < 20.0), "{game}: {inputs:?}");
        }
        assert!(seen.iter().all(|&count| count > 20), "{game}: {seen:?}");
    }
}

/// Men that are set up again are the same men.
#[test]
fn men_of_backgammon_are_set_up_as_they_were_told() {
    for situation in random_situations("backgammon", 300, 4) {
        let (mut inputs, mut again) = (Inputs::new(), Inputs::new());
        let set_up = AnySituation::of_men(situation.men().unwrap());
        assert_eq!(set_up.men(), situation.men());
        assert_eq!(set_up.inputs(&mut again), situation.inputs(&mut inputs));
        assert_eq!(again, inputs);
    }
}

/// The successors of a roll are the results of the listed plays, in order.
#[test]
fn what_follows_a_roll_is_in_the_order_of_plays() {
    for game in AnySituation::GAMES {
        let registered = crate::find(game).unwrap();
        let options = Choices::default();
        let mut position = registered.setup(&options);
        let mut chance = Chance::new(9);
        let mut now: Option<AnySituation> = None;
        for _ in 0..400 {
            match position.next() {
                Next::Over(_) => {
                    assert!(now.as_ref().unwrap().over().is_some(), "{game}");
                    (position, now) = (registered.setup(&options), None);
                }
                Next::Roll(throw) | Next::Ready(_, throw) => {
                    let roll = chance.roll(throw);
                    position.roll(roll).unwrap();
                    let seat = match position.next() {
                        Next::Move(seat) => seat,
                        // The winner of the opening roll rolls again.
                        Next::Ready(..) if now.is_none() => continue,
                        _ => panic!("{game}"),
                    };
                    let before = now.unwrap_or_else(|| AnySituation::start(game, seat).unwrap());
                    assert!(before.over().is_none(), "{game}");
                    let mut ends = before.ends(roll);
                    assert_eq!(ends.len(), position.count(), "{game}");
                    let at = chance.below(ends.len());
                    position.play(&position.nth_move(at).unwrap()).unwrap();
                    let chosen = ends.swap_remove(at);
                    assert_eq!(chosen.seat(), seat.other());
                    now = Some(chosen);
                }
                Next::Move(_) | Next::Deal => panic!("{game}: every roll is played at once"),
            }
        }
    }
}

/// The odds of the two sides of a board add up.
#[test]
fn odds_are_probabilities() {
    let mut work = NetWorkspace::default();
    for game in AnySituation::GAMES {
        let nets = AnySituation::nets(game).unwrap();
        for situation in random_situations(game, 300, 5) {
            let [win, gammon, backgammon, lost, lost_three] = nets.judge(&situation, &mut work).0;
            assert!((0.0..=1.0).contains(&win), "{game}");
            assert!(0.0 <= backgammon && backgammon <= gammon && gammon <= win, "{game}");
            assert!(0.0 <= lost_three && lost_three <= lost && lost <= 1.0 - win, "{game}");
        }
    }
}

fn played(game: &str, words: &str, contenders: [Contender; 2], games: u32) -> TournamentResult {
    let game = crate::find(game).unwrap();
    let spec = game.spec();
    let options = Choices::parse(spec.options, spec.exclusive, words.split_whitespace()).unwrap();
    tournament(game, &options, contenders, games, 1, &mut |_| ())
}

#[test]
fn the_net_beats_those_who_only_count_pips() {
    for game in AnySituation::GAMES {
        // With three men a side luck decides more games than anywhere else, and level 3 overlooks much.
        let (level, least) = if game == "hypergammon" { (4, 24) } else { (3, 30) };
        let tally = played(game, "", [Contender::Level(level), Contender::Greedy], 40);
        assert!(tally.wins >= least, "{game}: {tally:?}");
    }
}

#[test]
fn every_level_plays_every_variant_to_its_end() {
    for (game, words) in [
        ("malaka", "large"),
        ("malaka", "large many no_stagger d4"),
        ("malaka", "d6 many"),
        ("moloko", ""),
        ("moultezim", "score=12"),
        ("plakoto", "reroll"),
        ("backgammon", "match=3"),
        ("portes", "match=2"),
        ("fevga", "match=2"),
        ("tavli", "match=4"),
        ("backgammon", "jacoby beavers"),
    ] {
        for level in 1..LEVELS {
            let pair = [Contender::Level(level), Contender::Greedy];
            assert_eq!(played(game, words, pair, 2).games(), 2, "{game} {words}");
        }
    }
}

/// Returns the exact winning probability of the side to roll, by every play of every roll to the
/// end.
fn searched(now: &AnySituation) -> f32 {
    if let Some(odds) = now.over() {
        return odds.0[0];
    }
    let best = |roll| {
        let ends = now.ends(roll);
        ends.iter().map(|end| 1.0 - searched(end)).fold(0.0, f32::max)
    };
    now.rolls().map(|(roll, likely)| likely * best(roll)).sum()
}

/// Two men against two: minimizing a side's own rolls is as good as optimal play.
#[test]
fn ends_that_are_counted_are_those_that_are_searched() {
    let on = |points: [usize; 2]| {
        let mut men = [0; 25];
        for point in points {
            men[point - 1] += 1;
        }
        men
    };
    for (own, other) in [([6, 1], [2, 1]), ([6, 5], [4, 4]), ([3, 3], [1, 1]), ([6, 6], [6, 6])] {
        let situation = AnySituation::of_men([on(own), on(other)]);
        let counted = situation.counted().unwrap().0[0];
        assert!((counted - searched(&situation)).abs() < 2e-3, "{own:?} {other:?}: {counted}");
    }
}
