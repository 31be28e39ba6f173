//! `limit`: the most boards of a game that a user plays at a time; 0 refuses challenges.

use crate::base::ids::UserId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate, required_game,
};
use crate::model::user::UserEvent;
use crate::model::world::event::Event;
use crate::model::world::{World, user_key};
use crate::refusal::Refusal;
use crate::reply::SettingAnswer;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "limit",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<userid> <password> <number>|off",
    about: "play at most that many boards of the game at a time; 0: take no challenges",
    reply: None,
    parse,
};

/// The word that removes the limit.
const OFF: &str = "off";

#[derive(Debug)]
struct LimitCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    limit: BoardLimit,
}

/// The limit that a command sets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoardLimit {
    /// This limit, or none.
    Exactly(Option<u32>),
    /// The present limit, or none in place of 0: challenges are welcome again.
    NotZero,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    let word = words.word("the number of boards")?;
    let most = match word.parse() {
        Ok(most) => Some(most),
        Err(_) if word.eq_ignore_ascii_case(OFF) => None,
        Err(_) => return Err(words.usage_error("the limit must be a number of boards, or `off`")),
    };
    words.expect_end()?;
    Ok(command(required_game(game), user, proof, BoardLimit::Exactly(most)))
}

/// Builds the command, also for `accept` and `reject` without a board.
pub(crate) fn command(
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    limit: BoardLimit,
) -> Box<dyn Command> {
    Box::new(LimitCommand { game, user, proof, limit })
}

impl Command for LimitCommand {
    fn needs(&self) -> Needs {
        Needs::Keys(vec![user_key(&self.user)])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate(world, &self.user, &self.proof, None, cx)?;
        let game = self.game.spec().name;
        let most = match self.limit {
            BoardLimit::Exactly(most) => most,
            BoardLimit::NotZero => user.limits.get(game).copied().filter(|most| *most > 0),
        };
        let event = Event::User(user.id.clone(), UserEvent::Limited { game, most });
        let answer = SettingAnswer::Limit { game: self.game, most };
        Ok(Decision { events: vec![event], answer: answer.into() })
    }
}
