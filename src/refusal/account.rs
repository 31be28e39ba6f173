//! Refusals about users and who they are.

use crate::base::ids::UserId;
use crate::base::time::{Span, WEEK};
use crate::base::words::{AndList, Plural};
use crate::mail::Address;
use thiserror::Error;

mod hint;

pub(super) use hint::against_program;

/// Refusals about users and who they are.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccountRefusal {
    /// No such user, or a wrong password; the refusal does not tell which.
    #[error("that userid and password do not belong together")]
    WrongPassword,
    /// So many wrong passwords that none is checked for a while; the refusal does not tell whether
    /// there is such a user.
    #[error("too many wrong passwords came for that userid or from your address")]
    Paused {
        /// How long it lasts yet.
        left: Span,
    },
    /// The person who signs up is a user already, with this userid and this address.
    #[error("you are already signed up as {0}")]
    AlreadyYou(UserId),
    /// The person who signs up is a user already, under another userid.
    #[error("your address is already signed up as {}", AndList(.users))]
    KnownAs {
        /// The userids they have.
        users: Vec<UserId>,
        /// The userid wanted.
        wanted: UserId,
        /// The address.
        address: Address,
    },
    /// The userid could be taken for that of another user.
    #[error("{0} looks so much like the userid of another player that people would mix you up")]
    Confusable(UserId),
    /// The userid belongs to another user.
    #[error("the userid {0} is taken")]
    Taken(UserId),
    /// No such user.
    #[error("nobody here is called {0}")]
    NoUser(UserId),
    /// No such user: the opponent in a challenge.
    #[error("nobody here has the userid that you gave for your opponent")]
    NoOpponent(&'static str),
    /// A word that cannot be a userid. It is not shown: it may be a password in the wrong place.
    #[error("your mail needs a userid, and the word in its place cannot be one")]
    BadUserid,
    /// No such user: the player whose profile is asked for. The refusal does not show the word: it
    /// may be a password in the wrong place.
    #[error("nobody here has that userid")]
    NoPlayer,
    /// One of several userids is not known. The refusal does not show which: a word too many may be
    /// a password.
    #[error("at least one of these userids belongs to nobody here")]
    NotAllUsers,
    /// A word that cannot be a password.
    #[error("that password cannot be used")]
    BadPassword,
    /// An address in the place of the password: easy to guess.
    #[error("a mail address cannot be your password")]
    AddressAsPassword,
    /// A word that cannot be a mail address. It is not shown: it may be half of a password.
    #[error("the word after the password is not a mail address")]
    BadAddress,
    /// A word with an `@` that cannot be a mail address.
    #[error("that is not a mail address")]
    NoAddressThere,
    /// An address that this server reads itself.
    #[error("that is an address of this server")]
    OurAddress,
    /// A signup by shell without an address.
    #[error("an address is missing")]
    NoAddress,
    /// The operator lets nobody join by mail.
    #[error("new players cannot sign up by mail here")]
    Closed,
    /// Too many new users in a day write from one mailbox.
    #[error("{n} users have signed up from your address in a day", n = AccountRefusal::SIGNUPS)]
    TooManySignups,
    /// Too many strangers sign up in an hour.
    #[error("more people than usual are signing up in this hour")]
    TooManyNewcomers,
    /// A confirmation code that is wrong, was used, or is more than a day old. Not shown.
    #[error("that code is wrong, has been used, or is more than a day old")]
    BadWord,
    /// The link of a mail was used, or is too old. Not shown.
    #[error("that link has been used, or is too old")]
    UsedLink,
    /// A user has so many keys for programs.
    #[error("you have {0} keys already")]
    TooManyKeys(usize),
    /// Too many links were asked for from one place in a day.
    #[error("too many links to sign in were asked for from your network today")]
    TooManyLinks,
    /// Enough codes were mailed for one day.
    #[error("{n} codes were mailed today, and none of them was used", n = AccountRefusal::WORDS)]
    TooManyWords,
    /// Too many messages in a day.
    #[error("your messages would go to more than {n} readers in a day", n = AccountRefusal::READERS)]
    TooManyMessages,
    /// Too many messages or offers to one user in a day.
    #[error("you have sent {to} {n} messages or {n} offers in a day")]
    SpokenEnough {
        /// The user they went to.
        to: UserId,
        /// How many.
        n: usize,
    },
    /// Too many users are muted.
    #[error("you have muted {n} players, and cannot mute more", n = AccountRefusal::MUTED)]
    TooManyMuted,
    /// A user wants to mute themselves.
    #[error("you cannot mute yourself")]
    MutesSelf,
    /// A user wants to unmute a user who was never muted.
    #[error("you have not muted {0}")]
    NotMuted(UserId),
    /// An address of a program, a list or an office.
    #[error("that is not the personal address of a player")]
    NobodysAddress,
    /// A second broadcast in a day.
    #[error("you have already written to everybody in the last 24 hours")]
    BroadcastToday,
    /// A broadcast by a user who joined lately.
    #[error(
        "you can write to everybody once you have been here for {n} days",
        n = AccountRefusal::BEFORE_BROADCAST.days()
    )]
    TooNew,
    /// A challenge by a user who is neither of its players, or from an unregistered address.
    #[error("a challenge must come from one of its players")]
    NotAPlayer,
    /// A challenge in a mail whose sender our mail server does not vouch for.
    #[error("your mail server does not confirm that this mail is from you")]
    Doubted,
    /// A sender asks for their boards from an unregistered address.
    #[error("no player here has the address that you write from")]
    NobodyThere,
    /// A sender asks for boards of the past without a name.
    #[error("to see finished boards, you have to name the player")]
    NameYourself(Vec<UserId>),
    /// A challenge that names only the opponent, from an unregistered address.
    #[error("no player here has the address that you write from")]
    NotRegistered(&'static str),
    /// A challenge that names only the opponent, from an address of several users.
    #[error("{n} players have the address that you write from, {}", AndList(.users), n = .users.len())]
    WhichOfYou {
        /// The users.
        users: Vec<UserId>,
        /// The game.
        game: &'static str,
        /// The user who was challenged; none in a game for one.
        opponent: Option<UserId>,
    },
    /// A user challenges themselves.
    #[error("you cannot challenge yourself")]
    SamePlayer(&'static str),
    /// Two programs would play each other.
    #[error("board1 to board4 do not play each other")]
    OnlyPrograms,
    /// The program does not know the game.
    #[error("the program does not play {}", title_of(.0))]
    NoProgram(&'static str),
    /// The game is for one player.
    #[error("{} is played alone", title_of(.0))]
    PlayedAlone(&'static str),
    /// Too many challenges wait between the same two players.
    #[error("{n} challenges between you and {0} are unanswered", n = AccountRefusal::UNANSWERED)]
    TooManyUnanswered(UserId),
    /// A user does not want to play the game.
    #[error("{0} takes no challenges to this game")]
    TakesNoChallenges(UserId),
    /// A user plays as many boards of the game as they want to.
    #[error("{0} plays at most {n} of this game at a time", n = Plural(usize::try_from(*.1).unwrap_or(usize::MAX), "board"))]
    AtLimit(UserId, u32),
    /// Too many challenges in a day.
    #[error("you have already begun {n} boards in a day", n = AccountRefusal::A_DAY)]
    TooManyToday,
    /// Too many boards of a user who has not proved their address yet.
    #[error(
        "you are new here, and can begin {n} boards a day until you have answered one of our mails",
        n = AccountRefusal::UNPROVED_BOARDS
    )]
    Unproved(UserId),
    /// So many new users began a board with a user today.
    #[error("{0} has been challenged by {n} new players today", n = AccountRefusal::FROM_UNPROVED)]
    TooManyStrangers(UserId),
}

impl AccountRefusal {
    /// Challenges that may wait between the same two players.
    pub const UNANSWERED: usize = 3;
    /// Boards that may be begun within 24 hours by a user, and from a mailbox.
    pub const A_DAY: usize = 20;
    /// The same, for users who have not proved their address.
    pub const UNPROVED_BOARDS: usize = 5;
    /// Boards that such users may begin within 24 hours with the same player, all together.
    pub const FROM_UNPROVED: usize = 10;
    /// Codes that are mailed within 24 hours, of one kind for a user, and to a mailbox.
    pub const WORDS: usize = 3;
    /// Users that may sign up from a mailbox within 24 hours.
    pub const SIGNUPS: usize = 5;
    /// Readers of a user's messages within 24 hours.
    pub const READERS: usize = 50;
    /// Users that a user may mute.
    pub const MUTED: usize = 100;
    /// How long a new user waits before they may write to everybody.
    pub const BEFORE_BROADCAST: Span = WEEK;
}

fn title_of(game: &str) -> &'static str {
    games::find(game).map_or("this game", |game| game.spec().title)
}
