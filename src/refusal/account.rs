//! Refusals about who somebody is.

use crate::base::ids::UserId;
use crate::base::words::{And, Count};
use crate::mail::Address;
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
    /// Who signs up is a user already, under the userid and at the address that he names.
    #[error("you are already signed up as {0}")]
    AlreadyYou(UserId),
    /// Who signs up is a user already, under another userid.
    #[error("your address is already signed up as {}", And(.users))]
    KnownAs {
        /// Under which.
        users: Vec<UserId>,
        /// The userid wanted.
        wanted: UserId,
        /// The address.
        address: Address,
    },
    /// The userid could be taken for that of another user.
    #[error("{0} looks so much like the userid of another player that people would mix you up")]
    Confusable(UserId),
    /// The userid belongs to somebody.
    #[error("the userid {0} is taken")]
    Taken(UserId),
    /// No such user.
    #[error("there is no user {0} here")]
    NoUser(UserId),
    /// No such user, of two of whom the other one asks.
    #[error("nobody here has the userid that you wrote for your opponent")]
    NoOpponent(&'static str),
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
    /// A word with an `@` that cannot be a mail address.
    #[error("that is no mail address")]
    NoAddressThere,
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
    /// Somebody asks for his boards, from an address where nobody is known.
    #[error("no player here has the address that you write from")]
    NobodyThere,
    /// Somebody asks for boards of the past without a name.
    #[error("to see boards that are over, name the player")]
    NameYourself(Vec<UserId>),
    /// A challenge that names the opponent alone, from an address where nobody is known.
    #[error("no player here has the address that you write from")]
    NotRegistered(&'static str),
    /// A challenge that names the opponent alone, from an address of several users.
    #[error("{n} players have the address that you write from, {}", And(.users), n = .users.len())]
    WhichOfYou {
        /// Who they are.
        users: Vec<UserId>,
        /// The game.
        game: &'static str,
        /// Who was challenged; nobody in a game for one.
        opponent: Option<UserId>,
    },
    /// Somebody is to play himself.
    #[error("you cannot challenge yourself")]
    SamePlayer(&'static str),
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
    #[error("you have begun {n} boards in a day", n = AccountRefusal::A_DAY)]
    TooManyToday,
    /// Too many boards of somebody who has not shown yet that he reads his mails.
    #[error(
        "you are new here, and can begin {n} boards a day until you have answered one of our mails",
        n = AccountRefusal::UNPROVED_BOARDS
    )]
    Unproved(UserId),
    /// So many new users began a board with somebody today.
    #[error("{0} has been challenged by {n} new players today", n = AccountRefusal::FROM_UNPROVED)]
    TooManyStrangers(UserId),
}

