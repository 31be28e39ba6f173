//! Boards and texts that the tests of several games share.

use super::laws::BOUND;
use super::{Chance, Choices, Game, Next, Outcome, Roll, perft_by_listing};
use crate::grid::{PressGame, Square, Squares};
use std::collections::BTreeSet;

/// Returns the options of a board, one word each.
pub(crate) fn options<G: Game>(words: &[&str]) -> Choices {
    Choices::parse(G::SPEC.options, G::SPEC.exclusive, words.iter().copied()).unwrap()
}

/// Returns the options of a board from a line of words.
pub(crate) fn options_in<G: Game>(line: &str) -> Choices {
    options::<G>(&line.split_whitespace().collect::<Vec<_>>())
}

/// Returns the options of a mode.
pub(crate) fn options_of_mode<G: Game>(number: u8) -> Choices {
    options::<G>(&[&format!("mode={number}")])
}

/// Returns a new board with these options.
pub(crate) fn start<G: Game>(words: &[&str]) -> G {
    G::setup(&options::<G>(words))
}

/// Returns the position of a line on a board with these options.
pub(crate) fn place<G: Game>(words: &[&str], line: &str) -> Result<G, String> {
    G::place(&options::<G>(words), line)
}

/// Counts the sequences of moves on a board with these options by listing them.
pub(crate) fn sequences<G: Game>(words: &[&str], depth: u32) -> u64 {
    perft_by_listing::<G>(&options::<G>(words), depth)
}

/// Checks the numbers of a game's `perft.txt`: more than `least` counts of sequences of moves, and of the
/// plays of opening rolls.
pub(crate) fn check_counts<G: Game>(text: &str, least: usize) {
    let mut taken = Choices::default();
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (counted, count) = match line.split(' ').collect::<Vec<_>>()[..] {
            ["options", ref words @ ..] => {
                taken = options::<G>(words);
                continue;
            }
            ["perft", depth, count] => (G::perft(&taken, depth.parse().unwrap()), count),
            ["opening", roll, count] => {
                let start = G::setup(&taken).notation();
                let (_, places) = start.split_once(" - ").unwrap();
                let position = G::place(&taken, &format!("O {roll} {places}")).unwrap();
                (position.moves().len() as u64, count)
            }
            _ => panic!("unknown line `{line}`"),
        };
        assert_eq!(counted.to_string(), count, "{taken:?} {line}");
        checked += 1;
    }
    assert!(checked > least);
}

/// Returns the position after moves that are separated by blanks.
pub(crate) fn after<G: Game>(position: &G, moves: &str) -> G {
    let mut position = position.clone();
    for text in moves.split_whitespace() {
        let m = position.read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        position.play(&m);
    }
    position
}

/// Returns the position after the first moves of a board with these options.
pub(crate) fn begun<G: Game>(words: &[&str], moves: &str) -> G {
    after(&start(words), moves)
}

/// Returns why a text is not a legal move.
pub(crate) fn refused<G: Game>(position: &G, text: &str) -> String {
    position.read(text).unwrap_err().to_string()
}

/// Returns the legal moves as they are recorded.
pub(crate) fn listed<G: Game>(position: &G) -> Vec<String> {
    position.moves().iter().map(ToString::to_string).collect()
}

/// Returns the point with this name.
pub(crate) fn square(name: &str) -> Square {
    name.parse().unwrap()
}

/// Returns the points with these names.
pub(crate) fn squares(names: &str) -> Squares {
    names.split_whitespace().map(square).collect()
}

/// Returns the rows of nine lines of nine points from the beginnings of the upper ones.
pub(crate) fn board(rows: &str) -> String {
    let given = rows.split('/').count();
    let missing = "/.........".repeat(9 - given);
    rows.split('/').map(|row| format!("{row:.<9}")).collect::<Vec<_>>().join("/") + &missing
}

/// Lays the stones of a board that begins with a deal.
pub(crate) fn deal<P: PressGame>(mut position: P, chance: &mut Chance) -> P {
    if PressGame::next(&position) == Next::Deal {
        let stones = PressGame::deal(&position, &mut |limit| chance.below(limit));
        PressGame::lay(&mut position, stones).unwrap();
    }
    position
}

/// Plays random moves to the end and returns the result. `at` sees each position with a move to make.
pub(crate) fn play_at_random<G: Game>(
    mut position: G,
    chance: &mut Chance,
    mut at: impl FnMut(&G),
) -> Outcome {
    for _ in 0..BOUND {
        match position.next() {
            Next::Over(outcome) => return outcome,
            Next::Deal => unreachable!("no stones are laid here"),
            Next::Roll(throw) | Next::Ready(_, throw) => position.roll(chance.roll(throw)),
            Next::Move(_) => {
                at(&position);
                let moves = position.moves();
                position.play(&moves[chance.below(moves.len())]);
            }
        }
    }
    panic!("the game has not ended: {position:?}");
}

/// Returns the boards after all plays of a roll: every order of the dice, each as far as it goes; then
/// only those of the most pips.
pub(crate) fn longest_plays<B: Clone + Ord>(
    board: &B,
    roll: Roll,
    steps: impl Fn(&B, i32) -> Vec<B>,
) -> BTreeSet<B> {
    let orders: Vec<Vec<i32>> = match roll {
        Roll::One(a) => vec![vec![a.into()]],
        Roll::Two(a, b) if a == b => vec![vec![a.into(); 4]],
        Roll::Two(a, b) => vec![vec![a.into(), b.into()], vec![b.into(), a.into()]],
    };
    let mut best = (0, BTreeSet::from([board.clone()]));
    for order in orders {
        let mut reached = BTreeSet::from([board.clone()]);
        let mut pips = 0;
        for die in order {
            let next: BTreeSet<B> = reached.iter().flat_map(|board| steps(board, die)).collect();
            if next.is_empty() {
                break;
            }
            pips += die;
            reached = next;
        }
        if pips > best.0 {
            best = (pips, reached);
        } else if pips == best.0 {
            best.1.extend(reached);
        }
    }
    best.1
}
