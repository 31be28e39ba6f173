//! `set` without a game: what a user likes on the whole server.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ReplyScope, UserProof, Verb, VerbScope,
    authenticate,
};
use crate::model::user::UserEvent;
use crate::model::user::preference::{PREFERENCES, Preference, PreferenceChoice};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::AccountAnswer;
use games::AnyGame;

#[derive(Debug)]
struct PreferenceCommand {
    user: UserId,
    proof: UserProof,
    chosen: PreferenceChoice,
}

/// How each is written; the last is for those who forgot the game.
pub(crate) fn usage() -> String {
    let each = PREFERENCES.iter().map(|one| {
        let values: Vec<&str> = one.values.iter().map(|value| value.name).collect();
        format!("set <userid> <password> {} {}\n", one.name, values.join("|"))
    });
    each.collect::<String>() + "<game> set <userid> <password> <setting> [<value>|off]"
}

/// Reads what a player has chosen.
pub(crate) fn parse(
    (user, proof): (UserId, UserProof),
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let option = words.word("the option")?;
    let value = words.word("its value")?;
    words.expect_end()?;
    let chosen = Preference::find(option).and_then(|preference| preference.choose(value));
    let chosen = chosen.ok_or_else(|| {
        words.usage_error("that setting does not exist, or cannot have that value")
    })?;
    Ok(Box::new(PreferenceCommand { user, proof, chosen }))
}

/// Whether a word is something that can be chosen for all games.
pub(crate) fn is_option(word: &str) -> bool {
    PREFERENCES.iter().any(|one| one.name == word)
}

impl Command for PreferenceCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, self.proof.board(), cx)?;
        let user = world.user(&self.user).ok_or(AccountRefusal::WrongPassword)?.id.clone();
        let change = UserEvent::Prefers(self.chosen);
        let events = vec![Event::User(user, change)];
        Ok(Decision { events, answer: AccountAnswer::PreferenceSet(self.chosen).into() })
    }
}

pub(crate) const SETTINGS: Verb = Verb {
    name: "settings",
    aliases: &["preferences"],
    scope: VerbScope::Server,
    usage: "<userid> <password>",
    about: "what you have chosen with `set`, and your vacations",
    reply: Some(ReplyScope::User),
    parse: parse_settings,
};

#[derive(Debug)]
struct SettingsCommand {
    user: UserId,
    proof: UserProof,
}

fn parse_settings(
    _: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(SettingsCommand { user, proof }))
}

impl Command for SettingsCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, self.proof.board(), cx)?;
        let user = world.user(&self.user).ok_or(AccountRefusal::WrongPassword)?;
        Ok(AccountAnswer::Settings(user.id.clone()).into())
    }
}
