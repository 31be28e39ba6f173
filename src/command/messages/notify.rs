//! `notify`: subscribes to the notices about new boards of a game.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate_in_any_reply, required_game,
};
use crate::model::seeks::SeeksEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, seeks_key, user_key};
use crate::refusal::{Refusal, SeekRefusal};
use crate::reply::SeekAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "notify",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<userid> <password> on|off",
    about: "get a short mail about every new board of that game",
    reply: Some(ReplyScope::User),
    parse,
};

#[derive(Debug)]
struct NotifyCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    wanted: bool,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    let wanted = match words.word("`on` or `off`")?.to_ascii_lowercase().as_str() {
        "on" => true,
        "off" => false,
        _ => return Err(words.usage_error("after the password write `on` or `off`")),
    };
    words.expect_end()?;
    Ok(Box::new(NotifyCommand { game: required_game(game), user, proof, wanted }))
}

impl Command for NotifyCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user), seeks_key(self.game.spec().name)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?.id.clone();
        let (game, wanted) = (self.game.spec().name, self.wanted);
        let listeners = &world.seeks(game)?.listeners;
        let is_new = wanted && !listeners.contains(&user);
        if is_new && listeners.len() >= SeekRefusal::LISTENERS {
            return Err(SeekRefusal::TooManyListeners(game).into());
        }
        let answer =
            SeekAnswer::Listens { game: self.game, user: user.clone(), is_on: wanted }.into();
        let event = Event::Seeks(game, SeeksEvent::Listened { user, wanted });
        Ok(Decision { events: vec![event], answer })
    }
}
