//! `show`: looking at boards.

use super::games_of::Selector;
use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Reply, Verb, the_game};
use crate::ids::{BoardId, UserId};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, Shown};
use crate::world::{World, board_key};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "show",
    aliases: &[],
    of: Of::Game,
    usage: "<board>[#<moveno>] ... | <userid> ... [all|active|inactive|next]",
    about: "boards as they stand, or stood after a move",
    reply: Some(Reply::Board),
    parse,
};

/// Boards shown in one answer at most.
const MOST: usize = 20;

#[derive(Debug)]
struct Boards(Vec<(BoardId, Option<usize>)>);

#[derive(Debug)]
struct OfUsers {
    game: &'static dyn AnyGame,
    users: Vec<UserId>,
    selector: Selector,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let first = words.peek().ok_or_else(|| words.wrong("the board number is missing"))?;
    if first.starts_with(|c: char| c.is_ascii_digit()) {
        let mut boards = Vec::new();
        while words.peek().is_some() {
            boards.push(words.board(game)?);
        }
        if boards.len() > MOST {
            return Err(words.wrong(format!("at most {MOST} boards are shown at once")));
        }
        return Ok(Box::new(Boards(boards)));
    }
    let (users, selector) = Selector::read(words)?;
    Ok(Box::new(OfUsers { game, users, selector }))
}

impl Command for Boards {
    fn needs(&self) -> Needs {
        Needs::Keys(self.0.iter().map(|(board, _)| board_key(*board)).collect())
    }

    fn board(&self) -> Option<BoardId> {
        self.0.first().map(|(board, _)| *board)
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let show = |&(id, after): &(BoardId, Option<usize>)| {
            let board = world.board(id)?;
            if board.private && !cx.may_see(world, board) {
                return Err(BoardRefusal::Private(id).into());
            }
            let made = board.next_move() - 1;
            match after {
                Some(given) if given > made => {
                    Err(BoardRefusal::NoSuchMove { board: id, given, made }.into())
                }
                _ => Ok(Shown { board: id, after: after.filter(|given| *given < made) }),
            }
        };
        let shown = self.0.iter().map(show).collect::<Result<_, Refusal>>()?;
        Ok(Answer::Shown(shown).into())
    }
}

impl Command for OfUsers {
    fn needs(&self) -> Needs {
        Needs::BoardsOfUsers(self.users.clone(), vec![self.game.spec().name])
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        let boards = self.selector.pick(world, cx, self.game, &self.users)?;
        if boards.len() > MOST {
            return Ok(Answer::Boards { game: self.game, boards }.into());
        }
        let shown = boards.into_iter().map(|board| Shown { board, after: None });
        Ok(Answer::Shown(shown.collect()).into())
    }
}
