//! `forgot`: a new password, or one's userids, for anybody who can read the mails to the registered
//! address.

use crate::base::ids::UserId;
use crate::command::{Arguments, Command, Context, Decision, Needs, Verb, VerbScope};
use crate::mail::Address;
use crate::model::code::{CodePurpose, OneTimeCode, PendingCode};
use crate::model::user::{User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "forgot",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid>|<address>",
    about: "get your userid, and a code that works once as your old password",
    reply: None,
    parse,
};

/// The user who has forgotten something.
#[derive(Debug)]
enum ForgotCommand {
    /// A user: the password.
    User(UserId),
    /// Everybody at that address: the userid, too.
    At(Address),
}

fn parse(
    _: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let address = words.peek().filter(|word| word.contains('@')).map(|word| {
        // As it may be copied from a mail program.
        Address::parse(word.trim_matches(['<', '>']))
    });
    let forgot = match address {
        Some(address) => {
            words.word("an address")?;
            ForgotCommand::At(address.ok_or(AccountRefusal::NoAddressThere)?)
        }
        None => ForgotCommand::User(words.userid()?),
    };
    words.expect_end()?;
    Ok(Box::new(forgot))
}

impl Command for ForgotCommand {
    fn needs(&self) -> Needs {
        match self {
            Self::User(user) => Needs::Keys(vec![user_key(user)]),
            Self::At(address) => Needs::At(address.clone()),
        }
    }

    /// Whether there is such a user does not show in the answer, nor that there are words enough.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let purpose = CodePurpose::Password;
        let takes = |user: &&User| user.codes_mailed(&purpose, cx.now) < AccountRefusal::CODES;
        let users: Vec<UserId> = match self {
            Self::User(user) => world.kept(user).filter(takes).into_iter().collect::<Vec<_>>(),
            Self::At(address) => world.users_at(address).into_iter().filter(takes).collect(),
        }
        .into_iter()
        .map(|user| user.id.clone())
        .collect();
        let mut events = Vec::new();
        let mut words = Vec::new();
        for id in users {
            let word = OneTimeCode::new(&id, cx.chance);
            let change =
                UserEvent::CodeMailed(PendingCode::new(&word, &id, purpose.clone(), cx.now));
            events.push(Event::User(id.clone(), change));
            words.push((id, word));
        }
        let answer = match self {
            Self::User(_) => AccountAnswer::Forgot(words.pop()),
            Self::At(address) => {
                // As the user wrote it, whose mails go there.
                let own = words.first().and_then(|(id, _)| world.user(id));
                let own = own.and_then(|user| user.addresses.iter().find(|own| *own == address));
                AccountAnswer::ForgotAt { address: own.unwrap_or(address).clone(), codes: words }
            }
        };
        Ok(Decision { events, answer: answer.into() })
    }
}
