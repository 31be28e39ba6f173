//! `showas`: boards as their player sees them, with the player's settings.

use crate::base::ids::{BoardId, UserId};
use crate::command::view::games::BoardSelector;
use crate::command::view::show;
use crate::command::{
    Arguments, Command, Context, Decision, Needs, ParsedCommand, UserProof, Verb, VerbScope,
    authenticate, required_game, seat_on,
};
use crate::model::world::{World, board_key, user_key};
use crate::refusal::Refusal;
use crate::reply::{BoardDrawing, DisplayAnswer, Listing};
use games::AnyGame;

pub(crate) const VERB: Verb = Verb {
    name: "showas",
    aliases: &[],
    scope: VerbScope::Game,
    usage: "<userid> <password> [<board> ... | all|active|inactive|next]",
    about: "your boards as you see them, with your settings",
    reply: None,
    parse,
};

/// The boards to show.
#[derive(Debug)]
enum BoardChoice {
    These(Vec<BoardId>),
    Selected(BoardSelector),
}

#[derive(Debug)]
struct ShowAsCommand {
    game: &'static dyn AnyGame,
    user: UserId,
    proof: UserProof,
    which: BoardChoice,
}

fn parse(game: Option<&'static dyn AnyGame>, words: &mut Arguments) -> ParsedCommand {
    let game = required_game(game);
    let (user, proof) = words.player()?;
    let which = if words.starts_with_board() {
        let mut boards = Vec::new();
        while words.peek().is_some() {
            let (board, moveno) = words.board(game)?;
            if moveno.is_some() {
                return Err(words.usage_error("`showas` takes no move numbers"));
            }
            boards.push(board);
        }
        if boards.len() > show::MAX_SHOWN_BOARDS {
            return Err(words.usage_error(format!(
                "you can see at most {} boards at once",
                show::MAX_SHOWN_BOARDS
            )));
        }
        BoardChoice::These(boards)
    } else {
        let (others, selector) = BoardSelector::read(words)?;
        if !others.is_empty() {
            return Err(words.usage_error(
                "after the password write board numbers, or `all`, `active`, `inactive` or `next`",
            ));
        }
        BoardChoice::Selected(selector)
    };
    Ok(Box::new(ShowAsCommand { game, user, proof, which }))
}

impl Command for ShowAsCommand {
    fn is_open_to_guests(&self) -> bool {
        true
    }

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
        if boards.len() > show::MAX_SHOWN_BOARDS {
            return Ok(Listing::Boards { game: self.game, boards }.into());
        }
        let seen = |id: BoardId| {
            let seat = seat_on(world.board(id)?, &self.user)?;
            Ok(BoardDrawing { board: id, after: None, seat: Some(seat) })
        };
        let shown = boards.into_iter().map(seen).collect::<Result<Vec<_>, Refusal>>()?;
        Ok(DisplayAnswer::Boards(shown).into())
    }
}
