//! Tests of playing strength: games between neighbouring levels.

use super::{Press, PressGame};
use crate::kit::{Chance, Choices, Game, Next, Outcome, Seat};
use crate::{findthem, life};

/// Returns the wins, draws and losses of the first of two levels. They take turns to begin, and two
/// games each have the same start.
fn games<P: PressGame + Game<Move = Press>>(words: &str, levels: [u8; 2], games: u32) -> [u32; 3] {
    let spec = &<P as Game>::SPEC;
    let options = Choices::parse(spec.options, spec.exclusive, words.split_whitespace()).unwrap();
    let mut score = [0; 3];
    for game in 0..games {
        let mut starts = Chance::new(u64::from(game / 2));
        let mut chance = Chance::new(u64::from(1_000 + game));
        let mut position = <P as Game>::setup(&options);
        let first = Seat(u8::from(game % 2 == 1));
        let outcome = loop {
            match Game::next(&position) {
                Next::Deal => {
                    let dealt = PressGame::deal(&position, &mut |limit| starts.below(limit));
                    PressGame::lay(&mut position, dealt).unwrap();
                }
                Next::Move(seat) => {
                    let level = levels[usize::from(seat != first)];
                    let press = Game::choose(&position, level, &mut |limit| chance.below(limit));
                    position.play(&press.unwrap());
                }
                Next::Over(outcome) => break outcome,
                Next::Roll(_) | Next::Ready(..) => panic!("there are no dice"),
            }
        };
        let place = match outcome {
            Outcome::Won { by, .. } if by == first => 0,
            Outcome::Drawn { .. } => 1,
            Outcome::Won { .. } => 2,
        };
        score[place] += 1;
    }
    score
}

type PlayGames = fn(&str, [u8; 2], u32) -> [u32; 3];

const TABLES: [(&str, PlayGames, &str); 9] = [
    ("life", games::<life::Position>, "mode=0"),
    ("life", games::<life::Position>, "mode=1"),
    ("life", games::<life::Position>, "mode=1 atleast"),
    ("findthem", games::<findthem::Position>, "mode=0"),
    ("findthem", games::<findthem::Position>, "mode=1"),
    ("findthem", games::<findthem::Position>, "mode=2"),
    ("findthem", games::<findthem::Position>, "mode=3"),
    ("findthem", games::<findthem::Position>, "mode=0 blind"),
    ("findthem", games::<findthem::Position>, "mode=2 blind"),
];

#[test]
#[ignore = "takes a minute"]
fn a_level_wins_two_of_three_games_from_the_one_below() {
    let mut weak = Vec::new();
    for (name, play, words) in TABLES {
        for level in 2..=4 {
            let [won, drawn, lost] = play(words, [level, level - 1], 200);
            println!("| {name} {words} | {level} - {} | {won} | {drawn} | {lost} |", level - 1);
            if won < 130 && !words.contains("blind") {
                weak.push(format!("{name} {words} {level}"));
            }
        }
    }
    assert!(weak.is_empty(), "{weak:?}");
}

#[test]
fn the_highest_level_wins_most_games_from_the_lowest() {
    for (name, play, words) in TABLES {
        let [won, ..] = play(words, [4, 1], 10);
        let most = if words.contains("blind") { 4 } else { 8 };
        assert!(won >= most, "{name} {words}: {won} of 10");
    }
}
