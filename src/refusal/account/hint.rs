//! Hints to account refusals: what the user can send instead.

use super::AccountRefusal;
use crate::base::ids::UserId;
use crate::base::time::seconds;
use crate::base::words::{AndList, Plural};
use crate::model::program;
use games::GAMES;

/// The hint where no player is named.
const NAME_A_PLAYER: &str = "Name the player: `games <userid>`. To sign up as a new player, send \
                             `signup <userid> <password>`.";

impl AccountRefusal {
    /// Returns what the user can send instead.
    #[expect(clippy::too_many_lines, reason = "one hint for each refusal")]
    pub(in crate::refusal) fn hint(&self) -> String {
        let plain = match self {
            Self::WrongPassword => {
                "Write the password right after the userid. If you have forgotten it, send `forgot \
                 <userid>` to choose a new one."
            }
            Self::Paused { left } => {
                let minutes = usize::try_from((*left + seconds(59)).minutes()).unwrap_or(1);
                return format!(
                    "Try again in {}. Until then, reply to the mails about your boards: a reply \
                     needs no password. If you have forgotten your password, send `forgot \
                     <userid>`.",
                    Plural(minutes, "minute")
                );
            }
            Self::Taken(_) => "Send `signup <userid> <password>` with another userid.",
            Self::NoUser(_) => {
                "Check the spelling. To sign up as a new player, send `signup <userid> <password>`."
            }
            Self::NoPlayer => {
                "Check the spelling. Send `players` for a list of everybody who plays here now."
            }
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
                "Choose a password of 6 to 128 characters, without spaces, quotes or colons."
            }
            Self::AddressAsPassword => {
                "Send `signup <userid> <password>`: your mails then go to the address you write \
                 from. To get them at another address, write it after the password."
            }
            Self::MalformedAddress => "Send `forgot <userid>`, or `forgot name@example.org`.",
            Self::BadAddress => "A mail address looks like name@example.org.",
            Self::ServerAddress => "Give an address where you read your own mail.",
            Self::NoAddress => "Send `signup <userid> <password> <address>`.",
            Self::ImpersonalAddress => {
                "Addresses such as noreply, abuse or postmaster, and mailing lists, cannot be used. \
                 Give an address where you read your own mail."
            }
            Self::WrongCode => {
                "Copy the whole code from the newest mail that has one. A code works once, within a \
                 day."
            }
            Self::TooManyCodes => {
                "Use the code in the newest of those mails, or wait until tomorrow."
            }
            Self::UsedLink => "Ask for a new link.",
            Self::TooManyLinks => "Sign in with your password, or wait until tomorrow.",
            Self::Closed => "Ask the operator of this server to sign you up.",
            Self::BadBrowser => {
                "The push service that it names is not one that we can reach. Update the browser, or \
                 use another one."
            }
            Self::TooManyKeys(_) => "Revoke a key that you no longer need.",
            Self::NotForGuests | Self::TooManyGuestBoards | Self::TooManyGuests => {
                "Sign up to go on: you need a userid, a password and a mail address. The boards that \
                 you play as a guest then become yours."
            }
            Self::GuestsPlayProgram => "Challenge a player who has signed up, or the program.",
            Self::NoGuests => "Sign in, or ask the operator of this server to sign you up.",
            Self::NotAPlayer => {
                "Name yourself as one of the two players, and write from the address that you \
                 signed up with."
            }
            Self::TooManyToUser { .. } => {
                "You can still play with them: your moves are sent as always, with what you write \
                 below them. You can send messages again tomorrow."
            }
            Self::TooManyMarked(mark) => {
                let verb = mark.undoing_verb();
                return format!("Take one off the list: `{verb} <userid> <password> <other>`.");
            }
            Self::MarksSelf(mark) => {
                return format!(
                    "Name another player: `{} <userid> <password> <other>`.",
                    mark.verb()
                );
            }
            Self::NotMarked(mark, _) => {
                let verb = mark.verb();
                return format!("Send `{verb} <userid> <password>` to see your list.");
            }
            Self::BlockedByYou(other) => {
                return format!(
                    "To play with {other} again, send `unblock <userid> <password> {other}`."
                );
            }
            Self::LongProfile(_) => "Write less. Nothing of your profile has changed.",
            Self::PasswordInProfile => {
                "Write the password once, right after your userid, and then what everybody may see."
            }
            Self::TooNew => {
                "Until then, write to single users: `message <userid> <password> <to>`."
            }
            Self::NotAuthenticated => {
                "A challenge has no password, so it must come through a mail server that signs \
                 its mails (DKIM) or is allowed to send for your address (SPF). An open challenge \
                 works from anywhere, because it has your password:\n\n  <game> seek <userid> \
                 <password>"
            }
            Self::OnlyPrograms => "Send `<game> challenge <userid> <userid>`.",
            Self::NoProgram(game) => {
                let specs = GAMES.iter().map(|game| game.spec());
                let known: Vec<&str> =
                    specs.filter(|spec| spec.manner.levels > 0).map(|spec| spec.name).collect();
                return format!("It plays {}. {}", AndList(&known), how_to_find_opponent(game));
            }
            Self::NoEngine(game) => {
                let levels = games::find(game).map_or(0, |game| game.spec().manner.levels);
                let strongest = format!(
                    "The strongest program that plays it here is board{levels}: send `{game} challenge \
                     board{levels}`. "
                );
                return if levels > 0 { strongest + &how_to_seek(game) } else { how_to_seek(game) };
            }
            Self::PlayedAlone(game) => return format!("Send `{game} challenge <userid>`."),
            Self::TooManyUnanswered(_) => {
                "Wait for the first move on one of those boards, or challenge somebody else."
            }
            Self::TakesNoChallenges(_) => {
                "Challenge somebody else, or post an open challenge: `<game> seek <userid> \
                 <password>`."
            }
            Self::AtLimit(..) => {
                "Wait until one of these boards is over, or post an open challenge: `<game> seek \
                 <userid> <password>`."
            }
            Self::AlreadySignedUp(user) => {
                return format!(
                    "To see your boards, send `games {user}`. To begin one, send `{}`. If you have \
                 forgotten your password, send `forgot {user}`.",
                    against_program()
                );
            }
            Self::SignedUpAs { users, wanted, address } => {
                let one = if users.len() == 1 { "this user" } else { "one of these users" };
                return format!(
                    "Play as {one}. If you have forgotten the password, send `forgot {address}`. If \
                     you want another userid as well, add your address:\n\n  signup {wanted} \
                     <password> {address}"
                );
            }
            Self::LooksLikeAnother(_) => {
                "Send `signup <userid> <password>` with a different userid."
            }
            Self::NoOpponent(game) => return no_opponent(game),
            Self::UnknownSender => NAME_A_PLAYER,
            Self::PlayerNotNamed(users) => {
                let lines: Vec<String> =
                    users.iter().map(|user| format!("  games {user} all")).collect();
                return format!("Send\n\n{}", lines.join("\n"));
            }
            Self::NotRegistered(game) => {
                return format!(
                    "If you are a player here, write from your registered address, or put your userid \
                 first: `{game} challenge <you> <opponent>`. To become a player, send `signup \
                 <userid> <password>`."
                );
            }
            Self::AmbiguousSender { users, game, opponent } => {
                let opponent = opponent.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
                let lines: Vec<String> = users
                    .iter()
                    .map(|user| format!("  {game} challenge {user}{opponent}"))
                    .collect();
                return format!(
                    "Say which of them you are. Send one of these:\n\n{}",
                    lines.join("\n")
                );
            }
            Self::SamePlayer(game) => {
                return format!("Name your opponent. {}", how_to_find_opponent(game));
            }
            Self::Unproved(user) => {
                return format!(
                    "Reply to a mail about one of your boards with a move or `show`. Or send `forgot \
                 {user}` and choose a new password with the code that you get."
                );
            }
            Self::TooManyStrangers(_) => {
                "Try again tomorrow, or after you have answered one of our mails."
            }
            Self::TooManyToday
            | Self::TooManyMessages
            | Self::BroadcastToday
            | Self::TooManySignups => "Wait until tomorrow.",
            Self::TooManyNewcomers => "Try again in an hour.",
        };
        plain.into()
    }
}

/// Returns the challenge to the weakest program.
pub(in crate::refusal) fn against_program() -> String {
    format!("{} challenge board1", program::EXAMPLE)
}

/// Returns the hint for a player whose opponent does not exist.
fn no_opponent(game: &str) -> String {
    format!(
        "Check the spelling: `{game} standings` lists the players. {}",
        how_to_find_opponent(game)
    )
}

fn how_to_find_opponent(game: &str) -> String {
    let levels = games::find(game).map_or(0, |game| game.spec().manner.levels);
    let program = if levels > 0 {
        format!("To play the program, send `{game} challenge board1`. ")
    } else {
        String::new()
    };
    program + &how_to_seek(game)
}

/// Returns how to find an opponent among the players.
fn how_to_seek(game: &str) -> String {
    format!("To find an opponent, send `{game} seek <userid> <password>`.")
}
