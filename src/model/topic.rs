//! What a mail is about. A reply to the mail is about the same, its thread has all mails of the topic,
//! and mails about one topic do not overtake each other.

use crate::base::ids::{BoardId, TournamentId, UserId};
use games::AnyGame;
use std::fmt::{self, Display};

/// What a mail is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A board.
    Board(BoardId),
    /// A tournament.
    Tournament(TournamentId),
    /// The ladder of a game.
    Ladder(&'static str),
    /// The open challenges and the notices of a game.
    Game(&'static str),
    /// The messages of this user: a reply goes to them.
    Conversation(UserId),
    /// The boards of the digest with this number of its reader.
    Digest(u32),
    /// The account of its reader.
    Account,
}

impl Topic {
    /// Returns the board.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Self::Board(board) => Some(*board),
            _ => None,
        }
    }

    /// Returns the game.
    pub fn game(&self) -> Option<&'static dyn AnyGame> {
        match self {
            Self::Board(BoardId { game, .. })
            | Self::Tournament(TournamentId { game, .. })
            | Self::Ladder(game)
            | Self::Game(game) => games::find(game),
            Self::Conversation(_) | Self::Digest(_) | Self::Account => None,
        }
    }

    /// Returns the name of its thread; `None` for topics whose mails form none.
    pub fn thread(&self) -> Option<String> {
        match self {
            Self::Board(board) => Some(format!("{}-{}", board.game, board.number)),
            Self::Tournament(id) => Some(format!("tournament-{}-{}", id.game, id.number)),
            Self::Ladder(game) => Some(format!("ladder-{game}")),
            Self::Game(_) | Self::Conversation(_) | Self::Digest(_) | Self::Account => None,
        }
    }

    /// Returns the strand of mails that must not overtake each other. Mails of one sender do not
    /// anyway, so only topics of several users have one.
    pub fn strand(&self) -> Option<String> {
        match self {
            Self::Board(board) => Some(board.to_string()),
            Self::Tournament(id) => Some(id.to_string()),
            Self::Ladder(_) => Some(self.to_string()),
            Self::Game(_) | Self::Conversation(_) | Self::Digest(_) | Self::Account => None,
        }
    }
}

/// Names the topic for the log.
impl Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(board) => write!(f, "{board}"),
            Self::Tournament(id) => write!(f, "{id}"),
            Self::Ladder(game) => write!(f, "{game} ladder"),
            Self::Game(game) => f.write_str(game),
            Self::Conversation(user) => write!(f, "messages of {user}"),
            Self::Digest(number) => write!(f, "digest {number}"),
            Self::Account => f.write_str("an account"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mails_of_a_topic_have_one_thread_and_strand() {
        let board = Topic::Board(BoardId { game: "malaka", number: 17 });
        assert_eq!(board.thread().as_deref(), Some("malaka-17"));
        assert_eq!(board.strand().as_deref(), Some("malaka 17"));
        let tournament = Topic::Tournament(TournamentId { game: "malaka", number: 17 });
        assert_eq!(tournament.thread().as_deref(), Some("tournament-malaka-17"));
        assert_eq!(tournament.strand().as_deref(), Some("malaka tournament 17"));
        let ladder = Topic::Ladder("malaka");
        assert_eq!(ladder.thread().as_deref(), Some("ladder-malaka"));
        assert_eq!(ladder.strand().as_deref(), Some("malaka ladder"));
        assert_eq!((Topic::Account.thread(), Topic::Account.strand()), (None, None));
    }
}
