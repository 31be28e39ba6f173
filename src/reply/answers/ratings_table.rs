//! Ratings, a line a user.

use crate::base::ids::UserId;
use crate::model::rating::Standing;
use crate::reply::letters::blocks::{Block, more};
use games::AnyGame;

/// The standings of everybody in a game.
#[derive(Debug, Default)]
pub struct Standings {
    /// Those of twenty rated games or more.
    pub established: Vec<StandingsRow>,
    /// Those of fewer.
    pub provisional: Vec<StandingsRow>,
    /// Those who have not finished one for a year.
    pub inactive: Vec<StandingsRow>,
}

/// The standing of one user.
#[derive(Debug)]
pub struct StandingsRow {
    /// Their place in the section, from 1; the same for the same rating.
    pub rank: usize,
    /// The user.
    pub user: UserId,
    /// How.
    pub standing: Standing,
    /// Their boards in progress.
    pub active: usize,
}

/// Users of a section that are shown.
const MOST: usize = 1_000;

/// All sections of a game.
pub(crate) fn all(game: &'static dyn AnyGame, standings: &Standings) -> Vec<Block> {
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
    blocks.push(Block::sentence("Send `help ratings` for what the numbers mean."));
    blocks
}

fn section(rows: &[StandingsRow]) -> Block {
    let head = format!(
        "  {:>4}  {:<32} {:>6} {:>5} {:>5} {:>5} {:>6}",
        "rank", "userid", "rating", "won", "lost", "tied", "active"
    );
    let row = |StandingsRow { rank, user, standing, active }: &StandingsRow| {
        format!(
            "  {rank:>4}  {user:<32} {:>6} {:>5} {:>5} {:>5} {active:>6}",
            standing.rating.points(),
            standing.won,
            standing.lost,
            standing.tied
        )
    };
    let shown = rows.iter().take(MOST).map(row).chain(more(rows.len(), MOST));
    Block::preformatted(std::iter::once(head).chain(shown))
}
