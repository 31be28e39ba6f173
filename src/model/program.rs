//! The program as an opponent: `board1` to `board4`, by level. They have no file and read no mail;
//! their moves are made as soon as they are due.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::user::User;
use std::sync::LazyLock;

/// How many levels there are userids for.
const LEVELS: u8 = 4;

/// How many moves of the program's highest level one mail may cause if the operator does not say
/// otherwise: as many as a mail has commands. Each may take a quarter of a second of the processor;
/// the lower levels take so little that nobody counts them.
pub const MOST_MOVES: u32 = 50;

/// Whether a level thinks so long about a move that its moves are counted.
pub const fn thinks_long(level: u8) -> bool {
    level >= LEVELS
}

/// A game against the program whose rules are soon told: mails to newcomers have it as their example.
pub const EXAMPLE: &str = "reversi";

/// The part of the userid before the level.
const NAME: &str = "board";

static SEATED: LazyLock<Vec<User>> = LazyLock::new(|| {
    let user = |level| {
        let id = UserId::parse(&format!("{NAME}{level}")).expect("it is a userid");
        // No password is like it.
        User::new(id, String::new(), Vec::new(), Time::EPOCH)
    };
    (1..=LEVELS).map(user).collect()
});

/// The program that plays under a userid.
pub fn user(id: &UserId) -> Option<&'static User> {
    SEATED.iter().find(|user| user.id == *id)
}

/// The level at which the program plays under a userid.
pub fn level(id: &UserId) -> Option<u8> {
    (1..=LEVELS).zip(SEATED.iter()).find(|(_, user)| user.id == *id).map(|(level, _)| level)
}

/// The program's userid at its lowest level.
pub fn lowest() -> &'static UserId {
    &SEATED[0].id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_known_by_its_userid_in_any_case() {
        let level = |name: &str| level(&UserId::parse(name).unwrap());
        assert_eq!(["board1", "BOARD4", "Board2"].map(level), [Some(1), Some(4), Some(2)]);
        assert_eq!(["board", "board0", "board5", "board11"].map(level), [None; 4]);
        assert_eq!(lowest().as_str(), "board1");
    }
}
