//! `undo` and `propose`: what players offer each other besides moves.

use super::words::Words;
use super::{
    Command, Context, Decision, InReply, Needs, Of, Player, Verb, answer, speaks, the_game,
};
use crate::base::ids::BoardId;
use crate::model::board::{Offer, Proposal};
use crate::model::event::Event;
use crate::model::world::World;
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, BoardNews};
use games::AnyGame;

pub(super) const UNDO: Verb = Verb {
    name: "undo",
    aliases: &[],
    of: Of::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "ask to take back your last move and what followed; the dice stay the same",
    reply: Some(InReply::ForMove),
    parse: |game, words| parse(game, words, Proposal::Undo),
};

pub(super) const PROPOSE: Verb = Verb {
    name: "propose",
    aliases: &[],
    of: Of::Game,
    usage: "<board>[#<moveno>] <userid> <password>",
    about: "offer a draw; a move by either of you withdraws it, as it does an `undo`",
    reply: Some(InReply::ForMove),
    parse: |game, words| parse(game, words, Proposal::Draw),
};

/// How many offers more than messages one player may have sent to another in a day.
const MORE: usize = 5;

#[derive(Debug)]
struct Offering {
    by: Player,
    what: Proposal,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
    what: Proposal,
) -> Result<Box<dyn Command>, Refusal> {
    let by = Player::read(the_game(game), words)?;
    words.end()?;
    Ok(command(by, what))
}

/// The command, as `move ... undo` gives it too.
pub(super) fn command(by: Player, what: Proposal) -> Box<dyn Command> {
    Box::new(Offering { by, what })
}

impl Command for Offering {
    fn needs(&self) -> Needs {
        self.by.needs()
    }

    fn board(&self) -> Option<BoardId> {
        Some(self.by.board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let (board, by) = self.by.at(world, cx)?;
        let id = board.id;
        if let Some(open) = board.offer {
            let of = board.player(open.by).clone();
            let what = open.what;
            return Err(if open.by == by {
                let asked = board.player(by.other()).clone();
                BoardRefusal::OwnOfferOpen { board: id, asked, what }.into()
            } else {
                BoardRefusal::OfferOpen { board: id, by: of, what }.into()
            });
        }
        match self.what {
            Proposal::Undo if board.last_decision(by).is_none() => {
                return Err(BoardRefusal::NothingToTakeBack(id).into());
            }
            Proposal::Draw if !board.game.spec().manner.draws => {
                return Err(BoardRefusal::NeverDrawn(id).into());
            }
            Proposal::Undo | Proposal::Draw => {}
        }
        let opponent = board.player(by.other());
        let manner = board.game.spec().manner;
        if world.level(opponent).is_some() {
            return match self.what {
                Proposal::Draw => {
                    let program = opponent.clone();
                    Err(BoardRefusal::NoDraws { board: id, program }.into())
                }
                Proposal::Undo if manner.secret || manner.solo => {
                    Err(BoardRefusal::Hidden(id).into())
                }
                Proposal::Undo => Ok(answer::unmade(board, by, cx.now)),
            };
        }
        // A player who has talked much can still offer a draw.
        let mut events = speaks(world, board.player(by), opponent, MORE, cx)?;
        events.push(Event::Offered {
            board: id,
            offer: Offer { by, what: self.what, at: cx.now, nags: None },
        });
        let answer = Answer::Board { board: id, what: BoardNews::Offered, by: Some(by) };
        Ok(Decision { events, answer })
    }
}
