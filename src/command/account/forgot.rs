//! `forgot`: mails a code for a new password, or the userids of an address, to the registered
//! address.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Verb, VerbScope,
};
use crate::mail::Address;
use crate::model::one_time_code::{CodePurpose, OneTimeCode, PendingCode};
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

/// What the user has forgotten.
#[derive(Debug)]
enum ForgotCommand {
    /// The password of this user.
    User(UserId),
    /// The userid, and perhaps the password, of all users at this address.
    At(Address),
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let address = words.peek().filter(|word| word.contains('@')).map(|word| {
        // Mail programs copy addresses with angle brackets.
        Address::parse(word.trim_matches(['<', '>']))
    });
    let forgot = match address {
        Some(address) => {
            words.word("an address")?;
            ForgotCommand::At(address.ok_or(AccountRefusal::MalformedAddress)?)
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
            Self::At(address) => Needs::UsersAt(address.clone()),
        }
    }

    /// The answer shows neither whether the user exists nor whether enough codes were mailed today.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let purpose = CodePurpose::Password;
        let takes = |user: &&User| {
            user.codes_mailed(&purpose, cx.now) < AccountRefusal::CODES && !user.guest
        };
        let users: Vec<UserId> = match self {
            Self::User(user) => {
                world.unerased_user(user).filter(takes).into_iter().collect::<Vec<_>>()
            }
            Self::At(address) => world.users_at(address).into_iter().filter(takes).collect(),
        }
        .into_iter()
        .map(|user| user.id.clone())
        .collect();
        let mut events = Vec::new();
        let mut codes = Vec::new();
        for id in users {
            let code = OneTimeCode::new(&id, cx.chance);
            let change =
                UserEvent::CodeMailed(PendingCode::new(&code, &id, purpose.clone(), cx.now));
            events.push(Event::User(id.clone(), change));
            codes.push((id, code));
        }
        let answer = match self {
            Self::User(_) => AccountAnswer::Forgot(codes.pop()),
            Self::At(address) => {
                // In the user's spelling, for the mails go there.
                let own = codes.first().and_then(|(id, _)| world.user(id));
                let own = own.and_then(|user| user.addresses.iter().find(|own| *own == address));
                AccountAnswer::ForgotAt { address: own.unwrap_or(address).clone(), codes }
            }
        };
        Ok(Decision { events, answer: answer.into() })
    }
}
