//! Refusals about accounts: signing up, passwords, addresses, messages, challenges.

use crate::base::ids::UserId;
use crate::base::time::{Span, WEEK};
use crate::base::words::{AndList, Plural};
use crate::mail::Address;
use crate::model::user::{Mark, ProfileField};
use thiserror::Error;

mod hint;

pub(super) use hint::against_program;

/// A refusal about an account.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccountRefusal {
    /// The userid does not exist or the password is wrong. The refusal does not tell which.
    #[error("wrong userid or password")]
    WrongPassword,
    /// Passwords are not checked for a while after too many wrong ones. The refusal does not tell
    /// whether the userid exists.
    #[error("there were too many wrong passwords for this userid or from your address")]
    Paused {
        /// The time until passwords are checked again.
        left: Span,
    },
    /// The person who signs up already has this userid, at this address.
    #[error("you are already signed up as {0}")]
    AlreadySignedUp(UserId),
    /// The person who signs up already has another userid.
    #[error("your address is already signed up as {}", AndList(.users))]
    SignedUpAs {
        /// The userids at the address.
        users: Vec<UserId>,
        /// The requested userid.
        wanted: UserId,
        /// The address.
        address: Address,
    },
    /// The userid looks like that of another user.
    #[error("{0} looks so much like another player's userid that people would confuse you")]
    LooksLikeAnother(UserId),
    /// The userid belongs to another user.
    #[error("the userid {0} is taken")]
    Taken(UserId),
    /// The userid does not exist.
    #[error("nobody here is called {0}")]
    NoUser(UserId),
    /// The opponent in a challenge does not exist.
    #[error("no player here has the userid that you gave for your opponent")]
    NoOpponent(&'static str),
    /// The word cannot be a userid. The refusal does not quote it: it may be a misplaced password.
    #[error("the word in place of the userid cannot be a userid")]
    BadUserid,
    /// The player whose profile is requested does not exist. The refusal does not quote the word:
    /// it may be a misplaced password.
    #[error("no player here has this userid")]
    NoPlayer,
    /// One of several userids does not exist. The refusal does not quote it: it may be a password.
    #[error("at least one of these userids does not exist here")]
    NotAllUsers,
    /// The word is not allowed as a password.
    #[error("this password is not allowed")]
    BadPassword,
    /// The password is a mail address, which is easy to guess.
    #[error("a mail address cannot be your password")]
    AddressAsPassword,
    /// The word is not a mail address. The refusal does not quote it: it may be half of a password.
    #[error("the word after the password is not a mail address")]
    BadAddress,
    /// A word with an `@` is not a mail address.
    #[error("this is not a mail address")]
    MalformedAddress,
    /// The address is one of this server's own.
    #[error("this address belongs to this server")]
    ServerAddress,
    /// A signup from the shell or a browser names no address.
    #[error("the mail address is missing")]
    NoAddress,
    /// The operator does not let anybody sign up, by mail or in a browser.
    #[error("new players cannot sign up here")]
    Closed,
    /// Too many users signed up from one mailbox in a day.
    #[error("{n} users have signed up from your address in the last 24 hours", n = AccountRefusal::SIGNUPS)]
    TooManySignups,
    /// Too many people sign up in an hour.
    #[error("more people than usual are signing up right now")]
    TooManyNewcomers,
    /// The code is wrong, used or more than a day old. The refusal does not quote it.
    #[error("this code is wrong, already used, or more than a day old")]
    WrongCode,
    /// The link of a mail is used or too old. The refusal does not quote it.
    #[error("this link has already been used or is too old")]
    UsedLink,
    /// The user has the most program keys allowed.
    #[error("you already have {0} keys")]
    TooManyKeys(usize),
    /// The subscription of a browser to notices has an invalid address or key.
    #[error("notices cannot be sent to this browser")]
    BadBrowser,
    /// Too many sign-in links were requested from one network in a day.
    #[error("too many sign-in links were requested from your network today")]
    TooManyLinks,
    /// The most codes allowed in a day were mailed.
    #[error("{n} codes were mailed today, and none of them has been used", n = AccountRefusal::CODES)]
    TooManyCodes,
    /// The user's messages would have too many readers in a day.
    #[error("your messages would go to more than {n} readers in a day", n = AccountRefusal::READERS)]
    TooManyMessages,
    /// The user sent too many messages or offers to one user in a day.
    #[error("you have already sent {to} {n} messages or {n} offers in a day")]
    TooManyToUser {
        /// The recipient.
        to: UserId,
        /// The limit.
        n: usize,
    },
    /// The user has put a mark on the most players allowed.
    #[error("you have {n} {}", marked_players(*.0), n = Mark::MOST)]
    TooManyMarked(Mark),
    /// Users cannot put marks on themselves.
    #[error("{}", match .0 {
        Mark::Muted => "you cannot mute yourself",
        Mark::Blocked => "you cannot block yourself",
        Mark::Favourite => "you cannot be your own favourite",
    })]
    MarksSelf(Mark),
    /// The user whose mark is to be removed does not have it.
    #[error("{}", match .0 {
        Mark::Muted => format!("you have not muted {}", .1),
        Mark::Blocked => format!("you have not blocked {}", .1),
        Mark::Favourite => format!("{} is not one of your favourites", .1),
    })]
    NotMarked(Mark, UserId),
    /// The user wants to play with somebody whom they have blocked.
    #[error("you have blocked {0}")]
    BlockedByYou(UserId),
    /// The address belongs to a program, a mailing list or a role such as `abuse`.
    #[error("this is not a personal mail address")]
    ImpersonalAddress,
    /// A part of a profile is too long.
    #[error("`{}` in a profile has at most {} characters", .0.name(), .0.longest())]
    LongProfile(ProfileField),
    /// A profile would show the user's password.
    #[error("these words contain your password, and everybody would see them")]
    PasswordInProfile,
    /// The user already sent a broadcast in the last 24 hours.
    #[error("you have already written to everybody in the last 24 hours")]
    BroadcastToday,
    /// The user joined too recently to send a broadcast.
    #[error(
        "you can write to everybody once you have been here for {n} days",
        n = AccountRefusal::BEFORE_BROADCAST.days()
    )]
    TooNew,
    /// The challenger is neither of the two players, or writes from an unregistered address.
    #[error("a challenge must come from one of its players")]
    NotAPlayer,
    /// The sender of a challenge is not authenticated by our mail server.
    #[error("this server could not verify that your mail is from you")]
    NotAuthenticated,
    /// A sender at an unregistered address asks for their boards.
    #[error("no player here has the address that you write from")]
    UnknownSender,
    /// A sender asks for finished boards without naming a player; the users at their address.
    #[error("finished boards are shown only for a player that you name")]
    PlayerNotNamed(Vec<UserId>),
    /// A challenge names only the opponent and comes from an unregistered address; the game.
    #[error("no player here has the address that you write from")]
    NotRegistered(&'static str),
    /// A challenge names only the opponent and comes from an address of several users.
    #[error("{n} players share the address that you write from: {}", AndList(.users), n = .users.len())]
    AmbiguousSender {
        /// The users at the address.
        users: Vec<UserId>,
        /// The game.
        game: &'static str,
        /// The challenged user; none in a game for one player.
        opponent: Option<UserId>,
    },
    /// Users cannot challenge themselves; the game.
    #[error("you cannot challenge yourself")]
    SamePlayer(&'static str),
    /// Both players of the challenge are programs.
    #[error("board1 to board5 do not play each other")]
    OnlyPrograms,
    /// The program does not play the game.
    #[error("the program does not play {}", title_of(.0))]
    NoProgram(&'static str),
    /// No engine plays the game as `board5` on this server.
    #[error("board5 does not play {} on this server", title_of(.0))]
    NoEngine(&'static str),
    /// A challenge in a game for one player names an opponent; the game.
    #[error("{} is a game for one player", title_of(.0))]
    PlayedAlone(&'static str),
    /// Too many unanswered challenges are open between two players; the opponent.
    #[error("{n} challenges between you and {0} are unanswered", n = AccountRefusal::UNANSWERED)]
    TooManyUnanswered(UserId),
    /// The challenged user accepts no challenges to the game.
    #[error("{0} does not accept challenges to this game")]
    TakesNoChallenges(UserId),
    /// The challenged user is at their own limit of boards.
    #[error("{0} plays at most {n} of this game at a time", n = Plural(usize::try_from(*.1).unwrap_or(usize::MAX), "board"))]
    AtLimit(UserId, u32),
    /// The user began the most boards allowed in a day.
    #[error("you have already begun {n} boards in the last 24 hours", n = AccountRefusal::A_DAY)]
    TooManyToday,
    /// A user with an unconfirmed address began the most boards allowed in a day.
    #[error(
        "as a new player you can begin {n} boards a day until you have answered one of our mails",
        n = AccountRefusal::UNPROVED_BOARDS
    )]
    Unproved(UserId),
    /// A guest asks for something that needs an account.
    #[error("as a guest you can only play against the program")]
    NotForGuests,
    /// A guest would play against another user.
    #[error("guests play against the program only")]
    GuestsPlayProgram,
    /// A guest has the most boards allowed.
    #[error("as a guest you can begin {n} boards", n = AccountRefusal::GUEST_BOARDS)]
    TooManyGuestBoards,
    /// Too many guests came from one network in a day, or in an hour from everywhere.
    #[error("too many people are trying out the games as guests at the moment")]
    TooManyGuests,
    /// The operator does not allow new users.
    #[error("guests cannot play here")]
    NoGuests,
    /// Too many new users challenged the same player today.
    #[error("{0} has been challenged by {n} new players today", n = AccountRefusal::FROM_UNPROVED)]
    TooManyStrangers(UserId),
}

impl AccountRefusal {
    /// The most unanswered challenges between two players.
    pub const UNANSWERED: usize = 3;
    /// The most boards begun within 24 hours by a user, and from a mailbox.
    pub const A_DAY: usize = 20;
    /// The most boards begun within 24 hours by a user with an unconfirmed address.
    pub const UNPROVED_BOARDS: usize = 5;
    /// The most boards that users with unconfirmed addresses begin within 24 hours with one player.
    pub const FROM_UNPROVED: usize = 10;
    /// The most codes of one kind mailed within 24 hours for a user, and to a mailbox.
    pub const CODES: usize = 3;
    /// The most signups from a mailbox within 24 hours.
    pub const SIGNUPS: usize = 5;
    /// The most guests from a network within 24 hours.
    pub const GUESTS: usize = 20;
    /// The most boards of a guest.
    pub const GUEST_BOARDS: usize = 10;
    /// The most readers of a user's messages within 24 hours.
    pub const READERS: usize = 50;
    /// The time before a new user can send a broadcast.
    pub const BEFORE_BROADCAST: Span = WEEK;
}

/// Returns the players with a mark, as a refusal counts them.
fn marked_players(mark: Mark) -> &'static str {
    match mark {
        Mark::Muted => "muted players, and can mute no more",
        Mark::Blocked => "blocked players, and can block no more",
        Mark::Favourite => "favourites, and can have no more",
    }
}

fn title_of(game: &str) -> &'static str {
    games::find(game).map_or("this game", |game| game.spec().title)
}
