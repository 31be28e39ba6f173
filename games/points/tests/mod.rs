//! The rules of the family, each by name.

mod hits;
mod naive;

use crate::kit::{AnyGame, Choices, Game};
use crate::{backgammon, find, moultezim, perft, plakoto};

/// The numbers of a `perft.txt`, checked one by one.
fn check_counts<G: Game>(game: &dyn AnyGame, text: &str) {
    let taken = Choices::default();
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let count = match words[..] {
            ["perft", depth, _] => perft(game, &taken, depth.parse().unwrap()),
            ["opening", roll, _] => {
                let start = G::setup(&taken).notation();
                let line = start.replace("- - ", &format!("O {roll} "));
                let position = G::place(&taken, &line).unwrap();
                position.moves().len() as u64
            }
            _ => panic!("unknown line `{line}`"),
        };
        assert_eq!(count.to_string(), words[2], "{line}");
        checked += 1;
    }
    assert!(checked > 20);
}

#[test]
fn openings_branch_as_counted() {
    check_counts::<plakoto::Position>(
        find("plakoto").unwrap(),
        include_str!("../../plakoto/perft.txt"),
    );
    check_counts::<moultezim::Position>(
        find("moultezim").unwrap(),
        include_str!("../../moultezim/perft.txt"),
    );
    check_counts::<backgammon::Position>(
        find("backgammon").unwrap(),
        include_str!("../../backgammon/perft.txt"),
    );
}
