//! `set` without a game: what a user likes on the whole server.

use super::proof::Proof;
use super::words::Words;
use super::{Command, Context, Decision, Needs, authenticate};
use crate::base::ids::UserId;
use crate::model::event::{Change, Event};
use crate::model::user::{Language, Preference};
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::Account;

#[derive(Debug)]
struct Prefer {
    user: UserId,
    proof: Proof,
    preference: Preference,
}

/// How each is written; the last is for those who forgot the game.
const USAGE: &str = "set <userid> <password> html on|off\n\
                     set <userid> <password> broadcast on|off\n\
                     set <userid> <password> reminders on|off\n\
                     set <userid> <password> language en\n\
                     set <userid> <password> words on|off\n\
                     <game> set <userid> <password> <setting> [<value>|off]";

pub(super) fn parse(words: &mut Words) -> Result<Box<dyn Command>, Refusal> {
    words.are_written(USAGE);
    let (user, proof) = words.player()?;
    let option = words.word("the option")?;
    let value = words.word("its value")?;
    words.end()?;
    let preference = read(option, value);
    let preference = preference
        .ok_or_else(|| words.wrong("that setting does not exist, or cannot have that value"))?;
    Ok(Box::new(Prefer { user, proof, preference }))
}

/// What can be chosen for all games.
const OPTIONS: [&str; 5] = ["html", "broadcast", "reminders", "language", "words"];

/// Whether a word is something that can be chosen for all games.
pub(super) fn is_option(word: &str) -> bool {
    OPTIONS.contains(&word)
}

fn read(option: &str, value: &str) -> Option<Preference> {
    let value = value.to_ascii_lowercase();
    let on = match value.as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    };
    match option.to_ascii_lowercase().as_str() {
        "html" => on.map(Preference::Html),
        "broadcast" => on.map(Preference::Broadcast),
        "reminders" => on.map(Preference::Reminders),
        "words" => on.map(Preference::Words),
        "language" => (value == "en").then_some(Preference::Language(Language::English)),
        _ => None,
    }
}

impl Command for Prefer {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or(AccountRefusal::WrongPassword)?.id.clone();
        let change = Change::Prefers(self.preference);
        let events = vec![Event::Account { user, change }];
        Ok(Decision { events, answer: Account::Prefers(self.preference).into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_chosen() {
        for option in OPTIONS {
            assert!(["on", "en"].iter().any(|value| read(option, value).is_some()), "{option}");
            assert!(USAGE.contains(&format!("> {option} ")), "{option}");
        }
        assert_eq!(USAGE.lines().count(), OPTIONS.len() + 1);
    }
}