impl AccountRefusal {
    /// Challenges that may wait between the same two players.
    pub const UNANSWERED: usize = 3;
    /// Boards that may be begun within 24 hours by a user, and from a mailbox.
    pub const A_DAY: usize = 20;
    /// The same of users who have not shown that they read their mails.
    pub const UNPROVED_BOARDS: usize = 5;
    /// Boards that such users may begin within 24 hours with the same player, all together.
    pub const FROM_UNPROVED: usize = 10;
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
            Self::AlreadyYou(..)
            | Self::KnownAs { .. }
            | Self::Confusable(..)
            | Self::NoOpponent(..)
            | Self::NobodyThere
            | Self::NameYourself(..)
            | Self::NotRegistered(..)
            | Self::WhichOfYou { .. }
            | Self::SamePlayer(..)
            | Self::Unproved(..)
            | Self::TooManyStrangers(..) => self.hint_to_begin(),
            Self::Taken(_) => "Send `signup <userid> <password>` with another userid.".into(),
            Self::NoUser(_) => {
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
            Self::NoAddressThere => "Send `forgot <userid>`, or `forgot name@example.org`.".into(),
            Self::BadAddress => "An address looks like name@example.org.".into(),
            Self::OurAddress => "Name an address where you read your own mails.".into(),
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
            Self::Doubted
            | Self::OnlyPrograms
            | Self::NoProgram(_)
            | Self::PlayedAlone(_)
            | Self::TooManyUnanswered(_)
            | Self::TakesNoChallenges(_)
            | Self::AtLimit(..) => self.hint_to_challenge(),
            Self::TooManyToday
            | Self::TooManyMessages
            | Self::BroadcastToday
            | Self::TooManySignups => "Wait until tomorrow.".into(),
        }
    }

    /// What somebody whose challenge is refused can send instead.
    fn hint_to_challenge(&self) -> String {
        match self {
            Self::Doubted => {
                "A challenge has no password, so it must come from a mail server that signs its \
                 mails (DKIM) or may send for your address (SPF). From anywhere else you can \
                 challenge everybody:\n\n  <game> seek <userid> <password>"
                    .into()
            }
            Self::OnlyPrograms => "Send `<game> challenge <userid> <userid>`.".into(),
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
            _ => String::new(),
        }
    }

    /// What somebody who signs up, or looks for a board or an opponent, can send instead.
    fn hint_to_begin(&self) -> String {
        match self {
            Self::AlreadyYou(user) => format!(
                "`games {user}` shows your boards. To begin one, send `{}`. If you have forgotten \
                 your password, send `forgot {user}`.",
                against_program()
            ),
            Self::KnownAs { users, wanted, address } => {
                let one = if users.len() == 1 { "that userid" } else { "one of these" };
                format!(
                    "Play as {one}. If you have forgotten the password, send `forgot {address}`. If \
                     you want one more userid on purpose, name your address:\n\n  \
                     signup {wanted} <password> {address}"
                )
            }
            Self::Confusable(_) => {
                "Send `signup <userid> <password>` with a userid of your own.".into()
            }
            Self::NoOpponent(game) => no_opponent(game),
            Self::NobodyThere => {
                "Send `games <userid>`. To become a player, send `signup <userid> \
                                  <password>`."
                    .into()
            }
            Self::NameYourself(users) => {
                let lines: Vec<String> =
                    users.iter().map(|user| format!("  games {user} all")).collect();
                format!("Send\n\n{}", lines.join("\n"))
            }
            Self::NotRegistered(game) => format!(
                "If you are a player here, write from your registered address, or name yourself \
                 first: `{game} challenge <you> <opponent>`. To become one, send `signup <userid> \
                 <password>`."
            ),
            Self::WhichOfYou { users, game, opponent } => {
                let opponent = opponent.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
                let lines: Vec<String> = users
                    .iter()
                    .map(|user| format!("  {game} challenge {user}{opponent}"))
                    .collect();
                format!("Say which of them you are. Send one of\n\n{}", lines.join("\n"))
            }
            Self::SamePlayer(game) => format!("Name your opponent. {}", to_find_one(game)),
            Self::Unproved(user) => format!(
                "Answer a mail about one of your boards by pressing Reply, with a move or with \
                 `show`; or send `forgot {user}` and choose a password with the word that you get."
            ),
            Self::TooManyStrangers(_) => {
                "Send it again tomorrow, or when you have answered one of our mails.".into()
            }
            _ => String::new(),
        }
    }
}

/// A challenge that somebody can send without an opponent.
pub(super) fn against_program() -> String {
    let game = GAMES.iter().map(|game| game.spec()).find(|spec| spec.manner.levels > 0);
    format!("{} challenge board1", game.map_or("<game>", |spec| spec.name))
}

/// What can be done by somebody whose opponent is nobody here.
fn no_opponent(game: &str) -> String {
    format!("Look at the spelling: `{game} standings` shows players. {}", to_find_one(game))
}

/// How somebody to play with is found.
fn to_find_one(game: &str) -> String {
    let levels = games::find(game).map_or(0, |game| game.spec().manner.levels);
    let program = if levels > 0 {
        format!("To play the program, send `{game} challenge board1`. ")
    } else {
        String::new()
    };
    format!("{program}To find somebody, send `{game} seek <userid> <password>`.")
}

fn title_of(game: &str) -> &'static str {
    games::find(game).map_or("this game", |game| game.spec().title)
}
