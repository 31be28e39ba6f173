//! What a command changes.

use crate::base::ids::{BoardId, UserId};
use crate::mail::Address;
use crate::model::board::{ClosedBy, Closing, Offer, Queued};
use crate::model::clock::{Terms, Vacation};
use crate::model::code::{Pending, Purpose};
use crate::model::correspondent::Begun;
use crate::model::rate_limit::{Charge, Verdict};
use crate::model::seeks::Seek;
use crate::model::user::{Left, Preference, User};
use crate::refusal::Refusal;
use games::{Choices, Entry, Roll, Seat};

/// One change of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody joined.
    SignedUp {
        /// The user.
        user: Box<User>,
        /// Where the mail came from, if a mail did it.
        from: Option<Address>,
    },
    /// A board was set up.
    Challenged(Challenged),
    /// Dice fell and moves were made.
    Played {
        /// On which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
        /// What goes into the record.
        entries: Vec<Entry>,
    },
    /// A player chose how he likes something.
    Chose {
        /// The player.
        user: UserId,
        /// Where it holds.
        place: Place,
        /// The setting.
        setting: &'static str,
        /// What was chosen; nothing for the default.
        choice: Option<Choices>,
    },
    /// A player has a move kept that he may confirm.
    Submitted {
        /// On which board.
        board: BoardId,
        /// Who.
        seat: Seat,
        /// The move in canonical notation.
        text: String,
    },
    /// What a player wants tried on his turn is another move, or none any more.
    Queued {
        /// On which board.
        board: BoardId,
        /// Who.
        seat: Seat,
        /// The move.
        queued: Option<Queued>,
    },
    /// A queued move is not kept any longer, unplayed.
    Dropped {
        /// On which board.
        board: BoardId,
        /// Whose it was.
        seat: Seat,
        /// Its words.
        text: String,
        /// Why.
        why: Refusal,
    },
    /// A player says how many boards of a game he plays at most.
    Limited {
        /// The player.
        user: UserId,
        /// The game.
        game: &'static str,
        /// How many; no limit if nothing is said.
        most: Option<u32>,
    },
    /// A challenge is open to everybody.
    Sought {
        /// To which game.
        game: &'static str,
        /// The challenge.
        seek: Seek,
    },
    /// An open challenge was accepted or withdrawn.
    SeekEnded {
        /// To which game.
        game: &'static str,
        /// Its number.
        number: u32,
    },
    /// Somebody wants to hear of every new board of a game, or does not want to any more.
    Listened {
        /// The game.
        game: &'static str,
        /// Who.
        user: UserId,
        /// Whether he wants to.
        wanted: bool,
    },
    /// Somebody wants the mails of a board, or does not want them any more.
    Observed {
        /// Which board.
        board: BoardId,
        /// Who.
        user: UserId,
        /// Whether he wants them.
        wanted: bool,
    },
    /// The reply addresses that a player got for a board are void.
    Voided {
        /// Which board.
        board: BoardId,
        /// Whose they are.
        seat: Seat,
    },
    /// A player offered something to his opponent.
    Offered {
        /// On which board.
        board: BoardId,
        /// What, and who.
        offer: Offer,
    },
    /// An offer was rejected or withdrawn.
    OfferEnded {
        /// On which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
    },
    /// The players agreed to take back the end of the record.
    TakenBack {
        /// On which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
        /// What was taken back, oldest first.
        entries: Vec<Entry>,
    },
    /// A player ended a board.
    Closed {
        /// Which board.
        board: BoardId,
        /// How.
        closing: Closing,
    },
    /// Whoever a board waits for was reminded.
    Reminded {
        /// On which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
    },
    /// The clocks of a board go on from now, whose record has later times.
    Restarted {
        /// Which board.
        board: BoardId,
        /// When, Unix seconds.
        at: i64,
    },
    /// A user's vacations are others now.
    Rested {
        /// The user.
        user: UserId,
        /// All of them.
        vacations: Vec<Vacation>,
        /// Whether he comes back earlier than was known, so that his time may be up earlier.
        is_cut: bool,
    },
    /// An answer was sent that counts.
    Answered {
        /// Where.
        address: Address,
        /// What it counts for.
        charge: Charge,
        /// What was judged about it.
        verdict: Verdict,
        /// When, Unix seconds.
        at: i64,
    },
    /// A user showed who they are in a mail from one of their addresses.
    Proved {
        /// From which.
        from: Address,
        /// When, Unix seconds.
        at: i64,
    },
    /// A board or an open challenge was made that counts.
    Begun {
        /// What.
        what: Begun,
        /// The names of the documents in which it counts: of mailboxes, or of a userid.
        mailboxes: Vec<String>,
        /// When, Unix seconds.
        at: i64,
    },
    /// A wrong password came.
    WrongPassword {
        /// For which userid, whether there is such a user or not.
        user: UserId,
        /// From where.
        from: Address,
        /// When, Unix seconds.
        at: i64,
    },
    /// Something about an account changed.
    Account {
        /// Whose account.
        user: UserId,
        /// What.
        change: Change,
    },
}

