//! The program as an opponent: `board1` to `board4`, by level, and `board5`, whose moves an engine chooses.
//! These users have no documents and get no mail. The moves of `board1` to `board4` are made at once; a board
//! waits for those of `board5`.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::model::user::User;
use std::sync::LazyLock;

/// The number of levels of our own program.
pub const LEVELS: u8 = 4;

/// The level whose moves an engine chooses.
pub const ENGINE: u8 = LEVELS + 1;

/// The default limit of moves of the highest level for one mail: one for each command of a mail.
/// Such a move may take a quarter of a second of processor time; moves of lower levels are too
/// cheap to count.
pub const MOST_MOVES: u32 = 50;

/// Returns whether the level is expensive enough that its moves are counted.
pub const fn thinks_long(level: u8) -> bool {
    level == LEVELS
}

/// A game with short rules, which mails to newcomers propose as a first game against the program.
pub const EXAMPLE: &str = "reversi";

/// The userid without the level.
const NAME: &str = "board";

/// The program's users, by level from 1.
static PROGRAM_USERS: LazyLock<Vec<User>> = LazyLock::new(|| {
    let user = |level| {
        let id = UserId::parse(&format!("{NAME}{level}")).expect("the name is a valid userid");
        // No password matches an empty hash.
        User::new(id, String::new(), Vec::new(), Time::EPOCH)
    };
    (1..=ENGINE).map(user).collect()
});

/// Returns the program's user of this userid.
pub fn user(id: &UserId) -> Option<&'static User> {
    PROGRAM_USERS.iter().find(|user| user.id == *id)
}

/// Returns the level of the program's userid.
pub fn level(id: &UserId) -> Option<u8> {
    (1..=ENGINE).zip(PROGRAM_USERS.iter()).find(|(_, user)| user.id == *id).map(|(level, _)| level)
}

/// Returns the userid of a level.
pub fn of_level(level: u8) -> Option<&'static UserId> {
    let index = usize::from(level.checked_sub(1)?);
    PROGRAM_USERS.get(index).map(|user| &user.id)
}

/// Returns the userid of the level whose moves an engine chooses.
pub fn engine() -> &'static UserId {
    &PROGRAM_USERS[usize::from(ENGINE) - 1].id
}

/// Returns the userid of the lowest level.
pub fn lowest() -> &'static UserId {
    &PROGRAM_USERS[0].id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_known_by_its_userid_in_any_case() {
        let level = |name: &str| level(&UserId::parse(name).unwrap());
        assert_eq!(["board1", "BOARD4", "Board2"].map(level), [Some(1), Some(4), Some(2)]);
        assert_eq!(["board", "board0", "board6", "board11"].map(level), [None; 4]);
        assert_eq!([lowest(), engine()].map(UserId::as_str), ["board1", "board5"]);
        assert_eq!([3, 4, 5].map(thinks_long), [false, true, false]);
        assert_eq!(
            [0, 1, 5, 6].map(|it| of_level(it).map(UserId::as_str)),
            [None, Some("board1"), Some("board5"), None]
        );
    }
}
