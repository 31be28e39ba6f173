//! The slow reference for games of rows, and tests that they share.

use super::*;
use crate::kit::Chance;
use crate::kit::fixtures::start;

/// Finds the winner by looking along every line of the board.
fn scanned<G: RowGame>(position: &Position<G>) -> Option<Seat> {
    let size = i32::from(position.rules.size);
    let at = |file: i32, rank: i32| {
        let [file, rank] = [file, rank].map(|number| u8::try_from(number).unwrap_or(0));
        position.at(Cell { file, rank })
    };
    let mut lines: Vec<Vec<Option<Seat>>> = Vec::new();
    for number in 1..=size {
        lines.push((1..=size).map(|file| at(file, number)).collect());
        lines.push((1..=size).map(|rank| at(number, rank)).collect());
    }
    for sum in 2..=2 * size {
        lines.push((1..=size).map(|file| at(file, sum - file)).collect());
    }
    for difference in -size..=size {
        lines.push((1..=size).map(|file| at(file, file + difference)).collect());
    }
    let mut winners = Vec::new();
    for line in lines {
        for run in line.chunk_by(|one, other| one == other) {
            let row = usize::from(position.rules.row);
            let wins = run.len() == row || run.len() > row && !position.rules.exact;
            winners.extend(run[0].filter(|_| wins));
        }
    }
    winners.sort_unstable_by_key(|seat| seat.index());
    winners.dedup();
    assert!(winners.len() < 2, "{position:?}");
    winners.pop()
}

/// Plays random games with each of these options in turn, and compares the winner after each stone with
/// the scan of all lines. Returns how many games each side won, and the draws.
pub(crate) fn winners_are_those_of_a_scan<G: RowGame>(boards: &[&[&str]], games: u64) -> [u32; 3] {
    let mut chance = Chance::new(39);
    let mut ends = [0; 3];
    for words in boards.iter().cycle().take(usize::try_from(games).unwrap()) {
        let mut position = start::<Position<G>>(words);
        while let Next::Move(_) = position.next() {
            let moves = position.moves();
            position.play(&moves[chance.below(moves.len())]);
            assert_eq!(position.winner, scanned(&position), "{}", position.notation());
        }
        ends[position.winner.map_or(2, Seat::index)] += 1;
    }
    ends
}
