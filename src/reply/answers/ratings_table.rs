//! The ratings in a game, with a line for each user.

use crate::base::ids::UserId;
use crate::model::rating::Standing;
use crate::reply::letters::{Block, more_line};
use games::AnyGame;

/// The ratings of all users in a game.
#[derive(Debug, Default)]
pub struct Standings {
    /// Users whose rating is certain enough.
    pub established: Vec<StandingsRow>,
    /// Users whose rating is provisional.
    pub provisional: Vec<StandingsRow>,
    /// Users without a finished rated game for a year.
    pub inactive: Vec<StandingsRow>,
}

/// A user in the ratings.
#[derive(Debug)]
pub struct StandingsRow {
    /// The rank in the section, from 1; equal ratings share a rank.
    pub rank: usize,
    /// The user.
    pub user: UserId,
    /// The rating and the results.
    pub standing: Standing,
    /// The number of boards in progress.
    pub active: usize,
}

/// The most users shown of a section.
const MAX_ROWS: usize = 1_000;

/// Prints the ratings of a game in sections.
pub(crate) fn ratings_table(game: &'static dyn AnyGame, standings: &Standings) -> Vec<Block> {
    let Standings { established, provisional, inactive } = standings;
    let title = game.spec().title;
    let sections =
        [("Established", established), ("Provisional", provisional), ("Inactive", inactive)];
    let sections: Vec<_> = sections.into_iter().filter(|(_, rows)| !rows.is_empty()).collect();
    if sections.is_empty() {
        let nobody = format!("Nobody has finished a rated game of {title} yet.");
        return vec![Block::sentence(nobody)];
    }
    let mut blocks = vec![Block::sentence(format!("{title} standings"))];
    for (name, rows) in sections {
        blocks.extend([Block::sentence(name), section(rows)]);
    }
    blocks.push(Block::sentence("Send `help ratings` to learn what the numbers mean."));
    blocks
}

fn section(rows: &[StandingsRow]) -> Block {
    let head = format!(
        "  {:>4}  {:<24} {:>6} {:>4} {:>5} {:>5} {:>5} {:>6} {:>8}",
        "rank", "userid", "rating", "+/-", "won", "lost", "tied", "active", "original"
    );
    let row = |StandingsRow { rank, user, standing, active }: &StandingsRow| {
        format!(
            "  {rank:>4}  {user:<24} {:>6} {:>4} {:>5} {:>5} {:>5} {active:>6} {:>8}",
            standing.marked_points(),
            standing.skill.deviation.points(),
            standing.won,
            standing.lost,
            standing.tied,
            standing.original.points()
        )
    };
    let shown = rows.iter().take(MAX_ROWS).map(row).chain(more_line(rows.len(), MAX_ROWS));
    Block::preformatted(std::iter::once(head).chain(shown))
}
