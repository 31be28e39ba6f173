//! The parts of a profile that users write themselves. `profile` and `set` lead here.

use crate::base::ids::UserId;
use crate::command::moderation::check_sanction;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, UserProof, authenticate_in_any_reply,
};
use crate::mail::redact_secrets;
use crate::model::moderation::SanctionKind;
use crate::model::user::{ProfileField, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, Refusal};
use crate::reply::SettingAnswer;

#[derive(Debug)]
struct ProfileCommand {
    user: UserId,
    proof: UserProof,
    field: ProfileField,
    /// The new words; `None` removes the field.
    words: Option<String>,
}

/// Parses what follows the name of a field. Nothing, and `none`, remove the field.
pub(super) fn parse_field(
    user: UserId,
    proof: UserProof,
    field: ProfileField,
    words: &mut Arguments,
) -> Box<dyn Command> {
    let words = words.take_rest().join(" ");
    // A form of the web sends a line as one word.
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_none = words.is_empty() || words.eq_ignore_ascii_case("none");
    Box::new(ProfileCommand { user, proof, field, words: (!is_none).then_some(words) })
}

impl Command for ProfileCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?;
        if self.words.is_some() {
            check_sanction(user, SanctionKind::Mute, cx)?;
        }
        let words =
            self.words.as_deref().map(|words| clean_words(words, self.field, cx)).transpose()?;
        let id = user.id.clone();
        let event = Event::User(id.clone(), UserEvent::Profiled { field: self.field, words });
        Ok(Decision { events: vec![event], answer: SettingAnswer::Profile(id).into() })
    }
}

/// Returns the words without what must not be shown to others.
fn clean_words(words: &str, field: ProfileField, cx: &Context) -> Result<String, AccountRefusal> {
    if cx.password.as_deref().is_some_and(|password| words.contains(password)) {
        return Err(AccountRefusal::PasswordInProfile);
    }
    let words = redact_secrets(&words.replace(char::is_control, ""));
    if words.chars().count() > field.longest() {
        return Err(AccountRefusal::LongProfile(field));
    }
    Ok(words)
}
