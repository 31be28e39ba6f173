//! The games as lists show them: those that a player likes, then the others by families.

use crate::model::user::User;
use games::{AnyGame, FAMILIES};

/// The most games of the first group.
const MAX_FAVOURITES: usize = 5;

/// Games under a title.
#[derive(Clone, Debug)]
pub struct GameGroup {
    /// The title: `Your games`, `Connection`.
    pub title: &'static str,
    /// The games, none of which is in another group.
    pub games: Vec<&'static dyn AnyGame>,
}

/// Returns every game in one group. The games that these users play most make the first one.
pub fn game_groups(users: &[&User]) -> Vec<GameGroup> {
    let mut favourites: Vec<&'static dyn AnyGame> = Vec::new();
    for game in users.iter().flat_map(|user| user.favourite_games(MAX_FAVOURITES)) {
        if favourites.len() < MAX_FAVOURITES && !has(&favourites, game) {
            favourites.push(game);
        }
    }
    let families = FAMILIES.iter().map(|family| {
        let others = family.games.iter().copied().filter(|game| !has(&favourites, *game));
        GameGroup { title: family.title, games: others.collect() }
    });
    let families: Vec<GameGroup> = families.collect();
    let own = GameGroup { title: "Your games", games: favourites };
    std::iter::once(own).chain(families).filter(|group| !group.games.is_empty()).collect()
}

fn has(games: &[&'static dyn AnyGame], game: &dyn AnyGame) -> bool {
    games.iter().any(|other| other.spec().name == game.spec().name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::{BoardId, UserId};
    use crate::base::time::Time;
    use games::GAMES;

    fn user(boards: &[&'static str]) -> User {
        let mut user = User::new(
            UserId::parse("alice").unwrap(),
            String::new(),
            Vec::new(),
            Time::from_unix(0),
        );
        user.finished = (1..).zip(boards).map(|(number, game)| BoardId { game, number }).collect();
        user
    }

    fn names(group: &GameGroup) -> Vec<&'static str> {
        group.games.iter().map(|game| game.spec().name).collect()
    }

    #[test]
    fn every_game_is_listed_once_whatever_a_player_likes() {
        for player in [user(&[]), user(&["hex", "go", "hex"])] {
            let mut listed: Vec<_> = game_groups(&[&player]).iter().flat_map(names).collect();
            listed.sort_unstable();
            let mut all: Vec<_> = GAMES.iter().map(|game| game.spec().name).collect();
            all.sort_unstable();
            assert_eq!(listed, all);
        }
    }

    #[test]
    fn the_games_that_a_player_plays_most_stand_first() {
        let player = user(&["go", "hex", "chess", "hex", "go", "hex"]);
        let groups = game_groups(&[&player]);
        assert_eq!(
            (groups[0].title, names(&groups[0])),
            ("Your games", vec!["hex", "go", "chess"])
        );
        assert_eq!(game_groups(&[])[0].title, FAMILIES[0].title);
        let many = user(&["go", "hex", "chess", "loa", "amazons", "reversi", "life"]);
        assert_eq!(game_groups(&[&many])[0].games.len(), MAX_FAVOURITES);
    }
}
