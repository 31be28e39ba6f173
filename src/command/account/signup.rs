//! `signup`: becoming a user, or being one again.

use crate::base::ids::{UserId, look};
use crate::base::password::Hashing;
use crate::command::account::confirm_address::{
    AddressChange, plan_address_change, read_addresses,
};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, Origin, Verb, VerbScope, check_password,
    hash_password,
};
use crate::mail::Address;
use crate::model::correspondent::{Correspondent, CorrespondentEvent, StrangerAction};
use crate::model::names;
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, counted_key, mailbox_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "signup",
    aliases: &["add", "register"],
    scope: VerbScope::Server,
    usage: "<userid> <password> [<address> ...]",
    about: "become a user; without an address your mails go where you write from",
    reply: None,
    parse,
};

#[derive(Debug)]
struct SignupCommand {
    user: UserId,
    password: String,
    addresses: Vec<Address>,
}

/// Words that mean something else where a userid may be written.
const WORDS: &[&str] =
    &["all", "active", "inactive", "next", "new", "off", "on", "over", "error", "me", "you"];

/// Names of people that players trust, and of the program: nobody has one, or one that looks like
/// it.
const TRUSTED: &[&str] = &[
    "abuse",
    "admin",
    "administrator",
    "administration",
    "board",
    "board0",
    "board1",
    "board2",
    "board3",
    "board4",
    "computer",
    "daemon",
    "hostmaster",
    "mailer-daemon",
    "mailerdaemon",
    "moderator",
    "nobody",
    "noreply",
    "no-reply",
    "operator",
    "postboard",
    "postmaster",
    "root",
    "security",
    "server",
    "support",
    "sysadmin",
    "sysop",
    "system",
    "webmaster",
];

/// Whether a userid is one that nobody can have, or looks like one: `admin_`, `0perator`, `board5`.
pub(crate) fn is_reserved(user: &UserId) -> bool {
    let folded = user.folded();
    let words = folded.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let bare = |id: &UserId| look(id).replace('-', "");
    let looks = [UserId::parse(words), Some(user.clone())];
    let looks: Vec<String> = looks.iter().flatten().map(bare).collect();
    let is_trusted =
        |word: &&str| UserId::parse(word).is_some_and(|word| looks.contains(&bare(&word)));
    WORDS.contains(&&*folded) || TRUSTED.iter().any(is_trusted)
}

fn parse(
    _: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let user = words.userid()?;
    if is_reserved(&user) {
        return Err(AccountRefusal::Taken(user).into());
    }
    let password = words.password("the password")?;
    if Address::parse(password).is_some() {
        return Err(AccountRefusal::AddressAsPassword.into());
    }
    words.claim(&user);
    if !Hashing::accepts(password) {
        return Err(AccountRefusal::BadPassword.into());
    }
    let addresses = read_addresses(words)?;
    Ok(Box::new(SignupCommand { user, password: password.to_owned(), addresses }))
}

impl Command for SignupCommand {
    fn needs(&self) -> Needs {
        let mailboxes = self.addresses.iter().map(mailbox_key);
        let own = [user_key(&self.user), names::alike(&self.user)].into_iter();
        let own = own.chain(Correspondent::names_of_strangers().map(counted_key));
        Needs::All(vec![Needs::Keys(mailboxes.chain(own).collect()), Needs::FromSender])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // A user who has left may come back; one who is erased has no password to show it with.
        let back = world.known(&self.user).filter(|user| user.left.is_some());
        if back.is_some() {
            check_password(world, &self.user, &self.password, cx).map_err(|refusal| {
                let wrong = refusal == AccountRefusal::WrongPassword.into();
                if wrong { AccountRefusal::Taken(self.user.clone()).into() } else { refusal }
            })?;
        } else {
            self.check_new(world, cx.origin.address())?;
        }
        match cx.origin {
            Origin::Shell | Origin::Web(_) if self.addresses.is_empty() => {
                return Err(AccountRefusal::NoAddress.into());
            }
            // Users who left were promised that they may come back.
            Origin::Mail(_) | Origin::Doubted(_) | Origin::Unnamed | Origin::Web(_)
                if back.is_some() => {}
            Origin::Unnamed => return Err(AccountRefusal::NotAuthenticated.into()),
            Origin::Mail(sender) | Origin::Doubted(sender) => {
                if !cx.limits.signup {
                    return Err(AccountRefusal::Closed.into());
                }
                if world.signups(sender, cx.now)? >= AccountRefusal::SIGNUPS {
                    return Err(AccountRefusal::TooManySignups.into());
                }
            }
            Origin::Web(_) => self.check_web(world, cx)?,
            Origin::Shell => {}
        }
        if back.is_none() && is_stranger(cx) && cx.limits.rate_limits.newcomers {
            let (what, all) = (StrangerAction::SignedUp, stranger_counter(cx));
            if world.is_full(what, &all, cx.now)? {
                return Err(AccountRefusal::TooManyNewcomers.into());
            }
        }
        let AddressChange { now, asked, mut events } =
            plan_address_change(world, cx, &self.user, &self.addresses)?;
        if let Some(back) = back {
            let (user, was) = (back.id.clone(), back.addresses.clone());
            let change = |change| Event::User(user.clone(), change);
            events.splice(0..0, [change(UserEvent::CameBack), change(UserEvent::Addresses(now))]);
            let answer = AccountAnswer::Returned { user, old: was, pending: asked };
            return Ok(Decision { events, answer: answer.into() });
        }
        let hash = hash_password(&self.password, cx);
        let from = cx.origin.address().cloned();
        let mut user = User::joining(self.user.clone(), hash, now, cx.now);
        // Anybody can write a From.
        user.unproved = is_stranger(cx);
        if user.unproved {
            user.begin_anew(cx.now);
        }
        events.insert(0, Event::SignedUp { user: Box::new(user), from });
        if is_stranger(cx) {
            let what = StrangerAction::SignedUp;
            let counted = CorrespondentEvent::Stranger { what, at: cx.now };
            events.push(Event::Correspondents(vec![stranger_counter(cx)], counted));
        }
        if let (Some(place), Origin::Web(_)) = (cx.origin.counted(), cx.origin) {
            let counted = CorrespondentEvent::SignedUp { at: cx.now };
            events.push(Event::Correspondents(vec![place], counted));
        }
        let answer = AccountAnswer::Joined { user: self.user.clone(), pending: asked };
        Ok(Decision { events, answer: answer.into() })
    }
}

