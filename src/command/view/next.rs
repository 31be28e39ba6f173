//! `next`: the sender's board with the nearest deadline.

use crate::base::ids::UserId;
use crate::base::time::Time;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, ReplyScope, UserProof, Verb,
    VerbScope, authenticate,
};
use crate::model::board::{Board, BoardStatus};
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
        let user = authenticate(world, &self.user, &self.proof, self.proof.board(), cx)?;
        let waits = |board: &Board| -> Option<Seat> {
            let seat = board.seat(&user.id)?;
            (board.status() == BoardStatus::ToMove(seat)).then_some(seat)
        };
        let end =
            |board: &Board| world.clock(board, cx.now).turn.map_or(Time::NEVER, |turn| turn.end);
        let boards = user.active.iter().filter_map(|id| world.board(*id).ok());
        let waiting = boards.filter_map(|board| {
            let seat = waits(board)?;
            Some((end(board), board.id, seat))
        });
        // The board of the reply address comes last.
        let about = self.proof.board();
        let next = waiting.min_by_key(|(end, id, _)| (Some(*id) == about, *end, *id));
        Ok(match next {
            Some((_, board, seat)) => BoardNotice::Shown { board, seat }.into(),
            None => {
                Listing::Everywhere { users: vec![user.id.clone()], boards: user.active.clone() }
                    .into()
            }
        })
    }
}
