//! `message` and `broadcast`: messages to other users, whose addresses stay secret.

use crate::base::ids::UserId;
use crate::base::time::DAY;
use crate::command::moderation::check_sanction;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate, count_message,
};
use crate::model::moderation::SanctionKind;
use crate::model::user::{OptOut, User, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

pub(crate) const MESSAGE: Verb = Verb {
    name: "message",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password> <to> ...",
    about: "send the text of your mail to these users; nobody sees an address",
    reply: None,
    parse: parse_message,
};

pub(crate) const BROADCAST: Verb = Verb {
    name: "broadcast",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password>",
    about: "write to all users who get broadcasts; once a day, after seven days here",
    reply: None,
    parse: parse_broadcast,
};

/// The most readers of a message.
const MAX_READERS: usize = 20;

#[derive(Debug)]
struct MessageCommand {
    user: UserId,
    proof: UserProof,
    to: Vec<UserId>,
    /// The refusal if the mail has no message.
    silent: Refusal,
    /// The refusal of an unknown reader. It does not quote the userid, which may be a password.
    nobody: Refusal,
}

#[derive(Debug)]
struct BroadcastCommand {
    user: UserId,
    proof: UserProof,
    silent: Refusal,
}

/// Builds the refusal of a mail without a message.
fn no_message(words: &Arguments) -> Refusal {
    words.usage_error("there is no message in your mail")
}

fn parse_message(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    let mut to = vec![words.userid()?];
    while words.peek().is_some() {
        let reader = words.userid()?;
        if !to.contains(&reader) {
            to.push(reader);
        }
    }
    if to.len() > MAX_READERS {
        return Err(
            words.usage_error(format!("you can write to at most {MAX_READERS} users at once"))
        );
    }
    let nobody = words.usage_error("at least one of these userids does not exist");
    Ok(Box::new(MessageCommand { user, proof, to, silent: no_message(words), nobody }))
}

fn parse_broadcast(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(BroadcastCommand { user, proof, silent: no_message(words) }))
}

impl Command for MessageCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(self.to.iter().chain([&self.user]).map(user_key).collect())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let from = authenticate(world, &self.user, &self.proof, None, cx)?;
        check_sanction(from, SanctionKind::Mute, cx)?;
        let said = message_text(cx, &self.silent)?;
        // The program and guests read no mail.
        let reads = |reader: &&User| world.level(&reader.id).is_none() && !reader.guest;
        let reader = |id| world.user(id).filter(reads).map(|reader| reader.id.clone());
        let to: Option<Vec<UserId>> = self.to.iter().map(reader).collect();
        let to = to.ok_or_else(|| self.nobody.clone())?;
        if from.readers(cx.now) + to.len() > AccountRefusal::READERS {
            return Err(AccountRefusal::TooManyMessages.into());
        }
        let change = UserEvent::Wrote { at: cx.now, readers: to.len() };
        let from = from.id.clone();
        let mut events = vec![Event::User(from.clone(), change)];
        for reader in &to {
            events.extend(count_message(world, &from, reader, 0, cx)?);
        }
        Ok(Decision { events, answer: AccountAnswer::Message { from, to, text: said }.into() })
    }
}

impl Command for BroadcastCommand {
    fn needs(&self) -> Needs {
        Needs::AllUsers(self.user.clone())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let from = authenticate(world, &self.user, &self.proof, None, cx)?;
        check_sanction(from, SanctionKind::Mute, cx)?;
        let said = message_text(cx, &self.silent)?;
        // Otherwise a person with a thousand new accounts could write to everybody a thousand
        // times.
        if from.joined > cx.now - AccountRefusal::BEFORE_BROADCAST {
            return Err(AccountRefusal::TooNew.into());
        }
        if from.broadcast.is_some_and(|at| at > cx.now - DAY) {
            return Err(AccountRefusal::BroadcastToday.into());
        }
        let wants =
            world.users().into_iter().filter(|user| user.preferences.wants(OptOut::Broadcasts));
        let wants = wants.filter(|user| !user.guest);
        let to = wants.filter(|user| user.id != from.id).map(|user| user.id.clone()).collect();
        let from = from.id.clone();
        let change = UserEvent::Broadcast(cx.now);
        let events = vec![Event::User(from.clone(), change)];
        Ok(Decision { events, answer: AccountAnswer::Broadcast { from, to, text: said }.into() })
    }
}

/// Returns the text of the mail besides the command.
fn message_text(cx: &Context, silent: &Refusal) -> Result<String, Refusal> {
    let said = cx.comment.trim();
    if said.is_empty() { Err(silent.clone()) } else { Ok(said.to_owned()) }
}
