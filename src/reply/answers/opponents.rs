//! The list of players who could be challenged to a game.

use crate::model::rating::Standing;
use crate::model::recent_players::{ACTIVE, PossibleOpponent};
use crate::model::user::preference::PACE;
use crate::model::world::World;
use crate::reply::answers::profile::pace;
use crate::reply::letters::Block;
use games::AnyGame;

/// Returns which players are listed, and in which order.
pub fn near_sentence(game: &dyn AnyGame, own: Option<&Standing>) -> String {
    let title = game.spec().title;
    let whom = format!(
        "Players of {title} who have played within {} days and take challenges",
        ACTIVE.days()
    );
    match own {
        Some(own) => {
            let points = own.marked_points();
            format!("{whom}, your favourites first, then those near your rating of {points}")
        }
        None => format!("{whom}, the latest first"),
    }
}

/// Lists players who could be challenged.
pub(super) fn list(
    world: &World,
    game: &'static dyn AnyGame,
    own: Option<&Standing>,
    found: &[PossibleOpponent],
) -> Vec<Block> {
    let (title, name) = (game.spec().title, game.spec().name);
    if found.is_empty() {
        return vec![
            Block::sentence(format!(
                "Nobody whom you could challenge has played {title} within {} days. To post an open \
                 challenge, which anybody can accept, send the Subject",
                ACTIVE.days()
            )),
            Block::command(format!("{name} seek <userid> <password>")),
        ];
    }
    let row = |it: &PossibleOpponent| {
        let mark = if it.is_favourite { "*" } else { " " };
        let pace = world.user(&it.user).and_then(|user| pace(user.preferences.chosen(&PACE).name));
        let (rating, day) = (it.standing.marked_points(), it.at.day());
        let user = it.user.as_str();
        format!("{mark} {user:<32} {rating:>6}  {day}  {}", pace.unwrap_or_default())
            .trim_end()
            .to_owned()
    };
    let head = format!("  {:<32} {:>6}  {:<10}  pace", "", "rating", "active");
    let mut blocks = vec![
        Block::sentence(format!("{}:", near_sentence(game, own))),
        Block::preformatted(std::iter::once(head).chain(found.iter().map(row))),
    ];
    if own.is_none() {
        blocks.push(Block::sentence("To see those near your rating, send the Subject"));
        blocks.push(Block::command(format!("players {name} <userid> <password>")));
    }
    blocks.push(Block::sentence("To challenge one of them, send the Subject"));
    blocks.push(Block::command(format!("{name} challenge {}", found[0].user)));
    blocks
}
