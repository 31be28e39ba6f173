//! Refusals about who somebody is.

use crate::ids::UserId;
use crate::reply::words::{And, Count};
use games::GAMES;
use thiserror::Error;

/// Refusals about who somebody is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccountRefusal {
    /// No such user, or not their password: which of the two is nobody's business.
    #[error("that userid and password do not belong together")]
    WrongPassword,
    /// So many wrong passwords that none is looked at for a while; whether there is such a user does
    /// not show.
    #[error("too many wrong passwords came for that userid or from your address")]
    Paused {
        /// The minutes left.
        minutes: i64,
    },
    /// The userid belongs to somebody.
    #[error("the userid {0} is taken")]
    Taken(UserId),
    /// No such user.
    #[error("there is no user {0} here")]
    NoUser(UserId),
    /// No such user, of two of whom the other one asks.
    #[error("whom you name as your opponent is no user here")]
    NoOpponent,
    /// A word that cannot be a userid. It is not shown: it may be a password in the wrong place.
    #[error("a word in the place of a userid cannot be one")]
    BadUserid,
    /// One of several users named is not here. It is not said which: a word too many may be a
    /// password.
    #[error("not all of these are users here")]
    NotAllUsers,
    /// A password that cannot be one.
    #[error("that password cannot be used")]
    BadPassword,
    /// An address in the place of the password, which everybody who knows it could guess.
    #[error("in the place of the password is a mail address")]
    AddressAsPassword,
    /// A word that cannot be a mail address. It is not shown: it may be half of a password.
    #[error("what stands behind the password is no mail address")]
    BadAddress,
    /// An address that this server reads itself.
    #[error("that address is this server's own")]
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
    /// A one-time word that is not good: never was, was used, or is a day old. Not shown.
    #[error("that word is not one that was mailed for this within a day")]
    BadWord,
    /// Enough words were mailed for one day.
    #[error("{n} words were mailed in a day and not used", n = AccountRefusal::WORDS)]
    TooManyWords,
    /// Too many messages in a day.
    #[error("your messages would go to more than {n} readers in a day", n = AccountRefusal::READERS)]
    TooManyMessages,
    /// Too much said to one user in a day.
    #[error("you have sent {n} messages to {to} in a day, or as many offers")]
    SpokenEnough {
        /// To whom.
        to: UserId,
        /// How many.
        n: usize,
    },
    /// Too many users are muted.
    #[error("you have muted {n} users, and more are not kept", n = AccountRefusal::MUTED)]
    TooManyMuted,
    /// Somebody is to mute themselves.
    #[error("you cannot mute yourself")]
    MutesSelf,
    /// Somebody is to be heard again who was never muted.
    #[error("you have not muted {0}")]
    NotMuted(UserId),
    /// An address that programs, lists or offices have.
    #[error("no person reads the mails to that address as their own")]
    NobodysAddress,
    /// A second broadcast in a day.
    #[error("you have already written to everybody in the last 24 hours")]
    BroadcastToday,
    /// A broadcast by somebody who joined lately.
    #[error(
        "only who has been here for {n} days can write to everybody",
        n = AccountRefusal::DAYS_BEFORE_BROADCAST
    )]
    TooNew,
    /// A challenge by somebody who is neither of the two, or from an address not registered.
    #[error("a challenge must come from one of its players")]
    NotAPlayer,
    /// A challenge in a mail whose sender our mail server does not vouch for.
    #[error("nothing shows that your mail comes from the address in its From")]
    Doubted,
    /// Somebody is to play himself.
    #[error("a board needs two different players")]
    SamePlayer,
    /// Nobody would be there to play.
    #[error("board1 to board4 do not play each other")]
    OnlyPrograms,
    /// The program does not know the game.
    #[error("there is no computer opponent for {}", title_of(.0))]
    NoProgram(&'static str),
    /// The game is one for somebody alone.
    #[error("{} is played alone", title_of(.0))]
    PlayedAlone(&'static str),
    /// Too many challenges wait between the same two players.
    #[error("{n} challenges between you and {0} are unanswered", n = AccountRefusal::UNANSWERED)]
    TooManyUnanswered(UserId),
    /// Somebody does not want to play the game.
    #[error("{0} takes no challenges to this game")]
    TakesNoChallenges(UserId),
    /// Somebody plays as many boards of the game as he wants to.
    #[error("{0} plays at most {n} of this game at a time", n = Count(usize::try_from(*.1).unwrap_or(usize::MAX), "board"))]
    AtLimit(UserId, u32),
    /// Too many challenges in a day.
    #[error("you have sent {n} challenges in a day", n = AccountRefusal::A_DAY)]
    TooManyToday,
}

impl AccountRefusal {
    /// Challenges that may wait between the same two players.
    pub const UNANSWERED: usize = 3;
    /// Challenges that a user may send within 24 hours.
    pub const A_DAY: usize = 20;
    /// One-time words that are mailed within 24 hours, of a kind for a user, and to a mailbox.
    pub const WORDS: usize = 3;
    /// Users that may sign up from a mailbox within 24 hours.
    pub const SIGNUPS: usize = 5;
    /// Readers of a user's messages within 24 hours.
    pub const READERS: usize = 50;
    /// Users that somebody may mute.
    pub const MUTED: usize = 100;
    /// How long somebody is a user before he may write to everybody.
    pub const DAYS_BEFORE_BROADCAST: i64 = 7;

    pub(super) fn hint(&self) -> String {
        match self {
            Self::WrongPassword => "The password stands right behind the userid.".into(),
            Self::Paused { minutes } => {
                let minutes = Count(usize::try_from(*minutes).unwrap_or(1), "minute");
                format!(
                    "Send it again in {minutes}. A reply to a board mail needs no password, and \
                     `forgot <userid>` brings a new one."
                )
            }
            Self::Taken(_) => "Send `signup <userid> <password>` with another userid.".into(),
            Self::NoUser(_) | Self::NoOpponent => {
                "Whoever wants to play sends `signup <userid> <password>` first.".into()
            }
            Self::NotAllUsers => {
                "Name userids only, then `all`, `active`, `inactive` or `next`.".into()
            }
            Self::BadUserid => format!(
                "A userid begins with a letter and has at most {} letters, digits, dots, dashes \
                 or underscores.",
                UserId::MAX
            ),
            Self::BadPassword => "A password has 6 to 128 characters that can be typed, without \
                                  blanks, quotes or colons."
                .into(),
            Self::AddressAsPassword => {
                "Send `signup <userid> <password> [<address> ...]`; without an address mails go \
                 where you write from."
                    .into()
            }
            Self::BadAddress => "An address looks like name@example.org.".into(),
            Self::OurAddress => "Name one where you read your mails.".into(),
            Self::NoAddress => "Send `signup <userid> <password> <address>`.".into(),
            Self::Closed => "Ask the operator of the server to be let in.".into(),
            Self::SpokenEnough { .. } => {
                "Nothing more was sent to them. Moves are sent as always, with what you write below \
                 them; and tomorrow you can write again."
                    .into()
            }
            Self::TooManyMuted => "End one first: `unmute <userid> <password> <other>`.".into(),
            Self::MutesSelf => "Name somebody else: `mute <userid> <password> <other>`.".into(),
            Self::NotMuted(_) => "`mute <userid> <password>` shows whom you have muted.".into(),
            Self::NobodysAddress => {
                "Addresses such as noreply, abuse or postmaster, and those of mailing lists, cannot \
                 be used. Name one where you read your mails."
                    .into()
            }
            Self::BadWord => {
                "Copy it whole from the newest mail; it can be used once, and for a day.".into()
            }
            Self::TooManyWords => "Use one of those words, or wait until tomorrow.".into(),
            Self::TooNew => "Until then write with `message <userid> <password> <to> ...`.".into(),
            Self::NotAPlayer => "Send it from an address you have signed up with, and name \
                                 yourself as one of the two players."
                .into(),
            Self::Doubted => {
                "A challenge has no password, so it must come from a mail server that \
                              signs its mails (DKIM) or may send for your address (SPF). To \
                              challenge everybody, from anywhere, send\n\n  \
                              <game> seek <userid> <password>"
                    .into()
            }
            Self::SamePlayer | Self::OnlyPrograms => {
                "Send `<game> challenge <userid> <userid>`.".into()
            }
            Self::NoProgram(_) => {
                let specs = GAMES.iter().map(|game| game.spec());
                let known: Vec<&str> =
                    specs.filter(|spec| spec.manner.levels > 0).map(|spec| spec.name).collect();
                format!("There is one for {}.", And(&known))
            }
            Self::PlayedAlone(game) => format!("Send `{game} challenge <userid>`."),
            Self::TooManyUnanswered(_) => "Wait for a first move on one of those boards.".into(),
            Self::TakesNoChallenges(_) => {
                "Who wants to be challenged sends `<game> accept <userid> <password>`.".into()
            }
            Self::AtLimit(..) => {
                "It is said with `<game> limit <userid> <password> <number>`.".into()
            }
            Self::TooManyToday
            | Self::TooManyMessages
            | Self::BroadcastToday
            | Self::TooManySignups => "Wait until tomorrow.".into(),
        }
    }
}

fn title_of(game: &str) -> &'static str {
    games::find(game).map_or("this game", |game| game.spec().title)
}
