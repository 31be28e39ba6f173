//! What a command is: the documents that it needs, and what it decides from them.

use crate::base::chance::RandomSource;
use crate::base::ids::{BoardId, UserId};
use crate::base::password::{Hashing, PasswordCache};
use crate::base::time::Time;
use crate::config::Limits;
use crate::mail::Address;
use crate::model::dice::DiceKeys;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::Refusal;
use crate::reply::{Answer, Origin};
use crate::store::Key;
use std::fmt::Debug;

/// What a player asks for.
pub trait Command: Debug {
    /// The documents that the decision looks at.
    fn needs(&self) -> Needs;
    /// What comes of it. Nothing changes yet.
    ///
    /// # Errors
    /// The player's refusal.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal>;
    /// The board it is about, if it is about one.
    fn board(&self) -> Option<BoardId> {
        None
    }
    /// The user whose password its words name, if they name one.
    fn claims(&self) -> Option<&UserId> {
        None
    }
    /// What it does for good, so that a page asks before it does it; nothing where another command
    /// undoes it, or where it asks by itself.
    fn lasting_act(&self) -> Option<LastingAct> {
        None
    }
}

/// An act that no other command undoes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastingAct {
    /// Gives up a board, or the game that is played there for one of its stakes.
    Resign {
        /// The board.
        board: BoardId,
        /// What the game is given up for.
        stake: Option<&'static str>,
    },
    /// Makes the reply addresses of a player void.
    NewToken(BoardId),
    /// Makes the key of a program void.
    RevokeKey(String),
    /// Signs a user out of all browsers.
    SignOut,
}

/// Documents to be loaded before a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// These, with the players of each board.
    Keys(Vec<Key>),
    /// These, and the count of the mailbox that the mail came from.
    WithSender(Vec<Key>),
    /// Every user that the address belongs to.
    At(Address),
    /// Every user at the address that the mail came from, and what is counted there.
    FromSender,
    /// The same users, and every board that they play.
    BoardsOfSender,
    /// The user named, and every other at the same mailboxes, with what is counted there.
    Fellows(UserId),
    /// These, with the users who watch that board.
    Watched(BoardId, Vec<Key>),
    /// All boards of these games. Costs time that grows with the home.
    BoardsOf(Vec<&'static str>),
    /// Everybody who was ever rated in this game. Costs time that grows with the home.
    Rated(&'static str),
    /// The users named, and every board of these games that they play or played.
    BoardsOfUsers(Vec<UserId>, Vec<&'static str>),
    /// That board, and what is counted of its players.
    CountedPlayersOf(BoardId),
    /// The user named, and every board that they play.
    ActiveBoardsOf(UserId),
    /// The open challenges of these games, with everybody who has made one.
    Seekers(Vec<&'static str>),
    /// The open challenges of a game, with the user who made the one of that number.
    Seek(&'static str, u32),
    /// The user named, and what was said on every board that they play or played.
    TalksOf(UserId),
    /// All of these.
    All(Vec<Needs>),
    /// The user named, and every other. Costs time that grows with the home.
    EveryUser(UserId),
}

/// What a decision is made from besides the world.
pub struct Context<'a> {
    /// When it is carried out.
    pub now: Time,
    /// Where the command came from.
    pub origin: &'a Origin,
    /// How far its sender is trusted without a password.
    pub trust: &'a Trust,
    /// What was written beside the command, for the opponent.
    pub comment: String,
    /// Dice, and other chance.
    pub chance: &'a mut dyn RandomSource,
    /// The keys from which dice follow.
    pub keys: &'a DiceKeys,
    /// How passwords are hashed.
    pub hashing: &'a Hashing,
    /// The limits for all users.
    pub limits: &'a Limits,
    /// The address that commands are sent to.
    pub own: &'a Address,
    /// The user who has proved that the command is theirs, once a user has.
    pub proved: Option<UserId>,
    /// The password that proved it, if one did: no answer quotes it.
    pub password: Option<String>,
    /// Whether lines of the comment are not passed on.
    pub held_back: bool,
    /// The passwords of this mail that were looked at.
    pub tried: &'a mut PasswordCache,
    /// How many more moves of its highest level the program makes for this mail.
    pub program_moves: &'a mut u32,
}

/// Whether a command is trusted before its words are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// It is not: a password must follow the userid.
    #[default]
    Words,
    /// It is a reply of that player about that board: neither userid nor password follows.
    Token(BoardId, UserId),
    /// It is that user's, who has signed in: neither userid nor password follows.
    Session(UserId),
    /// It is the operator's, and needs no password.
    Operator,
}

/// What a command leads to.
#[derive(Debug)]
pub struct Decision {
    /// What changes.
    pub events: Vec<Event>,
    /// The answer to it.
    pub answer: Answer,
}

impl<T: Into<Answer>> From<T> for Decision {
    fn from(answer: T) -> Self {
        Self { events: Vec::new(), answer: answer.into() }
    }
}
