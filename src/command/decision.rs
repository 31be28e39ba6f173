//! The trait of all commands, the documents that a command needs, and the result of a decision.

use crate::base::chance::RandomSource;
use crate::base::ids::{BoardId, TournamentId, UserId};
use crate::base::password::{Hashing, PasswordCache};
use crate::base::time::Time;
use crate::config::Limits;
use crate::mail::Address;
use crate::model::dice::DiceKeys;
use crate::model::ladder::LadderStart;
use crate::model::moderation::Act;
use crate::model::new_board::BoardMaker;
use crate::model::one_time_code::{CodePurpose, OneTimeCode, PendingCode};
use crate::model::service::ServiceContext;
use crate::model::topic::Topic;
use crate::model::user::UserEvent;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::Refusal;
use crate::reply::{Answer, Origin};
use crate::store::Key;
use std::fmt::Debug;

/// A request of a player, parsed but not yet decided.
pub trait Command: Debug {
    /// Returns the documents that [`Self::decide`] reads.
    fn needs(&self) -> Needs;
    /// Decides the command: events and an answer. Changes nothing.
    ///
    /// # Errors
    /// The refusal for the player.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal>;
    /// Returns the board that the command is about, if any.
    fn board(&self) -> Option<BoardId> {
        None
    }
    /// Returns the user whose password is among the words, if any.
    fn claimed_user(&self) -> Option<&UserId> {
        None
    }
    /// Returns the act of the command that cannot be undone, so that a page asks for confirmation.
    /// `None` if another command undoes it or the command asks for confirmation itself.
    fn lasting_act(&self) -> Option<LastingAct> {
        None
    }
    /// Returns whether a guest may send the command: it is about their own boards against the
    /// program, or shows what everybody may see.
    fn is_open_to_guests(&self) -> bool {
        false
    }
}

/// An act that no other command undoes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastingAct {
    /// Resigns a board, or the current game of a match for one of its stakes.
    Resign {
        /// The board.
        board: BoardId,
        /// The stake, such as `gammon`; `None` for the whole board.
        stake: Option<&'static str>,
    },
    /// Closes a board before its game has begun.
    Decline(BoardId),
    /// Leaves the ladder of a game.
    LeaveLadder(&'static str),
    /// An act of moderation.
    Moderation {
        /// What is done.
        act: Act,
        /// About whom or what.
        subject: String,
    },
    /// Leaves a tournament.
    LeaveTournament(TournamentId),
    /// Voids a player's reply addresses for a board.
    NewToken(BoardId),
    /// Revokes the key of a program, by its name.
    RevokeKey(String),
    /// Signs a user out of all browsers.
    SignOut,
    /// Signs a guest out, who cannot come back.
    LeaveAsGuest,
}

