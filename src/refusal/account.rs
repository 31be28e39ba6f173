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
    #[error("one of your words should be a userid, and cannot be one")]
    BadUserid,
    /// One of several users named is not here. It is not said which: a word too many may be a
    /// password.
    #[error("at least one of these is no user here")]
    NotAllUsers,
    /// A password that cannot be one.
    #[error("that password cannot be used")]
    BadPassword,
    /// An address in the place of the password, which everybody who knows it could guess.
    #[error("a mail address cannot be your password")]
    AddressAsPassword,
    /// A word that cannot be a mail address. It is not shown: it may be half of a password.
    #[error("the word after the password is no mail address")]
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
    #[error("that word is wrong, has been used, or is more than a day old")]
    BadWord,
    /// Enough words were mailed for one day.
    #[error("{n} such words were mailed today, and none of them was used", n = AccountRefusal::WORDS)]
    TooManyWords,
    /// Too many messages in a day.
    #[error("your messages would go to more than {n} readers in a day", n = AccountRefusal::READERS)]
    TooManyMessages,
    /// A second broadcast in a day.
    #[error("you have already written to everybody in the last 24 hours")]
    BroadcastToday,
    /// A broadcast by somebody who joined lately.
    #[error(
        "you can write to everybody once you have been here for {n} days",
        n = AccountRefusal::DAYS_BEFORE_BROADCAST
    )]
    TooNew,
    /// A challenge by somebody who is neither of the two, or from an address not registered.
    #[error("a challenge must come from one of its players")]
    NotAPlayer,
    /// A challenge in a mail whose sender our mail server does not vouch for.
    #[error("your mail server does not confirm that this mail is from you")]
    Doubted,
    /// Somebody is to play himself.
    #[error("a board needs two different players")]
    SamePlayer,
    /// Nobody would be there to play.
    #[error("board1 to board4 do not play each other")]
    OnlyPrograms,
    /// The program does not know the game.
    #[error("the program does not play {}", title_of(.0))]
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
    /// How long somebody is a user before he may write to everybody.
    pub const DAYS_BEFORE_BROADCAST: i64 = 7;

    pub(super) fn hint(&self) -> String {
        match self {
            Self::WrongPassword => "Write the password right after the userid. If you have forgotten it, \
                                    send `forgot <userid>`: then you can choose a new one."
                .into(),
            Self::Paused { minutes } => {
                let minutes = Count(usize::try_from(*minutes).unwrap_or(1), "minute");
                format!(
                    "Send it again in {minutes}. You can play on without it: a reply to a board mail \
                     needs no password. If you have forgotten it, send `forgot <userid>`."
                )
            }
            Self::Taken(_) => "Send `signup <userid> <password>` with another userid.".into(),
            Self::NoUser(_) | Self::NoOpponent => {
                "To become a user, send `signup <userid> <password>`.".into()
            }
            Self::NotAllUsers => {
                "Name userids only, then `all`, `active`, `inactive` or `next`.".into()
            }
            Self::BadUserid => format!(
                "A userid has letters, digits, dots, dashes and underscores, begins with a letter, \
                 and is at most {} letters long, for example `rita-2`. It is no mail address.",
                UserId::MAX
            ),
            Self::BadPassword => "A password has 6 to 128 characters that can be typed, without \
                                  blanks, quotes or colons."
                .into(),
            Self::AddressAsPassword => {
                "Send `signup <userid> <password>`: your mails then go where you write from. \
                 Another address comes after the password."
                    .into()
            }
            Self::BadAddress => "An address looks like name@example.org.".into(),
            Self::OurAddress => "Name an address where you read your own mails.".into(),
            Self::NoAddress => "Send `signup <userid> <password> <address>`.".into(),
            Self::Closed => "Ask the operator of the server to be let in.".into(),
            Self::BadWord => {
                "Copy the whole word from the newest mail that has one. It works once, within a day."
                    .into()
            }
            Self::TooManyWords => {
                "Use the word in the newest of those mails, or wait until tomorrow.".into()
            }
            Self::TooNew => "Until then, write to users by name: `message <userid> <password> <to> \
                             ...`."
                .into(),
            Self::NotAPlayer => "Name yourself as one of the two players, and send it from an \
                                 address that you have signed up with."
                .into(),
            Self::Doubted => {
                "A challenge has no password, so it must come from a mail server that \
                              signs its mails (DKIM) or may send for your address (SPF). From \
                              anywhere else you can challenge everybody:\n\n  \
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
                format!("It plays {}.", And(&known))
            }
            Self::PlayedAlone(game) => format!("Send `{game} challenge <userid>`."),
            Self::TooManyUnanswered(_) => {
                "Wait until a first move is made on one of those boards, or challenge somebody \
                 else."
                    .into()
            }
            Self::TakesNoChallenges(_) => {
                "Challenge somebody else, or let anybody accept: `<game> seek <userid> <password>`."
                    .into()
            }
            Self::AtLimit(..) => {
                "Wait until one of these boards is over, or let anybody accept: `<game> seek <userid> \
                 <password>`."
                    .into()
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