/// A change of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A one-time word was mailed.
    Mailed(Pending),
    /// There is a new password, hashed.
    Password(String),
    /// Mails go to these addresses, and those asked for before are forgotten.
    Addresses(Vec<Address>),
    /// The owner of an address wants mails there.
    Confirmed(Address),
    /// The user likes something.
    Prefers(Preference),
    /// The user wrote to others.
    Wrote {
        /// When, Unix seconds.
        at: i64,
        /// To how many.
        readers: usize,
    },
    /// The user wrote to everybody, at that Unix time.
    Broadcast(i64),
    /// The user had words or an offer sent to another.
    Spoke {
        /// To whom.
        to: UserId,
        /// When, Unix seconds.
        at: i64,
    },
    /// The user wants no words of somebody, or wants them again.
    Muted {
        /// Whose.
        other: UserId,
        /// Whether the user wants none.
        wanted: bool,
    },
    /// The user has left.
    Left(Left),
    /// The user is back.
    CameBack,
    /// A mail to an address came back for good.
    Returned {
        /// Which address.
        address: Address,
        /// When that was told, Unix seconds.
        at: i64,
    },
    /// Mails go to these addresses again.
    Reached(Vec<Address>),
    /// The user has answered a mail that went to the registered address.
    Proved,
}

impl Change {
    fn summary(&self) -> &'static str {
        match self {
            Self::Mailed(Pending { purpose, .. }) => match purpose {
                Purpose::Password => "was mailed a word for a new password",
                Purpose::Signoff | Purpose::Delete => "was mailed a word to leave with",
                Purpose::Address { .. } => "asked for an address to be confirmed",
            },
            Self::Password(_) => "has a new password",
            Self::Addresses(_) => "has other addresses",
            Self::Confirmed(_) => "has confirmed an address",
            Self::Prefers(_) => "changed a setting",
            Self::Wrote { .. } => "wrote to other users",
            Self::Broadcast(_) => "wrote to everybody",
            Self::Spoke { .. } => "had something said to another user",
            Self::Muted { wanted: true, .. } => "mutes another user",
            Self::Muted { wanted: false, .. } => "mutes another user no longer",
            Self::Left(Left { erased: false, .. }) => "has left",
            Self::Left(Left { erased: true, .. }) => "has left and was erased",
            Self::CameBack => "is back",
            Self::Returned { .. } => "did not get a mail: it came back",
            Self::Proved => "reads the mails that are sent",
            Self::Reached(_) => "has written: mails are sent again",
        }
    }
}

/// Where a setting holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On that board.
    Board(BoardId),
    /// On all boards of that game.
    Game(&'static str),
}

