//! `showas`: boards as one of their players sees them.

use super::games_of::Selector;
use super::proof::UserProof;
use super::words::Arguments;
use super::{Command, Context, Decision, Needs, Verb, VerbScope, authenticate, show, the_game};
use crate::base::ids::{BoardId, UserId};
use crate::model::world::{World, board_key, user_key};
use crate::refusal::{BoardRefusal, Refusal};
use crate::reply::{BoardDrawing, Listing, LookAnswer};
use games::AnyGame;

pub(super) const VERB: Verb = Verb {
    name: "showas",
    aliases: &[],
    of: VerbScope::Game,
    usage: "<userid> <password> [<board> ... | all|active|inactive|next]",
    about: "your boards as you see them, with your settings",
    reply: None,
    parse,
};

/// Which boards are shown.
#[derive(Debug)]
enum BoardChoice {
    These(Vec<BoardId>),
    Selected(Selector),
}

#[derive(Debug)]
struct ShowAsCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    which: BoardChoice,
}

fn parse(
    game: Option<&'static dyn AnyGame>,
    words: &mut Arguments,
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
        BoardChoice::These(boards)
    } else {
        let (others, selector) = Selector::read(words)?;
        if !others.is_empty() {
            return Err(words.wrong(
                "after the password write board numbers, or `all`, `active`, `inactive` or `next`",
            ));
        }
        BoardChoice::Selected(selector)
    };
    Ok(Box::new(ShowAsCommand { game, user, proof, which }))
}

impl Command for ShowAsCommand {
    fn needs(&self) -> Needs {
        match &self.which {
            BoardChoice::These(boards) => {
                let boards = boards.iter().map(|board| board_key(*board));
                Needs::Keys(boards.chain([user_key(&self.user)]).collect())
            }
            BoardChoice::Selected(_) => {
                Needs::BoardsOfUsers(vec![self.user.clone()], vec![self.game.spec().name])
            }
        }
    }

    fn decide(&self, world: &World, cx: &mut Context) -> Result<Decision, Refusal> {
        authenticate(world, &self.user, &self.proof, None, cx)?;
        let boards = match &self.which {
            BoardChoice::These(boards) => boards.clone(),
            BoardChoice::Selected(selector) => {
                selector.pick(world, cx, self.game, std::slice::from_ref(&self.user))?
            }
        };
        if boards.len() > show::MOST {
            return Ok(Listing::Boards { game: self.game, boards }.into());
        }
        let seen = |id: BoardId| {
            let seat = world.board(id)?.seat(&self.user).ok_or_else(|| {
                Refusal::from(BoardRefusal::NotPlaying { board: id, user: self.user.clone() })
            })?;
            Ok(BoardDrawing { board: id, after: None, seat: Some(seat) })
        };
        let shown = boards.into_iter().map(seen).collect::<Result<Vec<_>, Refusal>>()?;
        Ok(LookAnswer::Boards(shown).into())
    }
}
