//! `next`: the sender's board with the nearest deadline.

use crate::base::ids::{BoardId, UserId};
use crate::base::time::Time;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate_in_any_reply,
};
use crate::model::board::{Board, BoardStatus};
use crate::model::user::User;
use crate::model::world::World;
use crate::refusal::Refusal;
use crate::reply::{BoardNotice, Listing};
use games::{AnyGame, Seat};

pub(crate) const VERB: Verb = Verb {
    name: "next",
    aliases: &[],
    scope: VerbScope::Server,
    usage: "<userid> <password>",
    about: "your board that is nearest to its deadline, to answer by Reply",
    reply: Some(ReplyScope::User),
    parse,
};

#[derive(Debug)]
struct NextCommand {
    user: UserId,
    proof: UserProof,
}

fn parse(_: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let (user, proof) = words.player()?;
    words.expect_end()?;
    Ok(Box::new(NextCommand { user, proof }))
}

impl Command for NextCommand {
    fn needs(&self) -> Needs {
        Needs::ActiveBoardsOf(self.user.clone())
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let user = authenticate_in_any_reply(world, &self.user, &self.proof, cx)?;
        // The board of the reply address comes last.
        let next = next_waiting(world, user, self.proof.board(), cx.now);
        Ok(match next {
            Some(WaitingBoard { board, seat }) => BoardNotice::Shown { board, seat }.into(),
            None => {
                Listing::Everywhere { users: vec![user.id.clone()], boards: user.active.clone() }
                    .into()
            }
        })
    }
}

/// A board that waits for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingBoard {
    /// The board.
    pub board: BoardId,
    /// The player's seat.
    pub seat: Seat,
}

/// Returns the board that waits for a user and is nearest to its deadline; `last` comes last.
pub fn next_waiting(
    world: &World,
    user: &User,
    last: Option<BoardId>,
    now: Time,
) -> Option<WaitingBoard> {
    let waits = |board: &Board| -> Option<Seat> {
        let seat = board.seat(&user.id)?;
        (board.status() == BoardStatus::ToMove(seat)).then_some(seat)
    };
    let end = |board: &Board| world.clock(board, now).turn.map_or(Time::NEVER, |turn| turn.end);
    let boards = user.active.iter().filter_map(|id| world.board(*id).ok());
    let waiting = boards.filter_map(|board| Some((end(board), board.id, waits(board)?)));
    let (_, board, seat) = waiting.min_by_key(|(end, id, _)| (Some(*id) == last, *end, *id))?;
    Some(WaitingBoard { board, seat })
}
