//! `subscribe` and `unsubscribe`: the mails about a board for users who do not play there.

use crate::base::ids::BoardId;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Player, ReplyScope, Verb,
    VerbScope, authenticate, required_game,
};
use crate::mail::Address;
use crate::model::board::BoardEvent;
use crate::model::user::{OptOut, UserEvent};
use crate::model::world::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{AccountAnswer, BoardNotice};
use games::AnyGame;

pub(crate) const SUBSCRIBE: Verb = Verb {
    name: "subscribe",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password>",
    about: "get the mails about a board that others play on",
    reply: None,
    parse: |game, words| parse(game, words, true),
};

pub(crate) const UNSUBSCRIBE: Verb = Verb {
    name: "unsubscribe",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password>",
    about: "get no more mails about a board; your own: no reminders, no broadcasts",
    reply: Some(ReplyScope::Player),
    parse: |game, words| parse(game, words, false),
};

#[derive(Debug)]
struct SubscribeCommand {
    by: Player,
    wanted: bool,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments, wanted: bool) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    words.expect_end()?;
    if by.moveno.is_some() {
        return Err(words.usage_error("`subscribe` and `unsubscribe` take no move number"));
    }
    Ok(Box::new(SubscribeCommand { by, wanted }))
}

impl Command for SubscribeCommand {
    fn needs(&self) -> Needs {
        Needs::WithObservers(self.by.board, vec![board_key(self.by.board), user_key(&self.by.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let Player { board: id, user, proof, .. } = &self.by;
        let user = authenticate(world, user, proof, Some(*id), cx)?.id.clone();
        let board = world.board(*id)?;
        let wanted = self.wanted;
        if wanted {
            if board.seat(&user).is_some() {
                return Err(BoardRefusal::IsPlayer(*id).into());
            }
            if board.private {
                return Err(BoardRefusal::Private(*id).into());
            }
            if board.is_over() {
                return Err(BoardRefusal::Over(*id).into());
            }
            let others = board.observers.iter().filter(|observer| **observer != user);
            // Observers who have left are removed with the next mail of the board.
            let others: Vec<_> = others.filter_map(|observer| world.user(observer)).collect();
            let own = world.user(&user).map_or(&[][..], |user| &user.addresses);
            let shares = |of: &Address| own.iter().any(|address| address.same_mailbox(of));
            if others.iter().any(|other| other.addresses.iter().any(shares)) {
                return Err(BoardRefusal::MailboxSubscribed(*id).into());
            }
            if others.len() >= BoardRefusal::OBSERVERS {
                return Err(BoardRefusal::TooManyObservers(*id).into());
            }
        } else if board.seat(&user).is_some() {
            // Without the news of their boards they would lose them on time.
            let quiet = [OptOut::Reminders, OptOut::Broadcasts, OptOut::Events];
            let quiet = quiet.map(|what| UserEvent::Prefers(what.choice()));
            let events = quiet.map(|change| Event::User(user.clone(), change)).into();
            return Ok(Decision { events, answer: AccountAnswer::QuietSet(user).into() });
        } else if !board.observers.contains(&user) {
            return Err(BoardRefusal::NotWatched(*id).into());
        }
        let answer =
            BoardNotice::Observed { board: *id, user: user.clone(), is_subscribed: wanted }.into();
        let event = Event::Board(*id, BoardEvent::Observed { user, wanted });
        Ok(Decision { events: vec![event], answer })
    }
}