/// The documents to load before a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The documents of these keys, and with a board its players.
    Keys(Vec<Key>),
    /// The documents of these keys, and the counts of the sender's mailbox.
    WithSender(Vec<Key>),
    /// The docket, and what the next report and the next acts of moderation need.
    Moderation,
    /// The bans that could cover these addresses, or the sender's address or network.
    Bans(Vec<Address>),
    /// All users at an address.
    UsersAt(Address),
    /// All users at the sender's address, and the counts of that mailbox.
    FromSender,
    /// All users at the sender's address, and their boards in progress.
    BoardsOfSender,
    /// The user, all other users at the same mailboxes, and the counts of those mailboxes.
    SharedMailboxes(UserId),
    /// The documents of these keys, and the observers of the board.
    WithObservers(BoardId, Vec<Key>),
    /// All boards of these games. The cost grows with the home.
    AllBoards(Vec<&'static str>),
    /// All users with a rating in the game. The cost grows with the home.
    Rated(&'static str),
    /// These users, and all their boards of these games, finished ones included.
    BoardsOfUsers(Vec<UserId>, Vec<&'static str>),
    /// The board, and the counts of its players' mailboxes.
    CountedPlayersOf(BoardId),
    /// The lists of tournaments of these games, and the tournaments that are shown of each.
    Tournaments(Vec<&'static str>),
    /// The user, and the open and running tournaments that they have entered or created.
    CurrentTournamentsOf(UserId),
    /// The ladder of a game: these users, their sections, and all that their events may change.
    Ladder(&'static str, Vec<UserId>),
    /// A page of the ladder of a game, and the boards of its latest results.
    LadderPage(&'static str, LadderStart),
    /// The user, and their boards in progress.
    ActiveBoardsOf(UserId),
    /// What this many new boards of a game need: their numbers, and the listeners of the game.
    NewBoards(&'static str, u32),
    /// The open challenges of these games, and the users who made them.
    OpenChallenges(Vec<&'static str>),
    /// This many boards of a game that ended last.
    LatestFinished(&'static str, usize),
    /// The players of a game who were active last, at most two hundred.
    RecentPlayers(&'static str),
    /// The players who welcome newcomers, at most forty.
    Welcomers,
    /// The open challenges of a game, and the user who made the challenge of this number.
    OpenChallenge(&'static str, u32),
    /// The user, and all documents with their data: boards, messages, open challenges.
    DocumentsOf(UserId),
    /// The guest who plays in the sender's browser, and all their boards.
    BoardsOfGuest,
    /// The documents of all these needs.
    All(Vec<Needs>),
    /// All users; the one named is the sender. The cost grows with the home.
    AllUsers(UserId),
}

/// The input of a decision besides the documents.
pub struct Context<'a> {
    /// The time of execution.
    pub now: Time,
    /// Where the command came from.
    pub origin: &'a Origin,
    /// The proof that came with the request itself, such as a reply address or a session.
    pub trust: &'a Trust,
    /// The text beside the command, for the opponent.
    pub comment: String,
    /// Random numbers for passwords, codes, programs that play, and boards without a key.
    pub chance: &'a mut dyn RandomSource,
    /// The keys that the dice of boards follow from.
    pub keys: &'a DiceKeys,
    /// The parameters of password hashes.
    pub hashing: &'a Hashing,
    /// The operator's limits for all users.
    pub limits: &'a Limits,
    /// The address of the server.
    pub server_address: &'a Address,
    /// The user who has proved to be the sender, once authentication has succeeded.
    pub proved: Option<UserId>,
    /// The password that was sent, once it proved right; no answer may quote it.
    pub password: Option<String>,
    /// Whether lines of the comment were held back because they contain a password.
    pub held_back: bool,
    /// The passwords that this mail has been checked for already.
    pub password_cache: &'a mut PasswordCache,
    /// How many moves of its highest level the program may still make for this mail.
    pub program_moves: &'a mut u32,
}

impl Context<'_> {
    /// Returns what begins boards for this decision.
    pub(crate) fn board_maker<'w>(&'w mut self, world: &'w World) -> BoardMaker<'w> {
        let cx = ServiceContext { now: self.now, chance: &mut *self.chance, keys: self.keys };
        BoardMaker::new(world, cx)
    }

    /// Makes a one-time code for a user, and the event that records it as mailed.
    pub(crate) fn make_code(
        &mut self,
        user: &UserId,
        purpose: CodePurpose,
    ) -> (OneTimeCode, Event) {
        let code = OneTimeCode::new(user, self.chance);
        let pending = PendingCode::new(&code, user, purpose, self.now);
        let mailed = Event::User(user.clone(), UserEvent::CodeMailed(pending));
        (code, mailed)
    }
}

/// The trust in a request before its words are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// None: the words contain a userid and a password.
    #[default]
    Untrusted,
    /// A valid reply address of this user for this topic; the words contain neither userid nor
    /// password.
    Token(Topic, UserId),
    /// A session of this user; the words contain neither userid nor password.
    Session(UserId),
    /// The operator's shell; the words contain a userid and no password.
    Operator,
}

impl Trust {
    /// Returns the user whom a reply address or a session proves.
    pub fn user(&self) -> Option<&UserId> {
        match self {
            Self::Token(_, user) | Self::Session(user) => Some(user),
            Self::Untrusted | Self::Operator => None,
        }
    }

    /// Returns the board of a reply address.
    pub fn board(&self) -> Option<BoardId> {
        match self {
            Self::Token(topic, _) => topic.board(),
            Self::Untrusted | Self::Session(_) | Self::Operator => None,
        }
    }
}

/// The result of a command.
#[derive(Debug)]
pub struct Decision {
    /// The changes.
    pub events: Vec<Event>,
    /// The answer to the sender.
    pub answer: Answer,
}

impl<T: Into<Answer>> From<T> for Decision {
    fn from(answer: T) -> Self {
        Self { events: Vec::new(), answer: answer.into() }
    }
}
