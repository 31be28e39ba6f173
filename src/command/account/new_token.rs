//! `newtoken`: a player's reply addresses for a board become void, and they get a new one.

use crate::base::ids::BoardId;
use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, Needs, Player, ReplyScope, Verb, VerbScope,
    authenticate, required_game,
};
use crate::model::board::BoardEvent;
use crate::model::user::UserEvent;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::BoardNotice;
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "newtoken",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password>",
    about: "get a new reply address; your older mails about that board stop working",
    reply: Some(ReplyScope::Player),
    parse,
};

#[derive(Debug)]
struct NewTokenCommand(Player);

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
) -> Result<Box<dyn Command>, Refusal> {
    let by = Player::read(required_game(game), words)?;
    words.expect_end()?;
    Ok(Box::new(NewTokenCommand(by)))
}

impl Command for NewTokenCommand {
    fn needs(&self) -> Needs {
        self.0.needs()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.0.board)
    }

    fn lasting_act(&self) -> Option<LastingAct> {
        Some(LastingAct::NewToken(self.0.board))
    }

    /// Anybody who holds an old address may do this: the new one goes to the player alone.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let Player { board: id, moveno: _, user, proof } = &self.0;
        authenticate(world, user, proof, Some(*id), cx)?;
        // On a board that is over players still talk, by reply too.
        let seat = world.board(*id)?.seat(user);
        let seat =
            seat.ok_or_else(|| BoardRefusal::NotPlaying { board: *id, user: user.clone() })?;
        // A player who fears that others read their mails may have been signed in by one.
        let out = Event::User(user.clone(), UserEvent::SignedOut);
        let events = vec![Event::Board(*id, BoardEvent::Voided { seat }), out];
        Ok(Decision { events, answer: BoardNotice::NewToken { board: *id, seat }.into() })
    }
}
