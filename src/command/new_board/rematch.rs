//! `rematch`: sets up the same game again, with the same opponent and options.

use crate::base::ids::BoardId;
use crate::command::new_board::begin::{Asker, BoardRequest, RequestedBoard};
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, Player, ReplyScope, Verb,
    VerbScope, authenticate, required_game, seat_on, unknown_user,
};
use crate::model::board::Agreement;
use crate::model::world::{World, user_key};
use crate::refusal::{AccountRefusal, BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "rematch",
    aliases: &["again"],
    scope: VerbScope::Game,
    usage: "<board> <userid> <password>",
    about: "begin the same game again once it is over, with the sides swapped",
    reply: Some(ReplyScope::Player),
    parse,
};

#[derive(Debug)]
struct RematchCommand(Player);

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let by = Player::read(required_game(game), words)?;
    words.expect_end()?;
    if by.moveno.is_some() {
        return Err(words.usage_error("`rematch` takes no move number"));
    }
    Ok(Box::new(RematchCommand(by)))
}

impl Command for RematchCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        let (board, user) = (self.0.board, &self.0.user);
        Needs::All(vec![
            Needs::SharedMailboxes(user.clone()),
            Needs::CountedPlayersOf(board),
            Needs::Keys(vec![user_key(user)]),
            BoardRequest::needs(board.game),
        ])
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.0.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let Player { board: id, user, proof, .. } = &self.0;
        authenticate(world, user, proof, Some(*id), cx)?;
        let board = world.board(*id)?;
        let seat = seat_on(board, user)?;
        if !board.is_over() {
            return Err(BoardRefusal::NotOver(*id).into());
        }
        // A game for one player has no sides to swap.
        let is_solo = board.game.spec().manner.is_solo;
        let [first, second] = board.players.clone();
        let players = if is_solo { [first, second] } else { [second, first] };
        let seat = if is_solo { seat } else { seat.other() };
        for player in &players {
            world.user(player).ok_or_else(|| unknown_user(player))?;
        }
        let me = world.user(user).ok_or(AccountRefusal::WrongPassword)?;
        let agreed = Agreement {
            options: board.options.clone(),
            private: board.private,
            terms: board.terms,
        };
        let request = BoardRequest {
            game: board.game,
            agreed,
            players,
            asker: Some(Asker { seat, user: me, addresses: me.addresses.clone() }),
            seeds: [None, None],
            is_challenge: true,
        };
        let RequestedBoard { board, by, events } = request.begin(world, cx)?;
        Ok(Decision { events, answer: Answer::Board { board, what: BoardNews::Begun, by } })
    }
}
