//! Dice are fair.

use games::{Roll, Throw};
use postboard::base::random_stream::RandomStream;
use postboard::base::vrf::SecretKey;
use postboard::model::dice::statistics::{DiceTally, TestResult};
use rayon::prelude::*;

/// Returns the statistics of `rolls` rolls of two dice with six faces, drawn as the rolls of a
/// board are drawn.
fn rolled(rolls: u64, key: u8) -> Vec<TestResult> {
    let key = SecretKey::new(&[key; 32]);
    let roll = |number: u64| {
        let input = format!("postboard dice 1\nmalaka 17\nbegan 1795400000\nroll {number}\n");
        RandomStream::new(key.output(input.as_bytes())).roll(Throw::new(2, 6))
    };
    let all: Vec<Roll> = (1..=rolls).into_par_iter().map(roll).collect();
    let mut tally = DiceTally::new(6);
    tally.add(&all);
    assert_eq!(tally.pairs(), rolls);
    tally.tests()
}

/// Returns the statistics outside the range that fair dice keep in 9,998 of 10,000 cases.
fn odd(figures: &[TestResult]) -> Vec<&TestResult> {
    figures.iter().filter(|figure| !(1e-4..=1.0 - 1e-4).contains(&figure.p)).collect()
}

#[test]
fn twenty_thousand_rolls_are_fair() {
    let figures = rolled(20_000, 17);
    assert_eq!(figures.len(), 5, "{figures:#?}");
    assert!(odd(&figures).is_empty(), "{figures:#?}");
}

#[test]
#[ignore = "takes minutes: ROLLS=10000000 KEY=17 cargo test dice::falls -- --ignored --nocapture"]
fn ten_million_rolls_are_fair() {
    let rolls = std::env::var("ROLLS").map_or(10_000_000, |rolls| rolls.parse().unwrap());
    let key = std::env::var("KEY").map_or(17, |key| key.parse().unwrap());
    let figures = rolled(rolls, key);
    eprintln!("{rolls} rolls by key {key}: {figures:#?}");
    assert!(odd(&figures).is_empty(), "{figures:#?}");
}
