//! What users can send instead of what was refused.

use super::AccountRefusal;
use crate::base::ids::UserId;
use crate::base::time::seconds;
use crate::base::words::{AndList, Plural};
use crate::model::program;
use games::GAMES;

/// What a user is asked who wants the boards of nobody.
const NAME_A_PLAYER: &str = "Name the player: `games <userid>`. To sign up as a new player, send \
                             `signup <userid> <password>`.";

impl AccountRefusal {
    /// What its user can send instead.
    pub(in crate::refusal) fn hint(&self) -> String {
        match self {
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
            Self::Doubted
            | Self::OnlyPrograms
            | Self::NoProgram(_)
            | Self::PlayedAlone(_)
            | Self::TooManyUnanswered(_)
            | Self::TakesNoChallenges(_)
            | Self::AtLimit(..) => self.hint_to_challenge(),
            Self::WrongPassword
            | Self::Paused { .. }
            | Self::BadUserid
            | Self::BadPassword
            | Self::AddressAsPassword
            | Self::Taken(_)
            | Self::NoUser(_)
            | Self::NoPlayer
            | Self::NotAllUsers => self.hint_to_name_oneself(),
            Self::NoAddressThere
            | Self::BadAddress
            | Self::OurAddress
            | Self::NoAddress
            | Self::NobodysAddress
            | Self::BadWord
            | Self::TooManyWords
            | Self::UsedLink
            | Self::TooManyLinks => self.hint_to_be_reached().into(),
            Self::SpokenEnough { .. }
            | Self::TooManyMuted
            | Self::MutesSelf
            | Self::NotMuted(_)
            | Self::TooNew => self.hint_to_talk().into(),
            Self::Closed | Self::TooManyKeys(_) | Self::NotAPlayer => self.hint_to_go_on().into(),
            Self::TooManyToday
            | Self::TooManyMessages
            | Self::BroadcastToday
            | Self::TooManySignups => "Wait until tomorrow.".into(),
            Self::TooManyNewcomers => "Try again in an hour.".into(),
        }
    }

    /// What a user who gives a userid and a password can send instead.
    fn hint_to_name_oneself(&self) -> String {
        let plain = match self {
            Self::WrongPassword => {
                "Write the password right after the userid. If you have forgotten it, send `forgot \
                 <userid>`: then you can choose a new one."
            }
            Self::Paused { left } => {
                let minutes = usize::try_from((*left + seconds(59)).minutes()).unwrap_or(1);
                return format!(
                    "Send it again in {}. Until then you can play by Reply, which needs no \
                     password. If you have forgotten your password, send `forgot <userid>`.",
                    Plural(minutes, "minute")
                );
            }
            Self::Taken(_) => "Send `signup <userid> <password>` with another userid.",
            Self::NoUser(_) => {
                "Check the spelling. To sign up as a new player, send `signup <userid> <password>`."
            }
            Self::NoPlayer => "Check the spelling. `players` lists everybody who plays here now.",
            Self::NotAllUsers => {
                "Check the spelling. After the userids you can write `all`, `active`, `inactive` \
                 or `next`."
            }
            Self::BadUserid => {
                return format!(
                    "A userid begins with a letter and has letters, digits, dots, dashes and \
                     underscores, at most {} in all, for example `rita-2`. A mail address is not a \
                     userid.",
                    UserId::MAX
                );
            }
            Self::BadPassword => {
                "Choose a password of 6 to 128 characters, without blanks, quotes or colons."
            }
            Self::AddressAsPassword => {
                "Send `signup <userid> <password>`: your mails then go where you write from. If \
                 you want them at another address, write it after the password."
            }
            _ => "",
        };
        plain.into()
    }

