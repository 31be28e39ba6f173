//! `forgot`: mails a code for a new password, or the userids of an address, to the registered
//! address.

use crate::command::account::signin::{UserOrAddress, mail_codes};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Verb, VerbScope,
};
use crate::mail::Address;
use crate::model::one_time_code::CodePurpose;
use crate::model::world::World;
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

/// Mails codes to a user who has forgotten the password, or to all users at an address.
#[derive(Debug)]
struct ForgotCommand(UserOrAddress);

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let address = words.peek().filter(|word| word.contains('@')).map(|word| {
        // Mail programs copy addresses with angle brackets.
        Address::parse(word.trim_matches(['<', '>']))
    });
    let forgot = match address {
        Some(address) => {
            words.word("an address")?;
            UserOrAddress::At(address.ok_or(AccountRefusal::MalformedAddress)?)
        }
        None => UserOrAddress::User(words.userid()?),
    };
    words.expect_end()?;
    Ok(Box::new(ForgotCommand(forgot)))
}

impl Command for ForgotCommand {
    fn needs(&self) -> Needs {
        self.0.needs()
    }

    /// The answer shows neither whether the user exists nor whether enough codes were mailed today.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let users = match &self.0 {
            UserOrAddress::User(user) => world.unerased_user(user).into_iter().collect(),
            UserOrAddress::At(address) => world.users_at(address),
        };
        let (events, mut codes) =
            mail_codes(users, &CodePurpose::Password, AccountRefusal::CODES, cx);
        let answer = match &self.0 {
            UserOrAddress::User(_) => AccountAnswer::Forgot(codes.pop()),
            UserOrAddress::At(address) => {
                // In the user's spelling, for the mails go there.
                let own = codes.first().and_then(|(id, _)| world.user(id));
                let own = own.and_then(|user| user.addresses.iter().find(|own| *own == address));
                AccountAnswer::ForgotAt { address: own.unwrap_or(address).clone(), codes }
            }
        };
        Ok(Decision { events, answer: answer.into() })
    }
}
