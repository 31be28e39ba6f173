//! `newtoken`: voids a player's reply addresses for a board and sends a new one.

use crate::command::{
    Arguments, Command, Context, Decision, LastingAct, ParsedCommand, Player, ReplyScope, Verb,
    VerbScope, authenticate, of_player, required_game, seat_on,
};
use crate::model::board::BoardEvent;
use crate::model::user::UserEvent;
use crate::model::world::World;
use crate::model::world::event::Event;
use crate::refusal::Refusal;
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
struct NewTokenCommand {
    by: Player,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    words.expect_end()?;
    Ok(Box::new(NewTokenCommand { by }))
}

impl Command for NewTokenCommand {
    of_player!();

    fn lasting_act(&self) -> Option<LastingAct> {
        Some(LastingAct::NewToken(self.by.board))
    }

    /// An old address is proof enough, because the new one goes to the player's address alone.
    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let Player { board: id, moveno: _, user, proof } = &self.by;
        authenticate(world, user, proof, Some(*id), cx)?;
        // Players still talk by reply on a finished board.
        let seat = seat_on(world.board(*id)?, user)?;
        // A thief of their mails may have signed in by a link from one.
        let out = Event::User(user.clone(), UserEvent::SignedOut);
        let events = vec![Event::Board(*id, BoardEvent::Voided { seat }), out];
        Ok(Decision { events, answer: BoardNotice::NewToken { board: *id, seat }.into() })
    }
}
