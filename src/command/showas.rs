//! `showas`: boards as one of their players sees them.

use super::games_of::Selector;
use super::proof::Proof;
use super::words::Words;
use super::{Command, Context, Decision, Needs, Of, Verb, authenticate, show, the_game};
use crate::base::ids::{BoardId, UserId};
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{Answer, Shown};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "showas",
    aliases: &[],
    of: Of::Game,
    usage: "<userid> <password> [<board> ... | all|active|inactive|next]",
    about: "your boards as you see them, with your settings",
    reply: None,
    parse,
};

/// Which boards are shown.
#[derive(Debug)]
enum Which {
    These(Vec<BoardId>),
    Selected(Selector),
}

#[derive(Debug)]
struct ShowAs {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: Proof,
    which: Which,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Words,
) -> Result<Box<dyn Command>, Refusal> {
    let game = the_game(game);
    let (user, proof) = words.player()?;
    let which = if words.begin_with_board() {
        let mut boards = Vec::new();
        while words.peek().is_some() {
            let (board, moveno) = words.board(game)?;
            if moveno.is_some() {
                return Err(words.wrong("`showas` takes no move numbers"));
            }
            boards.push(board);
        }
        if boards.len() > show::MOST {
            return Err(words.wrong(format!("at most {} boards are shown at once", show::MOST)));
        }
        Which::These(boards)
    } else {
        let (others, selector) = Selector::read(words)?;
        if !others.is_empty() {
            return Err(words.wrong(
                "after the password write board numbers, or `all`, `active`, `inactive` or `next`",
            ));
        }
        Which::Selected(selector)
    };
    Ok(Box::new(ShowAs { game, user, proof, which }))
}

impl Command for ShowAs {
    fn needs(&self) -> Needs {
        match &self.which {
            Which::These(boards) => {
                let boards = boards.iter().map(|board| board_key(*board));
                Needs::Keys(boards.chain([user_key(&self.user)]).collect())
            }
            Which::Selected(_) => {
                Needs::BoardsOfUsers(vec![self.user.clone()], vec![self.game.spec().name])
            }
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let boards = match &self.which {
            Which::These(boards) => boards.clone(),
            Which::Selected(selector) => {
                selector.pick(world, cx, self.game, std::slice::from_ref(&self.user))?
            }
        };
        if boards.len() > show::MOST {
            return Ok(Answer::Boards { game: self.game, boards }.into());
        }
        let seen = |id: BoardId| {
            let seat = world.board(id)?.seat(&self.user).ok_or_else(|| {
                Refusal::from(BoardRefusal::NotPlaying { board: id, user: self.user.clone() })
            })?;
            Ok(Shown { board: id, after: None, seat: Some(seat) })
        };
        let shown = boards.into_iter().map(seen).collect::<Result<Vec<_>, Refusal>>()?;
        Ok(Answer::Shown(shown).into())
    }
}