    /// What a user can send instead whose address, code or link is not taken.
    fn hint_to_be_reached(&self) -> &'static str {
        match self {
            Self::NoAddressThere => "Send `forgot <userid>`, or `forgot name@example.org`.",
            Self::BadAddress => "A mail address looks like name@example.org.",
            Self::OurAddress => "Name an address where you read your own mails.",
            Self::NoAddress => "Send `signup <userid> <password> <address>`.",
            Self::NobodysAddress => {
                "You cannot use addresses such as noreply, abuse or postmaster, or a mailing list. \
                 Name an address where you read your own mails."
            }
            Self::BadWord => {
                "Copy the whole code from the newest mail that has one. It works once, within a \
                 day."
            }
            Self::TooManyWords => {
                "Use the code in the newest of those mails, or wait until tomorrow."
            }
            Self::UsedLink => "Ask for another link.",
            Self::TooManyLinks => "Sign in with your password, or wait until tomorrow.",
            _ => "",
        }
    }

    /// What a user can do instead who may not sign up, make a key or act for others.
    fn hint_to_go_on(&self) -> &'static str {
        match self {
            Self::Closed => "Ask the operator of this server to sign you up.",
            Self::TooManyKeys(_) => "Revoke one that you do not need any more.",
            Self::NotAPlayer => {
                "Name yourself as one of the two players, and write from the address that you \
                 signed up with."
            }
            _ => "",
        }
    }

    /// What a user who writes to others, or mutes them, can send instead.
    fn hint_to_talk(&self) -> &'static str {
        match self {
            Self::SpokenEnough { .. } => {
                "You can still play with them: your moves are sent as always, with what you write \
                 below them. Tomorrow you can send messages again."
            }
            Self::TooManyMuted => "First unmute somebody: `unmute <userid> <password> <other>`.",
            Self::MutesSelf => "Name somebody else: `mute <userid> <password> <other>`.",
            Self::NotMuted(_) => {
                "`mute <userid> <password>` lists the players that you have muted."
            }
            Self::TooNew => {
                "Until then, write to users by name: `message <userid> <password> <to> ...`."
            }
            _ => "",
        }
    }

    /// What a user whose challenge is refused can send instead.
    fn hint_to_challenge(&self) -> String {
        match self {
            Self::Doubted => {
                "A challenge has no password, so it must come through a mail server that signs its mails \
(DKIM) or may send mail for your address (SPF). An open challenge works from anywhere, \
because it has your password:\n\n  <game> seek <userid> <password>"
                    .into()
            }
            Self::OnlyPrograms => "Send `<game> challenge <userid> <userid>`.".into(),
            Self::NoProgram(game) => {
                let specs = GAMES.iter().map(|game| game.spec());
                let known: Vec<&str> =
                    specs.filter(|spec| spec.manner.levels > 0).map(|spec| spec.name).collect();
                format!("It plays {}. {}", AndList(&known), to_find_one(game))
            }
            Self::PlayedAlone(game) => format!("Send `{game} challenge <userid>`."),
            Self::TooManyUnanswered(_) => {
                "Wait for the first move on one of those boards, or challenge somebody else."
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

    /// What a user who signs up, or looks for a board or an opponent, can send instead.
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
                     you want another userid as well, add your address:\n\n  signup {wanted} \
                     <password> {address}"
                )
            }
            Self::Confusable(_) => {
                "Send `signup <userid> <password>` with a different userid.".into()
            }
            Self::NoOpponent(game) => no_opponent(game),
            Self::NobodyThere => NAME_A_PLAYER.into(),
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
                "Press Reply in a mail about one of your boards, and send a move or `show`. Or send \
`forgot {user}` and choose a new password with the code that you get."
            ),
            Self::TooManyStrangers(_) => {
                "Send it again tomorrow, or when you have answered one of our mails.".into()
            }
            _ => String::new(),
        }
    }
}

/// A challenge that needs no opponent.
pub(in crate::refusal) fn against_program() -> String {
    format!("{} challenge board1", program::EXAMPLE)
}

/// What a player can do if their opponent does not exist.
fn no_opponent(game: &str) -> String {
    format!("Check the spelling: `{game} standings` lists players. {}", to_find_one(game))
}

/// How to find an opponent.
fn to_find_one(game: &str) -> String {
    let levels = games::find(game).map_or(0, |game| game.spec().manner.levels);
    let program = if levels > 0 {
        format!("To play the program, send `{game} challenge board1`. ")
    } else {
        String::new()
    };
    format!("{program}To find somebody, send `{game} seek <userid> <password>`.")
}
