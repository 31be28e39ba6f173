//! Ratings, a line a user.

use crate::base::ids::UserId;
use crate::model::rating::Standing;
use games::AnyGame;
use std::fmt::Write as _;

/// How everybody stands in a game.
#[derive(Debug, Default)]
pub struct Standings {
    /// Those of twenty rated games or more.
    pub established: Vec<Row>,
    /// Those of fewer.
    pub provisional: Vec<Row>,
    /// Those who have not finished one for a year.
    pub inactive: Vec<Row>,
}

/// How one user stands.
#[derive(Debug)]
pub struct Row {
    /// His place in the section, from 1; the same for the same rating.
    pub rank: usize,
    /// Who.
    pub user: UserId,
    /// How.
    pub standing: Standing,
    /// His boards in progress.
    pub active: usize,
}

/// Users of a section that are shown.
const MOST: usize = 1_000;

/// All sections of a game.
pub(super) fn all(game: &'static dyn AnyGame, standings: &Standings) -> String {
    let Standings { established, provisional, inactive } = standings;
    let title = game.spec().title;
    if established.len() + provisional.len() + inactive.len() == 0 {
        return format!("Nobody has finished a rated game of {title} yet.\n");
    }
    let mut text = format!("{title} standings\n");
    for (name, rows) in
        [("Established", established), ("Provisional", provisional), ("Inactive", inactive)]
    {
        if !rows.is_empty() {
            section(&mut text, name, rows);
        }
    }
    text.push_str("\nSend `help ratings` for what the numbers mean.\n");
    text
}

fn section(text: &mut String, name: &str, rows: &[Row]) {
    let _ = writeln!(
        text,
        "\n{name}\n\n  {:>4}  {:<32} {:>6} {:>5} {:>5} {:>5} {:>6}",
        "rank", "userid", "rating", "won", "lost", "tied", "active"
    );
    for Row { rank, user, standing, active } in rows.iter().take(MOST) {
        let _ = writeln!(
            text,
            "  {rank:>4}  {user:<32} {:>6} {:>5} {:>5} {:>5} {active:>6}",
            standing.rating.points(),
            standing.won,
            standing.lost,
            standing.tied
        );
    }
    if rows.len() > MOST {
        let _ = writeln!(text, "  ... and {} more", rows.len() - MOST);
    }
}
