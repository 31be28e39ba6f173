//! `change`: sets a new password or new addresses.

use crate::base::ids::UserId;
use crate::base::password::Hashing;
use crate::command::account::confirm_address::{
    AddressChange, plan_address_change, read_addresses,
};
use crate::command::moderation::check_bans;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, Origin, ParsedCommand, UserProof, Verb,
    VerbScope, authenticate_as, hash_password,
};
use crate::mail::Address;
use crate::model::one_time_code::CodePurpose;
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, mailbox_key, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "change",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "password <userid> <old> <new>\n\
            change address <userid> <password> [<address> ...]",
    about: "choose another password, or where your mails go",
    reply: None,
    parse,
};

const PASSWORD: &str = "password";
const ADDRESS: &str = "address";

struct ChangePasswordCommand {
    user: UserId,
    proof: UserProof,
    new: String,
}

impl std::fmt::Debug for ChangePasswordCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChangePasswordCommand").field("user", &self.user).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct ChangeAddressCommand {
    user: UserId,
    proof: UserProof,
    listed: Vec<Address>,
    /// The refusal if the operator names no address.
    none: Refusal,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let what = words.word("what to change")?;
    if what.eq_ignore_ascii_case(PASSWORD) {
        words.set_usage("change password <userid> <old> <new>");
        let (user, proof) = words.player()?;
        let new = words.password("the new password")?.to_owned();
        words.expect_end()?;
        if !Hashing::accepts(&new) {
            return Err(AccountRefusal::BadPassword.into());
        }
        return Ok(Box::new(ChangePasswordCommand { user, proof, new }));
    }
    if what.eq_ignore_ascii_case(ADDRESS) {
        words.set_usage("change address <userid> <password> [<address> ...]");
        let (user, proof) = words.player()?;
        let listed = read_addresses(words)?;
        let none = words.usage_error("the mail address is missing");
        return Ok(Box::new(ChangeAddressCommand { user, proof, listed, none }));
    }
    Err(words.usage_error("after `change` write `password` or `address`"))
}

impl Command for ChangePasswordCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        // A mailed code is tried first: it does not count as a wrong password and works while
        // passwords are paused.
        let kept = world.unerased_user(&self.user);
        let by_code = self.has_mailed_code(world, cx);
        if by_code {
            cx.proved = Some(self.user.clone());
        } else {
            authenticate_as(world, kept, &self.user, &self.proof, None, cx)?;
        }
        let user = kept.ok_or(AccountRefusal::WrongPassword)?.id.clone();
        let change = UserEvent::Password(hash_password(&self.new, cx));
        let mut events = vec![Event::User(user.clone(), change)];
        // The code was mailed to the registered address.
        if by_code && kept.is_some_and(|user| user.unproved) {
            events.push(Event::User(user.clone(), UserEvent::Proved));
        }
        Ok(Decision { events, answer: AccountAnswer::NewPassword(user).into() })
    }
}

impl ChangePasswordCommand {
    /// Returns whether the old password is a code that was mailed to replace it.
    fn has_mailed_code(&self, world: &World, cx: &Context) -> bool {
        let UserProof::Password(code) = &self.proof else { return false };
        let user = world.unerased_user(&self.user);
        user.is_some_and(|user| user.has_code(code, &CodePurpose::Password, cx.now))
    }
}

impl Command for ChangeAddressCommand {
    fn needs(&self) -> Needs {
        let mailboxes = self.listed.iter().map(mailbox_key);
        let keys = Needs::Keys(mailboxes.chain([user_key(&self.user)]).collect());
        Needs::All(vec![keys, Needs::Bans(self.listed.clone())])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate_as(world, world.unerased_user(&self.user), &self.user, &self.proof, None, cx)?;
        if self.listed.is_empty() && cx.origin.shows_answers() {
            return Err(self.none.clone());
        }
        if *cx.origin != Origin::Shell {
            check_bans(world, &self.listed, cx)?;
        }
        let known = world.unerased_user(&self.user).ok_or(AccountRefusal::WrongPassword)?;
        let (user, was) = (known.id.clone(), known.addresses.clone());
        let AddressChange { now, asked, mut events } =
            plan_address_change(world, cx, &user, &self.listed)?;
        let change = UserEvent::Addresses(now.clone());
        events.insert(0, Event::User(user.clone(), change));
        Ok(Decision {
            events,
            answer: AccountAnswer::NewAddresses { user, old: was, new: now, pending: asked }.into(),
        })
    }
}
