//! `subscribe` and `unsubscribe`: who watches a board without playing there.

use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Player, Verb, authenticate, no_user, the_game};
use crate::base::ids::BoardId;
use crate::mail::Address;
use crate::model::event::Event;
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::Answer;
use games::AnyGame;

pub(super) const SUBSCRIBE: Verb = Verb {
    name: "subscribe",
    aliases: &[],
    of: Of::Game,
    usage: "<board> <userid> <password>",
    about: "get the mails of a board that others play on",
    reply: None,
    parse: |game, words| parse(game, words, true),
};

pub(super) const UNSUBSCRIBE: Verb = Verb {
    name: "unsubscribe",
    aliases: &[],
    of: Of::Game,
    usage: "<board> <userid> <password>",
    about: "get them no longer",
    reply: None,
    parse: |game, words| parse(game, words, false),
};

#[derive(Debug)]
struct Observe {
    by: Player,
    wanted: bool,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
    wanted: bool,
) -> Result<Box<dyn Command>, Refusal> {
    let by = Player::read(the_game(game), words)?;
    words.end()?;
    if by.moveno.is_some() {
        return Err(words.wrong("`subscribe` and `unsubscribe` take no move number"));
    }
    Ok(Box::new(Observe { by, wanted }))
}

impl Command for Observe {
    fn needs(&self) -> Needs {
        Needs::Watched(self.by.board, vec![board_key(self.by.board), user_key(&self.by.user)])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let Player { board: id, user, proof, .. } = &self.by;
        authenticate(world, user, proof, Some(*id), cx)?;
        let board = world.board(*id)?;
        let user = world.user(user).ok_or_else(|| no_user(user))?.id.clone();
        let wanted = self.wanted;
        if wanted {
            if board.seat(&user).is_some() {
                return Err(BoardRefusal::PlaysThere(*id).into());
            }
            if board.private {
                return Err(BoardRefusal::Private(*id).into());
            }
            if board.is_over() {
                return Err(BoardRefusal::Over(*id).into());
            }
            let others = board.observers.iter().filter(|observer| **observer != user);
            // Observers who have left are dropped with the next mail of the board.
            let others: Vec<_> = others.filter_map(|observer| world.user(observer)).collect();
            let own = world.user(&user).map_or(&[][..], |user| &user.addresses);
            let shares = |of: &Address| own.iter().any(|address| address.same_mailbox(of));
            if others.iter().any(|other| other.addresses.iter().any(shares)) {
                return Err(BoardRefusal::WatchedFromThere(*id).into());
            }
            if others.len() >= BoardRefusal::OBSERVERS {
                return Err(BoardRefusal::TooManyObservers(*id).into());
            }
        } else if !board.observers.contains(&user) {
            return Err(BoardRefusal::NotWatched(*id).into());
        }
        let answer = Answer::Observed { board: *id, user: user.clone(), wanted };
        Ok(Decision { events: vec![Event::Observed { board: *id, user, wanted }], answer })
    }
}