/// Whether nothing shows that the mails of who signs up there reach them.
fn is_stranger(cx: &Context) -> bool {
    cx.origin.address().is_some() || cx.origin.browser().is_some()
}

/// By what is counted what all strangers do together that way.
fn stranger_counter(cx: &Context) -> String {
    let [by_mail, in_browsers] = Correspondent::names_of_strangers();
    if cx.origin.browser().is_some() { in_browsers } else { by_mail }
}

impl SignupCommand {
    /// Whether one more may sign up from that browser.
    fn check_web(&self, world: &World, cx: &Context) -> Result<(), Refusal> {
        if !cx.limits.signup {
            return Err(AccountRefusal::Closed.into());
        }
        let mut most = 0;
        for address in &self.addresses {
            most = most.max(world.signups(address, cx.now)?);
        }
        if let Some(place) = cx.origin.counted() {
            most = most.max(world.signed_up_from(&place, cx.now)?);
        }
        if most >= AccountRefusal::SIGNUPS {
            return Err(AccountRefusal::TooManySignups.into());
        }
        Ok(())
    }

    /// Whether that can be a new user. A sender who is one already learns it, since the answer goes
    /// to the address itself; nobody else does.
    fn check_new(&self, world: &World, from: Option<&Address>) -> Result<(), Refusal> {
        let fellows = from.map(|from| world.users_at(from)).unwrap_or_default();
        if let Some(user) = fellows.iter().find(|user| user.id == self.user) {
            return Err(AccountRefusal::AlreadyYou(user.id.clone()).into());
        }
        if world.is_taken(&self.user) {
            return Err(AccountRefusal::Taken(self.user.clone()).into());
        }
        if world.is_confusable(&self.user) {
            return Err(AccountRefusal::LooksLikeAnother(self.user.clone()).into());
        }
        match from {
            Some(from) if self.addresses.is_empty() && !fellows.is_empty() => {
                let users = fellows.iter().map(|user| user.id.clone()).collect();
                let (wanted, address) = (self.user.clone(), from.clone());
                Err(AccountRefusal::SignedUpAs { users, wanted, address }.into())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_can_be_taken_for_those_whom_players_believe() {
        let reserved = |word: &str| is_reserved(&UserId::parse(word).unwrap());
        for word in [
            "admin",
            "Admin_",
            "adm1n",
            "ad-min",
            "admin2",
            "board1",
            "board5",
            "board0",
            "b0ard1",
            "boardI",
            "boardl",
            "Board_2",
            "board17",
            "operator",
            "0perator",
            "root",
            "r00t",
            "Post.Master",
            "postboard",
            "p0stb0ard",
            "moderator",
            "rnoderator",
            "next",
            "OFF",
        ]
        .iter()
        .filter(|word| UserId::parse(word).is_some())
        {
            assert!(reserved(word), "{word}");
        }
        for word in
            ["alice", "boarder", "rooty", "nextor", "bob1", "administer", "skateboard", "al"]
        {
            assert!(!reserved(word), "{word}");
        }
    }
}
