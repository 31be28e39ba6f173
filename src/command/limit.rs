//! `limit`: how many boards of a game a user plays at most, and whether they take challenges.

use super::proof::UserProof;
use super::words::Arguments;
use super::{Command, Context, Decision, Needs, Verb, VerbScope, authenticate, no_user, the_game};
use crate::base::ids::UserId;
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::Refusal;
use crate::reply::PreferenceAnswer;
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "limit",
    aliases: &[],
    of: VerbScope::Game,
    usage: "<userid> <password> <number>|off",
    about: "play at most that many boards of the game at a time; 0: take no challenges",
    reply: None,
    parse,
};

/// The word that ends a limit.
const OFF: &str = "off";

#[derive(Debug)]
struct LimitCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    most: BoardLimit,
}

/// How many boards a user wants.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoardLimit {
    /// So many, or as many as there are.
    Of(Option<u32>),
    /// Some: what the user said before, unless that was none.
    Some,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let (user, proof) = words.player()?;
    let word = words.word("the number of boards")?;
    let most = match word.parse() {
        Ok(most) => Some(most),
        Err(_) if word.eq_ignore_ascii_case(OFF) => None,
        Err(_) => return Err(words.wrong("the limit must be a number of boards, or `off`")),
    };
    words.end()?;
    Ok(command(the_game(game), user, proof, BoardLimit::Of(most)))
}

/// The command, as `accept` and `reject` without a board give it too.
pub(super) fn command(
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    most: BoardLimit,
) -> Box<dyn Command> {
    Box::new(LimitCommand { game, user, proof, most })
}

impl Command for LimitCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let user = world.user(&self.user).ok_or_else(|| no_user(&self.user))?;
        let game = self.game.spec().name;
        let most = match self.most {
            BoardLimit::Of(most) => most,
            BoardLimit::Some => user.limits.get(game).copied().filter(|most| *most > 0),
        };
        let event = Event::User(user.id.clone(), UserEvent::Limited { game, most });
        let answer = PreferenceAnswer::Limit { game: self.game, most };
        Ok(Decision { events: vec![event], answer: answer.into() })
    }
}
