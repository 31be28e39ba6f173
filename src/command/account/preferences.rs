//! `set` without a game, and `settings`: the preferences of a user on the whole server.

use crate::base::ids::UserId;
use crate::command::account::{profile, rest};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate_in_any_reply,
};
use crate::model::user::preference::{PREFERENCES, Preference, PreferenceChoice};
use crate::model::user::{ProfileField, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::Refusal;
use crate::reply::AccountAnswer;
use games::AnyGame;

#[derive(Debug)]
struct PreferenceCommand {
    user: UserId,
    proof: UserProof,
    chosen: PreferenceChoice,
}

/// Returns the usage of each preference, and of `set` with a game for those who forgot it.
pub(crate) fn usage() -> String {
    let each = PREFERENCES
        .iter()
        .map(|one| format!("set <userid> <password> {} {}\n", one.name, one.usage()));
    let rests = "set <userid> <password> timezone <place>\n\
                 set <userid> <password> weekend off|none|<day> [<day>]\n\
                 set <userid> <password> night <from>-<to>|none\n\
                 set <userid> <password> about|country|languages <words>|none\n";
    each.collect::<String>() + rests + "<game> set <userid> <password> <setting> [<value>|off]"
}

/// Reads a preference and its value.
pub(crate) fn parse(user: UserId, proof: UserProof, words: &mut Arguments) -> ParsedCommand {
    let option = words.word("the option")?;
    if let Some(verb) = rest::verb_of_option(option) {
        return rest::parse_choice(user, proof, verb, words);
    }
    if let Some(field) = ProfileField::find(option) {
        return Ok(profile::parse_field(user, proof, field, words));
    }
    let value = words.word("its value")?;
    words.expect_end()?;
    let chosen = Preference::find(option).and_then(|preference| preference.choose(value));
    let chosen = chosen.ok_or_else(|| {
        words.usage_error("there is no such setting, or it cannot have this value")
    })?;
    Ok(Box::new(PreferenceCommand { user, proof, chosen }))
}

/// Returns whether a word names a preference.
pub(crate) fn is_option(word: &str) -> bool {
    PREFERENCES.iter().any(|one| one.name == word)
        || rest::verb_of_option(word).is_some()
        || ProfileField::find(word).is_some()
}

impl Command for PreferenceCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?.id.clone();
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

fn parse_settings(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(SettingsCommand { user, proof }))
}

impl Command for SettingsCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?;
        Ok(AccountAnswer::Settings(user.id.clone()).into())
    }
}