/// A board as it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenged {
    /// Its name.
    pub board: BoardId,
    /// Who plays, seat 0 first.
    pub players: [UserId; 2],
    /// Whose challenge it is, when a player sent it.
    pub challenger: Option<Seat>,
    /// Whether the sender is held to the limits of challenges.
    pub counted: bool,
    /// The game's options.
    pub options: Choices,
    /// Hidden from `list` and `show`.
    pub private: bool,
    /// The times agreed on, and whether it counts for the ratings.
    pub terms: Terms,
    /// When, Unix seconds.
    pub at: i64,
    /// The rolls that are to come again on it, before others.
    pub kept: Vec<Roll>,
    /// The first dice, and what was played for the players already.
    pub entries: Vec<Entry>,
}

impl Event {
    /// The event in a few words, for the log.
    pub fn summary(&self) -> String {
        match self {
            Self::SignedUp { user, .. } => format!("{} signed up", user.id),
            Self::Challenged(new) => {
                format!("{} set up for {} and {}", new.board, new.players[0], new.players[1])
            }
            Self::Played { board, entries, .. } => {
                format!("{board}: {} entries recorded", entries.len())
            }
            Self::Chose { user, setting, .. } => format!("{user} chose {setting}"),
            Self::Submitted { board, .. } => format!("{board}: a move submitted"),
            Self::Queued { board, .. } => format!("{board}: the queued move is another"),
            Self::Dropped { board, .. } => format!("{board}: a queued move dropped"),
            Self::Limited { user, game, .. } => format!("{user} limits his {game} boards"),
            Self::Sought { game, seek } => {
                format!("{} made open challenge {} to {game}", seek.user, seek.number)
            }
            Self::SeekEnded { game, number } => format!("open challenge {number} to {game} ended"),
            Self::Listened { game, user, wanted: true } => format!("{user} hears of {game} boards"),
            Self::Listened { game, user, wanted: false } => {
                format!("{user} no longer hears of {game} boards")
            }
            Self::Observed { board, user, wanted: true } => format!("{user} observes {board}"),
            Self::Observed { board, user, wanted: false } => {
                format!("{user} no longer observes {board}")
            }
            Self::Voided { board, .. } => format!("{board}: a player's reply addresses are void"),
            Self::Offered { board, offer } => format!("{board}: {:?} offered", offer.what),
            Self::OfferEnded { board, .. } => format!("{board}: the offer is gone"),
            Self::TakenBack { board, entries, .. } => {
                let words: Vec<String> = entries.iter().map(written).collect();
                format!("{board}: taken back by agreement: {}", words.join(" "))
            }
            Self::Closed { board, closing } => match closing.by {
                ClosedBy::Resigning | ClosedBy::Declining | ClosedBy::Agreeing => {
                    format!("{board} closed by a player")
                }
                ClosedBy::Forfeiting | ClosedBy::Lapsing | ClosedBy::Assenting => {
                    format!("{board} closed by the clock")
                }
            },
            Self::Reminded { board, .. } => format!("{board}: a reminder sent"),
            Self::Restarted { board, .. } => {
                format!("{board}: its last move bears a later time; its clocks go on from now")
            }
            Self::Rested { user, .. } => format!("{user} changed his vacation"),
            Self::Answered { address, .. } => format!("{address} was answered"),
            Self::Proved { from, .. } => format!("{from} is a player's"),
            Self::Begun { what, .. } => format!("{what:?} counted"),
            Self::WrongPassword { from, .. } => format!("a wrong password from {from}"),
            Self::Account { user, change } => format!("{user} {}", change.summary()),
        }
    }
}

/// An entry in a word, for the log.
pub fn written(entry: &Entry) -> String {
    match entry {
        Entry::Rolled(roll) => roll.to_string(),
        Entry::Laid(_) => "stones".into(),
        Entry::Moved { text, .. } => text.clone(),
        Entry::Resigned { stake, .. } => format!("resign-{stake}"),
    }
}
